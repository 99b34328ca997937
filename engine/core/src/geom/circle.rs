//! Discs, and points as discs of radius 0.

use super::{Hit, Surface, Sweep};
use crate::math::{self, Vec2};

/// Returns the nearest point of a circle; the one to the right if the query is at its center.
pub(super) fn surface(center: Vec2, radius: f32, point: Vec2) -> Surface {
    let offset = point - center;
    let normal = if offset == Vec2::ZERO { Vec2::X } else { math::unit(offset) };
    Surface { point: center + normal * radius, normal, distance: math::length(offset) - radius }
}

/// Returns the first touch of a circle by a disc that does not touch it yet.
pub(super) fn touch(center: Vec2, radius: f32, sweep: &Sweep) -> Option<Hit> {
    // In the frame of the movement, the center is `ahead` along it and `aside` to its left.
    let left = math::perp(sweep.direction);
    let offset = center - sweep.from;
    let (ahead, aside) = (offset.dot(sweep.direction), offset.dot(left));
    let reach = radius + sweep.radius;
    let squared = (reach - aside) * (reach + aside);
    if ahead <= 0.0 || squared < 0.0 {
        return None;
    }
    let back = math::sqrt(squared);
    let distance = math::max(ahead - back, 0.0);
    if distance > sweep.reach {
        return None;
    }
    let out = -(sweep.direction * back + left * aside);
    let normal = if out == Vec2::ZERO { -sweep.direction } else { math::unit(out) };
    Some(Hit { distance, point: center + normal * radius, normal })
}

#[cfg(test)]
mod tests {
    use super::super::{Hit, Shape, Surface};
    use crate::math::Vec2;

    fn circle(x: f32, y: f32, radius: f32) -> Shape {
        Shape::Circle { center: Vec2::new(x, y), radius }
    }

    #[test]
    fn surface_from_outside_inside_and_the_center() {
        let shape = circle(1.0, 1.0, 2.0);
        assert_eq!(
            shape.surface(Vec2::new(1.0, 6.0)),
            Surface { point: Vec2::new(1.0, 3.0), normal: Vec2::Y, distance: 3.0 }
        );
        assert_eq!(
            shape.surface(Vec2::new(0.0, 1.0)),
            Surface { point: Vec2::new(-1.0, 1.0), normal: Vec2::NEG_X, distance: -1.0 }
        );
        assert_eq!(
            shape.surface(Vec2::ONE),
            Surface { point: Vec2::new(3.0, 1.0), normal: Vec2::X, distance: -2.0 }
        );
        assert!(shape.contains(Vec2::new(3.0, 1.0)));
        assert!(!shape.contains(Vec2::new(3.001, 1.0)));
    }

    #[test]
    fn a_disc_is_stopped_a_radius_before() {
        assert_eq!(
            circle(10.0, 0.0, 2.0).cast(Vec2::ZERO, Vec2::X, 100.0, 1.0),
            Some(Hit { distance: 7.0, point: Vec2::new(8.0, 0.0), normal: Vec2::NEG_X })
        );
        // The radii add up to 5 and the disc passes the center at a distance of 3: it stops 4 before.
        let hit = circle(10.0, 3.0, 4.0).cast(Vec2::ZERO, Vec2::X, 100.0, 1.0).unwrap();
        assert_eq!(hit.distance, 6.0);
        assert!(hit.normal.distance(Vec2::new(-0.8, -0.6)) < 1e-6);
        assert!(hit.point.distance(Vec2::new(6.8, 0.6)) < 1e-6);
    }

    #[test]
    fn a_disc_passes_beside_and_away() {
        let shape = circle(10.0, 3.0, 1.0);
        assert_eq!(shape.cast(Vec2::ZERO, Vec2::X, 100.0, 1.5), None);
        assert_eq!(shape.cast(Vec2::ZERO, Vec2::NEG_X, 100.0, 1.5), None);
    }

    #[test]
    fn a_ray_meets_a_point() {
        assert_eq!(
            circle(4.0, 0.0, 0.0).cast(Vec2::ZERO, Vec2::X, 100.0, 0.0),
            Some(Hit { distance: 4.0, point: Vec2::new(4.0, 0.0), normal: Vec2::NEG_X })
        );
    }
}
