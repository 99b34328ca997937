//! Arrays with a row for each world of a batch, and in it one for each agent.

use flockwork_engine::Diagnostic;
use flockwork_engine::math::Vec2;
use flockwork_engine::sim::Simulation;
use numpy::{PyArray3, PyArrayMethods, PyReadwriteArray3, PyUntypedArrayMethods};
use pyo3::prelude::*;

use crate::errors;

const NOT_CONTIGUOUS: &str = "`out` must be contiguous, in the order of C";

/// Returns an array of a shape: the given one, or a new one.
pub(crate) fn array3<'py>(
    py: Python<'py>,
    shape: [usize; 3],
    out: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyArray3<f32>>> {
    let Some(out) = out else { return Ok(PyArray3::zeros(py, shape, false)) };
    let [a, b, c] = shape;
    let wanted = || {
        errors::type_error(format!(
            "`out` must be an array of float32 of the shape ({a}, {b}, {c})"
        ))
    };
    let array = out.cast_into::<PyArray3<f32>>().map_err(|_| wanted())?;
    if array.shape() != shape {
        return Err(wanted());
    }
    if !array.is_c_contiguous() {
        return Err(errors::value_error(NOT_CONTIGUOUS));
    }
    Ok(array)
}

/// Returns access to an array that [`array3`] has returned.
pub(crate) fn writer<'py>(
    array: &Bound<'py, PyArray3<f32>>,
) -> PyResult<PyReadwriteArray3<'py, f32>> {
    array
        .try_readwrite()
        .map_err(|error| errors::value_error(format!("`out` cannot be written: {error}")))
}

/// Returns the numbers of an array, in the order of C.
pub(crate) fn numbers_of<'a>(
    writer: &'a mut PyReadwriteArray3<'_, f32>,
) -> PyResult<&'a mut [f32]> {
    writer.as_slice_mut().map_err(|_| errors::value_error(NOT_CONTIGUOUS))
}

/// A column of vectors.
#[derive(Clone, Copy)]
pub(crate) enum Column {
    Positions,
    Velocities,
    Headings,
    Forces,
    Goals,
}

impl Column {
    const ALL: [(&'static str, Self); 5] = [
        ("positions", Self::Positions),
        ("velocities", Self::Velocities),
        ("headings", Self::Headings),
        ("forces", Self::Forces),
        ("goals", Self::Goals),
    ];

    pub(crate) fn named(name: &str) -> PyResult<Self> {
        let found = Self::ALL.iter().find(|(known, _)| *known == name);
        found.map(|(_, column)| *column).ok_or_else(|| {
            let none = Diagnostic::error(format!("there is no column `{name}`"));
            errors::error(none.suggest(name, Self::ALL.map(|(known, _)| known)))
        })
    }

    /// Returns the vector of an agent. Forces are read for all agents at once, by [`Column::write`].
    pub(crate) fn of(self, simulation: &Simulation, row: usize) -> Vec2 {
        let world = simulation.world();
        match self {
            Self::Positions => world.agents.pos(row),
            Self::Velocities => world.agents.vel(row),
            Self::Headings => world.agents.heading(row),
            Self::Goals => world.agents.goal(row, &world.groups).map_or(Vec2::NAN, |goal| goal.at),
            Self::Forces => simulation.last_forces()[row],
        }
    }

    /// Writes the vectors of all agents of a world.
    pub(crate) fn write(self, simulation: &Simulation, to: &mut [[f32; 2]]) {
        if let Self::Forces = self {
            let forces = simulation.last_forces();
            to.iter_mut().zip(forces).for_each(|(to, force)| *to = force.into());
            return;
        }
        for (row, to) in to.iter_mut().enumerate() {
            *to = self.of(simulation, row).into();
        }
    }
}
