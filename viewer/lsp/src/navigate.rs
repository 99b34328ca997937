//! From a name to where it is declared and used.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use flockwork_engine::diag::Place;
use flockwork_engine::schema::NameKind;
use flockwork_engine::tokens::{Language, TokenKind, tokens};
use lsp_types::{
    DocumentHighlight, DocumentHighlightKind, DocumentHighlightParams, GotoDefinitionParams,
    GotoDefinitionResponse, Location, ReferenceParams, TextDocumentPositionParams,
};

use super::names::{Name, everywhere, script_path};
use super::own_names::OwnName;
use super::project::{Project, file};
use super::reference_file;
use super::rhai_text::Tokens;

/// Returns where the name at a position is declared.
pub(super) fn definition(
    project: &mut Project,
    params: GotoDefinitionParams,
) -> Option<GotoDefinitionResponse> {
    project.read_uses();
    let places = definition_places(project, &params.text_document_position_params);
    if places.is_empty() {
        return None;
    }
    let places = places.iter().filter_map(|place| project.location(place));
    Some(GotoDefinitionResponse::Array(places.collect()))
}

/// Returns the places that explain the name at a position: where it is declared, the file that it names, or where the reference has it.
pub(super) fn definition_places(project: &Project, at: &TextDocumentPositionParams) -> Vec<Place> {
    let declared = declared_places(project, at);
    let named_file = || Some(vec![start_of_named_file(project, at)?]);
    declared.or_else(named_file).unwrap_or_else(|| reference_file::places(project, at))
}

/// Returns the places where the name at a position is declared.
fn declared_places(project: &Project, at: &TextDocumentPositionParams) -> Option<Vec<Place>> {
    let path = file(&at.text_document.uri)?;
    Some(match name_at(project, at) {
        Some(name) if name.is_declared => vec![name.place],
        Some(name) if name.kind == NameKind::Script => {
            let script = script_path(project, &path, &name.text)?;
            vec![start_of(project, &script)?]
        }
        Some(name) => {
            let mut declared = project.declared(&path, name.kind);
            match declared.remove(&name.text) {
                Some(all) => all.into_iter().map(|one| one.place).collect(),
                None if name.kind == NameKind::State => places_that_set(project, &path, &name),
                None => return None,
            }
        }
        None => vec![own_name_at(project, at)?.declared],
    })
}

/// Returns the start of the file whose path is the text at a position of a scenario or a plan.
fn start_of_named_file(project: &Project, at: &TextDocumentPositionParams) -> Option<Place> {
    let path = file(&at.text_document.uri)?;
    let (source, offset) = project.offset(&path, at.position)?;
    let mut strings =
        tokens(&source.text, Language::Ron).filter(|token| token.kind == TokenKind::Text);
    let string = strings.find(|one| (one.inner.start..=one.inner.end).contains(&offset))?;
    let named = path.parent()?.join(&source.text[string.inner]);
    let source = named.is_file().then(|| project.read(&named).ok()).flatten()?;
    Some(Place { source, span: 0..0 })
}

/// Returns the places where scripts set a state that is not public: those in `init`, or else all.
fn places_that_set(project: &Project, path: &Path, name: &Name) -> Vec<Place> {
    let (mut first, mut others) = (Vec::new(), Vec::new());
    for Name { place, .. } in everywhere(project, path, name) {
        let tokens = Tokens::new(&place.source.text);
        let here = tokens.all.iter().position(|token| token.inner.start == place.span.start);
        let Some(index) = here else { continue };
        let is_in_init = |(name, end): &(usize, usize)| {
            tokens.get(*name) == "init" && (*name..=*end).contains(&index)
        };
        // `me.state.x =` and `me.state["x"] =`, or the name of a state machine.
        let is_set = matches!(
            (tokens.get(index + 1), tokens.get(index + 2)),
            ("=", _) | ("]", "=") | (":", _)
        );
        if is_set && tokens.functions().iter().any(is_in_init) {
            first.push(place);
        } else if is_set || tokens.is_choice(index) {
            others.push(place);
        }
    }
    if first.is_empty() { others } else { first }
}

/// Returns the place of the start of a file, or of its function that Flockwork calls.
fn start_of(project: &Project, script: &Path) -> Option<Place> {
    let source = project.read(script).ok()?;
    let tokens = Tokens::new(&source.text);
    let called = ["steer", "expect", "measure", "flow"];
    let function =
        tokens.functions().into_iter().find(|(name, _)| called.contains(&tokens.get(*name)));
    let span = function.map_or(0..0, |(name, _)| tokens.all[name].span.clone());
    Some(Place { source: Arc::clone(&source), span })
}

/// Returns the name at a position that a script declares.
pub(super) fn own_name_at(project: &Project, at: &TextDocumentPositionParams) -> Option<OwnName> {
    let path = file(&at.text_document.uri)?;
    let (_, offset) = project.offset(&path, at.position)?;
    project.own_name(&path, offset)
}

/// Returns the name at a position that other files know.
pub(super) fn name_at(project: &Project, at: &TextDocumentPositionParams) -> Option<Name> {
    let path = file(&at.text_document.uri)?;
    let (_, offset) = project.offset(&path, at.position)?;
    let mut names = project.names_in(&path).into_iter();
    names.find(|name| (name.place.span.start..=name.place.span.end).contains(&offset))
}

/// Returns all places where the name at a position is written, each with whether it is declared there.
pub(super) fn places_of(
    project: &Project,
    at: &TextDocumentPositionParams,
) -> Option<Vec<(Place, bool)>> {
    if let Some(name) = name_at(project, at) {
        let all = everywhere(project, &file(&at.text_document.uri)?, &name).into_iter();
        return Some(all.map(|one| (one.place, one.is_declared)).collect());
    }
    let Some(own) = own_name_at(project, at) else {
        let uses = reference_file::uses(project, at);
        return (!uses.is_empty()).then(|| uses.into_iter().map(|place| (place, false)).collect());
    };
    let uses = own.uses.into_iter().chain(behaviors_that_begin_at(project, &own.declared));
    let uses = uses.map(|place| (place, false));
    Some(std::iter::once((own.declared, true)).chain(uses).collect())
}

/// Returns where scenarios name a script, if a place is that of its function that Flockwork calls.
fn behaviors_that_begin_at(project: &Project, declared: &Place) -> Vec<Place> {
    let script = project.path_of(&declared.source);
    if start_of(project, &script).is_none_or(|start| start.span != declared.span) {
        return Vec::new();
    }
    let in_scenario = |path: PathBuf| {
        let is_it = |name: &Name| {
            name.kind == NameKind::Script
                && script_path(project, &path, &name.text).as_ref() == Some(&script)
        };
        let names = project.names_in(&path).into_iter();
        names.filter(is_it).map(|name| name.place).collect::<Vec<_>>()
    };
    let users = project.users_of(&script).into_iter().filter(|path| project.is_scenario(path));
    users.flat_map(in_scenario).collect()
}

/// Returns all places where the name at a position is written.
pub(super) fn references(project: &mut Project, params: ReferenceParams) -> Option<Vec<Location>> {
    project.check_all();
    let mut all = places_of(project, &params.text_document_position)?;
    all.retain(|(_, is_declared)| params.context.include_declaration || !is_declared);
    Some(all.iter().filter_map(|(place, _)| project.location(place)).collect())
}

/// Returns the places in the same file where the name at a position is written.
pub(super) fn highlights(
    project: &mut Project,
    params: DocumentHighlightParams,
) -> Option<Vec<DocumentHighlight>> {
    project.read_uses();
    let at = params.text_document_position_params;
    let path = file(&at.text_document.uri)?;
    let all = places_of(project, &at)?.into_iter();
    let here = all.filter(|(place, _)| project.path_of(&place.source) == path);
    let highlight = |(place, is_declared): (Place, bool)| DocumentHighlight {
        range: project.range(&place),
        kind: Some(if is_declared {
            DocumentHighlightKind::WRITE
        } else {
            DocumentHighlightKind::READ
        }),
    };
    Some(here.map(highlight).collect())
}
