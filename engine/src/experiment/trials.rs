//! Runs of one scenario with given values.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::lanes::{Lane, Variants, run_lanes};
use super::observed::{Observation, Observed, RUN_LONGER, RunTimes};
use super::variation::cannot_be;
use super::{Expectations, MeasureAt, Plan, Variation, When};
use crate::diag::{Diagnostic, Diagnostics, Place, Source};
use crate::expect::{Expectation, Judge, Margin};
use crate::golden::Fingerprint;
use crate::runner::{Options, Run, Starter};
use crate::scenario::{Template, TemplateValue};
use crate::script::Library;
use crate::sim::AgentError;
use crate::threads::NoThreads;
use crate::trace::{MeasureOf, RunMeasures, state_hash};
use crate::world::Space;

/// Runs of a scenario in which the values of a plan are replaced.
///
/// The scenario and its scripts are read once. Many runs advance together, as lanes of the same programs.
pub struct Trials {
    variants: Variants,
    template: Template,
    /// The tick at which runs end; `None` for that of the scenario.
    ticks: Option<u64>,
    every: Option<u64>,
    expectations: Expectations,
    /// The measures that are needed, each once.
    recorded: Vec<MeasureOf>,
    /// What is recorded: its name, and what it is.
    records: Vec<(String, Observation)>,
    /// What is read at certain ticks.
    observations: Vec<Observation>,
}

/// One run: its values, in the order of the plan, and its seed.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// The values.
    pub values: Vec<TemplateValue>,
    /// The seed; `None` for that of the scenario.
    pub seed: Option<u64>,
}

/// The outcome of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// The last tick.
    pub tick: u64,
    /// The hash of the state at the last tick.
    pub state_hash: u64,
    /// What is recorded, in the order of [`Trials::recorded`]; `None` for what has no value.
    pub measures: Vec<Option<f32>>,
    /// The means of measures over certain ticks, for tunes.
    pub(super) observed: Vec<Option<f64>>,
    /// For each expectation, whether it holds; empty if they are not checked.
    pub holds: Vec<bool>,
    /// For each expectation, how far it is from failing; empty unless margins are computed.
    pub margins: Vec<Margin>,
    /// The measures over time.
    pub series: Vec<Sample>,
    /// Why there is nothing: the values do not fit, or a script failed.
    pub error: Option<String>,
}

impl Outcome {
    /// Returns whether the run has ended. Each run has at least one tick.
    fn is_complete(&self) -> bool {
        self.tick > 0 || self.error.is_some()
    }
}

/// The measures at a tick.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// The tick.
    pub tick: u64,
    /// The measures; `None` for one that has no value.
    pub measures: Vec<Option<f32>>,
}

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
        let variants = Variants::new(scenario, scripts)?;
        let paths: Vec<&str> = plan.vary.iter().map(|(path, ..)| path.as_str()).collect();
        let template = Template::new(scenario, &paths).map_err(|(index, error)| {
            let place = &plan.vary[index].1;
            error.at(&place.source, place.span.clone())
        })?;
        let mut this = Self {
            template,
            ticks: plan.ticks,
            every: plan.sweep.every,
            expectations: plan.expectations,
            recorded: Vec::new(),
            records: Vec::new(),
            observations: Vec::new(),
            variants,
        };
        this.record(plan)?;
        this.check_values(plan)?;
        this.variants.read_listed_scripts(&plan.vary, scripts)?;
        Ok(this)
    }

    /// Finds what a plan records.
    fn record(&mut self, plan: &Plan) -> Result<(), Diagnostics> {
        let known = self.variants.starter().measure_names();
        let Some(names) = &plan.record else {
            self.recorded = known.of_all_agents();
            let all = self.recorded.iter().enumerate();
            let record = |(measure, of): (usize, &MeasureOf)| {
                (of.name().to_owned(), Observation { measure, when: When::End })
            };
            self.records = all.map(record).collect();
            return Ok(());
        };
        let times = self.times(plan);
        for (name, place) in names {
            let at = |error: Diagnostic| error.at(&place.source, place.span.clone());
            let MeasureAt { name: measure, when } =
                MeasureAt::parse(name).map_err(|wrong| at(Diagnostic::error(wrong)))?;
            if let Some(wrong) = times.check_when(when) {
                return Err(at(Diagnostic::error(wrong).help(RUN_LONGER)).into());
            }
            let of = known.find(&measure).map_err(at)?;
            let index = self.recorded.iter().position(|known| known.name() == of.name());
            let measure = index.unwrap_or_else(|| {
                self.recorded.push(of);
                self.recorded.len() - 1
            });
            self.records.push((name.clone(), Observation { measure, when }));
        }
        if self.reads_at_ticks() {
            self.observations = self.records.iter().map(|(_, record)| *record).collect();
        }
        Ok(())
    }

    /// Returns whether something is recorded that is not read at the end.
    fn reads_at_ticks(&self) -> bool {
        self.records.iter().any(|(_, record)| record.when != When::End)
    }

    /// Returns the times of runs, as far as the values of a plan do not change them.
    pub(super) fn times(&self, plan: &Plan) -> RunTimes {
        let varies = |path: &str| plan.vary.iter().any(|(varied, ..)| varied == path);
        let scenario = self.variants.scenario();
        RunTimes {
            dt: (!varies("dt") && !varies("hz")).then_some(scenario.setup.dt),
            first: scenario.first_tick(),
            last: (!varies("ticks")).then(|| self.last_tick()),
        }
    }

    /// Returns the space of the scenario with the values that are written in it.
    pub(super) fn space(&self) -> Space {
        self.variants.scenario().setup.space
    }

    /// Says what runs read at certain ticks.
    pub(super) fn observe(&mut self, observations: Vec<Observation>) {
        self.observations = observations;
    }

    /// Returns the last tick of the scenario with the values that are written in it, or that of the plan.
    pub fn last_tick(&self) -> u64 {
        self.ticks.unwrap_or(self.variants.scenario().ticks)
    }

    /// Checks that the values of each variation fit, so that a mistake is found before the runs.
    fn check_values(&self, plan: &Plan) -> Result<(), Diagnostics> {
        let first = self.template.read(&plan.first_values());
        let source = self.variants.source();
        for (index, (path, place, variation)) in plan.vary.iter().enumerate() {
            let mut values = plan.first_values();
            check_each(source, path, place, variation, |value| {
                values[index] = value.clone();
                self.template.read(&values).is_ok()
            })?;
        }
        first.map(|_| ())
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
        self.variants.source()
    }

    /// Returns the scenario's text with other values, in the order of the plan.
    ///
    /// # Panics
    ///
    /// If there are fewer values than the plan has.
    pub fn filled(&self, values: &[TemplateValue]) -> Arc<Source> {
        self.template.fill(values)
    }

    /// Returns an estimate of the work of a run with other values, at least 1: see [`Scenario::agent_ticks`]. A run whose values do
    /// not fit ends at once.
    pub(super) fn cost(&self, values: &[TemplateValue]) -> u64 {
        let scenario = self.template.read(values);
        let cost = scenario.map_or(1, |of| of.agent_ticks(self.ticks.unwrap_or(of.ticks)));
        cost.max(1)
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
        self.variants.scenario().setup.seed
    }

    /// Returns the fingerprints of the scenario and its scripts.
    pub fn fingerprints(&self) -> &[Fingerprint] {
        self.variants.fingerprints()
    }

    /// Returns the measures that are needed for what is recorded, each once.
    pub fn measures(&self) -> &[MeasureOf] {
        &self.recorded
    }

    /// Returns what is recorded, in the order of the plan: its name, as the plan has it, its measure, and when that is read.
    pub fn recorded(&self) -> impl Iterator<Item = (&str, &MeasureOf, When)> {
        let all = self.records.iter();
        all.map(|(name, record)| (name.as_str(), &self.recorded[record.measure], record.when))
    }

    /// Returns what is recorded of the expectations.
    pub fn records(&self) -> Expectations {
        self.expectations
    }

    /// Returns the expectations of the scenario that a run can tell about, as they are written.
    pub fn expectations(&self) -> Vec<String> {
        let all = &self.variants.scenario().expectations;
        all.iter().filter(|one| is_of_runs(one)).map(ToString::to_string).collect()
    }

    /// Returns these expectations with the units of their margins.
    pub(super) fn units_of_margins(&self) -> Vec<(String, &'static str)> {
        let all = &self.variants.scenario().expectations;
        all.iter().filter(|one| is_of_runs(one)).map(|one| (one.to_string(), one.unit())).collect()
    }

    /// Runs `count` trials on all threads of the current pool, and calls `take` with each outcome, in order. If `take`
    /// breaks, no more runs begin. `stop` is called before every tick: if it returns true, runs that have not ended are
    /// given up, and `take` is not called with them or later ones. `trial` returns a trial by its index. Few
    /// outcomes are kept at a time: at most the share 1/`parts` of the trials advances together on each thread, and is
    /// lost if it is given up.
    ///
    /// # Errors
    ///
    /// If the threads cannot be started.
    pub fn run(
        &self,
        count: u64,
        parts: u64,
        stop: &(dyn Fn() -> bool + Sync),
        trial: impl Fn(u64) -> Trial + Send + Sync,
        mut take: impl FnMut(u64, Trial, Outcome) -> ControlFlow<()> + Send,
    ) -> Result<(), NoThreads> {
        let ticks = self.last_tick();
        self.variants.each(
            count,
            ticks,
            parts,
            |part| {
                let trials: Vec<Trial> = part.map(&trial).collect();
                let outcomes = self.run_together(&trials, stop);
                trials.into_iter().zip(outcomes).collect()
            },
            |index, (trial, outcome)| match outcome.is_complete() {
                true => take(index, trial, outcome),
                false => ControlFlow::Break(()),
            },
        )
    }

    /// Runs some trials at once, on this thread.
    fn run_together(&self, trials: &[Trial], stop: &(dyn Fn() -> bool + Sync)) -> Vec<Outcome> {
        let mut outcomes: Vec<Outcome> = trials.iter().map(|_| Outcome::default()).collect();
        let mut watched = Vec::with_capacity(trials.len());
        let mut starter: Option<(&[TemplateValue], Result<Starter, Diagnostics>)> = None;
        for (trial, outcome) in trials.iter().zip(&mut outcomes) {
            // Runs of one point follow each other.
            if starter.as_ref().is_none_or(|(values, _)| *values != trial.values) {
                let source = self.template.fill(&trial.values);
                starter = Some((&trial.values, self.variants.edited(&source)));
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
        run_lanes(watched, stop);
        outcomes
    }
}

/// A run and what is known about it.
struct WatchedRun<'o> {
    of: &'o Trials,
    run: Run,
    last: u64,
    judge: Option<Judge>,
    measures: RunMeasures,
    observed: Observed<'o>,
    outcome: &'o mut Outcome,
}

impl<'o> WatchedRun<'o> {
    fn new(run: Run, of: &'o Trials, outcome: &'o mut Outcome) -> Self {
        let last = of.ticks.unwrap_or(run.ticks()).max(run.first_tick() + 1);
        let judge = match of.expectations {
            Expectations::Margins => Some(run.judge_with_margins()),
            Expectations::Holds => Some(run.judge()),
            Expectations::Ignore => None,
        };
        let measures = RunMeasures::new(run.simulation(), of.recorded.clone());
        let observed = Observed::new(&of.observations, of.recorded.len());
        let mut this = Self { of, judge, measures, observed, last, outcome, run };
        this.observe();
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

    /// Reads the measures that are read at this tick.
    fn observe(&mut self) {
        let (tick, simulation) = (self.run.tick(), self.run.simulation());
        if let Err(error) = self.observed.add(tick, simulation, &self.measures) {
            self.outcome.error = Some(one_line(&error.into()));
        }
    }

    fn finish(&mut self) {
        let simulation = self.run.simulation();
        if let Some(mut judge) = self.judge.take() {
            judge.end(simulation);
            let told: Vec<bool> = self.run.expectations().iter().map(is_of_runs).collect();
            let mut told_of = told.iter();
            let mut is_told = || told_of.next().copied().unwrap_or_default();
            if self.of.expectations == Expectations::Margins {
                self.outcome.margins = judge.margins();
                self.outcome.margins.retain(|_| is_told());
            }
            let mut holds = vec![true; told.len()];
            for failure in judge.into_failures() {
                holds[failure.expectation] = false;
            }
            let told = holds.into_iter().zip(told).filter(|(_, is_told)| *is_told);
            self.outcome.holds = told.map(|(holds, _)| holds).collect();
        }
        self.outcome.tick = self.run.tick();
        self.outcome.state_hash = state_hash(simulation.world(), simulation.minds());
        let at_end = self.sample().measures;
        let observed = self.observed.means(&at_end);
        self.outcome.measures = match self.of.reads_at_ticks() {
            true => observed.iter().map(|mean| mean.map(|mean| mean as f32)).collect(),
            false => at_end,
        };
        self.outcome.observed = observed;
    }
}

impl Lane for WatchedRun<'_> {
    fn run(&mut self) -> &mut Run {
        &mut self.run
    }

    fn goes_on(&mut self) -> bool {
        let simulation = self.run.simulation();
        if let Some(judge) = &mut self.judge {
            judge.tick(simulation);
        }
        self.measures.add_tick(simulation);
        self.observe();
        let tick = self.run.tick();
        let is_last = tick >= self.last;
        if self.of.every.is_some_and(|every| tick.is_multiple_of(every) || is_last) {
            let sample = self.sample();
            self.outcome.series.push(sample);
        }
        if is_last {
            self.finish();
        }
        !is_last && self.outcome.error.is_none()
    }

    fn fail(&mut self, error: AgentError) {
        self.outcome.error = Some(one_line(&Diagnostics::from(error)));
    }
}

/// Checks that the values of a variation fit into a scenario.
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
    check_each(scenario, path, place, variation, |_| false)
}

/// Checks the values of a variation that are most likely not to fit: one is wrong if it fits neither into the scenario as it is
/// written nor with other values, as `fits` says. Values that fit only with some others are left to single runs.
fn check_each(
    scenario: &Arc<Source>,
    path: &str,
    place: &Place,
    variation: &Variation,
    mut fits: impl FnMut(&TemplateValue) -> bool,
) -> Result<(), Diagnostic> {
    let at = |error: Diagnostic| error.at(&place.source, place.span.clone());
    let template = Template::new(scenario, &[path]).map_err(|(_, error)| at(error))?;
    for value in variation.telling() {
        if !fits(&value)
            && let Err(errors) = template.read(std::slice::from_ref(&value))
        {
            return Err(cannot_be(path, place, &value, &errors));
        }
    }
    Ok(())
}

/// Returns whether a run alone can tell whether an expectation holds.
fn is_of_runs(expectation: &Expectation) -> bool {
    expectation.compared_versions().is_none()
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
