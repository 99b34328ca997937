//! The files of a session as a person reads and edits them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Session;
use crate::diag::{Diagnostic, Source};
use crate::load::{OutputFile, ScriptsFolder};
use crate::runner::new_behavior;
use crate::scenario::{BehaviorRef, Scenario};
use crate::script::Library;

impl Session {
    /// Returns the scenario and then its scripts with their present text, also if they do not run: first the behaviors in the order of their
    /// groups, then what other scripts and rules use. A file that cannot be read is left out.
    pub fn present_files(&self) -> Vec<Arc<Source>> {
        let known = self.newest_files();
        let behaviors = Scenario::parse(&known.scenario).map(|scenario| scenario.behaviors);
        let behaviors: Vec<BehaviorRef> =
            behaviors.unwrap_or_default().into_iter().flatten().collect();
        let mut scripts: Vec<(&String, &Arc<Source>)> = known.scripts.iter().collect();
        scripts.sort_by_key(|(name, _)| {
            let group = behaviors.iter().position(|one| one.name == **name);
            group.unwrap_or(behaviors.len())
        });
        let scripts = scripts.into_iter().map(|(_, source)| source);
        let broken = self.errors().iter().filter_map(|error| Some(&error.place.as_ref()?.source));
        let all = [&known.scenario].into_iter().chain(scripts).chain(broken);
        let mut files: Vec<Arc<Source>> = Vec::new();
        for source in all {
            if files.iter().all(|known| known.name != source.name) {
                files.extend(self.files().read(Path::new(&source.name)));
            }
        }
        files
    }

    /// Writes a text to one of the [present files](Self::present_files), in place of the text that `read` has.
    ///
    /// # Errors
    ///
    /// If the file has changed since it was read, or if it cannot be written. It is unchanged then.
    pub fn write_file(&mut self, read: Arc<Source>, text: &str) -> Result<(), Diagnostic> {
        self.write_at(&PathBuf::from(&read.name), read, text)
    }

    /// Writes a script that does not exist yet. It has this text; with `None`, that of a behavior to begin with. The next [`Session::reload`]
    /// reads it if the scenario uses it.
    ///
    /// # Errors
    ///
    /// If no script can have the name, if there is such a script, or if it cannot be written.
    pub fn write_new_script(&mut self, name: &str, text: Option<&str>) -> Result<(), Diagnostic> {
        let scripts = ScriptsFolder::of_open_scenario(self.path(), &Arc::new(self.files().clone()));
        let there = scripts.read(name)?;
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/');
        if !name.chars().all(is_part) {
            return Err(Diagnostic::error(format!("`{name}` is not a name for a new script"))
                .help("write letters, digits and `_`, such as night_watch"));
        }
        if there.is_some() {
            return Err(Diagnostic::error(format!("there is a script `{name}` already"))
                .help("give another name"));
        }
        let Some(path) = scripts.path_of(name) else {
            let mut error = Diagnostic::error(format!("the script `{name}` has no folder"));
            error.help.extend(scripts.location());
            return Err(error);
        };
        let has_obstacles = !self.simulation().world().obstacles.is_empty();
        let text = text.map_or_else(|| new_behavior(has_obstacles), str::to_owned);
        OutputFile::create_new(&path)?.write_whole(text)
    }
}
