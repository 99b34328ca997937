//! What the person does with the files of the scenario: showing, typing, writing.

use std::sync::Arc;

use flockwork_engine::diag::{Diagnostic, Severity, Source};
use flockwork_engine::load::SCRIPT_EXTENSION;
use flockwork_lsp::TypingHelp;

use super::ask::Ask;
use super::command::PlayerCommand;
use super::file_notes::{LineRepair, first_with_fix, problems_in_line};
use super::file_view;
use super::files::{FileEdit, ShownFile, WantedPlace};
use super::frame::scene;
use super::key::Key;
use super::keys::keys;
use super::panels;
use super::text_edit::TextEdit;
use super::text_find::find_action;
use super::text_help::typed_part;
use super::ui::Ui;
use super::view_state::ViewState;
use super::window_command::WindowCommand;

/// Number of lines above a line that is shown.
const LINES_ABOVE: usize = 6;

/// An error that is shown, and what else is known of it.
pub(super) struct ShownError<'a> {
    pub(super) error: &'a Diagnostic,
    /// The number of other errors.
    pub(super) more: usize,
    /// Whether the text of its file has been changed since it was found by a run.
    pub(super) is_edited: bool,
    /// Whether the files are shown, so that a key goes to the others.
    pub(super) has_files: bool,
}

impl Ui {
    /// Returns the file that is shown, if there is one.
    pub(super) fn shown_file<'a>(&'a self, state: &'a ViewState) -> Option<ShownFile<'a>> {
        Some(self.files.file(state.files.get(self.files.shown(state))?))
    }

    /// Returns the error to show: why the files do not run. If the person has changed the text of its file since, it is the first
    /// mistake in that text, as far as it is known.
    pub(super) fn shown_error<'a>(&'a self, state: &'a ViewState) -> Option<ShownError<'a>> {
        let error = state.errors.first()?;
        let has_files = panels::files::PANEL.is_open(self);
        let place = error.place.as_ref();
        let change = place.and_then(|place| {
            let change = self.files.edits.get(&place.source.name)?;
            // Another program may have changed the file.
            let is_edited = change.edit.text() != change.read.text;
            (is_edited && change.edit.text() != place.source.text).then_some(change)
        });
        let Some(change) = change else {
            let (more, is_edited) = (state.errors.len() - 1, false);
            return Some(ShownError { error, more, is_edited, has_files });
        };
        let file = self.files.file(&change.read);
        let is_error = |found: &&Diagnostic| found.severity == Severity::Error;
        let mut found = self.files.findings(&file).filter(is_error);
        let first = found.next();
        let more = if first.is_some() { found.count() } else { 0 };
        Some(ShownError { error: first.unwrap_or(error), more, is_edited: true, has_files })
    }

    /// Shows another file, from its beginning.
    pub(super) fn show_file(&mut self, state: &ViewState, index: usize) {
        self.files.chosen = state.files.get(index).map(|source| source.name.clone());
        (self.files.line, self.files.is_typing) = (None, false);
        (self.files.find.field, self.files.find.start) = (None, 0);
        self.files.find.undoes_in_file = false;
        self.panels.state_mut(panels::files::PANEL.id).scroll = 0.0;
    }

    /// Opens the panel of files with a line of one of them, from 1.
    pub(super) fn show_line(&mut self, file: &str, line: usize) -> Vec<PlayerCommand> {
        let commands = panels::files::PANEL.set_open(self, true);
        self.files.chosen = Some(file.to_owned());
        self.files.is_typing = false;
        let line = line.saturating_sub(1);
        self.files.line = Some(line);
        let above = line.saturating_sub(LINES_ABOVE);
        self.panels.state_mut(panels::files::PANEL.id).scroll = above as f32;
        commands
    }

    /// Opens the panel of files, to show where the scenario has its groups, and says where the book explains another one.
    pub(super) fn open_groups(&mut self) -> Vec<PlayerCommand> {
        self.files.wanted = Some(WantedPlace::Groups);
        let text = "another group is one more entry in `groups`: copy one, and give it another name. The book says more in \
                    \"Scenarios\", \"Small changes\".";
        let notice = PlayerCommand::Notice { text: text.to_owned(), is_failure: false };
        let open = panels::files::PANEL.set_open(self, true);
        open.into_iter().chain([notice]).collect()
    }

    /// Shows the place that is wanted, as soon as the files have it.
    pub(super) fn show_wanted(&mut self, state: &ViewState) {
        let Some(wanted) = &self.files.wanted else { return };
        let mut files = state.files.iter().map(|source| self.files.file(source));
        let (file, begins) = match wanted {
            WantedPlace::Groups => (files.find(ShownFile::is_scenario), "groups:"),
            WantedPlace::Script(name) => {
                let end = format!("/{name}.{SCRIPT_EXTENSION}");
                let is_it =
                    |file: &ShownFile<'_>| file.source.name.replace('\\', "/").ends_with(&end);
                (files.find(is_it), "fn ")
            }
        };
        let Some(file) = file else { return };
        let name = file.source.name.clone();
        let is_place = |line: &str| line.trim_start().starts_with(begins);
        let line = file.text().lines().position(is_place).unwrap_or_default();
        self.files.wanted = None;
        // The panel is open already.
        self.show_line(&name, line + 1);
    }

    /// Opens the panel of files with one of them, scrolled to a line, from 1.
    pub(super) fn open_file(&mut self, file: &str, line: usize) -> Vec<PlayerCommand> {
        let commands = panels::files::PANEL.set_open(self, true);
        self.files.chosen = Some(file.to_owned());
        self.panels.state_mut(panels::files::PANEL.id).scroll = line.saturating_sub(1) as f32;
        commands
    }

    /// Shows a place of a file and types there.
    pub(super) fn go_to_place(&mut self, state: &ViewState, file: &str, at: usize) {
        self.files.chosen = Some(file.to_owned());
        let Some(shown) = self.shown_file(state) else { return };
        let at = shown.text().floor_char_boundary(at);
        let line = shown.text()[..at].matches('\n').count();
        if self.visible_lines(state).is_none_or(|lines| !lines.contains(&line)) {
            let above = line.saturating_sub(LINES_ABOVE);
            self.panels.state_mut(panels::files::PANEL.id).scroll = above as f32;
        }
        self.place_cursor(state, at, false);
    }

    /// Puts the cursor to the beginning of a line of the shown file whose number was typed, from 1; after the last line, to that one.
    pub(super) fn go_to_line(&mut self, typed: &str, state: &ViewState) -> Vec<PlayerCommand> {
        let number = typed.parse::<usize>().ok().filter(|number| *number > 0);
        let Some(number) = number else {
            if let Some(question) = &mut self.question {
                question.error = Some("type the number of a line, such as 12".to_owned());
            }
            return Vec::new();
        };
        self.question = None;
        let Some(file) = self.shown_file(state) else { return Vec::new() };
        let ends = file.text().match_indices('\n').map(|(end, _)| end + 1);
        let at = ends.take(number - 1).last().unwrap_or(0);
        let name = file.source.name.clone();
        self.go_to_place(state, &name, at);
        Vec::new()
    }

    /// Returns the file that is shown and the line of the cursor in it, or the one that was asked for, or the first one; from 1.
    pub(super) fn shown_line(&self, state: &ViewState) -> Option<(String, usize)> {
        let file = self.shown_file(state).filter(|_| panels::files::PANEL.is_open(self))?;
        let scroll = self.panels.scroll(panels::files::PANEL.id) as usize;
        let first = self.files.line.unwrap_or(scroll);
        let of_cursor = |edit: &TextEdit| edit.text()[..edit.cursor()].matches('\n').count();
        let edit = file.edit.filter(|_| self.files.is_typing);
        Some((file.source.name.clone(), edit.map_or(first, of_cursor) + 1))
    }

    /// Returns the text that keys change, if the person types in a file.
    pub(super) fn typed_text(&mut self, state: &ViewState) -> Option<&mut TextEdit> {
        if !self.files.is_typing || !panels::files::PANEL.is_open(self) {
            return None;
        }
        let source = state.files.get(self.files.shown(state))?;
        self.files.keep_up(state);
        let begin = || FileEdit { read: Arc::clone(source), edit: TextEdit::new(&source.text) };
        self.files.chosen = Some(source.name.clone());
        Some(&mut self.files.edits.entry(source.name.clone()).or_insert_with(begin).edit)
    }

    /// Puts the cursor at a place of the shown file, and types there from now on.
    pub(super) fn place_cursor(&mut self, state: &ViewState, place: usize, selects: bool) {
        (self.files.line, self.files.is_typing) = (None, true);
        self.files.is_leaving = false;
        (self.files.find.field, self.files.find.undoes_in_file) = (None, false);
        self.files.help.want(false, false);
        if let Some(edit) = self.typed_text(state) {
            edit.move_to(place, selects);
        }
        if !selects {
            self.show_cursor(state);
        }
    }

    /// Closes the pages in front of the text with a key that is meant for the text. Movements leave the reference open, to read it.
    pub(super) fn close_pages(&mut self, key: Key, state: &ViewState) -> Vec<PlayerCommand> {
        if self.typed_text(state).is_none() {
            return Vec::new();
        }
        let help = &panels::help::PANEL;
        if help.is_open(self) {
            let command = keys().of_key(key).map(|binding| binding.command);
            let is_of_help = (help.own_key)(key).is_some()
                || command == Some(help.toggle())
                || key == Key::Escape;
            return if is_of_help { Vec::new() } else { help.set_open(self, false) };
        }
        let changes = match key {
            Key::Char(_) | Key::Backspace | Key::Delete | Key::Tab | Key::ShiftTab => true,
            Key::Enter | Key::ShiftEnter | Key::CtrlEnter | Key::CtrlShift(_) => true,
            Key::Ctrl(letter) => letter != 'c',
            _ => false,
        };
        if !changes {
            return Vec::new();
        }
        panels::word::PANEL.set_open(self, false)
    }

    /// Handles a key while the person types in a file. `None` if the key means the same as always.
    pub(super) fn type_in_file(
        &mut self,
        key: Key,
        state: &ViewState,
    ) -> Option<Vec<PlayerCommand>> {
        let was_leaving = std::mem::take(&mut self.files.is_leaving);
        self.typed_text(state)?;
        // The help is in front of all.
        if panels::help::PANEL.is_open(self) {
            return None;
        }
        // A page of the reference is in front of the text.
        if key == Key::Escape && panels::word::PANEL.is_open(self) {
            return Some(panels::word::PANEL.set_open(self, false));
        }
        if let Some(commands) = self.press_in_find(key, state) {
            return Some(commands);
        }
        if self.files.find.field.is_some() {
            return None;
        }
        if self.press_in_suggestions(key, state) {
            return Some(Vec::new());
        }
        let language = self.shown_file(state)?.language();
        let edit = self.typed_text(state)?;
        let mut selected = edit.text()[edit.selection()].to_owned();
        if let Some(action) = find_action(key) {
            return Some(self.find_in_file(action, state));
        }
        let copies = match key {
            Key::Escape => {
                // Letters that are typed after a key which only meant to close something would act on the run.
                (self.files.is_typing, self.files.is_leaving) = (!was_leaving, !was_leaving);
                return Some(Vec::new());
            }
            Key::F12 => {
                self.ask_for_definition(state);
                return Some(Vec::new());
            }
            Key::Ctrl('g') => {
                self.ask(Ask::Line, "");
                return Some(Vec::new());
            }
            Key::F2 | Key::ShiftF2 => return Some(self.ask_for_name(state)),
            Key::F8 | Key::ShiftF8 => return Some(self.next_problem(state, key == Key::F8)),
            Key::AltLeft => {
                self.go_back(state);
                return Some(Vec::new());
            }
            Key::Ctrl('.') => {
                let cursor = edit.cursor();
                let line = edit.text()[..cursor].matches('\n').count();
                return Some(self.write_fix(state, line, Some(cursor)));
            }
            Key::Ctrl('v') => {
                self.window_commands.push(WindowCommand::Paste);
                return Some(Vec::new());
            }
            // Without a selection, it is the whole line.
            Key::Ctrl('c' | 'x') if selected.is_empty() => {
                selected = edit.line_to_copy();
                let is_done = key == Key::Ctrl('c') || edit.press(Key::CtrlShift('k'));
                self.files.copied_line = Some(selected.clone());
                is_done
            }
            // It lists what can be written.
            Key::Ctrl(' ') => false,
            Key::Ctrl('x') => edit.press(Key::Delete),
            Key::Ctrl('c') => true,
            _ if edit.press_in_code(key, language) => {
                self.follow_renaming(key, state);
                false
            }
            _ => return None,
        };
        if copies {
            self.window_commands.push(WindowCommand::Copy { text: selected, caveat: None });
        }
        let types = matches!(key, Key::Char(_) | Key::Backspace | Key::Ctrl(' '));
        self.files.help.want(types, key == Key::Ctrl(' '));
        self.show_cursor(state);
        Some(Vec::new())
    }

    /// Returns what is listed where the person types.
    pub(super) fn listed(&self, state: &ViewState) -> Option<&TypingHelp> {
        let file = self.shown_file(state).filter(|_| self.files.is_typing)?;
        let edit = file.edit?;
        self.files.help.listed(&file.source.name, edit.text(), edit.cursor())
    }

    /// Handles a key while suggestions are listed. Returns whether the key was for them.
    fn press_in_suggestions(&mut self, key: Key, state: &ViewState) -> bool {
        if key == Key::Tab {
            self.files.help.wait();
        }
        let Some(help) = self.listed(state) else { return false };
        let count = help.suggestions.len();
        let selected = self.files.help.selected;
        match key {
            Key::Up => self.files.help.select(-1, count),
            Key::Down => self.files.help.select(1, count),
            Key::PageUp => self.files.help.select(-8, count),
            Key::PageDown => self.files.help.select(8, count),
            Key::Tab => self.write_suggestion(state, selected),
            // A word that is already there ends its line.
            Key::Enter if !self.has_whole_word(state) => self.write_suggestion(state, selected),
            Key::Escape => self.files.help.want(false, false),
            _ => return false,
        }
        true
    }

    /// Returns whether what is typed at the cursor is already a suggestion: the selected one, or any if the person has selected none.
    fn has_whole_word(&self, state: &ViewState) -> bool {
        let Some(help) = self.listed(state) else { return false };
        let Some(edit) = self.shown_file(state).and_then(|file| file.edit) else { return false };
        let typed = typed_part(help, edit.text(), edit.cursor());
        let (selected, any) = (self.files.help.selected, !self.files.help.has_chosen);
        let mut all = help.suggestions.iter().enumerate();
        all.any(|(index, one)| (any || index == selected) && one.name.trim_matches('"') == typed)
    }

    /// Selects a suggestion that is this much further down, or up if negative.
    pub(super) fn select_suggestion(&mut self, state: &ViewState, by: isize) {
        let count = self.listed(state).map_or(0, |help| help.suggestions.len());
        self.files.help.select(by, count);
    }

    /// Writes a suggestion in place of the word at the cursor.
    pub(super) fn write_suggestion(&mut self, state: &ViewState, index: usize) {
        let Some(help) = self.listed(state) else { return };
        let Some(suggestion) = help.suggestions.get(index).cloned() else { return };
        let replaced = help.replaced.clone();
        self.files.help.want(suggestion.goes_on, suggestion.goes_on);
        if let Some(edit) = self.typed_text(state) {
            edit.select(replaced);
            edit.insert_chosen(&suggestion.text, suggestion.selected);
            self.show_cursor(state);
        }
    }

    /// Writes the fix of a line of the shown file, by the number of the line from 0: that of the problem at the cursor, if it has one. The
    /// run needs the file that names a new script, so that is written, too.
    pub(super) fn write_fix(
        &mut self,
        state: &ViewState,
        line: usize,
        cursor: Option<usize>,
    ) -> Vec<PlayerCommand> {
        let scene = scene(self, state, None);
        let Some(file) = self.shown_file(state) else { return Vec::new() };
        let here = problems_in_line(&scene, &file, line, cursor);
        let fix = match first_with_fix(&file, &here) {
            None => return Vec::new(),
            Some((_, LineRepair::NewScript { name, text })) => {
                let write = self.command_to_write(file.source);
                self.files.wanted = Some(WantedPlace::Script(name.clone()));
                let new = PlayerCommand::NewScript { name, text: Some(text), group: None };
                return [new].into_iter().chain(write).collect();
            }
            Some((_, LineRepair::Change(fix))) => fix,
        };
        (self.files.line, self.files.is_typing) = (None, true);
        self.files.held_rows = None;
        self.files.help.want(false, false);
        if let Some(edit) = self.typed_text(state) {
            edit.select(fix.place.span);
            edit.insert(&fix.text);
            self.show_cursor(state);
        }
        Vec::new()
    }

    /// Writes text from the clipboard where the person types.
    pub(super) fn paste(&mut self, words: &str, state: &ViewState) {
        if self.paste_in_field(words, state) {
            return;
        }
        let is_line = self.files.copied_line.as_deref() == Some(words);
        if let Some(edit) = self.typed_text(state) {
            edit.paste(words, is_line);
            self.show_cursor(state);
        }
    }

    /// Scrolls to the cursor.
    pub(super) fn show_cursor(&mut self, state: &ViewState) {
        let Some(edit) = self.typed_text(state) else { return };
        let (text, cursor) = (edit.text().to_owned(), edit.cursor());
        if let Some(file) = self.files.chosen.clone() {
            self.files.ask_for_help(&file, state);
        }
        let first = file_view::first_to_show(self, state, &text, cursor);
        self.panels.state_mut(panels::files::PANEL.id).scroll = first as f32;
    }

    /// Shows another text in place of that of the shown file, as if it had been typed.
    pub(super) fn replace_text(&mut self, text: &str, state: &ViewState) {
        self.files.is_typing = true;
        if let Some(edit) = self.typed_text(state) {
            edit.replace_text(text);
        }
    }

    /// Shows the file as it is in place of what was typed, which can be undone.
    pub(super) fn drop_text(&mut self, state: &ViewState) {
        let Some(source) = state.files.get(self.files.shown(state)) else { return };
        if let Some(change) = self.files.edits.get_mut(&source.name) {
            change.edit.replace_text(&source.text);
            change.read = Arc::clone(source);
        }
    }

    /// Keeps what was typed in the shown file, although another program has changed it since.
    pub(super) fn keep_text(&mut self, state: &ViewState) {
        let Some(source) = state.files.get(self.files.shown(state)) else { return };
        if let Some(change) = self.files.edits.get_mut(&source.name) {
            change.read = Arc::clone(source);
        }
    }

    /// Returns the commands that write all texts that were changed.
    pub(super) fn write_files(&self, state: &ViewState) -> Vec<PlayerCommand> {
        let changed = |source| self.command_to_write(source);
        // A renaming has changed files that the run does not use, too.
        let others = self.files.others(state).map(|change| PlayerCommand::WriteFile {
            read: Arc::clone(&change.read),
            text: change.edit.text().to_owned(),
        });
        state.files.iter().filter_map(changed).chain(others).collect()
    }

    /// Returns the command that writes the text of a file of the run, if it was changed.
    fn command_to_write(&self, source: &Arc<Source>) -> Option<PlayerCommand> {
        let file = self.files.file(source);
        let read = &self.files.edits.get(&source.name)?.read;
        let text = file.text().to_owned();
        let command = PlayerCommand::WriteFile { read: Arc::clone(read), text };
        file.is_changed().then_some(command)
    }
}
