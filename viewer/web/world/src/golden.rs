//! Goldens of a scenario in a page.

use std::path::Path;
use std::sync::Arc;

use flockwork_engine::Diagnostics;
use flockwork_engine::live::Session;
use flockwork_engine::load::{GOLDEN_EXTENSION, OpenFiles, ScriptsFolder};
use flockwork_engine::suite::{Case, OldFiles, TestOutcome, diagnose, golden_text};

/// A golden, and the files that it was recorded with: they tell which line has changed.
pub(crate) struct Recorded {
    pub(crate) golden: String,
    files: Arc<OpenFiles>,
}

impl Recorded {
    /// Records the golden of the scenario of a session.
    pub(crate) fn new(session: &Session, reason: &str) -> Result<Self, Diagnostics> {
        let mut files = session.files().clone();
        files.close(&golden_path(session));
        let files = Arc::new(files);
        let case = Case::open_files(&files, session.path());
        let tested = case.test();
        let Some(mut header) = tested.header else {
            return Err(tested.errors.into());
        };
        reason.clone_into(&mut header.reason);
        Ok(Self { golden: golden_text(&case, &header)?, files })
    }

    fn old_files(&self, path: &Path) -> Option<OldFiles> {
        let scripts = ScriptsFolder::of_open_scenario(path, &self.files);
        Some(OldFiles::new("of the recording", self.files.read(path).ok()?, scripts))
    }
}

/// Compares the scenario of a session with a golden, as a JSON object. `recorded` is the golden with its files, if they are known.
pub(crate) fn compare(session: &Session, golden: &str, recorded: Option<&Recorded>) -> String {
    let mut files = session.files().clone();
    files.open(&golden_path(session), golden);
    let case = Case::open_files(&Arc::new(files), session.path());
    let tested = case.test();
    let problems = tested.errors.iter().chain(&tested.golden_error);
    let mut messages: Vec<String> = problems.map(|one| one.render(false)).collect();
    messages.extend(tested.notes.iter().cloned());
    // A run that breaks has not been compared to its end.
    let is_whole = tested.outcome != TestOutcome::Broken;
    let is_same =
        is_whole && tested.comparison.as_ref().is_some_and(|comparison| comparison.is_same());
    let mut diagnosis = None;
    if let Some(comparison) = tested.comparison.as_ref().filter(|_| !is_same) {
        let old = recorded.and_then(|recorded| recorded.old_files(session.path()));
        match diagnose(&case, comparison, old.as_ref()) {
            Ok(found) => {
                messages.extend(found.iter().map(ToString::to_string));
                diagnosis = found;
            }
            Err(errors) => messages.extend(errors.iter().map(|one| one.render(false))),
        }
    }
    let diagnosis = diagnosis.as_ref();
    let place = diagnosis.and_then(|one| one.place.as_ref());
    serde_json::json!({
        "passed": tested.outcome == TestOutcome::Passed,
        "same": is_same,
        "tick": diagnosis.map(|one| one.tick),
        "agent": diagnosis.and_then(|one| one.agent),
        "file": place.map(|place| &place.source.name),
        "line": place.map(|place| place.source.line_column(place.span.start).0),
        "text": messages.join("\n\n"),
    })
    .to_string()
}

fn golden_path(session: &Session) -> std::path::PathBuf {
    session.path().with_extension(GOLDEN_EXTENSION)
}
