//! Parsers for values of options that several commands have.

use flockwork_engine::experiment::Seeds;
use std::time::Duration;

/// Parses an integer of at least 1, such as a number of ticks.
pub(super) fn at_least_one(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(0) => Err("must be at least 1".into()),
        Ok(number) => Ok(number),
        Err(_) => Err("must be an integer from 1".into()),
    }
}

/// Parses an integer of at least 0, such as a seed.
pub(super) fn natural(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| "must be an integer from 0".into())
}

/// Parses a time in seconds, which may have a fraction.
pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    let time = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.filter(|time| !time.is_zero()).ok_or_else(|| "must be a number of seconds above 0".into())
}

/// Parses a number of threads; 0 means one per core. More than 1024 are surely a mistake, and might not start.
pub(super) fn threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(number @ 0..=1024) => Ok(number),
        _ => Err("must be an integer from 0 to 1024".into()),
    }
}

/// Reads a number of seeds, or the first and the last seed.
pub(super) fn seeds(text: &str) -> Result<Seeds, String> {
    let Some((first, last)) = text.split_once("..") else {
        return at_least_one(text).map(Seeds::Count);
    };
    let ends = [first, last].map(natural);
    match ends {
        [Ok(first), Ok(last)] if first < last && last - first < MAX_SEEDS => {
            Ok(Seeds::List((first..=last).collect()))
        }
        _ => Err(format!(
            "must be a number of seeds, or two seeds such as 100..119, at most {MAX_SEEDS}"
        )),
    }
}

/// The maximum number of seeds that are given by their ends.
const MAX_SEEDS: u64 = 1_000_000;
