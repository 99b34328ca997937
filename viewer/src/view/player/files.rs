//! The files of the run for the panel that shows and changes them.

use std::sync::Arc;

use flockwork_engine::diag::Source;
use flockwork_engine::live::Session;
use flockwork_lsp::SharedValues;

use super::super::files::short_name;
use super::super::view_state::Task;
use super::Player;
use crate::sharing;

impl Player {
    /// Reads the files again, if they are shown.
    pub(super) fn read_files(&mut self) {
        self.files =
            if self.overlays.files { self.session.present_files().into() } else { Arc::new([]) };
    }

    /// Writes a text to a file and reads the files again.
    pub(super) fn write_file(&mut self, read: Arc<Source>, text: &str) {
        self.shared.set_busy(Some(Task::Save));
        let name = short_name(&read.name).to_owned();
        let written = self.session.write_file(Arc::clone(&read), text);
        self.shared.set_busy(None);
        match written {
            Ok(()) => {
                self.notice(format!("written to {name}"), false);
                self.reload_and_say(Session::reload);
            }
            Err(error) => {
                self.read_files();
                let mut there = self.files.iter().filter(|file| file.name == read.name);
                let how = match there.any(|file| file.text != read.text) {
                    true => ": `keep mine` below the text lets you write yours over it",
                    false => "",
                };
                return self.notice(format!("{}{how}", error.message), true);
            }
        }
        self.read_files();
    }

    /// Returns the values that the selected agent computes in its next turn, while they are shown.
    pub(super) fn turn_values(&self) -> Option<Arc<SharedValues>> {
        let id = self.selected.filter(|_| self.overlays.files && self.is_visible)?;
        if self.target.is_some() {
            return None;
        }
        sharing::values(&self.session, id).map(Arc::new)
    }
}
