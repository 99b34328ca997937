//! Tests of the order of slots, and that a search finds all agents.

use super::*;
use proptest::prelude::*;

/// Returns the motions of agents in the order of rows.
fn motions(pos: &[Vec2], vel: &[Vec2]) -> Motions {
    let mut motions = Motions::default();
    for (&pos, &vel) in pos.iter().zip(vel) {
        motions.push(pos, vel, vel);
    }
    motions
}

fn near(space: &Space, pos: &[Vec2], center: Vec2, radius: f32) -> Vec<u32> {
    let (mut grid, mut motions) = (Grid::default(), motions(pos, pos));
    grid.sort(space, &mut motions);
    let (mut found, mut slots) = (Vec::new(), Vec::new());
    grid.each_run(center, center, radius, |run, _| {
        for slot in run {
            let (row, at) = (motions.rows()[slot], motions.positions()[slot]);
            assert_eq!(at, pos[row as usize]);
            if space.offset(center, at).length() <= radius {
                found.push(row);
                slots.push(slot);
            }
        }
    });
    assert!(slots.is_sorted(), "in the order of slots: {slots:?}");
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
        let mut grid = Grid::default();
        let mut one = motions(&pos, &vel);
        grid.sort_in(1, &space, &mut one);
        for (slot, &row) in one.rows().iter().enumerate() {
            let row = row as usize;
            prop_assert_eq!(one.slot(row), slot);
            prop_assert_eq!(one.positions()[slot], pos[row]);
            prop_assert_eq!(one.velocities()[slot], vel[row]);
            prop_assert_eq!(one.headings()[slot], vel[row]);
        }
        for bin in grid.starts.windows(2) {
            prop_assert!(one.rows()[bin[0] as usize..bin[1] as usize].is_sorted());
        }
        for parts in [1, 2, 5] {
            let mut again = Grid::default();
            // The agents come from other places, where they stood in another order.
            let mut other = motions(&pos, &vel);
            for (row, &old) in (0..pos.len()).zip(&old) {
                *other.pos_mut(row) = old;
            }
            again.sort_in(parts, &space, &mut other);
            for (row, &now) in pos.iter().enumerate() {
                *other.pos_mut(row) = now;
            }
            again.sort_in(parts, &space, &mut other);
            prop_assert_eq!(&again.starts, &grid.starts, "{} parts", parts);
            prop_assert_eq!(other.rows(), one.rows(), "{} parts", parts);
            prop_assert_eq!(other.positions(), one.positions(), "{} parts", parts);
            prop_assert_eq!(other.headings(), one.headings(), "{} parts", parts);
            prop_assert!(other == one);
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
            let (mut grid, mut motions) = (Grid::default(), motions(&pos, &pos));
            grid.sort(&space, &mut motions);
            (grid.starts, motions.rows().to_vec())
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
    let (mut grid, mut motions) = (Grid::default(), motions(&pos, &pos));
    let space = Space { edge: Edge::Open, min: Vec2::ZERO, size: Vec2::ONE };
    grid.sort(&space, &mut motions);
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
    let (mut grid, mut motions) = (Grid::default(), motions(&pos, &pos));
    let space = Space { edge: Edge::Open, min: Vec2::ZERO, size: Vec2::ONE };
    grid.sort(&space, &mut motions);
    let mut seen = 0;
    grid.each_run(Vec2::splat(50.0), Vec2::splat(50.0), 1.0, |run, _| seen += run.len());
    assert!(seen < 5000, "{seen} of 10001 tested");
}
