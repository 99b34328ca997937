//! Goldens are written, read back, broken and compared.

use std::sync::Arc;

use super::case_edits::edited;
use super::*;
use crate::cases;
use crate::diag::Source;
use crate::geom::Shape;
use crate::math::Vec2;
use crate::sim::{
    Action, Brain, Condition, Event, EventTime, Order, Setup, Simulation, Spawn, SpawnShape, State,
};
use crate::world::{
    self, AfterGoals, AgentId, AgentMessage, Edge, Goal, Group, GroupId, Input, LateListeners,
    Layer, Me, Mind, Obstacle, ObstacleMotion, Path, PathMode, SharedRule, SharedValue, Space,
    Value, Values, WaitingMessage,
};

/// A brain that walks its path and remembers things.
fn walk(me: &Me<'_>, mind: Mind<'_>) -> Vec2 {
    let seen = match mind.state.get("n") {
        Some(Value::Int(n)) => *n,
        _ => 0,
    };
    mind.state.set("n", Value::Int(seen + 1));
    if seen == 2 {
        mind.state.set("a b", Value::String("x\"\n".into()));
        mind.state.set("home", Value::Vector(me.pos()));
    }
    mind.progress[0].waypoint = (seen % 3) as u32;
    mind.progress[0].back = seen % 2 == 0;
    Vec2::new(0.3, -0.1) * seen as f32
}

fn setup() -> Setup {
    let group = |name: &str, goals: Vec<Arc<[Goal]>>| Group {
        name: name.into(),
        body: world::Body { radius: 1.0, max_speed: 10.0, ..world::Body::default() },
        params: [("alert".into(), Value::Float(8.0))].into_iter().collect::<Values>(),
        goals,
        after_goals: AfterGoals::Stop,
        ..Group::default()
    };
    let spawn = |count| Spawn {
        shape: SpawnShape::Points((0..count).map(|i| Vec2::splat(3.3 * i as f32)).collect()),
        count,
        vel: Vec2::X,
        heading: None,
    };
    let goal = Goal { at: Vec2::new(4.0, 0.0), radius: 2.0 };
    let event = |tick, action| Event { when: EventTime::At(tick), action };
    let (of, param) = (GroupId(1), "alert".into());
    let move_gate = |motion| Action::MoveObstacle { obstacle: "the gate".into(), motion };
    let along = || ObstacleMotion::Along { path: "the round".into(), speed: 300.0 };
    let condition = Condition::AtMost { group: GroupId(0), agents: 7 };
    let post = |name: &str| Obstacle {
        name: name.into(),
        shape: Shape::Circle { center: Vec2::splat(90.0), radius: 1.0 },
    };
    Setup {
        max_agents: Setup::DEFAULT_MAX_AGENTS,
        seed: 5,
        dt: 0.1,
        order: Order::Synchronous,
        space: Space { edge: Edge::Wrap, min: Vec2::ZERO, size: Vec2::splat(50.0) },
        way_cell: None,
        obstacles: ["wall", "the gate"].map(post).to_vec(),
        absent_obstacles: vec!["wall".into()],
        moving_obstacles: vec![("the gate".into(), ObstacleMotion::Velocity(Vec2::X))],
        inputs: vec![Input::new("left", "a"), Input::new("pick up", "space")],
        shared: vec![
            SharedValue::new("far seen", SharedRule::Latest, false, Value::Vector(Vec2::ZERO)),
            SharedValue::new("food", SharedRule::Sum, false, Value::Float(0.0)),
        ],
        fields: Vec::new(),
        layers: vec![scent()],
        paths: vec![Path {
            name: "the round".into(),
            points: vec![Vec2::ZERO, Vec2::X, Vec2::Y],
            radius: 1.0,
            mode: PathMode::Loop,
        }],
        groups: vec![
            (group("one", vec![[goal].into()]), spawn(3)),
            (group("the others", Vec::new()), spawn(2)),
        ],
        events: vec![
            event(9, Action::Cursor { at: Some(Vec2::new(0.1, -0.0)) }),
            event(3, Action::Input { name: "pick up".into(), down: true }),
            event(4, Action::Spawn { group: of, count: 2 }),
            event(6, Action::Remove { group: of, count: Some(1) }),
            event(7, Action::Set { group: of, param, value: Value::Float(2.5) }),
            event(8, Action::SetGoals { group: of, goals: [goal, goal].into() }),
            event(7, Action::SetObstacle { obstacle: "the gate".into(), present: false }),
            event(12, Action::SetObstacle { obstacle: "wall".into(), present: true }),
            event(6, move_gate(ObstacleMotion::To { at: Vec2::new(-0.0, 60.0), speed: 2.5 })),
            event(9, move_gate(along())),
            event(19, move_gate(ObstacleMotion::Stop)),
            event(5, Action::SetShared { name: "food".into(), value: Value::Float(-0.0) }),
            event(8, Action::SetShared { name: "far seen".into(), value: Value::Vector(Vec2::X) }),
            Event {
                when: EventTime::When { condition, again: false },
                action: Action::Cursor { at: None },
            },
        ],
        start: None,
    }
}

fn scent() -> Layer {
    let space = Space { edge: Edge::Wrap, min: Vec2::ZERO, size: Vec2::splat(50.0) };
    let mut layer =
        Layer { diffusion: 4.0, evaporation: 0.1, ..Layer::new("the scent", &space, 10.0) };
    Arc::make_mut(&mut layer.amounts)[7..11].fill(2.5);
    layer
}

fn start(setup: Setup) -> Simulation {
    let brain: Arc<dyn Brain> = Arc::new(walk);
    let mut simulation = Simulation::new(setup, vec![Arc::clone(&brain), brain]).unwrap();
    let mut state = simulation.state();
    // The last agent has set itself a goal, which it does not reach.
    let goal = Goal { at: Vec2::new(0.1, -90.0), radius: 0.3 };
    state.agents.set_own_goal(state.agents.len() - 1, goal);
    simulation.restore(state);
    simulation
}

fn header(simulation: &Simulation, mode: Mode) -> Header {
    Header {
        scenario: Fingerprint::of("walk", "()"),
        scripts: vec![Fingerprint::of("birds/walk", "fn steer(me) {}")],
        seed: 5,
        dt: 0.1,
        terms: Terms { mode, from: 0, every: 5, until: 23 },
        names: ScenarioNames::of(simulation),
        reason: "it was \"right\"".into(),
    }
}

fn written(mut simulation: Simulation) -> String {
    let header = header(&simulation, Mode::Exact);
    let mut writer = GoldenWriter::new(Vec::new(), &header).unwrap();
    writer.tick(&simulation).unwrap();
    for _ in 0..header.terms.until {
        simulation.step().unwrap();
        writer.tick(&simulation).unwrap();
    }
    String::from_utf8(writer.finish().unwrap()).unwrap()
}

fn read(text: &str) -> Result<Golden, GoldenError> {
    Golden::parse(&Source::new("walk.golden", text))
}

fn track(golden: &Golden) -> &Track {
    match &golden.body {
        GoldenBody::Track(track) => track,
        GoldenBody::Bands(_) => panic!("no track"),
    }
}

fn go(simulation: &mut Simulation, tick: u64) {
    while simulation.world().tick < tick {
        simulation.step().unwrap();
    }
}

#[test]
fn a_run_continued_from_any_keyframe_does_the_same() {
    let text = written(start(setup()));
    let golden = read(&text).unwrap();
    assert_eq!(golden.header, header(&start(setup()), Mode::Exact));
    let track = track(&golden);
    let ticks: Vec<u64> = track.keyframes.iter().map(|one| one.tick).collect();
    assert_eq!(ticks, [0, 5, 10, 15, 20, 23]);
    assert_eq!(track.hashes.len(), 24);
    let begin = start(setup()).state();
    for keyframe in &track.keyframes {
        let mut whole = start(setup());
        go(&mut whole, keyframe.tick);
        let mut resumed = start(setup());
        resumed.restore(keyframe.state(&begin));
        assert_eq!(resumed.state(), whole.state(), "tick {}", keyframe.tick);
        go(&mut whole, 30);
        go(&mut resumed, 30);
        assert_eq!(resumed.state(), whole.state(), "from tick {}", keyframe.tick);
    }
    // The golden is the same with Windows line ends.
    assert_eq!(read(&text.replace('\n', "\r\n")).unwrap(), golden);
}

#[test]
fn messages_that_are_not_heard_yet_read_back() {
    let waiting = |heard, value: Value, to| {
        let (tick, teller, group) = (3, AgentId(1), GroupId(1));
        let message = AgentMessage { tick, teller, group, name: "a b".into(), value };
        WaitingMessage { heard, to, message }
    };
    let two = [AgentId(0), AgentId(7)];
    let all = [
        waiting(8, Value::String("to \"all\"".into()), LateListeners::Agents(two.into())),
        waiting(21, Value::Vector(Vec2::new(-0.0, 0.3)), LateListeners::Group(GroupId(1))),
        waiting(90, Value::Nothing, LateListeners::Agents([].into())),
    ];
    let mut simulation = start(setup());
    let mut state = simulation.state();
    state.waiting = all.to_vec();
    simulation.restore(state);
    let text = written(simulation);
    let golden = read(&text).unwrap();
    let begin = start(setup()).state();
    for keyframe in &track(&golden).keyframes {
        let left: Vec<_> = all.iter().filter(|one| one.heard > keyframe.tick).cloned().collect();
        assert_eq!(keyframe.state(&begin).waiting, left, "tick {}", keyframe.tick);
    }
    let early = signed(&text.replace("message 21 3 1", "message 20 3 1"));
    let wrong = read(&early).unwrap_err().diagnostic.render(false);
    assert!(wrong.contains("in the order of the ticks"), "{wrong}");
}

#[test]
fn a_continued_run_uses_the_current_params_of_the_scenario() {
    let text = written(start(setup()));
    let golden = read(&text).unwrap();
    let mut other = setup();
    other.groups[0].0.params.set("alert", Value::Float(99.0));
    other.groups[1].0.params.set("alert", Value::Float(99.0));
    let begin = start(other).state();
    let alert = |state: &State, group: usize| state.groups[group].params.get("alert").cloned();
    let last = track(&golden).keyframes.last().unwrap().state(&begin);
    assert_eq!(alert(&last, 0), Some(Value::Float(99.0)));
    // An event had changed this one.
    assert_eq!(alert(&last, 1), Some(Value::Float(2.5)));
}

/// Returns the text with the right checksum.
fn signed(text: &str) -> String {
    let body = &text[..text.rfind("end ").unwrap()];
    format!("{body}end {:016x}\n", xxh3_64(body.as_bytes()))
}

#[test]
fn damaged_goldens_get_their_messages() {
    let right = written(start(setup()));
    cases::compare("golden", |name, case| {
        let text = match name {
            "broken" => edited(&right, case),
            "wrong" => signed(&edited(&right, case)),
            _ => case.to_owned(),
        };
        read(&text).unwrap_err().diagnostic.render(false) + "\n"
    });
}

#[test]
fn only_a_golden_of_a_newer_format_is_newer() {
    let text = written(start(setup()));
    assert!(!read(&text[..text.len() / 2]).unwrap_err().is_newer);
    assert!(read(&text.replacen("golden 1", "golden 2", 1)).unwrap_err().is_newer);
}

/// Compares a run with a golden; `nudge` changes its state after each tick.
fn follow(golden: &Golden, nudge: impl Fn(&mut State)) -> TrackComparison {
    let track = track(golden);
    let mut follower = Follower::new(track);
    let mut simulation = start(setup());
    follower.tick(&simulation);
    for _ in 0..23 {
        simulation.step().unwrap();
        let mut state = simulation.state();
        nudge(&mut state);
        simulation.restore(state);
        follower.tick(&simulation);
    }
    follower.finish()
}

#[test]
fn the_first_tick_and_the_farthest_agent_are_found() {
    let golden = read(&written(start(setup()))).unwrap();
    assert_eq!(follow(&golden, |_| {}), TrackComparison::default());
    let found = follow(&golden, |state| {
        if state.tick == 12 {
            state.agents.pos_mut(2).x += 0.5;
        }
    });
    assert_eq!(found.first, Some(12));
    let ticks: Vec<u64> = found.differences.iter().map(|(tick, _)| *tick).collect();
    assert_eq!(ticks, [15, 20, 23]);
    let difference = &found.differences[0].1;
    assert_eq!(difference.agents, 1);
    let largest = difference.position.unwrap();
    assert!(largest.id == 2 && (largest.by - 0.5).abs() < 1e-4, "{largest:?}");
    assert_eq!(difference.first.as_ref().unwrap().field, Field::Position);
    let within = |position| Tolerance { position, velocity: None, share: 1.0 };
    assert!(difference.exceeds(within(0.4)) && !difference.exceeds(within(0.6)));
}

#[test]
fn each_field_of_an_agent_is_compared() {
    let mut simulation = start(setup());
    go(&mut simulation, 9);
    let was = simulation.state();
    type Change = fn(&mut State);
    const GOAL: Goal = Goal { at: Vec2::X, radius: 1.0 };
    let changes: [(&str, Change); 10] = [
        ("position", |s| s.agents.pos_mut(1).y += 1.0),
        ("velocity", |s| s.agents.vel_mut(1).y += 1.0),
        ("heading", |s| *s.agents.heading_mut(1) = Vec2::NEG_X),
        ("goal", |s| s.agents.goal_progress[1].reached += 1),
        ("goal", |s| s.agents.set_own_goal(1, GOAL)),
        ("stopped", |s| s.agents.stopped[1] ^= true),
        ("group", |s| s.agents.index[1] += 1),
        ("progress on its path", |s| s.minds.mind(1).progress[0].waypoint += 1),
        ("state.n", |s| s.minds.mind(1).state.set("n", Value::Int(-1))),
        ("state.new", |s| s.minds.mind(1).state.set("new", Value::Nothing)),
    ];
    let space = simulation.world().space;
    for (field, change) in changes {
        let mut is = was.clone();
        change(&mut is);
        let (was, is) = (view(&was), view(&is));
        let difference = Difference::between(&space, was, is);
        assert_eq!(difference.agents, 1, "{field}");
        let first = difference.first.unwrap();
        assert_eq!((first.id, first.field.to_string().as_str()), (AgentId(1), field));
        assert!(Difference::between(&space, was, was).is_empty());
    }
    let mut less = was.clone();
    less.agents.retain(&[true, false, true, true, true, true]);
    less.minds.retain(&[true, false, true, true, true, true]);
    let difference = Difference::between(&space, view(&was), view(&less));
    assert_eq!(difference.missing, [1]);
    let much = Tolerance { position: 1e9, velocity: None, share: 1.0 };
    assert!(difference.exceeds(much), "a missing agent always exceeds the tolerance");
    let most = Tolerance { share: 0.8, ..much };
    assert!(!difference.exceeds(most), "one of six may be anywhere");
    let all_but_some = Tolerance { share: 0.9, ..much };
    assert!(difference.exceeds(all_but_some));
}

#[test]
fn layers_that_differ_are_found() {
    let simulation = start(setup());
    let (was, mut is) = (simulation.state(), simulation.state());
    let space = simulation.world().space;
    assert!(Difference::between(&space, view(&was), &simulation).is_empty());
    let amounts = Arc::make_mut(&mut is.layers[0].amounts);
    (amounts[9], amounts[20]) = (2.0, 0.5);
    let difference = Difference::between(&space, view(&was), view(&is));
    assert!(!difference.is_empty() && difference.agents == 0);
    let expected =
        LayerDifference { name: "the scent".into(), cells: 2, first: Some((9, 2.5, 2.0)) };
    assert_eq!(difference.layers, [expected]);
    is.layers.clear();
    let difference = Difference::between(&space, view(&was), view(&is));
    assert_eq!(difference.layers[0].cells, 25, "a layer that is missing");
}

#[test]
fn amounts_are_read_as_they_are_written() {
    let amounts = [0.0, 0.0, 0.0, 0.1, 1e-6, 1e15, 2.0, 2.0, 16777217.0];
    let text = amounts_text(&amounts);
    assert_eq!(text, "0*3 0.1 1e-6 1000000000000000 2*2 16777216");
    assert_eq!(read_amounts(&text, 9).unwrap(), amounts);
    for (wrong, message) in [
        ("0*3", "expected an amount for each of 9 cells, found 3"),
        ("0*10", "there are more than 9 amounts, one for each cell"),
        ("0*8 -1", "expected an amount such as `0.5`, or `0*12` for 12 times 0, found `-1`"),
        ("0*8 1e16", "expected an amount such as `0.5`, or `0*12` for 12 times 0, found `1e16`"),
        ("0*0 1*9", "expected an amount such as `0.5`, or `0*12` for 12 times 0, found `0*0`"),
        ("NaN*9", "expected an amount such as `0.5`, or `0*12` for 12 times 0, found `NaN*9`"),
    ] {
        assert_eq!(read_amounts(wrong, 9).unwrap_err(), message);
    }
}

fn view(state: &State) -> StateView<'_> {
    StateView {
        agents: &state.agents,
        minds: &state.minds,
        layers: LayersView::Recorded(&state.layers),
    }
}

#[test]
fn distances_wrap_around_the_edge() {
    let simulation = start(setup());
    let (was, mut is) = (simulation.state(), simulation.state());
    *is.agents.pos_mut(0) = Vec2::new(49.5, 0.0);
    let difference = Difference::between(&simulation.world().space, view(&was), view(&is));
    assert_eq!(difference.distance(), 0.5);
}

#[test]
fn bands_are_written_and_read_back() {
    let measures = vec![crate::trace::Measure::MeanSpeed, crate::trace::Measure::Spread];
    let terms = BandTerms { seeds: 3, low: 0.1, high: 0.9, measures };
    let header = header(&start(setup()), Mode::Bands(terms.clone()));
    let runs = vec![vec![Some(1.0), None, Some(0.1), Some(4.0)]; 3];
    let all = bands(&terms, &[5, 10], &runs);
    let mut writer = GoldenWriter::new(Vec::new(), &header).unwrap();
    for band in &all {
        writer.band(band).unwrap();
    }
    let text = String::from_utf8(writer.finish().unwrap()).unwrap();
    let golden = read(&text).unwrap();
    assert_eq!(golden.header, header);
    assert_eq!(golden.body, GoldenBody::Bands(all));
}

/// Caught: a golden kept the old name of a group or a path that was renamed, and could not be compared any more.
#[test]
fn names_in_a_golden_can_be_changed() {
    let text = written(start(setup()));
    let mut golden = read(&text).unwrap();
    let again = golden.write(Vec::new()).unwrap();
    assert_eq!(String::from_utf8(again).unwrap(), text);
    golden.rename(NameKind::Group, "the others", "a new one");
    golden.rename(NameKind::Path, "the round", "way");
    golden.rename(NameKind::Param, "alert", "alarm");
    golden.rename(NameKind::Obstacle, "the gate", "the door");
    golden.rename(NameKind::Input, "pick up", "take it");
    let changed = String::from_utf8(golden.write(Vec::new()).unwrap()).unwrap();
    assert_eq!(changed.lines().count(), text.lines().count());
    assert_eq!(read(&changed).unwrap(), golden);
    for part in [
        "\ngroups one \"a new one\"\npaths way\n",
        "param \"a new one\" alarm 2.5",
        " path way ",
        "\ndown \"take it\"\nabsent wall \"the door\"\nmoves \"the door\"",
        "\nabsent \"the door\"\nmoves \"the door\"",
        " along way 300 ",
    ] {
        assert!(changed.contains(part), "{part}: {changed}");
    }
    for old in ["the others", "the round", "alert", "the gate", "pick up"] {
        assert!(text.contains(old) && !changed.contains(old), "{old}: {changed}");
    }
}
