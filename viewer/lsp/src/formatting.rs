//! Formatting of files, of parts of them, and of what is being typed.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use flockwork_engine::diag::{Place, Source};
use flockwork_engine::format::{Change, changes, changes_before, format, indentation, language};
use flockwork_engine::tokens::{Language, line_start};
use lsp_types::{
    DocumentFormattingParams, DocumentOnTypeFormattingOptions, DocumentOnTypeFormattingParams,
    DocumentRangeFormattingParams, TextDocumentIdentifier, TextEdit,
};

use super::project::{Project, file};

/// The characters that format what is before them when they are typed.
pub(super) fn triggers() -> DocumentOnTypeFormattingOptions {
    DocumentOnTypeFormattingOptions {
        first_trigger_character: "}".to_owned(),
        more_trigger_character: Some([";", ")", "]", "\n"].map(str::to_owned).to_vec()),
    }
}

/// Returns what `flockwork fmt` would change; `None` for a file with a syntax error, which diagnostics show. The options of the editor do
/// not count: a project is formatted the same for everybody.
pub(super) fn formatting(
    project: &mut Project,
    params: DocumentFormattingParams,
) -> Option<Vec<TextEdit>> {
    let (_, source, language) = document(project, &params.text_document)?;
    let formatted = format(&source, language).ok()?;
    Some(edits(project, &source, changes(&source.text, &formatted)))
}

/// Returns what `flockwork fmt` would change in some lines.
pub(super) fn range_formatting(
    project: &mut Project,
    params: DocumentRangeFormattingParams,
) -> Option<Vec<TextEdit>> {
    let (path, source, language) = document(project, &params.text_document)?;
    let (_, start) = project.offset(&path, params.range.start)?;
    let (_, end) = project.offset(&path, params.range.end)?;
    let end = end.max(start);
    let line_end = source.text[end..].find('\n').map_or(source.text.len(), |more| end + more);
    let lines = line_start(&source.text, start)..line_end;
    let formatted = format(&source, language).ok()?;
    let mut all = changes(&source.text, &formatted);
    all.retain(|Change { span, .. }| span.end >= lines.start && span.start <= lines.end);
    Some(edits(project, &source, all))
}

/// Returns the changes of what has just been typed: the indentation of a new line, or the line or the block that ends at the cursor. The
/// file may have syntax errors.
pub(super) fn on_type_formatting(
    project: &mut Project,
    params: DocumentOnTypeFormattingParams,
) -> Option<Vec<TextEdit>> {
    let at = params.text_document_position;
    let (path, source, language) = document(project, &at.text_document)?;
    let (_, offset) = project.offset(&path, at.position)?;
    let text = &source.text;
    if params.ch != "\n" {
        return Some(edits(project, &source, changes_before(text, offset, language)));
    }
    let start = line_start(text, offset);
    let line = text[start..].lines().next().unwrap_or_default();
    let body = line.trim_start();
    let columns = indentation(&text[..start], body, language)?;
    let span = start..start + line.len() - body.len();
    let new = " ".repeat(columns);
    let change = (text[span.clone()] != new).then_some(Change { span, text: new });
    Some(edits(project, &source, change))
}

/// Returns the path, the text and the language of a file.
fn document(
    project: &Project,
    document: &TextDocumentIdentifier,
) -> Option<(PathBuf, Arc<Source>, Language)> {
    let path = file(&document.uri)?;
    let source = project.read(&path).ok()?;
    let language = language(&path)?;
    Some((path, source, language))
}

fn edits(
    project: &Project,
    source: &Arc<Source>,
    changes: impl IntoIterator<Item = Change>,
) -> Vec<TextEdit> {
    let range = |span: Range<usize>| project.range(&Place { source: Arc::clone(source), span });
    let edit = |Change { span, text }: Change| TextEdit { range: range(span), new_text: text };
    changes.into_iter().map(edit).collect()
}
