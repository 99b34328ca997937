//! The goals and options of a tune, as they are written in a plan.

use std::fmt;

use super::tune_goal::{Constraint, ConstraintSpec, Goal, GoalSpec, check_constraint, check_goal};
use crate::diag::{Diagnostic, Place};
use crate::number::{AtLeastOne, Finite, Natural, Seeds};
use crate::scenario::{Findings, Spanned};

/// The maximum number of goals of a tune.
const MAX_GOALS: usize = 4;

/// The goals and options of a tune.
#[derive(Clone, Debug)]
pub struct TunePlan {
    /// The goals, and where they are written. From 1 to 4.
    pub goals: Vec<(Goal, Place)>,
    /// What runs must keep, and where it is written. Values whose runs do not are worse than all whose runs do.
    pub constraints: Vec<(Constraint, Place)>,
    /// How the runs with several seeds make one number.
    pub over: Over,
    /// The maximum number of runs of the search.
    pub budget: u64,
    /// Where that is written.
    pub budget_place: Place,
    /// Number of other seeds with which the result is confirmed, at least 2.
    pub confirm: u64,
    /// The seed of the search.
    pub seed: u64,
}

/// How the runs with several seeds make one number.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Over {
    /// The mean.
    #[default]
    Mean,
    /// The worst one.
    Worst,
    /// A quantile, counted from the worst: 0 is the worst, 0.5 the median. Between two runs it is interpolated.
    Quantile(f32),
}

impl fmt::Display for Over {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mean => f.write_str("mean"),
            Self::Worst => f.write_str("worst"),
            Self::Quantile(part) => write!(f, "{part}-quantile"),
        }
    }
}

#[derive(Debug, serde::Deserialize)]
#[serde(rename = "Tune", deny_unknown_fields)]
pub(super) struct TuneSpec {
    goals: Spanned<Vec<Spanned<GoalSpec>>>,
    #[serde(default, rename = "where")]
    constraints: Vec<Spanned<ConstraintSpec>>,
    #[serde(default)]
    over: OverSpec,
    budget: Spanned<AtLeastOne>,
    confirm: Option<Seeds>,
    seed: Option<Natural>,
}

#[derive(Debug, Default, serde::Deserialize)]
#[serde(rename = "way to make one number of several seeds", deny_unknown_fields)]
enum OverSpec {
    #[default]
    Mean,
    Worst,
    Quantile(Spanned<Finite>),
}

/// Number of seeds for the confirmation, unless the plan says another.
const CONFIRM: u64 = 20;

impl TuneSpec {
    pub(super) fn check(&self, findings: &mut Findings<'_>) -> TunePlan {
        let mut goals = Vec::new();
        let written = findings.read(&self.goals);
        if let Some(all) = written {
            if all.is_empty() || all.len() > MAX_GOALS {
                let wrong = format!("expected 1 to {MAX_GOALS} goals, found {}", all.len());
                let error = Diagnostic::error(wrong)
                    .help("a goal is `Maximize(\"polarization\")`, `Minimize(..)`, `Margins` or `Match({..})`");
                findings.add(error, findings.span(&self.goals));
            }
            for goal in all {
                if let Some(read) = findings.read(goal) {
                    let place = findings.place(goal);
                    if let Some(checked) = check_goal(findings, &place, read) {
                        goals.push((checked, place));
                    }
                }
            }
        }
        let mut constraints = Vec::new();
        for one in &self.constraints {
            if let Some(read) = findings.read(one).and_then(|read| check_constraint(findings, read))
            {
                constraints.push((read, findings.place(one)));
            }
        }
        let over = match &self.over {
            OverSpec::Mean => Over::Mean,
            OverSpec::Worst => Over::Worst,
            OverSpec::Quantile(part) => {
                let read = findings.read(part).map_or(0.0, |part| part.0);
                if !(0.0..=1.0).contains(&read) {
                    let wrong = "a quantile is a number from 0, the worst, to 1, the best";
                    findings.error(wrong, findings.span(part));
                }
                Over::Quantile(read)
            }
        };
        TunePlan {
            goals,
            constraints,
            over,
            budget: findings.read(&self.budget).map_or(0, |budget| budget.get()),
            budget_place: findings.place(&self.budget),
            confirm: self.confirm.map_or(CONFIRM, Seeds::get),
            seed: self.seed.map_or(0, Natural::get),
        }
    }
}
