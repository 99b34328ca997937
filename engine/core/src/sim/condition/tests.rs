//! Tests of events with conditions, with plain functions as brains.

use super::super::tests::{coast, setup};
use super::*;
use crate::geom::OrientedBox;
use crate::math::Vec2;
use crate::sim::{Action, Brain, Event, Law, Order, Setup, Spawn, SpawnShape, step_together};
use crate::world::{AfterGoals, Edge, Goal, Group, Obstacle};

const ALL: GroupId = GroupId(0);
/// Each event adds an agent to it.
const COUNTER: GroupId = GroupId(1);
/// One agent at (10, 0), which stays there.
const STILL: GroupId = GroupId(2);

/// Two agents go to the right by 1 in each tick, from 0 and from -9. All bodies have the radius 1.
fn scene(events: Vec<Event>) -> Setup {
    let goal = Goal { at: Vec2::new(5.0, 0.0), radius: 0.5 };
    let mut setup = setup(&[(0.0, 0.0), (-9.0, 0.0)], &[goal], AfterGoals::Stay);
    let at = |x: f32, count| Spawn {
        shape: SpawnShape::Points(vec![Vec2::new(x, 0.0)]),
        count,
        vel: Vec2::ZERO,
        heading: None,
    };
    let group =
        |name: &str| Group { name: name.into(), body: setup.groups[0].0.body, ..Group::default() };
    let others = [(group("counter"), at(50.0, 0)), (group("still"), at(10.0, 1))];
    setup.groups.extend(others);
    let shape = Shape::Circle { center: Vec2::new(14.0, 0.0), radius: 1.0 };
    setup.obstacles = vec![Obstacle { name: "post".into(), shape }];
    setup.events = events;
    setup
}

fn simulation(setup: Setup) -> Simulation {
    let brains = setup.groups.iter().map(|_| -> Arc<dyn Brain> { Arc::new(coast) }).collect();
    Simulation::new(setup, brains).unwrap()
}

fn counted(condition: Condition, again: bool) -> Event {
    let action = Action::Spawn { group: COUNTER, count: 1 };
    Event { when: EventTime::When { condition, again }, action }
}

fn at(tick: u64, action: Action) -> Event {
    Event { when: EventTime::At(tick), action }
}

/// Returns the ticks before 30 at which the counted event happens.
fn ticks_of(setup: Setup) -> Vec<u64> {
    let mut simulation = simulation(setup);
    let mut ticks = Vec::new();
    for tick in 0..30 {
        let before = simulation.world().group(COUNTER).made;
        simulation.step().unwrap();
        if simulation.world().group(COUNTER).made > before {
            ticks.push(tick);
        }
    }
    ticks
}

fn area(low: f32, high: f32) -> Shape {
    let (center, half) = ((low + high) / 2.0, (high - low) / 2.0);
    Shape::Box(OrientedBox::new(Vec2::new(center, 0.0), Vec2::new(half, 5.0), 0.0))
}

fn inside(low: f32, high: f32, agents: HowMany) -> Condition {
    Condition::Inside { group: ALL, area: area(low, high), agents }
}

fn near(a: GroupId, b: GroupId, distance: f32) -> Condition {
    Condition::Near { between: [a, b], distance }
}

#[test]
fn conditions_hold_at_their_ticks() {
    let any = HowMany::AtLeast(1);
    let reached = |agents| Condition::Reached { group: ALL, agents };
    for (condition, once, again) in [
        // The first agent is at 3 at tick 3, and the other one at tick 12.
        (inside(3.0, 4.5, any), vec![3], vec![3, 12]),
        (inside(3.0, 4.5, HowMany::All), vec![], vec![]),
        (inside(2.5, 90.0, HowMany::All), vec![12], vec![12]),
        (inside(2.5, 90.0, HowMany::AtLeast(2)), vec![12], vec![12]),
        (inside(-90.0, 90.0, any), vec![0], vec![0]),
        // They touch from 8 to 12.
        (near(ALL, STILL, 0.0), vec![8], vec![8, 17]),
        (near(STILL, ALL, 1.0), vec![7], vec![7, 16]),
        (near(ALL, ALL, 6.9), vec![], vec![]),
        (near(ALL, ALL, 7.0), vec![0], vec![0]),
        (near(STILL, STILL, 50.0), vec![], vec![]),
        // Goals are reached at the beginning of a tick, after its events.
        (reached(any), vec![6], vec![6]),
        (reached(HowMany::All), vec![15], vec![15]),
        (reached(HowMany::AtLeast(3)), vec![], vec![]),
        (Condition::Reached { group: STILL, agents: HowMany::All }, vec![], vec![]),
        (Condition::AtMost { group: ALL, agents: 2 }, vec![0], vec![0]),
        (Condition::AtMost { group: ALL, agents: 1 }, vec![], vec![]),
    ] {
        for (repeats, expected) in [(false, &once), (true, &again)] {
            let found = ticks_of(scene(vec![counted(condition.clone(), repeats)]));
            assert_eq!(found, *expected, "{condition:?}, again: {repeats}");
        }
    }
}

#[test]
fn a_condition_is_tested_after_the_events_before_it() {
    let event = counted(Condition::AtMost { group: ALL, agents: 1 }, false);
    let remove = at(4, Action::Remove { group: ALL, count: Some(1) });
    assert_eq!(ticks_of(scene(vec![remove.clone(), event.clone()])), [4]);
    assert_eq!(ticks_of(scene(vec![event, remove])), [5]);
}

#[test]
fn bodies_are_near_across_the_edge_of_a_world_that_wraps() {
    let mut setup = scene(vec![counted(near(ALL, STILL, 12.0), false)]);
    setup.space.edge = Edge::Wrap;
    setup.groups[0].1.shape = SpawnShape::Points(vec![Vec2::new(90.0, 0.0), Vec2::new(60.0, 0.0)]);
    // From 90 to 110, less two radii, is 18.
    assert_eq!(ticks_of(setup), [6]);
}

#[test]
fn chance_has_its_rate_and_does_not_depend_on_what_else_happens() {
    let chance = |per_second| counted(Condition::Chance { per_second }, true);
    let made = |events: Vec<Event>, ticks: u64| {
        let mut simulation = simulation(scene(events));
        for _ in 0..ticks {
            simulation.step().unwrap();
        }
        simulation.world().group(COUNTER).made
    };
    // 5 standard deviations are about 65.
    let count = made(vec![chance(0.3)], 800);
    assert!((175..=305).contains(&count), "{count}");
    assert_eq!(made(vec![chance(1.0)], 20), 20, "also at ticks in a row");
    let once = counted(Condition::Chance { per_second: 0.3 }, false);
    assert_eq!(made(vec![once], 300), 1);

    let alone = ticks_of(scene(vec![chance(0.3)]));
    let remove = at(0, Action::Remove { group: ALL, count: None });
    assert_eq!(ticks_of(scene(vec![remove, chance(0.3)])), alone);
    let mut other = scene(vec![chance(0.3)]);
    other.seed += 1;
    assert_ne!(ticks_of(other), alone);
    let first = counted(Condition::AtMost { group: ALL, agents: 0 }, false);
    assert_ne!(ticks_of(scene(vec![first, chance(0.3)])), alone, "each event has its own numbers");
}

/// A scene in which all kinds of conditions and changes of obstacles happen. No agent is at a bound of a condition, so rounding
/// decides nothing.
fn busy() -> Setup {
    let when =
        |condition, again, action| Event { when: EventTime::When { condition, again }, action };
    let set = |present| Action::SetObstacle { obstacle: "post".into(), present };
    let mut setup = scene(vec![
        when(inside(2.5, 4.6, HowMany::AtLeast(1)), true, set(false)),
        when(near(ALL, STILL, 0.1), true, set(true)),
        at(15, set(false)),
        when(inside(-90.0, 2.5, HowMany::All), true, Action::Spawn { group: STILL, count: 1 }),
        counted(Condition::Chance { per_second: 0.2 }, true),
        counted(Condition::Chance { per_second: 0.2 }, false),
        at(17, set(true)),
        counted(Condition::Reached { group: ALL, agents: HowMany::All }, false),
    ]);
    setup.groups[0].0.body.solid = true;
    setup
}

/// The state as text, since 0.0 and -0.0 are equal but differ in their bits.
fn bits(of: &Simulation) -> String {
    format!("{:?}", of.state())
}

#[test]
fn a_run_goes_on_in_the_same_way_from_its_state_at_any_tick() {
    for order in [Order::Synchronous, Order::Sequential] {
        let setup = Setup { order, ..busy() };
        let mut whole = simulation(setup.clone());
        let mut kept = Vec::new();
        for _ in 0..30 {
            kept.push((whole.state(), whole.clone()));
            whole.step().unwrap();
        }
        for (tick, (state, clone)) in kept.into_iter().enumerate() {
            let mut restored = simulation(setup.clone());
            for _ in 0..(tick * 7) % 30 {
                restored.step().unwrap();
            }
            restored.restore(state.clone());
            assert_eq!(bits(&restored), bits(&clone), "tick {tick}");
            let started = Setup { start: Some(state), ..setup.clone() };
            for mut other in [restored, clone, simulation(started)] {
                for _ in tick..30 {
                    other.step().unwrap();
                }
                assert_eq!(bits(&other), bits(&whole), "from tick {tick}, {order:?}");
            }
        }
    }
}

#[test]
fn runs_together_equal_runs_alone() {
    let with_seed = |seed| simulation(Setup { seed, ..busy() });
    let mut alone: Vec<Simulation> = (0..5).map(with_seed).collect();
    let mut together: Vec<Simulation> = (0..5).map(with_seed).collect();
    for _ in 0..30 {
        alone.iter_mut().for_each(|one| one.step().unwrap());
        let mut all: Vec<&mut Simulation> = together.iter_mut().collect();
        assert!(step_together(&mut all).iter().all(Result::is_ok));
        let all_bits = |of: &[Simulation]| of.iter().map(bits).collect::<Vec<_>>();
        assert_eq!(all_bits(&alone), all_bits(&together));
    }
}

#[test]
fn edits_keep_what_has_happened_and_what_is_absent() {
    let run = |setup: Setup, ticks: u64| {
        let mut simulation = simulation(setup);
        for _ in 0..ticks {
            simulation.step().unwrap();
        }
        simulation
    };
    let old = run(busy(), 5);
    assert!(old.world().obstacles.is_empty(), "the post is away");
    let spent = old.spent_events().to_vec();
    assert!(spent.contains(&0) && !spent.contains(&1), "{spent:?}");

    // The same events in another order, and one that is new.
    let mut edited = busy();
    edited.events.rotate_left(1);
    edited.events.insert(0, counted(inside(80.0, 90.0, HowMany::All), false));
    let next = old.adopt(&simulation(edited.clone())).unwrap();
    assert!(next.world().obstacles.is_empty());
    let conditions = |setup: &Setup| {
        setup
            .events
            .iter()
            .filter(|one| matches!(one.when, EventTime::When { .. }))
            .cloned()
            .collect::<Vec<_>>()
    };
    let names = |setup: &Setup, spent: &[u32]| {
        let all = conditions(setup);
        let mut names: Vec<String> =
            spent.iter().map(|&number| format!("{:?}", all[number as usize])).collect();
        names.sort_unstable();
        names
    };
    assert_eq!(names(&edited, next.spent_events()), names(&busy(), &spent));

    // An edit of what is absent at first decides.
    let absent = Setup { absent_obstacles: vec!["post".into()], ..busy() };
    assert!(
        run(busy(), 1).adopt(&simulation(absent.clone())).unwrap().world().obstacles.is_empty()
    );
    assert_eq!(run(absent, 1).adopt(&simulation(busy())).unwrap().world().obstacles.len(), 1);
}

#[test]
fn an_obstacle_that_closes_pushes_bodies_out() {
    let at = Vec2::new(20.0, 0.0);
    for shape in [
        Shape::Segment { from: Vec2::new(20.0, -9.0), to: Vec2::new(20.0, 9.0) },
        Shape::Circle { center: at, radius: 4.0 },
        Shape::Box(OrientedBox::new(at, Vec2::new(3.0, 3.0), 0.3)),
    ] {
        let close = Action::SetObstacle { obstacle: "post".into(), present: true };
        let mut setup = scene(vec![self::at(2, close)]);
        setup.absent_obstacles = vec!["post".into()];
        setup.obstacles[0].shape = shape.clone();
        // One is in the middle when it closes.
        setup.groups[0].1.shape = SpawnShape::Points(vec![at, at + Vec2::new(1.0, 1.0)]);
        setup.groups[0].1.vel = Vec2::ZERO;
        setup.groups[0].0.body.solid = true;
        let mut simulation = simulation(setup);
        for tick in 0..6 {
            simulation.step().unwrap();
            for pos in simulation.world().agents.positions() {
                assert!(pos.is_finite(), "{shape:?}");
                let distance = shape.surface(pos).distance;
                assert!(tick < 2 || distance >= 1.0, "{shape:?}: {distance} at tick {tick}");
            }
        }
    }
}

/// Areas and absent obstacles go with the world.
#[test]
fn a_run_after_a_law_is_the_same_run() {
    for law in Law::ALL {
        let mut setup = busy();
        // Agents are pushed apart in directions that laws do not turn only if they meet at one point.
        setup.groups[2].1.count = 0;
        setup.events.retain(|one| !matches!(one.action, Action::Spawn { group: STILL, .. }));
        let mut run = simulation(setup);
        let mut companions = run.companions(law, 30);
        assert!(!companions.is_empty(), "{law:?}");
        for tick in 0..30 {
            run.step().unwrap();
            for companion in &mut companions {
                companion.step().unwrap();
                for row in 0..run.world().agents.len() {
                    let distance = companion.distance(run.world(), row);
                    let is_near = distance.is_some_and(|distance| distance < 1e-3);
                    assert!(is_near, "{law:?}: {distance:?} at tick {tick}");
                }
            }
        }
    }
}
