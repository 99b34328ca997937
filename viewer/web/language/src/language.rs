//! The server with its messages as JSON.

use flockwork_lsp::Server;
use lsp_server::Message;

/// A language server for one page.
#[derive(Default)]
pub struct Language {
    server: Server,
}

impl Language {
    /// Takes a message, and returns the answers as a JSON array.
    ///
    /// # Errors
    ///
    /// If it is not a message.
    pub fn message(&mut self, json: &str) -> serde_json::Result<String> {
        let message: Message = serde_json::from_str(json)?;
        serde_json::to_string(&self.server.handle(message))
    }

    /// Returns whether [`check_some`](Self::check_some) has something to do.
    pub fn is_waiting(&self) -> bool {
        self.server.is_waiting()
    }

    /// Checks the next file that waits, and returns messages about what was found as a JSON array.
    ///
    /// # Errors
    ///
    /// Never, as far as is known: all messages can be written as JSON.
    pub fn check_some(&mut self) -> serde_json::Result<String> {
        serde_json::to_string(&self.server.check_some())
    }
}
