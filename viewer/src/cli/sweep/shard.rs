//! Parts of a sweep, for several processes.

use std::ops::Range;
use std::str::FromStr;

/// A part of a sweep: number `index` of `count` parts, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shard {
    index: u64,
    count: u64,
}

impl FromStr for Shard {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parts = text.split_once('/').and_then(|(index, count)| {
            Some(Self { index: index.parse().ok()?, count: count.parse().ok()? })
        });
        let valid = parts.filter(|shard| (1..=shard.count).contains(&shard.index));
        valid.ok_or("must be I/N with I from 1 to N, for example 2/8")
    }
}

impl Shard {
    /// The only part of a sweep.
    pub(super) const ONLY: Self = Self { index: 1, count: 1 };

    /// Returns the numbers of its runs. The parts follow each other.
    pub(super) fn part(self, runs: u64) -> Range<u64> {
        let bound = |index: u64| {
            let bound = u128::from(runs) * u128::from(index) / u128::from(self.count);
            u64::try_from(bound).unwrap_or(u64::MAX)
        };
        bound(self.index - 1)..bound(self.index)
    }

    /// Returns the name of the folder for its results.
    pub(super) fn folder(self) -> String {
        // With zeros, so that the names are in order.
        let digits = self.count.to_string().len();
        format!("shard-{:0digits$}-of-{}", self.index, self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_cover_all_runs_once() {
        for (runs, count) in [(10, 3), (2, 5), (0, 2), (u64::MAX, 7)] {
            let mut next = 0;
            for index in 1..=count {
                let part = Shard { index, count }.part(runs);
                assert_eq!(part.start, next);
                next = part.end;
            }
            assert_eq!(next, runs);
        }
        assert_eq!("3/12".parse::<Shard>().unwrap().folder(), "shard-03-of-12");
        for wrong in ["", "1", "0/3", "4/3", "a/b", "1/0"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}
