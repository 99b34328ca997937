//! The words, strings, signs and comments of a scenario or a script, also of a half-finished one.
//!
//! The parsers of RON and Rhai give up at the first mistake. This module goes on, so that messages about brackets, the formatter
//! and editors can tell what is code and what is part of a string or a comment.

pub mod ron_tree;

use std::ops::Range;

/// Returns the byte offset at which the line of another one begins.
pub fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |end| end + 1)
}

/// A language of files. Both have `"..."` with `\` for escapes, `'x'`, `// ...`, and `/* ... */` that can be nested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// Scenarios and plans.
    Ron,
    /// Scripts.
    Rhai,
}

impl Language {
    /// Prefixes before the hashes of a raw string.
    const fn raw_prefixes(self) -> &'static [&'static str] {
        match self {
            Self::Ron => &["r", "br"],
            Self::Rhai => &[""],
        }
    }

    /// Minimum number of hashes of a raw string.
    const fn raw_hashes(self) -> usize {
        match self {
            Self::Ron => 0,
            Self::Rhai => 1,
        }
    }

    /// Whether a character is white space between tokens.
    fn is_space(self, c: char) -> bool {
        c.is_whitespace() || (self == Self::Ron && matches!(c, '\u{200E}' | '\u{200F}'))
    }

    /// Whether a string in double quotes can have several lines.
    pub(crate) const fn has_long_strings(self) -> bool {
        matches!(self, Self::Ron)
    }

    /// Whether there are strings in backticks, with code in `${...}` and without escapes.
    const fn has_templates(self) -> bool {
        matches!(self, Self::Rhai)
    }

    /// Whether a doubled quote is part of the string.
    const fn has_doubled_quotes(self) -> bool {
        matches!(self, Self::Rhai)
    }

    /// Signs of several characters, those first that begin with another one.
    const fn long_signs(self) -> &'static [&'static str] {
        match self {
            Self::Ron => &[],
            Self::Rhai => &[
                "..=", "**=", "<<=", ">>=", "::", "..", "?.", "??", "==", "!=", "<=", ">=", "&&",
                "||", "=>", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "**", "<<", ">>",
            ],
        }
    }
}

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// A name or a keyword.
    Word,
    /// A number; in scenarios with its sign.
    Number,
    /// A string in double quotes, or a raw string.
    Text,
    /// A character in single quotes.
    Character,
    /// A part of a string in backticks: from the backtick or the `}` before it to the backtick or the `${` behind it. The code between
    /// `${` and `}` has tokens of its own.
    Template,
    /// A bracket, an operator, or anything else.
    Sign,
    /// A comment up to the end of its line, without the line break.
    LineComment,
    /// A comment between `/*` and `*/`.
    BlockComment,
}

/// A part of a text. Between two tokens there is only white space.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// Its kind.
    pub kind: TokenKind,
    /// Its bytes, with quotes.
    pub span: Range<usize>,
    /// The bytes of a string without its quotes, or of a raw name without its `r#`; all bytes of anything else.
    pub inner: Range<usize>,
    /// Whether it ends as it has to: false for a string or a comment that is not finished.
    pub is_closed: bool,
}

impl Token {
    /// Returns whether it is a comment.
    pub fn is_comment(&self) -> bool {
        matches!(self.kind, TokenKind::LineComment | TokenKind::BlockComment)
    }

    /// Returns whether code begins behind it: a part of a string in backticks that ends with `${`.
    pub fn opens_code(&self) -> bool {
        self.kind == TokenKind::Template && self.is_closed && self.span.end - self.inner.end == 2
    }
}

/// Returns the tokens of a text in their order.
pub fn tokens(text: &str, language: Language) -> Tokens<'_> {
    Tokens { text, language, at: 0, code: Vec::new() }
}

/// The tokens of a text.
#[derive(Clone, Debug)]
pub struct Tokens<'t> {
    text: &'t str,
    language: Language,
    at: usize,
    /// The number of braces that are open in each code inside a string, the outermost first.
    code: Vec<usize>,
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        let rest = self.text[self.at..].trim_start_matches(|c| self.language.is_space(c));
        let start = self.text.len() - rest.len();
        let first = rest.chars().next()?;
        let token = self.raw_string(start).unwrap_or_else(|| self.token(start, first));
        self.at = token.span.end;
        Some(token)
    }
}

impl Tokens<'_> {
    /// Reads the token that begins at a byte offset with a character.
    fn token(&mut self, start: usize, first: char) -> Token {
        let rest = &self.text[start..];
        match first {
            '"' => self.string(start, start),
            '\'' => self.character(start, start),
            'b' if self.language == Language::Ron && rest.starts_with("b\"") => {
                self.string(start, start + 1)
            }
            'b' if self.language == Language::Ron && rest.starts_with("b'") => {
                self.character(start, start + 1)
            }
            'r' if self.language == Language::Ron && is_raw_name(rest) => {
                let len = rest[2..].find(|c| !self.is_in_word(c)).map_or(rest.len(), |len| len + 2);
                let inner = start + 2..start + len;
                Token { inner, ..plain(TokenKind::Word, start, len) }
            }
            '`' if self.language.has_templates() => self.template(start),
            '}' if self.code.last() == Some(&0) => {
                self.code.pop();
                self.template(start)
            }
            '{' | '}' => {
                if let Some(open) = self.code.last_mut() {
                    *open = if first == '{' { *open + 1 } else { *open - 1 };
                }
                plain(TokenKind::Sign, start, 1)
            }
            '/' if rest.starts_with("//") => {
                plain(TokenKind::LineComment, start, rest.find('\n').unwrap_or(rest.len()))
            }
            '/' if rest.starts_with("/*") => comment(start, rest),
            _ => match self.number(rest) {
                0 if is_letter(first) => {
                    let len = rest.find(|c| !self.is_in_word(c)).unwrap_or(rest.len());
                    plain(TokenKind::Word, start, len)
                }
                0 => {
                    let long =
                        self.language.long_signs().iter().find(|sign| rest.starts_with(**sign));
                    plain(TokenKind::Sign, start, long.map_or(first.len_utf8(), |sign| sign.len()))
                }
                len => plain(TokenKind::Number, start, len),
            },
        }
    }

    fn is_in_word(&self, c: char) -> bool {
        // Names of scenarios' fields have no other signs, raw names such as `r#a-b` do.
        is_letter(c) || (self.language == Language::Ron && matches!(c, '.' | '+' | '-'))
    }

    /// Returns the length of the number at the start of a text; 0 if none is there.
    fn number(&self, rest: &str) -> usize {
        let is_digit = |c: char| c.is_ascii_digit();
        if self.language == Language::Ron {
            let len = || rest.find(|c| !self.is_in_word(c)).unwrap_or(rest.len());
            let digits = rest.trim_start_matches(['+', '-', '.']);
            let is_number = rest.len() - digits.len() <= 2 && digits.starts_with(is_digit);
            let is_special =
                || rest.starts_with(['+', '-']) && matches!(&rest[1..len()], "inf" | "NaN");
            return if is_number || is_special() { len() } else { 0 };
        }
        if !rest.starts_with(is_digit) {
            return 0;
        }
        let word =
            |from: usize| rest[from..].find(|c| !is_letter(c)).map_or(rest.len(), |end| from + end);
        let mut end = word(0);
        // A dot belongs to the number only before a digit: `0..5`, `1.max(2)`.
        if rest[end..].strip_prefix('.').is_some_and(|rest| rest.starts_with(is_digit)) {
            end = word(end + 1);
        }
        let is_exponent = rest[..end].ends_with(['e', 'E']) && !rest.starts_with("0x");
        if is_exponent
            && rest[end..].strip_prefix(['+', '-']).is_some_and(|rest| rest.starts_with(is_digit))
        {
            end = word(end + 1);
        }
        end
    }

    /// Returns whether the quote at an offset is doubled, and so does not end its string.
    fn is_doubled(&self, at: usize) -> bool {
        let signs = self.text.as_bytes();
        self.language.has_doubled_quotes() && signs.get(at) == signs.get(at + 1)
    }

    /// Returns the byte offset of the end of the line of another one.
    fn line_end(&self, at: usize) -> usize {
        self.text[at..].find('\n').map_or(self.text.len(), |end| at + end)
    }

    /// Reads the raw string that begins at a byte offset, if one does.
    fn raw_string(&self, start: usize) -> Option<Token> {
        let rest = &self.text[start..];
        let (content, hashes) = self.language.raw_prefixes().iter().find_map(|prefix| {
            let after = rest.strip_prefix(prefix)?;
            let hashes = after.len() - after.trim_start_matches('#').len();
            let is_one = hashes >= self.language.raw_hashes() && after[hashes..].starts_with('"');
            is_one.then(|| (self.text.len() - after.len() + hashes + 1, hashes))
        })?;
        let end = self.text[content..].find(&format!("\"{}", "#".repeat(hashes)));
        let is_closed = end.is_some();
        let end = end.map_or_else(|| self.line_end(content), |end| content + end);
        let span = start..if is_closed { end + 1 + hashes } else { end };
        Some(Token { kind: TokenKind::Text, span, inner: content..end, is_closed })
    }

    /// Returns the byte offset of the quote that closes the one at an offset; `None` if there is none, or none on its line if the string
    /// must end there.
    fn closing_quote(&self, start: usize, quote: char, is_long: bool) -> Option<usize> {
        let mut signs = self.text[start + 1..].char_indices();
        while let Some((i, sign)) = signs.next() {
            let at = start + 1 + i;
            match sign {
                '\\' => {
                    signs.next();
                }
                '\n' if !is_long => return None,
                _ if sign != quote => {}
                _ if self.is_doubled(at) => {
                    signs.next();
                }
                _ => return Some(at),
            }
        }
        None
    }

    /// Reads a string in double quotes, which may have a prefix before its first quote.
    fn string(&self, start: usize, quote: usize) -> Token {
        let is_long = self.language.has_long_strings();
        let end = self.closing_quote(quote, '"', is_long).filter(|end| {
            // A word directly behind a long string: the quote before the word opens another string.
            !is_long || !self.text[end + 1..].starts_with(|c| is_letter(c) || c == '"')
        });
        if let Some(end) = end {
            return quoted(TokenKind::Text, start, quote, end);
        }
        // In scenarios, what comes next is probably behind a comma or a bracket.
        let line = &self.text[quote + 1..self.line_end(quote)];
        let next = line.find([',', ')', ']', '}']).filter(|_| is_long);
        let end = quote + 1 + next.unwrap_or(line.trim_end().len());
        Token { kind: TokenKind::Text, span: start..end, inner: quote + 1..end, is_closed: false }
    }

    /// Reads a character in single quotes, which may have a prefix before its first quote. If it is not closed on its line, reads only what
    /// is before the character.
    fn character(&self, start: usize, quote: usize) -> Token {
        match self.closing_quote(quote, '\'', false) {
            Some(end) => quoted(TokenKind::Character, start, quote, end),
            None => plain(TokenKind::Sign, start, quote + 1 - start),
        }
    }

    /// Reads a part of a string in backticks, from the backtick or the `}` before it.
    fn template(&mut self, start: usize) -> Token {
        let token = |behind: usize, end: usize, is_closed: bool| Token {
            kind: TokenKind::Template,
            span: start..end,
            inner: start + 1..end - behind,
            is_closed,
        };
        let mut signs = self.text[start + 1..].char_indices();
        while let Some((i, sign)) = signs.next() {
            let at = start + 1 + i;
            match sign {
                '\\' if self.text[at..].starts_with("\\${") => {
                    signs.nth(1);
                }
                '$' if self.text[at..].starts_with("${") => {
                    self.code.push(0);
                    return token(2, at + 2, true);
                }
                '`' if self.is_doubled(at) => {
                    signs.next();
                }
                '`' => return token(1, at + 1, true),
                _ => {}
            }
        }
        token(0, self.line_end(start), false)
    }
}

/// Returns a token between two quotes.
fn quoted(kind: TokenKind, start: usize, quote: usize, end: usize) -> Token {
    Token { kind, span: start..end + 1, inner: quote + 1..end, is_closed: true }
}

/// Returns a token without quotes.
fn plain(kind: TokenKind, start: usize, len: usize) -> Token {
    let span = start..start + len;
    Token { kind, inner: span.clone(), span, is_closed: true }
}

/// Reads a comment between `/*` and `*/`. One that does not end goes up to the end of the text.
fn comment(start: usize, rest: &str) -> Token {
    let (mut depth, mut at) = (0usize, 0);
    while let Some(next) = rest[at..].find(['/', '*']) {
        at += next;
        let (is_open, is_close) = (rest[at..].starts_with("/*"), rest[at..].starts_with("*/"));
        depth = if is_open { depth + 1 } else { depth - usize::from(is_close) };
        at += if is_open || is_close { 2 } else { 1 };
        if depth == 0 {
            return plain(TokenKind::BlockComment, start, at);
        }
    }
    Token { is_closed: false, ..plain(TokenKind::BlockComment, start, rest.len()) }
}

/// Returns whether a text begins with a raw name, such as `r#type`.
fn is_raw_name(rest: &str) -> bool {
    rest.strip_prefix("r#").is_some_and(|name| name.starts_with(is_letter))
}

fn is_letter(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Returns the tokens of a text that are no comments.
pub fn code(text: &str, language: Language) -> impl Iterator<Item = Token> {
    tokens(text, language).filter(|token| !token.is_comment())
}

/// Returns a text without the comments and the white space at its end.
pub fn trim_code_end(text: &str, language: Language) -> &str {
    &text[..code(text, language).last().map_or(0, |token| token.span.end)]
}

/// The tokens of a text that are no comments, by their indices.
#[derive(Clone, Debug)]
pub struct CodeTokens<'t> {
    /// The text.
    pub text: &'t str,
    /// Its tokens.
    pub all: Vec<Token>,
}

impl<'t> CodeTokens<'t> {
    /// Reads a text.
    pub fn new(text: &'t str, language: Language) -> Self {
        Self { text, all: code(text, language).collect() }
    }

    /// Returns a token as it is written; empty beyond the end.
    pub fn get(&self, index: usize) -> &'t str {
        self.all.get(index).map_or("", |token| &self.text[token.span.clone()])
    }

    /// Returns the token before another one as it is written; empty before the first one.
    pub fn before(&self, index: usize) -> &'t str {
        index.checked_sub(1).map_or("", |before| self.get(before))
    }

    /// Returns whether a token is a name or a keyword.
    pub fn is_word(&self, index: usize) -> bool {
        self.all.get(index).is_some_and(|token| token.kind == TokenKind::Word)
    }

    /// Returns whether a token ends a statement, or begins or ends a block.
    pub fn is_boundary(&self, index: usize) -> bool {
        matches!(self.get(index), ";" | "{" | "}")
    }

    /// Returns the bracket that closes the one at a token.
    pub fn closing(&self, open: usize) -> Option<usize> {
        let mut depth = 0;
        let mut indices = open..self.all.len();
        let close = indices.find(|&index| {
            depth += self.depth_change(index);
            depth <= 0
        });
        close.filter(|close| *close > open)
    }

    /// Returns the bracket that opens the one at a token.
    pub fn opening(&self, close: usize) -> Option<usize> {
        let mut depth = 0;
        let mut indices = (0..=close).rev();
        let open = indices.find(|&index| {
            depth -= self.depth_change(index);
            depth <= 0
        });
        open.filter(|open| *open < close)
    }

    /// Returns the innermost bracket that is open before a token.
    pub fn opening_around(&self, index: usize) -> Option<usize> {
        let mut depth = 0;
        (0..index).rev().find(|&before| {
            depth += self.depth_change(before);
            depth > 0
        })
    }

    /// Returns which of some tokens are in no brackets, and no brackets themselves, besides those that close what was opened before.
    pub fn outside_brackets(&self, indices: Range<usize>) -> impl Iterator<Item = usize> {
        let mut depth = 0;
        indices.filter(move |&index| {
            let change = self.depth_change(index);
            let is_outside = depth == 0 && change <= 0;
            depth = (depth + change).max(0);
            is_outside
        })
    }

    /// Returns the bytes of what is written between the commas in brackets, by the token that opens them. `None` if nothing closes them.
    pub fn arguments(&self, open: usize) -> Option<Vec<Range<usize>>> {
        let close = self.closing(open)?;
        let commas = self.outside_brackets(open + 1..close).filter(|&index| self.get(index) == ",");
        let mut first = open + 1;
        let parts = commas.chain([close]).map(|end| std::mem::replace(&mut first, end + 1)..end);
        let span =
            |part: Range<usize>| self.all[part.start].span.start..self.all[part.end - 1].span.end;
        Some(parts.filter(|part| !part.is_empty()).map(span).collect())
    }

    /// Returns 1 for a bracket that opens, -1 for one that closes, and 0 for anything else.
    fn depth_change(&self, index: usize) -> i32 {
        match self.get(index) {
            "(" | "[" | "{" => 1,
            ")" | "]" | "}" => -1,
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests;
