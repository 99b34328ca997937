//! Opens another scenario in place of the shown one.

use std::path::PathBuf;

use super::super::keys::key_of;
use super::super::other_scenarios;
use super::super::ui_command::UiCommand;
use super::WindowLoop;

impl WindowLoop<'_> {
    /// Opens a scenario in a window that looks like this one, which closes. If something would be lost, the first time says so
    /// instead.
    pub(super) fn open_scenario(&mut self, path: PathBuf) {
        let state = self.shared.latest();
        if !self.ui.may_open(&path, &state) {
            let write = key_of(UiCommand::Write);
            let words = format!(
                "not opened yet, since something is not written: {write} writes it, or choose {} again without that",
                path.display()
            );
            return self.notice(words, true);
        }
        // Two windows at one place look like one.
        match other_scenarios::open(&path, self.ui.scale.window, self.ui.is_dark) {
            Ok(()) => self.ui.is_closing = true,
            Err(error) => {
                self.ui.is_closing = false;
                self.notice(format!("{} cannot be opened: {error}", path.display()), true);
            }
        }
    }
}
