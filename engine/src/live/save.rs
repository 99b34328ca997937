//! Saves the results of interactive work: params into the scenario file, the current state as a new scenario.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Session;
use super::settings::ParamSetting;
use super::version::written_params;
use crate::diag::{Diagnostic, Diagnostics};
use crate::expect::{Judge, RunPart};
use crate::load::{self, GOLDEN_EXTENSION, OutputFile, SCENARIO_EXTENSION};
use crate::scenario::text_parts::with_part;
use crate::scenario::{continuation, set_params};
use crate::sim::{Action, Event};
use crate::suite::{Case, update};
use crate::world::Value;

/// Number of ticks that a scenario saved at the end of the history runs.
const EXTRA_TICKS: u64 = 600;

/// A scenario that has been saved.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SavedScenario {
    /// The scenario file.
    pub path: PathBuf,
    /// The tick at which it ends.
    pub end: u64,
    /// A message to the user, if something is not saved as wanted.
    pub caveat: Option<String>,
}

/// A scenario that begins at a tick of a run and is not written yet.
#[derive(Clone, Debug)]
pub struct UnsavedScenario {
    /// A path at which there is no file yet.
    pub path: PathBuf,
    /// The text of the scenario.
    pub text: String,
    /// The tick at which it ends.
    pub end: u64,
}

impl Session {
    /// Writes the params that the user has set, with the values that were set last, into the scenario file, and nothing
    /// else. Returns how many of them differ from the file. [`Session::undo_written_params`] takes it back.
    ///
    /// # Errors
    ///
    /// If the file does not run or cannot be written. It is unchanged then.
    pub fn write_params(&mut self) -> Result<usize, Diagnostic> {
        self.write(|_| true, None)
    }

    /// Does what [`Session::write_params`] does with some of the params.
    ///
    /// # Errors
    ///
    /// As there.
    pub fn write_params_where(
        &mut self,
        is_wanted: impl Fn(&ParamSetting) -> bool,
    ) -> Result<usize, Diagnostic> {
        self.write(is_wanted, None)
    }

    /// Does what [`Session::write_params`] does, and writes the seed of the run, which counts as one more.
    ///
    /// # Errors
    ///
    /// As there.
    pub fn write_params_and_seed(&mut self) -> Result<usize, Diagnostic> {
        self.write(|_| true, Some(self.seed()).filter(|seed| *seed != self.file_seed()))
    }

    fn write(
        &mut self,
        is_wanted: impl Fn(&ParamSetting) -> bool,
        seed: Option<u64>,
    ) -> Result<usize, Diagnostic> {
        let (file, source) = (Arc::clone(self.newest_scenario()), Arc::clone(self.newest_filled()));
        let there = self.read_scenario()?;
        if there.text != file.text {
            let places = self.errors().iter().filter_map(|error| error.place.as_ref());
            let with_error = places.map(|place| &place.source.name).next();
            let why = match with_error {
                Some(name) if *name != source.name => {
                    format!("does not run because of an error in {name}")
                }
                _ => "does not run".to_owned(),
            };
            let name = &source.name;
            return Err(Diagnostic::error(format!(
                "{name} was changed and {why}, so no params were written to it"
            ))
            .help("fix the error first"));
        }
        let written = written_params(&source)?;
        let settings = self.settings();
        let is_changed = |one: &&ParamSetting| {
            let written = written.get(&one.group).and_then(|params| params.get(&one.param));
            is_wanted(one) && written.is_some_and(|written| *written != one.value)
        };
        let changes = settings.iter().filter(is_changed);
        let changes: Vec<(&str, &str, Value)> = changes
            .map(|one| (one.group.as_str(), one.param.as_str(), one.value.clone()))
            .collect();
        let is_filled = file.text != source.text;
        let filled = if is_filled { self.value_count() } else { 0 };
        let count = changes.len() + filled + usize::from(seed.is_some());
        if count > 0 {
            let notes = self.param_notes();
            let is_for_others = |group: &str, param: &str| {
                let note = notes.get(group).and_then(|of| of.get(param));
                note.is_some_and(|note| note.is_for_others)
            };
            let mut text = set_params(&source, &changes, is_for_others)?;
            if let Some(seed) = seed {
                text = with_part(&text, &["seed".to_owned()], &seed.to_string()).unwrap_or(text);
            }
            let before = there.text.clone();
            self.write_scenario(there, &text)?;
            self.note_file_edit(before, text);
            self.accept_written_files();
        }
        Ok(count)
    }

    /// Saves the current state as a new scenario beside the one that runs. It contains what the user did from this tick on,
    /// and ends at a tick that is later than this one; with `None`, at the end of the history. It ends at the next edit in any
    /// case. If `is_test`, writes a golden too. The file has this name, without its extension; with `None`, it is named after
    /// the tick, and no other file has its name yet.
    ///
    /// # Errors
    ///
    /// If there are no agents and no event makes any, if the name is not one of a file or is in use, or if the scenario cannot
    /// be written.
    pub fn save(
        &self,
        is_test: bool,
        end: Option<u64>,
        name: Option<&str>,
    ) -> Result<SavedScenario, Diagnostic> {
        let UnsavedScenario { path, text, end } = self.unsaved(end)?;
        let path = name.map_or(Ok(path), |name| self.path_named(name))?;
        OutputFile::create_new(&path)?.write_whole(&text)?;
        let mut caveat = (!self.are_scripts_unchanged()).then(|| {
            "it runs with the scripts that are on disk, which differ from those here".to_owned()
        });
        if is_test && let Err(errors) = self.write_golden(&path) {
            let why = errors.into_first().message;
            caveat = Some(format!("there is no golden: {why}"));
        }
        Ok(SavedScenario { path, end, caveat })
    }

    /// Returns what [`save`](Self::save) would write.
    ///
    /// # Errors
    ///
    /// If there are no agents and no event makes any, or if the scenario would be too large.
    pub fn unsaved(&self, end: Option<u64>) -> Result<UnsavedScenario, Diagnostic> {
        let tick = self.tick();
        if !self.has_agents_from_here() {
            let none = format!("there are no agents to save at tick {tick}");
            return Err(Diagnostic::error(none).help("go to a tick that has agents"));
        }
        let next_edit = self.history().next_edit(tick);
        let last = next_edit.unwrap_or(self.end());
        let end = match end.filter(|end| *end > tick) {
            Some(end) => next_edit.map_or(end, |edit| edit.min(end)),
            None if last > tick => last,
            None => tick + EXTRA_TICKS,
        };
        let name = format!("{}, from tick {tick}", self.name());
        let input = self.input_from(tick);
        let text = continuation(self.scenario(), self.simulation(), &input, end, &name)?;
        let path = self.unused_path();
        load::check_size(&path, text.len() as u64)?;
        Ok(UnsavedScenario { path, text, end })
    }

    /// Returns whether an expectation that fails at the current tick also fails in a scenario that [`Session::save`] saves
    /// here. It does not if it depends on earlier ticks.
    pub fn fails_from_here(&self, expectation: usize) -> bool {
        let (tick, run) = (self.tick(), self.run());
        let part = RunPart { from: tick, end: tick + 1, whole_end: run.ticks() };
        let all = run.expectations();
        all.get(expectation).is_some_and(|one| one.why_skipped(part).is_none())
            && Judge::new(all, self.simulation(), false).has_failed(expectation)
    }

    /// Returns whether there are agents, or an event makes some later.
    fn has_agents_from_here(&self) -> bool {
        let (tick, simulation) = (self.tick(), self.simulation());
        let makes_some = |event: &Event| {
            matches!(event.action, Action::Spawn { count: 1.., .. })
                && event.when.happens_since(tick)
        };
        !simulation.world().agents.is_empty() || simulation.events().iter().any(makes_some)
    }

    fn write_golden(&self, path: &Path) -> Result<(), Diagnostics> {
        let case = Case::open(path);
        let tested = case.test();
        // Expectations that do not hold are no obstacle: such a run is often the very test that is wanted.
        let Some(mut header) = tested.header else {
            return Err(tested.errors.into());
        };
        header.reason = format!("saved at tick {} of {}", self.tick(), self.name());
        update(&case, &header).map(|_| ())
    }

    /// Returns the name, without its extension, of the scenario that [`save`](Self::save) saves at the current tick, if no file
    /// has it yet.
    pub fn usual_save_name(&self) -> String {
        let stem = self.path().file_stem().unwrap_or_default();
        format!("{}_at_{}", stem.to_string_lossy(), self.tick())
    }

    /// Returns the path of a scenario beside the one that runs.
    fn path_named(&self, name: &str) -> Result<PathBuf, Diagnostic> {
        let ending = format!(".{SCENARIO_EXTENSION}");
        let stem = name.trim().trim_end_matches(&ending);
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ' ');
        if stem.is_empty() || stem.starts_with(['.', '-']) || !stem.chars().all(is_part) {
            return Err(Diagnostic::error(format!("`{name}` is not a name of a file"))
                .help("write letters, digits, `_`, `-`, `.` and spaces, such as stuck_at_door: it is written beside the scenario"));
        }
        let path = self.path().with_file_name(format!("{stem}{ending}"));
        if path.exists() || path.with_extension(GOLDEN_EXTENSION).exists() {
            return Err(Diagnostic::error(format!(
                "there is a file {stem}{ending} or its golden already"
            ))
            .help("give another name"));
        }
        Ok(path)
    }

    /// Returns a path at which there is no file yet.
    fn unused_path(&self) -> PathBuf {
        let stem = self.usual_save_name();
        let path = |stem: &str| self.path().with_file_name(format!("{stem}.{SCENARIO_EXTENSION}"));
        let others = (2..).map(|number| path(&format!("{stem}_{number}")));
        let mut all = std::iter::once(path(&stem)).chain(others);
        let is_unused =
            |path: &PathBuf| !path.exists() && !path.with_extension(GOLDEN_EXTENSION).exists();
        all.find(is_unused).unwrap_or_else(|| path(&stem))
    }
}
