//! The words that are searched for in the shown file, and what replaces them.

use super::find_action::{FindAction, FindField};
use super::key::Key;
use super::text_edit::{TextEdit, is_of_word, places_of};

/// Returns what a key does with the words that are searched for, while no field has the keys.
pub(super) fn find_action(key: Key) -> Option<FindAction> {
    match key {
        Key::Ctrl('f') => Some(FindAction::Open),
        Key::Ctrl('h') => Some(FindAction::OpenReplace),
        _ => None,
    }
}

/// The box above the text. What was typed in it stays while it is closed.
#[derive(Clone, Debug, Default)]
pub(super) struct TextFind {
    pub(super) is_open: bool,
    pub(super) words: TextEdit,
    pub(super) replacement: TextEdit,
    /// Whether it asks for what replaces the words.
    pub(super) has_replacement: bool,
    /// The field that keys are typed in; `None` for the text.
    pub(super) field: Option<FindField>,
    /// Where the search began in the text.
    pub(super) start: usize,
    /// Whether keys were typed in the text before.
    pub(super) was_typing: bool,
    /// Whether capitals are other letters than small ones.
    pub(super) has_case: bool,
    /// Whether the words are not found inside longer ones.
    pub(super) has_whole_words: bool,
    /// What was replaced last.
    pub(super) replaced: Option<Replaced>,
    /// Whether ctrl+z in a field is for the file: its words were replaced, and nothing was typed in the box since.
    pub(super) undoes_in_file: bool,
}

/// What was replaced last, while nothing else has changed since.
#[derive(Clone, Debug)]
pub(super) struct Replaced {
    /// The number of places.
    pub(super) count: usize,
    /// The words that were there.
    pub(super) words: String,
    /// The text afterwards.
    pub(super) text: String,
}

impl TextFind {
    /// Returns the number of rows that it takes above the text.
    pub(super) fn rows(&self) -> usize {
        match self.is_open {
            true => 1 + usize::from(self.has_replacement),
            false => 0,
        }
    }

    /// Returns the places of a text that have the words.
    pub(super) fn places(&self, text: &str) -> Vec<usize> {
        let words = self.words.text();
        let places = match self.has_case {
            true => text.match_indices(words).map(|(at, _)| at).collect(),
            false => places_of(text, words),
        };
        let is_free = |at: &usize| {
            let end = at + words.len();
            let joins = |place: usize| {
                let letters = [text[..place].chars().next_back(), text[place..].chars().next()];
                letters.iter().all(|letter| letter.is_some_and(is_of_word))
            };
            !joins(*at) && !joins(end)
        };
        let all = places.into_iter().filter(|_| !words.is_empty());
        all.filter(|at| !self.has_whole_words || is_free(at)).collect()
    }

    /// Returns a field.
    pub(super) fn field_mut(&mut self, field: FindField) -> &mut TextEdit {
        match field {
            FindField::Words => &mut self.words,
            FindField::Replacement => &mut self.replacement,
        }
    }

    /// Types in a field from now on. What it has is selected.
    pub(super) fn type_in(&mut self, field: FindField) {
        self.field = Some(field);
        let field = self.field_mut(field);
        field.select(0..field.text().len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn capitals_and_parts_of_words_count_as_the_switches_say() {
        let text = "far Far far_away (FAR)";
        for (has_case, has_whole_words, places) in [
            (false, false, &[0, 4, 8, 18][..]),
            (true, false, &[0, 8]),
            (false, true, &[0, 4, 18]),
            (true, true, &[0]),
        ] {
            let find = TextFind {
                words: TextEdit::new("far"),
                has_case,
                has_whole_words,
                ..TextFind::default()
            };
            assert_eq!(find.places(text), places, "{has_case} {has_whole_words}");
            assert!(TextFind { words: TextEdit::new(""), ..find }.places(text).is_empty());
        }
    }
}
