//! Tests of the order of slots, and that a search finds all agents.

use super::*;
use proptest::prelude::*;

fn near(space: &Space, pos: &[Vec2], center: Vec2, radius: f32) -> Vec<u32> {
    let mut grid = Grid::default();
    grid.rebuild(space, pos, pos);
    let mut found = Vec::new();
    grid.each_near(center, radius, |agents, sightings| {
        for (&row, seen) in agents.iter().zip(sightings) {
            assert_eq!(seen.pos, pos[row as usize]);
            if space.offset(center, seen.pos).length() <= radius {
                found.push(row);
            }
        }
    });
    found
}

fn brute_force(space: &Space, pos: &[Vec2], center: Vec2, radius: f32) -> Vec<u32> {
    (0..pos.len() as u32)
        .filter(|&i| space.offset(center, pos[i as usize]).length() <= radius)
        .collect()
}

proptest! {
    #[test]
    fn each_agent_within_the_radius_is_found_once(
        points in prop::collection::vec((0.0f32..100.0, 0.0f32..60.0), 0..200),
        center in (0.0f32..100.0, 0.0f32..60.0),
        radius in prop_oneof![0.0f32..20.0, 0.0f32..300.0, Just(f32::INFINITY)],
        wrap in any::<bool>(),
        outlier in prop::option::of(-1e7f32..1e7),
    ) {
        let edge = if wrap { Edge::Wrap } else { Edge::Open };
        let space = Space { edge, min: Vec2::ZERO, size: Vec2::new(100.0, 60.0) };
        let mut pos: Vec<Vec2> = points.iter().map(|&(x, y)| Vec2::new(x, y)).collect();
        if let (Some(x), false) = (outlier, wrap) {
            pos.push(Vec2::new(x, -x));
        }
        let center = Vec2::new(center.0, center.1);
        let mut found = near(&space, &pos, center, radius);
        let mut grid = Grid::default();
        grid.rebuild(&space, &pos, &pos);
        let slots: Vec<u32> = found.iter().map(|&row| grid.slots()[row as usize]).collect();
        prop_assert!(slots.is_sorted(), "in the order of slots: {slots:?}");
        found.sort_unstable();
        prop_assert_eq!(found, brute_force(&space, &pos, center, radius));
    }
}

proptest! {
    #[test]
    fn the_number_of_parts_makes_no_difference(
        points in prop::collection::vec((0.0f32..100.0, 0.0f32..60.0), 0..3000),
        before in prop::collection::vec((0.0f32..100.0, 0.0f32..60.0), 0..3000),
        together in prop_oneof![Just(0.0f32), 0.0f32..1.0, Just(1.0)],
        wrap in any::<bool>(),
    ) {
        let edge = if wrap { Edge::Wrap } else { Edge::Open };
        let space = Space { edge, min: Vec2::ZERO, size: Vec2::new(100.0, 60.0) };
        let place = |&(x, y): &(f32, f32)| Vec2::new(x, y).lerp(Vec2::splat(30.0), together);
        let pos: Vec<Vec2> = points.iter().map(place).collect();
        let old: Vec<Vec2> = before.iter().map(place).collect();
        let vel: Vec<Vec2> = pos.iter().map(|p| -*p).collect();
        let mut one = Grid::default();
        one.rebuild_in(1, &space, &pos, &vel);
        for (slot, seen) in one.sightings.iter().enumerate() {
            let row = one.rows[slot] as usize;
            prop_assert_eq!(one.slots[row] as usize, slot);
            prop_assert_eq!(*seen, Sighting { pos: pos[row], vel: vel[row] });
        }
        for bin in one.starts.windows(2) {
            prop_assert!(one.rows[bin[0] as usize..bin[1] as usize].is_sorted());
        }
        for parts in [2, 5] {
            let mut grid = Grid::default();
            grid.rebuild_in(parts, &space, &old, &old);
            grid.rebuild_in(parts, &space, &pos, &vel);
            prop_assert_eq!(&grid.starts, &one.starts, "{} parts", parts);
            prop_assert_eq!(&grid.rows, &one.rows, "{} parts", parts);
            prop_assert_eq!(&grid.slots, &one.slots, "{} parts", parts);
            prop_assert_eq!(&grid.sightings, &one.sightings, "{} parts", parts);
        }
    }
}

#[test]
fn many_agents_are_sorted_the_same_on_any_number_of_threads() {
    let pos: Vec<Vec2> = (0..MIN_PARALLEL_AGENTS as u64 + 1000)
        .map(|i| Vec2::new(Mix::new(i).unit(), Mix::new(i).with(1).unit()))
        .collect();
    let space = Space { edge: Edge::Open, min: Vec2::ZERO, size: Vec2::ONE };
    let on = |threads: usize| {
        let sorted = || {
            let mut grid = Grid::default();
            grid.rebuild(&space, &pos, &pos);
            (grid.starts, grid.rows, grid.slots)
        };
        threads::with_threads(threads, sorted).unwrap()
    };
    let one = on(1);
    for threads in [2, 5, 11] {
        assert!(on(threads) == one, "{threads} threads");
    }
}

#[test]
fn a_sample_covers_all_positions() {
    // The rows are as long as the stretches of the sample: taking every n-th position would miss most of them.
    let pos: Vec<Vec2> =
        (0..1 << 19).map(|i| Vec2::new((i % 64) as f32, (i / 64) as f32)).collect();
    let mut grid = Grid::default();
    let space = Space { edge: Edge::Open, min: Vec2::ZERO, size: Vec2::ONE };
    grid.rebuild(&space, &pos, &pos);
    let most = grid.starts.windows(2).map(|bin| bin[1] - bin[0]).max();
    assert!(most < Some(40), "{most:?} agents in one bin");
}

#[test]
fn neighbors_across_the_edge_are_found() {
    let space = Space { edge: Edge::Wrap, min: Vec2::ZERO, size: Vec2::splat(10.0) };
    let pos: Vec<Vec2> = (0..100).map(|i| Vec2::new((i % 10) as f32, (i / 10) as f32)).collect();
    let mut found = near(&space, &pos, Vec2::ZERO, 1.0);
    found.sort_unstable();
    assert_eq!(found, [0, 1, 9, 10, 90]);
}

#[test]
fn an_outlier_does_not_put_all_agents_into_one_cell() {
    let mut pos: Vec<Vec2> =
        (0..10_000).map(|i| Vec2::new((i % 100) as f32, (i / 100) as f32)).collect();
    pos.push(Vec2::splat(1e6));
    let mut grid = Grid::default();
    let space = Space { edge: Edge::Open, min: Vec2::ZERO, size: Vec2::ONE };
    grid.rebuild(&space, &pos, &pos);
    let mut seen = 0;
    grid.each_near(Vec2::splat(50.0), 1.0, |agents, _| seen += agents.len());
    assert!(seen < 5000, "{seen} of 10001 tested");
}
