//! The scripts that a script imports, and the fix for a call of a function that another script defines: import that script, and call the
//! function there.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use flockwork_engine::diag::{Place, Source};
use flockwork_engine::load::ScriptsFolder;
use flockwork_engine::script::Library as _;
use lsp_types::{CodeAction, CodeActionKind, TextEdit, WorkspaceEdit};

use super::project::{Project, is_script};
use super::rhai_text::Tokens;

/// Returns the script that is imported by an alias, and its path.
pub(super) fn imported(
    project: &Project,
    path: &Path,
    tokens: &Tokens<'_>,
    alias: &str,
) -> Option<(Arc<Source>, PathBuf)> {
    let imports = tokens.imports();
    let (name, _) = imports.iter().find(|(_, known)| *known == alias)?;
    let path = project.scripts_folder(path).path_of(tokens.name(*name))?;
    Some((project.read(&path).ok()?, path))
}

/// Returns the fixes for an unknown name at a place.
pub(super) fn fixes(project: &Project, path: &Path, place: &Place) -> Vec<CodeAction> {
    let source = &place.source;
    let tokens = Tokens::new(&source.text);
    let call = tokens.at(place.span.start + 1).filter(|&index| {
        let is_member = index > 0 && (tokens.is_dot(index - 1) || tokens.get(index - 1) == "::");
        tokens.get(index + 1) == "(" && !is_member
    });
    let (Some(call), Ok((folder, own))) =
        (call, ScriptsFolder::of_open_script(path, project.open_files()))
    else {
        return Vec::new();
    };
    if !is_script(path) || !project.is_current(source) {
        return Vec::new();
    }
    let function = tokens.get(call);
    let mut all = Vec::new();
    for name in folder.names() {
        let Some(script) = folder.path_of(&name).filter(|_| name != own) else { continue };
        // A script that imports this one cannot be imported here.
        if defines(project, &script, function) && !project.scripts_of(&script).contains(path) {
            all.extend(fix(project, source, &tokens, call, &name));
        }
    }
    all
}

/// Returns whether other scripts can call a function of a script.
fn defines(project: &Project, script: &Path, function: &str) -> bool {
    project.read(script).is_ok_and(|source| {
        let tokens = Tokens::new(&source.text);
        let mut all = tokens.functions().into_iter();
        all.any(|(name, _)| tokens.get(name) == function && !tokens.is_private(name))
    })
}

/// Returns the fix that imports a script, unless it is imported already, and names it before the call.
fn fix(
    project: &Project,
    source: &Arc<Source>,
    tokens: &Tokens<'_>,
    call: usize,
    script: &str,
) -> Option<CodeAction> {
    let imports = tokens.imports();
    let known = imports.iter().find(|(at, alias)| tokens.name(*at) == script && !alias.is_empty());
    let alias = match known {
        Some((_, alias)) => (*alias).to_owned(),
        None => {
            let last = script.rsplit('/').next().unwrap_or(script);
            let name: String =
                last.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
            let starts_well = name.starts_with(|c: char| c.is_alphabetic());
            if starts_well { name } else { format!("script_{name}") }
        }
    };
    let insert = |at: usize, new_text: String| {
        let range = project.range(&Place { source: Arc::clone(source), span: at..at });
        TextEdit { range, new_text }
    };
    let mut edits = Vec::new();
    if known.is_none() {
        let ending = if source.text.contains("\r\n") { "\r\n" } else { "\n" };
        // Before the first import, or before everything else, with the comments there kept at the top.
        let first = imports.first().map_or(0, |(name, _)| name - 1);
        let at = tokens.all.get(first)?.span.start;
        edits.push(insert(at, format!("import \"{script}\" as {alias};{ending}")));
    }
    edits.push(insert(tokens.all[call].span.start, format!("{alias}::")));
    let uri = project.uri(&project.path_of(source))?;
    Some(CodeAction {
        title: format!("Call the function of `{script}`"),
        kind: Some(CodeActionKind::QUICKFIX),
        edit: Some(WorkspaceEdit {
            changes: Some(HashMap::from([(uri, edits)])),
            ..WorkspaceEdit::default()
        }),
        ..CodeAction::default()
    })
}
