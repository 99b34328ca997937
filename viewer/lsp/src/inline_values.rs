//! Inline values: which variables of a function have their values behind its lines while it is debugged. The editor asks the debugger for them.

use std::collections::BTreeSet;

use flockwork_engine::diag::Place;
use lsp_types::{InlineValue, InlineValueParams, InlineValueVariableLookup};

use super::project::{Project, file};
use super::rhai_text::Tokens;

/// Returns the variables in the lines of a function up to the one at which the debugger stands, each once in a line.
pub(super) fn inline_values(
    project: &mut Project,
    params: InlineValueParams,
) -> Option<Vec<InlineValue>> {
    let path = file(&params.text_document.uri)?;
    let (source, stop) = project.offset(&path, params.context.stopped_location.end)?;
    let tokens = Tokens::new(&source.text);
    let end = source.text[stop..].find('\n').map_or(source.text.len(), |end| stop + end);
    let begin = source.text[..stop].rfind('\n').map_or(0, |end| end + 1);
    let is_start =
        |&index: &usize| tokens.get(index) == "fn" && tokens.all[index].span.start <= stop;
    let start = (0..tokens.all.len()).rfind(is_start)?;
    let mut known: BTreeSet<&str> = BTreeSet::new();
    let mut shown: BTreeSet<(usize, &str)> = BTreeSet::new();
    let mut all = Vec::new();
    for index in start + 1..tokens.all.len() {
        let (word, token) = (tokens.get(index), &tokens.all[index]);
        if token.span.start >= end {
            break;
        }
        if ["let", "for"].contains(&tokens.get(index - 1)) {
            known.insert(word);
            // It has no value before its line has run.
            if token.span.start >= begin {
                continue;
            }
        }
        if !known.contains(word) || tokens.get(index - 1) == "." {
            continue;
        }
        let place = Place { source: source.clone(), span: token.span.clone() };
        let (line, _) = source.line_column(token.span.start);
        if shown.insert((line, word)) {
            all.push(InlineValue::VariableLookup(InlineValueVariableLookup {
                range: project.range(&place),
                variable_name: None,
                case_sensitive_lookup: true,
            }));
        }
    }
    Some(all)
}
