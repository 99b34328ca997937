//! Bands: the range of each measure over runs with several seeds.
//!
//! They compare scenes in which the path of a single agent means nothing. This module computes bands from
//! measures; it runs nothing.

use crate::trace::Measure;

/// The measures to record, the number of runs, and the width of the bands.
#[derive(Clone, Debug, PartialEq)]
pub struct BandTerms {
    /// Number of runs, at least 2. They use the scenario's seed and the seeds after it.
    pub seeds: u32,
    /// The quantile at the lower end of a band, from 0.
    pub low: f32,
    /// The quantile at the upper end of a band, up to 1.
    pub high: f32,
    /// The measures taken of each run.
    pub measures: Vec<Measure>,
}

/// The range of one measure at one tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Band {
    /// The tick at which it is measured.
    pub tick: u64,
    /// The measure.
    pub measure: Measure,
    /// The lower end of the band.
    pub low: f32,
    /// The median over the runs.
    pub median: f32,
    /// The upper end of the band.
    pub high: f32,
}

/// A measure whose median is outside its band.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BandViolation {
    /// The golden's band.
    pub band: Band,
    /// The median of the current runs; `None` if none of them has a value for this measure.
    pub median: Option<f32>,
}

impl BandViolation {
    /// Returns the bands of a golden that do not contain the median of the current band.
    pub fn find_all(golden: &[Band], now: &[Band]) -> Vec<Self> {
        let find = |band: &Band| {
            let same = |other: &&Band| (other.tick, other.measure) == (band.tick, band.measure);
            now.iter().find(same).map(|other| other.median)
        };
        golden
            .iter()
            .map(|band| Self { band: *band, median: find(band) })
            .filter(|one| {
                one.median.is_none_or(|median| !(one.band.low..=one.band.high).contains(&median))
            })
            .collect()
    }
}

/// Returns the bands of several runs.
///
/// `runs` has the values of each run, ordered by `ticks` and then by `terms.measures`. A `None` is skipped: at that
/// tick the run has no such measure, for example a mean over no agents.
pub fn bands(terms: &BandTerms, ticks: &[u64], runs: &[Vec<Option<f32>>]) -> Vec<Band> {
    let mut bands = Vec::new();
    let places = ticks.iter().flat_map(|&tick| terms.measures.iter().map(move |&of| (tick, of)));
    for (place, (tick, measure)) in places.enumerate() {
        let mut values: Vec<f32> = runs.iter().filter_map(|run| run[place]).collect();
        values.sort_by(f32::total_cmp);
        if values.is_empty() {
            continue;
        }
        bands.push(Band {
            tick,
            measure,
            low: quantile(&values, terms.low),
            median: quantile(&values, 0.5),
            high: quantile(&values, terms.high),
        });
    }
    bands
}

/// Returns the quantile `q` of sorted values, interpolated between the two nearest of them.
fn quantile(sorted: &[f32], q: f32) -> f32 {
    let at = q * (sorted.len() - 1) as f32;
    let below = (at as usize).min(sorted.len() - 1);
    let above = (below + 1).min(sorted.len() - 1);
    sorted[below] + (sorted[above] - sorted[below]) * (at - below as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_interpolated() {
        let sorted = [1.0, 2.0, 4.0, 8.0, 16.0];
        for (q, expected) in [(0.0, 1.0), (0.5, 4.0), (0.1, 1.4), (0.875, 12.0), (1.0, 16.0)] {
            assert_eq!(quantile(&sorted, q), expected, "{q}");
        }
        assert_eq!(quantile(&[3.0], 0.9), 3.0);
    }

    #[test]
    fn a_median_outside_its_band_is_found() {
        let terms = BandTerms {
            seeds: 5,
            low: 0.0,
            high: 1.0,
            measures: vec![Measure::MeanSpeed, Measure::ClosestPair],
        };
        let runs = |speeds: [f32; 5]| {
            let run = |&speed: &f32| vec![Some(speed), None, Some(1.0), Some(speed)];
            bands(&terms, &[10, 20], &speeds.iter().map(run).collect::<Vec<_>>())
        };
        let golden = runs([1.0, 2.0, 3.0, 4.0, 5.0]);
        assert_eq!(golden.len(), 3, "no run had a closest pair at tick 10");
        assert_eq!((golden[0].low, golden[0].median, golden[0].high), (1.0, 3.0, 5.0));
        assert_eq!(BandViolation::find_all(&golden, &golden), []);
        assert_eq!(BandViolation::find_all(&golden, &runs([5.0, 5.0, 5.0, 9.0, 9.0])), []);
        let outside = BandViolation::find_all(&golden, &runs([1.0, 5.5, 6.0, 7.0, 8.0]));
        let at: Vec<_> = outside.iter().map(|one| (one.band.tick, one.median)).collect();
        assert_eq!(at, [(10, Some(6.0)), (20, Some(6.0))]);
        assert_eq!(BandViolation::find_all(&golden, &[]).len(), 3);
    }
}
