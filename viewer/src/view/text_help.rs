//! What can be written where the person types in a file: found in the background, after each key.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use flockwork_lsp::{Typing, TypingHelp};

/// How long a key that writes a suggestion waits for the suggestions.
const PATIENCE: Duration = Duration::from_millis(400);

/// Where the person types.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TypingPlace {
    /// The name of the file.
    pub(super) file: String,
    pub(super) text: String,
    pub(super) cursor: usize,
}

/// What is asked of the thread that knows the files.
struct Question {
    place: TypingPlace,
    /// The names and contents of the files as the person sees them.
    files: Vec<(String, String)>,
}

/// The thread that knows the files.
struct Worker {
    questions: Sender<Question>,
    answers: Receiver<(TypingPlace, TypingHelp)>,
}

/// What can be written at the cursor, and which suggestion is selected.
#[derive(Default)]
pub(super) struct TextHelp {
    worker: Option<Worker>,
    /// The place that was asked about last.
    asked: Option<TypingPlace>,
    answer: Option<(TypingPlace, TypingHelp)>,
    /// Whether suggestions are wanted: after a letter, not after a movement.
    is_wanted: bool,
    /// Whether they are wanted even if nothing is typed of a word.
    is_forced: bool,
    /// The index of the selected suggestion.
    pub(super) selected: usize,
    /// Whether the person has selected it.
    pub(super) has_chosen: bool,
}

impl TextHelp {
    /// Asks what can be written at a place. `files` has the names and contents of the files as the person sees them.
    pub(super) fn ask(&mut self, place: TypingPlace, files: Vec<(String, String)>) {
        if self.asked.as_ref() == Some(&place) {
            return;
        }
        self.asked = Some(place.clone());
        (self.selected, self.has_chosen) = (0, false);
        let question = Question { place, files };
        if self.worker.is_none() {
            self.worker = begin();
        }
        // Without the thread there are no suggestions.
        if self.worker.as_ref().is_some_and(|worker| worker.questions.send(question).is_err()) {
            self.worker = None;
        }
    }

    /// Lists suggestions from now on, or not. With `forced`, also those for a word of which nothing is typed.
    pub(super) fn want(&mut self, is_wanted: bool, forced: bool) {
        (self.is_wanted, self.is_forced) = (is_wanted, forced);
    }

    /// Takes over what was found. Returns whether that is something new.
    pub(super) fn advance(&mut self) -> bool {
        let Some(worker) = &self.worker else { return false };
        let latest = worker.answers.try_iter().last();
        let is_new = latest.is_some();
        self.answer = latest.or(self.answer.take());
        is_new
    }

    /// Waits a moment for what was asked last: a key needs it.
    pub(super) fn wait(&mut self) {
        while self.answer.as_ref().map(|(place, _)| place) != self.asked.as_ref() {
            let Some(worker) = &self.worker else { return };
            match worker.answers.recv_timeout(PATIENCE) {
                Ok(answer) => self.answer = Some(answer),
                Err(RecvTimeoutError::Timeout) => return,
                Err(RecvTimeoutError::Disconnected) => self.worker = None,
            }
        }
    }

    /// Returns what is known of a place.
    pub(super) fn at(&self, file: &str, text: &str, cursor: usize) -> Option<&TypingHelp> {
        let (place, help) = self.answer.as_ref()?;
        let is_there = place.file == file && place.cursor == cursor && place.text == text;
        is_there.then_some(help)
    }

    /// Returns the suggestions that are listed at a place, with what they replace: none if the only one is written.
    pub(super) fn listed(&self, file: &str, text: &str, cursor: usize) -> Option<&TypingHelp> {
        let help = self.at(file, text, cursor).filter(|_| self.is_wanted)?;
        let typed = text[help.replaced.start..cursor].trim_start_matches('"');
        let is_begun = !typed.is_empty() || text[..cursor].ends_with('.') || self.is_forced;
        let mut others = help.suggestions.iter().filter(|one| one.name.trim_matches('"') != typed);
        (is_begun && others.next().is_some()).then_some(help)
    }

    /// Selects a suggestion that is this much further down, or up if negative.
    pub(super) fn select(&mut self, by: isize, count: usize) {
        self.selected = self.selected.saturating_add_signed(by).min(count.saturating_sub(1));
        self.has_chosen = true;
    }
}

/// Begins the thread, which ends when nobody asks any more. `None` if there can be no other thread.
fn begin() -> Option<Worker> {
    let (questions, asked) = channel::<Question>();
    let (answers, found) = channel();
    let work = move || {
        let mut typing = Typing::default();
        while let Ok(question) = asked.recv() {
            // Only the last place counts.
            let Question { place, files } = asked.try_iter().last().unwrap_or(question);
            let files: Vec<(PathBuf, String)> =
                files.into_iter().map(|(name, text)| (PathBuf::from(name), text)).collect();
            let help = typing.help(Path::new(&place.file), place.cursor, &files);
            if answers.send((place, help)).is_err() {
                return;
            }
        }
    };
    thread::Builder::new().name("text help".to_owned()).spawn(work).ok()?;
    Some(Worker { questions, answers: found })
}
