//! Finds the bracket, string or comment that is opened and not closed.
//!
//! A parser notices this where it gives up, which may be far below, or it reports something else that the
//! missing sign makes of the text. This module looks at the text alone, and only after parsing failed: it
//! speaks only where brackets, quotes or comments do not match, and such a text cannot be valid.

use std::ops::Range;
use std::sync::Arc;

use super::{Code, Diagnostic, Place, Source};

/// The signs of a language that decide what is a bracket and what is part of a string or a comment.
/// Both languages have `"..."` with `\` for escapes, `'x'`, `// ...`, and `/* ... */` that nest.
#[derive(Debug)]
pub(crate) struct LexicalRules {
    /// What stands before the hashes of a raw string.
    raw: &'static [&'static str],
    /// The least number of hashes of a raw string.
    hashes: usize,
    /// Whether a string in double quotes may go over several lines.
    long_strings: bool,
    /// Whether there are strings in back-ticks, with code in `${...}` and without escapes.
    back_ticks: bool,
    /// Whether a quote that is written twice is part of the string.
    doubled: bool,
}

/// The signs of RON.
pub(crate) const RON: LexicalRules = LexicalRules {
    raw: &["r", "br"],
    hashes: 0,
    long_strings: true,
    back_ticks: false,
    doubled: false,
};

/// The signs of Rhai.
pub(crate) const RHAI: LexicalRules =
    LexicalRules { raw: &[""], hashes: 1, long_strings: false, back_ticks: true, doubled: true };

/// Returns an error of a parser, or in its place one about the bracket, string or comment that is not
/// closed, if there is one before the place where the parser gave up.
pub(crate) fn prefer_bracket_error(error: Diagnostic, rules: &LexicalRules) -> Diagnostic {
    let Some(place) = error.place.clone() else {
        return error;
    };
    let text = place.source.text.as_str();
    let Some(fault) = find(text, rules) else {
        return error;
    };
    let at = |span: Range<usize>| Place { source: Arc::clone(&place.source), span };
    if place.span.start < fault.span.start {
        return error.related(at(fault.span), fault.message);
    }
    let is_told = |(span, _): &(Range<usize>, _)| span.start == place.span.start;
    let is_at_end = place.span.end >= text.trim_end().len();
    // Of what is behind a quote, the parser can say nothing that helps.
    let helps = fault.is_bracket && !is_at_end && place.span.start > fault.span.start;
    let stopped = (helps && !fault.related.iter().any(is_told))
        .then(|| format!("the parser stopped here: {}", error.message));
    let blamed = fault.diagnostic(&place.source);
    match stopped {
        Some(stopped) => blamed.related(at(place.span), stopped),
        None => blamed,
    }
}

/// Returns what is not closed in a text, or closes nothing, if there is something.
pub(crate) fn unclosed(source: &Arc<Source>, rules: &LexicalRules) -> Option<Diagnostic> {
    find(&source.text, rules).map(|fault| fault.diagnostic(source))
}

/// Something that is not closed, or closes nothing.
#[derive(Debug)]
struct BracketFault {
    message: String,
    span: Range<usize>,
    label: String,
    related: Vec<(Range<usize>, String)>,
    help: Option<String>,
    /// Whether it is a bracket, so that what the parser says may help, too.
    is_bracket: bool,
}

impl BracketFault {
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
            label: "it begins here".into(),
            related: Vec::new(),
            help: Some(match sign {
                "`" => "close it with a back-tick".into(),
                _ => format!("close it with `{sign}`"),
            }),
            is_bracket: false,
        }
    }
}

/// Number of opening brackets up to which a text is looked at: each takes memory.
const MAX_BRACKETS: usize = 2_000_000;

/// The first thing in a text that is not closed or closes nothing.
fn find(text: &str, rules: &LexicalRules) -> Option<BracketFault> {
    let is_opening = |byte: &u8| b"([{".contains(byte);
    if text.bytes().filter(|byte| is_opening(byte)).count() > MAX_BRACKETS {
        return None;
    }
    match brackets(text, rules) {
        Ok(brackets) => unmatched(text, &brackets),
        Err(fault) => Some(*fault),
    }
}

/// A bracket that is no part of a string or a comment.
#[derive(Clone, Copy, Debug)]
struct Bracket {
    sign: u8,
    at: usize,
}

impl Bracket {
    fn is_open(self) -> bool {
        matches!(self.sign, b'(' | b'[' | b'{')
    }

    /// The sign that closes it.
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

/// The words and brackets of a text that are no part of a string or a comment; `None` if one of those
/// does not end.
pub(crate) fn code(text: &str, rules: &LexicalRules) -> Option<Vec<Range<usize>>> {
    let scan = scan(text, rules).ok()?;
    let mut code = scan.words;
    code.extend(scan.brackets.iter().map(|bracket| bracket.span()));
    code.sort_unstable_by_key(|part| part.start);
    Some(code)
}

/// The places of the brackets that are open at an offset, the outermost first.
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

/// All brackets of a text, unless a string or a comment goes on to its end.
fn brackets(text: &str, rules: &LexicalRules) -> Result<Vec<Bracket>, Box<BracketFault>> {
    scan(text, rules).map(|scan| scan.brackets)
}

fn scan<'t>(text: &'t str, rules: &'t LexicalRules) -> Result<TokenScan<'t>, Box<BracketFault>> {
    let mut scan = TokenScan {
        text,
        rules,
        at: 0,
        brackets: Vec::new(),
        words: Vec::new(),
        interpolations: Vec::new(),
        first_multiline: None,
        last_glued: None,
    };
    while scan.at < text.len() {
        scan.step()?;
    }
    match scan.interpolations.first() {
        Some(code) => Err(Box::new(BracketFault::unclosed("`${`", "}", code.at..code.at + 2))),
        None => Ok(scan),
    }
}

/// Code inside a string, from `${` on.
struct Interpolation {
    /// Where its `${` is.
    at: usize,
    /// Where the string begins.
    string: usize,
    /// How many braces are open in it.
    depth: usize,
}

struct TokenScan<'t> {
    text: &'t str,
    rules: &'t LexicalRules,
    at: usize,
    brackets: Vec<Bracket>,
    words: Vec<Range<usize>>,
    interpolations: Vec<Interpolation>,
    /// Where the first string in back-ticks begins that goes over several lines.
    first_multiline: Option<usize>,
    /// Where the last string begins that is directly followed by a word.
    last_glued: Option<usize>,
}

impl TokenScan<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    /// Goes over the next sign, word, string or comment.
    fn step(&mut self) -> Result<(), Box<BracketFault>> {
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
                BracketFault::unclosed("raw string", &sign, start..start + head)
            })?;
            return Ok(());
        }
        match first {
            _ if is_word(first) => {
                // The `r` of a raw string stands alone.
                let len = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
                self.words.push(self.at..self.at + len);
                self.at += len;
            }
            '"' => self.string()?,
            '\'' => self.character(),
            '`' if self.rules.back_ticks => {
                self.at += 1;
                self.back_ticks(self.at - 1)?;
            }
            '/' if rest.starts_with("//") => {
                self.at += rest.find('\n').unwrap_or(rest.len());
            }
            '/' if rest.starts_with("/*") => self.comment()?,
            '(' | '[' | '{' | ')' | ']' | '}' => self.bracket(first as u8)?,
            other => self.at += other.len_utf8(),
        }
        Ok(())
    }

    /// Whether the quote at an offset is there twice, and so does not end its string.
    fn is_doubled(&self, at: usize) -> bool {
        let signs = self.text.as_bytes();
        self.rules.doubled && signs.get(at) == signs.get(at + 1)
    }

    fn bracket(&mut self, sign: u8) -> Result<(), Box<BracketFault>> {
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
                self.back_ticks(string)?;
            }
            _ => {}
        }
        Ok(())
    }

    /// The end of the raw string that begins here, if one does; `Some(None)` if it does not end.
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

    /// Goes over a string in double quotes.
    fn string(&mut self) -> Result<(), Box<BracketFault>> {
        let start = self.at;
        let fault = |at: usize| Box::new(BracketFault::unclosed("string", "\"", at..at + 1));
        let mut signs = self.text[start + 1..].char_indices();
        while let Some((i, sign)) = signs.next() {
            match sign {
                '\\' => {
                    signs.next();
                }
                '\n' if !self.rules.long_strings => {
                    // A word behind a string: the quote before it was to open another one.
                    let line = self.text[..start].rfind('\n').unwrap_or(0);
                    let glued = self.last_glued.filter(|glued| *glued > line);
                    return Err(fault(glued.unwrap_or(start)));
                }
                '"' if self.is_doubled(start + 1 + i) => {
                    signs.next();
                }
                '"' => {
                    self.at = start + 1 + i + 1;
                    if self.rest().starts_with(|c| is_word(c) || c == '"') {
                        if self.rules.long_strings {
                            return Err(fault(start));
                        }
                        self.last_glued.get_or_insert(start);
                    }
                    return Ok(());
                }
                _ => {}
            }
        }
        let line = self.text[..start].rfind('\n').unwrap_or(0);
        Err(fault(self.last_glued.filter(|glued| *glued > line).unwrap_or(start)))
    }

    /// Goes over a character in single quotes, or over the quote alone if none closes it in its line.
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

    /// Goes over a string in back-ticks, from inside of it to its end or to the next `${`.
    fn back_ticks(&mut self, start: usize) -> Result<(), Box<BracketFault>> {
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
                    return Ok(());
                }
                _ => {}
            }
        }
        if let Some(code) = self.interpolations.first() {
            return Err(Box::new(BracketFault::unclosed("`${`", "}", code.at..code.at + 2)));
        }
        let start = self.first_multiline.unwrap_or(start);
        Err(Box::new(BracketFault::unclosed("string", "`", start..start + 1)))
    }

    /// Goes over a comment between `/*` and `*/`.
    fn comment(&mut self) -> Result<(), Box<BracketFault>> {
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
        let mut fault = BracketFault::unclosed("comment", "*/", start..start + 2);
        if let Some(at) = nested {
            let label = "comments nest: this one needs its own `*/`".to_owned();
            fault.related.push((at..at + 2, label));
        }
        Err(Box::new(fault))
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// What the brackets of a text have wrong, if they do not match.
fn unmatched(text: &str, brackets: &[Bracket]) -> Option<BracketFault> {
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
    // Where several are left open, the last one is nearest to what is missing.
    let last = *open.last()?;
    Some(left_open(text, &pairs, last, None))
}

/// A closing bracket that does not fit to the last open one: one of the two is too many, or the other one
/// is missing. `rest` begins with the closing bracket.
fn mismatch(
    text: &str,
    pairs: &[[Bracket; 2]],
    open: &[Bracket],
    rest: &[Bracket],
) -> BracketFault {
    let (closing, rest) = (rest[0], &rest[1..]);
    let Some((&last, outer)) = open.split_last() else {
        return surplus(text, pairs, closing, None);
    };
    let fitting = outer.iter().rposition(|one| one.closing() == closing.sign);
    // What makes the rest fit is what is meant.
    if fitting.is_some_and(|fitting| fits(&open[..fitting], rest)) {
        return left_open(text, pairs, last, Some(closing));
    }
    if fits(outer, rest) {
        return BracketFault {
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
        return surplus(text, pairs, closing, Some(last));
    }
    left_open(text, pairs, last, Some(closing))
}

/// Whether the rest of a text closes what is open, and all that it opens.
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

/// A bracket that is not closed. If one inside of it ends, by its indentation, where an outer one is to
/// end, then it is that one.
fn left_open(
    text: &str,
    pairs: &[[Bracket; 2]],
    open: Bracket,
    before: Option<Bracket>,
) -> BracketFault {
    let closed_late = pairs.iter().find(|[opening, closing]| {
        opening.at > open.at
            && opening.sign == open.sign
            && is_first(text, closing.at)
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
            format!("one more `{closing}` is missing before this one")
        } else {
            format!("`{closing}` is missing before this `{sign}`")
        };
        (before.span(), label)
    });
    BracketFault {
        message: format!("this `{}` is not closed", char::from(open.sign)),
        span: open.span(),
        label: "opened here".into(),
        help: related.is_none().then(|| format!("close it with `{closing}`")),
        related: related.into_iter().collect(),
        is_bracket: true,
    }
}

/// A closing bracket for which nothing is open. If one before it closes, by its indentation, not what it is
/// to close, then it is that one.
fn surplus(
    text: &str,
    pairs: &[[Bracket; 2]],
    closing: Bracket,
    inside: Option<Bracket>,
) -> BracketFault {
    let sign = char::from(closing.sign);
    let is_own_line = is_first(text, closing.at);
    let closes_early = pairs.iter().find(|[opening, early]| {
        let (from, to) = (indentation(text, opening.at), indentation(text, early.at));
        let is_first = is_first(text, early.at);
        // Deeper than what it closes; or at the end of a line, when a line of its own is to close that.
        early.sign == closing.sign
            && ((is_first && to > from)
                || (!is_first
                    && is_own_line
                    && from == indentation(text, closing.at)
                    && !on_one_line(text, opening.at..early.at)))
    });
    let mut fault = BracketFault {
        message: format!("this `{sign}` closes nothing"),
        span: closing.span(),
        label: format!("no `{}` is open here", char::from(opening_of(closing.sign))),
        related: Vec::new(),
        help: None,
        is_bracket: true,
    };
    if let Some([opening, early]) = closes_early {
        fault.message = format!("there is one `{sign}` too many");
        fault.span = early.span();
        fault.label = "probably this one".into();
        fault.related.push((opening.span(), "it closes this".into()));
        fault.related.push((closing.span(), "and this one closes nothing".into()));
    } else if let Some(inside) = inside {
        fault.related.push((inside.span(), "this is the last one open".into()));
    }
    fault
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

/// What stands before an offset in its line.
fn before(text: &str, at: usize) -> &str {
    &text[text[..at].rfind('\n').map_or(0, |end| end + 1)..at]
}

/// Whether nothing stands before an offset in its line.
fn is_first(text: &str, at: usize) -> bool {
    before(text, at).trim().is_empty()
}

/// How many spaces the line of an offset begins with.
fn indentation(text: &str, at: usize) -> usize {
    let line = before(text, at);
    line.len() - line.trim_start().len()
}

#[cfg(test)]
mod tests;
