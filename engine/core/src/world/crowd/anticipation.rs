//! Forces from the time to collision, by a law that was found in data of pedestrians.

use glam::DVec2;

use crate::math::{self, Vec2};
use crate::world::{Me, Neighbor, Neighborhood};

impl Me<'_> {
    /// Returns the acceleration `-grad E` with the energy `E = strength / t^2 * exp(-t / horizon)`, where `t` is the time
    /// until the disc touches that of a neighbor; summed over all neighbors that it would touch.
    ///
    /// Source: Karamouzas, Skinner, Guy: "Universal power law governing pedestrian interactions" (2014).
    pub(crate) fn anticipation(
        &self,
        neighbors: &Neighborhood,
        strength: f32,
        horizon: f32,
    ) -> Vec2 {
        let mut sum = DVec2::ZERO;
        if horizon <= 0.0 {
            return Vec2::ZERO;
        }
        self.each_neighbor_that(
            neighbors,
            #[inline(always)]
            |other| Meeting::new(self, other).is_ahead(),
            |other| {
                let Meeting { x, v, far, gap, closing, speed, under } = Meeting::new(self, other);
                let root = under.sqrt();
                let time = gap / (closing + root);
                // The force grows with 1 / t^3: within a hundredth of a second, it stays the same.
                let time = if time < SHORTEST { SHORTEST } else { time };
                let fade = f64::from(math::exp(-(time as f32) / horizon));
                let strength = f64::from(strength) * fade / (speed * time * time);
                let by_time = 2.0 / time + 1.0 / f64::from(horizon);
                // On the line on which both meet, the gradient has no side: it is the one to the right.
                let mut across = x * speed + v * closing;
                if across.length_squared() <= 1e-6 * far * speed * speed {
                    across = -v.perp() * (1e-3 * (far * speed).sqrt());
                }
                sum -= (v - across / root) * (strength * by_time);
            },
        );
        math::limit(sum.clamp_length_max(f64::from(f32::MAX)).as_vec2(), f32::MAX)
    }
}

/// How this agent and a neighbor meet, if both keep their velocities.
struct Meeting {
    /// Position and velocity of this agent, seen from the other one.
    x: DVec2,
    v: DVec2,
    /// The square of the distance.
    far: f64,
    /// That, minus the square of the distance at which they touch.
    gap: f64,
    /// How fast they come nearer, multiplied by the distance.
    closing: f64,
    /// The square of the relative speed.
    speed: f64,
    /// The discriminant of the equation for the time.
    under: f64,
}

impl Meeting {
    #[inline(always)]
    fn new(me: &Me<'_>, other: &Neighbor<'_>) -> Self {
        let (x, v) = (-other.offset.as_dvec2(), (me.vel() - other.vel).as_dvec2());
        let x = if x == DVec2::ZERO { other.push_at_same_place().as_dvec2() * 1e-6 } else { x };
        let far = x.length_squared();
        // Discs that overlap count as if they just did not touch.
        let reach = f64::from(me.body().radius + me.world().radius_of(other.row));
        let squared = if far > reach * reach { reach * reach } else { far * 0.98 };
        let (closing, speed) = (-x.dot(v), v.length_squared());
        let gap = far - squared;
        Self { x, v, far, gap, closing, speed, under: closing * closing - speed * gap }
    }

    /// Returns whether they will touch.
    #[inline(always)]
    fn is_ahead(&self) -> bool {
        (self.closing > 0.0) & (self.under > 0.0) & (self.speed != 0.0)
    }
}

/// The shortest time to collision that counts, in seconds.
const SHORTEST: f64 = 0.01;
