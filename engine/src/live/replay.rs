//! Past ticks of a session, simulated again beside the tick that it shows.

use super::session::Session;
use crate::sim::Simulation;

/// A second look at the past of a session: the same ticks again, with the same edits and actions.
///
/// It is out of date once the session has dropped the ticks that it is at.
pub struct Replay {
    simulation: Simulation,
}

impl Replay {
    /// Returns the simulation at its tick.
    pub fn simulation(&self) -> &Simulation {
        &self.simulation
    }

    /// Returns its tick.
    pub fn tick(&self) -> u64 {
        self.simulation.world().tick
    }
}

impl Session {
    /// Returns a replay that begins at or before a tick, as late as the history allows.
    pub fn replay(&self, tick: u64) -> Replay {
        Replay { simulation: self.history().keyframe_at(tick).simulation.clone() }
    }

    /// Takes a replay on by one tick. Returns false if it cannot go on: it is at [`Session::end`].
    pub fn advance(&self, replay: &mut Replay) -> bool {
        let tick = replay.tick();
        if tick >= self.end() {
            return false;
        }
        for action in self.history().input_at(tick) {
            replay.simulation.queue(action.clone());
        }
        if replay.simulation.step().is_err() {
            return false;
        }
        // The session has them already.
        let _ = replay.simulation.take_messages();
        if let Some(edit) = self.history().edit_at(tick + 1) {
            replay.simulation = edit.simulation.clone();
        }
        true
    }
}
