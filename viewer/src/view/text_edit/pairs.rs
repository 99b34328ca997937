//! Brackets and quotes in code: typing the first one of a pair writes both.

use flockwork_engine::tokens::{Language, Token, TokenKind, tokens};

use super::super::key::Key;
use super::TextEdit;

/// The brackets and quotes that come in pairs.
const PAIRS: [(char, char); 4] = [('(', ')'), ('[', ']'), ('{', '}'), ('"', '"')];
/// What may follow a pair, besides spaces and the end of the text: in front of a word, one is added to what is there.
const FOLLOWING: &str = ")]},;";

/// Returns what closes a pair that a character opens.
pub(super) fn closing_of(opening: char) -> Option<char> {
    PAIRS.iter().find_map(|(one, other)| (*one == opening).then_some(*other))
}

impl TextEdit {
    /// Handles a key in code of a language: as [`press`](Self::press) does, but brackets and quotes come in pairs. Returns false if it
    /// means nothing in a text.
    pub(in super::super) fn press_in_code(&mut self, key: Key, language: Language) -> bool {
        let is_done = match key {
            Key::Char('(') if self.bracket_before.take() == Some(self.cursor) => {
                self.pass_opening()
            }
            Key::Char(letter) if !self.selection().is_empty() => self.surround(letter),
            Key::Char(letter) => {
                self.pass_closing(letter, language) || self.insert_pair(letter, language)
            }
            Key::Backspace => self.remove_pair(language),
            _ => false,
        };
        is_done || self.press(key)
    }

    /// Goes over the opening bracket that was written with what was chosen: to what is between the brackets.
    fn pass_opening(&mut self) -> bool {
        if self.text[..self.cursor].ends_with("()") {
            self.move_to(self.cursor - 1, false);
        }
        true
    }

    /// Writes a pair around the selection, which stays selected. Returns false if the character opens none.
    fn surround(&mut self, opening: char) -> bool {
        let Some(closing) = closing_of(opening) else { return false };
        let selected = self.selection();
        self.remember();
        self.text.insert(selected.end, closing);
        self.text.insert(selected.start, opening);
        // Both characters of a pair have one byte.
        let (anchor, cursor) = (self.anchor + 1, self.cursor + 1);
        self.move_to(anchor, false);
        self.move_to(cursor, true);
        true
    }

    /// Moves the cursor over a character that closes a pair, if that is there already and no other one is missing.
    fn pass_closing(&mut self, closing: char, language: Language) -> bool {
        let is_there = self.text[self.cursor..].starts_with(closing);
        let Some((opening, _)) = PAIRS.iter().find(|(_, one)| is_there && *one == closing) else {
            return false;
        };
        let token = self.words_at_cursor(language);
        let passes = if closing == '"' {
            token.is_some_and(|token| token.is_closed && token.inner.end == self.cursor)
        } else {
            token.is_none() && self.count(*opening, language) <= self.count(closing, language)
        };
        if passes {
            self.move_to(self.cursor + 1, false);
        }
        passes
    }

    /// Writes a pair and puts the cursor between its characters, where nothing but what may follow a pair comes next.
    fn insert_pair(&mut self, opening: char, language: Language) -> bool {
        let Some(closing) = closing_of(opening) else { return false };
        let mut rest = self.text[self.cursor..].chars();
        let is_free =
            rest.next().is_none_or(|next| next.is_whitespace() || FOLLOWING.contains(next));
        if !is_free || self.words_at_cursor(language).is_some() {
            return false;
        }
        // A closing bracket that waits for its opening one needs no other.
        if opening != closing && self.count(opening, language) < self.count(closing, language) {
            return false;
        }
        self.insert(&format!("{opening}{closing}"));
        self.move_to(self.cursor - 1, false);
        true
    }

    /// Removes both characters of a pair that has nothing between them.
    fn remove_pair(&mut self, language: Language) -> bool {
        let (before, after) = self.text.split_at(self.cursor);
        let Some(opening) = before.chars().next_back().filter(|_| self.selection().is_empty())
        else {
            return false;
        };
        let is_pair = closing_of(opening).is_some_and(|closing| after.starts_with(closing));
        let is_code = match self.words_at_cursor(language) {
            Some(token) => token.is_closed && token.inner.is_empty() && opening == '"',
            None => opening != '"',
        };
        if is_pair && is_code {
            self.remove(self.cursor - 1..self.cursor + 1);
        }
        is_pair && is_code
    }

    /// Returns the places of the bracket before or behind the cursor, and of the one that belongs to it.
    pub(in super::super) fn bracket_pair(&self, language: Language) -> Option<[usize; 2]> {
        let signs = tokens(&self.text, language).filter(|token| token.kind == TokenKind::Sign);
        let letters = signs.flat_map(|sign| {
            let letters = self.text[sign.span.clone()].char_indices();
            letters.map(move |(at, letter)| (sign.span.start + at, letter))
        });
        let all: Vec<(usize, char)> =
            letters.filter(|(_, letter)| "()[]{}".contains(*letter)).collect();
        let index_of = |place: usize| all.iter().position(|(at, _)| *at == place);
        let index = self.cursor.checked_sub(1).and_then(index_of).or(index_of(self.cursor))?;
        let (place, bracket) = all[index];
        let (opening, closing) =
            *PAIRS.iter().find(|(one, other)| *one == bracket || *other == bracket)?;
        let mut depth = 0;
        let mut closes = |(_, letter): &&(usize, char)| {
            depth += i32::from(*letter == opening) - i32::from(*letter == closing);
            depth == 0
        };
        let other = match bracket == opening {
            true => all[index..].iter().find(&mut closes),
            false => all[..=index].iter().rfind(&mut closes),
        };
        other.map(|(other, _)| [place, *other])
    }

    /// Returns the comment or the string that the cursor is in.
    fn words_at_cursor(&self, language: Language) -> Option<Token> {
        let is_inside = |token: &Token| {
            // Nothing ends a comment before its line does.
            let goes_on = !token.is_closed || token.kind == TokenKind::LineComment;
            let is_before_end =
                if goes_on { self.cursor <= token.span.end } else { self.cursor < token.span.end };
            token.span.start < self.cursor && is_before_end
        };
        let is_code = |token: &Token| {
            matches!(token.kind, TokenKind::Word | TokenKind::Number | TokenKind::Sign)
        };
        tokens(&self.text, language).find(|token| !is_code(token) && is_inside(token))
    }

    /// Returns how often a bracket is written in code.
    fn count(&self, bracket: char, language: Language) -> usize {
        let signs = tokens(&self.text, language).filter(|token| token.kind == TokenKind::Sign);
        signs.map(|sign| self.text[sign.span].matches(bracket).count()).sum()
    }
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use super::*;

    /// Caught: a bracket that was typed behind a name which was chosen from the list stood there twice.
    #[test]
    fn a_bracket_that_came_with_a_chosen_name_is_not_written_again() {
        let typed = |chosen: &str, part: Range<usize>, keys: &str| {
            let mut edit = TextEdit::new("me. + 1");
            edit.move_to(3, false);
            edit.insert_chosen(chosen, part);
            for key in keys.chars() {
                edit.press_in_code(Key::Char(key), Language::Rhai);
            }
            edit.text
        };
        for (chosen, part, keys, after) in [
            ("arrive()", 7..7, "(x)", "me.arrive(x) + 1"),
            ("arrive()", 7..7, "x(", "me.arrive(x()) + 1"),
            // The second one is meant.
            ("arrive()", 7..7, "((x)", "me.arrive((x)) + 1"),
            ("wander()", 8..8, "()", "me.wander() + 1"),
            ("seek(at)", 5..7, "(x)", "me.seek(x) + 1"),
            ("pos", 3..3, "(", "me.pos() + 1"),
        ] {
            assert_eq!(typed(chosen, part, keys), after, "{chosen} {keys}");
        }
    }

    /// Returns the text after keys were pressed, with `|` at the cursor or `[` and `]` around the selection. The text before has the same.
    fn pressed(text: &str, keys: &[Key]) -> String {
        let marks: Vec<usize> = text.match_indices('|').map(|(at, _)| at).collect();
        let mut edit = TextEdit::new(&text.replace('|', ""));
        edit.move_to(marks[0], false);
        if let [_, end] = marks[..] {
            edit.move_to(end - 1, true);
        }
        for key in keys {
            assert!(edit.press_in_code(*key, Language::Rhai), "{key:?}");
        }
        let mut after = edit.text.clone();
        let selected = edit.selection();
        if !selected.is_empty() {
            after.insert(selected.end, '|');
        }
        after.insert(selected.start, '|');
        after
    }

    #[test]
    fn the_other_bracket_is_found() {
        let pair = |text: &str| {
            let mut edit = TextEdit::new(&text.replacen('|', "", 1));
            edit.move_to(text.find('|').unwrap(), false);
            edit.bracket_pair(Language::Rhai)
        };
        for (text, expected) in [
            ("|f(a[0], (b))", None),
            ("f|(a[0], (b))", Some([1, 11])),
            ("f(|a[0], (b))", Some([1, 11])),
            ("f(a[0], (b)|)", Some([10, 8])),
            ("f(a[0], (b))|", Some([11, 1])),
            ("f(a[0]|, (b))", Some([5, 3])),
            // In strings and comments, brackets are plain.
            ("f(|\")\" /* ) */)", Some([1, 13])),
            ("\"(|)\"", None),
            ("(|]", None),
            ("ö{|ö}", Some([2, 5])),
        ] {
            assert_eq!(pair(text), expected, "{text}");
        }
    }

    #[test]
    fn brackets_and_quotes_come_in_pairs() {
        use Key::{Backspace, Char, Ctrl, Enter};
        for (text, keys, after) in [
            ("|", &[Char('(')][..], "(|)"),
            ("a|", &[Char('('), Char('['), Char('b')][..], "a([b|])"),
            ("f|;", &[Char('('), Char(')'), Char('x')][..], "f()x|;"),
            ("|", &[Char('"'), Char('a'), Char('"')][..], "\"a\"|"),
            ("(|, 1)", &[Char('[')][..], "([|], 1)"),
            // In front of a word, it is a bracket alone.
            ("|x", &[Char('(')][..], "(|x"),
            ("|x", &[Char('"')][..], "\"|x"),
            // One that closes nothing gets its opening one.
            ("x|)", &[Char('(')][..], "x(|)"),
            // One that is missing is written.
            ("((a|)", &[Char(')')][..], "((a)|)"),
            ("(a|)", &[Char(')')][..], "(a)|"),
            // What one wrote by mistake goes at once.
            ("a(|)", &[Backspace][..], "a|"),
            ("a\"|\"", &[Backspace][..], "a|"),
            ("(a|)", &[Backspace][..], "(|)"),
            ("(|]", &[Backspace][..], "|]"),
            // In words, brackets are plain.
            ("// a|", &[Char('(')][..], "// a(|"),
            ("\"a|\"", &[Char('(')][..], "\"a(|\""),
            ("\"a(|)\"", &[Char(')')][..], "\"a()|)\""),
            ("\"a(|)\"", &[Backspace][..], "\"a|)\""),
            ("`a| `", &[Char('(')][..], "`a(| `"),
            ("`${| }`", &[Char('(')][..], "`${(|) }`"),
            ("/* a |*/", &[Char('[')][..], "/* a [|*/"),
            // A selection is surrounded.
            ("a |b c| d", &[Char('(')][..], "a (|b c|) d"),
            ("|ab|", &[Char('"')][..], "\"|ab|\""),
            ("|ab|", &[Char('('), Ctrl('z')][..], "ab|"),
            ("|ab|", &[Char('x')][..], "x|"),
            // The rest of a block goes to a line of its own.
            ("  if a |", &[Char('{'), Enter][..], "  if a {\n      |\n  }"),
            ("  f(|)", &[Enter, Char('x')][..], "  f(\n      x|\n  )"),
            ("  f(|]", &[Enter][..], "  f(\n      |]"),
        ] {
            assert_eq!(pressed(text, keys), after, "{text} {keys:?}");
        }
    }
}
