//! A few plain measures of a world.

use crate::world::{Neighborhood, World};

/// The mean of all speeds, in world units per second; `None` without agents.
pub fn mean_speed(world: &World) -> Option<f32> {
    let speeds = &world.agents.vel;
    let sum: f64 = speeds.iter().map(|vel| f64::from(vel.length())).sum();
    (!speeds.is_empty()).then(|| (sum / speeds.len() as f64) as f32)
}

/// The two agents nearest to each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClosestPair {
    /// Their ids, the lower first.
    pub ids: (u32, u32),
    /// From centre to centre, in world units.
    pub distance: f32,
}

/// The two agents nearest to each other, across the edge in a world that wraps; the lowest ids where
/// several are equally near, and `None` below two agents.
pub fn closest_pair(world: &World) -> Option<ClosestPair> {
    // The index of a world is as old as the last decisions in it.
    let mut world = world.clone();
    world.index();
    let agents = &world.agents;
    let mut best: Option<(f32, usize, usize)> = None;
    for row in 0..agents.len() {
        // Who is nearest to the first bounds the search for the second, and so on: but for the first
        // few, an agent looks at hardly anyone. Rounding up keeps those just below the bound.
        let radius = best.map_or(f32::INFINITY, |(least, ..)| least.sqrt().next_up());
        let nearest = world.me(row).nearest(&Neighborhood::within(radius));
        if let Some((other, squared)) = nearest
            && best.is_none_or(|(least, ..)| squared < least)
        {
            best = Some((squared, row, other));
        }
    }
    let (squared, row, other) = best?;
    let (a, b) = (agents.id[row], agents.id[other]);
    Some(ClosestPair {
        ids: (a.min(b), a.max(b)),
        distance: squared.sqrt(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec2;
    use crate::world::Edge;
    use proptest::prelude::*;

    fn world(points: &[(f32, f32)], edge: Edge) -> World {
        let agents: Vec<_> = points
            .iter()
            .map(|&(x, y)| (Vec2::new(x, y), Vec2::ZERO))
            .collect();
        let mut world = World::example(&agents);
        world.space.edge = edge;
        world
    }

    fn by_trying_all(world: &World) -> Option<ClosestPair> {
        let agents = &world.agents;
        let mut best: Option<(f32, usize, usize)> = None;
        for i in 0..agents.len() {
            for j in i + 1..agents.len() {
                let squared = world
                    .space
                    .offset_inside(agents.pos[i], agents.pos[j])
                    .length_squared();
                if best.is_none_or(|(least, ..)| squared < least) {
                    best = Some((squared, i, j));
                }
            }
        }
        best.map(|(squared, i, j)| ClosestPair {
            ids: (agents.id[i], agents.id[j]),
            distance: squared.sqrt(),
        })
    }

    proptest! {
        #[test]
        fn the_closest_pair_is_that_of_trying_all(
            points in prop::collection::vec((0.0f32..100.0, 0.0f32..100.0), 0..60),
            // Whole numbers, so that many are equally near or at one place.
            whole in any::<bool>(),
            wrap in any::<bool>(),
        ) {
            let points: Vec<(f32, f32)> = points
                .into_iter()
                .map(|(x, y)| if whole { ((x / 10.0).floor(), (y / 10.0).floor()) } else { (x, y) })
                .collect();
            let world = world(&points, if wrap { Edge::Wrap } else { Edge::Open });
            prop_assert_eq!(closest_pair(&world), by_trying_all(&world));
        }
    }

    #[test]
    fn the_index_of_a_tick_before_does_not_matter() {
        let mut world = world(&[(0.0, 0.0), (50.0, 0.0), (90.0, 0.0)], Edge::Open);
        world.agents.pos[0].x = 89.0;
        let closest = closest_pair(&world).unwrap();
        assert_eq!((closest.ids, closest.distance), ((0, 2), 1.0));
    }

    #[test]
    fn speeds_are_averaged() {
        let mut world = world(&[(0.0, 0.0), (1.0, 0.0)], Edge::Open);
        world.agents.vel[0] = Vec2::new(3.0, 4.0);
        assert_eq!(mean_speed(&world), Some(2.5));
        assert_eq!(mean_speed(&World::example(&[])), None);
        assert_eq!(closest_pair(&World::example(&[])), None);
    }
}
