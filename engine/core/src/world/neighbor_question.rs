//! Questions that primitives ask about the neighbors of an agent, beyond the sums over them.
//!
//! A question is answered by one plain function, which the interpreter and lowered programs share. So a new one is a
//! variant here and its function, in a file of its own.

use super::crowd::{AnticipationModel, Horizons, Lookout, Repulsion, Social, SpeedModel};
use super::zones::Zones;
use super::{Me, Neighborhood};
use crate::math::Vec2;

/// A question about the neighbors in a neighborhood. Numbers travel as coordinates of the vectors; see each function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NeighborQuestion {
    /// The velocity of `orca`; about the wanted velocity, both horizons, speed and margin, and the number of neighbors.
    ReciprocalVelocity,
    /// The velocity of `velocity_obstacles`; about the wanted velocity, horizon and caution, and speed and number of neighbors.
    SampledVelocity,
    /// The step of `avoid_neighbors` to the side; about horizon and margin.
    Sidestep,
    /// The acceleration of `social_force`; about strength and range, sight, and stiffness and friction.
    SocialAcceleration,
    /// The acceleration of `anticipate`; about strength and horizon.
    Anticipation,
    /// The velocity of `collision_free_speed`; about the wanted velocity, the time gap, strength and range of neighbors, and those of
    /// obstacles.
    CollisionFreeVelocity,
    /// The velocity of `anticipation_velocity`; about the wanted velocity, the time gap and strength, range and anticipation, and reaction
    /// and distance to obstacles.
    AnticipatingVelocity,
    /// The velocity of `least_detour`; about the wanted velocity, horizon and angle of view, and the time to contact.
    LeastDetour,
    /// The direction after Couzin's zones; the coordinates of the first vector are the radii of repulsion and orientation,
    /// the first one of the second is the blind angle.
    ZoneDirection,
    /// See [`Me::way_danger`].
    WayDanger,
}

/// The vectors that a question about neighbors is about. Those that a question does not use are zero.
pub type AskedOfNeighbors = [Vec2; 4];

impl NeighborQuestion {
    /// Returns the answer, which is finite.
    #[inline(always)]
    pub fn answer(self, me: &Me<'_>, near: &Neighborhood, [a, b, c, d]: AskedOfNeighbors) -> Vec2 {
        match self {
            Self::ReciprocalVelocity => {
                let horizons = Horizons { agents: b.x, walls: b.y };
                me.reciprocal_velocity(near, a, horizons, c.x, c.y, d.x)
            }
            Self::SampledVelocity => me.sampled_velocity(near, a, b.x, b.y, c.x, c.y),
            Self::Sidestep => me.sidestep(near, a.x, a.y),
            Self::SocialAcceleration => {
                let (strength, range, sight) = (a.x, a.y, b.x);
                let (stiffness, friction) = (c.x, c.y);
                let social = Social { strength, range, sight, stiffness, friction };
                me.social_acceleration(near, social)
            }
            Self::Anticipation => me.anticipation(near, a.x, a.y),
            Self::CollisionFreeVelocity => {
                let [neighbors, walls] =
                    [c, d].map(|push| Repulsion { strength: push.x, range: push.y });
                let model = SpeedModel { time_gap: b.x, neighbors, walls };
                me.collision_free_velocity(near, a, model)
            }
            Self::AnticipatingVelocity => {
                let (time_gap, strength, range, anticipation) = (b.x, b.y, c.x, c.y);
                let (reaction, wall_distance) = (d.x, d.y);
                let model = AnticipationModel {
                    time_gap,
                    strength,
                    range,
                    anticipation,
                    reaction,
                    wall_distance,
                };
                me.anticipating_velocity(near, a, model)
            }
            Self::LeastDetour => {
                let (horizon, view, time) = (b.x, b.y, c.x);
                me.least_detour(near, a, Lookout { horizon, view, time })
            }
            Self::ZoneDirection => {
                me.zone_direction(near, &Zones { repulsion: a.x, orientation: a.y, blind: b.x })
            }
            Self::WayDanger => Vec2::new(me.way_danger(near, a, b.x), 0.0),
        }
    }
}
