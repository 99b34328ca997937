//! Runs of variants of a scenario, up to the first failure of each.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::Variation;
use super::lanes::{Lane, Variants, run_lanes};
use super::run_features::RunFeatures;
use super::trials::one_line;
use crate::diag::{Diagnostics, Place, Source};
use crate::expect::{Failure, Judge, Margin};
use crate::golden::Fingerprint;
use crate::math;
use crate::math::random::Mix;
use crate::runner::{Options, Run, Starter};
use crate::scenario::Scenario;
use crate::script::Library;
use crate::sim::{AgentError, NoBehavior, Simulation};
use crate::threads::NoThreads;
use crate::trace::state_hash;
use crate::world::{AgentId, Edge, GroupId, World};

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
    /// How many of two agents do not react to the other.
    pub(super) idle_agents: usize,
    /// How far the expectation is from holding, and the unit; `None` if it has no margin.
    pub margin: Option<(f32, &'static str)>,
    /// The agents of the first tick that are still there, by the index of their group and their place in it, those nearest to
    /// the failure first.
    pub(super) nearest: Vec<(usize, usize)>,
    /// The hash of all agents at the failure; 0 if a script fails.
    pub(super) state_hash: u64,
    /// The hash of all states up to the failure. It means nothing without [`ProbeOptions::with_history`].
    pub(super) history: u64,
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

impl Counted {
    /// Counts only one expectation, if there is one, or all.
    pub(super) fn only(expectation: Option<usize>) -> Self {
        expectation.map_or(Self::All, Self::One)
    }

    /// Counts only failures of one kind.
    pub(super) fn of(kind: &FailureKind) -> Self {
        match kind {
            FailureKind::Expectation(index) => Self::One(*index),
            FailureKind::Script(_) => Self::Scripts,
        }
    }

    fn counts(self, expectation: usize) -> bool {
        match self {
            Self::All => true,
            Self::One(one) => one == expectation,
            Self::Scripts => false,
        }
    }
}

impl FailedRun {
    /// Returns whether two runs are the same up to their failure, to the bit.
    pub(super) fn equals(&self, other: &Self) -> bool {
        (self.tick, self.state_hash, &self.message)
            == (other.tick, other.state_hash, &other.message)
    }

    /// Returns whether two runs failed in the same way: what is said of them differs at most in numbers.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        self.kind == other.kind
            && self.is_at_end == other.is_at_end
            && skeleton(&self.message) == skeleton(&other.message)
            && self.idle_agents == other.idle_agents
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
    Held(Box<HeldRun>),
    /// Something failed.
    Failed(Box<FailedRun>),
}

/// A run in which nothing that counts has failed.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct HeldRun {
    /// For each expectation, its margin.
    pub(super) margins: Vec<Margin>,
    /// The hash of all its states. It means nothing without [`ProbeOptions::with_history`].
    pub(super) history: u64,
    /// What has happened in it, if that was asked for.
    pub(super) features: RunFeatures,
}

/// The failures that count. Errors of scripts always do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Counted {
    /// Those of all expectations.
    All,
    /// Those of the expectation with this index.
    One(usize),
    /// Those of no expectation.
    Scripts,
}

/// What decides in the runs of probes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Deciding {
    /// The scripts of the scenario.
    Scripts,
    /// Nothing: all agents keep their velocity.
    Nothing,
}

/// How probes are run.
#[derive(Clone, Copy)]
pub(super) struct ProbeOptions<'o> {
    pub(super) counted: Counted,
    pub(super) deciding: Deciding,
    /// Whether margins are computed.
    pub(super) with_margins: bool,
    /// Whether the hash of all states is computed, to compare runs.
    pub(super) with_history: bool,
    /// Whether it is noted what happens.
    pub(super) with_features: bool,
    /// Called before every tick; all runs stop if it returns true.
    pub(super) stop: &'o (dyn Fn() -> bool + Sync),
}

/// Runs scenarios that differ from one scenario in their text. Its scripts are compiled once.
pub(super) struct Probes {
    variants: Variants,
    /// The limits that the first agents of the scenario break as it is written, so that others may.
    broken: Vec<StartLimit>,
}

/// Something that the agents of a start should obey.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StartLimit {
    MaxSpeed,
    Edge,
    Obstacle,
}

/// How much faster than its maximum an agent may begin, relative to that: velocities are written with few digits.
const SPEED_TOLERANCE: f32 = 1e-5;

impl Probes {
    /// Reads a scenario and its scripts.
    ///
    /// # Errors
    ///
    /// All errors in them.
    pub(super) fn new(source: &Arc<Source>, scripts: &dyn Library) -> Result<Self, Diagnostics> {
        let variants = Variants::new(source, scripts)?;
        let run = variants.starter().start(&Options::default());
        // A script that fails at once says nothing about the agents.
        let broken = run.map(|run| broken_limits(run.simulation().world()));
        let broken = broken.unwrap_or_default().into_iter().map(|(limit, _)| limit).collect();
        Ok(Self { variants, broken })
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
        self.variants.read_listed_scripts(vary, scripts)
    }

    /// Returns the scenario that all sources are variants of.
    pub(super) fn source(&self) -> &Arc<Source> {
        self.variants.source()
    }

    /// Returns the same scenario, checked.
    pub(super) fn scenario(&self) -> &Scenario {
        self.variants.scenario()
    }

    /// Returns the fingerprints of the scenario and its scripts.
    pub(super) fn fingerprints(&self) -> &[Fingerprint] {
        self.variants.fingerprints()
    }

    /// Reads a text.
    fn read(&self, text: &str) -> Result<Starter, Diagnostics> {
        self.variants.edited(&Source::new(self.source().name.as_str(), text))
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
        self.variants.each(
            sources.len() as u64,
            self.scenario().ticks,
            1,
            |part| self.run_together(&sources[part.start as usize..part.end as usize], options),
            |index, result| take(index as usize, result),
        )
    }

    /// Runs sources like [`run`](Self::run), and returns all results.
    ///
    /// # Errors
    ///
    /// If the threads cannot be started.
    pub(super) fn results(
        &self,
        sources: &[impl AsRef<str> + Sync],
        options: ProbeOptions<'_>,
    ) -> Result<Vec<Probed>, NoThreads> {
        let mut results = Vec::with_capacity(sources.len());
        self.run(sources, options, |_, probed| {
            results.push(probed);
            ControlFlow::Continue(())
        })?;
        Ok(results)
    }

    /// Begins a run; `None` if its agents break a limit that those of the scenario obey, or if it fails at once.
    fn probe<'r>(
        &self,
        run: Run,
        options: ProbeOptions<'r>,
        result: &'r mut Probed,
    ) -> Option<Probe<'r>> {
        let broken = broken_limits(run.simulation().world());
        match broken.into_iter().find(|(limit, _)| !self.broken.contains(limit)) {
            Some((_, why)) => {
                *result = Probed::Invalid(why);
                None
            }
            None => Probe::new(run, options, result),
        }
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
            let started = match options.deciding {
                Deciding::Scripts => starter.start(&Options::default()),
                Deciding::Nothing => {
                    starter.start_with(&Options::default(), |_, _| Arc::new(NoBehavior))
                }
            };
            match started {
                Ok(run) => probes.extend(self.probe(run, options, result)),
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

/// Returns the limits that agents break, each with the first that does so.
fn broken_limits(world: &World) -> Vec<(StartLimit, String)> {
    let mut broken: Vec<(StartLimit, String)> = Vec::new();
    let (min, max) = (world.space.min, world.space.max());
    let has_walls = matches!(world.space.edge, Edge::Bounce | Edge::Clamp);
    for row in 0..world.agents.len() {
        let (agent, at) = (world.agent(row), world.agents.pos(row));
        let (speed, most) = (math::length(world.agents.vel(row)), agent.body().max_speed);
        let inside = world.obstacles.iter().find(|one| one.shape.surface(at).distance < 0.0);
        let is_outside = has_walls && !(at.cmpge(min).all() && at.cmple(max).all());
        let found = [
            (speed > most * (1.0 + SPEED_TOLERANCE)).then(|| {
                (
                    StartLimit::MaxSpeed,
                    format!("begins with {speed}, which is above its maximum speed, {most}"),
                )
            }),
            is_outside.then(|| (StartLimit::Edge, "begins outside of the world".to_owned())),
            inside.map(|one| {
                (StartLimit::Obstacle, format!("begins in the obstacle `{}`", one.name))
            }),
        ];
        for (limit, why) in found.into_iter().flatten() {
            if broken.iter().all(|(known, _)| *known != limit) {
                let (id, group) = (agent.id(), &agent.group().name);
                broken.push((limit, format!("agent {id} ({group}) {why}")));
            }
        }
    }
    broken
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
        idle_agents: 0,
        margin: None,
        nearest: Vec::new(),
        state_hash: 0,
        history: 0,
    }
}

/// A run and its judge.
struct Probe<'r> {
    options: ProbeOptions<'r>,
    run: Run,
    judge: Option<Judge>,
    /// The id of each first agent, with the index of its group and its place in the group.
    first: Vec<(AgentId, usize, usize)>,
    /// The hash of all states so far.
    history: Mix,
    features: RunFeatures,
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
        let (history, features) = (Mix::new(0), RunFeatures::default());
        Some(Self { options, judge: Some(judge), first, history, features, run, result })
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
        if self.options.with_history {
            let state = state_hash(simulation.world(), simulation.minds());
            self.history = self.history.with(state);
        }
        if self.options.with_features {
            self.features.note(simulation, is_last);
        }
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
        let counts = |failure: &Failure| self.options.counted.counts(failure.expectation);
        let failures = judge.into_failures().into_iter().filter(counts);
        let first = failures.min_by_key(|failure| (failure.tick, failure.expectation));
        *self.result = match first {
            None => Probed::Held(Box::new(HeldRun {
                margins,
                history: self.history.value(),
                features: std::mem::take(&mut self.features),
            })),
            Some(failure) => {
                let margin = &margins[failure.expectation];
                Probed::Failed(Box::new(FailedRun {
                    kind: FailureKind::Expectation(failure.expectation),
                    first_tick: self.run.first_tick(),
                    tick: failure.tick,
                    is_at_end: !has_failed,
                    agent: failure.agent,
                    message: failure.message.clone(),
                    idle_agents: failure.idle_agents(),
                    margin: margin.value.map(|value| (value, margin.unit)),
                    nearest: self.nearest(failure.agent),
                    state_hash: state_hash(simulation.world(), simulation.minds()),
                    history: self.history.value(),
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
    match options.counted {
        Counted::All => judge.failed(),
        Counted::One(one) => judge.has_failed(one),
        Counted::Scripts => false,
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
