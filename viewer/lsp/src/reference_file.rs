//! The reference as a file, so that editors can lead from a name that scripts use to what it means.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use flockwork_engine::diag::{Place, Source};
use flockwork_engine::script::{Entry, Topic, reference};
use lsp_types::TextDocumentPositionParams;

use super::docs;
use super::hover::known_entries;
use super::project::{Project, file, is_script};
use super::rhai_text::Tokens;

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
    let (Some(path), Some((script, source, index))) = (&project.reference, name_at(project, at))
    else {
        return Vec::new();
    };
    let known = known_entries(project, &script, &Tokens::new(&source.text), index);
    let (text, offsets) = text_with_lines();
    let source = Source::new(path.to_string_lossy(), text);
    let is_known = |(entry, _): &&(Entry, usize)| {
        known.iter().any(|one| one.topic == entry.topic && one.signature == entry.signature)
    };
    let found = offsets.iter().filter(is_known);
    found.map(|(_, at)| Place { source: source.clone(), span: *at..*at }).collect()
}

/// Returns where scripts of the project use what Flockwork gives to them under the name at a position.
pub(super) fn uses(project: &Project, at: &TextDocumentPositionParams) -> Vec<Place> {
    let Some((path, source, index)) = name_at(project, at) else { return Vec::new() };
    let meant = |path: &Path, tokens: &Tokens<'_>, index: usize| {
        let all = known_entries(project, path, tokens, index).into_iter();
        all.map(|entry| (entry.topic, entry.signature)).collect::<Vec<_>>()
    };
    let tokens = Tokens::new(&source.text);
    let (name, wanted) = (tokens.get(index), meant(&path, &tokens, index));
    let mut found = Vec::new();
    for script in project.files().filter(|path| is_script(path)) {
        let Ok(source) = project.read(script) else { continue };
        let tokens = Tokens::new(&source.text);
        for index in 0..tokens.all.len() {
            if tokens.get(index) == name
                && meant(script, &tokens, index).iter().any(|one| wanted.contains(one))
            {
                let span = tokens.all[index].span.clone();
                found.push(Place { source: source.clone(), span });
            }
        }
    }
    found
}

/// Returns the script of a position, its text, and the index of the token there.
fn name_at(
    project: &Project,
    at: &TextDocumentPositionParams,
) -> Option<(PathBuf, Arc<Source>, usize)> {
    let path = file(&at.text_document.uri).filter(|path| is_script(path))?;
    let (source, offset) = project.offset(&path, at.position)?;
    let tokens = Tokens::new(&source.text);
    let index = tokens.at(offset).filter(|_| !tokens.is_comment(offset))?;
    Some((path, source, index))
}
