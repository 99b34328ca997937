//! The obstacles of a keyframe that move or have moved, as text: one line for each.

use std::sync::Arc;

use super::scenario_names::{ScenarioNames, named};
use super::text::{self, LineParser, SyntaxError};
use crate::world::{ObstacleMotion, ObstacleState};

/// Appends the line of an obstacle.
pub(super) fn write(text: &mut String, state: &ObstacleState) {
    text.push_str("moves ");
    text::name(text, &state.name);
    text::vector(text, state.offset);
    match &state.motion {
        ObstacleMotion::Stop => {}
        ObstacleMotion::Velocity(velocity) => {
            text.push_str(" velocity");
            text::vector(text, *velocity);
        }
        ObstacleMotion::To { at, speed } => {
            text.push_str(" to");
            text::vector(text, *at);
            text.push(' ');
            text::number(text, *speed);
        }
        ObstacleMotion::Along { path, speed } => {
            text.push_str(" along ");
            text::name(text, path);
            text.push(' ');
            text::number(text, *speed);
            text.push_str(&format!(" {}", state.progress.waypoint));
            if state.progress.back {
                text.push_str(" back");
            }
        }
    }
    text.push('\n');
}

/// Reads the rest of a line that begins with `moves`.
pub(super) fn read(
    line: &mut LineParser<'_>,
    names: &ScenarioNames,
) -> Result<ObstacleState, SyntaxError> {
    let mut state = ObstacleState::new(line.name()?, ObstacleMotion::Stop);
    state.offset = line.vector()?;
    if line.takes("velocity") {
        state.motion = ObstacleMotion::Velocity(line.vector()?);
    } else if line.takes("to") {
        state.motion = ObstacleMotion::To { at: line.vector()?, speed: line.number()? };
    } else if line.takes("along") {
        let path = named(line, &names.paths, "the name of a path")?;
        let (path, speed) = (Arc::clone(&names.paths[path]), line.number()?);
        state.motion = ObstacleMotion::Along { path, speed };
        state.progress.waypoint = line.parse("the index of a waypoint")?;
        state.progress.back = line.takes("back");
    } else if !line.is_done() {
        return Err(line.wrong("`velocity`, `to` or `along`"));
    }
    Ok(state)
}

/// Gives a path another name in the motion of an obstacle.
pub(super) fn rename_path(state: &mut ObstacleState, rename: impl Fn(&mut Arc<str>)) {
    if let ObstacleMotion::Along { path, .. } = &mut state.motion {
        rename(path);
    }
}
