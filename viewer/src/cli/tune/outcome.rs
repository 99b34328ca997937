//! The result of a tune.

use flockwork_engine::experiment::{
    Confirmation, Goal, Search, SearchEnd, Sensitivity, Tune, Verdict,
};
use serde_json::{Value, json};

/// The maximum number of rows that are confirmed and shown for several goals.
pub(super) const MAX_ROWS: usize = 12;

/// The result of a tune, and how long it took.
pub(super) struct TuneOutcome<'t> {
    pub(super) tune: &'t Tune,
    pub(super) search: &'t Search,
    /// For one goal the best values; for several, rows of the table.
    pub(super) found: Vec<FoundValues>,
    /// Number of all runs.
    pub(super) runs: u64,
    pub(super) seconds: f64,
}

/// Values that were found.
pub(super) struct FoundValues {
    /// The number of the evaluation; 0 is the scenario as it is.
    pub(super) index: usize,
    /// For each goal.
    pub(super) confirmation: Option<Vec<Confirmation>>,
    /// For each value.
    pub(super) sensitivity: Option<Vec<Sensitivity>>,
}

impl FoundValues {
    pub(super) fn new(index: usize) -> Self {
        Self { index, confirmation: None, sensitivity: None }
    }

    /// Returns what the confirmation says of the goal for which it says the best.
    pub(super) fn best_verdict(&self) -> Verdict {
        let verdicts = self.confirmation.iter().flatten().map(|one| one.verdict);
        verdicts.min().unwrap_or(Verdict::NotBetter)
    }
}

/// Returns the evaluations to show: the best one, or some of those that no other is better than, from the worst to the
/// best for the first goal.
pub(super) fn rows(search: &Search) -> Vec<usize> {
    let mut front = search.front();
    let score = |index: usize| search.evaluations[index].scores[0].unwrap_or(f64::NEG_INFINITY);
    front.sort_by(|a, b| score(*a).total_cmp(&score(*b)));
    if front.len() <= MAX_ROWS {
        return front;
    }
    let last = front.len() - 1;
    (0..MAX_ROWS).map(|row| front[row * last / (MAX_ROWS - 1)]).collect()
}

/// Returns the number that a score stands for.
pub(super) fn value(goal: &Goal, score: Option<f64>) -> Option<f64> {
    // Without a negative zero.
    score.map(|score| if goal.is_lower_better() { 0.0 - score } else { score })
}

impl TuneOutcome<'_> {
    pub(super) fn goals(&self) -> impl Iterator<Item = &Goal> {
        self.tune.plan().goals.iter().map(|(goal, _)| goal)
    }

    /// Returns the values of the goals for some scores.
    pub(super) fn values(&self, scores: &[Option<f64>]) -> Vec<Option<f64>> {
        self.goals().zip(scores).map(|(goal, score)| value(goal, *score)).collect()
    }

    /// Returns the values of an evaluation as they are written.
    pub(super) fn value_texts(&self, index: usize) -> Vec<String> {
        match index {
            0 => self.tune.written().map(String::from).collect(),
            _ => self.search.evaluations[index].values.iter().map(ToString::to_string).collect(),
        }
    }

    pub(super) fn json(&self) -> String {
        let now = &self.search.evaluations[0];
        let object = json!({
            "version": 1,
            "goals": self.goals().map(ToString::to_string).collect::<Vec<_>>(),
            "over": self.tune.plan().over.to_string(),
            "seeds": self.tune.seeds(),
            "confirmation_seeds": self.tune.confirmation_seeds(),
            "values": self.tune.paths().collect::<Vec<_>>(),
            "now": { "values": self.value_texts(0), "goals": self.values(&now.scores), "errors": now.errors },
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
        });
        format!("{object:#}\n")
    }

    fn found_json(&self, found: &FoundValues) -> Value {
        let evaluation = &self.search.evaluations[found.index];
        let confirmation = found.confirmation.as_ref().map(|all| {
            let of = |(goal, one): (&Goal, &Confirmation)| {
                json!({
                    "now": value(goal, one.now),
                    "found": value(goal, one.found),
                    "gain": one.gain,
                    "verdict": match one.verdict {
                        Verdict::Better => "better",
                        Verdict::WithinSpread => "within_spread",
                        Verdict::NotBetter => "not_better",
                    },
                    "errors": one.errors,
                })
            };
            self.goals().zip(all).map(of).collect::<Vec<_>>()
        });
        let goal = self.goals().next();
        let sensitivity = found.sensitivity.as_ref().map(|all| {
            let of = |one: &Sensitivity| {
                let side = |side: usize| {
                    let written = one.values[side].as_ref().map(ToString::to_string);
                    let number = goal.and_then(|goal| value(goal, one.scores[side]));
                    written.map(|written| json!({ "value": written, "goal": number }))
                };
                json!([side(0), side(1)])
            };
            all.iter().map(of).collect::<Vec<_>>()
        });
        json!({
            "evaluation": found.index,
            "values": self.value_texts(found.index),
            "goals": self.values(&evaluation.scores),
            "errors": evaluation.errors,
            "confirmation": confirmation,
            "sensitivity": sensitivity,
        })
    }
}
