//! Writes the tokens of a file as lines: their indentation, the spaces in them, and the columns of comments.

use super::items::{Break, Items, Pair, Role};
use super::{LEVEL, WIDTH, wrap};
use crate::tokens::Language;

/// Brackets that are open.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    /// The closing bracket; `None` for the file, and if there is none.
    close: Option<usize>,
    /// Columns of the line with its closing bracket.
    base: usize,
    /// Columns of a statement or an element in it.
    inner: usize,
    /// Columns of the line with the word that a block belongs to, such as `if`.
    head: Option<usize>,
}

/// A line that is written.
struct Line {
    /// Whether an empty line is before it.
    has_blank: bool,
    /// Its text with its indentation, without a comment at its end.
    code: String,
    /// The comment that ends it, or that it consists of.
    comment: Option<Comment>,
}

struct Comment {
    text: String,
    /// The column that it had.
    column: usize,
    /// Spaces before it.
    gap: usize,
    /// Whether it is alone on its line.
    is_alone: bool,
}

pub(super) struct Emitter<'i, 't> {
    items: &'i mut Items<'t>,
    frames: Vec<Frame>,
    lines: Vec<Line>,
}

impl<'i, 't> Emitter<'i, 't> {
    pub(super) fn new(items: &'i mut Items<'t>) -> Self {
        let file = Frame { close: None, base: 0, inner: 0, head: None };
        Self { items, frames: vec![file], lines: Vec::new() }
    }

    /// Returns the whole text.
    pub(super) fn emit(mut self) -> String {
        let mut start = 0;
        while start < self.items.all.len() {
            let end = self.line_end(start);
            let frames = self.frames.clone();
            let indent = self.indentation(start);
            let line = self.line(start..end, indent);
            let width = match &line.comment {
                Some(comment) if comment.is_alone => 0,
                _ => line.code.lines().next().unwrap_or_default().chars().count(),
            };
            if width > WIDTH && wrap::wrap(self.items, start..end, indent) {
                self.frames = frames;
                continue;
            }
            self.lines.push(line);
            start = end;
        }
        let ending = self.items.line_ending();
        self.align_comments();
        let mut text = String::with_capacity(self.items.text.len());
        for line in &self.lines {
            if line.has_blank {
                text.push_str(ending);
            }
            text.push_str(&line.code);
            if let Some(comment) = &line.comment {
                text.extend(std::iter::repeat_n(' ', comment.gap));
                text.push_str(&comment.text);
            }
            text.push_str(ending);
        }
        text
    }

    /// Returns the token that begins the next line.
    fn line_end(&self, start: usize) -> usize {
        let all = start + 1..self.items.all.len();
        all.into_iter()
            .find(|&index| self.items.all[index].line_break != Break::None)
            .unwrap_or(self.items.all.len())
    }

    /// Returns the columns of a line, by its first token.
    fn indentation(&self, start: usize) -> usize {
        let Some(frame) = self.frames.last() else { return 0 };
        let item = &self.items.all[start];
        match item.role {
            Role::Close(_) => return frame.base,
            // A comment is between the head of a block and the brace.
            Role::Open(pair) if pair.has_statements() => return frame.head.unwrap_or(frame.inner),
            _ => {}
        }
        let next = item.after.map(|next| self.items.all[next].role);
        let is_last = next.is_none_or(|next| matches!(next, Role::Close(_)));
        let is_start = item.role.is_comment() && is_last || self.is_start(start);
        if is_start { frame.inner } else { frame.inner + LEVEL }
    }

    /// Returns whether a statement or an element begins at a token.
    fn is_start(&self, start: usize) -> bool {
        let items = &*self.items;
        let Some(before) = items.before(start) else { return true };
        match items.all[before].role {
            Role::Comma | Role::Semicolon | Role::Open(_) => true,
            Role::Close(Pair::Block | Pair::Cases) => {
                let is_among_statements = items.pair_around(start).is_none_or(Pair::has_statements);
                let is_continued = matches!(
                    items.all[start].role,
                    Role::Dot | Role::Binary(_) | Role::Assignment | Role::Arrow | Role::Joint
                );
                is_among_statements && !is_continued
            }
            Role::Colon => false,
            // The comma before it is missing.
            _ => items.language == Language::Ron,
        }
    }

    /// Returns a line, and opens and closes brackets.
    fn line(&mut self, part: std::ops::Range<usize>, indent: usize) -> Line {
        let first = &self.items.all[part.start];
        let has_blank = first.line_break == Break::Blank && part.start > 0;
        let mut line = Line { has_blank, code: String::new(), comment: None };
        for index in part.clone() {
            let item = &self.items.all[index];
            let is_first = index == part.start;
            if self.items.is_left_out(index) {
                continue;
            }
            let written = self.items.get(index);
            if item.role == Role::LineComment {
                let gap = match is_first {
                    true => indent,
                    false => item.space.len().max(1),
                };
                let text = written.trim_end().to_owned();
                line.comment = Some(Comment { text, column: item.column, gap, is_alone: is_first });
                continue;
            }
            if item.is_fixed {
                line.code.push_str(&self.items.text[item.space.clone()]);
            } else if is_first {
                line.code.extend(std::iter::repeat_n(' ', indent));
            } else if self.items.has_space(index) {
                line.code.push(' ');
            }
            line.code.push_str(written);
            self.enter(index, indent);
        }
        line
    }

    /// Opens or closes the bracket at a token on a line with some columns.
    fn enter(&mut self, index: usize, indent: usize) {
        let item = &self.items.all[index];
        let count = self.frames.len();
        let Some(frame) = self.frames.last_mut() else { return };
        match item.role {
            Role::Open(pair) => {
                let head = if pair.has_statements() { frame.head.take() } else { None };
                let base = head.unwrap_or(indent);
                let is_open = pair.has_statements()
                    || self.items.all.get(index + 1).is_some_and(|next| {
                        next.line_break != Break::None || next.role == Role::LineComment
                    });
                let inner = if is_open { base + LEVEL } else { base };
                self.frames.push(Frame { close: item.partner, base, inner, head: None });
            }
            Role::Close(_) if count > 1 && item.partner.is_some() => {
                // Brackets that are not closed end with the one around them.
                while self.frames.len() > 1 {
                    let closed = self.frames.pop();
                    if closed.is_some_and(|closed| closed.close == Some(index)) {
                        break;
                    }
                }
            }
            Role::Semicolon | Role::Comma => frame.head = None,
            Role::Keyword
                if matches!(self.items.get(index), "let" | "const" | "return" | "in" | "as") => {}
            Role::Keyword | Role::OpenBar | Role::CloseBar => {
                frame.head.get_or_insert(indent);
            }
            _ => {}
        }
    }

    /// Puts comments that were below each other below each other, and all others one space behind the code.
    fn align_comments(&mut self) {
        let mut start = 0;
        while start < self.lines.len() {
            let column = |line: &Line| line.comment.as_ref().map(|comment| comment.column);
            let is_alone = |line: &Line| line.comment.as_ref().is_some_and(|of| of.is_alone);
            let mut end = start + 1;
            if column(&self.lines[start]).is_some() && !is_alone(&self.lines[start]) {
                while self.lines.get(end).is_some_and(|line| {
                    !line.has_blank && column(line) == column(&self.lines[start])
                }) {
                    end += 1;
                }
                align(&mut self.lines[start..end]);
            }
            start = end;
        }
    }
}

/// Gives the comments of lines the same column: that of a single line is one space behind the code.
fn align(lines: &mut [Line]) {
    if let [Line { comment: Some(comment), .. }] = lines {
        comment.gap = 1;
        return;
    }
    let width = |line: &Line| line.code.lines().last().unwrap_or_default().chars().count();
    let ends = |lines: &[Line]| {
        let ends = lines.iter().filter(|line| !line.comment.as_ref().is_some_and(|of| of.is_alone));
        ends.map(width).max().unwrap_or(0)
    };
    let widest = ends(lines);
    let gap =
        lines.iter().filter(|line| width(line) == widest).filter_map(|line| line.comment.as_ref());
    let column = widest + gap.map(|comment| comment.gap).min().unwrap_or(1);
    for line in lines {
        let before = width(line);
        if let Some(comment) = &mut line.comment {
            comment.gap = column - before;
        }
    }
}

impl Items<'_> {
    /// Returns whether a space is between a token and the one before it on its line.
    pub(super) fn has_space(&self, index: usize) -> bool {
        let Some(before) = index.checked_sub(1) else { return false };
        let is_kept = !self.all[index].space.is_empty();
        let (left, right) = (self.all[before].role, self.all[index].role);
        match (left, right) {
            (Role::LineComment | Role::BlockComment, _)
            | (_, Role::LineComment | Role::BlockComment) => is_kept,
            (_, Role::Comma | Role::Semicolon | Role::Colon)
            | (Role::Open(Pair::List), _)
            | (_, Role::Close(Pair::List)) => false,
            (Role::Open(_), right) => !matches!(right, Role::Close(_)),
            (_, Role::Close(_)) => true,
            // `1 .abs()`, and a range whose end has a sign.
            (Role::Number, Role::Dot) | (Role::Joint, Role::Unary | Role::Other) => is_kept,
            (Role::Dot | Role::Joint | Role::Hash, _) | (_, Role::Dot | Role::Joint) => false,
            (Role::Unary, Role::Number | Role::Unary | Role::Other | Role::CloseBar) => is_kept,
            (Role::Unary, _) => false,
            (Role::OpenBar, Role::CloseBar) => is_kept,
            (Role::OpenBar, _) | (_, Role::CloseBar) if self.get(index) != "||" => false,
            (Role::Other, _) | (_, Role::Other) => is_kept,
            (Role::Close(Pair::Block | Pair::Cases), Role::Open(Pair::List)) => is_kept,
            (left, Role::Open(Pair::List)) => !left.ends_value(),
            _ => true,
        }
    }
}
