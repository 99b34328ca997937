//! Inputs in whole runs: they are the same alone and together, in both orders, and in worlds with other names.

use std::sync::Arc;

use flockwork_engine::diag::Source;
use flockwork_engine::math::Vec2;
use flockwork_engine::script::{Behavior, Scripts};
use flockwork_engine::sim::{Action, Brain, GroupBuilder, Simulation, step_together};
use flockwork_engine::world::{Edge, NewAgent, Space};
use flockwork_engine::{Options, Run};

const SCRIPT: &str = r#"fn steer(me) {
    let force = vec(0, 0);
    if world.inputs.left { force.x -= 1; }
    if world.inputs["use"] { force.y += 1; }
    force
}"#;

fn scripts() -> Scripts {
    Scripts::new().with("play", SCRIPT)
}

fn scenario(events: &str, more: &str) -> Arc<Source> {
    Source::new(
        "play.ron",
        format!(
            r#"(
    world: (size: (100, 100)),
    inputs: {{ "left": Key("left"), "use": Key("space"){more} }},
    groups: {{ "player": (behavior: "play", spawn: Points([(50, 50)]), body: (max_speed: 50)) }},
    events: [{events}],
)"#
        ),
    )
}

/// Returns the forces of the agent in the first ticks of a run.
fn forces(run: &mut Run, ticks: usize) -> Vec<(f32, f32)> {
    let mut all = Vec::new();
    for _ in 0..ticks {
        run.step().unwrap();
        let force = run.simulation().last_forces()[0];
        all.push((force.x, force.y));
    }
    all
}

#[test]
fn events_set_inputs_from_their_tick_on() {
    let events = r#"
        At(tick: 1, do: Input(name: "left", down: true)),
        Every(ticks: 3, do: Input(name: "left", down: false)),
        When(condition: Inside(group: "player", area: Circle(center: (50, 50), radius: 90)), do: Input(name: "use", down: true)),
    "#;
    for order in ["Synchronous", "Sequential"] {
        for interpreter in [false, true] {
            let text =
                scenario(events, "").text.replace("world:", &format!("order: {order}, world:"));
            let source = Source::new("play.ron", text);
            let options = Options::default().interpreter(interpreter);
            let mut run = Run::new(&source, &scripts(), &options).unwrap();
            assert!(run.warnings().is_empty());
            let expected = [(0.0, 1.0), (-1.0, 1.0), (-1.0, 1.0), (0.0, 1.0), (0.0, 1.0)];
            assert_eq!(forces(&mut run, 5), expected, "{order} {interpreter}");
        }
    }
}

#[test]
fn a_file_of_inputs_happens_after_the_events() {
    let events = r#"At(tick: 1, do: Input(name: "left", down: true)), At(tick: 3, do: Input(name: "left", down: true))"#;
    let played = |text: &str| {
        let options = Options::default().inputs(Source::new("played.ron", text));
        Run::new(&scenario(events, ""), &scripts(), &options)
    };
    let text = r#"[
        At(tick: 3, do: Input(name: "left", down: false)), // let go
        At(tick: 4, do: Cursor(at: (3, 4))),
        At(tick: 2, do: Input(name: "use", down: true)),
    ]"#;
    let mut run = played(text).unwrap();
    let expected = [(0.0, 0.0), (-1.0, 0.0), (-1.0, 1.0), (0.0, 1.0), (0.0, 1.0)];
    assert_eq!(forces(&mut run, 5), expected);
    assert_eq!(run.world().cursor, Some(Vec2::new(3.0, 4.0)));
    for (text, message, line) in [
        (r#"[At(tick: 3, do: Input(name: "lefd", down: true))]"#, "no input `lefd`", 1),
        ("[\n  At(tick: -3, do: Cursor()),\n]", "expected an integer", 2),
        (
            "[\n  At(tick: 3, do: Remove(group: \"player\")),\n]",
            "unknown played action `Remove`",
            2,
        ),
        ("[Every(ticks: 3, do: Cursor())]", "unknown event `Every`", 1),
        ("[At(tick: 3, do: Cursor())", "", 1),
        ("", "the file is empty", 1),
    ] {
        let Err(errors) = played(text) else { panic!("{text}") };
        let error = &errors[0];
        assert!(error.message.contains(message), "{text}: {}", error.message);
        assert_eq!(
            error.position(),
            format!("played.ron:{line}:{}", error.position().rsplit(':').next().unwrap())
        );
    }
}

#[test]
fn an_edit_keeps_the_inputs_that_are_down() {
    let press = r#"At(tick: 1, do: Input(name: "use", down: true))"#;
    let run =
        |more: &str| Run::new(&scenario(press, more), &scripts(), &Options::default()).unwrap();
    let mut first = run("");
    forces(&mut first, 3);
    first.adopt(run(r#", "jump": Key("j")"#)).unwrap();
    assert_eq!(first.world().inputs_down(), ["use".into()]);
    assert_eq!(forces(&mut first, 1), [(0.0, 1.0)]);
}

#[test]
fn a_behavior_reads_inputs_by_their_names_in_any_world() {
    let brain: Arc<dyn Brain> = Arc::new(Behavior::compile("play", &scripts()).unwrap());
    let simulation = |inputs: &[&str]| {
        let space = Space { edge: Edge::Open, min: Vec2::ZERO, size: Vec2::splat(100.0) };
        let group = GroupBuilder::new("all").brain(Arc::clone(&brain));
        let builder =
            Simulation::builder(space).group(group.agents([NewAgent::at(Vec2::ZERO, Vec2::X)]));
        let keys = ["a", "b", "c"];
        let builder =
            inputs.iter().zip(keys).fold(builder, |builder, (name, key)| builder.input(name, key));
        builder.build().unwrap()
    };
    let mut all = [
        simulation(&["left", "use"]),
        simulation(&["use", "left"]),
        simulation(&["up", "use", "left"]),
    ];
    for tick in 0..6 {
        for (number, one) in all.iter_mut().enumerate() {
            let down = (tick + number) % 2 == 0;
            one.act(Action::Input { name: "left".into(), down }).unwrap();
            one.act(Action::Input { name: "use".into(), down: !down }).unwrap();
        }
        if tick % 3 == 0 {
            all.iter_mut().for_each(|one| one.step().unwrap());
        } else {
            let mut all: Vec<&mut Simulation> = all.iter_mut().collect();
            step_together(&mut all).into_iter().for_each(|result| result.unwrap());
        }
        for (number, one) in all.iter().enumerate() {
            let expected = if (tick + number) % 2 == 0 { Vec2::new(-1.0, 0.0) } else { Vec2::Y };
            assert_eq!(one.last_forces(), [expected], "world {number} at tick {tick}");
        }
    }
}
