//! Notes about what an import approximates or leaves out.

use std::ops::Range;
use std::sync::Arc;

use flockwork_engine::Diagnostic;
use flockwork_engine::diag::Source;
use roxmltree::Node;

use super::xml::{Xml, name};

/// Number of lines that a note lists.
const MAX_LINES: usize = 8;

/// Notes, in the order in which they were made: shown to the user, and written into the scenario as comments.
pub(super) struct Notes<'s> {
    source: &'s Arc<Source>,
    notes: Vec<Diagnostic>,
    /// Notes about elements: each with the place of the first one, and the lines of all of them.
    elements: Vec<(Diagnostic, Vec<usize>)>,
}

impl<'s> Notes<'s> {
    pub(super) fn new(source: &'s Arc<Source>) -> Self {
        Self { source, notes: Vec::new(), elements: Vec::new() }
    }

    /// Notes something that is not as in the file.
    pub(super) fn warn(&mut self, span: Range<usize>, message: impl Into<String>) {
        self.notes.push(Diagnostic::warning(message).at(self.source, span));
    }

    /// Notes something that was added.
    pub(super) fn mention(&mut self, message: impl Into<String>) {
        self.notes.push(Diagnostic::note(message));
    }

    /// Notes what happens to an element: "is left out". Elements to which the same happens make one note.
    pub(super) fn warn_element(&mut self, xml: Xml<'_>, node: Node<'_, '_>, what: &str) {
        self.add_element(Diagnostic::warning(format!("`{}` {what}", name(node))), xml, node);
    }

    /// Notes the same about an element that is not needed.
    pub(super) fn mention_element(&mut self, xml: Xml<'_>, node: Node<'_, '_>, what: &str) {
        self.add_element(Diagnostic::note(format!("`{}` {what}", name(node))), xml, node);
    }

    fn add_element(&mut self, note: Diagnostic, xml: Xml<'_>, node: Node<'_, '_>) {
        let line = xml.line(node);
        let mut known = self.elements.iter_mut();
        if let Some((_, lines)) = known.find(|(known, _)| known.message == note.message) {
            lines.push(line);
        } else {
            self.elements.push((note.at(self.source, xml.span(node)), vec![line]));
        }
    }

    /// Returns all notes; those about elements come last.
    pub(super) fn findings(&self) -> Vec<Diagnostic> {
        let elements = self.elements.iter().map(|(note, lines)| {
            let mut note = note.clone();
            if lines.len() > 1 {
                note.message +=
                    &format!(" ({} times, in lines {})", lines.len(), list_lines(lines));
            }
            note
        });
        self.notes.iter().cloned().chain(elements).collect()
    }

    /// Returns the notes as lines of a comment.
    pub(super) fn lines(&self) -> Vec<String> {
        let line = |note: &Diagnostic| match &note.place {
            Some(place) if !note.message.contains(" times, in lines ") => {
                let (line, _) = place.source.line_column(place.span.start);
                format!("- line {line}: {}", note.message)
            }
            _ => format!("- {}", note.message),
        };
        self.findings().iter().map(line).collect()
    }
}

/// Lists line numbers, but not too many.
fn list_lines(lines: &[usize]) -> String {
    let shown: Vec<String> = lines.iter().take(MAX_LINES).map(ToString::to_string).collect();
    let more = if lines.len() > MAX_LINES { ", .." } else { "" };
    format!("{}{more}", shown.join(", "))
}
