//! Reciprocal velocity obstacles: the best of many candidate velocities.

use super::closest::{Close, MAX_CLOSEST};
use crate::geom;
use crate::math::{self, Vec2};
use crate::world::{Me, Neighborhood, Obstacle};

/// The maximum number of obstacles that an agent takes into account; the first ones in the list.
const MAX_OBSTACLES: usize = 16;

/// The number of times that the search is refined around the best candidate, each time half as wide.
const ROUNDS: usize = 4;

/// Directions of the candidates around the best one, beginning ahead and going on alternately to the right and left.
const DIRECTIONS: [Vec2; 8] = {
    const D: f32 = std::f32::consts::FRAC_1_SQRT_2;
    [
        Vec2::new(1.0, 0.0),
        Vec2::new(D, -D),
        Vec2::new(D, D),
        Vec2::new(0.0, -1.0),
        Vec2::new(0.0, 1.0),
        Vec2::new(-D, -D),
        Vec2::new(-D, D),
        Vec2::new(-1.0, 0.0),
    ]
};

/// The data that the cost of a candidate depends on.
struct Judge<'j, 'w> {
    me: &'j Me<'w>,
    closest: &'j [Close],
    obstacles: [Option<&'w Obstacle>; MAX_OBSTACLES],
    wanted: Vec2,
    speed: f32,
    horizon: f32,
    caution: f32,
}

impl Me<'_> {
    /// Returns the velocity, at most `speed` long, with the least cost among about 70 candidates. The cost is the
    /// distance to `wanted`, in parts of `speed`, plus `caution` times how much sooner than `horizon` the agent would
    /// collide, as `1 / t - 1 / horizon`. A neighbor is expected to do the same: the candidate counts as the mean of
    /// the present and the next velocity.
    ///
    /// Source: van den Berg, Lin, Manocha: "Reciprocal velocity obstacles for real-time multi-agent navigation" (2008).
    /// The refinement around the best candidate is that of Detour.
    pub(crate) fn sampled_velocity(
        &self,
        neighbors: &Neighborhood,
        wanted: Vec2,
        horizon: f32,
        caution: f32,
        speed: f32,
        most: f32,
    ) -> Vec2 {
        let wanted = math::limit(wanted, speed);
        let (mut closest, mut count) = ([Close::default(); MAX_CLOSEST], 0);
        self.each_closest(neighbors, most, |other| {
            closest[count] = *other;
            count += 1;
        });
        let mut judge = Judge {
            me: self,
            closest: &closest[..count],
            obstacles: [None; MAX_OBSTACLES],
            wanted,
            speed,
            horizon: math::max(math::min(horizon, f32::MAX), self.world().dt),
            caution,
        };
        let reach = judge.horizon * speed + self.body().radius;
        let near = |obstacle: &&Obstacle| obstacle.shape.surface(self.pos()).distance < reach;
        let near = self.world().obstacles.iter().filter(near);
        for (place, obstacle) in judge.obstacles.iter_mut().zip(near) {
            *place = Some(obstacle);
        }
        let ahead = math::unit(wanted);
        let ahead = if ahead == Vec2::ZERO { self.heading() } else { ahead };
        let mut best = (wanted, judge.cost(wanted));
        if best.1 == 0.0 {
            return wanted;
        }
        let mut step = speed;
        let mut center = Vec2::ZERO;
        for _ in 0..ROUNDS {
            for candidate in [center].into_iter().chain(DIRECTIONS.into_iter().flat_map(|d| {
                let along = ahead.rotate(d) * step;
                [center + along, center + along * 0.5]
            })) {
                let candidate = math::limit(candidate, speed);
                let cost = judge.cost(candidate);
                if cost < best.1 {
                    best = (candidate, cost);
                }
            }
            center = best.0;
            step *= 0.5;
        }
        best.0
    }
}

impl Judge<'_, '_> {
    fn cost(&self, candidate: Vec2) -> f32 {
        let from_wanted = math::length(candidate - self.wanted);
        let off = if from_wanted > 0.0 { from_wanted / self.speed } else { 0.0 };
        let (mut time, mut contact) = (self.horizon, 0.0);
        for other in self.closest {
            let relative = other.vel_f32() - (candidate * 2.0 - self.me.vel());
            let (offset, reach) = (other.offset_f32(), other.reach() as f32);
            if offset.length_squared() < reach * reach {
                // They overlap: the faster they part, the better.
                let closing = -math::unit(offset).dot(relative);
                contact += math::max(0.0, 1.0 + closing / math::max(self.speed, f32::MIN_POSITIVE));
            } else if let Some(hit) = geom::time_to_touch(offset, relative, reach) {
                time = math::min(time, hit);
            }
        }
        let length = math::length(candidate);
        if length > 0.0 {
            let radius = self.me.body().radius;
            let disc = geom::Sweep::new(self.me.pos(), candidate, length * self.horizon, radius);
            for obstacle in self.obstacles.iter().flatten() {
                if let Some(hit) = obstacle.shape.cast_disc(&disc)
                    && hit.normal.dot(candidate) < 0.0
                {
                    time = math::min(time, hit.distance / length);
                }
            }
        }
        let tick = self.me.world().dt;
        let time = math::max(time, tick * 0.5);
        let sooner = 1.0 / time - 1.0 / self.horizon;
        off + self.caution * (sooner + contact / tick)
    }
}
