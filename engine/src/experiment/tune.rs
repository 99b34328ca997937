//! Tunes: values that are best for a goal.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::observed::{RUN_LONGER, RunTimes};
use super::tune_around::{self, KnownValues};
use super::tune_goal::Constraint;
use super::tune_runs::{TuneRun, TuneRuns, Watch};
use super::tune_score::{Reading, Scorer, Series, quantile};
use super::tune_search::{self, Evaluation, Search};
use super::tune_series::SeriesTable;
use super::{Expectations, MeasureAt, Plan, SweepPlan, Trials, TunePlan, Variation};
use crate::diag::{Diagnostic, Diagnostics, Place, Source};
use crate::math::random::Mix;
use crate::scenario::TemplateValue;
use crate::script::Library;
use crate::threads::NoThreads;
use crate::world::Edge;

/// A search for the values that are best for the goals of a plan.
///
/// [`search`](Self::search) finds them. [`confirm`](Self::confirm) compares what was found with the scenario as it is, with other
/// seeds, since the best of many tries is always also a lucky one.
pub struct Tune {
    plan: Plan,
    runs: TuneRuns,
}

/// How values compare with the scenario as it is, for one goal, with the seeds of the confirmation.
#[derive(Clone, Debug, PartialEq)]
pub struct Confirmation {
    /// The score of the scenario as it is; `None` if runs had an error, or gave nothing to judge by. Higher is better.
    pub now: Option<f64>,
    /// The score of the values.
    pub found: Option<f64>,
    /// The bounds of the gain with a probability of about 90 %: 5 % and 95 % quantiles of the gains with seeds that are
    /// repeatedly drawn from these at random. `None` if there are not enough scores.
    pub gain: Option<[f64; 2]>,
    /// The verdict on the confirmed values.
    pub verdict: Verdict,
    /// Number of the values' runs that ended with an error.
    pub errors: u64,
    /// Numbers of runs that do not keep the constraints: those of the scenario as it is, and those of the values.
    pub violations: [u64; 2],
    /// Whether the seed changes anything that the goals need.
    pub seeds_differ: bool,
}

/// The verdict of a confirmation, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// The values are better than those of the scenario, or they keep the constraints and those do not.
    Better,
    /// They are better, but not by more than what other seeds might change.
    WithinSpread,
    /// They are not better.
    NotBetter,
    /// Some of their runs do not keep the constraints.
    Violates,
}

/// The effect of a change of one value on a goal.
#[derive(Clone, Debug, PartialEq)]
pub struct Sensitivity {
    /// The scores with a lower and with a higher value; `None` where the value cannot change in this direction, or the runs gave
    /// nothing to judge by.
    pub scores: [Option<f64>; 2],
    /// These two values; `None` where it cannot change in this direction.
    pub values: [Option<TemplateValue>; 2],
}

/// The part of its range by which a value changes for its [`Sensitivity`].
const CHANGE: f64 = 0.05;

/// Number of times that seeds are drawn for the bounds of a gain.
const RESAMPLES: u64 = 1000;

impl Tune {
    /// Prepares a search. The plan's sweeps, records and expectations are not used.
    ///
    /// # Errors
    ///
    /// As [`Trials::new`], and if the plan has no goals, nothing varies, the goals need expectations and there are none, or the
    /// budget is too small.
    pub fn new(
        plan: Plan,
        scenario: &Arc<Source>,
        scripts: &dyn Library,
    ) -> Result<Self, Diagnostics> {
        let of_plan = |message: &str| {
            let (source, span) = (&plan.scenario.1.source, plan.scenario.1.span.clone());
            Diagnostic::error(message).at(source, span)
        };
        let Some(tune) = plan.tune.clone() else {
            let example = "write `tune: (goals: [Maximize(\"polarization\")], budget: 500)`";
            return Err(of_plan("the plan does not say what to look for").help(example).into());
        };
        let variations = plan.variations();
        let drawn = plan.vary.iter().find(|(.., of)| matches!(of, Variation::Drawn(_)));
        if let Some((path, place, _)) = drawn {
            return Err(Diagnostic::error(format!(
                "a tune searches ranges, but `{path}` is a distribution"
            ))
            .at(&place.source, place.span.clone())
            .help("write `Range(from: 0, to: 1)`")
            .into());
        }
        if variations.iter().all(|of| of.count() == Some(1)) {
            let example =
                "write `vary: { \"groups.flock.params.sight\": Range(from: 10, to: 60) }`";
            let error = match plan.vary.first() {
                Some((path, place, _)) => Diagnostic::error(format!(
                    "nothing varies, so there is nothing to tune: `{path}` has a single value"
                ))
                .at(&place.source, place.span.clone()),
                None => of_plan("nothing varies, so there is nothing to tune"),
            };
            return Err(error.help(example).into());
        }
        let tables = read_tables(&plan, &tune)?;
        let record = recorded(&tune, &tables);
        let names: Vec<String> = record.iter().map(|(name, _)| name.clone()).collect();
        let judged = tune.judged_expectations();
        let needed = Plan {
            record: Some(record),
            expectations: match judged {
                Some(_) => Expectations::Margins,
                None => Expectations::Ignore,
            },
            sweep: SweepPlan { every: None, ..plan.sweep },
            ..plan.clone()
        };
        let mut trials = Trials::new(&needed, scenario, scripts)?;
        let mut now = Trials::new(&Plan { vary: Vec::new(), ..needed }, scenario, scripts)?;
        let kinds = expectation_kinds(&tune, &trials)?;
        let times = trials.times(&plan);
        check_ticks(&tune, times)?;
        check_positions(&tune, &tables, &trials)?;
        let series = tables.iter().map(|(file, table)| Ok((file.clone(), table.series(times)?)));
        let series = series.collect::<Result<BTreeMap<String, Series>, Diagnostics>>()?;
        let scorer = Scorer::new(&tune, &series, &kinds);
        let observations = scorer.observations(&names);
        trials.observe(observations.clone());
        now.observe(observations);
        let count = plan.seeds.count();
        let seeds = (0..count).map(|index| plan.seeds.seed(index, trials.seed())).collect();
        let known = BTreeMap::new();
        let runs = TuneRuns { plan: tune, variations, seeds, trials, now, scorer, known };
        let least = tune_search::least_runs(&runs);
        if runs.plan.budget < least {
            let place = &runs.plan.budget_place;
            let seeds = runs.seeds.len();
            let s = if seeds == 1 { "" } else { "s" };
            return Err(Diagnostic::error(format!(
                "a budget of {} runs is too small: the first tries and the scenario as it is need {least}, with {seeds} seed{s} each",
                runs.plan.budget
            ))
            .at(&place.source, place.span.clone())
            .help("allow more runs, or take fewer seeds")
            .into());
        }
        Ok(Self { plan, runs })
    }

    /// Returns what is looked for.
    pub fn plan(&self) -> &TunePlan {
        &self.runs.plan
    }

    /// Gives the search another seed and another maximum number of runs than the plan: those of a shard.
    ///
    /// # Errors
    ///
    /// If the runs are too few: the number that a search needs at least.
    pub fn set_search(&mut self, seed: u64, budget: u64) -> Result<(), u64> {
        let least = self.least_runs();
        if budget < least {
            return Err(least);
        }
        (self.runs.plan.seed, self.runs.plan.budget) = (seed, budget);
        Ok(())
    }

    /// Returns the number of runs that a search needs at least: the scenario as it is, and one generation.
    pub fn least_runs(&self) -> u64 {
        tune_search::least_runs(&self.runs)
    }

    /// Returns the text of the plan.
    pub fn source(&self) -> &Arc<Source> {
        &self.plan.source
    }

    /// Returns the tables that its goals name, by their paths.
    pub fn tables(&self) -> impl Iterator<Item = (&str, &Arc<Source>)> {
        self.plan.tables.iter().map(|(file, source)| (file.as_str(), source))
    }

    /// Returns the paths of the values that vary.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.plan.vary.iter().map(|(path, ..)| path.as_str())
    }

    /// Returns how the values vary.
    pub fn variations(&self) -> &[Variation] {
        &self.runs.variations
    }

    /// Returns the values as they are written in the scenario; an empty string for one that is not written.
    pub fn written(&self) -> impl Iterator<Item = &str> {
        self.runs.written()
    }

    /// Returns the runs with other values.
    pub fn trials(&self) -> &Trials {
        &self.runs.trials
    }

    /// Returns the seeds of the search.
    pub fn seeds(&self) -> &[u64] {
        &self.runs.seeds
    }

    /// Returns the seeds of the confirmation: the first ones after those of the search.
    pub fn confirmation_seeds(&self) -> Vec<u64> {
        let mut next = self.runs.seeds.iter().copied().max().unwrap_or_default();
        let mut seeds = Vec::new();
        while (seeds.len() as u64) < self.runs.plan.confirm {
            next = next.wrapping_add(1);
            if !self.runs.seeds.contains(&next) {
                seeds.push(next);
            }
        }
        seeds
    }

    /// Returns the number of runs that a confirmation of some values needs.
    pub fn confirmation_runs(&self, count: usize) -> u64 {
        (count as u64 + 1) * self.runs.plan.confirm
    }

    /// Returns the largest number of runs that [`sensitivity`](Self::sensitivity) needs.
    pub fn sensitivity_runs(&self) -> u64 {
        2 * (self.runs.variations.len() * self.runs.seeds.len()) as u64
    }

    /// Returns the names of the columns of a table of runs: see [`run_cells`](Self::run_cells).
    pub fn run_columns(&self) -> Vec<String> {
        self.runs.columns(self.paths())
    }

    /// Returns the cells of a run in a table of runs: whether it is one of the scenario as it is, its values, its seed, its measures, for
    /// each expectation that is needed its margin and whether it holds, and whether it ended with an error. Numbers read back to
    /// the same bits; what there is none of is empty.
    pub fn run_cells(&self, run: &TuneRun) -> Vec<String> {
        self.runs.cells(run)
    }

    /// Remembers a run by its [cells](Self::run_cells), so that it is not run again. Returns false if they are not those of a run.
    /// A search that has all runs of an earlier one goes on where that ended.
    pub fn remember(&mut self, cells: &[&str]) -> bool {
        self.runs.remember(cells)
    }

    /// Searches, on all threads of the current pool. `stop` is called before every tick, and ends the search if it
    /// returns true; `ran` is called after each run, with the run unless it was [remembered](Self::remember).
    ///
    /// # Errors
    ///
    /// If the threads cannot be started.
    pub fn search(
        &self,
        stop: &(dyn Fn() -> bool + Sync),
        ran: &mut (dyn FnMut(Option<&TuneRun>) + Send),
    ) -> Result<Search, NoThreads> {
        tune_search::search(&self.runs, Watch { stop, ran })
    }

    /// Compares values with the scenario as it is, with the seeds of the confirmation. Returns a confirmation for each of the
    /// values and each goal; `None` if it was stopped.
    ///
    /// # Errors
    ///
    /// If the threads cannot be started.
    pub fn confirm(
        &self,
        values: &[Vec<TemplateValue>],
        stop: &(dyn Fn() -> bool + Sync),
        ran: &mut (dyn FnMut(Option<&TuneRun>) + Send),
    ) -> Result<Option<Vec<Vec<Confirmation>>>, NoThreads> {
        let mut watch = Watch { stop, ran };
        let seeds = self.confirmation_seeds();
        let Some(now) = self.runs.run_now(&seeds, &mut watch)? else {
            return Ok(None);
        };
        let Some(found) = self.runs.run_values(values, &seeds, &mut watch)? else {
            return Ok(None);
        };
        Ok(Some(found.iter().map(|found| self.compare(&now, found)).collect()))
    }

    /// Changes each value alone by 5 % of its range, or to the next one, with the seeds of the search. Values from a list do not
    /// change. `None` if it was stopped.
    ///
    /// # Errors
    ///
    /// If the threads cannot be started.
    pub fn sensitivity(
        &self,
        found: &Evaluation,
        stop: &(dyn Fn() -> bool + Sync),
        ran: &mut (dyn FnMut(Option<&TuneRun>) + Send),
    ) -> Result<Option<Vec<Sensitivity>>, NoThreads> {
        let mut changed = Vec::new();
        let mut places = Vec::new();
        for (index, of) in self.runs.variations.iter().enumerate() {
            for (side, sign) in [-1.0, 1.0].into_iter().enumerate() {
                let (Some(part), false) =
                    (found.parts.get(index), matches!(of, Variation::List(_)))
                else {
                    continue;
                };
                let step = of.count().map_or(CHANGE, |count| {
                    let next = 1.0 / count as f64;
                    if next > CHANGE { next } else { CHANGE }
                });
                let mut values = found.values.clone();
                values[index] = of.rounded_at((part + sign * step).clamp(0.0, 1.0));
                if values[index] != found.values[index] {
                    changed.push(values);
                    places.push((index, side));
                }
            }
        }
        let Some(readings) =
            self.runs.run_values(&changed, &self.runs.seeds, &mut Watch { stop, ran })?
        else {
            return Ok(None);
        };
        let none = Sensitivity { scores: [None; 2], values: [None, None] };
        let mut all = vec![none; self.runs.variations.len()];
        for (((index, side), values), readings) in places.into_iter().zip(changed).zip(readings) {
            all[index].scores[side] = self.runs.judge(&readings).scores[0];
            all[index].values[side] = Some(values[index].clone());
        }
        Ok(Some(all))
    }

    /// Finds out how well the values are known that match measures, if that is the only goal: with runs around them, with the seeds
    /// of the confirmation. `None` if it was stopped, or if runs have no value.
    ///
    /// # Errors
    ///
    /// If the threads cannot be started.
    pub fn known_values(
        &self,
        found: &Evaluation,
        stop: &(dyn Fn() -> bool + Sync),
        ran: &mut (dyn FnMut(Option<&TuneRun>) + Send),
    ) -> Result<Option<KnownValues>, NoThreads> {
        let Some(targets) = self.runs.scorer.targets() else {
            return Ok(None);
        };
        tune_around::known_values(
            &self.runs,
            &targets,
            found,
            &self.confirmation_seeds(),
            Watch { stop, ran },
        )
    }

    /// Returns the largest number of runs that [`known_values`](Self::known_values) needs beside those of the confirmation.
    pub fn known_values_runs(&self) -> u64 {
        let varied = self.runs.variations.len() as u64;
        match self.runs.scorer.targets() {
            Some(_) => tune_around::ROUNDS * (2 * varied + 1) * self.runs.plan.confirm,
            None => 0,
        }
    }

    fn compare(&self, now: &[Reading], found: &[Reading]) -> Vec<Confirmation> {
        let (before, after) = (self.runs.judge(now), self.runs.judge(found));
        // Both with the same seeds, since some seeds are hard for all values.
        let gains: Vec<Vec<Option<f64>>> = (0..RESAMPLES)
            .map(|resample| {
                let random = Mix::new(self.runs.plan.seed).with_str("confirm").with(resample);
                let drawn: Vec<usize> = (0..now.len() as u64)
                    .map(|draw| {
                        let at = f64::from(random.with(draw).unit()) * now.len() as f64;
                        (at as usize).min(now.len() - 1)
                    })
                    .collect();
                let scores = |of: &[Reading]| {
                    self.runs
                        .scorer
                        .scores(&drawn.iter().map(|index| &of[*index]).collect::<Vec<_>>())
                };
                let pairs = scores(found).into_iter().zip(scores(now));
                pairs.map(|(found, now)| Some(found? - now?)).collect()
            })
            .collect();
        let differ = |runs: &[Reading]| runs.windows(2).any(|pair| pair[0] != pair[1]);
        let seeds_differ = differ(now) || differ(found);
        let goals = before.scores.iter().copied().zip(after.scores.iter().copied()).enumerate();
        goals
            .map(|(goal, (now, found))| {
                let of_goal: Option<Vec<f64>> = gains.iter().map(|all| all[goal]).collect();
                let gain = of_goal.map(|mut all| {
                    all.sort_by(f64::total_cmp);
                    [quantile(&all, 0.05), quantile(&all, 0.95)]
                });
                let verdict = match (before.violations, after.violations) {
                    (_, 1..) => Verdict::Violates,
                    (1.., 0) if found.is_some() => Verdict::Better,
                    _ => Verdict::of(now, found, gain),
                };
                let (errors, violations) = (after.errors, [before.violations, after.violations]);
                Confirmation { now, found, gain, verdict, errors, violations, seeds_differ }
            })
            .collect()
    }
}

impl Verdict {
    fn of(now: Option<f64>, found: Option<f64>, gain: Option<[f64; 2]>) -> Self {
        match (now, found) {
            (_, None) => Self::NotBetter,
            (None, Some(_)) => Self::Better,
            (Some(now), Some(found)) if found <= now => Self::NotBetter,
            _ if gain.is_some_and(|[least, _]| least > 0.0) => Self::Better,
            _ => Self::WithinSpread,
        }
    }
}

impl TunePlan {
    /// Returns where it is written that expectations are needed; `None` if they are not.
    fn judged_expectations(&self) -> Option<&Place> {
        let goal = self.goals.iter().find(|(goal, _)| goal.needs_margins());
        let constraint = self.constraints.iter().find(|(one, _)| one.measure().is_none());
        goal.map(|(_, place)| place).or(constraint.map(|(_, place)| place))
    }

    /// Returns the measures of goals and constraints, and where these are written.
    fn measures(&self) -> impl Iterator<Item = (&MeasureAt, &Place)> {
        let of_goals = self.goals.iter().flat_map(|(goal, place)| {
            goal.measures().into_iter().map(move |measure| (measure, place))
        });
        let constraints = self.constraints.iter();
        of_goals.chain(constraints.filter_map(|(one, place)| Some((one.measure()?, place))))
    }
}

/// Reads the tables of goals.
fn read_tables(plan: &Plan, tune: &TunePlan) -> Result<BTreeMap<String, SeriesTable>, Diagnostics> {
    let mut tables = BTreeMap::new();
    for (file, place) in tune.goals.iter().flat_map(|(goal, _)| goal.tables()) {
        let source = plan.tables.get(file).ok_or_else(|| {
            Diagnostic::error(format!("there is no table `{file}`"))
                .at(&place.source, place.span.clone())
        })?;
        if !tables.contains_key(file) {
            tables.insert(file.to_owned(), SeriesTable::parse(source)?);
        }
    }
    Ok(tables)
}

/// Returns the names of the measures that runs record, each once, and where they are written.
fn recorded(tune: &TunePlan, tables: &BTreeMap<String, SeriesTable>) -> Vec<(String, Place)> {
    let written = tune.measures().map(|(measure, place)| (&measure.name, place));
    let columns = tables.values().flat_map(SeriesTable::columns);
    let mut record: Vec<(String, Place)> = Vec::new();
    for (name, place) in written.chain(columns.map(|column| (&column.name, &column.place))) {
        if !record.iter().any(|(known, _)| known == name) {
            record.push((name.clone(), place.clone()));
        }
    }
    record
}

/// Returns the kinds of the expectations of a scenario, if goals or constraints need them.
fn expectation_kinds(tune: &TunePlan, trials: &Trials) -> Result<Vec<String>, Diagnostics> {
    let Some(place) = tune.judged_expectations() else {
        return Ok(Vec::new());
    };
    let written = trials.expectations();
    if written.is_empty() {
        let (wrong, other) = match tune.goals.iter().any(|(goal, _)| goal.needs_margins()) {
            true => ("so it has no margins", "choose a measure: `Maximize(\"polarization\")`"),
            false => ("so none holds", "take a measure: `AtLeast(\"closest_pair\", 2)`"),
        };
        return Err(Diagnostic::error(format!("the scenario has no expectations, {wrong}"))
            .at(&place.source, place.span.clone())
            .help(format!("add `expect: [..]` to the scenario, or {other}"))
            .into());
    }
    let kind = |text: &String| text.split('(').next().unwrap_or_default().to_owned();
    let kinds: Vec<String> = written.iter().map(kind).collect();
    for (constraint, place) in &tune.constraints {
        if let Constraint::Holds(wanted) = constraint
            && !kinds.contains(wanted)
        {
            let wrong = Diagnostic::error(format!("the scenario has no expectation `{wanted}`"));
            let known: std::collections::BTreeSet<&str> =
                kinds.iter().map(String::as_str).collect();
            return Err(wrong.suggest(wanted, known).at(&place.source, place.span.clone()).into());
        }
    }
    Ok(kinds)
}

/// Checks that positions are not compared in a world where they jump from one side to the other.
fn check_positions(
    tune: &TunePlan,
    tables: &BTreeMap<String, SeriesTable>,
    trials: &Trials,
) -> Result<(), Diagnostics> {
    if trials.space().edge != Edge::Wrap {
        return Ok(());
    }
    let mut named = tune.goals.iter().flat_map(|(goal, _)| goal.tables());
    let Some((file, place)) = named.find(|(file, _)| tables[*file].has_positions()) else {
        return Ok(());
    };
    let wrong = format!(
        "`{file}` has positions of agents, which jump where the edge of the world is `Wrap`"
    );
    Err(Diagnostic::error(wrong)
        .at(&place.source, place.span.clone())
        .help("match measures, or give the scenario another edge")
        .into())
}

/// Checks that measures are read while runs last.
fn check_ticks(tune: &TunePlan, times: RunTimes) -> Result<(), Diagnostics> {
    for (measure, place) in tune.measures() {
        if let Some(wrong) = times.check_when(measure.when) {
            return Err(Diagnostic::error(wrong)
                .at(&place.source, place.span.clone())
                .help(RUN_LONGER)
                .into());
        }
    }
    Ok(())
}
