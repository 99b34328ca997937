//! Staying inside the world.

use super::{Param, primitive};
use crate::math::{self, Vec2};
use crate::world::Me;

primitive! {
    /// Steers back inside the world's rectangle where the agent is about to leave it.
    ///
    /// For each axis on which pos + vel * horizon is nearer to the edge than margin, the velocity wanted on
    /// that axis is speed, inward; the other one is left as it is, and both together are cut to speed. The
    /// force is the difference to vel; zero where the agent stays inside.
    ///
    /// Where the margins of opposite edges meet, the nearer edge counts.
    ///
    /// Source: Reynolds 1999, "Containment", for the one shape that every world has.
    contain(
        me,
        margin: f32 = Param::number("margin", "world units", "how far from the edge to stay").or(0.0),
        horizon: f32 = Param::number("horizon", "s", "how far ahead to look, in time").or(0.5),
        speed: f32 = Param::SPEED,
    ) {
        let space = me.world().space;
        let ahead = me.pos() + me.vel() * math::min(horizon, LONGEST_HORIZON_S);
        let middle = space.min + space.size * 0.5;
        let room = space.size * 0.5 - Vec2::splat(margin);
        let mut wanted = me.vel();
        for axis in 0..2 {
            let out = ahead[axis] - middle[axis];
            if out.abs() > room[axis] {
                wanted[axis] = if out > 0.0 { -speed } else { speed };
            }
        }
        if wanted == me.vel() { Vec2::ZERO } else { math::limit(wanted, speed) - me.vel() }
    }
}

/// Looking farther ahead than this makes no difference in any world, and stays finite.
const LONGEST_HORIZON_S: f32 = 1e9;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::World;

    #[test]
    fn turns_back_before_the_edge() {
        let at = |x: f32, y: f32| {
            let world = World::example(&[(Vec2::new(x, y), Vec2::new(3.0, 4.0))]);
            contain(&world.me(0), 5.0, 0.0, 10.0)
        };
        assert_eq!(at(50.0, 50.0), Vec2::ZERO);
        let force = at(98.0, 50.0);
        let wanted = Vec2::new(-10.0, 4.0).normalize() * 10.0;
        assert!(
            (force - (wanted - Vec2::new(3.0, 4.0))).length() < 1e-5,
            "{force}"
        );
        assert!(at(2.0, 2.0).cmpgt(Vec2::ZERO).all(), "out of a corner");
    }
}
