//! Neighbors of one agent as lists of numbers, for loops that are vectorized.

use pulp::{Simd, WithSimd};

use super::space::wrap_offset;
use super::{Me, Neighbor, Neighborhood};
use crate::math::Vec2;
use crate::math::wide::{Real, WIDE, Wide};
use crate::simd;

/// Some neighbors: for each of their numbers, those of all. Lanes beyond the last neighbor mean nothing.
pub(crate) struct NeighborLanes {
    /// The offsets from the center of the neighborhood, in world units.
    pub(crate) x: Wide<f32>,
    pub(crate) y: Wide<f32>,
    /// The velocities, in world units per second.
    pub(crate) vel_x: Wide<f32>,
    pub(crate) vel_y: Wide<f32>,
    /// The radii of the bodies, in world units.
    pub(crate) radius: Wide<f32>,
}

/// Some neighbors, one in each lane.
pub(crate) struct Chunk<'c, 'w> {
    me: &'c Me<'w>,
    center: Vec2,
    slots: &'c [u32],
}

impl<'w> Chunk<'_, 'w> {
    /// Returns the number of neighbors. The lanes from here on mean nothing.
    #[inline(always)]
    pub(crate) fn count(&self) -> usize {
        self.slots.len()
    }

    /// Returns the row of the neighbor in a lane.
    #[inline(always)]
    pub(crate) fn row(&self, lane: usize) -> usize {
        self.me.world().agents.motions.rows()[self.slots[lane] as usize] as usize
    }

    /// Returns the neighbor in a lane.
    pub(crate) fn neighbor(&self, lane: usize) -> Neighbor<'w> {
        self.me.neighbor(self.center, self.slots[lane])
    }
}

/// Something that is computed for each neighbor, without branches.
pub(crate) trait NeighborFunction {
    /// What it returns for some neighbors, with a value for each of them.
    type Results;

    /// Computes it. Called in code that is compiled for vectors, so it must be inlined.
    fn compute(&self, of: &NeighborLanes) -> Self::Results;
}

impl<'w> Me<'w> {
    /// Computes something for all neighbors, some at a time, and calls `visit` with each neighbor's lane among these results. The
    /// neighbors come in the order of [`Me::each_neighbor`]; the last argument makes the neighbor itself, for what is rare.
    #[inline]
    pub(crate) fn each_result<F: NeighborFunction>(
        &self,
        which: &Neighborhood,
        function: &F,
        mut visit: impl FnMut(&F::Results, usize, &dyn Fn() -> Neighbor<'w>),
    ) {
        self.each_chunk(which, function, |results, chunk| {
            for lane in 0..chunk.count() {
                visit(&results, lane, &|| chunk.neighbor(lane));
            }
        });
    }

    /// Computes something for all neighbors, some at a time, and calls `visit` with the results for some, in the same order.
    #[inline]
    pub(crate) fn each_chunk<F: NeighborFunction>(
        &self,
        which: &Neighborhood,
        function: &F,
        mut visit: impl FnMut(F::Results, &Chunk<'_, 'w>),
    ) {
        let center = self.center_of(which);
        self.each_batch(which, &mut |slots| {
            for slots in slots.chunks(WIDE) {
                let results = simd::dispatch(Computation { me: self, center, slots, function });
                visit(results, &Chunk { me: self, center, slots });
            }
        });
    }

    /// Calls `visit` with each neighbor that passes a test, in the same order. The test returns 0 for neighbors that do not pass it.
    #[inline]
    pub(crate) fn each_neighbor_that(
        &self,
        which: &Neighborhood,
        test: &impl NeighborFunction<Results = Wide<f32>>,
        mut visit: impl FnMut(&Neighbor<'w>),
    ) {
        let center = self.center_of(which);
        self.each_batch(which, &mut |slots| {
            let mut count = 0;
            for first in (0..slots.len()).step_by(WIDE) {
                let last = slots.len().min(first + WIDE);
                let some = &slots[first..last];
                let passes =
                    simd::dispatch(Computation { me: self, center, slots: some, function: test });
                for (lane, &passes) in (first..last).zip(&passes.0) {
                    slots[count] = slots[lane];
                    count += usize::from(passes != 0.0);
                }
            }
            for &mut slot in &mut slots[..count] {
                visit(&self.neighbor(center, slot));
            }
        });
    }

    #[inline(always)]
    fn neighbor_lanes(&self, center: Vec2, slots: &[u32]) -> NeighborLanes {
        let world = self.world();
        let motions = &world.agents.motions;
        let [mut x, mut y, mut vel_x, mut vel_y, mut radius] = [Wide::of(0.0); 5];
        for (lane, &slot) in slots.iter().enumerate().take(WIDE) {
            let (pos, vel) =
                (motions.positions()[slot as usize], motions.velocities()[slot as usize]);
            (x.0[lane], y.0[lane]) = (pos.x, pos.y);
            (vel_x.0[lane], vel_y.0[lane]) = (vel.x, vel.y);
            radius.0[lane] = world.radius_of(motions.rows()[slot as usize] as usize);
        }
        let (size, half) = world.space.wrap_sizes();
        NeighborLanes {
            x: wrap_offset(x - Wide::of(center.x), Wide::of(size.x), Wide::of(half.x)),
            y: wrap_offset(y - Wide::of(center.y), Wide::of(size.y), Wide::of(half.y)),
            vel_x,
            vel_y,
            radius,
        }
    }
}

struct Computation<'c, 'w, F> {
    me: &'c Me<'w>,
    center: Vec2,
    slots: &'c [u32],
    function: &'c F,
}

impl<F: NeighborFunction> WithSimd for Computation<'_, '_, F> {
    type Output = F::Results;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> F::Results {
        self.function.compute(&self.me.neighbor_lanes(self.center, self.slots))
    }
}
