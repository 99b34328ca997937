//! Staying inside the world.

use super::{Cause, Param, primitive};
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
    ) wants Sometimes {
        let mut wanted = me.vel();
        for (axis, leaves) in leaves(me, margin, horizon).into_iter().enumerate() {
            match leaves {
                Some(End::Least) => wanted[axis] = speed,
                Some(End::Greatest) => wanted[axis] = -speed,
                None => {}
            }
        }
        if wanted == me.vel() { Vec2::ZERO } else { math::limit(wanted, speed) - me.vel() }
    } because {
        let space = me.world().space;
        let [x, y] = leaves(me, margin, horizon);
        let edge = |end, axis: usize| match end {
            End::Least => space.min[axis],
            End::Greatest => space.max()[axis],
        };
        match (x.map(|end| edge(end, 0)), y.map(|end| edge(end, 1))) {
            (None, None) => Cause::Nothing,
            (x, y) => Cause::Edge { x, y },
        }
    }
}

/// An end of the world along one axis.
#[derive(Clone, Copy)]
enum End {
    Least,
    Greatest,
}

/// For each axis, at which end the agent is about to leave the world, if it is.
fn leaves(me: &Me<'_>, margin: f32, horizon: f32) -> [Option<End>; 2] {
    let space = me.world().space;
    let ahead = me.pos() + me.vel() * math::min(horizon, LONGEST_HORIZON_S);
    let middle = space.min + space.size * 0.5;
    let room = space.size * 0.5 - Vec2::splat(margin);
    [0, 1].map(|axis| {
        let out = ahead[axis] - middle[axis];
        let end = if out > 0.0 { End::Greatest } else { End::Least };
        (out.abs() > room[axis]).then_some(end)
    })
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
        assert!((force - (wanted - Vec2::new(3.0, 4.0))).length() < 1e-5, "{force}");
        assert!(at(2.0, 2.0).cmpgt(Vec2::ZERO).all(), "out of a corner");
    }
}
