//! Many worlds of one scenario, which advance together.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use flockwork_engine::runner::Starter;
use flockwork_engine::scenario::Scenario;
use flockwork_engine::script::Behavior;
use flockwork_engine::sim::{Simulation, step_together};
use flockwork_engine::suite::RecordingLibrary;
use flockwork_engine::threads::{self, current_threads};
use flockwork_engine::trace::{MeasureOf, RunMeasures};
use flockwork_engine::{
    AgentError, Diagnostic, Diagnostics, Options, Run as EngineRun, state_hash,
};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyMapping};

use crate::batch_arrays::{Column, array3, numbers_of, writer};
use crate::cell::Cell;
use crate::project::{Files, Project};
use crate::run::{Run, RunOptions, RunState};
use crate::steer::{self, Episode, Steered, Steering};
use crate::{errors, values, work};

/// To start a world takes about as long as a tick of so many agents.
const AGENTS_OF_START: usize = 50;

/// What a batch holds: worlds of one scenario. `flockwork.Batch` shows it to users.
#[pyclass(frozen, module = "flockwork._native")]
pub(crate) struct Worlds {
    pub(crate) state: Cell<WorldsState>,
}

pub(crate) struct WorldsState {
    files: Files,
    starter: Starter,
    project: Arc<Project>,
    record: Vec<String>,
    threads: Option<usize>,
    pub(crate) steering: Option<Steering>,
    worlds: Vec<OneWorld>,
}

/// One of the worlds.
pub(crate) struct OneWorld {
    pub(crate) run: EngineRun,
    options: Options,
    measures: RunMeasures,
    pub(crate) error: Option<AgentError>,
    /// What steers its agents from outside, in an environment for learning.
    pub(crate) steered: Option<Arc<Steered>>,
    pub(crate) episode: Episode,
    /// The first tick at which it was changed from outside.
    changed: Option<u64>,
}

/// The states of all worlds, to go back to.
#[pyclass(frozen, module = "flockwork._native")]
pub(crate) struct WorldsSnapshot {
    project: Arc<Project>,
    worlds: Vec<SavedWorld>,
}

#[derive(Clone)]
struct SavedWorld {
    simulation: Simulation,
    measures: RunMeasures,
    error: Option<AgentError>,
    steered: Option<Arc<Steered>>,
    episode: Episode,
    changed: Option<u64>,
}

impl OneWorld {
    fn start(
        starter: &Starter,
        options: Options,
        record: &[String],
        steering: Option<&Steering>,
    ) -> Result<Self, Diagnostics> {
        let mut steered = None;
        let run = starter.start_with(&options, |group, brain| match steering {
            Some(steering) if steering.group == group => {
                let new = Arc::new(steering.brain(brain));
                steered = Some(Arc::clone(&new));
                new
            }
            _ => brain,
        })?;
        let mut episode = Episode::default();
        if let Some(steering) = steering {
            episode.begin(run.simulation(), steering.group);
        }
        let names = run.measure_names();
        let record = record.iter().map(|name| names.find(name));
        let record = record.collect::<Result<Vec<MeasureOf>, Diagnostic>>()?;
        let measures = RunMeasures::new(run.simulation(), record);
        // What steers it from outside is not in the files.
        let changed = steered.is_some().then(|| run.first_tick());
        Ok(Self { run, options, measures, error: None, steered, episode, changed })
    }

    /// Returns the index of a measure among those that are recorded.
    pub(crate) fn recorded(&self, name: &str) -> Option<usize> {
        self.measures.measures().iter().position(|one| one.name() == name)
    }

    /// Returns the present values of measures, with 0 for those that have none.
    pub(crate) fn values(&self, measures: &[MeasureOf]) -> Result<Vec<f32>, Diagnostic> {
        let simulation = self.run.simulation();
        let recorded = match self.measures.measures() {
            [] => Vec::new(),
            _ => self.measures.take(simulation)?,
        };
        let others = measures.iter().filter(|one| self.recorded(one.name()).is_none());
        let others = RunMeasures::new(simulation, others.cloned().collect()).take(simulation)?;
        let mut others = others.into_iter();
        let value = |one: &MeasureOf| match self.recorded(one.name()) {
            Some(index) => recorded[index],
            None => others.next().flatten(),
        };
        Ok(measures.iter().map(value).map(|value| value.map_or(0.0, f32::from)).collect())
    }

    /// Counts the tick that was just simulated.
    fn end_tick(&mut self) {
        drop(self.run.take_messages());
        let simulation = self.run.simulation();
        if !self.measures.measures().is_empty() {
            self.measures.add_tick(simulation);
        }
        self.episode.end_tick(simulation);
    }

    /// Returns the present value of a measure; `None` also if the world has failed.
    fn measure(&self, name: &str) -> Result<Option<f64>, Diagnostics> {
        if self.error.is_some() {
            return Ok(None);
        }
        let simulation = self.run.simulation();
        let value = match self.recorded(name) {
            Some(index) => self.measures.take(simulation)?[index],
            None => {
                let measure = self.run.measure_names().find(name)?;
                if measure.needs_totals() {
                    let what = Diagnostic::error(format!("`{name}` needs all ticks of the run"));
                    let help = format!("name it when you make the batch: `record=[\"{name}\"]`");
                    return Err(what.help(help).into());
                }
                RunMeasures::new(simulation, vec![measure]).take(simulation)?[0]
            }
        };
        Ok(value.map(|value| values::number(value.into())))
    }
}

impl WorldsState {
    /// Returns the worlds.
    pub(crate) fn worlds(&self) -> &[OneWorld] {
        &self.worlds
    }

    /// Returns the worlds, mutable.
    pub(crate) fn worlds_mut(&mut self) -> &mut [OneWorld] {
        &mut self.worlds
    }

    /// Compiles a script: one of the scenario's folder by its name, or a text.
    pub(crate) fn script(&self, script: &str) -> Result<Arc<Behavior>, Diagnostics> {
        let (_, _, scripts) = self.files.read()?;
        steer::compile(script, &*scripts)
    }

    /// Returns the number of agents of all worlds.
    fn agents(&self) -> usize {
        self.worlds.iter().map(|one| one.run.world().agents.len()).sum()
    }

    /// Does work on the threads that are worth it.
    pub(crate) fn on_threads<T: Send>(
        &mut self,
        py: Python<'_>,
        work: impl FnOnce(&mut Self) -> T + Send,
    ) -> PyResult<T> {
        let (threads, agents) = (self.threads, self.agents());
        work::working(py, threads, agents, || work(self))
    }

    /// Simulates ticks of some worlds, or of all. Worlds that have failed stay as they are.
    pub(crate) fn step(
        &mut self,
        py: Python<'_>,
        ticks: u64,
        chosen: Option<&[bool]>,
    ) -> PyResult<()> {
        let mut left = ticks;
        if left == 0 {
            return Ok(());
        }
        let (threads, agents) = (self.threads, self.agents());
        work::ticking(py, threads, agents, || {
            self.tick(chosen);
            left -= 1;
            Ok(left > 0)
        })
    }

    fn tick(&mut self, chosen: Option<&[bool]>) {
        let is_chosen = |number: usize| chosen.is_none_or(|chosen| chosen[number]);
        let running = self.worlds.iter_mut().enumerate();
        let mut running: Vec<&mut OneWorld> = running
            .filter(|(number, one)| is_chosen(*number) && one.error.is_none())
            .map(|(_, one)| one)
            .collect();
        let mut simulations: Vec<&mut Simulation> =
            running.iter_mut().map(|one| one.run.simulation_mut()).collect();
        let results = step_together(&mut simulations);
        for (one, result) in running.iter_mut().zip(results) {
            one.error = result.err();
        }
        let each_thread = running.len().div_ceil(current_threads()).max(1);
        threads::map(running.chunks_mut(each_thread).collect(), |part: &mut [&mut OneWorld]| {
            for one in part.iter_mut().filter(|one| one.error.is_none()) {
                one.end_tick();
            }
        });
    }

    /// Starts some worlds again, each with a seed.
    pub(crate) fn restart(
        &mut self,
        py: Python<'_>,
        numbers: &[usize],
        seeds: &[u64],
    ) -> PyResult<()> {
        let all: Vec<(usize, Options)> = numbers
            .iter()
            .zip(seeds)
            .map(|(&number, &seed)| (number, self.worlds[number].options.clone().seed(seed)))
            .collect();
        let Self { starter, record, steering, threads, .. } = self;
        // To start a world takes as long as ticks of many agents.
        let work = all.len() * AGENTS_OF_START;
        let started = work::working(py, *threads, work, || {
            start_all(starter, all, record, steering.as_ref())
        })?;
        for (number, one) in started.map_err(errors::error)? {
            self.worlds[number] = one;
        }
        Ok(())
    }

    /// Returns the number of agents of each world, if it is the same.
    fn common_len(&self) -> PyResult<usize> {
        let counts = || self.worlds.iter().map(|one| one.run.world().agents.len());
        let (least, most) = (counts().min().unwrap_or(0), counts().max().unwrap_or(0));
        if least == most {
            return Ok(least);
        }
        Err(errors::plain(format!(
            "the worlds have different numbers of agents, from {least} to {most}, so they make no common array: read them one by one, as `batch[0].positions`"
        )))
    }
}

/// Starts worlds, some on each thread.
fn start_all<N: Send + Copy>(
    starter: &Starter,
    all: Vec<(N, Options)>,
    record: &[String],
    steering: Option<&Steering>,
) -> Result<Vec<(N, OneWorld)>, Diagnostics> {
    let start =
        |(number, options)| Ok((number, OneWorld::start(starter, options, record, steering)?));
    threads::map(all, start).into_iter().collect()
}

/// What a batch is made with beside its files.
struct BatchOptions {
    runs: Vec<Options>,
    /// Which of their seeds count from that of the scenario.
    is_from_own_seed: Vec<bool>,
    record: Vec<String>,
    threads: Option<usize>,
    /// The group that is steered from outside, and the scripts among which its agents choose.
    steer: Option<(String, Vec<String>)>,
}

fn start(files: Files, batch: BatchOptions) -> Result<WorldsState, Diagnostics> {
    let BatchOptions { mut runs, is_from_own_seed, record, threads, steer } = batch;
    let (scenario, stem, scripts) = files.read()?;
    if is_from_own_seed.contains(&true) {
        let own = Scenario::parse(&scenario)?.setup.seed;
        for (options, _) in runs.iter_mut().zip(&is_from_own_seed).filter(|(_, is)| **is) {
            options.seed = options.seed.map(|seed| own.wrapping_add(seed));
        }
    }
    let recording = RecordingLibrary::new(&*scripts);
    let starter = Starter::new(&scenario, &recording, &runs)?;
    let steering = match steer {
        None => None,
        Some((group, choices)) => {
            let first = starter.start(&runs[0])?;
            Some(Steering::new(first.world(), &group, &choices, &recording)?)
        }
    };
    let scripts = recording.scripts();
    let project = Arc::new(Project { stem, scenario, scripts, files: files.clone() });
    let numbered = runs.into_iter().map(|options| ((), options)).collect();
    let worlds = start_all(&starter, numbered, &record, steering.as_ref())?;
    let worlds = worlds.into_iter().map(|(_, one)| one).collect();
    drop(recording);
    Ok(WorldsState { files, starter, project, record, threads, steering, worlds })
}

/// Makes the worlds of a batch. Each of the `runs` is a seed, whether it counts from the scenario's, and params. `files` are those of `load`
/// if `path` is given, else scripts by name.
#[pyfunction]
#[pyo3(signature = (*, path, text, name, files, runs, agents, record, threads, steer=None))]
#[expect(clippy::too_many_arguments, reason = "each has a name in Python")]
pub(crate) fn worlds(
    py: Python<'_>,
    path: Option<PathBuf>,
    text: &str,
    name: &str,
    files: Option<BTreeMap<String, String>>,
    runs: Vec<(Option<u64>, bool, Bound<'_, PyMapping>)>,
    agents: Option<u32>,
    record: Vec<String>,
    threads: Option<usize>,
    steer: Option<(String, Vec<String>)>,
) -> PyResult<Worlds> {
    let mut all = Vec::with_capacity(runs.len());
    let mut is_from_own_seed = Vec::with_capacity(runs.len());
    for (seed, is_from_own, params) in &runs {
        let mut options = Options::default();
        options.seed = *seed;
        is_from_own_seed.push(*is_from_own);
        options.agents = agents;
        options.settings = values::settings(Some(params))?;
        all.push(options);
    }
    if all.is_empty() {
        return Err(errors::value_error("a batch has at least one world"));
    }
    let files = match path {
        Some(path) => {
            let open = files.map(|files| {
                files.into_iter().map(|(path, text)| (PathBuf::from(path), text)).collect()
            });
            Files::at(path, open)
        }
        None => Files::of_texts(text, files, name),
    };
    let batch = BatchOptions { runs: all, is_from_own_seed, record, threads, steer };
    // Scripts prepare agents, so it takes the stack and the threads of ticks.
    let state = work::working(py, Some(threads.unwrap_or(0)), 0, || start(files, batch))?;
    Ok(Worlds { state: Cell::new(state.map_err(errors::error)?) })
}

#[pymethods]
impl Worlds {
    fn __len__(&self) -> PyResult<usize> {
        Ok(self.state.get()?.worlds.len())
    }

    /// The name of the scenario.
    #[getter]
    fn name(&self) -> PyResult<String> {
        let state = self.state.get()?;
        let name = state.worlds[0].run.name();
        Ok(if name.is_empty() { state.project.stem.clone() } else { name.to_owned() })
    }

    /// The present tick of each world: an array of shape (worlds,), of uint64.
    #[getter]
    fn ticks_passed<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let state = self.state.get()?;
        Ok(PyArray1::from_iter(py, state.worlds.iter().map(|one| one.run.tick())))
    }

    /// The tick at which the scenario ends.
    #[getter]
    fn ticks(&self) -> PyResult<u64> {
        Ok(self.state.get()?.worlds[0].run.ticks())
    }

    /// The seconds that a tick takes.
    #[getter]
    fn dt(&self) -> PyResult<f64> {
        Ok(values::number(self.state.get()?.worlds[0].run.dt()))
    }

    /// The seed of each world: an array of shape (worlds,), of uint64.
    #[getter]
    fn seeds<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let state = self.state.get()?;
        Ok(PyArray1::from_iter(py, state.worlds.iter().map(|one| one.run.world().seed)))
    }

    /// The number of agents of each world: an array of shape (worlds,), of uint32.
    #[getter]
    fn agents<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u32>>> {
        let state = self.state.get()?;
        let counts = state.worlds.iter().map(|one| one.run.world().agents.len() as u32);
        Ok(PyArray1::from_iter(py, counts))
    }

    /// The hash of each world; an empty string for one that has failed.
    #[getter]
    fn hashes(&self) -> PyResult<Vec<String>> {
        let state = self.state.get()?;
        let hash = |one: &OneWorld| match one.error {
            Some(_) => String::new(),
            None => {
                let simulation = one.run.simulation();
                format!("{:016x}", state_hash(simulation.world(), simulation.minds()))
            }
        };
        Ok(state.worlds.iter().map(hash).collect())
    }

    /// The error of each world whose script has failed, or None: a list.
    #[getter]
    fn errors<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let state = self.state.get()?;
        let list = PyList::empty(py);
        for one in &state.worlds {
            match &one.error {
                None => list.append(py.None())?,
                Some(error) => list.append(errors::script_error(error).into_value(py))?,
            }
        }
        Ok(list)
    }

    /// Simulates ticks of all worlds, or of those that are chosen by an array of bool.
    #[pyo3(signature = (ticks=1, chosen=None))]
    fn step(&self, py: Python<'_>, ticks: u64, chosen: Option<Vec<bool>>) -> PyResult<()> {
        let mut state = self.state.get()?;
        if chosen.as_ref().is_some_and(|chosen| chosen.len() != state.worlds.len()) {
            return Err(errors::value_error("`worlds` must have an element for each world"));
        }
        state.step(py, ticks, chosen.as_deref())
    }

    /// Starts worlds again from their first tick, each with a seed.
    fn restart(&self, py: Python<'_>, numbers: Vec<usize>, seeds: Vec<u64>) -> PyResult<()> {
        let mut state = self.state.get()?;
        if seeds.len() != numbers.len() {
            return Err(errors::value_error("there must be a seed for each world"));
        }
        state.numbers(&numbers)?;
        state.restart(py, &numbers, &seeds)
    }

    /// Returns the states of all worlds.
    fn snapshot(&self) -> PyResult<WorldsSnapshot> {
        let state = self.state.get()?;
        let save = |one: &OneWorld| SavedWorld {
            simulation: one.run.simulation().clone(),
            measures: one.measures.clone(),
            error: one.error.clone(),
            steered: one.steered.clone(),
            episode: one.episode.clone(),
            changed: one.changed,
        };
        let worlds = state.worlds.iter().map(save).collect();
        Ok(WorldsSnapshot { project: Arc::clone(&state.project), worlds })
    }

    /// Goes back to a snapshot, in all worlds or in some.
    #[pyo3(signature = (snapshot, numbers=None))]
    fn restore(&self, snapshot: &WorldsSnapshot, numbers: Option<Vec<usize>>) -> PyResult<()> {
        let mut state = self.state.get()?;
        if !Arc::ptr_eq(&state.project, &snapshot.project) {
            return Err(errors::value_error("this is a snapshot of another batch"));
        }
        let numbers = numbers.unwrap_or_else(|| (0..state.worlds.len()).collect());
        state.numbers(&numbers)?;
        for number in numbers {
            let SavedWorld { simulation, measures, error, steered, episode, changed } =
                snapshot.worlds[number].clone();
            let one = &mut state.worlds[number];
            *one.run.simulation_mut() = simulation;
            one.measures = measures;
            one.error = error;
            one.steered = steered;
            one.episode = episode;
            one.changed = changed;
        }
        Ok(())
    }

    /// Returns a run that goes on from the state of one world by itself.
    fn world(&self, number: usize) -> PyResult<Run> {
        let state = self.state.get()?;
        state.numbers(&[number])?;
        let one = &state.worlds[number];
        let of_run = RunOptions::new(one.options.clone(), state.threads);
        let run = RunState::of(one.run.clone(), Arc::clone(&state.project), of_run);
        let run = run.map_err(errors::error)?;
        Ok(Run::new(run.with(one.measures.clone(), one.error.clone(), one.changed)))
    }

    /// Puts the state of a run into one world.
    fn set_world(&self, number: usize, run: &Run) -> PyResult<()> {
        let from = run.state.get()?;
        let mut state = self.state.get()?;
        state.numbers(&[number])?;
        if state.steering.is_some() {
            return Err(errors::plain(STEERED));
        }
        if !Arc::ptr_eq(&state.project, from.project()) {
            return Err(errors::value_error(
                "this is not a run of this batch: take one with `batch[number]`",
            ));
        }
        if from.has_functions() {
            return Err(errors::plain(
                "a function of Python steers a group of the run, and worlds of a batch advance together without Python",
            ));
        }
        let one = &mut state.worlds[number];
        *one.run.simulation_mut() = from.run.simulation().clone();
        one.measures = from.measures().clone();
        one.changed = from.changed();
        one.error = None;
        Ok(())
    }

    /// Returns a column of all worlds, of shape (worlds, agents, 2), in a new array or in `out`.
    #[pyo3(signature = (name, out=None))]
    fn column<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        out: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let state = self.state.get()?;
        let column = Column::named(name)?;
        let agents = state.common_len()?;
        let array = array3(py, [state.worlds.len(), agents, 2], out)?;
        let mut writer = writer(&array)?;
        let numbers = numbers_of(&mut writer)?;
        for (one, numbers) in state.worlds.iter().zip(numbers.chunks_mut((2 * agents).max(1))) {
            let (vectors, _) = numbers.as_chunks_mut::<2>();
            column.write(one.run.simulation(), vectors);
        }
        drop(writer);
        Ok(array.into_any())
    }

    /// Returns the present value of a measure in each world: an array of shape (worlds,), of float64, NaN where it has none.
    fn measure<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let state = self.state.get()?;
        let all = state.worlds.iter().map(|one| one.measure(name));
        let all = all.collect::<Result<Vec<_>, _>>().map_err(errors::error)?;
        Ok(PyArray1::from_iter(py, all.into_iter().map(|value| value.unwrap_or(f64::NAN))))
    }

    /// The names of the recorded measures.
    #[getter]
    fn recorded(&self) -> PyResult<Vec<String>> {
        Ok(self.state.get()?.record.clone())
    }

    /// The units of the recorded measures, by name; without those that have none.
    #[getter]
    fn units(&self) -> PyResult<BTreeMap<String, &'static str>> {
        let state = self.state.get()?;
        let of = state.worlds[0].measures.measures().iter();
        let all = of.map(|one| (one.name().to_owned(), one.unit()));
        Ok(all.filter(|(_, unit)| !unit.is_empty()).collect())
    }

    /// The names of the measures.
    #[getter]
    fn measures(&self) -> PyResult<Vec<String>> {
        let state = self.state.get()?;
        let names = state.worlds[0].run.measure_names();
        Ok(names.all().iter().chain(&names.of_values()).map(|one| one.name().to_owned()).collect())
    }
}

impl WorldsState {
    /// Checks that there are worlds with these numbers.
    pub(crate) fn numbers(&self, numbers: &[usize]) -> PyResult<()> {
        let have = self.worlds.len();
        match numbers.iter().find(|number| **number >= have) {
            None => Ok(()),
            Some(number) => Err(pyo3::exceptions::PyIndexError::new_err(format!(
                "there is no world {number}: the batch has {have}, from 0"
            ))),
        }
    }
}

const STEERED: &str =
    "these are worlds of an environment, whose agents are steered from outside: reset it instead";
