//! The surfaces of obstacles around an agent: which one comes next, and which ones it touches.

use super::Me;
use crate::geom::FAR;
use crate::math::{self, Vec2};

/// The maximum number of surfaces that an agent slides along at once.
const MAX_CONTACTS: usize = 8;

impl Me<'_> {
    /// Returns normal and distance of the nearest surface, as [`Me::nearest_surface`], from the place where the agent is after
    /// `way`, or where it is stopped before by an obstacle.
    pub fn surface_ahead(&self, way: Vec2) -> (Vec2, f32) {
        let reach = math::min(math::length(way), FAR);
        let hit = self.world().first_hit(self.pos(), way, reach, self.body().radius);
        let free = hit.map_or(reach, |(_, hit)| hit.distance);
        self.surface_near(self.pos() + math::unit(way) * free)
    }

    /// Returns the part of a vector that does not lead into a surface within `margin` world units of the agent's body: the
    /// nearest vector that leads into none of them. Zero in a corner that leaves no way.
    pub fn slide(&self, vector: Vec2, margin: f32) -> Vec2 {
        let reach = math::min(self.body().radius + margin, FAR);
        let mut contacts = Contacts::default();
        for obstacle in &self.world().obstacles {
            let surface = obstacle.shape.surface(self.pos());
            if surface.distance <= reach {
                contacts.add(surface.normal);
            }
        }
        // Another side of the same obstacle, as in the corner of a room, shows only on the way.
        for _ in 0..2 {
            let along = contacts.allow(vector);
            let far = reach * 8.0;
            let hit = self.world().first_hit(self.pos(), along, far, 0.0);
            match hit {
                Some((_, hit)) if (self.pos() - hit.point).dot(hit.normal) <= reach => {
                    contacts.add(hit.normal);
                }
                _ => break,
            }
        }
        contacts.allow(vector)
    }
}

/// The normals of surfaces that an agent touches.
#[derive(Default)]
struct Contacts {
    normals: [Vec2; MAX_CONTACTS],
    count: usize,
}

impl Contacts {
    fn add(&mut self, normal: Vec2) {
        if self.count < MAX_CONTACTS {
            self.normals[self.count] = normal;
            self.count += 1;
        }
    }

    fn normals(&self) -> &[Vec2] {
        &self.normals[..self.count]
    }

    /// Returns the nearest vector that leads into none of the surfaces.
    fn allow(&self, vector: Vec2) -> Vec2 {
        let longest = math::length(vector);
        let is_free =
            |v: Vec2| self.normals().iter().all(|normal| v.dot(*normal) >= -1e-4 * longest);
        if self.normals().iter().all(|normal| vector.dot(*normal) >= 0.0) {
            return vector;
        }
        // In the plane, the nearest one lies along one of the surfaces, or is zero.
        let along = self.normals().iter().map(|&normal| vector - normal * vector.dot(normal));
        let free = along.filter(|&v| is_free(v));
        free.fold(Vec2::ZERO, |best, v| if math::length(v) > math::length(best) { v } else { best })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::Shape;
    use crate::world::{Obstacle, World};

    fn world(pos: Vec2, shapes: &[Shape]) -> World {
        let mut world = World::example(&[(pos, Vec2::ZERO)]);
        for shape in shapes {
            world.obstacles.push(Obstacle { name: "it".into(), shape: shape.clone() });
        }
        world
    }

    fn room() -> Shape {
        Shape::Room { min: Vec2::ZERO, max: Vec2::splat(100.0) }
    }

    fn wall(from: (f32, f32), to: (f32, f32)) -> Shape {
        Shape::Segment { from: Vec2::new(from.0, from.1), to: Vec2::new(to.0, to.1) }
    }

    #[test]
    fn a_wall_takes_the_part_that_leads_into_it() {
        let world = world(Vec2::new(50.0, 1.0), &[room()]);
        let slide = |x, y| world.me(0).slide(Vec2::new(x, y), 0.0);
        assert_eq!(slide(3.0, -4.0), Vec2::new(3.0, 0.0));
        assert_eq!(slide(3.0, 4.0), Vec2::new(3.0, 4.0), "away from it");
        assert_eq!(slide(0.0, -4.0), Vec2::ZERO, "head-on");
        assert_eq!(slide(0.0, 0.0), Vec2::ZERO);
    }

    #[test]
    fn far_walls_do_not_matter_and_near_ones_within_the_margin_do() {
        let world = world(Vec2::new(50.0, 1.5), &[room()]);
        assert_eq!(world.me(0).slide(Vec2::new(3.0, -4.0), 0.4), Vec2::new(3.0, -4.0));
        assert_eq!(world.me(0).slide(Vec2::new(3.0, -4.0), 0.6), Vec2::new(3.0, 0.0));
    }

    #[test]
    fn a_corner_leaves_only_what_leads_into_neither_wall() {
        for shapes in
            [vec![room()], vec![wall((0.0, 0.0), (100.0, 0.0)), wall((0.0, 0.0), (0.0, 100.0))]]
        {
            let world = world(Vec2::new(1.0, 1.0), &shapes);
            let slide = |x, y| world.me(0).slide(Vec2::new(x, y), 0.0);
            assert_eq!(slide(-3.0, -4.0), Vec2::ZERO);
            assert_eq!(slide(3.0, -4.0), Vec2::new(3.0, 0.0));
            assert_eq!(slide(-3.0, 4.0), Vec2::new(0.0, 4.0));
            assert_eq!(slide(3.0, 4.0), Vec2::new(3.0, 4.0));
        }
    }

    #[test]
    fn a_sharp_corner_leaves_no_way_and_a_blunt_one_the_nearer() {
        // Walls at an angle of 60 degrees, with the agent between them.
        let sharp = [wall((0.0, 0.0), (50.0, 0.0)), wall((0.0, 0.0), (25.0, 43.301_27))];
        let here = world(Vec2::new(3f32.sqrt(), 1.0), &sharp);
        let into = here.me(0).slide(Vec2::new(-5.0, -1.0), 0.01);
        assert!(into.length() < 1e-5, "{into}");
        // And at an angle of 120 degrees.
        let blunt = [wall((0.0, 0.0), (50.0, 0.0)), wall((0.0, 0.0), (-25.0, 43.301_27))];
        let here = world(Vec2::new(0.577_350_3, 1.0), &blunt);
        let along = here.me(0).slide(Vec2::new(-5.0, -1.0), 0.01);
        let way = Vec2::new(-0.5, 0.866_025_4);
        assert!((along - way * (2.5 - 0.866_025_4)).length() < 1e-3, "{along}");
    }

    #[test]
    fn the_surface_ahead_is_that_of_the_wall_in_the_way() {
        let world = world(Vec2::new(90.0, 5.0), &[room(), wall((95.0, 0.0), (95.0, 20.0))]);
        assert_eq!(world.me(0).surface_ahead(Vec2::ZERO), (Vec2::Y, 5.0));
        // A wall without thickness stops the way, so its near side counts.
        assert_eq!(world.me(0).surface_ahead(Vec2::new(9.0, 0.0)), (Vec2::NEG_X, 1.0));
    }
}
