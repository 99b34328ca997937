//! Questions that the window asks for a line of text: which agent to find, when to pause, what the log should show, which
//! value a param should have.

use super::command::PlayerCommand;
use super::key::Key;
use super::panel_states::PanelId;
use super::tune::{self, Knob};
use super::ui::Ui;
use super::view_state::ViewState;

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ask {
    /// Which agent to select: an id, or an expression.
    Find,
    /// The condition at which the run pauses; nothing for none.
    PauseWhen,
    /// A part of the lines that a panel shows; nothing for all.
    Filter(PanelId),
    /// The value of a param.
    Value,
}

/// A question and what is typed so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Question {
    pub(super) ask: Ask,
    /// The question in words.
    pub(super) words: String,
    /// An example of an answer.
    pub(super) example: &'static str,
    pub(super) text: String,
    /// Whether the text is the last answer, which typing replaces.
    pub(super) is_last: bool,
    /// Why the answer was refused.
    pub(super) error: Option<String>,
    /// While the player tries the answer: how many answers it had tried before.
    tried: Option<u64>,
    /// The param that is asked for, with the name of its group.
    param: Option<(String, Knob)>,
}

/// Maximum number of characters of an answer.
const MAX_LENGTH: usize = 300;

impl Ask {
    /// Returns the question.
    fn words(self) -> &'static str {
        match self {
            Self::Find => "find an agent, by its id or what is true for it:",
            Self::PauseWhen => "pause when this becomes true for an agent (nothing: never):",
            Self::Filter(_) => "show only lines with this text (nothing: all):",
            Self::Value => "a new value:",
        }
    }

    /// Returns an example of an answer.
    fn example(self) -> &'static str {
        match self {
            Self::Find => "12, or me.speed < 1",
            Self::PauseWhen => {
                "me.speed < 1 && world.tick > 100 (`flockwork reference agents` lists more)"
            }
            Self::Filter(_) => "agent 4",
            Self::Value => "1.25",
        }
    }
}

impl Ui {
    /// Asks a question. The last answer is offered: typing replaces it.
    pub(super) fn ask(&mut self, ask: Ask, last: &str) {
        self.question = Some(Question {
            ask,
            words: ask.words().to_owned(),
            example: ask.example(),
            text: last.to_owned(),
            is_last: !last.is_empty(),
            error: None,
            tried: None,
            param: None,
        });
    }

    /// Asks for the value of the selected param, if there is one.
    pub(super) fn ask_value(&mut self, state: &ViewState) {
        let (group, params) = self.params(state);
        let mut knobs = tune::knobs(params);
        if knobs.is_empty() {
            return;
        }
        let knob = knobs.swap_remove(self.param.min(knobs.len() - 1));
        let group = state.world.group(group).name.to_string();
        self.ask(Ask::Value, &knob.value_text(params));
        if let Some(question) = &mut self.question {
            let (wanted, example) = knob.wanted(params);
            question.words = format!("a new {wanted} for {} of {group}:", knob.name());
            question.example = example;
            question.param = Some((group, knob));
        }
    }

    /// Closes the question if the player could use the answer; otherwise it stays open, with the reason.
    pub(super) fn settle_question(&mut self, state: &ViewState) {
        let Some(question) = &mut self.question else {
            return;
        };
        if question.tried.is_some_and(|before| state.answer.tried > before) {
            question.tried = None;
            question.error.clone_from(&state.answer.error);
            if question.error.is_none() {
                self.question = None;
            }
        }
    }

    /// Handles a key while a question is asked. `None` if none is.
    pub(super) fn answer(&mut self, key: Key, state: &ViewState) -> Option<Vec<PlayerCommand>> {
        self.settle_question(state);
        let question = self.question.as_mut()?;
        match key {
            Key::Escape => self.question = None,
            // The player tries the answer.
            _ if question.tried.is_some() => {}
            Key::Char(letter) => {
                if question.is_last {
                    question.text.clear();
                }
                question.edited();
                if question.text.chars().count() < MAX_LENGTH {
                    question.text.push(letter);
                }
            }
            Key::Backspace => {
                if question.is_last {
                    question.text.clear();
                }
                question.edited();
                question.text.pop();
            }
            Key::Left | Key::Right | Key::End => question.is_last = false,
            Key::Enter => return Some(self.enter(state)),
            _ => {}
        }
        Some(Vec::new())
    }

    /// Uses the answer.
    fn enter(&mut self, state: &ViewState) -> Vec<PlayerCommand> {
        let Some(question) = &mut self.question else {
            return Vec::new();
        };
        let text = question.text.trim().to_owned();
        let command = match question.ask {
            Ask::Find if text.is_empty() => None,
            Ask::Find => {
                self.last_find.clone_from(&text);
                Some(PlayerCommand::Find(text))
            }
            Ask::PauseWhen => Some(PlayerCommand::PauseWhen(text)),
            Ask::Value => {
                let param = question.param.clone();
                param.map(|(group, knob)| PlayerCommand::SetParam { group, knob, text })
            }
            Ask::Filter(panel) => {
                let panel = self.panels.state_mut(panel);
                panel.filter = text;
                panel.scroll = 0.0;
                None
            }
        };
        if command.is_some() {
            question.tried = Some(state.answer.tried);
        } else {
            self.question = None;
        }
        command.into_iter().collect()
    }
}

impl Question {
    /// Notes that the text is no longer the last answer.
    fn edited(&mut self) {
        self.is_last = false;
        self.error = None;
    }
}
