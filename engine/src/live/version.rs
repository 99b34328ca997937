//! One state of the files, and how a run of it begins.

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

/// The files as they were read, and what they make.
pub(super) struct Version {
    /// A scenario that can run, at its start.
    pub(super) run: Run,
    /// What was read for it.
    pub(super) files: VersionFiles,
    /// Whether any behavior reads `world.cursor`.
    pub(super) reads_cursor: bool,
}

/// What was read: the scenario, and the scripts by their names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct VersionFiles {
    pub(super) scenario: Arc<Source>,
    pub(super) scripts: BTreeMap<String, Arc<Source>>,
}

impl Version {
    /// Reads the files of a scenario file and makes the run.
    ///
    /// # Errors
    ///
    /// All that is wrong with them.
    pub(super) fn read(path: &Path, options: &Options) -> Result<Self, Diagnostics> {
        let scenario = load::read(path)?;
        let folder = ScriptsFolder::of_scenario(path);
        let scripts = RecordingLibrary::new(&folder);
        let run = Run::new(&scenario, &scripts, options)?;
        let files = VersionFiles { scenario, scripts: scripts.scripts() };
        Ok(Self { reads_cursor: run.reads_cursor(), run, files })
    }

    /// What a param of a group is at the start.
    pub(super) fn param(&self, group: &str, param: &str) -> Option<&Value> {
        let world = self.start().world();
        let id = world.group_named(group)?;
        world.group(id).params.get(param)
    }

    /// The world as it begins.
    pub(super) fn start(&self) -> &Simulation {
        self.run.simulation()
    }
}

impl VersionFiles {
    /// Whether the files still say the same.
    pub(super) fn are_unchanged(&self, path: &Path) -> bool {
        load::read(path).is_ok_and(|now| now.text == self.scenario.text)
            && self.are_scripts_unchanged(path)
    }

    /// Whether the files of the scripts still say the same.
    pub(super) fn are_scripts_unchanged(&self, path: &Path) -> bool {
        let folder = ScriptsFolder::of_scenario(path);
        let mut scripts = self.scripts.iter();
        scripts.all(
            |(name, before)| matches!(folder.read(name), Ok(Some(now)) if now.text == before.text),
        )
    }
}
