//! Records the values of ticks, and simulates earlier ticks again for what is missing: values, and the judgment of the
//! expectations.

use std::time::Instant;

use super::{Player, SLICE};

impl Player {
    /// Notes what has failed, records the values of the current tick, if a plot is open, and drops those of ticks that the
    /// session has dropped.
    pub(super) fn record(&mut self) {
        self.note_failures();
        self.plots.update(&self.session, self.selected);
    }

    /// Returns an earlier tick that has to be simulated again, or to which ticks have to be judged.
    pub(super) fn missing_tick(&self) -> Option<u64> {
        let (session, plots) = (&self.session, &self.plots);
        let is_wanted = self.is_visible || self.pause_on_failure.is_some();
        if plots.has_given_up || !is_wanted {
            return None;
        }
        let value = plots.missing(session.first(), session.end()).filter(|_| self.is_visible);
        value.or_else(|| session.lacks_judgment().then(|| session.tick()))
    }

    /// Simulates some earlier ticks again if their values or judgments are missing, and returns whether there were any.
    pub(super) fn fill_plots(&mut self) -> bool {
        self.record();
        let is_resting = !self.is_playing && self.target.is_none();
        let slice = if is_resting { SLICE } else { SLICE / 3 };
        let replay = self.plots.replay.take();
        let Some(missing) = self.missing_tick() else {
            let is_wanted = self.is_visible && self.comparison.is_none();
            return replay.is_some() | (is_wanted && self.plots.fill_before(&self.session, slice));
        };
        let is_unjudged = self.session.lacks_judgment();
        let mut replay = self.session.replay(missing, replay);
        let since = Instant::now();
        self.plots.record_replay(&replay);
        while since.elapsed() < slice {
            if is_unjudged && !self.session.lacks_judgment() {
                self.pause_after_failure();
                break;
            }
            if !self.session.advance(&mut replay) {
                self.plots.has_given_up = self.missing_tick().is_some();
                return true;
            }
            self.plots.record_replay(&replay);
        }
        self.plots.replay = Some(replay);
        true
    }
}
