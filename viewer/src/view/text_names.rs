//! The names in the text of a file: which one the pointer is on, and where it is declared.

use std::path::{Path, PathBuf};
use std::time::Instant;

use flockwork_engine::load::real_path;
use flockwork_engine::script::Entry;
use flockwork_engine::tokens::tokens;

use super::choice::Choice;
use super::command::PlayerCommand;
use super::file_view::{self, View};
use super::files::{PointedName, short_name};
use super::frame::{Frame, scene};
use super::text_help::TypingPlace;
use super::ui::Ui;
use super::ui_command::UiCommand;
use super::view_state::ViewState;
use super::words::words;

/// Returns the index of a file of the run by its path without links.
pub(super) fn file_of_run(state: &ViewState, path: &Path) -> Option<usize> {
    state.files.iter().position(|file| real_path(Path::new(&file.name)) == path)
}

impl Ui {
    /// Notes which name of the shown file the pointer is on.
    pub(super) fn point_at_name(&mut self, state: &ViewState) {
        if !file_view::contains(self, state, self.pointer) {
            self.files.pointed = None;
            return;
        }
        let frame = Frame::new(self, state, None);
        let is_text = frame.widget_at(self.pointer).is_some_and(|widget| {
            widget.click == Some(UiCommand::PlaceCursor) && widget.tip_words().0.is_none()
        });
        let scene = scene(self, state, None);
        let span = View::new(&scene).filter(|_| is_text).and_then(|view| {
            let at = view.letter_at(self.pointer)?;
            let mut all = tokens(view.file.text(), view.file.language());
            all.find(|one| one.span.contains(&at) && !one.is_comment()).map(|one| one.span)
        });
        let known = self.files.pointed.take();
        self.files.pointed = span.map(|span| match known {
            Some(known) if known.span == span => known,
            _ => PointedName { span, since: Instant::now(), is_explained: false },
        });
    }

    /// Asks where the name at the cursor is declared, to go there.
    pub(super) fn ask_for_definition(&mut self, state: &ViewState) {
        let Some(place) = self.place_of_cursor(state) else { return };
        let files = self.files.contents(state);
        self.files.help.ask_definitions(place, files);
    }

    /// Returns the place of the cursor in the shown file, also while keys act on the run.
    pub(super) fn place_of_cursor(&self, state: &ViewState) -> Option<TypingPlace> {
        let file = self.shown_file(state)?;
        let edit = file.edit?;
        let (text, cursor) = (edit.text().to_owned(), edit.cursor());
        Some(TypingPlace { file: file.source.name.clone(), text, cursor })
    }

    /// Goes to where the name is declared that was asked about, when that is known. If the reference has it, shows that.
    pub(super) fn go_to_definition(&mut self, state: &ViewState) -> Vec<PlayerCommand> {
        let Some((asked, places)) = self.files.help.take_definitions() else { return Vec::new() };
        let places: Vec<(PathBuf, usize)> = places;
        let here = places.iter().find_map(|(path, at)| Some((file_of_run(state, path)?, *at)));
        if let Some((index, at)) = here {
            self.files.before.push((asked.file, asked.cursor));
            self.go_to_place(state, &state.files[index].name, at);
            return Vec::new();
        }
        let help = self.files.help.at(&asked.file, &asked.text, asked.cursor);
        let word = help.and_then(|help| help.word.as_ref());
        let is_word = |one: &Entry| word.is_some_and(|word| word.signature == one.signature);
        if let Some(number) = words().iter().position(is_word) {
            return Choice::Word(number).execute(self, state);
        }
        let text = match places.first() {
            Some((path, _)) => {
                let path = path.display().to_string();
                format!("it is declared in {}, which this scenario does not use", short_name(&path))
            }
            None => "no file of this scenario declares what is at the cursor".to_owned(),
        };
        vec![PlayerCommand::Notice { text, is_failure: true }]
    }

    /// Goes back to where the cursor was before it went to a definition.
    pub(super) fn go_back(&mut self, state: &ViewState) {
        if let Some((file, at)) = self.files.before.pop() {
            self.go_to_place(state, &file, at);
        }
    }
}
