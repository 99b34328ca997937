//! Edits of the scene in the scenario file, which can be undone.

use std::sync::Arc;

use super::{ReloadResult, Session};
use crate::diag::{Diagnostic, Diagnostics};
use crate::live::version::Version;
use crate::load::OpenFiles;
use crate::scenario::{FullPart, Handle, SceneEdit};

/// Edits of the scenario file: its text before and after each.
#[derive(Default)]
pub(super) struct FileEdits {
    done: Vec<[String; 2]>,
    undone: Vec<[String; 2]>,
}

impl Session {
    /// Returns the places of the scene that are written in the newest scenario that could be read.
    pub fn handles(&self) -> &Arc<[Handle]> {
        self.newest.handles()
    }

    /// Returns the goals and the agents of groups that cannot have another place, in the same scenario.
    pub fn full_parts(&self) -> &Arc<[FullPart]> {
        self.newest.full_parts()
    }

    /// Edits the scene in the scenario file. The next [`Session::reload`] reads it. Returns whether the file has changed.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, edited or written. It is unchanged then.
    pub fn edit_scene(&mut self, edit: &SceneEdit) -> Result<bool, Diagnostic> {
        let there = self.read_scenario()?;
        let text = edit.apply(&there).map_err(Diagnostics::into_first)?;
        if text == there.text {
            return Ok(false);
        }
        self.check_scenario(&text)?;
        let before = there.text.clone();
        self.write_scenario(there, &text)?;
        self.note_file_edit(before, text);
        Ok(true)
    }

    /// Checks that the files can be loaded with another text of the scenario.
    fn check_scenario(&self, text: &str) -> Result<(), Diagnostic> {
        let mut open = OpenFiles::clone(&self.open);
        open.open(&self.path, text);
        let read = Version::read(&self.path, &self.options, &self.values, &Arc::new(open));
        read.map(drop).map_err(Diagnostics::into_first)
    }

    /// Notes an edit of the scenario file, so that it can be undone.
    pub(in super::super) fn note_file_edit(&mut self, before: String, after: String) {
        self.file_edits.done.push([before, after]);
        self.file_edits.undone.clear();
    }

    /// Reads the files again, as [`Session::reload`] does, after an edit of the scene. Only the first tick has the places of a
    /// `start`, so the run begins again if these were edited and the history reaches back to there.
    pub fn reload_scene(&mut self, edit: &SceneEdit) -> ReloadResult {
        let begins_again = edit.is_of_start(self.newest_scenario());
        let reloaded = begins_again.then(|| self.reload_without_edit(self.first())).flatten();
        reloaded.unwrap_or_else(|| self.reload())
    }

    /// Takes back the last edit of the scene in the scenario file. Returns whether there was one.
    ///
    /// # Errors
    ///
    /// If the file was changed by something else in the meantime, or cannot be written. It is unchanged then.
    pub fn undo_scene_edit(&mut self) -> Result<bool, Diagnostic> {
        let Some([before, after]) = self.file_edits.done.last().cloned() else {
            return Ok(false);
        };
        self.replace_text(&after, &before)?;
        self.file_edits.undone.extend(self.file_edits.done.pop());
        Ok(true)
    }

    /// Reads the files again, as [`Session::reload`] does, after an edit was taken back that took effect at a tick. The run goes
    /// to that tick and continues from the state before the edit. Returns `None` and changes nothing if that state is not
    /// in the history any more.
    pub fn reload_without_edit(&mut self, tick: u64) -> Option<ReloadResult> {
        match self.read_version() {
            Ok(version) => {
                let version = Arc::new(version);
                let is_dropped = self.drop_edit(tick, &version);
                is_dropped.then(|| self.run_from_here(version))
            }
            Err(result) => Some(result),
        }
    }

    /// Repeats the last edit of the scene that was taken back. Returns whether there was one.
    ///
    /// # Errors
    ///
    /// As [`Session::undo_scene_edit`].
    pub fn redo_scene_edit(&mut self) -> Result<bool, Diagnostic> {
        let Some([before, after]) = self.file_edits.undone.last().cloned() else {
            return Ok(false);
        };
        self.replace_text(&before, &after)?;
        self.file_edits.done.extend(self.file_edits.undone.pop());
        Ok(true)
    }

    /// Takes back the last edit of the scenario file, which was [`Session::write_params`]. The params stay as they are set, and are
    /// not written. Returns whether there was an edit.
    ///
    /// # Errors
    ///
    /// As [`Session::undo_scene_edit`]. Then this edit cannot be taken back any more.
    pub fn undo_written_params(&mut self) -> Result<bool, Diagnostic> {
        let undone = self.undo_scene_edit();
        match undone {
            Ok(_) => self.accept_written_files(),
            Err(_) => drop(self.file_edits.done.pop()),
        }
        undone
    }

    /// Writes the params again whose writing was taken back last. Returns whether there was such an edit.
    ///
    /// # Errors
    ///
    /// As [`Session::undo_scene_edit`].
    pub fn redo_written_params(&mut self) -> Result<bool, Diagnostic> {
        let redone = self.redo_scene_edit()?;
        self.accept_written_files();
        Ok(redone)
    }

    /// Replaces the whole text of the scenario file, which must be `from`.
    fn replace_text(&mut self, from: &str, to: &str) -> Result<(), Diagnostic> {
        let there = self.read_scenario()?;
        if there.text != from {
            let changed = format!("{} was changed since that edit", there.name);
            return Err(Diagnostic::error(changed).help("undo the change in your editor first"));
        }
        self.write_scenario(there, to)
    }
}
