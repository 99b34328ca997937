//! Findings as one JSON object.

use flockwork_engine::Diagnostic;
use flockwork_engine::json::Finding;
use serde::Serialize;

use super::Counts;
use crate::cli::json_text;

/// Version of the format. It changes when a field is renamed or removed.
const VERSION: u32 = 1;

#[derive(Serialize)]
struct CheckReport<'a> {
    version: u32,
    #[serde(flatten)]
    counts: &'a Counts,
    findings: Vec<Finding<'a>>,
}

/// Returns the object, with a newline at the end.
pub(super) fn json(findings: &[Diagnostic], counts: &Counts) -> String {
    let findings = findings.iter().map(Finding::new).collect();
    json_text(&CheckReport { version: VERSION, counts, findings })
}
