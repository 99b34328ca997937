//! The word of a script at the cursor, in the reference.

use flockwork_engine::script::Entry;
use flockwork_lsp::entries_by_call;

use super::words::words;

/// Returns what the reference says of the word at a place of a script. `None` if it is no word of the reference.
pub(super) fn word_at(text: &str, cursor: usize) -> Option<&'static Entry> {
    number_at(text, cursor).map(|number| &words()[number])
}

/// Returns the number of the word of the reference at a place of a script: of several, the one that fits what follows, such as the number
/// of arguments.
pub(super) fn number_at(text: &str, cursor: usize) -> Option<usize> {
    let (before, after) = text.split_at(cursor);
    let is_of_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let start = before.trim_end_matches(is_of_word).len();
    let end = text.len() - after.trim_start_matches(is_of_word).len();
    let before = &before[..start];
    if before.rsplit('\n').next().is_some_and(|line| line.contains("//")) {
        return None;
    }
    let name = &text[start..end];
    let named = words_behind(before).filter(|(_, entry)| entry.names.contains(&name));
    let named: Vec<(usize, &Entry)> = named.collect();
    let entries: Vec<&Entry> = named.iter().map(|(_, entry)| *entry).collect();
    let meant = match entries[..] {
        [] | [_] => entries.first().copied(),
        _ => entries_by_call(&text[start..], entries).first().copied(),
    }?;
    let (number, _) = named.into_iter().find(|(_, entry)| std::ptr::eq(*entry, meant))?;
    Some(number)
}

/// Returns the words that begin like the end of an expression, each with its summary: those that are not yet complete.
pub(super) fn beginning_like(
    before: &str,
    typed: &str,
) -> impl Iterator<Item = (&'static str, &'static str)> {
    let begins = move |name: &&str| name.starts_with(typed) && *name != typed;
    let is_wanted = !typed.is_empty() || before.ends_with("me.");
    let all = words_behind(before).filter(move |_| is_wanted);
    let named =
        all.flat_map(|(_, entry)| entry.names.iter().map(move |name| (*name, summary(entry))));
    named.filter(move |(name, _)| begins(name))
}

/// Returns the words of the reference that can stand behind a text, with their numbers.
fn words_behind(before: &str) -> impl Iterator<Item = (usize, &'static Entry)> {
    let (is_of_me, is_member) = (before.ends_with("me."), before.ends_with('.'));
    words().iter().enumerate().filter(move |(_, entry)| match is_of_me {
        true => entry.owners.contains(&"me"),
        false => is_member != entry.owners.is_empty(),
    })
}

/// Returns the first line of what the reference says of a word.
pub(super) fn summary(entry: &'static Entry) -> &'static str {
    entry.doc.first().and_then(|doc| doc.lines().next()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_found_from_its_beginning_to_its_end() {
        let word = |text: &str| {
            let cursor = text.find('|').unwrap();
            word_at(&text.replace('|', ""), cursor).map(|entry| entry.signature.as_str())
        };
        let seek = Some("me.seek(target, speed = me.max_speed)");
        for text in ["me.see|k(x)", "me.|seek(x)", "me.seek|(x)"] {
            assert_eq!(word(text), seek, "{text}");
        }
        // Caught: of a name with several forms, the first one was explained.
        for (text, signature) in [
            ("me.neigh|bors(p.sight).count", "me.neighbors(radius)"),
            ("me.neigh|bors()", "me.neighbors()"),
            ("me.near|est(3)", "me.nearest(radius)"),
            ("me.near|est(\"fox\", 3)", "me.nearest(group, radius)"),
            ("near.near|est", "near.nearest"),
        ] {
            assert_eq!(word(text), Some(signature), "{text}");
        }
        for nothing in ["|", "// me.se|ek", "me.xyz|", "1 + |", "me.see|m"] {
            assert_eq!(word(nothing), None, "{nothing}");
        }
    }
}
