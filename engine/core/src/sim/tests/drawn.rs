//! Tests of numbers that are drawn for each agent.

use super::*;
use crate::distribution::Distribution;
use crate::math;
use crate::world::NewAgent;

fn uniform(from: f32, to: f32) -> Distribution {
    Distribution::uniform(from, to).unwrap()
}

/// Two groups of agents that differ, by name, with a number of agents in each.
fn crowd(groups: [(&str, u32); 2], seed: u64) -> Simulation {
    crowd_with(groups, seed, uniform(1.0, 2.0))
}

/// The same with other numbers for the param `pace` of the second group.
fn crowd_with(groups: [(&str, u32); 2], seed: u64, second_pace: Distribution) -> Simulation {
    let space = Space { edge: Edge::Wrap, min: Vec2::ZERO, size: Vec2::splat(100.0) };
    let mut builder = Simulation::builder(space).seed(seed);
    for ((name, count), pace) in groups.into_iter().zip([uniform(1.0, 2.0), second_pace]) {
        let body = Body { mass: 2.0, max_speed: 10.0, ..Body::default() };
        let group = GroupBuilder::new(name)
            .spawn(SpawnShape::Rect { min: Vec2::ZERO, max: Vec2::splat(100.0) }, count)
            .body(body)
            .draw_body("radius", uniform(0.2, 0.4))
            .draw_body("noise.motion", Distribution::normal(0.1, 0.02, Some([0.0, 1.0])).unwrap())
            .param("pace", pace)
            .param("plain", 3.0);
        builder = builder.group(group);
    }
    builder.build().unwrap()
}

/// Returns what is drawn for an agent: the bits of its radius, its noise and its param.
fn numbers(simulation: &Simulation, group: &str, index: u32) -> [u32; 3] {
    let world = simulation.world();
    let group = world.names().group(group).unwrap();
    let agent = world.members(group).find(|agent| agent.index() == index).unwrap();
    let Some(Value::Float(pace)) = agent.param("pace") else { panic!("a number") };
    [agent.body().radius, agent.body().noise.motion, pace].map(f32::to_bits)
}

#[test]
fn draws_depend_on_the_seed_the_group_and_the_index_only() {
    let one = crowd([("a", 5), ("b", 9)], 4);
    let other = crowd([("b", 40), ("a", 3)], 4);
    for (group, index) in [("a", 0), ("a", 2), ("b", 0), ("b", 8)] {
        assert_eq!(numbers(&one, group, index), numbers(&other, group, index), "{group} {index}");
    }
    let mut all: Vec<[u32; 3]> = (0..40).map(|index| numbers(&other, "b", index)).collect();
    all.extend((0..3).map(|index| numbers(&other, "a", index)));
    all.push(numbers(&crowd([("a", 1), ("b", 1)], 5), "a", 0));
    for part in 0..3 {
        let mut part: Vec<u32> = all.iter().map(|one| one[part]).collect();
        part.sort_unstable();
        part.dedup();
        assert_eq!(part.len(), all.len(), "all are different");
    }
    assert_eq!(one.world().agent(0).param("plain"), Some(Value::Float(3.0)));
    assert_eq!(one.world().agent(0).body().mass, 2.0);
    assert_eq!(one.world().agent(0).param("none"), None);
}

#[test]
fn agents_that_are_made_later_have_the_numbers_of_their_index() {
    let whole = crowd([("a", 12), ("b", 0)], 4);
    let mut grown = crowd([("a", 2), ("b", 0)], 4);
    grown.act(Action::Spawn { group: GroupId(0), count: 4 }).unwrap();
    grown.step().unwrap();
    grown.remove(&[AgentId(3), AgentId(0)]);
    let new = [NewAgent::at(Vec2::ONE, Vec2::ZERO); 6];
    grown.add(GroupId(0), &new).unwrap();
    for index in [1, 2, 4, 5, 6, 11] {
        assert_eq!(numbers(&grown, "a", index), numbers(&whole, "a", index), "{index}");
    }
    // A state has none of the numbers, and leads to all of them.
    let mut other = crowd([("a", 1), ("b", 3)], 4);
    other.restore(grown.state());
    for index in [1, 2, 4, 5, 6, 11] {
        assert_eq!(numbers(&other, "a", index), numbers(&whole, "a", index), "{index}");
    }
}

#[test]
fn an_event_replaces_a_distribution_by_a_value_or_by_another_one() {
    let set = |value: Value| Action::Set { group: GroupId(0), param: "pace".into(), value };
    let mut simulation = crowd([("a", 6), ("b", 6)], 4);
    let pace =
        |simulation: &Simulation, row: usize| match simulation.world().agent(row).param("pace") {
            Some(Value::Float(pace)) => pace,
            other => panic!("{other:?}"),
        };
    let before: Vec<f32> = (0..12).map(|row| pace(&simulation, row)).collect();
    simulation.act(set(Value::Float(7.0))).unwrap();
    simulation.step().unwrap();
    assert!((0..6).all(|row| pace(&simulation, row) == 7.0));
    assert_eq!(pace(&simulation, 6), before[6], "the other group keeps its own");
    simulation.act(set(uniform(11.0, 12.0).into())).unwrap();
    simulation.step().unwrap();
    for (row, before) in before[..6].iter().enumerate() {
        // The same share of the agents has less.
        assert!((pace(&simulation, row) - before - 10.0).abs() < 1e-5, "{before}");
    }
    // Edited files that change the distribution change the numbers.
    let edited = crowd_with([("a", 6), ("b", 6)], 4, uniform(101.0, 102.0));
    let adopted = simulation.adopt(&edited).unwrap();
    assert!((pace(&adopted, 6) - before[6] - 100.0).abs() < 1e-4);
    assert!((pace(&adopted, 0) - before[0] - 10.0).abs() < 1e-5, "what an event has set stays");
}

#[test]
fn the_bodies_of_a_group_include_those_of_later_agents() {
    let radii = |simulation: &Simulation| -> Vec<f32> {
        simulation.world().iter().map(|agent| agent.body().radius).collect()
    };
    let mut simulation = crowd([("a", 1), ("b", 0)], 4);
    simulation.add(GroupId(0), &[NewAgent::at(Vec2::ONE, Vec2::ZERO); 3]).unwrap();
    let known = radii(&simulation);
    assert_eq!(known.len(), 4);
    assert!(known.windows(2).all(|pair| pair[0] != pair[1]));
    let world = simulation.world();
    assert_eq!(world.groups[0].all_bodies().len(), 4);
    assert_eq!(world.groups[0].largest_radius(), known.iter().copied().fold(0.0, math::max));
}

#[test]
fn wrong_draws_are_errors_of_the_builder() {
    let space = Space { edge: Edge::Wrap, min: Vec2::ZERO, size: Vec2::splat(100.0) };
    let group = GroupBuilder::new("a")
        .draw_body("max_speed", Distribution::normal(1.0, 0.5, None).unwrap())
        .draw_body("solid", uniform(0.0, 1.0))
        .draw_body("speed", uniform(0.0, 1.0));
    let wrong = Simulation::builder(space).group(group).build().err().unwrap().to_string();
    for part in [
        "group `a`: `max_speed` must be a number above 0, but this distribution has numbers from -3.12",
        "within: (low, high)",
        "`solid` is not a number",
        "`speed` is not a number",
    ] {
        assert!(wrong.contains(part), "{part} is missing in\n{wrong}");
    }
}
