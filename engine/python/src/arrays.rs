//! Arrays of numpy: columns of a world without a copy, and copies in the order of ids.

use std::sync::Arc;

use flockwork_engine::math::Vec2;
use flockwork_engine::world::World;
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyString};

use crate::errors::{type_error, value_error};

/// A column of a world, which numpy reads in place. The world stays as it is as long as an array of it is there: a tick that happens
/// meanwhile makes another one.
#[pyclass(frozen, module = "flockwork._native")]
struct Column {
    _world: Arc<World>,
    address: usize,
    shape: Vec<usize>,
    kind: &'static str,
}

#[pymethods]
impl Column {
    /// What numpy asks for: where the numbers are, and that nobody may write there.
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        all.set_item("version", 3)?;
        all.set_item("typestr", self.kind)?;
        all.set_item("shape", pyo3::types::PyTuple::new(py, &self.shape)?)?;
        all.set_item("data", (self.address, true))?;
        Ok(all)
    }
}

/// Returns vectors of a world as an array of shape (agents, 2) that reads its memory. `column` must be memory of that world.
pub(crate) fn vectors_in_place<'py>(
    py: Python<'py>,
    world: &Arc<World>,
    column: &[Vec2],
) -> PyResult<Bound<'py, PyAny>> {
    let shape = vec![column.len(), 2];
    in_place(py, world, column.as_ptr() as usize, shape, FLOATS)
}

/// Returns numbers of a world as an array that reads its memory. `column` must be memory of that world.
pub(crate) fn numbers_in_place<'py>(
    py: Python<'py>,
    world: &Arc<World>,
    column: &[u32],
) -> PyResult<Bound<'py, PyAny>> {
    in_place(py, world, column.as_ptr() as usize, vec![column.len()], INTEGERS)
}

const FLOATS: &str = if cfg!(target_endian = "little") { "<f4" } else { ">f4" };
const INTEGERS: &str = if cfg!(target_endian = "little") { "<u4" } else { ">u4" };

fn in_place<'py>(
    py: Python<'py>,
    world: &Arc<World>,
    address: usize,
    shape: Vec<usize>,
    kind: &'static str,
) -> PyResult<Bound<'py, PyAny>> {
    static ASARRAY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let column = Column { _world: Arc::clone(world), address, shape, kind };
    ASARRAY.import(py, "numpy", "asarray")?.call1((Bound::new(py, column)?,))
}

/// Forbids to write into an array of ours: what is written there would not reach the world.
pub(crate) fn read_only<'py>(
    array: Bound<'py, PyArray2<f32>>,
) -> PyResult<Bound<'py, PyArray2<f32>>> {
    let flags = PyDict::new(array.py());
    flags.set_item("write", false)?;
    array.call_method("setflags", (), Some(&flags))?;
    Ok(array)
}

/// Returns vectors as a new array of shape (number, 2).
pub(crate) fn vectors<'py>(
    py: Python<'py>,
    all: impl ExactSizeIterator<Item = Vec2>,
) -> PyResult<Bound<'py, PyArray2<f32>>> {
    let rows = all.len();
    let flat: Vec<[f32; 2]> = all.map(Vec2::into).collect();
    PyArray1::from_vec(py, flat.into_flattened()).reshape([rows, 2])
}

/// Writes vectors into an array of the right shape.
///
/// # Errors
///
/// If the array has another shape or type, or cannot be written.
pub(crate) fn write_vectors(all: &[Vec2], out: &Bound<'_, PyAny>) -> PyResult<()> {
    let wanted =
        || type_error(format!("`out` must be an array of float32 of the shape ({}, 2)", all.len()));
    let array = out.cast::<PyArray2<f32>>().map_err(|_| wanted())?;
    if array.shape() != [all.len(), 2] {
        return Err(wanted());
    }
    let mut array = array
        .try_readwrite()
        .map_err(|error| value_error(format!("`out` cannot be written: {error}")))?;
    if let Ok(numbers) = array.as_slice_mut() {
        for (pair, vector) in numbers.chunks_exact_mut(2).zip(all) {
            pair.copy_from_slice(&vector.to_array());
        }
        return Ok(());
    }
    let mut rows = array.as_array_mut();
    for (mut row, vector) in rows.rows_mut().into_iter().zip(all) {
        row[0] = vector.x;
        row[1] = vector.y;
    }
    Ok(())
}

/// Reads an array of shape (number, 2), or anything that numpy makes one of.
///
/// # Errors
///
/// If it has another shape, or a number in it is not finite.
pub(crate) fn read_vectors(object: &Bound<'_, PyAny>, what: &str) -> PyResult<Vec<Vec2>> {
    static ASARRAY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let py = object.py();
    let wanted = || {
        let found = match object.getattr("shape").and_then(|shape| shape.str()) {
            Ok(shape) => format!("an array of the shape {shape}"),
            Err(_) => {
                object.repr().map_or_else(|_| "something else".to_owned(), |text| short(&text))
            }
        };
        value_error(format!("{what} must be numbers of the shape (number, 2), not {found}"))
    };
    let array = match object.extract::<PyReadonlyArray2<'_, f32>>() {
        Ok(array) => array,
        Err(_) => {
            let asarray = ASARRAY.import(py, "numpy", "asarray")?;
            let made = asarray.call1((object,)).map_err(|_| wanted())?;
            // Complex numbers would lose a part.
            if made.getattr("dtype")?.getattr("kind")?.eq("c")? {
                return Err(wanted());
            }
            let made = made.call_method1("astype", ("float32",)).map_err(|_| wanted())?;
            made.extract().map_err(|_| wanted())?
        }
    };
    if array.shape()[1] != 2 {
        return Err(wanted());
    }
    let all: Vec<Vec2> =
        array.as_array().rows().into_iter().map(|row| Vec2::new(row[0], row[1])).collect();
    match all.iter().position(|vector| !vector.is_finite()) {
        None => Ok(all),
        Some(row) => Err(value_error(format!(
            "{what} must be finite as numbers of 32 bits: row {row} is ({}, {})",
            all[row].x, all[row].y
        ))),
    }
}

/// Returns the beginning of a text.
fn short(text: &Bound<'_, PyString>) -> String {
    const LENGTH: usize = 60;
    let text = text.to_string_lossy();
    match text.char_indices().nth(LENGTH) {
        None => text.into_owned(),
        Some((end, _)) => format!("{} ...", &text[..end]),
    }
}
