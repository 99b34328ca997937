//! The goals and constraints of a tune, as they are written in a plan.

use std::fmt;

use super::MeasureAt;
use crate::diag::{Diagnostic, Place};
use crate::number::Finite;
use crate::scenario::{Findings, Ordered, Spanned};

/// A value that should become as good as possible.
#[derive(Clone, Debug, PartialEq)]
pub enum Goal {
    /// A measure should be high.
    Maximize(MeasureAt),
    /// A measure should be low.
    Minimize(MeasureAt),
    /// The smallest margin of all expectations should be large. Each margin counts in its own unit.
    Margins,
    /// Measures should have these values. The distance from them is the root of the mean of the squares of all relative
    /// differences; for a value of 0, the difference itself counts. With [`Over::Mean`](super::Over::Mean), the means of
    /// measures are compared.
    Match(Vec<(MeasureAt, f32)>),
    /// Measures should have the values of a table at its ticks. For each column, the differences are relative to the root of the
    /// mean of the squares of its values; the distance is the root of the mean over all columns.
    MatchSeries {
        /// The path of the table, relative to the plan.
        file: String,
        /// Where it is written.
        place: Place,
    },
    /// Several goals as one number, each with its weight: a sum, which should be low. Measures and margins count in
    /// relation to those of the scenario as it is, and those that should be high with the opposite sign.
    Sum(Vec<(f32, Goal)>),
}

/// What the runs of all seeds must keep.
#[derive(Clone, Debug, PartialEq)]
pub enum Constraint {
    /// A measure is at least this number.
    AtLeast(MeasureAt, f32),
    /// A measure is at most this number.
    AtMost(MeasureAt, f32),
    /// All expectations of this kind hold.
    Holds(String),
    /// All expectations hold.
    AllHold,
}

impl Goal {
    /// Returns itself, or the goals that it is the sum of.
    pub(super) fn parts(&self) -> Vec<&Goal> {
        match self {
            Self::Sum(parts) => parts.iter().map(|(_, goal)| goal).collect(),
            _ => vec![self],
        }
    }

    /// Returns the measures that are written in it.
    pub fn measures(&self) -> Vec<&MeasureAt> {
        match self {
            Self::Maximize(measure) | Self::Minimize(measure) => vec![measure],
            Self::Margins | Self::MatchSeries { .. } => Vec::new(),
            Self::Match(targets) => targets.iter().map(|(measure, _)| measure).collect(),
            Self::Sum(parts) => parts.iter().flat_map(|(_, goal)| goal.measures()).collect(),
        }
    }

    /// Returns the tables that it needs, and where they are written.
    pub fn tables(&self) -> Vec<(&str, &Place)> {
        let table = |goal: &&'_ Goal| matches!(goal, Self::MatchSeries { .. });
        let parts = self.parts().into_iter().filter(table);
        parts
            .filter_map(|goal| match goal {
                Self::MatchSeries { file, place } => Some((file.as_str(), place)),
                _ => None,
            })
            .collect()
    }

    /// Returns whether it needs the margins of expectations.
    pub(super) fn needs_margins(&self) -> bool {
        self.parts().contains(&&Self::Margins)
    }

    /// Returns whether lower values are better.
    pub fn is_lower_better(&self) -> bool {
        !matches!(self, Self::Maximize(_) | Self::Margins)
    }

    /// Returns the number that a score stands for. Higher scores are better.
    pub fn value(&self, score: Option<f64>) -> Option<f64> {
        // Without a negative zero.
        score.map(|score| if self.is_lower_better() { 0.0 - score } else { score })
    }

    /// Returns the name of the number that should be high or low.
    pub fn quantity(&self) -> String {
        match self {
            Self::Maximize(measure) | Self::Minimize(measure) => measure.to_string(),
            Self::Margins => "smallest margin".to_owned(),
            Self::Match(_) | Self::MatchSeries { .. } => "distance".to_owned(),
            Self::Sum(_) => "weighted sum".to_owned(),
        }
    }
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Maximize(measure) => write!(f, "maximize {measure}"),
            Self::Minimize(measure) => write!(f, "minimize {measure}"),
            Self::Margins => f.write_str("maximize the smallest margin"),
            Self::Match(targets) => {
                f.write_str("match")?;
                for (number, (measure, value)) in targets.iter().enumerate() {
                    write!(f, "{} {measure} {value}", if number == 0 { "" } else { "," })?;
                }
                Ok(())
            }
            Self::MatchSeries { file, .. } => write!(f, "match the series of {file}"),
            Self::Sum(parts) => {
                for (number, (weight, goal)) in parts.iter().enumerate() {
                    write!(f, "{}{weight} * ({goal})", if number == 0 { "" } else { " + " })?;
                }
                Ok(())
            }
        }
    }
}

impl Constraint {
    /// Returns the measure that it needs.
    pub fn measure(&self) -> Option<&MeasureAt> {
        match self {
            Self::AtLeast(measure, _) | Self::AtMost(measure, _) => Some(measure),
            Self::Holds(_) | Self::AllHold => None,
        }
    }
}

impl fmt::Display for Constraint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AtLeast(measure, limit) => write!(f, "{measure} at least {limit}"),
            Self::AtMost(measure, limit) => write!(f, "{measure} at most {limit}"),
            Self::Holds(kind) => write!(f, "{kind} holds"),
            Self::AllHold => f.write_str("all expectations hold"),
        }
    }
}

#[derive(Debug, serde::Deserialize)]
#[serde(rename = "goal", deny_unknown_fields)]
pub(super) enum GoalSpec {
    Maximize(Spanned<String>),
    Minimize(Spanned<String>),
    Margins,
    Match(Ordered<Spanned<Finite>>),
    MatchSeries(Spanned<String>),
    Sum(Vec<(Spanned<Finite>, Spanned<GoalSpec>)>),
}

#[derive(Debug, serde::Deserialize)]
#[serde(rename = "constraint", deny_unknown_fields)]
pub(super) enum ConstraintSpec {
    AtLeast(Spanned<String>, Spanned<Finite>),
    AtMost(Spanned<String>, Spanned<Finite>),
    Holds(Spanned<String>),
    AllHold,
}

/// Reads the name of a measure and when it is read.
fn measure_at(findings: &mut Findings<'_>, written: &Spanned<String>) -> Option<MeasureAt> {
    match MeasureAt::parse(findings.read(written)?) {
        Ok(measure) => Some(measure),
        Err(wrong) => {
            let example = "write `polarization@60` for a tick, `polarization@60..120` for the mean over ticks";
            findings.add(Diagnostic::error(wrong).help(example), findings.span(written));
            None
        }
    }
}

/// Checks a goal that is written at a place.
pub(super) fn check_goal(
    findings: &mut Findings<'_>,
    place: &Place,
    goal: &GoalSpec,
) -> Option<Goal> {
    Some(match goal {
        GoalSpec::Maximize(name) => Goal::Maximize(measure_at(findings, name)?),
        GoalSpec::Minimize(name) => Goal::Minimize(measure_at(findings, name)?),
        GoalSpec::Margins => Goal::Margins,
        GoalSpec::Match(targets) => {
            if targets.0.is_empty() {
                let example = "no measures to match: write `Match({ \"mean_speed\": 3.5 })`";
                findings.error(example, place.span.clone());
            }
            let mut all = Vec::new();
            for (name, value) in &targets.0 {
                if let (Some(name), Some(value)) =
                    (measure_at(findings, name), findings.read(value))
                {
                    all.push((name, value.0));
                }
            }
            Goal::Match(all)
        }
        GoalSpec::MatchSeries(file) => {
            Goal::MatchSeries { file: findings.read(file)?.clone(), place: findings.place(file) }
        }
        GoalSpec::Sum(parts) => Goal::Sum(check_sum(findings, place, parts)),
    })
}

fn check_sum(
    findings: &mut Findings<'_>,
    place: &Place,
    parts: &[(Spanned<Finite>, Spanned<GoalSpec>)],
) -> Vec<(f32, Goal)> {
    if parts.is_empty() {
        let wrong = "no goals to add: write `Sum([(1, Maximize(\"polarization\")), (2, Minimize(\"spread\"))])`";
        findings.error(wrong, place.span.clone());
    }
    let mut all = Vec::new();
    for (weight, goal) in parts {
        let (span, inner) = (findings.span(weight), findings.place(goal));
        let weight = findings.read(weight).map_or(1.0, |weight| weight.0);
        if weight <= 0.0 {
            let wrong = format!("a weight must be above 0, not {weight}");
            let help = "`Maximize` and `Minimize` say in which direction a measure counts";
            findings.add(Diagnostic::error(wrong).help(help), span);
        }
        match findings.read(goal) {
            Some(GoalSpec::Sum(_)) => {
                findings.error("a sum has no sums in it: add their goals to this one", inner.span);
            }
            Some(read) => all.extend(check_goal(findings, &inner, read).map(|goal| (weight, goal))),
            None => {}
        }
    }
    all
}

/// Checks a constraint, as far as it does not depend on the scenario.
pub(super) fn check_constraint(
    findings: &mut Findings<'_>,
    written: &ConstraintSpec,
) -> Option<Constraint> {
    Some(match written {
        ConstraintSpec::AtLeast(name, limit) => {
            Constraint::AtLeast(measure_at(findings, name)?, findings.read(limit)?.0)
        }
        ConstraintSpec::AtMost(name, limit) => {
            Constraint::AtMost(measure_at(findings, name)?, findings.read(limit)?.0)
        }
        ConstraintSpec::Holds(kind) => Constraint::Holds(findings.read(kind)?.clone()),
        ConstraintSpec::AllHold => Constraint::AllHold,
    })
}
