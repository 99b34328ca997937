//! What the person does in the box that finds and replaces words of the shown file.

use super::command::PlayerCommand;
use super::find_action::{FindAction, FindField};
use super::key::Key;
use super::text_edit::TextEdit;
use super::text_find::{Replaced, TextFind, find_action};
use super::ui::Ui;
use super::view_state::ViewState;
use super::window_command::WindowCommand;

impl Ui {
    /// Does something with the words that are searched for.
    pub(super) fn find_in_file(
        &mut self,
        action: FindAction,
        state: &ViewState,
    ) -> Vec<PlayerCommand> {
        self.files.find.replaced = None;
        if matches!(action, FindAction::Open | FindAction::OpenReplace | FindAction::Close) {
            self.files.find.undoes_in_file = false;
        }
        match action {
            FindAction::Open => self.open_find(false, state),
            FindAction::OpenReplace => self.open_find(true, state),
            FindAction::TypeIn(field) => {
                self.files.is_typing = true;
                self.files.help.want(false, false);
                self.files.find.type_in(field);
            }
            FindAction::Previous => self.step_find(false, state),
            FindAction::Next => self.step_find(true, state),
            FindAction::ReplaceOne => self.replace_one(state),
            FindAction::ReplaceAll => return self.replace_all(state),
            FindAction::SwitchCase => {
                self.files.find.has_case ^= true;
                self.find_typed(state);
            }
            FindAction::SwitchWholeWords => {
                self.files.find.has_whole_words ^= true;
                self.find_typed(state);
            }
            FindAction::Close => self.close_find(state),
        }
        Vec::new()
    }

    /// Opens the box with the words that are selected in the text, if they are in one line; without them, with the last ones.
    fn open_find(&mut self, replaces: bool, state: &ViewState) {
        let was_typing = self.files.is_typing;
        self.files.is_typing = true;
        let Some(edit) = self.typed_text(state) else {
            self.files.is_typing = was_typing;
            return;
        };
        let selected = edit.selection();
        let words = edit.text()[selected.clone()].to_owned();
        self.files.help.want(false, false);
        let find = &mut self.files.find;
        if !find.is_open {
            (find.is_open, find.was_typing) = (true, was_typing);
        }
        find.has_replacement |= replaces;
        let is_in_text = find.field.is_none();
        if is_in_text {
            find.start = selected.start;
        }
        let has_words = is_in_text && !words.is_empty() && !words.contains('\n');
        if has_words {
            find.words = TextEdit::new(&words);
        }
        find.type_in(if replaces && has_words { FindField::Replacement } else { FindField::Words });
    }

    /// Closes the box. The cursor stays at the place that was found.
    pub(super) fn close_find(&mut self, state: &ViewState) {
        let is_found = self.found_place(state).is_some();
        let find = &mut self.files.find;
        (find.is_open, find.has_replacement, find.field) = (false, false, None);
        self.files.is_typing &= find.was_typing || is_found;
    }

    /// Returns the places of the shown file that have the words, while the box is open.
    pub(super) fn found_places(&self, state: &ViewState) -> Vec<usize> {
        let file = self.shown_file(state).filter(|_| self.files.find.is_open);
        file.map_or_else(Vec::new, |file| self.files.find.places(file.text()))
    }

    /// Returns the number of the place that is selected, from 0, and the number of all.
    pub(super) fn found_place(&self, state: &ViewState) -> Option<(usize, usize)> {
        let places = self.found_places(state);
        let selected = self.shown_file(state)?.edit?.selection();
        let is_selected =
            |place: &usize| (*place..*place + self.files.find.words.text().len()) == selected;
        Some((places.iter().position(is_selected)?, places.len()))
    }

    /// Says which of the places that have the words is selected, such as `2 of 7`, or how many were just replaced.
    pub(super) fn found_text(&self, state: &ViewState) -> String {
        let is_last = |one: &&Replaced| {
            let is_shown = self.shown_file(state).is_some_and(|file| file.text() == one.text);
            is_shown && self.files.find.words.text() == one.words
        };
        if let Some(Replaced { count, .. }) = self.files.find.replaced.as_ref().filter(is_last) {
            return format!("replaced {count}");
        }
        match self.found_place(state) {
            Some((number, count)) => format!("{} of {count}", number + 1),
            None if self.files.find.words.text().is_empty() => String::new(),
            None => match self.found_places(state).len() {
                0 => "not found".to_owned(),
                1 => "1 place".to_owned(),
                count => format!("{count} places"),
            },
        }
    }

    /// Selects the first place with the words from where the search began, while they are typed.
    fn find_typed(&mut self, state: &ViewState) {
        let (places, start) = (self.found_places(state), self.files.find.start);
        let place = places.iter().find(|place| **place >= start).or(places.first());
        self.select_found(place.copied(), state);
    }

    /// Selects the next place with the words, or the one before. Behind the last one comes the first one.
    fn step_find(&mut self, is_next: bool, state: &ViewState) {
        let places = self.found_places(state);
        let file = self.shown_file(state);
        let selected = file.and_then(|file| file.edit).map(TextEdit::selection).unwrap_or_default();
        let place = if is_next {
            places.iter().find(|place| **place >= selected.end).or(places.first())
        } else {
            places.iter().rfind(|place| **place < selected.start).or(places.last())
        };
        self.select_found(place.copied(), state);
        if let Some(place) = place {
            self.files.find.start = *place;
        }
    }

    /// Selects a place with the words; without one, puts the cursor where the search began.
    fn select_found(&mut self, place: Option<usize>, state: &ViewState) {
        let (length, start) = (self.files.find.words.text().len(), self.files.find.start);
        self.files.is_typing = true;
        let Some(edit) = self.typed_text(state) else { return };
        match place {
            Some(place) => edit.select(place..place + length),
            None => edit.move_to(start, false),
        }
        self.files.line = None;
        self.show_cursor(state);
    }

    /// Replaces the selected place with the words and selects the next one.
    fn replace_one(&mut self, state: &ViewState) {
        let words = self.files.find.replacement.text().to_owned();
        if self.found_place(state).is_some()
            && let Some(edit) = self.typed_text(state)
        {
            edit.insert(&words);
            self.files.find.undoes_in_file = true;
            self.step_find(true, state);
            if self.found_places(state).is_empty() {
                self.note_replaced(1, state);
            }
            return;
        }
        self.step_find(true, state);
    }

    /// Replaces the words everywhere in the shown file, which is undone at once.
    fn replace_all(&mut self, state: &ViewState) -> Vec<PlayerCommand> {
        let (places, find) = (self.found_places(state), &self.files.find);
        let (length, words) = (find.words.text().len(), find.replacement.text().to_owned());
        self.files.is_typing = true;
        let changes = places.iter().map(|place| (*place..*place + length, words.clone()));
        if let Some(edit) = self.typed_text(state) {
            edit.change_parts(changes.collect());
        }
        self.show_cursor(state);
        if !places.is_empty() {
            self.files.find.undoes_in_file = true;
            self.note_replaced(places.len(), state);
        }
        let text = match places.len() {
            0 => "there is nothing to replace in this file".to_owned(),
            1 => "replaced at 1 place (ctrl+z takes it back)".to_owned(),
            count => format!("replaced at {count} places (ctrl+z takes it back)"),
        };
        vec![PlayerCommand::Notice { text, is_failure: places.is_empty() }]
    }

    /// Notes that the words were replaced at some places of the shown file.
    fn note_replaced(&mut self, count: usize, state: &ViewState) {
        let Some(file) = self.shown_file(state) else { return };
        let (words, text) = (self.files.find.words.text().to_owned(), file.text().to_owned());
        self.files.find.replaced = Some(Replaced { count, words, text });
    }

    /// Handles a key while the box is open. `None` if the key means the same as always.
    pub(super) fn press_in_find(
        &mut self,
        key: Key,
        state: &ViewState,
    ) -> Option<Vec<PlayerCommand>> {
        if !self.files.find.is_open {
            return None;
        }
        let action = match (self.files.find.field, key) {
            (_, Key::Escape) => Some(FindAction::Close),
            (None, _) => return None,
            (Some(FindField::Words), Key::Enter) => Some(FindAction::Next),
            (Some(FindField::Replacement), Key::Enter) => Some(FindAction::ReplaceOne),
            (_, Key::ShiftEnter) => Some(FindAction::Previous),
            (_, Key::CtrlEnter) if self.files.find.has_replacement => Some(FindAction::ReplaceAll),
            (Some(field), Key::Tab | Key::ShiftTab) => {
                let other = match field {
                    FindField::Words if self.files.find.has_replacement => FindField::Replacement,
                    _ => FindField::Words,
                };
                Some(FindAction::TypeIn(other))
            }
            _ => find_action(key),
        };
        match action {
            Some(action) => Some(self.find_in_file(action, state)),
            None => self.type_in_field(key, state),
        }
    }

    /// Types a key in a field of the box. `None` if the key means the same as always.
    fn type_in_field(&mut self, key: Key, state: &ViewState) -> Option<Vec<PlayerCommand>> {
        let is_undo = matches!(key, Key::Ctrl('z' | 'y') | Key::CtrlShift('z'));
        if is_undo && self.files.find.undoes_in_file {
            self.typed_text(state)?.press(key);
            self.show_cursor(state);
            return Some(Vec::new());
        }
        let find = &mut self.files.find;
        let both =
            |find: &TextFind| [&find.words, &find.replacement].map(|one| one.text().to_owned());
        let before = both(find);
        let field = find.field?;
        let edit = find.field_mut(field);
        match key {
            Key::Ctrl('v') => self.window_commands.push(WindowCommand::Paste),
            Key::Ctrl('c' | 'x') => {
                let text = edit.text()[edit.selection()].to_owned();
                if key == Key::Ctrl('x') && !text.is_empty() {
                    edit.press(Key::Delete);
                }
                if !text.is_empty() {
                    self.window_commands.push(WindowCommand::Copy { text, caveat: None });
                }
            }
            // They are for lines.
            Key::Ctrl('/' | ' ') | Key::CtrlEnter => {}
            _ if edit.press(key) => {}
            _ => return None,
        }
        let after = both(&self.files.find);
        self.files.find.undoes_in_file &= after == before;
        if after[0] != before[0] {
            self.find_typed(state);
        }
        Some(Vec::new())
    }

    /// Writes text from the clipboard in the field of the box that is typed in. Returns whether there is one.
    pub(super) fn paste_in_field(&mut self, words: &str, state: &ViewState) -> bool {
        let find = &mut self.files.find;
        let Some(field) = find.field.filter(|_| self.files.is_typing) else { return false };
        find.undoes_in_file = false;
        find.field_mut(field).insert(words.lines().next().unwrap_or_default());
        if field == FindField::Words {
            self.find_typed(state);
        }
        true
    }
}
