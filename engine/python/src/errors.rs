//! Errors as exceptions of Python, with everything that the program would print.

use flockwork_engine::diag::Source;
use flockwork_engine::json::Finding;
use flockwork_engine::{AgentError, Diagnostic, Diagnostics};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyList, PyType};
use pythonize::pythonize;

/// Returns a class of `flockwork._errors`.
fn class<'py>(
    py: Python<'py>,
    known: &PyOnceLock<Py<PyType>>,
    name: &str,
) -> PyResult<Bound<'py, PyType>> {
    known.import(py, "flockwork._errors", name).cloned()
}

/// Returns findings as dictionaries, each with the text that the program prints.
pub(crate) fn findings<'py>(py: Python<'py>, all: &[Diagnostic]) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    for one in all {
        let found = pythonize(py, &Finding::new(one))?;
        found.set_item("text", one.render(false))?;
        list.append(found)?;
    }
    Ok(list)
}

/// Returns the exception for errors in files, or in what was asked for.
pub(crate) fn error(errors: impl Into<Diagnostics>) -> PyErr {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    raise(&CLASS, "Error", errors.into())
}

/// Returns the exception for a script that fails in a tick.
pub(crate) fn script_error(error: &AgentError) -> PyErr {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    raise(&CLASS, "ScriptError", error.diagnostic().into())
}

fn raise(known: &'static PyOnceLock<Py<PyType>>, name: &'static str, errors: Diagnostics) -> PyErr {
    let all = errors.into_vec();
    Python::attach(|py| {
        let text: Vec<String> = all.iter().map(|one| one.render(false)).collect();
        let made =
            class(py, known, name).and_then(|class| Ok((class, findings(py, &all)?.unbind())));
        match made {
            Ok((class, list)) => PyErr::from_type(class, (text.join("\n"), list)),
            Err(error) => error,
        }
    })
}

/// Returns the exception for an object that another thread, or the function that asks, uses already.
pub(crate) fn busy() -> PyErr {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    Python::attach(|py| match class(py, &CLASS, "BusyError") {
        Ok(class) => {
            let text = "it is in use: another thread uses it, or a function that it has called does. Take a copy() for each thread";
            PyErr::from_type(class, text)
        }
        Err(error) => error,
    })
}

/// Returns the exception for an argument of a wrong value.
pub(crate) fn value_error(text: impl Into<String>) -> PyErr {
    PyValueError::new_err(text.into())
}

/// Returns the exception for an argument of a wrong type.
pub(crate) fn type_error(text: impl Into<String>) -> PyErr {
    PyTypeError::new_err(text.into())
}

/// Returns the finding for a text without a file.
pub(crate) fn plain(text: impl Into<String>) -> PyErr {
    error(Diagnostic::error(text.into()))
}

/// Returns a source that messages know by a name.
pub(crate) fn source(name: &str, text: &str) -> std::sync::Arc<Source> {
    Source::new(name, text.strip_prefix('\u{feff}').unwrap_or(text))
}
