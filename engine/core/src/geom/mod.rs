//! Plain geometry: the nearest point of a shape's surface, whether a point is inside, when a moving disc first touches
//! it; when two moving discs meet; and points along a polyline.
//!
//! This module owns the shapes of obstacles and measurements on paths. It must not know agents or time, and queries must
//! not change or allocate anything. All lengths are in world units and all angles in radians. Where left and right
//! are named, y points up.
//!
//! Every query has a finite result for every finite input: coordinates and lengths beyond [`FAR`] count as [`FAR`],
//! negative lengths as 0. Results are exact except for rounding in `f32`, a few parts in 10^7 of the largest coordinate
//! involved. A query may or may not report a touch that is not deeper than that.

mod circle;
mod coarse_test;
mod encounter;
#[cfg(test)]
mod laws;
mod oriented_box;
mod polygon;
mod polyline;
mod room;
mod segment;

pub(crate) use coarse_test::CoarseTest;
pub(crate) use encounter::Course;
pub use encounter::{Approach, nearest_approach, time_to_touch};
pub use oriented_box::OrientedBox;
pub use polygon::Polygon;
pub use polyline::{OnPolyline, nearest_on_polyline, point_along, polyline_length};
pub use segment::nearest_on_segment;

use crate::math::{self, Vec2};

/// The largest coordinate or length, in world units. Larger ones count as this. Four times its square is far below the
/// maximum of `f32`.
pub const FAR: f32 = 1e15;

/// The shape of an obstacle: a solid part of the plane. The rest is free.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A disc. With the radius 0 it is a point.
    Circle {
        /// Its center, in world units.
        center: Vec2,
        /// Its radius, in world units.
        radius: f32,
    },
    /// A straight wall without thickness, and so without an inside. If both ends are the same, it is a point.
    Segment {
        /// One end. Left and right are as seen from here.
        from: Vec2,
        /// The other end.
        to: Vec2,
    },
    /// A solid polygon, which need not be convex.
    Polygon(Polygon),
    /// A solid box at any angle.
    Box(OrientedBox),
    /// A hollow box with sides along the axes: everything outside is solid. The two corners may be given in any
    /// order.
    Room {
        /// The corner with the smallest x and y.
        min: Vec2,
        /// The corner with the largest x and y.
        max: Vec2,
    },
}

/// The point of a shape's surface that is nearest to a query point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Surface {
    /// The point on the surface; the first in the shape's own order if several are equally near.
    pub point: Vec2,
    /// The unit vector there from the solid to the free side; for a segment, to the side of the query point.
    pub normal: Vec2,
    /// The distance from the query point to `point`, in world units; negative in the solid part.
    pub distance: f32,
}

/// The first touch of a moving disc.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// How far the disc has moved, in world units; 0 if it touched the shape from the start.
    pub distance: f32,
    /// The point on the surface that it touches.
    pub point: Vec2,
    /// The unit vector there from the solid to the free side.
    pub normal: Vec2,
}

impl Shape {
    /// Returns the nearest point of the surface.
    ///
    /// If the direction to that point does not determine the normal, the normal is: `+x` at the center of a circle, and
    /// on every shape that is a single point; the left perpendicular on a segment; that of the edge on an edge of a
    /// polygon, box or room; and midway between those of the two edges on a corner. For polygons and boxes, the same
    /// is true of points that are nearer than rounding.
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

    /// Returns the shape at another place, `by` from here in world units.
    pub fn moved(&self, by: Vec2) -> Self {
        if by == Vec2::ZERO {
            return self.clone();
        }
        match self {
            Self::Circle { center, radius } => {
                Self::Circle { center: *center + by, radius: *radius }
            }
            Self::Segment { from, to } => Self::Segment { from: *from + by, to: *to + by },
            Self::Polygon(polygon) => {
                Self::Polygon(Polygon::new(polygon.corners().iter().map(|&at| at + by).collect()))
            }
            Self::Box(it) => Self::Box(OrientedBox::along(it.center() + by, it.half(), it.axis())),
            Self::Room { min, max } => Self::Room { min: *min + by, max: *max + by },
        }
    }

    /// Returns the center of its bounds.
    pub fn center(&self) -> Vec2 {
        let (min, max) = self.bounds();
        (min + max) * 0.5
    }

    /// Returns the radius of a circle; for any other shape, half the diagonal of its bounds. World units.
    pub fn radius(&self) -> f32 {
        match self {
            Self::Circle { radius, .. } => *radius,
            _ => {
                let (min, max) = self.bounds();
                math::length(max - min) * 0.5
            }
        }
    }

    /// Returns whether a point is in the solid part or on the surface; for a segment, exactly on it.
    pub fn contains(&self, point: Vec2) -> bool {
        self.surface(point).distance <= 0.0
    }

    /// Returns the first touch of a disc of `radius` that moves from `from` along `direction`, at most as far as
    /// `reach`; `None` if it touches nothing.
    ///
    /// The length of `direction` does not matter. A disc that touches or overlaps the solid part at the start has a hit
    /// at the distance 0, whatever its direction, with the point and normal of [`Shape::surface`]. With a zero
    /// direction there is no other hit.
    pub fn cast(&self, from: Vec2, direction: Vec2, reach: f32, radius: f32) -> Option<Hit> {
        self.cast_disc(&Sweep::new(from, direction, reach, radius))
    }

    /// Does the same for a disc that is cast at several shapes.
    pub(crate) fn cast_disc(&self, sweep: &Sweep) -> Option<Hit> {
        if self.is_out_of_reach(sweep) { None } else { self.first_touch(sweep) }
    }

    fn first_touch(&self, sweep: &Sweep) -> Option<Hit> {
        let start = self.surface(sweep.from);
        if start.distance <= sweep.radius {
            return Some(Hit { distance: 0.0, point: start.point, normal: start.normal });
        }
        if sweep.direction == Vec2::ZERO {
            return None;
        }
        match self {
            Self::Circle { center, radius } => {
                circle::touch(clamped(*center), clamped_length(*radius), sweep)
            }
            Self::Segment { from, to } => segment::touch(clamped(*from), clamped(*to), sweep),
            Self::Polygon(polygon) => polygon::touch(polygon.corners(), sweep),
            Self::Box(oriented) => polygon::touch(&oriented.corners(), sweep),
            Self::Room { min, max } => room::touch(corners(&[*min, *max]), sweep),
        }
    }

    /// Returns whether the bounds of the shape are surely too far away for a touch. This is quick to compute.
    fn is_out_of_reach(&self, sweep: &Sweep) -> bool {
        let (min, max) = self.bounds();
        let reach = sweep.reach + sweep.radius;
        // Much more than rounding, which is a few parts in 10^7.
        let slack = 1e-4 * (reach + max_abs(sweep.from) + max_abs(min) + max_abs(max));
        let gap = (min - sweep.from).max(sweep.from - max);
        if let Self::Room { .. } = self {
            // The disc moves inside.
            return gap.cmplt(Vec2::splat(-(reach + slack))).all();
        }
        gap.cmpgt(Vec2::splat(reach + slack)).any()
    }

    /// Returns the smallest box with sides along the axes around the shape, as its smallest and largest corner; for a
    /// room it is the room itself, although the solid part is outside.
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

/// A moving disc. Its numbers are within limits, and `direction` has the length 1 or 0.
pub(crate) struct Sweep {
    from: Vec2,
    direction: Vec2,
    reach: f32,
    radius: f32,
}

impl Sweep {
    /// Returns a disc that moves from a point along a direction of any length.
    pub(crate) fn new(from: Vec2, direction: Vec2, reach: f32, radius: f32) -> Self {
        Self {
            from: clamped(from),
            direction: math::unit(direction),
            reach: math::min(math::max(reach, 0.0), LONGEST_SWEEP),
            radius: clamped_length(radius),
        }
    }
}

/// No two points of a world are farther apart than this, in world units.
const LONGEST_SWEEP: f32 = 4.0 * FAR;

/// Rounding of a point on an edge, or of a distance from it, as a fraction of the largest coordinate involved: that of
/// about eight operations.
const ROUNDING: f32 = 8.0 * f32::EPSILON;

/// Limits both coordinates to [`FAR`].
fn clamped(v: Vec2) -> Vec2 {
    let clamp = |x| math::min(math::max(x, -FAR), FAR);
    Vec2::new(clamp(v.x), clamp(v.y))
}

/// Limits a length to the range from 0 to [`FAR`].
fn clamped_length(x: f32) -> f32 {
    math::min(math::max(x, 0.0), FAR)
}

/// Returns the larger absolute value of the two coordinates.
fn max_abs(v: Vec2) -> f32 {
    math::max(v.x.abs(), v.y.abs())
}

/// Returns the smallest and largest corner of the bounds of points; zero if there are none.
fn corners(points: &[Vec2]) -> (Vec2, Vec2) {
    let first = points.first().copied().map_or(Vec2::ZERO, clamped);
    points.iter().map(|&p| clamped(p)).fold((first, first), |(low, high), p| {
        (
            Vec2::new(math::min(p.x, low.x), math::min(p.y, low.y)),
            Vec2::new(math::max(p.x, high.x), math::max(p.y, high.y)),
        )
    })
}

/// Returns the earlier of two hits, the first one if they are equal.
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
    fn a_disc_without_direction_hits_nothing_new() {
        assert_eq!(wall().cast(Vec2::ZERO, Vec2::ZERO, 10.0, 1.0), None);
    }

    #[test]
    fn reach_ends_the_cast_and_includes_its_end() {
        assert!(wall().cast(Vec2::ZERO, Vec2::X, 4.0, 1.0).is_some());
        assert_eq!(wall().cast(Vec2::ZERO, Vec2::X, 3.999, 1.0), None);
        assert_eq!(wall().cast(Vec2::ZERO, Vec2::X, -1.0, 1.0), None);
    }

    #[test]
    fn the_length_of_a_direction_does_not_matter() {
        assert_eq!(
            wall().cast(Vec2::ZERO, Vec2::new(1e20, 0.0), 9.0, 1.0),
            wall().cast(Vec2::ZERO, Vec2::X, 9.0, 1.0)
        );
    }

    #[test]
    fn bounds_are_the_smallest_box() {
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
