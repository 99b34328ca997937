//! The index over positions: which agents are near a point.
//!
//! Rebuilt each tick by a counting sort, and a pure function of the positions and the space: nothing
//! about it has to be kept, and it cannot make two runs differ. Agents of one cell are in id order, and
//! cells are visited row by row from the lowest, so every sum over neighbours has one defined order.

use std::cmp::Ordering;
use std::ops::Range;

use super::{Edge, Space};
use crate::math::{self, Vec2};

/// What a neighbour loop reads of an agent, in cell order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sighting {
    pub(crate) pos: Vec2,
    pub(crate) vel: Vec2,
}

/// How many agents a cell holds on average. More cells mean fewer agents looked at in vain, but more
/// runs of agents to go through.
const AGENTS_PER_CELL: f32 = 2.0;

/// Without an edge, the grid spans this many standard deviations to either side of the mean; who is
/// farther out counts into the outermost cells, so that a few runaways do not make all cells huge.
const DEVIATIONS: f64 = 3.0;

/// How often the deviations are taken again without those found to be far out.
const TRIMS: usize = 4;

/// Cells of equal size, and the agents in each.
#[derive(Clone, Debug, Default)]
pub(crate) struct Grid {
    origin: Vec2,
    cell: Vec2,
    columns: i32,
    rows: i32,
    wraps: bool,
    starts: Vec<u32>,
    agents: Vec<u32>,
    sightings: Vec<Sighting>,
    cell_of: Vec<u32>,
}

impl Grid {
    /// Sorts all agents into cells.
    pub(crate) fn rebuild(&mut self, space: &Space, pos: &[Vec2], vel: &[Vec2]) {
        self.lay_out(space, pos);
        let cells = (self.columns * self.rows) as usize;
        self.starts.clear();
        self.starts.resize(cells + 1, 0);
        let mut cell_of = std::mem::take(&mut self.cell_of);
        cell_of.clear();
        cell_of.extend(pos.iter().map(|&p| {
            let (x, y) = self.place(p);
            (y.clamp(0, self.rows - 1) * self.columns + x.clamp(0, self.columns - 1)) as u32
        }));
        self.cell_of = cell_of;
        for &cell in &self.cell_of {
            self.starts[cell as usize] += 1;
        }
        let mut sum = 0;
        for start in &mut self.starts {
            let count = *start;
            *start = sum;
            sum += count;
        }
        self.agents.resize(pos.len(), 0);
        self.sightings.resize(
            pos.len(),
            Sighting {
                pos: Vec2::ZERO,
                vel: Vec2::ZERO,
            },
        );
        for (row, &cell) in self.cell_of.iter().enumerate() {
            let slot = &mut self.starts[cell as usize];
            self.agents[*slot as usize] = row as u32;
            self.sightings[*slot as usize] = Sighting {
                pos: pos[row],
                vel: vel[row],
            };
            *slot += 1;
        }
        // Filling has moved each start to the next one's place.
        self.starts.rotate_right(1);
        self.starts[0] = 0;
    }

    /// Puts all agents into one cell, in which [`Grid::update`] can change a single one: for worlds
    /// that change while they are looked at.
    pub(crate) fn rebuild_as_one(&mut self, pos: &[Vec2], vel: &[Vec2]) {
        *self = Self {
            columns: 1,
            rows: 1,
            cell: Vec2::ONE,
            starts: vec![0, pos.len() as u32],
            agents: (0..pos.len() as u32).collect(),
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
            self.agents[row] as usize, row,
            "one cell, in the order of rows"
        );
        self.sightings[row] = Sighting { pos, vel };
    }

    /// Calls `visit` with each run of agents that may be within `radius` of a point.
    #[inline]
    pub(crate) fn each_near(
        &self,
        center: Vec2,
        radius: f32,
        mut visit: impl FnMut(&[u32], &[Sighting]),
    ) {
        // Nobody is nearer than a negative radius, or NaN.
        if self.agents.is_empty()
            || !matches!(
                radius.partial_cmp(&0.0),
                Some(Ordering::Greater | Ordering::Equal)
            )
        {
            return;
        }
        // Rounding may put a neighbour one step beyond the exact range.
        let slack = (self.cell * Vec2::new(self.columns as f32, self.rows as f32)
            + (center - self.origin).abs())
            * 1e-6;
        let reach = Vec2::splat(radius) + slack;
        let (left, low) = self.place(center - reach);
        let (right, high) = self.place(center + reach);
        let rows = Self::span(low, high, self.rows, self.wraps);
        let columns = Self::span(left, right, self.columns, self.wraps);
        for y in rows {
            let y = if self.wraps {
                y.rem_euclid(self.rows)
            } else {
                y
            };
            let mut run = |from: i32, to: i32| {
                let base = y * self.columns;
                let start = self.starts[(base + from) as usize] as usize;
                let end = self.starts[(base + to + 1) as usize] as usize;
                visit(&self.agents[start..end], &self.sightings[start..end]);
            };
            let (from, to) = (columns.start, columns.end - 1);
            if to >= self.columns {
                run(from, self.columns - 1);
                run(0, to - self.columns);
            } else {
                run(from, to);
            }
        }
    }

    /// The cells of one axis to visit, from a range that may stick out: cut off, or, in a world that
    /// wraps, at most once around.
    fn span(low: i32, high: i32, count: i32, wraps: bool) -> Range<i32> {
        if !wraps {
            return low.clamp(0, count - 1)..high.clamp(0, count - 1) + 1;
        }
        if high - low + 1 >= count {
            return 0..count;
        }
        let shift = low.div_euclid(count) * count;
        low - shift..high - shift + 1
    }

    /// Column and row of a point; outside the grid these are outside its range.
    fn place(&self, p: Vec2) -> (i32, i32) {
        let at = (p - self.origin) / self.cell;
        // `as` saturates, so points far out stay far out.
        let limit = |x: f32| (x.floor() as i32).clamp(-(1 << 28), 1 << 28);
        (limit(at.x), limit(at.y))
    }

    fn lay_out(&mut self, space: &Space, pos: &[Vec2]) {
        self.wraps = space.edge == Edge::Wrap;
        let (low, size) = if self.wraps {
            (space.min, space.size)
        } else {
            spread(pos)
        };
        let wanted = math::max(pos.len() as f32 / AGENTS_PER_CELL, 1.0);
        // Square cells as far as the counts allow; a thin world has one row.
        let side = math::max(
            (size.x * size.y / wanted).sqrt(),
            math::max(size.x, size.y) / wanted,
        );
        let count = |length: f32| {
            if side > 0.0 && side.is_finite() {
                ((length / side).floor() as i32).clamp(1, 1 << 14)
            } else {
                1
            }
        };
        (self.columns, self.rows) = (count(size.x), count(size.y));
        let whole = |length: f32| {
            if length > 0.0 && length.is_finite() {
                length
            } else {
                1.0
            }
        };
        self.origin = low;
        self.cell = Vec2::new(
            whole(size.x) / self.columns as f32,
            whole(size.y) / self.rows as f32,
        );
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
