//! Reciprocal velocity obstacles: the best of many candidate velocities.

use pulp::{Simd, WithSimd};

use super::closest::{Close, MAX_CLOSEST};
use super::symmetry::Hold;
use crate::geom::{self, Course};
use crate::math::wide::{Real, WIDE, Wide};
use crate::math::{self, Vec2};
use crate::simd;
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
    closest: &'j Closest,
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
    /// The refinement around the best candidate is that of Detour. A candidate that changes the side on which the agent passes a
    /// neighbor counts with the earlier of both times, with and without the neighbor's part, as in Snape, van den Berg, Guy, Manocha:
    /// "The hybrid reciprocal velocity obstacle" (2011). Otherwise both would change sides in every tick, until they stand.
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
        let mut closest = Closest::default();
        self.each_closest(neighbors, most, |other| closest.add(self, other));
        let mut judge = Judge {
            me: self,
            closest: &closest,
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
        let best = judge.best();
        if closest.apart_count + closest.overlapping_count == 0 {
            return best;
        }
        match self.hold(neighbors, wanted.as_dvec2(), best.as_dvec2(), f64::from(speed)) {
            Hold::Tight(wanted) => Judge { wanted: wanted.as_vec2(), ..judge }.best(),
            Hold::None | Hold::Loose => best,
        }
    }
}

impl Judge<'_, '_> {
    /// Returns the velocity with the least cost.
    fn best(&self) -> Vec2 {
        let ahead = math::unit(self.wanted);
        let ahead = if ahead == Vec2::ZERO { self.me.heading() } else { ahead };
        let mut best = (self.wanted, self.cost(self.wanted));
        if best.1 == 0.0 {
            return self.wanted;
        }
        let mut step = self.speed;
        let mut center = Vec2::ZERO;
        for _ in 0..ROUNDS {
            for candidate in [center].into_iter().chain(DIRECTIONS.into_iter().flat_map(|d| {
                let along = ahead.rotate(d) * step;
                [center + along, center + along * 0.5]
            })) {
                let candidate = math::limit(candidate, self.speed);
                let cost = self.cost(candidate);
                if cost < best.1 {
                    best = (candidate, cost);
                }
            }
            center = best.0;
            step *= 0.5;
        }
        best.0
    }

    fn cost(&self, candidate: Vec2) -> f32 {
        let from_wanted = math::length(candidate - self.wanted);
        let off = if from_wanted > 0.0 { from_wanted / self.speed } else { 0.0 };
        let own = candidate * 2.0 - self.me.vel();
        let mut contact = 0.0;
        for other in &self.closest.overlapping[..self.closest.overlapping_count] {
            // The faster they part, the better.
            let closing = -math::unit(other.offset_f32()).dot(other.vel_f32() - own);
            contact += math::max(0.0, 1.0 + closing / math::max(self.speed, f32::MIN_POSITIVE));
        }
        let mut time = math::min(self.horizon, self.closest.first_touch(candidate, own));
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

/// The closest neighbors of an agent.
struct Closest {
    apart: [Apart; MAX_CLOSEST / WIDE],
    apart_count: usize,
    /// Those whose bodies overlap with that of the agent.
    overlapping: [Close; MAX_CLOSEST],
    overlapping_count: usize,
}

/// Neighbors whose bodies do not overlap with that of the agent.
#[derive(Clone, Copy)]
struct Apart {
    offset_x: Wide<f64>,
    offset_y: Wide<f64>,
    vel_x: Wide<f32>,
    vel_y: Wide<f32>,
    /// The sums of the radii of both bodies.
    reach: Wide<f64>,
    /// 1 if the agent passes on the right of the neighbor as both move now, -1 if on the left.
    side: Wide<f64>,
}

impl Default for Closest {
    fn default() -> Self {
        // Lanes without a neighbor stay far away.
        let (zero, far) = (Wide::of(0.0), Wide::of(1e30));
        let none = Apart {
            offset_x: far,
            offset_y: far,
            vel_x: Wide::of(0.0),
            vel_y: Wide::of(0.0),
            reach: zero,
            side: zero,
        };
        Self {
            apart: [none; MAX_CLOSEST / WIDE],
            apart_count: 0,
            overlapping: [Close::default(); MAX_CLOSEST],
            overlapping_count: 0,
        }
    }
}

impl Closest {
    fn add(&mut self, me: &Me<'_>, other: &Close) {
        let (offset, vel, reach) = (other.offset_f32(), other.vel_f32(), other.reach() as f32);
        if offset.length_squared() < reach * reach {
            self.overlapping[self.overlapping_count] = *other;
            self.overlapping_count += 1;
            return;
        }
        let (some, lane) = (&mut self.apart[self.apart_count / WIDE], self.apart_count % WIDE);
        let offset = me.seen_offset(other.row as usize, other.offset(), other.vel(), other.reach());
        (some.offset_x.0[lane], some.offset_y.0[lane]) = (offset.x, offset.y);
        let relative = me.vel().as_dvec2() - other.vel();
        some.side.0[lane] = if relative.perp_dot(offset) < 0.0 { -1.0 } else { 1.0 };
        (some.vel_x.0[lane], some.vel_y.0[lane]) = (vel.x, vel.y);
        some.reach.0[lane] = math::max(reach, 0.0).into();
        self.apart_count += 1;
    }

    /// Returns the seconds until an agent with a velocity touches the first of those that do not overlap with it; infinite if it touches
    /// none. `own` is the velocity that counts for neighbors that do their part.
    fn first_touch(&self, alone: Vec2, own: Vec2) -> f32 {
        let apart = &self.apart[..self.apart_count.div_ceil(WIDE)];
        apart.iter().fold(f32::INFINITY, |first, apart| {
            let times = simd::dispatch(Touch { apart, alone, own });
            times.0.into_iter().fold(first, |first, time| math::min(time, first))
        })
    }
}

/// Computes when an agent with a velocity touches neighbors.
struct Touch<'a> {
    apart: &'a Apart,
    alone: Vec2,
    own: Vec2,
}

impl WithSimd for Touch<'_> {
    type Output = Wide<f32>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> Wide<f32> {
        let Apart { offset_x, offset_y, vel_x, vel_y, reach, side } = *self.apart;
        let offset = (offset_x, offset_y);
        let relative = |own: Vec2| {
            let x = (vel_x - Wide::of(own.x)).each(f64::from);
            let y = (vel_y - Wide::of(own.y)).each(f64::from);
            (x, y)
        };
        let (x, y) = relative(self.own);
        let time = Course::new(offset, (x, y), reach).time();
        let zero = Wide::of(0.0);
        // These are velocities of the neighbor, so that left and right are swapped.
        let sided = (x * offset_y - y * offset_x) * side;
        let changes_side = zero.if_less(sided, Wide::of(1.0), zero);
        if changes_side.0 == [0.0; WIDE] {
            return time.each(|time| time as f32);
        }
        let alone = Course::new(offset, relative(self.alone), reach).time();
        let sooner = alone.if_less(time, alone, time);
        zero.if_less(changes_side, sooner, time).each(|time| time as f32)
    }
}
