//! Areas: polygons with holes, their unions and differences, and well-known text (WKT).
//!
//! Coordinates are in double precision, since other programs write them so. This module must not know scenarios.

mod crossings;
mod read_wkt;
mod write_wkt;

use i_overlay::core::fill_rule::FillRule;
use i_overlay::core::overlay_rule::OverlayRule;
use i_overlay::float::simplify::SimplifyShape;
use i_overlay::float::single::SingleFloatOverlay;
use i_overlay::float::slice::FloatSlice;

pub(crate) use crossings::{Tangle, check_cuts};
pub(crate) use read_wkt::{MAX_CUTS, MAX_POINTS, read_wkt};
pub(crate) use write_wkt::write_wkt;

/// A point, or an offset between two.
pub(crate) type Point = [f64; 2];

/// The corners of a polygon. The last edge leads back to the first corner, which is not repeated.
pub(crate) type Ring = Vec<Point>;

/// Polygons that do not overlap. The first ring of each is its border, counter-clockwise; the others are its holes,
/// clockwise.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Area(pub(crate) Vec<Vec<Ring>>);

impl Area {
    /// Makes the area that one ring surrounds, in any direction.
    pub(crate) fn of_ring(ring: Ring) -> Self {
        Self::normalized(ring.simplify_shape_as::<i64>(FillRule::EvenOdd))
    }

    /// Makes the area of a box with sides along the axes.
    pub(crate) fn of_box(min: Point, max: Point) -> Self {
        Self::of_ring(vec![min, [max[0], min[1]], max, [min[0], max[1]]])
    }

    /// Makes an area whose rings begin with their leftmost corner, the lowest of several.
    fn normalized(mut polygons: Vec<Vec<Ring>>) -> Self {
        for ring in polygons.iter_mut().flatten() {
            let first = (0..ring.len()).min_by(|a, b| {
                let ([ax, ay], [bx, by]) = (ring[*a], ring[*b]);
                ax.total_cmp(&bx).then(ay.total_cmp(&by))
            });
            ring.rotate_left(first.unwrap_or_default());
        }
        Self(polygons)
    }

    /// Returns whether it has no polygons.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Makes the area that belongs to any of some areas. This is much quicker than to add one after the other.
    pub(crate) fn union(all: impl IntoIterator<Item = Self>) -> Self {
        let polygons: Vec<Vec<Ring>> = all.into_iter().flat_map(|area| area.0).collect();
        Self::normalized(polygons.simplify_shape_as::<i64>(FillRule::NonZero))
    }

    /// Returns the area without another.
    pub(crate) fn without(&self, other: &Self) -> Self {
        self.combined(other, OverlayRule::Difference)
    }

    /// Returns the area that belongs to both of two.
    pub(crate) fn common_with(&self, other: &Self) -> Self {
        self.combined(other, OverlayRule::Intersect)
    }

    fn combined(&self, other: &Self, rule: OverlayRule) -> Self {
        Self::normalized(self.0.overlay_as::<i64>(&other.0, rule, FillRule::NonZero))
    }

    /// Returns the area cut along lines. A line that does not separate two parts changes nothing.
    pub(crate) fn cut_along(&self, lines: &[[Point; 2]]) -> Self {
        if lines.is_empty() || self.is_empty() {
            return self.clone();
        }
        let lines: Vec<Ring> = lines.iter().map(|line| line.to_vec()).collect();
        Self::normalized(self.0.slice_by_as::<i64>(&lines, FillRule::NonZero))
    }

    /// Returns the smallest box around it, as its smallest and its largest corner; `None` if it is empty.
    pub(crate) fn bounds(&self) -> Option<(Point, Point)> {
        let corners = self.0.iter().flatten().flatten();
        bounds(corners.copied())
    }
}

/// Returns the smallest box around points, as its smallest and its largest corner; `None` without points.
pub(crate) fn bounds(points: impl IntoIterator<Item = Point>) -> Option<(Point, Point)> {
    let boxes = points.into_iter().map(|point| (point, point));
    boxes.reduce(|(min, max), (point, _)| {
        (
            [least(min[0], point[0]), least(min[1], point[1])],
            [most(max[0], point[0]), most(max[1], point[1])],
        )
    })
}

/// Returns the lower of two numbers, the first of two zeros.
pub(crate) fn least(a: f64, b: f64) -> f64 {
    if b < a { b } else { a }
}

/// Returns the higher of two numbers, the first of two zeros.
pub(crate) fn most(a: f64, b: f64) -> f64 {
    if b > a { b } else { a }
}

/// Returns whether a point is inside a polygon with holes. On an edge, it may be either.
pub(crate) fn contains(polygon: &[Ring], point: Point) -> bool {
    let edges = polygon.iter().flat_map(|ring| edges(ring));
    // The edges to the right of the point, each with its lower end and without its upper end.
    let right = edges.filter(|[from, to]| {
        (from[1] > point[1]) != (to[1] > point[1]) && {
            let share = (point[1] - from[1]) / (to[1] - from[1]);
            from[0] + share * (to[0] - from[0]) > point[0]
        }
    });
    right.count() % 2 == 1
}

/// Returns the distance from a point to the nearest edge of a polygon.
pub(crate) fn distance_to_edge(polygon: &[Ring], point: Point) -> f64 {
    let distances = polygon.iter().flat_map(|ring| edges(ring)).map(|[from, to]| {
        let along = [to[0] - from[0], to[1] - from[1]];
        let offset = [point[0] - from[0], point[1] - from[1]];
        let squared = along[0] * along[0] + along[1] * along[1];
        let share = (offset[0] * along[0] + offset[1] * along[1]) / squared;
        let share = if squared > 0.0 { share.clamp(0.0, 1.0) } else { 0.0 };
        let rest = [offset[0] - share * along[0], offset[1] - share * along[1]];
        (rest[0] * rest[0] + rest[1] * rest[1]).sqrt()
    });
    distances.fold(f64::INFINITY, least)
}

/// Returns the edges of a ring. The last one leads back to the first corner.
pub(crate) fn edges(ring: &[Point]) -> impl Iterator<Item = [Point; 2]> {
    let ends = ring.iter().cycle().skip(1);
    ring.iter().zip(ends).map(|(from, to)| [*from, *to])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(area: &Area) -> f64 {
        let doubled = area.0.iter().flatten().flat_map(|ring| edges(ring));
        doubled.map(|[a, b]| a[0] * b[1] - a[1] * b[0]).sum::<f64>() / 2.0
    }

    #[test]
    fn unions_and_differences_have_the_size_they_should_have() {
        let big = Area::of_box([0.0, 0.0], [4.0, 4.0]);
        let small = Area::of_box([1.0, 1.0], [2.0, 2.0]);
        let beside = Area::of_box([4.0, 0.0], [6.0, 4.0]);
        let hole = big.without(&small);
        assert_eq!((size(&hole), hole.0.len(), hole.0[0].len()), (15.0, 1, 2));
        assert_eq!(hole.bounds(), Some(([0.0, 0.0], [4.0, 4.0])));
        // Polygons that share an edge become one, without the edge.
        let both = Area::union([big.clone(), beside]);
        assert_eq!((size(&both), both.0.len(), both.0[0][0].len()), (24.0, 1, 4));
        assert_eq!(size(&big.common_with(&small)), 1.0);
        assert!(small.without(&big).is_empty());
        let clockwise = Area::of_ring(vec![[0.0, 0.0], [0.0, 1.0], [1.0, 1.0], [1.0, 0.0]]);
        assert_eq!(size(&clockwise), 1.0, "the border is turned");
    }

    #[test]
    fn lines_cut_an_area_only_if_they_separate_it() {
        let area = Area::of_box([0.0, 0.0], [4.0, 4.0]);
        assert_eq!(area.cut_along(&[[[2.0, -1.0], [2.0, 5.0]]]).0.len(), 2);
        let across = area.cut_along(&[[[2.0, -1.0], [2.0, 3.0]]]);
        assert_eq!((size(&across), across.0.len()), (16.0, 1), "a wall that leaves a gap");
        let ring = [[1.0, 1.0], [3.0, 1.0], [3.0, 3.0], [1.0, 3.0]];
        let walls: Vec<_> = edges(&ring).collect();
        let parts = area.cut_along(&walls);
        assert_eq!(parts.0.len(), 2, "inside and outside of a ring of walls");
        assert_eq!(size(&parts), 16.0);
    }

    #[test]
    fn points_are_inside_or_outside() {
        let area = Area::of_box([0.0, 0.0], [4.0, 4.0]);
        let area = area.without(&Area::of_box([1.0, 1.0], [2.0, 2.0]));
        let polygon = &area.0[0];
        for (point, inside, distance) in [
            ([0.5, 0.5], true, 0.5),
            ([1.5, 1.5], false, 0.5),
            ([3.0, 3.0], true, 1.0),
            ([7.0, 8.0], false, 5.0),
        ] {
            assert_eq!(contains(polygon, point), inside, "{point:?}");
            assert_eq!(distance_to_edge(polygon, point), distance, "{point:?}");
        }
    }
}
