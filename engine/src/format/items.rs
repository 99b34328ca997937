//! The tokens of a file with their meaning for the style, and the white space before each.

use std::ops::Range;

use super::verbatim::{Verbatim, VerbatimKind};
use crate::tokens::{Language, TokenKind, tokens};

/// The line break before a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Break {
    None,
    Line,
    /// With an empty line.
    Blank,
}

/// What a pair of brackets is around.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pair {
    /// Statements.
    Block,
    /// The cases of a `switch`.
    Cases,
    Map,
    /// Round or square brackets.
    List,
}

impl Pair {
    /// Returns whether each part of it has a line of its own.
    pub(super) fn has_statements(self) -> bool {
        matches!(self, Self::Block | Self::Cases)
    }
}

/// What a token means for the style.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Word,
    /// A word before a value or a block, such as `if`.
    Keyword,
    Number,
    Text,
    Open(Pair),
    Close(Pair),
    Comma,
    Semicolon,
    Colon,
    /// `=>`
    Arrow,
    /// `=`, `+=` and the like.
    Assignment,
    /// An operator between two values. Those with small numbers are evaluated last.
    Binary(u8),
    /// An operator before a value.
    Unary,
    /// The bar before the parameters of a closure.
    OpenBar,
    /// The bar behind the parameters of a closure, or both at once.
    CloseBar,
    /// `.` or `?.`
    Dot,
    /// `::`, `..` or `..=`
    Joint,
    /// The `#` of a map.
    Hash,
    /// Anything else. White space around it stays.
    Other,
    LineComment,
    BlockComment,
}

impl Role {
    pub(super) fn is_comment(self) -> bool {
        matches!(self, Self::LineComment | Self::BlockComment)
    }

    /// Returns whether it can be the last token of a value.
    pub(super) fn ends_value(self) -> bool {
        matches!(self, Self::Word | Self::Number | Self::Text | Self::Close(_))
    }
}

/// A token.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub(super) span: Range<usize>,
    pub(super) role: Role,
    pub(super) line_break: Break,
    /// The bytes of the white space before it on its line.
    pub(super) space: Range<usize>,
    /// Its column.
    pub(super) column: usize,
    /// The bracket that belongs to a bracket.
    pub(super) partner: Option<usize>,
    /// The innermost bracket around it that is open; those of a pair are not in it.
    pub(super) around: Option<usize>,
    /// The token before it that is not a comment.
    pub(super) before: Option<usize>,
    /// The token after it that is not a comment.
    pub(super) after: Option<usize>,
    /// Whether the white space before it stays as it is.
    pub(super) is_fixed: bool,
    /// Whether the elements in the brackets that it opens have names.
    pub(super) has_names: bool,
}

impl Item {
    /// Returns a token directly behind the one before.
    fn new(span: Range<usize>, role: Role) -> Self {
        Self {
            space: span.start..span.start,
            span,
            role,
            line_break: Break::None,
            column: 0,
            partner: None,
            around: None,
            before: None,
            after: None,
            is_fixed: false,
            has_names: false,
        }
    }
}

/// All tokens of a file. In scenarios and plans, a comma is behind the last element of all brackets that are not empty, also where none is
/// written.
pub(super) struct Items<'t> {
    pub(super) text: &'t str,
    pub(super) language: Language,
    pub(super) all: Vec<Item>,
}

impl<'t> Items<'t> {
    pub(super) fn new(text: &'t str, verbatim: &[Verbatim], language: Language) -> Self {
        let mut this = Self { text, language, all: Vec::new() };
        this.read(verbatim);
        this.assign_roles();
        this.fix_columns();
        this
    }

    /// Returns a token as it is written.
    pub(super) fn get(&self, index: usize) -> &'t str {
        match self.all.get(index) {
            Some(item) if item.role == Role::Comma => ",",
            Some(item) => &self.text[item.span.clone()],
            None => "",
        }
    }

    /// Returns whether a token is the comma behind the last element of brackets that end on its line, which data leaves out.
    pub(super) fn is_left_out(&self, index: usize) -> bool {
        let item = &self.all[index];
        let next = item.after.map(|next| &self.all[next]);
        let is_last = next.is_some_and(|next| {
            matches!(next.role, Role::Close(_)) && next.line_break == Break::None
        });
        self.language == Language::Ron
            && item.role == Role::Comma
            && item.line_break == Break::None
            && is_last
    }

    /// Returns how lines end: as the first one that does not end in a string or a comment.
    pub(super) fn line_ending(&self) -> &'static str {
        let starts = std::iter::once(0).chain(self.all.iter().map(|item| item.span.end));
        let ends = self.all.iter().map(|item| item.span.start).chain([self.text.len()]);
        let mut breaks = starts.zip(ends).filter_map(|(start, end)| {
            let at = self.text[start..end].find('\n')?;
            Some(self.text[..start + at].ends_with('\r'))
        });
        if breaks.next() == Some(true) { "\r\n" } else { "\n" }
    }

    /// Returns the token before another one that is not a comment.
    pub(super) fn before(&self, index: usize) -> Option<usize> {
        self.all.get(index)?.before
    }

    /// Sets the line break before a token, unless it is fixed.
    pub(super) fn set_break(&mut self, index: usize, line_break: Break) {
        let item = &mut self.all[index];
        if !item.is_fixed {
            item.line_break = line_break;
        }
    }

    /// Adds a line break before a token, behind the comments at the end of the line before it. Returns whether there was none.
    pub(super) fn break_before(&mut self, mut index: usize) -> bool {
        while self.all[index].role.is_comment()
            && self.all[index].line_break == Break::None
            && index + 1 < self.all.len()
        {
            index += 1;
        }
        let is_new = self.all[index].line_break == Break::None && !self.all[index].is_fixed;
        if is_new {
            self.set_break(index, Break::Line);
        }
        is_new
    }

    /// Returns the most brackets around a token.
    pub(super) fn depth(&self) -> usize {
        let (mut depth, mut most) = (0usize, 0);
        for item in &self.all {
            match item.role {
                Role::Open(_) => depth += 1,
                Role::Close(_) => depth = depth.saturating_sub(1),
                _ => {}
            }
            most = most.max(depth);
        }
        most
    }

    /// Returns what is around a token: `None` for the file.
    pub(super) fn pair_around(&self, index: usize) -> Option<Pair> {
        match self.all[self.all[index].around?].role {
            Role::Open(pair) => Some(pair),
            _ => None,
        }
    }

    /// Returns whether a statement may begin at a token behind the brace of a block, judged by the token alone.
    pub(super) fn begins_statement(&self, index: usize) -> bool {
        match self.all[index].role {
            Role::Word | Role::Number | Role::Text => !matches!(self.get(index), "as" | "in"),
            Role::Keyword => !matches!(self.get(index), "else" | "catch" | "in" | "as"),
            _ => false,
        }
    }

    /// Returns whether a `}` is the end of a block after `do`.
    pub(super) fn closes_do(&self, close: usize) -> bool {
        let open = self.all[close].partner;
        open.and_then(|open| self.before(open)).is_some_and(|head| self.get(head) == "do")
    }

    fn read(&mut self, verbatim: &[Verbatim]) {
        let text = self.text;
        let (mut end, mut before, mut column) = (0, None, 0);
        // Whether it is inside `#![enable(..)]`, which takes no comma.
        let mut is_attribute = false;
        for token in tokens(text, self.language) {
            if token.span.start < end {
                continue;
            }
            let next = verbatim.partition_point(|one| one.span.end <= token.span.start);
            let whole = verbatim.get(next).filter(|one| one.span.start == token.span.start);
            let span = whole.map_or(token.span.clone(), |one| one.span.clone());
            let role = match (whole.map(|one| one.kind), token.kind) {
                (Some(VerbatimKind::LineComment), _) => Role::LineComment,
                (Some(VerbatimKind::BlockComment), _) => Role::BlockComment,
                (Some(VerbatimKind::Text), _) => Role::Text,
                (None, TokenKind::Number) => Role::Number,
                (None, TokenKind::Word) if self.language == Language::Rhai => {
                    word_role(&text[span.clone()])
                }
                (None, TokenKind::Word) => Role::Word,
                _ => Role::Other,
            };
            let between = &text[end..span.start];
            let line = between.rfind('\n').map_or(end, |at| end + at + 1);
            let line_break = match between.matches('\n').count() {
                _ if end == 0 => Break::None,
                0 => Break::None,
                1 => Break::Line,
                _ => Break::Blank,
            };
            let space = line..span.start;
            let spaces = text[space.clone()].chars().count();
            let at = if between.contains('\n') { spaces } else { column + spaces };
            let written = &text[span.clone()];
            column = match written.rfind('\n') {
                Some(end) => written[end + 1..].chars().count(),
                None => at + written.chars().count(),
            };
            end = span.end;
            match written {
                "#" => is_attribute = true,
                "]" if is_attribute => is_attribute = false,
                ")" | "]" | "}" if self.language == Language::Ron && !is_attribute => {
                    before = self.comma_behind(before);
                }
                _ => {}
            }
            self.all.push(Item { line_break, space, column: at, before, ..Item::new(span, role) });
            if !role.is_comment() {
                before = Some(self.all.len() - 1);
            }
        }
        let mut after = None;
        for index in (0..self.all.len()).rev() {
            self.all[index].after = after;
            if !self.all[index].role.is_comment() {
                after = Some(index);
            }
        }
    }

    /// Adds the comma behind the last element of brackets, if it is missing. Returns the last token that is no comment.
    fn comma_behind(&mut self, last: Option<usize>) -> Option<usize> {
        let index = last?;
        if matches!(self.get(index), "," | "(" | "[" | "{") {
            return last;
        }
        let end = self.all[index].span.end;
        let comma = Item { before: last, ..Item::new(end..end, Role::Comma) };
        self.all.insert(index + 1, comma);
        for comment in &mut self.all[index + 2..] {
            comment.before = Some(index + 1);
        }
        Some(index + 1)
    }

    fn assign_roles(&mut self) {
        // The open brackets, each with whether the next block is that of a `switch`.
        let mut open: Vec<usize> = Vec::new();
        let mut switches: Vec<Option<usize>> = Vec::new();
        let mut bar = None;
        for index in 0..self.all.len() {
            self.all[index].around = open.last().copied();
            let before = self.before(index);
            let role = before.map(|before| self.all[before].role);
            let ends_value = role.is_some_and(Role::ends_value);
            if self.all[index].role == Role::Keyword && self.get(index) == "switch" {
                switches.push(open.last().copied());
            }
            if self.all[index].role != Role::Other {
                continue;
            }
            let sign = self.get(index);
            let new = match sign {
                "{" if before.is_some_and(|before| self.get(before) == "#") => {
                    Role::Open(Pair::Map)
                }
                "{" if switches.last() == Some(&open.last().copied()) => {
                    switches.pop();
                    Role::Open(Pair::Cases)
                }
                "{" if self.language == Language::Ron => Role::Open(Pair::Map),
                "{" => Role::Open(Pair::Block),
                "(" | "[" => Role::Open(Pair::List),
                ")" | "]" | "}" => {
                    let partner = open.pop().filter(|&of| closing(self.get(of)) == sign);
                    self.all[index].partner = partner;
                    self.all[index].around = open.last().copied();
                    switches.retain(|around| {
                        around.is_none() || around.is_some_and(|of| open.contains(&of))
                    });
                    match partner {
                        Some(partner) => {
                            self.all[partner].partner = Some(index);
                            let Role::Open(pair) = self.all[partner].role else { continue };
                            Role::Close(pair)
                        }
                        None if sign == "}" => Role::Close(Pair::Block),
                        None => Role::Close(Pair::List),
                    }
                }
                "," => Role::Comma,
                ";" => Role::Semicolon,
                ":" => Role::Colon,
                "=>" => Role::Arrow,
                "." | "?." => Role::Dot,
                "::" | ".." | "..=" => Role::Joint,
                "#" if self.get(index + 1) == "{" => Role::Hash,
                "|" if bar.is_some() && bar == Some(open.len()) => {
                    bar = None;
                    Role::CloseBar
                }
                "|" if !ends_value => {
                    bar = Some(open.len());
                    Role::OpenBar
                }
                "||" if !ends_value => Role::CloseBar,
                "!" if self.get(index + 1) == "in" && ends_value => Role::Other,
                // It may begin a statement.
                "-" | "+" | "!" if role == Some(Role::Close(Pair::Block)) => Role::Other,
                "-" | "+" | "!" if !ends_value => Role::Unary,
                _ => operator(sign),
            };
            match (new, open.last()) {
                (Role::Open(_), _) => open.push(index),
                (Role::Colon, Some(&around)) => self.all[around].has_names = true,
                _ => {}
            }
            self.all[index].role = new;
        }
    }

    /// Fixes what is before strings that are continued on the next line, whose text depends on their column, and before block comments of
    /// several lines.
    fn fix_columns(&mut self) {
        for index in 0..self.all.len() {
            let written = self.get(index);
            if !written.contains('\n') {
                continue;
            }
            match self.all[index].role {
                Role::BlockComment if self.all[index].line_break != Break::None || index == 0 => {
                    self.all[index].is_fixed = true;
                }
                Role::Text if self.language == Language::Rhai && written.starts_with('"') => {
                    let mut at = index;
                    while !self.all[at].is_fixed {
                        self.all[at].is_fixed = true;
                        if self.all[at].line_break != Break::None || at == 0 {
                            break;
                        }
                        at -= 1;
                    }
                }
                _ => {}
            }
        }
    }
}

fn word_role(word: &str) -> Role {
    match word {
        "return" | "in" | "if" | "else" | "while" | "until" | "throw" | "switch" | "loop"
        | "do" | "let" | "const" | "for" | "fn" | "private" | "import" | "export" | "as"
        | "catch" | "try" | "static" => Role::Keyword,
        _ => Role::Word,
    }
}

/// Returns the bracket that closes another one.
fn closing(open: &str) -> &'static str {
    match open {
        "(" => ")",
        "[" => "]",
        _ => "}",
    }
}

fn operator(sign: &str) -> Role {
    Role::Binary(match sign {
        "||" | "|" | "^" => 1,
        "&&" | "&" => 2,
        "==" | "!=" => 3,
        "<" | ">" | "<=" | ">=" => 4,
        "??" => 5,
        "+" | "-" => 6,
        "*" | "/" | "%" => 7,
        "**" => 8,
        "<<" | ">>" => 9,
        "=" | "+=" | "-=" | "*=" | "/=" | "%=" | "&=" | "|=" | "^=" | "**=" | "<<=" | ">>=" => {
            return Role::Assignment;
        }
        _ => return Role::Other,
    })
}
