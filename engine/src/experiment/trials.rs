//! Runs of one scenario with given values.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::{Expectations, Plan, Variation};
use crate::diag::{Diagnostic, Diagnostics, Place, Source};
use crate::expect::{Judge, Margin};
use crate::golden::Fingerprint;
use crate::runner::{Options, Run, Starter};
use crate::scenario::{Template, TemplateValue};
use crate::script::{Library, Scripts};
use crate::sim::{Simulation, step_lanes};
use crate::suite::RecordingLibrary;
use crate::threads::{self, NoThreads};
use crate::trace::{MeasureOf, RunMeasures, state_hash};

/// Runs of a scenario in which the values of a plan are replaced.
///
/// The scenario and its scripts are read once. Many runs advance together, as lanes of the same programs.
pub struct Trials {
    base: Starter,
    template: Template,
    scripts: Scripts,
    fingerprints: Vec<Fingerprint>,
    /// The tick at which runs end; `None` for that of the scenario.
    ticks: Option<u64>,
    every: Option<u64>,
    expectations: Expectations,
    recorded: Vec<MeasureOf>,
    /// Number of runs that advance together.
    lanes: u64,
}

/// One run: its values, in the order of the plan, and its seed.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// The values.
    pub values: Vec<TemplateValue>,
    /// The seed; `None` for that of the scenario.
    pub seed: Option<u64>,
}

/// What a run gave.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// The last tick.
    pub tick: u64,
    /// The hash of the state at the last tick.
    pub state_hash: u64,
    /// The measures at the last tick; `None` for one that has no value.
    pub measures: Vec<Option<f32>>,
    /// For each expectation, whether it holds; empty if they are not checked.
    pub holds: Vec<bool>,
    /// For each expectation, how far it is from failing; empty unless margins are computed.
    pub margins: Vec<Margin>,
    /// The measures over time.
    pub series: Vec<Sample>,
    /// Why there is nothing: the values do not fit, or a script failed.
    pub error: Option<String>,
}

/// The measures at a tick.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// The tick.
    pub tick: u64,
    /// The measures; `None` for one that has no value.
    pub measures: Vec<Option<f32>>,
}

/// Agents times ticks of the runs that advance together, about. An interrupted experiment loses no more than this for each
/// thread.
const AGENT_TICKS: u64 = 1_000_000;

/// Maximum number of runs that advance together.
const MAX_LANES: u64 = 128;

impl Trials {
    /// Reads a scenario and its scripts for a plan.
    ///
    /// # Errors
    ///
    /// All errors in the scenario and its scripts; paths and measures of the plan that do not exist; and values that do not
    /// fit.
    pub fn new(
        plan: &Plan,
        scenario: &Arc<Source>,
        scripts: &dyn Library,
    ) -> Result<Self, Diagnostics> {
        let recording = RecordingLibrary::new(scripts);
        let base = Starter::new(scenario, &recording, &[Options::default()])?;
        let paths: Vec<&str> = plan.vary.iter().map(|(path, ..)| path.as_str()).collect();
        let template = Template::new(scenario, &paths).map_err(|(index, error)| {
            let place = &plan.vary[index].1;
            error.at(&place.source, place.span.clone())
        })?;
        let recorded = recorded(plan, &base)?;
        let groups = &base.scenario().setup.groups;
        let agents: u64 = groups.iter().map(|(_, spawn)| u64::from(spawn.count)).sum();
        let ticks = plan.ticks.unwrap_or(base.scenario().ticks);
        let this = Self {
            template,
            ticks: plan.ticks,
            every: plan.sweep.every,
            expectations: plan.expectations,
            recorded,
            lanes: (AGENT_TICKS / (agents * ticks).max(1)).clamp(1, MAX_LANES),
            scripts: Scripts::from(recording.scripts()),
            fingerprints: [Fingerprint::of(&scenario.name, &scenario.text)]
                .into_iter()
                .chain(recording.fingerprints())
                .collect(),
            base,
        };
        this.check_values(plan)?;
        Ok(this)
    }

    /// Checks that the first value of each variation fits, so that a mistake is found before the runs.
    fn check_values(&self, plan: &Plan) -> Result<(), Diagnostics> {
        let first: Vec<TemplateValue> = plan.vary.iter().map(|(.., of)| of.at(0.0)).collect();
        let Err(errors) = self.template.read(&first) else {
            return Ok(());
        };
        // Find which one it is.
        for (path, place, variation) in &plan.vary {
            check_value(self.template.source(), path, place, variation)?;
        }
        Err(errors)
    }

    /// Returns what is written now in the place of the value with this index; empty if nothing is.
    ///
    /// # Panics
    ///
    /// If there is no such value.
    pub fn written(&self, value: usize) -> &str {
        self.template.written(value)
    }

    /// Returns the scenario as it is written.
    pub fn source(&self) -> &Arc<Source> {
        self.template.source()
    }

    /// Returns the scenario's text with other values, in the order of the plan.
    ///
    /// # Panics
    ///
    /// If there are fewer values than the plan has.
    pub fn filled(&self, values: &[TemplateValue]) -> Arc<Source> {
        self.template.fill(values)
    }

    /// Returns the scenario of a trial: a file that runs alone as the trial does.
    ///
    /// # Errors
    ///
    /// If the seed or the ticks cannot be written into the scenario.
    pub fn scenario(&self, trial: &Trial) -> Result<Arc<Source>, Diagnostic> {
        let mut source = self.template.fill(&trial.values);
        let whole = [("seed", trial.seed), ("ticks", self.ticks)];
        for (name, value) in whole.into_iter().filter_map(|(name, value)| Some((name, value?))) {
            let template = Template::new(&source, &[name]).map_err(|(_, error)| error)?;
            source = template.fill(&[TemplateValue::Text(value.to_string())]);
        }
        Ok(source)
    }

    /// Returns the seed of the scenario.
    pub fn seed(&self) -> u64 {
        self.base.scenario().setup.seed
    }

    /// Returns the fingerprints of the scenario and its scripts.
    pub fn fingerprints(&self) -> &[Fingerprint] {
        &self.fingerprints
    }

    /// Returns the names of the recorded measures.
    pub fn measures(&self) -> impl Iterator<Item = &str> {
        self.recorded.iter().map(MeasureOf::name)
    }

    /// Returns what is recorded of the expectations.
    pub fn records(&self) -> Expectations {
        self.expectations
    }

    /// Returns the expectations of the scenario, as they are written.
    pub fn expectations(&self) -> Vec<String> {
        self.base.scenario().expectations.iter().map(ToString::to_string).collect()
    }

    /// Runs `count` trials on all threads of the current pool, and calls `take` with each outcome, in order. If `take`
    /// breaks, no more runs begin. `trial` returns a trial by its index. Few outcomes are kept at a time.
    ///
    /// # Errors
    ///
    /// If the threads cannot be started.
    pub fn run(
        &self,
        count: u64,
        trial: impl Fn(u64) -> Trial + Send + Sync,
        mut take: impl FnMut(u64, Trial, Outcome) -> ControlFlow<()> + Send,
    ) -> Result<(), NoThreads> {
        // All threads should have work, also if there are few runs.
        let lanes = self.lanes.min(count.div_ceil(threads::current_threads() as u64)).max(1);
        let mut next = 0;
        threads::for_each_in_order(
            count.div_ceil(lanes),
            |part| {
                let first = part * lanes;
                let trials: Vec<Trial> = (first..count.min(first + lanes)).map(&trial).collect();
                let outcomes = self.run_together(&trials);
                trials.into_iter().zip(outcomes).collect::<Vec<_>>()
            },
            |results| {
                for (trial, outcome) in results {
                    take(next, trial, outcome)?;
                    next += 1;
                }
                ControlFlow::Continue(())
            },
        )
    }

    /// Runs some trials at once, on this thread.
    fn run_together(&self, trials: &[Trial]) -> Vec<Outcome> {
        let mut outcomes: Vec<Outcome> = trials.iter().map(|_| Outcome::default()).collect();
        let mut watched = Vec::with_capacity(trials.len());
        let mut starter: Option<(&[TemplateValue], Result<Starter, Diagnostics>)> = None;
        for (trial, outcome) in trials.iter().zip(&mut outcomes) {
            // Runs of one point follow each other.
            if starter.as_ref().is_none_or(|(values, _)| *values != trial.values) {
                let source = self.template.fill(&trial.values);
                starter = Some((&trial.values, self.base.edited(&source, &self.scripts)));
            }
            let started = match &starter {
                Some((_, Ok(starter))) => {
                    let options = Options { seed: trial.seed, ..Options::default() };
                    starter.start(&options)
                }
                Some((_, Err(errors))) => Err(errors.clone()),
                None => continue,
            };
            match started {
                Ok(run) => watched.push(WatchedRun::new(run, self, outcome)),
                Err(errors) => outcome.error = Some(one_line(&errors)),
            }
        }
        while !watched.is_empty() {
            let mut simulations: Vec<&mut Simulation> =
                watched.iter_mut().map(|one| one.run.simulation_mut()).collect();
            let results = step_lanes(&mut simulations);
            let mut results = results.into_iter();
            watched.retain_mut(|one| match results.next() {
                Some(Err(error)) => {
                    one.outcome.error = Some(one_line(&Diagnostics::from(error)));
                    false
                }
                _ => one.goes_on(self),
            });
        }
        outcomes
    }
}

/// A run and what is known about it.
struct WatchedRun<'o> {
    run: Run,
    last: u64,
    judge: Option<Judge>,
    measures: RunMeasures,
    outcome: &'o mut Outcome,
}

impl<'o> WatchedRun<'o> {
    fn new(run: Run, of: &Trials, outcome: &'o mut Outcome) -> Self {
        let last = of.ticks.unwrap_or(run.ticks()).max(run.first_tick() + 1);
        let judge = match of.expectations {
            Expectations::Margins => Some(run.judge_with_margins()),
            Expectations::Holds => Some(run.judge()),
            Expectations::Ignore => None,
        };
        let measures = RunMeasures::new(run.simulation(), of.recorded.clone());
        let mut this = Self { judge, measures, last, outcome, run };
        if of.every.is_some() {
            let sample = this.sample();
            this.outcome.series.push(sample);
        }
        this
    }

    fn sample(&mut self) -> Sample {
        let measures = match self.measures.take(self.run.simulation()) {
            Ok(values) => values.into_iter().map(|value| value.map(f32::from)).collect(),
            Err(error) => {
                self.outcome.error = Some(one_line(&error.into()));
                vec![None; self.measures.measures().len()]
            }
        };
        Sample { tick: self.run.tick(), measures }
    }

    /// Watches the state after a tick. Returns whether the run goes on.
    fn goes_on(&mut self, of: &Trials) -> bool {
        let simulation = self.run.simulation();
        if let Some(judge) = &mut self.judge {
            judge.tick(simulation);
        }
        self.measures.add_tick(simulation);
        let tick = self.run.tick();
        let is_last = tick >= self.last;
        if of.every.is_some_and(|every| tick.is_multiple_of(every) || is_last) {
            let sample = self.sample();
            self.outcome.series.push(sample);
        }
        if is_last {
            self.finish(of);
        }
        !is_last && self.outcome.error.is_none()
    }

    fn finish(&mut self, of: &Trials) {
        let simulation = self.run.simulation();
        if let Some(mut judge) = self.judge.take() {
            judge.end(simulation);
            if of.expectations == Expectations::Margins {
                self.outcome.margins = judge.margins();
            }
            self.outcome.holds = vec![true; self.run.expectations().len()];
            for failure in judge.into_failures() {
                self.outcome.holds[failure.expectation] = false;
            }
        }
        self.outcome.tick = self.run.tick();
        self.outcome.state_hash = state_hash(simulation.world(), simulation.minds());
        self.outcome.measures = self.sample().measures;
    }
}

/// Checks that the first value of a variation fits into a scenario.
///
/// # Errors
///
/// If there is no such place, or the value does not fit.
pub(super) fn check_value(
    scenario: &Arc<Source>,
    path: &str,
    place: &Place,
    variation: &Variation,
) -> Result<(), Diagnostic> {
    let at = |error: Diagnostic| error.at(&place.source, place.span.clone());
    let template = Template::new(scenario, &[path]).map_err(|(_, error)| at(error))?;
    let first = variation.at(0.0);
    let Err(errors) = template.read(std::slice::from_ref(&first)) else {
        return Ok(());
    };
    let wrong = at(Diagnostic::error(format!("`{path}` cannot be {first}")));
    Err(errors.iter().fold(wrong, |wrong, error| wrong.help(error.message.clone())))
}

/// Returns the first error in one line.
pub(super) fn one_line(errors: &Diagnostics) -> String {
    let Some(error) = errors.iter().next() else {
        return String::new();
    };
    let message = error.message.replace('\n', " ");
    match &error.place {
        Some(_) => format!("{}: {message}", error.position()),
        None => message,
    }
}

/// Finds the measures that a plan records.
fn recorded(plan: &Plan, base: &Starter) -> Result<Vec<MeasureOf>, Diagnostics> {
    let known = base.measure_names();
    let Some(names) = &plan.record else {
        return Ok(known.of_all_agents());
    };
    let found = names.iter().map(|(name, place)| {
        let at = |error: Diagnostic| error.at(&place.source, place.span.clone());
        known.find(name).map_err(|error| at(error).into())
    });
    found.collect()
}
