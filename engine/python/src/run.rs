//! A run: a scenario that is being simulated.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use flockwork_engine::scenario::continuation;
use flockwork_engine::sim::{Phase, Simulation};
use flockwork_engine::trace::{MeasureOf, RunMeasures};
use flockwork_engine::world::{AgentId, GroupId};
use flockwork_engine::{
    AgentError, Diagnostic, Judge, Message, Options, Run as EngineRun, Standing, json, state_hash,
};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyMapping, PyTuple};
use pythonize::pythonize;

use crate::behavior::Function;
use crate::cell::Cell;
use crate::project::{Files, Project};
use crate::work::{self, Signals};
use crate::{errors, values};

/// Number of messages of scripts that are kept.
const MAX_MESSAGES: usize = 10_000;

/// A scenario that is being simulated, one tick after another.
///
/// `flockwork.load` and `flockwork.loads` make runs. Arrays have a row for each agent, in the order of ids; lengths are in world units,
/// times in seconds.
#[pyclass(frozen, module = "flockwork._native")]
pub(crate) struct Run {
    pub(crate) state: Cell<RunState>,
}

/// What a run consists of.
pub(crate) struct RunState {
    pub(crate) run: EngineRun,
    project: Arc<Project>,
    options: Options,
    threads: Option<usize>,
    beside: Beside,
    /// Why it cannot go on.
    failure: Option<AgentError>,
    messages: Vec<Message>,
}

/// What a snapshot keeps beside the simulation.
#[derive(Clone)]
struct Beside {
    functions: Vec<Function>,
    /// The first tick at which something was changed from outside.
    changed: Option<u64>,
    /// Whether something was changed since the last tick.
    is_changed_now: bool,
    /// The state after the last change, from which later ticks follow.
    after_change: Option<Simulation>,
    judge: Option<Judge>,
    measures: RunMeasures,
}

/// The state of a run at a tick, to go back to.
#[pyclass(frozen, module = "flockwork._native")]
pub(crate) struct Snapshot {
    simulation: Simulation,
    project: Arc<Project>,
    beside: Beside,
}

/// What a run is made with beside its files.
pub(crate) struct RunOptions {
    options: Options,
    threads: Option<usize>,
    judge: bool,
    record: Vec<String>,
}

impl RunOptions {
    /// Returns those of a run that records and judges nothing.
    pub(crate) fn new(options: Options, threads: Option<usize>) -> Self {
        Self { options, threads, judge: false, record: Vec::new() }
    }
}

impl RunState {
    fn start(files: &Files, of_run: RunOptions) -> Result<Self, flockwork_engine::Diagnostics> {
        let (run, project) = files.start(&of_run.options)?;
        Self::of(run, Arc::new(project), of_run)
    }

    /// Returns what a run consists of.
    pub(crate) fn of(
        mut run: EngineRun,
        project: Arc<Project>,
        of_run: RunOptions,
    ) -> Result<Self, flockwork_engine::Diagnostics> {
        let RunOptions { options, threads, judge, record } = of_run;
        let names = run.measure_names();
        let record = record.iter().map(|name| names.find(name));
        let record = record.collect::<Result<Vec<MeasureOf>, Diagnostic>>()?;
        let measures = RunMeasures::new(run.simulation(), record);
        let judge = judge.then(|| run.judge());
        let messages = run.take_messages();
        Ok(Self {
            run,
            project,
            options,
            threads,
            beside: Beside {
                functions: Vec::new(),
                changed: None,
                is_changed_now: false,
                after_change: None,
                judge,
                measures,
            },
            failure: None,
            messages,
        })
    }

    /// Returns it with what has been measured so far, why it cannot go on, and when it was changed from outside.
    pub(crate) fn with(
        self,
        measures: RunMeasures,
        failure: Option<AgentError>,
        changed: Option<u64>,
    ) -> Self {
        let beside = Beside { measures, changed, ..self.beside };
        Self { beside, failure, ..self }
    }

    /// Returns the first tick at which the run was changed from outside.
    pub(crate) fn changed(&self) -> Option<u64> {
        self.beside.changed
    }

    /// Returns the files.
    pub(crate) fn project(&self) -> &Arc<Project> {
        &self.project
    }

    /// Returns whether functions of Python steer groups.
    pub(crate) fn has_functions(&self) -> bool {
        !self.beside.functions.is_empty()
    }

    /// Returns the options with which the run was started.
    pub(crate) fn options(&self) -> &Options {
        &self.options
    }

    /// Returns whether the run was changed from outside.
    pub(crate) fn is_changed(&self) -> bool {
        self.beside.changed.is_some()
    }

    /// Returns whether its scenario, seed and params alone lead to the present state.
    pub(crate) fn is_untouched(&self) -> bool {
        let is_first = self.run.tick() == self.run.first_tick();
        is_first && !self.is_changed() && self.options.agents.is_none()
    }

    /// Notes that something is changed from outside at this tick.
    pub(crate) fn note_change(&mut self) {
        self.beside.changed.get_or_insert(self.run.tick());
        self.beside.is_changed_now = true;
    }

    /// Returns the group with a name.
    pub(crate) fn group(&self, name: &str) -> PyResult<GroupId> {
        self.run.world().group_named(name).map_err(errors::error)
    }

    /// Returns the measures that need all ticks, or were named for other reasons.
    pub(crate) fn measures(&self) -> &RunMeasures {
        &self.beside.measures
    }

    /// Lets a function steer a group from now on.
    pub(crate) fn set_function(&mut self, function: Function) -> PyResult<()> {
        function.attach(self.run.simulation_mut())?;
        self.beside.functions.retain(|known| known.group != function.group);
        self.beside.functions.push(function);
        self.note_change();
        Ok(())
    }

    /// Gives this run forces of its own, since another one may have the same functions and step at the same time.
    fn take_functions(&mut self) -> PyResult<()> {
        for function in &mut self.beside.functions {
            *function = function.apart();
            function.attach(self.run.simulation_mut())?;
        }
        Ok(())
    }

    /// Simulates one tick.
    pub(crate) fn tick(&mut self) -> PyResult<()> {
        if let Some(failure) = &self.failure {
            return Err(errors::script_error(failure));
        }
        if std::mem::take(&mut self.beside.is_changed_now) {
            self.beside.after_change = Some(self.run.simulation().clone());
        }
        if !self.has_functions() {
            self.run.step().map_err(|error| {
                self.failure = Some(error.clone());
                errors::script_error(&error)
            })?;
        } else {
            // A function may fail at any tick, and leaves the last whole one.
            let before = self.run.simulation().clone();
            if let Err(error) = self.tick_with_functions() {
                *self.run.simulation_mut() = before;
                return Err(error);
            }
        }
        let simulation = self.run.simulation();
        if !self.beside.measures.measures().is_empty() {
            self.beside.measures.add_tick(simulation);
        }
        if let Some(judge) = &mut self.beside.judge {
            judge.tick(simulation);
        }
        let new = self.run.take_messages();
        if !new.is_empty() {
            self.messages.extend(new);
            let too_many = self.messages.len().saturating_sub(MAX_MESSAGES);
            self.messages.drain(..too_many);
        }
        Ok(())
    }

    fn tick_with_functions(&mut self) -> PyResult<()> {
        let functions = &self.beside.functions;
        let mut failed = None;
        let stepped = self.run.simulation_mut().step_with(|phase, world| {
            if phase == Phase::Decide {
                failed = functions.iter().find_map(|function| function.ask(world).err());
            }
        });
        match failed {
            Some(error) => Err(error),
            None => stepped.map_err(|error| errors::script_error(&error)),
        }
    }

    /// Returns this run as it was at an earlier tick.
    pub(crate) fn earlier(&self, tick: u64) -> PyResult<EngineRun> {
        let after = self.beside.after_change.as_ref();
        let mut run = match (after.filter(|after| after.world().tick <= tick), self.changed()) {
            (Some(after), _) => {
                let mut run = self.run.clone();
                *run.simulation_mut() = after.clone();
                run
            }
            (None, Some(changed)) if changed <= tick => {
                return Err(errors::plain(format!(
                    "the run was changed from Python at tick {changed} and later again, so it cannot run again to tick {tick}: take a snapshot before that tick, restore it and explain then"
                )));
            }
            _ => self.project.start(&self.options).map_err(errors::error)?,
        };
        if tick < run.first_tick() {
            let first = run.first_tick();
            return Err(errors::plain(format!("the run begins at tick {first}")));
        }
        let mut signals = Signals::new();
        while run.tick() < tick {
            signals.check()?;
            run.step().map_err(|error| errors::script_error(&error))?;
        }
        Ok(run)
    }

    pub(crate) fn name(&self) -> &str {
        match self.run.name() {
            "" => &self.project.stem,
            name => name,
        }
    }
}

impl Run {
    pub(crate) fn new(state: RunState) -> Self {
        Self { state: Cell::new(state) }
    }
}

/// Reads a scenario and its scripts, and returns a run at its first tick.
///
/// scenario: the path of a scenario (.ron). Its scripts are in the folder `scripts` beside it or above.
/// files: texts by path that are read in place of files on disk, also of files that are not there.
/// params: values of params in place of the scenario's: `{"bird.fear_radius": 80}`, or `{"sight": 30}` for all groups that share it.
/// seed: the seed in place of the scenario's.
/// agents: the number of agents, divided among the groups as in the scenario.
/// record: names of measures that need all ticks, such as `["collisions"]`. Others can be asked for at any time.
/// judge: whether the expectations of the scenario are judged: see `Run.expectations`.
/// interpreter: whether scripts run in the interpreter, more slowly and with the same results.
/// threads: the number of threads, 0 for one for each core; results do not depend on it. By default it depends on the number of agents.
///
/// Raises `flockwork.Error` with all errors in the files.
#[pyfunction]
#[pyo3(signature = (scenario, *, files=None, params=None, seed=None, agents=None, record=Vec::new(), judge=false, interpreter=false, threads=None))]
#[expect(clippy::too_many_arguments, reason = "each has a name in Python")]
pub(crate) fn load(
    py: Python<'_>,
    scenario: PathBuf,
    files: Option<BTreeMap<PathBuf, String>>,
    params: Option<&Bound<'_, PyMapping>>,
    seed: Option<&Bound<'_, PyAny>>,
    agents: Option<&Bound<'_, PyAny>>,
    record: Vec<String>,
    judge: bool,
    interpreter: bool,
    threads: Option<usize>,
) -> PyResult<Run> {
    let options = options(params, seed, agents, interpreter)?;
    let files = Files::at(scenario, files);
    open(py, &files, RunOptions { options, threads, judge, record })
}

/// Reads a scenario from a text, and returns a run at its first tick.
///
/// scenario: the text of a scenario.
/// scripts: the texts of scripts by name: `{"fly": "fn steer(me) { me.wander() }"}`.
/// name: the name of the scenario in messages.
///
/// Everything else is as in `load`.
#[pyfunction]
#[pyo3(signature = (scenario, *, scripts=None, name="scenario.ron", params=None, seed=None, agents=None, record=Vec::new(), judge=false, interpreter=false, threads=None))]
#[expect(clippy::too_many_arguments, reason = "each has a name in Python")]
pub(crate) fn loads(
    py: Python<'_>,
    scenario: &str,
    scripts: Option<BTreeMap<String, String>>,
    name: &str,
    params: Option<&Bound<'_, PyMapping>>,
    seed: Option<&Bound<'_, PyAny>>,
    agents: Option<&Bound<'_, PyAny>>,
    record: Vec<String>,
    judge: bool,
    interpreter: bool,
    threads: Option<usize>,
) -> PyResult<Run> {
    let options = options(params, seed, agents, interpreter)?;
    let files = Files::of_texts(scenario, scripts, name);
    open(py, &files, RunOptions { options, threads, judge, record })
}

fn options(
    params: Option<&Bound<'_, PyMapping>>,
    seed: Option<&Bound<'_, PyAny>>,
    agents: Option<&Bound<'_, PyAny>>,
    interpreter: bool,
) -> PyResult<Options> {
    let mut options = Options::default();
    options.seed = seed.map(|seed| values::natural(seed, "seed")).transpose()?;
    options.agents = agents.map(|agents| values::count(agents, "agents")).transpose()?;
    options.interpreter = interpreter;
    options.settings = values::settings(params)?;
    Ok(options)
}

fn open(py: Python<'_>, files: &Files, of_run: RunOptions) -> PyResult<Run> {
    work::check_threads(of_run.threads.unwrap_or_default())?;
    let state = work::reading(py, || RunState::start(files, of_run));
    Ok(Run::new(state.map_err(errors::error)?))
}

/// What the run is, and its time.
#[pymethods]
impl Run {
    /// The name of the scenario.
    #[getter]
    fn name(&self) -> PyResult<String> {
        Ok(self.state.get()?.name().to_owned())
    }

    /// The present tick: the number of ticks that have passed.
    #[getter]
    fn tick(&self) -> PyResult<u64> {
        Ok(self.state.get()?.run.tick())
    }

    /// The tick at which the run began.
    #[getter]
    fn first_tick(&self) -> PyResult<u64> {
        Ok(self.state.get()?.run.first_tick())
    }

    /// The tick at which the scenario ends. The run can step beyond it.
    #[getter]
    fn ticks(&self) -> PyResult<u64> {
        Ok(self.state.get()?.run.ticks())
    }

    /// The seconds that a tick takes.
    #[getter]
    fn dt(&self) -> PyResult<f64> {
        Ok(values::number(self.state.get()?.run.dt()))
    }

    /// The seed.
    #[getter]
    fn seed(&self) -> PyResult<u64> {
        Ok(self.state.get()?.run.world().seed)
    }

    /// The hash of the state, as the program prints it: 16 digits. Two runs with the same hash are in the same state, to the bit.
    #[getter]
    fn hash(&self) -> PyResult<String> {
        let state = self.state.get()?;
        let simulation = state.run.simulation();
        Ok(format!("{:016x}", state_hash(simulation.world(), simulation.minds())))
    }

    /// The warnings of the scenario: a list of findings, as of `check`.
    #[getter]
    fn warnings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        errors::findings(py, self.state.get()?.run.warnings())
    }

    /// The messages that scripts have written with `debug`, the last 10,000 of them: a list of dicts with `tick`, `agent`, `group`,
    /// `place` and `text`.
    #[getter]
    fn messages<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for Message { tick, agent, group, place, text, .. } in &self.state.get()?.messages {
            let one = PyDict::new(py);
            one.set_item("tick", tick)?;
            one.set_item("agent", agent.0)?;
            one.set_item("group", &**group)?;
            one.set_item("place", place.to_string())?;
            one.set_item("text", &**text)?;
            list.append(one)?;
        }
        Ok(list)
    }

    /// The files of the run: a dict from paths to texts, with the scenario and all scripts that it reads.
    #[getter]
    fn files(&self) -> PyResult<BTreeMap<String, String>> {
        let state = self.state.get()?;
        let Project { stem, scenario, scripts, .. } = &*state.project;
        let scripts = scripts
            .iter()
            .map(|(name, source)| (format!("scripts/{name}.rhai"), source.text.clone()));
        let scenario = (format!("scenarios/{stem}.ron"), scenario.text.clone());
        Ok(scripts.chain([scenario]).collect())
    }

    /// Simulates ticks. Other threads of Python run meanwhile, and ctrl-c ends it after a whole tick.
    ///
    /// Raises `flockwork.ScriptError` if a script fails. The run cannot go on then, but `restore` leads back.
    #[pyo3(signature = (ticks=1))]
    fn step(&self, py: Python<'_>, ticks: i64) -> PyResult<()> {
        let ticks = u64::try_from(ticks);
        let ticks = ticks.map_err(|_| errors::value_error("`ticks` must not be negative"))?;
        self.advance(py, ticks)
    }

    /// Simulates all ticks up to the end of the scenario.
    fn run(&self, py: Python<'_>) -> PyResult<()> {
        let left = {
            let state = self.state.get()?;
            state.run.ticks().saturating_sub(state.run.tick())
        };
        self.advance(py, left)
    }

    fn __repr__(&self) -> PyResult<String> {
        let state = self.state.get()?;
        let (tick, ticks) = (state.run.tick(), state.run.ticks());
        let agents = state.run.world().agents.len();
        Ok(format!(
            "<flockwork.Run \"{}\" at tick {tick} of {ticks}, {agents} agents>",
            state.name()
        ))
    }
}

impl Run {
    /// Simulates ticks.
    fn advance(&self, py: Python<'_>, ticks: u64) -> PyResult<()> {
        let mut state = self.state.get()?;
        let state = &mut *state;
        let (threads, agents) = (state.threads, state.run.world().agents.len());
        let mut left = ticks;
        if left == 0 {
            return Ok(());
        }
        work::ticking(py, threads, agents, || {
            state.tick()?;
            left -= 1;
            Ok(left > 0)
        })
    }
}

/// Going back, copies, and reasons.
#[pymethods]
impl Run {
    /// Returns the present state, to go back to. It takes no memory until the run goes on.
    fn snapshot(&self) -> PyResult<Snapshot> {
        let state = self.state.get()?;
        Ok(Snapshot {
            simulation: state.run.simulation().clone(),
            project: Arc::clone(&state.project),
            beside: state.beside.clone(),
        })
    }

    /// Goes back to a snapshot of this run, or of a copy of it.
    fn restore(&self, snapshot: &Snapshot) -> PyResult<()> {
        let mut state = self.state.get()?;
        if !Arc::ptr_eq(&state.project, &snapshot.project) {
            return Err(errors::value_error("this is a snapshot of another run"));
        }
        *state.run.simulation_mut() = snapshot.simulation.clone();
        state.beside = snapshot.beside.clone();
        state.failure = None;
        state.take_functions()
    }

    /// Returns a run that goes on from the same state by itself.
    pub(crate) fn copy(&self) -> PyResult<Self> {
        let state = self.state.get()?;
        let mut copy = RunState {
            run: state.run.clone(),
            project: Arc::clone(&state.project),
            options: state.options.clone(),
            threads: state.threads,
            beside: state.beside.clone(),
            failure: state.failure.clone(),
            messages: state.messages.clone(),
        };
        copy.take_functions()?;
        Ok(Self::new(copy))
    }

    fn __copy__(&self) -> PyResult<Self> {
        self.copy()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.copy()
    }

    /// Returns the text of a scenario that begins in the present state and goes on exactly as this run.
    ///
    /// ticks: the tick at which it ends; by default that of this run, but at least one more tick.
    #[pyo3(signature = (ticks=None))]
    pub(crate) fn continuation(&self, ticks: Option<u64>) -> PyResult<String> {
        let state = self.state.get()?;
        let (simulation, tick) = (state.run.simulation(), state.run.tick());
        if state.has_functions() {
            return Err(errors::plain(
                "a function of Python steers a group, so the state cannot be written as a scenario",
            ));
        }
        let input: Vec<_> =
            simulation.pending().iter().map(|action| (tick, action.clone())).collect();
        let ticks = ticks.unwrap_or(state.run.ticks()).max(tick + 1);
        continuation(&state.project.scenario, simulation, &input, ticks, state.name())
            .map_err(errors::error)
    }

    /// How a run is pickled: as a scenario that goes on from its state, with its scripts.
    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let scenario = self.continuation(None)?;
        let state = self.state.get()?;
        let scripts = PyDict::new(py);
        for (name, source) in &state.project.scripts {
            scripts.set_item(name, &source.text)?;
        }
        let name = format!("{}.ron", state.project.stem);
        let loads = py.import("flockwork._pickle")?.getattr("unpickle")?;
        let rest = (name, state.beside.judge.is_some(), state.options.interpreter, state.threads);
        let all = (scenario, scripts, rest.0, rest.1, rest.2, rest.3);
        Ok((loads, all.into_pyobject(py)?))
    }

    /// Explains what an agent will do in a tick, and why.
    ///
    /// agent: the id of the agent.
    /// tick: the tick before the decision; by default the present one. For an earlier one, the run is simulated again from its beginning.
    ///
    /// Returns a dict with the same fields as `flockwork explain --json` prints, and the `text` that it prints without it; `None` if there is
    /// no such agent by then.
    #[pyo3(signature = (agent, tick=None))]
    fn explain<'py>(
        &self,
        py: Python<'py>,
        agent: &Bound<'py, PyAny>,
        tick: Option<u64>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let id = values::agent(agent)?;
        let state = self.state.get()?;
        let state = &*state;
        let found = work::reading(py, || next_turn(state, id, tick))?;
        let Some((explanation, text)) = found else { return Ok(None) };
        let dict = pythonize(py, &explanation)?;
        dict.set_item("text", text)?;
        Ok(Some(dict))
    }

    /// Finds errors and warnings in the files of the run as they are now: a list of findings, as of `flockwork.check`.
    fn check<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let project = Arc::clone(&self.state.get()?.project);
        let found = work::reading(py, || project.check());
        errors::findings(py, &found)
    }

    /// The expectations of the scenario: a list of dicts with `text`, `state`, and of one that has failed `tick`, `agent` and `why`. The
    /// state is `not judged` unless the run was loaded with `judge=True`.
    #[getter]
    fn expectations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let state = self.state.get()?;
        let judged = state.beside.judge.as_ref().map(Judge::states).unwrap_or_default();
        let mut judged = judged.into_iter();
        let list = PyList::empty(py);
        for expectation in state.run.expectations() {
            let of = judged.next();
            let failure = of.as_ref().and_then(|of| of.failure.as_ref());
            let one = PyDict::new(py);
            one.set_item("text", expectation.to_string())?;
            one.set_item("state", standing(of.as_ref().map(|of| of.standing)))?;
            one.set_item("tick", failure.map(|failure| failure.tick))?;
            one.set_item("agent", failure.and_then(|failure| failure.agent).map(|id| id.0))?;
            one.set_item("why", failure.map(|failure| failure.message.to_string()))?;
            list.append(one)?;
        }
        Ok(list)
    }
}

fn next_turn(
    state: &RunState,
    id: AgentId,
    tick: Option<u64>,
) -> PyResult<Option<(serde_json::Value, String)>> {
    let now = state.run.tick();
    let tick = tick.unwrap_or(now);
    if tick > now {
        return Err(errors::plain(format!(
            "tick {tick} has not come yet: the run is at tick {now}"
        )));
    }
    let earlier = (tick < now).then(|| state.earlier(tick)).transpose()?;
    let simulation = earlier.as_ref().unwrap_or(&state.run).simulation();
    let turn = simulation.next_turn(id).map_err(|error| errors::script_error(&error))?;
    Ok(turn.map(|turn| {
        // Written and read, since a text has numbers with as few digits as tell them apart.
        let explanation = serde_json::to_string(&json::explanation(state.name(), &turn));
        let read = explanation.and_then(|text| serde_json::from_str(&text));
        (read.unwrap_or_default(), turn.to_string())
    }))
}

fn standing(of: Option<Standing>) -> &'static str {
    match of {
        None => "not judged",
        Some(Standing::NotYet) => "not yet",
        Some(Standing::Passing) => "holds",
        Some(Standing::NearlyFailed) => "nearly failed",
        Some(Standing::Failed) => "failed",
    }
}

#[pymethods]
impl Snapshot {
    /// The tick of the state.
    #[getter]
    fn tick(&self) -> u64 {
        self.simulation.world().tick
    }

    fn __repr__(&self) -> String {
        format!("<flockwork.Snapshot of tick {}>", self.tick())
    }
}
