//! Offers what was typed in files, was not written, and was left by an earlier window.

use std::path::Path;
use std::time::{Duration, SystemTime};

use super::command::PlayerCommand;
use super::copies::{CopyAction, LeftCopy, OfferedCopy};
use super::files::short_name;
use super::panels;
use super::ui::Ui;
use super::view_state::ViewState;
use flockwork_lsp::end_of_first_change;

impl Ui {
    /// Notes the copies that earlier windows have left. Returns what has to be known to offer them.
    pub(super) fn look_at_copies(&mut self, left: Vec<LeftCopy>) -> Vec<PlayerCommand> {
        self.files.left_copies = left;
        self.set_files_overlay()
    }

    /// Lets the player publish the files if they are needed.
    fn set_files_overlay(&mut self) -> Vec<PlayerCommand> {
        let is_needed = self.files.are_needed(panels::files::PANEL.is_open(self));
        if is_needed == self.overlays.files {
            return Vec::new();
        }
        self.overlays.files = is_needed;
        vec![PlayerCommand::SetOverlays(self.overlays)]
    }

    /// Offers the copies of files of this run, as soon as these are known. What a file has anyway is not offered.
    pub(super) fn offer_copies(&mut self, state: &ViewState) -> Vec<PlayerCommand> {
        if self.files.left_copies.is_empty() || state.files.is_empty() {
            return Vec::new();
        }
        for copy in std::mem::take(&mut self.files.left_copies) {
            let Some(file) = state.files.iter().find(|file| copy.is_of(&file.name)) else {
                continue;
            };
            match copy.text() {
                Ok(text) if text == file.text => self.files.unneeded_copies.push(copy),
                Ok(_) => {
                    self.files.offered_copies.push(OfferedCopy { file: file.name.clone(), copy });
                }
                Err(_) => {}
            }
        }
        let is_offered = !self.files.offered_copies.is_empty();
        let mut commands = panels::unwritten::PANEL.set_open(self, is_offered);
        commands.extend(self.set_files_overlay());
        commands
    }

    /// Returns what to say of the copy that is offered next.
    pub(super) fn offer_words(&self) -> Option<String> {
        let all = &self.files.offered_copies;
        let OfferedCopy { file, copy } = all.first()?;
        let age = copy.written.and_then(|at| SystemTime::now().duration_since(at).ok());
        let changed = Path::new(file).metadata().and_then(|data| data.modified()).ok();
        let more = if changed > copy.written { "; the file was changed later" } else { "" };
        let count = match all.len() - 1 {
            0 => String::new(),
            count => format!(" (and {count} more)"),
        };
        let (file, age) = (short_name(file), age_words(age.unwrap_or_default()));
        Some(format!("{file} has changes from {age} that were not written{more}{count}"))
    }

    /// Does something with the copy that is offered.
    pub(super) fn act_on_copy(
        &mut self,
        action: CopyAction,
        state: &ViewState,
    ) -> Vec<PlayerCommand> {
        if self.files.offered_copies.is_empty() {
            return Vec::new();
        }
        let OfferedCopy { file, copy } = self.files.offered_copies.remove(0);
        let mut commands = Vec::new();
        match action {
            CopyAction::Restore => match self.restore(&file, &copy, state) {
                Ok(shown) => {
                    self.files.unneeded_copies.push(copy);
                    commands = shown;
                }
                Err(why) => {
                    let text = format!("not restored: {why}");
                    commands.push(PlayerCommand::Notice { text, is_failure: true });
                }
            },
            CopyAction::Drop => self.files.unneeded_copies.push(copy),
            CopyAction::Later => {}
        }
        if self.files.offered_copies.is_empty() {
            commands.extend(panels::unwritten::PANEL.set_open(self, false));
            commands.extend(self.set_files_overlay());
        }
        commands
    }

    /// Puts the text of a copy into the editor, as if it had just been typed. The error says why that is not possible.
    fn restore(
        &mut self,
        file: &str,
        copy: &LeftCopy,
        state: &ViewState,
    ) -> Result<Vec<PlayerCommand>, String> {
        // Another window may have restored or dropped it.
        let text = copy.text().map_err(|error| error.message)?;
        let source = state.files.iter().find(|one| one.name == *file);
        let source = source.ok_or_else(|| format!("{} is not used any more", short_name(file)))?;
        let end = end_of_first_change(&source.text, &text);
        let line = text[..end].matches('\n').count();
        let commands = self.show_line(file, line + 1);
        self.replace_text(&text, state);
        self.go_to_place(state, file, end);
        Ok(commands)
    }
}

/// Says how long ago something was.
fn age_words(age: Duration) -> String {
    let minutes = age.as_secs() / 60;
    match minutes {
        0 => "less than a minute ago".to_owned(),
        1..120 => format!("{minutes} min ago"),
        120..2880 => format!("{} hours ago", minutes / 60),
        _ => format!("{} days ago", minutes / 1440),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_have_one_unit() {
        let words = |minutes: u64| age_words(Duration::from_secs(minutes * 60 + 59));
        assert_eq!(words(0), "less than a minute ago");
        assert_eq!([words(1), words(119)], ["1 min ago", "119 min ago"]);
        assert_eq!([words(120), words(2879)], ["2 hours ago", "47 hours ago"]);
        assert_eq!(words(2880), "2 days ago");
    }
}
