//! Help for the word of a script at the cursor: what it means, or which words begin so.

use flockwork_engine::script::Entry;

use super::text_edit::TextEdit;
use super::words::words;

/// Maximum number of words that are listed.
const MAX_LISTED: usize = 9;

/// The names of the reference that begin like the word before the cursor.
pub(super) struct WordHelp {
    /// What is typed of the word.
    typed: String,
    /// The names, in the order of the reference.
    names: Vec<&'static str>,
    /// The word itself, if it is one of the reference.
    entry: Option<&'static Entry>,
}

impl WordHelp {
    /// Returns the help at the cursor. `None` if nothing of the reference begins so.
    pub(super) fn at(edit: &TextEdit) -> Option<Self> {
        let (before, after) = edit.text().split_at(edit.cursor());
        let is_of_word = |letter: char| letter.is_alphanumeric() || letter == '_';
        let start = before.trim_end_matches(is_of_word).len();
        let typed = &before[start..];
        let rest = after.len() - after.trim_start_matches(is_of_word).len();
        let word = format!("{typed}{}", &after[..rest]);
        let has_dot = before[..start].ends_with('.');
        let is_of_me = before[..start].ends_with("me.");
        let is_comment = before.rsplit('\n').next().is_some_and(|line| line.contains("//"));
        if is_comment || (typed.is_empty() && !is_of_me && word.is_empty()) {
            return None;
        }
        let fits = |entry: &&Entry| match is_of_me {
            true => entry.owners.contains(&"me"),
            false => has_dot != entry.owners.is_empty(),
        };
        let entry = words().iter().filter(fits).find(|entry| entry.names.contains(&&*word));
        let all = words().iter().filter(fits).flat_map(|entry| &entry.names);
        let begins = |name: &&&'static str| name.starts_with(typed) && **name != typed;
        let mut names: Vec<&str> = all.filter(begins).copied().collect();
        names.dedup();
        let is_at_end = rest == 0;
        names.retain(|_| is_at_end && (is_of_me || !typed.is_empty()));
        (entry.is_some() || !names.is_empty()).then(|| Self {
            typed: typed.to_owned(),
            names,
            entry,
        })
    }

    /// Returns whether a part of a word is typed, which is none of the reference yet.
    pub(super) fn is_begun(&self) -> bool {
        self.entry.is_none() && !self.typed.is_empty()
    }

    /// Returns what is typed of the word.
    pub(super) fn typed(&self) -> &str {
        &self.typed
    }

    /// Returns the words that begin so, as many as are listed, each with its summary; none if the word is whole.
    pub(super) fn listed(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let most = if self.entry.is_none() { MAX_LISTED } else { 0 };
        let listed = self.names.iter().take(most);
        listed.map(|name| {
            let entry = words().iter().find(|entry| entry.names.contains(name));
            (*name, entry.map_or("", summary))
        })
    }

    /// Returns what it says, in a line.
    pub(super) fn line(&self) -> String {
        if let Some(entry) = self.entry {
            return format!("{}: {}", entry.signature, summary(entry));
        }
        // The words themselves are listed at the cursor.
        match (self.typed.as_str(), self.names.len()) {
            ("", count) => format!("{count} words: type the beginning of one"),
            (_, 1) => "tab completes it".to_owned(),
            (_, count) => format!("{count} words begin so: tab completes what they share"),
        }
    }

    /// Returns what completes the word: as much as all names have in common, or else the first name. `None` if the word is whole.
    pub(super) fn completion(&self) -> Option<&'static str> {
        let first =
            self.names.first().filter(|_| self.entry.is_none() && !self.typed.is_empty())?;
        let common = |one: &str| one.bytes().zip(first.bytes()).take_while(|(a, b)| a == b).count();
        let shared = self.names.iter().map(|name| common(name)).min().unwrap_or_default();
        let end = if shared > self.typed.len() { shared } else { first.len() };
        Some(&first[self.typed.len()..end])
    }
}

/// Returns the first line of what the reference says of a word.
pub(super) fn summary(entry: &'static Entry) -> &'static str {
    entry.doc.first().and_then(|doc| doc.lines().next()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Option<WordHelp> {
        let mut edit = TextEdit::new(&text.replace('|', ""));
        edit.move_to(text.find('|').unwrap(), false);
        WordHelp::at(&edit)
    }

    #[test]
    fn a_word_is_explained_and_completed() {
        let line = |text: &str| at(text).map(|help| help.line());
        let rest = |text: &str| at(text).and_then(|help| help.completion());
        assert!(
            line("me.see|k(x)").unwrap().starts_with("me.seek(target, speed = me.max_speed): ")
        );
        assert!(line("me.|").unwrap().ends_with(" words: type the beginning of one"));
        assert_eq!(rest("me.|"), None, "nothing is typed");
        assert_eq!(rest("me.alig|"), Some("nment"));
        assert_eq!(line("me.alig|").as_deref(), Some("tab completes it"));
        let listed: Vec<&str> = at("me.se|").unwrap().listed().map(|(name, _)| name).collect();
        assert!(listed.contains(&"seek") && listed.contains(&"separation"), "{listed:?}");
        assert_eq!(rest("me.follow|"), Some("_"), "what `follow_path` and `follow_leader` share");
        assert_eq!(rest("me.seek|"), None);
        for nothing in ["|", "// me.se|", "me.xyz|", "1 + |", "me.see|m"] {
            assert_eq!(line(nothing), None, "{nothing}");
        }
    }
}
