//! What a window shares about the selected agent: the values of names in its scripts.

use std::path::PathBuf;

use flockwork_engine::sim::{TurnValue, ValueKind};
use flockwork_engine::world::AgentId;
use serde::{Deserialize, Serialize};

/// The values of an agent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SharedValues {
    /// The shown tick.
    pub tick: u64,
    /// The selected agent.
    pub agent: AgentId,
    /// Its group.
    pub group: String,
    /// The number of characters that a line of the editor has room for, if it is known.
    #[serde(default)]
    pub columns: Option<usize>,
    /// The scripts that it runs.
    pub files: Vec<SharedFile>,
}

/// The values in a script.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SharedFile {
    /// Its path without links.
    pub path: PathBuf,
    /// The text that the window runs.
    pub text: String,
    /// The values of names in it.
    pub values: Vec<SharedValue>,
}

/// The value of a name in a script.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SharedValue {
    /// Where the name begins in the text, in bytes.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// Whether it gets the value there.
    pub is_variable: bool,
    /// Whether this is not a name, but a whole condition.
    #[serde(default)]
    pub is_condition: bool,
    /// The value as text.
    pub text: String,
    /// How many values there were; the text is the last one.
    pub count: u32,
}

impl SharedValue {
    /// Returns the value, and how many there were if it is the last one of several.
    pub fn in_words(&self) -> String {
        match self.count {
            ..=1 => self.text.clone(),
            count => format!("{} (last of {count})", self.text),
        }
    }
}

impl From<TurnValue> for SharedValue {
    fn from(value: TurnValue) -> Self {
        Self {
            start: value.place.span.start,
            end: value.place.span.end,
            is_variable: value.kind == ValueKind::Variable,
            is_condition: value.kind == ValueKind::Condition,
            text: value.text,
            count: value.count,
        }
    }
}
