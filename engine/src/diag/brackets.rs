//! Finds the bracket, string or comment that is opened but not closed.
//!
//! A parser reports a missing bracket where it gives up, which may be far below, or reports a consequence of it. This
//! module looks at the text alone, only after parsing has failed. It reports only brackets, quotes and comments that do
//! not match, so it must never report anything about a valid file.

use std::ops::Range;
use std::sync::Arc;

use super::{Code, Diagnostic, Place, Source};

/// The lexical rules of a language that decide what is a bracket and what is part of a string or a comment.
/// Both languages have `"..."` with `\` for escapes, `'x'`, `// ...`, and `/* ... */` that can be nested.
#[derive(Debug)]
pub(crate) struct LexicalRules {
    /// Prefixes before the hashes of a raw string.
    raw: &'static [&'static str],
    /// Minimum number of hashes of a raw string.
    hashes: usize,
    /// Whether a string in double quotes can have several lines.
    long_strings: bool,
    /// Whether there are strings in backticks, with code in `${...}` and without escapes.
    backticks: bool,
    /// Whether a doubled quote is part of the string.
    doubled: bool,
}

/// The rules of RON.
pub(crate) const RON: LexicalRules = LexicalRules {
    raw: &["r", "br"],
    hashes: 0,
    long_strings: true,
    backticks: false,
    doubled: false,
};

/// The rules of Rhai.
pub(crate) const RHAI: LexicalRules =
    LexicalRules { raw: &[""], hashes: 1, long_strings: false, backticks: true, doubled: true };

/// Returns the error about an unclosed bracket, string or comment instead of an error of a parser, if there is one
/// before the place where the parser stopped.
pub(crate) fn prefer_bracket_error(error: Diagnostic, rules: &LexicalRules) -> Diagnostic {
    let Some(place) = error.place.clone() else {
        return error;
    };
    let text = place.source.text.as_str();
    let Some(found) = find(text, rules) else {
        return error;
    };
    let at = |span: Range<usize>| Place { source: Arc::clone(&place.source), span };
    if place.span.start < found.span.start {
        return error.related(at(found.span), found.message);
    }
    let is_mentioned = |(span, _): &(Range<usize>, _)| span.start == place.span.start;
    let is_at_end = place.span.end >= text.trim_end().len();
    // After an unclosed quote, the message of the parser is of no help.
    let helps = found.is_bracket && !is_at_end && place.span.start > found.span.start;
    let stopped = (helps && !found.related.iter().any(is_mentioned))
        .then(|| format!("the parser stopped here: {}", error.message));
    let bracket_error = found.diagnostic(&place.source);
    match stopped {
        Some(stopped) => bracket_error.related(at(place.span), stopped),
        None => bracket_error,
    }
}

/// Returns the error about an unclosed or unmatched bracket, string or comment, if there is one.
pub(crate) fn unclosed(source: &Arc<Source>, rules: &LexicalRules) -> Option<Diagnostic> {
    find(&source.text, rules).map(|error| error.diagnostic(source))
}

/// An unclosed bracket, string or comment, or a closing bracket without an opening one.
#[derive(Debug)]
struct BracketError {
    message: String,
    span: Range<usize>,
    label: String,
    related: Vec<(Range<usize>, String)>,
    help: Option<String>,
    /// Whether it is a bracket, so that the message of the parser may also help.
    is_bracket: bool,
}

impl BracketError {
    fn diagnostic(self, source: &Arc<Source>) -> Diagnostic {
        let mut diagnostic = Diagnostic::error(self.message)
            .code(Code::Syntax)
            .at(source, self.span)
            .label(self.label);
        diagnostic.help.extend(self.help);
        self.related.into_iter().fold(diagnostic, |diagnostic, (span, label)| {
            let source = Arc::clone(source);
            diagnostic.related(Place { source, span }, label)
        })
    }

    fn unclosed(what: &str, sign: &str, span: Range<usize>) -> Self {
        Self {
            message: format!("this {what} is not closed"),
            span,
            label: "it starts here".into(),
            related: Vec::new(),
            help: Some(match sign {
                "`" => "close it with a backtick".into(),
                _ => format!("close it with `{sign}`"),
            }),
            is_bracket: false,
        }
    }
}

/// Number of opening brackets above which a text is not analyzed, because each one takes memory.
const MAX_BRACKETS: usize = 2_000_000;

/// Returns the first error about brackets, strings or comments in a text.
fn find(text: &str, rules: &LexicalRules) -> Option<BracketError> {
    let is_opening = |byte: &u8| b"([{".contains(byte);
    if text.bytes().filter(|byte| is_opening(byte)).count() > MAX_BRACKETS {
        return None;
    }
    match brackets(text, rules) {
        Ok(brackets) => unmatched(text, &brackets),
        Err(error) => Some(*error),
    }
}

/// A bracket that is not part of a string or a comment.
#[derive(Clone, Copy, Debug)]
struct Bracket {
    sign: u8,
    at: usize,
}

impl Bracket {
    fn is_open(self) -> bool {
        matches!(self.sign, b'(' | b'[' | b'{')
    }

    /// Returns the sign that closes it.
    fn closing(self) -> u8 {
        match self.sign {
            b'(' => b')',
            b'[' => b']',
            _ => b'}',
        }
    }

    fn span(self) -> Range<usize> {
        self.at..self.at + 1
    }
}

/// Returns the words and brackets of a text that are not part of a string or a comment; `None` if a string or a comment
/// does not end.
pub(crate) fn code(text: &str, rules: &LexicalRules) -> Option<Vec<Range<usize>>> {
    let scan = scan(text, rules).ok()?;
    let mut code = scan.words;
    code.extend(scan.brackets.iter().map(|bracket| bracket.span()));
    code.sort_unstable_by_key(|part| part.start);
    Some(code)
}

/// A part of a text that means what it means byte for byte, white space included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Verbatim {
    pub(crate) span: Range<usize>,
    pub(crate) kind: VerbatimKind,
}

/// What a part is that is kept byte for byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VerbatimKind {
    /// A string or a character, with its quotes and all code in it.
    Text,
    /// A comment up to the end of its line, without the line break.
    LineComment,
    BlockComment,
}

/// Returns the strings, characters and comments of a text, in their order; `None` if a string or a comment does not end.
pub(crate) fn verbatim(text: &str, rules: &LexicalRules) -> Option<Vec<Verbatim>> {
    scan(text, rules).ok().map(|scan| scan.verbatim)
}

/// Returns the byte offsets of the brackets that are open at an offset, the outermost first.
pub(crate) fn around(text: &str, at: usize, rules: &LexicalRules) -> Vec<usize> {
    let mut open = Vec::new();
    let all = brackets(text, rules).unwrap_or_default();
    for bracket in all.iter().take_while(|bracket| bracket.at < at) {
        if bracket.is_open() {
            open.push(bracket.at);
        } else {
            open.pop();
        }
    }
    open
}

/// Returns the pairs of brackets of a text, each from the opening one to the end of the closing one; `None` if a string, a comment
/// or a bracket is not closed.
pub(crate) fn pairs(text: &str, rules: &LexicalRules) -> Option<Vec<Range<usize>>> {
    let (mut open, mut pairs) = (Vec::new(), Vec::new());
    for bracket in brackets(text, rules).ok()? {
        if bracket.is_open() {
            open.push(bracket);
        } else {
            let start = open.pop().filter(|start| start.closing() == bracket.sign)?;
            pairs.push(start.at..bracket.at + 1);
        }
    }
    open.is_empty().then_some(pairs)
}

/// Returns all brackets of a text.
///
/// # Errors
///
/// If a string or a comment is not closed.
fn brackets(text: &str, rules: &LexicalRules) -> Result<Vec<Bracket>, Box<BracketError>> {
    scan(text, rules).map(|scan| scan.brackets)
}

fn scan<'t>(text: &'t str, rules: &'t LexicalRules) -> Result<TokenScan<'t>, Box<BracketError>> {
    let mut scan = TokenScan {
        text,
        rules,
        at: 0,
        brackets: Vec::new(),
        words: Vec::new(),
        verbatim: Vec::new(),
        interpolations: Vec::new(),
        first_multiline: None,
        last_glued: None,
    };
    while scan.at < text.len() {
        scan.step()?;
    }
    match scan.interpolations.first() {
        Some(code) => Err(Box::new(BracketError::unclosed("`${`", "}", code.at..code.at + 2))),
        None => Ok(scan),
    }
}

/// Code inside a string, after `${`.
struct Interpolation {
    /// Byte offset of its `${`.
    at: usize,
    /// Byte offset of the start of the string.
    string: usize,
    /// Number of braces that are open in it.
    depth: usize,
}

struct TokenScan<'t> {
    text: &'t str,
    rules: &'t LexicalRules,
    at: usize,
    brackets: Vec<Bracket>,
    words: Vec<Range<usize>>,
    /// Strings and comments that are not inside a string themselves.
    verbatim: Vec<Verbatim>,
    interpolations: Vec<Interpolation>,
    /// Byte offset of the first string in backticks with several lines.
    first_multiline: Option<usize>,
    /// Byte offset of the last string that is directly followed by a word.
    last_glued: Option<usize>,
}

impl TokenScan<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    /// Notes a string or a comment that begins at an offset and has just been skipped.
    fn note(&mut self, start: usize, kind: VerbatimKind) {
        if self.interpolations.is_empty() {
            self.verbatim.push(Verbatim { span: start..self.at, kind });
        }
    }

    /// Skips the next sign, word, string or comment.
    fn step(&mut self) -> Result<(), Box<BracketError>> {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else {
            return Ok(());
        };
        if let Some(end) = self.raw_string() {
            let start = self.at;
            let hashes = rest.bytes().take_while(|byte| *byte != b'"');
            let hashes = hashes.filter(|byte| *byte == b'#').count();
            self.at = end.ok_or_else(|| {
                let sign = format!("\"{}", "#".repeat(hashes));
                let head = rest.find('"').map_or(1, |quote| quote + 1);
                BracketError::unclosed("raw string", &sign, start..start + head)
            })?;
            self.note(start, VerbatimKind::Text);
            return Ok(());
        }
        let start = self.at;
        match first {
            _ if is_word(first) => {
                // The `r` of a raw string is never part of a longer word.
                let len = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
                self.words.push(self.at..self.at + len);
                self.at += len;
            }
            '"' => {
                self.string()?;
                self.note(start, VerbatimKind::Text);
            }
            '\'' => {
                self.character();
                self.note(start, VerbatimKind::Text);
            }
            '`' if self.rules.backticks => {
                self.at += 1;
                self.backticks(self.at - 1)?;
            }
            '/' if rest.starts_with("//") => {
                self.at += rest.find('\n').unwrap_or(rest.len());
                self.note(start, VerbatimKind::LineComment);
            }
            '/' if rest.starts_with("/*") => {
                self.comment()?;
                self.note(start, VerbatimKind::BlockComment);
            }
            '(' | '[' | '{' | ')' | ']' | '}' => self.bracket(first as u8)?,
            other => self.at += other.len_utf8(),
        }
        Ok(())
    }

    /// Returns whether the quote at an offset is doubled, and so does not end its string.
    fn is_doubled(&self, at: usize) -> bool {
        let signs = self.text.as_bytes();
        self.rules.doubled && signs.get(at) == signs.get(at + 1)
    }

    fn bracket(&mut self, sign: u8) -> Result<(), Box<BracketError>> {
        self.brackets.push(Bracket { sign, at: self.at });
        self.at += 1;
        let Some(code) = self.interpolations.last_mut() else {
            return Ok(());
        };
        match sign {
            b'{' => code.depth += 1,
            b'}' if code.depth > 0 => code.depth -= 1,
            b'}' => {
                let string = code.string;
                self.interpolations.pop();
                self.backticks(string)?;
            }
            _ => {}
        }
        Ok(())
    }

    /// Returns the end of the raw string that starts here, if one does; `Some(None)` if it does not end.
    fn raw_string(&self) -> Option<Option<usize>> {
        let rest = self.rest();
        let after = self.rules.raw.iter().find_map(|prefix| {
            let after = rest.strip_prefix(prefix)?;
            let hashes = after.len() - after.trim_start_matches('#').len();
            let is_one = hashes >= self.rules.hashes && after[hashes..].starts_with('"');
            is_one.then(|| (&after[hashes + 1..], hashes))
        });
        let (content, hashes) = after?;
        let end = content.find(&format!("\"{}", "#".repeat(hashes)));
        Some(end.map(|end| self.text.len() - content.len() + end + 1 + hashes))
    }

    /// Skips a string in double quotes.
    fn string(&mut self) -> Result<(), Box<BracketError>> {
        let start = self.at;
        let error = |at: usize| Box::new(BracketError::unclosed("string", "\"", at..at + 1));
        let mut signs = self.text[start + 1..].char_indices();
        while let Some((i, sign)) = signs.next() {
            match sign {
                '\\' => {
                    signs.next();
                }
                '\n' if !self.rules.long_strings => {
                    // A word directly after a string: the quote before the word probably opens another string.
                    let line = self.text[..start].rfind('\n').unwrap_or(0);
                    let glued = self.last_glued.filter(|glued| *glued > line);
                    return Err(error(glued.unwrap_or(start)));
                }
                '"' if self.is_doubled(start + 1 + i) => {
                    signs.next();
                }
                '"' => {
                    self.at = start + 1 + i + 1;
                    if self.rest().starts_with(|c| is_word(c) || c == '"') {
                        if self.rules.long_strings {
                            return Err(error(start));
                        }
                        self.last_glued.get_or_insert(start);
                    }
                    return Ok(());
                }
                _ => {}
            }
        }
        let line = self.text[..start].rfind('\n').unwrap_or(0);
        Err(error(self.last_glued.filter(|glued| *glued > line).unwrap_or(start)))
    }

    /// Skips a character in single quotes, or only the quote if it is not closed on its line.
    fn character(&mut self) {
        let start = self.at + 1;
        let mut signs = self.text[start..].char_indices();
        self.at = start;
        while let Some((i, sign)) = signs.next() {
            match sign {
                '\\' => {
                    signs.next();
                }
                '\n' => return,
                '\'' if self.is_doubled(start + i) => {
                    signs.next();
                }
                '\'' => {
                    self.at = start + i + 1;
                    return;
                }
                _ => {}
            }
        }
    }

    /// Skips a string in backticks, from inside it to its end or to the next `${`.
    fn backticks(&mut self, start: usize) -> Result<(), Box<BracketError>> {
        let from = self.at;
        let mut signs = self.text[from..].char_indices();
        while let Some((i, sign)) = signs.next() {
            let at = from + i;
            match sign {
                '\\' if self.text[at..].starts_with("\\${") => {
                    signs.nth(1);
                }
                '\n' => {
                    self.first_multiline.get_or_insert(start);
                }
                '$' if self.text[at..].starts_with("${") => {
                    self.interpolations.push(Interpolation { at, string: start, depth: 0 });
                    self.brackets.push(Bracket { sign: b'{', at: at + 1 });
                    self.at = at + 2;
                    return Ok(());
                }
                '`' if self.is_doubled(at) => {
                    signs.next();
                }
                '`' => {
                    self.at = at + 1;
                    self.note(start, VerbatimKind::Text);
                    return Ok(());
                }
                _ => {}
            }
        }
        if let Some(code) = self.interpolations.first() {
            return Err(Box::new(BracketError::unclosed("`${`", "}", code.at..code.at + 2)));
        }
        let start = self.first_multiline.unwrap_or(start);
        Err(Box::new(BracketError::unclosed("string", "`", start..start + 1)))
    }

    /// Skips a comment between `/*` and `*/`.
    fn comment(&mut self) -> Result<(), Box<BracketError>> {
        let start = self.at;
        let mut open = vec![];
        let mut nested = None;
        while self.at < self.text.len() {
            let rest = self.rest();
            if rest.starts_with("/*") {
                if !open.is_empty() {
                    nested = Some(self.at);
                }
                open.push(self.at);
                self.at += 2;
            } else if rest.starts_with("*/") {
                open.pop();
                self.at += 2;
            } else {
                self.at += rest.chars().next().map_or(0, char::len_utf8);
            }
            if open.is_empty() {
                return Ok(());
            }
        }
        let mut error = BracketError::unclosed("comment", "*/", start..start + 2);
        if let Some(at) = nested {
            let label = "comments nest: this one needs its own `*/`".to_owned();
            error.related.push((at..at + 2, label));
        }
        Err(Box::new(error))
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Returns the error of brackets that do not match, if there is one.
fn unmatched(text: &str, brackets: &[Bracket]) -> Option<BracketError> {
    let mut open: Vec<Bracket> = Vec::new();
    let mut pairs: Vec<[Bracket; 2]> = Vec::new();
    for (i, &bracket) in brackets.iter().enumerate() {
        if bracket.is_open() {
            open.push(bracket);
            continue;
        }
        match open.last() {
            Some(last) if last.closing() == bracket.sign => {
                pairs.extend(open.pop().map(|opening| [opening, bracket]));
            }
            _ => return Some(mismatch(text, &pairs, &open, &brackets[i..])),
        }
    }
    // If several are open at the end, the last one is nearest to the missing bracket.
    let last = *open.last()?;
    Some(not_closed(text, &pairs, last, None))
}

/// Returns the error of a closing bracket that does not match the last open one: one of the two is extra, or its
/// counterpart is missing. `rest` starts with the closing bracket.
fn mismatch(
    text: &str,
    pairs: &[[Bracket; 2]],
    open: &[Bracket],
    rest: &[Bracket],
) -> BracketError {
    let (closing, rest) = (rest[0], &rest[1..]);
    let Some((&last, outer)) = open.split_last() else {
        return unopened(text, pairs, closing, None);
    };
    let fitting = outer.iter().rposition(|one| one.closing() == closing.sign);
    // The explanation with which the rest of the text matches is the most likely one.
    if fitting.is_some_and(|fitting| fits(&open[..fitting], rest)) {
        return not_closed(text, pairs, last, Some(closing));
    }
    if fits(outer, rest) {
        return BracketError {
            message: format!(
                "`{}` cannot close `{}`",
                char::from(closing.sign),
                char::from(last.sign)
            ),
            span: closing.span(),
            label: format!("expected `{}`", char::from(last.closing())),
            related: vec![(last.span(), "opened here".into())],
            help: None,
            is_bracket: true,
        };
    }
    if fitting.is_none() || fits(open, rest) {
        return unopened(text, pairs, closing, Some(last));
    }
    not_closed(text, pairs, last, Some(closing))
}

/// Returns whether the rest of a text closes all open brackets and all that it opens itself.
fn fits(open: &[Bracket], rest: &[Bracket]) -> bool {
    let mut open = open.to_vec();
    for bracket in rest {
        if bracket.is_open() {
            open.push(*bracket);
        } else if open.pop().map(Bracket::closing) != Some(bracket.sign) {
            return false;
        }
    }
    open.is_empty()
}

/// Returns the error of a bracket that is not closed. If a bracket inside it is closed at a smaller indentation than it
/// is opened, then that inner one is reported instead.
fn not_closed(
    text: &str,
    pairs: &[[Bracket; 2]],
    open: Bracket,
    before: Option<Bracket>,
) -> BracketError {
    let closed_late = pairs.iter().find(|[opening, closing]| {
        opening.at > open.at
            && opening.sign == open.sign
            && is_first_in_line(text, closing.at)
            && indentation(text, closing.at) < indentation(text, opening.at)
    });
    let (open, before) = match closed_late {
        Some([opening, closing]) => (*opening, Some(*closing)),
        None => (open, before),
    };
    let closing = char::from(open.closing());
    let related = before.map(|before| {
        let sign = char::from(before.sign);
        let label = if sign == closing {
            format!("another `{closing}` is missing before this one")
        } else {
            format!("`{closing}` is missing before this `{sign}`")
        };
        (before.span(), label)
    });
    BracketError {
        message: format!("this `{}` is not closed", char::from(open.sign)),
        span: open.span(),
        label: "opened here".into(),
        help: related.is_none().then(|| format!("close it with `{closing}`")),
        related: related.into_iter().collect(),
        is_bracket: true,
    }
}

/// Returns the error of a closing bracket without an opening one. If the indentation of an earlier closing bracket shows
/// that it closes the wrong one, then that earlier one is reported instead.
fn unopened(
    text: &str,
    pairs: &[[Bracket; 2]],
    closing: Bracket,
    inside: Option<Bracket>,
) -> BracketError {
    let sign = char::from(closing.sign);
    let is_own_line = is_first_in_line(text, closing.at);
    let closes_early = pairs.iter().find(|[opening, early]| {
        let (from, to) = (indentation(text, opening.at), indentation(text, early.at));
        let is_first = is_first_in_line(text, early.at);
        // It is indented more than the bracket it closes, or it is at the end of a line although the bracket that it
        // closes has a closing one on its own line.
        early.sign == closing.sign
            && ((is_first && to > from)
                || (!is_first
                    && is_own_line
                    && from == indentation(text, closing.at)
                    && !on_one_line(text, opening.at..early.at)))
    });
    let mut error = BracketError {
        message: format!("this `{sign}` closes nothing"),
        span: closing.span(),
        label: format!("no `{}` is open here", char::from(opening_of(closing.sign))),
        related: Vec::new(),
        help: None,
        is_bracket: true,
    };
    if let Some([opening, early]) = closes_early {
        error.message = format!("there is one `{sign}` too many");
        error.span = early.span();
        error.label = "probably this one".into();
        error.related.push((opening.span(), "it closes this one".into()));
        error.related.push((closing.span(), "so this one closes nothing".into()));
    } else if let Some(inside) = inside {
        error.related.push((inside.span(), "the last open bracket is this one".into()));
    }
    error
}

fn on_one_line(text: &str, range: Range<usize>) -> bool {
    !text[range].contains('\n')
}

fn opening_of(closing: u8) -> u8 {
    match closing {
        b')' => b'(',
        b']' => b'[',
        _ => b'{',
    }
}

/// Returns the part of a line before an offset.
fn before(text: &str, at: usize) -> &str {
    &text[text[..at].rfind('\n').map_or(0, |end| end + 1)..at]
}

/// Returns whether only white space is before an offset in its line.
fn is_first_in_line(text: &str, at: usize) -> bool {
    before(text, at).trim().is_empty()
}

/// Returns the number of bytes of white space before an offset in its line.
fn indentation(text: &str, at: usize) -> usize {
    let line = before(text, at);
    line.len() - line.trim_start().len()
}

#[cfg(test)]
mod tests;
