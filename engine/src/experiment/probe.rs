//! Runs of variants of a scenario, up to the first failure of each.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::Variation;
use super::lanes::{Lane, Variants, run_lanes};
use super::trials::one_line;
use crate::diag::{Diagnostics, Place, Source};
use crate::expect::{Failure, Judge, Margin};
use crate::math;
use crate::runner::{Options, Run, Starter};
use crate::scenario::Scenario;
use crate::script::Library;
use crate::sim::{AgentError, Simulation};
use crate::threads::NoThreads;
use crate::trace::state_hash;
use crate::world::{AgentId, GroupId};

/// The kind of failure of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FailureKind {
    /// The expectation with this index.
    Expectation(usize),
    /// A script, at this place: file, line and column.
    Script(String),
}

/// The first failure of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct FailedRun {
    /// The kind of failure.
    pub kind: FailureKind,
    /// The tick at which the run began.
    pub first_tick: u64,
    /// The tick of the failure.
    pub tick: u64,
    /// Whether only the end of the run showed it.
    pub is_at_end: bool,
    /// The id of the agent, if it is about one.
    pub agent: Option<AgentId>,
    /// The description of the failure, in one line.
    pub message: String,
    /// How far the expectation is from holding, and the unit; `None` if it has no margin.
    pub margin: Option<(f32, &'static str)>,
    /// The agents of the first tick that are still there, by the index of their group and their place in it, those nearest to
    /// the failure first.
    pub(super) nearest: Vec<(usize, usize)>,
    /// The hash of all agents at the failure; 0 if a script fails.
    pub(super) state_hash: u64,
}

/// A start that fails.
#[derive(Clone, Debug)]
pub struct FoundStart {
    /// The number of its run; 0 is the scenario as it is.
    pub run: u64,
    /// The scenario with this start.
    pub text: String,
    /// How it fails.
    pub failure: FailedRun,
}

impl FailedRun {
    /// Returns whether two runs are the same up to their failure, to the bit.
    pub(super) fn equals(&self, other: &Self) -> bool {
        (self.tick, self.state_hash, &self.message)
            == (other.tick, other.state_hash, &other.message)
    }

    /// Returns whether two runs failed in the same way: their messages differ at most in numbers.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        self.kind == other.kind
            && self.is_at_end == other.is_at_end
            && skeleton(&self.message) == skeleton(&other.message)
    }
}

impl FoundStart {
    /// Returns the index of the expectation that fails; `None` if a script does.
    pub fn expectation(&self) -> Option<usize> {
        match self.failure.kind {
            FailureKind::Expectation(index) => Some(index),
            FailureKind::Script(_) => None,
        }
    }

    /// Returns the same failure of an expectation with another index.
    pub(super) fn into_expectation(mut self, index: usize) -> Self {
        self.failure.kind = FailureKind::Expectation(index);
        self
    }
}

/// Returns a message without its numbers.
fn skeleton(message: &str) -> String {
    let mut text = String::new();
    for word in message.split([' ', ',', '(', ')', ';', ':', '[', ']']) {
        let is_number = word.parse::<f64>().is_ok();
        text.push_str(if is_number { "0" } else { word });
        text.push(' ');
    }
    text
}

/// How a probe went.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Probed {
    /// The text is not a scenario, for this reason.
    Invalid(String),
    /// An expectation fails before the first tick.
    FailsAtOnce,
    /// It was stopped before its end.
    Stopped,
    /// Nothing failed.
    Held(Vec<Margin>),
    /// Something failed.
    Failed(Box<FailedRun>),
}

/// How probes are run.
#[derive(Clone, Copy)]
pub(super) struct ProbeOptions<'o> {
    /// The only expectation that counts; `None` if all of them do.
    pub(super) only: Option<usize>,
    /// Whether margins are computed.
    pub(super) with_margins: bool,
    /// Called before every tick; all runs stop if it returns true.
    pub(super) stop: &'o (dyn Fn() -> bool + Sync),
}

/// Runs scenarios that differ from one scenario in their text. Its scripts are compiled once.
pub(super) struct Probes(Variants);

impl Probes {
    /// Reads a scenario and its scripts.
    ///
    /// # Errors
    ///
    /// All errors in them.
    pub(super) fn new(source: &Arc<Source>, scripts: &dyn Library) -> Result<Self, Diagnostics> {
        Variants::new(source, scripts).map(Self)
    }

    /// Reads the scripts that listed values name, such as those of `behavior`.
    ///
    /// # Errors
    ///
    /// All errors in them.
    pub(super) fn read_listed_scripts(
        &mut self,
        vary: &[(String, Place, Variation)],
        scripts: &dyn Library,
    ) -> Result<(), Diagnostics> {
        self.0.read_listed_scripts(vary, scripts)
    }

    /// Returns the scenario that all sources are variants of.
    pub(super) fn source(&self) -> &Arc<Source> {
        self.0.source()
    }

    /// Returns the same scenario, checked.
    pub(super) fn scenario(&self) -> &Scenario {
        self.0.scenario()
    }

    /// Reads a text.
    fn read(&self, text: &str) -> Result<Starter, Diagnostics> {
        self.0.edited(&Source::new(self.source().name.as_str(), text))
    }

    /// Starts a run of a text.
    pub(super) fn start(&self, text: &str) -> Result<Run, Diagnostics> {
        self.read(text.as_ref())?.start(&Options::default())
    }

    /// Runs sources on all threads of the current pool, and calls `take` with each result, in order. If `take` breaks,
    /// no more runs begin.
    ///
    /// # Errors
    ///
    /// If the threads cannot be started.
    pub(super) fn run(
        &self,
        sources: &[impl AsRef<str> + Sync],
        options: ProbeOptions<'_>,
        mut take: impl FnMut(usize, Probed) -> ControlFlow<()> + Send,
    ) -> Result<(), NoThreads> {
        self.0.each(
            sources.len() as u64,
            self.scenario().ticks,
            1,
            |part| self.run_together(&sources[part.start as usize..part.end as usize], options),
            |index, result| take(index as usize, result),
        )
    }

    /// Runs some sources at once, on this thread.
    fn run_together(&self, sources: &[impl AsRef<str>], options: ProbeOptions<'_>) -> Vec<Probed> {
        let mut results: Vec<Probed> = sources.iter().map(|_| Probed::Stopped).collect();
        let mut probes = Vec::with_capacity(sources.len());
        for (text, result) in sources.iter().zip(&mut results) {
            if (options.stop)() {
                continue;
            }
            let starter = match self.read(text.as_ref()) {
                Ok(starter) => starter,
                Err(errors) => {
                    *result = Probed::Invalid(one_line(&errors));
                    continue;
                }
            };
            match starter.start(&Options::default()) {
                Ok(run) => probes.extend(Probe::new(run, options, result)),
                Err(errors) => {
                    let tick = starter.scenario().first_tick();
                    *result = Probed::Failed(Box::new(script_failure(&errors, tick, tick)));
                }
            }
        }
        run_lanes(probes, options.stop);
        results
    }
}

/// Returns the failure of a script.
fn script_failure(errors: &Diagnostics, first_tick: u64, tick: u64) -> FailedRun {
    let place = errors.iter().next().filter(|error| error.place.is_some());
    FailedRun {
        kind: FailureKind::Script(place.map_or_else(String::new, |error| error.position())),
        first_tick,
        tick,
        is_at_end: false,
        agent: None,
        message: one_line(errors),
        margin: None,
        nearest: Vec::new(),
        state_hash: 0,
    }
}

/// A run and its judge.
struct Probe<'r> {
    options: ProbeOptions<'r>,
    run: Run,
    judge: Option<Judge>,
    /// The id of each first agent, with the index of its group and its place in the group.
    first: Vec<(AgentId, usize, usize)>,
    result: &'r mut Probed,
}

impl<'r> Probe<'r> {
    /// Begins a run; `None` if it fails at once.
    fn new(run: Run, options: ProbeOptions<'r>, result: &'r mut Probed) -> Option<Self> {
        let judge = if options.with_margins { run.judge_with_margins() } else { run.judge() };
        if failed(&judge, options) {
            *result = Probed::FailsAtOnce;
            return None;
        }
        let agents = &run.simulation().world().agents;
        let mut made = vec![0; run.simulation().world().groups.len()];
        let first = agents.id.iter().zip(&agents.group).map(|(id, group)| {
            let group = usize::from(group.0);
            made[group] += 1;
            (*id, group, made[group] - 1)
        });
        let first = first.collect();
        Some(Self { options, judge: Some(judge), first, run, result })
    }

    /// Returns the first agents that are still there, those nearest to an agent first.
    fn nearest(&self, agent: Option<AgentId>) -> Vec<(usize, usize)> {
        let world = self.run.simulation().world();
        let center = agent.and_then(|id| world.agents.row(id)).map(|row| world.agents.pos(row));
        let mut all: Vec<(f32, (usize, usize))> = self
            .first
            .iter()
            .filter_map(|&(id, group, place)| {
                let at = world.agents.pos(world.agents.row(id)?);
                let distance =
                    center.map_or(0.0, |center| math::length(world.space.offset(center, at)));
                Some((distance, (group, place)))
            })
            .collect();
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        all.into_iter().map(|(_, agent)| agent).collect()
    }
}

impl Lane for Probe<'_> {
    fn run(&mut self) -> &mut Run {
        &mut self.run
    }

    fn goes_on(&mut self) -> bool {
        let Some(judge) = &mut self.judge else {
            return false;
        };
        let simulation = self.run.simulation();
        judge.tick(simulation);
        let has_failed = failed(judge, self.options);
        let is_last = self.run.tick() >= self.run.ticks();
        if !has_failed && !is_last {
            return true;
        }
        let Some(mut judge) = self.judge.take() else {
            return false;
        };
        if !has_failed {
            judge.end(simulation);
        }
        let margins = judge.margins();
        let counts =
            |failure: &Failure| self.options.only.is_none_or(|one| one == failure.expectation);
        let failures = judge.into_failures().into_iter().filter(counts);
        let first = failures.min_by_key(|failure| (failure.tick, failure.expectation));
        *self.result = match first {
            None => Probed::Held(margins),
            Some(failure) => {
                let margin = &margins[failure.expectation];
                Probed::Failed(Box::new(FailedRun {
                    kind: FailureKind::Expectation(failure.expectation),
                    first_tick: self.run.first_tick(),
                    tick: failure.tick,
                    is_at_end: !has_failed,
                    agent: failure.agent,
                    message: failure.message,
                    margin: margin.value.map(|value| (value, margin.unit)),
                    nearest: self.nearest(failure.agent),
                    state_hash: state_hash(simulation.world(), simulation.minds()),
                }))
            }
        };
        false
    }

    fn fail(&mut self, error: AgentError) {
        let (first, tick) = (self.run.first_tick(), self.run.tick());
        let failure = script_failure(&Diagnostics::from(error), first, tick);
        *self.result = Probed::Failed(Box::new(failure));
    }
}

/// Returns whether an expectation that counts has failed.
fn failed(judge: &Judge, options: ProbeOptions<'_>) -> bool {
    match options.only {
        Some(one) => judge.has_failed(one),
        None => judge.failed(),
    }
}

/// Returns the rows of the agents of each group.
pub(super) fn rows_of(simulation: &Simulation) -> Vec<Vec<usize>> {
    let world = simulation.world();
    let mut groups = vec![Vec::new(); world.groups.len()];
    for (row, GroupId(group)) in world.agents.group.iter().enumerate() {
        groups[usize::from(*group)].push(row);
    }
    groups
}
