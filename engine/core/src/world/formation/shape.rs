//! The shapes of formations: the offset of each place from the anchor.

use std::sync::Arc;

use crate::math::{self, Vec2};

/// How the agents of a group stand around an anchor. With each agent that is added or lost, all places are computed anew
/// for the agents that are there.
#[derive(Clone, Debug, PartialEq)]
pub struct Formation {
    /// The arrangement of the places.
    pub shape: FormationShape,
    /// The distance between neighboring places, in world units; above 0.
    pub spacing: f32,
    /// How far the whole formation is behind the anchor, in world units; negative if it is ahead.
    pub behind: f32,
}

/// The arrangement of the places of a formation.
#[derive(Clone, Debug, PartialEq)]
pub enum FormationShape {
    /// Side by side, across the heading of the anchor.
    Line,
    /// One behind the other.
    Column,
    /// Two arms that go back from the anchor, which is the tip.
    Wedge {
        /// The direction of the left arm: a unit vector, x ahead and y to the left. The right arm mirrors it.
        arm: Vec2,
    },
    /// On a circle around the anchor, from the front to the left. Neighboring places are `spacing` apart, and the radius
    /// is at least `spacing`.
    Circle,
    /// In rows, the last of which is centered.
    Grid {
        /// The number of places in a row; at least 1.
        columns: u32,
    },
    /// At these places, x ahead of the anchor and y to its left. Agents for which there is no place stand behind the last
    /// one, one behind the other.
    Places(Arc<[Vec2]>),
}

impl Formation {
    /// Returns whether all its places are defined: numbers are finite, the spacing is above 0, a grid has columns, and a list
    /// has places.
    pub(crate) fn is_valid(&self) -> bool {
        let is_shape_valid = match &self.shape {
            FormationShape::Line | FormationShape::Column | FormationShape::Circle => true,
            FormationShape::Wedge { arm } => arm.is_finite(),
            FormationShape::Grid { columns } => *columns > 0,
            FormationShape::Places(places) => {
                !places.is_empty() && places.iter().all(|place| place.is_finite())
            }
        };
        is_shape_valid && self.spacing.is_finite() && self.spacing > 0.0 && self.behind.is_finite()
    }

    /// Returns one of `count` places, as an offset from the anchor: x ahead of it and y to its left, in world units.
    pub fn place(&self, place: usize, count: usize) -> Vec2 {
        let spacing = self.spacing;
        // The distance from the middle of a row of places, to the left.
        let across =
            |place: usize, count: usize| ((count as f32 - 1.0) * 0.5 - place as f32) * spacing;
        let offset = match &self.shape {
            FormationShape::Line => Vec2::new(0.0, across(place, count)),
            FormationShape::Column => Vec2::new(-(place as f32) * spacing, 0.0),
            FormationShape::Wedge { arm } => {
                let side = if place.is_multiple_of(2) { arm.y } else { -arm.y };
                Vec2::new(arm.x, side) * ((place / 2 + 1) as f32 * spacing)
            }
            FormationShape::Circle => {
                let count = count.max(1) as f32;
                let radius = spacing * 0.5 / math::sin(math::PI / count);
                let radius = if radius > spacing { radius } else { spacing };
                math::direction(2.0 * math::PI * (place as f32 / count)) * radius
            }
            FormationShape::Grid { columns } => {
                let columns = *columns as usize;
                let (row, column) = (place / columns, place % columns);
                let in_row = columns.min(count.saturating_sub(row * columns));
                Vec2::new(-(row as f32) * spacing, across(column, in_row))
            }
            FormationShape::Places(places) => match (places.get(place), places.last()) {
                (Some(at), _) => *at,
                (None, last) => {
                    let behind = (place + 1 - places.len()) as f32 * spacing;
                    last.copied().unwrap_or_default() - Vec2::new(behind, 0.0)
                }
            },
        };
        offset - Vec2::new(self.behind, 0.0)
    }
}
