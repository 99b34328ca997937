//! The call hierarchy: the functions that call a function, and those that it calls, also in other scripts. A behavior is called by the
//! groups of scenarios that name it.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use flockwork_engine::diag::{Place, Source};
use flockwork_engine::schema::NameKind;
use flockwork_engine::script::script_names;
use lsp_types::{
    CallHierarchyIncomingCall, CallHierarchyIncomingCallsParams, CallHierarchyItem,
    CallHierarchyOutgoingCall, CallHierarchyOutgoingCallsParams, CallHierarchyPrepareParams,
    SymbolKind,
};

use super::names::{in_scenario, script_path};
use super::navigate::own_name_at;
use super::own_names::OwnName;
use super::project::{Project, file, is_script, name_of};
use super::rhai_text::Tokens;

/// Returns the function whose name is at a position.
pub(super) fn prepare(
    project: &mut Project,
    params: CallHierarchyPrepareParams,
) -> Option<Vec<CallHierarchyItem>> {
    project.read_uses();
    let own = own_name_at(project, &params.text_document_position_params)?;
    let function = function_at(&own.declared.source, own.declared.span.start)?;
    own.is_function()
        .then(|| item_of_function(project, &own.declared.source, &function))
        .flatten()
        .map(|item| vec![item])
}

/// Returns the functions that call a function, each with its calls.
pub(super) fn incoming(
    project: &mut Project,
    params: CallHierarchyIncomingCallsParams,
) -> Option<Vec<CallHierarchyIncomingCall>> {
    project.check_all();
    let (path, own) = named_by(project, &params.item)?;
    let mut all: Vec<CallHierarchyIncomingCall> = Vec::new();
    for place in &own.uses {
        let Some(from) = caller(project, place) else { continue };
        let range = project.range(place);
        match all.iter_mut().find(|known| is_same(&known.from, &from)) {
            Some(known) => known.from_ranges.push(range),
            None => all.push(CallHierarchyIncomingCall { from, from_ranges: vec![range] }),
        }
    }
    if own.is_called_by_flockwork() {
        all.extend(groups_with(project, &path));
    }
    Some(all)
}

/// Returns the functions that a function calls, each with its calls.
pub(super) fn outgoing(
    project: &mut Project,
    params: CallHierarchyOutgoingCallsParams,
) -> Option<Vec<CallHierarchyOutgoingCall>> {
    project.check_all();
    let (path, own) = named_by(project, &params.item)?;
    let source = &own.declared.source;
    let function = function_at(source, own.declared.span.start)?;
    let names = script_names(&source.text);
    let own_calls = names.declared.iter().flat_map(|one| &one.uses);
    let imported_calls = names.imported_calls.iter().map(|call| &call.name);
    let mut calls: Vec<&Range<usize>> = own_calls.chain(imported_calls).collect();
    calls.retain(|span| function.body.contains(&span.start));
    calls.sort_by_key(|span| span.start);
    let mut all: Vec<CallHierarchyOutgoingCall> = Vec::new();
    for span in calls {
        let called = project.own_name(&path, span.start).filter(OwnName::is_function);
        let Some(called) = called else { continue };
        let declared = &called.declared;
        let Some(to) = function_at(&declared.source, declared.span.start)
            .and_then(|function| item_of_function(project, &declared.source, &function))
        else {
            continue;
        };
        let range = project.range(&Place { source: Arc::clone(source), span: span.clone() });
        match all.iter_mut().find(|known| is_same(&known.to, &to)) {
            Some(known) => known.from_ranges.push(range),
            None => all.push(CallHierarchyOutgoingCall { to, from_ranges: vec![range] }),
        }
    }
    Some(all)
}

/// A function in the text of a script.
struct FunctionText {
    name: Range<usize>,
    /// From `fn` to the closing bracket.
    whole: Range<usize>,
    /// From behind the name to the closing bracket.
    body: Range<usize>,
    parameters: String,
}

/// Returns the function of a script that an offset is in.
fn function_at(source: &Source, offset: usize) -> Option<FunctionText> {
    let tokens = Tokens::new(&source.text);
    tokens.functions().into_iter().find_map(|(name, end)| {
        let span = |index: usize| tokens.all[index].span.clone();
        let whole = span(name - 1).start..span(end).end;
        whole.contains(&offset).then(|| FunctionText {
            name: span(name),
            body: span(name).end..whole.end,
            whole,
            parameters: tokens.parameters(name).join(", "),
        })
    })
}

/// Returns the name of a function that the editor has asked for before, and the path of its script.
fn named_by(project: &Project, item: &CallHierarchyItem) -> Option<(PathBuf, OwnName)> {
    let path = file(&item.uri)?;
    let (_, offset) = project.offset(&path, item.selection_range.start)?;
    let own = project.own_name(&path, offset)?;
    own.is_function().then_some((path, own))
}

/// Returns the function that a call is in; the script if it is in none.
fn caller(project: &Project, call: &Place) -> Option<CallHierarchyItem> {
    match function_at(&call.source, call.span.start) {
        Some(function) => item_of_function(project, &call.source, &function),
        None => {
            let name = name_of(&project.path_of(&call.source));
            item(project, &call.source, (name, None), SymbolKind::MODULE, (0..0, 0..0))
        }
    }
}

/// Returns the groups of scenarios that have a script as their behavior.
fn groups_with(project: &Project, script: &Path) -> Vec<CallHierarchyIncomingCall> {
    let users = project.users_of(script).into_iter().filter(|path| !is_script(path));
    let mut all = Vec::new();
    for path in users {
        let Ok(source) = project.read(&path) else { continue };
        let names = in_scenario(&source).into_iter().filter(|name| {
            let is_it = || script_path(project, &path, &name.text).as_deref() == Some(script);
            name.kind == NameKind::Script && is_it()
        });
        for name in names {
            let group = name.group.clone().unwrap_or_default();
            let span = name.place.span.clone();
            let title = if group.is_empty() { name_of(&path) } else { group };
            let from = item(
                project,
                &source,
                (title, Some(name_of(&path))),
                SymbolKind::CLASS,
                (span.clone(), span),
            );
            let from_ranges = vec![project.range(&name.place)];
            all.extend(from.map(|from| CallHierarchyIncomingCall { from, from_ranges }));
        }
    }
    all
}

fn item_of_function(
    project: &Project,
    source: &Arc<Source>,
    function: &FunctionText,
) -> Option<CallHierarchyItem> {
    let name = source.text[function.name.clone()].to_owned();
    let script = name_of(&project.path_of(source));
    let detail = format!("({}) in {script}", function.parameters);
    let spans = (function.name.clone(), function.whole.clone());
    item(project, source, (name, Some(detail)), SymbolKind::FUNCTION, spans)
}

fn item(
    project: &Project,
    source: &Arc<Source>,
    (name, detail): (String, Option<String>),
    kind: SymbolKind,
    (name_at, part): (Range<usize>, Range<usize>),
) -> Option<CallHierarchyItem> {
    let range = |span| project.range(&Place { source: Arc::clone(source), span });
    Some(CallHierarchyItem {
        name,
        kind,
        tags: None,
        detail,
        uri: project.uri(&project.path_of(source))?,
        range: range(part),
        selection_range: range(name_at),
        data: None,
    })
}

fn is_same(a: &CallHierarchyItem, b: &CallHierarchyItem) -> bool {
    a.uri == b.uri && a.selection_range == b.selection_range && a.name == b.name
}
