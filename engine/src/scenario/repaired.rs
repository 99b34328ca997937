//! A text whose brackets are repaired as their errors propose, so that it can be read further.

use std::ops::Range;
use std::sync::Arc;

use super::check_syntax;
use crate::diag::{Diagnostic, Remedy, Source};

/// Number of brackets that are repaired.
const MAX_REPAIRS: usize = 5;

/// A text of which some brackets are repaired.
pub(crate) struct Repaired {
    pub(crate) source: Arc<Source>,
    original: Arc<Source>,
    /// The parts that were replaced, each in the text before, and the number of bytes that are there now.
    changes: Vec<(Range<usize>, usize)>,
}

impl Repaired {
    /// Repairs a text, and returns it with the errors that are repaired. `None` if it does not follow the grammar of RON then.
    pub(super) fn new(source: &Arc<Source>) -> Option<(Self, Vec<Diagnostic>)> {
        let original = Arc::clone(source);
        let mut this = Self { source: Arc::clone(source), original, changes: Vec::new() };
        let mut errors = Vec::new();
        while let Err(error) = check_syntax(&this.source) {
            let repair = error.remedies.0.iter().find_map(|remedy| match remedy {
                Remedy::Change(fix) => Some(fix.clone()),
                _ => None,
            });
            errors.push(this.in_original(error));
            let fix = repair.filter(|_| errors.len() <= MAX_REPAIRS)?;
            let mut text = this.source.text.clone();
            text.replace_range(fix.place.span.clone(), &fix.text);
            this.source = Source::new(source.name.clone(), text);
            this.changes.push((fix.place.span, fix.text.len()));
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
            // The others have places in the repaired text.
            finding.remedies.0.retain(|remedy| !matches!(remedy, Remedy::Change(_)));
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
