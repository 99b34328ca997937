//! Findings as one JSON object.

use flockwork_engine::Diagnostic;
use flockwork_engine::json::Finding;
use serde::Serialize;

use super::Counts;

/// Version of the format. It changes when a field is renamed or removed.
const VERSION: u32 = 1;

#[derive(Serialize)]
struct CheckReport<'a> {
    version: u32,
    scenarios: usize,
    plans: usize,
    scripts: usize,
    errors: usize,
    warnings: usize,
    notes: usize,
    findings: Vec<Finding<'a>>,
}

/// Returns the object, with a newline at the end.
pub(super) fn json(findings: &[Diagnostic], counts: &Counts) -> String {
    let report = CheckReport {
        version: VERSION,
        scenarios: counts.scenarios,
        plans: counts.plans,
        scripts: counts.scripts,
        errors: counts.errors,
        warnings: counts.warnings,
        notes: counts.notes,
        findings: findings.iter().map(Finding::new).collect(),
    };
    // Strings and numbers can always be serialized.
    let text = serde_json::to_string_pretty(&report).unwrap_or_default();
    format!("{text}\n")
}
