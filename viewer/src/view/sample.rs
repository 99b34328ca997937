//! Which agents overlays show: all in the picture, or an even part of them if that would take too long to draw.

use flockwork_engine::math::random::Mix;
use flockwork_engine::world::AgentId;

use super::ui::Ui;
use super::view_state::ViewState;

/// Overlays show at most about this many agents: drawing the forces and trails of this many takes a third of a frame.
pub(super) const MOST: usize = 1000;

/// A part of the agents, chosen by their ids: so it stays the same from frame to frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sample {
    /// One of this many agents is in it; a power of 2, so that a smaller part is within a larger one.
    pub(super) every: usize,
}

impl Sample {
    /// Returns the sample for the overlays of a frame.
    pub(super) fn new(ui: &Ui, state: &ViewState) -> Self {
        let agents = &state.world.agents;
        if agents.len() <= MOST || !(ui.has_trails || ui.overlays.forces) {
            return Self { every: 1 };
        }
        let (camera, (width, height)) = (ui.camera(state), ui.size);
        let is_inside = |row: &usize| {
            let at = camera.pixel(agents.pos(*row));
            (0.0..width as f32).contains(&at.x) && (0.0..height as f32).contains(&at.y)
        };
        let is_shown = |row: &usize| !ui.is_hidden(state, agents.group[*row]);
        let shown = (0..agents.len()).filter(is_shown).filter(is_inside).count();
        Self { every: shown.div_ceil(MOST).max(1).next_power_of_two() }
    }

    /// Returns whether an agent is in it.
    pub(super) fn has(self, id: AgentId) -> bool {
        self.every == 1 || Mix::new(0).with(id.0.into()).value().is_multiple_of(self.every as u64)
    }
}
