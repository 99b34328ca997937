//! Stepping aside early, no faster than the gap ahead allows.
#![expect(clippy::too_many_arguments, reason = "the model has as many parameters")]

use super::algebra::*;
use super::{Cause, Param, primitive};
use crate::world::NeighborQuestion;

primitive! {
    /// Steers aside from where neighbors will be, no faster than the gap ahead allows.
    ///
    /// The desired velocity is vel + force, at most speed; its direction is e. A neighbor in front, as seen along e or the heading, turns
    /// it aside by strength * (1 + (1 - e . h) / 2) * exp(-max(0, g) / range): to the right if the neighbor will be to the left of e
    /// after anticipation seconds, else to the left. h is the neighbor's heading, and g the gap between both bodies minus how much it
    /// shrinks in that time. The heading turns to the sum of e and all of these within about reaction seconds, and at once if one of
    /// both leads against e. From twice wall_distance + radius on, the part that leads into the nearest obstacle shrinks, to 0 at
    /// wall_distance + radius; nearer, the agent goes along the obstacle and away from it. The gap s is the least gap to a neighbor in
    /// front of this direction and in its way. force = direction * min(|desired|, max(0, s) / time_gap) - vel.
    ///
    /// Neighbors behind an obstacle do not count. The result holds only if the agent takes the velocity at once:
    /// `me.vel += me.anticipation_velocity(...)`. Then bodies of agents hardly overlap if ticks are short beside time_gap. An agent
    /// without room turns at a millionth of its speed, since its heading is the direction of its motion. Neighbors at the same place push in
    /// opposite random directions and do not block. A neighbor that will be exactly ahead and a mirror image of the agent count as to the
    /// left, so that they pass on the right; as to the right if both bodies have `keeps_left`.
    ///
    /// Source: Xu, Chraibi, Seyfried, "Anticipation in a velocity-based model for pedestrian dynamics" (2021). The obstacles, the
    /// sight and the defaults, for meters, are those of JuPedSim's `AnticipationVelocityModel`, which takes a random side where there is none.
    anticipation_velocity(
        me,
        force: Vector = Param::vector("force", "the force that the agent would apply if it were alone"),
        neighbors: Neighbors = Param::neighbors("neighbors", "the neighbors that count"),
        time_gap: Number = Param::number("time_gap", "s", "how long the agent would need for the gap ahead at its speed").or(1.06),
        strength: Number = Param::number("strength", "", "how much a neighbor that will touch turns it, in parts of the desired direction").or(8.0),
        range: Number = Param::number("range", "world units", "the distance over which that falls to 1/e").or(0.1),
        anticipation: Number = Param::number("anticipation", "s", "how far the agent looks ahead").or(1.0),
        reaction: Number = Param::number("reaction", "s", "how long it takes to turn").or(0.3),
        wall_distance: Number = Param::number("wall_distance", "world units", "the distance to keep from obstacles").or(0.1),
        speed: Number = Param::SPEED,
    ) returns ToDesiredVelocity and sees_obstacles and prefers_a_side {
        let wanted = (me.vel() + force).limit(speed);
        let about = [
            wanted,
            Vector::new(time_gap, strength),
            Vector::new(range, anticipation),
            Vector::new(reaction, wall_distance),
        ];
        me.ask_neighbors(NeighborQuestion::AnticipatingVelocity, neighbors, about) - me.vel()
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

    /// Returns the velocity of the first agent, which stands at the origin, looks along the x axis and wants (0, 5). All radii are 1.
    fn velocity(world: &World, strength: f32, anticipation: f32, reaction: f32) -> Vec2 {
        let (near, force) = (Neighborhood::within(50.0), Vec2::new(0.0, 5.0));
        let me = &world.me(0);
        anticipation_velocity(me, force, near, 1.0, strength, 0.5, anticipation, reaction, 0.5, 8.0)
    }

    fn with(other: Vec2, vel: Vec2) -> World {
        World::example(&[(Vec2::ZERO, Vec2::ZERO), (other, vel)])
    }

    #[test]
    fn a_neighbor_turns_the_agent_aside_from_where_it_will_be() {
        // It is to the right and crosses: after a second, it will be to the left. The gap shrinks from 3 to 2.
        let world = with(Vec2::new(3.0, 4.0), Vec2::new(-5.0, 2.5));
        let opposes = 1.0 - world.agents.heading(1).y;
        let push = 8.0 * (1.0 + 0.5 * opposes) * math::exp(-2.0 / 0.5);
        let along = math::unit(Vec2::new(push, 1.0));
        assert!((velocity(&world, 8.0, 1.0, 0.0) - along * 5.0).length() < 1e-4);
        // Without anticipation, it is where it is.
        let push = 8.0 * (1.0 + 0.5 * opposes) * math::exp(-3.0 / 0.5);
        let along = math::unit(Vec2::new(-push, 1.0));
        let found = velocity(&world, 8.0, 0.0, 0.0);
        assert!((math::unit(found) - along).length() < 1e-4, "{found}");
        let behind = with(Vec2::new(-0.1, -4.0), Vec2::ZERO);
        assert_eq!(velocity(&behind, 8.0, 1.0, 0.0), Vec2::new(0.0, 5.0));
    }

    #[test]
    fn turning_takes_the_reaction_time() {
        let mut world = with(Vec2::new(0.0, -50.0), Vec2::ZERO);
        world.dt = 0.1;
        assert_eq!(world.agents.heading(0), Vec2::X);
        let turned = math::unit(Vec2::new(0.75, 0.25));
        assert!((velocity(&world, 8.0, 1.0, 0.4) - turned * 5.0).length() < 1e-5);
        assert_eq!(velocity(&world, 8.0, 1.0, 0.0), Vec2::new(0.0, 5.0));
    }

    #[test]
    fn the_gap_ahead_takes_the_time_gap() {
        let world = with(Vec2::new(1.0, 3.0), Vec2::ZERO);
        let gap = math::sqrt(10.0) - 2.0;
        assert!((velocity(&world, 0.0, 1.0, 0.0) - Vec2::new(0.0, gap)).length() < 1e-5);
        let touching = with(Vec2::new(0.0, 1.5), Vec2::ZERO);
        let turns = velocity(&touching, 0.0, 1.0, 0.0);
        assert!(turns.y > 0.0 && turns.y < 1e-5, "{turns}");
    }

    #[test]
    fn goes_along_walls() {
        let mut world = with(Vec2::new(0.0, -50.0), Vec2::ZERO);
        world.dt = 0.1;
        let wall = |y: f32| {
            let (from, to) = (Vec2::new(-9.0, y), Vec2::new(9.0, y));
            vec![Obstacle { name: "wall".into(), shape: Shape::Segment { from, to } }]
        };
        let along = |world: &World, reaction| math::unit(velocity(world, 8.0, 1.0, reaction));
        // The wall begins to count at 3, and is too near at 1.5.
        for (y, way) in [(3.1, Vec2::Y), (-2.0, Vec2::Y), (1.4, -Vec2::Y), (-1.4, Vec2::Y)] {
            world.obstacles = wall(y);
            assert_eq!(along(&world, 0.0), way, "{y}");
        }
        // On the way from the heading to the wall, the direction is diagonal.
        for (y, way) in [(2.25, Vec2::new(1.0, 0.5)), (1.4, Vec2::new(math::sqrt(0.5), -0.3))] {
            world.obstacles = wall(y);
            assert!((along(&world, 0.2) - math::unit(way)).length() < 1e-5, "{y}");
        }
    }
}
