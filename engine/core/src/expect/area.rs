//! Areas that agents stay in, or out of.

use serde::Deserialize;

use crate::diag::Diagnostic;
use crate::geom::{OrientedBox, Polygon, Shape};
use crate::math::{self, Vec2};
use crate::number::{Length, Point};
use crate::schema::described;

described! {
    /// An area, which does not wrap.
    #[derive(Clone, Debug, Deserialize)]
    #[serde(rename = "area", deny_unknown_fields)]
    pub(super) enum Area {
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
    /// Returns what is wrong with it.
    pub(super) fn problem(&self) -> Option<Diagnostic> {
        let wrong = match self {
            Self::Rect { min, max } if !min.0.cmplt(max.0).all() => {
                "`max` of a rectangle must be above `min` in both coordinates"
            }
            Self::Polygon(corners) if corners.len() < 3 => "a polygon needs at least 3 corners",
            Self::Circle { .. } | Self::Rect { .. } | Self::Polygon(_) => return None,
        };
        Some(Diagnostic::error(wrong))
    }

    /// Returns it as a shape.
    pub(super) fn shape(&self) -> Shape {
        match self {
            Self::Circle { center, radius } => Shape::Circle { center: center.0, radius: radius.0 },
            Self::Rect { min, max } => {
                let half: Vec2 = (max.0 - min.0) * 0.5;
                Shape::Box(OrientedBox::new(min.0 + half, half, 0.0))
            }
            Self::Polygon(corners) => {
                Shape::Polygon(Polygon::new(corners.iter().map(|corner| corner.0).collect()))
            }
        }
    }

    /// Returns how large it is, roughly: half of the shorter side of the rectangle around it.
    pub(super) fn size(&self) -> f32 {
        let (min, max) = self.shape().bounds();
        math::max(0.5 * (max - min).min_element(), 0.0)
    }
}
