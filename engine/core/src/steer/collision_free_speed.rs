//! Walking no faster than the gap ahead allows.
#![expect(clippy::too_many_arguments, reason = "the model has as many parameters")]

use super::algebra::*;
use super::{Cause, Param, primitive};
use crate::world::NeighborQuestion;

primitive! {
    /// Steers away from neighbors and obstacles, no faster than the gap ahead allows.
    ///
    /// The desired velocity is vel + force, at most speed; its direction is e. A neighbor at the distance d of the centers, with the sum r
    /// of the radii, turns the direction to e' = unit(e + sum of strength * exp((r - d) / range) * n), where n is the unit vector
    /// away from it. Each obstacle does the same from its nearest point, with the own radius, wall_strength and wall_range. The gap
    /// s is the least d - r of all neighbors that are in front, as seen along e', and less than r aside. force = e' * min(|desired|, max(0, s) /
    /// time_gap) - vel.
    ///
    /// Neighbors behind an obstacle do not count. The result holds only if the agent takes the velocity at once:
    /// `me.vel += me.collision_free_speed(...)`. Then bodies of agents do not overlap if ticks are short beside time_gap. Walls turn
    /// agents away and do not stop them: a `solid` body does. Where all directions cancel out, e' is the heading. The
    /// exponents are at most 40. Neighbors at the same place push in opposite random directions and do not block. The push of a mirror
    /// image of the agent is turned to the right by 0.3 radians, so that they pass; to the left if both bodies have `keeps_left`.
    ///
    /// Source: Tordeux, Chraibi, Seyfried, "Collision-free speed model for pedestrian dynamics" (2016). The obstacles, the sight
    /// and the defaults, for meters, are those of JuPedSim's `CollisionFreeSpeedModel`.
    collision_free_speed(
        me,
        force: Vector = Param::vector("force", "the force that the agent would apply if it were alone"),
        neighbors: Neighbors = Param::neighbors("neighbors", "the neighbors that count"),
        time_gap: Number = Param::number("time_gap", "s", "how long the agent would need for the gap ahead at its speed").or(1.0),
        strength: Number = Param::number("strength", "", "the push of a neighbor that just touches, in parts of the desired direction").or(8.0),
        range: Number = Param::number("range", "world units", "the distance over which the push of neighbors falls to 1/e").or(0.1),
        wall_strength: Number = Param::number("wall_strength", "", "the push of an obstacle that just touches").or(5.0),
        wall_range: Number = Param::number("wall_range", "world units", "the distance over which the push of obstacles falls to 1/e").or(0.02),
        speed: Number = Param::SPEED,
    ) returns ToDesiredVelocity and sees_obstacles and prefers_a_side {
        let wanted = (me.vel() + force).limit(speed);
        let (near, walls) = (Vector::new(strength, range), Vector::new(wall_strength, wall_range));
        let about = [wanted, Vector::new(time_gap, time_gap), near, walls];
        me.ask_neighbors(NeighborQuestion::CollisionFreeVelocity, neighbors, about) - me.vel()
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

    /// Returns the velocity of the first agent, which stands at the origin and wants (5, 0). All radii are 1.
    fn velocity(world: &World, time_gap: f32, strength: f32) -> Vec2 {
        let (near, force) = (Neighborhood::within(50.0), Vec2::new(5.0, 0.0));
        collision_free_speed(&world.me(0), force, near, time_gap, strength, 0.5, 5.0, 0.5, 8.0)
    }

    fn standing(others: &[Vec2]) -> World {
        let all = [Vec2::ZERO].into_iter().chain(others.iter().copied());
        World::example(&all.map(|at| (at, Vec2::ZERO)).collect::<Vec<_>>())
    }

    #[test]
    fn the_gap_ahead_takes_the_time_gap() {
        let ahead = standing(&[Vec2::new(3.0, 0.0), Vec2::new(4.0, 0.0)]);
        assert_eq!(velocity(&ahead, 2.0, 0.0), Vec2::new(0.5, 0.0));
        assert_eq!(velocity(&ahead, 0.0, 0.0), Vec2::new(5.0, 0.0));
        assert_eq!(velocity(&ahead, f32::INFINITY, 0.0), Vec2::ZERO);
        let aside = standing(&[Vec2::new(3.0, 2.01), Vec2::new(-2.5, 0.0)]);
        assert_eq!(velocity(&aside, 2.0, 0.0), Vec2::new(5.0, 0.0), "nobody is in the way");
        let touching = standing(&[Vec2::new(1.5, 0.0)]);
        assert_eq!(velocity(&touching, 2.0, 0.0), Vec2::ZERO);
        let slower = collision_free_speed(
            &ahead.me(0),
            Vec2::new(5.0, 0.0),
            Neighborhood::within(50.0),
            0.1,
            0.0,
            0.5,
            5.0,
            0.5,
            3.0,
        );
        assert_eq!(slower, Vec2::new(3.0, 0.0), "at most the speed");
    }

    #[test]
    fn neighbors_and_walls_turn_the_direction() {
        // The gap is 0.5, so the push is 8 / e.
        let world = standing(&[Vec2::new(0.0, 2.5)]);
        let push = 8.0 * math::exp(-1.0);
        let along = math::unit(Vec2::new(1.0, -push));
        assert!((velocity(&world, 1.0, 8.0) - along * 5.0).length() < 1e-5);
        let mut world = standing(&[]);
        let shape = Shape::Circle { center: Vec2::new(0.0, -3.5), radius: 2.0 };
        world.obstacles.push(Obstacle { name: "pillar".into(), shape });
        let along = math::unit(Vec2::new(1.0, 5.0 * math::exp(-1.0)));
        assert!((velocity(&world, 1.0, 8.0) - along * 5.0).length() < 1e-5);
    }

    #[test]
    fn neighbors_behind_a_wall_do_not_count() {
        let mut world = standing(&[Vec2::new(4.0, 0.0)]);
        let wall = |x: f32, half: f32| {
            let (from, to) = (Vec2::new(x, -half), Vec2::new(x, half));
            vec![Obstacle { name: "wall".into(), shape: Shape::Segment { from, to } }]
        };
        let seen = velocity(&world, 1.0, 0.0);
        assert_eq!(seen, Vec2::new(2.0, 0.0));
        for (obstacles, hides) in
            [(wall(2.0, 3.0), true), (wall(5.0, 3.0), false), (wall(-2.0, 3.0), false)]
        {
            world.obstacles = obstacles;
            let speed = velocity(&world, 1.0, 0.0).length();
            assert_eq!(speed == 5.0, hides, "{speed}");
        }
        // A wall that bends around the agent, nearest beside it.
        let corners = [(3.2, -2.0), (3.6, -2.0), (3.6, 4.0), (-1.0, 4.0), (-1.0, 3.0), (3.2, 3.0)];
        let shape = Shape::Polygon(crate::geom::Polygon::new(corners.map(Vec2::from).to_vec()));
        world.obstacles = vec![Obstacle { name: "corner".into(), shape }];
        assert!(velocity(&world, 1.0, 0.0).length() > 4.99, "it hides");
    }

    #[test]
    fn agents_at_the_same_place_part() {
        let world = standing(&[Vec2::ZERO]);
        let near = Neighborhood::within(50.0);
        let walk = |row: usize| {
            collision_free_speed(
                &world.me(row),
                Vec2::new(5.0, 0.0),
                near,
                1.0,
                8.0,
                0.5,
                5.0,
                0.5,
                8.0,
            )
        };
        let (a, b) = (walk(0), walk(1));
        assert!(a.dot(b) < 0.0 && a.length() > 4.9, "{a} {b}");
    }
}
