//! Compares two sets of params over several seeds, beside the run: one run says little about which is better.

use std::path::PathBuf;
use std::sync::mpsc::TryRecvError;

use flockwork_engine::diag::{Place, Source};
use flockwork_engine::experiment::{
    Compare, CompareOptions, ComparedRow, ComparedVersion, Comparison, DifferenceVerdict, Seeds,
};
use flockwork_engine::live::COUNT;
use flockwork_engine::load::{self, ScriptsFolder};
use flockwork_engine::scenario::param_text;
use flockwork_engine::trace::Measure;
use flockwork_engine::{Diagnostics, with_threads};

use super::super::compared::{Compared, OverRuns, number_text};
use super::super::plot::{self, PlotSource};
use super::background::Background;
use super::compare::TwoParams;
use super::{NamedValue, Player};

/// Number of seeds.
const SEEDS: u64 = Compared::RUNS;
/// Both sets are compared only if all runs together have at most this many turns of agents: about half a minute.
const MAX_TURNS: u64 = 40_000_000;

/// A comparison over several seeds.
pub(super) struct SeedComparison {
    /// What the other params are called.
    pub(super) others: &'static str,
    /// The measures.
    asked: Vec<AskedMeasure>,
    /// The tick at which all runs end.
    end: u64,
    work: Background<Result<Option<Comparison>, Diagnostics>>,
}

impl SeedComparison {
    /// Returns what is going on, in words.
    pub(super) fn words(&self) -> String {
        format!("comparing over {SEEDS} seeds: {} of {} runs so far", self.work.runs(), 2 * SEEDS)
    }
}

/// A measure that is compared.
struct AskedMeasure {
    /// Its name for a comparison, with the ticks over which the mean is taken.
    name: String,
    source: PlotSource,
    /// Whether it is in a plot: then the table has it also if it is the same.
    is_plotted: bool,
}

/// What is compared.
struct Question {
    scenario: PathBuf,
    /// The params of both sides, the other ones first, each as its name, `=` and its value.
    params: [Vec<String>; 2],
    /// The tick at which all runs end.
    end: u64,
    measures: Vec<String>,
}

impl Question {
    /// Runs the scenario with both sets of params and all seeds. `None` if it was stopped.
    fn answer(
        &self,
        stop: &(dyn Fn() -> bool + Sync),
        progress: &mut (dyn FnMut(u64) + Send),
    ) -> Result<Option<Comparison>, Diagnostics> {
        let (source, scripts) =
            (load::read(&self.scenario)?, ScriptsFolder::of_scenario(&self.scenario));
        let version = |values: &Vec<String>| ComparedVersion {
            scenario: &source,
            scripts: &scripts,
            values: values.iter().map(|value| Source::new("param", value.as_str())).collect(),
        };
        let measure = |name: &String| {
            let place =
                Place { source: Source::new("measure", name.as_str()), span: 0..name.len() };
            (name.clone(), place)
        };
        let options = CompareOptions {
            seeds: Seeds::Count(SEEDS),
            ticks: Some(self.end),
            measures: Some(self.measures.iter().map(measure).collect()),
        };
        let [others, own] = &self.params;
        let compare = Compare::new([version(others), version(own)], &options)?;
        let mut runs = 0;
        let mut ran = || {
            runs += 1;
            progress(runs);
        };
        Ok(compare.run(stop, &mut ran)?)
    }
}

impl Player {
    /// Begins to compare two sets of params over several seeds, up to a tick, if that does not take long: by the expectations of the
    /// scenario, and by measures.
    pub(super) fn compare_over_seeds(&mut self, two: &TwoParams, end: u64) {
        self.seed_comparison = None;
        let first = self.session.first();
        let turns = (end - first) * self.session.simulation().world().agents.len() as u64;
        let asked = self.asked_measures(end);
        let texts = [&two.others, &two.own].map(|params| texts(params));
        let [Some(others), Some(own)] = texts else { return };
        if turns.saturating_mul(2 * SEEDS) > MAX_TURNS {
            let words = "not compared over several seeds, which would take long: `flockwork compare` does it";
            return self.notice(words, false);
        }
        let measures = asked.iter().map(|one| one.name.clone()).collect();
        let scenario = self.session.path().to_owned();
        let question = Question { scenario, params: [others, own], end, measures };
        let work = move |stop: &(dyn Fn() -> bool + Sync),
                         progress: &mut (dyn FnMut(u64) + Send)| {
            // The run keeps the other processors.
            with_threads(1, || question.answer(stop, progress))
                .unwrap_or_else(|error| Err(error.into()))
        };
        let work = Background::new(work);
        let others = two.others_name;
        self.seed_comparison = Some(SeedComparison { others, asked, end, work });
    }

    /// Returns the measures to compare up to a tick: those in plots, the numbers of agents of all groups, and the built-in ones.
    fn asked_measures(&self, end: u64) -> Vec<AskedMeasure> {
        let first = self.session.first();
        let world = self.session.simulation().world();
        let plotted = self.plots.shown().flat_map(|source| source.curves(world));
        // Of one group, that is the number of all agents.
        let has_one_group = world.groups.len() == 1;
        let built_in = plot::measures().filter(|one| !has_one_group || *one != Measure::Agents);
        let counts = PlotSource::AllCounts.curves(world);
        let others = counts.into_iter().chain(built_in.map(PlotSource::Measure));
        let all = plotted.map(|one| (one, true)).chain(others.map(|one| (one, false)));
        let mut asked: Vec<AskedMeasure> = Vec::new();
        for (source, is_plotted) in all {
            let Some(name) = source.measure_name() else { continue };
            if !asked.iter().any(|one| one.source == source) {
                // The mean over all ticks.
                let name = format!("{name}@{first}..{end}");
                asked.push(AskedMeasure { name, source, is_plotted });
            }
        }
        asked
    }

    /// Says what the comparison over several seeds has found, if it is complete. Returns whether there is something new to show.
    pub(super) fn finish_seed_comparison(&mut self) -> bool {
        let Some(comparison) = self.seed_comparison.take() else { return false };
        let result = match comparison.work.result() {
            Err(TryRecvError::Empty) => {
                self.seed_comparison = Some(comparison);
                return true;
            }
            Err(TryRecvError::Disconnected) => Ok(None),
            Ok(result) => result,
        };
        let found = match result {
            Ok(Some(found)) => found,
            Ok(None) => return true,
            Err(errors) => {
                let why = errors.into_first().message;
                self.notice(format!("not compared over several seeds: {why}"), true);
                return true;
            }
        };
        let rows = found_rows(&found, &comparison.asked);
        let table = self.table(comparison.others, comparison.end);
        for (name, is_count, row) in rows {
            let known = table.row(&name);
            known.over_runs = Some(row);
            known.is_count = is_count;
        }
        table.sort();
        self.say_what_differs();
        true
    }
}

/// Returns params as their names, `=` and their values. `None` if one of them cannot be written.
fn texts(params: &[NamedValue]) -> Option<Vec<String>> {
    let text = |((group, param), value): &NamedValue| {
        let param = if param == COUNT { "count" } else { param };
        Some(format!("{group}.{param}={}", param_text(value)?))
    };
    params.iter().map(text).collect()
}

/// Returns what the runs say, with the names of the rows and whether these are numbers of agents of a group: about the expectations, about
/// the measures that are plotted, about the numbers of agents that are not the same in each run, and about those of the others that differ for
/// certain.
fn found_rows(found: &Comparison, asked: &[AskedMeasure]) -> Vec<(String, bool, OverRuns)> {
    let rows = found.rows.iter().filter_map(|row| {
        let of = over_runs(found, row)?;
        if row.is_expectation {
            return Some((row.name.clone(), false, of));
        }
        let asked = asked.iter().find(|one| one.name == row.name)?;
        let is_count = matches!(asked.source, PlotSource::Count(_));
        let is_told = asked.is_plotted
            || of.is_certain
            || (is_count && row.verdict != DifferenceVerdict::Same);
        is_told.then(|| Some((asked.source.compared_name()?, is_count, of)))?
    });
    rows.collect()
}

/// Returns the difference of the means as a share of the larger one.
fn relative_difference(row: &ComparedRow) -> f64 {
    row.difference.map_or(0.0, |of| {
        let [a, b] = of.means.map(f64::abs);
        let larger = if a > b { a } else { b };
        if larger > 0.0 { of.difference.abs() / larger } else { 0.0 }
    })
}

/// Returns what the runs say in a row. `None` if there is nothing to say.
fn over_runs(found: &Comparison, row: &ComparedRow) -> Option<OverRuns> {
    let of = row.difference?;
    let [other, own] = of.means;
    let certainty = match row.verdict {
        DifferenceVerdict::Same => "the same in each run".to_owned(),
        DifferenceVerdict::Different => "more than chance".to_owned(),
        DifferenceVerdict::Unclear => "perhaps chance".to_owned(),
        DifferenceVerdict::NotSeen | DifferenceVerdict::NoValues => {
            "no more than chance".to_owned()
        }
    };
    let holds = |share: f64| format!("{} of {} hold", (share * of.pairs as f64).round(), of.pairs);
    let values = match row.is_expectation {
        true => [holds(own), holds(other)],
        false => [own, other].map(number_text),
    };
    let is_same = row.verdict == DifferenceVerdict::Same;
    let looks_same = !is_same && !row.is_expectation && values[0] == values[1];
    let is_certain = row.verdict == DifferenceVerdict::Different && !looks_same;
    let is_better = (is_certain && row.is_expectation).then_some(own > other);
    let [higher, lower] = of.larger_smaller;
    let (more, word) = if lower > higher { (lower, "lower") } else { (higher, "higher") };
    // The sign says it without the color.
    let verdict = match is_better {
        Some(true) => format!("+ yours better: {certainty}"),
        Some(false) => format!("- yours worse: {certainty}"),
        None if looks_same => "= the same in the digits shown".to_owned(),
        None if is_same => format!("= {certainty}"),
        None if row.is_expectation => format!("~ {certainty}"),
        None => {
            let sign = if !is_certain {
                "~"
            } else if own > other {
                ">"
            } else {
                "<"
            };
            format!("{sign} yours {word} in {more} of {}: {certainty}", of.pairs)
        }
    };
    let words = || difference_words(of.difference, of.interval, row.is_expectation);
    let excludes_zero = of.excludes_zero();
    let why_unclear = if looks_same { None } else { found.why_unclear(row) };
    Some(OverRuns {
        values,
        difference: (!is_same && !looks_same).then(words),
        share: relative_difference(row),
        may_be_zero: !excludes_zero || looks_same,
        verdict,
        why_unclear,
        is_certain,
        is_better,
        is_expectation: row.is_expectation,
    })
}

/// Says how large a difference is, and what its 95 % interval is. Shares of runs are in percent.
fn difference_words(difference: f64, [low, high]: [f64; 2], is_share: bool) -> [String; 2] {
    let unit = if is_share { " %" } else { "" };
    let text = |value: f64| number_text(if is_share { (value * 100.0).round() } else { value });
    let sign = if difference > 0.0 { "+" } else { "" };
    [
        format!("{sign}{}{unit}", text(difference)),
        format!("95 %: {} to {}{unit}", text(low), text(high)),
    ]
}

#[cfg(test)]
mod tests {
    use flockwork_engine::experiment::PairedDifference;

    use super::*;

    /// Caught: a worse result was as blue as a better one.
    #[test]
    fn an_expectation_that_holds_more_often_is_better() {
        let judged = |means: [f64; 2], is_expectation, verdict| {
            let interval = [means[1] - means[0]; 2];
            let difference = PairedDifference {
                pairs: 10,
                means,
                difference: means[1] - means[0],
                interval,
                p: 0.0,
                effect: None,
                detectable: 0.0,
                larger_smaller: [5, 0],
            };
            let row = ComparedRow {
                name: "Reach".to_owned(),
                unit: "",
                is_expectation,
                values: Vec::new(),
                difference: Some(difference),
                adjusted_p: 0.0,
                verdict,
            };
            let rows = vec![row.clone(), row.clone(), row.clone()];
            let (seeds, errors) = (Vec::new(), Default::default());
            let all = Comparison { seeds, rows, errors, is_single_run: false };
            let found = over_runs(&all, &row).unwrap();
            let why = found.why_unclear.map(|why| format!(", {why}")).unwrap_or_default();
            (found.is_better, found.verdict + why.as_str())
        };
        let certain = DifferenceVerdict::Different;
        let better = judged([0.2, 0.9], true, certain);
        assert_eq!(better, (Some(true), "+ yours better: more than chance".to_owned()));
        let worse = judged([0.9, 0.2], true, certain);
        assert_eq!(worse, (Some(false), "- yours worse: more than chance".to_owned()));
        assert_eq!(judged([0.2, 0.9], false, certain).0, None, "more may be worse");
        // Caught: an interval without 0 was said to be "perhaps chance", and nothing said why.
        let unclear = judged([0.2, 0.9], true, DifferenceVerdict::Unclear);
        let words = "~ perhaps chance, since 3 values are compared at once";
        assert_eq!(unclear, (None, words.to_owned()));
        // Caught: 0.9983 against 0.9983 was among the results.
        let tiny = judged([0.998_300_1, 0.998_310_2], false, certain);
        assert_eq!(tiny, (None, "= the same in the digits shown".to_owned()));
    }

    #[test]
    fn differences_have_the_ends_of_their_intervals() {
        let words = difference_words(0.312_34, [-0.1, 0.7], false);
        assert_eq!(words, ["+0.312", "95 %: -0.1 to 0.7"]);
        let share = difference_words(-0.2, [-0.554, 0.0], true);
        assert_eq!(share, ["-20 %", "95 %: -55 to 0 %"]);
    }
}
