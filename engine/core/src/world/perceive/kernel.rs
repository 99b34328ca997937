//! The pass over neighbors, with the widest vectors of the processor.
//!
//! A block of adjacent agents occupies the lanes. Each agent that may be near one of them is compared with all of them,
//! one after another in the order of slots, with masks instead of branches. So each lane adds the same numbers in the
//! same order as a loop over its neighbors, and must get the same bits. Sums start at +0.0 and therefore are never
//! -0.0, where adding +0.0 would make a difference.

use std::ops::Range;

use pulp::{Simd, WithSimd};

use super::{NO_ROW, PassTask, SumSlices, WantedSums, sums};
use crate::math::{self, Vec2};
use crate::world::lanes::{Lanes, WIDEST, wrap_offset};
use crate::world::neighbors::{SAME_PLACE, View};
use crate::world::{GroupId, Me, World, relations};

/// Consecutive slots whose sums one task computes.
#[derive(Debug)]
pub(super) struct SlotChunk<'w> {
    pub(super) task: PassTask<'w>,
    pub(super) slots: Range<usize>,
    pub(super) out: SumSlices<'w>,
}

impl SlotChunk<'_> {
    /// The maximum number of slots: enough to be worth a task of a thread.
    pub(super) const MAX_SLOTS: usize = 512;
}

impl WithSimd for SlotChunk<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let WantedSums { means, push, nearest } = sums(self.task.needs);
        match (means, push, nearest) {
            (false, false, false) => {}
            (true, false, false) => self.take::<S, true, false, false>(simd),
            (false, true, false) => self.take::<S, false, true, false>(simd),
            (true, true, false) => self.take::<S, true, true, false>(simd),
            (false, false, true) => self.take::<S, false, false, true>(simd),
            (true, false, true) => self.take::<S, true, false, true>(simd),
            (false, true, true) => self.take::<S, false, true, true>(simd),
            (true, true, true) => self.take::<S, true, true, true>(simd),
        }
    }
}

/// The cases of what is known about the offsets from the lanes to a candidate.
mod way {
    /// The plain difference is the shortest offset, and the candidate is not one of the lanes.
    pub(super) const STRAIGHT: u8 = 0;
    /// The plain difference is the shortest offset.
    pub(super) const AMONG: u8 = 1;
    /// Nothing is known.
    pub(super) const ANY: u8 = 2;
    /// Nothing is known, and not every agent counts.
    pub(super) const FILTERED: u8 = 3;
}

/// A block of agents in the lanes, and what decides about their neighbors.
#[derive(Clone, Copy)]
struct LaneBlock<'w, S: Simd> {
    simd: S,
    x: S::f32s,
    y: S::f32s,
    heading_x: S::f32s,
    heading_y: S::f32s,
    slot: S::u32s,
    /// The squares of the radii, for each sum.
    means_reach: S::f32s,
    push_reach: S::f32s,
    nearest_reach: S::f32s,
    /// The size of a world that wraps.
    size: Vec2,
    /// Half of that size; infinite if the world does not wrap.
    half: Vec2,
    view: View,
    group: Option<GroupId>,
    /// If given, only agents of these groups count.
    related: Option<&'w [GroupId]>,
    world: &'w World,
}

/// The sums of a block.
#[derive(Clone, Copy)]
struct Sum<S: Simd> {
    count: S::u32s,
    offset_x: S::f32s,
    offset_y: S::f32s,
    vel_x: S::f32s,
    vel_y: S::f32s,
    push_x: S::f32s,
    push_y: S::f32s,
    /// The largest inverse of a squared distance.
    closest: S::f32s,
    nearest: S::u32s,
    least: S::f32s,
}

impl<S: Simd> Sum<S> {
    #[inline(always)]
    fn new(simd: S) -> Self {
        let zero = simd.splat_f32s(0.0);
        Self {
            count: simd.splat_u32s(0),
            offset_x: zero,
            offset_y: zero,
            vel_x: zero,
            vel_y: zero,
            push_x: zero,
            push_y: zero,
            closest: zero,
            nearest: simd.splat_u32s(NO_ROW),
            least: simd.splat_f32s(f32::INFINITY),
        }
    }
}

/// Returns `sum + x` in the lanes of a mask, `sum` in the others.
#[inline(always)]
fn add_where<S: Simd>(simd: S, mask: S::m32s, sum: S::f32s, x: S::f32s) -> S::f32s {
    if S::F32_LANES == WIDEST {
        // This is one instruction there.
        simd.select_f32s(mask, simd.add_f32s(sum, x), sum)
    } else {
        simd.add_f32s(sum, simd.select_f32s(mask, x, simd.splat_f32s(0.0)))
    }
}

impl<S: Simd> LaneBlock<'_, S> {
    /// Returns whether an agent does not count because of its group.
    #[inline(always)]
    fn leaves_out(&self, row: u32) -> bool {
        let group = || self.world.agents.group[row as usize];
        self.group.is_some_and(|only| group() != only)
            || self.related.is_some_and(|groups| !relations::contains(groups, group()))
    }

    /// Returns the sums over all agents that may be within a radius of the corners of the block. The agents in the slots
    /// `own` may be those in the lanes.
    #[inline(always)]
    fn scan_around<const MEANS: bool, const PUSH: bool, const NEAREST: bool>(
        &self,
        (low, high): (Vec2, Vec2),
        radius: f32,
        own: Range<usize>,
        is_filtered: bool,
    ) -> Sum<S> {
        let mut sum = Sum::new(self.simd);
        self.world.grid.each_run(
            low,
            high,
            radius,
            #[inline(always)]
            |run, across| {
                if is_filtered {
                    sum = self.scan::<MEANS, PUSH, NEAREST, { way::FILTERED }>(sum, run);
                } else if across {
                    sum = self.scan::<MEANS, PUSH, NEAREST, { way::ANY }>(sum, run);
                } else {
                    let from = own.start.clamp(run.start, run.end);
                    let to = own.end.clamp(from, run.end);
                    sum =
                        self.scan::<MEANS, PUSH, NEAREST, { way::STRAIGHT }>(sum, run.start..from);
                    sum = self.scan::<MEANS, PUSH, NEAREST, { way::AMONG }>(sum, from..to);
                    sum = self.scan::<MEANS, PUSH, NEAREST, { way::STRAIGHT }>(sum, to..run.end);
                }
            },
        );
        sum
    }

    /// Adds the agents in a run of slots to the sums of the block.
    #[inline(always)]
    fn scan<const MEANS: bool, const PUSH: bool, const NEAREST: bool, const WAY: u8>(
        &self,
        mut sum: Sum<S>,
        run: Range<usize>,
    ) -> Sum<S> {
        let simd = self.simd;
        let motions = &self.world.agents.motions;
        let rows = &motions.rows()[run.clone()];
        let first = run.start;
        let (positions, velocities) =
            (&motions.positions()[run.clone()], &motions.velocities()[run]);
        for (i, (&pos, &vel)) in positions.iter().zip(velocities).enumerate() {
            if WAY == way::FILTERED && self.leaves_out(rows[i]) {
                continue;
            }
            let mut x = simd.sub_f32s(simd.splat_f32s(pos.x), self.x);
            let mut y = simd.sub_f32s(simd.splat_f32s(pos.y), self.y);
            if WAY >= way::ANY {
                x = wrap_offset(simd, x, self.size.x, self.half.x);
                y = wrap_offset(simd, y, self.size.y, self.half.y);
            }
            let squared = simd.add_f32s(simd.mul_f32s(x, x), simd.mul_f32s(y, y));
            let mut means = simd.less_than_or_equal_f32s(squared, self.means_reach);
            let mut push = simd.less_than_or_equal_f32s(squared, self.push_reach);
            let mut nearest = simd.less_than_or_equal_f32s(squared, self.nearest_reach);
            if WAY >= way::AMONG {
                let own = simd.equal_u32s(self.slot, simd.splat_u32s((first + i) as u32));
                let other = simd.not_m32s(own);
                means = simd.and_m32s(means, other);
                push = simd.and_m32s(push, other);
                nearest = simd.and_m32s(nearest, other);
            }
            if WAY == way::FILTERED && self.view != View::Around {
                let shown = self.shows(x, y, squared);
                means = simd.and_m32s(means, shown);
                push = simd.and_m32s(push, shown);
                nearest = simd.and_m32s(nearest, shown);
            }
            if MEANS {
                let one = simd.select_u32s(means, simd.splat_u32s(1), simd.splat_u32s(0));
                sum.count = simd.add_u32s(sum.count, one);
                sum.offset_x = add_where(simd, means, sum.offset_x, x);
                sum.offset_y = add_where(simd, means, sum.offset_y, y);
                sum.vel_x = add_where(simd, means, sum.vel_x, simd.splat_f32s(vel.x));
                sum.vel_y = add_where(simd, means, sum.vel_y, simd.splat_f32s(vel.y));
            }
            if PUSH {
                let inverse = simd.div_f32s(simd.splat_f32s(1.0), squared);
                let inverse = simd.select_f32s(push, inverse, simd.splat_f32s(0.0));
                sum.push_x = simd.sub_f32s(sum.push_x, simd.mul_f32s(x, inverse));
                sum.push_y = simd.sub_f32s(sum.push_y, simd.mul_f32s(y, inverse));
                sum.closest = simd.max_f32s(sum.closest, inverse);
            }
            if NEAREST {
                let row = simd.splat_u32s(rows[i]);
                let less = simd.less_than_f32s(squared, sum.least);
                let lower = simd.and_m32s(
                    simd.equal_f32s(squared, sum.least),
                    simd.less_than_u32s(row, sum.nearest),
                );
                let mask = simd.and_m32s(nearest, simd.or_m32s(less, lower));
                sum.least = simd.select_f32s(mask, squared, sum.least);
                sum.nearest = simd.select_u32s(mask, row, sum.nearest);
            }
        }
        sum
    }
}

impl<S: Simd> LaneBlock<'_, S> {
    /// Adds the pushes of the agents in a run of slots, of which some are at the same place as the agent of a lane.
    #[inline(always)]
    fn scan_same_place(
        &self,
        (mut push_x, mut push_y): (S::f32s, S::f32s),
        run: Range<usize>,
        directions: &[Vec2],
        (own_x, own_y): (S::f32s, S::f32s),
    ) -> (S::f32s, S::f32s) {
        let simd = self.simd;
        let motions = &self.world.agents.motions;
        for slot in run {
            let pos = motions.positions()[slot];
            let row = motions.rows()[slot];
            if self.leaves_out(row) {
                continue;
            }
            let x = simd.sub_f32s(simd.splat_f32s(pos.x), self.x);
            let y = simd.sub_f32s(simd.splat_f32s(pos.y), self.y);
            let x = wrap_offset(simd, x, self.size.x, self.half.x);
            let y = wrap_offset(simd, y, self.size.y, self.half.y);
            let squared = simd.add_f32s(simd.mul_f32s(x, x), simd.mul_f32s(y, y));
            let other = simd.not_m32s(simd.equal_u32s(self.slot, simd.splat_u32s(slot as u32)));
            let near = simd.less_than_or_equal_f32s(squared, self.push_reach);
            let mut push = simd.and_m32s(near, other);
            if self.view != View::Around {
                push = simd.and_m32s(push, self.shows(x, y, squared));
            }
            let inverse = simd.div_f32s(simd.splat_f32s(1.0), squared);
            let inverse = simd.select_f32s(push, inverse, simd.splat_f32s(0.0));
            let same = simd.less_than_or_equal_f32s(squared, simd.splat_f32s(SAME_PLACE));
            let same = simd.and_m32s(push, same);
            let direction = directions[slot];
            let apart_x = simd.sub_f32s(simd.splat_f32s(direction.x), own_x);
            let apart_y = simd.sub_f32s(simd.splat_f32s(direction.y), own_y);
            let x = simd.select_f32s(same, apart_x, simd.mul_f32s(x, inverse));
            let y = simd.select_f32s(same, apart_y, simd.mul_f32s(y, inverse));
            push_x = simd.sub_f32s(push_x, x);
            push_y = simd.sub_f32s(push_y, y);
        }
        (push_x, push_y)
    }

    /// Returns the lanes in whose view an offset is.
    #[inline(always)]
    fn shows(&self, x: S::f32s, y: S::f32s, squared: S::f32s) -> S::m32s {
        let simd = self.simd;
        let along =
            simd.add_f32s(simd.mul_f32s(self.heading_x, x), simd.mul_f32s(self.heading_y, y));
        if let View::Cone { cos_half } = self.view {
            let edge = simd.mul_f32s(simd.splat_f32s(cos_half), simd.sqrt_f32s(squared));
            simd.greater_than_or_equal_f32s(along, edge)
        } else {
            simd.greater_than_f32s(along, simd.splat_f32s(0.0))
        }
    }
}

/// Writes one number for each lane to the places of the lanes' agents.
#[inline(always)]
fn write_f32s<S: Simd>(to: &mut [f32], members: &[u16], x: S::f32s) {
    let first = usize::from(members[0]);
    if is_whole_run::<S>(members)
        && let Some(to) = to.get_mut(first..first + S::F32_LANES)
    {
        S::as_mut_simd_f32s(to).0[0] = x;
        return;
    }
    let x = Lanes::<f32>::store::<S>(x);
    for (lane, &i) in members.iter().enumerate().take(WIDEST) {
        to[usize::from(i)] = x.0[lane];
    }
}

/// Does the same for integers.
#[inline(always)]
fn write_u32s<S: Simd>(to: &mut [u32], members: &[u16], x: S::u32s) {
    let first = usize::from(members[0]);
    if is_whole_run::<S>(members)
        && let Some(to) = to.get_mut(first..first + S::F32_LANES)
    {
        S::as_mut_simd_u32s(to).0[0] = x;
        return;
    }
    let x = Lanes::<u32>::store::<S>(x);
    for (lane, &i) in members.iter().enumerate().take(WIDEST) {
        to[usize::from(i)] = x.0[lane];
    }
}

/// Returns the coordinates of the vectors of some slots, in the lanes of a block; 0 in the other lanes.
#[inline(always)]
fn in_lanes<S: Simd>(members: &[u16], vectors: &[Vec2]) -> (S::f32s, S::f32s) {
    let (mut x, mut y) = (Lanes([0.0; WIDEST]), Lanes([0.0; WIDEST]));
    for (lane, &i) in members.iter().enumerate().take(WIDEST) {
        let vector = vectors[usize::from(i)];
        (x.0[lane], y.0[lane]) = (vector.x, vector.y);
    }
    (x.load::<S>(), y.load::<S>())
}

/// Returns whether all lanes are taken, by consecutive slots.
#[inline(always)]
fn is_whole_run<S: Simd>(members: &[u16]) -> bool {
    members.len() == S::F32_LANES
        && usize::from(members[members.len() - 1] - members[0]) == members.len() - 1
}

/// The agents of a block, in its lanes.
struct Gathered {
    x: Lanes<f32>,
    y: Lanes<f32>,
    /// The slots; `u32::MAX` in lanes without an agent.
    slots: Lanes<u32>,
    /// Number of lanes with an agent.
    lanes: usize,
}

impl Gathered {
    /// Takes the first agents of a list that are close together, up to the end of their strip.
    #[inline(always)]
    fn new<S: Simd>(list: &[u16], positions: &[Vec2], first: usize, end: usize, wide: f32) -> Self {
        let (mut x, mut y) = (Lanes([0.0; WIDEST]), Lanes([0.0; WIDEST]));
        let mut slots = Lanes([u32::MAX; WIDEST]);
        let from = usize::from(list[0]);
        let most = S::F32_LANES.min(list.len());
        let to = usize::from(list[most - 1]);
        if most == S::F32_LANES
            && to - from == most - 1
            && to < end
            && positions[to].x - positions[from].x <= wide
        {
            // Almost all blocks are like this: consecutive slots, close together.
            let seen = &positions[from..from + S::F32_LANES];
            for (lane, seen) in seen.iter().enumerate().take(WIDEST) {
                (x.0[lane], y.0[lane]) = (seen.x, seen.y);
                slots.0[lane] = (first + from + lane) as u32;
            }
            return Self { x, y, slots, lanes: S::F32_LANES };
        }
        let mut lanes = 0;
        for &i in &list[..most] {
            let i = usize::from(i);
            let pos = positions[i];
            // An agent far from the others would make all lanes test everything in between.
            if i >= end || (lanes > 0 && pos.x - x.0[lanes - 1] > wide) {
                break;
            }
            (x.0[lanes], y.0[lanes]) = (pos.x, pos.y);
            slots.0[lanes] = (first + i) as u32;
            lanes += 1;
        }
        for lane in lanes..S::F32_LANES {
            (x.0[lane], y.0[lane]) = (x.0[0], y.0[0]);
        }
        Self { x, y, slots, lanes }
    }
}

impl<'w> SlotChunk<'w> {
    /// Returns the radius for each sum; 0 for sums that are not wanted.
    fn radii(&self) -> [f32; 3] {
        let radius = |wanted: fn(&WantedSums) -> bool| {
            let need = self.task.needs.iter().find(|need| wanted(&need.sums));
            need.map_or(0.0, |need| need.neighborhood.radius)
        };
        [radius(|sums| sums.means), radius(|sums| sums.push), radius(|sums| sums.nearest)]
    }

    /// Returns the slots whose agents need the sums, counted from the first one, and their number.
    #[inline(always)]
    fn listed(&self) -> ([u16; SlotChunk::MAX_SLOTS], usize) {
        let mut list = [0; SlotChunk::MAX_SLOTS];
        let Some(groups) = self.task.groups else {
            for (i, slot) in list.iter_mut().enumerate() {
                *slot = i as u16;
            }
            return (list, self.slots.len());
        };
        let mut count = 0;
        for (i, &row) in
            self.task.world.agents.motions.rows()[self.slots.clone()].iter().enumerate()
        {
            list[count] = i as u16;
            count += usize::from(groups.contains(&self.task.world.agents.group[row as usize]));
        }
        (list, count)
    }

    #[inline(always)]
    fn take<S: Simd, const MEANS: bool, const PUSH: bool, const NEAREST: bool>(mut self, simd: S) {
        let PassTask { world, needs, related, directions, .. } = self.task;
        let (grid, space, which) = (&world.grid, &world.space, &needs[0].neighborhood);
        let [means_reach, push_reach, nearest_reach] = self.radii();
        let radius = [means_reach, push_reach, nearest_reach].into_iter().fold(0.0, math::max);
        let filtered = which.view != View::Around || which.group.is_some() || related.is_some();
        let (size, half) = space.wrap_sizes();
        let first = self.slots.start;
        let (list, count) = self.listed();
        let list = &list[..count];
        let motions = &world.agents.motions;
        let positions = &motions.positions()[self.slots.clone()];
        let rows = &motions.rows()[self.slots.clone()];
        let headings = &motions.headings()[self.slots.clone()];
        // Lanes in two strips would test agents around both in vain, unless the radius is large anyway.
        let far = radius >= 4.0 * grid.strip_height();
        let wide = 2.0 * radius + 4.0 * grid.width_of(S::F32_LANES);
        let mut strip = grid.strip_of(first);
        let mut at = 0;
        while at < list.len() {
            while grid.strip_end(strip) <= first + usize::from(list[at]) {
                strip += 1;
            }
            let end = if far { usize::MAX } else { grid.strip_end(strip) - first };
            let gathered = Gathered::new::<S>(&list[at..], positions, first, end, wide);
            let (xs, ys, lanes) = (&gathered.x, &gathered.y, gathered.lanes);
            let (heading_x, heading_y) = if filtered {
                in_lanes::<S>(&list[at..at + lanes], headings)
            } else {
                (simd.splat_f32s(0.0), simd.splat_f32s(0.0))
            };
            let (x, y) = (xs.load::<S>(), ys.load::<S>());
            let low = Vec2::new(simd.reduce_min_f32s(x), simd.reduce_min_f32s(y));
            let high = Vec2::new(simd.reduce_max_f32s(x), simd.reduce_max_f32s(y));
            let block = LaneBlock {
                simd,
                x,
                y,
                heading_x,
                heading_y,
                slot: gathered.slots.load::<S>(),
                means_reach: simd.splat_f32s(means_reach * means_reach),
                push_reach: simd.splat_f32s(push_reach * push_reach),
                nearest_reach: simd.splat_f32s(nearest_reach * nearest_reach),
                size,
                half,
                view: which.view,
                group: which.group,
                related,
                world,
            };
            let members = &list[at..at + lanes];
            let own = first + usize::from(members[0])..first + usize::from(members[lanes - 1]) + 1;
            let mut sum =
                block.scan_around::<MEANS, PUSH, NEAREST>((low, high), radius, own, filtered);
            // Lanes without an agent repeat the first one, and are at its place.
            let closest = Lanes::<f32>::store::<S>(sum.closest);
            if PUSH && closest.0[..lanes].iter().any(|&most| most >= 1.0 / SAME_PLACE) {
                let directions = directions.get_or_init(|| random_directions(world));
                let own = in_lanes::<S>(members, &directions[first..]);
                let mut push = (simd.splat_f32s(0.0), simd.splat_f32s(0.0));
                grid.each_run(
                    low,
                    high,
                    radius,
                    #[inline(always)]
                    |run, _| push = block.scan_same_place(push, run, directions, own),
                );
                (sum.push_x, sum.push_y) = push;
            }
            self.write_sums::<S, MEANS, PUSH, NEAREST>(sum, members, rows);
            at += lanes;
        }
    }

    /// Writes the sums of a block to their slots.
    #[inline(always)]
    fn write_sums<S: Simd, const MEANS: bool, const PUSH: bool, const NEAREST: bool>(
        &mut self,
        sum: Sum<S>,
        members: &[u16],
        rows: &[u32],
    ) {
        let out = &mut self.out;
        if MEANS {
            write_u32s::<S>(out.count, members, sum.count);
            write_f32s::<S>(out.offset_x, members, sum.offset_x);
            write_f32s::<S>(out.offset_y, members, sum.offset_y);
            write_f32s::<S>(out.vel_x, members, sum.vel_x);
            write_f32s::<S>(out.vel_y, members, sum.vel_y);
        }
        if NEAREST {
            write_u32s::<S>(out.nearest, members, sum.nearest);
            write_f32s::<S>(out.least, members, sum.least);
        }
        if PUSH {
            write_f32s::<S>(out.push_x, members, sum.push_x);
            write_f32s::<S>(out.push_y, members, sum.push_y);
            for &i in members {
                let i = usize::from(i);
                // Even if masked out, an offset that overflows makes the sum NaN.
                let push = Vec2::new(self.out.push_x[i], self.out.push_y[i]);
                if push.is_nan() {
                    let push = self.push_from_loop(rows[i]);
                    (self.out.push_x[i], self.out.push_y[i]) = (push.x, push.y);
                }
            }
        }
    }

    /// Returns the push of an agent from a loop over its neighbors.
    #[cold]
    #[inline(never)]
    fn push_from_loop(&self, row: u32) -> Vec2 {
        let me = Me::new(self.task.world, row as usize, Vec2::ZERO);
        let need = self.task.needs.iter().find(|need| need.sums.push);
        need.map_or(Vec2::ZERO, |need| me.sum_by_loop(&need.neighborhood).push)
    }
}

/// Returns the random direction of each agent, by slot.
#[cold]
fn random_directions(world: &World) -> Vec<Vec2> {
    let rows = world.agents.motions.rows().iter();
    rows.map(|&row| world.agents.random_direction(row as usize)).collect()
}
