//! The least size of agents in a picture, so that they are seen in a large world, and do not hide each other in a dense one.

use flockwork_core::math::{self, Vec2};
use flockwork_core::world::Space;

use super::Camera;

/// Least size of agents that are far from each other, in pixels from the center to the nose.
const APART: f32 = 9.0;
/// Least size of agents that are close to each other, in pixels.
const CLOSE: f32 = 6.0;
/// The least size as a part of the mean distance to the nearest neighbor, between these two.
const OF_DISTANCE: f32 = 0.4;
/// Number of agents for which the nearest neighbor is looked for.
const SAMPLE: usize = 64;
/// Least size if there are more agents than [`CROWD`], in pixels.
const IN_CROWD: f32 = 3.0;
/// With more agents than this, agents of the usual least size would hide each other.
pub(super) const CROWD: usize = 2000;
/// Least size if there are more agents than [`MULTITUDE`], in pixels.
const IN_MULTITUDE: f32 = 1.0;
/// With more agents than this, even small darts would hide each other, and drawing them would take most of a frame.
const MULTITUDE: usize = 20_000;

/// Returns the least size for a number of agents if they are as close as can be, in pixels from the center to the nose.
pub(super) fn smallest(count: usize) -> f32 {
    if count > MULTITUDE {
        IN_MULTITUDE
    } else if count > CROWD {
        IN_CROWD
    } else {
        CLOSE
    }
}

/// Returns the least size of agents at some positions, in pixels from the center to the nose.
pub(super) fn least_size(
    camera: &Camera,
    space: &Space,
    positions: impl ExactSizeIterator<Item = Vec2>,
) -> f32 {
    let count = positions.len();
    let smallest = smallest(count);
    if count > CROWD {
        return smallest;
    }
    let largest = APART * camera.emphasis();
    let all: Vec<Vec2> = positions.collect();
    // One that flies away must not make all others larger, and a pair hardly smaller.
    let farthest = camera.units(largest / OF_DISTANCE);
    let nearest = |at: &Vec2| {
        let others = all.iter().filter(|other| !std::ptr::eq(*other, at));
        let distances = others.map(|other| space.offset(*at, *other).length_squared());
        math::sqrt(distances.fold(farthest * farthest, math::min))
    };
    let sample = all.iter().step_by(count.div_ceil(SAMPLE).max(1));
    let sampled = sample.len().max(1) as f32;
    let mean = sample.map(nearest).sum::<f32>() / sampled;
    (camera.pixels(mean) * OF_DISTANCE).clamp(smallest, largest)
}

#[cfg(test)]
mod tests {
    use flockwork_core::world::Edge;

    use super::*;
    use crate::Rect;

    /// Returns the least size of `count` agents in rows of ten, with a distance in pixels.
    fn of_rows(count: usize, distance: f32, emphasis: f32) -> f32 {
        let space = Space { edge: Edge::Open, min: Vec2::ZERO, size: Vec2::splat(1000.0) };
        let camera = Camera::fit(Rect::around(&space, []), (500, 500), 0).emphasized(emphasis);
        let step = camera.units(distance);
        let position = |i: usize| Vec2::new((i % 10) as f32, (i / 10) as f32) * step;
        least_size(&camera, &space, (0..count).map(position))
    }

    #[test]
    fn agents_are_larger_if_they_are_few_and_for_an_audience_but_not_in_a_crowd() {
        assert_eq!([1, 2].map(|count| of_rows(count, 100.0, 1.0)), [APART; 2]);
        assert_eq!([1, 100].map(|count| of_rows(count, 100.0, 1.5)), [1.5 * APART; 2]);
        for emphasis in [1.0, 1.5] {
            assert_eq!(of_rows(100, 4.0, emphasis), CLOSE, "a dense crowd is no blob");
            let between = of_rows(100, 17.5, emphasis);
            assert!((between - 7.0).abs() < 0.01, "{between}");
            assert_eq!(of_rows(CROWD + 1, 100.0, emphasis), IN_CROWD);
            assert_eq!(of_rows(MULTITUDE + 1, 100.0, emphasis), IN_MULTITUDE);
        }
        assert_eq!(of_rows(0, 1.0, 1.0), CLOSE);
    }

    /// Agents must not grow and shrink while some pass others.
    #[test]
    fn a_pair_changes_the_size_hardly() {
        let space = Space { edge: Edge::Wrap, min: Vec2::ZERO, size: Vec2::splat(1000.0) };
        let camera = Camera::fit(Rect::around(&space, []), (1000, 1000), 0);
        let mut all: Vec<Vec2> = (0..20).map(|i| Vec2::new(50.0 * i as f32, 5.0)).collect();
        let size = |all: &[Vec2]| least_size(&camera, &space, all.iter().copied());
        assert_eq!(size(&all), APART);
        // Across the edge.
        all[1] = Vec2::new(0.0, 999.0);
        assert!(size(&all) > 0.9 * APART, "{}", size(&all));
    }
}
