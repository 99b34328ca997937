//! Questions that primitives ask about the world, beyond reading agents and paths.
//!
//! A question is answered by one plain function, which the interpreter and lowered programs share. So a new one is a
//! variant here and its function.

use super::formation::NO_ANCHOR_ROW;
use super::{Anchor, FieldId, LayerId, Me};
use crate::math::{self, Vec2};

/// A question about the world. Numbers travel as coordinates of the vectors; see each function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Question {
    /// See [`Me::nearest_surface`].
    NearestSurface,
    /// The next point on the way to a point, and the length of the way, see [`Me::way`].
    Way,
    /// The end of the way to a point; the number is 0.
    WayEnd,
    /// See [`Me::place_in_formation`]. The vectors are the position and the heading of the anchor, and its row in x, or
    /// `NO_ANCHOR_ROW`.
    PlaceInFormation,
    /// [`Me::surface_ahead`] after the first vector.
    SurfaceAhead,
    /// [`Me::slide`] of the first vector, with the margin as the first coordinate of the second.
    Slide,
    /// [`Me::free_direction`] along the first vector; the coordinates of the second are length and step, the first one
    /// of the third is the margin.
    FreeDirection,
    /// [`Me::hiding_place`] from the first vector, with the gap as the first coordinate of the second; the number is 1 if there is
    /// one.
    HidingPlace,
    /// [`World::flow`](super::World::flow) at the first vector, of the field whose index is the first coordinate of the second.
    Flow,
    /// [`Layer::amount`](super::Layer::amount) at the first vector, of the layer whose index is the first coordinate of the second.
    Amount,
    /// [`Layer::gradient`](super::Layer::gradient) at the first vector, of the layer whose index is the first coordinate of the second.
    Gradient,
    /// [`Layer::best`](super::Layer::best) of the second vector at the first one, of the layer whose index is the first coordinate of
    /// the third, with the angle as the second coordinate.
    Best,
}

/// The vectors that a question is about. Those that a question does not use are zero.
pub type Asked = [Vec2; 3];

impl Question {
    /// Returns whether it is about a way, which may have to be searched.
    pub fn is_about_way(self) -> bool {
        matches!(self, Self::Way | Self::WayEnd)
    }

    /// Returns the answer: a vector and a number, both finite.
    #[inline(always)]
    pub fn answer(self, me: &Me<'_>, [a, b, c]: Asked) -> (Vec2, f32) {
        match self {
            Self::NearestSurface => me.nearest_surface(),
            Self::Way => {
                let way = me.way(a);
                (way.next, math::min(way.length, f32::MAX))
            }
            Self::WayEnd => (me.way(a).end, 0.0),
            Self::PlaceInFormation => {
                let row = (c.x != NO_ANCHOR_ROW).then_some(c.x as u32);
                (me.place_in_formation(&Anchor { pos: a, heading: b, row }), 0.0)
            }
            Self::SurfaceAhead => me.surface_ahead(a),
            Self::Slide => (me.slide(a, b.x), 0.0),
            Self::FreeDirection => me.free_direction(a, b.x, b.y, c.x),
            Self::Flow => (me.world().flow(FieldId(b.x as u16), a), 0.0),
            Self::Amount => (Vec2::ZERO, me.world().amount(LayerId(b.x as u16), a)),
            Self::Gradient => {
                let layer = me.world().layer(LayerId(b.x as u16));
                (layer.map_or(Vec2::ZERO, |layer| layer.gradient(&me.world().space, a)), 0.0)
            }
            Self::Best => {
                let layer = me.world().layer(LayerId(c.x as u16));
                (layer.map_or(b, |layer| layer.best(&me.world().space, a, b, c.y)), 0.0)
            }
            Self::HidingPlace => me.hiding_place(a, b.x).map_or((Vec2::ZERO, 0.0), |at| (at, 1.0)),
        }
    }
}

impl Me<'_> {
    /// Returns the unit vector out of the obstacle at the nearest point of the surface of any obstacle, and the distance
    /// to that point, in world units: negative inside of the obstacle. Zero and the largest number if there are no
    /// obstacles.
    pub fn nearest_surface(&self) -> (Vec2, f32) {
        self.surface_near(self.pos())
    }

    /// Does the same for another point.
    pub(super) fn surface_near(&self, point: Vec2) -> (Vec2, f32) {
        let mut nearest = (Vec2::ZERO, f32::MAX);
        for obstacle in &self.world().obstacles {
            let surface = obstacle.shape.surface(point);
            if surface.distance < nearest.1 {
                nearest = (surface.normal, math::max(surface.distance, f32::MIN));
            }
        }
        nearest
    }
}
