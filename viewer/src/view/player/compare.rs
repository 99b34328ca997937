//! Compares the params of the person with those of the scenario file, or others of theirs: a run with each, from the first tick.

use std::collections::BTreeMap;
use std::sync::Arc;

use flockwork_engine::Failure;
use flockwork_engine::live::COUNT;
use flockwork_engine::sim::Simulation;
use flockwork_engine::trace::Measure;
use flockwork_engine::world::Values;

use super::super::compared::{Compared, ComparedSetup, number_text};
use super::super::keys::key_of;
use super::super::plot::PlotSource;
use super::super::ui_command::UiCommand;
use super::run_before::RunBefore;
use super::undo::value_text;
use super::{NamedValue, Player};

/// The run with the params of the scenario file has at most this many ticks, unless there are more already.
const MAX_TICKS: u64 = 3600;

/// What the params are called that the file has, and those that it had.
const FILES: &str = "the file's params";
const BEFORE: &str = "the params before";
/// What those are called that the person keeps.
const KEPT: &str = "the kept params";

/// What the notices about a complete comparison begin with.
const COMPARED: &str = "compared ";

/// Two sets of params that are compared: those that differ.
pub(super) struct TwoParams {
    /// Those of the person, with which the second run is.
    pub(super) own: Vec<NamedValue>,
    /// Those of the first run.
    pub(super) others: Vec<NamedValue>,
    /// What those of the first run are called.
    pub(super) others_name: &'static str,
}

/// A comparison whose first run is being simulated.
pub(super) struct Comparison {
    params: TwoParams,
    /// The first run before its first tick.
    start: Simulation,
    /// What is said while the first run is simulated.
    notice: String,
}

/// What is known of the first run of a comparison while the second one plays.
pub(super) struct FirstRun {
    /// Its last tick.
    end: u64,
    /// What its params are called.
    name: &'static str,
    /// What failed in it; `None` if it was not judged.
    failures: Option<Arc<[Failure]>>,
}

impl Player {
    /// Runs from the first tick with the params that are kept. If none are, these are those of the scenario file, or if none differs from
    /// those, those that it had when it was opened. That becomes the ghost. Then plays from there with those of the person.
    pub(super) fn compare(&mut self) {
        let aside = std::mem::take(&mut self.params_aside);
        self.use_params(&aside, &[]);
        let mut params = match &self.kept_params {
            Some(kept) => self.params_beside_kept(kept),
            None => self.params_beside(self.session.file_params(), FILES),
        };
        if params.own.is_empty() && self.kept_params.is_none() {
            params = self.params_beside(&self.first_params, BEFORE);
        }
        if params.own.is_empty() {
            return self.say_nothing_differs();
        }
        let (first, ticks) = (self.session.first(), self.session.run().ticks());
        let end = self.session.end().max(ticks.min(first.saturating_add(MAX_TICKS)));
        self.session.set_ghost(None);
        self.compared = None;
        self.session.seek(first);
        self.use_params(&params.others, &params.own);
        let start = self.session.simulation().clone();
        self.plots.record_for_later(&self.session);
        self.run_to(end);
        let (name, key) = (params.others_name, key_of(UiCommand::Close));
        let notice = format!("running to tick {end} with {name}, then with yours: {key} stops");
        self.notice(notice.clone(), false);
        self.comparison = Some(Comparison { params, start, notice });
    }

    /// Returns the params in use beside those that are kept, if any differs. Those that are the same belong to both sides if the scenario
    /// file has others.
    fn params_beside_kept(&self, kept: &BTreeMap<String, Values>) -> TwoParams {
        let mut two = self.params_beside(kept, KEPT);
        if !two.own.is_empty() {
            let of_file = self.params_beside(self.session.file_params(), "").own;
            let is_missing = |one: &NamedValue| two.own.iter().all(|(name, _)| *name != one.0);
            let same: Vec<NamedValue> = of_file.into_iter().filter(is_missing).collect();
            two.own.extend(same.iter().cloned());
            two.others.extend(same);
        }
        two
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
            // These failures are not about the params of the person.
            self.failures.new.clear();
            let deferred = std::mem::take(&mut self.deferred);
            self.begin_second_run();
            self.deferred = deferred;
            self.handle_deferred();
            return true;
        }
        let first = self.first_run.take_if(|first| first.end <= tick);
        if let Some(first) = &first {
            self.note_runs(first);
        }
        first.is_some()
    }

    /// Begins the second run of a comparison whose first one is complete.
    fn begin_second_run(&mut self) {
        let Some(Comparison { params, start, notice }) = self.comparison.take() else { return };
        self.notices.retain(|one| one.text != notice);
        let (end, name) = (self.session.tick(), params.others_name);
        let ghost = Arc::new(self.session.tracks().clone());
        let failures = self.session.judged().map(|_| Arc::clone(self.failures.all()));
        let known = self.first_values(failures.as_deref(), end);
        self.plots.keep();
        self.plots.keep_run_before(RunBefore::new(start, end, Arc::clone(&ghost)));
        self.plots.record_only_counts_for_later();
        self.keep_until_next_run(
            ghost,
            format!("the same run with {}", in_words(&params.others, &params.own)),
        );
        self.session.seek(self.session.first());
        self.use_params(&params.own, &params.others);
        let set = params.own.iter().filter(|((_, param), _)| param == COUNT);
        let sources = set.map(|((group, _), _)| PlotSource::Count(group.clone()));
        let mut set_rows: Vec<String> =
            sources.filter_map(|source| source.compared_name()).collect();
        if !set_rows.is_empty() {
            set_rows.extend(PlotSource::Measure(Measure::Agents).compared_name());
        }
        let (params_now, seed) = (self.session.params_with_counts(), self.session.seed());
        self.compared_setup = ComparedSetup { params: params_now, seed, set_rows };
        self.changes.begin_run();
        for (row, value) in known {
            self.table(name, end).row(&row).other_here = Some(value);
        }
        self.compare_over_seeds(&params, end);
        self.first_run = Some(FirstRun { end, name, failures });
        let key = key_of(UiCommand::ToggleGhost);
        let words = format!(
            "your params, from the beginning; gray agents and dashed lines are {name}, up to tick {end} ({key} removes them)"
        );
        self.notice(words, false);
        self.set_playing(true);
    }

    /// Returns what is known of the first run at its end, with the names of the rows: what it is in each expectation and in each plot.
    fn first_values(&self, failures: Option<&[Failure]>, end: u64) -> Vec<(String, String)> {
        let all = self.session.expectations().iter().enumerate();
        let expected = failures.into_iter().flat_map(|failures| {
            all.clone().map(move |(index, one)| (one.text.clone(), fails_at(failures, index, end)))
        });
        let plots = self.plots.shown_plots(&self.session);
        let curves = plots.iter().flat_map(|plot| &plot.curves);
        let measured = curves
            .filter_map(|curve| Some((curve.source.compared_name()?, number_text(curve.told()?))));
        expected.chain(measured).collect()
    }

    /// Notes in the table what this run and the first one are, up to the end of the first one.
    fn note_runs(&mut self, first: &FirstRun) {
        let (end, others) = (first.end, first.name);
        let own = self.session.judged().map(|_| Arc::clone(self.failures.all()));
        let expectations = self.session.expectations();
        let judged = first.failures.as_ref().zip(own).into_iter();
        let expected = judged.flat_map(|(file, own)| {
            let both = move |index| [&own, file].map(|all| fails_at(all, index, end));
            let all = expectations.iter().enumerate();
            all.map(move |(index, one)| (one.text.clone(), both(index)))
        });
        let plots = self.plots.shown_plots(&self.session);
        let counts = self.plots.changing_counts(&self.session);
        let curves = plots.iter().flat_map(|plot| &plot.curves).chain(&counts);
        let measured = curves.filter_map(|curve| {
            let [own, file] = curve.both_told()?;
            let is_count = matches!(curve.source, PlotSource::Count(_));
            Some((curve.source.compared_name()?, is_count, [own, file].map(number_text)))
        });
        let expected = expected.map(|(name, values)| (name, false, values));
        let found: Vec<(String, bool, [String; 2])> = expected.chain(measured).collect();
        self.plots.end_recording_for_later();
        let table = self.table(others, end);
        for (name, is_count, values) in found {
            let row = table.row(&name);
            (row.here, row.other_here) = (Some(values), None);
            row.is_count = is_count;
        }
        table.sort();
        self.say_what_differs();
    }

    /// Returns the table of the comparison, for what is found.
    pub(super) fn table(&mut self, others: &'static str, end: u64) -> &mut Compared {
        let own = &self.compared_setup;
        let empty = || Compared { others, end, own: own.clone(), rows: Vec::new() };
        Arc::make_mut(self.compared.get_or_insert_with(|| Arc::new(empty())))
    }

    /// Notes that the params of the person are those of the file now.
    pub(super) fn note_written(&mut self) {
        if let Some(table) = self.compared.as_mut().filter(|table| table.others == FILES) {
            Arc::make_mut(table).others = BEFORE;
        }
        if let Some(first) = self.first_run.as_mut().filter(|first| first.name == FILES) {
            first.name = BEFORE;
        }
        if let Some(seeds) = self.seed_comparison.as_mut().filter(|seeds| seeds.others == FILES) {
            seeds.others = BEFORE;
        }
    }

    /// Says in a sentence what the table has.
    pub(super) fn say_what_differs(&mut self) {
        let Some(words) = self.compared.as_ref().map(|table| table.words()) else { return };
        self.notices.retain(|one| !one.text.starts_with(COMPARED));
        self.notice(words, false);
        self.keep_notice();
    }

    /// Gives up a comparison whose first run is not complete. The params are those of the person again.
    pub(super) fn stop_comparison(&mut self) {
        let Some(Comparison { params, .. }) = self.comparison.take() else { return };
        self.plots.end_recording_for_later();
        self.use_params(&params.own, &params.others);
        self.notice("not compared: from here on with your params", true);
    }

    /// Sets params as part of a comparison, which is nothing to undo. `before` are the values that they had, if the run is compared.
    fn use_params(&mut self, params: &[NamedValue], before: &[NamedValue]) {
        for ((group, param), value) in params {
            self.set(group, param, value);
        }
        self.note_dropped_run(format!("the run so far, with {}", in_words(before, params)));
    }
}

/// Says whether an expectation, given by its index, fails up to a tick, and when.
fn fails_at(all: &[Failure], index: usize, end: u64) -> String {
    let mut all = all.iter().filter(|one| one.expectation == index && one.tick <= end);
    let tick = all.next().map(|one| one.tick);
    tick.map_or_else(|| "holds".to_owned(), |tick| format!("fails at {tick}"))
}

/// Lists the params that differ from others, with their values; of many, only the first ones.
fn in_words(params: &[NamedValue], others: &[NamedValue]) -> String {
    const MAX_SHOWN: usize = 3;
    let both = params.iter().zip(others).filter(|(own, other)| own != other);
    let params: Vec<&NamedValue> = both.map(|(own, _)| own).collect();
    let shown = params.iter().take(MAX_SHOWN);
    let mut all: Vec<String> =
        shown.map(|((_, param), value)| format!("{param} {}", value_text(value))).collect();
    if params.len() > MAX_SHOWN {
        all.push(format!("{} more params", params.len() - MAX_SHOWN));
    }
    all.join(", ")
}
