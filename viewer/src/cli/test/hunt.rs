//! `flockwork test --hunt`: hunts in the scenarios whose tests have passed.

use std::time::{Instant, SystemTime, UNIX_EPOCH};

use flockwork_engine::Diagnostics;
use flockwork_engine::experiment::{Hunt, HuntOptions};
use flockwork_engine::load::ScriptsFolder;
use flockwork_engine::scenario::Scenario;
use flockwork_engine::suite::TestOutcome;

use super::super::interrupt::Interrupt;
use super::super::terminal;
use super::{FinishedTest, report};

/// Returns the seed of today: the number of days since 1970 (UTC).
pub(super) fn seed_of_today() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    now.as_secs() / (24 * 60 * 60)
}

/// Hunts with a number of runs for each scenario that has expectations. A test in which something fails no longer
/// passes, and its line is printed again. Returns whether a signal has ended the hunts.
///
/// # Errors
///
/// If a scenario cannot be read again, or nothing can be printed.
pub(super) fn hunt(done: &mut [FinishedTest], runs: u64, seed: u64) -> Result<bool, Diagnostics> {
    let interrupt = Interrupt::handle();
    for one in done {
        if one.outcome() != TestOutcome::Passed || interrupt.is_requested() {
            continue;
        }
        let source = one.case.files()?.source;
        if Scenario::parse(source)?.expectations.is_empty() {
            continue;
        }
        let start = Instant::now();
        let options = HuntOptions {
            runs,
            seed,
            keep: Vec::new(),
            near: None,
            expectation: None,
            vary: Vec::new(),
        };
        let scripts = ScriptsFolder::of_scenario(&one.case.path);
        let hunt = Hunt::new(options, source, &scripts, None)?;
        let result = hunt.search(&|| interrupt.is_requested(), &mut |_| {}, &mut |_| {})?;
        let path = one.case.argument();
        for found in &result.found {
            let again = format!("flockwork hunt {path} --runs {runs} --seed {seed}");
            let error = hunt.diagnostic(found);
            one.tested.errors.push(error.help(format!("see it and make it smaller: `{again}`")));
            one.tested.outcome = TestOutcome::Failed;
        }
        one.wall += start.elapsed();
        if !result.found.is_empty() {
            terminal::print(&report::line(one, terminal::colored_results()))?;
        }
    }
    Ok(interrupt.is_requested())
}
