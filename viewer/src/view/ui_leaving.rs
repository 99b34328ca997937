//! Leaves the shown scenario: quits, or opens another one in its place. Asks first if something would be lost.

use std::time::Instant;

use super::command::PlayerCommand;
use super::files::short_name;
use super::key::Key;
use super::leaving::{Destination, LeaveAction, Leaving};
use super::panels;
use super::ui::Ui;
use super::view_state::{ViewState, not_written};
use super::window_command::WindowCommand;

impl Ui {
    /// Leaves the shown scenario. If this loses something, the first time asks instead. Who leaves for one place does not consent to leave for
    /// another one.
    pub(super) fn leave(&mut self, to: Destination, state: &ViewState) {
        let is_asked = self.leaving.as_ref().is_some_and(|leaving| leaving.to == to);
        if is_asked || self.at_risk(state).is_empty() {
            self.leave_now(to);
        } else {
            self.leaving = Some(Leaving { to, is_writing: false });
        }
    }

    fn leave_now(&mut self, to: Destination) {
        self.leaving = None;
        match to {
            Destination::Quit => self.is_closing = true,
            Destination::Scenario(path) => {
                self.window_commands.push(WindowCommand::OpenScenario(path));
            }
        }
    }

    /// Does what the person has answered.
    pub(super) fn answer_leaving(
        &mut self,
        action: LeaveAction,
        state: &ViewState,
    ) -> Vec<PlayerCommand> {
        let Some(leaving) = &mut self.leaving else { return Vec::new() };
        match action {
            LeaveAction::Write => {
                leaving.is_writing = true;
                let params = state.unwritten().next().map(|_| PlayerCommand::WriteParams);
                let files = self.write_files(state);
                self.files.others_sent = Some(Instant::now());
                return params.into_iter().chain(files).collect();
            }
            LeaveAction::Anyway => {
                let to = leaving.to.clone();
                self.leave_now(to);
            }
            LeaveAction::Cancel => self.leaving = None,
        }
        Vec::new()
    }

    /// Handles a key that answers the question. `None` for others, and if none is asked.
    pub(super) fn answer_leaving_by(
        &mut self,
        key: Key,
        state: &ViewState,
    ) -> Option<Vec<PlayerCommand>> {
        self.leaving.as_ref()?;
        match key {
            Key::Enter if self.can_write(state) => {
                Some(self.answer_leaving(LeaveAction::Write, state))
            }
            Key::Escape => Some(self.answer_leaving(LeaveAction::Cancel, state)),
            _ => None,
        }
    }

    /// Leaves when everything is written, and forgets the question when nothing would be lost any more.
    pub(super) fn follow_leaving(&mut self, state: &ViewState) {
        if self.leaving.is_some()
            && self.at_risk(state).is_empty()
            && let Some(leaving) = self.leaving.take()
            && leaving.is_writing
        {
            self.leave_now(leaving.to);
        }
    }

    /// Forgets the question if the pointer is beside it: a click elsewhere does not consent to lose anything.
    pub(super) fn cancel_leaving_beside(&mut self, state: &ViewState) {
        if self.leaving.is_some() && !panels::leaving::has_pointer(self, state) {
            self.leaving = None;
        }
    }

    /// Returns whether something can be written: params, or files that no other program has changed.
    pub(super) fn can_write(&self, state: &ViewState) -> bool {
        let is_writable = |name: &&str| !self.conflicts(state).contains(name);
        state.unwritten().next().is_some() || self.files.unwritten().iter().any(is_writable)
    }

    /// Returns the names of the files that another program has changed since something was typed in them.
    fn conflicts<'s>(&self, state: &'s ViewState) -> Vec<&'s str> {
        let changed = state.files.iter().filter(|file| self.files.file(file).has_conflict);
        changed.map(|file| short_name(&file.name)).collect()
    }

    /// Returns what is lost when the person leaves, and how it is kept.
    pub(super) fn at_risk(&self, state: &ViewState) -> Vec<String> {
        let unwritten = state.unwritten().count();
        let params = (unwritten > 0).then(|| not_written(unwritten));
        let aside = match state.params_aside.len() {
            0 => None,
            1 => Some("your value of 1 param is put aside (`yours` brings it back)".to_owned()),
            count => Some(format!(
                "your values of {count} params are put aside (`yours` brings them back)"
            )),
        };
        let typed = self.files.unwritten();
        let typed = (!typed.is_empty()).then(|| {
            let how = match &self.conflicts(state)[..] {
                [] => String::new(),
                changed => format!(
                    " (another program has changed {}, so press `keep mine` below the text first)",
                    changed.join(", ")
                ),
            };
            format!(
                "what you typed in {} is not written{how}, but a copy is kept",
                typed.join(", ")
            )
        });
        params.into_iter().chain(aside).chain(typed).collect()
    }
}
