//! Stepping aside for others.

use super::algebra::*;
use super::{Cause, Param, primitive};
use crate::world::NeighborQuestion;

primitive! {
    /// Steers aside from the neighbor that the agent would collide with first.
    ///
    /// If both keep their velocities and their discs, margin apart, touch after t seconds, at most horizon:
    /// force = side * speed * (1 - t / horizon), where side is the unit vector across the agent's motion that makes both miss each other
    /// more: where two ways cross, the one that would be later passes behind. If nobody is in the way, the force is zero.
    ///
    /// If both would meet exactly, side is to the right, so that they pass; to the left if both bodies have `keeps_left`. At zero speed,
    /// the heading takes the place of the velocity. For a neighbor that the agent touches or overlaps, t is 0; of several, the nearest
    /// counts. Of one that moves exactly like the agent, side leads away. The force never brakes: to stop for others, see `orca`.
    ///
    /// Source: Reynolds 1999, "Unaligned collision avoidance". OpenSteer compares the distance with twice the own radius
    /// and counts parallel neighbors as collisions; gdx-ai computes a nearest distance that is too small.
    avoid_neighbors(
        me,
        neighbors: Neighbors = Param::neighbors("neighbors", "the neighbors to avoid"),
        horizon: Number = Param::number("horizon", "s", "later collisions do not count").or(3.0),
        margin: Number = Param::number("margin", "world units", "the distance to keep between the bodies").or(0.0),
        speed: Number = Param::SPEED,
    ) returns Raw and prefers_a_side {
        let zero = me.zero();
        let about = [Vector::new(horizon, margin), zero, zero, zero];
        me.ask_neighbors(NeighborQuestion::Sidestep, neighbors, about) * speed
    } reacts_to {
        match me.soonest_collision(&neighbors, horizon, margin) {
            Some(hit) => Cause::agent(me, me.world().agent(hit.row)),
            None => Cause::NothingAhead,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec2;
    use crate::world::{Neighborhood, World};

    fn force(other: (f32, f32), vel: (f32, f32)) -> Vec2 {
        let world = World::example(&[
            (Vec2::ZERO, Vec2::new(2.0, 0.0)),
            (Vec2::from(other), Vec2::from(vel)),
        ]);
        avoid_neighbors(&world.me(0), Neighborhood::within(50.0), 4.0, 0.0, 10.0)
    }

    #[test]
    fn steps_aside_the_more_the_sooner_they_touch() {
        // The radii are 1: they touch after (10 - 2) / 4 = 2 of 4 seconds. Exactly head-on, both step to the right.
        assert_eq!(force((10.0, 0.0), (-2.0, 0.0)), Vec2::new(0.0, -5.0));
        assert!(force((10.0, 1.0), (-2.0, 0.0)).y < -4.0, "away from the left");
        assert!(force((10.0, -1.0), (-2.0, 0.0)).y > 4.0, "away from the right");
    }

    #[test]
    fn ignores_neighbors_that_it_will_not_touch() {
        assert_eq!(force((10.0, 2.1), (-2.0, 0.0)), Vec2::ZERO, "beside");
        assert_eq!(force((-10.0, 0.0), (-2.0, 0.0)), Vec2::ZERO, "behind");
        assert_eq!(force((10.0, 0.0), (2.0, 0.0)), Vec2::ZERO, "parallel");
        assert_eq!(force((30.0, 0.0), (-2.0, 0.0)), Vec2::ZERO, "too late");
    }

    #[test]
    fn of_several_that_it_touches_the_nearest_counts() {
        let at_rest = |x: f32, y: f32| (Vec2::new(x, y), Vec2::ZERO);
        let (near, far) = (at_rest(1.0, 0.5), at_rest(1.0, -1.0));
        for others in [[near, far], [far, near]] {
            let world =
                World::example(&[&[(Vec2::ZERO, Vec2::new(2.0, 0.0))], others.as_slice()].concat());
            let force = avoid_neighbors(&world.me(0), Neighborhood::within(50.0), 4.0, 0.0, 10.0);
            assert_eq!(force, Vec2::new(0.0, -10.0), "{others:?}");
        }
    }

    #[test]
    fn passes_behind_one_that_will_be_first_where_their_ways_cross() {
        // The other one comes from the right. It is ahead of this agent, or behind.
        assert_eq!(force((8.0, -7.0), (0.0, 2.0)).y, -force((7.0, -8.0), (0.0, 2.0)).y);
        assert!(force((8.0, -7.0), (0.0, 2.0)).y < 0.0 && force((8.0, 7.0), (0.0, -2.0)).y > 0.0);
        assert!(force((7.0, -8.0), (0.0, 2.0)).y > 0.0 && force((7.0, 8.0), (0.0, -2.0)).y < 0.0);
        // Mirror images both go to the right: one of them passes behind the other.
        assert!(force((8.0, -8.0), (0.0, 2.0)).y < 0.0 && force((8.0, 8.0), (0.0, -2.0)).y < 0.0);
    }

    #[test]
    fn lets_a_faster_one_from_behind_pass() {
        assert!(force((-8.0, 0.5), (6.0, 0.0)).y < 0.0 && force((-8.0, -0.5), (6.0, 0.0)).y > 0.0);
    }
}
