//! When an agent would meet other agents and obstacles if all of them kept their velocities.

use super::neighbor_lanes::{NeighborFunction, NeighborLanes};
use super::{Agent, Me, Neighbor, Neighborhood, ObstacleId, World};
use crate::geom::{self, Approach, Course, Hit, Sweep};
use crate::math::wide::{Real, Wide};
use crate::math::{self, Vec2};

impl Me<'_> {
    /// Returns the seconds until this agent's disc touches that of another agent if both keep their velocities; 0 if
    /// they touch or overlap now, `None` if they never will.
    pub fn time_to_collision(&self, other: Agent<'_>) -> Option<f32> {
        let reach = self.body().radius + other.body().radius;
        let (offset, velocity) = self.relative(other);
        geom::time_to_touch(offset, velocity, reach)
    }

    /// Returns when the centers of this agent and another one are nearest if both keep their velocities, and how near.
    pub fn nearest_approach(&self, other: Agent<'_>) -> Approach {
        let (offset, velocity) = self.relative(other);
        geom::nearest_approach(offset, velocity)
    }

    /// Returns the shortest offset to another agent, and its velocity relative to this agent.
    fn relative(&self, other: Agent<'_>) -> (Vec2, Vec2) {
        (self.to(other.pos()), other.vel() - self.vel())
    }

    /// Returns the seconds until a neighbor touches this agent if it had another velocity and its body the radius `own`.
    pub(super) fn time_until(&self, other: &Neighbor<'_>, velocity: Vec2, own: f32) -> Option<f32> {
        let reach = own + self.world().radius_of(other.row);
        geom::time_to_touch(other.offset, other.vel - velocity, reach)
    }

    /// Returns the danger of the first neighbor that the agent's disc touches if it moves with a velocity and all
    /// neighbors keep theirs: from 0 after `horizon` seconds, or if there is none, to 1 if they touch now. Neighbors from
    /// which that way leads away do not count.
    pub fn way_danger(&self, neighbors: &Neighborhood, velocity: Vec2, horizon: f32) -> f32 {
        let mut first = horizon;
        let own = self.body().radius;
        self.each_neighbor_that(neighbors, &Touches { velocity, own }, |other| {
            if other.offset.dot(other.vel - velocity) < 0.0 {
                let time = self.time_until(other, velocity, own);
                first = math::min(time.unwrap_or(first), first);
            }
        });
        if first < horizon { 1.0 - first / horizon } else { 0.0 }
    }

    /// Returns how far the agent's disc can move with a velocity before it touches an obstacle, at most the distance
    /// that it moves in `horizon` seconds; 0 if it touches one now. World units, finite.
    pub fn free_distance(&self, velocity: Vec2, horizon: f32) -> f32 {
        let speed = math::length(velocity);
        if speed == 0.0 || horizon == 0.0 {
            return 0.0;
        }
        let reach = math::min(speed * horizon, f32::MAX);
        let hit = self.world().first_hit(self.pos(), velocity, reach, self.body().radius);
        hit.map_or(reach, |(_, hit)| hit.distance)
    }
}

/// Tests whether neighbors touch a disc at any time, if all keep their velocities.
pub(super) struct Touches {
    /// The velocity of the disc, in world units per second.
    pub(super) velocity: Vec2,
    /// Its radius, in world units.
    pub(super) own: f32,
}

impl NeighborFunction for Touches {
    type Results = Wide<f32>;

    #[inline(always)]
    fn compute(&self, of: &NeighborLanes) -> Wide<f32> {
        let zero = Wide::of(0.0);
        let x = (of.vel_x - Wide::of(self.velocity.x)).each(f64::from);
        let y = (of.vel_y - Wide::of(self.velocity.y)).each(f64::from);
        let reach = Wide::of(self.own) + of.radius;
        let reach = zero.if_less(reach, reach, zero).each(f64::from);
        let course = Course::new((of.x.each(f64::from), of.y.each(f64::from)), (x, y), reach);
        course.touches().each(|touches| touches as f32)
    }
}

impl World {
    /// Returns the first obstacle that a moving disc touches, and where; the first in the list if several are equally
    /// far. The disc moves straight and does not cross the edge of the world.
    pub fn first_hit(
        &self,
        from: Vec2,
        direction: Vec2,
        reach: f32,
        radius: f32,
    ) -> Option<(ObstacleId, Hit)> {
        let disc = Sweep::new(from, direction, reach, radius);
        let mut first: Option<(usize, Hit)> = None;
        for (index, obstacle) in self.obstacles.iter().enumerate() {
            if let Some(hit) = obstacle.shape.cast_disc(&disc)
                && first.as_ref().is_none_or(|(_, nearest)| hit.distance < nearest.distance)
            {
                first = Some((index, hit));
            }
        }
        first.map(|(index, hit)| (self.obstacle_id(index), hit))
    }

    /// Returns the first point on the straight line between two points that is in an obstacle: `from` itself if that
    /// is in one, `None` if the line is free. Both ends belong to the line.
    pub fn ray(&self, from: Vec2, to: Vec2) -> Option<Vec2> {
        let way = to - from;
        let (_, hit) = self.first_hit(from, way, math::length(way), 0.0)?;
        Some(if hit.distance > 0.0 { hit.point } else { from })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::Shape;
    use crate::world::{Edge, Obstacle, Space};

    fn world(agents: &[(f32, f32, f32, f32)]) -> World {
        let agents: Vec<_> =
            agents.iter().map(|&(x, y, vx, vy)| (Vec2::new(x, y), Vec2::new(vx, vy))).collect();
        let mut world = World::example(&agents);
        world.groups[0].body.radius = 1.0;
        world
    }

    fn disc(x: f32, radius: f32) -> Obstacle {
        Obstacle { name: "disc".into(), shape: Shape::Circle { center: Vec2::new(x, 0.0), radius } }
    }

    #[test]
    fn agents_that_approach_each_other_collide_when_their_discs_touch() {
        let world = world(&[(0.0, 0.0, 3.0, 0.0), (10.0, 0.0, -1.0, 0.0)]);
        let (me, other) = (world.me(0), world.agent(1));
        assert_eq!(me.time_to_collision(other), Some(2.0));
        let nearest = me.nearest_approach(other);
        assert_eq!((nearest.time, nearest.distance), (2.5, 0.0));
        let still = Me::new(&world, 0, Vec2::new(-1.0, 0.0));
        assert_eq!(still.time_to_collision(other), None, "a velocity that the script set counts");
    }

    #[test]
    fn the_nearest_approach_may_be_across_the_edge() {
        let mut world = world(&[(1.0, 5.0, -1.0, 0.0), (99.0, 5.0, 1.0, 0.0)]);
        world.space = Space { edge: Edge::Wrap, min: Vec2::ZERO, size: Vec2::splat(100.0) };
        assert_eq!(world.me(0).nearest_approach(world.agent(1)).time, 1.0);
        assert_eq!(world.me(0).time_to_collision(world.agent(1)), Some(0.0));
    }

    #[test]
    fn the_free_distance_ends_at_the_first_obstacle_or_the_horizon() {
        let mut world = world(&[(0.0, 0.0, 1.0, 0.0)]);
        let free = |world: &World, velocity: (f32, f32), horizon| {
            world.me(0).free_distance(velocity.into(), horizon)
        };
        assert_eq!(free(&world, (2.0, 0.0), 3.0), 6.0);
        world.obstacles = vec![disc(20.0, 3.0), disc(10.0, 3.0)];
        assert_eq!(free(&world, (2.0, 0.0), 30.0), 6.0);
        assert_eq!(free(&world, (2.0, 0.0), 2.0), 4.0);
        assert_eq!(free(&world, (-2.0, 0.0), 2.0), 4.0);
        assert_eq!(free(&world, (2.0, 0.0), f32::INFINITY), 6.0);
        assert_eq!(free(&world, (0.0, 0.0), f32::INFINITY), 0.0);
        assert_eq!(free(&world, (-2.0, 0.0), f32::INFINITY), f32::MAX);
        world.obstacles[0] = disc(1.0, 3.0);
        assert_eq!(free(&world, (-2.0, 0.0), 2.0), 0.0, "it touches an obstacle");
    }

    #[test]
    fn a_ray_ends_where_the_first_obstacle_is() {
        let mut world = world(&[]);
        world.obstacles = vec![disc(20.0, 3.0), disc(10.0, 3.0)];
        let far = Vec2::new(50.0, 0.0);
        assert_eq!(world.ray(Vec2::ZERO, far), Some(Vec2::new(7.0, 0.0)));
        assert_eq!(world.ray(far, Vec2::ZERO), Some(Vec2::new(23.0, 0.0)));
        assert_eq!(world.ray(Vec2::ZERO, Vec2::new(6.9, 0.0)), None);
        assert_eq!(world.ray(Vec2::ZERO, Vec2::new(7.0, 0.0)), Some(Vec2::new(7.0, 0.0)));
        let inside = Vec2::new(9.0, 0.0);
        assert_eq!(world.ray(inside, far), Some(inside));
        assert_eq!(world.ray(Vec2::ZERO, Vec2::ZERO), None);
    }
}
