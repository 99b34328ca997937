//! Which scenarios are tested.

use std::path::PathBuf;
use std::str::FromStr;

use flockwork::Diagnostic;
use flockwork::load::{SCENARIO_ENDING, find};

/// Where scenarios are looked for unless something is named.
const FOLDER: &str = "scenarios";

/// Scenarios to test.
pub(super) struct Selected {
    /// Their files, in order.
    pub(super) scenarios: Vec<PathBuf>,
    /// Goldens without a scenario.
    pub(super) stale: Vec<PathBuf>,
}

/// One of several parts of all scenarios.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shard {
    /// From 1.
    part: u64,
    of: u64,
}

impl FromStr for Shard {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parts = text.split_once('/');
        let parts = parts.and_then(|(part, of)| Some((part.parse().ok()?, of.parse().ok()?)));
        match parts {
            Some((part, of)) if 1 <= part && part <= of => Ok(Self { part, of }),
            _ => Err("must be I/N, with I from 1 to N"),
        }
    }
}

impl Shard {
    /// Whether a scenario is in this part: by its path alone, so that no other one matters.
    fn holds(self, path: &str) -> bool {
        // FNV-1a: the same everywhere, and even enough for this.
        let hash = path.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        // Its low bits hardly mix.
        (hash >> 32) % self.of == self.part - 1
    }
}

/// The scenarios in folders and among files that pass the filters and are in the part.
pub(super) fn select(
    paths: &[PathBuf],
    filters: &[String],
    shard: Option<Shard>,
) -> Result<Selected, Vec<Diagnostic>> {
    let default = [PathBuf::from(FOLDER)];
    let paths = if paths.is_empty() {
        if !default[0].is_dir() {
            let missing = Diagnostic::error(format!("there is no folder `{FOLDER}` here"));
            return Err(vec![
                missing.help("name a scenario or a folder of scenarios"),
            ]);
        }
        &default
    } else {
        paths
    };
    let found = find(paths)?;
    let name = |path: &PathBuf| path.to_string_lossy().replace('\\', "/");
    let wanted = |path: &PathBuf| {
        let name = name(path);
        let passes = filters.is_empty() || filters.iter().any(|text| name.contains(text.as_str()));
        passes && shard.is_none_or(|shard| shard.holds(name.trim_start_matches("./")))
    };
    let scenarios: Vec<PathBuf> = found.scenarios.into_iter().filter(wanted).collect();
    if scenarios.is_empty() && shard.is_none() {
        let none = Diagnostic::error("there is no scenario to test");
        return Err(vec![if filters.is_empty() {
            none.help("scenarios are files that end in .ron")
        } else {
            none.help(format!("no path has {} in it", filters.join(" or ")))
        }]);
    }
    let orphan = |golden: &PathBuf| !golden.with_extension(SCENARIO_ENDING).exists();
    let stale = found
        .goldens
        .into_iter()
        .filter(|path| orphan(path) && wanted(path))
        .collect();
    Ok(Selected { scenarios, stale })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_scenario_is_in_one_part() {
        for of in 1..6 {
            let mut sizes = vec![0; of as usize];
            for i in 0..600 {
                let path = format!("scenarios/s{i}.ron");
                let parts = (1..=of).filter(|&part| Shard { part, of }.holds(&path));
                let parts: Vec<u64> = parts.collect();
                assert_eq!(parts.len(), 1, "{path} {of}");
                sizes[parts[0] as usize - 1] += 1;
            }
            let fair = 600 / of as i32;
            assert!(
                sizes.iter().all(|size: &i32| (size - fair).abs() < 60),
                "{sizes:?}"
            );
        }
    }

    #[test]
    fn parts_are_written_i_of_n() {
        assert_eq!("2/4".parse(), Ok(Shard { part: 2, of: 4 }));
        for wrong in ["0/4", "5/4", "1", "a/b", "1/0", ""] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}
