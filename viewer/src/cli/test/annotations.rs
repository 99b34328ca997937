//! Failed tests as workflow commands of GitHub Actions, at the lines of their causes.

use flockwork_engine::Diagnostic;
use flockwork_engine::suite::{Diagnosis, OldRun, TestOutcome};
use flockwork_engine::tokens::{Language, code};

use super::super::check::{CheckedFiles, github};
use super::{FinishedTest, report};

/// Returns a line for each error and difference of the tests that have not passed. What the check has found is left out: it has been
/// printed before.
pub(super) fn commands(all: &[FinishedTest], checked: Option<&CheckedFiles>) -> String {
    let is_new = |error: &Diagnostic| {
        checked.is_none_or(|checked| checked.errors().all(|known| known != error))
    };
    let mut text = String::new();
    for done in all.iter().filter(|done| done.outcome() != TestOutcome::Passed) {
        let title = format!("{} {}", report::word(done).0, done.name());
        for error in failures(done).iter().filter(|error| is_new(error)) {
            text += &github::command(error, &title);
        }
    }
    text
}

/// Returns the errors of a test and its difference from the golden, each with a place.
pub(super) fn failures(done: &FinishedTest) -> Vec<Diagnostic> {
    let tested = &done.tested;
    let errors = tested.errors.iter().chain(&tested.golden_error);
    let mut all: Vec<Diagnostic> = errors.cloned().collect();
    if all.is_empty() || done.diagnosis.is_some() {
        let mut difference = Diagnostic::error(report::difference(done));
        difference.place = done.diagnosis.as_ref().and_then(|diagnosis| diagnosis.place.clone());
        if let Some(Diagnosis { old: OldRun::Unknown(why), .. }) = &done.diagnosis {
            difference = difference.help(format!("the line of the cause is not known: {why}"));
        }
        if done.is_acceptable() {
            let command = done.case.update_command();
            difference = difference.help(format!("if this run is right, `{command}` accepts it"));
        }
        all.push(difference);
    }
    // Without a place, GitHub shows it at no file.
    if let Ok(files) = done.case.files() {
        let start =
            code(&files.source.text, Language::Ron).next().map_or(0, |token| token.span.start);
        for error in all.iter_mut().filter(|error| error.place.is_none()) {
            *error = std::mem::replace(error, Diagnostic::error("")).at(files.source, start..start);
        }
    }
    all
}
