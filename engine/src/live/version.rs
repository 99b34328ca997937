//! A version: a set of files that run together, and the start of their run.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use crate::diag::{Diagnostics, Source};
use crate::load::{self, ScriptsFolder};
use crate::runner::{Options, Run};
use crate::script::Library;
use crate::sim::Simulation;
use crate::suite::RecordingLibrary;
use crate::world::Value;

/// A set of files, and the run that they describe.
pub(super) struct Version {
    /// The run, at its start.
    pub(super) run: Run,
    /// The files that were read.
    pub(super) files: VersionFiles,
    /// Whether any behavior reads `world.cursor`.
    pub(super) reads_cursor: bool,
}

/// The files of a version: the scenario, and the scripts by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct VersionFiles {
    pub(super) scenario: Arc<Source>,
    pub(super) scripts: BTreeMap<String, Arc<Source>>,
}

impl Version {
    /// Reads a scenario and its scripts and creates the run.
    ///
    /// # Errors
    ///
    /// All errors in the files.
    pub(super) fn read(path: &Path, options: &Options) -> Result<Self, Diagnostics> {
        let scenario = load::read(path)?;
        let folder = ScriptsFolder::of_scenario(path);
        let scripts = RecordingLibrary::new(&folder);
        let run = Run::new(&scenario, &scripts, options)?;
        let files = VersionFiles { scenario, scripts: scripts.scripts() };
        Ok(Self { reads_cursor: run.reads_cursor(), run, files })
    }

    /// Returns a param of a group at the start.
    pub(super) fn param(&self, group: &str, param: &str) -> Option<&Value> {
        let world = self.start().world();
        let id = world.group_named(group)?;
        world.group(id).params.get(param)
    }

    /// Returns the simulation at the start.
    pub(super) fn start(&self) -> &Simulation {
        self.run.simulation()
    }
}

impl VersionFiles {
    /// Returns true if the files on disk have not changed.
    pub(super) fn are_unchanged(&self, path: &Path) -> bool {
        load::read(path).is_ok_and(|now| now.text == self.scenario.text)
            && self.are_scripts_unchanged(path)
    }

    /// Returns true if the scripts on disk have not changed.
    pub(super) fn are_scripts_unchanged(&self, path: &Path) -> bool {
        let folder = ScriptsFolder::of_scenario(path);
        let mut scripts = self.scripts.iter();
        scripts.all(
            |(name, before)| matches!(folder.read(name), Ok(Some(now)) if now.text == before.text),
        )
    }
}
