//! Points that another agent cannot see.

use super::Me;
use crate::geom::Shape;
use crate::math::{self, Vec2};

impl Me<'_> {
    /// Returns the nearest point for the agent behind an obstacle, as seen from a point: on the line from that point
    /// through the center of the obstacle, `gap` world units between its surface and the agent's body. `None` if
    /// no obstacle hides such a point, or if all of them are inside another obstacle.
    ///
    /// A room has no far side, so nothing hides behind it.
    pub fn hiding_place(&self, from: Vec2, gap: f32) -> Option<Vec2> {
        let mut nearest: Option<(Vec2, f32)> = None;
        for obstacle in &self.world().obstacles {
            let Some(point) = self.point_behind(&obstacle.shape, from, gap) else { continue };
            let distance = math::length(self.to(point));
            if nearest.is_none_or(|(_, least)| distance < least) && self.is_hidden(point, from) {
                nearest = Some((point, distance));
            }
        }
        nearest.map(|(point, _)| point)
    }

    fn point_behind(&self, shape: &Shape, from: Vec2, gap: f32) -> Option<Vec2> {
        if let Shape::Room { .. } = shape {
            return None;
        }
        let (center, radius) = (shape.center(), shape.radius());
        let away = math::unit(center - from);
        if away == Vec2::ZERO {
            return None;
        }
        // Bring the body back from far behind the obstacle until it would come too near.
        let reach = math::min(self.body().radius + gap, crate::geom::FAR);
        let start = center + away * (radius + reach * 1.01);
        let hit = shape.cast(start, -away, radius + reach, reach)?;
        let point = start - away * hit.distance;
        point.is_finite().then_some(point)
    }

    /// Returns whether an obstacle is between two points, and the agent fits there.
    fn is_hidden(&self, point: Vec2, from: Vec2) -> bool {
        let world = self.world();
        let fits = |shape: &Shape| shape.surface(point).distance >= self.body().radius * 0.999;
        let way = point - from;
        world.first_hit(from, way, math::length(way), 0.0).is_some()
            && world.obstacles.iter().all(|obstacle| fits(&obstacle.shape))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::{OrientedBox, Polygon};
    use crate::world::{Obstacle, World};

    fn hiding_point(shapes: Vec<Shape>) -> Option<Vec2> {
        let mut world = World::example(&[(Vec2::new(30.0, 30.0), Vec2::ZERO)]);
        let obstacle = |shape| Obstacle { name: "it".into(), shape };
        world.obstacles = shapes.into_iter().map(obstacle).collect();
        world.me(0).hiding_place(Vec2::ZERO, 2.0)
    }

    fn circle(x: f32, y: f32) -> Shape {
        Shape::Circle { center: Vec2::new(x, y), radius: 4.0 }
    }

    fn is_at(point: Option<Vec2>, x: f32, y: f32) {
        let point = point.unwrap();
        assert!((point - Vec2::new(x, y)).length() < 1e-3, "{point}");
    }

    #[test]
    fn it_is_behind_the_obstacle_at_the_gap() {
        // The radius of the obstacle, the gap and the radius of the body are 4 + 2 + 1.
        is_at(hiding_point(vec![circle(20.0, 0.0)]), 27.0, 0.0);
        let walled = Shape::Box(OrientedBox::new(Vec2::new(20.0, 0.0), Vec2::new(3.0, 15.0), 0.0));
        is_at(hiding_point(vec![walled]), 26.0, 0.0);
        let wall = Shape::Segment { from: Vec2::new(20.0, -9.0), to: Vec2::new(20.0, 9.0) };
        is_at(hiding_point(vec![wall]), 23.0, 0.0);
        let corners = [(0.0, 18.0), (9.0, 24.0), (-9.0, 24.0)];
        let corners = corners.map(|(x, y)| Vec2::new(x, y));
        is_at(hiding_point(vec![Shape::Polygon(Polygon::new(corners.to_vec()))]), 0.0, 27.0);
    }

    #[test]
    fn the_nearest_of_several_counts() {
        is_at(hiding_point(vec![circle(20.0, 0.0), circle(0.0, 25.0)]), 0.0, 32.0);
    }

    #[test]
    fn places_in_the_open_or_inside_of_obstacles_do_not_count() {
        assert_eq!(hiding_point(vec![]), None);
        let room = Shape::Room { min: Vec2::splat(-50.0), max: Vec2::splat(50.0) };
        assert_eq!(hiding_point(vec![room.clone()]), None);
        is_at(hiding_point(vec![room, circle(20.0, 0.0)]), 27.0, 0.0);
        let blocked = Shape::Circle { center: Vec2::new(27.0, 0.0), radius: 1.0 };
        is_at(hiding_point(vec![circle(20.0, 0.0), blocked]), 31.0, 0.0);
        assert_eq!(hiding_point(vec![circle(0.0, 0.0)]), None, "the point is the center");
    }
}
