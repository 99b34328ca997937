//! The words of the reference that an expression can go on with.

use flockwork_engine::script::Entry;

use super::words::words;

/// Returns the words that begin like the end of an expression, each with its summary: those that are not yet complete.
pub(super) fn beginning_like(
    before: &str,
    typed: &str,
) -> impl Iterator<Item = (&'static str, &'static str)> {
    let begins = move |name: &&str| name.starts_with(typed) && *name != typed;
    let is_wanted = !typed.is_empty() || before.ends_with("me.");
    let all = words_behind(before).filter(move |_| is_wanted);
    let named = all.flat_map(|entry| entry.names.iter().map(move |name| (*name, summary(entry))));
    named.filter(move |(name, _)| begins(name))
}

/// Returns the words of the reference that can stand behind a text.
fn words_behind(before: &str) -> impl Iterator<Item = &'static Entry> {
    let (is_of_me, is_member) = (before.ends_with("me."), before.ends_with('.'));
    words().iter().filter(move |entry| match is_of_me {
        true => entry.owners.contains(&"me"),
        false => is_member != entry.owners.is_empty(),
    })
}

/// Returns the number of a name of the reference that an agent has, such as a primitive.
pub(super) fn number_of(name: &str) -> Option<usize> {
    let is_it = |entry: &Entry| entry.names.contains(&name);
    let of_me = |entry: &Entry| is_it(entry) && entry.owners.contains(&"me");
    words().iter().position(of_me).or_else(|| words().iter().position(is_it))
}

/// Returns the first line of what the reference says of a word.
pub(super) fn summary(entry: &'static Entry) -> &'static str {
    entry.doc.first().and_then(|doc| doc.lines().next()).unwrap_or_default()
}
