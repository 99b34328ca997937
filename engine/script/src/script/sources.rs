//! The files of a script, and places in them for the positions that Rhai gives.

use std::sync::Arc;

use rhai::Position;

use super::choice_kind;
use super::first_value::with_first_value;
use super::problem::{DIVIDED_TO_INTEGER, TO_INTEGER};
use super::wrong_arguments::at_arguments;
use crate::diag::{Code, Diagnostic, Source};

/// The files that an error may point into: the script itself, and those it imports.
pub(super) struct Sources<'a> {
    pub(super) own: &'a Arc<Source>,
    pub(super) imported: &'a [Arc<Source>],
}

impl Sources<'_> {
    pub(super) fn source(&self, name: Option<&str>) -> &Arc<Source> {
        name.and_then(|name| self.imported.iter().find(|source| source.name == name))
            .unwrap_or(self.own)
    }

    pub(super) fn at(
        &self,
        error: Diagnostic,
        name: Option<&str>,
        position: Position,
    ) -> Diagnostic {
        let source = self.source(name);
        match position.line() {
            Some(line) => {
                let column = position.position().unwrap_or(1);
                let start = source.offset(line, 1);
                let text = source.line_at(start);
                if choice_kind::is_behind(text, column) {
                    let mark = choice_kind::mark(text);
                    return error.at(source, start + mark.start..start + mark.end);
                }
                let offset = source.offset(line, column);
                let (before, rest) = source.text.split_at(offset);
                // Mark what follows a dot instead of the dot, and at the end of a line its last character.
                let offset = if rest.starts_with('.') {
                    offset + 1
                } else if rest.starts_with(char::is_whitespace) || rest.is_empty() {
                    before.trim_end().char_indices().next_back().map_or(0, |(last, _)| last)
                } else {
                    offset
                };
                let mut error = error;
                let code = source.line_at(offset).split("//").next().unwrap_or_default();
                if code.contains('/') {
                    for help in error.help.iter_mut().filter(|help| *help == TO_INTEGER) {
                        *help = DIVIDED_TO_INTEGER.to_owned();
                    }
                }
                if let Some(agent) = variable_before_dot(&source.text[..offset]) {
                    if error.help.iter().any(|help| help.contains(OTHER_AGENT)) {
                        error = with_call_on_me(error, source, offset, agent);
                    }
                    for help in &mut error.help {
                        *help = help.replace(OTHER_AGENT, &format!("({agent})"));
                    }
                }
                if error.code == Code::UnsetState {
                    error = with_first_value(error, source, offset);
                }
                at_arguments(error.at(source, source.token(offset)))
            }
            None => error.at(source, 0..0),
        }
    }

    /// Places an error at a position of the script itself.
    pub(super) fn place(&self, error: Diagnostic, position: Position) -> Diagnostic {
        self.at(error, None, position)
    }

    /// Returns the word at the position of an error.
    pub(super) fn word(&self, name: Option<&str>, position: Position) -> String {
        let source = self.source(name);
        let offset = source.offset(position.line().unwrap_or(1), position.position().unwrap_or(1));
        source.text[source.token(offset)].to_owned()
    }
}

/// Adds the fix that calls a function of `me` with the agent before the dot. `offset` is that of the function's name.
fn with_call_on_me(
    error: Diagnostic,
    source: &Arc<Source>,
    offset: usize,
    agent: &str,
) -> Diagnostic {
    let name = source.token(offset);
    let meant = format!("me.{}({agent})", &source.text[name.clone()]);
    let rest = &source.text[name.end..];
    let arguments = ["()", "(me)"].into_iter().find(|one| rest.starts_with(one));
    match (source.text[..offset].rfind(agent), arguments) {
        // What other arguments mean is not known.
        (_, None) if rest.trim_start().starts_with('(') => error,
        (None, _) => error,
        (Some(start), arguments) => {
            let end = name.end + arguments.map_or(0, str::len);
            error.fix(format!("Write `{meant}`"), source, start..end, meant)
        }
    }
}

/// Returns the variable at the end of a text, if a dot follows it there.
fn variable_before_dot(text: &str) -> Option<&str> {
    let text = text.trim_end().strip_suffix('.')?;
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let before = text.trim_end_matches(is_part);
    let name = &text[before.len()..];
    let is_name = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
    (is_name && !before.ends_with('.')).then_some(name)
}

/// The argument of a function in help, where it stands for the agent before the dot.
pub(super) const OTHER_AGENT: &str = "(other)";
