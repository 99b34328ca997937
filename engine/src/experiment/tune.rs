//! Tunes: values that are best for a goal.

use std::sync::Arc;

use super::tune_runs::{TuneRuns, Watch};
use super::tune_score::{Reading, Scorer, quantile};
use super::tune_search::{self, Evaluation, Search};
use super::{Expectations, Goal, Plan, SweepPlan, Trials, TunePlan, Variation};
use crate::diag::{Diagnostic, Diagnostics, Source};
use crate::math::random::Mix;
use crate::scenario::TemplateValue;
use crate::script::Library;
use crate::threads::NoThreads;

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
}

/// The verdict of a confirmation, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// The values are better than those of the scenario.
    Better,
    /// They are better, but not by more than what other seeds might change.
    WithinSpread,
    /// They are not better.
    NotBetter,
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
        let scorer = Scorer::new(&tune);
        let of_goal = |name: &str| {
            let goal = tune.goals.iter().find(|(goal, _)| goal.measures().contains(&name));
            goal.map_or_else(|| plan.scenario.1.clone(), |(_, place)| place.clone())
        };
        let record = scorer.measures().iter().map(|name| (name.clone(), of_goal(name)));
        let margins = tune.goals.iter().find(|(goal, _)| *goal == Goal::Margins);
        let needed = Plan {
            record: Some(record.collect()),
            expectations: match margins {
                Some(_) => Expectations::Margins,
                None => Expectations::Ignore,
            },
            sweep: SweepPlan { every: None, ..plan.sweep },
            ..plan.clone()
        };
        let trials = Trials::new(&needed, scenario, scripts)?;
        let now = Trials::new(&Plan { vary: Vec::new(), ..needed }, scenario, scripts)?;
        if let Some((_, place)) = margins
            && trials.expectations().is_empty()
        {
            return Err(Diagnostic::error("the scenario has no expectations, so it has no margins")
                .at(&place.source, place.span.clone())
                .help("add `expect: [..]` to the scenario, or choose a measure: `Maximize(\"polarization\")`")
                .into());
        }
        let count = plan.seeds.count();
        let seeds = (0..count).map(|index| plan.seeds.seed(index, trials.seed())).collect();
        let runs = TuneRuns { plan: tune, variations, seeds, trials, now, scorer };
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

    /// Searches, on all threads of the current pool. `stop` is called before every tick, and ends the search if it
    /// returns true; `ran` is called after each run, and `tried` with the search so far after each generation.
    ///
    /// # Errors
    ///
    /// If the threads cannot be started.
    pub fn search(
        &self,
        stop: &(dyn Fn() -> bool + Sync),
        ran: &mut (dyn FnMut() + Send),
        tried: &mut dyn FnMut(&Search),
    ) -> Result<Search, NoThreads> {
        tune_search::search(&self.runs, Watch { stop, ran }, tried)
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
        ran: &mut (dyn FnMut() + Send),
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
        ran: &mut (dyn FnMut() + Send),
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
            all[index].scores[side] = self.runs.judge(&readings).0[0];
            all[index].values[side] = Some(values[index].clone());
        }
        Ok(Some(all))
    }

    fn compare(&self, now: &[Reading], found: &[Reading]) -> Vec<Confirmation> {
        let (before, _) = self.runs.judge(now);
        let (after, errors) = self.runs.judge(found);
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
        let goals = before.into_iter().zip(after).enumerate();
        goals
            .map(|(goal, (now, found))| {
                let of_goal: Option<Vec<f64>> = gains.iter().map(|all| all[goal]).collect();
                let gain = of_goal.map(|mut all| {
                    all.sort_by(f64::total_cmp);
                    [quantile(&all, 0.05), quantile(&all, 0.95)]
                });
                let verdict = Verdict::of(now, found, gain);
                Confirmation { now, found, gain, verdict, errors }
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
