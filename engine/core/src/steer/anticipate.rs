//! Yielding early, as pedestrians do.

use super::algebra::*;
use super::{Param, primitive};
use crate::world::NeighborQuestion;

primitive! {
    /// Pushes the agent away from collisions that are still seconds away, as measured for pedestrians.
    ///
    /// For each neighbor that the agent would touch after t seconds if nobody changed its velocity, the energy is E =
    /// strength / t^2 * exp(-t / horizon). force = mass * sum of -grad E, where the gradient is by the agent's
    /// position.
    ///
    /// A neighbor that the agent does not approach gives no force. Discs that overlap count as if they just did not
    /// touch, and t is at least 0.01 s. A mirror image of the agent counts as if it were a little to the left, so that they pass on the
    /// right; the other way round if both bodies have `keeps_left`. Obstacles do not count: add `avoid_obstacles`.
    ///
    /// The force grows with 1 / t^3, so bodies that nearly touch throw each other about: from about 2 people per square meter on, nobody
    /// comes forward. In a crowd, limit it, for example with a `max_force` of 20 for people of mass 1.
    ///
    /// Source: Karamouzas, Skinner, Guy, "Universal power law governing pedestrian interactions" (2014), with its strength
    /// of 1.5 m^2 and horizon of 3 s.
    anticipate(
        me,
        neighbors: Neighbors = Param::neighbors("neighbors", "the neighbors to yield to"),
        strength: Number = Param::number("strength", "world units^2", "the strength of the energy").or(1.5),
        horizon: Number = Param::number("horizon", "s", "the time after which the force falls exponentially").or(3.0),
    ) returns Raw and prefers_a_side {
        let about = [Vector::new(strength, horizon), me.zero(), me.zero(), me.zero()];
        me.ask_neighbors(NeighborQuestion::Anticipation, neighbors, about) * me.mass()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec2;
    use crate::world::{Neighborhood, World};

    /// The gradient of the energy, by differences in double precision.
    #[test]
    fn is_the_gradient_of_the_energy() {
        let (other, vel) = ((6.0f64, 1.0f64), (-2.0f64, 0.5f64));
        let energy = |x: f64, y: f64| {
            let (dx, dy) = (other.0 - x, other.1 - y);
            let (vx, vy) = (vel.0 - 1.0, vel.1);
            let (a, b, c) = (vx * vx + vy * vy, dx * vx + dy * vy, dx * dx + dy * dy - 4.0);
            let t = (-b - (b * b - a * c).sqrt()) / a;
            1.5 / (t * t) * libm::exp(-t / 3.0)
        };
        let h = 1e-5;
        let gradient = Vec2::new(
            ((energy(h, 0.0) - energy(-h, 0.0)) / (2.0 * h)) as f32,
            ((energy(0.0, h) - energy(0.0, -h)) / (2.0 * h)) as f32,
        );
        let world = World::example(&[
            (Vec2::ZERO, Vec2::new(1.0, 0.0)),
            (Vec2::new(6.0, 1.0), Vec2::new(-2.0, 0.5)),
        ]);
        let force = anticipate(&world.me(0), Neighborhood::within(50.0), 1.5, 3.0);
        assert!((force + gradient).length() < 1e-4 * gradient.length(), "{force} {gradient}");
    }
}
