//! Checks inputs: their names and their keys.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Deserialize;

use super::findings::{Findings, KnownNames};
use super::ordered::{MayFail, Ordered};
use super::spanned::Spanned;
use crate::diag::{Code, Diagnostic};
use crate::schema::described;
use crate::world::Input;

described! {
    #[derive(Debug, Deserialize)]
    #[serde(rename = "input", deny_unknown_fields)]
    pub(super) enum InputSpec {
        /// A key of the window: a letter, a digit, `space`, `enter`, `left`, `up` and so on.
        Key(Spanned<String>),
    }
}

impl MayFail for InputSpec {
    fn has_failed(&self) -> bool {
        let Self::Key(key) = self;
        key.has_failed()
    }
}

/// Returns the inputs of a scenario, as they are at first.
pub(super) fn build(
    findings: &mut Findings<'_>,
    specs: &Ordered<InputSpec>,
    names: &KnownNames,
) -> Vec<Input> {
    let mut inputs = Vec::new();
    let mut keys = BTreeMap::new();
    for ((_, InputSpec::Key(written)), name) in specs.0.iter().zip(&names.all) {
        let Some(key) = findings.read(written) else { continue };
        if !Input::KEYS.contains(&key.as_str()) {
            let words: Vec<&str> = Input::KEYS.into_iter().filter(|key| key.len() > 1).collect();
            let unknown = Diagnostic::error(format!("there is no key `{key}`"))
                .code(Code::UnknownName)
                .suggest(key, Input::KEYS)
                .help(format!(
                    "a key is a letter, a digit, `.`, `,`, or one of: {}",
                    words.join(", ")
                ));
            findings.add(unknown, findings.span(written));
        } else if let Some(first) = keys.insert(key, written) {
            let twice = Diagnostic::error(format!("two inputs have the key `{key}`"))
                .label("the second one")
                .related(findings.place(first), "the first one")
                .help("give each input a key of its own");
            findings.add(twice, findings.span(written));
        }
        inputs.push(Input { name: Arc::clone(name), ..Input::new("", key) });
    }
    inputs
}
