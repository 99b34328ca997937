//! Shards of an experiment, for several processes.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::{Duration, Instant};

use flockwork_engine::Diagnostic;
use flockwork_engine::experiment::equal_part;
use flockwork_engine::load::{self, FolderLock};
use flockwork_engine::math::random::Mix;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// Time that a shard waits for another process with the same shard. An engine that has lost a machine may start the
/// shard elsewhere before the first process has ended.
pub(super) const SHARD_PATIENCE: Duration = Duration::from_secs(30);

/// The folder for what is there if runs or shards are missing.
pub(super) const PARTIAL: &str = "partial";

/// Help where there are no shards.
pub(super) const SHARDS_ARE_MADE: &str =
    "make shards with `flockwork sweep PLAN --shard I/N`, or the same with `tune` or `hunt`";

/// Number `index` of `count` shards, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Shard {
    pub(super) index: u64,
    pub(super) count: u64,
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
    /// The only shard of an experiment.
    pub(super) const ONLY: Self = Self { index: 1, count: 1 };

    /// Returns its number of runs of a search that has so many.
    pub(super) fn share(self, runs: u64) -> u64 {
        let part = equal_part(runs, self.index, self.count);
        part.end - part.start
    }

    /// Returns the seed of its search, in a search with this seed. It does not depend on the number of shards.
    pub(super) fn seed(self, seed: u64) -> u64 {
        // People type it to repeat a search, so it has few digits.
        Mix::new(seed).with_str("shard").with(self.index).value() >> 32
    }

    /// Returns whether a folder has the name of one for the results of a shard.
    pub(super) fn is_folder(path: &Path) -> bool {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.strip_prefix("shard-").is_some_and(|rest| rest.contains("-of-"))
    }

    /// Returns the name of the folder for its results.
    pub(super) fn folder(self) -> String {
        // With zeros, so that the names are in order.
        let digits = self.count.to_string().len();
        format!("shard-{:0digits$}-of-{}", self.index, self.count)
    }
}

/// Reads a file that describes a shard or its result; `None` if there is none.
pub(super) fn read<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, Diagnostic> {
    if !path.exists() {
        return Ok(None);
    }
    let read = serde_json::from_str(&load::read(path)?.text);
    read.map(Some).map_err(|error| {
        Diagnostic::error(format!("cannot read {}: {error}", path.display()))
            .help("give the command of this shard again, with --restart")
    })
}

/// Takes the lock of a folder. Waits for another process that has it, for at most the time `patience`.
pub(super) fn lock(folder: &Path, patience: Duration) -> Result<FolderLock, Diagnostic> {
    load::make_folder(folder)?;
    let start = Instant::now();
    loop {
        if let Some(lock) = FolderLock::take(folder)? {
            return Ok(lock);
        }
        if start.elapsed() >= patience {
            return Err(Diagnostic::error(format!(
                "another process writes to {}",
                folder.display()
            ))
            .help("wait until it ends, or choose another folder for the results"));
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Returns those of `count` shards that are not among some shards, as a list for people.
pub(super) fn missing(there: &[Shard], count: u64) -> Vec<Range<u64>> {
    let mut gaps: Vec<Range<u64>> = Vec::new();
    for index in 1..=count {
        if there.iter().any(|shard| shard.index == index) {
            continue;
        }
        match gaps.last_mut() {
            Some(gap) if gap.end == index => gap.end += 1,
            _ => gaps.push(index..index + 1),
        }
    }
    gaps
}

/// Lists runs or shards that are missing.
pub(super) fn listed(missing: &[Range<u64>]) -> String {
    let ends = missing.iter().take(MAX_LISTED).map(|runs| match runs.end - runs.start {
        1 => runs.start.to_string(),
        _ => format!("{} to {}", runs.start, runs.end - 1),
    });
    let mut text = ends.collect::<Vec<_>>().join(", ");
    if missing.len() > MAX_LISTED {
        text.push_str(", and others");
    }
    text
}

/// Maximum number of gaps that are listed.
const MAX_LISTED: usize = 20;

/// Returns the error for a folder without shards.
pub(super) fn nothing_in(folder: &Path) -> Diagnostic {
    Diagnostic::error(format!("there are no shards in {}", folder.display())).help(SHARDS_ARE_MADE)
}

/// Checks that two shards are of the same experiment.
pub(super) fn check_same(first: &Path, other: &Path, changes: &[String]) -> Result<(), Diagnostic> {
    if changes.is_empty() {
        return Ok(());
    }
    Err(Diagnostic::error(format!(
        "{} does not belong to {}: different: {}",
        other.display(),
        first.display(),
        changes.join(", ")
    ))
    .help("give the command that makes the older one again, with --restart, or delete its folder"))
}

/// Checks that each shard is there once. They are in the order of their indices.
pub(super) fn check_once<'p>(
    shards: impl Iterator<Item = (Shard, &'p Path)>,
) -> Result<(), Diagnostic> {
    let mut before: Option<(Shard, &Path)> = None;
    for (shard, path) in shards {
        if let Some((_, other)) = before.filter(|(other, _)| other.index == shard.index) {
            return Err(Diagnostic::error(format!(
                "both {} and {} have shard {}",
                other.display(),
                path.display(),
                shard.index
            ))
            .help("move one of them away"));
        }
        before = Some((shard, path));
    }
    Ok(())
}

/// Returns the folder for what is joined, if some shards are missing or none.
///
/// # Errors
///
/// If some are missing, unless that is allowed.
pub(super) fn target(
    folder: &Path,
    missing: &[Range<u64>],
    is_partial_allowed: bool,
) -> Result<PathBuf, Diagnostic> {
    if missing.is_empty() {
        return Ok(folder.to_owned());
    }
    if !is_partial_allowed {
        return Err(Diagnostic::error(format!("shards are missing: {}", listed(missing)))
            .help("give the commands of these shards")
            .help("to join what is there, add --partial"));
    }
    let folder = folder.join(PARTIAL);
    load::make_folder(&folder)?;
    Ok(folder)
}

/// Returns the line that says which shards are missing.
pub(super) fn missing_line(missing: &[Range<u64>]) -> String {
    format!("shards are missing: {}\n", listed(missing))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shares_are_all_runs() {
        for (runs, count) in [(10, 3), (2, 5), (0, 2), (u64::MAX, 7)] {
            let shares = (1..=count).map(|index| Shard { index, count }.share(runs));
            assert_eq!(shares.map(u128::from).sum::<u128>(), u128::from(runs));
        }
        assert_eq!("3/12".parse::<Shard>().unwrap().folder(), "shard-03-of-12");
        for wrong in ["", "1", "0/3", "4/3", "a/b", "1/0"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn each_shard_has_a_seed_of_its_own() {
        let mut seeds: Vec<u64> = (0..20)
            .flat_map(|seed| (1..=500).map(move |index| Shard { index, count: 500 }.seed(seed)))
            .collect();
        seeds.sort_unstable();
        seeds.dedup();
        assert_eq!(seeds.len(), 20 * 500);
        assert_eq!(Shard { index: 3, count: 4 }.seed(7), Shard { index: 3, count: 9 }.seed(7));
    }

    #[test]
    fn missing_shards_are_listed_as_gaps() {
        let there = [1, 4, 5].map(|index| Shard { index, count: 7 });
        assert_eq!(missing(&there, 7), [2..4, 6..8]);
        assert!(missing(&there[..1], 1).is_empty());
    }
}
