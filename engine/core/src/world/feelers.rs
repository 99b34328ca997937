//! Free directions around an agent.

use super::Me;
use crate::math::{self, Vec2};

/// The number of feelers to either side is limited to this.
const MAX_FEELERS: u16 = 64;

impl Me<'_> {
    /// Returns the direction nearest to `ahead` in which the agent's disc, grown by `margin` world units, can move for `length`
    /// world units, and how far it can move along `ahead`.
    ///
    /// Directions are tried at multiples of `step` radians to both sides. Of two that are equally near, the one on
    /// the side to which the surface ahead leads counts; exactly head-on, the left one. If none is free, it is
    /// the one with the longest way. A disc that touches an obstacle is made so small that it does not; inside of an obstacle,
    /// the direction is the way out.
    pub fn free_direction(&self, ahead: Vec2, length: f32, step: f32, margin: f32) -> (Vec2, f32) {
        let (normal, distance) = self.nearest_surface();
        if distance <= 0.0 {
            return (normal, 0.0);
        }
        let radius = math::min(self.body().radius + margin, distance * 0.99);
        let hit = |way| self.world().first_hit(self.pos(), way, length, radius).map(|(_, hit)| hit);
        let Some(first) = hit(ahead) else { return (ahead, length) };
        let side = ahead.perp_dot(first.normal);
        let first_side = if side < -HEAD_ON { -1.0 } else { 1.0 };
        let (mut best, mut longest) = (ahead, first.distance);
        let step = math::max(step, math::PI / f32::from(MAX_FEELERS));
        for feeler in 1..=MAX_FEELERS {
            let angle = math::min(f32::from(feeler) * step, math::PI);
            for side in [first_side, -first_side] {
                let way = math::rotated(ahead, angle * side);
                match hit(way) {
                    None => return (way, first.distance),
                    Some(hit) if hit.distance > longest => (best, longest) = (way, hit.distance),
                    Some(_) => {}
                }
            }
            if angle >= math::PI {
                break;
            }
        }
        (best, first.distance)
    }
}

/// A direction counts as head-on if the sine of its angle to the surface's normal is below this: otherwise
/// rounding would decide the side.
const HEAD_ON: f32 = 1e-4;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::Shape;
    use crate::world::{Obstacle, World};

    fn direction(shapes: &[Shape]) -> (Vec2, f32) {
        let mut world = World::example(&[(Vec2::new(0.0, 0.0), Vec2::ZERO)]);
        for shape in shapes {
            world.obstacles.push(Obstacle { name: "it".into(), shape: shape.clone() });
        }
        world.me(0).free_direction(Vec2::X, 10.0, math::PI / 12.0, 0.0)
    }

    fn disc(x: f32, y: f32) -> Shape {
        Shape::Circle { center: Vec2::new(x, y), radius: 2.0 }
    }

    #[test]
    fn a_free_way_is_kept() {
        assert_eq!(direction(&[disc(5.0, 3.1)]), (Vec2::X, 10.0));
    }

    #[test]
    fn the_nearest_free_feeler_counts() {
        // It passes the disc of radius 2 + 1 at the distance 5 if it turns by 37 degrees, or by 34 from 0.3 aside.
        let (way, free) = direction(&[disc(5.0, 0.0)]);
        assert!((math::angle(way) - math::PI / 4.0).abs() < 1e-5, "head-on to the left: {way}");
        assert!((free - 2.0).abs() < 1e-5);
        let (way, _) = direction(&[disc(5.0, 0.3)]);
        assert!((math::angle(way) + math::PI / 4.0).abs() < 1e-5, "to the near side: {way}");
    }

    #[test]
    fn without_a_free_feeler_the_longest_counts() {
        let room = Shape::Room { min: Vec2::new(-6.0, -5.0), max: Vec2::new(3.0, 5.0) };
        let (way, free) = direction(&[room]);
        // To the corners at 40 degrees behind: 5 / sin(45 degrees) is more than the 5 straight behind.
        assert!(way.x < -0.7, "{way}");
        assert_eq!(free, 2.0);
    }

    #[test]
    fn an_agent_inside_of_an_obstacle_goes_out() {
        assert_eq!(direction(&[disc(1.0, 0.0)]), (Vec2::NEG_X, 0.0));
    }
}
