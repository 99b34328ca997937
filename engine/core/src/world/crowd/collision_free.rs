//! The collision-free speed model: neighbors turn the direction, and the gap ahead limits the speed.

use std::cell::RefCell;

use pulp::{Simd, WithSimd};

use super::sight::Sight;
use super::symmetry::is_mirrored;
use crate::math::wide::{Real, Single, Wide, dot};
use crate::math::{self, Vec2};
use crate::simd;
use crate::world::neighbor_lanes::{NeighborFunction, NeighborLanes};
use crate::world::{Me, Neighborhood};

/// How far others reach in the collision-free speed model.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SpeedModel {
    /// How long the agent would need for the gap to the body ahead, in seconds.
    pub(crate) time_gap: f32,
    /// The push of neighbors.
    pub(crate) neighbors: Repulsion,
    /// The push of obstacles.
    pub(crate) walls: Repulsion,
}

/// A push that falls exponentially with the gap between two bodies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Repulsion {
    /// The push of a body that just touches, in parts of the wanted direction.
    pub(crate) strength: f32,
    /// The distance over which the push falls to 1 / e, in world units.
    pub(crate) range: f32,
}

/// The buffers that are reused from agent to agent, so that nothing is allocated.
#[derive(Default)]
pub(super) struct Memory {
    pub(super) sight: Sight,
    pub(super) seen: Vec<Seen>,
}

/// Neighbors that the agent sees. Lanes without one have a negative reach.
#[derive(Clone, Copy)]
pub(super) struct Seen {
    /// The offsets to them, in world units.
    offset: (Wide<f32>, Wide<f32>),
    /// The sums of the radii of both bodies, in world units.
    reach: Wide<f32>,
    /// The gaps between both bodies, in world units; negative if they overlap.
    gap: Wide<f32>,
}

impl Seen {
    /// Makes them from all lanes.
    #[inline(always)]
    pub(super) fn new(lanes: &NeighborLanes, reach: Wide<f32>, distance: Wide<f32>) -> Self {
        Self { offset: (lanes.x, lanes.y), reach, gap: distance - reach }
    }

    /// Leaves out the lanes from a given one on.
    #[inline(always)]
    pub(super) fn end(&mut self, count: usize) {
        self.reach.0[count..].fill(f32::NEG_INFINITY);
    }

    /// Leaves out a lane.
    pub(super) fn hide(&mut self, lane: usize) {
        self.reach.0[lane] = f32::NEG_INFINITY;
    }

    /// Returns the offset to a neighbor.
    pub(super) fn offset(&self, lane: usize) -> Vec2 {
        Vec2::new(self.offset.0.0[lane], self.offset.1.0[lane])
    }

    /// Returns how deep a neighbor is in the agent; negative if there is a gap.
    pub(super) fn depth(&self, lane: usize) -> f32 {
        -self.gap.0[lane]
    }
}

thread_local! {
    pub(super) static MEMORY: RefCell<Memory> = RefCell::default();
}

impl Me<'_> {
    /// Returns the velocity of the collision-free speed model, in world units per second. Without others it is `wanted`.
    ///
    /// Neighbors behind an obstacle do not count.
    ///
    /// Source: Tordeux, Chraibi, Seyfried: "Collision-free speed model for pedestrian dynamics" (2016).
    pub(crate) fn collision_free_velocity(
        &self,
        neighbors: &Neighborhood,
        wanted: Vec2,
        model: SpeedModel,
    ) -> Vec2 {
        MEMORY.with_borrow_mut(|Memory { sight, seen }| {
            let push = self.pushes_of_walls(model.walls, sight)
                + self.pushes_of_neighbors(neighbors, model.neighbors, sight, seen);
            let along = math::unit(math::unit(wanted) + push);
            let along = if along == Vec2::ZERO { self.heading() } else { along };
            along * speed_behind(seen, along, math::length(wanted), model.time_gap)
        })
    }

    /// Returns the sum of the pushes of all obstacles, and remembers which of them may hide neighbors.
    fn pushes_of_walls(&self, walls: Repulsion, sight: &mut Sight) -> Vec2 {
        let mut sum = Vec2::ZERO;
        sight.clear(self.pos());
        for (index, obstacle) in self.world().obstacles.iter().enumerate() {
            let surface = obstacle.shape.surface(self.pos());
            sum += surface.normal * walls.push(self.body().radius - surface.distance);
            sight.add(index, &surface);
        }
        sum
    }

    /// Returns the sum of the pushes of all neighbors that the agent sees, and these neighbors.
    fn pushes_of_neighbors(
        &self,
        which: &Neighborhood,
        repulsion: Repulsion,
        sight: &Sight,
        seen: &mut Vec<Seen>,
    ) -> Vec2 {
        seen.clear();
        let mut sum = Vec2::ZERO;
        let pushed = Pushed { repulsion, own: self.body().radius, vel: self.vel() };
        let sees_all = sight.is_open();
        self.each_chunk(which, &pushed, |mut pushes, chunk| {
            pushes.seen.end(chunk.count());
            let push = |lane: usize| Vec2::new(pushes.push.0.0[lane], pushes.push.1.0[lane]);
            if sees_all && pushes.are_plain {
                (0..chunk.count()).for_each(|lane| sum += push(lane));
                seen.push(pushes.seen);
                return;
            }
            for lane in 0..chunk.count() {
                let offset = pushes.seen.offset(lane);
                if sight.is_hidden(self.world(), offset, math::length(offset)) {
                    pushes.seen.hide(lane);
                } else if pushes.is_plain.0[lane] == 1.0 {
                    sum += push(lane);
                } else {
                    let away = self.away_from(&chunk.neighbor(lane));
                    sum += away * repulsion.push(pushes.seen.depth(lane));
                    // Agents at the same place must be free to part.
                    if offset.length_squared() == 0.0 {
                        pushes.seen.hide(lane);
                    }
                }
            }
            seen.push(pushes.seen);
        });
        sum
    }
}

/// Returns the speed at which the gap to the first body in the way takes the time gap, at most `most`.
///
/// A body is in the way if it is ahead, and less far aside than both radii.
pub(super) fn speed_behind(seen: &[Seen], along: Vec2, most: f32, time_gap: f32) -> f32 {
    let gap = simd::dispatch(GapAhead { seen, along });
    if gap == f32::INFINITY {
        return most;
    }
    if gap > 0.0 && time_gap > 0.0 {
        math::min(gap / time_gap, most)
    } else if gap > 0.0 {
        most
    } else {
        0.0
    }
}

/// Computes the least gap to a body in the way; infinite if there is none.
struct GapAhead<'s> {
    seen: &'s [Seen],
    along: Vec2,
}

impl WithSimd for GapAhead<'_> {
    type Output = f32;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> f32 {
        let along = (Wide::of(self.along.x), Wide::of(self.along.y));
        let (zero, never) = (Wide::of(0.0), Wide::of(f32::INFINITY));
        let mut least = never;
        for Seen { offset, reach, gap } in self.seen {
            let ahead = dot(along, *offset);
            let aside = (along.0 * offset.1 - along.1 * offset.0).abs();
            let gap = ahead.if_less(zero, never, reach.if_less(aside, never, *gap));
            least = gap.if_less(least, gap, least);
        }
        least.0.into_iter().fold(f32::INFINITY, math::min)
    }
}

impl Repulsion {
    /// Returns the push of a body that the agent would have to enter by `depth`, which is negative while there is a gap.
    #[inline(always)]
    fn push<T: Single>(self, depth: T) -> T {
        let (zero, one) = (T::of(0.0), T::of(1.0));
        let most = T::of(MOST);
        let exponent = if self.range > 0.0 { depth / T::of(self.range) } else { zero };
        let exponent = exponent.if_less(most, exponent, most);
        let push = T::of(self.strength) * math::power(exponent);
        let most = T::of(MAX_PUSH);
        let push = push.if_less(most, push, most);
        let counts = if self.range > 0.0 { one } else { zero.if_less(depth, one, zero) };
        zero.if_less(counts, push, zero)
    }
}

/// An agent that neighbors push.
struct Pushed {
    repulsion: Repulsion,
    /// The radius of its body, in world units.
    own: f32,
    /// Its velocity, in world units per second.
    vel: Vec2,
}

/// The pushes of some neighbors.
struct Pushes {
    push: (Wide<f32>, Wide<f32>),
    seen: Seen,
    /// 1 if the push is valid; 0 for neighbors at the same place and for mirror images.
    is_plain: Wide<f32>,
    /// Whether all of them are valid.
    are_plain: bool,
}

impl NeighborFunction for Pushed {
    type Results = Pushes;

    #[inline(always)]
    fn compute(&self, of: &NeighborLanes) -> Pushes {
        let (zero, one) = (Wide::of(0.0), Wide::of(1.0));
        let distance = (of.x * of.x + of.y * of.y).sqrt();
        let reach = Wide::of(self.own) + of.radius;
        let push = self.repulsion.push(reach - distance) / distance;
        let own = (Wide::of(self.vel.x), Wide::of(self.vel.y));
        let is_plain = one - is_mirrored((of.x, of.y), own, (of.vel_x, of.vel_y));
        let is_plain = zero.if_less(distance, is_plain, zero);
        Pushes {
            push: (-of.x * push, -of.y * push),
            seen: Seen::new(of, reach, distance),
            is_plain,
            are_plain: is_plain.0.into_iter().fold(true, |all, one| all & (one == 1.0)),
        }
    }
}

/// The maximum exponent. So deep in each other, the push stays finite.
const MOST: f32 = 40.0;

/// The maximum push, also if the strength is infinite: sums of it are finite.
pub(super) const MAX_PUSH: f32 = 1e30;
