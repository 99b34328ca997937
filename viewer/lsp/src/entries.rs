//! Entries of the reference by their names.

use flockwork_engine::schema::NameKind;
use flockwork_engine::script::{Entry, reference};

use super::rhai_text::Tokens;

/// Returns what the strings in the arguments of a call are names of, by the name of the function and the index of the argument.
pub(super) fn named_by_argument(function: &str, argument: usize) -> Option<NameKind> {
    entries(function)
        .filter(|entry| entry.signature.contains('('))
        .find_map(|entry| entry.params.get(argument).and_then(|param| param.names))
}

/// Returns the entries of the reference with a name.
pub(super) fn entries(name: &str) -> impl Iterator<Item = Entry> {
    reference().into_iter().filter(move |entry| entry.names.contains(&name))
}

/// Returns the entries that a call may mean by its arguments: by their number, and by whether the first one is a string. All if none fits,
/// or if it is not called.
pub(super) fn fitting_call(tokens: &Tokens<'_>, name: usize, all: Vec<Entry>) -> Vec<Entry> {
    let Some(arguments) = tokens.arguments(name) else { return all };
    let fits = |entry: &&Entry| {
        let required = entry.params.iter().filter(|param| param.default.is_none()).count();
        let is_name = arguments.first_is_string;
        let first = entry.params.first();
        (required..=entry.params.len()).contains(&arguments.count)
            && first.is_none_or(|first| first.names.is_some() == is_name)
    };
    let fitting: Vec<Entry> = all.iter().filter(fits).cloned().collect();
    if fitting.is_empty() { all } else { fitting }
}
