//! Solid polygons, which need not be convex.

use super::segment::{nearest, touch_side};
use super::{Hit, ROUNDING, Surface, Sweep, circle, clamped, earlier, max_abs};
use crate::math::{self, Vec2};

/// A polygon whose corners go counter-clockwise and whose edges do not cross.
#[derive(Clone, Debug, PartialEq)]
pub struct Polygon {
    corners: Vec<Vec2>,
}

impl Polygon {
    /// Makes a polygon from its corners, clockwise or counter-clockwise; the first one stays the first. Corners equal
    /// to the one before are omitted.
    ///
    /// Two corners, or corners on one line, make a wall without an inside; one corner makes a point, and no corner makes
    /// a point at the origin. If edges cross, areas that they surround an even number of times are free.
    pub fn new(mut corners: Vec<Vec2>) -> Self {
        for corner in &mut corners {
            *corner = clamped(*corner);
        }
        corners.dedup();
        while corners.len() > 1 && corners.last() == corners.first() {
            corners.pop();
        }
        if doubled_area(&corners) < 0.0 {
            corners[1..].reverse();
        }
        if corners.is_empty() {
            corners.push(Vec2::ZERO);
        }
        Self { corners }
    }

    /// Makes a polygon that encloses an area.
    ///
    /// # Errors
    ///
    /// What is wrong with the corners.
    pub fn with_area(corners: Vec<Vec2>) -> Result<Self, &'static str> {
        if corners.len() < 3 {
            return Err("a polygon needs at least three corners");
        }
        if !has_area(&corners) {
            return Err(
                "a polygon must enclose an area: its corners lie on one line, or its edges cross",
            );
        }
        Ok(Self::new(corners))
    }

    /// Returns its corners, counter-clockwise; at least one.
    pub fn corners(&self) -> &[Vec2] {
        &self.corners
    }
}

/// Returns twice the area of a polygon, negative if its corners are clockwise.
fn doubled_area(corners: &[Vec2]) -> f32 {
    let mut sum = 0.0;
    if let Some(&first) = corners.first() {
        for pair in corners.windows(2) {
            sum += (pair[0] - first).perp_dot(pair[1] - first);
        }
    }
    sum
}

/// Returns the edges between corners as (start, end). The last edge leads back to the first corner.
fn edges(corners: &[Vec2]) -> impl Iterator<Item = (Vec2, Vec2)> {
    let ends = corners.iter().cycle().skip(1);
    corners.iter().copied().zip(ends.copied())
}

/// Returns the nearest point of a polygon. Its corners are counter-clockwise, and there is at least one.
pub(super) fn surface(corners: &[Vec2], point: Vec2) -> Surface {
    let mut inside = false;
    let mut best = (f32::INFINITY, Vec2::ZERO, 0, 0.0);
    for (i, (from, to)) in edges(corners).enumerate() {
        // Count the edges to the right of the point, each with its lower end and without its upper end.
        if (from.y > point.y) != (to.y > point.y) {
            let turn = (to - from).perp_dot(point - from);
            inside ^= if to.y > from.y { turn > 0.0 } else { turn < 0.0 };
        }
        let (near, t) = nearest(from, to, point);
        let squared = point.distance_squared(near);
        if squared < best.0 {
            best = (squared, near, i, t);
        }
    }
    let (_, near, edge, t) = best;
    let offset = point - near;
    let far = math::length(offset);
    let side = if inside { -1.0 } else { 1.0 };
    let n = corners.len();
    // Nearer than this, the direction and the side are only rounding errors of this edge or an adjacent one.
    let scale = [n - 1, 0, 1, 2]
        .iter()
        .map(|step| max_abs(corners[(edge + step) % n]))
        .fold(max_abs(point), math::max);
    let blurred = far <= ROUNDING * scale;
    let normal = if t > 0.0 && t < 1.0 {
        let normal = outward(corners[edge], corners[(edge + 1) % n]);
        // Both sides of a thin polygon may be equally near, and the one that was found may face away.
        if !blurred && side * normal.dot(offset) < 0.0 { -normal } else { normal }
    } else if blurred {
        corner_normal(corners, if t >= 1.0 { (edge + 1) % n } else { edge })
    } else {
        math::unit(offset) * side
    };
    Surface { point: near, normal, distance: side * far }
}

/// Returns the unit vector out of an edge; zero for an edge without length.
fn outward(from: Vec2, to: Vec2) -> Vec2 {
    -math::perp(math::unit(to - from))
}

/// Returns the unit vector out of a corner, midway between those of its two edges; `+x` for a single point.
fn corner_normal(corners: &[Vec2], corner: usize) -> Vec2 {
    let n = corners.len();
    let here = corners[corner];
    let before = math::unit(here - corners[(corner + n - 1) % n]);
    let after = math::unit(corners[(corner + 1) % n] - here);
    // The sum of the normals is the sum of the directions, turned. At a sharp corner it is almost zero, and the
    // difference of the directions points the same way (in a dent, the opposite way).
    let middle = if before.dot(after) >= 0.0 {
        -math::perp(before + after)
    } else if before.perp_dot(after) >= 0.0 {
        before - after
    } else {
        after - before
    };
    if middle == Vec2::ZERO { Vec2::X } else { math::unit(middle) }
}

/// Returns the first touch of a polygon by a disc that does not touch it yet.
pub(super) fn touch(corners: &[Vec2], sweep: &Sweep) -> Option<Hit> {
    edges(corners).fold(None, |first, (from, to)| {
        let first = earlier(first, touch_side(from, to, sweep));
        earlier(first, circle::touch(from, 0.0, sweep))
    })
}

/// Returns whether the corners enclose an area that is larger than the rounding errors of their coordinates.
fn has_area(corners: &[Vec2]) -> bool {
    let first = corners[0];
    let (mut doubled, mut extent, mut largest) = (0.0f64, 0.0f32, 0.0f32);
    for pair in corners.windows(2) {
        let (a, b) = (pair[0] - first, pair[1] - first);
        doubled += f64::from(a.x) * f64::from(b.y) - f64::from(a.y) * f64::from(b.x);
    }
    for corner in corners {
        let off = (*corner - first).abs();
        extent = math::max(extent, math::max(off.x, off.y));
        largest = math::max(largest, math::max(corner.x.abs(), corner.y.abs()));
    }
    doubled.abs() > f64::from(f32::EPSILON) * f64::from(extent) * f64::from(largest)
}

#[cfg(test)]
mod tests {
    use super::super::Shape;
    use super::*;

    /// An L shape: a square with the side 4, without its upper right quarter. Its dent is at (2, 2).
    fn bracket() -> Vec<Vec2> {
        [(0.0, 0.0), (4.0, 0.0), (4.0, 2.0), (2.0, 2.0), (2.0, 4.0), (0.0, 4.0)]
            .map(Vec2::from)
            .to_vec()
    }

    fn shape() -> Shape {
        Shape::Polygon(Polygon::new(bracket()))
    }

    #[test]
    fn either_winding_and_repeated_corners_make_the_same_polygon() {
        let mut other = bracket();
        other[1..].reverse();
        assert_eq!(Polygon::new(other.clone()), Polygon::new(bracket()));
        other.insert(2, other[2]);
        other.push(other[0]);
        assert_eq!(Polygon::new(other), Polygon::new(bracket()));
    }

    #[test]
    fn surface_from_outside_inside_and_the_dent() {
        assert_eq!(
            shape().surface(Vec2::new(1.0, -3.0)),
            Surface { point: Vec2::new(1.0, 0.0), normal: Vec2::NEG_Y, distance: 3.0 }
        );
        assert_eq!(
            shape().surface(Vec2::new(3.5, 2.25)),
            Surface { point: Vec2::new(3.5, 2.0), normal: Vec2::Y, distance: 0.25 }
        );
        assert_eq!(
            shape().surface(Vec2::new(0.5, 3.0)),
            Surface { point: Vec2::new(0.0, 3.0), normal: Vec2::NEG_X, distance: -0.5 }
        );
        // Inside, the dent is nearest, and the way out leads toward it.
        let seen = shape().surface(Vec2::new(1.4, 1.2));
        assert_eq!(seen.point, Vec2::new(2.0, 2.0));
        assert!((seen.distance + 1.0).abs() < 1e-6);
        assert!(seen.normal.distance(Vec2::new(0.6, 0.8)) < 1e-6);
    }

    #[test]
    fn on_a_corner_the_normal_is_midway() {
        let diagonal = Vec2::splat(math::sqrt(0.5));
        for (corner, normal) in [
            (Vec2::ZERO, -diagonal),
            (Vec2::new(2.0, 2.0), diagonal),
            (Vec2::new(4.0, 2.0), diagonal),
        ] {
            let seen = shape().surface(corner);
            assert_eq!((seen.point, seen.distance), (corner, 0.0));
            assert!(seen.normal.distance(normal) < 1e-6, "{corner}: {seen:?}");
        }
        let thorn =
            Polygon::new(vec![Vec2::new(0.0, 1.0), Vec2::new(0.0, -1.0), Vec2::new(1e6, 0.0)]);
        let tip = Shape::Polygon(thorn).surface(Vec2::new(1e6, 0.0));
        assert!(tip.normal.distance(Vec2::X) < 1e-5, "{tip:?}");
    }

    #[test]
    fn contains_points_inside_and_on_the_surface() {
        for (x, y) in [(1.0, 1.0), (3.9, 1.9), (0.1, 3.9), (4.0, 1.0), (2.0, 3.0)] {
            assert!(shape().contains(Vec2::new(x, y)), "{x}, {y}");
        }
        // The last four are at the height of corners, where counting edges may go wrong.
        for (x, y) in [(2.1, 2.1), (5.0, 1.0), (-1.0, 0.0), (-1.0, 2.0), (-1.0, 4.0), (3.0, 4.0)] {
            assert!(!shape().contains(Vec2::new(x, y)), "{x}, {y}");
        }
    }

    #[test]
    fn a_disc_touches_edges_corners_and_fits_into_dents() {
        let hit = |x, y, direction, radius| {
            shape()
                .cast(Vec2::new(x, y), direction, 100.0, radius)
                .map(|hit| (hit.distance, hit.point, hit.normal))
        };
        assert_eq!(hit(-3.0, 1.0, Vec2::X, 1.0), Some((2.0, Vec2::new(0.0, 1.0), Vec2::NEG_X)));
        assert_eq!(hit(3.0, 9.0, Vec2::NEG_Y, 0.5), Some((6.5, Vec2::new(3.0, 2.0), Vec2::Y)));
        // A disc with the radius 5 passes the corner (4, 2) at a distance of 3: it stops 4 before.
        let (distance, point, normal) = hit(7.0, 12.0, Vec2::NEG_Y, 5.0).unwrap();
        assert_eq!((distance, point), (6.0, Vec2::new(4.0, 2.0)));
        assert!(normal.distance(Vec2::new(0.6, 0.8)) < 1e-6);
        assert_eq!(hit(5.1, 9.0, Vec2::NEG_Y, 1.0), None);
    }

    #[test]
    fn the_first_of_two_edges_touched_at_once_wins() {
        let hit = shape().cast(Vec2::new(8.0, 8.0), Vec2::NEG_ONE, 100.0, 1.0).unwrap();
        assert_eq!(hit.normal, Vec2::Y);
        assert!(hit.point.distance(Vec2::new(3.0, 2.0)) < 1e-5, "{hit:?}");
    }

    /// A ray at a corner must hit one of its edges.
    #[test]
    fn rays_do_not_slip_between_edges() {
        let center = Vec2::new(0.3, 0.7);
        let corners: Vec<Vec2> = (0..7)
            .map(|i| center + math::direction(i as f32 * 0.9) * (1.0 + i as f32 * 0.1))
            .collect();
        let shape = Shape::Polygon(Polygon::new(corners.clone()));
        for i in 0..5000u32 {
            let corner = corners[i as usize % 7];
            let from = center + math::unit(corner - center) * (5.0 + i as f32 * 0.01);
            let hit = shape.cast(from, math::unit(corner - from), 100.0, 0.0);
            assert!(hit.is_some_and(|hit| hit.point.distance(corner) < 1e-4), "{i}: {hit:?}");
        }
    }

    #[test]
    fn polygons_without_area_are_walls_and_points() {
        let wall = Shape::Polygon(Polygon::new(vec![
            Vec2::ZERO,
            Vec2::new(2.0, 0.0),
            Vec2::new(4.0, 0.0),
        ]));
        for y in [2.0, -2.0] {
            let seen = wall.surface(Vec2::new(1.0, y));
            assert_eq!((seen.distance, seen.normal), (2.0, Vec2::Y * y.signum()));
        }
        assert_eq!(wall.surface(Vec2::new(4.0, 0.0)).normal, Vec2::X);
        let point = Shape::Polygon(Polygon::new(vec![Vec2::ONE; 3]));
        assert_eq!(point.surface(Vec2::ONE).normal, Vec2::X);
        assert_eq!(point.surface(Vec2::new(1.0, 4.0)).distance, 3.0);
        assert_eq!(Polygon::new(Vec::new()).corners(), [Vec2::ZERO]);
    }
}
