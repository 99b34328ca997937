//! Formatting of a whole file, as editors ask for it when a file is saved.

use flockwork_engine::diag::Place;
use flockwork_engine::format::{changes, format, language};
use lsp_types::{DocumentFormattingParams, TextEdit};

use super::project::{Project, file};

/// Returns what `flockwork fmt` would change; `None` for a file with a syntax error, which diagnostics show. The options of the editor do
/// not count: a project is formatted the same for everybody.
pub(super) fn formatting(
    project: &mut Project,
    params: DocumentFormattingParams,
) -> Option<Vec<TextEdit>> {
    let path = file(&params.text_document.uri)?;
    let source = project.read(&path).ok()?;
    let formatted = format(&source, language(&path)?).ok()?;
    let all = changes(&source.text, &formatted).into_iter();
    let edit = |place| project.range(&place);
    let edits = all.map(|change| TextEdit {
        range: edit(Place { source: source.clone(), span: change.span }),
        new_text: change.text,
    });
    Some(edits.collect())
}
