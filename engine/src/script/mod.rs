//! Behaviors written as Rhai scripts: the only module that knows Rhai.
//!
//! A behavior is compiled once and is then a [`Brain`](crate::sim::Brain) for any number of agents. What scripts can call
//! and read is in `api`; while a script runs, `turn` says for which agent.

mod api;
mod behavior;
mod compile;
mod error;
mod expectation;
mod explain;
mod interpreter;
mod limits;
mod lower;
mod mentions;
mod meter;
mod names;
mod places;
mod prepared;
mod reach;
mod reference;
mod scope;
mod synonyms;
mod traced;
mod trial;
mod turn;
mod value;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::Arc;

pub use behavior::Behavior;
pub use compile::Script;
pub use expectation::CompiledExpectation;
pub use mentions::Mentions;
pub use reference::{Entry, Parameter, Topic, reference};
pub use synonyms::instead_of;

use crate::diag::{Diagnostic, Source};

/// What the files of scripts end in, behind a dot.
pub const SCRIPT_ENDING: &str = "rhai";

/// Whether a text can be the name of a script, on whatever platform: its path in the scripts folder without the
/// ending, in words of letters a to z, digits, `_` and `-`, with `/` between folders.
pub fn is_script_name(text: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    text.split('/').all(|word| !word.is_empty() && word.chars().all(is_letter))
}

/// Where scripts come from: names to texts. The names are those of the scripts folder, without ending,
/// folders separated by `/`.
pub trait Library {
    /// The text of a script; `None` if there is no such script.
    ///
    /// # Errors
    ///
    /// If there is one, but it cannot be read.
    fn read(&self, name: &str) -> Result<Option<Arc<Source>>, Diagnostic>;

    /// The names of all scripts, for suggestions.
    fn names(&self) -> Vec<String>;

    /// Where scripts are looked for, for whoever misses one.
    fn location(&self) -> Option<String> {
        None
    }
}

/// Scripts that are no files: names and texts.
#[derive(Clone, Debug, Default)]
pub struct Scripts(BTreeMap<String, Arc<Source>>);

impl Scripts {
    /// No scripts yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same with one more script, or another text for one.
    #[must_use]
    pub fn with(mut self, name: &str, text: impl Into<String>) -> Self {
        self.0.insert(name.to_owned(), Source::new(name, text));
        self
    }
}

impl From<BTreeMap<String, Arc<Source>>> for Scripts {
    fn from(scripts: BTreeMap<String, Arc<Source>>) -> Self {
        Self(scripts)
    }
}

impl Library for Scripts {
    fn read(&self, name: &str) -> Result<Option<Arc<Source>>, Diagnostic> {
        Ok(self.0.get(name).cloned())
    }

    fn names(&self) -> Vec<String> {
        self.0.keys().cloned().collect()
    }
}
