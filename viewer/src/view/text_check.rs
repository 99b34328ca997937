//! Checks of the files that are shown: in the background, shortly after they are shown or the last key.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::thread;
use std::time::{Duration, Instant};

use flockwork_engine::diag::{Diagnostic, Source};
use flockwork_engine::load::OpenFiles;
use flockwork_engine::runner::check_open;

/// Time without a key until files are checked: half a word is not worth a message.
const PAUSE: Duration = Duration::from_millis(500);
/// Time without a key until the word that is being typed may be wrong: the person may think in the middle of it.
const WORD_PAUSE: Duration = Duration::from_millis(1500);

/// The check of files that were changed and are not written yet.
#[derive(Default)]
pub(super) struct TextCheck {
    /// The files of the run, and the names and contents of those that were changed, when they were last looked at.
    files: Arc<[Arc<Source>]>,
    changed: Vec<(String, String)>,
    /// When they are checked; `None` if that has begun.
    due: Option<Instant>,
    /// Until when the word at the cursor counts as being typed; `None` if the person has paused.
    pub(super) word_until: Option<Instant>,
    /// The check that runs.
    running: Option<Receiver<Vec<Diagnostic>>>,
    /// What the last check has found. A finding holds for the text that it has.
    pub(super) findings: Vec<Diagnostic>,
}

impl TextCheck {
    /// Begins to check the files of a scenario if that is due, and takes over what a check has found. `changed` has the names and the
    /// contents of the files that were changed; the first of all files is the scenario. Returns whether there are other findings now.
    pub(super) fn advance(
        &mut self,
        files: &Arc<[Arc<Source>]>,
        changed: Vec<(String, String)>,
    ) -> bool {
        if self.changed != changed || !Arc::ptr_eq(&self.files, files) {
            (self.files, self.changed) = (Arc::clone(files), changed);
            let now = Instant::now();
            self.due = Some(now + PAUSE).filter(|_| !files.is_empty());
            self.word_until = Some(now + WORD_PAUSE);
        }
        let has_paused = self.word_until.is_some_and(|until| until <= Instant::now());
        if has_paused {
            self.word_until = None;
        }
        if self.running.is_none() && self.due.is_some_and(|due| due <= Instant::now()) {
            self.due = None;
            self.running = files.first().map(|scenario| begin(&scenario.name, &self.changed));
        }
        let Some(answer) = self.running.as_ref().map(Receiver::try_recv) else { return has_paused };
        if answer == Err(TryRecvError::Empty) {
            return has_paused;
        }
        self.running = None;
        // A check that breaks finds nothing: the same happens when the file is written, and is told then.
        self.findings = answer.unwrap_or_default();
        true
    }

    /// Waits for the check of the present contents, also of the word that is being typed.
    pub(super) fn finish(&mut self, files: &Arc<[Arc<Source>]>, changed: Vec<(String, String)>) {
        self.advance(files, changed);
        self.word_until = None;
        let is_due = self.due.take().is_some();
        let next = files.first().filter(|_| is_due);
        let running =
            next.map(|scenario| begin(&scenario.name, &self.changed)).or(self.running.take());
        if let Some(answer) = running {
            self.running = None;
            self.findings = answer.recv().unwrap_or_default();
        }
    }

    /// Returns whether the person is typing, so that the word at the cursor may not be complete.
    pub(super) fn is_typing(&self) -> bool {
        self.word_until.is_some()
    }
}

/// Begins to check a scenario with other contents of some of its files.
fn begin(scenario: &str, changed: &[(String, String)]) -> Receiver<Vec<Diagnostic>> {
    let (sender, answer) = channel();
    let mut open = OpenFiles::default();
    for (name, text) in changed {
        open.open(Path::new(name), text);
    }
    let (scenario, open) = (PathBuf::from(scenario), Arc::new(open));
    let check = move || {
        // Nobody waits for it any more if the window is closed.
        let _ = sender.send(check_open(&scenario, &open).findings.into_vec());
    };
    // Without another thread there is no check.
    let _ = thread::Builder::new().name("text check".to_owned()).spawn(check);
    answer
}
