//! The reference as a file, so that editors can lead from a name that scripts use to what it means.

use std::fmt::Write as _;

use flockwork_engine::diag::{Place, Source};
use flockwork_engine::script::{Entry, Topic, reference};
use lsp_types::TextDocumentPositionParams;

use super::docs;
use super::hover::entries_at;
use super::project::{Project, file};

/// Returns all that scripts can call, read or define, as Markdown with a heading for each entry.
pub fn reference_text() -> String {
    text_with_lines().0
}

/// Returns the text, and each entry with the byte offset of its heading.
fn text_with_lines() -> (String, Vec<(Entry, usize)>) {
    let mut text = "# Script reference\n".to_owned();
    let mut offsets = Vec::new();
    let all = reference();
    for &topic in Topic::ALL {
        let _ = write!(text, "\n## {}\n\n{}\n", topic.title(), topic.about());
        for entry in all.iter().filter(|entry| entry.topic == topic) {
            text.push('\n');
            offsets.push((entry.clone(), text.len()));
            let _ = writeln!(text, "### {}\n\n{}", entry.names.join(", "), docs::entry(entry));
        }
    }
    (text, offsets)
}

/// Returns where the reference explains what Flockwork gives to scripts under the name at a position. Empty if there is no such file.
pub(super) fn places(project: &Project, at: &TextDocumentPositionParams) -> Vec<Place> {
    let (Some(path), Some(file)) = (&project.reference, file(&at.text_document.uri)) else {
        return Vec::new();
    };
    let known = entries_at(project, &file, at.position);
    let (text, offsets) = text_with_lines();
    let source = Source::new(path.to_string_lossy(), text);
    let is_known = |(entry, _): &&(Entry, usize)| {
        known.iter().any(|one| one.topic == entry.topic && one.signature == entry.signature)
    };
    let found = offsets.iter().filter(is_known);
    found.map(|(_, at)| Place { source: source.clone(), span: *at..*at }).collect()
}
