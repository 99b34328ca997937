//! Moving in the mean direction of the neighbors, with noise.

use super::algebra::*;
use super::{Cause, Param, RADIANS, primitive};
use crate::math::{self, Unary};

primitive! {
    /// Steers at full speed in the mean direction of the neighbors and the agent itself, turned by a random angle.
    ///
    /// force = turned(unit(vel + sum of the velocities of the neighbors), angle) * speed - vel, where angle is a random
    /// number between -noise / 2 and noise / 2, a new one every 1 / rate seconds
    ///
    /// If the sum is zero, the direction is the heading. Without neighbors the agent only turns by the angle. With
    /// noise 0 all agents of a flock get the same direction, with 2 * PI they move at random. Each agent has its own
    /// random angles, which depend on the seed, the agent and the time.
    ///
    /// In the model itself, velocities have no inertia: write `me.vel += me.vicsek(...)` with a rate of 1 / world.dt, and
    /// return no force.
    ///
    /// Source: Vicsek, Czirok, Ben-Jacob, Cohen and Shochet 1995, "Novel type of phase transition in a system of
    /// self-driven particles". All agents have the same speed there, so that the sum of velocities has the
    /// mean direction.
    vicsek(
        me,
        neighbors: Neighbors = Param::neighbors("neighbors", "the neighbors whose direction counts"),
        noise: Number = Param::number("noise", RADIANS, "the width of the range of random angles").or(0.0),
        rate: Number = Param::number("rate", "1/s", "the number of new random angles per second").or(1.0),
        speed: Number = Param::SPEED,
    ) returns ToDesiredVelocity and is_random and prefers_a_side {
        let mean = (me.means(neighbors).velocities + me.vel()).unit();
        let mean = choose(mean.same(me.zero()), me.heading(), mean);
        let moment = (me.time() * rate).least(me.number(1e6)).unary(Unary::Round);
        let width = noise.least(me.number(2.0 * math::PI)) * me.number(0.5);
        me.steer(mean.rotated(me.noise(moment + me.number(FIRST_NOISE)) * width), speed)
    } reacts_to {
        let others = me.summary(&neighbors);
        if others.count > 0 { Cause::neighbors(me, &others) } else { Cause::OwnDirection }
    }
}

/// The first number on the agent's noise curve that is used here. It is beyond those that `wander` uses, and all
/// integers there are exact.
const FIRST_NOISE: f32 = 4_194_304.0;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec2;
    use crate::world::{Neighborhood, World};

    #[test]
    fn takes_the_mean_direction_of_all_including_itself() {
        let world = World::example(&[
            (Vec2::ZERO, Vec2::new(4.0, 0.0)),
            (Vec2::new(2.0, 0.0), Vec2::new(0.0, 4.0)),
            (Vec2::new(90.0, 0.0), Vec2::new(-4.0, 0.0)),
        ]);
        let force = vicsek(&world.me(0), Neighborhood::within(5.0), 0.0, 1.0, 4.0);
        let expected = Vec2::ONE.normalize() * 4.0 - Vec2::new(4.0, 0.0);
        assert!((force - expected).length() < 1e-5, "{force}");
    }

    #[test]
    fn opposite_directions_leave_the_heading() {
        let world = World::example(&[
            (Vec2::ZERO, Vec2::new(0.0, 4.0)),
            (Vec2::new(2.0, 0.0), Vec2::new(0.0, -4.0)),
        ]);
        assert_eq!(vicsek(&world.me(0), Neighborhood::within(5.0), 0.0, 1.0, 4.0), Vec2::ZERO);
    }

    #[test]
    fn the_angles_are_even_in_their_range() {
        let mut bins = [0; 10];
        for second in 0..200 {
            let mut world = World::example(&[(Vec2::ZERO, Vec2::X); 50]);
            world.tick = second * 10;
            for row in 0..50 {
                let near = Neighborhood::within(0.0).of(crate::world::GroupId(7));
                let angle = math::angle(vicsek(&world.me(row), near, 2.0, 1.0, 1.0) + Vec2::X);
                assert!(angle.abs() <= 1.000_01, "{angle}");
                bins[((angle + 1.0) * 4.999) as usize] += 1;
            }
        }
        // 1000 are expected in each bin; 5 standard deviations are 150.
        assert!(bins.iter().all(|&n| (850..=1150).contains(&n)), "{bins:?}");
    }
}
