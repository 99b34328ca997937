//! Forces from the time to collision, by a law that was found in data of pedestrians.

use glam::DVec2;

use crate::math::wide::{Real, Wide, dot};
use crate::math::{self, Vec2};
use crate::world::neighbor_lanes::{NeighborFunction, NeighborLanes};
use crate::world::{Me, Neighborhood};

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
        let meets = Meets { vel: self.vel(), own: self.body().radius };
        self.each_neighbor_that(neighbors, &meets, |other| {
            let (x, v) = (-other.offset.as_dvec2(), (self.vel() - other.vel).as_dvec2());
            let x = if x == DVec2::ZERO { other.push_at_same_place().as_dvec2() * 1e-6 } else { x };
            let reach = f64::from(meets.own + self.world().radius_of(other.row));
            let x = -self.seen_offset(other.row, -x, other.vel.as_dvec2(), reach);
            let meeting = Meeting::new(x.into(), v.into(), reach);
            if meeting.is_ahead() == 0.0 {
                return;
            }
            let Meeting { gap, closing, speed, under, .. } = meeting;
            let root = under.sqrt();
            let time = gap / (closing + root);
            // The force grows with 1 / t^3: within a hundredth of a second, it stays the same.
            let time = if time < SHORTEST { SHORTEST } else { time };
            let fade = f64::from(math::exp(-(time as f32) / horizon));
            let strength = f64::from(strength) * fade / (speed * time * time);
            let by_time = 2.0 / time + 1.0 / f64::from(horizon);
            let across = x * speed + v * closing;
            sum -= (v - across / root) * (strength * by_time);
        });
        math::limit(sum.clamp_length_max(f64::from(f32::MAX)).as_vec2(), f32::MAX)
    }
}

/// How two agents meet, if both keep their velocities.
struct Meeting<T> {
    /// The square of the distance.
    far: T,
    /// That, minus the square of the distance at which they touch.
    gap: T,
    /// How fast they come nearer, multiplied by the distance.
    closing: T,
    /// The square of the relative speed.
    speed: T,
    /// The discriminant of the equation for the time.
    under: T,
}

impl<T: Real> Meeting<T> {
    /// `x` and `v` are the position and the velocity of one agent, seen from the other one.
    #[inline(always)]
    fn new(x: (T, T), v: (T, T), reach: T) -> Self {
        let far = dot(x, x);
        // Discs that overlap count as if they just did not touch.
        let touching = reach * reach;
        let squared = touching.if_less(far, touching, far * (T::of(49.0) / T::of(50.0)));
        let (closing, speed) = (-dot(x, v), dot(v, v));
        let gap = far - squared;
        Self { far, gap, closing, speed, under: closing * closing - speed * gap }
    }

    /// Returns 1 if they will touch, else 0.
    #[inline(always)]
    fn is_ahead(&self) -> T {
        let (zero, one) = (T::of(0.0), T::of(1.0));
        let moves = zero.if_less(self.speed, one, zero);
        zero.if_less(self.closing, zero.if_less(self.under, moves, zero), zero)
    }
}

/// Tests whether an agent meets neighbors. Those at the same place pass, too.
struct Meets {
    /// The velocity of the agent, in world units per second.
    vel: Vec2,
    /// The radius of its body, in world units.
    own: f32,
}

impl NeighborFunction for Meets {
    type Results = Wide<f32>;

    #[inline(always)]
    fn compute(&self, of: &NeighborLanes) -> Wide<f32> {
        let x = ((-of.x).each(f64::from), (-of.y).each(f64::from));
        let v = (Wide::of(self.vel.x) - of.vel_x, Wide::of(self.vel.y) - of.vel_y);
        let v = (v.0.each(f64::from), v.1.each(f64::from));
        let reach = (Wide::of(self.own) + of.radius).each(f64::from);
        let meeting = Meeting::new(x, v, reach);
        let (zero, one) = (Wide::of(0.0), Wide::of(1.0));
        zero.if_less(meeting.far, meeting.is_ahead(), one).each(|passes| passes as f32)
    }
}

/// The shortest time to collision that counts, in seconds.
const SHORTEST: f64 = 0.01;
