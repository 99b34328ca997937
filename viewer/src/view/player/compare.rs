//! Compares the params of the person with those of the scenario file: a run with each, from the first tick.

use std::sync::Arc;

use super::super::keys::key_of;
use super::super::ui_command::UiCommand;
use super::undo::value_text;
use super::{NamedValue, Player};

/// The run with the params of the scenario file goes at most this far, in simulated seconds, unless there are more ticks already.
const LONGEST_S: f32 = 60.0;

/// A comparison whose first run, with the params of the scenario file, is being simulated.
pub(super) struct Comparison {
    /// The params of the second run.
    own: Vec<NamedValue>,
    /// Those of the first run.
    file: Vec<NamedValue>,
}

impl Player {
    /// Runs from the first tick with the params of the scenario file; that becomes the ghost. Then plays from there with those
    /// of the person.
    pub(super) fn compare(&mut self) {
        let aside = std::mem::take(&mut self.params_aside);
        self.use_params(&aside);
        let (own, file) = self.own_and_file_params();
        if own.is_empty() {
            return self.say_nothing_differs();
        }
        let (first, ticks) = (self.session.first(), self.session.run().ticks());
        let longest = (LONGEST_S / self.session.run().dt()).ceil() as u64;
        let end = self.session.end().max(ticks.min(first.saturating_add(longest)));
        self.session.set_ghost(None);
        self.session.seek(first);
        self.use_params(&file);
        self.run_to(end);
        self.comparison = Some(Comparison { own, file });
        let key = key_of(UiCommand::Close);
        let words = format!(
            "running to tick {end} with the params of the file, then with yours: {key} stops"
        );
        self.notice(words, false);
    }

    /// Begins the second run of a comparison whose first one is complete.
    pub(super) fn finish_comparison(&mut self) {
        let Some(Comparison { own, file }) = self.comparison.take() else { return };
        let end = self.session.tick();
        let ghost = Arc::new(self.session.tracks().clone());
        self.plots.keep();
        self.keep_until_next_run(ghost, format!("the same run with {}", in_words(&file)));
        self.session.seek(self.session.first());
        self.use_params(&own);
        let key = key_of(UiCommand::ToggleGhost);
        let words = format!(
            "your params, from the beginning; the ghost and the dashed lines are the params of the file, up to tick {end} ({key} removes them)"
        );
        self.notice(words, false);
        self.set_playing(true);
    }

    /// Gives up a comparison whose first run is not complete. The params are those of the person again.
    pub(super) fn stop_comparison(&mut self) {
        let Some(Comparison { own, .. }) = self.comparison.take() else { return };
        self.use_params(&own);
        self.notice("not compared: from here on with your params", true);
    }

    /// Sets params as part of a comparison, which is nothing to undo.
    fn use_params(&mut self, params: &[NamedValue]) {
        for ((group, param), value) in params {
            self.set(group, param, value);
        }
        self.note_dropped_future("the comparison");
    }
}

/// Lists params with their values; of many, only the first ones.
fn in_words(params: &[NamedValue]) -> String {
    const MAX_SHOWN: usize = 3;
    let shown = params.iter().take(MAX_SHOWN);
    let mut all: Vec<String> =
        shown.map(|((_, param), value)| format!("{param} {}", value_text(value))).collect();
    if params.len() > MAX_SHOWN {
        all.push(format!("{} more params of the file", params.len() - MAX_SHOWN));
    }
    all.join(", ")
}
