//! The search for the neighbors of one agent.
//!
//! Many candidates are tested at once, without a branch, which would be mispredicted half of the time. The neighbors
//! are collected before anything is done with them, so that what follows is one loop over all of them.

use std::ops::Range;

use pulp::{Simd, WithSimd};

use super::lanes::{Lanes, WIDEST, wrap_offset};
use super::{Me, Neighborhood, View, relations};
use crate::geom::FAR;
use crate::math::Vec2;
use crate::simd;

/// The maximum number of neighbors in a batch.
pub(super) const MAX_BATCH: usize = 64;

/// A search for neighbors, and what is called with the slots of each batch of them.
struct Search<'s, 'w> {
    me: &'s Me<'w>,
    which: &'s Neighborhood,
    take: &'s mut dyn FnMut(&mut [u32]),
}

impl Me<'_> {
    /// Returns the point that a neighborhood is around.
    pub(super) fn center_of(&self, which: &Neighborhood) -> Vec2 {
        which.around.map_or_else(
            || self.pos(),
            |point| {
                let far = Vec2::splat(FAR);
                self.world().space.inside(point.clamp(-far, far))
            },
        )
    }

    /// Calls `take` with the slots of all neighbors in batches, in the order of slots. It may overwrite the slots.
    pub(super) fn each_batch(&self, which: &Neighborhood, take: &mut dyn FnMut(&mut [u32])) {
        match which.most {
            None => simd::dispatch_short(Search { me: self, which, take }),
            Some(most) => self.each_batch_of_nearest(which, most as usize, take),
        }
    }
}

impl WithSimd for Search<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { me, which, take } = self;
        let (world, own) = (me.world(), simd.splat_u32s(me.slot() as u32));
        let positions = world.agents.motions.positions();
        let center = me.center_of(which);
        let (x, y) = (simd.splat_f32s(center.x), simd.splat_f32s(center.y));
        let (size, half) = world.space.wrap_sizes();
        let reach = simd.splat_f32s(which.radius * which.radius);
        let is_filtered =
            which.group.is_some() || which.relation.is_some() || which.view != View::Around;
        let mut finish = |slots: &mut [u32]| {
            let count = if is_filtered { filter(me, which, center, slots) } else { slots.len() };
            if count > 0 {
                take(&mut slots[..count]);
            }
        };
        let lane_numbers = Lanes(std::array::from_fn(|lane| lane as u32)).load::<S>();
        let mut slots = [0; MAX_BATCH];
        let mut count = 0;
        world.grid.each_run(
            center,
            center,
            which.radius,
            #[inline(always)]
            |run: Range<usize>, _| {
                for first in run.clone().step_by(S::F32_LANES) {
                    if count > MAX_BATCH - S::F32_LANES {
                        finish(&mut slots[..count]);
                        count = 0;
                    }
                    let (xs, ys) = lanes_from::<S>(positions, first);
                    let x = simd.sub_f32s(xs.load::<S>(), x);
                    let y = simd.sub_f32s(ys.load::<S>(), y);
                    let x = wrap_offset(simd, x, size.x, half.x);
                    let y = wrap_offset(simd, y, size.y, half.y);
                    let squared = simd.add_f32s(simd.mul_f32s(x, x), simd.mul_f32s(y, y));
                    let near = simd.less_than_or_equal_f32s(squared, reach);
                    let slot = simd.add_u32s(lane_numbers, simd.splat_u32s(first as u32));
                    let in_run = simd.less_than_u32s(slot, simd.splat_u32s(run.end as u32));
                    let other = simd.not_m32s(simd.equal_u32s(slot, own));
                    let counts = simd.and_m32s(near, simd.and_m32s(in_run, other));
                    let one = simd.select_u32s(counts, simd.splat_u32s(1), simd.splat_u32s(0));
                    let ones = Lanes::<u32>::store::<S>(one);
                    for (lane, &one) in ones.0.iter().enumerate().take(S::F32_LANES) {
                        // The remainder is the index itself, and needs no check.
                        slots[count % MAX_BATCH] = (first + lane) as u32;
                        count += one as usize;
                    }
                }
            },
        );
        finish(&mut slots[..count]);
    }
}

/// Returns the coordinates of the positions from a slot on. Beyond the last slot they mean nothing.
#[inline(always)]
fn lanes_from<S: Simd>(positions: &[Vec2], first: usize) -> (Lanes<f32>, Lanes<f32>) {
    let (mut x, mut y) = (Lanes([0.0; WIDEST]), Lanes([0.0; WIDEST]));
    let from = &positions[first..];
    if let Some(all) = from.get(..S::F32_LANES) {
        for (lane, at) in all.iter().enumerate().take(WIDEST) {
            (x.0[lane], y.0[lane]) = (at.x, at.y);
        }
    } else {
        for (lane, at) in from.iter().enumerate().take(WIDEST) {
            (x.0[lane], y.0[lane]) = (at.x, at.y);
        }
    }
    (x, y)
}

/// Keeps the slots of agents that are in view and in a group that counts. Returns their number.
#[inline(never)]
fn filter(me: &Me<'_>, which: &Neighborhood, center: Vec2, slots: &mut [u32]) -> usize {
    let world = me.world();
    let motions = &world.agents.motions;
    let heading = me.heading();
    let related = which.relation.map(|relation| me.group().relations.groups(relation));
    let mut count = 0;
    for i in 0..slots.len() {
        let slot = slots[i] as usize;
        let offset = world.space.offset_inside(center, motions.positions()[slot]);
        let group = || world.agents.group[motions.rows()[slot] as usize];
        let counts = which.group.is_none_or(|only| group() == only)
            && related.is_none_or(|groups| relations::contains(groups, group()))
            && which.view.shows(heading, offset, offset.length_squared());
        slots[count] = slots[i];
        count += usize::from(counts);
    }
    count
}
