//! Moving after the neighbors in three zones.

use super::algebra::*;
use super::{Param, RADIANS, primitive};
use crate::world::NeighborQuestion;

primitive! {
    /// Steers at full speed away from neighbors that are too near, or else along the others and toward them.
    ///
    /// Neighbors within the distance repulsion are too near. If there are any, d = - sum of unit(q - pos) over them. Else d is
    /// the sum of unit(vq) over the neighbors within orientation, plus the sum of unit(q - pos) over those beyond it. force =
    /// unit(d) * speed - vel; zero if d is zero
    ///
    /// The neighborhood is the zone of attraction: its radius is the largest one. A neighbor exactly at the border of
    /// two zones is in the inner one. Within the blind angle behind the agent, only neighbors that are too near count. A
    /// neighbor at the same place pushes along the difference of the two agents' random directions.
    ///
    /// The noise of the model is `wander`, or `vicsek` without neighbors; its limited turning rate is a low max_force.
    ///
    /// Source: Couzin, Krause, James, Ruxton and Franks 2002, "Collective memory and spatial sorting in animal groups".
    /// Their fish have a blind angle of up to PI.
    zones(
        me,
        neighbors: Neighbors = Param::neighbors("neighbors", "the neighbors that count, or the radius of the zone of attraction"),
        repulsion: Number = Param::number("repulsion", "world units", "the radius of the zone of repulsion"),
        orientation: Number = Param::number("orientation", "world units", "the radius of the zone of orientation"),
        blind: Number = Param::number("blind", RADIANS, "the angle behind the agent in which it sees nobody").or(0.0),
        speed: Number = Param::SPEED,
    ) returns ToDesiredVelocityOrZero {
        let zones = Vector::new(repulsion, orientation);
        let about = [zones, Vector::new(blind, me.number(0.0)), me.zero(), me.zero()];
        let way = me.ask_neighbors(NeighborQuestion::ZoneDirection, neighbors, about);
        choose(way.same(me.zero()), me.zero(), me.steer(way, speed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec2;
    use crate::world::{Neighborhood, World};

    #[test]
    fn steers_at_full_speed_along_the_direction_of_the_zones() {
        let world = World::example(&[
            (Vec2::ZERO, Vec2::X),
            (Vec2::new(0.0, 4.0), Vec2::X),
            (Vec2::new(0.0, 8.0), Vec2::X),
        ]);
        let force =
            |repulsion| zones(&world.me(0), Neighborhood::within(9.0), repulsion, 5.0, 0.0, 10.0);
        assert!((force(1.0) - (Vec2::ONE.normalize() * 10.0 - Vec2::X)).length() < 1e-5);
        assert_eq!(force(4.0), Vec2::new(-1.0, -10.0));
    }
}
