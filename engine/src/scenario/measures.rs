//! From specs to the measures that a scenario defines.

use std::sync::Arc;

use super::findings::Findings;
use super::groups::script_name;
use super::ordered::Ordered;
use super::spanned::Spanned;
use crate::diag::{Diagnostic, Place};
use crate::trace::Measure;

/// A measure that a scenario defines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeasureRef {
    /// Its name.
    pub name: Arc<str>,
    /// The name of its script.
    pub script: String,
    /// The place where the name of the script is written.
    pub place: Place,
}

/// Checks the names of all measures and of their scripts.
pub(super) fn build(
    findings: &mut Findings<'_>,
    specs: &Ordered<Spanned<String>>,
) -> Vec<MeasureRef> {
    let names = findings.names("measure", specs);
    let mut measures = Vec::new();
    for ((written, spec), name) in specs.0.iter().zip(&names.all) {
        let Some(script) = findings.read(spec).cloned() else { continue };
        script_name(findings, &script, findings.span(spec), "a script");
        let wrong = if Measure::ALL.iter().any(|known| known.name() == &**name) {
            Some("there is a measure with this name already")
        } else if name.contains('.') {
            Some("the name of a measure cannot contain a dot, which follows the name of a group")
        } else {
            None
        };
        if let Some(wrong) = wrong {
            let place = findings.span(written);
            findings.add(Diagnostic::error(wrong), place);
        }
        let place = findings.place(spec);
        measures.push(MeasureRef { name: Arc::clone(name), script, place });
    }
    measures
}
