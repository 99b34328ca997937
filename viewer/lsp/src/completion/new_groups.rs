//! The script of a new group: one that works without anything else that the scenario lacks, with the params that the group has to declare.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use flockwork_engine::schema::NameKind;
use flockwork_engine::script::Library;
use flockwork_engine::steer;

use super::super::plural::singular;
use super::super::project::Project;
use super::super::rhai_text::Tokens;
use super::super::snippets::NewBehavior;

/// Returns the script that suits a new group of a scenario: the one with the name of the group, or if that is not given, the one for which the
/// least is missing. `None` if there is no such script that steers.
pub(super) fn behavior(project: &Project, path: &Path, group: Option<&str>) -> Option<NewBehavior> {
    let folder = project.scripts_folder(path);
    let names = folder.names();
    let candidates = match group {
        Some(group) => {
            let mut same = [group.to_owned(), singular(group)].into_iter();
            same.find(|name| names.contains(name)).into_iter().collect()
        }
        None => names,
    };
    let declared = project.declared(path, NameKind::Param);
    let has = |param: &String| {
        declared.get(param).is_some_and(|all| all.iter().any(|one| one.group.is_none()))
    };
    let all = candidates.into_iter().filter_map(|name| {
        let script = folder.path_of(&name)?;
        let needs_more = needs_more(project, &script)?;
        let missing: Vec<String> =
            params_read(project, &script).into_iter().filter(|param| !has(param)).collect();
        Some((needs_more, missing.len(), name, script, missing))
    });
    let (.., name, script, missing) = all.min()?;
    Some(NewBehavior { name, params: with_values(project, &script, missing) })
}

/// Returns the params that a script and those that it imports read.
pub(super) fn params_read(project: &Project, script: &Path) -> BTreeSet<String> {
    let scripts = [script.to_owned()].into_iter().chain(project.scripts_of(script));
    let names = scripts.flat_map(|script: PathBuf| project.names_in(&script));
    names.filter(|name| name.kind == NameKind::Param).map(|name| name.text).collect()
}

/// Returns whether a script needs more than its params, such as goals or a path. `None` if it does not steer.
fn needs_more(project: &Project, script: &Path) -> Option<bool> {
    let source = project.read(script).ok()?;
    let tokens = Tokens::new(&source.text);
    if !tokens.functions().into_iter().any(|(name, _)| tokens.get(name) == "steer") {
        return None;
    }
    let needs = |word: &str| {
        matches!(word, "goal" | "goals" | "path" | "follow_path" | "layer" | "field")
            || steer::find(word).and_then(steer::Primitive::needs).is_some()
    };
    Some((0..tokens.all.len()).any(|index| needs(tokens.get(index))))
}

/// Returns params with the values that another group with the script has, if these are numbers or booleans.
fn with_values(project: &Project, script: &Path, params: Vec<String>) -> Vec<(String, String)> {
    let declared = project.declared(script, NameKind::Param);
    let value = |param: &String| {
        let mut values = declared.get(param).into_iter().flatten();
        let is_plain =
            |value: &String| value.parse::<f32>().is_ok() || value.parse::<bool>().is_ok();
        let known = values.find_map(|one| one.value.clone().filter(is_plain));
        known.unwrap_or_else(|| "1.0".to_owned())
    };
    params.into_iter().map(|param| (param.clone(), value(&param))).collect()
}
