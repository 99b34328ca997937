//! Predictions of the person: playing until the tick of the guess, and what came of it.

use super::super::prediction::{Prediction, ShownPrediction};
use super::Player;
use super::publish::rows;

impl Player {
    /// Keeps a guess and pauses, or forgets it.
    pub(super) fn predict(&mut self, prediction: Option<Prediction>) {
        if prediction.is_some() {
            self.set_playing(false);
        }
        self.prediction = prediction;
    }

    /// Returns whether time has passed up to the tick of the guess, so that it pauses there. A run to a tick goes on.
    pub(super) fn has_reached_prediction(&self) -> bool {
        let tick = self.session.tick();
        self.target.is_none() && self.prediction.as_ref().is_some_and(|one| one.end == tick)
    }

    /// Returns the guess, and what came of it if that is known at this tick.
    pub(super) fn shown_prediction(&self) -> Option<ShownPrediction> {
        let prediction = self.prediction.clone()?;
        let Prediction { agent, begin, end, .. } = prediction;
        let tracks = self.session.tracks();
        let way = (self.session.tick() >= end).then(|| {
            let is_there = tracks.at(end).is_some_and(|(_, row)| row.position(agent).is_some());
            let rows = if is_there { rows(tracks, begin, end) } else { Vec::new() };
            rows.iter().filter_map(|row| row.position(agent)).collect()
        });
        Some(ShownPrediction { prediction, way })
    }
}
