//! The files of the run for the panel that shows and changes them.

use std::sync::Arc;

use flockwork_engine::diag::Source;
use flockwork_engine::live::Session;
use flockwork_engine::scenario::SceneEdit;
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
                self.reload_and_say(Session::reload);
                let again = format!("written to {name}, with ");
                // Of several files that belong together, the last one may resolve what was wrong with the others.
                let is_resolved = self.session.errors().is_empty();
                self.notices.retain(|one| {
                    let has_errors =
                        one.text.starts_with("written to ") && one.text.contains(", with ");
                    !(one.text.starts_with(&again) || is_resolved && has_errors)
                });
                match self.session.errors().len() {
                    0 => self.notice(format!("written to {name}"), false),
                    _ => self.notice(written_with_errors(&name, &self.session), true),
                }
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

    /// Writes a script that does not exist yet, and gives it to a group as its behavior. The error says why it cannot be written.
    pub(super) fn write_new_script(
        &mut self,
        name: &str,
        text: Option<&str>,
        group: Option<String>,
    ) -> Result<(), String> {
        let written = self.session.write_new_script(name, text);
        if let Err(error) = written {
            let words = error.in_one_line();
            if group.is_none() {
                self.notice(words.clone(), true);
            }
            return Err(words);
        }
        match group {
            Some(group) => {
                self.edit_scene(&SceneEdit::SetBehavior { group, script: name.to_owned() });
            }
            None => {
                self.notice(format!("the script `{name}` is written"), false);
                self.reload_and_say(Session::reload);
            }
        }
        Ok(())
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

/// Says that a file was written although there are errors, and what the world does meanwhile.
fn written_with_errors(name: &str, session: &Session) -> String {
    let errors = match session.errors().len() {
        1 => "1 error".to_owned(),
        count => format!("{count} errors"),
    };
    let effect = if session.is_waiting() {
        "the run begins when you fix this"
    } else if session.is_stuck() {
        "the run is stopped until you fix this"
    } else {
        "the world goes on with the last working version"
    };
    format!("written to {name}, with {errors}: {effect}")
}
