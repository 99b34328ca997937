//! Predicting in the window: guesses at the pointer, and what is drawn of them in the world.

use flockwork_engine::math::{Vec2, short};

use super::command::PlayerCommand;
use super::panels::predict;
use super::prediction::Prediction;
use super::ui::Ui;
use super::view_state::ViewState;
use crate::draw::{Anchor, Camera, Pen, Picture, text, text_width, track};

/// Size of the mark, in pixels from its center.
const MARK: f32 = 9.0;
/// Size of the distance, in pixels.
const LETTERS: f32 = 15.0;

impl Ui {
    /// Returns the guess that the selected agent will be at a place, as long after this tick as the person has chosen. `None`
    /// unless the person predicts and an agent is selected.
    fn prediction(&self, state: &ViewState, guess: Vec2) -> Option<Prediction> {
        let agent = state.next_turn.as_ref()?.id;
        let begin = state.world.tick;
        let end = begin + self.predicted_ticks(state);
        predict::PANEL.is_open(self).then_some(Prediction { agent, begin, end, guess })
    }

    /// Returns how long after a guess the agent is looked at, in ticks.
    fn predicted_ticks(&self, state: &ViewState) -> u64 {
        let seconds = predict::seconds(state)[self.predicted_time];
        ((seconds / state.world.dt).round() as u64).max(1)
    }

    /// Returns the command that makes a guess at the pointer, unless a click there selects an agent.
    pub(super) fn guess_here(&self, state: &ViewState) -> Option<PlayerCommand> {
        let prediction = self.prediction(state, self.point_under_pointer(state))?;
        Some(PlayerCommand::Predict(Some(prediction)))
    }

    /// Chooses how long after a guess the agent is looked at, by its number. It also counts for a guess that is still open.
    pub(super) fn predict_after(
        &mut self,
        state: &ViewState,
        number: usize,
    ) -> Option<PlayerCommand> {
        self.predicted_time = number;
        let open = state.prediction.as_ref().filter(|one| one.way.is_none())?;
        let prediction = open.prediction.clone();
        let end = prediction.begin + self.predicted_ticks(state);
        Some(PlayerCommand::Predict(Some(Prediction { end, ..prediction })))
    }
}

/// Draws the guess; once the run is there, also the way of the agent, and how far its place is from the guess.
pub(super) fn draw(picture: &mut Picture, camera: &Camera, ui: &Ui, state: &ViewState) {
    let Some(shown) = &state.prediction else { return };
    let (palette, space) = (ui.palette(), &state.world.space);
    let guess = camera.pixel(shown.prediction.guess);
    if let Some(error) = shown.error(&state.world) {
        let way = shown.way.as_deref().unwrap_or_default();
        track(picture, camera, space, way, Pen::new(palette.ink, 2.0));
        // In a world that wraps, the nearest copy of the true place counts.
        let there = camera.pixel(shown.prediction.guess + error);
        let pen = Pen { dash: Some(5.0), ..Pen::new(palette.highlight, 1.8) };
        picture.line(&[guess, there], false, pen);
        picture.circle(there, MARK, Pen::new(palette.ink, 2.0));
        // On the far side of the guess, where no arrow of the agent is.
        let words = short(error.length());
        let width = text_width(&words, LETTERS);
        let left =
            if guess.x >= there.x { guess.x + MARK + 5.0 } else { guess.x - MARK - 5.0 - width };
        let base = Vec2::new(left, guess.y + 5.0);
        let (low, high) = (base - Vec2::new(3.0, LETTERS), base + Vec2::new(width + 3.0, 5.0));
        picture.fill_rect(low, high, palette.panel.alpha(210));
        text(picture, base, Anchor::Left, LETTERS, palette.highlight, &words);
    }
    let pen = Pen::new(palette.highlight, 2.5);
    picture.circle(guess, MARK, pen);
    for across in [Vec2::new(MARK, MARK), Vec2::new(MARK, -MARK)] {
        let half = across * 0.6;
        picture.line(&[guess - half, guess + half], false, pen);
    }
}
