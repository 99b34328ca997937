//! Questions that primitives ask about the neighbors of an agent, beyond the sums over them.
//!
//! A question is answered by one plain function, which the interpreter and lowered programs share. So a new one is a
//! variant here and its function, in a file of its own.

use super::crowd::{Horizons, Social};
use super::question::Asked;
use super::zones::Zones;
use super::{Me, Neighborhood};
use crate::math::Vec2;

/// A question about the neighbors in a neighborhood. Numbers travel as coordinates of the vectors; see each function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NeighborQuestion {
    /// The velocity of `orca`; about the wanted velocity, both horizons, and speed and margin.
    ReciprocalVelocity,
    /// The velocity of `velocity_obstacles`; about the wanted velocity, horizon and caution, and speed and number of neighbors.
    SampledVelocity,
    /// The step of `avoid_neighbors` to the side; about horizon and margin.
    Sidestep,
    /// The acceleration of `social_force`; about strength and range, sight, and stiffness and friction.
    SocialAcceleration,
    /// The acceleration of `anticipate`; about strength and horizon.
    Anticipation,
    /// The direction after Couzin's zones; the coordinates of the first vector are the radii of repulsion and orientation,
    /// the first one of the second is the blind angle.
    ZoneDirection,
    /// See [`Me::way_danger`].
    WayDanger,
}

impl NeighborQuestion {
    /// Returns the answer, which is finite.
    #[inline(always)]
    pub fn answer(self, me: &Me<'_>, neighbors: &Neighborhood, [a, b, c]: Asked) -> Vec2 {
        match self {
            Self::ReciprocalVelocity => {
                me.reciprocal_velocity(neighbors, a, Horizons { agents: b.x, walls: b.y }, c.x, c.y)
            }
            Self::SampledVelocity => me.sampled_velocity(neighbors, a, b.x, b.y, c.x, c.y),
            Self::Sidestep => me.sidestep(neighbors, a.x, a.y),
            Self::SocialAcceleration => {
                let (strength, range, sight) = (a.x, a.y, b.x);
                let (stiffness, friction) = (c.x, c.y);
                let social = Social { strength, range, sight, stiffness, friction };
                me.social_acceleration(neighbors, social)
            }
            Self::Anticipation => me.anticipation(neighbors, a.x, a.y),
            Self::ZoneDirection => me
                .zone_direction(neighbors, &Zones { repulsion: a.x, orientation: a.y, blind: b.x }),
            Self::WayDanger => Vec2::new(me.way_danger(neighbors, a, b.x), 0.0),
        }
    }
}
