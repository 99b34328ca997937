//! A new script for a group.

use super::ask::Ask;
use super::command::PlayerCommand;
use super::ui::Ui;
use super::view_state::ViewState;

impl Ui {
    /// Asks for the name of a new script for the group whose params are shown. What was typed in the scenario has to be written first, since
    /// the behavior of the group changes there.
    pub(super) fn ask_for_script(&mut self, state: &ViewState) -> Vec<PlayerCommand> {
        let (group, _) = self.params(state);
        let mut files = state.files.iter().map(|source| self.files.file(source));
        let why = if state.is_waiting || state.world.groups.is_empty() {
            Some("there is no group yet that could get a script: repair the error first")
        } else if files.any(|file| file.is_scenario() && file.is_changed()) {
            Some(
                "write first what you have typed in the scenario: its group gets the new script there",
            )
        } else {
            None
        };
        if let Some(why) = why {
            return vec![PlayerCommand::Notice { text: why.to_owned(), is_failure: true }];
        }
        self.ask(Ask::NewScript, "");
        if let Some(question) = &mut self.question {
            let group = &state.world.group(group).name;
            question.words = format!(
                "the name of a new script for the group `{group}` (enter: write it; esc: do not):"
            );
        }
        Vec::new()
    }
}
