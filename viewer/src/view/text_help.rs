//! What can be written where the person types in a file, what is known about the names there, and how they are renamed: found in the
//! background.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use flockwork_lsp::{NameHelp, NameUse, RenamedName, Typing, TypingHelp};

/// How long a key that writes a suggestion waits for the suggestions.
const PATIENCE: Duration = Duration::from_millis(400);

/// A place of a file, such as that where the person types.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TypingPlace {
    /// The name of the file.
    pub(super) file: String,
    pub(super) text: String,
    pub(super) cursor: usize,
}

/// What is asked about a place.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Subject {
    /// What can be written there.
    Suggestions,
    /// What is known about the name there.
    About,
    /// Where the name there is declared.
    Definitions,
    /// Where the name there is written.
    Uses,
    /// What changes if the name there becomes this one.
    Rename(String),
}

/// What is asked of the thread that knows the files.
struct Question {
    subject: Subject,
    place: TypingPlace,
    /// The names and contents of the files as the person sees them.
    files: Vec<(String, String)>,
}

/// What the thread has found out.
enum Answer {
    Suggestions(TypingHelp),
    About(Option<NameHelp>),
    /// The paths of files, and offsets in them.
    Definitions(Vec<(PathBuf, usize)>),
    Uses(Vec<NameUse>),
    /// Or why it cannot be renamed.
    Rename(Result<RenamedName, String>),
}

/// The thread that knows the files.
struct Worker {
    questions: Sender<Question>,
    answers: Receiver<(TypingPlace, Answer)>,
}

/// What can be written at the cursor, and which suggestion is selected.
#[derive(Default)]
pub(super) struct TextHelp {
    worker: Option<Worker>,
    /// The place that was asked about last.
    asked: Option<TypingPlace>,
    answer: Option<(TypingPlace, TypingHelp)>,
    /// What is known about the name that was asked about last.
    about: Option<(TypingPlace, Option<NameHelp>)>,
    /// Where the name is declared that was asked about last.
    definitions: Option<(TypingPlace, Vec<(PathBuf, usize)>)>,
    /// Where the name is written that was asked about last.
    uses: Option<(TypingPlace, Vec<NameUse>)>,
    /// What changes with the last new name, or why it is refused.
    renamed: Option<(TypingPlace, Result<RenamedName, String>)>,
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
        self.send(Question { subject: Subject::Suggestions, place, files });
    }

    /// Asks what is known about the name at a place.
    pub(super) fn ask_about(&mut self, place: TypingPlace, files: Vec<(String, String)>) {
        self.send(Question { subject: Subject::About, place, files });
    }

    /// Asks where the name at a place is declared.
    pub(super) fn ask_definitions(&mut self, place: TypingPlace, files: Vec<(String, String)>) {
        self.definitions = None;
        self.send(Question { subject: Subject::Definitions, place, files });
    }

    /// Asks where the name at a place is written.
    pub(super) fn ask_uses(&mut self, place: TypingPlace, files: Vec<(String, String)>) {
        self.uses = None;
        self.send(Question { subject: Subject::Uses, place, files });
    }

    /// Asks what changes if the name at a place becomes another one. Returns whether there will be an answer.
    pub(super) fn ask_rename(
        &mut self,
        place: TypingPlace,
        new: String,
        files: Vec<(String, String)>,
    ) -> bool {
        self.renamed = None;
        self.send(Question { subject: Subject::Rename(new), place, files });
        self.worker.is_some()
    }

    fn send(&mut self, question: Question) {
        if self.worker.is_none() {
            self.worker = begin();
        }
        // Without the thread there are no answers.
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
        let answers: Vec<_> = worker.answers.try_iter().collect();
        let is_new = !answers.is_empty();
        answers.into_iter().for_each(|answer| self.take_over(answer));
        is_new
    }

    fn take_over(&mut self, (place, answer): (TypingPlace, Answer)) {
        match answer {
            Answer::Suggestions(help) => self.answer = Some((place, help)),
            Answer::About(about) => self.about = Some((place, about)),
            Answer::Definitions(places) => self.definitions = Some((place, places)),
            Answer::Uses(uses) => self.uses = Some((place, uses)),
            Answer::Rename(renamed) => self.renamed = Some((place, renamed)),
        }
    }

    /// Waits a moment for what was asked last: a key needs it.
    pub(super) fn wait(&mut self) {
        while self.answer.as_ref().map(|(place, _)| place) != self.asked.as_ref() {
            let Some(worker) = &self.worker else { return };
            match worker.answers.recv_timeout(PATIENCE) {
                Ok(answer) => self.take_over(answer),
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

    /// Returns what is known of a place; while that is being found out, what was known of the place before it in the same file.
    pub(super) fn latest(&self, file: &str, text: &str, cursor: usize) -> Option<&TypingHelp> {
        let is_asked = self.asked.as_ref().is_some_and(|place| {
            place.file == file && place.cursor == cursor && place.text == text
        });
        let (_, before) =
            self.answer.as_ref().filter(|(place, _)| is_asked && place.file == file)?;
        Some(self.at(file, text, cursor).unwrap_or(before))
    }

    /// Returns what is known about the name at a place, if that was asked for.
    pub(super) fn about(&self, file: &str, text: &str, at: usize) -> Option<&NameHelp> {
        let (place, about) = self.about.as_ref()?;
        let is_there = place.file == file && place.cursor == at && place.text == text;
        about.as_ref().filter(|_| is_there)
    }

    /// Takes the place that was asked about, with the places where its name is declared, when they are known.
    pub(super) fn take_definitions(&mut self) -> Option<(TypingPlace, Vec<(PathBuf, usize)>)> {
        self.definitions.take()
    }

    /// Takes the place that was asked about, with the places where its name is written, when they are known.
    pub(super) fn take_uses(&mut self) -> Option<(TypingPlace, Vec<NameUse>)> {
        self.uses.take()
    }

    /// Takes the place whose name gets another one, with what changes, when it is known.
    pub(super) fn take_renamed(&mut self) -> Option<(TypingPlace, Result<RenamedName, String>)> {
        self.renamed.take()
    }

    /// Returns the suggestions that are listed at a place, with what they replace: none if the only one is written.
    pub(super) fn listed(&self, file: &str, text: &str, cursor: usize) -> Option<&TypingHelp> {
        let help = self.at(file, text, cursor).filter(|_| self.is_wanted)?;
        let typed = typed_part(help, text, cursor);
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

/// Returns what is typed of a word before the cursor, without quotes.
pub(super) fn typed_part<'t>(help: &TypingHelp, text: &'t str, cursor: usize) -> &'t str {
    text[help.replaced.start..cursor].trim_start_matches('"')
}

/// Begins the thread, which ends when nobody asks any more. `None` if there can be no other thread.
fn begin() -> Option<Worker> {
    let (questions, asked) = channel::<Question>();
    let (answers, found) = channel();
    let work = move || {
        let mut typing = Typing::default();
        while let Ok(question) = asked.recv() {
            let mut waiting = vec![question];
            for question in asked.try_iter() {
                // Only the last place counts.
                waiting.retain(|one| one.subject != question.subject);
                waiting.push(question);
            }
            for Question { subject, place, files } in waiting {
                let files: Vec<(PathBuf, String)> =
                    files.into_iter().map(|(name, text)| (PathBuf::from(name), text)).collect();
                let (path, at) = (Path::new(&place.file), place.cursor);
                let answer = match subject {
                    Subject::Suggestions => Answer::Suggestions(typing.help(path, at, &files)),
                    Subject::About => Answer::About(typing.about(path, at, &files)),
                    Subject::Definitions => {
                        Answer::Definitions(typing.definitions(path, at, &files))
                    }
                    Subject::Uses => Answer::Uses(typing.uses(path, at, &files)),
                    Subject::Rename(new) => Answer::Rename(typing.rename(path, at, &new, &files)),
                };
                if answers.send((place, answer)).is_err() {
                    return;
                }
            }
        }
    };
    thread::Builder::new().name("text help".to_owned()).spawn(work).ok()?;
    Some(Worker { questions, answers: found })
}
