//! The title of the window, which shows the state of one that is behind others.

use std::time::Duration;

use super::super::panels::{messages, time_bar};
use super::super::view_state::{Task, ViewState};

/// Returns the title of the window. It has no control characters, which window managers treat differently.
pub(super) fn title(state: &ViewState, busy: Option<(Task, Duration)>) -> String {
    let status = match (state.hash, state.target) {
        (Some(hash), _) => format!("paused - {hash:016x}"),
        (None, Some(target)) => format!("going to tick {target}"),
        (None, None) => time_bar::speed(state.speed, state.reached_share, state.world.dt),
    };
    let mut title = format!("{} - tick {} - {status}", state.name, state.world.tick);
    if !state.errors.is_empty() {
        title += " - has errors";
    }
    if busy.is_some_and(|(_, time)| time >= messages::LONG_TASK) {
        title += " - busy";
    }
    title.retain(|letter| !letter.is_control());
    title
}
