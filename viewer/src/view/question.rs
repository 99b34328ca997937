//! Questions that the window asks for a line of text: which agent to find, when to pause, what the log should show.

use super::command::PlayerCommand;
use super::keys::Key;
use super::ui::Ui;

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ask {
    /// Which agent to select: an id, or an expression.
    Find,
    /// The condition at which the run pauses; nothing for none.
    PauseWhen,
    /// A part of the lines that the log shows; nothing for all.
    LogFilter,
}

/// A question and what is typed so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Question {
    pub(super) ask: Ask,
    pub(super) text: String,
}

/// Maximum number of characters of an answer.
const MAX_LENGTH: usize = 300;

impl Ask {
    /// Returns the question.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Find => "find an agent, by its id or what is true for it:",
            Self::PauseWhen => "pause when this becomes true for an agent (nothing: never):",
            Self::LogFilter => "show only lines with this text (nothing: all):",
        }
    }

    /// Returns an example of an answer.
    pub(super) fn example(self) -> &'static str {
        match self {
            Self::Find => "12, or me.speed < 1",
            Self::PauseWhen => "me.state.mode == \"run\"",
            Self::LogFilter => "agent 4",
        }
    }
}

impl Ui {
    /// Asks a question. The answer begins with the last one.
    pub(super) fn ask(&mut self, ask: Ask, last: &str) {
        self.question = Some(Question { ask, text: last.to_owned() });
    }

    /// Handles a key while a question is asked. `None` if none is.
    pub(super) fn answer(&mut self, key: Key) -> Option<Vec<PlayerCommand>> {
        let question = self.question.as_mut()?;
        match key {
            Key::Char(letter) if question.text.chars().count() < MAX_LENGTH => {
                question.text.push(letter);
            }
            Key::Backspace => {
                question.text.pop();
            }
            Key::Escape => self.question = None,
            Key::Enter => {
                let Question { ask, text } = self.question.take()?;
                let text = text.trim().to_owned();
                return Some(match ask {
                    Ask::Find if text.is_empty() => Vec::new(),
                    Ask::Find => {
                        self.last_find.clone_from(&text);
                        vec![PlayerCommand::Find(text)]
                    }
                    Ask::PauseWhen => vec![PlayerCommand::PauseWhen(text)],
                    Ask::LogFilter => {
                        if let Some(log) = &mut self.log {
                            log.filter = text;
                            log.scroll = 0;
                        }
                        Vec::new()
                    }
                });
            }
            _ => {}
        }
        Some(Vec::new())
    }
}
