//! Scripts run in small worlds.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Behavior, Library, limits};
use crate::diag::{Diagnostic, Source};
use crate::geom::Shape;
use crate::math::Vec2;
use crate::sim::{Brain, Order, Setup, Simulation, Spawn, SpawnShape};
use crate::world::{
    AfterGoals, Body, Edge, Goal, Group, Obstacle, Path, PathId, PathMode, Space, Value, Values,
};

/// Scripts by name.
struct Texts(BTreeMap<String, String>);

impl Library for Texts {
    fn read(&self, name: &str) -> Result<Option<Arc<Source>>, Diagnostic> {
        Ok(self
            .0
            .get(name)
            .map(|text| Source::new(format!("scripts/{name}.rhai"), text.as_str())))
    }

    fn names(&self) -> Vec<String> {
        self.0.keys().cloned().collect()
    }
}

fn texts(texts: &[(&str, &str)]) -> Texts {
    Texts(
        texts
            .iter()
            .map(|(name, text)| ((*name).to_owned(), (*text).to_owned()))
            .collect(),
    )
}

/// A world of two groups: one agent "hero" at (10, 0) with velocity (1, 0), and three "others" at
/// (20, 0), (10, 5) and (90, 90), all of them run by the script.
fn setup() -> Setup {
    let body = Body {
        radius: 1.0,
        mass: 1.0,
        max_speed: 10.0,
        max_force: f32::INFINITY,
    };
    let group = |name: &str, goals: Vec<Arc<[Goal]>>| Group {
        name: name.into(),
        body,
        params: [
            ("alert".into(), Value::Float(8.5)),
            ("n".into(), Value::Int(3)),
        ]
        .into_iter()
        .collect::<Values>(),
        path: Some(PathId(0)),
        goals,
        after_goals: AfterGoals::Stay,
        made: 0,
    };
    let spawn = |points: &[(f32, f32)]| Spawn {
        shape: SpawnShape::Points(points.iter().map(|&(x, y)| Vec2::new(x, y)).collect()),
        count: points.len() as u32,
        vel: Vec2::X,
        heading: None,
    };
    let goals: Arc<[Goal]> = [Goal {
        at: Vec2::new(10.0, 50.0),
        radius: 2.0,
    }]
    .into();
    Setup {
        seed: 3,
        dt: 0.5,
        order: Order::Synchronous,
        space: Space {
            edge: Edge::Open,
            min: Vec2::ZERO,
            size: Vec2::splat(100.0),
        },
        obstacles: vec![Obstacle {
            name: "pillar".into(),
            shape: Shape::Circle {
                center: Vec2::new(40.0, 0.0),
                radius: 5.0,
            },
        }],
        paths: vec![Path {
            name: "round".into(),
            points: vec![Vec2::ZERO, Vec2::new(100.0, 0.0)],
            radius: 4.0,
            mode: PathMode::Loop,
        }],
        groups: vec![
            (group("hero", vec![goals]), spawn(&[(10.0, 0.0)])),
            (
                group("others", Vec::new()),
                spawn(&[(20.0, 0.0), (10.0, 5.0), (90.0, 90.0)]),
            ),
        ],
        events: Vec::new(),
    }
}

fn start(library: &Texts) -> Result<Simulation, String> {
    let behavior = Behavior::compile("main", library).map_err(|all| all[0].render(false))?;
    let brain: Arc<dyn Brain> = Arc::new(behavior);
    Simulation::new(setup(), vec![Arc::clone(&brain), brain]).map_err(|fault| fault.to_string())
}

/// The velocity of the first agent after one tick of 0.5 s, in a world where `script` steers all.
fn one_tick(script: &str) -> Result<Vec2, String> {
    ticks(&texts(&[("main", script)]), 1).map(|simulation| simulation.world().agents.vel[0])
}

fn ticks(library: &Texts, ticks: usize) -> Result<Simulation, String> {
    let mut simulation = start(library)?;
    for _ in 0..ticks {
        simulation.step().map_err(|fault| fault.to_string())?;
    }
    Ok(simulation)
}

/// The value of an expression for the hero, given as a number or a vector.
fn value(expression: &str) -> Vec2 {
    let script = format!("fn num(x) {{ if type_of(x) == \"vector\" {{ x }} else if type_of(x) == \"bool\" {{ if x {{ vec(1, 0) }} else {{ vec(0, 0) }} }} else {{ vec(x, 0) }} }}
        fn steer(me) {{ if me.id == 0 {{ me.state.result = num({expression}); }} vec(0, 0) }}");
    let simulation = ticks(&texts(&[("main", &script)]), 1)
        .unwrap_or_else(|error| panic!("{expression}:\n{error}"));
    match simulation.minds().state(0).get("result") {
        Some(Value::Vector(v)) => *v,
        other => panic!("{expression} is {other:?}"),
    }
}

fn fails(script: &str, parts: &[&str]) {
    let error = one_tick(script).expect_err(script);
    for part in parts {
        assert!(
            error.contains(part),
            "`{part}` is missing in\n{error}\nfor\n{script}"
        );
    }
}

#[test]
fn vectors_have_all_operators_and_numbers_mix() {
    for (expression, x, y) in [
        ("vec(1, 2) + vec(0.5, 1)", 1.5, 3.0),
        ("vec(1, 2) - vec(0.5, 1)", 0.5, 1.0),
        ("-vec(1, 2)", -1.0, -2.0),
        ("2 * vec(1, 2)", 2.0, 4.0),
        ("vec(1, 2) * 2", 2.0, 4.0),
        ("2.5 * vec(1, 2)", 2.5, 5.0),
        ("vec(1, 2) / 2", 0.5, 1.0),
        ("vec(1, 2) / 0.5", 2.0, 4.0),
        ("vec(1.5, 2)", 1.5, 2.0),
        ("vec(3, 4).length()", 5.0, 0.0),
        ("vec(3, 4).normalized()", 0.6, 0.8),
        ("vec(0, 0).normalized()", 0.0, 0.0),
        ("vec(3, 4).dot(vec(1, 2))", 11.0, 0.0),
        ("vec(3, 4).cross(vec(1, 2))", 2.0, 0.0),
        ("vec(3, 4).perp()", -4.0, 3.0),
        ("vec(0, 2).angle() / PI", 0.5, 0.0),
        ("vec(0, 0).distance(vec(3, 4))", 5.0, 0.0),
        ("vec(3, 4).limit(1)", 0.6, 0.8),
        ("vec(3, 4).limit(9.5)", 3.0, 4.0),
        ("vec(3, 4).with_length(10)", 6.0, 8.0),
        ("vec(0, 10).lerp(vec(10, 0), 0.25)", 2.5, 7.5),
        ("vec(3, 4).x + vec(3, 4).y", 7.0, 0.0),
        ("if vec(1, 2) == vec(1, 2) { 1 } else { 0 }", 1.0, 0.0),
        ("1 + 0.5", 1.5, 0.0),
        ("max(1, 2.5)", 2.5, 0.0),
        ("min(1, 2)", 1.0, 0.0),
        ("clamp(7, 0, 5.5)", 5.5, 0.0),
        ("lerp(0, 10, 0.25)", 2.5, 0.0),
        ("2 ** 3", 8.0, 0.0),
        ("2.0 ** 3", 8.0, 0.0),
        ("sqrt(16)", 4.0, 0.0),
        ("abs(-3)", 3.0, 0.0),
        ("floor(2.7)", 2.0, 0.0),
        ("to_int(2.7) + 1", 3.0, 0.0),
        (
            "me.arrive(vec(10, 30), 40) - me.arrive(vec(10, 30), 40.0)",
            0.0,
            0.0,
        ),
    ] {
        let found = value(expression);
        assert!(
            (found - Vec2::new(x, y)).length() < 1e-6,
            "{expression} is {found}"
        );
    }
}

/// Rhai's own operators call numbers equal that differ in the last bits, and 1e-8 equal to 0.
#[test]
fn numbers_compare_exactly() {
    for (expression, expected) in [
        ("1e-8 > 0", 1.0),
        ("1e-8 > 0.0", 1.0),
        ("0 < 1e-8", 1.0),
        ("1e-8 == 0", 0.0),
        ("-1e-9 < 0.0", 1.0),
        ("1.0 == 1.0000001", 0.0),
        ("1.0 != 1.0000001", 1.0),
        ("1.0 < 1.0000001", 1.0),
        ("1.0 >= 1.0000001", 0.0),
        ("1.0 == 1", 1.0),
        ("1 <= 1.0", 1.0),
        ("1.0 / 0.0 > 1e30", 1.0),
        ("2 > 1", 1.0),
    ] {
        let found = value(&format!("if {expression} {{ 1 }} else {{ 0 }}"));
        assert_eq!(found.x, expected, "{expression}");
    }
}

#[test]
fn portable_functions_stand_behind_their_names() {
    use crate::math;
    for (expression, expected) in [
        ("sin(1.3)", math::sin(1.3)),
        ("cos(1.3)", math::cos(1.3)),
        ("tan(1.3)", math::tan(1.3)),
        ("asin(0.3)", math::asin(0.3)),
        ("acos(0.3)", math::acos(0.3)),
        ("atan(0.3)", math::atan(0.3)),
        ("atan(1.0, -2)", math::atan2(1.0, -2.0)),
        ("exp(1)", math::exp(1.0)),
        ("ln(3)", math::ln(3.0)),
        ("log(1000)", math::log10(1000.0)),
        ("pow(2, 0.3)", math::pow(2.0, 0.3)),
        ("2.7 ** 1.3", math::pow(2.7, 1.3)),
        ("2 ** 0.3", math::pow(2.0, 0.3)),
        ("to_radians(90)", math::PI / 2.0),
    ] {
        assert_eq!(
            value(expression).x.to_bits(),
            expected.to_bits(),
            "{expression}"
        );
    }
}

#[test]
fn me_reads_as_documented() {
    for (expression, x, y) in [
        ("me.id", 0.0, 0.0),
        ("me.index", 0.0, 0.0),
        ("me.pos", 10.0, 0.0),
        ("me.vel", 1.0, 0.0),
        ("me.heading", 1.0, 0.0),
        ("me.speed", 1.0, 0.0),
        ("me.radius", 1.0, 0.0),
        ("me.mass", 1.0, 0.0),
        ("me.max_speed", 10.0, 0.0),
        ("if me.max_force > 1e30 { 1 } else { 0 }", 1.0, 0.0),
        ("me.params.alert", 8.5, 0.0),
        ("me.params.n + 1", 4.0, 0.0),
        ("me.goal", 10.0, 50.0),
        ("me.goal_radius", 2.0, 0.0),
        ("me.path.radius", 4.0, 0.0),
        ("me.path.length", 200.0, 0.0),
        ("me.waypoint", 0.0, 0.0),
        ("me.group == \"hero\"", 1.0, 0.0),
        ("me.to(vec(11, 2))", 1.0, 2.0),
        ("me.distance(vec(13, 4))", 5.0, 0.0),
        ("world.time", 0.0, 0.0),
        ("world.dt", 0.5, 0.0),
        ("world.size", 100.0, 100.0),
        ("world.count()", 4.0, 0.0),
        ("world.count(\"others\")", 3.0, 0.0),
        ("world.cursor == ()", 1.0, 0.0),
        ("world.obstacles.len()", 1.0, 0.0),
        ("world.obstacles[0].center", 40.0, 0.0),
        ("world.obstacle(\"pillar\").distance(me.pos)", 25.0, 0.0),
        ("world.obstacle(\"pillar\").contains(vec(41, 1))", 1.0, 0.0),
        ("world.obstacle(\"pillar\").distance(me)", 25.0, 0.0),
        ("world.path(\"round\").distance(me.nearest())", 5.0, 0.0),
        ("world.path(\"round\").closest(vec(30, 8))", 30.0, 0.0),
    ] {
        let found = value(expression);
        assert!(
            (found - Vec2::new(x, y)).length() < 1e-5,
            "{expression} is {found}"
        );
    }
}

#[test]
fn others_are_seen_through_neighbourhoods() {
    for (expression, x, y) in [
        ("me.neighbors().count", 3.0, 0.0),
        ("me.neighbors(10).count", 2.0, 0.0),
        ("me.neighbors(9.5).count", 1.0, 0.0),
        ("me.neighbors(10).center", 15.0, 2.5),
        ("me.neighbors(1).center", 10.0, 0.0),
        ("me.neighbors(10).mean_velocity", 1.0, 0.0),
        ("me.neighbors(10).nearest.pos", 10.0, 5.0),
        ("me.neighbors(10).first.id", 1.0, 0.0),
        ("me.neighbors(1).nearest == ()", 1.0, 0.0),
        ("me.neighbors(10).ahead().count", 1.0, 0.0),
        ("me.neighbors(10).in_view(to_radians(60)).count", 1.0, 0.0),
        ("me.neighbors(10).of(\"hero\").count", 0.0, 0.0),
        ("me.nearest().id", 2.0, 0.0),
        ("me.nearest(\"others\").pos", 10.0, 5.0),
        ("me.nearest(\"others\", 2) == ()", 1.0, 0.0),
        ("me.nearest(6).id", 2.0, 0.0),
        (
            "{ let sum = 0; for other in me.neighbors(10) { sum = sum * 10 + other.id; } sum }",
            12.0,
            0.0,
        ),
        ("me.nearest() != me", 1.0, 0.0),
    ] {
        let found = value(expression);
        assert!(
            (found - Vec2::new(x, y)).length() < 1e-5,
            "{expression} is {found}"
        );
    }
}

#[test]
fn a_script_answers_with_the_force_its_primitives_give() {
    let v = one_tick("fn steer(me) { me.seek(vec(10, 90)) }").unwrap();
    assert_eq!(
        v,
        Vec2::new(0.5, 5.0),
        "half of the way from (1, 0) to (0, 10)"
    );
    let v = one_tick("fn steer(me) { if me.id == 0 { return vec(2, 0); } vec(0, 0) }").unwrap();
    assert_eq!(v, Vec2::new(2.0, 0.0));
    let v = one_tick("fn steer(me) { prioritize([vec(0, 0), vec(0, 4), vec(9, 9)]) }").unwrap();
    assert_eq!(v, Vec2::new(1.0, 2.0));
    let v = one_tick("fn steer(me) { budget([vec(3, 0), vec(5, 0)], 4) }").unwrap();
    assert_eq!(v, Vec2::new(3.0, 0.0));
}

#[test]
fn own_velocity_and_state_last() {
    let script = "fn init(me) { me.state.n = 0; me.state.list = [1]; me.vel = vec(0, 3); }
        fn steer(me) { me.state.n += 1; me.state.list.push(me.state.n); me.vel = me.vel * 2; vec(0, 0) }";
    let simulation = ticks(&texts(&[("main", script)]), 2).unwrap();
    assert_eq!(
        simulation.world().agents.vel[0],
        Vec2::new(0.0, 10.0),
        "0 3, doubled twice, cut to 10"
    );
    let state = simulation.minds().state(0);
    assert_eq!(state.get("n"), Some(&Value::Int(2)));
    assert_eq!(
        state.get("list"),
        Some(&Value::List(vec![
            Value::Int(1),
            Value::Int(1),
            Value::Int(2)
        ]))
    );
}

#[test]
fn following_a_path_moves_the_progress_on() {
    let simulation = ticks(&texts(&[("main", "fn steer(me) { me.follow_path() }")]), 2).unwrap();
    assert_eq!(
        simulation.minds().progress(0)[0].waypoint,
        0,
        "the first waypoint is 10 away"
    );
    let simulation = ticks(
        &texts(&[("main", "fn steer(me) { me.follow_path(\"round\", 5) }")]),
        5,
    )
    .unwrap();
    assert_eq!(simulation.minds().progress(0)[0].waypoint, 1);
}

#[test]
fn debug_speaks_with_agent_and_tick() {
    let script = "fn steer(me) { if me.id == 2 { debug(`at ${me.pos}`); } vec(0, 0) }";
    let mut simulation = ticks(&texts(&[("main", script)]), 1).unwrap();
    let said = simulation.take_messages();
    assert_eq!(said.len(), 1);
    assert_eq!((said[0].tick, said[0].agent), (0, 2));
    assert!(said[0].text.starts_with("at (10, 5)"), "{}", said[0].text);
}

#[test]
fn random_numbers_are_the_agents_own() {
    let library = |extra: &str| {
        texts(&[(
            "main",
            &format!(
                "fn steer(me) {{ {extra} me.state.r = me.random(); me.state.s = me.random(5, 7); vec(0, 0) }}"
            ),
        )])
    };
    let state = |simulation: &Simulation, row: usize, name: &str| match simulation
        .minds()
        .state(row)
        .get(name)
    {
        Some(Value::Float(x)) => *x,
        other => panic!("{other:?}"),
    };
    let plain = ticks(&library(""), 3).unwrap();
    let again = ticks(&library(""), 3).unwrap();
    let others_draw = ticks(&library("if me.id == 1 { me.random(); }"), 3).unwrap();
    assert_eq!(state(&plain, 0, "r"), state(&again, 0, "r"));
    assert_eq!(
        state(&plain, 0, "r"),
        state(&others_draw, 0, "r"),
        "another's draws change nothing"
    );
    assert_ne!(state(&plain, 1, "r"), state(&others_draw, 1, "r"));
    assert_ne!(state(&plain, 0, "r"), state(&plain, 2, "r"));
    assert!((5.0..7.0).contains(&state(&plain, 0, "s")));
}

#[test]
fn constants_and_imports_are_seen_by_functions() {
    let library = texts(&[
        (
            "main",
            "import \"lib/tools\" as tools;\nconst HOME = vec(3, 4);\nconst TWICE = 2 * 4;\nfn steer(me) { tools::double(vec(HOME.x, TWICE)) + tools::far() + HOME * 0 }",
        ),
        (
            "lib/tools",
            "import \"lib/more\" as more;\nconst FAR = vec(100, 0);\nfn double(v) { more::times(v, 2) }\nfn far() { vec(FAR.x, 0) }",
        ),
        ("lib/more", "fn times(v, n) { v * n }"),
    ]);
    let simulation = ticks(&library, 1).unwrap();
    // Force (106, 16) for half a second on (1, 0), cut to 10.
    let expected = (Vec2::X + Vec2::new(106.0, 16.0) * 0.5).normalize() * 10.0;
    assert!((simulation.world().agents.vel[0] - expected).length() < 1e-5);
}

/// What a turn leaves behind in the interpreter must not reach the next one.
#[test]
fn turns_do_not_hang_on_those_before() {
    let library = texts(&[
        (
            "main",
            "fn steer(me) { import \"tools\" as tools; let x = 1; if me.id % 2 == 0 { let y = 2; return vec(tools::one(), 0); } vec(x, 0) }",
        ),
        ("tools", "fn one() { 1 }"),
    ]);
    let brain: Arc<dyn Brain> = Arc::new(Behavior::compile("main", &library).unwrap());
    let mut setup = setup();
    setup.groups[1].1.count = 500;
    let mut simulation = Simulation::new(setup, vec![Arc::clone(&brain), brain]).unwrap();
    simulation.step().unwrap();
    assert!(
        simulation
            .world()
            .agents
            .vel
            .iter()
            .all(|vel| *vel == Vec2::new(1.5, 0.0))
    );
}

#[test]
fn an_error_inside_an_import_points_there() {
    let library = texts(&[
        (
            "main",
            "import \"tools\" as tools;\nfn steer(me) { tools::broken(me) }",
        ),
        ("tools", "fn broken(me) {\n  me.seek(me.nowhere)\n}"),
    ]);
    let error = ticks(&library, 1).err().unwrap();
    assert!(
        error.contains("scripts/tools.rhai:2:14") && error.contains("me has no `nowhere`"),
        "{error}"
    );
    let library = texts(&[
        ("main", "import \"tools\" as tools;\nfn steer(me) { me }"),
        ("tools", "fn broken( {"),
    ]);
    let error = start(&library).err().unwrap();
    assert!(error.contains("scripts/tools.rhai:1:12"), "{error}");
}

#[test]
fn imports_stay_inside_and_do_not_go_in_circles() {
    for path in ["../x", "/etc/x", "a/../../b", "a//b", "C:\\\\x", "./x", ""] {
        fails(
            &format!("import \"{path}\" as x;\nfn steer(me) {{ vec(0, 0) }}"),
            &["is not inside the scripts folder", "main.rhai:1:1"],
        );
    }
    fails(
        "fn steer(me) { import \"nothing\" as x; vec(0, 0) }",
        &["there is no script `nothing`", "main.rhai:1:16"],
    );
    let library = texts(&[
        ("main", "import \"b\" as b;\nfn steer(me) { vec(0, 0) }"),
        ("b", "import \"main\" as m;"),
    ]);
    let error = start(&library).err().unwrap();
    assert!(
        error.contains("`main` imports itself") && error.contains("main -> b -> main"),
        "{error}"
    );
}

#[test]
fn errors_name_the_place_the_agent_and_what_helps() {
    for (script, parts) in [
        (
            "fn steer(me) {\n  me.seek(me.params.alrt)\n}",
            &[
                "main.rhai:2:21",
                "no param `alrt`",
                "agent 0 of group `hero`, at tick 0",
            ][..],
        ),
        (
            "fn steer(me) { me.seek(vec(1, 2), 3, 4) }",
            &["me.seek(target, speed = me.max_speed)"],
        ),
        (
            "fn steer(me) { me.seek() }",
            &["me.seek(target, speed = me.max_speed)"],
        ),
        (
            "fn steer(me) { me.seek(true) }",
            &["`target` must be a point or an agent, and is the truth value true"],
        ),
        (
            "fn steer(me) { me.seek(vec(1, 1), -3) }",
            &["`speed` must be a number from 0, and is -3"],
        ),
        (
            "fn steer(me) { me.pos2 }",
            &["main.rhai:1:19", "me has no `pos2`", "did you mean `pos`?"],
        ),
        (
            "fn steer(me) { let a = me.nearest(\"hero\", 1); a.pos }",
            &["main.rhai:1:49", "`()` has no `pos`", "!= ()"],
        ),
        (
            "fn steer(me) { me.seek(me.nearest(\"hero\", 1)) }",
            &["is nothing, ()", "!= ()"],
        ),
        (
            "fn steer(me) { me.nearest(\"heroo\") }",
            &["no group `heroo`", "did you mean `hero`?"],
        ),
        (
            "fn steer(me) { me.follow_path(\"rund\") }",
            &["no path `rund`", "did you mean `round`?"],
        ),
        (
            "fn steer(me) { world.obstacle(\"piller\") }",
            &["no obstacle `piller`", "did you mean `pillar`?"],
        ),
        (
            "fn steer(me) { me.params.alrt * vec(1, 1) }",
            &["main.rhai:1:26", "no param `alrt`", "did you mean `alert`?"],
        ),
        (
            "fn steer(me) { me.params.alert = 3; vec(1, 1) }",
            &["cannot be set by a script", "me.state"],
        ),
        (
            "fn steer(me) { vec(me.state.mode, 0) }",
            &["`me.state.mode` has not been set", "fn init(me)"],
        ),
        (
            "fn steer(me) { me.state.x = me; vec(1, 1) }",
            &["`me` cannot be kept"],
        ),
        (
            "fn steer(me) { me.state.x = 1.0 / 0.0; vec(1, 1) }",
            &["not a finite number"],
        ),
        (
            "fn steer(me) { me.pos = vec(1, 2); vec(1, 1) }",
            &["cannot set `pos`", "`me.vel`"],
        ),
        (
            "fn steer(me) { me.vel = 3; vec(1, 1) }",
            &["`me.vel` is a vector, and cannot be set to the number 3"],
        ),
        (
            "fn steer(me) {\n  vec(1, 2) / 0\n}",
            &["main.rhai:2:13", "not finite"],
        ),
        ("fn steer(me) { 1 / 0; vec(1, 0) }", &["division by zero"]),
        (
            "fn f(x) { x + vec(1, 2) }\nfn steer(me) { f(1) }",
            &[
                "main.rhai:1:13",
                "`+` cannot be applied to a whole number and a vector",
            ],
        ),
        (
            "fn steer(me) { sin(\"x\") * vec(1, 1) }",
            &["`sin` does not take a text"],
        ),
        (
            "fn steer(me) { prioritize([me.seek(me.goal), 3]) }",
            &["element 1 must be a vector, and is the number 3"],
        ),
        (
            "fn steer(me) { print(3); vec(1, 1) }",
            &["use `debug(...)`"],
        ),
        ("fn steer(me) { throw \"oops\" }", &["oops"]),
        (
            "fn steer(me) { timestamp(); vec(1, 0) }",
            &["no function `timestamp`"],
        ),
        (
            "fn steer(me) { sleep(1); vec(1, 0) }",
            &["no function `sleep`"],
        ),
    ] {
        fails(script, parts);
    }
}

#[test]
fn what_cannot_work_is_found_before_it_runs() {
    for (script, parts) in [
        (
            "fn ster(me) { vec(1, 2) }",
            &["no function `steer`", "did you mean `ster`?"][..],
        ),
        (
            "fn steer(me, x) { vec(1, 2) }",
            &["`steer` takes one parameter", "main.rhai:1:1"],
        ),
        (
            "fn steer(me) { vec(0, 0) }\nfn init() { }",
            &["`init` takes one parameter", "main.rhai:2:1"],
        ),
        ("fn steer(me) {\n  vec(1, 2\n}", &["main.rhai:3:1"]),
        (
            "fn steer(me) {\n  vec(1, 2)\n",
            &["main.rhai:2:11", "is a `}` missing?"],
        ),
        ("", &["no function `steer`"]),
        (
            "fn steer(me) {\n  let speed = 3;\n  me.seek(sped)\n}",
            &[
                "main.rhai:3:11",
                "no variable `sped`",
                "did you mean `speed`?",
            ],
        ),
        ("fn steer(me) { eval(\"1\") }", &["main.rhai:1:16", "eval"]),
        (
            "let x = 3;\nfn steer(me) { vec(1, 1) }",
            &["main.rhai:1:1", "no function can see the variable `x`"],
        ),
        (
            "const X = me.pos;\nfn steer(me) { vec(1, 1) }",
            &["main.rhai:1:11", "`me` is not known here"],
        ),
        (
            "const X = world.time;\nfn steer(me) { vec(1, 1) }",
            &["there is no world yet"],
        ),
        (
            "fn steer(me) {\n  me.seekk(vec(1, 2))\n}",
            &[
                "main.rhai:2:6",
                "no function `seekk`",
                "did you mean `seek`?",
            ],
        ),
        (
            "fn steer(me) { [1, 2].filtre(|x| x > 1); vec(0, 0) }",
            &["no function `filtre`", "did you mean `filter`?"],
        ),
        (
            "fn helper(me) { me.vel }\nfn steer(me) { helpr(me) }",
            &["main.rhai:2:16", "did you mean `helper`?"],
        ),
        (
            "fn steer(me) { me.seek() }",
            &["seek takes 1 to 2 arguments, and got 0", "me.seek(target"],
        ),
        (
            "fn steer(me) { if me.id == 9 { me.poss } else { vec(0, 0) } }",
            &["main.rhai:1:35", "me has no `poss`", "did you mean `pos`?"],
        ),
        (
            "fn steer(me) { vec(world.tme, 0) }",
            &["world has no `tme`", "did you mean `time`?"],
        ),
        (
            "fn steer(me) { prioritize() }",
            &["prioritize takes 1 argument, and got 0"],
        ),
        (
            "fn steer(me) { tools::f(me) }",
            &["nothing is imported as `tools`"],
        ),
    ] {
        let error = start(&texts(&[("main", script)]))
            .err()
            .unwrap_or_else(|| panic!("{script} is taken"));
        for part in parts {
            assert!(
                error.contains(part),
                "`{part}` is missing in\n{error}\nfor\n{script}"
            );
        }
    }
}

#[test]
fn a_result_that_is_no_vector_is_refused() {
    fails(
        "fn steer(me) { 3 }",
        &[
            "must return a vector, and returned the number 3",
            "main.rhai:1:1",
        ],
    );
    fails(
        "fn other() { }\nfn steer(me) { if false { vec(0, 0) } }",
        &["returned nothing", "main.rhai:2:1"],
    );
}

#[test]
fn runaways_are_stopped_where_they_run() {
    for (script, parts) in [
        (
            "fn steer(me) {\n  let x = 1;\n  loop {\n    x += 1;\n  }\n}",
            &["does not come to an end", "main.rhai:4:"][..],
        ),
        (
            "fn steer(me) {\n  while true { }\n}",
            &["does not come to an end", "main.rhai:2:"],
        ),
        (
            "fn f(x) { f(x) }\nfn steer(me) {\n  f(1)\n}",
            &["call each other too deeply", "main.rhai:3:3"],
        ),
        (
            "fn steer(me) {\n  let a = [];\n  loop { a.push(1); }\n}",
            &["grows too large", "main.rhai:3:"],
        ),
        (
            "fn steer(me) {\n  let a = \"x\";\n  loop { a += a; }\n}",
            &["grows too large", "main.rhai:3:"],
        ),
        (
            "fn init(me) {\n  loop { }\n}\nfn steer(me) { vec(0, 0) }",
            &["does not come to an end", "main.rhai:2:"],
        ),
    ] {
        fails(script, parts);
    }
    let deep = format!("fn steer(me) {{ {}1{} }}", "(".repeat(500), ")".repeat(500));
    fails(&deep, &["main.rhai:1:"]);
}

#[test]
fn a_mind_survives_an_error() {
    let library = texts(&[(
        "main",
        "fn init(me) { me.state.n = 5; }\nfn steer(me) { if world.tick == 1 { throw \"now\"; } vec(0, 0) }",
    )]);
    let mut simulation = start(&library).unwrap();
    simulation.step().unwrap();
    assert!(simulation.step().is_err());
    assert_eq!(simulation.minds().state(0).get("n"), Some(&Value::Int(5)));
}

#[test]
fn sorting_ends_whatever_the_order_is() {
    for (expression, x) in [
        (
            "{ let a = [3, 1.5, 2, 0.0/0.0]; a.sort(); a[0] * 10 + a[2] }",
            18.0,
        ),
        ("{ let a = [1, 3, 2]; a.sort_desc(); a[0] }", 3.0),
        ("[2.5, 0.5].order()[0]", 0.5),
        // A difference of numbers, which Rhai's own passes over.
        (
            "{ let a = [2.5, 0.5, 1.5]; a.sort(|a, b| a - b); a[0] * 10 + a[1] }",
            6.5,
        ),
        ("[1, 2, 3].order(|a, b| b - a)[0]", 3.0),
        ("[1, 2, 3].order_by(|a, b| a > b)[0]", 3.0),
    ] {
        assert_eq!(value(expression).x, x, "{expression}");
    }
    one_tick(
        "fn steer(me) {
            for n in 0..60 {
                let a = [];
                for i in 0..n { a.push(if me.random() < 0.3 { 0.0 / 0.0 } else { me.random() }); }
                a.sort();
                a.sort(|a, b| if me.random() < 0.5 { -1 } else { 1 });
                if a.len() != n { throw \"lost\"; }
            }
            vec(0, 0)
        }",
    )
    .unwrap();
    fails(
        "fn steer(me) { [1, vec(1, 2)].order() }",
        &["nothing says which", "a comparer", "main.rhai:1:31"],
    );
    fails(
        "fn steer(me) { [1, 2].order(|a, b| me.poz) }",
        &["me has no `poz`"],
    );
}

#[test]
fn constants_stay_as_they_are() {
    for script in [
        "const M = #{a: 1};\nfn steer(me) { M.a = 3; vec(0, 0) }",
        "const M = [1];\nfn steer(me) { M[0] += 3; vec(0, 0) }",
        "const M = vec(1, 2);\nfn steer(me) { M.x = 3; vec(0, 0) }",
        "fn steer(me) {\nlet x = 1; const M = #{a: 1}; M.a = 3; vec(0, 0) }",
    ] {
        fails(script, &["a constant cannot be changed", "main.rhai:2:"]);
    }
    // A function's own variables may have the same names.
    one_tick(
        "const A = [1];
        fn change(A) { A[0] = 2; A }
        fn steer(me) {
            let f = |A| { A[0] = 4; A };
            change([3]);
            f.call([5]);
            let A = [1];
            A[0] = 3;
            for A in [[1], [2]] { A[0] = 3; }
            vec(A[0], 0)
        }",
    )
    .unwrap();
}

#[test]
fn a_change_that_would_be_lost_is_an_error() {
    fails(
        "fn steer(me) { me.pos.x = 3; vec(0, 0) }",
        &["a script cannot set `pos` of me", "me.vel"],
    );
    fails(
        "fn steer(me) { world.size.x += 3; vec(0, 0) }",
        &["a script cannot set `size` of world"],
    );
    // Looking at parts changes nothing.
    let looks = "me.pos.to_string(); me.pos.length(); world.obstacles.len(); world.size.x;
        me.heading.rotated(1).x; world.obstacles[0].center.x; me.neighbors(50).center.x;
        me.path.name.len(); me.nearest().pos.dot(me.pos); `${me.pos} ${me.nearest()} ${me.goal}`;
        world.obstacles.filter(|o| o.radius > 1).map(|o| o.center); me.group.contains(\"x\");";
    one_tick(&format!("fn steer(me) {{ {looks} vec(0, 0) }}")).unwrap();
    assert_eq!(
        one_tick("fn steer(me) { me.vel.x = 3; me.vel.y = 4; vec(0, 0) }"),
        Ok(Vec2::new(3.0, 4.0))
    );
}

#[test]
fn no_radius_is_negative() {
    for call in [
        "me.neighbors(-5)",
        "me.neighbors(0.0 / 0.0)",
        "me.nearest(-1)",
        "me.nearest(\"others\", -1)",
        "me.separation(-30)",
    ] {
        fails(
            &format!("fn steer(me) {{ {call}; vec(0, 0) }}"),
            &["must be a number from 0"],
        );
    }
}

#[test]
fn what_an_agent_remembers_has_an_end() {
    let fill = |of: &str| format!("fn steer(me) {{ for i in 0..100000 {{ {of} }} vec(0, 0) }}");
    for of in [
        "me.state[\"k\" + i] = i;",
        "me.state[\"k\" + i] = [1, 2, 3, #{a: [1]}];",
        "me.state[\"k\" + i] = \"a text\";",
    ] {
        fails(&fill(of), &["remembers too much", "10000"]);
    }
    one_tick(&fill("me.state.k = i;")).unwrap();
}

#[test]
fn what_was_said_before_an_error_is_shown() {
    let library = texts(&[(
        "main",
        "fn steer(me) { debug(me.id); if me.id == 2 { me.params.none } vec(0, 0) }",
    )]);
    let mut simulation = start(&library).unwrap();
    simulation.step().unwrap_err();
    let said: Vec<u32> = simulation
        .take_messages()
        .iter()
        .map(|it| it.agent)
        .collect();
    assert_eq!(said, [0, 1, 2]);
}

#[test]
fn who_talks_too_much_is_cut_short() {
    let mut simulation = ticks(
        &texts(&[(
            "main",
            "fn steer(me) { for i in 0..5000 { debug(i); } vec(0, 0) }",
        )]),
        1,
    )
    .unwrap();
    let said = simulation.take_messages();
    assert_eq!(said.len(), 4 * (limits::MESSAGES + 1));
    assert!(
        said[limits::MESSAGES].text.contains("more"),
        "{}",
        said[limits::MESSAGES].text
    );
}

#[test]
fn errors_point_to_the_definition_and_not_to_a_comment() {
    let library = texts(&[
        (
            "main",
            "import \"far\" as far;\n// const A is shared\nconst AB = 1; const A = 2;\nfn steer(me) { me.contain() }",
        ),
        ("far", "const A = 1;"),
    ]);
    let error = start(&library).err().unwrap();
    assert!(error.contains("main.rhai:3:21"), "{error}");
    fails(
        "// the fn steer(me) below\nfn steer(me) { 3 }",
        &["main.rhai:2:1", "must return a vector"],
    );
    fails(
        "print(\"x\"); fn steer(me) { me.contain() }",
        &["scripts do not print"],
    );
}

#[test]
fn a_script_too_long_to_point_into_is_refused() {
    fails(
        &format!("{}fn steer(me) {{ me.poz }}", "\n".repeat(70_000)),
        &["more than 65534 lines", "main.rhai:65535:1"],
    );
    fails(
        &format!("fn steer(me) {{{} me.poz }}", " ".repeat(70_000)),
        &["more than 65534 characters"],
    );
}
