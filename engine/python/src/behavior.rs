//! Functions of Python as the behaviors of groups, and forces that are given for each tick.

use std::sync::{Arc, PoisonError, RwLock};

use flockwork_engine::Diagnostic;
use flockwork_engine::math::Vec2;
use flockwork_engine::sim::{AgentError, Brain, Output, Simulation, Turns};
use flockwork_engine::world::{GroupId, World};
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::{arrays, errors, values};

/// A brain whose forces come from outside, one for each agent of its group.
#[derive(Default)]
struct GivenForces(RwLock<Given>);

#[derive(Default)]
struct Given {
    /// The tick that they are for, if there are any.
    tick: Option<u64>,
    /// A force for each row of the world.
    forces: Vec<Vec2>,
}

impl GivenForces {
    /// Gives the agents in some rows forces for the present tick of a world.
    fn give(&self, world: &World, forces: impl IntoIterator<Item = (usize, Vec2)>) {
        let mut given = self.0.write().unwrap_or_else(PoisonError::into_inner);
        given.tick = Some(world.tick);
        given.forces.clear();
        given.forces.resize(world.agents.len(), Vec2::ZERO);
        for (row, force) in forces {
            given.forces[row] = force;
        }
    }
}

impl Brain for GivenForces {
    fn asks_neighbors(&self, _: &World, _: GroupId) -> bool {
        false
    }

    fn decide(
        &self,
        world: &Arc<World>,
        mut turns: Turns<'_>,
        _: &mut Output,
    ) -> Result<(), AgentError> {
        let given = self.0.read().unwrap_or_else(PoisonError::into_inner);
        turns.each(world, |turn| match given.forces.get(turn.row) {
            Some(force) if given.tick == Some(world.tick) => {
                *turn.force = *force;
                Ok(())
            }
            _ => {
                let what = "its group is steered by a function of Python, which is asked only when the run steps";
                Err(AgentError::new(world, turn.row, Diagnostic::error(what)))
            }
        })
    }
}

/// A function of Python that decides for a group of one run.
#[derive(Clone)]
pub(crate) struct Function {
    pub(crate) group: GroupId,
    brain: Arc<GivenForces>,
    call: Arc<Py<PyAny>>,
}

impl Function {
    pub(crate) fn new(group: GroupId, call: Py<PyAny>) -> Self {
        Self { group, brain: Arc::default(), call: Arc::new(call) }
    }

    /// Returns the same function for another run, with forces of its own.
    pub(crate) fn apart(&self) -> Self {
        Self { brain: Arc::default(), ..self.clone() }
    }

    /// Lets it decide for its group.
    pub(crate) fn attach(&self, simulation: &mut Simulation) -> PyResult<()> {
        simulation.set_brain(self.group, Arc::clone(&self.brain) as _).map_err(errors::error)
    }

    /// Asks the function for the forces in the present tick of a world.
    pub(crate) fn ask(&self, world: &Arc<World>) -> PyResult<()> {
        Python::attach(|py| {
            let rows = rows_of(world, self.group);
            if rows.is_empty() {
                return Ok(());
            }
            let view = GroupView { world: Arc::clone(world), group: Some(self.group) };
            let answer = self.call.call1(py, (view,))?;
            let name = &world.group(self.group).name;
            let what = format!("what the function for group `{name}` returns");
            let forces = arrays::read_vectors(answer.bind(py), &what)?;
            if forces.len() != rows.len() {
                let (have, want) = (forces.len(), rows.len());
                return Err(errors::value_error(format!(
                    "{what} must be one for each of its agents: there are {have}, and {want} agents"
                )));
            }
            self.brain.give(world, rows.into_iter().zip(forces));
            Ok(())
        })
    }
}

/// Returns the rows of the agents of a group.
pub(crate) fn rows_of(world: &World, group: GroupId) -> Vec<usize> {
    let groups = world.agents.group.iter().enumerate();
    groups.filter(|(_, of)| **of == group).map(|(row, _)| row).collect()
}

/// What a function that steers a group perceives: the world at the beginning of a tick, after its events. Arrays are in the order of ids.
#[pyclass(frozen, module = "flockwork._native")]
pub(crate) struct GroupView {
    world: Arc<World>,
    /// `None` for the agents of all groups.
    group: Option<GroupId>,
}

impl GroupView {
    fn rows(&self) -> Vec<usize> {
        match self.group {
            Some(group) => rows_of(&self.world, group),
            None => (0..self.world.agents.len()).collect(),
        }
    }

    fn vectors<'py>(
        &self,
        py: Python<'py>,
        of: impl Fn(usize) -> Vec2,
    ) -> PyResult<Bound<'py, PyArray2<f32>>> {
        arrays::vectors(py, self.rows().into_iter().map(of))
    }
}

#[pymethods]
impl GroupView {
    /// The number of the tick that begins.
    #[getter]
    fn tick(&self) -> u64 {
        self.world.tick
    }

    /// The seconds that a tick takes.
    #[getter]
    fn dt(&self) -> f64 {
        values::number(self.world.dt)
    }

    /// The agents of all groups.
    #[getter]
    fn all(&self) -> Self {
        Self { world: Arc::clone(&self.world), group: None }
    }

    /// The ids of the agents: an array of shape (agents,), of uint32.
    #[getter]
    fn ids<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
        let ids = self.rows().into_iter().map(|row| self.world.agents.id[row].0);
        PyArray1::from_iter(py, ids)
    }

    /// The index of the group of each agent: an array of shape (agents,), of uint16.
    #[getter]
    fn groups<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u16>> {
        let groups = self.rows().into_iter().map(|row| self.world.agents.group[row].0);
        PyArray1::from_iter(py, groups)
    }

    /// Positions in world units: an array of shape (agents, 2), of float32.
    #[getter]
    fn positions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        self.vectors(py, |row| self.world.agents.pos(row))
    }

    /// Velocities in world units per second: an array of shape (agents, 2), of float32.
    #[getter]
    fn velocities<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        self.vectors(py, |row| self.world.agents.vel(row))
    }

    /// The directions that agents face, as unit vectors: an array of shape (agents, 2), of float32.
    #[getter]
    fn headings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        self.vectors(py, |row| self.world.agents.heading(row))
    }

    /// The present goals in world units: an array of shape (agents, 2), of float32; NaN for an agent that has none.
    #[getter]
    fn goals<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let goal = |row| self.world.agents.goal(row, &self.world.groups).map(|goal| goal.at);
        self.vectors(py, |row| goal(row).unwrap_or(Vec2::NAN))
    }

    /// The params of the group: a dict. Empty for agents of all groups.
    #[getter]
    fn params<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let params = PyDict::new(py);
        let Some(group) = self.group else { return Ok(params) };
        for (name, value) in self.world.group(group).params.iter() {
            params.set_item(name, values::to_python(py, value)?)?;
        }
        Ok(params)
    }
}
