//! Keeping to the width of a path.

use super::algebra::*;
use super::{Cause, Param, primitive, seek};
use crate::math;

primitive! {
    /// Steers back to a path if the agent is about to leave its width.
    ///
    /// With p = pos + vel * horizon and c the point of the path nearest to p: force = seek(c) if |p - c| is
    /// larger than the radius of the path, else zero
    ///
    /// It does not matter in which direction the agent moves along the path, or whether it moves at all.
    ///
    /// Source: Reynolds 1999, "Path Following"; OpenSteer, steerToStayOnPath.
    stay_on_path(
        me,
        path: Path = Param::path("path", "the path to stay on"),
        horizon: Number = Param::number("horizon", "s", "how far ahead to predict the position, as a time").or(0.5),
        speed: Number = Param::SPEED,
    ) returns ToDesiredVelocityOrZero {
        let (nearest, distance) = me.nearest_on(path, ahead(me, horizon));
        me.where_true(distance.gt(me.radius_of(path)), || seek(me, nearest, speed))
    } reacts_to {
        let path = me.world().path(path);
        let at = path.nearest(ahead(me, horizon)).point;
        Cause::Path {
            path: path.name.clone(),
            at,
            distance: math::length(me.to(at)),
        }
    }
}

/// Returns the position that the agent is about to reach.
pub(super) fn ahead<A: Perception>(me: &A, horizon: A::Number) -> A::Vector {
    me.pos() + me.vel() * horizon.least(me.number(MAX_HORIZON_S))
}

/// The maximum time to predict: more makes no difference in any world, and results stay finite.
const MAX_HORIZON_S: f32 = 1e9;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec2;
    use crate::world::World;
    use crate::world::{Path, PathId};

    use crate::world::PathMode;

    #[test]
    fn steers_back_only_when_about_to_leave_the_path() {
        let force = |y: f32, vy: f32| {
            let mut world = World::example(&[(Vec2::new(50.0, y), Vec2::new(3.0, vy))]);
            let points = vec![Vec2::ZERO, Vec2::new(100.0, 0.0)];
            world.paths.push(Path { name: "p".into(), points, radius: 5.0, mode: PathMode::Once });
            stay_on_path(&world.me(0), PathId(0), 1.0, 10.0)
        };
        assert_eq!(force(4.0, 0.0), Vec2::ZERO);
        assert_eq!(force(9.0, -5.0), Vec2::ZERO, "on the way back");
        assert!(force(4.0, 2.0).y < 0.0, "about to leave");
        assert!(force(9.0, 0.0).y < 0.0, "outside");
    }
}
