//! The public entry of the library: opens a scenario file as a [`Run`].
//!
//! Reads the scenario, compiles its behaviors and starts the simulation. It prints nothing, and never changes how agents
//! move.

mod batch;
mod behaviors;
mod changes;
mod check;
mod fields;
mod first_turn;
mod mentioned;
mod names;
#[cfg(test)]
mod optimized;
mod remains;
mod script_exists;
mod setting;
mod start;
mod types;
mod undeclared;
mod unreachable;
mod unused;
mod unused_functions;
mod way_costs;

use std::fmt::Display;
use std::path::Path;
use std::rc::Rc;
use std::slice;
use std::sync::Arc;

pub use batch::Batch;
pub use changes::{ChangeEffect, ScenarioChange, scenario_changes};
pub use check::{Checked, check, check_open};
pub use fields::sample_fields;
pub(crate) use script_exists::new_behavior;
pub use setting::{InvalidSetting, Setting};
pub use start::Starter;
pub use types::types;

use crate::diag::{Diagnostic, Diagnostics, Source};
use crate::expect::{Expectation, Judge};
use crate::golden::Terms;
use crate::script::{Behavior, Library, Mentions};
use crate::sim::{Action, AgentError, Event, Message, Simulation};
use crate::trace::{MeasureNames, OwnMeasure};
use crate::world::{GroupId, Noise, World};

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
    /// Number of agents at the start, divided among the groups in proportion: see [`Scenario::set_agents`](crate::scenario::Scenario::set_agents).
    pub agents: Option<u32>,
    /// A file of inputs, which happen after the scenario's own events: see [`Scenario::played_events`](crate::scenario::Scenario::played_events).
    pub inputs: Option<Arc<Source>>,
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

    /// Sets a param of a group. The value is written as in a scenario.
    #[must_use]
    pub fn param(mut self, group: &str, param: &str, value: impl Display) -> Self {
        let (group, value) = (Some(group.into()), value.to_string());
        self.settings.push(Setting { group, param: param.into(), value });
        self
    }

    /// Sets whether all scripts run in the interpreter.
    #[must_use]
    pub fn interpreter(mut self, interpreter: bool) -> Self {
        self.interpreter = interpreter;
        self
    }

    /// Sets a file of inputs.
    #[must_use]
    pub fn inputs(mut self, inputs: Arc<Source>) -> Self {
        self.inputs = Some(inputs);
        self
    }

    /// Sets the number of agents at the start.
    #[must_use]
    pub fn agents(mut self, agents: u32) -> Self {
        self.agents = Some(agents);
        self
    }
}

/// A scenario that is being simulated. A clone continues from the same state; the two share what has not changed since.
#[derive(Clone)]
pub struct Run {
    name: String,
    first_tick: u64,
    ticks: u64,
    simulation: Simulation,
    behaviors: Vec<Option<Arc<Behavior>>>,
    /// The name of the behavior of each group.
    behavior_names: Vec<Option<String>>,
    expectations: Vec<Expectation>,
    measures: Vec<OwnMeasure>,
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
        Starter::open(path, slice::from_ref(options))?.start(options)
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
        Starter::new(source, scripts, slice::from_ref(options))?.start(options)
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
        self.world().tick
    }

    /// Returns the seconds per tick.
    pub fn dt(&self) -> f32 {
        self.world().dt
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
        Judge::new(&self.expectations, &self.simulation, false)
    }

    /// Returns a judge that also computes margins: how far each expectation is from failing. See [`Judge::margins`].
    pub fn judge_with_margins(&self) -> Judge {
        Judge::new(&self.expectations, &self.simulation, true)
    }

    /// Returns the names of the measures of this run.
    pub fn measure_names(&self) -> MeasureNames {
        MeasureNames::from_world(self.world()).with_own(&self.measures)
    }

    /// Returns the world at the current tick.
    pub fn world(&self) -> &World {
        self.simulation.world()
    }

    /// Returns the simulation: the world, the minds and the reached goals.
    pub fn simulation(&self) -> &Simulation {
        &self.simulation
    }

    /// Returns the simulation to change it: see [`Simulation::move_agent`], [`Simulation::add`], [`Simulation::remove`] and
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

    /// Returns what the script of each group mentions; nothing for a group without one.
    pub(crate) fn mentions(&self) -> Vec<Rc<Mentions>> {
        mentioned::mentions(&self.behaviors)
    }

    /// Returns the name of the behavior of a group, if it has one.
    pub fn behavior_name(&self, group: GroupId) -> Option<&str> {
        self.behavior_names[usize::from(group.0)].as_deref()
    }

    /// Returns true if any behavior reads `world.cursor`.
    pub fn reads_cursor(&self) -> bool {
        self.behaviors.iter().flatten().any(|behavior| behavior.mentions().reads_cursor())
    }

    /// Returns whether agents of a group may have random numbers: their places, drawn numbers, the noise of their bodies, or what their
    /// script asks for.
    /// These numbers depend on the name of the group.
    pub fn may_be_random(&self, group: GroupId) -> bool {
        let index = usize::from(group.0);
        let spawn = &self.simulation.spawns()[index];
        let spawns =
            |event: &Event| matches!(event.action, Action::Spawn { group: of, .. } if of == group);
        let is_spawned =
            self.first_tick == 0 && spawn.count > 0 || self.simulation.events().iter().any(spawns);
        let of = self.simulation.world().group(group);
        let mut bodies = of.all_bodies().iter();
        (is_spawned && spawn.shape.is_random())
            || of.draws_numbers()
            || bodies.any(|body| body.noise != Noise::default())
            || self.behaviors[index].as_ref().is_some_and(|one| one.mentions().may_be_random())
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
