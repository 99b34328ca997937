use proptest::prelude::*;

use super::*;
use crate::math::Vec2;
use crate::sim::{Action, EventTime};
use crate::world::{Goal, GroupId, ObstacleMotion, Value};

fn set(text: &str, changes: &[(&str, &str, Value)]) -> Result<String, Diagnostic> {
    set_params(&Source::new("s.ron", text), changes, |_, _| false)
}

#[test]
fn only_the_values_of_params_change_in_the_text() {
    let changes = [
        ("guard", "alert", Value::Float(0.1), "80.0", "0.1"),
        ("guard", "alert", Value::Int(7), "80.0", "7.0"),
        ("guard", "calm", Value::Bool(false), "true", "false"),
        ("guard", "word", Value::String("a \"b\"\n".into()), "\"x\"", "\"a \\\"b\\\"\\n\""),
        ("guard", "home", Value::Vector(Vec2::new(0.5, -7.0)), "(3, 4.5)", "(0.5, -7)"),
        ("guard", "n", Value::Float(12.0), "-3", "12"),
        ("guard", "n", Value::Int(12), "-3", "12"),
        ("guard", "n", Value::Float(-3.5), "-3", "-3.5"),
        ("guard", "n", Value::Float(-0.0), "-3", "-0.0"),
        ("guard", "n", Value::Float(1e30), "-3", "1e30"),
    ];
    for (group, param, value, from, to) in changes {
        let key = format!("\"{param}\": ");
        let expected = full_with(&format!("{key}{from}"), &format!("{key}{to}"));
        assert_eq!(set(FULL, &[(group, param, value)]).unwrap(), expected);
    }
    let several = [
        ("guard", "n", Value::Int(1)),
        ("guard", "alert", Value::Float(2.0)),
        ("guard", "n", Value::Int(4)),
    ];
    let expected = full_with("\"alert\": 80.0", "\"alert\": 2.0").replace("\"n\": -3", "\"n\": 4");
    assert_eq!(set(FULL, &several).unwrap(), expected);
}

#[test]
fn a_changed_param_is_removed_from_the_start() {
    let text = "(ticks: 9, world: (size: (9, 9)), groups: {
        \"a\": (behavior: \"b\", params: { \"k\": /* here */ 1 }, spawn: Points([(1, 1)])) },
    start: (
        tick: 5,
        groups: {
            \"a\": (
                made: 1,
                params: {
                    \"k\": 2.5,
                },
                agents: [(id: 0, index: 0, at: (1, 2), velocity: (0.5, 0))],
            ),
        },
    ))";
    let changed = set(text, &[("a", "k", Value::Float(3.0))]).unwrap();
    let expected = text.replace("here */ 1", "here */ 3");
    assert_eq!(changed, expected.replace("                    \"k\": 2.5,\n", ""));
    let of = parse(&changed).unwrap().setup.start.unwrap();
    assert_eq!(of.groups[0].params.get("k"), Some(&Value::Int(3)));
}

#[test]
fn params_that_are_not_written_cannot_be_changed() {
    for (group, param, value, message) in [
        ("gard", "n", Value::Int(1), "no group `gard`"),
        ("guard", "m", Value::Int(1), "group `guard` has no param `m`"),
        ("thief", "n", Value::Int(1), "group `thief` has no param `n`"),
        ("guard", "n", Value::Bool(true), "`guard.n` is a number, not a boolean"),
        ("guard", "n", Value::List(vec![]), "`guard.n` is a number, not an array"),
    ] {
        assert_eq!(set(FULL, &[(group, param, value)]).unwrap_err().message, message);
    }
    assert!(set("(", &[]).is_err());
    assert_eq!(set(FULL, &[]).unwrap(), FULL);
}

fn finite() -> impl Strategy<Value = f32> {
    any::<f32>().prop_filter("finite", |x| x.is_finite())
}

fn length() -> impl Strategy<Value = f32> {
    prop_oneof![0.001f32..1e15, 0.1f32..100.0]
}

fn place() -> impl Strategy<Value = Vec2> {
    let part = || prop_oneof![-1e15f32..1e15, -9.0f32..9.0, Just(-0.0), Just(3.0)];
    (part(), part()).prop_map(Vec2::from)
}

/// Params of the guards in the full scenario, with possible values.
fn param() -> impl Strategy<Value = (&'static str, Value)> {
    prop_oneof![
        finite().prop_map(|x| ("alert", Value::Float(x))),
        any::<bool>().prop_map(|x| ("calm", Value::Bool(x))),
        any::<String>().prop_map(|x| ("word", Value::String(x.into()))),
        (finite(), finite()).prop_map(|(x, y)| ("home", Value::Vector(Vec2::new(x, y)))),
        any::<i64>().prop_map(|x| ("n", Value::Int(x))),
        finite().prop_map(|x| ("n", Value::Float(x))),
    ]
}

fn motion() -> impl Strategy<Value = ObstacleMotion> {
    let speed = || length().prop_filter("above 0", |speed| *speed > 0.0);
    prop_oneof![
        Just(ObstacleMotion::Stop),
        place().prop_map(ObstacleMotion::Velocity),
        (place(), speed()).prop_map(|(at, speed)| ObstacleMotion::To { at, speed }),
        speed().prop_map(|speed| ObstacleMotion::Along { path: "line".into(), speed }),
    ]
}

fn action() -> impl Strategy<Value = Action> {
    let group = || (0u16..6).prop_map(GroupId);
    let goal = (place(), length()).prop_map(|(at, radius)| Goal { at, radius });
    prop_oneof![
        (group(), place(), any::<bool>()).prop_map(|(group, velocity, after)| Action::Push {
            group,
            velocity,
            when: if after {
                crate::sim::PushTime::AfterDecision
            } else {
                crate::sim::PushTime::BeforeDecision
            },
        }),
        param().prop_map(|(name, value)| Action::Set {
            group: GroupId(0),
            param: name.into(),
            value,
        }),
        (group(), 1u32..1000).prop_map(|(group, count)| Action::Spawn { group, count }),
        (group(), prop::option::of(1u32..))
            .prop_map(|(group, count)| Action::Remove { group, count }),
        (group(), prop::collection::vec(goal, 0..4))
            .prop_map(|(group, goals)| Action::SetGoals { group, goals: goals.into() }),
        prop::option::of(place()).prop_map(|at| Action::Cursor { at }),
        any::<bool>().prop_map(|down| Action::Input { name: "left".into(), down }),
        finite().prop_map(|x| Action::SetShared { name: "food".into(), value: Value::Float(x) }),
        any::<bool>().prop_map(|present| Action::SetObstacle { obstacle: "wall".into(), present }),
        motion().prop_map(|motion| Action::MoveObstacle { obstacle: "wall".into(), motion }),
        (place(), length(), length(), prop::option::of(group()))
            .prop_map(|(at, radius, speed, group)| Action::Scatter { at, radius, speed, group }),
    ]
}

proptest! {
    #[test]
    fn any_value_of_a_param_reads_back(
        (name, value) in param(),
    ) {
        // `set_params` itself checks that the value reads back.
        let changed = set(FULL, &[("guard", name, value)]);
        prop_assert!(changed.is_ok(), "{:?}", changed);
    }

    #[test]
    fn written_actions_read_back(action in action(), tick in 0u64..1800) {
        let scenario = parse(FULL).unwrap();
        let groups = scenario.setup.groups.iter();
        let names: Vec<Arc<str>> = groups.map(|(group, _)| Arc::clone(&group.name)).collect();
        let text = action_text(&action, &names).unwrap();
        let text = full_with("    events: [\n", &format!("    events: [\n At(tick: {tick}, do: {text}),\n"));
        let read = parse(&text).unwrap();
        let event = &read.setup.events[0];
        prop_assert_eq!(&event.when, &EventTime::At(tick));
        // Compared as text, since 0.0 and -0.0 are equal.
        prop_assert_eq!(format!("{:?}", event.action), format!("{action:?}"));
    }
}
