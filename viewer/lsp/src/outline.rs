//! The outline of a file, and what can be folded in it.

use std::ops::Range;
use std::sync::Arc;

use flockwork_engine::diag::{Place, Source};
use flockwork_engine::schema::NameKind;
use flockwork_engine::tokens::ron_tree::RonTree;
use lsp_types::{
    DocumentSymbol, DocumentSymbolParams, DocumentSymbolResponse, FoldingRange, FoldingRangeKind,
    FoldingRangeParams, Location, SymbolInformation, SymbolKind, Uri, WorkspaceSymbolParams,
    WorkspaceSymbolResponse,
};

use super::names::in_scenario;
use super::project::{Project, file, is_script, name_of};
use super::rhai_text::Tokens;

/// Returns the declared names of a scenario, or the functions and constants of a script.
pub(super) fn symbols(
    project: &mut Project,
    params: DocumentSymbolParams,
) -> Option<DocumentSymbolResponse> {
    let path = file(&params.text_document.uri)?;
    let source = project.read(&path).ok()?;
    let symbols = if project.is_scenario(&path) {
        of_scenario(project, &source)
    } else if is_script(&path) {
        of_script(project, &source)
    } else {
        return None;
    };
    Some(DocumentSymbolResponse::Nested(symbols))
}

/// Returns the symbols of all files whose names have the letters of the query in their order, also with others between them.
pub(super) fn workspace_symbols(
    project: &mut Project,
    params: &WorkspaceSymbolParams,
) -> Option<WorkspaceSymbolResponse> {
    let query = params.query.to_lowercase();
    let mut all = Vec::new();
    for path in project.files() {
        let Ok(source) = project.read(path) else { continue };
        let symbols = if project.is_scenario(path) {
            of_scenario(project, &source)
        } else if is_script(path) {
            of_script(project, &source)
        } else {
            continue;
        };
        let Some(uri) = project.uri(path) else { continue };
        let file = name_of(path);
        for outer in symbols {
            let inside = format!("{} in {file}", outer.name);
            let inner = outer.children.iter().flatten();
            let inner = inner.map(|one| information(one, &uri, &inside));
            all.extend(std::iter::once(information(&outer, &uri, &file)).chain(inner));
        }
    }
    all.retain(|one| has_letters(&one.name.to_lowercase(), &query));
    Some(WorkspaceSymbolResponse::Flat(all))
}

/// Returns whether a name has the letters of a query in their order.
fn has_letters(name: &str, query: &str) -> bool {
    let mut rest = name.chars();
    query.chars().all(|letter| rest.any(|other| other == letter))
}

#[expect(deprecated, reason = "the type has a field that must be given")]
fn information(of: &DocumentSymbol, uri: &Uri, container: &str) -> SymbolInformation {
    SymbolInformation {
        name: of.name.clone(),
        kind: of.kind,
        tags: None,
        deprecated: None,
        location: Location { uri: uri.clone(), range: of.selection_range },
        container_name: Some(container.to_owned()),
    }
}

/// Returns a symbol with a name at a place, for a part of the text.
#[expect(deprecated, reason = "the type has a field that must be given")]
fn symbol(
    project: &Project,
    source: &Arc<Source>,
    (name, detail, kind): (&str, &str, SymbolKind),
    (name_at, part): (Range<usize>, Range<usize>),
) -> DocumentSymbol {
    let range = |span| project.range(&Place { source: Arc::clone(source), span });
    let part = part.start.min(name_at.start)..part.end.max(name_at.end);
    DocumentSymbol {
        // Editors refuse empty names.
        name: if name.is_empty() { "(no name)" } else { name }.to_owned(),
        detail: (!detail.is_empty()).then(|| detail.to_owned()),
        kind,
        tags: None,
        deprecated: None,
        range: range(part),
        selection_range: range(name_at),
        children: None,
    }
}

fn of_scenario(project: &Project, source: &Arc<Source>) -> Vec<DocumentSymbol> {
    let mut all: Vec<DocumentSymbol> = Vec::new();
    for name in in_scenario(source).into_iter().filter(|name| name.is_declared) {
        let (kind, detail) = match name.kind {
            NameKind::Group => (SymbolKind::CLASS, "group"),
            NameKind::Obstacle => (SymbolKind::OBJECT, "obstacle"),
            NameKind::Path => (SymbolKind::ARRAY, "path"),
            NameKind::Field => (SymbolKind::INTERFACE, "field"),
            NameKind::Layer => (SymbolKind::INTERFACE, "layer"),
            NameKind::Input => (SymbolKind::EVENT, "input"),
            _ => (SymbolKind::CONSTANT, name.value.as_deref().unwrap_or_default()),
        };
        let value = name.value.as_ref().map_or(0, String::len);
        let rest = &source.text[name.place.span.end..];
        let end = name.value.as_deref().and_then(|value| rest.find(value)).unwrap_or(0) + value;
        let span = name.place.span.clone();
        let part = span.start..span.end + end;
        let one = symbol(project, source, (&name.text, detail, kind), (span, part));
        let group = name.group.as_ref();
        let outer = all
            .iter_mut()
            .rfind(|outer| group == Some(&outer.name) && outer.kind == SymbolKind::CLASS);
        match outer {
            Some(outer) => outer.children.get_or_insert_default().push(one),
            None => all.push(one),
        }
    }
    all
}

fn of_script(project: &Project, source: &Arc<Source>) -> Vec<DocumentSymbol> {
    let tokens = Tokens::new(&source.text);
    let constants = (1..tokens.all.len()).filter(|&index| tokens.get(index - 1) == "const");
    let mut all: Vec<(usize, DocumentSymbol)> = constants
        .map(|index| {
            let span = tokens.all[index].span.clone();
            let what = (tokens.get(index), "", SymbolKind::CONSTANT);
            (span.start, symbol(project, source, what, (span.clone(), span)))
        })
        .collect();
    for (name, end) in tokens.functions() {
        let span = tokens.all[name].span.clone();
        let part = tokens.all[name - 1].span.start..tokens.all[end].span.end;
        let detail = format!("({})", tokens.parameters(name).join(", "));
        let what = (tokens.get(name), &*detail, SymbolKind::FUNCTION);
        all.push((span.start, symbol(project, source, what, (span, part))));
    }
    all.sort_by_key(|(start, _)| *start);
    all.into_iter().map(|(_, symbol)| symbol).collect()
}

/// Returns the brackets and comments that have several lines.
pub(super) fn folds(
    project: &mut Project,
    params: FoldingRangeParams,
) -> Option<Vec<FoldingRange>> {
    let path = file(&params.text_document.uri)?;
    let source = project.read(&path).ok()?;
    let text = source.text.as_str();
    let mut parts: Vec<(Range<usize>, Option<FoldingRangeKind>)> = Vec::new();
    if project.is_scenario(&path) {
        let tree = RonTree::new(text);
        let closed = tree.nodes().filter(|node| node.closing().is_some());
        parts.extend(closed.map(|node| (node.span(), None)));
        // Inner ones first.
        parts.sort_by_key(|(span, _)| span.end);
    } else if is_script(&path) {
        let tokens = Tokens::new(text);
        let mut open = Vec::new();
        for token in &tokens.all {
            match &text[token.span.clone()] {
                "(" | "[" | "{" => open.push(token.span.start),
                ")" | "]" | "}" => {
                    parts.extend(open.pop().map(|start| (start..token.span.end, None)));
                }
                _ => {}
            }
        }
        // Comments on lines of their own that follow each other.
        let mut comments = tokens.comments.iter().peekable();
        while let Some(first) = comments.next() {
            let mut end = first.end;
            while let Some(next) = comments.next_if(|next| {
                text[end..next.start].trim().is_empty()
                    && !text[end..next.start].trim_start_matches('\n').contains('\n')
            }) {
                end = next.end;
            }
            parts.push((first.start..end, Some(FoldingRangeKind::Comment)));
        }
    } else {
        return None;
    }
    let folds = parts.into_iter().filter_map(|(span, kind)| {
        let is_bracket = kind.is_none();
        let range = project.range(&Place { source: Arc::clone(&source), span });
        // The line of the closing bracket stays.
        let end_line = range.end.line.checked_sub(u32::from(is_bracket))?;
        (end_line > range.start.line).then(|| FoldingRange {
            start_line: range.start.line,
            end_line,
            kind,
            ..FoldingRange::default()
        })
    });
    Some(folds.collect())
}
