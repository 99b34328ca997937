use proptest::prelude::*;

use super::*;
use crate::math::Vec2;
use crate::world::{
    AgentId, AgentMessage, Goal, GroupId, LateListeners, ObstacleMotion, Progress, Value,
    WaitingMessage,
};

/// A scenario with this `start`.
fn started(start: &str) -> String {
    format!(
        "(
  ticks: 900, world: (size: (9, 9), edge: Clamp),
  obstacles: {{ \"gate\": Circle(center: (5, 5), radius: 1), \"wall\": Circle(center: (7, 5), radius: 1) }},
  events: [When(condition: AtMost(group: \"a\", agents: 1), do: Cursor()), At(tick: 3, do: Cursor()),
    When(condition: Chance(per_second: 1), do: Cursor())],
  inputs: {{ \"left\": Key(\"a\"), \"use\": Key(\"space\") }},
  shared: {{ \"food\": Sum(), \"seen\": Latest(start: ()) }},
  moving_obstacles: {{ \"wall\": Stop }},
  paths: {{ \"way\": (points: [(0, 0), (1, 1)], radius: 1) }},
  groups: {{
    \"a\": (behavior: \"b\", params: {{ \"k\": 1.5 }}, public: {{ \"hits\": Sum() }}, spawn: Points([(1, 1)])),
    \"b c\": (behavior: \"b\", spawn: Points([(1, 1)])),
  }},
  start: {start},
)"
    )
}

const GOOD: &str = r#"(
    tick: 500, cursor: (3, -0), inputs_down: ["use"], absent_obstacles: ["wall"], spent_events: [1, 0],
    moving_obstacles: { "wall": (offset: (0, 2)), "gate": (offset: (-0.5, 1), moves: Along(path: "way", speed: 2), back: true, waypoint: 1) },
    shared: { "seen": Agent(3), "food": 7 },
    waiting: [
        (heard: 910, told: 3, teller: 1, group: "b c", name: "hits", value: 2, agents: [3, 0]),
        (heard: 901, told: 4, teller: 3, group: "a", name: "hits", value: 0.5, all: "a"),
    ],
    groups: {
        "b c": (
            made: 2, goals: [[(at: (3, 4), radius: 1)]],
            agents: [
                (id: 3, index: 1, at: (9, 9), velocity: (0, 0), stopped: true, paths: { "way": (waypoint: 1, back: true) },
                    state: { "seen": [1, Agent(2), [], { "x": (1, 2) }, ()], "word": "\"" }),
            ],
        ),
        "a": (
            made: 2, reached: (goals: 1, agents: 0, lost: 0), params: { "k": 2.5 },
            agents: [(id: 0, index: 0, at: (1, 2), velocity: (0.5, 0), goal: (sequence: 0, reached: 1), own_goal: (at: (5, 6), radius: 2))],
        ),
    },
  )"#;

#[test]
fn a_start_is_read_as_the_state_it_describes() {
    let scenario = parse(&started(GOOD)).unwrap();
    assert_eq!(scenario.first_tick(), 500);
    assert!(scenario.warnings.is_empty());
    let state = scenario.setup.start.unwrap();
    assert_eq!(state.cursor, Some(Vec2::new(3.0, -0.0)));
    assert_eq!(state.inputs_down, ["use".into()]);
    assert_eq!(
        (&state.absent_obstacles[..], &state.spent_events[..]),
        (&["wall".into()][..], &[0, 1][..])
    );
    let [gate, wall] = &state.moving_obstacles[..] else { panic!("{state:?}") };
    assert_eq!((&*gate.name, gate.offset), ("gate", Vec2::new(-0.5, 1.0)));
    assert_eq!(gate.motion, ObstacleMotion::Along { path: "way".into(), speed: 2.0 });
    assert_eq!(gate.progress, Progress { waypoint: 1, back: true });
    assert_eq!((wall.offset, &wall.motion), (Vec2::new(0.0, 2.0), &ObstacleMotion::Stop));
    assert_eq!((state.groups[0].made, state.groups[0].reached.goals), (2, 1));
    assert_eq!(state.shared.get("food"), Some(&Value::Float(7.0)));
    assert_eq!(state.shared.get("seen"), Some(&Value::Agent(AgentId(3))));
    let waiting = |heard, tick, teller, group, value, to| {
        let (teller, group, name) = (AgentId(teller), GroupId(group), "hits".into());
        let message = AgentMessage { tick, teller, group, name, value: Value::Float(value) };
        WaitingMessage { heard, to, message }
    };
    let (all, two) = (LateListeners::Group(GroupId(0)), [AgentId(3), AgentId(0)]);
    let expected = [
        waiting(901, 4, 3, 0, 0.5, all),
        waiting(910, 3, 1, 1, 2.0, LateListeners::Agents(two.into())),
    ];
    assert_eq!(state.waiting, expected);
    assert_eq!(state.groups[0].params.get("k"), Some(&Value::Float(2.5)));
    assert_eq!(state.groups[1].goals[0][0].at, Vec2::new(3.0, 4.0));
    assert_eq!(state.agents.id, [0, 3]);
    assert_eq!((state.agents.made(), state.agents.goal_progress[0].reached), (4, 1));
    assert_eq!(state.agents.headings().collect::<Vec<_>>(), [Vec2::X, Vec2::X]);
    let own = Goal { at: Vec2::new(5.0, 6.0), radius: 2.0 };
    assert_eq!([0, 1].map(|row| state.agents.own_goal(row)), [Some(own), None]);
    assert!(state.agents.stopped[1] && state.minds.progress(1)[0].back);
    let memory = state.minds.state(1);
    assert_eq!(memory.get("word"), Some(&Value::String("\"".into())));
    let map = Value::Map(vec![("x".into(), Value::Vector(Vec2::new(1.0, 2.0)))]);
    let seen =
        vec![Value::Int(1), Value::Agent(AgentId(2)), Value::List(vec![]), map, Value::Nothing];
    assert_eq!(memory.get("seen"), Some(&Value::List(seen)));
    // Values that are left out are as at the start of any run.
    let less = parse(&started("(tick: 7)")).unwrap().setup.start.unwrap();
    assert_eq!((less.tick, less.agents.len(), less.groups[1].made), (7, 0, 0));
    assert_eq!(less.groups[0].params.get("k"), Some(&Value::Float(1.5)));
    assert_eq!(less.shared.get("food"), Some(&Value::Float(0.0)));
}

#[test]
fn a_set_param_overrides_the_start() {
    let mut scenario = parse(&started(GOOD)).unwrap();
    scenario.set_param("a", "k", "7").unwrap();
    let state = scenario.setup.start.as_ref().unwrap();
    assert_eq!(state.groups[0].params.get("k"), Some(&Value::Float(7.0)));
    assert_eq!(scenario.set_agents(5), Err(ScaleError::Started));
}

#[test]
fn errors_in_a_start_have_their_places() {
    for (from, to, message) in [
        ("tick: 500", "tick: ‹5.5›", "expected an integer of at least 0, found `5.5`"),
        ("tick: 500", "‹tock›: 500", "unknown field `tock` in `Start`"),
        (
            "tick: 500",
            "tick: ‹900›",
            "the start is at tick 900, but the run ends at tick 900: raise `ticks`",
        ),
        (
            "tick: 500",
            "tick: 500, made: ‹3›",
            "the groups together have made 4 agents, but `made` is 3",
        ),
        ("\"b c\": (", "‹\"b d\"›: (", "no group `b d`"),
        ("goals: 1,", "goals: ‹-1›,", "expected an integer of at least 0, found `-1`"),
        ("cursor: (3, -0)", "cursor: (3, ‹inf›)", "expected a finite number, found `inf`"),
        ("\"k\": 2.5", "‹\"q\"›: 2.5", "group `a` has no param `q`"),
        ("\"k\": 2.5", "‹\"k\"›: true", "param `k` of group `a` is a number, not a boolean"),
        ("radius: 1)", "radius: ‹-1›)", "expected a number of at least 0, found `-1`"),
        ("id: 0, index: 0", "id: 0, index: ‹x›", "expected an integer of at least 0, found `x`"),
        ("velocity: (0.5, 0)", "‹speed›: 1", "unknown field `speed` in `AgentStart`"),
        (
            ", velocity: (0.5, 0), goal: (sequence: 0, reached: 1), own_goal: (at: (5, 6), radius: 2))",
            "‹)›",
            "missing field `velocity` in `AgentStart`",
        ),
        ("\"way\": (way", "‹\"ways\"›: (way", "no path `ways`"),
        ("\"food\": 7", "‹\"foot\"›: 7", "no shared value `foot`"),
        ("\"food\": 7", "\"food\": ‹true›", "the shared value `food` is a number, not a boolean"),
        ("\"gate\": (offset", "‹\"gates\"›: (offset", "no obstacle `gates`"),
        ("offset: (0, 2)", "offset: (0, ‹inf›)", "expected a finite number, found `inf`"),
        ("Along(path: \"way\"", "Along(path: ‹\"road\"›", "no path `road`"),
        ("[\"wall\"]", "[‹\"hall\"›]", "no obstacle `hall`"),
        ("heard: 910", "heard: ‹500›", "the start is at tick 500: this message is heard already"),
        ("\"hits\", value: 2", "‹\"hit\"›, value: 2", "no group has a public state `hit`"),
        ("value: 0.5", "value: ‹true›", "the public state `hits` is a number, not a boolean"),
        ("all: \"a\"", "all: ‹\"c\"›", "no group `c`"),
        (
            "told: 4, teller: 3, group: \"a\", name: \"hits\", value: 0.5, all: \"a\")",
            "teller: 3, group: \"a\", name: \"hits\", value: 0.5, all: \"a\"‹)›",
            "missing field `told` in `Message`",
        ),
        (
            "spent_events: [1, 0]",
            "spent_events: [1, ‹2›]",
            "no event with `When` has the number 2: there are 2 of them",
        ),
        (
            "waypoint: 1,",
            "waypoint: ‹3000000000›,",
            "expected an integer of at most 2147483647, found `3000000000`",
        ),
    ] {
        assert_eq!(GOOD.matches(from).count(), 1, "{from}");
        check(&started(&GOOD.replace(from, to)), Severity::Error, message);
    }
    const AGENT: &str = "(id: 0, index: 0, at: (1, 2), velocity: (0.5, 0), goal: (sequence: 0, reached: 1), own_goal: (at: (5, 6), radius: 2))";
    for (from, to, message) in [
        (
            "index: 0",
            "index: 2",
            "the index must be below 2, the number of agents that this group has made",
        ),
        ("(1, 2)", "(1, 22)", "[1, 22] is outside the world, and its edge keeps agents inside"),
        (" goal:", " heading: (2, 0), goal:", "the heading [2, 0] must be a unit vector"),
        ("id: 0", "id: 4", "the id 4 must be below 4, the number of agents that have been made"),
    ] {
        let agent = format!("‹{}›", AGENT.replace(from, to));
        check(&started(&GOOD.replace(AGENT, &agent)), Severity::Error, message);
    }
    let twice = GOOD.replace("\"a\": (", "‹\"b c\"›: (").replace(", params: { \"k\": 2.5 }", "");
    check(&started(&twice), Severity::Error, "group `b c` is written twice");
    let twice = GOOD.replace(AGENT, &format!("{AGENT}, ‹{AGENT}›"));
    check(&started(&twice), Severity::Error, "two agents have the id 0");
    for string in ["‹\"tick 5\"›", "‹r#\"›\n tick 5\n\"#"] {
        let message = "a start is written as fields in round brackets, not as a string";
        check(&started(string), Severity::Error, message);
    }
}

#[test]
fn ticks_before_the_start_are_allowed_except_in_by_and_until() {
    let with = |more: &str| started(GOOD).replace("  start:", &format!("  {more},\n  start:"));
    let events = "At(tick: 3, do: Spawn(group: \"a\", count: 9999999)), Every(ticks: 20, until: 400, do: Cursor())";
    let early = started(GOOD).replace("At(tick: 3, do: Cursor())", events);
    assert_eq!(parse(&early).unwrap().warnings, []);
    for fine in [
        "expect: [AllFinite, MaxSpeed(speed: 9, from: 20), Script(name: \"x\", every: 900)]",
        "golden: (until: 501)",
    ] {
        let scenario = parse(&with(fine)).unwrap();
        assert_eq!(scenario.warnings, [], "{fine}");
    }
    for (wrong, message) in [
        (
            "expect: [Reach(group: \"b c\", by: ‹499›)]",
            "this expectation ends before the run begins",
        ),
        ("golden: (until: ‹500›)", "the golden cannot end at tick 500: the run begins at tick 500"),
    ] {
        check(&with(wrong), Severity::Error, message);
    }
    let terms = parse(&with("golden: (mode: Exact)")).unwrap().golden;
    assert_eq!((terms.from, terms.every, terms.until), (500, 20, 900));
}

/// Any value that a script can keep in `me.state`.
fn any_value() -> impl Strategy<Value = Value> {
    let number = || any::<f32>().prop_filter("finite", |x| x.is_finite());
    let leaf = prop_oneof![
        Just(Value::Nothing),
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(Value::Int),
        number().prop_map(Value::Float),
        (number(), number()).prop_map(|(x, y)| Value::Vector(Vec2::new(x, y))),
        any::<String>().prop_map(|text| Value::String(text.into())),
        any::<u32>().prop_map(|id| Value::Agent(AgentId(id))),
    ];
    leaf.prop_recursive(3, 20, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::List),
            prop::collection::btree_map(any::<String>(), inner, 0..4).prop_map(|items| {
                Value::Map(items.into_iter().map(|(name, item)| (name.into(), item)).collect())
            }),
        ]
    })
}

fn reads_back(value: &Value) {
    let text = GOOD.replace("[1, Agent(2), [], { \"x\": (1, 2) }, ()]", &to_ron::value(value));
    let state = parse(&started(&text)).unwrap().setup.start.unwrap();
    // Compared as text, since -0.0 is equal to 0.0.
    let read = state.minds.state(1).get("seen");
    assert_eq!(format!("{read:?}"), format!("{:?}", Some(value)));
}

proptest! {
    #[test]
    fn values_in_the_state_of_an_agent_read_back(value in any_value()) {
        reads_back(&value);
    }
}

#[test]
fn values_may_be_nested() {
    let mut value = Value::Nothing;
    for _ in 0..25 {
        value = Value::Map(vec![("x".into(), Value::List(vec![value]))]);
    }
    reads_back(&value);
}
