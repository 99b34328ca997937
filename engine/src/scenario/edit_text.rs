//! Finds where the parts of a scenario are written, and changes some of them. Everything else stays as it is written.

use std::ops::Range;

use super::ordered::MayFail;
use super::parts::{Parts, walk};
use super::spanned::ValueSpan;
use crate::tokens::{Language, tokens};

impl MayFail for ValueSpan {
    fn has_failed(&self) -> bool {
        false
    }
}

/// Adds params to a group, each written as `"name": value`. `None` if the group cannot be found.
pub(super) fn add_params(
    edits: &mut TextEdits<'_>,
    text: &str,
    group: &str,
    entries: &[String],
) -> Option<()> {
    match walk(text, &["groups", group, "params"]) {
        Ok(mut map) => {
            let parts = Parts::of(text, &mut map)?;
            edits.append_items(map, &parts, entries);
        }
        Err(_) => {
            let end = walk(text, &["groups", group, "spawn"]).ok()?.end;
            edits.replace(end..end, format!(", params: {{ {} }}", entries.join(", ")));
        }
    }
    Some(())
}

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

    /// Adds fields at the beginning of the whole value.
    pub(super) fn insert_fields(&mut self, fields: &str) {
        let Some(at) = after_opening_bracket(self.text) else {
            return;
        };
        let space = if self.text[at..].starts_with(char::is_whitespace) { "" } else { "\n    " };
        self.replace(at..at, format!("{fields}{space}"));
    }

    /// Adds fields at the end of the whole value.
    pub(super) fn append_fields(&mut self, of: &Parts, fields: &str) {
        if let Some(last) = of.end(self.text) {
            self.add_after(last, fields, "\n");
        }
    }

    /// Adds items at the end of a value with parts, in the layout of the others: each on its own line, or all on one line.
    pub(super) fn append_items(&mut self, span: Range<usize>, parts: &Parts, items: &[String]) {
        let text = self.text;
        let Some((_, last)) = parts.all.last() else {
            let space = if text[span.clone()].starts_with('{') { " " } else { "" };
            // After the name of a variant, if there is one.
            let open = text[span.clone()].find(['(', '[', '{']).unwrap_or(0);
            let start = span.start + open + 1;
            self.replace(start..start, format!("{space}{}{space}", items.join(", ")));
            return;
        };
        let last = last.span(text);
        match own_line(text, span.start, parts, parts.all.len() - 1) {
            Some(indent) => {
                let new: Vec<String> =
                    items.iter().map(|item| format!("\n{indent}{item},")).collect();
                self.add_after(last.end, &new.concat(), "");
            }
            None => self.replace(last.end..last.end, format!(", {}", items.join(", "))),
        }
    }

    /// Adds an item before another one, in the layout of that one.
    pub(super) fn insert_item(&mut self, span: Range<usize>, parts: &Parts, at: usize, item: &str) {
        let start = parts.all[at].1.span(self.text).start;
        let after = match own_line(self.text, span.start, parts, at) {
            Some(indent) => format!(",\n{indent}"),
            None => ", ".to_owned(),
        };
        self.replace(start..start, format!("{item}{after}"));
    }

    /// Adds elements at the end of a list whose elements are at the given spans. Each of the new elements must begin
    /// with a line break and end with a comma.
    pub(super) fn append_elements(&mut self, list: Range<usize>, items: &[ValueSpan], new: &str) {
        match items.last() {
            Some(last) => self.add_after(last.span(self.text).end, new, "\n    "),
            None => self.add(list.start + 1, new, "\n    "),
        }
    }

    /// Adds text that ends with a comma after the value that ends at `end`.
    pub(super) fn add_after(&mut self, end: usize, new: &str, then: &str) {
        let after = after_comma(self.text, end).unwrap_or_else(|| {
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

    /// Removes an element of a list or map with its comma, and the whole line if nothing else is on it.
    pub(super) fn remove(&mut self, item: Range<usize>) {
        let text = self.text;
        let end = after_comma(text, item.end).unwrap_or(item.end);
        let line = text[..item.start].rfind('\n').map_or(item.start, |end| end + 1);
        let next = text[end..].find('\n').map_or(end, |length| end + length + 1);
        let is_alone = [line..item.start, end..next].map(|rest| text[rest].trim().is_empty());
        self.replace(if is_alone == [true, true] { line..next } else { item.start..end }, "");
    }

    /// Turns an element of a list into a comment, with a line that says why.
    pub(super) fn comment_out(&mut self, item: ValueSpan, why: &str) {
        let item = item.span(self.text);
        let end = after_comma(self.text, item.end).unwrap_or(item.end);
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

/// Returns the space before a part if it begins a line.
fn own_line<'t>(text: &'t str, opening: usize, parts: &Parts, at: usize) -> Option<&'t str> {
    let start = parts.all[at].1.span(text).start;
    let before = at.checked_sub(1).map_or(opening, |before| parts.all[before].1.span(text).end);
    let line = text[..start].rfind('\n')? + 1;
    let rest = &text[line..start];
    (line > before).then(|| &rest[..rest.len() - rest.trim_start_matches([' ', '\t']).len()])
}

/// Returns the byte offset right after the comma that follows a value, if there is one.
pub(super) fn after_comma(text: &str, end: usize) -> Option<usize> {
    let next = code(&text[end..]).next()?;
    text[end..][next.clone()].starts_with(',').then_some(end + next.end)
}

/// Returns the byte offset right after the bracket that opens the whole scenario.
pub(super) fn after_opening_bracket(text: &str) -> Option<usize> {
    let mut code = code(text);
    loop {
        let token = code.next()?;
        match &text[token.clone()] {
            "(" => return Some(token.end),
            // `#![enable(...)]`
            "#" => {
                code.find(|token| &text[token.clone()] == "]")?;
            }
            // A name that may stand before the bracket.
            _ => {}
        }
    }
}

/// Returns the bytes of the tokens of a text without its comments. The text must not begin inside a string or a comment.
fn code(text: &str) -> impl Iterator<Item = Range<usize>> {
    // RON treats more characters as space than `char::is_whitespace`.
    let is_space = |span: &Range<usize>| matches!(&text[span.clone()], "\u{200E}" | "\u{200F}");
    let code = tokens(text, Language::Ron).filter(|token| !token.is_comment());
    code.map(|token| token.span).filter(move |span| !is_space(span))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_opening_bracket_is_found_after_attributes_comments_and_a_name() {
        for before in [
            "",
            "#![enable(implicit_some)]\n",
            "// (not this)\n/* nor (this /* nor ( */ */ */\n",
            "Scenario",
            "#![enable(implicit_some)] /* ( */ #![enable(unwrap_newtypes)]\nScenario // (\n",
        ] {
            assert_eq!(
                after_opening_bracket(&format!("{before}(a: 1)")),
                Some(before.len() + 1),
                "{before}"
            );
        }
        assert_eq!(after_opening_bracket("// (\n"), None);
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
            prop_assert_eq!(after_comma(&list, 2), Some(3 + trivia.len()));
        }
    }
}
