//! Areas of the world, as they are written.

use serde::Deserialize;

use crate::geom::{OrientedBox, Polygon, Shape};
use crate::math::Vec2;
use crate::number::{Length, Point};
use crate::schema::described;

described! {
    /// An area, which does not wrap.
    #[derive(Clone, Debug, Deserialize)]
    #[serde(rename = "area", deny_unknown_fields)]
    pub enum Area {
        /// A disc.
        Circle {
            /// The center.
            center: Point,
            /// The radius, in world units.
            radius: Length,
        },
        /// A rectangle.
        Rect {
            /// The corner with the smallest coordinates.
            min: Point,
            /// The corner with the largest coordinates.
            max: Point,
        },
        /// A polygon, by its corners.
        Polygon(Vec<Point>),
    }
}

impl Area {
    /// Returns the number of points that it is made of.
    pub fn points(&self) -> usize {
        if let Self::Polygon(corners) = self { corners.len() } else { 0 }
    }

    /// Returns it as a shape.
    ///
    /// # Errors
    ///
    /// What is wrong with it.
    pub fn shape(&self) -> Result<Shape, &'static str> {
        Ok(match self {
            Self::Circle { center, radius } => Shape::Circle { center: center.0, radius: radius.0 },
            Self::Rect { min, max } => {
                if !min.0.cmplt(max.0).all() {
                    return Err("`max` of a rectangle must be above `min` in both coordinates");
                }
                let half: Vec2 = (max.0 - min.0) * 0.5;
                Shape::Box(OrientedBox::new(min.0 + half, half, 0.0))
            }
            Self::Polygon(corners) => {
                let corners = corners.iter().map(|corner| corner.0).collect();
                Shape::Polygon(Polygon::with_area(corners)?)
            }
        })
    }
}
