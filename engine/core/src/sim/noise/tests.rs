use super::*;
use crate::sim::{GroupBuilder, Order, SpawnShape, Wish};
use crate::world::{AgentId, Body, Edge, Me, Mind, Noise, Space};

fn body(noise: Noise) -> Body {
    Body { noise, ..Body::default() }
}

fn simulation(dt: f32, count: u32, body: Body, order: Order) -> Simulation {
    let space = Space { edge: Edge::Wrap, min: Vec2::ZERO, size: Vec2::splat(1000.0) };
    let steer = |me: &Me<'_>, _: Mind<'_>| me.to(Vec2::splat(500.0)) * 0.0 + me.vel() * 0.0;
    let group = GroupBuilder::new("all")
        .body(body)
        .spawn(SpawnShape::Rect { min: Vec2::ZERO, max: Vec2::splat(1000.0) }, count)
        .steer(steer);
    Simulation::builder(space).seed(5).dt(dt).order(order).group(group).build().unwrap()
}

fn deviation(values: impl Iterator<Item = f32>) -> f32 {
    let values: Vec<f32> = values.collect();
    let count = values.len() as f32;
    let mean = values.iter().sum::<f32>() / count;
    math::sqrt(values.iter().map(|x| (x - mean) * (x - mean)).sum::<f32>() / count)
}

#[test]
fn velocities_spread_alike_for_all_lengths_of_a_tick() {
    for (dt, ticks) in [(0.01, 100), (0.1, 10), (0.5, 2)] {
        let noise = Noise { motion: 3.0, ..Noise::default() };
        let mut simulation = simulation(dt, 4000, body(noise), Order::Synchronous);
        for _ in 0..ticks {
            simulation.step().unwrap();
        }
        // The error of a deviation estimated from 4000 numbers is about 0.034.
        let found = deviation(simulation.world().agents.velocities().map(|vel| vel.x));
        assert!((found - 3.0).abs() < 0.15, "{found} with ticks of {dt} s");
    }
}

/// Each agent sets its velocity to what it perceives, so that the test can read it.
fn tell(order: Order, noise: Noise) -> Simulation {
    let space = Space { edge: Edge::Open, min: Vec2::ZERO, size: Vec2::ONE };
    let steer = |me: &Me<'_>, _: Mind<'_>| (me.pos() + me.vel() * 10.0) / me.world().dt;
    let group = GroupBuilder::new("all")
        .body(Body { mass: 1.0, ..body(noise) })
        .spawn(SpawnShape::Points(vec![Vec2::ZERO; 2000]), 2000)
        .steer(steer);
    Simulation::builder(space).dt(0.1).order(order).group(group).build().unwrap()
}

#[test]
fn everybody_perceives_wrong_values_and_the_true_ones_move() {
    for order in [Order::Synchronous, Order::Sequential] {
        let mut simulation = tell(order, Noise { position: 0.5, velocity: 0.2, motion: 0.0 });
        simulation.step().unwrap();
        let agents = &simulation.world().agents;
        // The force divided by the time becomes the velocity: position plus ten times the velocity, both perceived.
        let found = deviation(agents.velocities().map(|vel| vel.x));
        let expected = math::sqrt(0.5 * 0.5 + 2.0 * 2.0);
        assert!((found - expected).abs() < 0.15, "{found}, expected {expected}");
        // Truly they were at the origin without velocity, so only the new velocity has moved them.
        for row in 0..agents.len() {
            assert_eq!(agents.pos(row), agents.vel(row) * 0.1);
        }
    }
}

#[test]
fn an_error_that_nobody_uses_changes_nothing() {
    for order in [Order::Synchronous, Order::Sequential] {
        let run = |noise| {
            let mut simulation = simulation(0.1, 300, body(noise), order);
            for _ in 0..5 {
                simulation.step().unwrap();
            }
            simulation.state().agents
        };
        assert_eq!(run(Noise::default()), run(Noise { position: 9.0, velocity: 2.0, motion: 0.0 }));
    }
}

#[test]
fn other_agents_do_not_change_the_errors() {
    let run = |count| {
        let noise = Noise { motion: 1.0, ..Noise::default() };
        let mut simulation = simulation(0.1, count, body(noise), Order::Synchronous);
        for _ in 0..5 {
            simulation.step().unwrap();
        }
        simulation.world().agents.velocities().take(10).collect::<Vec<_>>()
    };
    assert_eq!(run(10), run(200));
}

#[test]
fn the_next_turn_is_the_turn_that_follows() {
    for order in [Order::Synchronous, Order::Sequential] {
        let mut simulation = tell(order, Noise { position: 0.5, velocity: 0.2, motion: 4.0 });
        for _ in 0..3 {
            let before = simulation.world().agents.pos(7);
            let next = simulation.next_turn(AgentId(7)).unwrap().unwrap();
            let wishes = simulation.wishes().unwrap();
            assert_eq!(next.pos, before, "the true position");
            let decision = next.decision.unwrap();
            let Wish { force, vel_change } = wishes[7].1;
            assert_eq!((force, vel_change), (decision.wanted_force, Vec2::ZERO));
            simulation.step().unwrap();
            let agents = &simulation.world().agents;
            assert_eq!((agents.pos(7), agents.vel(7)), (decision.next_pos, decision.next_vel));
            assert_eq!(simulation.last_forces()[7], decision.wanted_force);
        }
    }
}
