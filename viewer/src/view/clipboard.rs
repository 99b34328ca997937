//! The clipboard. On X11 it holds no text: the program keeps what was copied and answers those who paste it.

use arboard::Error;

/// The clipboard, which is opened when it is needed first.
#[derive(Default)]
pub(super) struct Clipboard(Option<arboard::Clipboard>);

impl Clipboard {
    /// Copies a text. It can be pasted until the program ends; with a clipboard manager, longer.
    ///
    /// # Errors
    ///
    /// If there is no clipboard, with the reason.
    pub(super) fn copy(&mut self, text: &str) -> Result<(), Error> {
        self.opened()?.set_text(text)
    }

    /// Returns the text that was copied last, by any program.
    ///
    /// # Errors
    ///
    /// If there is no clipboard, or no text in it, with the reason.
    pub(super) fn text(&mut self) -> Result<String, Error> {
        self.opened()?.get_text()
    }

    fn opened(&mut self) -> Result<&mut arboard::Clipboard, Error> {
        let clipboard = match self.0.take() {
            Some(clipboard) => clipboard,
            None => arboard::Clipboard::new()?,
        };
        Ok(self.0.insert(clipboard))
    }
}
