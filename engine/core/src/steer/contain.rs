//! Staying inside the world.

use super::algebra::*;
use super::{Cause, Param, primitive};
use crate::math::Unary;
use crate::world::Me;

primitive! {
    /// Steers back inside the world's rectangle if the agent is about to leave it.
    ///
    /// On each axis on which pos + vel * horizon is nearer to the edge than margin, the desired velocity is
    /// speed, inward; on the other axis it is the agent's velocity. The result is limited to speed, and the
    /// force is that velocity minus vel. The force is zero if the agent stays inside.
    ///
    /// So an agent does not turn around at an edge: it slides along it, at the margin; head-on, it almost stops.
    /// Another force, such as `wander`, leads it away again.
    ///
    /// If the margins of opposite edges overlap, the nearer edge counts.
    ///
    /// Source: Reynolds 1999, "Containment", for the one shape that every world has.
    contain(
        me,
        margin: Number = Param::number("margin", "world units", "the distance to keep from the edge").or(0.0),
        horizon: Number = Param::number("horizon", "s", "how far ahead to predict the position, as a time").or(0.5),
        speed: Number = Param::SPEED,
    ) returns ToDesiredVelocityOrZero {
        let [x, y] = nearer_edges(me, margin, horizon);
        me.where_true(x.is_leaving | y.is_leaving, || {
            let inward = |edge: &NearerEdge<A>| choose(edge.is_upper, -speed, speed);
            let (vx, vy) = me.vel().parts();
            let desired: A::Vector = Vector::new(choose(x.is_leaving, inward(&x), vx), choose(y.is_leaving, inward(&y), vy));
            choose(desired.same(me.vel()), me.zero(), desired.limit(speed) - me.vel())
        })
    } reacts_to {
        let space = me.world().space;
        let [x, y] = nearer_edges(me, margin, horizon);
        let edge = |edge: NearerEdge<Me<'_>>, axis: usize| {
            let at = if edge.is_upper { space.max()[axis] } else { space.min[axis] };
            edge.is_leaving.then_some(at)
        };
        match (edge(x, 0), edge(y, 1)) {
            (None, None) => Cause::NothingAhead,
            (x, y) => Cause::Edge { x, y },
        }
    }
}

/// The nearer of the two edges of the world on one axis.
struct NearerEdge<A: Algebra> {
    /// Whether it is the edge with the larger coordinate.
    is_upper: A::Boolean,
    /// Whether the agent is about to leave the world there.
    is_leaving: A::Boolean,
}

/// Returns the nearer edge of the world for each axis.
fn nearer_edges<A: Perception>(
    me: &A,
    margin: A::Number,
    horizon: A::Number,
) -> [NearerEdge<A>; 2] {
    let (min, size) = me.space();
    let half = me.number(0.5);
    let ahead = me.pos() + me.vel() * horizon.least(me.number(MAX_HORIZON_S));
    let (middle, half_size) = (min + size * half, size * half);
    let edge = |ahead: A::Number, middle: A::Number, half_size: A::Number| {
        let out = ahead - middle;
        NearerEdge {
            is_upper: out.gt(me.number(0.0)),
            is_leaving: out.unary(Unary::Abs).gt(half_size - margin),
        }
    };
    let ((ax, ay), (mx, my), (hx, hy)) = (ahead.parts(), middle.parts(), half_size.parts());
    [edge(ax, mx, hx), edge(ay, my, hy)]
}

/// The maximum time to predict: more makes no difference in any world, and results stay finite.
const MAX_HORIZON_S: f32 = 1e9;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec2;
    use crate::world::World;

    #[test]
    fn turns_back_before_the_edge() {
        let at = |x: f32, y: f32| {
            let world = World::example(&[(Vec2::new(x, y), Vec2::new(3.0, 4.0))]);
            contain(&world.me(0), 5.0, 0.0, 10.0)
        };
        assert_eq!(at(50.0, 50.0), Vec2::ZERO);
        let force = at(98.0, 50.0);
        let desired = Vec2::new(-10.0, 4.0).normalize() * 10.0;
        assert!((force - (desired - Vec2::new(3.0, 4.0))).length() < 1e-5, "{force}");
        assert!(at(2.0, 2.0).cmpgt(Vec2::ZERO).all(), "out of a corner");
    }

    /// The limit let through a velocity so small that its square is 0.
    #[test]
    fn an_agent_without_speed_wants_to_stand_still() {
        let vel = Vec2::new(1.374_106_4e-23, -1.374_106_4e-23);
        let world = World::example(&[(Vec2::new(10.0, 0.0), vel)]);
        assert_eq!(contain(&world.me(0), 0.885_519_5, 0.0, 0.0), -vel);
    }
}
