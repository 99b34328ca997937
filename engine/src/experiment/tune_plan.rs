//! The goals and options of a tune, as they are written in a plan.

use std::fmt;

use crate::diag::{Diagnostic, Place};
use crate::number::{AtLeastOne, Finite, Natural, Seeds};
use crate::scenario::{Findings, Ordered, Spanned};

/// The maximum number of goals of a tune.
const MAX_GOALS: usize = 4;

/// The goals and options of a tune.
#[derive(Clone, Debug)]
pub struct TunePlan {
    /// The goals, and where they are written. From 1 to 4.
    pub goals: Vec<(Goal, Place)>,
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

/// A value that should become as good as possible.
#[derive(Clone, Debug, PartialEq)]
pub enum Goal {
    /// A measure should be high.
    Maximize(String),
    /// A measure should be low.
    Minimize(String),
    /// The smallest margin of all expectations should be large. Each margin counts in its own unit.
    Margins,
    /// Measures should have these values. The distance from them is the root of the mean of the squares of all relative
    /// differences; for a value of 0, the difference itself counts. With [`Over::Mean`], the means of measures are compared.
    Match(Vec<(String, f32)>),
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

impl Goal {
    /// Returns the names of the measures that it needs.
    pub fn measures(&self) -> Vec<&str> {
        match self {
            Self::Maximize(name) | Self::Minimize(name) => vec![name],
            Self::Margins => Vec::new(),
            Self::Match(targets) => targets.iter().map(|(name, _)| name.as_str()).collect(),
        }
    }

    /// Returns whether lower values are better.
    pub fn is_lower_better(&self) -> bool {
        matches!(self, Self::Minimize(_) | Self::Match(_))
    }

    /// Returns the name of the number that should be high or low.
    pub fn quantity(&self) -> String {
        match self {
            Self::Maximize(name) | Self::Minimize(name) => name.clone(),
            Self::Margins => "smallest margin".to_owned(),
            Self::Match(_) => "distance".to_owned(),
        }
    }
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Maximize(name) => write!(f, "maximize {name}"),
            Self::Minimize(name) => write!(f, "minimize {name}"),
            Self::Margins => f.write_str("maximize the smallest margin"),
            Self::Match(targets) => {
                f.write_str("match")?;
                for (number, (name, value)) in targets.iter().enumerate() {
                    write!(f, "{} {name} {value}", if number == 0 { "" } else { "," })?;
                }
                Ok(())
            }
        }
    }
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
    #[serde(default)]
    over: OverSpec,
    budget: Spanned<AtLeastOne>,
    confirm: Option<Seeds>,
    seed: Option<Natural>,
}

#[derive(Debug, serde::Deserialize)]
#[serde(rename = "goal", deny_unknown_fields)]
enum GoalSpec {
    Maximize(String),
    Minimize(String),
    Margins,
    Match(Ordered<Spanned<Finite>>),
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
                    goals.push((check_goal(findings, goal, read), findings.place(goal)));
                }
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
            over,
            budget: findings.read(&self.budget).map_or(0, |budget| budget.get()),
            budget_place: findings.place(&self.budget),
            confirm: self.confirm.map_or(CONFIRM, Seeds::get),
            seed: self.seed.map_or(0, Natural::get),
        }
    }
}

fn check_goal(findings: &mut Findings<'_>, written: &Spanned<GoalSpec>, goal: &GoalSpec) -> Goal {
    match goal {
        GoalSpec::Maximize(name) => Goal::Maximize(name.clone()),
        GoalSpec::Minimize(name) => Goal::Minimize(name.clone()),
        GoalSpec::Margins => Goal::Margins,
        GoalSpec::Match(targets) => {
            if targets.0.is_empty() {
                let example = "no measures to match: write `Match({ \"mean_speed\": 3.5 })`";
                findings.error(example, findings.span(written));
            }
            let mut all = Vec::new();
            for (name, value) in &targets.0 {
                if let (Some(name), Some(value)) = (findings.read(name), findings.read(value)) {
                    all.push((name.clone(), value.0));
                }
            }
            Goal::Match(all)
        }
    }
}
