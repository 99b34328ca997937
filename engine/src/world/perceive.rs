//! Sums over neighbors, computed for all agents at once before they decide.
//!
//! This module owns the columns of these sums. They must be the same to the bit as the sums from a loop over the
//! neighbors. They are valid for the decisions of one tick and empty at any other time.

mod kernel;
#[cfg(test)]
mod tests;

use std::ops::Range;

use kernel::SlotChunk;
use pulp::Arch;

use super::neighbors::MeanSums;
use super::{Grid, GroupId, Neighborhood, View, World};
use crate::math::{self, Vec2};
use crate::threads;

/// Which sums over neighbors are needed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WantedSums {
    /// The sums for [`Me::means`](super::Me::means).
    pub means: bool,
    /// The sum for [`Me::push`](super::Me::push).
    pub push: bool,
    /// The nearest neighbor, for [`Me::nearest`](super::Me::nearest).
    pub nearest: bool,
}

impl WantedSums {
    /// Returns the sums that either of both needs.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            means: self.means || other.means,
            push: self.push || other.push,
            nearest: self.nearest || other.nearest,
        }
    }
}

/// A neighborhood that agents will query, and the sums that they will need of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Need {
    /// The neighborhood.
    pub neighborhood: Neighborhood,
    /// The sums over it.
    pub sums: WantedSums,
}

/// The nearest neighbor, in a column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Nearest {
    row: u32,
    distance_squared: f32,
}

impl Nearest {
    /// No neighbor. There are never so many agents that this is the row of one.
    const NONE: Self = Self { row: u32::MAX, distance_squared: f32::INFINITY };

    /// Returns row and squared distance, as in [`super::NeighborSummary::nearest`].
    #[inline]
    pub(crate) fn found(self) -> Option<(usize, f32)> {
        (self.row != u32::MAX).then_some((self.row as usize, self.distance_squared))
    }
}

impl From<Option<(usize, f32)>> for Nearest {
    fn from(found: Option<(usize, f32)>) -> Self {
        found.map_or(Self::NONE, |(row, distance_squared)| Self {
            row: row as u32,
            distance_squared,
        })
    }
}

/// The columns of sums over one neighborhood, for the agents that need it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Perceived<'w> {
    slots: &'w [u32],
    column: &'w SumColumn,
    sums: WantedSums,
}

impl<'w> Perceived<'w> {
    /// Returns the sums that means are computed from, by row, if they were computed.
    #[inline]
    pub(crate) fn means(&self) -> Option<Rows<'w, MeanSums>> {
        self.sums.means.then_some(self.rows(&self.column.means))
    }

    /// Returns the push by row, if it was computed.
    #[inline]
    pub(crate) fn push(&self) -> Option<Rows<'w, Vec2>> {
        self.sums.push.then_some(self.rows(&self.column.push))
    }

    /// Returns the nearest neighbor by row, if it was computed.
    #[inline]
    pub(crate) fn nearest(&self) -> Option<Rows<'w, Nearest>> {
        self.sums.nearest.then_some(self.rows(&self.column.nearest))
    }

    /// Calls [`Rows::prefetch`] for all columns.
    pub(crate) fn prefetch(&self, rows: Range<usize>) {
        if let Some(means) = self.means() {
            means.prefetch(rows.clone());
        }
        if let Some(push) = self.push() {
            push.prefetch(rows.clone());
        }
        if let Some(nearest) = self.nearest() {
            nearest.prefetch(rows);
        }
    }

    #[inline]
    fn rows<T: Copy>(&self, values: &'w [T]) -> Rows<'w, T> {
        Rows { slots: self.slots, values }
    }
}

/// A column in the order of slots that is read by row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rows<'w, T> {
    slots: &'w [u32],
    values: &'w [T],
}

impl<T: Copy> Rows<'_, T> {
    /// Returns the value of a row. Only the rows of the group that needs this column are valid.
    #[inline]
    pub(crate) fn of(&self, row: usize) -> T {
        self.values[self.slots[row] as usize]
    }

    /// Reads the values of consecutive rows, so that they are in the cache when they are needed one by one. Agents in
    /// adjacent rows may be anywhere in the world, and waiting for memory takes longer than deciding.
    #[inline(always)]
    fn prefetch(&self, rows: Range<usize>) {
        for &slot in &self.slots[rows] {
            std::hint::black_box(self.values[slot as usize]);
        }
    }
}

/// All columns, and which of them holds what.
#[derive(Debug, Default)]
pub(super) struct SumColumns {
    columns: Vec<SumColumn>,
    passes: Vec<Pass>,
    /// For each group, what it needs and in which column that is.
    needed: Vec<Vec<NeedColumn>>,
}

/// A copy of a world computes its own columns.
impl Clone for SumColumns {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// Memory for the sums of one neighborhood, in the order of slots. Groups that need different neighborhoods can share
/// it, since each agent has its own slot.
#[derive(Debug, Default)]
struct SumColumn {
    means: Vec<MeanSums>,
    push: Vec<Vec2>,
    nearest: Vec<Nearest>,
}

/// The column that holds the sums over a neighborhood.
#[derive(Debug)]
struct NeedColumn {
    key: [u64; 2],
    sums: WantedSums,
    column: usize,
}

/// Returns a neighborhood as plain bits, which are fast to compare: this happens for each agent. If equal
/// neighborhoods have different bits (0.0 and -0.0), the agent computes the sums itself.
#[inline(always)]
fn key(which: &Neighborhood) -> [u64; 2] {
    let pair = |high: u32, low: u32| u64::from(high) << 32 | u64::from(low);
    let group = which.group.map_or(u32::MAX, |GroupId(id)| u32::from(id));
    let (kind, cos_half) = match which.view {
        View::Around => (0, 0.0),
        View::Ahead => (1, 0.0),
        View::Cone { cos_half } => (2, cos_half),
    };
    [pair(which.radius.to_bits(), group), pair(kind, cos_half.to_bits())]
}

/// One pass over neighbors, for needs that differ only in the radius and the sums.
#[derive(Debug)]
struct Pass {
    /// What it computes. All needs have the same group and view, and no sum occurs twice.
    needs: Vec<Need>,
    groups: Vec<GroupId>,
    column: usize,
}

/// One pass computes sums within two radii if searching the larger one covers at most this many times the area:
/// computing the distance to an agent takes about as long as adding it to a sum.
const MAX_AREA_RATIO: f32 = 1.7;

impl SumColumn {
    /// Returns slices for the wanted sums, one value for each slot.
    fn slices(&mut self, wanted: WantedSums, agents: usize) -> SumSlices<'_> {
        fn slice<T: Copy>(values: &mut Vec<T>, wanted: bool, agents: usize, fill: T) -> &mut [T] {
            if !wanted {
                return &mut [];
            }
            values.resize(agents, fill);
            values
        }
        SumSlices {
            means: slice(&mut self.means, wanted.means, agents, MeanSums::default()),
            push: slice(&mut self.push, wanted.push, agents, Vec2::ZERO),
            nearest: slice(&mut self.nearest, wanted.nearest, agents, Nearest::NONE),
        }
    }
}

/// The destination for the sums of consecutive slots. Slices for sums that are not wanted are empty.
#[derive(Debug)]
struct SumSlices<'c> {
    means: &'c mut [MeanSums],
    push: &'c mut [Vec2],
    nearest: &'c mut [Nearest],
}

impl SumSlices<'_> {
    fn split(self, slots: usize) -> (Self, Self) {
        fn cut<T>(values: &mut [T], slots: usize) -> (&mut [T], &mut [T]) {
            values.split_at_mut(slots.min(values.len()))
        }
        let (means, other_means) = cut(self.means, slots);
        let (push, other_push) = cut(self.push, slots);
        let (nearest, other_nearest) = cut(self.nearest, slots);
        (
            Self { means, push, nearest },
            Self { means: other_means, push: other_push, nearest: other_nearest },
        )
    }
}

/// Splits slots among threads, in chunks of at most [`SlotChunk::MAX_SLOTS`].
fn for_each_chunk(
    world: &World,
    needs: &[Need],
    groups: Option<&[GroupId]>,
    slots: Range<usize>,
    out: SumSlices<'_>,
    take: &(impl Fn(SlotChunk<'_>) + Sync),
) {
    if slots.len() <= SlotChunk::MAX_SLOTS {
        take(SlotChunk { world, needs, groups, slots, out });
        return;
    }
    let half = (slots.len() / 2).next_multiple_of(SlotChunk::MAX_SLOTS);
    let middle = slots.start + half;
    let (left, right) = out.split(half);
    threads::join(
        || for_each_chunk(world, needs, groups, slots.start..middle, left, take),
        || for_each_chunk(world, needs, groups, middle..slots.end, right, take),
    );
}

impl SumColumns {
    /// Makes all columns invalid.
    pub(super) fn forget(&mut self) {
        self.needed.clear();
    }

    /// Returns the columns of a neighborhood, if a group needs it.
    #[inline(always)]
    pub(super) fn find<'w>(
        &'w self,
        grid: &'w Grid,
        group: GroupId,
        which: &Neighborhood,
    ) -> Option<Perceived<'w>> {
        let mut needed = self.needed.get(usize::from(group.0))?.iter();
        let key = key(which);
        let found = needed.find(|needed| needed.key == key)?;
        Some(Perceived {
            slots: grid.slots(),
            column: &self.columns[found.column],
            sums: found.sums,
        })
    }

    /// Computes the sums that each group needs, on all threads of the current pool.
    pub(super) fn fill(&mut self, world: &World, needs: &[Vec<Need>]) {
        let arch = Arch::new();
        self.fill_with(world, needs, &|part| arch.dispatch(part));
    }

    fn fill_with(
        &mut self,
        world: &World,
        needs: &[Vec<Need>],
        take: &(impl Fn(SlotChunk<'_>) + Sync),
    ) {
        self.plan(&world.grid, needs);
        let agents = world.agents.len();
        for pass in &self.passes {
            let all = world.groups.len() == pass.groups.len();
            let groups = (!all).then_some(pass.groups.as_slice());
            let out = self.columns[pass.column].slices(sums(&pass.needs), agents);
            for_each_chunk(world, &pass.needs, groups, 0..agents, out, take);
        }
    }

    /// Assigns needs to passes, and passes to columns. What several groups need is one pass, and no group has two
    /// passes in one column.
    fn plan(&mut self, grid: &Grid, needs: &[Vec<Need>]) {
        self.passes.clear();
        self.needed.clear();
        for (group, needs) in needs.iter().enumerate() {
            let group = GroupId(group as u16);
            let own = passes_of(grid, needs);
            let mut needed = Vec::new();
            for needs in own {
                let column = self.column_for(group, &needs);
                needed.extend(needs.iter().map(|need| NeedColumn {
                    key: key(&need.neighborhood),
                    sums: need.sums,
                    column,
                }));
            }
            self.needed.push(needed);
        }
    }

    /// Returns the column for a pass of a group. If another group has the same pass, the two are merged.
    fn column_for(&mut self, group: GroupId, needs: &[Need]) -> usize {
        let taken = |column: usize| {
            let mut passes = self.passes.iter();
            passes.any(|pass| pass.column == column && pass.groups.contains(&group))
        };
        let mut passes = self.passes.iter();
        if let Some(same) = passes.position(|pass| pass.needs == needs && !taken(pass.column)) {
            self.passes[same].groups.push(group);
            return self.passes[same].column;
        }
        let column = (0..).find(|&column| !taken(column)).unwrap_or_default();
        if self.columns.len() <= column {
            self.columns.resize_with(column + 1, SumColumn::default);
        }
        self.passes.push(Pass { needs: needs.to_vec(), groups: vec![group], column });
        column
    }
}

/// Groups the needs of a group into passes.
fn passes_of(grid: &Grid, needs: &[Need]) -> Vec<Vec<Need>> {
    let mut merged: Vec<Need> = Vec::new();
    // Within a negative radius there are no neighbors, which a loop finds out as fast. Neighborhoods around other
    // points are left to loops.
    let is_computed =
        |need: &&Need| need.neighborhood.radius >= 0.0 && need.neighborhood.around.is_none();
    for need in needs.iter().filter(is_computed) {
        match merged.iter_mut().find(|other| other.neighborhood == need.neighborhood) {
            Some(other) => other.sums = other.sums.and(need.sums),
            None => merged.push(*need),
        }
    }
    let mut passes: Vec<Vec<Need>> = Vec::new();
    for need in merged {
        match passes.iter_mut().find(|pass| can_share_pass(pass, &need, grid)) {
            Some(pass) => pass.push(need),
            None => passes.push(vec![need]),
        }
    }
    passes
}

/// Returns all sums of a pass.
fn sums(needs: &[Need]) -> WantedSums {
    let sums = needs.iter().map(|need| need.sums);
    sums.fold(WantedSums::default(), WantedSums::and)
}

/// Returns whether adding a need to a pass is faster than giving it a pass of its own.
fn can_share_pass(pass: &[Need], need: &Need, grid: &Grid) -> bool {
    let (all, other) = (sums(pass), need.sums);
    let twice =
        (all.means && other.means) || (all.push && other.push) || (all.nearest && other.nearest);
    let (first, added) = (&pass[0].neighborhood, &need.neighborhood);
    let radii = || pass.iter().chain([need]).map(|need| need.neighborhood.radius);
    let largest = grid.search_area(radii().fold(0.0, math::max));
    let smallest = grid.search_area(radii().fold(f32::INFINITY, math::min));
    !twice
        && (first.group, first.view) == (added.group, added.view)
        && largest <= MAX_AREA_RATIO * smallest
}
