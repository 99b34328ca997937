//! The messages between a window and a language server.

use std::path::PathBuf;

use flockwork_lsp::SharedValues;
use serde::{Deserialize, Serialize};

/// The version of the messages. Both sides close a connection to another one.
pub(crate) const VERSION: u32 = 1;

/// The first and only message of a language server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Hello {
    pub(crate) version: u32,
    /// Whether its editor can show a line that it is asked to.
    pub(crate) can_show: bool,
}

/// A message of a window.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum FromWindow {
    /// The version of what follows.
    Version(u32),
    /// The values to show from now on; `None` if no agent is selected.
    Values(Option<SharedValues>),
    /// A line to show, from 1.
    Show { file: PathBuf, line: u32 },
}
