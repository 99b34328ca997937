//! Flow fields that scripts describe: sampled when a scenario is loaded, and again when it is edited.

use flockwork_engine::diag::Source;
use flockwork_engine::math::Vec2;
use flockwork_engine::script::Scripts;
use flockwork_engine::world::{FieldId, World};
use flockwork_engine::{Options, Run};

const DRIFT: &str = "fn steer(me) { me.flow_field(\"late\", 0) }";

fn open(late: &str, cell: f32) -> Result<Run, String> {
    let scenario = format!(
        r#"(
        dt: 0.1, world: (min: (-20, 0), size: (100, 50)),
        obstacles: {{ "rock": Circle(center: (30, 20), radius: 8) }},
        fields: {{
            "early": Script(name: "early", cell: 10),
            "late": Script(name: "late", cell: {cell}),
        }},
        groups: {{ "a": (behavior: "drift", spawn: Points([(0, 10)]), body: (max_speed: 10)) }},
    )"#
    );
    let scripts = Scripts::new()
        .with("drift", DRIFT)
        .with("early", "fn flow(p) { world.obstacle(\"rock\").normal(p) }")
        .with("late", late);
    Run::new(&Source::new("s.ron", scenario), &scripts, &Options::default())
        .map_err(|errors| errors.iter().map(|one| one.render(false)).collect())
}

fn vectors(world: &World, field: u16, points: &[(f32, f32)]) -> Vec<Vec2> {
    points.iter().map(|&(x, y)| world.flow(FieldId(field), Vec2::new(x, y))).collect()
}

#[test]
fn a_script_is_sampled_at_the_centers_of_cells() {
    // It reads obstacles, and the fields before its own.
    let run = open("fn flow(p) { p + world.field(\"early\").at(p) }", 20.0).unwrap();
    let world = run.simulation().world();
    let out = |x: f32, y: f32| {
        let out = Vec2::new(x, y) - Vec2::new(30.0, 20.0);
        out / out.length()
    };
    let centers = [(-15.0, 5.0), (25.0, 45.0), (75.0, 15.0)];
    for (found, (x, y)) in vectors(world, 0, &centers).into_iter().zip(centers) {
        assert!((found - out(x, y)).length() < 1e-6, "{found}");
    }
    let [first, last] = vectors(world, 1, &[(-10.0, 10.0), (70.0, 50.0)])[..] else {
        unreachable!()
    };
    let early = vectors(world, 0, &[(-10.0, 10.0), (70.0, 50.0)]);
    assert_eq!(first, Vec2::new(-10.0, 10.0) + early[0]);
    assert_eq!(last, Vec2::new(70.0, 50.0) + early[1], "its cell goes beyond the world");
}

#[test]
fn an_edited_field_acts_at_once() {
    let mut run = open("fn flow(p) { vec(1, 0) }", 20.0).unwrap();
    run.step().unwrap();
    let vel = |run: &Run| run.simulation().world().agents.vel(0);
    assert_eq!(vel(&run).y, 0.0);
    assert!(vel(&run).x > 0.0);
    run.adopt(open("fn flow(p) { vec(0, 1) }", 20.0).unwrap()).unwrap();
    let before = vel(&run);
    run.step().unwrap();
    assert!(vel(&run).x < before.x && vel(&run).y > 0.0);
}

#[test]
fn scripts_of_fields_that_fail_are_errors_of_the_scenario() {
    let endless = "fn flow(p) { let n = 0; while n < 2000 { n += 1; } vec(1, 0) }";
    for (script, cell, messages) in [
        ("fn flwo(p) { p }", 20.0, ["the script has no function `flow`", "did you mean `flwo`?"]),
        ("fn flow(a, b) { a }", 20.0, ["must have one parameter", "write `fn flow(point)`"]),
        (
            "fn flow(p) { p.x }",
            20.0,
            ["must return a vector, but returned a", "for the point (-10, 10)"],
        ),
        (
            "fn flow(p) { if p.x > 50 { p / 0 } else { p } }",
            20.0,
            ["late:1:", "for the point (70, 10)"],
        ),
        (
            "fn flow(p) { world.field(\"erly\").at(p) }",
            20.0,
            ["there is no field `erly`", "did you mean `early`?"],
        ),
        (
            "fn flow(p) { world.field(\"late\").at(p) }",
            20.0,
            ["there is no field `late`", "late:1:"],
        ),
        ("fn flow(p) { loop {} }", 20.0, ["endless", "for the point (-10, 10)"]),
        (endless, 0.5, ["more than 50000000 steps", "use larger cells"]),
    ] {
        let error = open(script, cell).err().unwrap_or_default();
        for message in messages {
            assert!(error.contains(message), "{script}: {error}");
        }
    }
}
