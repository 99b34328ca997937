//! The distances of the cells from the obstacles.

use super::Cells;
use crate::geom::Shape;
use crate::math::{self, Vec2};
use crate::world::Obstacle;

/// The number of cells along the side of a block.
const BLOCK: u32 = 8;

/// For each cell, the distance of its center from the nearest obstacle. Large distances are cut.
#[derive(Debug)]
pub(super) struct Distances {
    /// In world units; negative in the solid part of an obstacle.
    values: Vec<f32>,
    /// The distance from which on distances are cut, in world units.
    longest: f32,
    /// For each block of cells, the obstacles that are nearer than that to one of its cells.
    near: Vec<Vec<Near>>,
    blocks_per_row: u32,
}

/// An obstacle, or a copy of it.
#[derive(Clone, Copy, Debug)]
struct Near {
    obstacle: u16,
    /// How far the copy is from the obstacle.
    offset: Vec2,
}

impl Near {
    fn distance(self, obstacles: &[Obstacle], point: Vec2) -> f32 {
        obstacles[usize::from(self.obstacle)].shape.surface(point - self.offset).distance
    }
}

impl Distances {
    pub(super) fn new(obstacles: &[Obstacle], cells: &Cells, longest: f32) -> Self {
        let (columns, rows) = cells.counts();
        let blocks_per_row = columns.div_ceil(BLOCK);
        let mut values = vec![longest; cells.count()];
        let mut near = Vec::new();
        // Rooms have no copies: all of the plane would be in their solid parts.
        let copies: Vec<Near> = obstacles
            .iter()
            .zip(0..)
            .flat_map(|(one, obstacle)| {
                let is_room = matches!(one.shape, Shape::Room { .. });
                let offsets =
                    cells.copies().filter(move |&offset| !is_room || offset == Vec2::ZERO);
                offsets.map(move |offset| Near { obstacle, offset })
            })
            .collect();
        for block in 0..blocks_per_row * rows.div_ceil(BLOCK) {
            let (x, y) = (block % blocks_per_row * BLOCK, block / blocks_per_row * BLOCK);
            let (right, up) = ((x + BLOCK).min(columns), (y + BLOCK).min(rows));
            let low = cells.center(y * columns + x);
            let high = cells.center((up - 1) * columns + right - 1);
            let middle = (low + high) * 0.5;
            // Points of the block are at most this far from its middle.
            let reach = math::length(high - low) * 0.5 + cells.side();
            let is_near = |one: &&Near| one.distance(obstacles, middle) <= longest + reach;
            let of_block: Vec<Near> = copies.iter().filter(is_near).copied().collect();
            for y in y..up {
                for x in x..right {
                    let cell = y * columns + x;
                    let center = cells.center(cell);
                    values[cell as usize] = nearest(obstacles, &of_block, center, longest);
                }
            }
            near.push(of_block);
        }
        Self { values, longest, near, blocks_per_row }
    }

    /// Returns the distance of the center of a cell from the nearest obstacle, in world units.
    pub(super) fn get(&self, cell: u32) -> f32 {
        self.values[cell as usize]
    }

    /// Returns the distance of a point from the nearest obstacle, in world units.
    pub(super) fn exact(&self, obstacles: &[Obstacle], cells: &Cells, point: Vec2) -> f32 {
        let (columns, _) = cells.counts();
        let cell = cells.cell_of(point);
        let (x, y) = (cell % columns / BLOCK, cell / columns / BLOCK);
        nearest(obstacles, &self.near[(y * self.blocks_per_row + x) as usize], point, self.longest)
    }

    /// Returns a distance that differs from the exact one by at most half the diagonal of a cell.
    pub(super) fn rough(&self, cells: &Cells, point: Vec2) -> f32 {
        let ([a, b, c, d], part) = cells.around(point);
        // Not `map` over the array: a search does little else, and that is slow in development builds.
        let along = |from: usize, to: usize| {
            let (from, to) = (self.values[from], self.values[to]);
            from + (to - from) * part.x
        };
        let (low, high) = (along(a, b), along(c, d));
        low + (high - low) * part.y
    }
}

fn nearest(obstacles: &[Obstacle], of: &[Near], point: Vec2, longest: f32) -> f32 {
    of.iter().fold(longest, |nearest, one| math::min(one.distance(obstacles, point), nearest))
}
