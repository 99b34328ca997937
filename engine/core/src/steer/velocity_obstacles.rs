//! Walking among others by trying velocities.

use super::algebra::*;
use super::{Param, primitive};
use crate::world::NeighborQuestion;

primitive! {
    /// Steers to the best of many velocities: near the desired one, and without an early collision.
    ///
    /// The desired velocity is vel + force. force = v - vel, where v is the candidate with the least cost
    /// |v - desired| / speed + caution * (1 / t - 1 / horizon), and t is the time until the agent would touch one of the
    /// closest neighbors or an obstacle, at most horizon. A neighbor does its part: it is met as if this agent moved at
    /// the mean of vel and the next velocity, so at 2 * v - vel. If a candidate would change the side on which both pass, the neighbor may not do its part: then
    /// also the time with v itself counts. The candidates are the desired velocity and four
    /// rounds of 17 velocities around the best one so far, each round half as wide.
    ///
    /// The result holds only if the agent takes the velocity at once: `me.vel += me.velocity_obstacles(...)`. If two
    /// candidates cost the same, the one more to the right is taken. A mirror image of the agent counts as if it were a little to the left, so that they
    /// pass on the right. If others only slow the agent down on the line of its motion, it wants a velocity turned to the right by 1 radian.
    /// Both are the other way round if all bodies have `keeps_left`.
    /// For agents that overlap, the cost falls with the speed at which they part. At most 32 neighbors count, and 16 obstacles.
    ///
    /// Source: van den Berg, Lin, Manocha, "Reciprocal velocity obstacles for real-time multi-agent navigation"
    /// (2008); the sides after Snape et al., "The hybrid reciprocal velocity obstacle" (2011); refined as in Detour.
    velocity_obstacles(
        me,
        force: Vector = Param::vector("force", "the force that the agent would apply if it were alone"),
        neighbors: Neighbors = Param::neighbors("neighbors", "the neighbors to avoid"),
        horizon: Number = Param::number("horizon", "s", "later collisions do not count").or(2.0),
        caution: Number = Param::number("caution", "s", "the weight of an early collision").or(0.4),
        most: Number = Param::number("most", "", "the maximum number of neighbors that count, at most 32").or(10.0),
        speed: Number = Param::SPEED,
    ) returns ToDesiredVelocity and sees_obstacles and knows_place and prefers_a_side {
        let (horizon, most) = (Vector::new(horizon, caution), Vector::new(speed, most));
        let about = [me.vel() + force, horizon, most, me.zero()];
        me.ask_neighbors(NeighborQuestion::SampledVelocity, neighbors, about) - me.vel()
    }
}
