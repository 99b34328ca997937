//! Compares the params of the person with those of the scenario file: a run with each, from the first tick.

use std::sync::Arc;

use super::super::keys::key_of;
use super::super::ui_command::UiCommand;
use super::{NamedValue, Player};

/// The run with the params of the scenario file goes at most this far, in simulated seconds, unless there are more ticks already.
const LONGEST_S: f32 = 60.0;

/// A comparison whose first run, with the params of the scenario file, is being simulated.
pub(super) struct Comparison {
    /// The params of the second run.
    own: Vec<NamedValue>,
}

impl Player {
    /// Runs from the first tick with the params of the scenario file; that becomes the ghost. Then plays from there with those
    /// of the person.
    pub(super) fn compare(&mut self) {
        if !self.params_aside.is_empty() {
            let own = std::mem::take(&mut self.params_aside);
            self.change_params(own);
        }
        let (own, file) = self.own_and_file_params();
        if own.is_empty() {
            return self.say_nothing_differs();
        }
        let (first, ticks) = (self.session.first(), self.session.run().ticks());
        let longest = (LONGEST_S / self.session.run().dt()).ceil() as u64;
        let end = self.session.end().max(ticks.min(first.saturating_add(longest)));
        self.session.set_ghost(None);
        self.session.seek(first);
        self.change_params(file);
        self.run_to(end);
        self.comparison = Some(Comparison { own });
        let key = key_of(UiCommand::Close);
        let words = format!(
            "running to tick {end} with the params of the file, then with yours: {key} stops"
        );
        self.notice(words, false);
    }

    /// Begins the second run of a comparison whose first one is complete.
    pub(super) fn finish_comparison(&mut self) {
        let Some(Comparison { own }) = self.comparison.take() else { return };
        let end = self.session.tick();
        let ghost = Arc::new(self.session.tracks().clone());
        self.plots.keep();
        self.keep_until_next_run(ghost, "the same run with the params of the file".to_owned());
        self.session.seek(self.session.first());
        self.change_params(own);
        let key = key_of(UiCommand::ToggleGhost);
        let words = format!(
            "your params, from the beginning; the ghost and the dashed lines are the params of the file, up to tick {end} ({key} removes them)"
        );
        self.notice(words, false);
        self.set_playing(true);
    }

    /// Gives up a comparison whose first run is not complete. The params are those of the person again.
    pub(super) fn stop_comparison(&mut self) {
        let Some(Comparison { own }) = self.comparison.take() else { return };
        self.change_params(own);
        self.notice("not compared: from here on with your params", true);
    }
}
