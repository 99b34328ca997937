//! What is listed above the line that is typed: what can be chosen, and what completes the line.

use std::collections::BTreeSet;

use super::ask::{Ask, Question};
use super::choice::{Choice, ChoiceRow};
use super::choices::choices;
use super::named_rows::{guessed_rows, named_rows, no_agent_of_group};
use super::ui::Ui;
use super::view_state::ViewState;
use super::word_help::beginning_like;

/// What stands before the name of a param in an expression, and before that of a value in the state of an agent.
const PARAMS: &str = "params.";
const STATE: &str = ".state.";

impl Ui {
    /// Returns what is listed for the text of the question.
    pub(super) fn question_rows(&self, state: &ViewState) -> Vec<ChoiceRow> {
        let Some(question) = &self.question else { return Vec::new() };
        let text = &*question.text;
        match question.ask {
            Ask::Choice => choices(self, state, text),
            Ask::Use => self.use_rows(state, text),
            Ask::Find => {
                let mut rows = named_rows(&state.world, text);
                if rows.is_empty() {
                    rows = word_rows(state, text);
                }
                if rows.is_empty() && no_agent_of_group(&state.world, text).is_none() {
                    rows = guessed_rows(&state.world, text);
                }
                rows
            }
            Ask::PauseWhen | Ask::ColorBy | Ask::Plot => word_rows(state, text),
            _ => Vec::new(),
        }
    }

    /// Returns whether something is listed for the text of the question, or that nothing has its words: other questions are also answered by
    /// what is in no list.
    pub(super) fn lists_rows(&self, state: &ViewState) -> bool {
        let is_list = |question: &Question| matches!(question.ask, Ask::Choice | Ask::Use);
        self.question.as_ref().is_some_and(is_list) || !self.question_rows(state).is_empty()
    }

    /// Returns the number of the selected row of these.
    pub(super) fn selected_row(&self, rows: &[ChoiceRow]) -> usize {
        let selected = self.question.as_ref().map_or(0, |question| question.selected);
        selected.min(rows.len().saturating_sub(1))
    }

    /// Completes the text of the question with a row of the list, by its number; without one, with the selected one.
    pub(super) fn complete(&mut self, state: &ViewState, row: Option<usize>) {
        let rows = self.question_rows(state);
        let row = row.unwrap_or_else(|| self.selected_row(&rows));
        if let (Some(question), Some(row)) = (&mut self.question, rows.into_iter().nth(row)) {
            question.note_edit();
            question.text = row.completed;
        }
    }
}

/// Returns the words that complete the end of an expression: params of the groups, values in the state of agents, and words of the
/// reference.
fn word_rows(state: &ViewState, text: &str) -> Vec<ChoiceRow> {
    let start =
        text.trim_end_matches(|letter: char| letter.is_alphanumeric() || letter == '_').len();
    let (before, typed) = text.split_at(start);
    let beginning_so = |names: &mut dyn Iterator<Item = &str>, kind: &str| {
        let names: BTreeSet<&str> =
            names.filter(|name| name.starts_with(typed) && *name != typed).collect();
        names.into_iter().map(|name| (name.to_owned(), kind.to_owned())).collect()
    };
    let names: Vec<(String, String)> = if before.ends_with(PARAMS) {
        let mut params = state.params.iter().flat_map(|params| params.iter());
        beginning_so(&mut params.by_ref().map(|(name, _)| name), "param")
    } else if before.ends_with(STATE) {
        let public = state.world.names().public().iter().map(|known| &*known.name);
        let own = state.next_turn.iter().flat_map(|turn| turn.state.iter().map(|(name, _)| name));
        beginning_so(&mut public.chain(own), "state")
    } else {
        beginning_like(before, typed)
            .map(|(name, summary)| (name.to_owned(), summary.to_owned()))
            .collect()
    };
    let row = |(index, (name, beside)): (usize, (String, String))| ChoiceRow {
        choice: Choice::Complete(index),
        completed: format!("{before}{name}"),
        words: name,
        beside,
        heading: String::new(),
    };
    names.into_iter().enumerate().map(row).collect()
}
