//! Finds the variables that can be used at a place of a script that cannot be compiled, from its text alone.

use std::ops::Range;

use crate::diag::brackets::{self, RHAI};

/// Returns the names of the variables and constants that can be read at a byte offset: those declared before it in the
/// blocks around it, the parameters of its function, and all constants outside of functions.
pub fn variables(text: &str, at: usize) -> Vec<&str> {
    let Some(words) = brackets::code(text, &RHAI) else {
        return Vec::new();
    };
    let mut scan = VariableScan { text, blocks: vec![("", Vec::new())], next: Vec::new() };
    let mut words = words.into_iter().peekable();
    while let Some(word) = words.next_if(|word| word.start < at) {
        match &text[word.clone()] {
            "{" => {
                let declared = std::mem::take(&mut scan.next);
                scan.blocks.push(("{", declared));
            }
            // The parameters of a closure end with the call that it is given to.
            "(" => scan.blocks.push(("(", Vec::new())),
            "}" => scan.close("{"),
            ")" => scan.close("("),
            "let" | "const" => {
                let name = words.next_if(|word| word.start < at);
                // A variable is not known in its own value.
                let name = name.filter(|name| text[name.end..at].contains(';'));
                scan.declare(name);
            }
            // Parameters are declared for the next block.
            "fn" => {
                scan.blocks.truncate(1);
                words.next();
                scan.next = until(&mut words, text, ")");
            }
            "for" => scan.next = until(&mut words, text, "in"),
            _ if is_parameter(text, &word) => scan.declare(Some(word)),
            _ => {}
        }
    }
    // At a condition or a range, names for the next block are not declared yet.
    let mut known: Vec<&str> = scan.blocks.into_iter().flat_map(|(_, names)| names).collect();
    known.extend(constants(text));
    known.sort_unstable();
    known.dedup();
    known
}

/// Returns the constants of a script that are declared outside of functions.
pub(super) fn constants(text: &str) -> Vec<&str> {
    let mut depth = 0usize;
    let mut found = Vec::new();
    let words = brackets::code(text, &RHAI).unwrap_or_default();
    for pair in words.windows(2) {
        match &text[pair[0].clone()] {
            "{" => depth += 1,
            "}" => depth = depth.saturating_sub(1),
            "const" if depth == 0 => found.push(&text[pair[1].clone()]),
            _ => {}
        }
    }
    found
}

struct VariableScan<'t> {
    text: &'t str,
    /// The open blocks and round brackets, the outermost first: how they open, and the names declared in them.
    blocks: Vec<(&'static str, Vec<&'t str>)>,
    /// The names declared for the block that opens next.
    next: Vec<&'t str>,
}

impl VariableScan<'_> {
    fn declare(&mut self, name: Option<Range<usize>>) {
        let block = self.blocks.last_mut();
        if let (Some((_, names)), Some(name)) = (block, name) {
            names.push(&self.text[name]);
        }
    }

    /// Closes the innermost block or bracket of a kind.
    fn close(&mut self, open: &str) {
        if let Some(place) = self.blocks.iter().rposition(|(kind, _)| *kind == open) {
            self.blocks.truncate(place);
        }
    }
}

/// Returns the names before an end word.
fn until<'t>(
    words: &mut impl Iterator<Item = Range<usize>>,
    text: &'t str,
    end: &str,
) -> Vec<&'t str> {
    let words = words.map(|word| &text[word]);
    let words = words.take_while(|word| *word != end && *word != "{");
    words.filter(|word| !["(", ")"].contains(word)).collect()
}

/// Returns whether a word is a parameter of a closure, between its bars.
fn is_parameter(text: &str, word: &Range<usize>) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | ',' | ' ');
    let before = text[..word.start].trim_end_matches(is_part);
    let after = text[word.end..].trim_start_matches(is_part);
    let is_bar = |bar: bool, double: bool| bar && !double;
    is_bar(before.ends_with('|'), before.ends_with("||"))
        && is_bar(after.starts_with('|'), after.starts_with("||"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the variables at the `‹` in a script.
    fn at(text: &str) -> Vec<String> {
        let at = text.find('‹').unwrap();
        let text = text.replacen('‹', "", 1);
        variables(&text, at).into_iter().map(str::to_owned).collect()
    }

    #[test]
    fn only_variables_in_scope_are_found() {
        let text = "const LIMIT = 3;\n// let comment = 1;\nfn far(other) { let gone = 1; }\n\
            fn steer(me) {\n  let text = \"let string = 2\";\n  if true { let inner = 2; }\n  \
            for (one, i) in list { ‹ let late = 1; }\n}\nconst END = 1;";
        assert_eq!(at(text), ["END", "LIMIT", "i", "me", "one", "text"]);
        assert_eq!(at("fn f(a, b) { ‹ }\nfn g(c) { }"), ["a", "b"]);
        assert_eq!(at("fn f(a) { list.filter(|x| x > ‹1) }"), ["a", "x"]);
        assert_eq!(at("fn f(a) { a || b || ‹c }"), ["a"]);
        assert_eq!(at("fn f(a) { list.filter(|x| x > 1); ‹ }"), ["a"]);
        assert_eq!(at("fn f(a) { let b = 1; let c = b + ‹; }"), ["a", "b"]);
        assert_eq!(at("‹"), [""; 0]);
    }
}
