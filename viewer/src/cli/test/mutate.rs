//! `flockwork test --mutate`: changes scripts and params to find out whether the tests would notice.

use flockwork_engine::Diagnostic;
use flockwork_engine::suite::{Case, TestOutcome, each, mutations, try_mutations};
use flockwork_engine::trace::significant;
use indicatif::ProgressBar;

use super::super::{CommandResult, Ending, terminal};

/// Changes numbers and signs one at a time, and reports the changes that no test notices.
pub(super) fn mutate(cases: &[Case]) -> CommandResult {
    let outcomes = each(cases, |case| case.test().outcome);
    let failing: Vec<Diagnostic> = cases
        .iter()
        .zip(outcomes)
        .filter(|(_, outcome)| matches!(outcome, TestOutcome::Failed | TestOutcome::Broken))
        .map(|(case, _)| {
            Diagnostic::error(format!("{} fails without any change", case.path.display()))
                .help("`--mutate` needs tests that pass: fix this one first")
        })
        .collect();
    if !failing.is_empty() {
        return Err(failing.into());
    }
    let all = mutations(cases)?;
    // Draws nothing if there is no terminal.
    let bar = ProgressBar::new(all.len() as u64);
    let noticed = try_mutations(cases, &all, || bar.inc(1));
    bar.finish_and_clear();
    let mut text = String::new();
    for (mutation, _) in all.iter().zip(&noticed).filter(|(_, noticed)| !**noticed) {
        let position = &mutation.place;
        let (written, instead) = (mutation.written(), mutation.replacement.trim());
        text.push_str(&format!("not noticed: {position}: {written} -> {instead}\n"));
    }
    let caught = noticed.iter().filter(|noticed| **noticed).count();
    let share = 100.0 * caught as f64 / all.len().max(1) as f64;
    text.push_str(&format!(
        "{} changes tried, {caught} noticed ({} %), {} not noticed\n",
        all.len(),
        significant(share, 3),
        all.len() - caught
    ));
    terminal::print(&text)?;
    let fell_short = caught < all.len();
    Ok(if fell_short { Ending::Shortfall } else { Ending::Success })
}
