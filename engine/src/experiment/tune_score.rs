//! Scores: how good the runs of some values are for a goal.

use super::tune_plan::{Goal, Over};
use super::{Outcome, TunePlan};

/// The outcome of a run, as far as the goals need it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Reading {
    /// The measures, in the order of [`Scorer::measures`].
    measures: Vec<Option<f64>>,
    /// The smallest margin; `None` if nothing was compared, or if an expectation without a margin failed.
    margin: Option<f64>,
    pub(super) is_error: bool,
}

/// Computes scores for all goals of a plan. Higher scores are better; there is none if a run gave nothing to judge by.
#[derive(Clone, Debug)]
pub(super) struct Scorer {
    measures: Vec<String>,
    goals: Vec<Goal>,
    over: Over,
}

impl Reading {
    pub(super) fn of(outcome: &Outcome) -> Self {
        let margins = || outcome.margins.iter().map(|margin| margin.value);
        let failed =
            margins().zip(&outcome.holds).any(|(margin, holds)| margin.is_none() && !holds);
        let margin = margins().flatten().map(f64::from).reduce(|a, b| if b < a { b } else { a });
        Self {
            measures: outcome.measures.iter().map(|measure| measure.map(f64::from)).collect(),
            margin: if failed { None } else { margin },
            is_error: outcome.error.is_some(),
        }
    }
}

impl Scorer {
    pub(super) fn new(plan: &TunePlan) -> Self {
        let mut measures: Vec<String> = Vec::new();
        for name in plan.goals.iter().flat_map(|(goal, _)| goal.measures()) {
            if !measures.iter().any(|known| known == name) {
                measures.push(name.to_owned());
            }
        }
        let goals = plan.goals.iter().map(|(goal, _)| goal.clone()).collect();
        Self { measures, goals, over: plan.over }
    }

    /// Returns the names of the measures that runs must record, each once.
    pub(super) fn measures(&self) -> &[String] {
        &self.measures
    }

    /// Returns a score for each goal: that of runs with several seeds.
    pub(super) fn scores(&self, runs: &[&Reading]) -> Vec<Option<f64>> {
        self.goals.iter().map(|goal| self.score(goal, runs)).collect()
    }

    fn score(&self, goal: &Goal, runs: &[&Reading]) -> Option<f64> {
        if let (Goal::Match(targets), Over::Mean) = (goal, self.over) {
            return self.distance(targets, runs).map(|distance| -distance);
        }
        let of_run = |run: &&Reading| match goal {
            Goal::Maximize(name) => self.measure(name, run),
            Goal::Minimize(name) => self.measure(name, run).map(|value| -value),
            Goal::Margins => run.margin,
            Goal::Match(targets) => self.distance(targets, &[run]).map(|distance| -distance),
        };
        // A run that gave nothing is worse than all others.
        let mut all: Vec<f64> =
            runs.iter().map(|run| of_run(run).unwrap_or(f64::NEG_INFINITY)).collect();
        all.sort_by(f64::total_cmp);
        let score = match self.over {
            Over::Mean => mean(all.iter().copied()),
            Over::Worst => quantile(&all, 0.0),
            Over::Quantile(part) => quantile(&all, part.into()),
        };
        score.is_finite().then_some(score)
    }

    fn measure(&self, name: &str, run: &Reading) -> Option<f64> {
        let index = self.measures.iter().position(|known| known == name)?;
        run.measures.get(index).copied().flatten()
    }

    /// Returns the distance of the means of measures from their targets.
    fn distance(&self, targets: &[(String, f32)], runs: &[&Reading]) -> Option<f64> {
        let mut squares = 0.0;
        for (name, target) in targets {
            let mut sum = 0.0;
            for run in runs {
                sum += self.measure(name, run)?;
            }
            let target = f64::from(*target);
            let scale = if target == 0.0 { 1.0 } else { target };
            let difference = (sum / runs.len() as f64 - target) / scale;
            squares += difference * difference;
        }
        Some((squares / targets.len() as f64).sqrt())
    }
}

fn mean(of: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = of.len();
    of.sum::<f64>() / count as f64
}

/// Returns a quantile of sorted numbers, interpolated between the two nearest; NaN if there are none, or if one of the two
/// is infinite.
pub(super) fn quantile(sorted: &[f64], part: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else {
        return f64::NAN;
    };
    let place = part * last as f64;
    let below = (place as usize).min(last);
    let between = place - below as f64;
    if between == 0.0 {
        return sorted[below];
    }
    sorted[below] + (sorted[below + 1] - sorted[below]) * between
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expect::Margin;

    fn reading(measures: &[f64]) -> Reading {
        Reading { measures: measures.iter().map(|x| Some(*x)).collect(), ..Reading::default() }
    }

    fn scorer(goal: Goal, over: Over) -> Scorer {
        let measures = goal.measures().into_iter().map(String::from).collect();
        Scorer { measures, goals: vec![goal], over }
    }

    fn score(goal: &Goal, over: Over, runs: &[Reading]) -> Option<f64> {
        let runs: Vec<&Reading> = runs.iter().collect();
        scorer(goal.clone(), over).scores(&runs)[0]
    }

    #[test]
    fn seeds_make_one_number() {
        let runs = [4.0, 1.0, 2.0].map(|x| reading(&[x]));
        let (high, low) = (Goal::Maximize("m".into()), Goal::Minimize("m".into()));
        for (over, highest, lowest) in [
            (Over::Mean, 7.0 / 3.0, 7.0 / 3.0),
            (Over::Worst, 1.0, 4.0),
            (Over::Quantile(0.5), 2.0, 2.0),
            (Over::Quantile(0.25), 1.5, 3.0),
            (Over::Quantile(1.0), 4.0, 1.0),
        ] {
            assert_eq!(score(&high, over, &runs), Some(highest), "{over}");
            assert_eq!(score(&low, over, &runs), Some(-lowest), "{over}");
        }
    }

    #[test]
    fn a_run_without_a_value_counts_as_the_worst() {
        let mut runs = [4.0, 1.0, 2.0].map(|x| reading(&[x])).to_vec();
        runs[0].measures[0] = None;
        let goal = Goal::Maximize("m".into());
        assert_eq!(score(&goal, Over::Mean, &runs), None);
        assert_eq!(score(&goal, Over::Worst, &runs), None);
        assert_eq!(score(&goal, Over::Quantile(0.25), &runs), None);
        assert_eq!(score(&goal, Over::Quantile(0.5), &runs), Some(1.0));
    }

    #[test]
    fn the_distance_is_relative_and_that_of_the_means() {
        let goal = Goal::Match(vec![("a".into(), 10.0), ("b".into(), 0.0)]);
        let runs = [reading(&[12.0, 0.5]), reading(&[8.0, 0.5])];
        assert_eq!(score(&goal, Over::Mean, &runs), Some(-0.125f64.sqrt()));
        let single = ((0.04f64 + 0.25) / 2.0).sqrt();
        let worst = score(&goal, Over::Worst, &runs).unwrap();
        assert!((worst + single).abs() < 1e-12, "{worst}");
    }

    #[test]
    fn an_expectation_without_a_margin_counts_if_it_fails() {
        let margin = |value| Margin { value, tick: 0, unit: "", latest: None };
        let mut outcome = Outcome {
            margins: vec![margin(Some(3.0)), margin(None), margin(Some(-1.0))],
            holds: vec![true, true, false],
            ..Outcome::default()
        };
        assert_eq!(Reading::of(&outcome).margin, Some(-1.0));
        outcome.holds[1] = false;
        assert_eq!(Reading::of(&outcome).margin, None);
    }
}
