//! The result of a tune: what was found, whether other seeds confirm it, and all of it as a JSON object.

use serde_json::{Value, json};

use super::tune::{Confirmation, Sensitivity, Tune, Verdict};
use super::tune_around::KnownValues;
use super::tune_goal::Goal;
use super::tune_runs::TuneRun;
use super::tune_search::{Evaluation, Search, SearchEnd};
use super::variation::Variation;
use crate::scenario::TemplateValue;
use crate::threads::NoThreads;

/// The part of the gain that values may lose and still be good.
const GOOD_LOSS: f64 = 0.1;

/// The maximum number of rows that are confirmed and shown for several goals.
pub const MAX_TUNE_ROWS: usize = 12;

/// The result of a tune, and how long it took.
pub struct TuneOutcome<'t> {
    /// The tune.
    pub tune: &'t Tune,
    /// Its search.
    pub search: &'t Search,
    /// For one goal the best values; for several, rows of the table.
    pub found: Vec<FoundValues>,
    /// Number of all runs.
    pub runs: u64,
    /// How long they took.
    pub seconds: f64,
}

/// Values that were found.
pub struct FoundValues {
    /// The number of the evaluation; 0 is the scenario as it is.
    pub index: usize,
    /// For each goal.
    pub confirmation: Option<Vec<Confirmation>>,
    /// For each value.
    pub sensitivity: Option<Vec<Sensitivity>>,
    /// How well the values are known, if the only goal is to match measures.
    pub known: Option<KnownValues>,
}

impl FoundValues {
    fn new(index: usize) -> Self {
        Self { index, confirmation: None, sensitivity: None, known: None }
    }

    /// Returns what the confirmation says of the goal for which it says the best.
    pub fn best_verdict(&self) -> Verdict {
        let verdicts = self.confirmation.iter().flatten().map(|one| one.verdict);
        verdicts.min().unwrap_or(Verdict::NotBetter)
    }
}

impl Search {
    /// Returns the evaluations to show: the best one, or some of those that no other is better than, from the worst to the
    /// best for the first goal.
    pub fn rows(&self) -> Vec<usize> {
        let mut front = self.front();
        let score = |index: usize| self.evaluations[index].scores[0].unwrap_or(f64::NEG_INFINITY);
        front.sort_by(|a, b| score(*a).total_cmp(&score(*b)));
        if front.len() <= MAX_TUNE_ROWS {
            return front;
        }
        let last = front.len() - 1;
        (0..MAX_TUNE_ROWS).map(|row| front[row * last / (MAX_TUNE_ROWS - 1)]).collect()
    }
}

impl Tune {
    /// Returns the number of runs if the search uses its whole budget.
    pub fn max_runs(&self) -> u64 {
        match self.plan().goals.len() {
            1 => {
                let around = self.sensitivity_runs() + self.known_values_runs();
                self.plan().budget + self.confirmation_runs(1) + around
            }
            _ => self.plan().budget + self.confirmation_runs(MAX_TUNE_ROWS),
        }
    }

    /// Returns what a search has found. If it has ended, values are confirmed with other seeds, unless it is stopped then; and for one
    /// goal, what a change of each value does is found out.
    ///
    /// # Errors
    ///
    /// If the threads cannot be started.
    pub fn found(
        &self,
        search: &Search,
        stop: &(dyn Fn() -> bool + Sync),
        ran: &mut (dyn FnMut(Option<&TuneRun>) + Send),
    ) -> Result<Vec<FoundValues>, NoThreads> {
        let rows = search.rows();
        let mut found: Vec<FoundValues> =
            rows.iter().map(|index| FoundValues::new(*index)).collect();
        // The scenario as it is needs no confirmation.
        let new: Vec<usize> = (0..rows.len()).filter(|row| rows[*row] != 0).collect();
        if search.end == SearchEnd::Interrupted || new.is_empty() {
            return Ok(found);
        }
        let values: Vec<_> =
            new.iter().map(|row| search.evaluations[rows[*row]].values.clone()).collect();
        if let Some(all) = self.confirm(&values, stop, ran)? {
            for (row, confirmation) in new.iter().zip(all) {
                found[*row].confirmation = Some(confirmation);
            }
            if self.plan().goals.len() == 1 {
                let best = &search.evaluations[rows[new[0]]];
                found[new[0]].sensitivity = self.sensitivity(best, stop, ran)?;
                let confirmed = found[new[0]].confirmation.iter().flatten();
                if confirmed.clone().any(|one| one.seeds_differ) {
                    found[new[0]].known = self.known_values(best, stop, ran)?;
                }
            }
        }
        Ok(found)
    }
}

impl TuneOutcome<'_> {
    /// Returns the goals.
    pub fn goals(&self) -> impl Iterator<Item = &Goal> {
        self.tune.plan().goals.iter().map(|(goal, _)| goal)
    }

    /// Returns the values of the goals for some scores.
    pub fn values(&self, scores: &[Option<f64>]) -> Vec<Option<f64>> {
        self.goals().zip(scores).map(|(goal, score)| goal.value(*score)).collect()
    }

    /// Returns the paths of values with these indices.
    pub fn path_names(&self, values: &[usize]) -> Vec<&str> {
        let paths: Vec<&str> = self.tune.paths().collect();
        values.iter().map(|index| paths[*index]).collect()
    }

    /// Returns the values of an evaluation as they are written.
    pub fn value_texts(&self, index: usize) -> Vec<String> {
        match index {
            0 => self.tune.written().map(String::from).collect(),
            _ => self.search.evaluations[index].values.iter().map(ToString::to_string).collect(),
        }
    }

    /// Returns for each value the ends of those with which tries have at least nine tenths of the gain over the scenario as it is. Empty for
    /// several goals, if nothing better was found, or if the scenario has no score; `None` for a value of a list.
    pub fn good_values(&self) -> Vec<Option<[TemplateValue; 2]>> {
        let evaluations = &self.search.evaluations;
        let ([found], 1) = (&self.found[..], self.goals().count()) else { return Vec::new() };
        let score = |index: usize| evaluations[index].scores[0];
        let (Some(now), Some(best)) = (score(0), score(found.index)) else { return Vec::new() };
        if found.index == 0 || best <= now {
            return Vec::new();
        }
        let is_good = |one: &&Evaluation| {
            one.violations == 0
                && one.scores[0].is_some_and(|score| best - score <= (best - now) * GOOD_LOSS)
        };
        let best = &evaluations[found.index];
        let good: Vec<&Evaluation> =
            evaluations[1..].iter().filter(is_good).chain([best]).collect();
        let ends = |(index, of): (usize, &Variation)| {
            let parts = good.iter().map(|one| (one.parts[index], &one.values[index]));
            let (mut low, mut high) = (parts.clone().next()?, parts.clone().next()?);
            for part in parts {
                low = if part.0 < low.0 { part } else { low };
                high = if part.0 > high.0 { part } else { high };
            }
            let mut ends = [low.1.clone(), high.1.clone()];
            if let Variation::Range { ends: [from, to], .. } = of
                && from > to
            {
                ends.reverse();
            }
            (!matches!(of, Variation::List(_))).then_some(ends)
        };
        self.tune.variations().iter().enumerate().map(ends).collect()
    }

    /// Returns the result as a JSON object.
    pub fn json(&self) -> Value {
        let now = &self.search.evaluations[0];
        json!({
            "version": 1,
            "goals": self.goals().map(ToString::to_string).collect::<Vec<_>>(),
            "where": self.tune.plan().constraints.iter().map(|(one, _)| one.to_string()).collect::<Vec<_>>(),
            "over": self.tune.plan().over.to_string(),
            "seeds": self.tune.seeds(),
            "confirmation_seeds": self.tune.confirmation_seeds(),
            "values": self.tune.paths().collect::<Vec<_>>(),
            "now": { "values": self.value_texts(0), "goals": self.values(&now.scores), "errors": now.errors, "violations": now.violations },
            "found": self.found.iter().map(|found| self.found_json(found)).collect::<Vec<_>>(),
            "end": match self.search.end {
                SearchEnd::Budget => "budget",
                SearchEnd::Exhausted => "exhausted",
                SearchEnd::Interrupted => "interrupted",
            },
            "tried": self.search.evaluations.len(),
            "runs": self.runs,
            "search_runs": self.search.runs,
            "search_errors": self.search.errors(),
            "seconds": self.seconds,
        })
    }

    fn found_json(&self, found: &FoundValues) -> Value {
        let evaluation = &self.search.evaluations[found.index];
        let confirmation = found.confirmation.as_ref().map(|all| {
            let of = |(goal, one): (&Goal, &Confirmation)| {
                json!({
                    "now": goal.value(one.now),
                    "found": goal.value(one.found),
                    "gain": one.gain,
                    "verdict": match one.verdict {
                        Verdict::Better => "better",
                        Verdict::WithinSpread => "within_spread",
                        Verdict::NotBetter => "not_better",
                        Verdict::Violates => "violates",
                    },
                    "errors": one.errors,
                    "violations": { "now": one.violations[0], "found": one.violations[1] },
                    "seeds_differ": one.seeds_differ,
                })
            };
            self.goals().zip(all).map(of).collect::<Vec<_>>()
        });
        let goal = self.goals().next();
        let sensitivity = found.sensitivity.as_ref().map(|all| {
            let of = |one: &Sensitivity| {
                let side = |side: usize| {
                    let written = one.values[side].as_ref().map(ToString::to_string);
                    let number = goal.and_then(|goal| goal.value(one.scores[side]));
                    written.map(|written| json!({ "value": written, "goal": number }))
                };
                json!([side(0), side(1)])
            };
            all.iter().map(of).collect::<Vec<_>>()
        });
        let known = found.known.as_ref();
        let good = self.good_values();
        let interval = |ends: &Option<[TemplateValue; 2]>| {
            ends.as_ref().map(|ends| ends.each_ref().map(ToString::to_string))
        };
        let intervals = known.map(|known| known.intervals.iter().map(interval).collect::<Vec<_>>());
        let unidentified = known.map(|known| {
            let sets = known.unidentified.iter();
            sets.map(|set| self.path_names(set)).collect::<Vec<_>>()
        });
        json!({
            "evaluation": found.index,
            "values": self.value_texts(found.index),
            "goals": self.values(&evaluation.scores),
            "errors": evaluation.errors,
            "violations": evaluation.violations,
            "confirmation": confirmation,
            "sensitivity": sensitivity,
            "intervals": intervals,
            "good": good.iter().map(interval).collect::<Vec<_>>(),
            "unidentified": unidentified,
        })
    }
}
