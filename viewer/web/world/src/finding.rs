//! Findings as JSON, with the text that the command line prints.

use flockwork_engine::Diagnostic;
use flockwork_engine::json::Finding;
use serde::Serialize;

#[derive(Serialize)]
struct Shown<'a> {
    #[serde(flatten)]
    finding: Finding<'a>,
    text: String,
}

/// Returns findings as a JSON list.
pub(crate) fn list(all: &[Diagnostic]) -> String {
    let shown: Vec<Shown<'_>> = all
        .iter()
        .map(|one| Shown { finding: Finding::new(one), text: one.render(false) })
        .collect();
    // Strings and numbers can always be serialized.
    serde_json::to_string(&shown).unwrap_or_default()
}
