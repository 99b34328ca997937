//! Estimates of how long the runs of a sweep take, and shards that take equally long.
//!
//! The cost of a run is its number of agents times its number of ticks. Values that do not change it are found once, so that
//! most points need no scenario.

use std::collections::HashMap;
use std::ops::Range;

use super::{Sweep, Variation};
use crate::scenario::TemplateValue;

/// Returns the numbers of the runs of shard `index` of `count` shards, from 1, if each has as many as another one. The shards
/// follow each other.
pub fn equal_part(runs: u64, index: u64, count: u64) -> Range<u64> {
    let bound = |index: u64| {
        let bound = u128::from(runs) * u128::from(index) / u128::from(count);
        u64::try_from(bound).unwrap_or(u64::MAX)
    };
    bound(index - 1)..bound(index)
}

/// The last part of the range of a value, for points of a sweep.
const LAST: f64 = 1.0 - f64::EPSILON;

/// The costs of the points of a sweep.
struct PointCosts<'s> {
    sweep: &'s Sweep,
    /// The indices of the values that change the cost.
    telling: &'s [usize],
    /// The cost of a run with these values.
    known: HashMap<Vec<String>, u64>,
}

impl PointCosts<'_> {
    /// Returns the cost of a run of a point.
    fn cost(&mut self, point: u64) -> u64 {
        let values = self.sweep.point(point);
        let key = self.telling.iter().map(|index| values[*index].to_string()).collect();
        *self.known.entry(key).or_insert_with(|| self.sweep.trials().cost(&values))
    }
}

/// A bound between two shards that is looked for: the number of the first run at or after which a share of the cost is done.
struct Bound {
    share: u128,
    run: Option<u64>,
}

impl Sweep {
    /// Returns the indices of the values that change how many agents and ticks a run has.
    fn costly_values(&self) -> &[usize] {
        self.costly.get_or_init(|| self.find_costly_values())
    }

    fn find_costly_values(&self) -> Vec<usize> {
        let first = self.plan().first_values();
        let base = self.trials().cost(&first);
        let is_costly = |(index, of): (usize, &Variation)| {
            let mut values = first.clone();
            let mut differs = |value: TemplateValue| {
                values[index] = value;
                self.trials().cost(&values) != base
            };
            let is_costly = match of {
                Variation::List(values) => values.iter().cloned().any(&mut differs),
                // A number that changes the cost changes it more, the further it goes.
                _ => [0.5, LAST].into_iter().any(|part| differs(of.at(part))),
            };
            is_costly.then_some(index)
        };
        self.plan().variations().iter().enumerate().filter_map(is_costly).collect()
    }

    /// Returns whether runs differ in how many agents and ticks they have.
    pub fn has_unequal_runs(&self) -> bool {
        !self.costly_values().is_empty()
    }

    /// Returns the numbers of the runs of shard `index` of `count` shards, from 1. The shards follow each other, and take about
    /// equally long: the sums of the agents of their runs times the ticks of these are as equal as whole runs allow.
    pub fn part(&self, index: u64, count: u64) -> Range<u64> {
        let telling = self.costly_values();
        if telling.is_empty() {
            return equal_part(self.runs(), index, count);
        }
        let mut costs = PointCosts { sweep: self, telling, known: HashMap::new() };
        let seeds = u128::from(self.plan().seeds.count());
        let points = self.runs() / self.plan().seeds.count();
        let whole: u128 = (0..points).map(|point| u128::from(costs.cost(point)) * seeds).sum();
        let share = |index: u64| whole * u128::from(index) / u128::from(count);
        let mut bounds = [index - 1, index].map(|index| Bound { share: share(index), run: None });
        let mut done = 0;
        for point in 0..points {
            let cost = u128::from(costs.cost(point));
            let first = u128::from(point) * seeds;
            for bound in bounds.iter_mut().filter(|bound| bound.run.is_none()) {
                let left = bound.share - done;
                if left <= cost * seeds {
                    // The run that crosses the bound belongs to the shard that has the larger part of it.
                    let runs = first + (left + cost / 2) / cost;
                    bound.run = u64::try_from(runs).ok();
                }
            }
            done += cost * seeds;
        }
        let [from, to] = bounds.map(|bound| bound.run.unwrap_or(self.runs()));
        from..to
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::diag::Source;
    use crate::experiment::Plan;
    use crate::script::Scripts;

    fn sweep(vary: &str, rest: &str) -> Sweep {
        let scenario = Source::new(
            "a.ron",
            "(ticks: 50, world: (size: (99, 99)), groups: {
                \"a\": (behavior: \"b\", count: 10, spawn: Disc(center: (50, 50), radius: 20), params: { \"p\": 1.0 }),
            })",
        );
        let plan = format!("(scenario: \"a.ron\", vary: {{ {vary} }}, {rest})");
        let plan = Plan::parse(&Source::new("a.plan.ron", plan)).unwrap();
        let scripts = Scripts::new().with("b", "fn steer(me) { vec(me.params.p, 0) }");
        Sweep::new(plan, &scenario, &scripts).unwrap()
    }

    /// Returns the costs of all shards, from their runs one by one.
    fn shard_costs(sweep: &Sweep, count: u64) -> Vec<u64> {
        let cost = |run: u64| sweep.trials().cost(&sweep.trial(run).values);
        let mut next = 0;
        let shard = |index: u64| {
            let part = sweep.part(index, count);
            assert_eq!(part.start, next, "shards follow each other");
            next = part.end;
            part.map(cost).sum()
        };
        let costs = (1..=count).map(shard).collect();
        assert_eq!(next, sweep.runs());
        costs
    }

    #[test]
    fn a_cost_is_agents_times_ticks() {
        let sweep = sweep("\"a.count\": Integers(from: 10, to: 30, step: 20)", "ticks: 7");
        let cost = |run: u64| sweep.trials().cost(&sweep.trial(run).values);
        assert_eq!((cost(0), cost(1)), (70, 210));
        let longer = self::sweep("\"ticks\": Integers(from: 10, to: 20, step: 10)", "seeds: 1");
        assert!(longer.has_unequal_runs());
        assert_eq!(longer.trials().cost(&longer.trial(1).values), 200);
    }

    #[test]
    fn shards_with_other_counts_of_agents_cost_the_same() {
        let sweep = sweep("\"a.count\": Integers(from: 10, to: 1000, step: 10)", "seeds: 5");
        for count in [2, 3, 8, 20] {
            let costs = shard_costs(&sweep, count);
            let mean = costs.iter().sum::<u64>() as f64 / count as f64;
            for cost in costs {
                assert!((cost as f64 / mean - 1.0).abs() < 0.2, "{count}: {cost} of {mean}");
            }
        }
        // Shards of equal numbers of runs are not: the first of eight has a sixth of its share.
        let equal = equal_part(sweep.runs(), 1, 8);
        let costs = |runs: Range<u64>| {
            runs.map(|run| sweep.trials().cost(&sweep.trial(run).values)).sum::<u64>() as f64
        };
        assert!(costs(equal) / (costs(0..sweep.runs()) / 8.0) < 0.2);
    }

    #[test]
    fn runs_of_the_same_cost_are_cut_by_their_number() {
        let sweep = sweep("\"a.p\": Range(from: 0, to: 1, steps: 7)", "seeds: 3");
        assert!(!sweep.has_unequal_runs());
        for index in 1..=4 {
            assert_eq!(sweep.part(index, 4), equal_part(21, index, 4));
        }
    }

    proptest! {
        #[test]
        fn shards_cover_all_runs_and_none_costs_more_than_its_share_and_a_run(
            counts in prop::collection::vec(0_u32..400, 2..20),
            seeds in 1_u64..5,
            count in 1_u64..12,
        ) {
            let list: Vec<String> = counts.iter().map(|count| (count + 1).to_string()).collect();
            let vary = format!("\"a.count\": List([{}]), \"a.p\": List([0.5, 1.5])", list.join(", "));
            let sweep = sweep(&vary, &format!("seeds: {seeds}"));
            let costs = shard_costs(&sweep, count);
            let most = counts.iter().map(|count| u64::from(count + 1) * 50).max().unwrap();
            let share = costs.iter().sum::<u64>() / count;
            for cost in costs {
                prop_assert!(cost <= share + most + 1, "{cost} of {share}, a run costs {most}");
            }
        }
    }
}
