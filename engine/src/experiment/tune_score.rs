//! Scores: how good the runs of some values are for a goal, and whether they keep the constraints.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::observed::Observation;
use super::tune_goal::{Constraint, Goal};
use super::tune_plan::Over;
use super::{MeasureAt, Outcome, TunePlan, When};

/// The outcome of a run, as far as the goals need it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Reading {
    /// The measures, in the order of [`Scorer::measures`].
    pub(super) measures: Vec<Option<f64>>,
    /// For each expectation, how far it is from failing, and whether it holds.
    pub(super) expectations: Vec<(Option<f64>, bool)>,
    pub(super) is_error: bool,
}

/// Values of a table.
#[derive(Clone, Debug, Default)]
pub(super) struct Series {
    /// For each column its measure, the ticks of its values, and the values.
    pub(super) columns: Vec<(String, Vec<(u64, f64)>)>,
    /// Whether they are positions of agents: two columns for each.
    pub(super) are_positions: bool,
}

/// Computes scores for all goals of a plan. Higher scores are better; there is none if a run gave nothing to judge by.
#[derive(Clone, Debug)]
pub(super) struct Scorer {
    measures: Vec<MeasureAt>,
    goals: Vec<Scored>,
    constraints: Vec<Kept>,
    over: Over,
    /// For each goal that is a sum, what each of its parts counts in relation to; set once, from the scenario as it is.
    scales: OnceLock<Vec<Vec<f64>>>,
}

/// A goal whose measures are indices.
#[derive(Clone, Debug)]
enum Scored {
    /// A measure, and 1 or -1: whether it should be high or low.
    Measure(usize, f64),
    Margins,
    Distance {
        /// Columns of values that measures should have.
        columns: Vec<Vec<Target>>,
        /// Whether differences are in relation to the values; those of positions are in world units.
        is_relative: bool,
    },
    /// Parts and their weights.
    Sum(Vec<(f64, Scored)>),
}

/// A value that a measure should have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Target {
    /// The index of the measure.
    pub(super) measure: usize,
    /// The value.
    pub(super) value: f64,
    /// The difference that counts as 1.
    pub(super) scale: f64,
}

/// A constraint whose measure or expectations are indices.
#[derive(Clone, Debug)]
enum Kept {
    /// A measure, 1 or -1 for at least or at most, and the limit.
    Limit(usize, f64, f64),
    /// Expectations.
    Hold(Vec<usize>),
}

/// The judgment of the runs of some values.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Judged {
    /// A score for each goal.
    pub(super) scores: Vec<Option<f64>>,
    /// Number of runs with errors.
    pub(super) errors: u64,
    /// How far constraints are from being kept; 0 if they are.
    pub(super) violation: f64,
    /// Number of runs that do not keep them.
    pub(super) violations: u64,
}

impl Reading {
    pub(super) fn of(outcome: &Outcome) -> Self {
        let margins = outcome.margins.iter().map(|margin| margin.value.map(f64::from));
        Self {
            measures: outcome.observed.clone(),
            expectations: margins.zip(outcome.holds.iter().copied()).collect(),
            is_error: outcome.error.is_some(),
        }
    }

    /// Returns the smallest margin; `None` if nothing was compared, or if an expectation without a margin failed.
    fn margin(&self) -> Option<f64> {
        if self.expectations.iter().any(|(margin, holds)| margin.is_none() && !holds) {
            return None;
        }
        let margins = self.expectations.iter().filter_map(|(margin, _)| *margin);
        margins.reduce(|a, b| if b < a { b } else { a })
    }
}

/// Finds the indices of measures, each once.
#[derive(Default)]
struct Indices {
    measures: Vec<MeasureAt>,
    known: BTreeMap<MeasureAt, usize>,
}

impl Indices {
    fn index(&mut self, measure: &MeasureAt) -> usize {
        if let Some(known) = self.known.get(measure) {
            return *known;
        }
        let index = self.measures.len();
        self.measures.push(measure.clone());
        self.known.insert(measure.clone(), index);
        index
    }

    fn goal(&mut self, goal: &Goal, tables: &BTreeMap<String, Series>) -> Scored {
        match goal {
            Goal::Maximize(measure) => Scored::Measure(self.index(measure), 1.0),
            Goal::Minimize(measure) => Scored::Measure(self.index(measure), -1.0),
            Goal::Margins => Scored::Margins,
            Goal::Match(targets) => {
                let column = |(measure, value): &(MeasureAt, f32)| {
                    column([(self.index(measure), f64::from(*value))].into())
                };
                let columns = targets.iter().map(column).collect();
                Scored::Distance { columns, is_relative: true }
            }
            Goal::MatchSeries { file, .. } => {
                let none = Series::default();
                let series = tables.get(file).unwrap_or(&none);
                let values = |(name, rows): &(String, Vec<(u64, f64)>)| {
                    let of_row = |(tick, value): &(u64, f64)| {
                        let measure = MeasureAt { name: name.clone(), when: When::At(*tick) };
                        (self.index(&measure), *value)
                    };
                    rows.iter().map(of_row).collect::<Vec<_>>()
                };
                let all = series.columns.iter().map(values);
                let columns = match series.are_positions {
                    true => vec![all.flatten().map(coordinate).collect()],
                    false => all.map(column).collect(),
                };
                Scored::Distance { columns, is_relative: !series.are_positions }
            }
            Goal::Sum(parts) => {
                let part =
                    |(weight, goal): &(f32, Goal)| (f64::from(*weight), self.goal(goal, tables));
                Scored::Sum(parts.iter().map(part).collect())
            }
        }
    }

    fn constraint(&mut self, constraint: &Constraint, expectations: &[String]) -> Kept {
        match constraint {
            Constraint::AtLeast(measure, limit) => {
                Kept::Limit(self.index(measure), 1.0, f64::from(*limit))
            }
            Constraint::AtMost(measure, limit) => {
                Kept::Limit(self.index(measure), -1.0, f64::from(*limit))
            }
            Constraint::Holds(kind) => {
                let all = expectations.iter().enumerate();
                Kept::Hold(all.filter(|(_, of)| *of == kind).map(|(index, _)| index).collect())
            }
            Constraint::AllHold => Kept::Hold((0..expectations.len()).collect()),
        }
    }
}

/// Returns targets that are relative to the root of the mean of their squares.
fn column(values: Vec<(usize, f64)>) -> Vec<Target> {
    let scale = match &values[..] {
        // Without a square root, whose last bit may differ.
        [(_, value)] => *value,
        _ => mean(values.iter().map(|(_, value)| value * value)).sqrt(),
    };
    let scale = if scale == 0.0 { 1.0 } else { scale };
    values.into_iter().map(|(measure, value)| Target { measure, value, scale }).collect()
}

/// Returns the target for a coordinate. The mean square of all coordinates is half of that of distances in the plane.
fn coordinate((measure, value): (usize, f64)) -> Target {
    Target { measure, value, scale: std::f64::consts::FRAC_1_SQRT_2 }
}

impl Scorer {
    /// `expectations` are the kinds of those of the scenario.
    pub(super) fn new(
        plan: &TunePlan,
        tables: &BTreeMap<String, Series>,
        expectations: &[String],
    ) -> Self {
        let mut indices = Indices::default();
        let goals = plan.goals.iter().map(|(goal, _)| indices.goal(goal, tables)).collect();
        let constraints = plan.constraints.iter();
        let constraints =
            constraints.map(|(one, _)| indices.constraint(one, expectations)).collect();
        let measures = indices.measures;
        Self { measures, goals, constraints, over: plan.over, scales: OnceLock::new() }
    }

    /// Returns the measures that runs must read, each once.
    pub(super) fn measures(&self) -> &[MeasureAt] {
        &self.measures
    }

    /// Returns the measures that have no value in any of these runs; none if all have ended with an error.
    pub(super) fn without_value(&self, runs: &[Reading]) -> Vec<String> {
        let ended: Vec<&Reading> = runs.iter().filter(|run| !run.is_error).collect();
        let has_value = |index: usize| ended.iter().any(|run| measure(index, run).is_some());
        let missing = self.measures.iter().enumerate().filter(|(index, _)| !has_value(*index));
        missing.filter(|_| !ended.is_empty()).map(|(_, measure)| measure.to_string()).collect()
    }

    /// Returns what runs read, for measures with these names.
    pub(super) fn observations(&self, recorded: &[String]) -> Vec<Observation> {
        let of = |measure: &MeasureAt| Observation {
            measure: recorded.iter().position(|name| *name == measure.name).unwrap_or_default(),
            when: measure.when,
        };
        self.measures.iter().map(of).collect()
    }

    /// Returns the values that measures should have if the only goal is a distance.
    pub(super) fn targets(&self) -> Option<Vec<Target>> {
        match &self.goals[..] {
            [Scored::Distance { columns, .. }] => Some(columns.concat()),
            _ => None,
        }
    }

    /// Says what the scenario as it is gives: parts of sums count in relation to that. Only the first call counts.
    pub(super) fn set_scales(&self, now: &[Reading]) {
        let now: Vec<&Reading> = now.iter().collect();
        let scale = |part: &Scored| match part {
            Scored::Distance { is_relative: true, .. } | Scored::Sum(_) => 1.0,
            Scored::Measure(..) | Scored::Margins | Scored::Distance { .. } => self
                .score(part, &[], &now)
                .map(f64::abs)
                .filter(|scale| *scale > 0.0)
                .unwrap_or(1.0),
        };
        let scales = self.goals.iter().map(|goal| match goal {
            Scored::Sum(parts) => parts.iter().map(|(_, part)| scale(part)).collect(),
            _ => Vec::new(),
        });
        self.scales.get_or_init(|| scales.collect());
    }

    /// Judges runs with several seeds.
    pub(super) fn judge(&self, runs: &[&Reading]) -> Judged {
        // A run with an error is worse than anything that a run can violate.
        let violated = runs.iter().filter(|run| !run.is_error).map(|run| self.violation(run));
        let violated: Vec<f64> = violated.filter(|violation| *violation > 0.0).collect();
        Judged {
            scores: self.scores(runs),
            errors: runs.iter().filter(|run| run.is_error).count() as u64,
            violation: violated.iter().sum(),
            violations: violated.len() as u64,
        }
    }

    /// Returns a score for each goal: that of runs with several seeds.
    pub(super) fn scores(&self, runs: &[&Reading]) -> Vec<Option<f64>> {
        let scales = self.scales.get();
        let goals = self.goals.iter().enumerate();
        goals
            .map(|(index, goal)| self.score(goal, scales.map_or(&[], |all| &all[index]), runs))
            .collect()
    }

    fn score(&self, goal: &Scored, scales: &[f64], runs: &[&Reading]) -> Option<f64> {
        match (goal, self.over) {
            (Scored::Sum(parts), _) => {
                let mut sum = 0.0;
                for (index, (weight, part)) in parts.iter().enumerate() {
                    let scale = scales.get(index).copied().unwrap_or(1.0);
                    sum += weight * (self.score(part, &[], runs)? / scale);
                }
                return Some(sum);
            }
            (Scored::Distance { columns, .. }, Over::Mean) => {
                return distance(columns, runs).map(|distance| -distance);
            }
            _ => {}
        }
        let of_run = |run: &&Reading| match goal {
            Scored::Measure(index, sign) => measure(*index, run).map(|value| sign * value),
            Scored::Margins => run.margin(),
            Scored::Distance { columns, .. } => distance(columns, &[run]).map(|distance| -distance),
            Scored::Sum(_) => None,
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

    /// Returns how far a run is from keeping all constraints; 0 if it does. A measure counts in relation to its limit, and 1 if it has no
    /// value; an expectation that fails counts 1 to 2, the more the further it is off.
    fn violation(&self, run: &Reading) -> f64 {
        let of = |kept: &Kept| match kept {
            Kept::Limit(index, sign, limit) => {
                let scale = if *limit == 0.0 { 1.0 } else { limit.abs() };
                let off = measure(*index, run).map_or(1.0, |value| sign * (limit - value) / scale);
                if off > 0.0 { off } else { 0.0 }
            }
            Kept::Hold(all) => {
                let failed = all.iter().filter_map(|index| {
                    let (margin, holds) = run.expectations.get(*index)?;
                    let off = margin.map_or(0.0, f64::abs);
                    (!holds).then(|| 1.0 + off / (1.0 + off))
                });
                failed.sum()
            }
        };
        self.constraints.iter().map(of).sum()
    }
}

fn measure(index: usize, run: &Reading) -> Option<f64> {
    run.measures.get(index).copied().flatten()
}

/// Returns the distance of the means of measures from their targets: the root of the mean over all columns.
fn distance(columns: &[Vec<Target>], runs: &[&Reading]) -> Option<f64> {
    let mut squares = 0.0;
    for column in columns {
        let mut of_column = 0.0;
        for target in column {
            let mut sum = 0.0;
            for run in runs {
                sum += measure(target.measure, run)?;
            }
            let difference = (sum / runs.len() as f64 - target.value) / target.scale;
            of_column += difference * difference;
        }
        squares += of_column / column.len() as f64;
    }
    Some((squares / columns.len() as f64).sqrt())
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
    use proptest::prelude::*;

    use super::*;
    use crate::diag::{Place, Source};
    use crate::expect::Margin;

    fn reading(measures: &[f64]) -> Reading {
        Reading { measures: measures.iter().map(|x| Some(*x)).collect(), ..Reading::default() }
    }

    fn place() -> Place {
        Place { source: Source::new("a", ""), span: 0..0 }
    }

    fn at_end(name: &str) -> MeasureAt {
        MeasureAt { name: name.to_owned(), when: When::End }
    }

    fn plan(goals: Vec<Goal>, over: Over) -> TunePlan {
        let goals = goals.into_iter().map(|goal| (goal, place())).collect();
        let constraints = Vec::new();
        TunePlan { goals, constraints, over, budget: 1, budget_place: place(), confirm: 2, seed: 0 }
    }

    fn scorer(goal: Goal, over: Over) -> Scorer {
        Scorer::new(&plan(vec![goal], over), &BTreeMap::new(), &[])
    }

    fn score(goal: &Goal, over: Over, runs: &[Reading]) -> Option<f64> {
        let runs: Vec<&Reading> = runs.iter().collect();
        scorer(goal.clone(), over).scores(&runs)[0]
    }

    #[test]
    fn seeds_make_one_number() {
        let runs = [4.0, 1.0, 2.0].map(|x| reading(&[x]));
        let (high, low) = (Goal::Maximize(at_end("m")), Goal::Minimize(at_end("m")));
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
        let goal = Goal::Maximize(at_end("m"));
        assert_eq!(score(&goal, Over::Mean, &runs), None);
        assert_eq!(score(&goal, Over::Worst, &runs), None);
        assert_eq!(score(&goal, Over::Quantile(0.25), &runs), None);
        assert_eq!(score(&goal, Over::Quantile(0.5), &runs), Some(1.0));
    }

    #[test]
    fn the_distance_is_relative_and_that_of_the_means() {
        let goal = Goal::Match(vec![(at_end("a"), 10.0), (at_end("b"), 0.0)]);
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
        assert_eq!(Reading::of(&outcome).margin(), Some(-1.0));
        outcome.holds[1] = false;
        assert_eq!(Reading::of(&outcome).margin(), None);
    }

    #[test]
    fn parts_of_a_sum_count_in_relation_to_the_scenario_as_it_is() {
        let goal = Goal::Sum(vec![
            (2.0, Goal::Maximize(at_end("a"))),
            (1.0, Goal::Minimize(at_end("b"))),
            (3.0, Goal::Match(vec![(at_end("c"), 10.0)])),
        ]);
        let scorer = scorer(goal, Over::Mean);
        scorer.set_scales(&[reading(&[5.0, 100.0, 10.0])]);
        // A tenth more of a, a tenth less of b, c a tenth off.
        let scores = scorer.scores(&[&reading(&[5.5, 90.0, 11.0])]);
        assert!((scores[0].unwrap() - (2.0 * 1.1 - 0.9 - 0.3)).abs() < 1e-12, "{scores:?}");
    }

    #[test]
    fn positions_count_by_the_distance_in_the_plane() {
        let column = |name: &str, value| (name.to_owned(), vec![(7, value)]);
        let of = ["agent.0.x", "agent.0.y", "agent.1.x", "agent.1.y"];
        let columns = of.into_iter().zip([1.0, 2.0, 3.0, 4.0]).map(|(of, at)| column(of, at));
        let series = Series { columns: columns.collect(), are_positions: true };
        let goal = Goal::MatchSeries { file: "a".into(), place: place() };
        let scorer =
            Scorer::new(&plan(vec![goal], Over::Mean), &[("a".to_owned(), series)].into(), &[]);
        // One is 5 off, the other one is where it should be.
        let score = scorer.scores(&[&reading(&[4.0, 6.0, 3.0, 4.0])])[0].unwrap();
        assert!((score + 12.5f64.sqrt()).abs() < 1e-12, "{score}");
        assert_eq!(scorer.scores(&[&reading(&[4.0, 6.0])]), [None]);
    }

    #[test]
    fn constraints_count_in_each_run() {
        let mut plan = plan(vec![Goal::Maximize(at_end("a"))], Over::Mean);
        plan.constraints = [
            Constraint::AtLeast(at_end("a"), 2.0),
            Constraint::AtMost(at_end("b"), 0.0),
            Constraint::Holds("Reach".into()),
        ]
        .map(|one| (one, place()))
        .into();
        let scorer = Scorer::new(&plan, &BTreeMap::new(), &["NoOverlap".into(), "Reach".into()]);
        let run = |a, b, overlaps: bool, reaches| Reading {
            expectations: vec![(Some(-9.0), !overlaps), (Some(-1.0), reaches)],
            ..reading(&[a, b])
        };
        let judged = |runs: &[Reading]| {
            let judged = scorer.judge(&runs.iter().collect::<Vec<_>>());
            (judged.violation, judged.violations)
        };
        assert_eq!(judged(&[run(2.0, 0.0, true, true), run(9.0, -1.0, false, true)]), (0.0, 0));
        assert_eq!(judged(&[run(1.0, 0.5, false, true), run(2.0, 0.0, false, true)]), (1.0, 1));
        assert_eq!(judged(&[run(2.0, 0.0, false, false), run(1.0, 0.0, false, true)]), (2.0, 2));
        assert_eq!(
            judged(&[Reading { measures: vec![None, Some(0.0)], ..Reading::default() }]),
            (1.0, 1)
        );
    }

    proptest! {
        /// A table with one row is the same as values at that tick, and rows that are there twice count no more.
        #[test]
        fn a_series_is_a_match_at_ticks(values in prop::collection::vec((0.1..9.0f32, -9.0..9.0f64), 1..5)) {
            let series = |repeat: usize| -> Series {
                let column = |(index, (target, _)): (usize, &(f32, f64))| {
                    (format!("m{index}"), vec![(7, f64::from(*target)); repeat])
                };
                let columns = values.iter().enumerate().map(column).collect();
                Series { columns, are_positions: false }
            };
            let of_series = |repeat| {
                let goal = Goal::MatchSeries { file: "a".into(), place: place() };
                let tables = [("a".to_owned(), series(repeat))].into();
                let scorer = Scorer::new(&plan(vec![goal], Over::Mean), &tables, &[]);
                let found: Vec<f64> = values.iter().map(|(_, found)| *found).collect();
                scorer.scores(&[&reading(&found)])[0].unwrap()
            };
            let targets = values.iter().enumerate().map(|(index, (target, _))| {
                (MeasureAt { name: format!("m{index}"), when: When::At(7) }, *target)
            });
            let goal = Goal::Match(targets.collect());
            let found: Vec<f64> = values.iter().map(|(_, found)| *found).collect();
            let expected = score(&goal, Over::Mean, &[reading(&found)]).unwrap();
            prop_assert_eq!(of_series(1), expected);
            prop_assert!((of_series(3) - expected).abs() <= 1e-9 * expected.abs());
        }
    }
}
