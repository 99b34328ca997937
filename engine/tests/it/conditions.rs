//! Expressions about agents, and the agents for which they are true.

use flockwork_engine::Options;
use flockwork_engine::Run;
use flockwork_engine::diag::Source;
use flockwork_engine::script::{Scripts, condition, number};

const SCENARIO: &str = r#"(
    world: (size: (100, 100)),
    groups: {
        "a": (behavior: "mode", spawn: Points([(10, 10), (20, 10), (30, 10)]), params: { "far": 25.0 }),
        "b": (spawn: Points([(90, 90)])),
    },
)"#;
const MODE: &str =
    "fn init(me) { me.state.mode = if me.pos.x > me.params.far { \"run\" } else { \"rest\" }; }
    fn steer(me) { vec(0, 0) }";

fn run() -> Run {
    let scripts = Scripts::new().with("mode", MODE);
    Run::new(&Source::new("s.ron", SCENARIO), &scripts, &Options::default()).unwrap()
}

#[test]
fn agents_for_which_a_condition_holds_are_found() {
    let run = run();
    for (expression, expected) in [
        ("me.pos.x > 15", vec![1, 2, 3]),
        ("me.state.mode == \"run\"", vec![2]),
        ("me.id == 1 || me.group == \"b\" // or", vec![1, 3]),
        ("false", vec![]),
    ] {
        let condition = condition(expression).unwrap();
        let before = run.simulation().clone();
        let found = run.simulation().agents_where(&condition);
        assert_eq!(found.unwrap(), expected, "{expression}");
        assert_eq!(run.simulation().world().agents, before.world().agents);
    }
}

#[test]
fn expressions_have_a_number_for_each_agent() {
    let run = run();
    for (expression, expected) in [
        ("me.pos.x / 10 // tens", vec![(0, 1.0), (1, 2.0), (2, 3.0), (3, 9.0)]),
        ("me.index", vec![(0, 0.0), (1, 1.0), (2, 2.0), (3, 0.0)]),
        // The other group has no such param.
        ("me.params.far - me.pos.x", vec![(0, 15.0), (1, 5.0), (2, -5.0)]),
    ] {
        let before = run.simulation().clone();
        let found = run.simulation().numbers_of(&number(expression).unwrap()).unwrap();
        let found: Vec<_> = found.into_iter().map(|(id, number)| (id.0, number)).collect();
        assert_eq!(found, expected, "{expression}");
        assert_eq!(run.simulation().world().agents, before.world().agents);
    }
    for (expression, expected) in [
        ("", "there is no expression"),
        ("me.pos.x +", "a value is missing after `+`"),
        ("me.pos", "vec"),
        ("me.possible", "possible"),
    ] {
        let found = number(expression).map(|number| run.simulation().numbers_of(&number));
        let message = match found {
            Err(error) => error.message,
            Ok(Err(error)) => error.what.message.clone(),
            Ok(Ok(found)) => panic!("{expression}: {found:?}"),
        };
        assert!(message.contains(expected), "{expression}: {message}");
    }
}

#[test]
fn wrong_conditions_are_errors() {
    for (expression, expected) in [
        ("", "there is no condition"),
        ("me.pos.x >", "a value is missing after `>`"),
        ("me.pos.x > 1 &&", "a value is missing after `&&`"),
        ("(me.pos.x > 1", "not closed"),
        ("me.possible > 1", "possible"),
        // Caught: the paths of types in Rust.
        ("me", "expected a boolean, found `me`"),
        ("world", "expected a boolean, found `world`"),
        ("me.params", "expected a boolean, found `me.params`"),
        ("me.state", "expected a boolean, found `me.state`"),
        ("world.inputs", "expected a boolean, found `world.inputs`"),
        ("world.shared", "expected a boolean, found `world.shared`"),
        (") {", ")"),
        // Caught: a parenthesis that had not been typed was missing.
        ("me.speed > 1 foo", "expected an operator or the end, found `foo`"),
        ("(me.speed > 1 foo)", "expected `)` to close the `(`, found `foo`"),
    ] {
        let error = condition(expression);
        let found = error.map(|condition| run().simulation().agents_where(&condition));
        let message = match found {
            Err(error) => error.message,
            Ok(Err(error)) => error.what.message.clone(),
            Ok(Ok(found)) => panic!("{expression}: {found:?}"),
        };
        assert!(message.contains(expected), "{expression}: {message}");
    }
}
