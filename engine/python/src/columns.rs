//! What agents are and do, as arrays.

use flockwork_engine::Diagnostic;
use std::borrow::Cow;

use flockwork_engine::math::Vec2;
use flockwork_engine::trace::{Measure, RunMeasures};
use flockwork_engine::world::{PublicColumn, Value};
use numpy::{PyArray1, PyArray2};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::run::{Run, RunState};
use crate::{arrays, errors, values};

/// The columns of two numbers that can be read by name.
const COLUMNS: [&str; 5] = ["positions", "velocities", "headings", "forces", "goals"];

impl RunState {
    /// Returns a column of vectors in the order of ids.
    fn column(&self, name: &str) -> PyResult<Cow<'_, [Vec2]>> {
        let world = self.run.world();
        let agents = &world.agents;
        let motions = &agents.motions;
        match name {
            "positions" => Ok(motions.by_row(motions.positions())),
            "velocities" => Ok(motions.by_row(motions.velocities())),
            "headings" => Ok(motions.by_row(motions.headings())),
            "forces" => Ok(self.run.simulation().last_forces().into()),
            "goals" => {
                let goal = |row| agents.goal(row, &world.groups).map(|goal| goal.at);
                Ok((0..agents.len()).map(|row| goal(row).unwrap_or(Vec2::NAN)).collect())
            }
            _ => {
                let none = Diagnostic::error(format!("there is no column `{name}`"));
                Err(errors::error(none.suggest(name, COLUMNS)))
            }
        }
    }
}

/// Agents as arrays, in the order of ids.
#[pymethods]
impl Run {
    /// The number of agents.
    fn __len__(&self) -> PyResult<usize> {
        Ok(self.state.get()?.run.world().agents.len())
    }

    /// The ids of the agents: an array of shape (agents,), of uint32. Ids count up and are never used again.
    #[getter]
    fn ids<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u32>>> {
        let state = self.state.get()?;
        Ok(PyArray1::from_iter(py, state.run.world().agents.id.iter().map(|id| id.0)))
    }

    /// The names of the groups, in the order of the scenario.
    #[getter]
    fn group_names(&self) -> PyResult<Vec<String>> {
        let state = self.state.get()?;
        Ok(state.run.world().groups.iter().map(|group| group.name.to_string()).collect())
    }

    /// The index of the group of each agent in `group_names`: an array of shape (agents,), of uint16.
    #[getter]
    fn groups<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u16>>> {
        let state = self.state.get()?;
        Ok(PyArray1::from_iter(py, state.run.world().agents.group.iter().map(|group| group.0)))
    }

    /// Which agents are in a group: an array of shape (agents,), of bool, to choose rows of other arrays.
    fn is_in<'py>(&self, py: Python<'py>, group: &str) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let state = self.state.get()?;
        let id = state.group(group)?;
        Ok(PyArray1::from_iter(py, state.run.world().agents.group.iter().map(|of| *of == id)))
    }

    /// Which agents have stopped for the rest of the run: an array of shape (agents,), of bool.
    #[getter]
    fn stopped<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        Ok(PyArray1::from_slice(py, &self.state.get()?.run.world().agents.stopped))
    }

    /// Positions in world units: a new array of shape (agents, 2), of float32, which cannot be written. `place` moves agents.
    #[getter]
    fn positions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        self.vectors(py, "positions")
    }

    /// Velocities in world units per second: a new array of shape (agents, 2), of float32.
    #[getter]
    fn velocities<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        self.vectors(py, "velocities")
    }

    /// The directions that agents face, as unit vectors: a new array of shape (agents, 2), of float32.
    #[getter]
    fn headings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        self.vectors(py, "headings")
    }

    /// The forces that agents decided on in the last tick, before the limits of their bodies: a new array of shape (agents, 2), of
    /// float32. A force is mass times acceleration.
    #[getter]
    fn forces<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        self.vectors(py, "forces")
    }

    /// The present goals in world units: a new array of shape (agents, 2), of float32; NaN for an agent that has none.
    #[getter]
    fn goals<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        self.vectors(py, "goals")
    }

    /// Writes a column into an array that is there already.
    ///
    /// column: "positions", "velocities", "headings", "forces" or "goals".
    /// out: an array of shape (agents, 2), of float32.
    fn read_into(&self, column: &str, out: &Bound<'_, PyAny>) -> PyResult<()> {
        arrays::write_vectors(&self.state.get()?.column(column)?, out)
    }

    /// The same agents in the order in which they are in memory, which may be another one after each tick: the fastest way to read
    /// those of very many, where the order makes no difference.
    ///
    /// A dict with `positions`, `velocities` and `headings`, and with `rows`: the row of each of them in all other arrays. The arrays are
    /// not copies, and cannot be written. They keep their values when the run goes on, which then takes a copy of its world; so drop
    /// them before you step.
    #[getter]
    fn unordered<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let state = self.state.get()?;
        let world = state.run.simulation().world();
        let all = PyDict::new(py);
        let motions = &world.agents.motions;
        all.set_item("positions", arrays::vectors_in_place(py, world, motions.positions())?)?;
        all.set_item("velocities", arrays::vectors_in_place(py, world, motions.velocities())?)?;
        all.set_item("headings", arrays::vectors_in_place(py, world, motions.headings())?)?;
        all.set_item("rows", arrays::numbers_in_place(py, world, motions.rows())?)?;
        Ok(all)
    }
}

impl Run {
    fn vectors<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyArray2<f32>>> {
        arrays::read_only(arrays::vectors(py, self.state.get()?.column(name)?.iter().copied())?)
    }
}

/// Values of scripts, and measures.
#[pymethods]
impl Run {
    /// A public value of all agents, by its name: an array of shape (agents,), or (agents, 2) for vectors. Of agents whose group does
    /// not declare the name: NaN for numbers and vectors, False, None.
    fn public<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let state = self.state.get()?;
        let world = state.run.world();
        let names = world.names().public();
        let Ok(index) = names.binary_search_by(|known| (*known.name).cmp(name)) else {
            let none = Diagnostic::error(format!("no group has a public value `{name}`"));
            let known = names.iter().map(|known| &*known.name);
            return Err(errors::error(none.suggest(name, known)));
        };
        let is_declared = |row: usize| names[index].groups[usize::from(world.agents.group[row].0)];
        let Some(column) = world.public_column(index) else {
            return PyList::empty(py).into_bound_py_any(py);
        };
        let rows = 0..world.agents.len();
        match column {
            PublicColumn::Bool(all) => {
                PyArray1::from_iter(py, rows.map(|row| is_declared(row) && all[row]))
                    .into_bound_py_any(py)
            }
            PublicColumn::Number(all) => {
                let number = |row: usize| if is_declared(row) { all[row] } else { f32::NAN };
                PyArray1::from_iter(py, rows.map(number)).into_bound_py_any(py)
            }
            PublicColumn::Vector(all) => {
                let vector = |row: usize| if is_declared(row) { all[row] } else { Vec2::NAN };
                arrays::vectors(py, rows.map(vector))?.into_bound_py_any(py)
            }
            PublicColumn::String(all) => {
                let text = |row: usize| is_declared(row).then(|| &*all[row]);
                objects(py, rows.map(|row| text(row).into_bound_py_any(py)))
            }
            PublicColumn::Agent(all) => {
                let agent = |row: usize| all[row].filter(|_| is_declared(row)).map(|id| id.0);
                objects(py, rows.map(|row| agent(row).into_bound_py_any(py)))
            }
        }
    }

    /// What an agent knows for itself: a dict of its state.
    ///
    /// agent: its id.
    fn state<'py>(
        &self,
        py: Python<'py>,
        agent: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let id = values::agent(agent)?;
        let state = self.state.get()?;
        let row = state.run.world().agents.row(id);
        let row = row.ok_or_else(|| errors::plain(format!("there is no agent {id}")))?;
        let all = PyDict::new(py);
        for (name, value) in state.run.simulation().minds().state(row).iter() {
            all.set_item(name, values::to_python(py, value)?)?;
        }
        Ok(all)
    }

    /// A value of the own state of all agents, by its name: an array of shape (agents,) of float64, with NaN for agents that do not have it;
    /// of objects, with None for these, if not all values are numbers.
    fn own<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let state = self.state.get()?;
        let minds = state.run.simulation().minds();
        let all = || (0..minds.len()).map(|row| minds.state(row).get(name));
        let number = |value: Option<&Value>| match value {
            Some(Value::Float(number)) => Some(values::number(*number)),
            Some(Value::Int(number)) => Some(*number as f64),
            None => Some(f64::NAN),
            _ => None,
        };
        // Those who had it may be gone.
        let is_known = || state.project().scripts.values().any(|script| script.text.contains(name));
        if all().all(|value| value.is_none()) && !is_known() {
            return Err(errors::plain(format!("no agent has `{name}` in its state")));
        }
        if let Some(numbers) = all().map(number).collect::<Option<Vec<f64>>>() {
            return PyArray1::from_vec(py, numbers).into_bound_py_any(py);
        }
        objects(py, all().map(|value| values::to_python(py, value.unwrap_or(&Value::Nothing))))
    }

    /// The params of the groups: a dict of dicts.
    #[getter]
    fn params<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let state = self.state.get()?;
        let all = PyDict::new(py);
        for group in &state.run.world().groups {
            let params = PyDict::new(py);
            for (name, value) in group.params.iter() {
                params.set_item(name, values::to_python(py, value)?)?;
            }
            all.set_item(&*group.name, params)?;
        }
        Ok(all)
    }

    /// The shared values: a dict.
    #[getter]
    fn shared<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let state = self.state.get()?;
        let all = PyDict::new(py);
        for one in &state.run.world().shared {
            all.set_item(&*one.name, values::to_python(py, one.value())?)?;
        }
        Ok(all)
    }

    /// The obstacles: a dict by name of dicts with `present`, `center` and `bounds` (two corners), in world units.
    #[getter]
    fn obstacles<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let state = self.state.get()?;
        let world = state.run.world();
        let pair = |at: Vec2| (values::number(at.x), values::number(at.y));
        let all = PyDict::new(py);
        for obstacle in world.all_obstacles() {
            let one = PyDict::new(py);
            let id = world.obstacle_named(&obstacle.name);
            one.set_item("present", id.is_some_and(|id| world.is_present(id)))?;
            one.set_item("center", pair(obstacle.shape.center()))?;
            let (low, high) = obstacle.shape.bounds();
            one.set_item("bounds", (pair(low), pair(high)))?;
            all.set_item(&*obstacle.name, one)?;
        }
        Ok(all)
    }

    /// The rectangle of the world: a pair of corners, in world units.
    #[getter]
    fn bounds(&self) -> PyResult<((f64, f64), (f64, f64))> {
        let state = self.state.get()?;
        let space = &state.run.world().space;
        let pair = |at: Vec2| (values::number(at.x), values::number(at.y));
        Ok((pair(space.min), pair(space.max())))
    }

    /// The present value of a measure, such as "polarization" or "birds.mean_speed"; None if it has none, for example because there are
    /// too few agents. Measures that need all ticks must be named when the run is loaded, with `record`.
    fn measure(&self, name: &str) -> PyResult<Option<f64>> {
        let state = self.state.get()?;
        let simulation = state.run.simulation();
        let recorded = state.measures().measures().iter().position(|one| one.name() == name);
        if let Some(index) = recorded {
            let values = state.measures().take(simulation).map_err(errors::error)?;
            return Ok(values[index].map(|value| values::number(value.into())));
        }
        let measure = state.run.measure_names().find(name).map_err(errors::error)?;
        if measure.needs_totals() {
            return Err(errors::error(
                Diagnostic::error(format!("`{name}` needs all ticks of the run"))
                    .help(format!("name it when you load the run: `record=[\"{name}\"]`")),
            ));
        }
        let values = RunMeasures::new(simulation, vec![measure]).take(simulation);
        let value = values.map_err(errors::error)?.into_iter().next().flatten();
        Ok(value.map(|value| values::number(value.into())))
    }

    /// The names of the measures of this run: those of all agents, those of the scenario, the usual ones of each group, and those of shared
    /// and public values. Some need all ticks, see `measure`.
    #[getter]
    fn measures(&self) -> PyResult<Vec<String>> {
        let state = self.state.get()?;
        let names = state.run.measure_names();
        let mut all: Vec<String> = Measure::ALL.iter().map(|one| one.name().to_owned()).collect();
        for one in names.all().iter().chain(&names.of_values()) {
            if !all.iter().any(|known| known == one.name()) {
                all.push(one.name().to_owned());
            }
        }
        Ok(all)
    }
}

/// Returns an array of objects.
pub(crate) fn objects<'py>(
    py: Python<'py>,
    all: impl Iterator<Item = PyResult<Bound<'py, PyAny>>>,
) -> PyResult<Bound<'py, PyAny>> {
    let list = PyList::new(py, all.collect::<PyResult<Vec<_>>>()?)?;
    let array = py.import("numpy")?.getattr("empty")?.call1((list.len(), "object"))?;
    array.set_item(pyo3::types::PySlice::full(py), list)?;
    Ok(array)
}
