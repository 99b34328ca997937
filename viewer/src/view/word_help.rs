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

/// Returns whether the name at a place of a script is a member or a function of the reference, and not one of the script's own.
pub(super) fn is_of_engine(text: &str, cursor: usize, name: &str) -> bool {
    let start = text[..cursor].rfind(|c: char| !c.is_alphanumeric() && c != '_');
    let (before, behind) = text.split_at(start.map_or(0, |at| at + 1));
    let is_call = behind.strip_prefix(name).is_some_and(|rest| rest.starts_with('('));
    let is_declared = text.contains(&format!("fn {name}("));
    // Params and states are members, too: `me.params.speed`, or `p.speed`.
    let is_of_owner = |owner: &&str| before.ends_with(&format!("{owner}."));
    let is_it = |entry: &Entry| {
        entry.names.contains(&name) && (is_call || entry.owners.iter().any(is_of_owner))
    };
    !is_declared && words_behind(before).any(is_it)
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
