//! Changes parts of a scenario's text. Everything else stays as it is written.

use std::ops::Range;
use std::sync::Arc;

use crate::diag::{Fix, Source};
use crate::tokens::ron_tree::{RonKind, RonNode, RonTree};

/// Changes of a text, each in a different part.
pub(super) struct TextEdits<'t> {
    text: &'t str,
    all: Vec<(Range<usize>, String)>,
}

impl<'t> TextEdits<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { text, all: Vec::new() }
    }

    /// Replaces a part of the text.
    pub(super) fn replace(&mut self, part: Range<usize>, new: impl Into<String>) {
        self.all.push((part, new.into()));
    }

    /// Adds fields at the beginning of a struct.
    pub(super) fn insert_fields(&mut self, of: RonNode<'_, '_>, fields: &str) {
        let Some(opening) = of.opening() else { return };
        let at = opening + 1;
        let space = if self.text[at..].starts_with(char::is_whitespace) { "" } else { "\n    " };
        self.replace(at..at, format!("{fields}{space}"));
    }

    /// Adds fields at the end of a struct that has some.
    pub(super) fn append_fields(&mut self, of: RonNode<'_, '_>, fields: &str) {
        if let Some(last) = of.children().last() {
            self.add_after(last, fields, "\n");
        }
    }

    /// Adds items at the end of a value with brackets, in the layout of the others: each on its own line, or all on one line.
    pub(super) fn append_items(&mut self, to: RonNode<'_, '_>, items: &[String]) {
        let Some(opening) = to.opening() else { return };
        let Some(last) = to.children().last() else {
            let space = if to.kind() == RonKind::Map { " " } else { "" };
            let start = opening + 1;
            self.replace(start..start, format!("{space}{}{space}", items.join(", ")));
            return;
        };
        match own_line(to, last) {
            Some(indent) => {
                let new: Vec<String> =
                    items.iter().map(|item| format!("\n{indent}{item},")).collect();
                self.add_after(last, &new.concat(), "");
            }
            None => {
                let end = last.span().end;
                self.replace(end..end, format!(", {}", items.join(", ")));
            }
        }
    }

    /// Adds an item before another one, in the layout of that one.
    pub(super) fn insert_item(&mut self, to: RonNode<'_, '_>, before: RonNode<'_, '_>, item: &str) {
        let start = before.entry_span().start;
        let after = match own_line(to, before) {
            Some(indent) => format!(",\n{indent}"),
            None => ", ".to_owned(),
        };
        self.replace(start..start, format!("{item}{after}"));
    }

    /// Adds elements at the end of a list. Each of them must begin with a line break and end with a comma.
    pub(super) fn append_elements(&mut self, list: RonNode<'_, '_>, new: &str) {
        match (list.children().last(), list.opening()) {
            (Some(last), _) => self.add_after(last, new, "\n    "),
            (None, Some(opening)) => self.add(opening + 1, new, "\n    "),
            (None, None) => {}
        }
    }

    /// Adds text that ends with a comma after a value.
    fn add_after(&mut self, value: RonNode<'_, '_>, new: &str, then: &str) {
        let end = value.span().end;
        let after = value.after_comma().unwrap_or_else(|| {
            self.replace(end..end, ",");
            end
        });
        // A comment at the end of the line belongs to the value on that line.
        let line = self.text[after..].lines().next().unwrap_or_default();
        let is_comment = line.trim_start().starts_with("//");
        self.add(after + if is_comment { line.len() } else { 0 }, new, then);
    }

    /// Adds text, and `then` if a closing bracket would follow on the same line.
    fn add(&mut self, at: usize, new: &str, then: &str) {
        let rest = self.text[at..].trim_start_matches([' ', '\t']);
        let closes = rest.starts_with([')', ']']);
        self.replace(at..at, format!("{new}{}", if closes { then } else { "" }));
    }

    /// Removes a field, an entry or an element with its comma, and the whole line if nothing else is on it.
    pub(super) fn remove(&mut self, item: RonNode<'_, '_>) {
        let part = self.removed(item, false);
        self.replace(part, "");
    }

    /// Returns the part of the text that is removed with an item: with the comment behind it, if that is wanted and the item has a line of its
    /// own.
    fn removed(&self, item: RonNode<'_, '_>, has_comment: bool) -> Range<usize> {
        let text = self.text;
        let Range { mut start, mut end } = item.entry_span();
        match item.after_comma() {
            Some(comma) => {
                let rest = text[comma..].trim_start_matches(' ');
                // Not the space before a comment.
                let is_next = !rest.starts_with(['/', '\n', '\r', ')', ']', '}']);
                end = if is_next { text.len() - rest.len() } else { comma };
            }
            None => {
                let before = text[..start].trim_end();
                start = before.strip_suffix(',').map_or(start, str::len);
            }
        }
        let before = &text[..item.entry_span().start];
        let is_first = before.trim_end_matches([' ', '\t']).ends_with('\n');
        let rest = text[end..].lines().next().unwrap_or_default();
        if has_comment && is_first && rest.trim_start().starts_with("//") {
            end += rest.len();
        }
        let line = text[..start].rfind('\n').map_or(start, |end| end + 1);
        let next = text[end..].find('\n').map_or(end, |length| end + length + 1);
        let is_alone = [line..start, end..next].map(|rest| text[rest].trim().is_empty());
        if is_alone == [true, true] { line..next } else { start..end }
    }

    /// Turns an element of a list into a comment, with a line that says why.
    pub(super) fn comment_out(&mut self, item: RonNode<'_, '_>, why: &str) {
        let end = item.after_comma();
        let item = item.span();
        let end = end.unwrap_or(item.end);
        let indent = "        ";
        let mut new = format!("// {why}:\n{indent}");
        for (i, line) in self.text[item.start..end].lines().enumerate() {
            if i > 0 {
                new.push('\n');
            }
            new.push_str(if i > 0 { "        // " } else { "// " });
            new.push_str(line.trim_start());
        }
        let rest = self.text[end..].trim_start_matches([' ', '\t', '\r']);
        if !(rest.starts_with('\n') || rest.starts_with("//")) {
            new.push('\n');
            new.push_str(if rest.starts_with(']') { "    " } else { indent });
        }
        self.replace(item.start..end, new);
    }

    /// Returns the fix that makes all changes in a source with this text.
    pub(super) fn into_fix(self, title: impl Into<String>, source: &Arc<Source>) -> Fix {
        let text = self.text;
        let new = self.finish();
        // One part that contains all changes.
        let is_same = |(a, b): &(u8, u8)| a == b;
        let same = text.bytes().zip(new.bytes()).take_while(is_same).count();
        let start = text.floor_char_boundary(same);
        let (old_rest, new_rest) = (&text.as_bytes()[start..], &new.as_bytes()[start..]);
        let same = old_rest.iter().rev().zip(new_rest.iter().rev());
        let mut same = same.take_while(|(a, b)| a == b).count();
        while !text.is_char_boundary(text.len() - same) {
            same -= 1;
        }
        let end = text.len() - same;
        Fix::new(title, source, start..end, &new[start..new.len() - same])
    }

    /// Returns the text with all changes.
    pub(super) fn finish(mut self) -> String {
        self.all.sort_by_key(|(part, _)| (part.start, part.end));
        let mut new = String::with_capacity(self.text.len());
        let mut at = 0;
        for (part, instead) in self.all {
            new.push_str(&self.text[at..part.start]);
            new.push_str(&instead);
            at = part.end;
        }
        new.push_str(&self.text[at..]);
        new
    }
}

/// Returns the fix that removes the innermost field or entry around a byte offset, with the comment behind it.
pub(crate) fn removal(source: &Arc<Source>, at: usize, title: impl Into<String>) -> Option<Fix> {
    let tree = RonTree::new(&source.text);
    let entry = tree.innermost_entry(at)?;
    let mut edits = TextEdits::new(&source.text);
    let part = edits.removed(entry, true);
    edits.replace(part, "");
    Some(edits.into_fix(title, source))
}

/// Returns the space before a part of a value if it begins a line.
fn own_line<'t>(of: RonNode<'_, 't>, part: RonNode<'_, 't>) -> Option<&'t str> {
    let (text, start) = (of.tree().text(), part.entry_span().start);
    let ends = of.children().map(|child| child.span().end).take_while(|end| *end < start);
    let before = ends.last().unwrap_or(of.span().start);
    let line = text[..start].rfind('\n')? + 1;
    let rest = &text[line..start];
    (line > before).then(|| &rest[..rest.len() - rest.trim_start_matches([' ', '\t']).len()])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::diag::Source;
    use crate::tokens::ron_tree::RonTree;

    /// Caught: the comment of a param stayed when the param was removed.
    #[test]
    fn the_comment_behind_something_is_removed_with_it() {
        let without = |text: &str, item: &str| {
            let source = Source::new("s.ron", text);
            let fix = super::removal(&source, text.find(item).unwrap(), "").unwrap();
            let mut left = text.to_owned();
            left.replace_range(fix.place.span, &fix.text);
            left
        };
        let text = "{\n  \"a\": 1, // one\n  \"b\": 2 // two\n}";
        assert_eq!(without(text, "1"), "{\n  \"b\": 2 // two\n}");
        assert_eq!(without(text, "2"), "{\n  \"a\": 1, // one\n}");
        // It may be about both.
        assert_eq!(without("{ \"a\": 1, \"b\": 2, // both\n}", "2"), "{ \"a\": 1,  // both\n}");
    }

    #[test]
    fn the_opening_bracket_is_found_after_attributes_comments_and_a_name() {
        let opening = |text: &str| RonTree::new(text).root()?.opening();
        for before in [
            "",
            "#![enable(implicit_some)]\n",
            "// (not this)\n/* nor (this /* nor ( */ */ */\n",
            "Scenario",
            "#![enable(implicit_some)] /* ( */ #![enable(unwrap_newtypes)]\nScenario // (\n",
        ] {
            assert_eq!(opening(&format!("{before}(a: 1)")), Some(before.len()), "{before}");
        }
        assert_eq!(opening("// (\n"), None);
    }

    proptest! {
        #[test]
        fn space_and_comments_are_skipped(
            parts in prop::collection::vec(
                prop_oneof![
                    "[ \t\n\r\u{85}\u{2028}\u{200E}]{0,3}",
                    "//[a-z*/\"(),]{0,9}\n",
                    "/\\*[a-z\"(), ]{0,9}(/\\*[a-z,]{0,3}\\*/)?[a-z]{0,3}\\*/",
                ],
                0..6,
            ),
        ) {
            let trivia = parts.concat();
            let list = format!("[1{trivia}, 2]");
            // RON reads it so, too.
            let read: Result<Vec<i32>, _> = crate::scenario::options().from_str(&list);
            prop_assert_eq!(read.ok(), Some(vec![1, 2]), "{}", list);
            prop_assert_eq!(RonTree::new(&list).after_comma(2), Some(3 + trivia.len()));
        }
    }
}
