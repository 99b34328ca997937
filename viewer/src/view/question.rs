//! Asks questions, and handles the keys while one is asked.

use super::ask::{Ask, Question};
use super::choice::Choice;
use super::command::PlayerCommand;
use super::files::WantedPlace;
use super::key::Key;
use super::keys::press;
use super::panels;
use super::plot_sources::measure_named;
use super::tune;
use super::ui::Ui;
use super::view_state::ViewState;

/// Maximum number of characters of an answer.
const MAX_LENGTH: usize = 300;

impl Ui {
    /// Asks a question. The last answer is offered: typing replaces it.
    pub(super) fn ask(&mut self, ask: Ask, last: &str) {
        self.question = Some(Question {
            ask,
            words: ask.words().to_owned(),
            example: ask.example().to_owned(),
            text: last.to_owned(),
            is_last: !last.is_empty(),
            error: None,
            tried: None,
            selected: 0,
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
        self.ask(Ask::Value, knob.value_text(params).trim_start_matches(tune::DRAWN));
        if let Some(question) = &mut self.question {
            let (wanted, example) = knob.expected(params);
            question.words = format!("a new {wanted} for {} of {group}:", knob.name());
            question.example = example.to_owned();
            question.param = Some((group, knob));
        }
    }

    /// Takes over what the player has done: the answer to the question, and new texts of files.
    pub(crate) fn follow(&mut self, state: &ViewState) -> Vec<PlayerCommand> {
        self.files.keep_up(state);
        self.show_wanted(state);
        self.shown_time.follow(state);
        self.follow_leaving(state);
        let mut commands = self.settle_question(state);
        commands.extend(self.go_to_definition(state));
        commands.extend(self.show_uses(state));
        commands.extend(self.settle_renaming(state));
        commands.extend(self.plot_difference(state));
        // The params were not known when the window opened.
        if std::mem::replace(&mut self.was_waiting, state.is_waiting) && !state.is_waiting {
            self.open_at_start(state);
        }
        commands
    }

    /// Closes the question if the player could use the answer, and handles the keys that were pressed in the meantime. Otherwise the
    /// question stays open, with the reason, and these keys were meant for something else.
    pub(super) fn settle_question(&mut self, state: &ViewState) -> Vec<PlayerCommand> {
        let Some(question) = &mut self.question else {
            return Vec::new();
        };
        if question.tried.is_none_or(|before| state.answer.tried <= before) {
            return Vec::new();
        }
        question.tried = None;
        question.error.clone_from(&state.answer.error);
        let later = std::mem::take(&mut self.later_keys);
        if question.error.is_some() {
            return Vec::new();
        }
        let is_plot = question.ask == Ask::Plot;
        let script = (question.ask == Ask::NewScript).then(|| question.text.trim().to_owned());
        self.question = None;
        let plot = state.expressions.last().filter(|_| is_plot).cloned();
        let mut commands: Vec<_> = plot.map(|plot| self.add_plot(plot)).into_iter().collect();
        if let Some(name) = script {
            self.files.wanted = Some(WantedPlace::Script(name));
            commands.extend(panels::files::PANEL.set_open(self, true));
        }
        commands.extend(later.into_iter().flat_map(|key| press(key, self, state)));
        commands
    }

    /// Handles a key while a question is asked. `None` if none is.
    pub(super) fn answer(&mut self, key: Key, state: &ViewState) -> Option<Vec<PlayerCommand>> {
        let question = self.question.as_mut()?;
        match key {
            Key::Escape => {
                self.question = None;
                self.later_keys.clear();
            }
            // The player tries the answer.
            _ if question.tried.is_some() => self.later_keys.push(key),
            Key::Char(letter) => {
                if question.is_last {
                    question.text.clear();
                }
                question.note_edit();
                if question.text.chars().count() < MAX_LENGTH {
                    question.text.push(letter);
                }
            }
            Key::Backspace => {
                if question.is_last {
                    question.text.clear();
                }
                question.note_edit();
                question.text.pop();
            }
            Key::Left | Key::Right | Key::End => question.is_last = false,
            Key::Ctrl('a') => question.is_last = !question.text.is_empty(),
            Key::Up => self.select_choice(-1, state),
            Key::Down => self.select_choice(1, state),
            Key::Tab | Key::ShiftTab => self.complete(state, None),
            Key::Enter => return Some(self.enter(state)),
            _ => {}
        }
        Some(Vec::new())
    }

    /// Selects a row of the list of choices that is this much further down, or up if negative.
    pub(super) fn select_choice(&mut self, by: isize, state: &ViewState) {
        let last = self.question_rows(state).len().saturating_sub(1);
        let Some(question) = &mut self.question else { return };
        question.selected = question.selected.saturating_add_signed(by).min(last);
    }

    /// Uses the answer.
    fn enter(&mut self, state: &ViewState) -> Vec<PlayerCommand> {
        let Some(question) = &self.question else {
            return Vec::new();
        };
        let text = question.text.trim().to_owned();
        let command = match question.ask {
            Ask::Choice | Ask::Use => {
                let rows = self.question_rows(state);
                return rows
                    .get(self.selected_row(&rows))
                    .map(|row| row.choice.execute(self, state))
                    .unwrap_or_default();
            }
            Ask::Find if text.is_empty() && question.selected == 0 => None,
            Ask::Find => {
                let rows = self.question_rows(state);
                let selected = self.selected_row(&rows);
                let row = rows.into_iter().nth(selected);
                // Words only complete an expression.
                let row = row.filter(|row| !matches!(row.choice, Choice::Complete(_)));
                let text = row.as_ref().map_or(text, |row| row.completed.clone());
                self.last_find.clone_from(&text);
                if let Some(row) = row.filter(|row| row.choice.is_place()) {
                    return row.choice.execute(self, state);
                }
                Some(PlayerCommand::Find(text))
            }
            Ask::PauseWhen => Some(PlayerCommand::PauseWhen(text)),
            Ask::Plot if text.is_empty() => None,
            Ask::Plot => match measure_named(&state.world, &text) {
                Some(Ok(source)) => {
                    self.question = None;
                    return vec![self.add_plot(source)];
                }
                Some(Err(why)) => {
                    if let Some(question) = &mut self.question {
                        question.error = Some(why);
                    }
                    return Vec::new();
                }
                None => Some(PlayerCommand::AddExpression(text)),
            },
            Ask::ColorBy if text.is_empty() => {
                self.question = None;
                return self.show_expression(false);
            }
            Ask::ColorBy => {
                if let Some(question) = &mut self.question {
                    question.tried = Some(state.answer.tried);
                }
                let mut commands = vec![PlayerCommand::ColorBy(text)];
                commands.extend(self.show_expression(true));
                return commands;
            }
            Ask::Value => {
                let param = question.param.clone();
                param.map(|(group, knob)| PlayerCommand::SetParam { group, knob, text })
            }
            Ask::Seed => Some(PlayerCommand::SetSeed(text)),
            Ask::Line => return self.go_to_line(&text, state),
            Ask::Rename => {
                self.rename_to(text, state);
                return Vec::new();
            }
            Ask::NewScript => {
                let (group, _) = self.params(state);
                let group = Some(state.world.group(group).name.to_string());
                Some(PlayerCommand::NewScript { name: text, text: None, group })
            }
            Ask::Save { is_test } => {
                let name = Some(text).filter(|text| !text.is_empty() && *text != state.save_name);
                Some(PlayerCommand::Save { is_test, name })
            }
            Ask::Filter(panel) => {
                let panel = self.panels.state_mut(panel);
                panel.filter = text;
                panel.scroll = 0.0;
                None
            }
        };
        match &mut self.question {
            Some(question) if command.is_some() => question.tried = Some(state.answer.tried),
            question => *question = None,
        }
        command.into_iter().collect()
    }
}
