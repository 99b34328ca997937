//! Writing down what was found by hand: params into the scenario, a moment as a scenario of its own.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::Session;
use crate::diag::Diagnostic;
use crate::load::{self, OutputFile, SCENARIO_ENDING};
use crate::scenario::{Scenario, continued, set_params};
use crate::suite::{Case, update};
use crate::world::Value;

/// A moment at the end of time is saved with so many ticks to come.
const MORE_TICKS: u64 = 600;

impl Session {
    /// Writes the params that were set by hand, as they are at this moment, into the scenario's file, and
    /// nothing else. How many are others than were written there.
    ///
    /// # Errors
    ///
    /// If the file says something else than what runs, or cannot be written; the file then stays as it is.
    pub fn write_params(&self) -> Result<usize, Diagnostic> {
        let source = self.scenario();
        let there = load::read(self.path())?;
        if there.text != source.text {
            return Err(Diagnostic::error(format!(
                "{} has been changed and does not run: its params stay as they are",
                source.name
            ))
            .help("mend it first"));
        }
        let written = Scenario::parse(source).map_err(|mut errors| errors.remove(0))?;
        let world = self.simulation().world();
        let mut changes: Vec<(&str, &str, Value)> = Vec::new();
        let params = self.params();
        for (group, param) in self.tuned() {
            let place = world.group_named(group).map(|id| usize::from(id.0));
            let now = place.and_then(|place| params[place].get(param));
            let then = place.and_then(|place| written.setup.groups[place].0.params.get(param));
            if let (Some(now), Some(then)) = (now, then)
                && now != then
            {
                changes.push((group, param, now.clone()));
            }
        }
        if changes.is_empty() {
            return Ok(0);
        }
        let text = set_params(source, &changes)?;
        write(self.path(), &text)?;
        Ok(changes.len())
    }

    /// Saves this moment as a scenario beside the one that runs, with what was done by hand from here on to
    /// the end of time; as a test with the golden of its run too. The file is a new one, and named after the
    /// tick.
    ///
    /// # Errors
    ///
    /// If it cannot be written, or does not run as a test.
    pub fn save(&self, is_test: bool) -> Result<PathBuf, Vec<Diagnostic>> {
        let one = |error| vec![error];
        let tick = self.tick();
        let end = if self.end() > tick {
            self.end()
        } else {
            tick + MORE_TICKS
        };
        let name = format!("{}, from tick {tick}", self.name());
        let input = self.input_from(tick);
        let text =
            continued(self.scenario(), self.simulation(), &input, end, &name).map_err(one)?;
        let path = self.unused_path(tick);
        write(&path, &text).map_err(one)?;
        if is_test {
            let case = Case::open(&path);
            let tested = case.test();
            // A run that does not meet its expectations is the very test that is wanted.
            let Some(mut header) = tested.header else {
                return Err(tested.errors);
            };
            header.reason = format!("saved at tick {tick} of {}", self.name());
            update(&case, &header)?;
        }
        Ok(path)
    }

    /// Where there is no file yet.
    fn unused_path(&self, tick: u64) -> PathBuf {
        let stem = self.path().file_stem().unwrap_or_default();
        let stem = format!("{}_at_{tick}", stem.to_string_lossy());
        let path = |stem: &str| {
            self.path()
                .with_file_name(format!("{stem}.{SCENARIO_ENDING}"))
        };
        let others = (2..).map(|number| path(&format!("{stem}_{number}")));
        let mut all = std::iter::once(path(&stem)).chain(others);
        all.find(|path| !path.exists())
            .unwrap_or_else(|| path(&stem))
    }
}

fn write(path: &Path, text: &str) -> Result<(), Diagnostic> {
    let mut file = OutputFile::create(path)?;
    file.write_all(text.as_bytes())
        .map_err(|error| OutputFile::error(path, &error))?;
    file.commit()
}
