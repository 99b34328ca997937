//! Changes of a world between two ticks.

use flockwork_engine::math::Vec2;
use flockwork_engine::sim::{Action, ChangeError, PushTime};
use flockwork_engine::world::{Goal, NewAgent, ObstacleMotion};
use flockwork_engine::{Diagnostic, Setting};
use numpy::PyArray1;
use pyo3::prelude::*;

use crate::behavior::Function;
use crate::run::{Run, RunState};
use crate::{arrays, errors, values};

/// Radius of a goal that is given without one, in world units: as in scenarios.
const GOAL_RADIUS: f32 = 1.0;

impl RunState {
    /// Lets an action happen at the beginning of the next tick.
    fn act(&mut self, action: Action) -> PyResult<()> {
        let made = self.run.simulation_mut().act(action);
        made.map_err(|error| self.explained(error))?;
        self.note_change();
        Ok(())
    }

    /// Returns the error of a change with what was named in words.
    fn explained(&self, error: ChangeError) -> PyErr {
        let ChangeError::NoTarget { action } = &error else {
            return errors::error(error);
        };
        let world = self.run.world();
        let missing = |what: &str, name: &str, known: Vec<&str>| {
            let message = format!("there is no {what} `{name}`");
            errors::error(Diagnostic::error(message).suggest(name, known))
        };
        let obstacles = || world.all_obstacles().map(|one| &*one.name).collect();
        match &**action {
            Action::MoveObstacle { obstacle, motion: ObstacleMotion::Along { path, .. } }
                if world.obstacle_named(obstacle).is_some() =>
            {
                missing("path", path, world.paths.iter().map(|path| &*path.name).collect())
            }
            Action::SetObstacle { obstacle, .. } | Action::MoveObstacle { obstacle, .. } => {
                missing("obstacle", obstacle, obstacles())
            }
            Action::Input { name, .. } => {
                missing("input", name, world.inputs.iter().map(|input| &*input.name).collect())
            }
            Action::SetShared { name, value } => match world.shared_named(name) {
                Some(index) => errors::type_error(format!(
                    "the shared value `{name}` is {}, so it cannot be {value}",
                    world.shared[index].ty().description()
                )),
                None => {
                    let known = world.shared.iter().map(|one| &*one.name).collect();
                    missing("shared value", name, known)
                }
            },
            _ => errors::error(error),
        }
    }
}

/// Changes. Those of single agents happen at once, all others at the beginning of the next tick, as events of a scenario do.
#[pymethods]
impl Run {
    /// Moves an agent to a position and gives it a velocity. At once.
    ///
    /// agent: its id.
    /// position: in world units.
    /// velocity: in world units per second; by default it keeps its own.
    #[pyo3(signature = (agent, position, velocity=None))]
    fn place(
        &self,
        agent: &Bound<'_, PyAny>,
        position: &Bound<'_, PyAny>,
        velocity: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let (id, pos) = (values::agent(agent)?, values::vector(position)?);
        let mut state = self.state.get()?;
        let vel = match velocity {
            Some(velocity) => values::vector(velocity)?,
            None => state.run.world().find(id).map_or(Vec2::ZERO, |agent| agent.vel()),
        };
        let moved = state.run.simulation_mut().move_agent(id, pos, vel);
        moved.map_err(errors::error)?;
        state.note_change();
        Ok(())
    }

    /// Adds agents to a group, and returns their ids: an array of uint32. At once.
    ///
    /// group: the name of the group.
    /// positions: an array of shape (number, 2), in world units.
    /// velocities: an array of the same shape, in world units per second; by default zero.
    #[pyo3(signature = (group, positions, velocities=None))]
    fn add<'py>(
        &self,
        py: Python<'py>,
        group: &str,
        positions: &Bound<'py, PyAny>,
        velocities: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray1<u32>>> {
        let positions = arrays::read_vectors(positions, "`positions`")?;
        let velocities = match velocities {
            Some(velocities) => arrays::read_vectors(velocities, "`velocities`")?,
            None => vec![Vec2::ZERO; positions.len()],
        };
        if velocities.len() != positions.len() {
            return Err(errors::value_error("`velocities` must have as many rows as `positions`"));
        }
        let mut state = self.state.get()?;
        let id = state.group(group)?;
        let (have, most) = (state.run.world().agents.len(), MAX_AGENTS);
        if have + positions.len() > most {
            return Err(errors::value_error(format!("a run has at most {most} agents")));
        }
        let new: Vec<NewAgent> = positions
            .into_iter()
            .zip(velocities)
            .map(|(pos, vel)| NewAgent::at(pos, vel))
            .collect();
        let ids = state.run.simulation_mut().add(id, &new).map_err(errors::error)?;
        state.note_change();
        Ok(PyArray1::from_iter(py, ids.into_iter().map(|id| id.0)))
    }

    /// Removes agents, and returns how many of them were there. At once.
    ///
    /// agents: the id of one, or any sequence of ids.
    fn remove(&self, agents: &Bound<'_, PyAny>) -> PyResult<usize> {
        let ids = match values::agent(agents) {
            Ok(id) => vec![id],
            Err(_) => {
                agents.try_iter()?.map(|id| values::agent(&id?)).collect::<PyResult<Vec<_>>>()?
            }
        };
        let mut state = self.state.get()?;
        let removed = state.run.simulation_mut().remove(&ids);
        state.note_change();
        Ok(removed)
    }

    /// Adds to the velocity of each agent of a group in the next tick.
    ///
    /// velocity: in world units per second.
    /// after_decision: whether agents notice only after they have decided.
    #[pyo3(signature = (group, velocity, *, after_decision=false))]
    fn push(&self, group: &str, velocity: &Bound<'_, PyAny>, after_decision: bool) -> PyResult<()> {
        let velocity = values::vector(velocity)?;
        let when = if after_decision { PushTime::AfterDecision } else { PushTime::BeforeDecision };
        let mut state = self.state.get()?;
        let group = state.group(group)?;
        state.act(Action::Push { group, velocity, when })
    }

    /// Pushes agents away from a place in the next tick: by `speed` there, and by nothing at the radius.
    ///
    /// group: the name of a group; by default all agents.
    #[pyo3(signature = (at, radius, speed, *, group=None))]
    fn scatter(
        &self,
        at: &Bound<'_, PyAny>,
        radius: f64,
        speed: f64,
        group: Option<&str>,
    ) -> PyResult<()> {
        let (at, radius, speed) =
            (values::vector(at)?, values::finite(radius)?, values::finite(speed)?);
        if radius <= 0.0 {
            return Err(errors::value_error("`radius` must be above 0"));
        }
        let mut state = self.state.get()?;
        let group = group.map(|group| state.group(group)).transpose()?;
        state.act(Action::Scatter { at, radius, speed, group })
    }

    /// Makes more agents of a group in the next tick, where the scenario says.
    #[pyo3(signature = (group, count=1))]
    fn spawn(&self, group: &str, count: u32) -> PyResult<()> {
        let mut state = self.state.get()?;
        let group = state.group(group)?;
        if state.run.world().agents.len() + count as usize > MAX_AGENTS {
            return Err(errors::value_error(format!("a run has at most {MAX_AGENTS} agents")));
        }
        state.act(Action::Spawn { group, count })
    }

    /// Sets a param of a group from the next tick on.
    ///
    /// name: `"group.param"`, or `"param"` for all groups that have it.
    /// value: as in a scenario: a number, a bool, a string, a pair of numbers, or a distribution as a string: `"Normal(mean: 3, deviation: 1)"`.
    fn set_param(&self, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let (group, param) = match name.rsplit_once('.') {
            Some((group, param)) => (Some(group.to_owned()), param.to_owned()),
            None => (None, name.to_owned()),
        };
        let setting = Setting { group, param, value: values::written(value)? };
        let mut state = self.state.get()?;
        state.run.set_param(&setting).map_err(errors::error)?;
        state.note_change();
        Ok(())
    }

    /// Sets a shared value in the next tick, whatever its rule is.
    fn set_shared(&self, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let value = values::from_python(value)?;
        self.state.get()?.act(Action::SetShared { name: name.into(), value })
    }

    /// Gives all agents of a group new goals, in order. Agents that have stopped move again.
    ///
    /// goals: an array of shape (number, 2), in world units.
    /// radius: an agent has reached a goal when it is nearer than this.
    #[pyo3(signature = (group, goals, radius=None))]
    fn set_goals(
        &self,
        group: &str,
        goals: &Bound<'_, PyAny>,
        radius: Option<f64>,
    ) -> PyResult<()> {
        let radius = radius.map_or(Ok(GOAL_RADIUS), values::finite)?;
        if radius < 0.0 {
            return Err(errors::value_error("`radius` must not be negative"));
        }
        let goals = arrays::read_vectors(goals, "`goals`")?;
        let goals: Vec<Goal> = goals.into_iter().map(|at| Goal { at, radius }).collect();
        let mut state = self.state.get()?;
        let group = state.group(group)?;
        state.act(Action::SetGoals { group, goals: goals.into() })
    }

    /// Puts an obstacle there from the next tick on, or takes it away.
    fn set_obstacle(&self, name: &str, present: bool) -> PyResult<()> {
        self.state.get()?.act(Action::SetObstacle { obstacle: name.into(), present })
    }

    /// Lets an obstacle move from the next tick on, in one of four ways.
    ///
    /// velocity: it goes on and on, in world units per second.
    /// to: its center goes straight to this point, with `speed`, and stops there.
    /// along: its center goes along the path with this name, with `speed`.
    ///
    /// Without any of these it stops.
    #[pyo3(signature = (name, *, velocity=None, to=None, along=None, speed=None))]
    fn move_obstacle(
        &self,
        name: &str,
        velocity: Option<&Bound<'_, PyAny>>,
        to: Option<&Bound<'_, PyAny>>,
        along: Option<&str>,
        speed: Option<f64>,
    ) -> PyResult<()> {
        let speed = speed.map(values::finite).transpose()?;
        if speed.is_some_and(|speed| speed <= 0.0) {
            return Err(errors::value_error("`speed` must be above 0"));
        }
        let motion = match (velocity, to, along, speed) {
            (None, None, None, None) => ObstacleMotion::Stop,
            (Some(velocity), None, None, None) => {
                ObstacleMotion::Velocity(values::vector(velocity)?)
            }
            (None, Some(at), None, Some(speed)) => {
                ObstacleMotion::To { at: values::vector(at)?, speed }
            }
            (None, None, Some(path), Some(speed)) => {
                ObstacleMotion::Along { path: path.into(), speed }
            }
            _ => {
                let what =
                    "give `velocity`, or `to` and `speed`, or `along` and `speed`, or nothing";
                return Err(errors::type_error(what));
            }
        };
        self.state.get()?.act(Action::MoveObstacle { obstacle: name.into(), motion })
    }

    /// Sets an input from the next tick on: whether its key is down.
    fn set_input(&self, name: &str, down: bool) -> PyResult<()> {
        self.state.get()?.act(Action::Input { name: name.into(), down })
    }

    /// Moves the pointer to a place in the next tick; None takes it away.
    #[pyo3(signature = (at))]
    fn set_cursor(&self, at: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let at = at.map(values::vector).transpose()?;
        self.state.get()?.act(Action::Cursor { at })
    }

    /// Lets a function of Python steer a group from now on, in place of its script.
    ///
    /// group: the name of the group.
    /// function: it is called once in each tick with a `GroupView`, after the events of the tick, and returns the forces of all agents of
    ///     the group: an array of shape (agents, 2), in the order of `ids`. A force is mass times acceleration; limits of the body hold.
    ///     An exception in it leaves the last whole tick, and comes out of `step`.
    fn set_behavior(&self, group: &str, function: Py<PyAny>) -> PyResult<()> {
        Python::attach(|py| match function.bind(py).is_callable() {
            true => Ok(()),
            false => Err(errors::type_error("`function` must be something that can be called")),
        })?;
        let mut state = self.state.get()?;
        let group = state.group(group)?;
        state.set_function(Function::new(group, function))
    }
}

/// More agents than this are a mistake, and would fill the memory.
const MAX_AGENTS: usize = 10_000_000;
