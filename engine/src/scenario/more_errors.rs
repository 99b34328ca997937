//! The errors of a file behind the first one. The RON reader stops at an error, so the field with it is blanked out, and the file is read
//! again.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use super::blanks::{MAX_BYTES, MAX_ERRORS, blank, innermost_entry, start, within};
use super::repaired::{GrammarError, Repaired};
use super::{check, errors, options, spec::ScenarioSpec};
use crate::diag::{Code, Diagnostic, Diagnostics, Remedy, Source};
use crate::tokens::ron_tree::RonTree;

/// Returns an error and those behind it that have another cause, in the order of their places. There are others only if the file follows
/// the grammar of RON, besides brackets that can be repaired.
pub(super) fn with_others(first: Diagnostic, source: &Arc<Source>) -> Vec<Diagnostic> {
    let Some((repaired, of_grammar)) = Repaired::new(source) else { return vec![first] };
    if of_grammar.is_empty() {
        return with_others_of_fields(first, source);
    }
    let mut found = vec![first];
    let tree = RonTree::new(&source.text);
    let bracket = |error: &Diagnostic| start(error).and_then(|at| innermost_bracket(&tree, at));
    // Brackets that are nested too deeply are so at two places: for a reader of the grammar alone, one later.
    let is_same = |one: &Diagnostic, other: &Diagnostic| {
        let beside = start(one).zip(start(other));
        one.message == other.message && beside.is_some_and(|(one, other)| one.abs_diff(other) <= 1)
    };
    for GrammarError { finding: error, is_repaired } in of_grammar {
        // What nobody can repair may be a consequence of what is wrong beside it.
        let is_new = match is_repaired {
            true => found.iter().all(|known| {
                let is_opening =
                    error.related.iter().any(|(open, _)| Some(open) == known.place.as_ref());
                known.place != error.place && !is_opening
            }),
            false => {
                found.iter().all(|one| bracket(one) != bracket(&error) && !is_same(one, &error))
            }
        };
        if is_new {
            found.push(error);
        }
    }
    for error in errors_of_repaired(&repaired) {
        if found.iter().all(|known| known.place != error.place) {
            found.push(error);
        }
    }
    found.sort_by_key(start);
    found
}

/// Returns the errors of a text with repaired brackets, besides those that may come from a bracket that belongs elsewhere.
fn errors_of_repaired(repaired: &Repaired) -> Vec<Diagnostic> {
    let found = match options().from_str::<ScenarioSpec>(&repaired.source.text) {
        Ok(spec) => check::check(&repaired.source, spec).err().map(Diagnostics::into_vec),
        Err(error) => {
            let first = errors::diagnostic(&error, &repaired.source, 0..repaired.source.text.len());
            Some(with_others_of_fields(first, &repaired.source))
        }
    };
    let tree = RonTree::new(&repaired.source.text);
    let mut unsure: BTreeSet<usize> = BTreeSet::new();
    for at in repaired.repairs() {
        let bracket = innermost_bracket(&tree, at);
        unsure.extend(bracket);
        if repaired.moves_brackets {
            unsure.extend(bracket.and_then(|of| innermost_bracket(&tree, of)));
        }
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
        of.is_some_and(|of| !unsure.contains(&of))
            && is_about_value
            && !(repaired.moves_brackets
                && is_about_fields.iter().any(|words| error.message.starts_with(words)))
    };
    let found = found.into_iter().flatten().filter(is_sure);
    found.map(|error| repaired.in_original(error)).collect()
}

/// Returns an error and those behind it of a file that follows the grammar of RON.
fn with_others_of_fields(first: Diagnostic, source: &Arc<Source>) -> Vec<Diagnostic> {
    let mut found = vec![first];
    let mut text = source.text.clone();
    let mut blanks: Vec<Range<usize>> = Vec::new();
    // The brackets in which something is blanked out.
    let mut brackets: BTreeSet<usize> = BTreeSet::new();
    let Some(mut at) = within(&found[0]) else { return found };
    for _ in 0..MAX_ERRORS.min(MAX_BYTES / text.len().max(1)) {
        let Some((bracket, span)) = innermost_entry(&text, at) else { break };
        if !blank(&mut text, span.clone()) {
            break;
        }
        brackets.insert(bracket);
        blanks.push(span);
        let blanked = Source::new(source.name.clone(), text.clone());
        let error = match options().from_str::<ScenarioSpec>(&blanked.text) {
            Err(error) => error,
            Ok(spec) => {
                let rest = check::check(&blanked, spec).err().into_iter().flatten();
                let tree = RonTree::new(&text);
                let is_sure = |error: &Diagnostic| {
                    let of = start(error).and_then(|at| innermost_bracket(&tree, at));
                    // A name may be declared in what was blanked out, unless the scenario declares none of its kind.
                    let is_name =
                        error.code == Code::UnknownName || error.message.starts_with("no ");
                    let is_known = !is_name
                        || error.message.starts_with("unknown ")
                        || is_nowhere_in(error, &blanks, source);
                    // The type of a value does not depend on what is beside it.
                    let is_of_value =
                        error.code == Code::WrongType && error.message.starts_with("expected ");
                    is_known && of.is_some_and(|of| is_of_value || !brackets.contains(&of))
                };
                found.extend(rest.filter(is_sure).map(|error| in_source(error, source)));
                break;
            }
        };
        let next = errors::diagnostic(&error, &blanked, 0..text.len());
        let Some(place) = next.place.as_ref().map(|place| place.span.clone()) else { break };
        // The missing part was blanked out itself, or a blanked part was meant to be it.
        let tree = RonTree::new(&text);
        let is_missing = innermost_bracket(&tree, place.start).is_some_and(|of| {
            let is_end = text[place.start..].starts_with([')', ']', '}']);
            let is_empty = is_end && text[of + 1..place.start].trim().is_empty();
            let is_field = matches!(error.code, ron::Error::MissingStructField { .. });
            brackets.contains(&of) && (is_empty || is_field)
        });
        at = within(&next).unwrap_or(place.start);
        if is_missing {
            // So nothing is known about what is around it.
            continue;
        }
        let is_around = |blank: &Range<usize>| place.start <= blank.start && blank.end <= place.end;
        if blanks.iter().any(is_around) {
            break;
        }
        // The file itself has the same text there.
        let next = errors::diagnostic(&error, source, 0..source.text.len());
        if !has_same_fix(&next, &found) {
            found.push(next);
        }
    }
    found.sort_by_key(start);
    found
}

/// Returns whether parts of a text do not declare the names that an error is about: they are no field of such names, and have no such string.
fn is_nowhere_in(error: &Diagnostic, parts: &[Range<usize>], source: &Source) -> bool {
    // A measure can have the name of a group in its own.
    let names = error.message.split('`').skip(1).step_by(2);
    let names = names.flat_map(|name| name.split(['.', ':', '@', ' ']).chain([name]));
    let words: Vec<_> = names.map(|word| format!("\"{word}\"")).collect();
    let declares = |part: &Range<usize>| {
        let text = &source.text[part.clone()];
        // `params: 5` may have been meant to declare any param.
        let field = text.split(':').next().unwrap_or_default().trim();
        let kind = field.strip_suffix('s').unwrap_or(field);
        let is_kind = |word: &str| word == kind;
        error.message.split(' ').any(is_kind) || words.iter().any(|word| text.contains(word))
    };
    !parts.iter().any(declares)
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
