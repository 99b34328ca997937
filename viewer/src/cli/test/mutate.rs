//! `flockwork test --mutate`: whether the tests would notice a change.

use flockwork_engine::Diagnostic;
use flockwork_engine::suite::{Case, TestOutcome, each, mutations, try_mutations};
use flockwork_engine::trace::significant;
use indicatif::ProgressBar;

use super::super::{Answer, Outcome, terminal};

/// Changes numbers and signs one at a time, and tells which changes no test notices.
pub(super) fn mutate(cases: &[Case]) -> Answer {
    let outcomes = each(cases, |case| case.test().outcome);
    let failing: Vec<Diagnostic> = cases
        .iter()
        .zip(outcomes)
        .filter(|(_, outcome)| matches!(outcome, TestOutcome::Failed | TestOutcome::Broken))
        .map(|(case, _)| {
            Diagnostic::error(format!("{} fails as it is", case.path.display()))
                .help("changes can only be noticed where the tests pass without them")
        })
        .collect();
    if !failing.is_empty() {
        return Err(failing.into());
    }
    let all = mutations(cases)?;
    // Draws nothing where there is no terminal.
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
    Ok(if fell_short { Outcome::Shortfall } else { Outcome::Success })
}
