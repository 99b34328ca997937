//! Copies of what was typed in files and is not written when the window closes.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use flockwork_engine::Diagnostic;
use flockwork_engine::load::{OutputFile, make_folder, read};

use super::super::files::short_name;
use crate::user_folder;

/// The names of files in which something was typed that is not written, with their texts. All clones have the same.
#[derive(Clone, Default)]
pub(super) struct UnwrittenTexts(Rc<RefCell<Vec<(String, String)>>>);

impl UnwrittenTexts {
    /// Notes what is not written now.
    pub(super) fn set(&self, texts: Vec<(String, String)>) {
        *self.0.borrow_mut() = texts;
    }

    /// Returns the folder for the copies. `None` if this user has none.
    pub(super) fn folder() -> Option<PathBuf> {
        Some(user_folder::state()?.join("unwritten"))
    }

    /// Writes a copy of each text that has not been written in the meantime, and returns what to say of it.
    pub(super) fn keep(&self, folder: Option<&Path>) -> Vec<String> {
        let mut texts = std::mem::take(&mut *self.0.borrow_mut());
        texts.retain(|(name, text)| !read(Path::new(name)).is_ok_and(|file| file.text == *text));
        let say = |(name, text): (String, String)| {
            let kept = match folder.map(|folder| copy(folder, &name, &text)) {
                Some(Ok(path)) => format!("a copy is in {}", path.display()),
                Some(Err(error)) => format!("there is no copy: {}", error.message),
                None => "there is no copy: you have no home folder".to_owned(),
            };
            format!("what you typed in {name} is not written; {kept}")
        };
        texts.into_iter().map(say).collect()
    }
}

/// Writes a copy of the text of a file to a folder, beside older copies. Returns its path.
fn copy(folder: &Path, name: &str, text: &str) -> Result<PathBuf, Diagnostic> {
    make_folder(folder)?;
    let mut number = 1;
    let path = loop {
        let path = folder.join(format!("{number}_{}", short_name(name)));
        if !path.exists() {
            break path;
        }
        number += 1;
    };
    OutputFile::create_new(&path)?.write_whole(text)?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Caught: the text was lost, and nothing said so.
    #[test]
    fn what_is_not_written_is_kept_beside_older_copies() {
        let dir = tempfile::tempdir().unwrap();
        let (file, folder) = (dir.path().join("bird.rhai"), dir.path().join("unwritten"));
        OutputFile::create_new(&file).unwrap().write_whole("old").unwrap();
        let name = file.to_str().unwrap().to_owned();
        let texts = UnwrittenTexts::default();
        for (number, text) in [(1, "new"), (2, "newer")] {
            texts.set(vec![(name.clone(), text.to_owned())]);
            let copy = folder.join(format!("{number}_bird.rhai"));
            let said = texts.clone().keep(Some(&folder));
            let expected =
                format!("what you typed in {name} is not written; a copy is in {}", copy.display());
            assert_eq!(said, [expected]);
            assert_eq!(read(&copy).unwrap().text, text);
        }
        assert!(texts.keep(Some(&folder)).is_empty(), "only once");
        texts.set(vec![(name.clone(), "old".to_owned())]);
        assert!(texts.keep(Some(&folder)).is_empty(), "it was written in the meantime");
        texts.set(vec![(name, "new".to_owned())]);
        let said = texts.keep(Some(&file));
        assert!(said[0].contains("there is no copy: cannot create the folder"), "{said:?}");
    }
}
