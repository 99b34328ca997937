//! Compares two versions of a scenario: both run with the same seeds, and what differs between them is told for each measure.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use super::paired::{PairedDifference, adjusted};
use super::{Expectations, Outcome, Plan, Points, Seeds, SweepPlan, Trial, Trials, Variation};
use crate::diag::{Diagnostic, Diagnostics, Place, Source};
use crate::scenario::{Template, TemplateValue, string_text};
use crate::script::Library;
use crate::threads::NoThreads;

/// One of the two versions.
pub struct ComparedVersion<'a> {
    /// The scenario.
    pub scenario: &'a Arc<Source>,
    /// Its scripts.
    pub scripts: &'a dyn Library,
    /// Values in place of those of the scenario: for each its name or path (`birds.sight`), `=`, and the value as a scenario has it; a
    /// string needs no quotes. The name of the source is shown in errors.
    pub values: Vec<Arc<Source>>,
}

/// The options of a comparison.
#[derive(Clone, Debug)]
pub struct CompareOptions {
    /// The seeds of the runs, at least two. A number of seeds begins with that of the first version.
    pub seeds: Seeds,
    /// The tick at which runs end; `None` for that of each scenario.
    pub ticks: Option<u64>,
    /// The measures that are compared, and where they are written; `None` for those of all agents.
    pub measures: Option<Vec<(String, Place)>>,
}

/// A comparison of two versions of a scenario.
pub struct Compare {
    versions: [Trials; 2],
    values: [Vec<TemplateValue>; 2],
    seeds: Vec<u64>,
    columns: Vec<ComparedColumn>,
    only: [Vec<String>; 2],
}

/// A measure or an expectation that both versions have.
struct ComparedColumn {
    name: String,
    unit: &'static str,
    is_expectation: bool,
    /// Its index in each version.
    indices: [usize; 2],
}

/// How the two versions differ.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The seeds.
    pub seeds: Vec<u64>,
    /// The measures and expectations.
    pub rows: Vec<ComparedRow>,
    /// For each version, the seeds whose runs ended with an error, and the errors. These seeds do not count.
    pub errors: [Vec<(u64, String)>; 2],
    /// Whether all seeds give the same run, in both versions: then there is one run, and nothing says how sure a difference is.
    pub is_single_run: bool,
}

/// How a measure differs, or how often an expectation holds.
#[derive(Clone, Debug)]
pub struct ComparedRow {
    /// The name of the measure, or the expectation as it is written.
    pub name: String,
    /// The unit of the measure; empty if it has none.
    pub unit: &'static str,
    /// Whether it is an expectation. Its values are 1 where it holds, and 0 where it does not.
    pub is_expectation: bool,
    /// The values of both versions for each seed; `None` for a run without one.
    pub values: Vec<[Option<f64>; 2]>,
    /// The difference; `None` if fewer than two seeds have values in both versions.
    pub difference: Option<PairedDifference>,
    /// How likely chance alone would give such a difference in any of the rows (Holm's correction).
    pub adjusted_p: f64,
    /// What can be said about it.
    pub verdict: DifferenceVerdict,
}

/// What can be said about a difference, from the least to the most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DifferenceVerdict {
    /// Both versions have the same values for all seeds.
    Same,
    /// Fewer than two seeds have values in both versions.
    NoValues,
    /// No difference was seen.
    NotSeen,
    /// They seem to differ, but one of so many measures may seem so by chance.
    Unclear,
    /// They differ, also if many measures are compared.
    Different,
}

/// A difference with a lower probability is not by chance.
const SIGNIFICANCE: f64 = 0.05;

/// How many parts of the runs each thread takes, so that an interrupt waits for little.
const PARTS: u64 = 16;

impl Compare {
    /// Reads both versions.
    ///
    /// # Errors
    ///
    /// All errors in the scenarios and scripts; values and measures that do not exist or do not fit; and fewer than two seeds.
    pub fn new(
        versions: [ComparedVersion<'_>; 2],
        options: &CompareOptions,
    ) -> Result<Self, Diagnostics> {
        if options.seeds.count() < 2 {
            return Err(Diagnostic::error("a comparison needs at least two seeds")
                .help("the difference between seeds says how sure a difference between versions is")
                .into());
        }
        let [first, second] = versions;
        let (first, first_values) = read(first, options)?;
        let (second, second_values) = read(second, options)?;
        let seeds = (0..options.seeds.count()).map(|index| options.seeds.seed(index, first.seed()));
        let names = |of: &Trials| -> Vec<(String, &'static str, bool)> {
            let measures = of.recorded();
            let measures = measures.map(|(name, of, _)| (name.to_owned(), of.unit(), false));
            let expectations = of.expectations().into_iter().map(|text| (text, "", true));
            measures.chain(expectations).collect()
        };
        let both = [names(&first), names(&second)];
        let index = |of: &Trials, at: usize, is_expectation: bool| {
            if is_expectation { at - of.recorded().count() } else { at }
        };
        let mut columns = Vec::new();
        for (at, column) in both[0].iter().enumerate() {
            // The same expectation may be there twice.
            let place = both[0][..at].iter().filter(|other| *other == column).count();
            let mut alike = both[1].iter().enumerate().filter(|(_, other)| *other == column);
            let Some((other, _)) = alike.nth(place) else { continue };
            let (name, unit, is_expectation) = column.clone();
            let indices =
                [index(&first, at, is_expectation), index(&second, other, is_expectation)];
            columns.push(ComparedColumn { name, unit, is_expectation, indices });
        }
        let only = [0, 1].map(|side| {
            let lacks = |column: &&(String, _, _)| !both[1 - side].contains(column);
            both[side].iter().filter(lacks).map(|(name, ..)| name.clone()).collect()
        });
        Ok(Self {
            seeds: seeds.collect(),
            versions: [first, second],
            values: [first_values, second_values],
            columns,
            only,
        })
    }

    /// Returns the number of runs.
    pub fn runs(&self) -> u64 {
        2 * self.seeds.len() as u64
    }

    /// Returns the seeds.
    pub fn seeds(&self) -> &[u64] {
        &self.seeds
    }

    /// Returns the names of measures and the expectations that only one of the versions has, for each version.
    pub fn only_in(&self) -> &[Vec<String>; 2] {
        &self.only
    }

    /// Runs both versions with all seeds, on all threads of the current pool. `stop` is called before every tick, and `ran` after each
    /// run. `None` if it was stopped.
    ///
    /// # Errors
    ///
    /// If the threads cannot be started.
    pub fn run(
        &self,
        stop: &(dyn Fn() -> bool + Sync),
        ran: &mut (dyn FnMut() + Send),
    ) -> Result<Option<Comparison>, NoThreads> {
        let mut outcomes: [Vec<Outcome>; 2] = [Vec::new(), Vec::new()];
        for (side, trials) in self.versions.iter().enumerate() {
            let trial = |index: u64| Trial {
                values: self.values[side].clone(),
                seed: Some(self.seeds[index as usize]),
            };
            trials.run(self.seeds.len() as u64, PARTS, stop, trial, |_, _, outcome| {
                outcomes[side].push(outcome);
                ran();
                ControlFlow::Continue(())
            })?;
        }
        let is_complete = outcomes.iter().all(|all| all.len() == self.seeds.len());
        Ok(is_complete.then(|| self.compare(&outcomes)))
    }

    fn compare(&self, outcomes: &[Vec<Outcome>; 2]) -> Comparison {
        let rows = self.columns.iter().map(|column| column.row(outcomes));
        let mut rows: Vec<ComparedRow> = rows.collect();
        let is_same = |a: &Outcome, b: &Outcome| {
            (a.tick, a.state_hash, &a.measures, &a.holds, &a.error)
                == (b.tick, b.state_hash, &b.measures, &b.holds, &b.error)
        };
        let is_single_run =
            outcomes.iter().all(|all| all.windows(2).all(|pair| is_same(&pair[0], &pair[1])));
        judge(&mut rows, is_single_run);
        let errors = [0, 1].map(|side: usize| {
            let all = self.seeds.iter().zip(&outcomes[side]);
            all.filter_map(|(seed, outcome)| Some((*seed, outcome.error.clone()?))).collect()
        });
        Comparison { seeds: self.seeds.clone(), rows, errors, is_single_run }
    }
}

impl Comparison {
    /// Returns why a difference is unclear although its own interval excludes zero, in words.
    pub fn why_unclear(&self, row: &ComparedRow) -> Option<String> {
        let is_unclear = row.verdict == DifferenceVerdict::Unclear;
        let excludes_zero = row.difference.is_some_and(|of| of.excludes_zero());
        let tries = || format!("since {} values are compared at once", self.tries());
        (is_unclear && excludes_zero).then(tries)
    }

    /// Returns the number of rows that could differ: the more of them, the larger a difference has to be.
    fn tries(&self) -> usize {
        self.rows.iter().filter(|row| row.verdict > DifferenceVerdict::NoValues).count()
    }
}

/// Says what can be said about each row.
fn judge(rows: &mut [ComparedRow], is_single_run: bool) {
    // Rows that cannot differ are no tries.
    let mut tries: Vec<&mut ComparedRow> =
        rows.iter_mut().filter(|row| row.verdict == DifferenceVerdict::NotSeen).collect();
    if is_single_run {
        for row in tries {
            (row.adjusted_p, row.verdict) = (0.0, DifferenceVerdict::Different);
        }
        return;
    }
    let probabilities: Vec<f64> = tries.iter().filter_map(|row| Some(row.difference?.p)).collect();
    for (row, p) in tries.iter_mut().zip(adjusted(&probabilities)) {
        row.adjusted_p = p;
        let may_differ = row
            .difference
            .is_some_and(|of| of.excludes_zero() || of.difference.abs() >= of.detectable);
        if p < SIGNIFICANCE {
            row.verdict = DifferenceVerdict::Different;
        } else if may_differ {
            row.verdict = DifferenceVerdict::Unclear;
        }
    }
}

impl ComparedColumn {
    fn row(&self, outcomes: &[Vec<Outcome>; 2]) -> ComparedRow {
        let value = |side: usize, run: usize| -> Option<f64> {
            let (outcome, index) = (&outcomes[side][run], self.indices[side]);
            if outcome.error.is_some() {
                return None;
            }
            match self.is_expectation {
                true => outcome.holds.get(index).map(|holds| f64::from(u8::from(*holds))),
                false => outcome.measures.get(index).copied().flatten().map(f64::from),
            }
        };
        let values: Vec<[Option<f64>; 2]> =
            (0..outcomes[0].len()).map(|run| [value(0, run), value(1, run)]).collect();
        let pairs: Vec<[f64; 2]> =
            values.iter().filter_map(|[a, b]| Some([(*a)?, (*b)?])).collect();
        let difference = if self.is_expectation {
            let shares: Vec<[bool; 2]> = pairs.iter().map(|pair| pair.map(|x| x > 0.5)).collect();
            PairedDifference::of_shares(&shares)
        } else {
            PairedDifference::of_numbers(&pairs)
        };
        let verdict = match difference {
            None => DifferenceVerdict::NoValues,
            Some(_) if pairs.iter().all(|[a, b]| a == b) => DifferenceVerdict::Same,
            Some(_) => DifferenceVerdict::NotSeen,
        };
        ComparedRow {
            name: self.name.clone(),
            unit: self.unit,
            is_expectation: self.is_expectation,
            values,
            difference,
            adjusted_p: 1.0,
            verdict,
        }
    }
}

/// Reads a version.
fn read(
    version: ComparedVersion<'_>,
    options: &CompareOptions,
) -> Result<(Trials, Vec<TemplateValue>), Diagnostics> {
    let scenario = version.scenario;
    let mut vary = Vec::new();
    for text in &version.values {
        let (path, value) = value_of(scenario, text)?;
        let place = Place { source: Arc::clone(text), span: 0..text.text.len() };
        vary.push((path, place, Variation::List(vec![value])));
    }
    let plan = Plan {
        source: Arc::clone(scenario),
        scenario: (scenario.name.clone(), Place { source: Arc::clone(scenario), span: 0..0 }),
        vary,
        seeds: options.seeds.clone(),
        ticks: options.ticks,
        record: options.measures.clone(),
        expectations: Expectations::Holds,
        sweep: SweepPlan { points: Points::Grid, every: None },
        tune: None,
        labels: BTreeMap::new(),
        tables: BTreeMap::new(),
    };
    let values = plan.first_values();
    Ok((Trials::new(&plan, scenario, version.scripts)?, values))
}

/// Reads a value that is given as its name, `=` and what it becomes.
fn value_of(
    scenario: &Arc<Source>,
    text: &Arc<Source>,
) -> Result<(String, TemplateValue), Diagnostic> {
    let Some((name, value)) = text.text.split_once('=').filter(|(name, _)| !name.is_empty()) else {
        return Err(Diagnostic::error("this is no value of the scenario")
            .at(text, 0..text.text.len())
            .help("write its name, `=` and the value, such as `birds.sight=40`"));
    };
    let (path, value) = (name.trim(), value.trim());
    if path == "seed" {
        return Err(Diagnostic::error("both versions run with the same seeds")
            .at(text, 0..text.text.len())
            .help("say which: `--seeds 20` for that many, or `--seeds 100..119`"));
    }
    let template =
        Template::new(scenario, &[path]).map_err(|(_, error)| error.at(text, 0..name.len()))?;
    let [plain, quoted] = [value.to_owned(), string_text(value)].map(TemplateValue::Text);
    let fits = |value: &TemplateValue| template.read(std::slice::from_ref(value)).is_ok();
    // A word in place of a number is a slip.
    let is_number = template.written(0).parse::<f64>().is_ok();
    let is_string = !is_number && !fits(&plain) && fits(&quoted);
    Ok((path.to_owned(), if is_string { quoted } else { plain }))
}
