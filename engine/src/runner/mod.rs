//! The public entry of the library: opens a scenario file as a [`Run`].
//!
//! Reads the scenario, compiles its behaviors and starts the simulation. It prints nothing, and never changes how agents
//! move.

mod changes;
mod check;
mod names;
mod setting;
mod unused;

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;
use std::sync::Arc;

pub use changes::{ChangeEffect, ScenarioChange, scenario_changes};
pub use check::check;
pub use setting::{InvalidSetting, Setting};

use crate::diag::{Code, Diagnostic, Diagnostics, Place, Source};
use crate::expect::{Expectation, Judge};
use crate::golden::Terms;
use crate::load::{self, ScriptsFolder};
use crate::scenario::{BehaviorRef, Scenario, SetParamError};
use crate::script::{Behavior, CompiledExpectation, Library};
use crate::sim::{AgentError, Brain, Message, NoBehavior, Simulation};

/// Changes to a scenario for one run.
///
/// ```
/// use flockwork_engine::Options;
///
/// let options = Options::default().seed(7).agents(500);
/// assert_eq!(options.seed, Some(7));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// A seed in place of the scenario's.
    pub seed: Option<u64>,
    /// Values for params, applied in this order.
    pub settings: Vec<Setting>,
    /// Runs all scripts in the interpreter: slower, with the same results.
    pub interpreter: bool,
    /// Number of agents at the start, divided among the groups in proportion: see [`Scenario::set_agents`].
    pub agents: Option<u32>,
}

impl Options {
    /// Sets the seed.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = Some(seed);
        self
    }

    /// Adds values for params.
    #[must_use]
    pub fn settings(mut self, settings: impl IntoIterator<Item = Setting>) -> Self {
        self.settings.extend(settings);
        self
    }

    /// Sets whether all scripts run in the interpreter.
    #[must_use]
    pub fn interpreter(mut self, interpreter: bool) -> Self {
        self.interpreter = interpreter;
        self
    }

    /// Sets the number of agents at the start.
    #[must_use]
    pub fn agents(mut self, agents: u32) -> Self {
        self.agents = Some(agents);
        self
    }
}

/// A scenario that is being simulated.
pub struct Run {
    name: String,
    first_tick: u64,
    ticks: u64,
    simulation: Simulation,
    behaviors: Vec<Option<Arc<Behavior>>>,
    /// The name of the behavior of each group.
    behavior_names: Vec<Option<String>>,
    expectations: Vec<Expectation>,
    terms: Terms,
    warnings: Vec<Diagnostic>,
}

impl Run {
    /// Reads a scenario and its scripts and creates the world at its first tick.
    ///
    /// # Errors
    ///
    /// All errors in the scenario and its scripts.
    pub fn open(path: &Path, options: &Options) -> Result<Self, Diagnostics> {
        let source = load::read(path)?;
        let mut run = Self::new(&source, &ScriptsFolder::of_scenario(path), options)?;
        if run.name.is_empty() {
            let stem = path.file_stem().unwrap_or_default();
            run.name = stem.to_string_lossy().into_owned();
        }
        Ok(run)
    }

    /// Creates a run from a scenario in memory, with scripts from any library.
    ///
    /// # Errors
    ///
    /// All errors in the scenario and its scripts.
    pub fn new(
        source: &Arc<Source>,
        scripts: &dyn Library,
        options: &Options,
    ) -> Result<Self, Diagnostics> {
        let mut scenario = Scenario::parse(source)?;
        let mut errors = Vec::new();
        for Setting { group, param, value } in &options.settings {
            let set = match group {
                Some(group) => scenario.set_param(group, param, value),
                None => scenario.set_shared_param(param, value),
            };
            if let Err(error) = set {
                errors.push(setting_error(&error, &scenario));
            }
        }
        if let Some(agents) = options.agents
            && let Err(error) = scenario.set_agents(agents)
        {
            errors.push(Diagnostic::error(format!("cannot have {agents} agents: {error}")));
        }
        let behaviors = compile(&scenario.behaviors, scripts, options.interpreter);
        let verdicts = compile_expectations(&mut scenario.expectations, scripts);
        let behaviors = match (behaviors, verdicts) {
            (Ok(behaviors), Ok(())) if errors.is_empty() => behaviors,
            (behaviors, verdicts) => {
                let found = behaviors.err().unwrap_or_default().into_vec();
                errors.extend(names::explain_declared(found, &scenario.setup));
                for error in verdicts.err().into_iter().flatten() {
                    if !errors.contains(&error) {
                        errors.push(error);
                    }
                }
                return Err(errors.into());
            }
        };
        let first_tick = scenario.first_tick();
        let mut setup = scenario.setup;
        setup.seed = options.seed.unwrap_or(setup.seed);
        let names = scenario.behaviors.into_iter();
        let behavior_names = names.map(|behavior| behavior.map(|one| one.name)).collect();
        let brains = behaviors.iter().cloned().map(brain).collect();
        let simulation = Simulation::new(setup, brains)?;
        Ok(Self {
            name: scenario.name,
            first_tick,
            ticks: scenario.ticks,
            simulation,
            behaviors,
            behavior_names,
            expectations: scenario.expectations,
            terms: scenario.golden,
            warnings: scenario.warnings,
        })
    }

    /// Returns the name of the scenario; if it has none, the name of its file, if there is a file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the tick at which the run begins: 0, unless the scenario has a `start`.
    pub fn first_tick(&self) -> u64 {
        self.first_tick
    }

    /// Returns the tick at which the run ends. You can step beyond it.
    pub fn ticks(&self) -> u64 {
        self.ticks
    }

    /// Returns the current tick.
    pub fn tick(&self) -> u64 {
        self.simulation.world().tick
    }

    /// Returns the seconds per tick.
    pub fn dt(&self) -> f32 {
        self.simulation.world().dt
    }

    /// Returns how the run is compared with its golden.
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// Returns warnings: things in the scenario that are surely not meant.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    /// Returns the expectations of the scenario.
    pub fn expectations(&self) -> &[Expectation] {
        &self.expectations
    }

    /// Returns a judge for [`Run::expectations`]. Create it before the first step and call it after each step.
    pub fn judge(&self) -> Judge {
        Judge::new(&self.expectations, &self.simulation)
    }

    /// Returns the simulation: the world, the minds and the reached goals.
    pub fn simulation(&self) -> &Simulation {
        &self.simulation
    }

    /// Returns the simulation to change it: see [`Simulation::place`], [`Simulation::add`], [`Simulation::remove`] and
    /// [`Simulation::act`].
    pub fn simulation_mut(&mut self) -> &mut Simulation {
        &mut self.simulation
    }

    /// Continues from the current tick with an edited scenario or edited scripts. Agents stay where they are: see
    /// [`Simulation::adopt`].
    ///
    /// # Errors
    ///
    /// If `init` fails for an agent. The run is unchanged then.
    pub fn adopt(&mut self, edited: Self) -> Result<(), AgentError> {
        let simulation = self.simulation.adopt(&edited.simulation)?;
        *self = Self { simulation, ..edited };
        Ok(())
    }

    /// Returns the messages of scripts since the last call.
    pub fn take_messages(&mut self) -> Vec<Message> {
        self.simulation.take_messages()
    }

    /// Returns true if any behavior reads `world.cursor`.
    pub fn reads_cursor(&self) -> bool {
        self.behaviors.iter().flatten().any(|behavior| behavior.mentions().reads_cursor())
    }

    /// Returns the number of turns that the interpreter has taken, including those in clones of the simulation.
    pub fn interpreter_turns(&self) -> u64 {
        let mut turns = 0;
        let behaviors: Vec<_> = self.behaviors.iter().flatten().collect();
        for (i, behavior) in behaviors.iter().enumerate() {
            // Several groups may share a behavior.
            let before = &behaviors[..i];
            if !before.iter().any(|known| Arc::ptr_eq(known, behavior)) {
                turns += behavior.interpreted_turns();
            }
        }
        turns
    }

    /// Simulates one tick, on all threads of the current pool: see [`with_threads`](crate::with_threads).
    ///
    /// # Errors
    ///
    /// If a script fails. The world is between two ticks then, and the run cannot continue.
    pub fn step(&mut self) -> Result<(), AgentError> {
        self.simulation.step()
    }
}

/// Returns what decides for a group: its behavior, or [`NoBehavior`] if it has none.
fn brain(behavior: Option<Arc<Behavior>>) -> Arc<dyn Brain> {
    match behavior {
        Some(behavior) => behavior,
        None => Arc::new(NoBehavior),
    }
}

/// Returns the error for a setting that does not apply, with the place where the scenario declares the param.
fn setting_error(error: &SetParamError, scenario: &Scenario) -> Diagnostic {
    let diagnostic = Diagnostic::error(error.to_string());
    let diagnostic = match error.source() {
        Some(why) => diagnostic.help(why.to_string()),
        None => diagnostic,
    };
    match error {
        SetParamError::Unreadable { group, param, .. }
        | SetParamError::WrongKind { group, param, .. } => {
            let diagnostic = diagnostic.code(Code::WrongType).label("declared here");
            match scenario.declaration(group, param) {
                Some(place) => diagnostic.at(&place.source, place.span.clone()),
                None => diagnostic,
            }
        }
        _ => diagnostic.code(Code::UnknownName),
    }
}

/// Compiles the behavior of each group, each behavior once; with `interpreter` only for the interpreter. Groups without a
/// behavior get `None`.
fn compile(
    behaviors: &[Option<BehaviorRef>],
    scripts: &dyn Library,
    interpreter: bool,
) -> Result<Vec<Option<Arc<Behavior>>>, Diagnostics> {
    let mut compiled: BTreeMap<&str, Option<Arc<Behavior>>> = BTreeMap::new();
    let mut brains = Vec::new();
    let mut errors: Vec<Diagnostic> = Vec::new();
    for behavior in behaviors {
        let Some(behavior) = behavior else {
            brains.push(None);
            continue;
        };
        let brain = match compiled.get(behavior.name.as_str()) {
            Some(brain) => brain.clone(),
            None => {
                let brain = match compile_one(behavior, scripts) {
                    Ok(brain) if interpreter => Some(Arc::new(brain.interpreted())),
                    Ok(brain) => Some(Arc::new(brain)),
                    Err(found) => {
                        for error in found {
                            // Two behaviors may import the same broken script.
                            if !errors.contains(&error) {
                                errors.push(error);
                            }
                        }
                        None
                    }
                };
                compiled.insert(&behavior.name, brain.clone());
                brain
            }
        };
        brains.push(brain);
    }
    if errors.is_empty() { Ok(brains) } else { Err(errors.into()) }
}

fn compile_one(behavior: &BehaviorRef, scripts: &dyn Library) -> Result<Behavior, Diagnostics> {
    let BehaviorRef { name, place } = behavior;
    check_script_exists("behavior", name, place, scripts)?;
    Behavior::compile(name, scripts)
}

/// Compiles the scripts of all expectations that name one.
fn compile_expectations(
    expectations: &mut [Expectation],
    scripts: &dyn Library,
) -> Result<(), Diagnostics> {
    let mut errors = Vec::new();
    for expectation in expectations {
        let Some((name, place)) = expectation.script() else {
            continue;
        };
        let compiled = check_script_exists("expectation", name, place, scripts)
            .and_then(|()| CompiledExpectation::compile(name, scripts));
        match compiled {
            Ok(verdict) => expectation.set_script(Arc::new(verdict)),
            Err(found) => {
                for error in found {
                    if !errors.contains(&error) {
                        errors.push(error);
                    }
                }
            }
        }
    }
    if errors.is_empty() { Ok(()) } else { Err(errors.into()) }
}

/// Checks that a script exists. `what` says what uses it, and `place` is where its name is written.
fn check_script_exists(
    what: &str,
    name: &str,
    place: &Place,
    scripts: &dyn Library,
) -> Result<(), Diagnostics> {
    let here = |error: Diagnostic| error.at(&place.source, place.span.clone());
    match scripts.read(name) {
        Err(error) => Err(here(error).into()),
        Ok(None) => {
            let names = scripts.names();
            let mut missing =
                Diagnostic::error(format!("there is no script for the {what} `{name}`"))
                    .label(format!("expected the file {name}.{}", load::SCRIPT_EXTENSION))
                    .suggest(name, names.iter().map(String::as_str));
            missing.help.extend(scripts.location());
            Err(here(missing).into())
        }
        Ok(Some(_)) => Ok(()),
    }
}
