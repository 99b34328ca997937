//! Sweeps: all points of a plan, each with all seeds.

use std::ops::ControlFlow;
use std::sync::{Arc, OnceLock};

use super::{Outcome, Plan, Points, Trial, Trials, Variation};
use crate::diag::{Diagnostic, Diagnostics, Source};
use crate::scenario::TemplateValue;
use crate::script::Library;
use crate::threads::NoThreads;

/// All points of a plan, each with all seeds. Runs are numbered from 0: those of the first point with its seeds come first.
pub struct Sweep {
    plan: Plan,
    variations: Vec<Variation>,
    trials: Trials,
    runs: u64,
    /// The indices of the values that change how many agents and ticks a run has, once that is known.
    pub(super) costly: OnceLock<Vec<usize>>,
}

/// A run of a sweep.
#[derive(Clone, Debug, PartialEq)]
pub struct SweptRun {
    /// Its number.
    pub number: u64,
    /// The number of its point.
    pub point: u64,
    /// The values, in the order of the plan.
    pub values: Vec<TemplateValue>,
    /// The seed.
    pub seed: u64,
    /// The outcome of the run.
    pub outcome: Outcome,
}

/// Number of parts that each thread runs one after the other, at least: an interrupted sweep loses at most one of them.
const PARTS_OF_A_THREAD: u64 = 16;

impl Sweep {
    /// Prepares the runs of a plan.
    ///
    /// # Errors
    ///
    /// As [`Trials::new`], if a grid has a range without `steps`, and if there are too many runs to count.
    pub fn new(
        plan: Plan,
        scenario: &Arc<Source>,
        scripts: &dyn Library,
    ) -> Result<Self, Diagnostics> {
        check_grid(&plan)?;
        check_sensitivity(&plan)?;
        let trials = Trials::new(&plan, scenario, scripts)?;
        let variations = plan.variations();
        let points = plan.sweep.points.count(&variations);
        let runs = points.and_then(|points| points.checked_mul(plan.seeds.count()));
        let Some(runs) = runs else {
            let place = &plan.scenario.1;
            return Err(Diagnostic::error("the sweep has more runs than can be counted")
                .at(&place.source, 0..place.source.text.len().min(1))
                .help("give fewer values, or choose points: `sweep: (points: LatinHypercube(points: 1000))`")
                .into());
        };
        Ok(Self { plan, variations, trials, runs, costly: OnceLock::new() })
    }

    /// Returns the plan.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Returns what the runs have in common.
    pub fn trials(&self) -> &Trials {
        &self.trials
    }

    /// Returns the number of runs.
    pub fn runs(&self) -> u64 {
        self.runs
    }

    /// Returns the values and the seed of a run, by its number.
    pub fn trial(&self, number: u64) -> Trial {
        let seeds = &self.plan.seeds;
        let (point, seed) = (number / seeds.count(), number % seeds.count());
        Trial { values: self.point(point), seed: Some(seeds.seed(seed, self.trials.seed())) }
    }

    /// Returns the values of a point, by its number.
    pub(super) fn point(&self, number: u64) -> Vec<TemplateValue> {
        self.plan.sweep.points.point(&self.variations, number)
    }

    /// Runs `count` runs on all threads of the current pool, and calls `take` with each, in order. `number` returns the
    /// number of the first one for 0, and so on. If `take` breaks, no more runs begin. `stop` is called before every tick: if it returns true, runs that have not
    /// ended are given up.
    ///
    /// # Errors
    ///
    /// If the threads cannot be started.
    pub fn run(
        &self,
        count: u64,
        number: impl Fn(u64) -> u64 + Send + Sync,
        stop: &(dyn Fn() -> bool + Sync),
        mut take: impl FnMut(SweptRun) -> ControlFlow<()> + Send,
    ) -> Result<(), NoThreads> {
        self.trials.run(
            count,
            PARTS_OF_A_THREAD,
            stop,
            |index| self.trial(number(index)),
            |index, trial, outcome| {
                let number = number(index);
                take(SweptRun {
                    number,
                    point: number / self.plan.seeds.count(),
                    seed: trial.seed.unwrap_or_default(),
                    values: trial.values,
                    outcome,
                })
            },
        )
    }
}

/// Checks that something varies if the points should tell what matters.
fn check_sensitivity(plan: &Plan) -> Result<(), Diagnostics> {
    let tells = matches!(plan.sweep.points, Points::Saltelli { .. } | Points::Morris { .. });
    if !tells || plan.variations().iter().any(|of| of.count() != Some(1)) {
        return Ok(());
    }
    let place = &plan.scenario.1;
    Err(Diagnostic::error("nothing varies, so these points cannot tell what matters")
        .at(&place.source, place.span.clone())
        .help("write `vary: { \"flock.sight\": Range(from: 10, to: 60) }`")
        .into())
}

/// Checks that all values of a grid can be counted.
fn check_grid(plan: &Plan) -> Result<(), Diagnostics> {
    let endless = plan.vary.iter().find(|(.., variation)| variation.count().is_none());
    match endless {
        Some((name, place, variation)) if plan.sweep.points == Points::Grid => {
            let (what, help) = match variation {
                Variation::Drawn(_) => ("distribution", "choose other points"),
                _ => ("range", "give the range `steps`, or choose other points"),
            };
            Err(Diagnostic::error(format!("a grid needs single values, but `{name}` is a {what}"))
                .at(&place.source, place.span.clone())
                .help(format!("{help}: `sweep: (points: Sobol(points: 64))`"))
                .into())
        }
        _ => Ok(()),
    }
}
