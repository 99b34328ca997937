//! Going around a point.

use super::algebra::*;
use super::{Param, primitive};
use crate::geom::FAR;
use crate::math::{Binary, Unary};

primitive! {
    /// Steers around a point at a distance.
    ///
    /// With out = unit(pos - center), d = |pos - center| and t = out turned by a quarter turn to the side: desired
    /// velocity = unit(t * radius - out * (m * u + pull * (d - radius))) * speed, force = desired velocity - vel,
    /// where m is the mass of the agent, u * sqrt(1 + (m * u / radius)^2) = speed, and pull = radius / (2 * m * speed), but
    /// at least 0.1 and at most 2
    ///
    /// turn is 1 for counter-clockwise if y points up, -1 for clockwise, and 0 for the side to which the agent moves
    /// already; an agent at rest then goes counter-clockwise. At the center itself, out is the heading.
    ///
    /// The velocity follows the desired velocity with a delay of mass / weight seconds, and an agent that steers along
    /// the circle is carried outward. So the direction leans inward by what an agent lags behind with the weight 1:
    /// it moves on the circle, at the speed u, and the pull is as strong as it can be without swinging. Other weights
    /// and a low max_force give another circle.
    ///
    /// Source: Nelson, Barber, McLain and Beard 2007, "Vector field path following for miniature air vehicles"; the
    /// lean follows from the equation of motion.
    orbit(
        me,
        center: Vector = Param::point("center", "the point to go around"),
        radius: Number = Param::number("radius", "world units", "the distance to keep from it"),
        turn: Signed = Param::signed("turn", "", "1 for counter-clockwise, -1 for clockwise, 0 for either").or(0.0),
        speed: Number = Param::SPEED,
    ) returns ToDesiredVelocity and needs_a_side {
        let (none, one, two) = (me.number(0.0), me.number(1.0), me.number(2.0));
        let radius = radius.least(me.number(FAR));
        let from = -me.to(center);
        let out = choose(from.same(me.zero()), me.heading(), from.unit());
        let left = out.perp();
        let is_left = turn.gt(none) | (turn.eq(none) & left.dot(me.vel()).ge(none));
        let along = choose(is_left, left, -left);
        let lag = two * me.mass() * speed / radius.binary(Binary::Max, me.number(1e-9));
        let rooted = (lag * lag + one).unary(Unary::Sqrt) + one;
        let circling = speed * (two / rooted).unary(Unary::Sqrt);
        let pull = (one / lag).least(two).binary(Binary::Max, me.number(0.1));
        let inward = me.mass() * circling + pull * (from.norm() - radius);
        me.steer((along * radius - out * inward).unit(), speed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{self, Vec2};
    use crate::world::World;

    /// Moves an agent for 60 seconds and returns its last positions and velocities.
    fn run(mut pos: Vec2, mut vel: Vec2, radius: f32, turn: f32, mass: f32) -> Vec<(Vec2, Vec2)> {
        let mut last = Vec::new();
        for tick in 0..6000 {
            let mut world = World::example(&[(pos, vel)]);
            world.groups[0].body.mass = mass;
            vel += orbit(&world.me(0), Vec2::ZERO, radius, turn, 10.0) / mass * 0.01;
            pos += vel * 0.01;
            if tick >= 5000 {
                last.push((pos, vel));
            }
        }
        last
    }

    #[test]
    fn goes_around_on_the_circle_in_both_directions() {
        for (turn, mass) in [(1.0, 1.0), (-1.0, 1.0), (1.0, 0.5)] {
            for start in [Vec2::ZERO, Vec2::new(3.0, 0.0), Vec2::new(-60.0, 70.0)] {
                for (pos, vel) in run(start, Vec2::new(0.0, 1.0), 20.0, turn, mass) {
                    assert!((pos.length() - 20.0).abs() < 0.2, "{pos}");
                    assert!(math::perp(pos).dot(vel) * turn > 0.0, "{pos} {vel}");
                }
            }
        }
    }

    #[test]
    fn keeps_the_side_to_which_it_moves() {
        let force = |vel| {
            let world = World::example(&[(Vec2::new(20.0, 0.0), vel)]);
            orbit(&world.me(0), Vec2::ZERO, 20.0, 0.0, 10.0) + vel
        };
        assert!(force(Vec2::new(0.0, -1.0)).y < 0.0);
        assert!(force(Vec2::new(0.0, 1.0)).y > 0.0);
        assert!(force(Vec2::ZERO).y > 0.0);
    }

    #[test]
    fn leans_inward_by_the_lag() {
        let world = World::example(&[(Vec2::new(20.0, 0.0), Vec2::ZERO)]);
        let desired = orbit(&world.me(0), Vec2::ZERO, 20.0, 1.0, 10.0);
        // u^2 (1 + u^2 / 400) = 100 has the solution u = 9.1018.
        let expected = Vec2::new(-9.101_8, 20.0).normalize() * 10.0;
        assert!((desired - expected).length() < 1e-3, "{desired} {expected}");
    }

    #[test]
    fn nothing_to_go_around_is_a_point_to_reach() {
        let world = World::example(&[(Vec2::new(20.0, 0.0), Vec2::ZERO)]);
        assert_eq!(orbit(&world.me(0), Vec2::ZERO, 0.0, 1.0, 10.0), Vec2::new(-10.0, 0.0));
    }
}
