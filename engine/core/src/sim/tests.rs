//! Tests of whole ticks, with plain functions as brains.

mod drawn;
mod moving;

use std::sync::Arc;

use super::*;
use crate::threads;
use crate::world::{
    AfterGoals, AgentId, Body, Edge, Goal, Me, Mind, Neighborhood, ObstacleId, Value, Values,
};

pub(super) fn setup(points: &[(f32, f32)], goals: &[Goal], after_goals: AfterGoals) -> Setup {
    let group = Group {
        name: "all".into(),
        body: Body { radius: 1.0, max_speed: 10.0, ..Body::default() },
        params: [("calm".into(), Value::Bool(true))].into_iter().collect::<Values>(),
        goals: if goals.is_empty() { Vec::new() } else { vec![goals.into()] },
        after_goals,
        ..Group::default()
    };
    let points: Vec<Vec2> = points.iter().map(|&(x, y)| Vec2::new(x, y)).collect();
    let count = points.len() as u32;
    let spawn = Spawn { shape: SpawnShape::Points(points), count, vel: Vec2::X, heading: None };
    Setup {
        seed: 1,
        dt: 1.0,
        order: Order::Synchronous,
        space: Space { edge: Edge::Open, min: Vec2::ZERO, size: Vec2::splat(100.0) },
        way_cell: None,
        absent_obstacles: Vec::new(),
        moving_obstacles: Vec::new(),
        layers: Vec::new(),
        inputs: Vec::new(),
        shared: Vec::new(),
        obstacles: Vec::new(),
        fields: Vec::new(),
        paths: Vec::new(),
        groups: vec![(group, spawn)],
        events: Vec::new(),
        max_agents: Setup::DEFAULT_MAX_AGENTS,
        start: None,
    }
}

/// A brain that is a function of the turn of an agent and of what turns bring about.
pub(super) struct Acts<F>(pub(super) F);

impl<F: Fn(&World, Turn<'_>, &mut Output) + Send + Sync> Brain for Acts<F> {
    fn decide(
        &self,
        world: &Arc<World>,
        mut turns: Turns<'_>,
        output: &mut Output,
    ) -> Result<(), AgentError> {
        turns.each(world, |turn| {
            (self.0)(world, turn, output);
            Ok(())
        })
    }
}

pub(super) fn coast(_: &Me<'_>, _: Mind<'_>) -> Vec2 {
    Vec2::ZERO
}

fn run(setup: Setup, brain: impl Brain + 'static, ticks: u64) -> Simulation {
    let mut simulation = Simulation::new(setup, vec![Arc::new(brain)]).unwrap();
    for _ in 0..ticks {
        simulation.step().unwrap();
    }
    simulation
}

fn xs(simulation: &Simulation) -> Vec<f32> {
    simulation.world().agents.positions().map(|pos| pos.x).collect()
}

/// Each agent takes over the velocity of the agent with the next lower id.
fn chain(me: &Me<'_>, _: Mind<'_>) -> Vec2 {
    let mut force = Vec2::ZERO;
    me.each_neighbor(&Neighborhood::within(1000.0), |other| {
        if other.row + 1 == me.row() {
            force = other.vel - me.vel();
        }
    });
    if me.row() == 0 { Vec2::new(2.0, 0.0) } else { force }
}

#[test]
fn all_agents_decide_from_the_same_state_unless_sequential() {
    let points = [(0.0, 0.0), (10.0, 0.0), (20.0, 0.0)];
    let together = run(setup(&points, &[], AfterGoals::Stay), chain, 1);
    assert_eq!(xs(&together), [3.0, 11.0, 21.0], "only the first has changed its velocity");
    let one_by_one = Setup { order: Order::Sequential, ..setup(&points, &[], AfterGoals::Stay) };
    assert_eq!(
        xs(&run(one_by_one, chain, 1)),
        [3.0, 13.0, 23.0],
        "the change runs through the chain"
    );
}

#[test]
fn goals_are_reached_one_after_another() {
    let goals = [
        Goal { at: Vec2::new(3.0, 0.0), radius: 0.5 },
        Goal { at: Vec2::new(6.0, 0.0), radius: 0.5 },
    ];
    for (after, x, reached) in [
        (AfterGoals::Stay, Some(10.0), 2),
        (AfterGoals::Stop, Some(6.0), 2),
        (AfterGoals::Remove, None, 2),
    ] {
        let simulation = run(setup(&[(0.0, 0.0)], &goals, after), coast, 10);
        assert_eq!(xs(&simulation).first().copied(), x, "{after:?}");
        assert_eq!(simulation.goals_reached(), reached);
        let all = GoalCounts { goals: 2, agents: 1, lost: 0 };
        assert_eq!(simulation.goal_counts(GroupId(0)), all, "{after:?}");
    }
    let halfway = run(setup(&[(0.0, 0.0)], &goals, AfterGoals::Stay), coast, 4);
    assert_eq!(halfway.world().me(0).goal(), Some(goals[1]));
    let touching = [Goal { at: Vec2::new(3.0, 0.0), radius: 1.0 }];
    let simulation = run(setup(&[(2.0, 0.0)], &touching, AfterGoals::Stay), coast, 1);
    assert_eq!(simulation.goals_reached(), 0, "the radius itself is not near enough");
}

#[test]
fn events_change_the_world_before_anyone_decides() {
    let at = |tick, action| Event { when: EventTime::At(tick), action };
    let group = GroupId(0);
    let mut setup = setup(&[(0.0, 0.0), (0.0, 50.0)], &[], AfterGoals::Stay);
    setup.events = vec![
        at(
            1,
            Action::Push { group, velocity: Vec2::new(2.0, 0.0), when: PushTime::BeforeDecision },
        ),
        at(3, Action::Spawn { group, count: 3 }),
        at(5, Action::Remove { group, count: Some(2) }),
        at(5, Action::Set { group, param: "calm".into(), value: Value::Bool(false) }),
    ];
    let mut simulation = run(setup, coast, 1);
    assert_eq!(xs(&simulation), [1.0, 1.0]);
    simulation.step().unwrap();
    assert_eq!(xs(&simulation), [4.0, 4.0], "pushed between tick 1 and 2");
    simulation.step().unwrap();
    simulation.step().unwrap();
    assert_eq!(
        xs(&simulation),
        [10.0, 10.0, 1.0, 1.0, 1.0],
        "made where the spawn says, from its first point on"
    );
    assert_eq!(simulation.world().agents.pos(3).y, 50.0);
    simulation.step().unwrap();
    simulation.step().unwrap();
    let world = simulation.world();
    assert_eq!(world.agents.id, [2, 3, 4], "the oldest were removed");
    assert_eq!(world.groups[0].params.get("calm"), Some(&Value::Bool(false)));
    assert_eq!(simulation.minds().len(), 3);
}

#[test]
fn stopped_agents_move_again_with_new_goals() {
    let goals = [Goal { at: Vec2::new(2.0, 0.0), radius: 0.5 }];
    let mut setup = setup(&[(0.0, 0.0)], &goals, AfterGoals::Stop);
    let next: Arc<[Goal]> = [Goal { at: Vec2::new(9.0, 0.0), radius: 0.5 }].into();
    setup.events = vec![Event {
        when: EventTime::At(5),
        action: Action::SetGoals { group: GroupId(0), goals: next },
    }];
    let to_goal = |me: &Me<'_>, _: Mind<'_>| {
        me.goal().map_or(Vec2::ZERO, |goal| me.to(goal.at).normalize() - me.vel())
    };
    let simulation = run(setup, to_goal, 8);
    assert_eq!(xs(&simulation), [5.0]);
}

#[test]
fn agents_removed_before_their_last_goal_are_counted() {
    let goals = [Goal { at: Vec2::new(2.0, 0.0), radius: 0.5 }];
    let mut setup = setup(&[(0.0, 0.0), (0.0, 9.0)], &goals, AfterGoals::Stay);
    setup.events = vec![Event {
        when: EventTime::At(5),
        action: Action::Remove { group: GroupId(0), count: None },
    }];
    let simulation = run(setup, coast, 8);
    let all = GoalCounts { goals: 1, agents: 1, lost: 1 };
    assert_eq!(simulation.goal_counts(GroupId(0)), all);
}

#[test]
fn an_infinite_position_is_an_error() {
    let mut setup = setup(&[(0.0, 0.0), (5.0, 0.0)], &[], AfterGoals::Stay);
    setup.groups[0].0.body.max_speed = f32::INFINITY;
    for order in [Order::Synchronous, Order::Sequential] {
        let away = |me: &Me<'_>, _: Mind<'_>| {
            if me.row() == 1 { Vec2::new(3e38, 0.0) } else { Vec2::ZERO }
        };
        let brain: Arc<dyn Brain> = Arc::new(away);
        let mut simulation =
            Simulation::new(Setup { order, ..setup.clone() }, vec![brain]).unwrap();
        let fault = (0..3).find_map(|_| simulation.step().err()).expect("a fault");
        assert_eq!((fault.agent, fault.tick), (AgentId(1), 1), "{order:?}");
        assert!(fault.to_string().contains("became infinite"));
    }
}

#[test]
fn the_number_of_threads_does_not_change_the_result() {
    let flock = |me: &Me<'_>, _: Mind<'_>| {
        use crate::steer::{alignment, cohesion, separation};
        let near = Neighborhood::within(6.0);
        1.5 * separation(me, near, 10.0) + alignment(me, near, 10.0) + cohesion(me, near, 10.0)
    };
    let world = |threads| {
        let moved = || {
            let mut setup = setup(&[], &[], AfterGoals::Stay);
            setup.space.edge = Edge::Wrap;
            setup.groups[0].1 = Spawn {
                shape: SpawnShape::Rect { min: Vec2::ZERO, max: Vec2::splat(100.0) },
                count: 5000,
                vel: Vec2::X,
                heading: None,
            };
            setup.dt = 0.1;
            run(setup, flock, 5).world().agents.clone()
        };
        threads::with_threads(threads, moved).unwrap()
    };
    let one = world(1);
    assert!(one == world(2) && one == world(5));
}

#[test]
fn a_clone_continues_independently() {
    let mut first = run(setup(&[(0.0, 0.0)], &[], AfterGoals::Stay), coast, 3);
    let mut second = first.clone();
    first.step().unwrap();
    first.step().unwrap();
    assert_eq!(xs(&second), [3.0]);
    second.step().unwrap();
    second.step().unwrap();
    assert_eq!(first.world().agents, second.world().agents);
}

#[test]
fn the_error_for_an_infinite_position_shows_the_last_finite_one() {
    let mut setup = setup(&[(2.0, 3.0)], &[], AfterGoals::Stay);
    setup.groups[0].0.body.max_speed = f32::INFINITY;
    let push = |_: &Me<'_>, _: Mind<'_>| Vec2::splat(3e38);
    let mut simulation = Simulation::new(setup, vec![Arc::new(push)]).unwrap();
    let fault = (0..3).find_map(|_| simulation.step().err()).unwrap();
    let message = fault.to_string();
    assert!(message.contains("it was at ["), "{message}");
    assert!(!message.contains("NaN") && !message.contains("inf]"), "{message}");
}

#[test]
fn forces_do_not_carry_over_to_the_next_tick() {
    // In the first tick only.
    let once = Acts(|world: &World, turn: Turn<'_>, _: &mut Output| {
        if world.tick == 0 {
            (*turn.force, *turn.vel) = (Vec2::Y, Vec2::ZERO);
        }
    });
    let simulation = run(setup(&[(0.0, 0.0)], &[], AfterGoals::Stay), once, 3);
    let agents = &simulation.world().agents;
    assert_eq!(agents.vel(0), Vec2::Y);
    assert_eq!(agents.pos(0), Vec2::new(0.0, 3.0));
}

#[test]
fn a_tick_does_not_copy_the_world() {
    let points: Vec<(f32, f32)> = (0..1000).map(|i| (i as f32, 0.0)).collect();
    let look = |me: &Me<'_>, _: Mind<'_>| me.push(&Neighborhood::within(2.0));
    let mut simulation = run(setup(&points, &[], AfterGoals::Stay), look, 1);
    let places = |simulation: &Simulation| {
        let agents = &simulation.world().agents;
        (agents.group.as_ptr(), agents.id.as_ptr())
    };
    let before = places(&simulation);
    for _ in 0..5 {
        simulation.step().unwrap();
        assert_eq!(places(&simulation), before);
    }
    let held = Arc::clone(simulation.world());
    simulation.step().unwrap();
    assert_ne!(places(&simulation), before, "the old world is still in use");
    drop(held);
}

/// A tick in which agents brake as hard as they can, and are pushed.
fn braked(when: PushTime, order: Order) -> Simulation {
    let mut setup = setup(&[(0.0, 0.0), (5.0, 5.0)], &[], AfterGoals::Stay);
    setup.order = order;
    setup.groups[0].0.body.max_force = 2.0;
    setup.events = vec![Event {
        when: EventTime::At(0),
        action: Action::Push { group: GroupId(0), velocity: Vec2::new(5.0, 0.0), when },
    }];
    run(setup, |me: &Me<'_>, _: Mind<'_>| -me.vel(), 1)
}

#[test]
fn a_push_after_the_decision_is_not_steered_against_in_its_tick() {
    for order in [Order::Synchronous, Order::Sequential] {
        let before = braked(PushTime::BeforeDecision, order);
        // 1 + 5, and braked by all its force.
        assert_eq!(
            before.world().agents.velocities().collect::<Vec<_>>(),
            [Vec2::new(4.0, 0.0); 2]
        );
        let after = braked(PushTime::AfterDecision, order);
        // It had decided to stop, and the force for that was 1.
        assert_eq!(after.world().agents.velocities().collect::<Vec<_>>(), [Vec2::new(5.0, 0.0); 2]);
        assert_eq!(after.world().agents.pos(0), Vec2::new(5.0, 0.0));
    }
}

#[test]
fn a_push_after_the_decision_acts_in_one_tick_and_within_the_speed_limit() {
    let mut setup = setup(&[(0.0, 0.0)], &[], AfterGoals::Stay);
    setup.events = (0..2)
        .map(|_| Event {
            when: EventTime::At(0),
            action: Action::Push {
                group: GroupId(0),
                velocity: Vec2::new(6.0, 0.0),
                when: PushTime::AfterDecision,
            },
        })
        .collect();
    let before = Simulation::new(setup.clone(), vec![Arc::new(coast)]).unwrap();
    let turn = before.next_turn(AgentId(0)).unwrap().unwrap();
    let decision = turn.decision.clone().unwrap();
    assert_eq!(decision.push, Vec2::new(12.0, 0.0));
    assert_eq!(decision.set_vel, Vec2::X);
    let text = turn.to_string();
    assert!(text.contains("(12, 0), by events after the decision"), "{text}");
    let simulation = run(setup, coast, 1);
    assert_eq!(simulation.world().agents.vel(0), Vec2::new(10.0, 0.0));
    assert_eq!(simulation.world().agents.pos(0), decision.next_pos);
    let mut later = simulation.clone();
    later.step().unwrap();
    assert_eq!(later.world().agents.vel(0), Vec2::new(10.0, 0.0));
}

#[test]
fn a_goal_with_radius_zero_is_never_reached() {
    let goal = Goal { at: Vec2::new(1.0, 0.0), radius: 0.0 };
    let simulation = run(setup(&[(0.0, 0.0)], &[goal], AfterGoals::Stop), coast, 1);
    assert_eq!(simulation.world().agents.pos(0), goal.at);
    let mut later = simulation.clone();
    later.step().unwrap();
    assert_eq!(later.goals_reached(), 0);
    assert!(later.next_turn(AgentId(0)).unwrap().unwrap().to_string().contains("never reached"));
}

#[test]
fn agents_without_a_behavior_keep_their_velocity_and_are_explained() {
    let mut setup = setup(&[(0.0, 0.0), (95.0, 0.0)], &[], AfterGoals::Stay);
    setup.space.edge = Edge::Bounce;
    let simulation = run(setup, NoBehavior, 7);
    let agents = &simulation.world().agents;
    assert_eq!(agents.velocities().collect::<Vec<_>>(), [Vec2::X, -Vec2::X]);
    let why = simulation.explain(AgentId(0)).unwrap().unwrap();
    assert_eq!((why.force, why.vel), (Vec2::ZERO, Vec2::X));
    let text = simulation.next_turn(AgentId(0)).unwrap().unwrap().to_string();
    assert!(text.contains("wants no force"), "{text}");
}
