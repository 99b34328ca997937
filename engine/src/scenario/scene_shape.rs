//! The shapes of obstacles, paths and areas of a scene, given by places: what a moved place makes of them.

use super::to_ron;
use crate::math::{self, Vec2};

/// How the places of a part of a scene make its shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SceneShape {
    /// They make none: each place stands for itself.
    Places,
    /// A line from place to place.
    Line,
    /// A polygon with these corners, or a line from place to place and back to the first.
    Polygon,
    /// A rectangle with these opposite corners.
    Rect,
    /// A circle with this center and a place on its rim.
    Circle,
    /// A box with this center and a corner.
    Box {
        /// The direction of its width, as a unit vector.
        axis: Vec2,
    },
}

/// A shape as it is drawn.
#[derive(Clone, Debug, PartialEq)]
pub enum Outline {
    /// A circle.
    Circle {
        /// World units.
        center: Vec2,
        /// World units.
        radius: f32,
    },
    /// A line through points.
    Line {
        /// World units.
        points: Vec<Vec2>,
        /// Whether it ends where it begins.
        is_closed: bool,
    },
}

impl SceneShape {
    /// Returns whether its second place sets its size.
    pub fn has_size(self) -> bool {
        matches!(self, Self::Circle | Self::Box { .. })
    }

    /// Returns where all places of a part are after some of them, given by their numbers, were moved. A rim and a corner go
    /// with their center; if a corner of a box is moved, the opposite corner stays.
    pub fn moved(self, places: &[Vec2], to: &[(usize, Vec2)]) -> Vec<Vec2> {
        let mut moved = places.to_vec();
        for (number, at) in to {
            if let Some(place) = moved.get_mut(*number) {
                *place = *at;
            }
        }
        if let (true, [center, size]) = (self.has_size(), places) {
            let is_moved = |number| to.iter().any(|(of, _)| *of == number);
            match (is_moved(0), is_moved(1)) {
                (true, false) => moved[1] = *size + moved[0] - *center,
                (false, true) if self != Self::Circle => {
                    let opposite = *center + *center - *size;
                    moved[0] = (opposite + moved[1]) / 2.0;
                }
                _ => {}
            }
        }
        moved
    }

    /// Returns the shape that places make. `None` if they make none.
    pub fn outline(self, places: &[Vec2]) -> Option<Outline> {
        let line = |points: Vec<Vec2>, is_closed| Some(Outline::Line { points, is_closed });
        match (self, places) {
            (Self::Line, [_, _, ..]) => line(places.to_vec(), false),
            (Self::Polygon, [_, _, ..]) => line(places.to_vec(), true),
            (Self::Rect, &[a, b]) => {
                line(vec![a, Vec2::new(b.x, a.y), b, Vec2::new(a.x, b.y)], true)
            }
            (Self::Circle, [center, rim]) => {
                Some(Outline::Circle { center: *center, radius: math::length(*rim - *center) })
            }
            (Self::Box { axis }, [center, corner]) => {
                let half = in_axes(*corner - *center, axis);
                let (x, y) = (axis * half.x, math::perp(axis) * half.y);
                line([x + y, y - x, -x - y, x - y].map(|to| *center + to).to_vec(), true)
            }
            _ => None,
        }
    }

    /// Returns the text of the size of a circle or a box with a center and a rim or a corner, and its center: a box whose
    /// size is rounded keeps the corner opposite to the given one.
    pub(super) fn size_text(self, center: Vec2, at: Vec2) -> (String, Vec2) {
        let Self::Box { axis } = self else {
            return (to_ron::number(rounded(math::length(at - center), 4)), center);
        };
        let half = in_axes(at - center, axis);
        let size = (half.abs() * 2.0).to_array().map(|x| rounded(x, 4));
        let to_corner =
            axis * half.x.signum() * size[0] + math::perp(axis) * half.y.signum() * size[1];
        let moved = center - (at - center) + to_corner / 2.0;
        let text = format!("({}, {})", to_ron::number(size[0]), to_ron::number(size[1]));
        (text, Vec2::new(rounded(moved.x, 6), rounded(moved.y, 6)))
    }
}

/// Returns a vector along an axis and across it.
fn in_axes(v: Vec2, axis: Vec2) -> Vec2 {
    Vec2::new(v.dot(axis), v.dot(math::perp(axis)))
}

/// Returns a number rounded to a number of significant digits.
fn rounded(x: f32, digits: usize) -> f32 {
    math::significant(f64::from(x), digits).parse().unwrap_or(x)
}
