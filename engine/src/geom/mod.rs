//! Plain geometry: where a shape's surface is nearest, whether a point is in it, when a moving disc
//! first touches it; when two moving discs meet; and places along a line of points.
//!
//! Owns the shapes of obstacles and the measures on paths. Knows no agents and no time, changes
//! nothing, allocates nothing in a query. All lengths are in world units, all angles in radians, y
//! points up where left and right are named.
//!
//! Every query has a result for every finite input, without NaN or infinity: coordinates and lengths
//! beyond [`FAR`] are taken as [`FAR`], negative lengths as 0. Results are exact up to rounding in
//! `f32`, a few parts in 10^7 of the largest coordinate involved. A touch that is not deeper than
//! that may or may not be seen.

mod circle;
mod encounter;
#[cfg(test)]
mod laws;
mod oriented_box;
mod polygon;
mod polyline;
mod room;
mod segment;

pub use encounter::{Approach, nearest_approach, time_to_touch};
pub use oriented_box::OrientedBox;
pub use polygon::Polygon;
pub use polyline::{OnPolyline, nearest_on_polyline, point_along, polyline_length};
pub use segment::nearest_on_segment;

use crate::math::{self, Vec2};

/// The largest coordinate or length there is: larger ones are taken as this, in world units. Products
/// of four times this and itself are far from the end of `f32`.
pub const FAR: f32 = 1e15;

/// What stands in the way: a part of the plane that is solid, the rest is free.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A disc; one with the radius 0 is a point.
    Circle {
        /// Its center.
        center: Vec2,
        /// Its radius, in world units.
        radius: f32,
    },
    /// A straight wall without thickness, and so without an inside; a point where both ends are the
    /// same.
    Segment {
        /// One end; left and right are as seen from here.
        from: Vec2,
        /// The other end.
        to: Vec2,
    },
    /// A solid polygon, which may have dents.
    Polygon(Polygon),
    /// A solid box at any angle.
    Box(OrientedBox),
    /// A hollow box with its sides along the axes: everything outside it is solid. Corners given the
    /// wrong way round are put right.
    Room {
        /// The corner with the least x and y.
        min: Vec2,
        /// The corner with the greatest x and y.
        max: Vec2,
    },
}

/// The nearest place of a shape's surface, seen from a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Surface {
    /// The place on the surface; the first in the shape's own order where several are as near.
    pub point: Vec2,
    /// The unit vector there from the solid to the free side; for a segment, to the side the query
    /// came from.
    pub normal: Vec2,
    /// From the query to `point`, in world units; negative in the solid part.
    pub distance: f32,
}

/// The first touch of a moving disc.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// How far the disc has moved, in world units; 0 where it touched from the start.
    pub distance: f32,
    /// The place on the surface that it touches.
    pub point: Vec2,
    /// The unit vector there from the solid to the free side.
    pub normal: Vec2,
}

impl Shape {
    /// The nearest place of the surface.
    ///
    /// Where the direction to it says nothing, the normal is: `+x` at the center of a circle and on
    /// anything that is a mere point; the left perpendicular on a segment; the edge's own on the edge
    /// of a polygon, box or room, and midway between two edges on their corner. For polygons and boxes
    /// the same holds for points nearer than rounding.
    pub fn surface(&self, point: Vec2) -> Surface {
        let point = clamped(point);
        match self {
            Self::Circle { center, radius } => {
                circle::surface(clamped(*center), clamped_length(*radius), point)
            }
            Self::Segment { from, to } => segment::surface(clamped(*from), clamped(*to), point),
            Self::Polygon(polygon) => polygon::surface(polygon.corners(), point),
            Self::Box(oriented) => polygon::surface(&oriented.corners(), point),
            Self::Room { min, max } => room::surface(corners(&[*min, *max]), point),
        }
    }

    /// The middle of its bounds.
    pub fn center(&self) -> Vec2 {
        let (min, max) = self.bounds();
        (min + max) * 0.5
    }

    /// The radius of a circle; of anything else half the diagonal of its bounds.
    pub fn radius(&self) -> f32 {
        match self {
            Self::Circle { radius, .. } => *radius,
            _ => {
                let (min, max) = self.bounds();
                math::length(max - min) * 0.5
            }
        }
    }

    /// Whether a point is in the solid part or on its surface; for a segment, exactly on it.
    pub fn contains(&self, point: Vec2) -> bool {
        self.surface(point).distance <= 0.0
    }

    /// The first touch of a disc of `radius` that moves from `from` along `direction`, no farther than
    /// `reach`; `None` where it touches nothing.
    ///
    /// `direction` counts by its angle only. A disc that touches or overlaps the solid part at the
    /// start has hit at the distance 0, wherever it moves, with the place and normal of
    /// [`Shape::surface`]; with the direction zero nothing else is a hit.
    pub fn cast(&self, from: Vec2, direction: Vec2, reach: f32, radius: f32) -> Option<Hit> {
        let sweep = Sweep {
            from: clamped(from),
            direction: math::unit(direction),
            reach: math::min(math::max(reach, 0.0), LONGEST_SWEEP),
            radius: clamped_length(radius),
        };
        let start = self.surface(sweep.from);
        if start.distance <= sweep.radius {
            return Some(Hit { distance: 0.0, point: start.point, normal: start.normal });
        }
        if sweep.direction == Vec2::ZERO {
            return None;
        }
        match self {
            Self::Circle { center, radius } => {
                circle::touch(clamped(*center), clamped_length(*radius), &sweep)
            }
            Self::Segment { from, to } => segment::touch(clamped(*from), clamped(*to), &sweep),
            Self::Polygon(polygon) => polygon::touch(polygon.corners(), &sweep),
            Self::Box(oriented) => polygon::touch(&oriented.corners(), &sweep),
            Self::Room { min, max } => room::touch(corners(&[*min, *max]), &sweep),
        }
    }

    /// The least box with sides along the axes around the shape, as its least and greatest corner; for
    /// a room the room itself, though what is solid is outside.
    pub fn bounds(&self) -> (Vec2, Vec2) {
        match self {
            Self::Circle { center, radius } => {
                let (center, reach) = (clamped(*center), Vec2::splat(clamped_length(*radius)));
                (center - reach, center + reach)
            }
            Self::Segment { from, to } => corners(&[*from, *to]),
            Self::Polygon(polygon) => corners(polygon.corners()),
            Self::Box(oriented) => corners(&oriented.corners()),
            Self::Room { min, max } => corners(&[*min, *max]),
        }
    }
}

/// A moving disc, its numbers within limits: `direction` has the length 1, or 0; nothing else is
/// touched at the start.
struct Sweep {
    from: Vec2,
    direction: Vec2,
    reach: f32,
    radius: f32,
}

/// No two places of the world are farther apart than this, in world units.
const LONGEST_SWEEP: f32 = 4.0 * FAR;

/// Rounding of a place on an edge or a distance from it, as a part of the largest coordinate involved:
/// that of about eight operations.
const ROUNDING: f32 = 8.0 * f32::EPSILON;

fn clamped(v: Vec2) -> Vec2 {
    let clamped = |x| math::min(math::max(x, -FAR), FAR);
    Vec2::new(clamped(v.x), clamped(v.y))
}

fn clamped_length(x: f32) -> f32 {
    math::min(math::max(x, 0.0), FAR)
}

/// The larger of the two coordinates, without signs.
fn max_abs(v: Vec2) -> f32 {
    math::max(v.x.abs(), v.y.abs())
}

/// The least and greatest corner around points; zero around none.
fn corners(points: &[Vec2]) -> (Vec2, Vec2) {
    let first = points.first().copied().map_or(Vec2::ZERO, clamped);
    points.iter().map(|&p| clamped(p)).fold((first, first), |(low, high), p| {
        (
            Vec2::new(math::min(p.x, low.x), math::min(p.y, low.y)),
            Vec2::new(math::max(p.x, high.x), math::max(p.y, high.y)),
        )
    })
}

/// The earlier of two hits, the first where they are equal.
fn earlier(a: Option<Hit>, b: Option<Hit>) -> Option<Hit> {
    match (a, b) {
        (Some(a), Some(b)) if b.distance < a.distance => Some(b),
        (Some(a), _) => Some(a),
        (None, b) => b,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wall() -> Shape {
        Shape::Segment { from: Vec2::new(5.0, -1.0), to: Vec2::new(5.0, 1.0) }
    }

    #[test]
    fn overlap_at_the_start_is_a_hit_wherever_the_disc_moves() {
        for direction in [Vec2::X, Vec2::NEG_X, Vec2::Y, Vec2::ZERO] {
            let hit = wall().cast(Vec2::new(4.5, 0.0), direction, 10.0, 1.0);
            assert_eq!(
                hit,
                Some(Hit { distance: 0.0, point: Vec2::new(5.0, 0.0), normal: Vec2::NEG_X })
            );
        }
    }

    #[test]
    fn without_direction_nothing_comes_nearer() {
        assert_eq!(wall().cast(Vec2::ZERO, Vec2::ZERO, 10.0, 1.0), None);
    }

    #[test]
    fn reach_ends_the_cast_and_includes_its_end() {
        assert!(wall().cast(Vec2::ZERO, Vec2::X, 4.0, 1.0).is_some());
        assert_eq!(wall().cast(Vec2::ZERO, Vec2::X, 3.999, 1.0), None);
        assert_eq!(wall().cast(Vec2::ZERO, Vec2::X, -1.0, 1.0), None);
    }

    #[test]
    fn a_direction_counts_by_its_angle_only() {
        assert_eq!(
            wall().cast(Vec2::ZERO, Vec2::new(1e20, 0.0), 9.0, 1.0),
            wall().cast(Vec2::ZERO, Vec2::X, 9.0, 1.0)
        );
    }

    #[test]
    fn bounds_are_the_least_box() {
        let circle = Shape::Circle { center: Vec2::new(1.0, 2.0), radius: 3.0 };
        assert_eq!(circle.bounds(), (Vec2::new(-2.0, -1.0), Vec2::new(4.0, 5.0)));
        assert_eq!(wall().bounds(), (Vec2::new(5.0, -1.0), Vec2::new(5.0, 1.0)));
        let oriented = Shape::Box(OrientedBox::new(Vec2::ONE, Vec2::new(2.0, 1.0), 0.0));
        assert_eq!(oriented.bounds(), (Vec2::new(-1.0, 0.0), Vec2::new(3.0, 2.0)));
        let room = Shape::Room { min: Vec2::new(4.0, 0.0), max: Vec2::new(0.0, 3.0) };
        assert_eq!(room.bounds(), (Vec2::ZERO, Vec2::new(4.0, 3.0)));
        let polygon = Shape::Polygon(Polygon::new(vec![
            Vec2::new(0.0, 1.0),
            Vec2::new(-2.0, 5.0),
            Vec2::new(3.0, 2.0),
        ]));
        assert_eq!(polygon.bounds(), (Vec2::new(-2.0, 1.0), Vec2::new(3.0, 5.0)));
    }
}
