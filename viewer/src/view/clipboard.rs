//! The clipboard. On X11 it holds no text: the program keeps what was copied and answers those who paste it.

use arboard::Error;

/// The clipboard, which is opened when something is copied first.
#[derive(Default)]
pub(super) struct Clipboard(Option<arboard::Clipboard>);

impl Clipboard {
    /// Copies a text. It can be pasted until the program ends; with a clipboard manager, longer.
    ///
    /// # Errors
    ///
    /// If there is no clipboard, with the reason.
    pub(super) fn copy(&mut self, text: &str) -> Result<(), Error> {
        let clipboard = match self.0.take() {
            Some(clipboard) => clipboard,
            None => arboard::Clipboard::new()?,
        };
        self.0.insert(clipboard).set_text(text)
    }
}
