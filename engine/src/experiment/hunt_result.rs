//! The result of a hunt's search.

use super::probe::FoundStart;
use crate::math;

/// The smallest margin of an expectation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SmallestMargin {
    /// The margin.
    pub value: f32,
    /// Its unit.
    pub unit: &'static str,
    /// The number of the run.
    pub run: u64,
    /// The tick.
    pub tick: u64,
}

/// The result of a search.
#[derive(Clone, Debug, Default)]
pub struct HuntResult {
    /// Number of runs.
    pub runs: u64,
    /// Number of runs with starts that are spread over all starts (a Latin hypercube), without those that fail at once.
    pub random: u64,
    /// How many of these failed. Those that fail with the other version, too, do not count.
    pub random_failed: u64,
    /// Number of runs with corner starts: spread ones in which agents were lined up, brought together, sent to the ends of their
    /// ranges and so on. They are not part of the share.
    pub corner: u64,
    /// How many of these failed.
    pub corner_failed: u64,
    /// Number of runs that were made with both versions.
    pub compared: u64,
    /// In how many of these both versions had the same states in all ticks, to the bit.
    pub same_in_both: u64,
    /// Number of starts that fail with the other version, too. They do not count as failures.
    pub failed_with_both: u64,
    /// Number of starts that were no use: an expectation failed before the first tick, or the values did not fit.
    pub unusable: u64,
    /// Why values did not fit, if they did not.
    pub misfit: Option<String>,
    /// One start for each expectation that fails, and for scripts: one that leaves time to react, with few agents and ticks.
    pub found: Vec<FoundStart>,
    /// Number of further runs in which only the laws of symmetry were tried.
    pub law_runs: u64,
    /// For each expectation, its smallest margin in all runs; in one that fails, that of the failure.
    pub margins: Vec<Option<SmallestMargin>>,
    /// The start with the smallest margin, compared with the usual ones.
    pub nearest: Option<String>,
    /// Whether it was stopped before its end.
    pub is_stopped: bool,
}

impl HuntResult {
    /// Returns the share of spread starts that fail, and the ends of its 95 % interval (Wilson, for random starts: spread ones
    /// vary less); `None` if there were none.
    pub fn share(&self) -> Option<(f32, [f32; 2])> {
        if self.random == 0 {
            return None;
        }
        let (n, z) = (self.random as f32, 1.96);
        let p = self.random_failed as f32 / n;
        let middle = p + z * z / (2.0 * n);
        let half = z * math::sqrt(p * (1.0 - p) / n + z * z / (4.0 * n * n));
        let scale = 1.0 + z * z / n;
        let low = math::max(0.0, (middle - half) / scale);
        let high = math::min(1.0, (middle + half) / scale);
        Some((p, [low, high]))
    }
}
