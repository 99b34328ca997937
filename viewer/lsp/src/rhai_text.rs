//! The words, strings and signs of a script, also of a half-finished one, and what can be read from their order.

use std::collections::BTreeSet;
use std::ops::{Deref, Range};

use flockwork_engine::tokens::{CodeTokens, Language, Token, TokenKind, line_start, tokens};

/// Words before a bracket that are not the name of a function.
const KEYWORDS: [&str; 5] = ["if", "while", "return", "in", "switch"];

/// The tokens of a script.
pub(super) struct Tokens<'t> {
    code: CodeTokens<'t>,
    /// The comments.
    pub(super) comments: Vec<Range<usize>>,
}

/// The arguments of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Arguments {
    pub(super) count: usize,
    pub(super) first_is_string: bool,
}

impl<'t> Deref for Tokens<'t> {
    type Target = CodeTokens<'t>;

    fn deref(&self) -> &Self::Target {
        &self.code
    }
}

impl<'t> Tokens<'t> {
    /// Reads a script.
    pub(super) fn new(text: &'t str) -> Self {
        let (comments, all) =
            tokens(text, Language::Rhai).partition::<Vec<_>, _>(Token::is_comment);
        let comments = comments.into_iter().map(|comment| comment.span).collect();
        Self { code: CodeTokens { text, all }, comments }
    }

    /// Returns the token that a byte offset is in, or directly behind.
    pub(super) fn at(&self, offset: usize) -> Option<usize> {
        let first = self.all.iter().position(|token| token.span.end >= offset)?;
        let touches =
            |index: usize| self.all.get(index).is_some_and(|token| token.span.start <= offset);
        // Between a word and a sign, the word counts.
        let is_name = |index: usize| touches(index) && self.is_name(index);
        if is_name(first + 1) && !is_name(first) {
            return Some(first + 1);
        }
        touches(first).then_some(first)
    }

    /// Returns the last token before an offset, which is empty at the beginning.
    pub(super) fn token_before(&self, offset: usize) -> &'t str {
        let before = self.all.iter().rposition(|token| token.span.end <= offset);
        before.map_or("", |before| self.get(before))
    }

    /// Returns whether a token is a word, a number or a string, and not a sign or a part of a string with code.
    pub(super) fn is_name(&self, index: usize) -> bool {
        matches!(self.all[index].kind, TokenKind::Word | TokenKind::Number | TokenKind::Text)
    }

    /// Returns whether a byte offset is in a string in backticks, and not in its code.
    pub(super) fn is_template(&self, offset: usize) -> bool {
        self.all.iter().any(|token| {
            token.kind == TokenKind::Template
                && token.span.start < offset
                && (offset < token.span.end || !token.is_closed)
                && offset <= token.span.end
        })
    }

    /// Returns whether a byte offset is in a comment.
    pub(super) fn is_comment(&self, offset: usize) -> bool {
        self.comments.iter().any(|span| {
            let is_line = self.text[span.clone()].starts_with("//");
            span.start < offset && (offset < span.end || (is_line && offset == span.end))
        })
    }

    /// Returns whether a token is the name of a function that a bracket behind it calls.
    pub(super) fn is_called(&self, name: usize) -> bool {
        self.is_word(name) && !KEYWORDS.contains(&self.get(name))
    }

    /// Returns the token that stands for the value before a dot, by the index of the dot: the last name, `b` of `a.b(c)`, or the operator
    /// that is evaluated last, `-` of `(a - b * c)`.
    pub(super) fn before_dot(&self, dot: usize) -> Option<usize> {
        let last = dot.checked_sub(1)?;
        match self.get(last) {
            ")" => {
                let open = self.opening(last)?;
                let name = open.checked_sub(1).filter(|&name| self.is_called(name));
                name.or_else(|| self.last_evaluated(open + 1..last))
            }
            _ => (self.is_word(last)).then_some(last),
        }
    }

    /// Returns where the value before a dot begins: its first token.
    pub(super) fn start_of_value(&self, dot: usize) -> Option<usize> {
        let mut at = dot.checked_sub(1)?;
        loop {
            // One part, with the brackets behind its name.
            while matches!(self.get(at), ")" | "]") {
                let open = self.opening(at)?;
                let is_value = |index: usize| {
                    let is_name = self.is_word(index) && !KEYWORDS.contains(&self.get(index));
                    is_name || matches!(self.get(index), ")" | "]")
                };
                match open.checked_sub(1).filter(|&before| is_value(before)) {
                    Some(before) => at = before,
                    None => return Some(open),
                }
            }
            if self.all[at].kind == TokenKind::Sign {
                return None;
            }
            // A string with code in it has several parts.
            while self.all[at].kind == TokenKind::Template && self.get(at).starts_with('}') {
                at = self.all[..at].iter().rposition(Token::opens_code)?;
            }
            let is_joined = at >= 2 && (self.is_dot(at - 1) || self.get(at - 1) == "::");
            if !is_joined {
                return Some(at);
            }
            at -= 2;
        }
    }

    /// Returns the operator between brackets that is evaluated last; without one, the last name.
    fn last_evaluated(&self, inside: Range<usize>) -> Option<usize> {
        let (mut sum, mut product, mut name) = (None, None, None);
        for index in self.outside_brackets(inside.clone()) {
            match self.get(index) {
                "+" | "-" if index > inside.start => sum = Some(index),
                "*" | "/" => product = Some(index),
                _ if self.is_word(index) => name = Some(index),
                _ => {}
            }
        }
        sum.or(product).or(name)
    }

    /// Returns the index of a variable where it is declared last before an offset.
    pub(super) fn declaration(&self, name: &str, offset: usize) -> Option<usize> {
        let before = (1..self.all.len()).rev().filter(|&at| self.all[at].span.end <= offset);
        let mut named = before.filter(|&at| self.get(at) == name);
        named.find(|&at| match self.get(at - 1) {
            "let" | "const" | "for" | "|" => true,
            // Not an argument of a call, but a parameter, or one of two names of a loop.
            "(" | "," => {
                let call = self.call_around(self.all[at].span.start);
                let is_parameter = |(name, _): (usize, _)| name > 0 && self.get(name - 1) == "fn";
                self.get(at + 1) == "|" || call.is_none_or(is_parameter)
            }
            _ => false,
        })
    }

    /// Returns what stands for the value that a variable is declared with, by an index of the variable.
    pub(super) fn declared_with(&self, index: usize) -> Option<usize> {
        let name = self.get(index);
        let declared =
            (1..=index).rev().find(|&at| self.get(at) == name && self.get(at - 1) == "let")?;
        let end = (declared..self.all.len()).find(|&at| self.get(at) == ";")?;
        self.last_evaluated(declared + 2..end)
    }

    /// Returns what stands for the value whose elements a variable goes through, by an index of the variable: in a loop, or in a closure.
    pub(super) fn declared_for(&self, index: usize) -> Option<usize> {
        let name = self.get(index);
        for at in (2..=index).rev().filter(|&at| self.get(at) == name) {
            let mut before = at - 1;
            if self.get(before) == "(" {
                before -= 1;
            }
            if self.get(before) == "for" {
                let from = (at..index).find(|&at| self.get(at) == "in")?;
                let end = (from..self.all.len()).find(|&at| self.get(at) == "{")?;
                return self.before_dot(end);
            }
            // `near.map(|other| ..)`: the value before the dot.
            if self.get(at - 1) == "|" && self.get(at - 2) == "(" && self.get(at + 1) == "|" {
                let dot = at.checked_sub(4).filter(|&dot| self.is_dot(dot))?;
                return self.before_dot(dot);
            }
        }
        None
    }

    /// Returns what stands for the value whose element is taken, by the closing bracket of the index.
    pub(super) fn indexed(&self, close: usize) -> Option<usize> {
        self.before_dot(self.opening(close)?)
    }

    /// Returns the keys of the map that a variable is declared with, by the index of a use of the variable.
    pub(super) fn keys_of(&self, index: usize) -> Vec<&'t str> {
        let name = self.get(index);
        let declared = (1..index)
            .rev()
            .find(|&at| self.get(at) == name && matches!(self.get(at - 1), "let" | "const"));
        let open = declared
            .map(|at| at + 3)
            .filter(|&open| self.get(open - 1) == "#" && self.get(open) == "{");
        let Some(inside) = open.map(|open| open + 1..self.closing(open).unwrap_or(self.all.len()))
        else {
            return Vec::new();
        };
        let colons = self.outside_brackets(inside).filter(|&at| self.get(at) == ":");
        colons.map(|colon| self.name(colon - 1)).collect()
    }

    /// Returns whether only its own script can call a function, by the index of its name.
    pub(super) fn is_private(&self, name: usize) -> bool {
        name >= 2 && self.get(name - 2) == "private"
    }

    /// Returns whether a bar closes the parameters of a closure, such as the second one of `|a, b|`.
    pub(super) fn closes_parameters(&self, bar: usize) -> bool {
        let before = (0..bar).rev().find(|&index| self.get(index) != "," && !self.is_word(index));
        before.is_some_and(|index| self.get(index) == "|")
    }

    /// Returns what stands for the value behind an operator, as far as names and dots go.
    pub(super) fn behind(&self, operator: usize) -> Option<usize> {
        let mut last = Some(operator + 1).filter(|&index| self.is_word(index))?;
        while self.is_dot(last + 1) && self.is_word(last + 2) {
            last += 2;
        }
        Some(last)
    }

    /// Returns whether a token is a dot between a value and its member.
    pub(super) fn is_dot(&self, index: usize) -> bool {
        matches!(self.get(index), "." | "?.")
    }

    /// Returns the names that lead to a token: `["me", "params", "speed"]` for `speed` of `me.params.speed`. Empty if something else than
    /// names leads there.
    pub(super) fn path(&self, index: usize) -> Vec<&'t str> {
        let mut names = vec![self.get(index)];
        let mut at = index;
        while at >= 2 && self.is_dot(at - 1) {
            at -= 2;
            if !self.is_word(at) {
                return Vec::new();
            }
            names.insert(0, self.get(at));
        }
        names
    }

    /// Returns the call whose brackets are around a byte offset: the index of its name, and of the argument that the offset is in.
    pub(super) fn call_around(&self, offset: usize) -> Option<(usize, usize)> {
        let (mut depth, mut argument) = (0usize, 0);
        for index in (0..self.all.len()).rev().filter(|&index| self.all[index].span.start < offset)
        {
            match self.get(index) {
                ")" | "]" | "}" if self.all[index].span.end <= offset => depth += 1,
                "(" if depth == 0 => {
                    let name = index.checked_sub(1)?;
                    let is_call = self.is_word(name)
                        && !["if", "while", "switch", "return", "in", "fn"]
                            .contains(&self.get(name))
                        && (name == 0 || self.get(name - 1) != "fn");
                    if is_call {
                        return Some((name, argument));
                    }
                    argument = 0;
                }
                "[" if depth == 0 => argument = 0,
                "{" if depth == 0 => return None,
                "(" | "[" | "{" => depth -= 1,
                "," if depth == 0 => argument += 1,
                ";" if depth == 0 => return None,
                _ => {}
            }
        }
        None
    }

    /// Returns what is known about the arguments of a call by the index of its name. `None` if nothing is called, or if the call does not end.
    pub(super) fn arguments(&self, name: usize) -> Option<Arguments> {
        let (open, first) = (name + 1, name + 2);
        let close =
            self.closing(open).filter(|&close| self.get(open) == "(" && self.get(close) == ")")?;
        let mut commas = 0;
        for index in self.outside_brackets(first..close) {
            match self.get(index) {
                "," => commas += 1,
                ";" => return None,
                _ => {}
            }
        }
        let count = if close == first { 0 } else { commas + 1 };
        Some(Arguments { count, first_is_string: self.all[first].kind == TokenKind::Text })
    }

    /// Returns each function that the script defines: the index of its name, and the index of the bracket that closes its body.
    pub(super) fn functions(&self) -> Vec<(usize, usize)> {
        let names =
            (1..self.all.len()).filter(|&name| self.before(name) == "fn" && self.is_word(name));
        // Other brackets may not be closed yet.
        let end = |name: usize| {
            let mut depth = 0;
            let mut after = name..self.all.len();
            let end = after.find(|&index| match self.get(index) {
                "{" => {
                    depth += 1;
                    false
                }
                "}" => {
                    depth -= 1;
                    depth <= 0
                }
                _ => false,
            });
            end.unwrap_or(self.all.len() - 1)
        };
        names.map(|name| (name, end(name))).collect()
    }

    /// Returns the names of the parameters of a function, by the index of its name.
    pub(super) fn parameters(&self, name: usize) -> Vec<&'t str> {
        let after = (name + 2..self.all.len()).map(|index| self.get(index));
        let inside = after.take_while(|word| !matches!(*word, ")" | "{"));
        inside.filter(|word| *word != ",").collect()
    }

    /// Returns the function whose parameter a name is: the index of its name, and the number of the parameter.
    pub(super) fn parameter(&self, index: usize) -> Option<(usize, usize)> {
        let (function, _) =
            self.functions().into_iter().rfind(|&(of, end)| (of..end).contains(&index))?;
        let name = self.get(index);
        let declared = self.declaration(name, self.all[index].span.start)?;
        let is_own = matches!(self.get(declared - 1), "(" | ",") && self.path(index).len() == 1;
        let number = self.parameters(function).iter().position(|one| *one == name)?;
        is_own.then_some((function, number))
    }

    /// Returns what stands for the value of an argument, by the index of the name of the function that is called and its number.
    pub(super) fn argument(&self, name: usize, number: usize) -> Option<usize> {
        let close = self.closing(name + 1)?;
        let commas = self.outside_brackets(name + 2..close).filter(|&index| self.get(index) == ",");
        self.before_dot(commas.chain([close]).nth(number)?)
    }

    /// Returns what the comments directly above a function say, by the index of its name.
    pub(super) fn doc(&self, name: usize) -> String {
        let first = name - 1 - usize::from(self.is_private(name));
        let mut start = self.all[first].span.start;
        let mut lines = Vec::new();
        let before = self.comments.partition_point(|comment| comment.end <= start);
        for comment in self.comments[..before].iter().rev() {
            let between = &self.text[comment.end..start];
            let line = line_start(self.text, comment.start);
            let is_alone = self.text[line..comment.start].trim().is_empty();
            let text = &self.text[comment.clone()];
            if !is_alone
                || !between.trim().is_empty()
                || between.matches('\n').count() != 1
                || !text.starts_with("//")
            {
                break;
            }
            lines.push(text.trim_start_matches('/').trim());
            start = comment.start;
        }
        lines.reverse();
        lines.join("\n")
    }

    /// Returns the scripts that it imports: the index of the string with the name, and the alias.
    pub(super) fn imports(&self) -> Vec<(usize, &'t str)> {
        let words = 0..self.all.len();
        let imports = words.filter(|&index| {
            self.get(index) == "import"
                && self.all.get(index + 1).is_some_and(|of| of.kind == TokenKind::Text)
        });
        let alias =
            |index: usize| if self.get(index + 2) == "as" { self.get(index + 3) } else { "" };
        imports.map(|index| (index + 1, alias(index))).collect()
    }

    /// Returns whether a token is the name of a state machine or a choice where it is made: the first argument of `me.machine(..)` and the like.
    pub(super) fn is_choice(&self, index: usize) -> bool {
        index > 2
            && self.all[index].kind == TokenKind::Text
            && self.get(index - 1) == "("
            && matches!(self.get(index - 2), "machine" | "choose" | "keep")
            && self.is_dot(index - 3)
    }

    /// Returns the names of state machines and choices.
    pub(super) fn choices(&self) -> BTreeSet<&'t str> {
        let all = 0..self.all.len();
        all.filter(|&index| self.is_choice(index)).map(|index| self.name(index)).collect()
    }

    /// Returns whether a token is a member of a value with a name: `x` of `me.state.x` and `me.state["x"]`, for `state`.
    pub(super) fn is_member_of(&self, index: usize, of: &str) -> bool {
        if index < 3 {
            return false;
        }
        let kind = self.all[index].kind;
        let is_of = self.get(index - 2) == of && self.is_dot(index - 3);
        (kind == TokenKind::Word && self.is_dot(index - 1) && is_of)
            || (kind == TokenKind::Text && self.get(index - 1) == "[" && is_of)
    }

    /// Returns the name of a word or the content of a string.
    pub(super) fn name(&self, index: usize) -> &'t str {
        &self.text[self.all[index].inner.clone()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_calls_and_definitions_are_found_in_half_of_a_script() {
        let text = "import \"lib/a\" as a;\nconst X = 1.5; // fn no()\nfn steer(me, b) {\n  \
            let v = me.params.speed * a::f(me.params[\"far\"], [1, 2], ‹";
        let offset = text.find('‹').unwrap();
        let text = text.replace('‹', "");
        let tokens = Tokens::new(&text);
        let members = (0..tokens.all.len()).filter(|&index| tokens.is_member_of(index, "params"));
        let params: Vec<usize> = members.collect();
        let names: Vec<&str> = params.iter().map(|&index| tokens.name(index)).collect();
        assert_eq!(names, ["speed", "far"]);
        let (call, argument) = tokens.call_around(offset).unwrap();
        assert_eq!((tokens.get(call), argument), ("f", 2));
        let functions = tokens.functions();
        assert_eq!(tokens.get(functions[0].0), "steer");
        assert_eq!(tokens.parameters(functions[0].0), ["me", "b"]);
        let imports = tokens.imports();
        assert_eq!((tokens.name(imports[0].0), imports[0].1), ("lib/a", "a"));
        let speed = params[0];
        assert_eq!(tokens.path(speed), ["me", "params", "speed"]);
        assert_eq!(tokens.at(tokens.all[speed].span.end), Some(speed));
        assert!(tokens.is_comment(text.find("fn no").unwrap()));
    }

    #[test]
    fn any_part_of_a_script_can_be_read() {
        let text = "fn f(a) { let ä = \"x\\\"\"; `b ${c}`; 0..5; 1.5.floor(); me?.x; /* ü */ }";
        for end in (0..=text.len()).filter(|&end| text.is_char_boundary(end)) {
            for part in [&text[..end], &text[end..]] {
                let tokens = Tokens::new(part);
                let _ = (tokens.functions(), tokens.choices(), tokens.imports());
                for offset in (0..=part.len()).filter(|&at| part.is_char_boundary(at)) {
                    let _ = (tokens.call_around(offset), tokens.is_comment(offset));
                    if let Some(index) = tokens.at(offset) {
                        let _ = (tokens.path(index), tokens.name(index), tokens.before_dot(index));
                    }
                }
            }
        }
    }
}
