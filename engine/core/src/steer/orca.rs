//! Walking among others without touching them.
#![expect(clippy::too_many_arguments, reason = "the model has as many parameters")]

use super::algebra::*;
use super::{Param, primitive};
use crate::world::NeighborQuestion;

primitive! {
    /// Steers to the velocity nearest to the desired one with which the agent collides with nobody.
    ///
    /// The desired velocity is vel + force. For each of the closest neighbors, the velocities that would lead to a
    /// collision within horizon seconds are a cone. This agent takes half of the shortest way out of it, so a neighbor
    /// that does the same takes the other half. Obstacles within wall_horizon seconds count too, and the agent alone
    /// avoids them. force = v - vel, where v is the velocity nearest to the desired one that all of this allows, at
    /// most speed. If there is none, v violates the half planes of the neighbors as little as possible, and those
    /// of obstacles not at all.
    ///
    /// The result holds only if the agent takes the velocity at once: `me.vel += me.orca(...)`. As a force, it
    /// leads there within about a second. If others only slow the agent down on the line of its motion, it wants a velocity turned to the
    /// right by 1 radian, and a mirror image of it counts as if it were a little to the left: so agents pass on the right. Both are the
    /// other way round if all bodies have `keeps_left`. Agents at the same place part in opposite directions. An agent inside
    /// of an obstacle is not held back by it. Only the nearest neighbors count, most of them and
    /// at most 32, and the nearest 32 edges of obstacles. Horizons shorter than a tick count as a tick.
    ///
    /// In a crowd too dense for a solution, bodies overlap a little. A margin of about half a radius keeps them apart, and
    /// a `solid` body makes sure.
    ///
    /// Source: van den Berg, Guy, Lin, Manocha, "Reciprocal n-body collision avoidance" (2011), as in RVO2, which
    /// leaves ties to the caller.
    orca(
        me,
        force: Vector = Param::vector("force", "the force that the agent would apply if it were alone"),
        neighbors: Neighbors = Param::neighbors("neighbors", "the neighbors to avoid"),
        horizon: Number = Param::number("horizon", "s", "how long no collision with a neighbor may happen").or(2.0),
        wall_horizon: Number = Param::number("wall_horizon", "s", "how long no collision with an obstacle may happen").or(1.0),
        margin: Number = Param::number("margin", "world units", "the distance to keep between the bodies").or(0.0),
        speed: Number = Param::SPEED,
        most: Number = Param::number("most", "", "the maximum number of neighbors that count, at most 32").or(10.0),
    ) returns ToDesiredVelocity and sees_obstacles and prefers_a_side {
        let horizons = Vector::new(horizon, wall_horizon);
        let most = Vector::new(most, me.number(0.0));
        let about = [me.vel() + force, horizons, Vector::new(speed, margin), most];
        me.ask_neighbors(NeighborQuestion::ReciprocalVelocity, neighbors, about) - me.vel()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec2;
    use crate::world::{Neighborhood, World};

    #[test]
    fn takes_half_of_the_responsibility() {
        let world = World::example(&[
            (Vec2::ZERO, Vec2::new(2.0, 0.0)),
            (Vec2::new(6.0, 1.0), Vec2::new(-2.0, 0.0)),
        ]);
        let near = Neighborhood::within(10.0);
        let sidestep =
            |row: usize| orca(&world.me(row), Vec2::ZERO, near, 2.0, 1.0, 0.0, 5.0, 10.0);
        // Radii are 1. Together, the changes lead the relative velocity just out of the cone.
        let (a, b) = (sidestep(0), sidestep(1));
        assert!((a + b).length() < 1e-6 && a.y < 0.0, "{a} {b}");
        let relative = Vec2::new(4.0, 0.0) + a - b;
        let offset = Vec2::new(6.0, 1.0);
        let miss = offset.perp_dot(relative.normalize()).abs();
        assert!((miss - 2.0).abs() < 1e-5, "{miss}");
    }

    #[test]
    fn leaves_an_agent_alone_that_meets_nobody() {
        let world = World::example(&[
            (Vec2::ZERO, Vec2::new(2.0, 0.0)),
            (Vec2::new(-6.0, 1.0), Vec2::new(-2.0, 0.0)),
        ]);
        let force = Vec2::new(1.0, 2.0);
        let near = Neighborhood::within(10.0);
        assert_eq!(orca(&world.me(0), force, near, 2.0, 1.0, 0.0, 5.0, 10.0), force);
        let limited = orca(&world.me(0), Vec2::new(8.0, 0.0), near, 2.0, 1.0, 0.0, 5.0, 10.0);
        assert!((limited - Vec2::new(3.0, 0.0)).length() < 1e-6, "{limited}");
    }

    #[test]
    fn passes_on_the_right_exactly_head_on() {
        let world = World::example(&[
            (Vec2::ZERO, Vec2::new(2.0, 0.0)),
            (Vec2::new(5.0, 0.0), Vec2::new(-2.0, 0.0)),
        ]);
        let near = Neighborhood::within(10.0);
        for (row, side) in [(0, -1.0), (1, 1.0)] {
            let force = orca(&world.me(row), Vec2::ZERO, near, 2.0, 1.0, 0.0, 2.0, 10.0);
            assert!(force.y * side > 1e-3, "{force}");
        }
    }
}
