//! Compares two sets of params over several seeds, beside the run: one run says little about which is better.

use std::path::PathBuf;
use std::sync::mpsc::TryRecvError;

use flockwork_engine::diag::{Place, Source};
use flockwork_engine::experiment::{
    Compare, CompareOptions, ComparedRow, ComparedVersion, Comparison, DifferenceVerdict, Seeds,
};
use flockwork_engine::load::{self, ScriptsFolder};
use flockwork_engine::math::short;
use flockwork_engine::scenario::param_text;
use flockwork_engine::{Diagnostics, with_threads};

use super::super::compared::{Compared, OverRuns};
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
    /// The number of measures that are plotted: they are the first ones.
    plotted: usize,
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
        // The mean over all ticks.
        let measure = |source: PlotSource| match source {
            PlotSource::Measure(measure) => Some(format!("{}@{first}..{end}", measure.name())),
            PlotSource::Value(name) => Some(format!("{name}@{first}..{end}")),
            _ => None,
        };
        let mut measures: Vec<String> = self.plots.shown().cloned().filter_map(measure).collect();
        let plotted = measures.len();
        // What nobody asked for is told only if it differs.
        for other in plot::measures().map(PlotSource::Measure).filter_map(measure) {
            if !measures.contains(&other) {
                measures.push(other);
            }
        }
        let texts = [&two.others, &two.own].map(|params| texts(params));
        let [Some(others), Some(own)] = texts else { return };
        if turns.saturating_mul(2 * SEEDS) > MAX_TURNS {
            let words = "not compared over several seeds, which would take long: `flockwork compare` does it";
            return self.notice(words, false);
        }
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
        self.seed_comparison = Some(SeedComparison { others, plotted, end, work });
    }

    /// Says what the comparison over several seeds has found, if it is complete. Returns whether there is something new to show.
    pub(super) fn finish_seed_comparison(&mut self) -> bool {
        let Some(comparison) = &self.seed_comparison else { return false };
        let (others, plotted, end) = (comparison.others, comparison.plotted, comparison.end);
        let result = match comparison.work.result() {
            Err(TryRecvError::Empty) => return true,
            Err(TryRecvError::Disconnected) => Ok(None),
            Ok(result) => result,
        };
        self.seed_comparison = None;
        let found = match result {
            Ok(Some(found)) => found,
            Ok(None) => return true,
            Err(errors) => {
                let why = errors.into_first().message;
                self.notice(format!("not compared over several seeds: {why}"), true);
                return true;
            }
        };
        let rows = found_rows(&found, plotted);
        let table = self.table(others, end);
        for (name, row) in rows {
            table.row(&name).over_runs = Some(row);
        }
        table.sort();
        self.say_what_differs();
        true
    }
}

/// Returns params as their names, `=` and their values. `None` if one of them cannot be written.
fn texts(params: &[NamedValue]) -> Option<Vec<String>> {
    let text = |((group, param), value): &NamedValue| {
        Some(format!("{group}.{param}={}", param_text(value)?))
    };
    params.iter().map(text).collect()
}

/// Returns what the runs say about the expectations, about the measures that are plotted, and about those of the others that differ
/// for certain.
fn found_rows(found: &Comparison, plotted: usize) -> Vec<(String, OverRuns)> {
    let (expected, measured): (Vec<_>, Vec<_>) =
        found.rows.iter().partition(|row| row.is_expectation);
    let (asked, rest) = measured.split_at(plotted.min(measured.len()));
    let differs = |row: &&&ComparedRow| row.verdict == DifferenceVerdict::Different;
    let rest = rest.iter().filter(differs);
    expected.iter().chain(asked).chain(rest).filter_map(|row| over_runs(row)).collect()
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
fn over_runs(row: &ComparedRow) -> Option<(String, OverRuns)> {
    let of = row.difference?;
    let [other, own] = of.means;
    let certainty = match row.verdict {
        DifferenceVerdict::Same => "the same in each run",
        DifferenceVerdict::Different => "more than chance",
        DifferenceVerdict::Unclear => "perhaps chance",
        DifferenceVerdict::NotSeen | DifferenceVerdict::NoValues => "no more than chance",
    };
    let is_certain = row.verdict == DifferenceVerdict::Different;
    let is_same = row.verdict == DifferenceVerdict::Same;
    let words = || difference_words(of.difference, of.interval, row.is_expectation);
    let difference = (!is_same).then(words);
    let [low, high] = of.interval;
    let may_be_zero = low <= 0.0 && 0.0 <= high;
    let (is_expectation, share) = (row.is_expectation, relative_difference(row));
    let (name, values, is_better, verdict);
    if is_expectation {
        let holds =
            |share: f64| format!("{} of {} hold", (share * of.pairs as f64).round(), of.pairs);
        (name, values) = (row.name.clone(), [holds(own), holds(other)]);
        is_better = is_certain.then_some(own > other);
        verdict = match is_better {
            Some(true) => format!("yours better: {certainty}"),
            Some(false) => format!("yours worse: {certainty}"),
            None => certainty.to_owned(),
        };
    } else {
        let [higher, lower] = of.larger_smaller;
        let (more, word) = if lower > higher { (lower, "lower") } else { (higher, "higher") };
        name = row.name.split('@').next().unwrap_or_default().to_owned();
        values = [short(own as f32), short(other as f32)];
        is_better = None;
        verdict = match row.verdict {
            DifferenceVerdict::Same => certainty.to_owned(),
            _ => format!("yours {word} in {more} of {}: {certainty}", of.pairs),
        };
    }
    let found = OverRuns {
        values,
        difference,
        share,
        may_be_zero,
        verdict,
        is_certain,
        is_better,
        is_expectation,
    };
    Some((name, found))
}

/// Says how large a difference is, with the ends of its 95 % interval. Shares of runs are in percent.
fn difference_words(difference: f64, [low, high]: [f64; 2], is_share: bool) -> String {
    let unit = if is_share { " %" } else { "" };
    let text = |value: f64| {
        let value = if is_share { (value * 100.0).round() } else { value };
        short(value as f32)
    };
    let sign = if difference > 0.0 { "+" } else { "" };
    format!("{sign}{}{unit} (95 %: {} to {}{unit})", text(difference), text(low), text(high))
}

#[cfg(test)]
mod tests {
    use flockwork_engine::experiment::PairedDifference;

    use super::*;

    /// Caught: a worse result was as blue as a better one.
    #[test]
    fn an_expectation_that_holds_more_often_is_better() {
        let judged = |means: [f64; 2], is_expectation, verdict| {
            let difference = PairedDifference {
                pairs: 10,
                means,
                difference: means[1] - means[0],
                interval: [means[1] - means[0]; 2],
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
            let (_, found) = over_runs(&row).unwrap();
            (found.is_better, found.verdict)
        };
        let certain = DifferenceVerdict::Different;
        let better = judged([0.2, 0.9], true, certain);
        assert_eq!(better, (Some(true), "yours better: more than chance".to_owned()));
        let worse = judged([0.9, 0.2], true, certain);
        assert_eq!(worse, (Some(false), "yours worse: more than chance".to_owned()));
        assert_eq!(judged([0.2, 0.9], false, certain).0, None, "more may be worse");
        assert_eq!(judged([0.2, 0.9], true, DifferenceVerdict::Unclear).0, None);
    }

    #[test]
    fn differences_have_the_ends_of_their_intervals() {
        assert_eq!(difference_words(0.3, [-0.1, 0.7], false), "+0.3 (95 %: -0.1 to 0.7)");
        let share = difference_words(-0.2, [-0.554, 0.0], true);
        assert_eq!(share, "-20 % (95 %: -55 to 0 %)");
    }
}
