//! Writing down what was found by hand: params into the scenario, a moment as a scenario of its own.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Session;
use crate::diag::{Diagnostic, Diagnostics};
use crate::load::{self, GOLDEN_ENDING, OutputFile, SCENARIO_ENDING};
use crate::scenario::{Scenario, continuation, set_params};
use crate::suite::{Case, update};
use crate::world::Value;

/// A moment at the end of time is saved with so many ticks to come.
const EXTRA_TICKS: u64 = 600;

/// What has been saved.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SavedScenario {
    /// The scenario.
    pub path: PathBuf,
    /// Why it is less than what was wanted, if it is.
    pub caveat: Option<String>,
}

impl Session {
    /// Writes the params that were set by hand, as they are at this moment, into the scenario's file, and
    /// nothing else. How many are others than were written there.
    ///
    /// # Errors
    ///
    /// If the file does not run, or cannot be written; it then stays as it is.
    pub fn write_params(&mut self) -> Result<usize, Diagnostic> {
        let source = Arc::clone(self.newest_scenario());
        let there = load::read(self.path())?;
        if there.text != source.text {
            return Err(Diagnostic::error(format!(
                "{} has been changed and does not run: its params stay as they are",
                source.name
            ))
            .help("fix it first"));
        }
        let written = Scenario::parse(&source).map_err(Diagnostics::into_first)?;
        let world = self.simulation().world();
        let mut changes: Vec<(&str, &str, Value)> = Vec::new();
        let params = self.params();
        for (group, param) in self.tuned() {
            let place = world.group_named(group).map(|id| usize::from(id.0));
            let now = place.and_then(|place| params[place].get(param));
            let mut groups = written.setup.groups.iter();
            let then = groups.find(|(of, _)| *of.name == *group);
            let then = then.and_then(|(of, _)| of.params.get(param));
            if let (Some(now), Some(then)) = (now, then)
                && now != then
            {
                changes.push((group, param, now.clone()));
            }
        }
        let count = changes.len();
        if count > 0 {
            let text = set_params(&source, &changes)?;
            write(OutputFile::rewrite(self.path(), there)?, self.path(), &text)?;
            self.accept_written_files();
        }
        Ok(count)
    }

    /// Saves this moment as a scenario beside the one that runs, with what was done by hand from here on to
    /// the end of time, or to the next edit; as a test with the golden of its run too. The file is a new one,
    /// and named after the tick.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn save(&self, is_test: bool) -> Result<SavedScenario, Diagnostic> {
        let tick = self.tick();
        let end = if self.version_end() > tick { self.version_end() } else { tick + EXTRA_TICKS };
        let name = format!("{}, from tick {tick}", self.name());
        let input = self.input_from(tick);
        let text = continuation(self.scenario(), self.simulation(), &input, end, &name)?;
        let path = self.unused_path(tick);
        load::check_size(&path, text.len() as u64)?;
        write(OutputFile::create_new(&path)?, &path, &text)?;
        let mut caveat = (!self.are_scripts_unchanged())
            .then(|| "it runs with the scripts as they are in their files now".to_owned());
        if is_test && let Err(errors) = self.write_golden(&path) {
            let why = errors.into_first().message;
            caveat = Some(format!("there is no golden: {why}"));
        }
        Ok(SavedScenario { path, caveat })
    }

    fn write_golden(&self, path: &Path) -> Result<(), Diagnostics> {
        let case = Case::open(path);
        let tested = case.test();
        // A run that does not meet its expectations is the very test that is wanted.
        let Some(mut header) = tested.header else {
            return Err(tested.errors.into());
        };
        header.reason = format!("saved at tick {} of {}", self.tick(), self.name());
        update(&case, &header).map(|_| ())
    }

    /// Where there is no file yet.
    fn unused_path(&self, tick: u64) -> PathBuf {
        let stem = self.path().file_stem().unwrap_or_default();
        let stem = format!("{}_at_{tick}", stem.to_string_lossy());
        let path = |stem: &str| self.path().with_file_name(format!("{stem}.{SCENARIO_ENDING}"));
        let others = (2..).map(|number| path(&format!("{stem}_{number}")));
        let mut all = std::iter::once(path(&stem)).chain(others);
        let is_unused =
            |path: &PathBuf| !path.exists() && !path.with_extension(GOLDEN_ENDING).exists();
        all.find(is_unused).unwrap_or_else(|| path(&stem))
    }
}

fn write(mut file: OutputFile, path: &Path, text: &str) -> Result<(), Diagnostic> {
    file.write_all(text.as_bytes()).map_err(|error| OutputFile::error(path, &error))?;
    file.commit()
}
