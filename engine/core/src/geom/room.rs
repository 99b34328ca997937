//! Hollow boxes: everything outside is solid.

use super::{Hit, Surface, Sweep};
use crate::math::{self, Vec2};

/// Returns the nearest point of a room's walls; if several are equally near, that of the left, right, lower, then upper
/// wall. At a corner, the normal is midway between those of the two walls.
pub(super) fn surface((min, max): (Vec2, Vec2), point: Vec2) -> Surface {
    let inside = Vec2::new(
        math::min(math::max(point.x, min.x), max.x),
        math::min(math::max(point.y, min.y), max.y),
    );
    if inside != point {
        let offset = inside - point;
        return Surface {
            point: inside,
            normal: math::unit(offset),
            distance: -math::length(offset),
        };
    }
    let walls = [
        (point.x - min.x, Vec2::new(min.x, point.y), Vec2::X),
        (max.x - point.x, Vec2::new(max.x, point.y), Vec2::NEG_X),
        (point.y - min.y, Vec2::new(point.x, min.y), Vec2::Y),
        (max.y - point.y, Vec2::new(point.x, max.y), Vec2::NEG_Y),
    ];
    let mut best = walls[0];
    let mut touched = Vec2::ZERO;
    for wall in walls {
        if wall.0 < best.0 {
            best = wall;
        }
        if wall.0 <= 0.0 {
            touched += wall.2;
        }
    }
    let (distance, point, normal) = best;
    Surface {
        point,
        normal: if touched == Vec2::ZERO { normal } else { math::unit(touched) },
        distance,
    }
}

/// Returns the first touch of a wall by a disc that is inside and does not touch a wall yet.
pub(super) fn touch((min, max): (Vec2, Vec2), sweep: &Sweep) -> Option<Hit> {
    let (from, direction) = (sweep.from, sweep.direction);
    let across = wall_ahead(min.x, max.x, from.x, direction.x, sweep.radius);
    let up = wall_ahead(min.y, max.y, from.y, direction.y, sweep.radius);
    let distance = math::min(up, across);
    if distance > sweep.reach {
        return None;
    }
    let end = from + direction * distance;
    let (point, normal) = if across <= up {
        let x = if direction.x > 0.0 { max.x } else { min.x };
        let y = math::min(math::max(end.y, min.y), max.y);
        (Vec2::new(x, y), Vec2::new(-direction.x.signum(), 0.0))
    } else {
        let x = math::min(math::max(end.x, min.x), max.x);
        let y = if direction.y > 0.0 { max.y } else { min.y };
        (Vec2::new(x, y), Vec2::new(0.0, -direction.y.signum()))
    };
    Some(Hit { distance, point, normal })
}

/// Returns how far to move until the disc touches the wall ahead on one axis; infinite if it does not move on that
/// axis.
fn wall_ahead(min: f32, max: f32, from: f32, direction: f32, radius: f32) -> f32 {
    let gap = if direction > 0.0 {
        max - from - radius
    } else if direction < 0.0 {
        from - min - radius
    } else {
        return f32::INFINITY;
    };
    math::max(gap, 0.0) / direction.abs()
}

#[cfg(test)]
mod tests {
    use super::super::Shape;
    use super::*;

    fn room() -> Shape {
        Shape::Room { min: Vec2::new(-1.0, -2.0), max: Vec2::new(9.0, 4.0) }
    }

    #[test]
    fn inside_is_free_and_normals_point_inwards() {
        for (x, y, point, normal, distance) in [
            (0.0, 1.0, (-1.0, 1.0), Vec2::X, 1.0),
            (8.5, 1.0, (9.0, 1.0), Vec2::NEG_X, 0.5),
            (4.0, -1.0, (4.0, -2.0), Vec2::Y, 1.0),
            (4.0, 2.0, (4.0, 4.0), Vec2::NEG_Y, 2.0),
            (4.0, 6.0, (4.0, 4.0), Vec2::NEG_Y, -2.0),
            (-4.0, 1.0, (-1.0, 1.0), Vec2::X, -3.0),
            (-1.0, 1.0, (-1.0, 1.0), Vec2::X, 0.0),
            (9.0, 4.0, (9.0, 4.0), math::unit(Vec2::NEG_ONE), 0.0),
        ] {
            let expected = Surface { point: Vec2::from(point), normal, distance };
            assert_eq!(room().surface(Vec2::new(x, y)), expected, "{x}, {y}");
            assert_eq!(room().contains(Vec2::new(x, y)), distance <= 0.0);
        }
    }

    #[test]
    fn beyond_a_corner_the_way_back_is_slanted() {
        let seen = room().surface(Vec2::new(12.0, 8.0));
        assert_eq!((seen.point, seen.distance), (Vec2::new(9.0, 4.0), -5.0));
        assert!(seen.normal.distance(Vec2::new(-0.6, -0.8)) < 1e-6);
    }

    #[test]
    fn a_disc_hits_with_its_edge() {
        let hit = |x, y, direction, radius| {
            room()
                .cast(Vec2::new(x, y), direction, 100.0, radius)
                .map(|hit| (hit.distance, hit.point, hit.normal))
        };
        assert_eq!(hit(2.0, 0.0, Vec2::X, 1.0), Some((6.0, Vec2::new(9.0, 0.0), Vec2::NEG_X)));
        assert_eq!(hit(2.0, 0.0, Vec2::NEG_X, 1.0), Some((2.0, Vec2::new(-1.0, 0.0), Vec2::X)));
        assert_eq!(hit(2.0, 0.0, Vec2::Y, 1.0), Some((3.0, Vec2::new(2.0, 4.0), Vec2::NEG_Y)));
        assert_eq!(hit(2.0, 0.0, Vec2::NEG_Y, 1.0), Some((1.0, Vec2::new(2.0, -2.0), Vec2::Y)));
    }

    #[test]
    fn a_disc_outside_or_too_large_has_hit() {
        for (x, y, radius) in [(20.0, 0.0, 1.0), (4.0, 1.0, 3.0), (8.9, 0.0, 0.5)] {
            let at = Vec2::new(x, y);
            let hit = room().cast(at, Vec2::X, 100.0, radius).unwrap();
            let seen = room().surface(at);
            assert_eq!((hit.distance, hit.point, hit.normal), (0.0, seen.point, seen.normal));
        }
    }

    #[test]
    fn a_disc_short_of_the_wall_hits_nothing() {
        assert_eq!(room().cast(Vec2::new(2.0, 0.0), Vec2::X, 5.9, 1.0), None);
    }
}
