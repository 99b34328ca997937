//! Experiments: sweeps, tunes and hunts, as the program does them.
//!
//! `flockwork/_experiment.py` writes plans and makes results of what these functions return.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use flockwork_engine::Diagnostics;
use flockwork_engine::experiment::{
    ColumnType, FoundStart, Hunt, HuntOptions, HuntResult, Search, Shrunk, Size, Sweep, Tune,
    TuneOutcome, TuneRun, Varied,
};
use flockwork_engine::load::{OpenFiles, ScriptsFolder, other_version};
use flockwork_engine::plan_file::PlanFile;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use pythonize::pythonize;

use crate::cells::Column;
use crate::values::number;
use crate::watch::{Watch, watched};
use crate::{errors, work};

/// Contents in place of files on disk.
type Files = Option<BTreeMap<PathBuf, String>>;

/// Returns a plan and the scenario that it names. `files` are used in place of those on disk.
fn open(plan: &Path, files: Files) -> Result<(PlanFile, Arc<OpenFiles>), Diagnostics> {
    let mut open = OpenFiles::default();
    for (path, text) in files.unwrap_or_default() {
        open.open(&path, &text);
    }
    Ok((PlanFile::read_open(plan, &open)?, Arc::new(open)))
}

/// The columns of the table of runs, those of the measures over time, and the units of the margins.
type SweptTables<'py> = (Bound<'py, PyDict>, Option<Bound<'py, PyDict>>, Vec<Option<&'static str>>);

/// A sweep that is ready to run.
#[pyclass(frozen, module = "flockwork._native")]
pub(crate) struct SweepRuns(Sweep);

#[pymethods]
impl SweepRuns {
    #[new]
    #[pyo3(signature = (plan, files=None))]
    fn new(py: Python<'_>, plan: PathBuf, files: Files) -> PyResult<Self> {
        let sweep = work::reading(py, || {
            let (file, open) = open(&plan, files)?;
            let scripts = ScriptsFolder::of_open_scenario(&file.scenario, &open);
            Sweep::new(file.plan, &file.source, &scripts)
        });
        Ok(Self(sweep.map_err(errors::error)?))
    }

    /// The number of runs.
    #[getter]
    fn runs(&self) -> u64 {
        self.0.runs()
    }

    /// The paths of the values that vary.
    #[getter]
    fn varied(&self) -> Vec<String> {
        self.0.plan().vary.iter().map(|(path, ..)| path.clone()).collect()
    }

    /// The names of the measures, and the unit of each.
    #[getter]
    fn measures(&self) -> Vec<(String, &'static str)> {
        let recorded = self.0.trials().recorded();
        recorded.map(|(name, measure, _)| (name.to_owned(), measure.unit())).collect()
    }

    /// The expectations, as they are written.
    #[getter]
    fn expectations(&self) -> Vec<String> {
        self.0.trials().expectations()
    }

    /// Returns the scenario of a run, as a text that runs alone.
    fn scenario(&self, run: u64) -> PyResult<String> {
        let runs = self.0.runs();
        if run >= runs {
            return Err(errors::value_error(format!(
                "there is no run {run}: the sweep has {runs}, and they count from 0"
            )));
        }
        let source = self.0.trials().scenario(&self.0.trial(run)).map_err(errors::error)?;
        Ok(source.text.clone())
    }

    /// Runs all of them. Returns the columns of the table of runs, those of the measures over time, and the units of the margins.
    #[pyo3(signature = (progress=None, threads=0))]
    fn run<'py>(
        &self,
        py: Python<'py>,
        progress: Option<&Bound<'py, PyAny>>,
        threads: usize,
    ) -> PyResult<SweptTables<'py>> {
        let sweep = &self.0;
        let mut runs = Column::all(sweep.run_columns());
        let has_series = sweep.plan().sweep.every.is_some();
        let mut series = has_series.then(|| Column::all(sweep.series_columns()));
        let mut units: Vec<Option<&'static str>> = vec![None; sweep.trials().expectations().len()];
        watched(py, threads, sweep.runs(), progress, |watch| {
            let columns = runs.len();
            sweep.run(
                sweep.runs(),
                |number| number,
                &|| watch.is_stopped(),
                |run| {
                    Column::add(&mut runs, run.cells(columns));
                    for sample in &run.outcome.series {
                        if let Some(series) = &mut series {
                            Column::add(series, sample.cells(run.number));
                        }
                    }
                    for (unit, margin) in units.iter_mut().zip(&run.outcome.margins) {
                        *unit = unit.or(margin.value.map(|_| margin.unit));
                    }
                    watch.at(run.number + 1);
                    std::ops::ControlFlow::Continue(())
                },
            )
        })?;
        // Values that are strings are written with quotes.
        let values = 2..2 + sweep.plan().vary.len();
        runs[values].iter_mut().for_each(Column::unquote);
        let series = series.map(|series| Column::dict(py, series)).transpose()?;
        Ok((Column::dict(py, runs)?, series, units))
    }
}

/// Searches for the values that are best for the goals of a plan.
///
/// Returns what `flockwork tune --json` prints, the columns of the table of all tries, and the scenario of each row that was found.
#[pyfunction]
#[pyo3(signature = (plan, files=None, progress=None, threads=0))]
pub(crate) fn tune<'py>(
    py: Python<'py>,
    plan: PathBuf,
    files: Files,
    progress: Option<&Bound<'py, PyAny>>,
    threads: usize,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyDict>, Vec<String>)> {
    let tune = work::reading(py, || {
        let (file, open) = open(&plan, files)?;
        let scripts = ScriptsFolder::of_open_scenario(&file.scenario, &open);
        Tune::new(file.plan, &file.source, &scripts)
    });
    let tune = tune.map_err(errors::error)?;
    let (search, found, runs) = watched(py, threads, tune.max_runs(), progress, |watch| {
        let mut runs = 0;
        let stop = || watch.is_stopped();
        let mut ran = |_: Option<&TuneRun>| {
            runs += 1;
            watch.at(runs);
        };
        let search = tune.search(&stop, &mut ran)?;
        let found = tune.found(&search, &stop, &mut ran)?;
        watch.ends_at(runs);
        Ok((search, found, runs))
    })?;
    let outcome = TuneOutcome { tune: &tune, search: &search, found, runs, seconds: 0.0 };
    let filled = |index: usize| match index {
        0 => tune.trials().source().text.clone(),
        _ => tune.trials().filled(&search.evaluations[index].values).text.clone(),
    };
    let scenarios = outcome.found.iter().map(|found| filled(found.index)).collect();
    let mut result = outcome.json();
    if let Some(all) = result.as_object_mut() {
        all.remove("seconds");
    }
    let history = Column::dict(py, history(&outcome, &search))?;
    Ok((pythonize(py, &result)?, history, scenarios))
}

/// Returns the columns of the table of all tries.
fn history(outcome: &TuneOutcome<'_>, search: &Search) -> Vec<Column> {
    let front = search.front();
    let integer = |name: &str| (name.to_owned(), ColumnType::Integer);
    let mut columns = vec![integer("evaluation"), integer("restarts")];
    let tune = outcome.tune;
    let of_values = tune.paths().zip(tune.variations());
    columns.extend(of_values.map(|(path, of)| (path.to_owned(), of.column_type())));
    columns.extend(outcome.goals().map(|goal| (goal.to_string(), ColumnType::Double)));
    columns.push(integer("errors"));
    let has_constraints = !tune.plan().constraints.is_empty();
    if has_constraints {
        columns.push(integer("violations"));
    }
    columns.push(("best".to_owned(), ColumnType::Boolean));
    let mut columns = Column::all(columns);
    for (index, one) in search.evaluations.iter().enumerate() {
        let mut row = vec![index.to_string(), one.restarts.to_string()];
        row.extend(outcome.value_texts(index));
        let text = |value: Option<f64>| value.map_or_else(String::new, |x| x.to_string());
        row.extend(outcome.values(&one.scores).into_iter().map(text));
        row.push(one.errors.to_string());
        if has_constraints {
            row.push(one.violations.to_string());
        }
        row.push(front.contains(&index).to_string());
        Column::add(&mut columns, row);
    }
    let values = 2..2 + tune.variations().len();
    columns[values].iter_mut().for_each(Column::unquote);
    columns
}

/// What a hunt is told beside its files.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Hunting {
    runs: u64,
    seed: u64,
    keep: Vec<String>,
    near: Option<f32>,
    expect: Option<String>,
    against: Option<String>,
    shrink_runs: u64,
}

/// Looks for starts of a scenario that break its expectations, and makes each smaller.
///
/// plan: the path of a plan that names the scenario and what varies.
#[pyfunction]
#[pyo3(signature = (plan, hunting, files=None, progress=None, threads=0))]
pub(crate) fn hunt<'py>(
    py: Python<'py>,
    plan: PathBuf,
    hunting: Hunting,
    files: Files,
    progress: Option<&Bound<'py, PyAny>>,
    threads: usize,
) -> PyResult<Bound<'py, PyDict>> {
    let Hunting { runs, shrink_runs, seed, keep, near, expect, against } = hunting;
    let keep = keep.iter().map(|name| varied(name)).collect::<PyResult<_>>()?;
    let hunt = work::reading(py, || {
        let (PlanFile { plan, scenario, source }, open) = open(&plan, files)?;
        let options = HuntOptions { runs, seed, keep, near, expectation: expect, vary: plan.vary };
        let other = against.map(|version| other_version(&scenario, &version)).transpose()?;
        let scripts = ScriptsFolder::of_open_scenario(&scenario, &open);
        Hunt::new(options, &source, &scripts, other.as_deref())
    });
    let hunt = hunt.map_err(errors::error)?;
    let (search, shrunk) = watched(py, threads, runs, progress, |watch| {
        let stop = || watch.is_stopped();
        let search = hunt.search(&stop, &mut |done| watch.at(done), &mut |_| {})?;
        let shrunk = shrink(&hunt, &search, shrink_runs, watch)?;
        Ok((search, shrunk))
    })?;
    hunt_result(py, &hunt, &search, &shrunk)
}

/// Makes all starts that were found smaller.
fn shrink(
    hunt: &Hunt,
    search: &HuntResult,
    runs: u64,
    watch: &Watch,
) -> Result<Vec<Shrunk>, flockwork_engine::NoThreads> {
    let mut done = search.runs + search.law_runs;
    let mut shrunk = Vec::new();
    for (left, start) in (1..=search.found.len() as u64).rev().zip(&search.found) {
        watch.ends_at(done + left * runs);
        let stop = || watch.is_stopped();
        let one = hunt.shrink(start, runs, &stop, &mut |now| watch.at(done + now))?;
        done += one.runs;
        shrunk.push(one);
    }
    watch.ends_at(done);
    Ok(shrunk)
}

fn varied(name: &str) -> PyResult<Varied> {
    let known = Varied::ALL.into_iter().find(|one| one.name() == name);
    known.ok_or_else(|| {
        errors::value_error(format!(
            "`keep` has \"seed\", \"places\", \"counts\" or \"events\", not \"{name}\""
        ))
    })
}

fn hunt_result<'py>(
    py: Python<'py>,
    hunt: &Hunt,
    search: &HuntResult,
    shrunk: &[Shrunk],
) -> PyResult<Bound<'py, PyDict>> {
    let all = PyDict::new(py);
    let expectations = hunt.expectations();
    let share = search.share();
    all.set_item("runs", search.runs)?;
    all.set_item("random_runs", search.random)?;
    all.set_item("random_failed", search.random_failed)?;
    all.set_item("share", share.map(|(share, _)| number(share)))?;
    all.set_item("interval", share.map(|(_, [low, high])| (number(low), number(high))))?;
    all.set_item("corner_runs", search.corner)?;
    all.set_item("corner_failed", search.corner_failed)?;
    all.set_item("compared_runs", search.compared)?;
    all.set_item("same_in_both", search.same_in_both)?;
    all.set_item("failed_with_both", search.failed_with_both)?;
    all.set_item("unusable", search.unusable)?;
    all.set_item("misfit", &search.misfit)?;
    all.set_item("law_runs", search.law_runs)?;
    let laws = PyDict::new(py);
    for (law, why_not) in hunt.laws() {
        laws.set_item(law.name(), why_not)?;
    }
    all.set_item("laws", laws)?;
    all.set_item("margins", margins(py, hunt, search, &expectations)?)?;
    let failures = PyList::empty(py);
    for (start, shrunk) in search.found.iter().zip(shrunk) {
        failures.append(failure(py, hunt, start, shrunk, &expectations)?)?;
    }
    all.set_item("failures", failures)?;
    Ok(all)
}

/// Returns the columns of the smallest margins.
fn margins<'py>(
    py: Python<'py>,
    hunt: &Hunt,
    search: &HuntResult,
    expectations: &[String],
) -> PyResult<Bound<'py, PyDict>> {
    let columns = [
        ("expectation", ColumnType::String),
        ("margin", ColumnType::Double),
        ("unit", ColumnType::String),
        ("run", ColumnType::Integer),
        ("tick", ColumnType::Integer),
    ];
    let mut columns = Column::all(columns.map(|(name, of)| (name.to_owned(), of)).into());
    let judged = expectations.iter().enumerate().filter(|(index, _)| hunt.judges(*index));
    for (index, expectation) in judged {
        let mut row = vec![expectation.clone()];
        if let Some(margin) = search.margins.get(index).copied().flatten() {
            let numbers = [margin.value.to_string(), margin.unit.to_owned()];
            row.extend(numbers.into_iter().chain([margin.run, margin.tick].map(|x| x.to_string())));
        }
        row.resize(columns.len(), String::new());
        Column::add(&mut columns, row);
    }
    Column::dict(py, columns)
}

fn failure<'py>(
    py: Python<'py>,
    hunt: &Hunt,
    start: &FoundStart,
    shrunk: &Shrunk,
    expectations: &[String],
) -> PyResult<Bound<'py, PyDict>> {
    let one = PyDict::new(py);
    let of = &shrunk.failure;
    one.set_item("run", start.run)?;
    one.set_item("expectation", start.expectation().and_then(|index| expectations.get(index)))?;
    one.set_item("message", &of.message)?;
    one.set_item("tick", of.tick)?;
    one.set_item("agent", of.agent.map(|id| id.0))?;
    one.set_item("margin", of.margin.map(|(margin, _)| number(margin)))?;
    one.set_item("unit", of.margin.map(|(_, unit)| unit))?;
    one.set_item("scenario", &shrunk.text)?;
    one.set_item("found", &start.text)?;
    one.set_item("smallest", shrunk.is_smallest)?;
    one.set_item("shrink_runs", shrunk.runs)?;
    one.set_item("before", size(py, &shrunk.before)?)?;
    one.set_item("after", size(py, &shrunk.after)?)?;
    let finding = errors::findings(py, &[hunt.diagnostic(start)])?;
    one.set_item("finding", finding.get_item(0)?)?;
    Ok(one)
}

fn size<'py>(py: Python<'py>, of: &Size) -> PyResult<Bound<'py, PyDict>> {
    let Size { agents, groups, obstacles, paths, events, ticks } = *of;
    let all = PyDict::new(py);
    for (name, count) in [
        ("agents", agents as u64),
        ("groups", groups as u64),
        ("obstacles", obstacles as u64),
        ("paths", paths as u64),
        ("events", events as u64),
        ("ticks", ticks),
    ] {
        all.set_item(name, count)?;
    }
    Ok(all)
}
