//! The spatial index: which agents are near a point.
//!
//! The world is divided into strips, and each strip into bins. In each tick a counting sort puts the agents into the order
//! strip by strip, bin by bin, then by row; their index in that order is their *slot*. It must be a pure function of the
//! positions and the space: then it is no state, and it cannot make two runs differ. The last order is nearly the next
//! one, so that sorting reads and writes memory nearly in order. Every sum over neighbors runs in the order of slots,
//! for any radius and any agent.

use std::cmp::Ordering;
use std::ops::Range;

use pulp::{Simd, WithSimd};

use super::motions::{MotionColumns, Motions};
use super::{Edge, Space};
use crate::math::random::Mix;
use crate::math::{self, Vec2};
use crate::{simd, threads};

#[cfg(test)]
mod tests;

/// Height of a strip, as a multiple of the mean distance between agents. With low strips, blocks of adjacent agents are
/// wider; with high ones, more agents are tested that are not neighbors. Measured with sixteen lanes, values from 1.25
/// to 2 make little difference.
const STRIP_HEIGHT: f32 = 1.5;

/// Width of a bin, as a multiple of the mean distance between agents.
const BIN_WIDTH: f32 = 0.5;

/// Up to this many agents are one bin, in the order of their rows: testing all of them takes no longer than
/// testing the candidates of a larger world.
const MAX_ONE_BIN: usize = 48;

/// The maximum number of cells along one axis.
const MAX_CELLS: i32 = 1 << 24;

/// Without an edge, the grid spans this many standard deviations to each side of the mean. Agents farther out belong to
/// the outermost cells, so that a few outliers do not make all cells huge.
const DEVIATIONS: f64 = 3.0;

/// How often the standard deviations are computed again without the outliers.
const TRIMS: usize = 4;

/// The maximum number of agents that the standard deviations are computed from.
const SAMPLE: usize = 8192;

/// With fewer agents than this, one thread sorts: distributing them costs about as much as two threads gain.
const MIN_PARALLEL_AGENTS: usize = 1 << 17;

/// The maximum number of threads that sort. Each of them goes through the buckets of all others.
const MAX_PARTS: usize = 8;

/// The number of agents in the sample that decides how to split the cells, for each thread.
const SAMPLE_PER_PART: usize = 256;

/// Strips of bins of equal size, and the slots in each.
#[derive(Clone, Debug, Default)]
pub(crate) struct Grid {
    origin: Vec2,
    /// Width of a bin and height of a strip.
    cell: Vec2,
    /// One divided by that.
    scale: Vec2,
    bins: i32,
    strips: i32,
    wraps: bool,
    /// The first slot of each bin, strip by strip, and the number of all slots.
    starts: Vec<u32>,
    workspace: Workspace,
}

/// Memory that sorting uses again in each tick.
#[derive(Debug, Default)]
struct Workspace {
    /// The cell of the agent in each old slot.
    cells: Vec<u32>,
    /// The old slot of each new one.
    order: Vec<u32>,
    /// The sorted motions, before they take the place of the old ones.
    motions: Motions,
    /// For each chunk of old slots and each range of cells, the agents of these slots in these cells.
    buckets: Vec<Vec<Vec<BucketEntry>>>,
}

/// A copy has its own workspace.
impl Clone for Workspace {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// An agent that is being sorted: its old slot and its cell.
#[derive(Clone, Copy, Debug)]
struct BucketEntry {
    slot: u32,
    cell: u32,
}

/// The agents in some cells, in the order of their old slots.
trait CellMembers {
    /// Calls `take` with the old slot and the cell of each agent.
    fn each(&self, take: impl FnMut(u32, u32));
}

/// All agents: the cells by old slot.
impl CellMembers for &[u32] {
    #[inline(always)]
    fn each(&self, mut take: impl FnMut(u32, u32)) {
        for (slot, &cell) in (0..).zip(self.iter()) {
            take(slot, cell);
        }
    }
}

/// The agents in some cells, from each chunk of old slots.
impl CellMembers for Vec<&[BucketEntry]> {
    #[inline(always)]
    fn each(&self, mut take: impl FnMut(u32, u32)) {
        for entries in self {
            for &BucketEntry { slot, cell } in *entries {
                take(slot, cell);
            }
        }
    }
}

/// Consecutive cells, and the new slots of the agents in them.
struct CellRange<'g> {
    cell: u32,
    slot: u32,
    starts: &'g mut [u32],
    order: &'g mut [u32],
    motions: MotionColumns<'g>,
}

impl<'g> CellRange<'g> {
    /// Splits off the cells before `cell`, which contain `agents` agents.
    fn split(self, cell: u32, agents: usize) -> (Self, Self) {
        let (starts, other_starts) = self.starts.split_at_mut((cell - self.cell) as usize);
        let (order, other_order) = self.order.split_at_mut(agents);
        let (motions, others) = self.motions.split(agents);
        (
            Self { cell: self.cell, slot: self.slot, starts, order, motions },
            Self {
                cell,
                slot: self.slot + agents as u32,
                starts: other_starts,
                order: other_order,
                motions: others,
            },
        )
    }

    /// Sorts the agents by cell, with a counting sort, and those of one cell by row. `cells` has the cell of each old
    /// slot. If there are no columns for the motions, only the order is found.
    #[inline(always)]
    fn sort(self, members: impl CellMembers, cells: &[u32], old: &Motions) {
        let Self { cell: first_cell, slot: first_slot, starts, order, motions } = self;
        starts.fill(0);
        members.each(|_, cell| starts[(cell - first_cell) as usize] += 1);
        let mut sum = 0;
        for start in starts.iter_mut() {
            sum += std::mem::replace(start, sum);
        }
        members.each(|slot, cell| {
            let next = &mut starts[(cell - first_cell) as usize];
            order[*next as usize] = slot;
            *next += 1;
        });
        sort_cells_by_row(order, cells, old.rows());
        let MotionColumns { rows, pos, vel, headings } = motions;
        for (row, &slot) in rows.iter_mut().zip(&*order) {
            *row = old.rows()[slot as usize];
        }
        for (pos, &slot) in pos.iter_mut().zip(&*order) {
            *pos = old.positions()[slot as usize];
        }
        for (vel, &slot) in vel.iter_mut().zip(&*order) {
            *vel = old.velocities()[slot as usize];
        }
        for (heading, &slot) in headings.iter_mut().zip(&*order) {
            *heading = old.headings()[slot as usize];
        }
        // Filling has advanced each start to that of the next cell.
        if !starts.is_empty() {
            starts.rotate_right(1);
            starts[0] = 0;
        }
        if first_slot > 0 {
            for start in starts {
                *start += first_slot;
            }
        }
    }
}

/// Sorts the old slots of the agents in each cell by row. Mostly they are in that order, since they were before.
fn sort_cells_by_row(order: &mut [u32], cells: &[u32], rows: &[u32]) {
    let cell = |slot: u32| cells[slot as usize];
    let mut before = 0;
    let mut at = 0;
    while at < order.len() {
        let slot = order[at] as usize;
        let key = u64::from(cells[slot]) << 32 | u64::from(rows[slot]);
        at += 1;
        if key >= before {
            before = key;
            continue;
        }
        // The agents before it and after it in its cell are not in order.
        let own = cell(slot as u32);
        let first = at - order[..at].iter().rev().take_while(|&&slot| cell(slot) == own).count();
        let end = at + order[at..].iter().take_while(|&&slot| cell(slot) == own).count();
        order[first..end].sort_unstable_by_key(|&slot| rows[slot as usize]);
        (before, at) = (0, end);
    }
}

/// Finds the cells of many points, in a loop that the compiler vectorizes.
struct Cells<'c> {
    grid: &'c Grid,
    pos: &'c [Vec2],
    cells: &'c mut [u32],
}

impl WithSimd for Cells<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Grid { origin, scale, .. } = *self.grid;
        let (bins, strips) = (self.grid.bins, self.grid.strips);
        let last = Vec2::new((bins - 1) as f32, (strips - 1) as f32);
        for (cell, &pos) in self.cells.iter_mut().zip(self.pos) {
            // The same as [`Grid::cell_of`], but clamped first: beyond the ends, rounding makes no difference.
            let at = (pos - origin) * scale;
            let bin = math::min(math::max(at.x, 0.0), last.x) as i32;
            let strip = math::min(math::max(at.y, 0.0), last.y) as i32;
            *cell = (strip * bins + bin) as u32;
        }
    }
}

/// Up to two ranges of cells along one axis, the lower one first. There are two if a range crosses the edge of a world
/// that wraps.
type AxisRanges = [Range<i32>; 2];

impl Grid {
    /// Sorts all agents by strip and bin, on all threads of the current pool if there are many agents.
    pub(crate) fn sort(&mut self, space: &Space, motions: &mut Motions) {
        let parts = if motions.len() < MIN_PARALLEL_AGENTS {
            1
        } else {
            threads::current_threads().min(MAX_PARTS)
        };
        self.sort_in(parts, space, motions);
    }

    /// Returns a grid for the present positions, and for each of its slots the one that the agent has in `motions`,
    /// which stay as they are.
    pub(crate) fn beside(space: &Space, motions: &Motions) -> (Self, Vec<u32>) {
        let mut grid = Self::default();
        if motions.len() <= MAX_ONE_BIN {
            grid.forget(space, motions.len());
            return (grid, (0..motions.len() as u32).collect());
        }
        grid.lay_out(space, motions);
        grid.make_starts(motions.len());
        let (mut cells, mut order) = (vec![0; motions.len()], vec![0; motions.len()]);
        grid.find_cells(motions.positions(), &mut cells);
        grid.all_cells(&mut order, &mut Motions::default()).sort(cells.as_slice(), &cells, motions);
        (grid, order)
    }

    /// Sorts all agents, in a number of parts. The result does not depend on that number.
    fn sort_in(&mut self, parts: usize, space: &Space, motions: &mut Motions) {
        if motions.len() <= MAX_ONE_BIN {
            self.make_one_bin(space, motions);
            return;
        }
        self.lay_out(space, motions);
        self.make_starts(motions.len());
        let mut workspace = std::mem::take(&mut self.workspace);
        workspace.cells.resize(motions.len(), 0);
        workspace.order.resize(motions.len(), 0);
        workspace.motions.resize(motions.len());
        if parts > 1 {
            self.sort_in_parts(parts, motions, &mut workspace);
        } else {
            let Workspace { cells, order, motions: new, .. } = &mut workspace;
            self.find_cells(motions.positions(), cells);
            self.all_cells(order, new).sort(cells.as_slice(), cells, motions);
        }
        motions.swap(&mut workspace.motions);
        self.workspace = workspace;
    }

    /// Sorts in parallel, in two phases: each thread finds the cells of some agents, then sorts the agents of some cells.
    fn sort_in_parts(&mut self, parts: usize, old: &Motions, workspace: &mut Workspace) {
        let Workspace { cells, order, motions: new, buckets } = workspace;
        let size = old.len().div_ceil(parts);
        buckets.resize_with(old.len().div_ceil(size), Vec::new);
        let cuts = self.cuts(parts, old.positions());
        let chunks =
            buckets.iter_mut().zip(old.positions().chunks(size)).zip(cells.chunks_mut(size));
        threads::map(chunks.enumerate().collect(), |(part, ((chunk, pos), cells))| {
            self.find_cells(pos, cells);
            chunk.resize_with(parts, Vec::new);
            chunk.iter_mut().for_each(Vec::clear);
            for (slot, &cell) in (0..).zip(cells.iter()) {
                let slot = (part * size) as u32 + slot;
                let to: usize = cuts.iter().map(|&cut| usize::from(cell >= cut)).sum();
                chunk[to].push(BucketEntry { slot, cell });
            }
        });
        let mut members: Vec<Vec<&[BucketEntry]>> = Vec::new();
        members.resize_with(parts, Vec::new);
        for chunk in &*buckets {
            for (members, entries) in members.iter_mut().zip(chunk) {
                members.push(entries);
            }
        }
        let mut work: Vec<(CellRange<'_>, Vec<&[BucketEntry]>)> = Vec::with_capacity(parts);
        let mut rest = self.all_cells(order, new);
        let last = rest.starts.len() as u32;
        for (members, &cut) in members.into_iter().zip(cuts.iter().chain([&last])) {
            let agents = members.iter().map(|entries| entries.len()).sum();
            let (part, others) = rest.split(cut, agents);
            work.push((part, members));
            rest = others;
        }
        threads::map(work, |(part, members)| part.sort(members, cells, old));
    }

    /// Returns the first cell of each part except the first part, so that all parts have about as many agents.
    fn cuts(&self, parts: usize, pos: &[Vec2]) -> Vec<u32> {
        let some = sample(pos.len(), parts * SAMPLE_PER_PART);
        let some: Vec<Vec2> = some.map(|slot| pos[slot]).collect();
        let mut cells = vec![0; some.len()];
        self.find_cells(&some, &mut cells);
        cells.sort_unstable();
        (1..parts).map(|part| cells[cells.len() * part / parts]).collect()
    }

    /// Makes room for the first slot of each cell.
    fn make_starts(&mut self, agents: usize) {
        let cells = (self.bins * self.strips) as usize;
        self.starts.resize(cells + 1, 0);
        self.starts[cells] = agents as u32;
    }

    fn find_cells(&self, pos: &[Vec2], cells: &mut [u32]) {
        simd::dispatch(Cells { grid: self, pos, cells });
    }

    /// Returns all cells and new slots, mutable.
    fn all_cells<'g>(&'g mut self, order: &'g mut [u32], new: &'g mut Motions) -> CellRange<'g> {
        let cells = self.starts.len() - 1;
        let starts = &mut self.starts[..cells];
        CellRange { cell: 0, slot: 0, starts, order, motions: new.columns_mut() }
    }

    /// Puts all agents into one bin, in the order of rows. Then the order does not depend on where they are: an agent may
    /// move while others still decide.
    pub(crate) fn make_one_bin(&mut self, space: &Space, motions: &mut Motions) {
        motions.sort_by_row();
        self.forget(space, motions.len());
    }

    /// Makes one bin of all agents in their present order, for agents that have moved since they were sorted: then a
    /// search goes through all of them.
    pub(crate) fn forget(&mut self, space: &Space, agents: usize) {
        self.wraps = space.edge == Edge::Wrap;
        (self.bins, self.strips) = (1, 1);
        (self.origin, self.cell, self.scale) = (space.min, space.size, 1.0 / space.size);
        self.starts.clear();
        self.starts.extend([0, agents as u32]);
    }

    /// Returns whether one bin contains all agents, so that a search goes through all of them.
    #[inline]
    pub(crate) fn is_one_bin(&self) -> bool {
        self.starts.len() == 2
    }

    /// Returns the strip of a slot.
    pub(crate) fn strip_of(&self, slot: usize) -> usize {
        let (mut low, mut high) = (0, self.strips as usize - 1);
        while low < high {
            let middle = (low + high) / 2;
            if self.strip_end(middle) <= slot {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    /// Returns the slot after the last one of a strip.
    #[inline]
    pub(crate) fn strip_end(&self, strip: usize) -> usize {
        self.starts[(strip + 1) * self.bins as usize] as usize
    }

    /// Returns the number of slots.
    pub(crate) fn slot_count(&self) -> usize {
        self.starts.last().map_or(0, |&end| end as usize)
    }

    /// Returns the longer side of the grid, in world units.
    pub(crate) fn longest_side(&self) -> f32 {
        let size = self.cell * Vec2::new(self.bins as f32, self.strips as f32);
        math::max(size.x, size.y)
    }

    /// Returns the height of a strip, in world units.
    pub(crate) fn strip_height(&self) -> f32 {
        self.cell.y
    }

    /// Returns the width of a piece of a strip that has about this many agents, in world units.
    pub(crate) fn width_of(&self, agents: usize) -> f32 {
        let all = self.slot_count().max(1) as f32;
        agents as f32 / all * self.cell.x * (self.bins * self.strips) as f32
    }

    /// Returns the approximate area that is searched around a few adjacent agents, in square world units.
    pub(crate) fn search_area(&self, radius: f32) -> f32 {
        let size = self.cell * Vec2::new(self.bins as f32, self.strips as f32);
        let height = (1.0 + 2.0 * (radius / self.cell.y).ceil()) * self.cell.y;
        math::min(self.width_of(8) + 2.0 * radius, size.x) * math::min(height, size.y)
    }

    /// Calls `visit` with each run of consecutive slots that may be within `radius` of a point in the box from `low`
    /// to `high`, in their order, and with whether the shortest offset between them may cross the edge.
    #[inline(always)]
    pub(crate) fn each_run(
        &self,
        low: Vec2,
        high: Vec2,
        radius: f32,
        mut visit: impl FnMut(Range<usize>, bool),
    ) {
        // Nothing is within a negative radius, or NaN.
        if self.slot_count() == 0
            || !matches!(radius.partial_cmp(&0.0), Some(Ordering::Greater | Ordering::Equal))
        {
            return;
        }
        if self.is_one_bin() {
            visit(0..self.slot_count(), self.wraps);
            return;
        }
        // Rounding may put a neighbor one step outside of the exact range.
        let whole = self.cell * Vec2::new(self.bins as f32, self.strips as f32);
        let slack = (whole + (low - self.origin).abs() + (high - self.origin).abs()) * 1e-6;
        let reach = Vec2::splat(radius) + slack;
        let (left, bottom) = self.cell_of(low - reach);
        let (right, top) = self.cell_of(high + reach);
        let strips = Self::span(bottom, top, self.strips, self.wraps);
        let bins = Self::span(left, right, self.bins, self.wraps);
        let inside = left >= 0
            && bottom >= 0
            && right < self.bins
            && top < self.strips
            && (high - low + reach + self.cell).cmplt(whole * 0.49).all();
        let careful = self.wraps && !inside;
        let across = |span: &Range<i32>, axis: usize| {
            careful && !span.is_empty() && {
                let cell = self.cell[axis];
                let from = self.origin[axis] + span.start as f32 * cell;
                let to = self.origin[axis] + span.end as f32 * cell;
                let longest = math::max(high[axis] - from, to - low[axis]);
                longest + slack[axis] >= 0.5 * whole[axis]
            }
        };
        let crosses = [across(&bins[0], 0), across(&bins[1], 0)];
        for strips in &strips {
            let over = across(strips, 1);
            for strip in strips.clone() {
                let base = strip * self.bins;
                for (bins, crosses) in bins.iter().zip(crosses) {
                    if !bins.is_empty() {
                        let start = self.starts[(base + bins.start) as usize] as usize;
                        let end = self.starts[(base + bins.end) as usize] as usize;
                        visit(start..end, over || crosses);
                    }
                }
            }
        }
    }

    /// Calls `visit` with each run of consecutive slots after a given one that may be within `radius` of its agent, which
    /// is at `pos`, and with whether the shortest offset to them may cross the edge. In this way each pair occurs once.
    #[inline(always)]
    pub(crate) fn each_later(
        &self,
        slot: usize,
        pos: Vec2,
        radius: f32,
        mut visit: impl FnMut(Range<usize>, bool),
    ) {
        let count = Vec2::new(self.bins as f32, self.strips as f32);
        let at = pos - self.origin;
        // The same slack as in [`Grid::each_run`].
        let reach = Vec2::splat(radius) + (self.cell * count + 2.0 * at.abs()) * 1e-6;
        let (low, high) = ((at - reach) * self.scale, (at + reach) * self.scale);
        let inside = low.cmpge(Vec2::ZERO).all() && high.cmplt(count).all();
        if self.wraps && !inside {
            self.each_run(pos, pos, radius, |run, crosses| {
                let start = run.start.max(slot + 1);
                if start < run.end {
                    visit(start..run.end, crosses);
                }
            });
            return;
        }
        let cut = |x: f32, count: i32| (x as i32).clamp(0, count - 1);
        let (left, right) = (cut(low.x, self.bins), cut(high.x, self.bins));
        let own = cut(at.y * self.scale.y, self.strips);
        for strip in own..=cut(high.y, self.strips) {
            let base = strip * self.bins;
            let start = self.starts[(base + left) as usize] as usize;
            let end = self.starts[(base + right + 1) as usize] as usize;
            let start = start.max(slot + 1);
            if start < end {
                visit(start..end, false);
            }
        }
    }

    /// Returns the cells to visit along one axis, from a range that may exceed the grid: clamped or, in a world that
    /// wraps, wrapped around at most once.
    #[inline(always)]
    fn span(low: i32, high: i32, count: i32, wraps: bool) -> AxisRanges {
        if !wraps {
            return [0..0, low.clamp(0, count - 1)..high.clamp(0, count - 1) + 1];
        }
        if high - low + 1 >= count {
            return [0..0, 0..count];
        }
        let shift = if (0..count).contains(&low) {
            0
        } else if (-count..0).contains(&low) {
            -count
        } else {
            low.div_euclid(count) * count
        };
        let (low, high) = (low - shift, high - shift + 1);
        [0..(high - count).max(0), low..high.min(count)]
    }

    /// Returns bin and strip of a point. For a point outside of the grid they are out of range.
    #[inline(always)]
    fn cell_of(&self, p: Vec2) -> (i32, i32) {
        let at = (p - self.origin) * self.scale;
        // `as` saturates, so points far out stay far out. It truncates toward zero.
        let floor = |x: f32| {
            let cut = (x as i32).clamp(-(1 << 28), 1 << 28);
            cut - i32::from(x < cut as f32)
        };
        (floor(at.x), floor(at.y))
    }

    fn lay_out(&mut self, space: &Space, motions: &Motions) {
        self.wraps = space.edge == Edge::Wrap;
        let (low, size) = if self.wraps { (space.min, space.size) } else { spread(motions) };
        let agents = math::max(motions.len() as f32, 1.0);
        // In a thin world, the mean distance is that along its longer side.
        let distance = math::max(
            math::sqrt(size.x) * math::sqrt(size.y) / math::sqrt(agents),
            math::max(size.x, size.y) / agents,
        );
        let count = |length: f32, side: f32| {
            if side > 0.0 && side.is_finite() {
                ((length / side) as i32).clamp(1, MAX_CELLS)
            } else {
                1
            }
        };
        self.bins = count(size.x, BIN_WIDTH * distance);
        self.strips = count(size.y, STRIP_HEIGHT * distance);
        let whole = |length: f32| {
            if length > 0.0 && length.is_finite() { length } else { 1.0 }
        };
        self.origin = low;
        let cells = Vec2::new(self.bins as f32, self.strips as f32);
        self.cell = Vec2::new(whole(size.x), whole(size.y)) / cells;
        self.scale = cells / Vec2::new(whole(size.x), whole(size.y));
    }
}

/// Returns a sample of about this many numbers below `count`, in order, or all if there are fewer: a random one from each
/// stretch of consecutive numbers, since the order of agents may depend on their places.
fn sample(count: usize, about: usize) -> impl Iterator<Item = usize> {
    let stretch = count.div_ceil(about).max(1);
    (0..count).step_by(stretch).zip(0..).map(move |(first, i)| {
        first + (Mix::new(i).value() % stretch.min(count - first) as u64) as usize
    })
}

/// Returns the positions of a sample of the agents. Sample and order depend on the rows, not on the slots, which depend
/// on where the agents were before.
fn sample_positions(motions: &Motions) -> Vec<Vec2> {
    let rows: Vec<usize> = sample(motions.len(), SAMPLE).collect();
    let stretch = motions.len().div_ceil(SAMPLE).max(1);
    let mut positions = vec![Vec2::ZERO; rows.len()];
    for (&row, &pos) in motions.rows().iter().zip(motions.positions()) {
        let i = row as usize / stretch;
        if rows[i] == row as usize {
            positions[i] = pos;
        }
    }
    positions
}

/// Returns corner and size of the box that contains most agents.
fn spread(motions: &Motions) -> (Vec2, Vec2) {
    let pos = sample_positions(motions);
    let pos = pos.as_slice();
    let (mut low, mut high) = (Vec2::splat(f32::NEG_INFINITY), Vec2::splat(f32::INFINITY));
    for _ in 0..TRIMS {
        let Some(tighter) = trimmed(pos, low, high) else {
            return (Vec2::ZERO, Vec2::ZERO);
        };
        let before = high - low;
        (low, high) = tighter;
        let after = high - low;
        if after.x > 0.5 * before.x && after.y > 0.5 * before.y {
            break;
        }
    }
    (low, high - low)
}

/// Returns the bounds of the positions inside a box, limited to a few standard deviations around their mean. `None` if
/// there are none inside.
fn trimmed(pos: &[Vec2], low: Vec2, high: Vec2) -> Option<(Vec2, Vec2)> {
    let inside = || pos.iter().filter(|p| p.cmpge(low).all() && p.cmple(high).all());
    let first = *inside().next()?;
    let (mut least, mut most) = (first, first);
    let mut n = 0.0;
    let (mut sum, mut squares) = ([0.0f64; 2], [0.0f64; 2]);
    for &p in inside() {
        least = least.min(p);
        most = most.max(p);
        n += 1.0;
        for axis in 0..2 {
            let d = f64::from(p[axis]) - f64::from(first[axis]);
            sum[axis] += d;
            squares[axis] += d * d;
        }
    }
    for axis in 0..2 {
        let mean = sum[axis] / n;
        let deviation = f64::sqrt((squares[axis] / n - mean * mean).clamp(0.0, f64::MAX));
        let middle = f64::from(first[axis]) + mean;
        least[axis] = math::max(least[axis], (middle - DEVIATIONS * deviation) as f32);
        most[axis] =
            math::max(least[axis], math::min(most[axis], (middle + DEVIATIONS * deviation) as f32));
    }
    Some((least, most))
}
