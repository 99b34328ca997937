//! Formats scenarios and plans. It changes white space only, and only where that cannot change what somebody has arranged by hand.
//!
//! - A line is indented by four spaces for each bracket around it that ends a line. Lines that continue the line before, and those
//!   behind a bracket that has something behind it on its line, keep their distance to that line.
//! - A space follows each `,` and `:`. Several spaces in a row are columns: they stay, and give way to new spaces, so that
//!   what is aligned stays aligned. So do comments below a comment at the end of a line.
//! - White space at the end of lines, and all but one of several empty lines, are removed. The last line has a line break.
//!
//! Strings and block comments stay byte for byte, and line breaks stay as they are.

use std::ops::Range;

use super::line::{Spacing, width};
use super::verbatim::{Verbatim, VerbatimKind};
use super::{LEVEL, SPACES};

/// Returns the text of a scenario or a plan with better white space. What is wrong with its brackets does not matter.
pub(super) fn format(text: &str, verbatim: &[Verbatim]) -> String {
    Formatter::new(text, verbatim).format()
}

/// A bracket that is open, or the file around all brackets.
struct Frame {
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
}

impl Frame {
    const FILE: Self =
        Self { base: 0, inner: 0, rule: FrameRule::Level, shift: 0, column: 0, line_shift: 0 };
}

/// How lines in a bracket are indented.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FrameRule {
    /// By one level more than the bracket.
    Level,
    /// At the distance from the bracket that they have.
    Distance,
}

/// Where a comment is that later comments may be aligned with: its columns before and after.
type CommentColumn = (usize, usize);

struct Formatter<'t> {
    text: &'t str,
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
    fn new(text: &'t str, verbatim: &'t [Verbatim]) -> Self {
        Self {
            text,
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

    /// Returns whether the columns of a line have a meaning: those of a block comment of several lines.
    fn keeps_columns(&self, start: usize, end: usize) -> bool {
        let over = self.inside(end);
        over.is_some_and(|over| over.kind == VerbatimKind::BlockComment && over.span.start == start)
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
            return self.frame.base;
        }
        let is_start = self.is_start();
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
        matches!(first, "(" | "[" | "{") && is_last(behind) && !self.is_start()
    }

    /// Returns whether an element begins behind the code before.
    fn is_start(&self) -> bool {
        matches!(self.last, None | Some(b',' | b'(' | b'[' | b'{'))
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
            let frame = self.opened(&self.text[after..line_end], spacing);
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
    fn opened(&self, behind: &str, spacing: &Spacing) -> Frame {
        let (rule, shift) = if is_last(behind) {
            (FrameRule::Level, 0)
        } else {
            (FrameRule::Distance, spacing.new as isize - spacing.old as isize)
        };
        let base = self.indent;
        let (column, line_shift) = (spacing.old, self.line_shift);
        Frame { base, inner: base + LEVEL, rule, shift, column, line_shift }
    }

    /// Returns whether a space is missing between a sign at an offset and what is behind it on its line.
    fn needs_space(&self, at: usize, behind: &str) -> bool {
        let Some(&next) = behind.as_bytes().first() else {
            return false;
        };
        let is_joined = next.is_ascii_whitespace() || is_closing(next);
        match self.text.as_bytes()[at] {
            b',' => !is_joined && next != b',',
            b':' => !is_joined && next != b':',
            _ => false,
        }
    }
}

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

pub(super) fn is_closing(sign: u8) -> bool {
    matches!(sign, b')' | b']' | b'}')
}
