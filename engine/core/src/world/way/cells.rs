//! The grid of cells that ways are searched on.

use crate::geom::Shape;
use crate::math::{self, Vec2};
use crate::world::{Edge, Obstacle, Space};

/// The maximum number of cells, unless the scenario asks for smaller ones.
const MAX_CELLS: f32 = (1 << 18) as f32;

/// The maximum number of cells if the scenario says how large they are.
const MAX_CHOSEN_CELLS: f32 = (1 << 20) as f32;

/// The minimum number of cells along the shorter side of the world.
const MIN_SIDE: f32 = 32.0;

/// A rectangle that is divided into cells. In a world that wraps, its left side is next to its right one.
#[derive(Clone, Debug)]
pub(super) struct Cells {
    min: Vec2,
    max: Vec2,
    /// Width and height of a cell, in world units. They are about equal.
    size: Vec2,
    per_unit: Vec2,
    columns: u32,
    rows: u32,
    space: Space,
}

impl Cells {
    /// Divides the rectangle of the world. In an open world, the rectangle is extended so that bodies can go around the
    /// obstacles in it and next to it, which are within `bounds`.
    ///
    /// A cell is half as large as the radius, so that a few cells fit beside each other wherever the body does, or as large
    /// as `chosen`; but not so small that there are too many.
    pub(super) fn new(
        space: &Space,
        bounds: &ObstacleBounds,
        chosen: Option<f32>,
        radius: f32,
    ) -> Self {
        let wanted = Self::wanted_side(space, chosen, radius);
        let most = if chosen.is_some() { MAX_CHOSEN_CELLS } else { MAX_CELLS };
        let (mut min, mut max) = (space.min, space.max());
        if space.edge == Edge::Open {
            (min, max) = bounds.extended(space, 4.0 * (radius + wanted));
        }
        let area = max - min;
        let cell = math::max(wanted, smallest_side(area, most));
        let count = |side: f32| (side / cell).ceil().clamp(1.0, most) as u32;
        let (columns, rows) = (count(area.x), count(area.y));
        let size = area / Vec2::new(columns as f32, rows as f32);
        Self { min, max, size, per_unit: 1.0 / size, columns, rows, space: *space }
    }

    /// Returns the side that cells should have.
    fn wanted_side(space: &Space, chosen: Option<f32>, radius: f32) -> f32 {
        chosen.unwrap_or_else(|| {
            let side = math::min(space.size.x, space.size.y);
            let wanted = if radius > 0.0 { 0.5 * radius } else { side / 256.0 };
            math::min(wanted, side / MIN_SIDE)
        })
    }

    /// Returns the side of the cells that divide the rectangle of the world, not extended.
    pub(super) fn least_side(space: &Space, chosen: Option<f32>, radius: f32) -> f32 {
        let most = if chosen.is_some() { MAX_CHOSEN_CELLS } else { MAX_CELLS };
        math::max(Self::wanted_side(space, chosen, radius), smallest_side(space.size, most))
    }

    /// Returns the maximum number of cells, for bodies of any radius.
    pub(super) fn max_count(space: &Space, chosen: Option<f32>) -> usize {
        // Both sides are rounded up.
        let Some(side) = chosen else { return 2 * MAX_CELLS as usize + 2 };
        let area = if space.edge == Edge::Open { 3.0 * space.size } else { space.size };
        let counts = area / side + 1.0;
        ((counts.x * counts.y) as usize).min(2 * MAX_CHOSEN_CELLS as usize + 2)
    }

    /// Returns the number of cells.
    pub(super) fn count(&self) -> usize {
        self.columns as usize * self.rows as usize
    }

    /// Returns the number of columns, and that of rows.
    pub(super) fn counts(&self) -> (u32, u32) {
        (self.columns, self.rows)
    }

    /// Returns the longer side of a cell, in world units.
    #[inline]
    pub(super) fn side(&self) -> f32 {
        math::max(self.size.x, self.size.y)
    }

    /// Returns the width and the height of a cell, in world units.
    pub(super) fn size(&self) -> Vec2 {
        self.size
    }

    /// Returns whether a point is in the rectangle.
    #[inline]
    pub(super) fn covers(&self, point: Vec2) -> bool {
        point.cmpge(self.min).all() && point.cmple(self.max).all()
    }

    /// Returns the cell of a point; for a point outside, the nearest one.
    #[inline]
    pub(super) fn cell_of(&self, point: Vec2) -> u32 {
        let at = (point - self.min) * self.per_unit;
        // Conversions of numbers that are out of range give the nearest integer.
        let (x, y) = ((at.x as u32).min(self.columns - 1), (at.y as u32).min(self.rows - 1));
        y * self.columns + x
    }

    /// Returns the center of a cell.
    pub(super) fn center(&self, cell: u32) -> Vec2 {
        let (x, y) = (cell % self.columns, cell / self.columns);
        self.min + (Vec2::new(x as f32, y as f32) + 0.5) * self.size
    }

    /// Returns points all over a cell: its corners, the middles of its sides, and its center.
    pub(super) fn spots(&self, cell: u32) -> impl Iterator<Item = Vec2> {
        let (center, half) = (self.center(cell), self.size * 0.5);
        (0..9)
            .map(move |at| center + half * Vec2::new((at % 3) as f32 - 1.0, (at / 3) as f32 - 1.0))
    }

    /// Returns the four cells whose centers are around a point, from the lower left to the upper right, and how far the point
    /// is from the first to the last, as fractions.
    #[inline]
    pub(super) fn around(&self, point: Vec2) -> ([usize; 4], Vec2) {
        let at = (point - self.min) * self.per_unit - 0.5;
        let ((x, right), dx) = self.beside(at.x, self.columns);
        let ((y, up), dy) = self.beside(at.y, self.rows);
        let cell = |x: u32, y: u32| (y * self.columns + x) as usize;
        ([cell(x, y), cell(right, y), cell(x, up), cell(right, up)], Vec2::new(dx, dy))
    }

    /// Returns the two columns or rows whose centers are on both sides of a point, and how far it is from the first to the
    /// second, as a fraction.
    #[inline]
    fn beside(&self, at: f32, count: u32) -> ((u32, u32), f32) {
        let last = count - 1;
        if self.wraps() {
            // Conversions to integers cut, so that negative numbers would be rounded up.
            let after = ((at + 1.0) as u32).min(count);
            let sides =
                (if after == 0 { last } else { after - 1 }, if after > last { 0 } else { after });
            return (sides, at + 1.0 - after as f32);
        }
        let at = math::min(math::max(at, 0.0), last as f32);
        let low = at as u32;
        ((low, (low + 1).min(last)), at - low as f32)
    }

    /// Calls `visit` with each of the up to eight cells around a cell, in a fixed order.
    #[inline]
    pub(super) fn each_around(&self, cell: u32, mut visit: impl FnMut(u32)) {
        let (x, y) = (cell % self.columns, cell / self.columns);
        let is_inner = x > 0 && y > 0 && x + 1 < self.columns && y + 1 < self.rows;
        for (dx, dy) in AROUND {
            if is_inner {
                visit((cell as i32 + dy * self.columns as i32 + dx) as u32);
                continue;
            }
            if let Some(next) = self.neighbor(cell, (dx, dy)) {
                visit(next);
            }
        }
    }

    /// Returns the two of the cells around a cell between which a line from its center leads. `None` if the line is shorter than three cells,
    /// if it leads to the other side of the world, or if one of the two is outside.
    pub(super) fn beside_line(&self, cell: u32, offset: Vec2) -> Option<[u32; 2]> {
        let steps = (offset * self.per_unit).abs();
        if steps.max_element() < 3.0 || self.is_across(offset) {
            return None;
        }
        let (dx, dy) = (if offset.x < 0.0 { -1 } else { 1 }, if offset.y < 0.0 { -1 } else { 1 });
        let straight = if steps.x >= steps.y { (dx, 0) } else { (0, dy) };
        Some([self.neighbor(cell, straight)?, self.neighbor(cell, (dx, dy))?])
    }

    /// Returns the cell at an offset of at most a column and a row.
    fn neighbor(&self, cell: u32, (dx, dy): (i32, i32)) -> Option<u32> {
        let (columns, rows) = (self.columns as i32, self.rows as i32);
        let (x, y) = ((cell % self.columns) as i32 + dx, (cell / self.columns) as i32 + dy);
        let is_inside = x >= 0 && y >= 0 && x < columns && y < rows;
        (is_inside || self.wraps())
            .then(|| (y.rem_euclid(rows) * columns + x.rem_euclid(columns)) as u32)
    }

    /// Returns the shortest offset between two points.
    #[inline]
    pub(super) fn offset(&self, from: Vec2, to: Vec2) -> Vec2 {
        self.space.offset(from, to)
    }

    /// Returns the point of the rectangle that a point is the same as, in a world that wraps.
    #[inline]
    pub(super) fn inside(&self, point: Vec2) -> Vec2 {
        self.space.inside(point)
    }

    /// Returns whether an offset in a world that wraps is so long that the way around the other side is nearly as short:
    /// an agent beside the point would take that one.
    #[inline]
    pub(super) fn is_across(&self, offset: Vec2) -> bool {
        self.wraps() && offset.abs().cmpgt(0.45 * self.space.size).any()
    }

    /// Returns how far away the copies of each obstacle are. In a world that wraps they make distances from obstacles
    /// continuous at the edge.
    pub(super) fn copies(&self) -> impl Iterator<Item = Vec2> {
        let reach = if self.wraps() { 1 } else { 0 };
        let size = self.space.size;
        let row = move |y: i32| (-reach..=reach).map(move |x| Vec2::new(x as f32, y as f32) * size);
        (-reach..=reach).flat_map(row)
    }

    /// Returns whether the straight line between two points outside of the rectangle surely misses it.
    #[inline]
    pub(super) fn is_beside(&self, from: Vec2, to: Vec2) -> bool {
        let low = from.cmplt(self.min) & to.cmplt(self.min);
        let high = from.cmpgt(self.max) & to.cmpgt(self.max);
        low.any() || high.any()
    }

    #[inline]
    fn wraps(&self) -> bool {
        self.space.edge == Edge::Wrap
    }
}

/// The offsets of the cells around a cell: first those that share a side.
const AROUND: [(i32, i32); 8] =
    [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1)];

/// Returns the smallest side of the cells of a world that a scenario can choose, in world units.
pub fn smallest_way_cell(space: &Space) -> f32 {
    smallest_side(space.size, MAX_CHOSEN_CELLS)
}

/// Returns the side of the cells if there are as many as possible.
fn smallest_side(area: Vec2, most: f32) -> f32 {
    // By sides, since the product of two sides may overflow.
    math::sqrt(area.x / most) * math::sqrt(area.y)
}

/// The smallest rectangles around the rooms and around the other obstacles, as their smallest and largest corners.
#[derive(Clone, Copy, Debug)]
pub(super) struct ObstacleBounds {
    rooms: (Vec2, Vec2),
    others: (Vec2, Vec2),
}

impl ObstacleBounds {
    pub(super) fn new(obstacles: &[Obstacle]) -> Self {
        let none = (Vec2::INFINITY, Vec2::NEG_INFINITY);
        let mut bounds = Self { rooms: none, others: none };
        for obstacle in obstacles {
            let is_room = matches!(obstacle.shape, Shape::Room { .. });
            let (min, max) = if is_room { &mut bounds.rooms } else { &mut bounds.others };
            let (low, high) = obstacle.shape.bounds();
            (*min, *max) = (min.min(low), max.max(high));
        }
        bounds
    }

    /// Returns the rectangle of a world, extended by a margin around the obstacles, but at most by its own size to each
    /// side.
    fn extended(&self, space: &Space, margin: f32) -> (Vec2, Vec2) {
        // Nobody goes around a room.
        let min = space.min.min(self.rooms.0).min(self.others.0 - margin);
        let max = space.max().max(self.rooms.1).max(self.others.1 + margin);
        (min.max(space.min - space.size), max.min(space.max() + space.size))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn point() -> impl Strategy<Value = Vec2> {
        (-1000.0f32..1000.0, -1000.0f32..1000.0).prop_map(Vec2::from)
    }

    proptest! {
        #[test]
        fn no_grid_has_more_cells_than_the_maximum(
            (min, corner) in (point(), point()),
            size in (0.5f32..2000.0, 0.5f32..2000.0),
            edge in prop::sample::select(vec![Edge::Open, Edge::Wrap, Edge::Clamp]),
            chosen in prop::option::of(0.001f32..100.0),
            radius in 0.0f32..10.0,
        ) {
            let space = Space { edge, min, size: size.into() };
            let shape = Shape::Circle { center: corner, radius: 5.0 };
            let bounds = ObstacleBounds::new(&[Obstacle { name: "it".into(), shape }]);
            let cells = Cells::new(&space, &bounds, chosen, radius).count();
            prop_assert!(cells <= Cells::max_count(&space, chosen), "{cells}");
        }
    }
}
