//! Polylines, open or closed into a ring: lengths, and points along them.

use super::clamped;
use super::segment::nearest;
use crate::math::{self, Vec2};

/// A point on a polyline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OnPolyline {
    /// The point, in world units.
    pub point: Vec2,
    /// Length along the polyline from its first point, in world units.
    pub along: f32,
    /// Index of its edge; edge 0 goes from point 0 to point 1.
    pub edge: usize,
    /// Distance from the query point, in world units.
    pub distance: f32,
}

/// Returns the point of a polyline nearest to `at`; the one on the first edge if several are equally near.
///
/// `closed` adds an edge from the last point to the first. A single point is one edge without length. If there are no
/// points, the result is `at` itself.
pub fn nearest_on_polyline(points: &[Vec2], closed: bool, at: Vec2) -> OnPolyline {
    let at = clamped(at);
    let mut best = OnPolyline { point: at, along: 0.0, edge: 0, distance: 0.0 };
    let mut best_squared = f32::INFINITY;
    let mut start = 0.0;
    for (edge, (from, to)) in edges(points, closed).enumerate() {
        let (point, t) = nearest(from, to, at);
        let length = math::length(to - from);
        let squared = point.distance_squared(at);
        if squared < best_squared {
            best_squared = squared;
            best = OnPolyline {
                point,
                along: start + length * t,
                edge,
                distance: math::length(at - point),
            };
        }
        start += length;
    }
    best
}

/// Returns the length of a polyline, in world units, including the edge from the last point to the first if it is
/// `closed`; 0 for fewer than two points.
pub fn polyline_length(points: &[Vec2], closed: bool) -> f32 {
    edges(points, closed)
        .map(|(from, to)| math::length(to - from))
        .fold(0.0, |sum, length| sum + length)
}

/// Returns the point at a length along a polyline from its first point, in world units. On an open polyline, the length
/// is limited to its ends; on a closed one it wraps, in both directions. If there are no points, the result is the
/// origin.
pub fn point_along(points: &[Vec2], closed: bool, along: f32) -> Vec2 {
    let Some(&first) = points.first() else {
        return Vec2::ZERO;
    };
    let along = if closed {
        let length = polyline_length(points, true);
        if length <= 0.0 {
            return clamped(first);
        }
        along.rem_euclid(length)
    } else {
        along
    };
    if along <= 0.0 {
        return clamped(first);
    }
    let mut start = 0.0;
    let mut last = clamped(first);
    for (from, to) in edges(points, closed) {
        let length = math::length(to - from);
        if along < start + length {
            return from + (to - from) * ((along - start) / length);
        }
        start += length;
        last = to;
    }
    last
}

/// Returns the edges of a polyline, with coordinates within limits. A single point is one edge without length.
fn edges(points: &[Vec2], closed: bool) -> impl Iterator<Item = (Vec2, Vec2)> {
    let count = if closed || points.len() < 2 { points.len() } else { points.len() - 1 };
    (0..count).map(move |i| (clamped(points[i]), clamped(points[(i + 1) % points.len()])))
}

#[cfg(test)]
mod tests {
    use super::super::FAR;
    use super::*;
    use proptest::prelude::*;

    /// Three sides of a rectangle of 6 by 4.
    const HOOK: [Vec2; 4] =
        [Vec2::new(0.0, 0.0), Vec2::new(6.0, 0.0), Vec2::new(6.0, 4.0), Vec2::new(0.0, 4.0)];

    #[test]
    fn lengths() {
        assert_eq!(polyline_length(&HOOK, false), 16.0);
        assert_eq!(polyline_length(&HOOK, true), 20.0);
        assert_eq!(polyline_length(&HOOK[..1], true), 0.0);
        assert_eq!(polyline_length(&[], true), 0.0);
    }

    #[test]
    fn nearest_counts_from_the_first_point() {
        assert_eq!(
            nearest_on_polyline(&HOOK, false, Vec2::new(8.0, 1.0)),
            OnPolyline { point: Vec2::new(6.0, 1.0), along: 7.0, edge: 1, distance: 2.0 }
        );
        let left = Vec2::new(-1.0, 3.0);
        assert_eq!(nearest_on_polyline(&HOOK, false, left).edge, 2);
        assert_eq!(
            nearest_on_polyline(&HOOK, true, left),
            OnPolyline { point: Vec2::new(0.0, 3.0), along: 17.0, edge: 3, distance: 1.0 }
        );
    }

    #[test]
    fn the_first_of_equally_near_edges_wins() {
        // Midway between the first and the third edge, then at a shared corner.
        assert_eq!(nearest_on_polyline(&HOOK, false, Vec2::new(2.0, 2.0)).edge, 0);
        let corner = nearest_on_polyline(&HOOK, false, Vec2::new(6.0, 0.0));
        assert_eq!((corner.edge, corner.along), (0, 6.0));
        let start = nearest_on_polyline(&HOOK, true, Vec2::new(-1.0, -1.0));
        assert_eq!((start.edge, start.along), (0, 0.0));
    }

    #[test]
    fn open_polylines_end_and_closed_ones_wrap() {
        for (along, open, closed) in [
            (-3.0, (0.0, 0.0), (0.0, 3.0)),
            (0.0, (0.0, 0.0), (0.0, 0.0)),
            (6.0, (6.0, 0.0), (6.0, 0.0)),
            (8.0, (6.0, 2.0), (6.0, 2.0)),
            (16.0, (0.0, 4.0), (0.0, 4.0)),
            (18.0, (0.0, 4.0), (0.0, 2.0)),
            (41.0, (0.0, 4.0), (1.0, 0.0)),
        ] {
            assert_eq!(point_along(&HOOK, false, along), Vec2::from(open));
            assert_eq!(point_along(&HOOK, true, along), Vec2::from(closed));
        }
    }

    #[test]
    fn results_for_one_point_and_for_none_are_defined() {
        let lone = [Vec2::new(3.0, 4.0)];
        for closed in [false, true] {
            assert_eq!(
                nearest_on_polyline(&lone, closed, Vec2::ZERO),
                OnPolyline { point: lone[0], along: 0.0, edge: 0, distance: 5.0 }
            );
            assert_eq!(point_along(&lone, closed, 7.0), lone[0]);
            assert_eq!(nearest_on_polyline(&[], closed, Vec2::ONE).point, Vec2::ONE);
            assert_eq!(point_along(&[], closed, 7.0), Vec2::ZERO);
        }
    }

    fn line() -> impl Strategy<Value = Vec<Vec2>> {
        let part = || prop_oneof![4 => -50.0f32..50.0, 1 => (-3i8..3).prop_map(f32::from)];
        prop::collection::vec((part(), part()).prop_map(Vec2::from), 1..8)
    }

    proptest! {
        #[test]
        fn the_nearest_point_is_at_its_length_along(
            points in line(), closed: bool, x in -90.0f32..90.0, y in -90.0f32..90.0,
        ) {
            let at = Vec2::new(x, y);
            let found = nearest_on_polyline(&points, closed, at);
            let length = polyline_length(&points, closed);
            prop_assert!((0.0..=length * 1.000_01).contains(&found.along));
            prop_assert!((found.point.distance(at) - found.distance).abs() < 1e-4);
            prop_assert!(point_along(&points, closed, found.along).distance(found.point) < 1e-2);
            for i in 0..200 {
                let other = point_along(&points, closed, length * i as f32 / 200.0);
                prop_assert!(other.distance(at) >= found.distance - 1e-3);
            }
        }

        #[test]
        fn a_step_along_moves_no_farther_than_itself(
            points in line(), closed: bool, along in -300.0f32..300.0, step in 0.0f32..5.0,
        ) {
            let (a, b) = (
                point_along(&points, closed, along),
                point_along(&points, closed, along + step),
            );
            prop_assert!(a.distance(b) <= step + 1e-3);
        }

        #[test]
        fn any_finite_polyline_has_finite_points(
            points in prop::collection::vec((any_finite(), any_finite()).prop_map(Vec2::from), 0..5),
            closed: bool, x in any_finite(), y in any_finite(), along in any_finite(),
        ) {
            let found = nearest_on_polyline(&points, closed, Vec2::new(x, y));
            prop_assert!(found.point.is_finite() && found.along.is_finite());
            prop_assert!(found.distance.is_finite());
            prop_assert!(point_along(&points, closed, along).is_finite());
        }
    }

    fn any_finite() -> impl Strategy<Value = f32> {
        prop_oneof![
            any::<f32>().prop_filter("finite", |x| x.is_finite()),
            Just(f32::MAX),
            Just(-FAR),
            Just(0.0),
        ]
    }
}
