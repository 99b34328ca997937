//! The index over positions: which agents are near a point.
//!
//! Rebuilt each tick by a counting sort, and a pure function of the positions and the space: nothing
//! about it has to be kept, and it cannot make two runs differ. The plane is cut into strips, a strip
//! into bins; an agent's place in that order, strip by strip, bin by bin and then by row, is its *slot*.
//! Every sum over neighbors runs in the order of slots, whatever its radius and whoever asks.

use std::cmp::Ordering;
use std::ops::Range;

use pulp::{Arch, Simd, WithSimd};

use super::{Edge, Space};
use crate::math::random::Mix;
use crate::math::{self, Vec2};
use crate::threads;

#[cfg(test)]
mod tests;

/// What a neighbor loop reads of an agent, in the order of slots.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sighting {
    pub(crate) pos: Vec2,
    pub(crate) vel: Vec2,
}

/// Height of a strip, and width of a bin, in mean distances between agents. Low strips mean longer
/// blocks of agents side by side, high ones more agents looked at in vain: measured with sixteen lanes,
/// from 1.25 to 2 it makes little difference.
const STRIP_HEIGHT: f32 = 1.5;
const BIN_WIDTH: f32 = 0.5;

/// No more cells than this along one axis.
const MAX_CELLS: i32 = 1 << 24;

/// Without an edge, the grid spans this many standard deviations to either side of the mean; who is
/// farther out counts into the outermost cells, so that a few runaways do not make all cells huge.
const DEVIATIONS: f64 = 3.0;

/// How often the deviations are taken again without those found to be far out.
const TRIMS: usize = 4;

/// Of at most so many agents the deviations are taken.
const SAMPLE: usize = 8192;

/// Fewer agents than this are sorted by one thread: dealing them out costs about what two threads gain.
const MIN_PARALLEL_AGENTS: usize = 1 << 17;

/// At most so many threads sort: each goes by what is read for all.
const MAX_PARTS: usize = 8;

/// How many agents are looked at to see where to cut the cells, for each part.
const SAMPLE_OF_PART: usize = 256;

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
    /// What is seen at each slot.
    sightings: Vec<Sighting>,
    /// The slot of each row.
    slots: Vec<u32>,
    buckets: Buckets,
}

/// An agent on its way to its slot.
#[derive(Clone, Copy, Debug)]
struct BucketEntry {
    row: u32,
    /// Its cell, and once that is known its slot.
    at: u32,
}

/// For each part of the rows, which of them fall into which part of the cells. Kept for its room only.
#[derive(Debug, Default)]
struct Buckets(Vec<Vec<Vec<BucketEntry>>>);

impl Clone for Buckets {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// Agents in the order of their rows.
trait AgentCells {
    /// Calls `take` with each row and its cell, in place of which it may put the slot.
    fn each(&mut self, take: impl FnMut(u32, &mut u32));
}

/// All agents, by their cells.
impl AgentCells for &mut [u32] {
    #[inline(always)]
    fn each(&mut self, mut take: impl FnMut(u32, &mut u32)) {
        for (row, at) in (0..).zip(self.iter_mut()) {
            take(row, at);
        }
    }
}

/// Those of some cells, from each part of the rows.
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
    /// The cells before one of them, and the agents in them; and the rest.
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

    /// The counting sort.
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
        // Reading from all over the place waits less than writing there.
        for (seen, &row) in sightings.iter_mut().zip(&*rows) {
            let row = row as usize;
            *seen = Sighting { pos: pos[row], vel: vel[row] };
        }
        // Filling has moved each start to the next one's place.
        if !starts.is_empty() {
            starts.rotate_right(1);
            starts[0] = first_slot;
        }
    }
}

/// Finds the bins of many points; a loop the compiler makes vectors of.
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
            // [`Grid::place`], cut off at the ends first: below them, rounding makes no difference.
            let at = (p - origin) * scale;
            let bin = math::min(math::max(at.x, 0.0), last.x) as i32;
            let strip = math::min(math::max(at.y, 0.0), last.y) as i32;
            *cell = (strip * bins + bin) as u32;
        }
    }
}

/// Up to two ranges of cells along one axis, the lower first: two where a range sticks out of a world
/// that wraps.
type CellRanges = [Range<i32>; 2];

impl Grid {
    /// Sorts all agents into bins, on all threads of the current pool if they are many.
    pub(crate) fn rebuild(&mut self, space: &Space, pos: &[Vec2], vel: &[Vec2]) {
        let parts = if pos.len() < MIN_PARALLEL_AGENTS {
            1
        } else {
            threads::current_threads().min(MAX_PARTS)
        };
        self.rebuild_in(parts, space, pos, vel);
    }

    /// Sorts all agents into bins, on at most so many threads: the result does not depend on it.
    fn rebuild_in(&mut self, parts: usize, space: &Space, pos: &[Vec2], vel: &[Vec2]) {
        self.lay_out(space, pos);
        let cells = (self.bins * self.strips) as usize;
        self.starts.resize(cells + 1, 0);
        self.starts[cells] = pos.len() as u32;
        self.rows.resize(pos.len(), 0);
        self.slots.resize(pos.len(), 0);
        let nobody = Sighting { pos: Vec2::ZERO, vel: Vec2::ZERO };
        self.sightings.resize(pos.len(), nobody);
        if parts > 1 && !pos.is_empty() {
            self.sort_in_parts(parts, pos, vel);
            return;
        }
        let mut slots = std::mem::take(&mut self.slots);
        self.find_cells(pos, &mut slots);
        self.whole().sort(slots.as_mut_slice(), pos, vel);
        self.slots = slots;
    }

    /// Each thread finds the cells of some rows; then each sorts those in some cells, wherever they come
    /// from; then each notes the slots of some rows.
    fn sort_in_parts(&mut self, parts: usize, pos: &[Vec2], vel: &[Vec2]) {
        let mut slots = std::mem::take(&mut self.slots);
        let Buckets(mut buckets) = std::mem::take(&mut self.buckets);
        let size = pos.len().div_ceil(parts);
        buckets.resize_with(pos.len().div_ceil(size), Vec::new);
        let cuts = self.cuts(parts, pos);
        let chunks = buckets.iter_mut().zip(pos.chunks(size)).zip(slots.chunks_mut(size));
        threads::map(chunks.enumerate().collect(), |(part, ((deal, pos), cells))| {
            self.find_cells(pos, cells);
            deal.resize_with(parts, Vec::new);
            deal.iter_mut().for_each(Vec::clear);
            for (row, &at) in (0..).zip(cells.iter()) {
                let row = (part * size) as u32 + row;
                let to: usize = cuts.iter().map(|&cut| usize::from(at >= cut)).sum();
                deal[to].push(BucketEntry { row, at });
            }
        });
        let mut work: Vec<(CellRange<'_>, Vec<&mut [BucketEntry]>)> = Vec::with_capacity(parts);
        let mut members: Vec<Vec<&mut [BucketEntry]>> = Vec::new();
        members.resize_with(parts, Vec::new);
        for deal in &mut buckets {
            for (members, entries) in members.iter_mut().zip(deal) {
                members.push(entries);
            }
        }
        let mut rest = self.whole();
        let last = rest.starts.len() as u32;
        for (members, &cut) in members.into_iter().zip(cuts.iter().chain([&last])) {
            let agents = members.iter().map(|entries| entries.len()).sum();
            let (part, others) = rest.split(cut, agents);
            work.push((part, members));
            rest = others;
        }
        threads::map(work, |(part, members)| part.sort(members, pos, vel));
        let notes = buckets.iter().zip(slots.chunks_mut(size));
        threads::map(notes.enumerate().collect(), |(part, (deal, slots))| {
            for entries in deal.iter().flatten() {
                slots[entries.row as usize - part * size] = entries.at;
            }
        });
        self.slots = slots;
        self.buckets = Buckets(buckets);
    }

    /// The first cell of each part but the first, so that there are about as many agents in each.
    fn cuts(&self, parts: usize, pos: &[Vec2]) -> Vec<u32> {
        let some: Vec<Vec2> = sample(pos, parts * SAMPLE_OF_PART).collect();
        let mut cells = vec![0; some.len()];
        self.find_cells(&some, &mut cells);
        cells.sort_unstable();
        (1..parts).map(|part| cells[cells.len() * part / parts]).collect()
    }

    fn find_cells(&self, pos: &[Vec2], cells: &mut [u32]) {
        Arch::new().dispatch(Cells { grid: self, pos, cells });
    }

    /// All cells and slots, to be filled.
    fn whole(&mut self) -> CellRange<'_> {
        let cells = self.starts.len() - 1;
        CellRange {
            cell: 0,
            slot: 0,
            starts: &mut self.starts[..cells],
            rows: &mut self.rows,
            sightings: &mut self.sightings,
        }
    }

    /// Puts all agents into one bin, in which [`Grid::update`] can change a single one: for worlds
    /// that change while they are looked at.
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

    /// Notes a change of one agent in a grid made by [`Grid::rebuild_as_one`].
    pub(crate) fn update(&mut self, row: usize, pos: Vec2, vel: Vec2) {
        debug_assert_eq!(self.rows[row] as usize, row, "one bin, in the order of rows");
        self.sightings[row] = Sighting { pos, vel };
    }

    /// What is seen at each slot.
    pub(crate) fn sightings(&self) -> &[Sighting] {
        &self.sightings
    }

    /// The strip of a slot.
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

    /// The slot behind the last one of a strip.
    #[inline]
    pub(crate) fn strip_end(&self, strip: usize) -> usize {
        self.starts[(strip + 1) * self.bins as usize] as usize
    }

    /// The height of a strip.
    pub(crate) fn strip_height(&self) -> f32 {
        self.cell.y
    }

    /// The width on which there are about so many agents of one strip.
    pub(crate) fn width_of(&self, agents: usize) -> f32 {
        let all = self.rows.len().max(1) as f32;
        agents as f32 / all * self.cell.x * (self.bins * self.strips) as f32
    }

    /// About how large the area is that is looked at for a few agents side by side, in world units
    /// squared.
    pub(crate) fn search_area(&self, radius: f32) -> f32 {
        let size = self.cell * Vec2::new(self.bins as f32, self.strips as f32);
        let height = (1.0 + 2.0 * (radius / self.cell.y).ceil()) * self.cell.y;
        math::min(self.width_of(8) + 2.0 * radius, size.x) * math::min(height, size.y)
    }

    /// The row of each slot.
    pub(crate) fn rows(&self) -> &[u32] {
        &self.rows
    }

    /// The slot of each row.
    pub(crate) fn slots(&self) -> &[u32] {
        &self.slots
    }

    /// Calls `visit` with each run of agents that may be within `radius` of a point, in the order of
    /// slots.
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

    /// Calls `visit` with each run of slots that may be within `radius` of some point of the box from
    /// `low` to `high`, in their order, and whether the shortest way from the one to the other may lead
    /// across the edge.
    #[inline(always)]
    pub(crate) fn each_run(
        &self,
        low: Vec2,
        high: Vec2,
        radius: f32,
        mut visit: impl FnMut(Range<usize>, bool),
    ) {
        // Nobody is nearer than a negative radius, or NaN.
        if self.rows.is_empty()
            || !matches!(radius.partial_cmp(&0.0), Some(Ordering::Greater | Ordering::Equal))
        {
            return;
        }
        // Rounding may put a neighbor one step beyond the exact range.
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

    /// Calls `visit` with each run of the slots behind a given one that may be within `radius` of its
    /// agent, and whether the shortest way there may lead across the edge. So each pair is met once.
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
        // As in [`Grid::each_run`].
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

    /// The cells of one axis to visit, from a range that may stick out: cut off, or, in a world that
    /// wraps, at most once around.
    #[inline(always)]
    fn span(low: i32, high: i32, count: i32, wraps: bool) -> CellRanges {
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

    /// Bin and strip of a point; outside the grid these are outside its range.
    #[inline(always)]
    fn place(&self, p: Vec2) -> (i32, i32) {
        let at = (p - self.origin) * self.scale;
        // `as` saturates, so points far out stay far out; it cuts toward zero.
        let floor = |x: f32| {
            let cut = (x as i32).clamp(-(1 << 28), 1 << 28);
            cut - i32::from(x < cut as f32)
        };
        (floor(at.x), floor(at.y))
    }

    fn lay_out(&mut self, space: &Space, pos: &[Vec2]) {
        self.wraps = space.edge == Edge::Wrap;
        let (low, size) = if self.wraps { (space.min, space.size) } else { spread(pos) };
        let wanted = math::max(pos.len() as f32, 1.0);
        // In a thin world the mean distance is that along its length.
        let distance = math::max(
            math::sqrt(size.x) * math::sqrt(size.y) / math::sqrt(wanted),
            math::max(size.x, size.y) / wanted,
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

/// All of them, or about so many, from everywhere in their order: one by chance from each stretch, since
/// order may have to do with place.
fn sample(pos: &[Vec2], about: usize) -> impl Iterator<Item = Vec2> + '_ {
    let stretch = pos.len().div_ceil(about).max(1);
    pos.chunks(stretch).zip(0..).map(move |(some, i)| {
        let by_chance = Mix::new(i).value() % some.len() as u64;
        some[by_chance as usize]
    })
}

/// Corner and size of the box that holds most positions.
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

/// The bounds of the positions inside a box, cut to a few standard deviations around their mean;
/// `None` where none are inside.
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
