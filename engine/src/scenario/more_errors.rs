//! The errors of a file behind the first one. The RON reader stops at an error, so the value with it is replaced by another one, or blanked
//! out, and the file is read again.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::blanks::{MAX_BYTES, MAX_ERRORS, Replaced, fill, is_missing, replace_wrong, start};
use super::repaired::{GrammarError, Repaired, without_stray_quote};
use super::{check, errors, options, spec::ScenarioSpec};
use crate::diag::{Code, Diagnostic, Remedy, Source};
use crate::tokens::ron_tree::RonTree;

/// Returns an error and those behind it that have another cause, in the order of their places. There are others only if the file follows
/// the grammar of RON, besides brackets that can be repaired.
pub(super) fn with_others(first: Diagnostic, source: &Arc<Source>) -> Vec<Diagnostic> {
    let first = without_stray_quote(source, first);
    let Some((repaired, of_grammar)) = Repaired::new(source) else { return vec![first] };
    if of_grammar.is_empty() {
        return errors_of_fields(source, Vec::new());
    }
    let mut found = vec![first];
    let tree = RonTree::new(&source.text);
    let bracket = |error: &Diagnostic| start(error).and_then(|at| innermost_bracket(&tree, at));
    // Brackets that are nested too deeply are so at two places: for a reader of the grammar alone, one later.
    let is_same = |one: &Diagnostic, other: &Diagnostic| {
        let beside = start(one).zip(start(other));
        one.message == other.message && beside.is_some_and(|(one, other)| one.abs_diff(other) <= 1)
    };
    // What is behind a comma that is missing is no field: `flock"shy"` is one value that is wrong.
    let is_behind = |known: &Diagnostic, error: &Diagnostic| {
        error.message == errors::QUOTED_NAME
            && known.related.iter().any(|(next, _)| Some(next) == error.place.as_ref())
    };
    for GrammarError { finding: error, is_repaired } in of_grammar {
        // What nobody can repair may be a consequence of what is wrong beside it.
        let is_new = match is_repaired {
            true => found.iter().all(|known| {
                let is_opening =
                    error.related.iter().any(|(open, _)| Some(open) == known.place.as_ref());
                known.place != error.place && !is_opening && !is_behind(known, &error)
            }),
            false => found.iter().all(|one| {
                let is_value = error.message.starts_with("a value is missing");
                let is_apart = is_value && one.place != error.place;
                (is_apart || bracket(one) != bracket(&error)) && !is_same(one, &error)
            }),
        };
        if is_new {
            found.push(error);
        }
    }
    for error in errors_of_repaired(&repaired) {
        if found.iter().all(|known| known.place != error.place && !is_behind(known, &error)) {
            found.push(error);
        }
    }
    found.sort_by_key(start);
    found
}

/// Returns the errors of a text with repaired brackets, besides those that may come from a bracket that belongs elsewhere.
fn errors_of_repaired(repaired: &Repaired) -> Vec<Diagnostic> {
    let found = errors_of_fields(&repaired.source, repaired.left_out());
    let tree = RonTree::new(&repaired.source.text);
    let mut unsure: BTreeSet<usize> = BTreeSet::new();
    for at in repaired.repairs().filter(|_| repaired.moves_brackets) {
        let bracket = innermost_bracket(&tree, at);
        unsure.extend(bracket);
        unsure.extend(bracket.and_then(|of| innermost_bracket(&tree, of)));
    }
    let is_sure = |error: &Diagnostic| {
        let of = start(error).and_then(|at| innermost_bracket(&tree, at));
        // What is said of several parts may come from a wrong one of them.
        let is_about_value = match error.code {
            Code::Syntax | Code::WrongType | Code::OutOfRange => true,
            Code::UnknownName => error.message.starts_with("unknown "),
            _ => false,
        };
        // Fields may belong elsewhere.
        let is_about_fields = ["unknown field", "missing field"];
        !repaired.moves_brackets
            || of.is_some_and(|of| !unsure.contains(&of))
                && is_about_value
                && !is_about_fields.iter().any(|words| error.message.starts_with(words))
    };
    let found = found.into_iter().filter(is_sure);
    found.map(|error| repaired.in_original(error)).collect()
}

/// Returns the errors of a file that follows the grammar of RON. Some parts of it are left out already.
fn errors_of_fields(source: &Arc<Source>, mut blanks: Vec<Replaced>) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    let mut text = source.text.clone();
    let next_error = |text: &str| {
        let error = options().from_str::<ScenarioSpec>(text).err()?;
        start(&errors::diagnostic(&error, &Source::new("", text), 0..text.len()))
    };
    for _ in 0..=MAX_ERRORS.min(MAX_BYTES / text.len().max(1)) {
        let blanked = Source::new(source.name.clone(), text.clone());
        let error = match options().from_str::<ScenarioSpec>(&blanked.text) {
            Err(error) => error,
            Ok(spec) => {
                let rest =
                    check::check(&blanked, spec, blanks.is_empty()).err().into_iter().flatten();
                let rest = rest.filter(|error| is_sure(error, &text, &blanks, source));
                found.extend(rest.map(|error| in_source(error, source)));
                break;
            }
        };
        let next = errors::diagnostic(&error, &blanked, 0..text.len());
        let Some(place) = next.place.as_ref().map(|place| place.span.clone()) else { break };
        let is_missing = is_missing(&text, &error, &next, &blanks);
        let tree = RonTree::new(&blanked.text);
        if let ron::Error::MissingStructField { field, .. } = &error.code
            && is_missing
            && fill(&mut text, &blanks, place.start, field)
        {
            continue;
        }
        let is_around = |one: &Replaced| place.start <= one.part.start && one.part.end <= place.end;
        // The file itself has the same text there.
        let own = errors::diagnostic(&error, source, 0..source.text.len());
        let is_consequence = is_missing
            || blanks.iter().any(|one| is_around(one) || is_in_entry(&tree, place.start, one));
        // Each value of a tuple may have a name.
        let bracket = innermost_bracket(&tree, place.start);
        let is_same = matches!(error.code, ron::Error::ExpectedComma)
            && found.iter().any(|one| {
                let of = start(one).and_then(|at| innermost_bracket(&tree, at));
                one.message == own.message && of == bracket
            });
        if !is_consequence && !is_same && !has_same_fix(&own, &found) {
            found.push(own);
        }
        let Some(part) = replace_wrong(&mut text, &next, true, next_error) else { break };
        blanks.push(part);
    }
    found.sort_by_key(start);
    found
}

/// Returns whether a byte offset is in the field or entry of which a part is replaced: with another name, its value may be wrong.
fn is_in_entry(tree: &RonTree<'_>, at: usize, Replaced { part, .. }: &Replaced) -> bool {
    let is_blank = tree.text()[part.clone()].trim().is_empty();
    let entry = tree.innermost_entry(part.start).filter(|_| !is_blank);
    part.contains(&at) || entry.is_some_and(|entry| entry.entry_span().contains(&at))
}

/// Returns the brackets in which something is replaced.
fn brackets_of(tree: &RonTree<'_>, blanks: &[Replaced]) -> BTreeSet<usize> {
    blanks.iter().filter_map(|one| innermost_bracket(tree, one.part.start)).collect()
}

/// Returns whether an error of a text is no consequence of the parts that are replaced in it.
fn is_sure(error: &Diagnostic, text: &str, blanks: &[Replaced], source: &Source) -> bool {
    let tree = RonTree::new(text);
    let at = start(error);
    let of = at.and_then(|at| innermost_bracket(&tree, at));
    // Whether a value can be read does not depend on what is beside it.
    let is_of_reading = matches!(error.code, Code::Syntax | Code::WrongType | Code::OutOfRange);
    let is_of_value = is_of_reading && !error.message.starts_with("missing field");
    // A name may be declared in what was replaced, unless the scenario declares none of its kind.
    let is_known = is_of_value
        || error.message.starts_with("unknown ")
        || is_nowhere_in(error, blanks, source);
    let is_replaced = blanks.iter().any(|one| at.is_some_and(|at| is_in_entry(&tree, at, one)));
    let brackets = brackets_of(&tree, blanks);
    let is_name = error.code == Code::UnknownName;
    let is_alone = is_of_value || is_name || of.is_some_and(|of| !brackets.contains(&of));
    blanks.is_empty() || (is_known && is_alone && !is_replaced)
}

/// Returns whether an error is about no names of some parts of a text: the parts are in no field or entry with such a name, declare no such
/// names, and have no such string.
fn is_nowhere_in(error: &Diagnostic, parts: &[Replaced], source: &Source) -> bool {
    let tree = RonTree::new(&source.text);
    // A measure can have the name of a group in its own.
    let names = error.message.split('`').skip(1).step_by(2);
    let names: Vec<&str> =
        names.flat_map(|name| name.split(['.', ':', '@', ' ']).chain([name])).collect();
    let is_in = |Replaced { part, written: text }: &Replaced| {
        let around = tree.nodes().filter(|node| {
            let span = node.entry_span();
            span.start <= part.start && part.end <= span.end
        });
        // `params: 5` may have been meant to declare any param, also with another name of the field.
        let keys: Vec<&str> = around.filter_map(|node| node.key()).collect();
        let inner = text.split(':').next().unwrap_or_default().trim();
        let field = keys.last().copied().unwrap_or_default();
        let is_kind = |field: &str| {
            let kind = field.strip_suffix('s');
            kind.is_some_and(|kind| error.message.split(' ').any(|word| word == kind))
        };
        is_kind(field)
            || is_kind(inner)
            || names.iter().any(|name| keys.contains(name) || text.contains(&format!("\"{name}\"")))
    };
    !parts.iter().any(is_in)
}

/// Returns whether a fix of an error is also one of other errors: they are one mistake, such as the corners of a box.
fn has_same_fix(error: &Diagnostic, others: &[Diagnostic]) -> bool {
    let is_known = |remedy: &Remedy| others.iter().any(|other| other.remedies.0.contains(remedy));
    let mut changes = error.remedies.0.iter();
    changes.any(|remedy| matches!(remedy, Remedy::Change(_)) && is_known(remedy))
}

/// Returns an error of a text as one of a file that has the same text at its places.
fn in_source(mut error: Diagnostic, source: &Arc<Source>) -> Diagnostic {
    let related = error.related.iter_mut().map(|(place, _)| place);
    for place in error.place.iter_mut().chain(related) {
        place.source = Arc::clone(source);
    }
    error
}

/// Returns the innermost bracket that is open before a byte offset.
fn innermost_bracket(tree: &RonTree<'_>, at: usize) -> Option<usize> {
    tree.brackets_at(at)?.opening()
}
