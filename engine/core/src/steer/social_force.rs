//! Keeping a social distance.

use super::algebra::*;
use super::{Cause, Param, primitive};
use crate::world::NeighborQuestion;

primitive! {
    /// Pushes the agent away from neighbors and obstacles, exponentially harder the nearer they are.
    ///
    /// With the distance d of the centers, the sum r of the radii and the unit vector n away from a neighbor, force =
    /// mass times the sum of (strength * exp((r - d) / range) * w + stiffness * g) * n - friction * g * vt, where g = max(0,
    /// r - d) is the overlap, vt the velocity along the surface relative to the neighbor, and w = sight + (1 -
    /// sight) * (1 + cos a) / 2 with the angle a between the agent's motion and the neighbor. Obstacles push in the
    /// same way with w = 1 from their nearest points. For the force toward a goal, add `me.seek(me.goal) * me.mass / 0.5`,
    /// which leads to the desired velocity within about half a second.
    ///
    /// The defaults are those of the source for meters, without contact; it has a stiffness of 1500 and a friction
    /// of 3000, which need ticks of 0.01 s or less. The exponent is at most 4. Neighbors at the same place push in opposite
    /// random directions. The push of a mirror image of the agent is turned to the right by 0.3 radians, so that they pass; to the left
    /// if both bodies have `keeps_left`.
    ///
    /// Source: Helbing, Farkas, Vicsek, "Simulating dynamical features of escape panic" (2000), divided by the mass of
    /// 80 kg; the dependence on the angle after Helbing and Molnar (1995).
    social_force(
        me,
        neighbors: Neighbors = Param::neighbors("neighbors", "the neighbors that push"),
        strength: Number = Param::number("strength", "world units/s^2", "the push of a body that just touches").or(25.0),
        range: Number = Param::number("range", "world units", "the distance over which the push falls to 1/e").or(0.08),
        sight: Number = Param::number("sight", "", "the share of the push of neighbors behind, from 0 to 1").or(1.0),
        stiffness: Number = Param::number("stiffness", "1/s^2", "how hard bodies that overlap push each other apart").or(0.0),
        friction: Number = Param::number("friction", "1/(world unit s)", "how much bodies that overlap slow each other down").or(0.0),
    ) returns Raw and sees_obstacles and prefers_a_side {
        let about = [
            Vector::new(strength, range),
            Vector::new(sight, sight),
            Vector::new(stiffness, friction),
            me.zero(),
        ];
        me.ask_neighbors(NeighborQuestion::SocialAcceleration, neighbors, about) * me.mass()
    } reacts_to {
        Cause::neighbors_or_obstacle(me, &neighbors)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::Shape;
    use crate::math::{self, Vec2};
    use crate::world::{Neighborhood, Obstacle, World};

    fn force(world: &World, sight: f32, stiffness: f32, friction: f32) -> Vec2 {
        let near = Neighborhood::within(50.0);
        social_force(&world.me(0), near, 25.0, 0.5, sight, stiffness, friction)
    }

    #[test]
    fn falls_exponentially_with_the_gap() {
        // The radii are 1, so the gap is 1: the push is 25 * exp(-1 / 0.5).
        let world = World::example(&[(Vec2::ZERO, Vec2::ZERO), (Vec2::new(3.0, 0.0), Vec2::ZERO)]);
        let push = 25.0 * math::exp(-2.0);
        assert!((force(&world, 1.0, 0.0, 0.0) - Vec2::new(-push, 0.0)).length() < 1e-5);
        let mut world = World::example(&[(Vec2::ZERO, Vec2::ZERO)]);
        let shape = Shape::Circle { center: Vec2::new(0.0, -5.0), radius: 3.0 };
        world.obstacles.push(Obstacle { name: "pillar".into(), shape });
        assert!((force(&world, 1.0, 0.0, 0.0) - Vec2::new(0.0, push)).length() < 1e-5);
    }

    #[test]
    fn neighbors_behind_push_less() {
        let one = |x: f32| {
            let agents = [(Vec2::ZERO, Vec2::new(0.1, 0.0)), (Vec2::new(x, 0.5), Vec2::ZERO)];
            force(&World::example(&agents), 0.2, 0.0, 0.0).length()
        };
        assert!((one(-1e3) - 0.0).abs() < 1e-6);
        let ratio = one(-3.0) / one(3.0);
        let ahead = 3.0 / math::sqrt(9.25);
        let weight = |cos: f32| 0.2 + 0.8 * (1.0 + cos) * 0.5;
        assert!((ratio - weight(-ahead) / weight(ahead)).abs() < 1e-5, "{ratio}");
    }

    #[test]
    fn bodies_in_contact_push_and_rub() {
        let agents = [(Vec2::ZERO, Vec2::new(0.0, 1.0)), (Vec2::new(1.5, 0.0), Vec2::ZERO)];
        let world = World::example(&agents);
        // They overlap by 0.5. The other one passes downward, seen from this agent.
        let rubbed = force(&world, 1.0, 10.0, 4.0) - force(&world, 1.0, 0.0, 0.0);
        assert!((rubbed - Vec2::new(-5.0, -2.0)).length() < 1e-4, "{rubbed}");
    }
}
