//! What the color of agents shows: their group, a number that they have, or the number of an expression.

use std::sync::Arc;

use super::command::PlayerCommand;
use super::ui::Ui;
use super::view_state::ViewState;
use crate::draw::{AgentColors, ColorBy, LIGHT, Palette};

impl Ui {
    /// Returns what the color of agents shows.
    pub(super) fn shown_colors(&self, state: &ViewState) -> ColorBy {
        match state.numbers.as_ref().filter(|_| self.overlays.numbers) {
            Some(one) => ColorBy::Expression(one.text.clone(), Arc::clone(&one.numbers)),
            None => self.color_by.clone(),
        }
    }

    /// Returns the colors of the agents.
    pub(super) fn agent_colors<'w>(
        &self,
        state: &'w ViewState,
        palette: &'w Palette,
        by: &'w ColorBy,
    ) -> AgentColors<'w> {
        let colors = AgentColors::new(&state.world, palette, by);
        match self.speeds.range() {
            Some(range) if *by == ColorBy::Speed => colors.with_range(range),
            _ => colors,
        }
    }

    /// Notes the speeds that occur, while colors show them.
    pub(super) fn keep_speeds(&mut self, state: &ViewState) {
        let by = self.shown_colors(state);
        self.speeds.begin(state.last_tick);
        let range = match by {
            ColorBy::Speed => self.agent_colors(state, &LIGHT, &by).range(),
            _ => None,
        };
        self.speeds.keep(range, state.last_tick);
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
