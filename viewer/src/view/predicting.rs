//! Predicting in the window: guesses at the pointer, and what is drawn of them in the world.

use flockwork_engine::math::{Vec2, short};

use super::command::PlayerCommand;
use super::panels::predict;
use super::prediction::{MAX_GUESSES, Prediction, ShownPrediction};
use super::ui::Ui;
use super::view_state::ViewState;
use crate::draw::{Anchor, Camera, Palette, Pen, Picture, text, text_width, track};

/// Size of the mark, in pixels from its center.
const MARK: f32 = 9.0;
/// Size of the distance, in pixels.
const LETTERS: f32 = 15.0;

impl Ui {
    /// Returns the guesses with one more, that the selected agent will be at a place, as long after this tick as the person has chosen; or
    /// with one less, if there is one at this place. `None` unless the person predicts and an agent is selected.
    fn prediction(&self, state: &ViewState, guess: Vec2) -> Option<Option<Prediction>> {
        let agent = state.next_turn.as_ref().filter(|_| predict::PANEL.is_open(self))?.id;
        let begin = state.world.tick;
        let end = begin + self.predicted_ticks(state);
        let is_open = |one: &&ShownPrediction| {
            one.way.is_none() && (one.prediction.agent, one.prediction.begin) == (agent, begin)
        };
        let known = state.prediction.as_ref().filter(is_open);
        let mut guesses = known.map(|one| one.prediction.guesses.clone()).unwrap_or_default();
        let near = self.camera(state).units(MARK);
        let here = guesses.iter().position(|one| one.distance(guess) < near);
        match here {
            Some(here) => {
                guesses.remove(here);
            }
            None => {
                guesses.truncate(MAX_GUESSES - 1);
                guesses.push(guess);
            }
        }
        Some((!guesses.is_empty()).then_some(Prediction { agent, begin, end, guesses }))
    }

    /// Returns how long after a guess the agent is looked at, in ticks.
    fn predicted_ticks(&self, state: &ViewState) -> u64 {
        let seconds = predict::seconds(state)[self.predicted_time];
        ((seconds / state.world.dt).round() as u64).max(1)
    }

    /// Returns the command that makes a guess at the pointer, or takes it back, unless a click there selects an agent.
    pub(super) fn guess_here(&self, state: &ViewState) -> Option<PlayerCommand> {
        let prediction = self.prediction(state, self.point_under_pointer(state))?;
        Some(PlayerCommand::Predict(prediction))
    }

    /// Chooses how long after a guess the agent is looked at, by its number. It also counts for guesses that are still open.
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

/// Draws the guesses; once the run is there, also the way of the agent.
pub(super) fn draw(picture: &mut Picture, camera: &Camera, ui: &Ui, state: &ViewState) {
    let Some(shown) = &state.prediction else { return };
    let palette = ui.palette();
    let guesses = &shown.prediction.guesses;
    let errors = shown.errors(&state.world);
    if errors.is_some() {
        let way = shown.way.as_deref().unwrap_or_default();
        track(picture, camera, &state.world.space, way, Pen::new(palette.ink, 2.0));
    }
    for (index, at) in guesses.iter().enumerate() {
        let guess = camera.pixel(*at);
        let error = errors.as_ref().map(|errors| errors[index]);
        if let Some(error) = error {
            // In a world that wraps, the nearest copy of the true place counts.
            let there = camera.pixel(*at + error);
            let pen = Pen { dash: Some(5.0), ..Pen::new(palette.highlight, 1.8) };
            picture.line(&[guess, there], false, pen);
            picture.circle(there, MARK, Pen::new(palette.ink, 2.0));
        }
        let pen = Pen::new(palette.highlight, 2.5);
        picture.circle(guess, MARK, pen);
        for across in [Vec2::new(MARK, MARK), Vec2::new(MARK, -MARK)] {
            let half = across * 0.6;
            picture.line(&[guess - half, guess + half], false, pen);
        }
    }
}

/// Writes the numbers of the guesses, and how far the place of the agent is from each, once the run is there.
pub(super) fn draw_numbers(picture: &mut Picture, camera: &Camera, ui: &Ui, state: &ViewState) {
    let Some(shown) = &state.prediction else { return };
    let guesses = &shown.prediction.guesses;
    let errors = shown.errors(&state.world);
    for (index, at) in guesses.iter().enumerate() {
        // With several, each has the number by which the panel calls it.
        let number = (guesses.len() > 1).then(|| format!("{}", index + 1));
        let error = errors.as_ref().map(|errors| errors[index]);
        let distance = error.map(|error| short(error.length()));
        let words: Vec<String> = [number, distance].into_iter().flatten().collect();
        if !words.is_empty() {
            // On the far side of the guess, where no arrow of the agent is.
            let is_right = error.is_none_or(|error| error.x <= 0.0);
            label(picture, ui.palette(), camera.pixel(*at), is_right, &words.join(": "));
        }
    }
}

/// Writes beside a guess.
fn label(picture: &mut Picture, palette: &Palette, guess: Vec2, is_right: bool, words: &str) {
    let width = text_width(words, LETTERS);
    let left = if is_right { guess.x + MARK + 5.0 } else { guess.x - MARK - 5.0 - width };
    let base = Vec2::new(left, guess.y + 5.0);
    let (low, high) = (base - Vec2::new(3.0, LETTERS), base + Vec2::new(width + 3.0, 5.0));
    picture.fill_rect(low, high, palette.panel.alpha(210));
    text(picture, base, Anchor::Left, LETTERS, palette.highlight, words);
}
