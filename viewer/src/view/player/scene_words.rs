//! Words for edits of the scene that are done, undone or redone.

use flockwork_engine::scenario::{Handle, SceneEdit, ScenePart};

/// Says what an edit has done.
pub(super) fn describe(edit: &SceneEdit, is_resized: bool) -> String {
    let state = match edit {
        SceneEdit::Move { .. } if is_resized => "is resized",
        SceneEdit::Move { .. } => "is moved",
        SceneEdit::AddObstacle { .. } | SceneEdit::AddPlace { .. } => "is added",
        SceneEdit::Remove { .. } => "is removed",
        SceneEdit::SetBehavior { .. } => "is new",
    };
    format!("{} {state}", thing(edit))
}

/// Returns whether an edit moves a rim or a corner, which sets a size.
pub(super) fn is_resized(edit: &SceneEdit, handles: &[Handle]) -> bool {
    let SceneEdit::Move { part, to } = edit else {
        return false;
    };
    let is_it = |one: &Handle| one.part == *part && to.iter().any(|(of, _)| *of == one.number);
    handles.iter().any(|one| one.is_size && is_it(one))
}

/// Says what it means that an edit was undone. `behavior` returns which script a group has now.
pub(super) fn describe_undo<'b>(
    edit: &SceneEdit,
    behavior: impl FnOnce(&str) -> Option<&'b str>,
) -> String {
    let state = match edit {
        SceneEdit::SetBehavior { group, .. } => {
            return match behavior(group) {
                Some(script) => format!("`{group}` has the script `{script}` again"),
                None => format!("`{group}` has no script again"),
            };
        }
        SceneEdit::Move { .. } => "is as it was",
        SceneEdit::AddObstacle { .. } | SceneEdit::AddPlace { .. } => "is gone",
        SceneEdit::Remove { .. } => "is back",
    };
    format!("{} {state}", thing(edit))
}

/// Says what it means that an edit was done again.
pub(super) fn describe_redo(edit: &SceneEdit) -> String {
    let state = match edit {
        SceneEdit::Move { .. } | SceneEdit::SetBehavior { .. } => "is changed again",
        SceneEdit::AddObstacle { .. } | SceneEdit::AddPlace { .. } => "is there again",
        SceneEdit::Remove { .. } => "is gone again",
    };
    format!("{} {state}", thing(edit))
}

/// Returns whether an edit creates agents again.
pub(super) fn makes_agents(edit: &SceneEdit) -> bool {
    matches!(edit.part(), Some(ScenePart::Spawn(_)))
}

/// Returns what an edit is about.
fn thing(edit: &SceneEdit) -> String {
    if let SceneEdit::SetBehavior { group, script } = edit {
        return format!("the script `{script}` of `{group}`");
    }
    match edit.part() {
        None => "the new obstacle".to_owned(),
        Some(ScenePart::Obstacle(name)) => format!("the obstacle `{name}`"),
        Some(ScenePart::Field(name)) => format!("the field `{name}`"),
        Some(ScenePart::Path(name)) => format!("the point of the path `{name}`"),
        Some(ScenePart::Goals(group)) => format!("the goal of `{group}`"),
        Some(ScenePart::Spawn(group)) => format!("the start of `{group}`"),
    }
}
