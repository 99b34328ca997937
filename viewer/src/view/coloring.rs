//! What the color of agents shows: their group, a number that they have, or the number of an expression.

use std::sync::Arc;

use super::command::PlayerCommand;
use super::ui::Ui;
use super::view_state::ViewState;
use crate::draw::ColorBy;

impl Ui {
    /// Returns what the color of agents shows.
    pub(super) fn shown_colors(&self, state: &ViewState) -> ColorBy {
        match state.numbers.as_ref().filter(|_| self.overlays.numbers) {
            Some(one) => ColorBy::Expression(one.text.clone(), Arc::clone(&one.numbers)),
            None => self.color_by.clone(),
        }
    }

    /// Colors the agents by the next thing that their color can show; the expression is the last one, if there is any.
    pub(super) fn next_colors(&mut self, state: &ViewState) -> Vec<PlayerCommand> {
        let all = ColorBy::all(&state.world);
        let here = all.iter().position(|by| *by == self.color_by).unwrap_or(0);
        let is_last = self.overlays.numbers || here + 1 == all.len();
        if is_last && !self.overlays.numbers && state.numbers.is_some() {
            return self.show_expression(true);
        }
        self.color_by = if is_last { ColorBy::Group } else { all[here + 1].clone() };
        self.show_expression(false)
    }

    /// Colors the agents by the expression, or by what they were colored by before.
    pub(super) fn show_expression(&mut self, is_shown: bool) -> Vec<PlayerCommand> {
        if self.overlays.numbers == is_shown {
            return Vec::new();
        }
        self.overlays.numbers = is_shown;
        vec![PlayerCommand::SetOverlays(self.overlays)]
    }
}
