//! Columns of tables: cells that the program would write, as arrays of numpy.

use flockwork_engine::experiment::{ColumnType, TypedColumn};
use numpy::PyArray1;
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::columns::objects;

/// A column: its name, its type, and its cells so far. A cell is missing if its text is empty.
pub(crate) struct Column {
    name: String,
    kind: ColumnType,
    cells: Cells,
}

enum Cells {
    Integer(Vec<Option<i64>>),
    Natural(Vec<Option<u64>>),
    Double(Vec<f64>),
    Boolean(Vec<Option<bool>>),
    Text(Vec<Option<String>>),
}

impl Column {
    /// Returns empty columns.
    pub(crate) fn all(columns: Vec<TypedColumn>) -> Vec<Self> {
        let column = |(name, kind)| {
            let cells = match kind {
                ColumnType::Integer => Cells::Integer(Vec::new()),
                ColumnType::Natural => Cells::Natural(Vec::new()),
                ColumnType::Double => Cells::Double(Vec::new()),
                ColumnType::Boolean => Cells::Boolean(Vec::new()),
                ColumnType::String => Cells::Text(Vec::new()),
            };
            Self { name, kind, cells }
        };
        columns.into_iter().map(column).collect()
    }

    /// Adds a row.
    pub(crate) fn add(columns: &mut [Self], row: Vec<String>) {
        for (column, cell) in columns.iter_mut().zip(row) {
            column.push(cell);
        }
    }

    fn push(&mut self, cell: String) {
        let is_read = cell.is_empty()
            || match &mut self.cells {
                Cells::Integer(all) => push(all, &cell),
                Cells::Natural(all) => push(all, &cell),
                Cells::Boolean(all) => push(all, &cell),
                Cells::Double(all) => cell.parse().map(|number| all.push(number)).is_ok(),
                Cells::Text(all) => {
                    all.push(Some(cell));
                    return;
                }
            };
        if cell.is_empty() {
            match &mut self.cells {
                Cells::Integer(all) => all.push(None),
                Cells::Natural(all) => all.push(None),
                Cells::Boolean(all) => all.push(None),
                Cells::Double(all) => all.push(f64::NAN),
                Cells::Text(all) => all.push(None),
            }
        } else if !is_read {
            // For example a distribution that is written in the scenario in place of a number.
            self.become_text();
            self.push(cell);
        }
    }

    fn become_text(&mut self) {
        let of = |all: &[Option<String>]| all.to_vec();
        self.cells = Cells::Text(match &self.cells {
            Cells::Integer(all) => of(&strings(all)),
            Cells::Natural(all) => of(&strings(all)),
            Cells::Boolean(all) => of(&strings(all)),
            Cells::Double(all) => {
                all.iter().map(|x| (!x.is_nan()).then(|| x.to_string())).collect()
            }
            Cells::Text(all) => all.clone(),
        });
        self.kind = ColumnType::String;
    }

    /// Takes the quotes from strings that are written as in a scenario.
    pub(crate) fn unquote(&mut self) {
        let Cells::Text(all) = &mut self.cells else { return };
        for cell in all.iter_mut().flatten() {
            if cell.starts_with('"')
                && let Ok(inner) = serde_json::from_str(cell)
            {
                *cell = inner;
            }
        }
    }

    /// Returns columns as a dict of arrays. Without missing cells: int64, uint64, float64, bool, and objects for strings. Where cells are
    /// missing, numbers are float64 with NaN, and everything else is objects with None.
    pub(crate) fn dict(py: Python<'_>, columns: Vec<Self>) -> PyResult<Bound<'_, PyDict>> {
        let all = PyDict::new(py);
        for Self { name, cells, .. } in columns {
            all.set_item(name, cells.into_array(py)?)?;
        }
        Ok(all)
    }
}

impl Cells {
    fn into_array(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        match self {
            Self::Double(all) => PyArray1::from_vec(py, all).into_bound_py_any(py),
            Self::Integer(all) => numbers(py, &all, |x| x as f64),
            Self::Natural(all) => numbers(py, &all, |x| x as f64),
            Self::Boolean(all) => match all.iter().copied().collect::<Option<Vec<bool>>>() {
                Some(all) => PyArray1::from_vec(py, all).into_bound_py_any(py),
                None => objects(py, all.into_iter().map(|cell| cell.into_bound_py_any(py))),
            },
            Self::Text(all) => objects(py, all.into_iter().map(|cell| cell.into_bound_py_any(py))),
        }
    }
}

fn push<T: std::str::FromStr>(all: &mut Vec<Option<T>>, cell: &str) -> bool {
    let read = cell.parse().ok();
    let is_read = read.is_some();
    all.extend(read.map(Some));
    is_read
}

fn strings<T: ToString>(all: &[Option<T>]) -> Vec<Option<String>> {
    all.iter().map(|cell| cell.as_ref().map(T::to_string)).collect()
}

fn numbers<'py, T: numpy::Element + Copy>(
    py: Python<'py>,
    all: &[Option<T>],
    double: impl Fn(T) -> f64,
) -> PyResult<Bound<'py, PyAny>> {
    match all.iter().copied().collect::<Option<Vec<T>>>() {
        Some(all) => PyArray1::from_vec(py, all).into_bound_py_any(py),
        None => {
            let all = all.iter().map(|x| x.map_or(f64::NAN, &double));
            PyArray1::from_iter(py, all).into_bound_py_any(py)
        }
    }
}
