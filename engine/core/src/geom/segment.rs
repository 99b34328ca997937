//! Straight walls without thickness, and the edges of other shapes.

use super::{Hit, ROUNDING, Surface, Sweep, circle, clamped, earlier, max_abs};
use crate::math::{self, Vec2};

/// Returns the point of the segment from `from` to `to` that is nearest to `at`, and how far along it is, from 0 to 1.
/// The ends are exact. A segment without length gives `from` and 0.
pub fn nearest_on_segment(from: Vec2, to: Vec2, at: Vec2) -> (Vec2, f32) {
    nearest(clamped(from), clamped(to), clamped(at))
}

/// The same as [`nearest_on_segment`], for numbers within limits.
pub(super) fn nearest(from: Vec2, to: Vec2, at: Vec2) -> (Vec2, f32) {
    let edge = to - from;
    let squared = edge.length_squared();
    let along = edge.dot(at - from);
    if squared <= 0.0 || along <= 0.0 {
        return (from, 0.0);
    }
    let t = along / squared;
    if t >= 1.0 {
        return (to, 1.0);
    }
    (from + edge * t, t)
}

/// Returns the nearest point of a segment. The normal is on the side of the query point.
pub(super) fn surface(from: Vec2, to: Vec2, point: Vec2) -> Surface {
    let (near, t) = nearest(from, to, point);
    let offset = point - near;
    let edge = to - from;
    let left = math::perp(math::unit(edge));
    let at_an_end = t <= 0.0 || t >= 1.0;
    let normal = if at_an_end && offset != Vec2::ZERO {
        math::unit(offset)
    } else if left == Vec2::ZERO {
        Vec2::X
    } else if offset != Vec2::ZERO && edge.perp_dot(point - from) < 0.0 {
        -left
    } else {
        left
    };
    Surface { point: near, normal, distance: math::length(offset) }
}

/// Returns the first touch of a segment by a disc that does not touch it yet.
pub(super) fn touch(from: Vec2, to: Vec2, sweep: &Sweep) -> Option<Hit> {
    let ends = earlier(circle::touch(from, 0.0, sweep), circle::touch(to, 0.0, sweep));
    earlier(touch_side(from, to, sweep), ends)
}

/// Returns the first touch of the side of a segment, between its ends. The ends themselves are discs of radius 0.
pub(super) fn touch_side(from: Vec2, to: Vec2, sweep: &Sweep) -> Option<Hit> {
    let along = math::unit(to - from);
    let left = math::perp(along);
    let offset = sweep.from - from;
    let normal = if left.dot(offset) < 0.0 { -left } else { left };
    let approach = -normal.dot(sweep.direction);
    if approach <= 0.0 {
        return None;
    }
    // Because of rounding, the disc may already overlap the line, although it was found not to touch it.
    let distance = math::max((normal.dot(offset) - sweep.radius) / approach, 0.0);
    if distance > sweep.reach {
        return None;
    }
    // A ray at a corner must not pass between two edges, each of which sees it just past its end.
    let slack = ROUNDING * (max_abs(offset) + distance);
    let length = along.dot(to - from);
    let t = along.dot(offset + sweep.direction * distance);
    if t < -slack || t > length + slack {
        return None;
    }
    let point = if t <= 0.0 {
        from
    } else if t >= length {
        to
    } else {
        from + along * t
    };
    Some(Hit { distance, point, normal })
}

#[cfg(test)]
mod tests {
    use super::super::{Hit, Shape, Surface};
    use super::*;

    fn wall() -> Shape {
        Shape::Segment { from: Vec2::new(0.0, 2.0), to: Vec2::new(8.0, 2.0) }
    }

    #[test]
    fn nearest_is_between_or_at_the_ends() {
        let (a, b) = (Vec2::new(0.0, 2.0), Vec2::new(8.0, 2.0));
        assert_eq!(nearest_on_segment(a, b, Vec2::new(2.0, 9.0)), (Vec2::new(2.0, 2.0), 0.25));
        assert_eq!(nearest_on_segment(a, b, Vec2::new(-1.0, 0.0)), (a, 0.0));
        assert_eq!(nearest_on_segment(a, b, Vec2::new(9.0, 2.0)), (b, 1.0));
        assert_eq!(nearest_on_segment(a, a, Vec2::new(9.0, 2.0)), (a, 0.0));
    }

    #[test]
    fn surface_has_two_sides_and_no_inside() {
        assert_eq!(
            wall().surface(Vec2::new(3.0, 5.0)),
            Surface { point: Vec2::new(3.0, 2.0), normal: Vec2::Y, distance: 3.0 }
        );
        assert_eq!(
            wall().surface(Vec2::new(3.0, 1.0)),
            Surface { point: Vec2::new(3.0, 2.0), normal: Vec2::NEG_Y, distance: 1.0 }
        );
        let end = wall().surface(Vec2::new(11.0, 6.0));
        assert_eq!((end.point, end.distance), (Vec2::new(8.0, 2.0), 5.0));
        assert!(end.normal.distance(Vec2::new(0.6, 0.8)) < 1e-6);
        assert!(wall().contains(Vec2::new(3.0, 2.0)));
        assert!(!wall().contains(Vec2::new(3.0, 2.001)));
    }

    #[test]
    fn on_the_segment_the_normal_is_to_its_left() {
        for x in [0.0, 3.0, 8.0] {
            let on = wall().surface(Vec2::new(x, 2.0));
            assert_eq!((on.normal, on.distance), (Vec2::Y, 0.0));
        }
        let point = Shape::Segment { from: Vec2::ONE, to: Vec2::ONE };
        assert_eq!(point.surface(Vec2::ONE).normal, Vec2::X);
        assert_eq!(point.surface(Vec2::new(1.0, 3.0)).normal, Vec2::Y);
    }

    #[test]
    fn a_disc_hits_the_side_and_the_end() {
        assert_eq!(
            wall().cast(Vec2::new(3.0, -4.0), Vec2::Y, 100.0, 1.0),
            Some(Hit { distance: 5.0, point: Vec2::new(3.0, 2.0), normal: Vec2::NEG_Y })
        );
        // Head-on against the end.
        assert_eq!(
            wall().cast(Vec2::new(-5.0, 2.0), Vec2::X, 100.0, 1.0),
            Some(Hit { distance: 4.0, point: Vec2::new(0.0, 2.0), normal: Vec2::NEG_X })
        );
        // A disc with the radius 5 passes the end at a distance of 3: it stops 4 before.
        let hit = wall().cast(Vec2::new(11.0, 12.0), Vec2::NEG_Y, 100.0, 5.0).unwrap();
        assert_eq!((hit.distance, hit.point), (6.0, Vec2::new(8.0, 2.0)));
        assert!(hit.normal.distance(Vec2::new(0.6, 0.8)) < 1e-6);
    }

    #[test]
    fn a_disc_passes_beside_along_and_away() {
        for (from, direction) in [
            (Vec2::new(10.0, 9.0), Vec2::NEG_Y),
            (Vec2::new(-5.0, 4.0), Vec2::X),
            (Vec2::new(3.0, 4.0), Vec2::Y),
        ] {
            assert_eq!(wall().cast(from, direction, 100.0, 1.0), None);
        }
    }

    /// A disc that rests against a wall must not pass through it because of rounding.
    #[test]
    fn a_disc_at_rest_against_a_wall_does_not_slip_through() {
        // Coordinates are coarser the farther out they are.
        for (from, rounding) in [(Vec2::new(-3.1, 0.7), 1e-5), (Vec2::new(1e6, -1e6), 0.25)] {
            for i in 0..2000u32 {
                let along = math::direction(i as f32 * 0.01);
                let wall = Shape::Segment { from, to: from + along * 7.3 };
                let rest = from + along * 3.3 + math::perp(along) * 0.45;
                let hit = wall.cast(rest, -math::perp(along), 5.0, 0.45);
                assert!(hit.is_some_and(|hit| hit.distance < rounding), "{i}: {hit:?}");
            }
        }
    }
}
