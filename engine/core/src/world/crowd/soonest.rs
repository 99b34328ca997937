//! The neighbor that an agent would collide with first.

use glam::DVec2;

use crate::math::{self, Vec2};
use crate::world::encounter::Touches;
use crate::world::{Me, Neighborhood};

/// A collision that happens if nobody changes its velocity.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Collision {
    /// The row of the other agent.
    pub(crate) row: usize,
    /// The seconds until the discs touch.
    pub(crate) time: f32,
    /// The offset to the other agent now, in world units.
    offset: Vec2,
    /// The velocity of the other agent, in world units per second.
    vel: Vec2,
}

impl Me<'_> {
    /// Returns the first collision with a neighbor within `horizon` seconds, if the bodies keep `margin` apart. If two
    /// happen at once, as with all that it touches now, it is that with the nearer one, and if they are equally near, that
    /// with the lower row.
    pub(crate) fn soonest_collision(
        &self,
        neighbors: &Neighborhood,
        horizon: f32,
        margin: f32,
    ) -> Option<Collision> {
        let own = self.body().radius + margin;
        let mut first: Option<Collision> = None;
        let touches = Touches { velocity: self.vel(), own };
        self.each_neighbor_that(neighbors, &touches, |other| {
            let Some(time) = self.time_until(other, self.vel(), own) else {
                return;
            };
            let is_first = match first {
                None => time <= horizon,
                Some(first) => {
                    let distance = |offset: Vec2| offset.length_squared();
                    (time, distance(other.offset), other.row)
                        < (first.time, distance(first.offset), first.row)
                }
            };
            if is_first {
                let (row, offset, vel) = (other.row, other.offset, other.vel);
                first = Some(Collision { row, time, offset, vel });
            }
        });
        first
    }

    /// Returns the unit vector across the agent's heading that leads past the neighbor with which it would collide first,
    /// multiplied by its urgency: 1 if they touch now, falling to 0 at `horizon` seconds. Zero if there is no collision.
    ///
    /// It leads to the side on which they will miss each other more, so both agents of a pair decide alike. If they move
    /// together, it leads away from where the other one is. If neither is a side, it leads to the right.
    pub(crate) fn sidestep(&self, neighbors: &Neighborhood, horizon: f32, margin: f32) -> Vec2 {
        let Some(hit) = self.soonest_collision(neighbors, horizon, margin) else {
            return Vec2::ZERO;
        };
        let along = math::unit(self.vel());
        let along = if along == Vec2::ZERO { self.heading() } else { along };
        let right = -math::perp(along);
        let (vel, other) = (self.vel().as_dvec2(), hit.vel.as_dvec2());
        let reach = self.body().radius + margin + self.world().radius_of(hit.row);
        let offset = hit.offset.as_dvec2();
        let offset = self.seen_offset(hit.row, offset, other, f64::from(reach));
        let (relative, ahead) = (vel - other, along.as_dvec2());
        let goes_right = if relative == DVec2::ZERO {
            ahead.perp_dot(offset) >= 0.0
        } else {
            // To the right of the motion relative to the other one is to the left, if the other one is faster and overtakes.
            (relative.perp_dot(offset) >= 0.0) == (relative.dot(ahead) >= 0.0)
        };
        let away = if goes_right { right } else { -right };
        let left = if horizon > 0.0 { hit.time / math::min(horizon, f32::MAX) } else { 0.0 };
        away * (1.0 - left)
    }
}
