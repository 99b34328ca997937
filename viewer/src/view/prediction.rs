//! A guess where the selected agent will be, and what came of it. The run knows nothing of it.

use flockwork_engine::math::Vec2;
use flockwork_engine::world::{AgentId, World};

/// The times that a person can choose, in seconds of a run at normal speed.
pub(super) const SECONDS: [f32; 3] = [2.0, 5.0, 10.0];

/// A guess where an agent will be.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Prediction {
    pub agent: AgentId,
    /// The tick at which it was made.
    pub begin: u64,
    /// The tick that it is about.
    pub end: u64,
    /// World units.
    pub guess: Vec2,
}

/// A guess, and what came of it once the run is there.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ShownPrediction {
    pub prediction: Prediction,
    /// The places of the agent from the guess to its tick; `None` before. Empty if the agent is gone.
    pub way: Option<Vec<Vec2>>,
}

impl ShownPrediction {
    /// Returns where the agent was at the tick of the guess, if that is known.
    fn outcome(&self) -> Option<Vec2> {
        self.way.as_ref()?.last().copied()
    }

    /// Returns the way from the guess to the true place.
    pub(super) fn error(&self, world: &World) -> Option<Vec2> {
        Some(world.space.offset(self.prediction.guess, self.outcome()?))
    }
}
