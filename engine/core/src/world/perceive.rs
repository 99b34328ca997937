//! Sums over neighbors, computed for all agents at once before they decide.
//!
//! This module owns the columns of these sums. They must be the same to the bit as the sums from a loop over the
//! neighbors. They are valid for the decisions of one tick and empty at any other time.

mod kernel;
#[cfg(test)]
mod tests;

use std::ops::Range;
use std::sync::OnceLock;

use kernel::SlotChunk;

use super::neighbors::MeanSums;
use super::{Grid, GroupId, Neighborhood, Relation, View, World};
use crate::math::{self, Vec2};
use crate::{simd, threads};

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

/// The columns of sums over one neighborhood, for the agents that need it, by slot.
#[derive(Clone, Copy, Debug)]
pub struct Perceived<'w> {
    column: &'w SumColumns,
    sums: WantedSums,
}

impl<'w> Perceived<'w> {
    /// Returns the columns that means are computed from, if they were computed.
    #[inline]
    pub fn means(&self) -> Option<MeanColumns<'w>> {
        let SumColumns { count, offset_x, offset_y, vel_x, vel_y, .. } = self.column;
        let columns = || MeanColumns { count, offsets: [offset_x, offset_y], vel: [vel_x, vel_y] };
        self.sums.means.then(columns)
    }

    /// Returns the columns of the push, if it was computed.
    #[inline]
    pub fn push(&self) -> Option<PushColumns<'w>> {
        let SumColumns { push_x, push_y, .. } = self.column;
        self.sums.push.then_some(PushColumns([push_x, push_y]))
    }

    /// Returns the columns of the nearest neighbor, if it was computed.
    #[inline]
    pub fn nearest(&self) -> Option<NearestColumns<'w>> {
        let SumColumns { nearest, least, .. } = self.column;
        self.sums.nearest.then_some(NearestColumns { row: nearest, distance_squared: least })
    }
}

/// The sums that means are computed from, by slot.
#[derive(Clone, Copy, Debug)]
pub struct MeanColumns<'w> {
    /// Number of neighbors.
    pub count: &'w [u32],
    /// The two coordinates of the sum of offsets.
    pub offsets: [&'w [f32]; 2],
    /// The two coordinates of the sum of velocities.
    pub vel: [&'w [f32]; 2],
}

impl MeanColumns<'_> {
    /// Returns the sums of the agent in a slot.
    #[inline]
    pub fn at(&self, slot: usize) -> MeanSums {
        let vector = |[x, y]: [&[f32]; 2]| Vec2::new(x[slot], y[slot]);
        MeanSums {
            count: self.count[slot],
            offsets: vector(self.offsets),
            velocities: vector(self.vel),
        }
    }
}

/// The two coordinates of the push, by slot.
#[derive(Clone, Copy, Debug)]
pub struct PushColumns<'w>(pub [&'w [f32]; 2]);

impl PushColumns<'_> {
    /// Returns the push of the agent in a slot.
    #[inline]
    pub fn at(&self, slot: usize) -> Vec2 {
        Vec2::new(self.0[0][slot], self.0[1][slot])
    }
}

/// The nearest neighbors, by slot.
#[derive(Clone, Copy, Debug)]
pub struct NearestColumns<'w> {
    /// Its row, or [`NO_ROW`].
    row: &'w [u32],
    distance_squared: &'w [f32],
}

/// Stands for the row of no neighbor. There are never so many agents that this is the row of one.
const NO_ROW: u32 = u32::MAX;

impl NearestColumns<'_> {
    /// Returns row and squared distance for the agent in a slot, as in [`super::NeighborSummary::nearest`].
    #[inline]
    pub fn at(&self, slot: usize) -> Option<(usize, f32)> {
        let row = self.row[slot];
        (row != NO_ROW).then(|| (row as usize, self.distance_squared[slot]))
    }
}

/// The sums of all neighborhoods, and which columns hold what.
#[derive(Debug, Default)]
pub(super) struct Perception {
    columns: Vec<SumColumns>,
    passes: Vec<Pass>,
    /// For each group, what it needs and in which column that is.
    needed: Vec<Vec<NeedColumn>>,
}

/// A copy of a world computes its own columns.
impl Clone for Perception {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// Makes the columns for the sums of one neighborhood, and what is done with each of them, from a list of the columns
/// and the sum that each belongs to.
macro_rules! sum_columns {
    ($($name:ident: $of:ty = $fill:expr, $sum:ident;)*) => {
        /// Memory for the sums of one neighborhood, in the order of slots. Groups that need different neighborhoods can
        /// share it, since each agent has its own slot.
        #[derive(Debug, Default)]
        struct SumColumns {
            $($name: Vec<$of>,)*
        }

        /// The destination for the sums of consecutive slots. Slices for sums that are not wanted are empty.
        #[derive(Debug)]
        struct SumSlices<'c> {
            $($name: &'c mut [$of],)*
        }

        impl SumColumns {
            /// Returns slices for the wanted sums, one value for each slot.
            fn slices(&mut self, wanted: WantedSums, agents: usize) -> SumSlices<'_> {
                fn slice<T: Copy>(
                    values: &mut Vec<T>,
                    wanted: bool,
                    agents: usize,
                    fill: T,
                ) -> &mut [T] {
                    if !wanted {
                        return &mut [];
                    }
                    values.resize(agents, fill);
                    values
                }
                SumSlices { $($name: slice(&mut self.$name, wanted.$sum, agents, $fill),)* }
            }
        }

        impl SumSlices<'_> {
            fn split(self, slots: usize) -> (Self, Self) {
                fn cut<T>(values: &mut [T], slots: usize) -> (&mut [T], &mut [T]) {
                    values.split_at_mut(slots.min(values.len()))
                }
                $(let $name = cut(self.$name, slots);)*
                (Self { $($name: $name.0,)* }, Self { $($name: $name.1,)* })
            }
        }
    };
}

sum_columns! {
    count: u32 = 0, means;
    offset_x: f32 = 0.0, means;
    offset_y: f32 = 0.0, means;
    vel_x: f32 = 0.0, means;
    vel_y: f32 = 0.0, means;
    push_x: f32 = 0.0, push;
    push_y: f32 = 0.0, push;
    nearest: u32 = NO_ROW, nearest;
    least: f32 = f32::INFINITY, nearest;
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
    let relation = match which.relation {
        None => 0,
        Some(Relation::Prey) => 4,
        Some(Relation::Predator) => 8,
        Some(Relation::Ally) => 12,
    };
    let (kind, cos_half) = match which.view {
        View::Around => (0, 0.0),
        View::Ahead => (1, 0.0),
        View::Cone { cos_half } => (2, cos_half),
    };
    [pair(which.radius.to_bits(), group), pair(kind | relation, cos_half.to_bits())]
}

/// One pass over neighbors, for needs that differ only in the radius and the sums.
#[derive(Debug)]
struct Pass {
    /// The needs that it computes. All have the same group, relation and view, and no sum occurs twice.
    needs: Vec<Need>,
    /// The groups that need it. If it is about a relation, they are related to the same groups.
    groups: Vec<GroupId>,
    column: usize,
}

/// Within a radius of more strips than this, the nearest neighbor is found sooner by a search for each agent, which rarely
/// needs to go that far.
const MAX_NEAREST_STRIPS: f32 = 4.0;

/// One pass computes sums within two radii if searching the larger one covers at most this many times the area:
/// computing the distance to an agent takes about as long as adding it to a sum.
const MAX_AREA_RATIO: f32 = 1.7;

/// The data that all chunks of a pass share.
#[derive(Clone, Copy, Debug)]
struct PassTask<'w> {
    world: &'w World,
    /// All have the same group, relation and view, and no sum occurs twice.
    needs: &'w [Need],
    /// If given, only agents of these groups need the sums.
    groups: Option<&'w [GroupId]>,
    /// If given, only agents of these groups count as neighbors.
    related: Option<&'w [GroupId]>,
    /// The random direction of each agent by slot, computed when two agents are found at the same place.
    directions: &'w OnceLock<Vec<Vec2>>,
}

/// Splits slots among threads, in chunks of at most [`SlotChunk::MAX_SLOTS`].
fn for_each_chunk(
    task: &PassTask<'_>,
    slots: Range<usize>,
    out: SumSlices<'_>,
    take: &(impl Fn(SlotChunk<'_>) + Sync),
) {
    if slots.len() <= SlotChunk::MAX_SLOTS {
        take(SlotChunk { task: *task, slots, out });
        return;
    }
    let half = (slots.len() / 2).next_multiple_of(SlotChunk::MAX_SLOTS);
    let middle = slots.start + half;
    let (left, right) = out.split(half);
    threads::join(
        || for_each_chunk(task, slots.start..middle, left, take),
        || for_each_chunk(task, middle..slots.end, right, take),
    );
}

impl Perception {
    /// Returns whether all columns are invalid.
    pub(super) fn is_empty(&self) -> bool {
        self.needed.is_empty()
    }

    /// Makes all columns invalid.
    pub(super) fn forget(&mut self) {
        self.needed.clear();
    }

    /// Returns the columns of a neighborhood, if a group needs it.
    #[inline(always)]
    pub(super) fn find<'w>(
        &'w self,
        group: GroupId,
        which: &Neighborhood,
    ) -> Option<Perceived<'w>> {
        let mut needed = self.needed.get(usize::from(group.0))?.iter();
        let key = key(which);
        let found = needed.find(|needed| needed.key == key)?;
        Some(Perceived { column: &self.columns[found.column], sums: found.sums })
    }

    /// Computes the sums that each group needs, on all threads of the current pool.
    pub(super) fn fill(&mut self, world: &World, needs: &[Vec<Need>]) {
        self.fill_with(world, needs, &|part| simd::dispatch(part));
    }

    fn fill_with(
        &mut self,
        world: &World,
        needs: &[Vec<Need>],
        take: &(impl Fn(SlotChunk<'_>) + Sync),
    ) {
        self.plan(world, needs);
        let agents = world.agents.len();
        let directions = OnceLock::new();
        for pass in &self.passes {
            let all = world.groups.len() == pass.groups.len();
            let groups = (!all).then_some(pass.groups.as_slice());
            let out = self.columns[pass.column].slices(sums(&pass.needs), agents);
            let task = PassTask {
                world,
                needs: &pass.needs,
                groups,
                related: related(world, &pass.needs, pass.groups[0]),
                directions: &directions,
            };
            for_each_chunk(&task, 0..agents, out, take);
        }
    }

    /// Assigns needs to passes, and passes to columns. A need of several groups is one pass, and no group has two
    /// passes in one column.
    fn plan(&mut self, world: &World, needs: &[Vec<Need>]) {
        self.passes.clear();
        self.needed.clear();
        for (group, needs) in needs.iter().enumerate() {
            let group = GroupId(group as u16);
            let own = passes_of(&world.grid, needs);
            let mut needed = Vec::new();
            for needs in own {
                let column = self.column_for(world, group, &needs);
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
    fn column_for(&mut self, world: &World, group: GroupId, needs: &[Need]) -> usize {
        let taken = |column: usize| {
            let mut passes = self.passes.iter();
            passes.any(|pass| pass.column == column && pass.groups.contains(&group))
        };
        let is_same = |pass: &Pass| {
            pass.needs == needs
                && related(world, needs, pass.groups[0]) == related(world, needs, group)
        };
        let mut passes = self.passes.iter();
        if let Some(same) = passes.position(|pass| is_same(pass) && !taken(pass.column)) {
            self.passes[same].groups.push(group);
            return self.passes[same].column;
        }
        let column = (0..).find(|&column| !taken(column)).unwrap_or_default();
        if self.columns.len() <= column {
            self.columns.resize_with(column + 1, SumColumns::default);
        }
        self.passes.push(Pass { needs: needs.to_vec(), groups: vec![group], column });
        column
    }
}

/// Groups the needs of a group into passes.
fn passes_of(grid: &Grid, needs: &[Need]) -> Vec<Vec<Need>> {
    let mut merged: Vec<Need> = Vec::new();
    // Within a negative radius there are no neighbors, which a loop finds out as fast. Neighborhoods around other
    // points or of a given number are left to loops, and the nearest neighbor within a large radius to searches.
    let is_computed = |need: &&Need| {
        let Neighborhood { radius, group, relation, around, most, .. } = need.neighborhood;
        let only_nearest = !need.sums.means && !need.sums.push;
        let is_large = only_nearest
            && group.is_none()
            && relation.is_none()
            && radius > MAX_NEAREST_STRIPS * grid.strip_height();
        radius >= 0.0 && around.is_none() && most.is_none() && !is_large
    };
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

/// Returns the groups whose agents count for a group in the neighborhood of needs, if only related ones do.
fn related<'w>(world: &'w World, needs: &[Need], group: GroupId) -> Option<&'w [GroupId]> {
    let relation = needs[0].neighborhood.relation?;
    Some(world.group(group).relations.groups(relation))
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
        && (first.group, first.relation, first.view) == (added.group, added.relation, added.view)
        && largest <= MAX_AREA_RATIO * smallest
}
