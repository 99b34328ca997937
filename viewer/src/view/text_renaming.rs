//! Renames a name of the files everywhere, and lists where it is written. Nothing is written to disk: the changes are as if they were typed.

use std::path::Path;
use std::sync::Arc;

use flockwork_engine::diag::Source;
use flockwork_engine::script::first_body;
use flockwork_engine::tokens::tokens;
use flockwork_lsp::{NameUse, RenamedName};

use super::ask::Ask;
use super::choice::{Choice, ChoiceRow};
use super::command::PlayerCommand;
use super::files::{FileEdit, Renaming, short_name};
use super::key::Key;
use super::keys::press;
use super::panels;
use super::text_edit::TextEdit;
use super::text_help::TypingPlace;
use super::text_names::file_of_run;
use super::ui::Ui;
use super::view_state::ViewState;
use super::window_command::WindowCommand;
use super::word_help::is_of_engine;

/// Says how many there are of something.
fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

/// Says that there is no name to do something with.
fn no_name() -> Vec<PlayerCommand> {
    let text = "click a name in a script or in the scenario first".to_owned();
    vec![PlayerCommand::Notice { text, is_failure: false }]
}

impl Ui {
    /// Returns the place of the cursor and the name there, if the files are shown.
    fn name_at_cursor(&self, state: &ViewState) -> Option<(TypingPlace, String)> {
        let place = self.place_of_cursor(state).filter(|_| panels::files::PANEL.is_open(self))?;
        let language = self.shown_file(state)?.language();
        let mut here = tokens(&place.text, language)
            .filter(|one| (one.inner.start..=one.inner.end).contains(&place.cursor));
        let is_name = |words: &str| words.starts_with(|c: char| c.is_alphabetic() || c == '_');
        let name = here.find_map(|one| Some(&place.text[one.inner]).filter(|one| is_name(one)))?;
        Some((place.clone(), name.to_owned()))
    }

    /// Asks which name that at the cursor should get.
    pub(super) fn ask_for_name(&mut self, state: &ViewState) -> Vec<PlayerCommand> {
        let Some((place, name)) = self.name_at_cursor(state) else { return no_name() };
        let is_script = self.shown_file(state).is_some_and(|file| !file.is_scenario());
        if is_script && panels::files::KEYWORDS.contains(&name.as_str()) {
            let text = format!("`{name}` is a word of the language: click a name to rename it");
            return vec![PlayerCommand::Notice { text, is_failure: false }];
        }
        if is_script && is_of_engine(&place.text, place.cursor, &name) {
            let text = format!(
                "`{name}` is a name that Flockwork knows: only names of your own can be renamed"
            );
            return vec![PlayerCommand::Notice { text, is_failure: false }];
        }
        let is_function = place.text.contains(&format!("fn {name}("));
        if is_script && is_function && first_body(&name).is_some() {
            let text = format!(
                "the engine calls `{name}` by this name: under another one, nothing would call it"
            );
            return vec![PlayerCommand::Notice { text, is_failure: false }];
        }
        self.ask(Ask::Rename, &name);
        if let Some(question) = &mut self.question {
            question.words =
                format!("a new name for `{name}`, in all files (enter: rename; esc: do not):");
        }
        self.files.renamed_place = Some(place);
        Vec::new()
    }

    /// Begins to rename the name that was asked about. The question stays until it is known what changes.
    pub(super) fn rename_to(&mut self, new: String, state: &ViewState) {
        let Some(question) = &mut self.question else { return };
        let Some(place) = self.files.renamed_place.clone() else { return };
        if new.is_empty() {
            question.error = Some("type a name".to_owned());
            return;
        }
        let files = self.files.contents(state);
        // No answer of the player settles it.
        let is_asked = self.files.help.ask_rename(place, new, files);
        question.tried = Some(u64::MAX).filter(|_| is_asked);
        question.error = None;
    }

    /// Changes the files as the last new name wants it, when it is known how, or says why it is refused.
    pub(super) fn settle_renaming(&mut self, state: &ViewState) -> Vec<PlayerCommand> {
        let Some((place, renamed)) = self.files.help.take_renamed() else { return Vec::new() };
        let later = std::mem::take(&mut self.later_keys);
        let Some(question) = self.question.as_mut().filter(|one| one.ask == Ask::Rename) else {
            // The person does not want it any more.
            return Vec::new();
        };
        question.tried = None;
        let new = question.text.trim().to_owned();
        let changed = renamed.and_then(|renamed| self.change_names(&renamed, &place, &new, state));
        match changed {
            Err(why) => {
                if let Some(question) = &mut self.question {
                    question.error = Some(why);
                }
                Vec::new()
            }
            Ok(text) => {
                self.question = None;
                self.files.is_typing = true;
                let mut commands = vec![PlayerCommand::Notice { text, is_failure: false }];
                commands.extend(later.into_iter().flat_map(|key| press(key, self, state)));
                commands
            }
        }
    }

    /// Changes the files for a new name, and says what has changed. `Err` says why nothing has.
    fn change_names(
        &mut self,
        renamed: &RenamedName,
        place: &TypingPlace,
        new: &str,
        state: &ViewState,
    ) -> Result<String, String> {
        let mut changes = Vec::new();
        for (path, file) in &renamed.files {
            let of_run = file_of_run(state, path).map(|index| &state.files[index]);
            let source = match of_run {
                Some(source) => Arc::clone(source),
                None => {
                    let name = path.display().to_string();
                    let known = self.files.edits.get(&name).map(|one| Arc::clone(&one.read));
                    known.unwrap_or_else(|| Source::new(name, file.text.clone()))
                }
            };
            if self.files.file(&source).text() != file.text {
                let name = short_name(&source.name);
                return Err(format!("{name} has changed in the meantime: press enter again"));
            }
            changes.push((source, of_run.is_some(), file));
        }
        let mut files = Vec::new();
        let mut others = Vec::new();
        for (source, is_of_run, file) in changes {
            let begin =
                || FileEdit { read: Arc::clone(&source), edit: TextEdit::new(&source.text) };
            let change = self.files.edits.entry(source.name.clone()).or_insert_with(begin);
            change.edit.change_parts(file.changes.clone());
            files.push((source.name.clone(), file.text.clone(), change.edit.text().to_owned()));
            if !is_of_run {
                others.push(short_name(&source.name).to_owned());
            }
        }
        self.files.renamings.push(Renaming { files });
        self.files.chosen = Some(place.file.clone());
        let places = renamed.files.values().map(|file| file.places).sum();
        let in_files = renamed.files.values().filter(|file| file.places > 0).count();
        let (places, in_files) = (counted(places, "place"), counted(in_files, "file"));
        let others = match &others[..] {
            [] => String::new(),
            others => format!(" with {}", others.join(", ")),
        };
        Ok(format!(
            "renamed `{}` to `{new}` in {places} of {in_files}: ctrl+s writes them{others}, ctrl+z takes it back",
            renamed.old
        ))
    }

    /// Undoes a renaming in all files if a key has undone it in the shown one, or does it again.
    pub(super) fn follow_renaming(&mut self, key: Key, state: &ViewState) {
        let is_back = key == Key::Ctrl('z');
        if !is_back && !matches!(key, Key::Ctrl('y') | Key::CtrlShift('z')) {
            return;
        }
        let Some(shown) = self.shown_file(state) else { return };
        let (name, text) = (shown.source.name.clone(), shown.text().to_owned());
        let ends = |(before, after): (&String, &String)| match is_back {
            true => (after.clone(), before.clone()),
            false => (before.clone(), after.clone()),
        };
        let mut all = self.files.renamings.iter();
        let Some(renaming) = all.find(|one| {
            one.files
                .iter()
                .any(|(file, before, after)| *file == name && ends((before, after)).1 == text)
        }) else {
            return;
        };
        for (file, before, after) in renaming.files.iter().filter(|(file, ..)| *file != name) {
            let (from, to) = ends((before, after));
            // What was written has no edit any more.
            let begin = || FileEdit {
                read: Source::new(file.clone(), from.clone()),
                edit: TextEdit::new(&from),
            };
            let change = self.files.edits.entry(file.clone()).or_insert_with(begin);
            // A text that was changed again stays as it is.
            if change.edit.text() == from {
                change.edit.replace_text(&to);
            }
        }
    }

    /// Asks where the name at the cursor is written.
    pub(super) fn ask_for_uses(&mut self, state: &ViewState) -> Vec<PlayerCommand> {
        let Some((place, _)) = self.name_at_cursor(state) else { return no_name() };
        let files = self.files.contents(state);
        self.files.help.ask_uses(place, files);
        Vec::new()
    }

    /// Lists the places where the name is written that was asked about, when they are known.
    pub(super) fn show_uses(&mut self, state: &ViewState) -> Vec<PlayerCommand> {
        let Some((_, uses)) = self.files.help.take_uses() else { return Vec::new() };
        if uses.is_empty() {
            let text = "nothing is known of the uses of what is at the cursor".to_owned();
            return vec![PlayerCommand::Notice { text, is_failure: true }];
        }
        let count = counted(uses.len(), "place");
        self.files.uses = uses;
        self.ask(Ask::Use, "");
        let name =
            self.name_at_cursor(state).map_or_else(String::new, |(_, name)| format!("`{name}` "));
        if let Some(question) = &mut self.question {
            question.words = format!(
                "{name}is written in {count} (up, down: select; enter or a click: go there; esc: close):"
            );
        }
        Vec::new()
    }

    /// Returns the rows of these places that have a text.
    pub(super) fn use_rows(&self, state: &ViewState, text: &str) -> Vec<ChoiceRow> {
        let text = text.trim().to_lowercase();
        let row = |(number, one): (usize, &NameUse)| {
            let path = one.path.display().to_string();
            let name = short_name(&path);
            let where_else = match file_of_run(state, &one.path) {
                Some(_) => "",
                None => " (opens in your editor: this run does not use it)",
            };
            let heading = format!("{name}{where_else}");
            let kind = if one.is_declared { "declared, " } else { "" };
            ChoiceRow {
                choice: Choice::Use(number),
                words: one.words.clone(),
                beside: format!("{kind}line {}", one.line),
                completed: one.words.clone(),
                heading,
            }
        };
        let rows = self.files.uses.iter().enumerate().map(row);
        rows.filter(|row| format!("{} {}", row.heading, row.words).to_lowercase().contains(&text))
            .collect()
    }

    /// Goes to one of these places, by its number.
    pub(super) fn go_to_use(&mut self, state: &ViewState, number: usize) -> Vec<PlayerCommand> {
        let Some(one) = self.files.uses.get(number).cloned() else { return Vec::new() };
        let Some(index) = file_of_run(state, Path::new(&one.path)) else {
            let (file, line) = (one.path.display().to_string(), one.line);
            self.window_commands.push(WindowCommand::Edit { file, line });
            return Vec::new();
        };
        if let Some(place) = self.place_of_cursor(state) {
            self.files.before.push((place.file, place.cursor));
        }
        self.go_to_place(state, &state.files[index].name, one.at);
        Vec::new()
    }
}
