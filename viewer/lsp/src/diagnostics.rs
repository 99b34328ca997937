//! Findings of `check` as the protocol shows them.

use flockwork_engine::diag::Place;
use flockwork_engine::{Code, Diagnostic, Severity};
use lsp_types::{DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag, NumberOrString};

use super::project::Project;

/// The name of this program beside each finding.
pub(super) const SOURCE: &str = "flockwork";

/// Returns a finding for the protocol, in the file with its place, or at the start of the checked file. `scenarios` are those
/// that have it, if not all scenarios that use the script do.
pub(super) fn diagnostic(
    project: &Project,
    finding: &Diagnostic,
    scenarios: &[String],
) -> lsp_types::Diagnostic {
    let range = finding.place.as_ref().map(|place| project.range(place)).unwrap_or_default();
    // What is in the same line, the reader sees.
    let is_beside = |place: &Place| project.range(place).start.line == range.start.line;
    let related = finding.related.iter();
    let related = related.filter(|(place, label)| !(says_opened(label) && is_beside(place)));
    let related = related.filter_map(|(place, label)| {
        let (location, message) = (project.location(place)?, label.clone());
        Some(DiagnosticRelatedInformation { location, message })
    });
    let related: Vec<_> = related.collect();
    lsp_types::Diagnostic {
        range,
        severity: Some(match finding.severity {
            Severity::Note => DiagnosticSeverity::INFORMATION,
            Severity::Warning => DiagnosticSeverity::WARNING,
            Severity::Error => DiagnosticSeverity::ERROR,
        }),
        code: Some(NumberOrString::String(finding.code.name().to_owned())),
        source: Some(SOURCE.to_owned()),
        message: message(finding, scenarios),
        related_information: (!related.is_empty()).then_some(related),
        tags: tag(finding.code).map(|tag| vec![tag]),
        ..Default::default()
    }
}

/// Returns the whole text of a finding.
fn message(finding: &Diagnostic, scenarios: &[String]) -> String {
    let mut lines = vec![finding.message.clone()];
    if !finding.label.is_empty() && !says_opened(&finding.label) {
        lines.push(finding.label.clone());
    }
    lines.extend(finding.help.iter().map(|help| format!("help: {help}")));
    if !scenarios.is_empty() {
        lines.push(format!("in {}", scenarios.join(", ")));
    }
    lines.join("\n")
}

/// Returns whether words about a place only say that something begins or ends there, or is not closed.
fn says_opened(label: &str) -> bool {
    let is_open = label.starts_with("this ") && label.ends_with(" is not closed");
    is_open || ["opened here", "it starts here", "it ends here", "this one"].contains(&label)
}

/// Returns how editors should show the place: faded, if nothing needs it.
fn tag(code: Code) -> Option<DiagnosticTag> {
    match code {
        Code::UnusedForce
        | Code::UnusedComparison
        | Code::UnusedVariable
        | Code::Unreachable
        | Code::UnusedParam
        | Code::UnusedShared
        | Code::UnusedGoals
        | Code::UnusedObstacles
        | Code::UnusedFormation
        | Code::UnusedField
        | Code::UnusedLayer
        | Code::UnusedInput
        | Code::UnusedFunction
        | Code::UnusedPath => Some(DiagnosticTag::UNNECESSARY),
        _ => None,
    }
}
