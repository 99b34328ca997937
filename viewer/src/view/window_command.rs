//! The commands that keys and clicks send to the window itself.

use std::path::PathBuf;

/// A request to the window.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum WindowCommand {
    /// Copies a text to the clipboard.
    Copy {
        text: String,
        /// A caveat about the text that the person should know.
        caveat: Option<String>,
    },
    /// Writes the text of the clipboard where the person types.
    Paste,
    /// Starts or ends a film.
    Record,
    /// Writes a picture of the window.
    TakePicture,
    /// Opens a scenario in place of the shown one.
    OpenScenario(PathBuf),
    /// Opens the file of keys in the person's editor.
    EditKeys,
    /// Opens a file in the person's editor, at a line.
    Edit { file: String, line: usize },
}
