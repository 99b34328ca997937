//! Keeps copies of what is typed in files while one types, and says at the end what is not written.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use flockwork_engine::Diagnostic;
use flockwork_engine::load::read;

use super::super::copies::{self, Copies, LeftCopy};
use super::super::view_state::ViewState;
use super::WindowLoop;

/// Minimum time between two copies.
const PAUSE: Duration = Duration::from_secs(2);

/// The contents that are not written, and their copies. All clones have the same.
#[derive(Clone)]
pub(super) struct UnwrittenFiles(Rc<RefCell<Keeper>>);

struct Keeper {
    /// The names of files in which something was typed that is not written, with their contents.
    contents: Vec<(String, String)>,
    copies: Arc<Mutex<Copies>>,
    /// The copies of earlier windows that are of no use any more.
    unneeded: Vec<LeftCopy>,
    /// The thread that saves copies, as long as it runs.
    saving: Option<JoinHandle<Result<(), Diagnostic>>>,
    /// The contents that were saved last, and when.
    saved: Vec<(String, String)>,
    saved_at: Option<Instant>,
    /// Whether the person knows that copies cannot be saved.
    has_failed: bool,
    /// Whether the window has ended.
    has_ended: bool,
}

impl UnwrittenFiles {
    /// Keeps copies in the folder of this user.
    pub(super) fn of_user() -> Self {
        Self::new(copies::folder())
    }

    /// Keeps copies in a folder. `None` for no copies.
    fn new(folder: Option<PathBuf>) -> Self {
        Self(Rc::new(RefCell::new(Keeper {
            contents: Vec::new(),
            copies: Arc::new(Mutex::new(Copies::new(folder))),
            unneeded: Vec::new(),
            saving: None,
            saved: Vec::new(),
            saved_at: None,
            has_failed: false,
            has_ended: false,
        })))
    }

    /// Notes what is not written now, and which copies of earlier windows are of no use any more. If it is time, saves copies on
    /// another thread. Returns why that failed, the first time.
    pub(super) fn set(
        &self,
        contents: Vec<(String, String)>,
        unneeded: Vec<LeftCopy>,
        now: Instant,
    ) -> Option<String> {
        let mut keeper = self.0.borrow_mut();
        keeper.contents = contents;
        keeper.unneeded.extend(unneeded);
        let is_running = keeper.saving.as_ref().is_some_and(|thread| !thread.is_finished());
        let error = if is_running { None } else { keeper.wait().err() };
        let is_early = keeper.saved_at.is_some_and(|at| now.duration_since(at) < PAUSE);
        let has_news = keeper.contents != keeper.saved && !is_early;
        if !is_running && (has_news || !keeper.unneeded.is_empty()) {
            keeper.begin(now);
        }
        let error = error.filter(|_| !std::mem::replace(&mut keeper.has_failed, true))?;
        Some(format!("no copy is kept of what you type: {}", error.message))
    }

    /// Keeps a copy of each text that has not been written in the meantime, and returns what to say of it. Only the first call does something.
    pub(super) fn keep(&self) -> Vec<String> {
        let mut keeper = self.0.borrow_mut();
        if std::mem::replace(&mut keeper.has_ended, true) {
            return Vec::new();
        }
        // What a failed thread has not saved is saved now.
        let _ = keeper.wait();
        keeper
            .contents
            .retain(|(name, text)| !read(Path::new(name)).is_ok_and(|file| file.text == *text));
        let saved = keeper.save();
        let copies = keeper.copies.lock().unwrap_or_else(PoisonError::into_inner);
        let say = |(name, _): &(String, String)| {
            let kept = match (copies.path_of(name), &saved) {
                (Some(path), Ok(())) => format!(
                    "the next window with this file offers it (a copy is in {})",
                    path.display()
                ),
                (_, Err(error)) => format!("there is no copy: {}", error.message),
                (None, Ok(())) => "there is no copy".to_owned(),
            };
            format!("what you typed in {name} is not written; {kept}")
        };
        keeper.contents.iter().map(say).collect()
    }
}

impl Keeper {
    /// Waits for the thread that saves copies, if there is one.
    fn wait(&mut self) -> Result<(), Diagnostic> {
        let saved = self.saving.take().map(JoinHandle::join);
        saved.and_then(Result::ok).unwrap_or(Ok(()))
    }

    /// Begins to save copies on another thread.
    fn begin(&mut self, now: Instant) {
        (self.saved, self.saved_at) = (self.contents.clone(), Some(now));
        let (copies, contents) = (Arc::clone(&self.copies), self.contents.clone());
        let unneeded = std::mem::take(&mut self.unneeded);
        self.saving = Some(thread::spawn(move || save(&copies, &contents, &unneeded)));
    }

    /// Saves copies on this thread.
    fn save(&mut self) -> Result<(), Diagnostic> {
        let unneeded = std::mem::take(&mut self.unneeded);
        save(&self.copies, &self.contents, &unneeded)
    }
}

/// Saves copies of contents. A text that was restored has its own copy before the old one is deleted.
fn save(
    copies: &Mutex<Copies>,
    contents: &[(String, String)],
    unneeded: &[LeftCopy],
) -> Result<(), Diagnostic> {
    copies.lock().unwrap_or_else(PoisonError::into_inner).save(contents)?;
    unneeded.iter().try_for_each(LeftCopy::delete)
}

impl WindowLoop<'_> {
    /// Looks for copies that earlier windows have left.
    pub(super) fn find_left_copies(&mut self) {
        let left = copies::folder().map(|folder| LeftCopy::all(&folder));
        let commands = self.ui.look_at_copies(left.unwrap_or_default());
        self.send(commands);
    }

    /// Offers copies of earlier windows, and keeps those of what is typed.
    pub(super) fn keep_typed(&mut self, state: &ViewState) {
        let commands = self.ui.offer_copies(state);
        self.is_dirty |= !commands.is_empty();
        self.send(commands);
        let (contents, unneeded) = (
            self.ui.files.unwritten_contents(),
            std::mem::take(&mut self.ui.files.unneeded_copies),
        );
        if let Some(words) = self.unwritten.set(contents, unneeded, Instant::now()) {
            self.notice(words, true);
        }
    }
}

#[cfg(test)]
mod tests {
    use flockwork_engine::load::{OutputFile, files_with};

    use super::*;

    const LATER: Duration = Duration::from_secs(3);

    /// Waits until copies are saved, and returns those that are left in a folder, with their contents.
    fn saved(contents: &UnwrittenFiles, folder: &Path) -> Vec<String> {
        contents.0.borrow_mut().wait().unwrap();
        let mut all = Vec::new();
        for number in ["1", "2", "3"] {
            let paths = files_with(&folder.join(number), "rhai").unwrap_or_default();
            all.extend(paths.iter().map(|path| read(path).unwrap().text.clone()));
        }
        all
    }

    fn write(file: &Path, text: &str) {
        OutputFile::create_new(file).unwrap().write_whole(text).unwrap();
    }

    fn text(file: &Path, text: &str) -> Vec<(String, String)> {
        vec![(file.to_str().unwrap().to_owned(), text.to_owned())]
    }

    /// Caught: a signal or a crash lost what was typed, since only a regular end kept it.
    #[test]
    fn what_is_typed_is_kept_while_one_types_until_it_is_written() {
        let dir = tempfile::tempdir().unwrap();
        let (file, folder) = (dir.path().join("bird.rhai"), dir.path().join("unwritten"));
        write(&file, "old");
        let (contents, now) = (UnwrittenFiles::new(Some(folder.clone())), Instant::now());
        assert_eq!(contents.set(text(&file, "new"), Vec::new(), now), None);
        assert_eq!(saved(&contents, &folder), ["new"]);
        // Not at each key.
        contents.set(text(&file, "newer"), Vec::new(), now + PAUSE / 2);
        assert_eq!(saved(&contents, &folder), ["new"]);
        contents.set(text(&file, "newer"), Vec::new(), now + LATER);
        assert_eq!(saved(&contents, &folder), ["newer"]);
        // It was written, or undone.
        contents.set(Vec::new(), Vec::new(), now + 2 * LATER);
        assert!(saved(&contents, &folder).is_empty());
        contents.set(text(&file, "last"), Vec::new(), now + 3 * LATER);
        let said = contents.keep();
        let copy =
            contents.0.borrow().copies.lock().unwrap().path_of(file.to_str().unwrap()).unwrap();
        let end = format!("(a copy is in {})", copy.display());
        let begin = format!("what you typed in {} is not written; the next window", file.display());
        assert!(said[0].starts_with(&begin) && said[0].ends_with(&end), "{said:?}");
        assert!(contents.keep().is_empty(), "only once");
        assert_eq!(saved(&contents, &folder), ["last"]);
    }

    #[test]
    fn what_was_written_in_the_meantime_leaves_no_copy() {
        let dir = tempfile::tempdir().unwrap();
        let (file, folder) = (dir.path().join("bird.rhai"), dir.path().join("unwritten"));
        let contents = UnwrittenFiles::new(Some(folder.clone()));
        contents.set(text(&file, "new"), Vec::new(), Instant::now());
        assert_eq!(saved(&contents, &folder), ["new"]);
        write(&file, "new");
        assert!(contents.keep().is_empty());
        assert!(saved(&contents, &folder).is_empty());
    }

    #[test]
    fn windows_leave_the_copies_of_each_other_alone() {
        let dir = tempfile::tempdir().unwrap();
        let (file, folder) = (dir.path().join("bird.rhai"), dir.path().join("unwritten"));
        write(&file, "old");
        let now = Instant::now();
        let [one, two] = ["one", "two"].map(|words| {
            let contents = UnwrittenFiles::new(Some(folder.clone()));
            contents.set(text(&file, words), Vec::new(), now);
            contents.0.borrow_mut().wait().unwrap();
            contents
        });
        assert_eq!(saved(&one, &folder), ["one", "two"]);
        assert!(LeftCopy::all(&folder).is_empty(), "both windows still run");
        drop(one);
        let left = LeftCopy::all(&folder);
        assert_eq!(left.iter().map(|copy| copy.text().unwrap()).collect::<Vec<_>>(), ["one"]);
        assert!(left[0].is_of(file.to_str().unwrap()) && !left[0].is_of("fox.rhai"));
        // The new window does not use the folder of what is left.
        let three = UnwrittenFiles::new(Some(folder.clone()));
        three.set(text(&file, "three"), Vec::new(), now);
        assert_eq!(saved(&three, &folder), ["one", "two", "three"]);
        // What was restored or dropped is deleted at once, and nothing else.
        three.set(text(&file, "three"), left, now);
        assert_eq!(saved(&three, &folder), ["two", "three"]);
        two.set(Vec::new(), Vec::new(), now + LATER);
        assert_eq!(saved(&two, &folder), ["three"]);
    }

    #[test]
    fn a_copy_that_cannot_be_kept_is_told_once_and_at_the_end() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("bird.rhai");
        write(&file, "old");
        let contents = UnwrittenFiles::new(Some(file.clone()));
        let now = Instant::now();
        contents.set(text(&file, "new"), Vec::new(), now);
        let wait =
            || while contents.0.borrow().saving.as_ref().is_some_and(|one| !one.is_finished()) {};
        wait();
        let said = contents.set(text(&file, "new"), Vec::new(), now).unwrap();
        assert!(said.starts_with("no copy is kept of what you type: cannot create"), "{said}");
        contents.set(text(&file, "newer"), Vec::new(), now + LATER);
        wait();
        assert_eq!(contents.set(text(&file, "newer"), Vec::new(), now + LATER), None);
        let said = contents.keep();
        assert!(said[0].contains("there is no copy: cannot create the folder"), "{said:?}");
    }
}
