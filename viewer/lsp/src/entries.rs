//! Entries of the reference by their names.

use flockwork_engine::schema::NameKind;
use flockwork_engine::script::{Entry, reference};

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
