//! Boxes at an angle. Queries treat them as polygons with four corners.

use super::clamped;
use crate::math::{self, Vec2};

/// A box turned about its center.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OrientedBox {
    center: Vec2,
    half: Vec2,
    axis: Vec2,
}

impl OrientedBox {
    /// Makes a box from its center, its half extents and the angle of its first side from the x axis, in radians,
    /// counter-clockwise. The sign of a half extent does not matter. A half extent of 0 makes a wall without
    /// thickness.
    pub fn new(center: Vec2, half: Vec2, angle: f32) -> Self {
        Self { center: clamped(center), half: clamped(half.abs()), axis: math::direction(angle) }
    }

    /// Makes a box whose first side is along a unit vector.
    pub(crate) fn along(center: Vec2, half: Vec2, axis: Vec2) -> Self {
        Self { center: clamped(center), half: clamped(half.abs()), axis }
    }

    /// Returns its center, in world units.
    pub fn center(&self) -> Vec2 {
        self.center
    }

    /// Returns half its extent along [`Self::axis`] and across, in world units.
    pub fn half(&self) -> Vec2 {
        self.half
    }

    /// Returns the unit vector along its first side.
    pub fn axis(&self) -> Vec2 {
        self.axis
    }

    /// Returns its corners, counter-clockwise, starting with the smallest one along the axis and across.
    pub fn corners(&self) -> [Vec2; 4] {
        let along = self.axis * self.half.x;
        let across = math::perp(self.axis) * self.half.y;
        [
            self.center - along - across,
            self.center + along - across,
            self.center + along + across,
            self.center - along + across,
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Hit, Shape, Surface};
    use super::*;

    #[test]
    fn upright_box() {
        let shape = Shape::Box(OrientedBox::new(Vec2::ONE, Vec2::new(2.0, -1.0), 0.0));
        assert_eq!(
            shape.surface(Vec2::new(5.0, 1.5)),
            Surface { point: Vec2::new(3.0, 1.5), normal: Vec2::X, distance: 2.0 }
        );
        assert_eq!(
            shape.surface(Vec2::new(0.0, 1.75)),
            Surface { point: Vec2::new(0.0, 2.0), normal: Vec2::Y, distance: -0.25 }
        );
        assert_eq!(
            shape.cast(Vec2::new(1.0, -5.0), Vec2::Y, 100.0, 0.5),
            Some(Hit { distance: 4.5, point: Vec2::new(1.0, 0.0), normal: Vec2::NEG_Y })
        );
    }

    #[test]
    fn turned_box_meets_with_its_corner() {
        let half = math::sqrt(2.0);
        let shape = Shape::Box(OrientedBox::new(Vec2::ZERO, Vec2::splat(half), math::PI / 4.0));
        let seen = shape.surface(Vec2::new(5.0, 0.0));
        assert!(seen.point.distance(Vec2::new(2.0, 0.0)) < 1e-6);
        assert!(seen.normal.distance(Vec2::X) < 1e-6);
        assert!((seen.distance - 3.0).abs() < 1e-6);
        assert!(shape.contains(Vec2::new(0.9, 0.9)));
        assert!(!shape.contains(Vec2::new(1.1, 1.1)));
        let hit = shape.cast(Vec2::new(-6.0, 0.0), Vec2::X, 100.0, 1.0).unwrap();
        assert!((hit.distance - 3.0).abs() < 1e-5, "{hit:?}");
    }

    #[test]
    fn a_box_without_thickness_is_a_wall_with_two_sides() {
        let shape = Shape::Box(OrientedBox::new(Vec2::ZERO, Vec2::new(2.0, 0.0), 0.0));
        for y in [3.0, -3.0] {
            let seen = shape.surface(Vec2::new(1.0, y));
            assert_eq!(seen.point, Vec2::new(1.0, 0.0));
            assert_eq!((seen.normal, seen.distance), (Vec2::Y * y.signum(), 3.0));
            let hit = shape.cast(Vec2::new(1.0, y), -seen.normal, 100.0, 1.0).unwrap();
            assert_eq!((hit.distance, hit.normal), (2.0, seen.normal));
        }
        let end = shape.surface(Vec2::new(4.0, 0.0));
        assert_eq!((end.normal, end.distance), (Vec2::X, 2.0));
    }

    #[test]
    fn a_box_without_extent_is_a_point() {
        let shape = Shape::Box(OrientedBox::new(Vec2::ONE, Vec2::ZERO, 1.0));
        assert_eq!(
            shape.surface(Vec2::ONE),
            Surface { point: Vec2::ONE, normal: Vec2::X, distance: 0.0 }
        );
        assert_eq!(shape.surface(Vec2::new(1.0, 3.0)).normal, Vec2::Y);
    }
}
