//! Findings as JSON objects.

use serde::Serialize;

use super::Span;
use crate::diag::{Diagnostic, Severity};

/// A finding: how severe it is, its message, where it is, and what may be done.
#[derive(Debug, Serialize)]
pub struct Finding<'a> {
    severity: &'static str,
    code: &'static str,
    message: &'a str,
    label: &'a str,
    help: &'a [String],
    place: Option<Span>,
    related: Vec<Related<'a>>,
    fixes: Vec<FixReport>,
}

#[derive(Debug, Serialize)]
struct FixReport {
    title: String,
    place: Span,
    text: String,
}

#[derive(Debug, Serialize)]
struct Related<'a> {
    message: &'a str,
    place: Span,
}

impl<'a> Finding<'a> {
    /// Returns the finding of a diagnostic.
    pub fn new(finding: &'a Diagnostic) -> Self {
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
pub fn severity(of: Severity) -> &'static str {
    match of {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}
