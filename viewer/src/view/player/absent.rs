//! What is said about a selected agent that is not in the world at the shown tick.

use std::sync::Arc;

use flockwork_engine::live::Tracks;
use flockwork_engine::world::AgentId;

use super::super::view_state::AbsentAgent;
use super::Player;

/// Returns when an agent is in the world, if it is not there at a tick but at another one that is known.
fn absence(tracks: &Tracks, id: AgentId, tick: u64) -> Option<AbsentAgent> {
    let (first, last) = tracks.ticks()?;
    let mut left_at = tick + 1;
    let mut rows = tracks.between(first, tick).rev();
    while let Some((before, row)) = rows.next() {
        if let Some(pos) = row.position(id) {
            // What removes an agent may come before its turn.
            let earlier = rows.next().filter(|(_, row)| row.position(id).is_some());
            let nearest = earlier.map_or(before, |(tick, _)| tick);
            let left_at = Some(left_at);
            return Some(AbsentAgent { id, group: None, pos, nearest, left_at });
        }
        left_at = before;
    }
    tracks.between(tick, last).find_map(|(nearest, row)| {
        let pos = row.position(id)?;
        Some(AbsentAgent { id, group: None, pos, nearest, left_at: None })
    })
}

impl Player {
    /// Returns when the selected agent is in the world, if it is not there now, or has no turn there any more.
    pub(super) fn absent(&self, has_turn: bool) -> Option<AbsentAgent> {
        let (id, world) = (self.selected?, self.session.simulation().world());
        // The turn of an agent is not always looked for.
        let can_tell = self.is_visible && self.target.is_none();
        if world.agents.row(id).is_some() && (has_turn || !can_tell) {
            return None;
        }
        let known = self.selected_group.as_ref().filter(|(of, _)| *of == id);
        let group = known.map(|(_, name)| Arc::clone(name));
        Some(AbsentAgent { group, ..absence(self.session.tracks(), id, world.tick)? })
    }

    /// Selects no agent if the selected one is not in the world at any tick that is known.
    pub(super) fn deselect_removed(&mut self) {
        let agents = &self.session.simulation().world().agents;
        if self.selected.is_some_and(|id| agents.row(id).is_none()) && self.absent(false).is_none()
        {
            self.selected = None;
        }
    }

    /// Says that the selected agent has left the world in this tick, if it has. A click on the notice goes back to its last tick.
    pub(super) fn say_if_selected_has_left(&mut self, was_there: bool) {
        let Some(absent) = self.absent(true).filter(|_| was_there) else { return };
        self.notice(absent.words(), false);
        if let Some(notice) = self.notices.last_mut() {
            (notice.selects, notice.goes_to) = (Some(absent.id), Some(absent.nearest));
        }
    }

    /// Notes the group of the selected agent while it is in the world, and returns whether it is.
    pub(super) fn note_selected(&mut self) -> bool {
        let world = self.session.simulation().world();
        let there = self.selected.and_then(|id| Some((id, world.agents.row(id)?)));
        let Some((id, row)) = there else { return false };
        self.selected_group = Some((id, Arc::clone(&world.group(world.agents.group[row]).name)));
        true
    }
}
