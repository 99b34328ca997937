//! Layers: amounts on the ground, one for each cell, which agents change.
//!
//! An amount is never negative, never above [`MAX_AMOUNT`] and never NaN. Evaporation and diffusion keep that: no step makes a cell
//! larger than the largest cell was, and diffusion only moves amounts from cell to cell.

use std::sync::Arc;

use pulp::{Simd, WithSimd};

use super::appearance::Rgb;
use super::{Edge, LayerId, Space, World, field};
use crate::math::{self, Vec2};
use crate::simd;

/// The largest amount in a cell.
pub const MAX_AMOUNT: f32 = 1e15;

/// Amounts below this become 0 in a layer that evaporates or diffuses.
pub const MIN_AMOUNT: f32 = 1e-6;

/// The largest share of its difference to a neighbor that a cell may give in one step. With more, four neighbors could take more
/// than there is, and the amounts would oscillate.
const MAX_SHARE: f64 = 0.25;

/// The most steps that diffusion may need in one tick.
pub const MAX_DIFFUSION_STEPS: u32 = 64;

/// An amount for each cell of a grid that covers the world, such as food or a scent.
#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    /// Its name in the scenario.
    pub name: Arc<str>,
    /// The corner with the smallest coordinates, in world units.
    pub min: Vec2,
    /// The side of a cell, in world units, above 0.
    pub cell: f32,
    /// Number of cells in each row, at least 1.
    pub columns: usize,
    /// The share that evaporates, per second: after t seconds, `exp(-evaporation * t)` of an amount is left. At least 0.
    pub evaporation: f32,
    /// How fast amounts spread, in squared world units per second, at least 0.
    pub diffusion: f32,
    /// Whether its edges are joined, as those of a world that wraps.
    pub wraps: bool,
    /// How it is drawn; no run reads it.
    pub appearance: LayerAppearance,
    /// The amounts, row by row from the smallest y: at least one row, all full.
    pub amounts: Arc<Vec<f32>>,
}

/// How a layer is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LayerAppearance {
    /// The color of the largest amounts; `None` for the color that the palette has for it.
    pub color: Option<Rgb>,
    /// The amount from which on a cell has the full color; `None` for the largest amount that is there.
    pub full_at: Option<f32>,
}

impl Layer {
    /// Returns a layer without amounts that covers a world, without evaporation and diffusion. In a world that wraps, whole cells must
    /// cover it exactly.
    pub fn new(name: &str, space: &Space, cell: f32) -> Self {
        let (columns, rows) = cells(space.size, cell);
        Self {
            name: name.into(),
            min: space.min,
            cell,
            columns,
            evaporation: 0.0,
            diffusion: 0.0,
            wraps: space.edge == Edge::Wrap,
            appearance: LayerAppearance::default(),
            amounts: Arc::new(vec![0.0; columns * rows]),
        }
    }

    /// Returns it without its amounts: what no tick changes.
    #[doc(hidden)]
    pub fn fixed(&self) -> Self {
        Self { amounts: Arc::default(), ..self.clone() }
    }

    /// Returns whether all of it is as the fields say, and diffusion is stable with a tick of `dt` seconds.
    pub(crate) fn is_valid(&self, dt: f32) -> bool {
        let is_rate = |rate: f32| rate.is_finite() && rate >= 0.0;
        let is_full = self.columns > 0
            && !self.amounts.is_empty()
            && self.amounts.len().is_multiple_of(self.columns);
        self.min.is_finite()
            && self.cell.is_finite()
            && self.cell > 0.0
            && is_full
            && self.amounts.iter().all(|amount| (0.0..=MAX_AMOUNT).contains(amount))
            && is_rate(self.evaporation)
            && is_rate(self.diffusion)
            && self.diffusion_steps(dt) <= f64::from(MAX_DIFFUSION_STEPS)
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> usize {
        self.amounts.len() / self.columns
    }

    /// Returns the center of a cell, by its index among the amounts.
    pub fn center(&self, index: usize) -> Vec2 {
        field::cell_center(self.min, self.cell, self.columns, index)
    }

    /// Returns the index of the cell that a point is in. `None` outside of the world.
    #[inline(always)]
    pub fn cell_at(&self, space: &Space, point: Vec2) -> Option<usize> {
        let from_min = space.inside(point) - self.min;
        let column = index_along(from_min.x, self.cell, space.size.x, self.columns)?;
        let row = index_along(from_min.y, self.cell, space.size.y, self.rows())?;
        Some(row * self.columns + column)
    }

    /// Returns the amount in the cell that a point is in; 0 outside of the world.
    #[inline(always)]
    pub fn amount(&self, space: &Space, point: Vec2) -> f32 {
        self.cell_at(space, point).map_or(0.0, |cell| self.amounts[cell])
    }

    /// Returns the direction in which amounts grow at a point, times how much they grow, per world unit: from the cells on both sides of
    /// the one that the point is in. Zero outside of the world.
    pub fn gradient(&self, space: &Space, point: Vec2) -> Vec2 {
        let Some(cell) = self.cell_at(space, point) else { return Vec2::ZERO };
        let (row, column) = (cell / self.columns, cell % self.columns);
        let amount = |row: usize, column: usize| self.amounts[row * self.columns + column];
        let slope = |index: usize, cells: usize, amount: &dyn Fn(usize) -> f32| {
            let (before, after, apart) = self.sides(index, cells);
            if apart == 0 {
                return 0.0;
            }
            let rise = f64::from(amount(after)) - f64::from(amount(before));
            (rise / (apart as f64 * f64::from(self.cell))) as f32
        };
        let slope = Vec2::new(
            slope(column, self.columns, &|column| amount(row, column)),
            slope(row, self.rows(), &|row| amount(row, column)),
        );
        if slope.is_finite() { slope } else { Vec2::ZERO }
    }

    /// Returns the indices along an axis before and after one, and how many cells they are apart.
    fn sides(&self, index: usize, cells: usize) -> (usize, usize, usize) {
        if self.wraps && cells > 2 {
            return ((index + cells - 1) % cells, (index + 1) % cells, 2);
        }
        let (before, after) = (index.saturating_sub(1), (index + 1).min(cells - 1));
        (before, after, after - before)
    }

    /// Returns which of three offsets from a point leads to the largest amount: `ahead`, or `ahead` turned by an angle in radians to the
    /// left or to the right. It is `ahead` unless more is on a side, and the left one if both sides have the same.
    pub fn best(&self, space: &Space, from: Vec2, ahead: Vec2, angle: f32) -> Vec2 {
        let (left, right) = (math::rotated(ahead, angle), math::rotated(ahead, -angle));
        let amount = |offset: Vec2| self.amount(space, from + offset);
        let (on_left, on_right) = (amount(left), amount(right));
        let side = if on_left >= on_right { left } else { right };
        if amount(ahead) >= math::max(on_left, on_right) { ahead } else { side }
    }

    /// Adds to the amount of a cell. Returns `false` and changes nothing if it would be above [`MAX_AMOUNT`].
    pub(crate) fn deposit(&mut self, cell: usize, amount: f32) -> bool {
        let amounts = Arc::make_mut(&mut self.amounts);
        let sum = amounts[cell] + amount;
        // A NaN is not in the range.
        let fits = (0.0..=MAX_AMOUNT).contains(&sum);
        if fits {
            amounts[cell] = sum;
        }
        fits
    }

    /// Takes at most an amount from a cell, and returns how much was there to be taken.
    pub(crate) fn take(&mut self, cell: usize, amount: f32) -> f32 {
        let amounts = Arc::make_mut(&mut self.amounts);
        let taken = math::min(amounts[cell], amount);
        amounts[cell] -= taken;
        taken
    }

    /// Returns the number of steps that diffusion needs in a tick, so that it stays stable.
    pub fn diffusion_steps(&self, dt: f32) -> f64 {
        (self.share(dt) / MAX_SHARE).ceil()
    }

    /// Returns the share of its difference to each neighbor that a cell gives in a tick.
    fn share(&self, dt: f32) -> f64 {
        let cell = f64::from(self.cell);
        f64::from(self.diffusion) * f64::from(dt) / (cell * cell)
    }

    /// Lets amounts diffuse and evaporate for one tick.
    pub(crate) fn advance(&mut self, dt: f32) {
        let kept = math::exp(-self.evaporation * dt);
        let steps = (self.diffusion_steps(dt) as u32).min(MAX_DIFFUSION_STEPS);
        if steps == 0 && kept >= 1.0 {
            return;
        }
        let share = if steps == 0 { 0.0 } else { self.share(dt) / f64::from(steps) };
        let (columns, wraps) = (self.columns, self.wraps);
        let amounts = Arc::make_mut(&mut self.amounts);
        for step in 0..steps.max(1) {
            let kept = if step == 0 { f64::from(kept) } else { 1.0 };
            let (own, from_neighbor) = (((1.0 - 4.0 * share) * kept) as f32, (share * kept) as f32);
            simd::dispatch(DiffusionStep { amounts, columns, wraps, own, from_neighbor });
        }
    }
}

/// One step of diffusion: each amount becomes `own` times itself plus `from_neighbor` times the sum of its four neighbors. A cell at an
/// edge that is not joined is its own neighbor there, so nothing leaves the layer.
struct DiffusionStep<'a> {
    amounts: &'a mut [f32],
    columns: usize,
    wraps: bool,
    own: f32,
    from_neighbor: f32,
}

impl WithSimd for DiffusionStep<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { amounts, columns, wraps, own, from_neighbor } = self;
        if from_neighbor == 0.0 {
            amounts.iter_mut().for_each(|amount| *amount = flushed(*amount * own));
            return;
        }
        let rows = amounts.len() / columns;
        let first = amounts[..columns].to_vec();
        // The old amounts of the row below, and of the present one between those of its neighbors at both ends.
        let mut below =
            if wraps { amounts[(rows - 1) * columns..].to_vec() } else { first.clone() };
        let mut present = vec![0.0; columns + 2];
        for row in 0..rows {
            let (head, above) = amounts.split_at_mut((row + 1) * columns);
            let new = &mut head[row * columns..];
            present[1..=columns].copy_from_slice(new);
            let (left, right) = if wraps { (columns, 1) } else { (1, columns) };
            (present[0], present[columns + 1]) = (present[left], present[right]);
            let is_last = row + 1 == rows;
            let above: &[f32] = match (is_last, wraps) {
                (false, _) => &above[..columns],
                (true, true) => &first,
                (true, false) => &present[1..=columns],
            };
            let beside = present[..columns].iter().zip(&present[2..]);
            let over = below.iter().zip(above);
            let old = present[1..=columns].iter().zip(beside.zip(over));
            for (new, (&old, ((&left, &right), (&below, &above)))) in new.iter_mut().zip(old) {
                let sum = (left + right) + (below + above);
                *new = flushed(own * old + from_neighbor * sum);
            }
            below.copy_from_slice(&present[1..=columns]);
        }
    }
}

/// Returns 0 for an amount that is too small to keep: it would spread over all cells, and the smallest floats are slow.
#[inline(always)]
fn flushed(amount: f32) -> f32 {
    if amount < MIN_AMOUNT { 0.0 } else { amount }
}

/// Returns the number of columns and rows of cells that cover a world.
pub fn cells(size: Vec2, cell: f32) -> (usize, usize) {
    // Rounding must not add a row for a size that is a multiple of the cell.
    let along = |size: f32| {
        let exact = f64::from(size) / f64::from(cell);
        let nearest = exact.round();
        let count = if (exact - nearest).abs() < 1e-5 * exact { nearest } else { exact.ceil() };
        count.clamp(1.0, 1e9) as usize
    };
    (along(size.x), along(size.y))
}

/// Returns the index along an axis of the cell at a distance from the start. `None` beyond the ends.
#[inline]
fn index_along(from_start: f32, cell: f32, size: f32, cells: usize) -> Option<usize> {
    // A coordinate that is NaN is not in the range.
    (0.0..=size).contains(&from_start).then(|| ((from_start / cell) as usize).min(cells - 1))
}

impl World {
    /// Returns the amount of a layer at a point; 0 if there is no such layer.
    #[inline]
    pub fn amount(&self, layer: LayerId, point: Vec2) -> f32 {
        self.layer(layer).map_or(0.0, |layer| layer.amount(&self.space, point))
    }

    /// Returns a layer.
    #[inline]
    pub fn layer(&self, id: LayerId) -> Option<&Layer> {
        self.layers.get(usize::from(id.0))
    }

    /// Returns the layer with a name.
    pub fn layer_named(&self, name: &str) -> Option<LayerId> {
        let index = self.layers.iter().position(|layer| layer.name.as_ref() == name)?;
        Some(LayerId(index as u16))
    }
}

#[cfg(test)]
mod tests;
