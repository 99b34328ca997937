//! The spatial index: which agents are near a point.
//!
//! It is rebuilt in each tick by a counting sort. It must be a pure function of the positions and the space: then it is
//! no state, and it cannot make two runs differ. The world is divided into strips, and each strip into bins. The index
//! of an agent in that order (strip by strip, bin by bin, then by row) is its *slot*. Every sum over neighbors runs in
//! the order of slots, for any radius and any agent.

use std::cmp::Ordering;
use std::ops::Range;

use pulp::{Arch, Simd, WithSimd};

use super::{Edge, Space};
use crate::math::random::Mix;
use crate::math::{self, Vec2};
use crate::threads;

#[cfg(test)]
mod tests;

/// What a loop over neighbors reads of an agent, in the order of slots.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sighting {
    pub(crate) pos: Vec2,
    pub(crate) vel: Vec2,
}

/// Height of a strip, as a multiple of the mean distance between agents. With low strips, blocks of adjacent agents are
/// wider; with high ones, more agents are tested that are not neighbors. Measured with sixteen lanes, values from 1.25
/// to 2 make little difference.
const STRIP_HEIGHT: f32 = 1.5;

/// Width of a bin, as a multiple of the mean distance between agents.
const BIN_WIDTH: f32 = 0.5;

/// Up to this many agents are one bin, in the order of their rows: testing all of them takes no longer than
/// testing the candidates of a larger world.
const MAX_ONE_BIN: usize = 64;

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

/// Strips of bins of equal size, and the agents in each.
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
    /// The row of each slot.
    rows: Vec<u32>,
    /// Position and velocity of the agent in each slot.
    sightings: Vec<Sighting>,
    /// The slot of each row.
    slots: Vec<u32>,
    buckets: Buckets,
}

/// An agent that is being sorted into its slot.
#[derive(Clone, Copy, Debug)]
struct BucketEntry {
    row: u32,
    /// First its cell; later its slot.
    at: u32,
}

/// For each chunk of rows and each range of cells, the agents of these rows in these cells. Kept only to reuse the
/// memory.
#[derive(Debug, Default)]
struct Buckets(Vec<Vec<Vec<BucketEntry>>>);

impl Clone for Buckets {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// The cells of some agents, in the order of their rows.
trait AgentCells {
    /// Calls `take` with each row and its cell, which it may replace with the slot.
    fn each(&mut self, take: impl FnMut(u32, &mut u32));
}

/// The cells of all agents, by row.
impl AgentCells for &mut [u32] {
    #[inline(always)]
    fn each(&mut self, mut take: impl FnMut(u32, &mut u32)) {
        for (row, at) in (0..).zip(self.iter_mut()) {
            take(row, at);
        }
    }
}

/// The agents in some cells, from each chunk of rows.
impl AgentCells for Vec<&mut [BucketEntry]> {
    #[inline(always)]
    fn each(&mut self, mut take: impl FnMut(u32, &mut u32)) {
        for entries in self {
            for BucketEntry { row, at } in entries.iter_mut() {
                take(*row, at);
            }
        }
    }
}

/// Consecutive cells, and the slots of the agents in them.
struct CellRange<'g> {
    cell: u32,
    slot: u32,
    starts: &'g mut [u32],
    rows: &'g mut [u32],
    sightings: &'g mut [Sighting],
}

impl<'g> CellRange<'g> {
    /// Splits off the cells before `cell`, which contain `agents` agents.
    fn split(self, cell: u32, agents: usize) -> (Self, Self) {
        let (starts, other_starts) = self.starts.split_at_mut((cell - self.cell) as usize);
        let (rows, other_rows) = self.rows.split_at_mut(agents);
        let (sightings, other_sightings) = self.sightings.split_at_mut(agents);
        (
            Self { cell: self.cell, slot: self.slot, starts, rows, sightings },
            Self {
                cell,
                slot: self.slot + agents as u32,
                starts: other_starts,
                rows: other_rows,
                sightings: other_sightings,
            },
        )
    }

    /// Sorts the agents by cell, with a counting sort.
    fn sort(self, mut members: impl AgentCells, pos: &[Vec2], vel: &[Vec2]) {
        let Self { cell: first_cell, slot: first_slot, starts, rows, sightings } = self;
        starts.fill(0);
        members.each(|_, at| starts[(*at - first_cell) as usize] += 1);
        let mut sum = first_slot;
        for start in starts.iter_mut() {
            sum += std::mem::replace(start, sum);
        }
        members.each(|row, at| {
            let next = &mut starts[(*at - first_cell) as usize];
            *at = *next;
            *next += 1;
            rows[(*at - first_slot) as usize] = row;
        });
        // Random reads wait less than random writes.
        for (seen, &row) in sightings.iter_mut().zip(&*rows) {
            let row = row as usize;
            *seen = Sighting { pos: pos[row], vel: vel[row] };
        }
        // Filling has advanced each start to that of the next cell.
        if !starts.is_empty() {
            starts.rotate_right(1);
            starts[0] = first_slot;
        }
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
        for (cell, &p) in self.cells.iter_mut().zip(self.pos) {
            // The same as [`Grid::place`], but clamped first: beyond the ends, rounding makes no difference.
            let at = (p - origin) * scale;
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
    /// Sorts all agents into bins, on all threads of the current pool if there are many agents.
    pub(crate) fn rebuild(&mut self, space: &Space, pos: &[Vec2], vel: &[Vec2]) {
        let parts = if pos.len() < MIN_PARALLEL_AGENTS {
            1
        } else {
            threads::current_threads().min(MAX_PARTS)
        };
        self.rebuild_in(parts, space, pos, vel);
    }

    /// Sorts all agents into bins, in a number of parts. The result does not depend on that number.
    fn rebuild_in(&mut self, parts: usize, space: &Space, pos: &[Vec2], vel: &[Vec2]) {
        self.lay_out(space, pos);
        let cells = (self.bins * self.strips) as usize;
        self.starts.resize(cells + 1, 0);
        self.starts[cells] = pos.len() as u32;
        self.rows.resize(pos.len(), 0);
        self.slots.resize(pos.len(), 0);
        let none = Sighting { pos: Vec2::ZERO, vel: Vec2::ZERO };
        self.sightings.resize(pos.len(), none);
        if parts > 1 && !pos.is_empty() {
            self.sort_in_parts(parts, pos, vel);
            return;
        }
        let mut slots = std::mem::take(&mut self.slots);
        self.find_cells(pos, &mut slots);
        self.all_cells().sort(slots.as_mut_slice(), pos, vel);
        self.slots = slots;
    }

    /// Sorts in parallel, in three phases: each thread finds the cells of some rows, then sorts the agents of some
    /// cells, then stores the slots of some rows.
    fn sort_in_parts(&mut self, parts: usize, pos: &[Vec2], vel: &[Vec2]) {
        let mut slots = std::mem::take(&mut self.slots);
        let Buckets(mut buckets) = std::mem::take(&mut self.buckets);
        let size = pos.len().div_ceil(parts);
        buckets.resize_with(pos.len().div_ceil(size), Vec::new);
        let cuts = self.cuts(parts, pos);
        let chunks = buckets.iter_mut().zip(pos.chunks(size)).zip(slots.chunks_mut(size));
        threads::map(chunks.enumerate().collect(), |(part, ((chunk, pos), cells))| {
            self.find_cells(pos, cells);
            chunk.resize_with(parts, Vec::new);
            chunk.iter_mut().for_each(Vec::clear);
            for (row, &at) in (0..).zip(cells.iter()) {
                let row = (part * size) as u32 + row;
                let to: usize = cuts.iter().map(|&cut| usize::from(at >= cut)).sum();
                chunk[to].push(BucketEntry { row, at });
            }
        });
        let mut work: Vec<(CellRange<'_>, Vec<&mut [BucketEntry]>)> = Vec::with_capacity(parts);
        let mut members: Vec<Vec<&mut [BucketEntry]>> = Vec::new();
        members.resize_with(parts, Vec::new);
        for chunk in &mut buckets {
            for (members, entries) in members.iter_mut().zip(chunk) {
                members.push(entries);
            }
        }
        let mut rest = self.all_cells();
        let last = rest.starts.len() as u32;
        for (members, &cut) in members.into_iter().zip(cuts.iter().chain([&last])) {
            let agents = members.iter().map(|entries| entries.len()).sum();
            let (part, others) = rest.split(cut, agents);
            work.push((part, members));
            rest = others;
        }
        threads::map(work, |(part, members)| part.sort(members, pos, vel));
        let sorted = buckets.iter().zip(slots.chunks_mut(size));
        threads::map(sorted.enumerate().collect(), |(part, (chunk, slots))| {
            for entry in chunk.iter().flatten() {
                slots[entry.row as usize - part * size] = entry.at;
            }
        });
        self.slots = slots;
        self.buckets = Buckets(buckets);
    }

    /// Returns the first cell of each part except the first part, so that all parts have about as many agents.
    fn cuts(&self, parts: usize, pos: &[Vec2]) -> Vec<u32> {
        let some: Vec<Vec2> = sample(pos, parts * SAMPLE_PER_PART).collect();
        let mut cells = vec![0; some.len()];
        self.find_cells(&some, &mut cells);
        cells.sort_unstable();
        (1..parts).map(|part| cells[cells.len() * part / parts]).collect()
    }

    fn find_cells(&self, pos: &[Vec2], cells: &mut [u32]) {
        Arch::new().dispatch(Cells { grid: self, pos, cells });
    }

    /// Returns all cells and slots, mutable.
    fn all_cells(&mut self) -> CellRange<'_> {
        let cells = self.starts.len() - 1;
        CellRange {
            cell: 0,
            slot: 0,
            starts: &mut self.starts[..cells],
            rows: &mut self.rows,
            sightings: &mut self.sightings,
        }
    }

    /// Puts all agents into one bin, in which [`Grid::update`] can change single agents. This is for worlds in which
    /// agents move while others still decide.
    pub(crate) fn rebuild_as_one(&mut self, pos: &[Vec2], vel: &[Vec2]) {
        *self = Self {
            bins: 1,
            strips: 1,
            cell: Vec2::ONE,
            scale: Vec2::ONE,
            starts: vec![0, pos.len() as u32],
            rows: (0..pos.len() as u32).collect(),
            slots: (0..pos.len() as u32).collect(),
            sightings: pos.iter().zip(vel).map(|(&pos, &vel)| Sighting { pos, vel }).collect(),
            ..Self::default()
        };
    }

    /// Updates one agent in a grid made by [`Grid::rebuild_as_one`].
    pub(crate) fn update(&mut self, row: usize, pos: Vec2, vel: Vec2) {
        debug_assert_eq!(self.rows[row] as usize, row, "one bin, in the order of rows");
        self.sightings[row] = Sighting { pos, vel };
    }

    /// Returns position and velocity of the agent in each slot.
    pub(crate) fn sightings(&self) -> &[Sighting] {
        &self.sightings
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

    /// Returns the height of a strip, in world units.
    pub(crate) fn strip_height(&self) -> f32 {
        self.cell.y
    }

    /// Returns the width of a piece of a strip that has about this many agents, in world units.
    pub(crate) fn width_of(&self, agents: usize) -> f32 {
        let all = self.rows.len().max(1) as f32;
        agents as f32 / all * self.cell.x * (self.bins * self.strips) as f32
    }

    /// Returns the approximate area that is searched around a few adjacent agents, in square world units.
    pub(crate) fn search_area(&self, radius: f32) -> f32 {
        let size = self.cell * Vec2::new(self.bins as f32, self.strips as f32);
        let height = (1.0 + 2.0 * (radius / self.cell.y).ceil()) * self.cell.y;
        math::min(self.width_of(8) + 2.0 * radius, size.x) * math::min(height, size.y)
    }

    /// Returns the row of each slot.
    pub(crate) fn rows(&self) -> &[u32] {
        &self.rows
    }

    /// Returns the slot of each row.
    pub(crate) fn slots(&self) -> &[u32] {
        &self.slots
    }

    /// Calls `visit` with each run of consecutive agents that may be within `radius` of a point, in the order of slots.
    #[inline]
    pub(crate) fn each_near(
        &self,
        center: Vec2,
        radius: f32,
        mut visit: impl FnMut(&[u32], &[Sighting]),
    ) {
        self.each_run(center, center, radius, |slots, _| {
            visit(&self.rows[slots.clone()], &self.sightings[slots]);
        });
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
        if self.rows.is_empty()
            || !matches!(radius.partial_cmp(&0.0), Some(Ordering::Greater | Ordering::Equal))
        {
            return;
        }
        // Rounding may put a neighbor one step outside of the exact range.
        let whole = self.cell * Vec2::new(self.bins as f32, self.strips as f32);
        let slack = (whole + (low - self.origin).abs() + (high - self.origin).abs()) * 1e-6;
        let reach = Vec2::splat(radius) + slack;
        let (left, bottom) = self.place(low - reach);
        let (right, top) = self.place(high + reach);
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

    /// Calls `visit` with each run of consecutive slots after a given one that may be within `radius` of its agent, and
    /// with whether the shortest offset to them may cross the edge. In this way each pair occurs once.
    #[inline(always)]
    pub(crate) fn each_later(
        &self,
        slot: usize,
        radius: f32,
        mut visit: impl FnMut(Range<usize>, bool),
    ) {
        let pos = self.sightings[slot].pos;
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
    fn place(&self, p: Vec2) -> (i32, i32) {
        let at = (p - self.origin) * self.scale;
        // `as` saturates, so points far out stay far out. It truncates toward zero.
        let floor = |x: f32| {
            let cut = (x as i32).clamp(-(1 << 28), 1 << 28);
            cut - i32::from(x < cut as f32)
        };
        (floor(at.x), floor(at.y))
    }

    fn lay_out(&mut self, space: &Space, pos: &[Vec2]) {
        self.wraps = space.edge == Edge::Wrap;
        if pos.len() <= MAX_ONE_BIN {
            (self.bins, self.strips) = (1, 1);
            (self.origin, self.cell) = (space.min, space.size);
            self.scale = 1.0 / space.size;
            return;
        }
        let (low, size) = if self.wraps { (space.min, space.size) } else { spread(pos) };
        let agents = math::max(pos.len() as f32, 1.0);
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

/// Returns a sample of about this many positions, or all if there are fewer: a random one from each stretch of
/// consecutive positions, since the order of agents may depend on their places.
fn sample(pos: &[Vec2], about: usize) -> impl Iterator<Item = Vec2> + '_ {
    let stretch = pos.len().div_ceil(about).max(1);
    pos.chunks(stretch).zip(0..).map(move |(some, i)| {
        let random = Mix::new(i).value() % some.len() as u64;
        some[random as usize]
    })
}

/// Returns corner and size of the box that contains most positions.
fn spread(pos: &[Vec2]) -> (Vec2, Vec2) {
    let pos: Vec<Vec2> = sample(pos, SAMPLE).collect();
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
