//! A guess where the selected agent will be, and what came of it. The run knows nothing of it.

use flockwork_engine::math::Vec2;
use flockwork_engine::world::{AgentId, World};

/// The times that a person can choose, in seconds of a run at normal speed.
pub(super) const SECONDS: [f32; 3] = [2.0, 5.0, 10.0];

/// Maximum number of guesses about the same place.
pub(super) const MAX_GUESSES: usize = 9;

/// Guesses where an agent will be, of one person or of several.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Prediction {
    pub agent: AgentId,
    /// The tick at which they were made.
    pub begin: u64,
    /// The tick that they are about.
    pub end: u64,
    /// The places, in world units, in the order in which they were made: at least one.
    pub guesses: Vec<Vec2>,
}

/// Guesses, and what came of them once the run is there.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ShownPrediction {
    pub prediction: Prediction,
    /// The places of the agent from the guesses to their tick; `None` before. Empty if the agent is gone.
    pub way: Option<Vec<Vec2>>,
}

impl ShownPrediction {
    /// Returns where the agent was at the tick of the guesses, if that is known.
    fn outcome(&self) -> Option<Vec2> {
        self.way.as_ref()?.last().copied()
    }

    /// Returns the ways from the guesses to the true place, if that is known.
    pub(super) fn errors(&self, world: &World) -> Option<Vec<Vec2>> {
        let place = self.outcome()?;
        let guesses = self.prediction.guesses.iter();
        Some(guesses.map(|guess| world.space.offset(*guess, place)).collect())
    }
}
