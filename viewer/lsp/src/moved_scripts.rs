//! Scripts that the editor is about to move or to rename: the files that name them follow.

use std::path::Path;

use flockwork_engine::diag::Place;
use flockwork_engine::schema::NameKind;
use flockwork_engine::script::is_script_name;
use lsp_types::{
    FileOperationFilter, FileOperationPattern, FileOperationRegistrationOptions, RenameFilesParams,
    WorkspaceEdit,
};

use super::names::script_path;
use super::project::{Project, file, is_script};
use super::rename::{edit, edits, with_text};
use super::rename_comments::aligned_comments;

/// Returns the files whose new paths the editor tells before they have them.
pub(super) fn moved_files() -> FileOperationRegistrationOptions {
    let pattern = FileOperationPattern { glob: "**/*.rhai".to_owned(), ..Default::default() };
    let scripts = FileOperationFilter { scheme: Some("file".to_owned()), pattern };
    FileOperationRegistrationOptions { filters: vec![scripts] }
}

/// Returns the changes of what names scripts that get other paths. A path that is no name of a script changes nothing: `check` says what is
/// missing then.
pub(super) fn moved_scripts(
    project: &mut Project,
    params: RenameFilesParams,
) -> Option<WorkspaceEdit> {
    project.check_all();
    let mut changes = Vec::new();
    for moved in params.files {
        let path = |uri: &str| file(&uri.parse().ok()?).filter(|path| is_script(path));
        let (Some(old), Some(new)) = (path(&moved.old_uri), path(&moved.new_uri)) else { continue };
        let Some(name) = name_at(project, &old, &new) else { continue };
        let places: Vec<Place> = naming(project, &old);
        let comments = aligned_comments(project, &places, &name);
        changes.extend(with_text(places, &name).into_iter().chain(comments));
    }
    (!changes.is_empty()).then(|| edit(edits(project, changes)))
}

/// Returns the name that a script has at a path.
fn name_at(project: &Project, old: &Path, new: &Path) -> Option<String> {
    let folder = project.scripts_folder(old);
    let inner = new.strip_prefix(folder.root()?).ok()?.with_extension("");
    let parts: Option<Vec<&str>> = inner.iter().map(|part| part.to_str()).collect();
    Some(parts?.join("/")).filter(|name| is_script_name(name))
}

/// Returns where files name a script.
fn naming(project: &Project, script: &Path) -> Vec<Place> {
    let all = project.files().flat_map(|path| {
        let names = project.names_in(path).into_iter();
        let names = names.filter(|name| name.kind == NameKind::Script);
        names.filter(|name| script_path(project, path, &name.text).as_deref() == Some(script))
    });
    all.map(|name| name.place).collect()
}
