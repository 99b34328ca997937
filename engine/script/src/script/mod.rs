//! Scripts in Rhai, which write behaviors, expectations and flow fields. No other module may use `rhai`.
//!
//! A behavior is compiled once and is then a [`Brain`](crate::sim::Brain) for any number of agents. Everything that
//! scripts can call and read is in `api`; while a script runs, `turn` knows for which agent.

mod api;
mod behavior;
mod choice_findings;
mod choice_kind;
mod choices;
mod compile;
mod condition;
mod entry_point;
mod error;
mod expectation;
mod explain;
mod field;
mod first_value;
mod foreign_forms;
mod grammar;
mod grammar_words;
mod handles;
mod imports;
mod interpreter;
mod limits;
mod live_values;
mod lower;
mod measure;
mod mentions;
mod messages;
mod meter;
mod missing_parenthesis;
mod missing_token;
mod missing_value;
mod names;
mod nothing;
mod now;
mod parse_error;
mod places;
mod prepared;
mod problem;
mod reach;
mod record;
mod recovery;
mod reference;
mod remains;
mod returned;
mod scope;
mod sources;
mod statements;
mod stop;
mod symmetry;
mod synonyms;
mod syntax;
mod together;
mod trace;
mod tracer;
mod trial;
mod turn;
mod turns_of_machines;
mod unfinished_member;
mod value;
mod weights;
mod wrong_arguments;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::Arc;

pub use api::Topic;
pub use behavior::Behavior;
pub use choices::functions_of_machines;
#[doc(hidden)]
pub use compile::tokens_text;
pub use compile::{Script, check_syntax};
pub use condition::{condition, expression, number};
pub use entry_point::first_body;
pub use expectation::CompiledExpectation;
pub use field::{CompiledField, MAX_SAMPLING_STEPS};
pub use lower::InferredType;
pub use measure::CompiledMeasure;
pub use mentions::Mentions;
pub use reference::{Entry, Parameter, reference};
pub use remains::LeftOut;
pub use scope::{
    Declaration, DeclarationKind, ImportedCall, ScriptNames, script_names,
    variables as variables_at,
};
pub use synonyms::{instead_of, names_elsewhere};

use crate::diag::{Diagnostic, Source};

/// File extension of scripts, without the dot.
pub const SCRIPT_EXTENSION: &str = "rhai";

/// Returns whether a string can be the name of a script on any platform: its path in the scripts folder without the
/// extension, in words of ASCII letters, digits, `_` and `-`, with `/` between folders.
pub fn is_script_name(text: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    text.split('/').all(|word| !word.is_empty() && word.chars().all(is_letter))
}

/// A source of scripts by name. A name is the path in the scripts folder without the extension, with `/` between
/// folders.
pub trait Library {
    /// Returns a script; `None` if there is no such script.
    ///
    /// # Errors
    ///
    /// If the script exists, but cannot be read.
    fn read(&self, name: &str) -> Result<Option<Arc<Source>>, Diagnostic>;

    /// Returns the names of all scripts, for suggestions.
    fn names(&self) -> Vec<String>;

    /// Returns where scripts are searched, for messages about a missing script.
    fn location(&self) -> Option<String> {
        None
    }
}

/// Scripts in memory, by name.
#[derive(Clone, Debug, Default)]
pub struct Scripts(BTreeMap<String, Arc<Source>>);

impl Scripts {
    /// Creates an empty collection.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds or replaces a script.
    #[must_use]
    pub fn with(mut self, name: &str, text: impl Into<String>) -> Self {
        self.0.insert(name.to_owned(), Source::new(name, text));
        self
    }
}

impl Extend<(String, Arc<Source>)> for Scripts {
    fn extend<T: IntoIterator<Item = (String, Arc<Source>)>>(&mut self, scripts: T) {
        self.0.extend(scripts);
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
