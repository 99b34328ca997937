//! Sliding along walls.

use super::algebra::*;
use super::{Cause, Param, primitive};
use crate::math::Vec2;
use crate::world::Question;

primitive! {
    /// Returns a force without the part that leads into obstacles that the agent touches.
    ///
    /// result = force - n * dot(n, force) at one wall with the normal n, if dot(n, force) < 0
    ///
    /// At several walls it is the vector nearest to force that leads into none of them, and zero in a corner that
    /// leaves no way. Walls count within margin of the agent's body.
    ///
    /// A force that leads away from a wall is not changed. The velocity that the agent has stays: to take the same
    /// part out of it, write `me.vel = me.slide(me.vel)`. At most 8 surfaces count.
    ///
    /// Source: Reynolds 1999, "Containment", which discards the part of the steering that leads into the wall; the corner
    /// is a projection onto the cone of free directions.
    slide(
        me,
        force: Vector = Param::vector("force", "the force or velocity that the agent would have without the walls"),
        margin: Number = Param::number("margin", "world units", "the distance from the body within which walls count as touched").or(0.0),
    ) returns Raw and sees_obstacles {
        let about = [force, Vector::new(margin, me.number(0.0)), me.zero()];
        me.ask(me.always(), Question::Slide, about).0
    } reacts_to {
        if me.slide(force, margin) == force {
            return Cause::NothingAhead;
        }
        let (normal, distance) = me.nearest_surface();
        let at: Vec2 = me.pos() - normal * distance;
        Cause::point(me, at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::Shape;
    use crate::world::{Obstacle, World};

    #[test]
    fn removes_the_part_that_leads_into_the_wall() {
        let mut world = World::example(&[(Vec2::new(50.0, 1.0), Vec2::ZERO)]);
        let shape = Shape::Room { min: Vec2::ZERO, max: Vec2::splat(100.0) };
        world.obstacles.push(Obstacle { name: "it".into(), shape });
        let force = Vec2::new(3.0, -4.0);
        assert_eq!(slide(&world.me(0), force, 0.0), Vec2::new(3.0, 0.0));
        assert_eq!(slide(&world.me(0), -force, 0.0), -force);
    }
}
