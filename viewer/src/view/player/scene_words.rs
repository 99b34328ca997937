//! Words for edits of the scene that are undone or redone.

use flockwork_engine::scenario::{SceneEdit, ScenePart};

/// Says what it means that an edit was undone.
pub(super) fn undone(edit: &SceneEdit) -> String {
    let state = match edit {
        SceneEdit::Move { .. } => "is as it was",
        SceneEdit::AddObstacle { .. } | SceneEdit::AddPlace { .. } => "is gone",
        SceneEdit::Remove { .. } => "is back",
    };
    format!("{} {state}", thing(edit))
}

/// Says what it means that an edit was done again.
pub(super) fn redone(edit: &SceneEdit) -> String {
    let state = match edit {
        SceneEdit::Move { .. } => "is changed again",
        SceneEdit::AddObstacle { .. } | SceneEdit::AddPlace { .. } => "is there again",
        SceneEdit::Remove { .. } => "is gone again",
    };
    format!("{} {state}", thing(edit))
}

/// Returns whether an edit makes agents anew.
pub(super) fn makes_agents(edit: &SceneEdit) -> bool {
    match edit {
        SceneEdit::Move { part, .. }
        | SceneEdit::AddPlace { part, .. }
        | SceneEdit::Remove { part, .. } => matches!(part, ScenePart::Spawn(_)),
        SceneEdit::AddObstacle { .. } => false,
    }
}

/// Returns what an edit is about.
fn thing(edit: &SceneEdit) -> String {
    match edit {
        SceneEdit::AddObstacle { .. } => "the new obstacle".to_owned(),
        SceneEdit::Move { part, .. }
        | SceneEdit::AddPlace { part, .. }
        | SceneEdit::Remove { part, .. } => match part {
            ScenePart::Obstacle(name) => format!("the obstacle `{name}`"),
            ScenePart::Field(name) => format!("the field `{name}`"),
            ScenePart::Path(name) => format!("the point of the path `{name}`"),
            ScenePart::Goals(group) => format!("the goal of `{group}`"),
            ScenePart::Spawn(group) => format!("the start of `{group}`"),
        },
    }
}
