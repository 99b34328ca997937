//! The search of a tune: which values are tried next.
//!
//! This is the only file that names the library for the search. One goal: CMA-ES, which begins at the scenario's values and
//! begins again elsewhere when it has converged (BIPOP). Several goals: NSGA-II. All candidates of a generation are run
//! together, and the library hears the scores in their order, so the search does not depend on threads.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use genoxide::algorithm::{Algorithm, Cmaes, cmaes::Restarts};
use genoxide::genome::{Real, Reals};
use genoxide::multi::{MultiObjectiveAlgorithm, Nsga2, Scores};
use genoxide::operator::{PolynomialMutation, SimulatedBinaryCrossover};
use genoxide::{Fitness, Objective};

use super::tune_runs::{TuneRuns, Watch};
use super::tune_score::Judged;
use crate::scenario::TemplateValue;
use crate::threads::NoThreads;

/// Values that were tried, and what they gave.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    /// The values, in the order of the plan; empty for the scenario as it is.
    pub values: Vec<TemplateValue>,
    /// For each value, the part of the way through its range, from 0 to 1; empty for the scenario as it is.
    pub parts: Vec<f64>,
    /// A score for each goal. Higher is better: it is the negative of what should be low. `None` if runs had an error, or gave
    /// nothing to judge by.
    pub scores: Vec<Option<f64>>,
    /// Number of its runs that ended with an error.
    pub errors: u64,
    /// How far its runs are from keeping the constraints, in sum; 0 if all keep them.
    pub violation: f64,
    /// Number of its runs that do not keep the constraints.
    pub violations: u64,
    /// How often the search had begun again before.
    pub restarts: u64,
}

impl Evaluation {
    fn new(values: Vec<TemplateValue>, parts: Vec<f64>, judged: Judged, restarts: u64) -> Self {
        let Judged { scores, errors, violation, violations } = judged;
        Self { values, parts, scores, errors, violation, violations, restarts }
    }

    /// Returns how far it is from being allowed; `None` if it is. Any error is worse than any violation of a constraint.
    fn distance_from_allowed(&self) -> Option<f64> {
        if self.scores.iter().any(Option::is_none) {
            // Fewer errors are better.
            return Some(1.0 + self.errors as f64);
        }
        (self.violation > 0.0).then(|| self.violation / (1.0 + self.violation))
    }

    /// Returns whether it is at least as good for all goals, and better for one.
    fn dominates(&self, other: &Self) -> bool {
        let mut is_better = false;
        for (a, b) in self.scores.iter().zip(&other.scores) {
            // No score is less than any.
            match a.partial_cmp(b) {
                Some(std::cmp::Ordering::Less) | None => return false,
                Some(std::cmp::Ordering::Greater) => is_better = true,
                Some(std::cmp::Ordering::Equal) => {}
            }
        }
        is_better
    }
}

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchEnd {
    /// No more runs were allowed.
    Budget,
    /// It found nothing that it had not tried before.
    Exhausted,
    /// The caller broke it off.
    Interrupted,
}

/// A search that has ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Search {
    /// The evaluations, in order. The first one is the scenario as it is.
    pub evaluations: Vec<Evaluation>,
    /// Number of runs.
    pub runs: u64,
    /// Why it ended.
    pub end: SearchEnd,
    /// The measures, and when they are read, that have no value in any run of the scenario as it is.
    pub without_value: Vec<String>,
}

impl Search {
    /// Returns the indices of the evaluations than which no other is better in all goals, the first of equal ones. With one
    /// goal it is a single one. Those that keep the constraints come before all others; if none does, it is the first one that is
    /// the nearest to it. Empty if no evaluation has a score for each goal.
    pub fn front(&self) -> Vec<usize> {
        let all = &self.evaluations;
        let is_scored = |one: &Evaluation| one.scores.iter().all(Option::is_some);
        let is_allowed = |one: &Evaluation| one.distance_from_allowed().is_none();
        if !all.iter().any(is_allowed) {
            let scored = (0..all.len()).filter(|index| is_scored(&all[*index]));
            let nearest = scored.min_by(|a, b| all[*a].violation.total_cmp(&all[*b].violation));
            return nearest.into_iter().collect();
        }
        let is_in = |index: &usize| {
            let one = &all[*index];
            let equal = |other: &Evaluation| other.scores == one.scores && is_allowed(other);
            is_allowed(one)
                && !all.iter().any(|other| is_allowed(other) && other.dominates(one))
                && !all[..*index].iter().any(equal)
        };
        (0..all.len()).filter(is_in).collect()
    }

    /// Returns the number of runs that ended with an error.
    pub fn errors(&self) -> u64 {
        self.evaluations.iter().map(|one| one.errors).sum()
    }
}

/// Number of generations without anything new after which a search ends.
const MAX_STALE: u32 = 50;

/// Number of generations that a search for several goals should have at least, and the bounds of their size.
const GENERATIONS: u64 = 10;
const POPULATION: (u64, u64) = (8, 48);

/// A search that goes on.
struct Searching<'t, 'w> {
    runs: &'t TuneRuns,
    watch: Watch<'w>,
    so_far: Search,
    /// Which evaluation has these values.
    known: BTreeMap<String, usize>,
    stale: u32,
}

/// Searches with the runs that the plan allows.
pub(super) fn search(runs: &TuneRuns, watch: Watch<'_>) -> Result<Search, NoThreads> {
    // Until it has ended, a search is one that was interrupted.
    let so_far = Search {
        evaluations: Vec::new(),
        runs: 0,
        end: SearchEnd::Interrupted,
        without_value: Vec::new(),
    };
    let mut this = Searching { runs, watch, so_far, known: BTreeMap::new(), stale: 0 };
    let end = match this.begin()? {
        ControlFlow::Break(end) => end,
        ControlFlow::Continue(()) => match runs.plan.goals.len() {
            2 => this.several::<2>()?,
            3 => this.several::<3>()?,
            4 => this.several::<4>()?,
            _ => this.one()?,
        },
    };
    Ok(Search { end, ..this.so_far })
}

/// Returns the least number of runs that a search needs: the scenario as it is, and one generation.
pub(super) fn least_runs(runs: &TuneRuns) -> u64 {
    let candidates = match runs.plan.goals.len() {
        1 => Cmaes::default_population_size(runs.variations.len()) as u64,
        _ => POPULATION.0,
    };
    (1 + candidates) * runs.seeds.len() as u64
}

impl Searching<'_, '_> {
    /// Evaluates the scenario as it is.
    fn begin(&mut self) -> Result<ControlFlow<SearchEnd>, NoThreads> {
        let Some(readings) = self.runs.run_now(&self.runs.seeds, &mut self.watch)? else {
            return Ok(ControlFlow::Break(SearchEnd::Interrupted));
        };
        self.so_far.runs += readings.len() as u64;
        self.runs.scorer.set_scales(&readings);
        self.so_far.without_value = self.runs.scorer.without_value(&readings);
        let judged = self.runs.judge(&readings);
        self.so_far.evaluations.push(Evaluation::new(Vec::new(), Vec::new(), judged, 0));
        Ok(ControlFlow::Continue(()))
    }

    /// Evaluates a generation. Returns the index of the evaluation of each candidate. If the budget allows only some of the
    /// candidates, these are still evaluated.
    fn generation(
        &mut self,
        candidates: &[Vec<f64>],
        restarts: u64,
    ) -> Result<ControlFlow<SearchEnd, Vec<usize>>, NoThreads> {
        let variations = &self.runs.variations;
        let seeds = &self.runs.seeds;
        let allowed = (self.runs.plan.budget - self.so_far.runs) / seeds.len() as u64;
        let (mut indices, mut new) = (Vec::new(), Vec::new());
        for parts in candidates {
            let values: Vec<TemplateValue> =
                parts.iter().zip(variations).map(|(part, of)| of.rounded_at(*part)).collect();
            let key = values.iter().map(|value| format!("{value}\n")).collect();
            let next = self.so_far.evaluations.len() + new.len();
            let index = *self.known.entry(key).or_insert(next);
            if index == next {
                new.push((parts, values));
            }
            indices.push(index);
        }
        self.stale = if new.is_empty() { self.stale + 1 } else { 0 };
        let is_last = new.len() as u64 > allowed;
        new.truncate(allowed as usize);
        let values: Vec<Vec<TemplateValue>> =
            new.iter().map(|(_, values)| values.clone()).collect();
        let Some(readings) = self.runs.run_values(&values, seeds, &mut self.watch)? else {
            return Ok(ControlFlow::Break(SearchEnd::Interrupted));
        };
        for ((parts, values), readings) in new.into_iter().zip(readings) {
            self.so_far.runs += readings.len() as u64;
            let judged = self.runs.judge(&readings);
            let evaluation = Evaluation::new(values, parts.clone(), judged, restarts);
            self.so_far.evaluations.push(evaluation);
        }
        Ok(if is_last {
            ControlFlow::Break(SearchEnd::Budget)
        } else if self.stale >= MAX_STALE {
            ControlFlow::Break(SearchEnd::Exhausted)
        } else {
            ControlFlow::Continue(indices)
        })
    }

    /// Searches for one goal.
    fn one(&mut self) -> Result<SearchEnd, NoThreads> {
        let (space, start) = self.space();
        let mut cmaes = valid(
            Cmaes::builder(space)
                .initial_mean(start)
                .restarts(Restarts::Bipop)
                .maximize()
                .seed(self.runs.plan.seed)
                .build(),
        );
        loop {
            let candidates: Vec<Vec<f64>> = cmaes.ask().iter().map(|one| one.to_vec()).collect();
            let indices = match self.generation(&candidates, cmaes.restart_count())? {
                ControlFlow::Continue(indices) => indices,
                ControlFlow::Break(end) => return Ok(end),
            };
            let fitness = |index: &usize| {
                let one = &self.so_far.evaluations[*index];
                let score = one.scores[0].unwrap_or_default();
                match one.distance_from_allowed() {
                    None => Fitness::new(score),
                    Some(distance) => Fitness::constrained(score, distance),
                }
            };
            let told: Vec<Fitness> = indices.iter().map(fitness).collect();
            valid(cmaes.tell(&told));
        }
    }

    /// Searches for several goals.
    fn several<const GOALS: usize>(&mut self) -> Result<SearchEnd, NoThreads> {
        let plan = &self.runs.plan;
        let size = plan.budget / (GENERATIONS * self.runs.seeds.len() as u64);
        let (space, start) = self.space();
        let rate = 1.0 / self.runs.variations.len() as f64;
        // The distribution indices are those that are usual for real numbers.
        let mut nsga = valid(
            Nsga2::builder(space, [Objective::Maximize; GOALS])
                .population_size(size.clamp(POPULATION.0, POPULATION.1) as usize)
                .initial_genomes([start])
                .crossover(valid(SimulatedBinaryCrossover::new(15.0)))
                .mutate(valid(PolynomialMutation::per_gene(rate, 20.0)))
                .seed(plan.seed)
                .build(),
        );
        loop {
            let candidates: Vec<Vec<f64>> = nsga.ask().iter().map(|one| one.to_vec()).collect();
            let indices = match self.generation(&candidates, 0)? {
                ControlFlow::Continue(indices) => indices,
                ControlFlow::Break(end) => return Ok(end),
            };
            let scores = |index: &usize| {
                let one = &self.so_far.evaluations[*index];
                let mut all = [0.0; GOALS];
                for (score, of) in all.iter_mut().zip(&one.scores) {
                    *score = of.unwrap_or_default();
                }
                match one.distance_from_allowed() {
                    None => Scores::new(all),
                    Some(distance) => Scores::constrained(all, distance),
                }
            };
            let told: Vec<Scores<GOALS>> = indices.iter().map(scores).collect();
            valid(nsga.tell(&told));
        }
    }

    /// Returns the space of the search, and the point in it that stands for the scenario's values. A value that is outside of
    /// its range begins in the middle.
    fn space(&self) -> (Real, Reals) {
        let variations = &self.runs.variations;
        let start =
            self.runs.written().zip(variations).map(|(text, of)| of.part(text).unwrap_or(0.5));
        (valid(Real::uniform(variations.len(), 0.0..=1.0)), start.collect())
    }
}

/// The settings and the numbers of scores are always valid.
fn valid<T>(made: genoxide::Result<T>) -> T {
    made.unwrap_or_else(|error| unreachable!("{error}"))
}
