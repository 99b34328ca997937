//! A scenario with its scripts, from files on disk or texts in memory.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use flockwork_engine::diag::Source;
use flockwork_engine::load::{
    OpenFiles, SCENARIO_EXTENSION, SCRIPT_EXTENSION, SCRIPTS_FOLDER, ScriptsFolder,
};
use flockwork_engine::script::{Library, Scripts};
use flockwork_engine::suite::RecordingLibrary;
use flockwork_engine::{Diagnostic, Diagnostics, Options, Run, runner};
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::{errors, work};

/// A scenario and the scripts that it reads.
#[derive(Clone)]
pub(crate) struct Project {
    /// The name of the file without its ending, for scenarios without a name.
    pub(crate) stem: String,
    pub(crate) scenario: Arc<Source>,
    pub(crate) scripts: BTreeMap<String, Arc<Source>>,
    /// Where they come from.
    pub(crate) files: Files,
}

/// The text of a scenario, the name of its file without its ending, and the scripts that it may read.
pub(crate) type ReadFiles = (Arc<Source>, String, Box<dyn Library>);

/// Where files come from.
#[derive(Clone)]
pub(crate) enum Files {
    /// A scenario on disk, and files that are read in place of those on disk.
    OnDisk(PathBuf, Arc<OpenFiles>),
    /// Texts of a scenario and of scripts by name.
    InMemory(Arc<Source>, Scripts),
}

impl Files {
    /// Returns the files of a scenario at a path; `files` are texts in place of those on disk.
    pub(crate) fn at(path: PathBuf, files: Option<BTreeMap<PathBuf, String>>) -> Self {
        let mut open = OpenFiles::default();
        for (path, text) in files.unwrap_or_default() {
            open.open(&path, &text);
        }
        Self::OnDisk(path, Arc::new(open))
    }

    /// Returns the files with a scenario as a text, and scripts by name.
    pub(crate) fn of_texts(
        scenario: &str,
        scripts: Option<BTreeMap<String, String>>,
        name: &str,
    ) -> Self {
        let scripts = scripts.unwrap_or_default().into_iter().map(|(name, text)| {
            let name = name.strip_suffix(".rhai").map(str::to_owned).unwrap_or(name);
            let source = errors::source(&name, &text);
            (name, source)
        });
        let scripts: BTreeMap<String, Arc<Source>> = scripts.collect();
        Self::InMemory(errors::source(name, scenario), Scripts::from(scripts))
    }

    /// Reads the scenario. Returns it with the name of its file, and the scripts that it may read.
    pub(crate) fn read(&self) -> Result<ReadFiles, Diagnostics> {
        match self {
            Self::InMemory(scenario, _) if is_path(&scenario.text) => {
                let what = format!("`{}` is a path, not the text of a scenario", scenario.text);
                Err(Diagnostic::error(what).help("`load` takes the path of a file").into())
            }
            Self::InMemory(scenario, scripts) => Ok((
                Arc::clone(scenario),
                stem(Path::new(&scenario.name)),
                Box::new(scripts.clone()),
            )),
            Self::OnDisk(path, open) => {
                if path.extension().is_none_or(|extension| extension != SCENARIO_EXTENSION) {
                    let what =
                        format!("{} is not a scenario: it does not end in .ron", path.display());
                    return Err(Diagnostic::error(what)
                        .help(
                            "`load` takes the path of a file; `loads` takes the text of a scenario",
                        )
                        .into());
                }
                let scripts = ScriptsFolder::of_open_scenario(path, open);
                Ok((open.read(path)?, stem(path), Box::new(scripts)))
            }
        }
    }

    /// Returns the errors and warnings in the files.
    fn check(&self) -> Diagnostics {
        match self {
            Self::OnDisk(path, open) => runner::check_open(path, open).findings,
            Self::InMemory(scenario, scripts) => {
                let mut open = OpenFiles::default();
                // A folder that need not be there has no path without links.
                let folder = std::env::current_dir().unwrap_or_default();
                for name in scripts.names() {
                    if let Ok(Some(source)) = scripts.read(&name) {
                        let file = format!("{name}.{SCRIPT_EXTENSION}");
                        let path = folder.join(SCRIPTS_FOLDER).join(file);
                        open.open(&path, &source.text);
                    }
                }
                let path = folder.join(&scenario.name);
                open.open(&path, &scenario.text);
                runner::check_open(&path, &Arc::new(open)).findings
            }
        }
    }

    /// Starts a run, and returns it with the files that it has read.
    pub(crate) fn start(&self, options: &Options) -> Result<(Run, Project), Diagnostics> {
        let (scenario, stem, scripts) = self.read()?;
        let recording = RecordingLibrary::new(&*scripts);
        let run = Run::new(&scenario, &recording, options)?;
        let scripts = recording.scripts();
        Ok((run, Project { stem, scenario, scripts, files: self.clone() }))
    }
}

impl Project {
    /// Returns the errors and warnings in the files as they are now.
    pub(crate) fn check(&self) -> Diagnostics {
        self.files.check()
    }

    /// Starts another run of the same files.
    pub(crate) fn start(&self, options: &Options) -> Result<Run, Diagnostics> {
        Run::new(&self.scenario, &Scripts::from(self.scripts.clone()), options)
    }
}

/// Returns whether what should be a scenario is a path, by mistake.
fn is_path(text: &str) -> bool {
    !text.contains(['(', '\n']) && text.ends_with(".ron")
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// Finds errors and warnings in a scenario and its scripts without running more than the first turns, as `flockwork check` does.
///
/// scenario: the path of a scenario, a string or any other path.
/// files: texts by path that are read in place of files on disk.
///
/// Returns a list of findings, each a dictionary with `severity`, `code`, `message`, `place` (file, lines and columns from 1), `help`,
/// `fixes` and the `text` that the program prints. The list is empty if all is well.
#[pyfunction]
#[pyo3(signature = (scenario, *, files=None))]
pub(crate) fn check(
    py: Python<'_>,
    scenario: PathBuf,
    files: Option<BTreeMap<PathBuf, String>>,
) -> PyResult<Py<PyList>> {
    let files = Files::at(scenario, files);
    let found = work::reading(py, || files.check());
    Ok(errors::findings(py, &found)?.unbind())
}
