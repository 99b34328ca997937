//! A text whose grammar is repaired as its errors propose, so that it can be read further. What nobody can repair is left out.

use std::ops::Range;
use std::sync::Arc;

use super::blanks::{MAX_BYTES, Replaced, replace_wrong, start};
use super::spec::ScenarioSpec;
use super::{check_syntax, errors, options};
use crate::diag::{Diagnostic, Fix, Remedy, Source, brackets};
use crate::tokens::{Language, line_start};

/// Number of mistakes of grammar that are repaired, in a large text and in any text.
const MAX_REPAIRS: (usize, usize) = (5, 20);

/// A mistake of grammar.
pub(super) struct GrammarError {
    pub(super) finding: Diagnostic,
    /// Whether it is repaired. The part with it is left out otherwise.
    pub(super) is_repaired: bool,
}

/// A text of which some mistakes of grammar are repaired.
pub(crate) struct Repaired {
    pub(crate) source: Arc<Source>,
    original: Arc<Source>,
    /// The parts that were replaced, each in the text before, and the number of bytes that are there now.
    changes: Vec<(Range<usize>, usize)>,
    /// Whether a field may be in other brackets than those that were meant.
    pub(super) moves_brackets: bool,
}

impl Repaired {
    /// Repairs a text, and returns it with the errors that it had. `None` if it does not follow the grammar of RON then.
    pub(super) fn new(source: &Arc<Source>) -> Option<(Self, Vec<GrammarError>)> {
        let (original, original_length) = (Arc::clone(source), source.text.len());
        let source = Arc::clone(source);
        let mut this = Self { source, original, changes: Vec::new(), moves_brackets: false };
        let mut errors = Vec::new();
        let max = (MAX_BYTES / original_length.max(1)).clamp(MAX_REPAIRS.0, MAX_REPAIRS.1);
        while let Err(error) = check_syntax(&this.source) {
            // A field whose name is in quotes is one of several values for a reader of the grammar alone.
            let error = quoted_field(&this.source, &error).unwrap_or(error);
            let error = without_stray_quote(&this.source, error);
            let repair = error.remedies.0.iter().find_map(|remedy| match remedy {
                Remedy::Change(fix) => Some((fix.place.span.clone(), fix.text.clone())),
                _ => None,
            });
            let is_removed = repair.as_ref().is_some_and(|(_, new)| new.is_empty());
            if !is_removed && lacks_first_quote(&this.source.text, &error) {
                return None;
            }
            let other = || other_quote(&this.source.text, &error);
            let repair = repair.or_else(|| other().map(|at| (at..at, "\"".to_owned())));
            let is_repaired = repair.is_some();
            let change = match repair {
                Some((span, new)) => {
                    let mut text = this.source.text.clone();
                    text.replace_range(span.clone(), &new);
                    let old = &this.source.text[span.clone()];
                    // Strings that end in their line have no brackets of others.
                    let is_whole = has_whole_strings(&text, span.start);
                    this.moves_brackets |= unclosed_string(&this.source.text, &error).is_none()
                        && [old, &new]
                            .into_iter()
                            .any(|part| has_brackets(part) || (has_one_quote(part) && !is_whole));
                    Some((text, (span, new.len())))
                }
                None => without_entry(&this.source, &error)
                    .map(|(text, part)| (text, (part.clone(), part.len()))),
            };
            errors.push(GrammarError { finding: this.in_original(error), is_repaired });
            let (text, change) = change.filter(|_| errors.len() <= max)?;
            this.source = Source::new(this.source.name.clone(), text);
            this.changes.push(change);
        }
        Some((this, errors))
    }

    /// Returns whether nothing had to be repaired.
    pub(crate) fn is_original(&self) -> bool {
        self.changes.is_empty()
    }

    /// Returns the places where something is repaired.
    pub(super) fn repairs(&self) -> impl Iterator<Item = usize> {
        self.changes.iter().map(|(replaced, _)| replaced.start)
    }

    /// Returns the parts of the text that are left out, and what is written there.
    pub(super) fn left_out(&self) -> Vec<Replaced> {
        let parts = self.changes.iter().enumerate();
        let of = |(index, (part, new)): (usize, &(Range<usize>, usize))| {
            let later =
                self.changes[index + 1..].iter().filter(|(after, _)| after.end <= part.start);
            let moved = |at: usize| later.clone().fold(at, |at, (old, new)| at + new - old.len());
            let part = (part.len() == *new).then(|| moved(part.start)..moved(part.end))?;
            let written = self.original.text.get(self.original_span(&part))?.to_owned();
            Some(Replaced { part, written })
        };
        parts.filter_map(of).collect()
    }

    /// Returns a finding about this text, or about one with the same places, as one about the text as it is written.
    pub(crate) fn in_original(&self, mut finding: Diagnostic) -> Diagnostic {
        let related = finding.related.iter_mut().map(|(place, _)| place);
        for place in finding.place.iter_mut().chain(related) {
            if place.source.name == self.original.name {
                place.span = self.original_span(&place.span);
                place.source = Arc::clone(&self.original);
            }
        }
        if !self.is_original() {
            // What is inserted, or replaces what is written in the original too, replaces nothing that is repaired.
            let is_in_original = |fix: &Fix| {
                let span = &fix.place.span;
                let written = self.original.text.get(self.original_span(span));
                span.is_empty() || written == fix.place.source.text.get(span.clone())
            };
            finding.remedies.0.retain_mut(|remedy| match remedy {
                Remedy::Change(fix) if is_in_original(fix) => {
                    fix.place.span = self.original_span(&fix.place.span);
                    fix.place.source = Arc::clone(&self.original);
                    true
                }
                Remedy::Change(_) => false,
                _ => true,
            });
        }
        finding
    }

    /// Returns where a part of this text is in the original.
    pub(super) fn original_span(&self, span: &Range<usize>) -> Range<usize> {
        self.offset(span.start)..self.offset(span.end)
    }

    /// Returns where a byte offset of this text is in the original.
    fn offset(&self, mut at: usize) -> usize {
        for (replaced, new) in self.changes.iter().rev() {
            if at >= replaced.start + new {
                at = at - new + replaced.len();
            } else if at > replaced.start {
                at = replaced.start;
            }
        }
        at
    }
}

/// Returns whether a part of a text has brackets: what follows may be in others without it.
fn has_brackets(part: &str) -> bool {
    part.contains(['(', ')', '[', ']', '{', '}'])
}

/// Returns whether a part of a text has a quote without the other one.
fn has_one_quote(part: &str) -> bool {
    part.matches('"').count() % 2 == 1
}

/// Returns whether the strings in the line at a byte offset end in it.
fn has_whole_strings(text: &str, at: usize) -> bool {
    !has_one_quote(text[line_start(text, at)..].lines().next().unwrap_or_default())
}

/// Returns the byte offset of the quote of a string that is not closed, if an error is about that, and what follows it in its line.
fn unclosed_string<'t>(text: &'t str, error: &Diagnostic) -> Option<(usize, &'t str)> {
    let place = error.place.as_ref().filter(|_| error.message == "this string is not closed")?;
    let start = place.span.start;
    let line = text.get(start..)?.strip_prefix('"')?.lines().next().unwrap_or_default();
    Some((start, line.trim_end()))
}

/// Adds the fix that removes the quote of a string that is not closed, if the quote ends its line behind a comma or a bracket.
pub(super) fn without_stray_quote(source: &Arc<Source>, error: Diagnostic) -> Diagnostic {
    let Some((start, "")) = unclosed_string(&source.text, &error) else { return error };
    match source.text[..start].trim_end().ends_with([',', '(', '[', '{', ')', ']', '}']) {
        true => error.fix("Remove `\"`", source, start..start + 1, ""),
        false => error,
    }
}

/// Returns where the other quote of a string that is not closed should be in its line: behind a name that begins with a quote, or else before
/// the comma and the brackets at the end.
fn other_quote(text: &str, error: &Diagnostic) -> Option<usize> {
    let (start, line) = unclosed_string(text, error).filter(|(_, line)| !line.contains('"'))?;
    let before = &text[..start];
    let is_name = before.trim_end().ends_with([',', '{']);
    let name = line.find(':').filter(|_| is_name);
    let length = name.unwrap_or_else(|| line.trim_end_matches([',', ')', ']', '}']).len());
    Some(start + 1 + length)
}

/// Returns whether a name in the line of an error lacks its first quote: the other one begins a string that goes on.
fn lacks_first_quote(text: &str, error: &Diagnostic) -> bool {
    let at = error.place.as_ref().map_or(0, |place| place.span.start);
    let name = text[line_start(text, at)..].trim_start_matches(' ');
    let behind = name.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_');
    behind.len() < name.len() && behind.starts_with("\":")
}

/// Returns the error of a field with a name in quotes, if it is before an error of grammar.
fn quoted_field(source: &Arc<Source>, error: &Diagnostic) -> Option<Diagnostic> {
    let quoted = options().from_str::<ScenarioSpec>(&source.text).err()?;
    let is_name = matches!(quoted.code, ron::Error::ExpectedIdentifier);
    let quoted = is_name.then(|| errors::diagnostic(&quoted, source, 0..source.text.len()))?;
    (!quoted.fixes().is_empty() && start(&quoted) <= start(error)).then_some(quoted)
}

/// Returns a text without the field or entry that an error of grammar is in, and the bytes of that. `None` if brackets do not match, since
/// it is not known then what belongs to it.
fn without_entry(source: &Arc<Source>, error: &Diagnostic) -> Option<(String, Range<usize>)> {
    if brackets::unclosed(source, Language::Ron).is_some() {
        return None;
    }
    let mut text = source.text.clone();
    let next_error = |text: &str| start(&check_syntax(&Source::new("", text)).err()?);
    let part = replace_wrong(&mut text, error, false, next_error)?.part;
    Some((text, part))
}
