//! Finds the bracket, string or comment that is opened but not closed.
//!
//! A parser reports a missing bracket where it gives up, which may be far below, or reports a consequence of it. This
//! module looks at the text alone, only after parsing has failed. It reports only brackets, quotes and comments that do
//! not match, so it must never report anything about a valid file.

use std::ops::Range;
use std::sync::Arc;

use self::repair::{Repair, end_of_name};
use super::{Code, Diagnostic, Fix, Place, Remedy, Source};
use crate::tokens::{Language, Token, TokenKind, line_start, tokens};

/// Returns the error about an unclosed bracket, string or comment instead of an error of a parser, if there is one
/// before the place where the parser stopped.
pub fn prefer_bracket_error(error: Diagnostic, language: Language) -> Diagnostic {
    let Some(place) = error.place.clone() else {
        return error;
    };
    let text = place.source.text.as_str();
    let Some(found) = find(text, language) else {
        return error;
    };
    let at = |span: Range<usize>| Place { source: Arc::clone(&place.source), span };
    if place.span.start < found.span.start && !found.is_behind(&place) {
        // What is wrong behind it is no cause of it.
        return error;
    }
    let is_mentioned = |(span, _): &(Range<usize>, _)| span.start == place.span.start;
    let is_at_end = place.span.end >= text.trim_end().len();
    let helps = found.parser_helps && !is_at_end && place.span.start > found.span.start;
    let stopped = (helps && !found.related.iter().any(is_mentioned))
        .then(|| format!("reading stopped here: {}", error.message));
    let bracket_error = found.diagnostic(&place.source, language);
    match stopped {
        Some(stopped) => bracket_error.related(at(place.span), stopped),
        None => bracket_error,
    }
}

/// Returns the error about an unclosed or unmatched bracket, string or comment, if there is one.
pub fn unclosed(source: &Arc<Source>, language: Language) -> Option<Diagnostic> {
    find(&source.text, language).map(|error| error.diagnostic(source, language))
}

/// An unclosed bracket, string or comment, or a closing bracket without an opening one.
#[derive(Debug)]
struct BracketError {
    message: String,
    span: Range<usize>,
    label: String,
    related: Vec<(Range<usize>, String)>,
    help: Option<String>,
    /// Whether the message of the parser may help, too: not after an unclosed quote, nor where it is known before which `;` a
    /// bracket is missing.
    parser_helps: bool,
    /// What may repair it.
    repair: Option<Repair>,
}

impl BracketError {
    /// Returns whether a quote is too much directly behind what a parser complains about, or behind the string that begins there.
    fn is_behind(&self, place: &Place) -> bool {
        let is_quote =
            matches!(self.repair, Some(Repair::Replace { wrong, .. }) if wrong.sign == b'"');
        let between = &place.source.text[place.span.start..self.span.start];
        let is_string =
            between.starts_with('"') && between.ends_with('"') && !between.contains('\n');
        is_quote && (place.span.end == self.span.start || is_string)
    }

    fn diagnostic(self, source: &Arc<Source>, language: Language) -> Diagnostic {
        let fix = self.repair.as_ref().and_then(|repair| repair.fix(source, language));
        let this = match &fix {
            Some(fix) => self.where_missing(&source.text, fix.place.span.start),
            None => self,
        };
        this.with_fix(fix, source)
    }

    fn with_fix(self, fix: Option<Fix>, source: &Arc<Source>) -> Diagnostic {
        let mut diagnostic = Diagnostic::error(self.message)
            .code(Code::Syntax)
            .at(source, self.span)
            .label(self.label);
        diagnostic.remedies.0.extend(fix.map(Remedy::Change));
        diagnostic.help.extend(self.help);
        self.related.into_iter().fold(diagnostic, |diagnostic, (span, label)| {
            let source = Arc::clone(source);
            diagnostic.related(Place { source, span }, label)
        })
    }

    /// If a parenthesis or a square bracket is not closed in its line, tells it where the fix closes it, in a later one.
    fn where_missing(mut self, text: &str, end: usize) -> Self {
        let Some(Repair::Close { opening, .. }) = self.repair else { return self };
        let last = text[..end].char_indices().next_back().map_or(0, |(last, _)| last);
        let is_later = opening.sign != b'{' && text[opening.at..end].contains('\n');
        if is_later && self.span == opening.span() {
            self.message = format!("`{}` is missing after this", char::from(opening.closing()));
            self.label = String::new();
            self.related = vec![(self.span, "it closes this one".into())];
            self.span = last..end;
            self.help = None;
        }
        self
    }

    /// If a parenthesis or a square bracket is not closed, names the first `;` in it, since it must be closed before that.
    fn before_semicolon(mut self, text: &str) -> Self {
        let closing = match &text[self.span.clone()] {
            "(" => ")",
            "[" => "]",
            _ => return self,
        };
        let mut depth = 0;
        for token in tokens(text, Language::Rhai).filter(|token| token.span.start > self.span.start)
        {
            match &text[token.span.clone()] {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" if depth == 0 => break,
                ")" | "]" | "}" => depth -= 1,
                ";" if depth == 0 => {
                    let at = token.span.start;
                    self.related =
                        vec![(token.span, format!("`{closing}` is missing before this `;`"))];
                    self.help = None;
                    self.parser_helps = false;
                    if let Some(Repair::Close { before, .. }) = &mut self.repair {
                        *before = at;
                    }
                    break;
                }
                _ => {}
            }
        }
        self
    }

    /// If brackets in the line of the one that is not closed have a name behind values without one, as in `size: (8, 6, edge: Wrap),`,
    /// means these instead: they must be closed before the name.
    fn before_name(self, text: &str) -> Self {
        let Some(Repair::Close { opening, .. }) = self.repair else { return self };
        let line = text[opening.at..].lines().next().unwrap_or_default();
        let code = tokens(&text[..opening.at + line.len()], Language::Ron);
        let code = code.filter(|token| token.span.start >= opening.at && !token.is_comment());
        let code: Vec<Token> = code.collect();
        let word = |index: usize| code.get(index).map_or("", |token| &text[token.span.clone()]);
        // The open brackets, and whether their elements have names, once there is an element.
        let mut open: Vec<(Bracket, Option<bool>)> = Vec::new();
        for (index, token) in code.iter().enumerate() {
            let is_name = word(index + 1) == ":";
            match (word(index), open.last_mut()) {
                (")" | "]" | "}", _) => _ = open.pop(),
                ("," | ":", _) => {}
                (_, Some((inner, Some(false))))
                    if is_name && inner.sign == opening.sign && word(index - 1) == "," =>
                {
                    return Self::not_closed_before(*inner, &code[index - 1], token);
                }
                (_, Some((_, has_names))) => _ = has_names.get_or_insert(is_name),
                _ => {}
            }
            if matches!(word(index), "(" | "[" | "{") {
                let at = token.span.start;
                open.push((Bracket { sign: text.as_bytes()[at], at }, None));
            }
        }
        self
    }

    /// If a bracket is too much and two are closed earlier in its line before the name of a field, as in `world: (size: (8, 6)), edge: Wrap),`,
    /// means the second of these.
    fn before_field(mut self, text: &str) -> Self {
        let Some(Repair::Replace { wrong, right: None }) = self.repair else { return self };
        let line = wrong.at - before_in_line(text, wrong.at).len();
        let code = tokens(&text[..wrong.at], Language::Ron);
        let code = code.filter(|token| token.span.start >= line && !token.is_comment());
        let code: Vec<Token> = code.collect();
        let word = |index: usize| code.get(index).map_or("", |token| &text[token.span.clone()]);
        let sign = char::from(wrong.sign).to_string();
        let is_early = |index: &usize| {
            [0, 1].iter().all(|more| word(index + more) == sign)
                && word(index + 2) == ","
                && word(index + 4) == ":"
        };
        let Some(early) = (0..code.len()).find(is_early) else { return self };
        let early = Bracket { sign: wrong.sign, at: code[early + 1].span.start };
        let nothing = match self.related.pop() {
            Some(last) if self.related.len() == 1 => last.0,
            _ => wrong.span(),
        };
        self.message = format!("there is one `{sign}` too many");
        self.span = early.span();
        self.label = "probably this one".into();
        self.related = vec![(nothing, "so this one closes nothing".into())];
        self.repair = Some(Repair::Replace { wrong: early, right: None });
        self
    }

    /// Returns the error of a bracket that has to be closed before a comma, since a name follows.
    fn not_closed_before(opening: Bracket, comma: &Token, name: &Token) -> Self {
        let closing = char::from(opening.closing());
        Self {
            message: format!("this `{}` is not closed", char::from(opening.sign)),
            span: opening.span(),
            label: "opened here".into(),
            related: vec![(name.span.clone(), format!("`{closing}` is missing before this"))],
            help: None,
            parser_helps: false,
            repair: Some(Repair::Close { opening, before: comma.span.start }),
        }
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
            parser_helps: false,
            repair: None,
        }
    }
}

/// Number of opening brackets above which a text is not analyzed, because each one takes memory.
const MAX_BRACKETS: usize = 2_000_000;

/// Returns the first error about brackets, strings or comments in a text.
fn find(text: &str, language: Language) -> Option<BracketError> {
    let is_opening = |byte: &u8| b"([{".contains(byte);
    if text.bytes().filter(|byte| is_opening(byte)).count() > MAX_BRACKETS {
        return None;
    }
    match brackets(text, language) {
        Ok(brackets) => {
            let error = unmatched(text, &brackets)?;
            Some(match language {
                Language::Rhai => error.before_semicolon(text),
                Language::Ron => error.before_name(text).before_field(text),
            })
        }
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

/// Returns the byte offsets of the brackets that are open at an offset, the outermost first.
pub fn around(text: &str, at: usize, language: Language) -> Vec<usize> {
    let mut open = Vec::new();
    let all = brackets(text, language).unwrap_or_default();
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
pub fn pairs(text: &str, language: Language) -> Option<Vec<Range<usize>>> {
    let (mut open, mut pairs) = (Vec::new(), Vec::new());
    for bracket in brackets(text, language).ok()? {
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
fn brackets(text: &str, language: Language) -> Result<Vec<Bracket>, Box<BracketError>> {
    let mut scan = BracketScan {
        text,
        language,
        brackets: Vec::new(),
        code: Vec::new(),
        first_multiline: None,
        glued: None,
    };
    for token in tokens(text, language) {
        scan.take(&token)?;
    }
    match scan.code.first() {
        Some(code) => Err(Box::new(BracketError::unclosed("`${`", "}", code.at..code.at + 2))),
        None => Ok(scan.brackets),
    }
}

/// Code inside a string, after `${`.
struct Interpolation {
    /// Byte offset of its `${`.
    at: usize,
    /// Byte offset of the start of the string.
    string: usize,
}

struct BracketScan<'t> {
    text: &'t str,
    language: Language,
    brackets: Vec<Bracket>,
    /// The code in strings around the token, the outermost first.
    code: Vec<Interpolation>,
    /// Byte offset of the first string in backticks with several lines.
    first_multiline: Option<usize>,
    /// Byte offset of the first string of a line that is directly followed by a word.
    glued: Option<usize>,
}

impl BracketScan<'_> {
    fn take(&mut self, token: &Token) -> Result<(), Box<BracketError>> {
        let Token { kind, span, .. } = token;
        let text = &self.text[span.clone()];
        match kind {
            TokenKind::Text if !token.is_closed => {
                return Err(Box::new(self.unclosed_string(span.start)));
            }
            TokenKind::Text => {
                let is_glued = self.text[span.end..]
                    .starts_with(|c: char| c.is_alphanumeric() || "_\"".contains(c));
                if is_glued && text.starts_with('"') && self.glued_in_line(span.start).is_none() {
                    self.glued = Some(span.start);
                }
            }
            TokenKind::Template => self.template(token)?,
            TokenKind::BlockComment if !token.is_closed => {
                return Err(Box::new(unclosed_comment(text, span.start)));
            }
            TokenKind::Sign => {
                let sign = text.as_bytes()[0];
                if b"()[]{}".contains(&sign) {
                    self.brackets.push(Bracket { sign, at: span.start });
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Returns the first string of the line of a byte offset that is directly followed by a word.
    fn glued_in_line(&self, at: usize) -> Option<usize> {
        let line = self.text[..at].rfind('\n').unwrap_or(0);
        self.glued.filter(|glued| *glued >= line)
    }

    /// Returns the error of a string in double quotes, or of a raw string, that does not end.
    fn unclosed_string(&self, start: usize) -> BracketError {
        let text = &self.text[start..];
        if text.starts_with('"') {
            let is_scenario = self.language == Language::Ron;
            if is_scenario && quotes::is_stray(self.text, start, self.innermost()) {
                return one_quote_too_many(start);
            }
            if let Some((word, end)) = quotes::unopened(self.text, start) {
                return BracketError {
                    message: "this string has no opening quote".into(),
                    span: word..end,
                    label: "it ends here".into(),
                    related: Vec::new(),
                    help: None,
                    parser_helps: false,
                    repair: Some(Repair::Quote(word)),
                };
            }
            if let Some(start) = quotes::surplus(self.text, start) {
                return one_quote_too_many(start);
            }
            // A word directly after a string: the quote before the word probably opens another string.
            let start = self.glued_in_line(start).unwrap_or(start);
            let repair = end_of_name(self.text, start + 1).map(Repair::Quote);
            let error = BracketError::unclosed("string", "\"", start..start + 1);
            return BracketError { repair, ..error };
        }
        let head = text.find('"').unwrap_or(0);
        let hashes = text[..head].matches('#').count();
        let sign = format!("\"{}", "#".repeat(hashes));
        BracketError::unclosed("raw string", &sign, start..start + head + 1)
    }

    /// Returns the innermost bracket that is open so far.
    fn innermost(&self) -> Option<u8> {
        let mut open = Vec::new();
        for bracket in &self.brackets {
            if bracket.is_open() {
                open.push(bracket.sign);
            } else {
                open.pop();
            }
        }
        open.pop()
    }

    /// Takes a part of a string in backticks.
    fn template(&mut self, token: &Token) -> Result<(), Box<BracketError>> {
        let Token { span, .. } = token;
        let text = &self.text[span.clone()];
        let mut string = span.start;
        if text.starts_with('}')
            && let Some(code) = self.code.pop()
        {
            self.brackets.push(Bracket { sign: b'}', at: span.start });
            string = code.string;
        }
        if text.contains('\n') {
            self.first_multiline.get_or_insert(string);
        }
        if token.opens_code() {
            let at = span.end - 2;
            self.code.push(Interpolation { at, string });
            self.brackets.push(Bracket { sign: b'{', at: at + 1 });
        }
        if token.is_closed {
            return Ok(());
        }
        Err(Box::new(match self.code.first() {
            Some(code) => BracketError::unclosed("`${`", "}", code.at..code.at + 2),
            None => {
                let start = self.first_multiline.unwrap_or(string);
                BracketError::unclosed("string", "`", start..start + 1)
            }
        }))
    }
}

/// Returns the error of a quote that belongs to no string.
fn one_quote_too_many(at: usize) -> BracketError {
    BracketError {
        message: "there is one `\"` too many".into(),
        span: at..at + 1,
        label: "this one".into(),
        related: Vec::new(),
        help: None,
        parser_helps: false,
        repair: Some(Repair::Replace { wrong: Bracket { sign: b'"', at }, right: None }),
    }
}

/// Returns the error of a comment between `/*` and `*/` that does not end.
fn unclosed_comment(text: &str, start: usize) -> BracketError {
    let mut error = BracketError::unclosed("comment", "*/", start..start + 2);
    if let Some((nested, _)) = text.rmatch_indices("/*").next().filter(|(at, _)| *at > 0) {
        let label = "comments nest: this one needs its own `*/`".to_owned();
        error.related.push((start + nested..start + nested + 2, label));
    }
    error
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
            parser_helps: true,
            repair: Some(Repair::Replace { wrong: closing, right: Some(last.closing()) }),
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
        parser_helps: true,
        repair: Some(Repair::Close {
            opening: open,
            before: before.map_or(text.len(), |before| before.at),
        }),
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
    // A block without contents before lines that are indented as if they were in it, as where an editor has closed its brace.
    let closes_nothing_in_it = pairs.iter().find(|[opening, early]| {
        let is_block = early.sign == b'}' && !text[..opening.at].ends_with('#');
        is_block
            && early.sign == closing.sign
            && text[opening.at + 1..early.at].trim().is_empty()
            && goes_on(text, early.at + 1, indentation(text, opening.at))
    });
    let closes_early = pairs.iter().find(|[opening, early]| {
        let (from, to) = (indentation(text, opening.at), indentation(text, early.at));
        let is_first = is_first_in_line(text, early.at);
        // It is indented more than the bracket it closes, or it is at the end of a line although the bracket that it
        // closes has a closing one on its own line, or what follows is indented as if it were still inside.
        early.sign == closing.sign
            && ((is_first && to > from)
                || (!is_first
                    && is_own_line
                    && from == indentation(text, closing.at)
                    && !on_one_line(text, opening.at..early.at))
                || (!on_one_line(text, opening.at..early.at) && goes_on(text, early.at + 1, from)))
    });
    let mut error = BracketError {
        message: format!("this `{sign}` closes nothing"),
        span: closing.span(),
        label: format!("no `{}` is open here", char::from(opening_of(closing.sign))),
        related: Vec::new(),
        help: None,
        parser_helps: true,
        repair: Some(Repair::Replace { wrong: closing, right: None }),
    };
    if let Some([opening, early]) = closes_nothing_in_it.or(closes_early) {
        error.repair = Some(Repair::Replace { wrong: *early, right: None });
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

/// Returns whether the first line behind an offset that begins with a word is indented more than some bytes.
fn goes_on(text: &str, from: usize, indent: usize) -> bool {
    let lines = text[from..].find('\n').map_or("", |end| &text[from + end..]).lines();
    let is_code = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with("//");
    let ends = text[from..].lines().next().is_none_or(|line| {
        let rest = line.trim_start_matches([',', ';']).trim_start();
        rest.is_empty() || rest.starts_with("//")
    });
    let next = lines.into_iter().find(is_code).unwrap_or_default();
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '"';
    let next_indent = next.len() - next.trim_start().len();
    ends && next.trim_start().starts_with(is_word) && next_indent > indent
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
fn before_in_line(text: &str, at: usize) -> &str {
    &text[line_start(text, at)..at]
}

/// Returns whether only white space is before an offset in its line.
fn is_first_in_line(text: &str, at: usize) -> bool {
    before_in_line(text, at).trim().is_empty()
}

/// Returns the number of bytes of white space before an offset in its line.
fn indentation(text: &str, at: usize) -> usize {
    let line = before_in_line(text, at);
    line.len() - line.trim_start().len()
}

mod quotes;
mod repair;
#[cfg(test)]
mod tests;
