//! Past ticks of a session, simulated again beside the tick that it shows.

use std::sync::Arc;

use super::judged::{Judged, JudgedFiles};
use super::session::Session;
use crate::sim::Simulation;

/// A second look at the past of a session: the same ticks again, with the same edits and actions.
///
/// It is out of date once the session has dropped the ticks that it is at.
pub struct Replay {
    simulation: Simulation,
    judged: Option<Arc<Judged>>,
    /// How its ticks are judged.
    files: JudgedFiles,
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

    /// Returns the judgment of the expectations up to its tick, if the session judges them.
    pub fn judged(&self) -> Option<&Judged> {
        self.judged.as_deref()
    }
}

impl Session {
    /// Returns a replay at or before a tick, as late as possible: `before` if it leads there, otherwise one from the history.
    /// If expectations are judged, it begins where their judgment is known.
    pub fn replay(&mut self, tick: u64, before: Option<Replay>) -> Replay {
        let files = self.judged_files();
        let replay = before.filter(|one| {
            one.tick() <= tick
                && one.files == files
                && one.judged.is_some() == self.is_judged(one.tick(), &files)
        });
        let replay = replay.unwrap_or_else(|| {
            let begin = |simulation: &Simulation, judged| Replay {
                simulation: simulation.clone(),
                judged,
                files: files.clone(),
            };
            let mut keyframes = self.history().keyframes_until(tick);
            let known = keyframes.find_map(|one| {
                let judged = if self.is_judged(one.simulation.world().tick, &files) {
                    Some(files.judgment(&one.simulation, one.judged.as_ref())?)
                } else {
                    None
                };
                Some(begin(&one.simulation, judged))
            });
            known.unwrap_or_else(|| begin(&self.history().keyframe_at(tick).simulation, None))
        });
        self.meet(&replay);
        replay
    }

    /// Takes a replay on by one tick. Returns false if it cannot go on: it is at [`Session::end`].
    pub fn advance(&mut self, replay: &mut Replay) -> bool {
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
        let edit = self.history().edit_at(tick + 1);
        let is_edit = edit.is_some();
        if let Some(edit) = edit {
            replay.simulation = edit.simulation.clone();
        }
        if let Some(judged) = &mut replay.judged {
            Arc::make_mut(judged).follow(&replay.simulation, is_edit);
        } else if self.is_judged(replay.tick(), &replay.files) {
            replay.judged = replay.files.judgment(&replay.simulation, None);
        }
        if let Some(judged) = &replay.judged {
            self.keep_judgment(judged);
        }
        self.meet(replay);
        true
    }

    /// Takes over the judgment of a replay at the same tick, if it is missing here.
    fn meet(&mut self, replay: &Replay) {
        if replay.tick() == self.tick() && self.lacks_judgment() {
            self.set_judgment(replay.judged.clone());
        }
    }
}
