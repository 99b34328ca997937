//! Values of params and states as objects of Python, and back.

use std::sync::Arc;

use flockwork_engine::Setting;
use flockwork_engine::math::Vec2;
use flockwork_engine::scenario::{param_text, string_text};
use flockwork_engine::world::{AgentId, Value};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyMapping, PyString, PyTuple};

use crate::errors::{type_error, value_error};

/// Returns a number of the engine as Python's, with as few digits as tell it apart: 0.1 instead of 0.10000000149.
pub(crate) fn number(value: f32) -> f64 {
    value.to_string().parse().unwrap_or(f64::from(value))
}

/// Returns a value as an object. An agent is its id, a vector a tuple, and a distribution the text of a scenario.
pub(crate) fn to_python<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    match value {
        Value::Nothing => Ok(py.None().into_bound(py)),
        Value::Bool(truth) => truth.into_bound_py_any(py),
        Value::Int(number) => number.into_bound_py_any(py),
        Value::Float(value) => number(*value).into_bound_py_any(py),
        Value::Vector(vector) => (number(vector.x), number(vector.y)).into_bound_py_any(py),
        Value::String(text) => text.into_bound_py_any(py),
        Value::Agent(id) => id.0.into_bound_py_any(py),
        Value::List(items) => {
            let items = items.iter().map(|item| to_python(py, item));
            Ok(PyList::new(py, items.collect::<PyResult<Vec<_>>>()?)?.into_any())
        }
        Value::Map(items) => {
            let map = PyDict::new(py);
            for (name, item) in items {
                map.set_item(&**name, to_python(py, item)?)?;
            }
            Ok(map.into_any())
        }
        Value::Drawn(_) => param_text(value).unwrap_or_default().into_bound_py_any(py),
    }
}

/// Returns an object as a value: what shared values can be.
pub(crate) fn from_python(object: &Bound<'_, PyAny>) -> PyResult<Value> {
    let object = plain(object)?;
    if object.is_none() {
        return Ok(Value::Nothing);
    }
    if let Ok(truth) = object.cast::<PyBool>() {
        return Ok(Value::Bool(truth.is_true()));
    }
    if object.is_instance_of::<PyInt>() {
        return Ok(Value::Int(object.extract()?));
    }
    if object.is_instance_of::<PyFloat>() {
        return Ok(Value::Float(finite(object.extract::<f64>()?)?));
    }
    if let Ok(text) = object.cast::<PyString>() {
        return Ok(Value::String(Arc::from(text.to_str()?)));
    }
    if let Ok(vector) = vector(&object) {
        return Ok(Value::Vector(vector));
    }
    Err(type_error(format!(
        "a value is a bool, a number, a string or a pair of numbers, not {}",
        object.get_type().name()?
    )))
}

/// Returns a number as the engine has it.
///
/// # Errors
///
/// If it is infinite, too large or not a number.
pub(crate) fn finite(number: f64) -> PyResult<f32> {
    let short = number as f32;
    if short.is_finite() {
        Ok(short)
    } else {
        Err(value_error(format!("{number} is not a finite number of 32 bits")))
    }
}

/// Returns a pair of numbers, as a tuple, a list or an array, as a vector.
pub(crate) fn vector(object: &Bound<'_, PyAny>) -> PyResult<Vec2> {
    let (x, y) = object
        .extract::<(f64, f64)>()
        .or_else(|_| object.extract::<[f64; 2]>().map(|[x, y]| (x, y)))
        .map_err(|_| type_error("expected two numbers, such as (1.0, 2.0)"))?;
    Ok(Vec2::new(finite(x)?, finite(y)?))
}

/// Returns the id of an agent.
pub(crate) fn agent(object: &Bound<'_, PyAny>) -> PyResult<AgentId> {
    let id: i64 =
        object.extract().map_err(|_| type_error("an agent is named by its id, an integer"))?;
    u32::try_from(id)
        .map(AgentId)
        .map_err(|_| value_error(format!("{id} is not the id of an agent")))
}

/// Returns an integer from 0 on.
pub(crate) fn natural(object: &Bound<'_, PyAny>, name: &str) -> PyResult<u64> {
    object.extract().map_err(|_| {
        let found = object.repr().map_or_else(|_| String::new(), |text| format!(", not {text}"));
        value_error(format!("`{name}` must be an integer from 0 to 2**64 - 1{found}"))
    })
}

/// Returns a number of things, at least 1.
pub(crate) fn count(object: &Bound<'_, PyAny>, name: &str) -> PyResult<u32> {
    let number = natural(object, name)?;
    match u32::try_from(number) {
        Ok(count @ 1..) => Ok(count),
        _ => Err(value_error(format!("`{name}` must be at least 1 and below 2**32, not {number}"))),
    }
}

/// Returns the own object of Python for a scalar of numpy.
fn plain<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let is_scalar = object.hasattr("dtype")? && object.getattr("shape")?.len()? == 0;
    if is_scalar { object.call_method0("item") } else { Ok(object.clone()) }
}

/// Returns an object as it is written in a scenario. A string stays as it is, since it needs no quotes and may be a distribution.
pub(crate) fn written(object: &Bound<'_, PyAny>) -> PyResult<String> {
    let object = plain(object)?;
    if let Ok(text) = object.cast::<PyString>() {
        return Ok(text.to_str()?.to_owned());
    }
    if let Ok(items) = object.cast::<PyList>() {
        let items = items.iter().map(|item| match item.cast::<PyString>() {
            Ok(text) => Ok(string_text(text.to_str()?)),
            Err(_) => written(&item),
        });
        return Ok(format!("[{}]", items.collect::<PyResult<Vec<_>>>()?.join(", ")));
    }
    if let Ok(pair) = object.cast::<PyTuple>()
        && pair.len() != 2
    {
        return Err(type_error("a tuple has two numbers: it is a vector"));
    }
    if object.is_none() {
        return Err(type_error("None is not the value of a param"));
    }
    let value = from_python(&object)?;
    param_text(&value).ok_or_else(|| type_error(format!("{value} cannot be written in a scenario")))
}

/// Returns the values of params from a mapping such as `{"bird.fear_radius": 80}`, in its order.
pub(crate) fn settings(params: Option<&Bound<'_, PyMapping>>) -> PyResult<Vec<Setting>> {
    let Some(params) = params else { return Ok(Vec::new()) };
    let mut all = Vec::new();
    for item in params.items()?.iter() {
        let (name, value): (String, Bound<'_, PyAny>) =
            item.extract().map_err(|_| type_error("the names of params are strings"))?;
        let (group, param) = match name.rsplit_once('.') {
            Some((group, param)) => (Some(group.to_owned()), param.to_owned()),
            None => (None, name),
        };
        all.push(Setting { group, param, value: written(&value)? });
    }
    Ok(all)
}
