//! How much the rounds of a measurement differ.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Times of the rounds, in nanoseconds per agent and tick. Its fields are those of the JSON objects.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "UncheckedSpread")]
pub(super) struct Spread {
    /// Time of the median round.
    #[serde(rename = "total_ns_per_agent_tick")]
    pub(super) median: f64,
    /// Time of the fastest round.
    #[serde(rename = "min_total_ns_per_agent_tick")]
    pub(super) min: f64,
    /// Time of the slowest round.
    #[serde(rename = "max_total_ns_per_agent_tick")]
    pub(super) max: f64,
}

/// Times as they are in a file.
#[derive(Deserialize)]
struct UncheckedSpread {
    total_ns_per_agent_tick: f64,
    min_total_ns_per_agent_tick: f64,
    max_total_ns_per_agent_tick: f64,
}

impl TryFrom<UncheckedSpread> for Spread {
    type Error = &'static str;

    fn try_from(read: UncheckedSpread) -> Result<Self, Self::Error> {
        let median = read.total_ns_per_agent_tick;
        let (min, max) = (read.min_total_ns_per_agent_tick, read.max_total_ns_per_agent_tick);
        if 0.0 < min && min <= median && median <= max {
            Ok(Self { median, min, max })
        } else {
            Err("the times must be above 0, with the median between the least and the largest")
        }
    }
}

impl Spread {
    /// Returns the spread of rounds with these times. There must be at least one.
    pub(super) fn new(mut times: Vec<f64>) -> Self {
        times.sort_by(f64::total_cmp);
        let last = times.len() - 1;
        Self { median: times[times.len() / 2], min: times[0], max: times[last] }
    }

    /// Returns whether some time is within both spreads.
    pub(super) fn overlaps(&self, other: &Self) -> bool {
        self.min <= other.max && other.min <= self.max
    }

    /// Returns the speed of the median round.
    pub(super) fn agent_ticks_per_second(&self) -> f64 {
        1e9 / self.median
    }
}

impl fmt::Display for Spread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.1} ({:.1} to {:.1})", self.median, self.min, self.max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_between_the_least_and_the_largest() {
        let spread = Spread::new(vec![5.0, 1.0, 2.0]);
        assert_eq!(spread, Spread { median: 2.0, min: 1.0, max: 5.0 });
        assert_eq!(spread.to_string(), "2.0 (1.0 to 5.0)");
        assert_eq!(spread.agent_ticks_per_second(), 5e8);
    }

    #[test]
    fn spreads_overlap_if_they_share_a_time() {
        let spread = |min, max| Spread { median: min, min, max };
        for (a, b, overlap) in [
            (spread(1.0, 2.0), spread(2.0, 3.0), true),
            (spread(1.0, 9.0), spread(4.0, 5.0), true),
            (spread(1.0, 2.0), spread(2.5, 3.0), false),
        ] {
            assert_eq!(a.overlaps(&b), overlap);
            assert_eq!(b.overlaps(&a), overlap);
        }
    }
}
