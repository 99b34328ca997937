//! The index over positions: which agents are near a point.
//!
//! Rebuilt each tick by a counting sort, and a pure function of the positions and the space: nothing
//! about it has to be kept, and it cannot make two runs differ. The plane is cut into strips, a strip
//! into bins; an agent's place in that order, strip by strip, bin by bin and then by row, is its *slot*.
//! Every sum over neighbours runs in the order of slots, whatever its radius and whoever asks.

use std::cmp::Ordering;
use std::ops::Range;

use pulp::{Arch, Simd, WithSimd};

use super::{Edge, Space};
use crate::math::{self, Vec2};

/// What a neighbour loop reads of an agent, in the order of slots.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sighting {
    pub(crate) pos: Vec2,
    pub(crate) vel: Vec2,
}

/// Height of a strip, and width of a bin, in mean distances between agents. Low strips mean longer
/// blocks of agents side by side, high ones more agents looked at in vain: measured, from 1.25 to 2 it
/// makes little difference.
const STRIP: f32 = 1.5;
const BIN: f32 = 0.5;

/// No more cells than this along one axis.
const MOST_CELLS: i32 = 1 << 24;

/// Without an edge, the grid spans this many standard deviations to either side of the mean; who is
/// farther out counts into the outermost cells, so that a few runaways do not make all cells huge.
const DEVIATIONS: f64 = 3.0;

/// How often the deviations are taken again without those found to be far out.
const TRIMS: usize = 4;

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
type Span = [Range<i32>; 2];

impl Grid {
    /// Sorts all agents into bins.
    pub(crate) fn rebuild(&mut self, space: &Space, pos: &[Vec2], vel: &[Vec2]) {
        self.lay_out(space, pos);
        self.starts.clear();
        self.starts
            .resize((self.bins * self.strips) as usize + 1, 0);
        let mut cells = std::mem::take(&mut self.slots);
        cells.resize(pos.len(), 0);
        Arch::new().dispatch(Cells {
            grid: self,
            pos,
            cells: &mut cells,
        });
        for &cell in &cells {
            self.starts[cell as usize] += 1;
        }
        let mut sum = 0;
        for start in &mut self.starts {
            let count = *start;
            *start = sum;
            sum += count;
        }
        self.rows.resize(pos.len(), 0);
        self.sightings.resize(
            pos.len(),
            Sighting {
                pos: Vec2::ZERO,
                vel: Vec2::ZERO,
            },
        );
        for (row, cell) in cells.iter_mut().enumerate() {
            let next = &mut self.starts[*cell as usize];
            let slot = *next;
            *next += 1;
            self.rows[slot as usize] = row as u32;
            self.sightings[slot as usize] = Sighting {
                pos: pos[row],
                vel: vel[row],
            };
            *cell = slot;
        }
        self.slots = cells;
        // Filling has moved each start to the next one's place.
        self.starts.rotate_right(1);
        self.starts[0] = 0;
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
            sightings: pos
                .iter()
                .zip(vel)
                .map(|(&pos, &vel)| Sighting { pos, vel })
                .collect(),
            ..Self::default()
        };
    }

    /// Notes a change of one agent in a grid made by [`Grid::rebuild_as_one`].
    pub(crate) fn update(&mut self, row: usize, pos: Vec2, vel: Vec2) {
        debug_assert_eq!(
            self.rows[row] as usize, row,
            "one bin, in the order of rows"
        );
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
    pub(crate) fn looked_at(&self, radius: f32) -> f32 {
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
            || !matches!(
                radius.partial_cmp(&0.0),
                Some(Ordering::Greater | Ordering::Equal)
            )
        {
            return;
        }
        // Rounding may put a neighbour one step beyond the exact range.
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

    /// The cells of one axis to visit, from a range that may stick out: cut off, or, in a world that
    /// wraps, at most once around.
    #[inline(always)]
    fn span(low: i32, high: i32, count: i32, wraps: bool) -> Span {
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
        // `as` saturates, so points far out stay far out; it cuts towards zero.
        let floor = |x: f32| {
            let cut = (x as i32).clamp(-(1 << 28), 1 << 28);
            cut - i32::from(x < cut as f32)
        };
        (floor(at.x), floor(at.y))
    }

    fn lay_out(&mut self, space: &Space, pos: &[Vec2]) {
        self.wraps = space.edge == Edge::Wrap;
        let (low, size) = if self.wraps {
            (space.min, space.size)
        } else {
            spread(pos)
        };
        let wanted = math::max(pos.len() as f32, 1.0);
        // In a thin world the mean distance is that along its length.
        let distance = math::max(
            math::sqrt(size.x) * math::sqrt(size.y) / math::sqrt(wanted),
            math::max(size.x, size.y) / wanted,
        );
        let count = |length: f32, side: f32| {
            if side > 0.0 && side.is_finite() {
                ((length / side) as i32).clamp(1, MOST_CELLS)
            } else {
                1
            }
        };
        self.bins = count(size.x, BIN * distance);
        self.strips = count(size.y, STRIP * distance);
        let whole = |length: f32| {
            if length > 0.0 && length.is_finite() {
                length
            } else {
                1.0
            }
        };
        self.origin = low;
        let cells = Vec2::new(self.bins as f32, self.strips as f32);
        self.cell = Vec2::new(whole(size.x), whole(size.y)) / cells;
        self.scale = cells / Vec2::new(whole(size.x), whole(size.y));
    }
}

/// Corner and size of the box that holds most positions.
fn spread(pos: &[Vec2]) -> (Vec2, Vec2) {
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
    let inside = || {
        pos.iter()
            .filter(|p| p.cmpge(low).all() && p.cmple(high).all())
    };
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
        most[axis] = math::max(
            least[axis],
            math::min(most[axis], (middle + DEVIATIONS * deviation) as f32),
        );
    }
    Some((least, most))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn near(space: &Space, pos: &[Vec2], center: Vec2, radius: f32) -> Vec<u32> {
        let mut grid = Grid::default();
        grid.rebuild(space, pos, pos);
        let mut found = Vec::new();
        grid.each_near(center, radius, |agents, sightings| {
            for (&row, seen) in agents.iter().zip(sightings) {
                assert_eq!(seen.pos, pos[row as usize]);
                if space.offset(center, seen.pos).length() <= radius {
                    found.push(row);
                }
            }
        });
        found
    }

    fn brute_force(space: &Space, pos: &[Vec2], center: Vec2, radius: f32) -> Vec<u32> {
        (0..pos.len() as u32)
            .filter(|&i| space.offset(center, pos[i as usize]).length() <= radius)
            .collect()
    }

    proptest! {
        #[test]
        fn everyone_near_is_found_once(
            points in prop::collection::vec((0.0f32..100.0, 0.0f32..60.0), 0..200),
            center in (0.0f32..100.0, 0.0f32..60.0),
            radius in prop_oneof![0.0f32..20.0, 0.0f32..300.0, Just(f32::INFINITY)],
            wrap in any::<bool>(),
            outlier in prop::option::of(-1e7f32..1e7),
        ) {
            let edge = if wrap { Edge::Wrap } else { Edge::Open };
            let space = Space { edge, min: Vec2::ZERO, size: Vec2::new(100.0, 60.0) };
            let mut pos: Vec<Vec2> = points.iter().map(|&(x, y)| Vec2::new(x, y)).collect();
            if let (Some(x), false) = (outlier, wrap) {
                pos.push(Vec2::new(x, -x));
            }
            let center = Vec2::new(center.0, center.1);
            let mut found = near(&space, &pos, center, radius);
            let mut grid = Grid::default();
            grid.rebuild(&space, &pos, &pos);
            let slots: Vec<u32> = found.iter().map(|&row| grid.slots()[row as usize]).collect();
            prop_assert!(slots.is_sorted(), "in the order of slots: {slots:?}");
            found.sort_unstable();
            prop_assert_eq!(found, brute_force(&space, &pos, center, radius));
        }
    }

    #[test]
    fn neighbours_across_the_seam_are_found() {
        let space = Space {
            edge: Edge::Wrap,
            min: Vec2::ZERO,
            size: Vec2::splat(10.0),
        };
        let pos: Vec<Vec2> = (0..100)
            .map(|i| Vec2::new((i % 10) as f32, (i / 10) as f32))
            .collect();
        let mut found = near(&space, &pos, Vec2::ZERO, 1.0);
        found.sort_unstable();
        assert_eq!(found, [0, 1, 9, 10, 90]);
    }

    #[test]
    fn a_runaway_does_not_put_everyone_into_one_cell() {
        let mut pos: Vec<Vec2> = (0..10_000)
            .map(|i| Vec2::new((i % 100) as f32, (i / 100) as f32))
            .collect();
        pos.push(Vec2::splat(1e6));
        let mut grid = Grid::default();
        let space = Space {
            edge: Edge::Open,
            min: Vec2::ZERO,
            size: Vec2::ONE,
        };
        grid.rebuild(&space, &pos, &pos);
        let mut seen = 0;
        grid.each_near(Vec2::splat(50.0), 1.0, |agents, _| seen += agents.len());
        assert!(seen < 5000, "{seen} of 10001 looked at");
    }
}
