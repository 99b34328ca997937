//! The files of the scenario as the person sees and changes them: which one is shown, and the texts that are not written yet.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use flockwork_engine::diag::{Diagnostic, Place, Source};
use flockwork_engine::load::read;
use flockwork_engine::tokens::Language;
use flockwork_lsp::{NameUse, SharedFile};

use super::copies::{LeftCopy, OfferedCopy};
use super::problem_rows::HeldRows;
use super::text_check::TextCheck;
use super::text_edit::TextEdit;
use super::text_find::TextFind;
use super::text_help::{TextHelp, TypingPlace};
use super::view_state::ViewState;

/// The pointer has to stay on a name for this time until the name is explained.
const POINTING: Duration = Duration::from_millis(400);
/// Time between two looks at the disk, whether a text was written.
const SETTLING: Duration = Duration::from_millis(300);

/// Which file is shown, and what was typed in the files.
#[derive(Default)]
pub(super) struct Files {
    /// The name of the file that the person has chosen; `None` for the one that matters for what is shown.
    pub(super) chosen: Option<String>,
    /// The line that was asked for, from 0, which is marked.
    pub(super) line: Option<usize>,
    /// What is shown as soon as the files have it.
    pub(super) wanted: Option<WantedPlace>,
    /// The edited files by their names.
    pub(super) edits: BTreeMap<String, FileEdit>,
    /// What is wrong in files while the person types.
    pub(super) check: TextCheck,
    /// What can be written where the person types.
    pub(super) help: TextHelp,
    /// The words that are searched for.
    pub(super) find: TextFind,
    /// Whether keys are typed in the shown file.
    pub(super) is_typing: bool,
    /// Whether `esc` was pressed there: once more, and keys act on the run again.
    pub(super) is_leaving: bool,
    /// The width of the panel that the person has chosen, in pixels.
    pub(super) width: Option<f32>,
    /// The width that the lines of the files needed when the panel was opened, in pixels.
    pub(super) kept_width: Option<f32>,
    /// What was told below the lines of the shown file before the person typed.
    pub(super) held_rows: Option<HeldRows>,
    /// The name that the pointer is on.
    pub(super) pointed: Option<PointedName>,
    /// Where the cursor was before it went to a definition, each with the name of the file; the last one is the newest.
    pub(super) before: Vec<(String, usize)>,
    /// When changed files that the run does not use were to be written, or looked for on disk.
    pub(super) others_sent: Option<Instant>,
    /// The place whose name is to get another one.
    pub(super) renamed_place: Option<TypingPlace>,
    /// The places where the name is written that was asked about last.
    pub(super) uses: Vec<NameUse>,
    /// The names that got other ones, the last one at the end.
    pub(super) renamings: Vec<Renaming>,
    /// The line that was copied last without a selection: it is pasted above that of the cursor.
    pub(super) copied_line: Option<String>,
    /// The last click into the text.
    pub(super) clicked: Option<TextClick>,
    /// When the text was last scrolled, since the pointer has dragged a selection beyond its edge.
    pub(super) dragged_on: Option<Instant>,
    /// The copies that earlier windows have left, until the files of this run are known.
    pub(super) left_copies: Vec<LeftCopy>,
    /// Those of them that are offered to the person, the next one first.
    pub(super) offered_copies: Vec<OfferedCopy>,
    /// Those of them that can be deleted.
    pub(super) unneeded_copies: Vec<LeftCopy>,
}

/// A place of the files that the person wants to see.
pub(super) enum WantedPlace {
    /// Where the scenario has its groups.
    Groups,
    /// A script with this name.
    Script(String),
}

/// A click into the text, or the last of several quick ones at a place.
#[derive(Clone, Copy, Debug)]
pub(super) struct TextClick {
    pub(super) at: Instant,
    pub(super) place: usize,
    /// The number of clicks: two select a word, and three a line.
    pub(super) count: usize,
}

/// A name in the shown file that the pointer is on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PointedName {
    /// The bytes of the name.
    pub(super) span: Range<usize>,
    /// Since when the pointer is there.
    pub(super) since: Instant,
    /// Whether it is explained: the pointer rests there.
    pub(super) is_explained: bool,
}

/// A renaming: the names of the files that it has changed, with their contents before and after.
pub(super) struct Renaming {
    pub(super) files: Vec<(String, String, String)>,
}

/// The text of a file that the person changes.
pub(super) struct FileEdit {
    /// The file when the change began.
    pub(super) read: Arc<Source>,
    pub(super) edit: TextEdit,
}

/// The text of a file as the window shows it.
pub(super) struct ShownFile<'a> {
    pub(super) source: &'a Arc<Source>,
    pub(super) edit: Option<&'a TextEdit>,
    /// Whether another program has changed the file since the person began to change its text.
    pub(super) has_conflict: bool,
}

impl<'a> ShownFile<'a> {
    pub(super) fn text(&self) -> &'a str {
        self.edit.map_or(&self.source.text, TextEdit::text)
    }

    pub(super) fn is_scenario(&self) -> bool {
        self.source.name.ends_with(".ron")
    }

    pub(super) fn language(&self) -> Language {
        if self.is_scenario() { Language::Ron } else { Language::Rhai }
    }

    /// Returns whether the text differs from the file.
    pub(super) fn is_changed(&self) -> bool {
        self.text() != self.source.text
    }
}

impl Files {
    /// Returns the text of a file.
    pub(super) fn file<'a>(&'a self, source: &'a Arc<Source>) -> ShownFile<'a> {
        let change = self.edits.get(&source.name);
        let edit = change.map(|change| &change.edit);
        let has_conflict = change.is_some_and(|change| {
            change.read.text != source.text && change.edit.text() != source.text
        });
        ShownFile { source, edit, has_conflict }
    }

    /// Returns the index of the file that is shown.
    pub(super) fn shown(&self, state: &ViewState) -> usize {
        let index_of = |name: &str| state.files.iter().position(|file| file.name == name);
        let chosen = self.chosen.as_deref().and_then(index_of);
        let error = state.errors.first().and_then(|error| error.place.as_ref());
        let script = state.turn_values.as_ref().and_then(|values| values.files.first());
        let is_script = |script: &SharedFile| {
            state.files.iter().position(|file| script.path.ends_with(short_name(&file.name)))
        };
        let shown =
            chosen.or_else(|| index_of(&error?.source.name)).or_else(|| script.and_then(is_script));
        // The first one is the scenario.
        shown.unwrap_or(1).min(state.files.len().saturating_sub(1))
    }

    /// Checks what was typed if that is due. Returns whether there is something new to show.
    pub(super) fn check(&mut self, state: &ViewState) -> bool {
        let typed = self.unwritten_contents();
        self.explain_pointed(state) | self.help.advance() | self.check.advance(&state.files, typed)
    }

    /// Waits for the check of what is typed.
    pub(super) fn finish_check(&mut self, state: &ViewState) {
        let typed = self.unwritten_contents();
        self.check.finish(&state.files, typed);
    }

    /// Asks what is known about the name that the pointer is on, if it rests there. Returns whether it does so since now.
    fn explain_pointed(&mut self, state: &ViewState) -> bool {
        let Some(pointed) = &mut self.pointed else { return false };
        if pointed.is_explained || pointed.since.elapsed() < POINTING {
            return false;
        }
        pointed.is_explained = true;
        let at = pointed.span.start;
        let Some(source) = state.files.get(self.shown(state)) else { return false };
        let text = self.file(source).text().to_owned();
        let place = TypingPlace { file: source.name.clone(), text, cursor: at };
        self.help.ask_about(place, self.contents(state));
        true
    }

    /// Returns the names and the contents of all files as the person sees them.
    pub(super) fn contents(&self, state: &ViewState) -> Vec<(String, String)> {
        let shown =
            |source: &Arc<Source>| (source.name.clone(), self.file(source).text().to_owned());
        let others =
            self.others(state).map(|one| (one.read.name.clone(), one.edit.text().to_owned()));
        state.files.iter().map(shown).chain(others).collect()
    }

    /// Asks what can be written at the cursor of a file.
    pub(super) fn ask_for_help(&mut self, file: &str, state: &ViewState) {
        let Some(edit) = self.edits.get(file).map(|change| &change.edit) else { return };
        let (text, cursor) = (edit.text().to_owned(), edit.cursor());
        let files = self.contents(state);
        self.help.ask(TypingPlace { file: file.to_owned(), text, cursor }, files);
    }

    /// Returns what is wrong in a text that was typed, without the word that is being typed.
    pub(super) fn findings<'a: 'f, 'f>(
        &'a self,
        file: &'f ShownFile<'_>,
    ) -> impl Iterator<Item = &'a Diagnostic> + 'f {
        let name = short_name(&file.source.name);
        let is_typing = self.is_typing && self.check.is_typing();
        let typed = file.edit.filter(|_| is_typing).and_then(|edit| {
            let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
            edit.text()[..edit.cursor()].ends_with(is_part).then_some(edit.cursor())
        });
        self.check.findings.iter().filter(move |found| {
            found.place.as_ref().is_some_and(|Place { source, span }| {
                let is_typed = typed.is_some_and(|at| span.start < at && at <= span.end);
                source.text == file.text() && short_name(&source.name) == name && !is_typed
            })
        })
    }

    /// Returns whether the player has to publish the files: also while their panel is closed, what was typed can be written.
    pub(super) fn are_needed(&self, is_open: bool) -> bool {
        let has_copies = !self.left_copies.is_empty() || !self.offered_copies.is_empty();
        is_open || has_copies || self.changed().next().is_some()
    }

    /// Returns the names of the files whose texts are not written.
    pub(super) fn unwritten(&self) -> Vec<&str> {
        self.changed().map(|one| short_name(&one.read.name)).collect()
    }

    /// Returns the texts that are not written, with the names of their files.
    pub(super) fn unwritten_contents(&self) -> Vec<(String, String)> {
        self.changed().map(|one| (one.read.name.clone(), one.edit.text().to_owned())).collect()
    }

    fn changed(&self) -> impl Iterator<Item = &FileEdit> {
        self.edits.values().filter(|one| one.edit.text() != one.read.text)
    }

    /// Drops changed files that the run does not use once they are on disk. Returns whether there were any.
    pub(super) fn settle_others(&mut self, state: &ViewState) -> bool {
        let Some(since) = self.others_sent.filter(|_| !state.files.is_empty()) else {
            return false;
        };
        if since.elapsed() < SETTLING {
            return false;
        }
        let count = self.edits.len();
        self.edits.retain(|name, change| {
            let is_of_run = state.files.iter().any(|file| file.name == *name);
            let is_written =
                || read(Path::new(name)).is_ok_and(|file| file.text == change.edit.text());
            is_of_run || !is_written()
        });
        let is_left = self.others(state).next().is_some();
        self.others_sent = Some(Instant::now()).filter(|_| is_left);
        self.edits.len() < count
    }

    /// Returns the changed files that the run does not use.
    pub(super) fn others<'f>(&'f self, state: &'f ViewState) -> impl Iterator<Item = &'f FileEdit> {
        self.changed().filter(|one| state.files.iter().all(|file| file.name != one.read.name))
    }

    /// Takes over files that other programs have changed, or that were written, as far as the person has not changed their texts.
    pub(super) fn keep_up(&mut self, state: &ViewState) {
        for source in state.files.iter() {
            let Some(change) = self.edits.get_mut(&source.name) else { continue };
            if change.edit.text() == change.read.text && change.read.text != source.text {
                let cursor = change.edit.cursor();
                change.edit = TextEdit::new(&source.text);
                change.edit.move_to(cursor, false);
            }
            if change.edit.text() == source.text {
                change.read = Arc::clone(source);
            }
        }
    }
}

/// Returns the last part of the path of a file.
pub(super) fn short_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}
