//! The numbers of an expression that color agents.

use std::sync::Arc;

use flockwork_engine::script::number;
use flockwork_engine::sim::Brain;

use super::super::state_names::why_wrong;
use super::super::view_state::ColorNumbers;
use super::Player;

/// An expression that has a number for each agent.
pub(super) struct ColorExpression {
    text: String,
    brain: Arc<dyn Brain>,
}

impl Player {
    /// Chooses the expression whose numbers color agents. The error says what is wrong with it.
    pub(super) fn set_color_by(&mut self, text: String) -> Result<(), String> {
        let simulation = self.session.simulation();
        let why = |error| why_wrong(&text, error, simulation);
        let brain = number(&text).map_err(why)?;
        simulation.numbers_of(&brain).map_err(|error| why(*error.what))?;
        self.color_by = Some(ColorExpression { text, brain });
        Ok(())
    }

    /// Returns the expression and, while it is shown, its numbers at this tick: none for groups for which it fails.
    pub(super) fn color_numbers(&self) -> Option<ColorNumbers> {
        let ColorExpression { text, brain } = self.color_by.as_ref()?;
        let numbers = match self.overlays.numbers && self.is_visible {
            true => self.session.simulation().numbers_of(brain).unwrap_or_default(),
            false => Vec::new(),
        };
        Some(ColorNumbers { text: text.clone(), numbers: numbers.into() })
    }
}
