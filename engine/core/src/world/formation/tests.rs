//! Tests of the places of formations, with numbers from their definitions.

use proptest::prelude::*;

use super::*;
use crate::world::{Edge, GroupId, NewAgent, Space};

fn formation(shape: FormationShape) -> Formation {
    Formation { shape, spacing: 10.0, behind: 0.0 }
}

fn places(formation: &Formation, count: usize) -> Vec<Vec2> {
    (0..count).map(|place| formation.place(place, count)).collect()
}

fn v(x: f32, y: f32) -> Vec2 {
    Vec2::new(x, y)
}

/// Returns a world with one group in a formation.
fn world(formation: Formation, agents: &[Vec2]) -> World {
    let mut world = World::example(&[]);
    world.groups[0].formation = Some(formation);
    for &pos in agents {
        world.add(GroupId(0), NewAgent { pos, vel: Vec2::ZERO, heading: None, sequence: 0 });
    }
    world.index();
    world
}

fn anchor(pos: Vec2, heading: Vec2) -> Anchor {
    Anchor { pos, heading, row: None }
}

fn all_places(world: &World, anchor: &Anchor) -> Vec<Vec2> {
    (0..world.agents.len()).map(|row| world.me(row).place_in_formation(anchor)).collect()
}

#[test]
fn shapes_have_their_places() {
    let line = formation(FormationShape::Line);
    assert_eq!(places(&line, 1), [v(0.0, 0.0)]);
    assert_eq!(places(&line, 2), [v(0.0, 5.0), v(0.0, -5.0)]);
    assert_eq!(places(&line, 3), [v(0.0, 10.0), v(0.0, 0.0), v(0.0, -10.0)]);
    let column = Formation { behind: 10.0, ..formation(FormationShape::Column) };
    assert_eq!(places(&column, 3), [v(-10.0, 0.0), v(-20.0, 0.0), v(-30.0, 0.0)]);
    let wedge = formation(FormationShape::Wedge { arm: v(-0.6, 0.8) });
    assert_eq!(places(&wedge, 3), [v(-6.0, 8.0), v(-6.0, -8.0), v(-12.0, 16.0)]);
    let grid = formation(FormationShape::Grid { columns: 3 });
    assert_eq!(
        places(&grid, 5),
        [v(0.0, 10.0), v(0.0, 0.0), v(0.0, -10.0), v(-10.0, 5.0), v(-10.0, -5.0)]
    );
    let listed = formation(FormationShape::Places([v(3.0, 4.0), v(-5.0, 1.0)].into()));
    assert_eq!(places(&listed, 4), [v(3.0, 4.0), v(-5.0, 1.0), v(-15.0, 1.0), v(-25.0, 1.0)]);
}

#[test]
fn neighbors_on_a_circle_are_spacing_apart() {
    let circle = formation(FormationShape::Circle);
    for count in 1..40 {
        let places = places(&circle, count);
        for (i, place) in places.iter().enumerate() {
            assert!(place.length() >= 9.999, "{count}: {place}");
            let next = places[(i + 1) % count];
            if count > 6 {
                assert!((place.distance(next) - 10.0).abs() < 1e-3, "{count}: {place}");
            }
        }
    }
    assert_eq!(places(&circle, 4)[0], v(10.0, 0.0));
}

#[test]
fn places_turn_with_the_anchor() {
    let world = world(formation(FormationShape::Column), &[v(50.0, 40.0), v(50.0, 60.0)]);
    let up = anchor(v(50.0, 60.0), Vec2::Y);
    assert_eq!(all_places(&world, &up), [v(50.0, 50.0), v(50.0, 60.0)]);
    let still = anchor(v(50.0, 60.0), Vec2::ZERO);
    assert_eq!(all_places(&world, &still), [v(40.0, 60.0), v(50.0, 60.0)]);
}

#[test]
fn an_anchor_of_the_group_has_no_place() {
    let mut world = world(
        Formation { behind: 10.0, ..formation(FormationShape::Column) },
        &[v(30.0, 0.0), v(12.0, 0.0), v(21.0, 0.0), v(2.0, 0.0)],
    );
    let first = Anchor { row: Some(0), ..anchor(v(30.0, 0.0), Vec2::X) };
    assert_eq!(all_places(&world, &first), [v(30.0, 0.0), v(10.0, 0.0), v(20.0, 0.0), v(0.0, 0.0)]);
    // One that has stopped has none either. The others close the gap.
    world.agents.stopped[2] = true;
    world.index();
    assert_eq!(
        all_places(&world, &first),
        [v(30.0, 0.0), v(20.0, 0.0), v(21.0, 0.0), v(10.0, 0.0)]
    );
}

#[test]
fn a_group_without_a_formation_is_at_the_anchor() {
    let world = World::example(&[(Vec2::ZERO, Vec2::ZERO)]);
    assert_eq!(all_places(&world, &anchor(v(4.0, 5.0), Vec2::X)), [v(4.0, 5.0)]);
}

#[test]
fn places_wrap_and_the_way_to_them_too() {
    let mut world = world(
        Formation { behind: 10.0, ..formation(FormationShape::Column) },
        &[v(1.0, 50.0), v(95.0, 50.0)],
    );
    world.space = Space { edge: Edge::Wrap, min: Vec2::ZERO, size: Vec2::splat(100.0) };
    world.index();
    let corner = anchor(v(12.0, 50.0), Vec2::X);
    assert_eq!(all_places(&world, &corner), [v(2.0, 50.0), v(92.0, 50.0)]);
}

#[test]
fn what_is_kept_is_dropped_when_an_agent_moves() {
    let mut world = world(formation(FormationShape::Column), &[v(50.0, 0.0), v(40.0, 0.0)]);
    world.index_for_changes();
    let at = anchor(v(50.0, 0.0), Vec2::X);
    assert_eq!(all_places(&world, &at), [v(50.0, 0.0), v(40.0, 0.0)]);
    world.move_row(0, v(30.0, 0.0), Vec2::ZERO);
    assert_eq!(all_places(&world, &at), [v(40.0, 0.0), v(50.0, 0.0)]);
}

#[test]
fn agents_of_a_large_group_have_places_in_order() {
    let agents: Vec<Vec2> = (0..150).map(|i| v(-(i as f32), 0.0)).collect();
    let world = world(formation(FormationShape::Column), &agents);
    let at = anchor(Vec2::ZERO, Vec2::NEG_X);
    let expected: Vec<Vec2> = (0..150).map(|i| v(i as f32 * 10.0, 0.0)).collect();
    assert_eq!(all_places(&world, &at), expected);
}

proptest! {
    #[test]
    fn every_place_is_taken_by_one_agent_also_when_the_world_is_turned(
        agents in prop::collection::vec((-90.0f32..90.0, -90.0f32..90.0), 1..20),
        shape in prop_oneof![
            Just(FormationShape::Line),
            Just(FormationShape::Column),
            Just(FormationShape::Circle),
            (0.1f32..3.0).prop_map(|angle| FormationShape::Wedge { arm: -math::direction(angle) }),
            (1u32..6).prop_map(|columns| FormationShape::Grid { columns }),
        ],
        angle in 0.0f32..6.3,
    ) {
        let agents: Vec<Vec2> = agents.into_iter().map(|(x, y)| v(x, y)).collect();
        let turned: Vec<Vec2> = agents.iter().map(|&pos| math::rotated(pos, angle)).collect();
        let formation = formation(shape);
        let straight = world(formation.clone(), &agents);
        let other = world(formation.clone(), &turned);
        let (at, facing) = (v(7.0, -3.0), Vec2::X);
        let places = all_places(&straight, &anchor(at, facing));
        let (turned_at, turned_facing) = (math::rotated(at, angle), math::rotated(facing, angle));
        let turned_places = all_places(&other, &anchor(turned_at, turned_facing));
        let total = |agents: &[Vec2], places: &[Vec2]| -> f32 {
            agents.iter().zip(places).map(|(agent, place)| agent.distance(*place)).sum()
        };
        let (one, two) = (total(&agents, &places), total(&turned, &turned_places));
        prop_assert!((one - two).abs() <= 0.005 * one + 0.01, "{one} {two}");
        let mut taken: Vec<[u32; 2]> = places.iter().map(|at| at.to_array().map(f32::to_bits)).collect();
        taken.sort_unstable();
        let count = agents.len();
        let mut expected: Vec<[u32; 2]> = (0..count)
            .map(|place| (at + formation.place(place, count)).to_array().map(f32::to_bits))
            .collect();
        expected.sort_unstable();
        prop_assert_eq!(taken, expected);
    }
}
