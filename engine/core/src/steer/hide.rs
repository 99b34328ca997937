//! Getting out of sight.

use super::algebra::*;
use super::{Param, arrive, evade, primitive};
use crate::world::Question;

primitive! {
    /// Steers to the nearest place behind an obstacle where a hunter does not see the agent.
    ///
    /// For each obstacle there is one place: on the line from the hunter through the center of the obstacle's bounds, beyond
    /// it, with gap between its surface and the agent's body. force = arrive(nearest place, slowing), or
    /// evade(hunter) if there is none
    ///
    /// Places that are not behind an obstacle after all, as in the opening of a hollow one, or that are inside
    /// another obstacle, do not count. A room hides nothing. It does not matter whether the hunter looks to the
    /// agent, nor how far away it is.
    ///
    /// Source: Buckland 2005, "Hide"; with any shape in place of circles. In his code, the evasion without a hiding place
    /// never happens, and gdx-ai has none.
    hide(
        me,
        hunter: Agent = Param::agent("hunter", "the agent to hide from"),
        gap: Number = Param::number("gap", "world units", "the distance to keep from the obstacle"),
        slowing: Number = Param::number("slowing", "world units", "the distance from the place at which slowing down begins"),
        speed: Number = Param::SPEED,
    ) returns ToDesiredVelocity and sees_obstacles and needs_obstacles {
        let (none, far) = (me.number(0.0), me.number(f32::INFINITY));
        let about = [me.pos_of(hunter), Vector::new(gap, none), me.zero()];
        let (place, found) = me.ask(me.always(), Question::HidingPlace, about);
        let is_found = found.gt(none);
        let hide = arrive(me, place, slowing, speed);
        let escape = me.where_true(!is_found, || evade(me, hunter, far, far, speed, me.number(1.0)));
        choose(is_found, hide, escape)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::Shape;
    use crate::math::Vec2;
    use crate::world::{Obstacle, World};

    fn world(shape: Option<Shape>) -> World {
        let mut world =
            World::example(&[(Vec2::new(30.0, 30.0), Vec2::X), (Vec2::ZERO, Vec2::ZERO)]);
        world.obstacles.extend(shape.map(|shape| Obstacle { name: "it".into(), shape }));
        world
    }

    #[test]
    fn goes_behind_the_obstacle() {
        let circle = Shape::Circle { center: Vec2::new(25.0, 0.0), radius: 2.0 };
        let world = world(Some(circle));
        // The place is at x = 25 + 2 + 2 for the gap + 1 for the body.
        let force = hide(&world.me(0), world.agent(1), 2.0, 60.0, 10.0);
        assert!((force - (Vec2::new(0.0, -5.0) - Vec2::X)).length() < 1e-3, "{force}");
    }

    #[test]
    fn evades_if_there_is_nothing_to_hide_behind() {
        let world = world(None);
        let force = hide(&world.me(0), world.agent(1), 2.0, 60.0, 10.0);
        let far = f32::INFINITY;
        assert_eq!(force, evade(&world.me(0), world.agent(1), far, far, 10.0, 1.0));
    }
}
