//! Questions that the window asks for a line of text: which agent to find, when to pause, what colors agents, which lines a panel should show,
//! which value a param should have, which line to go to, which name to give, how to name what is saved, what to do.

use super::panel_states::PanelId;
use super::tune::Knob;

/// The subject of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ask {
    /// What to find: an agent by its id, a group, an obstacle or a path by its name, or an agent by an expression.
    Find,
    /// The condition at which the run pauses; nothing for none.
    PauseWhen,
    /// The expression whose number colors agents; nothing for none.
    ColorBy,
    /// The expression to plot over time.
    Plot,
    /// A part of the lines that a panel shows; nothing for all.
    Filter(PanelId),
    /// The value of a param.
    Value,
    /// The name of the scenario that is saved.
    Save {
        /// Whether it gets a golden.
        is_test: bool,
    },
    /// The seed of the run; nothing for that of the scenario file.
    Seed,
    /// The line of the shown file to go to.
    Line,
    /// The new name of what is called so at the cursor.
    Rename,
    /// The name of a new script.
    NewScript,
    /// One of the places where a name is written, from a list.
    Use,
    /// What to do or to show, from a list.
    Choice,
}

/// A question and what is typed so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Question {
    pub(super) ask: Ask,
    /// The question in words.
    pub(super) words: String,
    /// An example of an answer.
    pub(super) example: String,
    pub(super) text: String,
    /// Whether the text is the last answer, which typing replaces.
    pub(super) is_last: bool,
    /// Why the answer was refused.
    pub(super) error: Option<String>,
    /// While the player tries the answer: how many answers it had tried before.
    pub(super) tried: Option<u64>,
    /// The number of the selected row of the list, if there is one.
    pub(super) selected: usize,
    /// The param that is asked for, with the name of its group.
    pub(super) param: Option<(String, Knob)>,
}

impl Ask {
    /// Returns the question.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Find => {
                "find an agent, a group, an obstacle or a path, or for which agent something is true:"
            }
            Self::PauseWhen => {
                "pause when this becomes true for an agent or for the world (leave it empty for never):"
            }
            Self::ColorBy => "color agents by this number (leave it empty to stop):",
            Self::Plot => "plot the mean of a number, or for how many agents something is true:",
            Self::Filter(_) => "show only lines with this text (leave it empty for all):",
            Self::Value => "a new value:",
            Self::Save { is_test: false } => {
                "save a scenario that begins at this tick (enter: save; esc: do not), as:"
            }
            Self::Save { is_test: true } => {
                "save a scenario that begins at this tick, and its golden (enter: save; esc: do not), as:"
            }
            Self::Seed => "run again with this seed (leave it empty for the file's):",
            Self::Line => "go to this line of the file:",
            Self::Rename => "a new name, in all files (enter: rename; esc: do not):",
            Self::NewScript => "the name of the new script (enter: write it; esc: do not):",
            Self::Use => "uses of the name (up, down: select; enter: go there; esc: close):",
            Self::Choice => "do or show (up, down: select; enter: do it; esc: close):",
        }
    }

    /// Returns an example of an answer.
    pub(super) fn example(self) -> &'static str {
        match self {
            Self::Find => "12, or the name of a group, or me.speed < 1",
            Self::PauseWhen => "me.speed < 1",
            Self::ColorBy => "me.speed / 2 (tab completes words)",
            Self::Plot => "me.speed / me.max_speed, or me.speed < 1 (tab completes words)",
            Self::Filter(_) => "agent 4",
            Self::Value => "1.25",
            Self::Save { .. } => "stuck_at_door",
            Self::Seed => "7",
            Self::Line => "12",
            Self::Rename => "nearest_fox",
            Self::NewScript => "night_watch",
            Self::Use => "a part of the line, or of the name of the file",
            Self::Choice => "trails, or a param, an agent's id, or a word such as seek",
        }
    }
}

impl Question {
    /// Notes that the text is no longer the last answer.
    pub(super) fn note_edit(&mut self) {
        self.is_last = false;
        self.error = None;
        self.selected = 0;
    }

    /// Returns the text with the word that the error suggests, in place of the one that the error is about.
    pub(super) fn suggested(&self) -> Option<String> {
        let (about, suggestion) = self.error.as_ref()?.split_once("did you mean `")?;
        let (meant, _) = suggestion.split_once('`')?;
        let quoted = about.split('`').skip(1).step_by(2);
        let wrong = quoted.filter(|word| !word.is_empty() && self.text.contains(word)).last()?;
        Some(self.text.replacen(wrong, meant, 1))
    }

    /// Uses the word that the error suggests.
    pub(super) fn take_suggestion(&mut self) {
        if let Some(text) = self.suggested() {
            self.note_edit();
            self.text = text;
        }
    }
}
