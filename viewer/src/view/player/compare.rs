//! Compares the params of the person with those of the scenario file: a run with each, from the first tick.

use std::sync::Arc;

use flockwork_engine::Failure;
use flockwork_engine::math::short;

use super::super::keys::key_of;
use super::super::plot::PlotSource;
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
    /// What is said while the first run is simulated.
    notice: String,
}

/// What is known of the first run of a comparison while the second one plays.
pub(super) struct FirstRun {
    /// Its last tick.
    end: u64,
    /// What failed in it; `None` if it was not judged.
    failures: Option<Arc<[Failure]>>,
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
        let key = key_of(UiCommand::Close);
        let notice = format!(
            "running to tick {end} with the params of the file, then with yours: {key} stops"
        );
        self.notice(notice.clone(), false);
        self.comparison = Some(Comparison { own, file, notice });
    }

    /// Goes on if a run of a comparison is complete and judged, and returns whether one is.
    pub(super) fn finish_compared_run(&mut self) -> bool {
        let is_compared = self.comparison.is_some() || self.first_run.is_some();
        if !is_compared || self.target.is_some() || self.missing_tick().is_some() {
            return false;
        }
        self.note_failures();
        let tick = self.session.tick();
        if self.comparison.is_some() {
            let deferred = std::mem::take(&mut self.deferred);
            self.begin_second_run();
            self.deferred = deferred;
            self.handle_deferred();
            return true;
        }
        let first = self.first_run.take_if(|first| first.end <= tick);
        if let Some(first) = &first {
            self.say_how_runs_differ(first);
        }
        first.is_some()
    }

    /// Begins the second run of a comparison whose first one is complete.
    fn begin_second_run(&mut self) {
        let Some(Comparison { own, file, notice }) = self.comparison.take() else { return };
        self.notices.retain(|one| one.text != notice);
        let end = self.session.tick();
        let ghost = Arc::new(self.session.tracks().clone());
        let failures = self.session.judged().map(|_| Arc::clone(self.failures.all()));
        self.plots.keep();
        self.keep_until_next_run(ghost, format!("the same run with {}", in_words(&file)));
        self.session.seek(self.session.first());
        self.use_params(&own);
        self.changes.begin_run();
        self.first_run = Some(FirstRun { end, failures });
        let key = key_of(UiCommand::ToggleGhost);
        let words = format!(
            "your params, from the beginning; the ghost and the dashed lines are the params of the file, up to tick {end} ({key} removes them)"
        );
        self.notice(words, false);
        self.set_playing(true);
    }

    /// Says how the runs differ up to the end of the first one.
    fn say_how_runs_differ(&mut self, first: &FirstRun) {
        let end = first.end;
        let own = self.session.judged().map(|_| self.failures.all());
        let expected = first.failures.as_ref().zip(own).map(|(file, own)| {
            let expectations = self.session.expectations().iter().enumerate();
            let fails_at = |all: &[Failure], index| {
                let mut all = all.iter().filter(|one| one.expectation == index && one.tick <= end);
                all.next().map(|one| one.tick)
            };
            let words = expectations.filter_map(|(index, expectation)| {
                expected_words(&expectation.text, fails_at(file, index), fails_at(own, index))
            });
            words.collect::<Vec<_>>()
        });
        let has_expectations = !self.session.expectations().is_empty();
        let mut words = match expected {
            Some(all) if all.is_empty() && has_expectations => {
                vec!["what the scenario expects holds with both".to_owned()]
            }
            all => all.unwrap_or_default(),
        };
        let plots = self.plots.shown_plots(&self.session);
        words.extend(plots.iter().filter_map(|plot| {
            let [own, file] = plot.means()?;
            let better = match plot.source {
                PlotSource::Margin { .. } if own > file => ", which is better",
                PlotSource::Margin { .. } if own < file => ", which is worse",
                _ => "",
            };
            let (name, own, file) = (plot.source.name()?, short(own), short(file));
            Some(format!("the mean {name} is {own} with yours{better}, {file} with the file's"))
        }));
        if words.is_empty() {
            words.push("nothing is expected or plotted that differs".to_owned());
        }
        self.notice(format!("compared up to tick {end}: {}", words.join("; ")), false);
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

/// Says when an expectation fails in the run with the params of the file and in the other one. `None` if it holds in both.
fn expected_words(expectation: &str, file: Option<u64>, own: Option<u64>) -> Option<String> {
    let words = match (file, own) {
        (None, None) => return None,
        (Some(file), None) => {
            format!("fails at tick {file} with the file's params, and holds with yours")
        }
        (None, Some(own)) => {
            format!("holds with the file's params, and fails at tick {own} with yours")
        }
        (Some(file), Some(own)) if file == own => format!("fails at tick {own} with both"),
        (Some(file), Some(own)) => {
            format!("fails at tick {file} with the file's params, at tick {own} with yours")
        }
    };
    Some(format!("`{expectation}` {words}"))
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
