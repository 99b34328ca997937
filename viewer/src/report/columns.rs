//! The columns of a sweep as charts need them: values in bins.

use crate::chart::{Series, Shape};
use crate::draw::Color;

/// Size of a chart, in pixels.
pub(super) const CHART: (f64, f64) = (480.0, 300.0);

/// A value that varies is shown by its values if there are at most this many, and otherwise by this many equal parts of
/// its range.
const MAX_BINS: usize = 12;

/// A column of a table: one entry for each run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Column {
    /// The name.
    pub name: String,
    /// Each entry as it is written; empty if there is none.
    pub cells: Vec<String>,
}

/// A value that varies, as numbers.
pub(super) struct Input<'c> {
    pub(super) label: String,
    /// The number of each run.
    pub(super) numbers: Vec<f64>,
    /// The bin of each run.
    pub(super) bins: Vec<usize>,
    /// The ends of each bin, to draw it.
    pub(super) ends: Vec<(f64, f64)>,
    pub(super) column: &'c Column,
}

impl<'c> Input<'c> {
    pub(super) fn new(column: &'c Column) -> Self {
        let parsed: Option<Vec<f64>> = column.cells.iter().map(|text| text.parse().ok()).collect();
        let mut label = column.name.clone();
        let numbers = parsed.unwrap_or_else(|| {
            // Other values are numbered.
            let mut known: Vec<&String> = Vec::new();
            let numbers = column.cells.iter().map(|text| {
                let place = known.iter().position(|of| *of == text).unwrap_or_else(|| {
                    known.push(text);
                    known.len() - 1
                });
                place as f64
            });
            let numbers = numbers.collect();
            let names = known.iter().take(6).enumerate();
            let names: Vec<String> =
                names.map(|(place, text)| format!("{place}: {text}")).collect();
            label = format!("{label} ({})", names.join(", "));
            numbers
        });
        let mut distinct = numbers.clone();
        distinct.sort_by(f64::total_cmp);
        distinct.dedup();
        let ends: Vec<(f64, f64)> = if distinct.len() <= MAX_BINS {
            let width = distinct.windows(2).map(|pair| pair[1] - pair[0]);
            let width = width.min_by(f64::total_cmp).unwrap_or(1.0);
            distinct.iter().map(|x| (x - 0.5 * width, x + 0.5 * width)).collect()
        } else {
            let (low, high) = (distinct[0], distinct[distinct.len() - 1]);
            let width = (high - low) / MAX_BINS as f64;
            (0..MAX_BINS)
                .map(|bin| (low + width * bin as f64, low + width * (bin + 1) as f64))
                .collect()
        };
        let bin_of = |x: &f64| {
            let after = ends.iter().position(|(_, end)| x < end);
            after.unwrap_or(ends.len().saturating_sub(1))
        };
        let bins = numbers.iter().map(bin_of).collect();
        Self { label, numbers, bins, ends, column }
    }

    pub(super) fn middle(&self, bin: usize) -> f64 {
        let (from, to) = self.ends[bin];
        0.5 * (from + to)
    }
}

/// Returns a series without a name.
pub(super) fn plain(color: Color, shape: Shape) -> Series {
    Series { name: String::new(), color, shape }
}
