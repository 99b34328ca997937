//! Formats scenarios and scripts. It changes white space only, and only where that cannot change the meaning or what somebody
//! has arranged by hand.
//!
//! - A line is indented by four spaces for each bracket around it that ends a line. Lines that continue the line before, and those
//!   behind a bracket that has something behind it on its line, keep their distance to that line.
//! - A space follows each `,`, `;` and `:`. Several spaces in a row are columns: they stay, and give way to new spaces, so that
//!   what is aligned stays aligned. So do comments below a comment at the end of a line.
//! - White space at the end of lines, and all but one of several empty lines, are removed. The last line has a line break.
//!
//! Strings and block comments stay byte for byte, and line breaks stay as they are.

mod changes;
mod line;
mod verbatim;

use std::ffi::OsStr;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use crate::diag::{Code, Diagnostic, Source};
use crate::load::SCENARIO_EXTENSION;
use crate::scenario;
use crate::script::{self, SCRIPT_EXTENSION};
use crate::tokens::Language;

pub use changes::{Change, changes};
use line::{Spacing, width};
use verbatim::{Verbatim, VerbatimKind, verbatim};

/// Returns the language of a file by its extension.
pub fn language(path: &Path) -> Option<Language> {
    match path.extension().and_then(OsStr::to_str) {
        Some(SCENARIO_EXTENSION) => Some(Language::Ron),
        Some(SCRIPT_EXTENSION) => Some(Language::Rhai),
        _ => None,
    }
}

/// Returns the text of a file with better white space. A formatted text stays as it is.
///
/// # Errors
///
/// If the text does not follow the grammar of its language.
pub fn format(source: &Arc<Source>, language: Language) -> Result<String, Diagnostic> {
    match language {
        Language::Ron => scenario::check_syntax(source)?,
        Language::Rhai => script::check_syntax(source)?,
    }
    let Some(verbatim) = verbatim(&source.text, language) else {
        return Err(Diagnostic::error("a string or a comment does not end")
            .code(Code::Syntax)
            .at(source, 0..0));
    };
    Ok(Formatter::new(&source.text, language, &verbatim).format())
}

/// Columns of one level of indentation.
const LEVEL: usize = 4;

/// A bracket that is open, or the file around all brackets.
struct Frame {
    /// The bracket; that of a block for the file.
    sign: u8,
    /// Columns of the line on which it was opened, which its closing bracket gets too.
    base: usize,
    /// Columns of a statement or an element in it.
    inner: usize,
    /// How lines in it are indented.
    rule: FrameRule,
    /// Columns by which the last line was moved that began a statement or an element in it.
    shift: isize,
    /// The column that the bracket had.
    column: usize,
    /// Columns by which its line was moved.
    line_shift: isize,
    /// Whether the last line that began in it continued a statement or an element.
    is_continued: bool,
}

impl Frame {
    const FILE: Self = Self {
        sign: b'{',
        base: 0,
        inner: 0,
        rule: FrameRule::Level,
        shift: 0,
        column: 0,
        line_shift: 0,
        is_continued: false,
    };
}

/// How lines in a bracket are indented.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FrameRule {
    /// By one level more than the bracket.
    Level,
    /// At the distance from the bracket that they have.
    Distance,
    /// The same; its closing bracket, too.
    AllDistance,
}

/// Where a comment is that later comments may be aligned with: its columns before and after.
type CommentColumn = (usize, usize);

struct Formatter<'t> {
    text: &'t str,
    language: Language,
    verbatim: &'t [Verbatim],
    out: String,
    /// The brackets around `frame`, the outermost first.
    outer: Vec<Frame>,
    frame: Frame,
    /// The last sign of the code so far.
    last: Option<u8>,
    /// Columns of the line on which the current statement or element began.
    indent: usize,
    /// Columns by which the current line was moved.
    line_shift: isize,
    /// The comments at the end of the line before, also those in code that is commented out.
    comments: Vec<CommentColumn>,
}

impl<'t> Formatter<'t> {
    fn new(text: &'t str, language: Language, verbatim: &'t [Verbatim]) -> Self {
        Self {
            text,
            language,
            verbatim,
            out: String::with_capacity(text.len()),
            outer: Vec::new(),
            frame: Frame::FILE,
            last: None,
            indent: 0,
            line_shift: 0,
            comments: Vec::new(),
        }
    }

    fn format(mut self) -> String {
        let (mut start, mut blank, mut ending) = (0, None, "\n");
        for line in self.text.split_inclusive('\n') {
            let content = line.trim_end_matches('\n');
            let content = content.strip_suffix('\r').unwrap_or(content);
            let span = start..start + content.len();
            start += line.len();
            let own_ending = &line[content.len()..];
            ending = if own_ending.is_empty() { ending } else { own_ending };
            if content.trim_matches(LINE_SPACES).is_empty() && self.inside(span.start).is_none() {
                blank = Some(ending);
                self.comments.clear();
                continue;
            }
            if let Some(blank) = blank.take().filter(|_| !self.out.is_empty()) {
                self.out += blank;
            }
            self.line(span);
            self.out += ending;
        }
        self.out
    }

    /// Returns the string or block comment that begins before an offset and goes on there.
    fn inside(&self, at: usize) -> Option<&'t Verbatim> {
        let next = self.verbatim.partition_point(|one| one.span.end <= at);
        let next = self.verbatim.get(next).filter(|one| one.kind != VerbatimKind::LineComment);
        next.filter(|one| one.span.start < at)
    }

    /// Writes a line without its line break.
    fn line(&mut self, line: Range<usize>) {
        let text = &self.text[line.clone()];
        // A line that ends in a string or a block comment has no white space to remove.
        let trimmed = match self.inside(line.end) {
            Some(_) => text,
            None => text.trim_end_matches(LINE_SPACES),
        };
        let end = line.start + trimmed.len();
        if let Some(before) = self.inside(line.start) {
            let from = before.span.end.min(end);
            self.out += &self.text[line.start..from];
            self.comments.clear();
            self.line_shift = 0;
            self.body(from..end, Spacing::new(self.text, line.start, from));
            return;
        }
        let body = trimmed.trim_start_matches(SPACES);
        let start = end - body.len();
        let old = width(&self.text[line.start..start], 0);
        if self.keeps_columns(start, end) {
            self.out += &self.text[line.start..start];
            (self.indent, self.line_shift) = (old, 0);
            self.frame.shift = 0;
            let spacing = Spacing::kept(self.text, line.start, start);
            return self.body(start..end, spacing);
        }
        let new = self.indentation(start, old);
        self.out.extend(std::iter::repeat_n(' ', new));
        (self.indent, self.line_shift) = (new, new as isize - old as isize);
        self.body(start..end, Spacing::moved(old, new));
    }

    /// Returns whether the columns of a line have a meaning: those of a script's string that is continued on the next line, which
    /// begins there below the quote, and those of a block comment of several lines.
    fn keeps_columns(&self, start: usize, end: usize) -> bool {
        let Some(over) = self.inside(end) else {
            return false;
        };
        match over.kind {
            VerbatimKind::Text => {
                self.language == Language::Rhai && self.text[over.span.clone()].starts_with('"')
            }
            VerbatimKind::BlockComment => over.span.start == start,
            VerbatimKind::LineComment => false,
        }
    }

    /// Returns the columns of a line whose first sign is at an offset, and which has `old` of them.
    fn indentation(&mut self, start: usize, old: usize) -> usize {
        let first = self.text.as_bytes()[start];
        let moved = |shift: isize| old.saturating_add_signed(shift);
        let is_comment = self.text[start..].starts_with("//");
        let aligned = self.comments.iter().find(|(column, _)| is_comment && *column == old);
        if let Some(&(_, new)) = aligned {
            return new;
        }
        if is_closing(first) {
            return match self.frame.rule {
                FrameRule::AllDistance => moved(self.frame.shift),
                FrameRule::Level | FrameRule::Distance => self.frame.base,
            };
        }
        let is_start = self.is_start(start);
        if !is_comment {
            self.frame.is_continued = !is_start;
        }
        if self.frame.rule == FrameRule::Distance && old < self.frame.column {
            // It is not arranged below the bracket.
            return moved(self.frame.line_shift);
        }
        if self.frame.rule == FrameRule::Level && self.is_bracket_alone(start) {
            // By whole levels, and never before what it belongs to.
            let more = moved(self.frame.shift).saturating_sub(self.frame.inner);
            return self.frame.inner + more / LEVEL * LEVEL;
        }
        if self.frame.rule != FrameRule::Level || !is_start {
            return moved(self.frame.shift);
        }
        if !is_comment {
            self.frame.shift = self.frame.inner as isize - old as isize;
        }
        self.frame.inner
    }

    /// Returns whether a bracket at an offset opens a block on a line of its own, below the name or the head that it belongs to.
    fn is_bracket_alone(&self, start: usize) -> bool {
        let line = self.text[start..].lines().next().unwrap_or_default();
        let (first, behind) = line.split_at(1);
        matches!(first, "(" | "[" | "{") && is_last(behind) && !self.is_start(start)
    }

    /// Returns whether a statement or an element begins at an offset, judged by the code before it.
    fn is_start(&self, start: usize) -> bool {
        match (self.last, self.language) {
            (None | Some(b',' | b'(' | b'[' | b'{'), _) | (Some(b';'), Language::Rhai) => true,
            (Some(b'}'), Language::Rhai) => {
                self.frame.sign == b'{' && !b".?+*/%=<>&|^".contains(&self.text.as_bytes()[start])
                    || self.text[start..].starts_with("//")
                    || self.text[start..].starts_with("/*")
            }
            _ => false,
        }
    }

    /// Writes a part of a line behind its indentation.
    fn body(&mut self, part: Range<usize>, mut spacing: Spacing) {
        let mut at = part.start;
        let before = std::mem::take(&mut self.comments);
        while at < part.end {
            let next = self.verbatim.partition_point(|one| one.span.end <= at);
            let next = self.verbatim.get(next).filter(|one| one.span.start < part.end);
            if let Some(one) = next.filter(|one| one.span.start == at) {
                let end = one.span.end.min(part.end);
                if one.kind == VerbatimKind::Text {
                    self.last = Some(b'"');
                } else if one.kind == VerbatimKind::LineComment {
                    let columns = (spacing.old, spacing.new);
                    let is_at_end = at > part.start || before.contains(&columns);
                    self.comments = inner_comments(&self.text[at..end], columns);
                    self.comments.extend(is_at_end.then_some(columns));
                }
                spacing.copy(&self.text[at..end], &mut self.out);
                at = end;
                continue;
            }
            let end = next.map_or(part.end, |one| one.span.start);
            at = self.code(at, end, part.end, &mut spacing);
        }
    }

    /// Writes the next sign of code, or the white space there, and returns where it ends. `line_end` is the end of the line.
    fn code(&mut self, at: usize, end: usize, line_end: usize, spacing: &mut Spacing) -> usize {
        let rest = &self.text[at..end];
        let spaces = rest.len() - rest.trim_start_matches(SPACES).len();
        if spaces > 0 {
            spacing.spaces(&rest[..spaces], &mut self.out);
            return at + spaces;
        }
        let Some(sign) = rest.chars().next() else {
            return end;
        };
        let after = at + sign.len_utf8();
        let first = self.text.as_bytes()[at];
        if is_closing(first)
            && let Some(outer) = self.outer.pop()
        {
            self.indent = std::mem::replace(&mut self.frame, outer).base;
        }
        if matches!(first, b'(' | b'[' | b'{') {
            let frame = self.opened(at, &self.text[after..line_end], spacing);
            self.outer.push(std::mem::replace(&mut self.frame, frame));
        }
        if !sign.is_whitespace() {
            self.last = Some(first);
        }
        spacing.copy(&self.text[at..after], &mut self.out);
        if self.needs_space(at, &self.text[after..line_end]) {
            spacing.insert(&mut self.out);
        }
        after
    }

    /// Returns the bracket that is opened at an offset, with `behind` on its line.
    fn opened(&self, at: usize, behind: &str, spacing: &Spacing) -> Frame {
        let is_last = is_last(behind);
        let sign = self.text.as_bytes()[at];
        // Below the head of a block that has several lines, where the block begins is a matter of taste.
        let is_block = self.language == Language::Rhai && sign == b'{';
        let has_long_head = self.frame.is_continued && !self.text[..at].ends_with('#');
        let line = self.text[..at].rfind('\n').map_or(0, |end| end + 1);
        let has_long_head = has_long_head && !self.text[line..at].trim().is_empty();
        let (rule, shift) = if is_last && is_block && has_long_head {
            (FrameRule::AllDistance, self.frame.shift)
        } else if is_last {
            (FrameRule::Level, 0)
        } else {
            (FrameRule::Distance, spacing.new as isize - spacing.old as isize)
        };
        let base = self.indent;
        let (column, line_shift) = (spacing.old, self.line_shift);
        Frame {
            sign,
            base,
            inner: base + LEVEL,
            rule,
            shift,
            column,
            line_shift,
            is_continued: false,
        }
    }

    /// Returns whether a space is missing between a sign at an offset and what is behind it on its line.
    fn needs_space(&self, at: usize, behind: &str) -> bool {
        let text = self.text.as_bytes();
        let Some(&next) = behind.as_bytes().first() else {
            return false;
        };
        let is_joined = next.is_ascii_whitespace() || is_closing(next);
        match text[at] {
            b',' => !is_joined && next != b',',
            b';' => !is_joined && next != b';',
            // In scripts, `::` is between names.
            b':' => !is_joined && !b":=;<>".contains(&next) && (at == 0 || text[at - 1] != b':'),
            _ => false,
        }
    }
}

/// The characters that count as white space inside lines. Other spaces are rare, and stay.
const SPACES: [char; 2] = [' ', '\t'];

/// The same at the end of lines.
const LINE_SPACES: [char; 3] = [' ', '\t', '\r'];

/// Returns the columns of the comments inside a comment that begins at a column.
fn inner_comments(comment: &str, (old, new): CommentColumn) -> Vec<CommentColumn> {
    let inside = comment.match_indices("//").filter(|(at, _)| *at > 0);
    inside.map(|(at, _)| (width(&comment[..at], old), width(&comment[..at], new))).collect()
}

/// Returns whether nothing but a comment is behind a bracket on its line.
fn is_last(behind: &str) -> bool {
    let behind = behind.trim_matches(LINE_SPACES);
    behind.is_empty() || behind.starts_with("//")
}

fn is_closing(sign: u8) -> bool {
    matches!(sign, b')' | b']' | b'}')
}

#[cfg(test)]
mod tests;
