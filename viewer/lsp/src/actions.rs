//! Code actions: the fixes of findings.

use std::collections::HashMap;
use std::path::Path;

use flockwork_engine::diag::{Fix, Place, Remedy};
use flockwork_engine::{Code, Diagnostic};
use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams, CodeActionResponse, Command,
    CreateFile, DocumentChangeOperation, DocumentChanges, OneOf,
    OptionalVersionedTextDocumentIdentifier, Range, ResourceOp, TextDocumentEdit, TextEdit, Uri,
    WorkspaceEdit,
};

use super::diagnostics::diagnostic;
use super::imports;
use super::project::{Project, file, name_of};

/// The command that opens a file, which it gets as a URI, with what is selected there: it follows a fix that creates the file. The program executes it.
pub const OPEN_COMMAND: &str = "flockwork.open";

/// Returns the fixes of the findings at a place.
pub(super) fn actions(
    project: &mut Project,
    params: CodeActionParams,
) -> Option<CodeActionResponse> {
    // The findings of the text as it is now.
    project.check_first();
    let path = file(&params.text_document.uri)?;
    let mut all: Vec<CodeAction> = Vec::new();
    for (finding, _) in project.findings_of_checks() {
        let Some(place) = &finding.place else { continue };
        if project.path_of(&place.source) != path || !is_at(project, finding, params.range) {
            continue;
        }
        if finding.code == Code::UnknownName {
            for fix in imports::fixes(project, &path, place) {
                let found = vec![diagnostic(project, finding, &[])];
                add(&mut all, CodeAction { diagnostics: Some(found), ..fix });
            }
        }
        for fix in finding.fixes() {
            let Some(edit) = edit(project, [&fix]) else { continue };
            let fix = CodeAction {
                title: fix.title,
                kind: Some(CodeActionKind::QUICKFIX),
                diagnostics: Some(vec![diagnostic(project, finding, &[])]),
                edit: Some(edit),
                ..CodeAction::default()
            };
            add(&mut all, fix);
        }
        for remedy in &finding.remedies.0 {
            if let Remedy::NewScript { name, text } = remedy
                && let Some(uri) = script_uri(project, &path, name)
            {
                let title = format!("Create the script `{name}`");
                let open = project.opens_files.then(|| Command {
                    title: format!("Open `{name}`"),
                    command: OPEN_COMMAND.to_owned(),
                    arguments: Some(vec![
                        uri.as_str().into(),
                        serde_json::to_value(body(text)).unwrap_or_default(),
                    ]),
                });
                let fix = CodeAction {
                    title,
                    kind: Some(CodeActionKind::QUICKFIX),
                    diagnostics: Some(vec![diagnostic(project, finding, &[])]),
                    edit: Some(new_file(uri, text)),
                    command: open,
                    ..CodeAction::default()
                };
                add(&mut all, fix);
            }
        }
    }
    for mirror in project.mirrors() {
        let is_here = |place: &Place| {
            project.path_of(&place.source) == path && overlap(project.range(place), params.range)
        };
        if mirror.places.iter().any(is_here) {
            // Only the changes of the scenario: others are offered where they are made.
            let fixes = mirror.finding.fixes().into_iter();
            let fixes = fixes.filter(|fix| project.path_of(&fix.place.source) == path);
            for fix in fixes {
                let Some(edit) = edit(project, [&fix]) else { continue };
                let fix = CodeAction {
                    title: fix.title,
                    kind: Some(CodeActionKind::QUICKFIX),
                    diagnostics: Some(vec![mirror.diagnostic(project)]),
                    edit: Some(edit),
                    is_preferred: Some(true),
                    ..CodeAction::default()
                };
                add(&mut all, fix);
            }
        }
    }
    tell_apart(&mut all, &params.text_document.uri, params.range);
    Some(all.into_iter().map(CodeActionOrCommand::CodeAction).collect())
}

/// Leaves out fixes if one with the same title is at the cursor, and says of others with the same title what they change.
fn tell_apart(all: &mut Vec<CodeAction>, open: &Uri, cursor: Range) {
    let is_here = |one: &CodeAction| {
        changed(one).is_some_and(|(uri, range)| uri == open && overlap(range, cursor))
    };
    let titles = |all: &[CodeAction]| all.iter().map(|one| one.title.clone()).collect::<Vec<_>>();
    let here: Vec<CodeAction> = all.iter().filter(|one| is_here(one)).cloned().collect();
    let here = titles(&here);
    all.retain(|one| is_here(one) || !here.contains(&one.title));
    let known = titles(all);
    for one in all {
        if known.iter().filter(|title| **title == one.title).count() < 2 {
            continue;
        }
        let place = changed(one).and_then(|(uri, Range { start, .. })| match uri == open {
            true => Some(format!("line {}, column {}", start.line + 1, start.character + 1)),
            false => file(uri).map(|path| name_of(&path)),
        });
        one.title += &place.map_or_else(String::new, |place| format!(" in {place}"));
    }
}

/// Returns the first place that a fix changes.
fn changed(fix: &CodeAction) -> Option<(&Uri, Range)> {
    let (uri, edits) = fix.edit.as_ref()?.changes.as_ref()?.iter().next()?;
    Some((uri, edits.first()?.range))
}

/// Adds a fix, unless it is there: the check of another file, such as a plan, may have found the same.
fn add(all: &mut Vec<CodeAction>, fix: CodeAction) {
    if all.iter().all(|known| known.title != fix.title || known.edit != fix.edit) {
        all.push(fix);
    }
}

/// Returns the URI of a script of a scenario. `None` if the scenario has no folder of scripts.
fn script_uri(project: &Project, scenario: &Path, name: &str) -> Option<Uri> {
    project.uri(&project.scripts_folder(scenario).path_of(name)?)
}

/// Returns the range of the line in the function of a new script, which is to be replaced.
fn body(text: &str) -> Range {
    let line = text.lines().position(|line| line.starts_with(' ')).unwrap_or_default();
    let written = text.lines().nth(line).unwrap_or_default();
    let column = |columns: usize| u32::try_from(columns).unwrap_or_default();
    let at = |columns| lsp_types::Position::new(column(line), column(columns));
    Range::new(at(written.len() - written.trim_start().len()), at(written.len()))
}

/// Returns the edit that creates a file with a text.
fn new_file(uri: Uri, text: &str) -> WorkspaceEdit {
    let create = CreateFile { uri: uri.clone(), options: None, annotation_id: None };
    let whole = TextEdit { range: Range::default(), new_text: text.to_owned() };
    let operations = vec![
        DocumentChangeOperation::Op(ResourceOp::Create(create)),
        DocumentChangeOperation::Edit(TextDocumentEdit {
            text_document: OptionalVersionedTextDocumentIdentifier { uri, version: None },
            edits: vec![OneOf::Left(whole)],
        }),
    ];
    let document_changes = Some(DocumentChanges::Operations(operations));
    WorkspaceEdit { document_changes, ..WorkspaceEdit::default() }
}

/// Returns whether a finding is at a range of its file. A mistake of grammar is on all lines of its place and its fixes, and on that of what
/// follows a fix, since the cursor is rarely where a sign is missing. What else the finding mentions is no place for its fixes.
fn is_at(project: &Project, finding: &Diagnostic, range: Range) -> bool {
    let Some(place) = &finding.place else { return false };
    if finding.code != Code::Syntax {
        return overlap(project.range(place), range);
    }
    let fixes = finding.fixes().into_iter().map(|fix| fix.place);
    let fixes: Vec<Place> = fixes.filter(|fix| fix.source == place.source).collect();
    let is_next = |other: &&Place| {
        other.source == place.source && fixes.iter().any(|fix| is_directly_behind(other, fix))
    };
    let related = finding.related.iter().map(|(other, _)| other).filter(is_next);
    [place].into_iter().chain(&fixes).chain(related).any(|place| {
        let lines = project.range(place);
        lines.start.line <= range.end.line && range.start.line <= lines.end.line
    })
}

/// Returns whether only white space and comments are between a place and the one before it.
fn is_directly_behind(place: &Place, before: &Place) -> bool {
    let between = place.source.text.get(before.span.end..place.span.start);
    let without_comment = |line: &str| line.split("//").next().unwrap_or_default().trim().len();
    between.is_some_and(|between| between.lines().all(|line| without_comment(line) == 0))
}

/// Returns whether two ranges have a position in common. Ends belong to them, so that a cursor behind a word counts.
fn overlap(a: Range, b: Range) -> bool {
    a.start <= b.end && b.start <= a.end
}

/// Returns the edit that changes files; `None` if one of the files has changed since.
#[expect(clippy::mutable_key_type, reason = "the type of the protocol; nobody changes a URI in it")]
pub(super) fn edit<'f>(
    project: &Project,
    fixes: impl IntoIterator<Item = &'f Fix>,
) -> Option<WorkspaceEdit> {
    let mut changes: HashMap<Uri, Vec<TextEdit>> = HashMap::new();
    for Fix { place, text, .. } in fixes {
        if !project.is_current(&place.source) {
            return None;
        }
        let location = project.location(place)?;
        let edit = TextEdit { range: location.range, new_text: text.clone() };
        changes.entry(location.uri).or_default().push(edit);
    }
    Some(WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() })
}
