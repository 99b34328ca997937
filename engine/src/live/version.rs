//! A version: a set of files that run together, and the start of their run.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use super::param_notes::{ParamNotes, param_notes};
use crate::diag::{Diagnostic, Diagnostics, Source};
use crate::load::{OpenFiles, ScriptsFolder};
use crate::runner::{Options, Run};
use crate::scenario::{FullPart, Handle, Scenario, Template, TemplateValue};
use crate::script::Library;
use crate::sim::{Simulation, SpawnShape};
use crate::suite::RecordingLibrary;
use crate::world::{Value, Values};

/// The name that the number of agents of a group has among the values that the user sets. No script reads it.
pub const COUNT: &str = "number of agents";

/// A set of files, and the run that they describe.
pub(super) struct Version {
    /// The run, at its start.
    pub(super) run: Run,
    /// The files that were read.
    pub(super) files: VersionFiles,
    /// The scenario that runs: that of the files, with the session's own values in it.
    pub(super) scenario: Arc<Source>,
    /// The places of the scene that are written in the scenario, once they have been requested.
    handles: OnceLock<Arc<[Handle]>>,
    /// The parts of the scene that cannot have another place, once they have been requested.
    full_parts: OnceLock<Arc<[FullPart]>>,
    /// The expectations in words, once they have been requested.
    expectations: OnceLock<Arc<[ListedExpectation]>>,
    /// The params that are written in the scenario file, once they have been requested.
    file_params: OnceLock<Arc<BTreeMap<String, Values>>>,
    /// How the scenario file says that its run begins, once it has been requested.
    written_setup: OnceLock<WrittenSetup>,
    /// What the files say of params, once it has been requested.
    param_notes: OnceLock<Arc<ParamNotes>>,
    /// Whether any behavior reads `world.cursor`.
    pub(super) reads_cursor: bool,
}

/// An expectation of the files that run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedExpectation {
    /// How it is written, in one line.
    pub text: String,
    /// The unit of its margins; empty if they have none.
    pub unit: &'static str,
}

/// How a scenario file says that its run begins.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct WrittenSetup {
    pub(super) seed: u64,
    /// The largest number of agents of all groups together.
    pub(super) max_agents: usize,
    /// The numbers of agents of the groups for which another number can be written.
    pub(super) counts: BTreeMap<String, u32>,
}

impl WrittenSetup {
    /// Reads a scenario.
    ///
    /// # Errors
    ///
    /// If the scenario cannot be read.
    pub(super) fn new(scenario: &Arc<Source>) -> Result<Self, Diagnostics> {
        let setup = Scenario::parse(scenario)?.setup;
        // A run that begins in the middle has the agents of its start.
        let groups = setup.groups.iter().filter(|_| setup.start.is_none());
        let is_listed =
            |shape: &SpawnShape| matches!(shape, SpawnShape::Points(_) | SpawnShape::Agents(_));
        let counts = groups.filter(|(_, spawn)| !is_listed(&spawn.shape));
        let counts = counts.map(|(group, spawn)| (group.name.to_string(), spawn.count));
        Ok(Self { seed: setup.seed, max_agents: setup.max_agents, counts: counts.collect() })
    }
}

/// The files of a version: the scenario, and the scripts by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct VersionFiles {
    pub(super) scenario: Arc<Source>,
    pub(super) scripts: BTreeMap<String, Arc<Source>>,
}

impl Version {
    /// Reads a scenario and its scripts and creates the run, with other values at some paths of the scenario. Open files are read in
    /// place of those on disk.
    ///
    /// # Errors
    ///
    /// All errors in the files, and paths that lead nowhere.
    pub(super) fn read(
        path: &Path,
        options: &Options,
        values: &[(String, TemplateValue)],
        open: &Arc<OpenFiles>,
    ) -> Result<Self, Diagnostics> {
        let file = open.read(path)?;
        let scenario = filled(&file, values)?;
        let folder = ScriptsFolder::of_open_scenario(path, open);
        let scripts = RecordingLibrary::new(&folder);
        let mut run = Run::new(&scenario, &scripts, options)?;
        run.simulation_mut().note_news();
        let files = VersionFiles { scenario: file, scripts: scripts.scripts() };
        let (handles, full_parts) = (OnceLock::new(), OnceLock::new());
        let (expectations, file_params) = (OnceLock::new(), OnceLock::new());
        let (param_notes, written_setup) = (OnceLock::new(), OnceLock::new());
        let reads_cursor = run.reads_cursor();
        Ok(Self {
            handles,
            full_parts,
            expectations,
            file_params,
            param_notes,
            written_setup,
            reads_cursor,
            run,
            files,
            scenario,
        })
    }

    /// Returns a param of a group at the start.
    pub(super) fn param(&self, group: &str, param: &str) -> Option<&Value> {
        let world = self.start().world();
        let id = world.names().group(group)?;
        world.group(id).params.get(param)
    }

    /// Returns the places of the scene that are written in the scenario.
    pub(super) fn handles(&self) -> &Arc<[Handle]> {
        self.handles.get_or_init(|| Handle::all(&self.files.scenario).into())
    }

    /// Returns the params of each group that are written in the scenario file, and the numbers of agents that can be set.
    pub(super) fn file_params(&self) -> &Arc<BTreeMap<String, Values>> {
        self.file_params.get_or_init(|| {
            let mut all = written_params(&self.files.scenario).unwrap_or_default();
            for (group, count) in &self.written_setup().counts {
                let count = Value::Int((*count).into());
                all.entry(group.clone()).or_default().set(COUNT, count);
            }
            all.into()
        })
    }

    /// Returns how the scenario file says that its run begins.
    pub(super) fn written_setup(&self) -> &WrittenSetup {
        self.written_setup
            .get_or_init(|| WrittenSetup::new(&self.files.scenario).unwrap_or_default())
    }

    /// Returns what the files say of the params of each group.
    pub(super) fn param_notes(&self) -> &Arc<ParamNotes> {
        self.param_notes.get_or_init(|| param_notes(&self.files.scenario, &self.run).into())
    }

    /// Returns the parts of the scene that cannot have another place.
    pub(super) fn full_parts(&self) -> &Arc<[FullPart]> {
        self.full_parts.get_or_init(|| FullPart::all(&self.files.scenario).into())
    }

    /// Returns the expectations in words.
    pub(super) fn expectations(&self) -> &Arc<[ListedExpectation]> {
        self.expectations.get_or_init(|| {
            let all = self.run.expectations().iter();
            all.map(|one| ListedExpectation { text: one.to_string(), unit: one.unit() }).collect()
        })
    }

    /// Returns the simulation at the start.
    pub(super) fn start(&self) -> &Simulation {
        self.run.simulation()
    }
}

/// Returns the params of each group that are written in a scenario.
///
/// # Errors
///
/// If the scenario cannot be read.
pub(super) fn written_params(
    scenario: &Arc<Source>,
) -> Result<BTreeMap<String, Values>, Diagnostic> {
    let setup = Scenario::parse(scenario).map_err(Diagnostics::into_first)?.setup;
    // A run that begins in the middle has the params of its start.
    let started = |place: usize| setup.start.as_ref().map(|start| &start.groups[place].params);
    let groups = setup.groups.iter().enumerate();
    let params = groups.map(|(place, (group, _))| {
        (group.name.to_string(), started(place).unwrap_or(&group.params).clone())
    });
    Ok(params.collect())
}

/// Returns a scenario with other values at some paths.
fn filled(
    source: &Arc<Source>,
    values: &[(String, TemplateValue)],
) -> Result<Arc<Source>, Diagnostic> {
    if values.is_empty() {
        return Ok(Arc::clone(source));
    }
    let (paths, values): (Vec<&str>, Vec<TemplateValue>) =
        values.iter().map(|(path, value)| (path.as_str(), value.clone())).unzip();
    let template = Template::new(source, &paths).map_err(|(_, error)| error)?;
    Ok(template.fill(&values))
}

impl VersionFiles {
    /// Returns true if the files have not changed.
    pub(super) fn are_unchanged(&self, path: &Path, open: &Arc<OpenFiles>) -> bool {
        open.read(path).is_ok_and(|now| now.text == self.scenario.text)
            && self.are_scripts_unchanged(path, open)
    }

    /// Returns true if the scripts have not changed.
    pub(super) fn are_scripts_unchanged(&self, path: &Path, open: &Arc<OpenFiles>) -> bool {
        let folder = ScriptsFolder::of_open_scenario(path, open);
        let mut scripts = self.scripts.iter();
        scripts.all(
            |(name, before)| matches!(folder.read(name), Ok(Some(now)) if now.text == before.text),
        )
    }
}
