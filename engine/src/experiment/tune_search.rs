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
    /// How often the search had begun again before.
    pub restarts: u64,
}

impl Evaluation {
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
}

impl Search {
    /// Returns the indices of the evaluations than which no other is better in all goals, the first of equal ones. With one
    /// goal it is a single one. Empty if no evaluation has a score for each goal.
    pub fn front(&self) -> Vec<usize> {
        let all = &self.evaluations;
        let is_in = |index: &usize| {
            let one = &all[*index];
            let equal = |other: &Evaluation| other.scores == one.scores;
            one.scores.iter().all(Option::is_some)
                && !all.iter().any(|other| other.dominates(one))
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
    /// Called with the search so far.
    tried: &'w mut dyn FnMut(&Search),
    so_far: Search,
    /// Which evaluation has these values.
    known: BTreeMap<String, usize>,
    stale: u32,
}

/// Searches with the runs that the plan allows.
pub(super) fn search<'w>(
    runs: &TuneRuns,
    watch: Watch<'w>,
    tried: &'w mut dyn FnMut(&Search),
) -> Result<Search, NoThreads> {
    // Until it has ended, a search is one that was interrupted.
    let so_far = Search { evaluations: Vec::new(), runs: 0, end: SearchEnd::Interrupted };
    let mut this = Searching { runs, watch, tried, so_far, known: BTreeMap::new(), stale: 0 };
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
        let (scores, errors) = self.runs.judge(&readings);
        self.so_far.evaluations.push(Evaluation {
            values: Vec::new(),
            parts: Vec::new(),
            scores,
            errors,
            restarts: 0,
        });
        (self.tried)(&self.so_far);
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
            let (scores, errors) = self.runs.judge(&readings);
            let parts = parts.clone();
            self.so_far.evaluations.push(Evaluation { values, parts, scores, errors, restarts });
        }
        (self.tried)(&self.so_far);
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
                match one.scores[0] {
                    Some(score) => Fitness::new(score),
                    // Fewer errors are better.
                    None => Fitness::constrained(0.0, 1.0 + one.errors as f64),
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
                    match of {
                        Some(of) => *score = *of,
                        None => return Scores::constrained([0.0; GOALS], 1.0 + one.errors as f64),
                    }
                }
                Scores::new(all)
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
