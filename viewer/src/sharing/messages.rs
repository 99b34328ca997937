//! The messages between a window and a language server.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;

use flockwork_engine::world::AgentId;
use serde::{Deserialize, Serialize};

/// The version of the messages. Both sides close a connection to another one.
#[cfg(unix)]
pub(crate) const VERSION: u32 = 1;

/// The first and only message of a language server.
#[cfg(unix)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Hello {
    pub(crate) version: u32,
    /// Whether its editor can show a line that it is asked to.
    pub(crate) can_show: bool,
}

/// A message of a window.
#[cfg(unix)]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum FromWindow {
    /// The version of what follows.
    Version(u32),
    /// The values to show from now on; `None` if no agent is selected.
    Values(Option<SharedValues>),
    /// A line to show, from 1.
    Show { file: PathBuf, line: u32 },
}

/// The values of an agent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SharedValues {
    pub(crate) tick: u64,
    pub(crate) agent: AgentId,
    pub(crate) group: String,
    pub(crate) files: Vec<SharedFile>,
}

/// The values in a script.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SharedFile {
    /// Its path without links.
    pub(crate) path: PathBuf,
    /// The text that the window runs, as [`text_hash`] has it.
    pub(crate) text: u64,
    pub(crate) values: Vec<SharedValue>,
}

/// The value of a name in a script.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SharedValue {
    /// Where the name is in the text, in bytes.
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Whether it gets the value there.
    pub(crate) is_variable: bool,
    pub(crate) text: String,
    /// How many values there were; the text is the last one.
    pub(crate) count: u32,
}

/// Returns a hash of a text. It is only compared between programs of one version.
pub(crate) fn text_hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}
