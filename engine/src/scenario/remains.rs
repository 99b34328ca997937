//! What remains of a scenario with errors when the fields with them are left out, so that its scripts can be checked nevertheless.

use std::ops::Range;
use std::sync::Arc;

use super::blanks::{blank, innermost_entry, within};
use super::repaired::Repaired;
use super::{BehaviorRef, Scenario};
use crate::diag::{Diagnostic, Place, Source};
use crate::script::is_script_name;
use crate::tokens::ron_tree::{RonKind, RonTree};

/// Number of times that fields with errors are left out.
const MAX_ROUNDS: usize = 6;
/// Most bytes of a text of which something is left out.
const MAX_BYTES: usize = 1 << 18;

/// The rest of a scenario that has errors.
pub(crate) struct Remains {
    pub(crate) scenario: Scenario,
    /// The text in which findings about the rest have their places.
    pub(crate) text: Repaired,
    /// Whether nothing is left out: only brackets were wrong.
    pub(crate) is_whole: bool,
}

/// Returns the rest of a scenario that has errors. `None` if nothing is left.
pub(crate) fn remains(source: &Arc<Source>) -> Option<Remains> {
    let (repaired, _) = Repaired::new(source)?;
    let mut text = repaired.source.text.clone();
    for round in 0..MAX_ROUNDS {
        let rest = Source::new(source.name.clone(), text.clone());
        match Scenario::parse(&rest) {
            Ok(scenario) => {
                return Some(Remains { scenario, text: repaired, is_whole: round == 0 });
            }
            Err(errors) => {
                let is_less = leave_out(&mut text, errors.iter());
                if !is_less || text.len() > MAX_BYTES {
                    return None;
                }
            }
        }
    }
    None
}

/// Returns the behaviors that the groups of a scenario name, also of groups that cannot be read.
pub(crate) fn written_behaviors(source: &Arc<Source>) -> Vec<BehaviorRef> {
    // Behind a missing comma, a field has no name.
    let repaired = Repaired::new(source).map(|(repaired, _)| repaired);
    let tree = RonTree::new(repaired.as_ref().map_or(&source.text, |one| &one.source.text));
    let place = |span: Range<usize>| Place {
        source: Arc::clone(source),
        span: repaired.as_ref().map_or(span.clone(), |one| one.original_span(&span)),
    };
    let groups = tree.root().and_then(|root| root.get("groups"));
    let all = groups.into_iter().flat_map(|groups| groups.children());
    let named = all.filter_map(|group| group.get("behavior")?.word());
    named
        .filter(|name| name.node.kind() == RonKind::String && is_script_name(name.text))
        .map(|name| BehaviorRef { name: name.text.to_owned(), place: place(name.span) })
        .collect()
}

/// Leaves out the fields around errors. Returns false if there are none.
fn leave_out<'e>(text: &mut String, errors: impl Iterator<Item = &'e Diagnostic>) -> bool {
    let mut is_less = false;
    let written = text.clone();
    for error in errors {
        // What is meant in its place, such as a name in quotes, takes nothing away.
        let meant = error.fixes().into_iter().next().and_then(|fix| fix.in_place());
        if let Some((part, new)) =
            meant.filter(|(part, _)| text[part.clone()] == written[part.clone()])
        {
            text.replace_range(part, &new);
            is_less = true;
            continue;
        }
        let Some(at) = within(error) else { continue };
        if let Some((_, field)) = innermost_entry(text, at) {
            is_less |= blank(text, field);
        }
    }
    is_less
}
