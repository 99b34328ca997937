//! Keeping apart.

use super::algebra::*;
use super::{Param, primitive};

primitive! {
    /// Steers away from neighbors at full speed; nearer neighbors count more.
    ///
    /// push = sum of (pos - q) / |pos - q|^2 over all neighbors at q, force = unit(push) * speed - vel; zero if
    /// push is zero
    ///
    /// A neighbor at exactly the same place pushes along the difference of the two agents' random directions, which
    /// depend only on their ids: the two agents leave in opposite directions.
    ///
    /// Source: Reynolds 1999, "Separation", with his weight 1/r; as a desired velocity after Shiffman. In other
    /// libraries, agents at the same place give NaN or ignore each other forever.
    separation(
        me,
        neighbors: Neighbors = Param::neighbors("neighbors", "the neighbors to keep away from"),
        speed: Number = Param::SPEED,
    ) returns ToDesiredVelocityOrZero {
        let away = me.push(neighbors).unit();
        choose(away.same(me.zero()), me.zero(), me.steer(away, speed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec2;
    use crate::world::Neighborhood;
    use crate::world::World;

    #[test]
    fn nearer_neighbors_push_harder() {
        let world = World::example(&[
            (Vec2::ZERO, Vec2::new(1.0, 0.0)),
            (Vec2::new(2.0, 0.0), Vec2::ZERO),
            (Vec2::new(0.0, -4.0), Vec2::ZERO),
        ]);
        let force = separation(&world.me(0), Neighborhood::within(5.0), 10.0);
        let away = Vec2::new(-0.5, 0.25).normalize();
        assert!((force - (away * 10.0 - Vec2::X)).length() < 1e-5, "{force}");
    }

    #[test]
    fn agents_at_the_same_place_move_apart() {
        let world = World::example(&[(Vec2::ONE, Vec2::ZERO); 2]);
        let [a, b] = [0, 1].map(|row| separation(&world.me(row), Neighborhood::within(5.0), 10.0));
        assert!((a.length() - 10.0).abs() < 1e-4);
        assert_eq!(a, -b);
    }
}
