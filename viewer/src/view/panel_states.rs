//! The state that the window keeps of each panel: whether it is open, and which part of it is shown.

use std::collections::BTreeMap;

/// Identifies a panel in commands and in the state of the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct PanelId(pub(super) &'static str);

/// The state of a panel.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct PanelState {
    /// Whether its key or its button has opened it; for a panel that is open at the start, closed it.
    pub(super) is_toggled: bool,
    /// How far it is scrolled, in the panel's own unit: lines or pixels.
    pub(super) scroll: f32,
    /// Only lines with this text are shown.
    pub(super) filter: String,
}

/// The states of all panels that have been used.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct PanelStates(BTreeMap<PanelId, PanelState>);

impl PanelStates {
    /// Returns whether the panel was opened, or closed if it is open at the start.
    pub(super) fn is_toggled(&self, id: PanelId) -> bool {
        self.0.get(&id).is_some_and(|state| state.is_toggled)
    }

    pub(super) fn scroll(&self, id: PanelId) -> f32 {
        self.0.get(&id).map_or(0.0, |state| state.scroll)
    }

    /// Returns the text that all shown lines of a panel contain.
    pub(super) fn filter(&self, id: PanelId) -> &str {
        self.0.get(&id).map_or("", |state| &state.filter)
    }

    pub(super) fn state_mut(&mut self, id: PanelId) -> &mut PanelState {
        self.0.entry(id).or_default()
    }
}
