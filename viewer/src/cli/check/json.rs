//! Findings as one JSON object.

use flockwork_engine::{Diagnostic, Severity};
use serde::Serialize;

use super::Counts;
use super::span::Span;

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

#[derive(Serialize)]
struct Finding<'a> {
    severity: &'static str,
    code: &'static str,
    message: &'a str,
    label: &'a str,
    help: &'a [String],
    place: Option<Span>,
    related: Vec<Related<'a>>,
    fixes: Vec<FixReport>,
}

#[derive(Serialize)]
struct FixReport {
    title: String,
    place: Span,
    text: String,
}

#[derive(Serialize)]
struct Related<'a> {
    message: &'a str,
    place: Span,
}

impl<'a> Finding<'a> {
    fn new(finding: &'a Diagnostic) -> Self {
        let related = finding
            .related
            .iter()
            .map(|(place, message)| Related { message, place: Span::new(place) });
        let fixes = finding.fixes().into_iter().map(|fix| FixReport {
            title: fix.title,
            place: Span::new(&fix.place),
            text: fix.text,
        });
        Self {
            severity: severity(finding.severity),
            code: finding.code.name(),
            message: &finding.message,
            label: &finding.label,
            help: &finding.help,
            place: finding.place.as_ref().map(Span::new),
            related: related.collect(),
            fixes: fixes.collect(),
        }
    }
}

/// Returns the name of a severity.
pub(super) fn severity(of: Severity) -> &'static str {
    match of {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
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
