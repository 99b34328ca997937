//! A file in RON as a tree: every value with its bytes, its key and its brackets, and all tokens around them. Any text has a tree, also a
//! half-finished one, and building it takes time in proportion to the text.

use std::borrow::Cow;
use std::iter;
use std::ops::Range;

use super::{Language, Token, TokenKind, line_start, tokens};

mod build;
mod unescape;

/// The kind of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RonKind {
    /// Round brackets with fields, or with nothing, perhaps with a name before them.
    Struct,
    /// Round brackets with values, perhaps with a name before them.
    Tuple,
    /// Square brackets.
    List,
    /// Curly brackets.
    Map,
    /// A string, also of bytes.
    String,
    /// A character in single quotes.
    Char,
    /// A number.
    Number,
    /// A name without brackets: a variant, a boolean, or a number such as `inf`.
    Word,
    /// No value: a key has none yet.
    Missing,
}

/// Number of brackets around others beyond which nobody has to look: RON reads no deeper files.
pub const MAX_DEPTH: usize = 128;

/// The sign of no token or no node.
const NONE: u32 = u32::MAX;

/// A token, in less memory.
#[derive(Clone, Copy, Debug)]
struct Piece {
    start: u32,
    end: u32,
    inner_start: u32,
    inner_end: u32,
    kind: TokenKind,
    is_closed: bool,
}

/// A value in the tree. Tokens are indices into the tokens of the tree.
#[derive(Clone, Debug)]
struct Node {
    kind: RonKind,
    /// Whether its closing bracket is there.
    is_closed: bool,
    /// The node of the brackets around it.
    parent: u32,
    /// The number of brackets around it.
    depth: u32,
    /// The token of its key.
    key: u32,
    /// Its first token: the name before its bracket, or the bracket, or all of it.
    first: u32,
    /// The token of its opening bracket.
    opening: u32,
    /// One more than its last token.
    end: u32,
    /// The node after all nodes in it.
    after: u32,
}

impl Node {
    /// Returns its first token, which can be its key.
    fn begin(&self) -> u32 {
        self.first.min(self.key)
    }

    /// Returns whether its brackets are open right before a token.
    fn is_open_at(&self, token: u32) -> bool {
        let end = if self.is_closed { self.end } else { self.end + 1 };
        self.opening < token && token < end
    }
}

/// A file in RON as a tree. Its nodes are values: what is behind the name of a field, the key of an entry, or a comma. Between the tokens
/// of the tree is white space only.
///
/// In a valid file there is one value outside of all brackets, behind the brackets of its attributes. In other files, a bracket that closes
/// none is ignored, and brackets that are not closed end before the closing bracket of those around them, or with the file.
#[derive(Clone, Debug)]
pub struct RonTree<'t> {
    text: &'t str,
    pieces: Vec<Piece>,
    /// The nodes in the order in which they begin.
    nodes: Vec<Node>,
}

/// A value in a tree.
#[derive(Clone, Copy, Debug)]
pub struct RonNode<'a, 't> {
    tree: &'a RonTree<'t>,
    id: u32,
}

/// A key, a value without brackets, or the name before brackets.
#[derive(Clone, Debug)]
pub struct RonWord<'a, 't> {
    /// The value that it is, or whose key or name it is.
    pub node: RonNode<'a, 't>,
    /// Whether it is the key of the value.
    pub is_key: bool,
    /// Its bytes, with quotes.
    pub span: Range<usize>,
    /// Its bytes without quotes. A string that is not closed yet has only one.
    pub inner: Range<usize>,
    /// It as it is written, without quotes.
    pub text: &'t str,
}

/// What is around a place between two tokens.
#[derive(Clone, Copy, Debug)]
pub struct RonPosition<'a, 't> {
    /// The innermost brackets around it; `None` outside of all brackets.
    pub brackets: Option<RonNode<'a, 't>>,
    /// The key before it, to which the next value belongs, as [`RonNode::key`] returns it.
    pub key: Option<&'t str>,
    /// Whether a value is between it and the comma or bracket before it.
    pub has_value: bool,
}

/// Where a cursor is.
#[derive(Clone, Debug)]
pub struct RonCursor<'a, 't> {
    /// What is around the word.
    pub position: RonPosition<'a, 't>,
    /// The word or the string that it is in or behind, from its start to its end, without quotes; empty if there is none.
    pub word: Range<usize>,
    /// Whether that is a string.
    pub is_string: bool,
}

impl<'t> RonTree<'t> {
    /// Builds the tree of a text. What is behind the first 4 GiB is ignored.
    pub fn new(text: &'t str) -> Self {
        Self::of_part(text, 0..text.len())
    }

    /// Builds the tree of a part of a text. All its positions are those in the whole text.
    pub fn of_part(text: &'t str, part: Range<usize>) -> Self {
        let end = text.floor_char_boundary(part.end.min(NONE as usize - 1));
        let mut all = tokens(&text[..end], Language::Ron);
        all.at = part.start.min(end);
        build::build(text, all.map(Piece::from).collect())
    }

    /// Returns the text.
    pub fn text(&self) -> &'t str {
        self.text
    }

    /// Returns the value that the file is: the last one outside of all brackets. `None` if there is none.
    pub fn root(&self) -> Option<RonNode<'_, 't>> {
        let last = u32::try_from(self.nodes.len().checked_sub(1)?).ok()?;
        RonNode { tree: self, id: last }.ancestors().last()
    }

    /// Returns all values in the order in which they begin.
    pub fn nodes(&self) -> impl Iterator<Item = RonNode<'_, 't>> {
        (0..).take(self.nodes.len()).map(|id| RonNode { tree: self, id })
    }

    /// Returns all keys, values without brackets, and names before brackets in their order.
    pub fn words(&self) -> impl Iterator<Item = RonWord<'_, 't>> {
        self.nodes().flat_map(|node| node.key_word().into_iter().chain(node.word()))
    }

    /// Returns what is at the end of the text.
    pub fn end(&self) -> RonPosition<'_, 't> {
        self.before(self.pieces.len() as u32)
    }

    /// Returns the innermost brackets that are open before a byte offset.
    pub fn brackets_at(&self, offset: usize) -> Option<RonNode<'_, 't>> {
        self.before(self.tokens_before(offset)).brackets
    }

    /// Returns the innermost field or entry around a byte offset.
    pub fn innermost_entry(&self, offset: usize) -> Option<RonNode<'_, 't>> {
        let around = self.nodes().filter(|node| node.entry_span().contains(&offset));
        around.filter(|node| node.key().is_some()).last()
    }

    /// Returns the byte offset behind the comma that follows a byte offset, if no other token but comments is between them.
    pub fn after_comma(&self, offset: usize) -> Option<usize> {
        let next = self.next_code(self.tokens_before(offset));
        self.is_sign(next, b',').then(|| self.span(next).end)
    }

    /// Returns where a byte offset is; `None` in a comment.
    pub fn cursor(&self, offset: usize) -> Option<RonCursor<'_, 't>> {
        let mut token = self.tokens_before(offset);
        let (mut word, mut is_string) = (offset..offset, false);
        if let Some(last) = token.checked_sub(1) {
            let piece = self.pieces[last as usize];
            let (inner, end) = (piece.inner(), piece.span().end);
            let is_in = match piece.kind {
                TokenKind::LineComment if offset <= end => return None,
                TokenKind::BlockComment if offset < end || !piece.is_closed => return None,
                TokenKind::LineComment | TokenKind::BlockComment | TokenKind::Sign => false,
                // Behind the closing quote nothing belongs to the string.
                TokenKind::Text => inner.end >= offset,
                _ => end >= offset,
            };
            if is_in {
                (word, is_string, token) = (inner, piece.kind == TokenKind::Text, last);
            } else if end > offset {
                return None;
            }
        }
        Some(RonCursor { position: self.before(token), word, is_string })
    }

    /// Returns the number of tokens that begin before a byte offset.
    fn tokens_before(&self, offset: usize) -> u32 {
        self.pieces.partition_point(|piece| (piece.start as usize) < offset) as u32
    }

    /// Returns what is right before a token.
    fn before(&self, token: u32) -> RonPosition<'_, 't> {
        let begun = self.nodes.partition_point(|node| node.begin() < token) as u32;
        let mut brackets = begun.checked_sub(1).map(|id| RonNode { tree: self, id });
        // The last value in them that begins before the token.
        let mut last = None;
        while let Some(node) = brackets.filter(|node| !node.node().is_open_at(token)) {
            (brackets, last) = (node.parent(), Some(node));
        }
        let last = last.filter(|last| {
            let mut behind = last.node().end..token;
            brackets.is_some() && !behind.any(|token| self.is_sign(token, b','))
        });
        // A key is one as soon as there is a colon behind it.
        let is_before_colon = |node: RonNode<'_, '_>| {
            let key = node.node().key;
            key != NONE && self.next_code(key + 1) >= token
        };
        if last.is_some_and(is_before_colon) {
            return RonPosition { brackets, key: None, has_value: true };
        }
        let is_value =
            |node: RonNode<'_, '_>| node.kind() != RonKind::Missing && node.node().first < token;
        RonPosition {
            brackets,
            key: last.and_then(RonNode::key),
            has_value: last.is_some_and(is_value),
        }
    }

    /// Returns the first token from one on that is not a comment.
    fn next_code(&self, from: u32) -> u32 {
        let rest = self.pieces[from as usize..].iter();
        from + rest.take_while(|piece| piece.is_comment()).count() as u32
    }

    fn span(&self, token: u32) -> Range<usize> {
        self.pieces[token as usize].span()
    }

    /// Returns the first byte of a token.
    fn byte(&self, token: u32) -> Option<u8> {
        let piece = self.pieces.get(token as usize)?;
        self.text.as_bytes().get(piece.start as usize).copied()
    }

    fn is_sign(&self, token: u32, sign: u8) -> bool {
        let is_sign = |piece: &Piece| piece.kind == TokenKind::Sign;
        self.pieces.get(token as usize).is_some_and(is_sign) && self.byte(token) == Some(sign)
    }
}

impl<'a, 't> RonNode<'a, 't> {
    fn node(self) -> &'a Node {
        &self.tree.nodes[self.id as usize]
    }

    /// Returns the tree that it belongs to.
    pub fn tree(self) -> &'a RonTree<'t> {
        self.tree
    }

    /// Returns its kind.
    pub fn kind(self) -> RonKind {
        self.node().kind
    }

    /// Returns its bytes, with the name before its brackets. They are empty if it is missing.
    pub fn span(self) -> Range<usize> {
        let Node { kind, first, end, .. } = *self.node();
        let end = self.tree.span(end - 1).end;
        let start = if kind == RonKind::Missing { end } else { self.tree.span(first).start };
        start..end
    }

    /// Returns it as it is written.
    pub fn text(self) -> &'t str {
        &self.tree.text[self.span()]
    }

    /// Returns a token as a word.
    fn token_word(self, token: u32, is_key: bool) -> RonWord<'a, 't> {
        let piece = &self.tree.pieces[token as usize];
        let (span, inner) = (piece.span(), piece.inner());
        RonWord { node: self, is_key, text: &self.tree.text[inner.clone()], span, inner }
    }

    /// Returns its first word: all of a value without brackets, or the name before its brackets. `None` if it has none.
    pub fn word(self) -> Option<RonWord<'a, 't>> {
        let Node { first, opening, .. } = *self.node();
        let is_word = first != opening && self.kind() != RonKind::Missing;
        is_word.then(|| self.token_word(first, false))
    }

    /// Returns its key as a word.
    pub fn key_word(self) -> Option<RonWord<'a, 't>> {
        let key = self.node().key;
        (key != NONE).then(|| self.token_word(key, true))
    }

    /// Returns the name before its brackets.
    pub fn name(self) -> Option<&'t str> {
        let name = self.word().filter(|_| self.node().opening != NONE)?;
        Some(name.text)
    }

    /// Returns its key as it is written, without quotes: the name of its field, or the key of its entry in a map. A value behind another one
    /// without a comma between them has no key.
    pub fn key(self) -> Option<&'t str> {
        self.key_word().map(|key| key.text)
    }

    /// Returns its key as RON reads it. `None` if it has none, or one that is neither a name nor a string.
    pub fn key_name(self) -> Option<Cow<'t, str>> {
        let written = self.key()?;
        let piece = self.tree.pieces[self.node().key as usize];
        match (piece.kind, self.tree.byte(self.node().key)) {
            (TokenKind::Text, Some(b'"')) => unescape::unescape(written),
            (TokenKind::Text, Some(b'r')) | (TokenKind::Word, _) => Some(Cow::Borrowed(written)),
            _ => None,
        }
    }

    /// Returns its bytes with its key.
    pub fn entry_span(self) -> Range<usize> {
        let span = self.span();
        self.key_word().map_or(span.start, |key| key.span.start)..span.end
    }

    /// Returns what the comments directly above its line say, or the one behind it. `None` if other text is on its line.
    pub fn comment(self) -> Option<String> {
        let (text, entry) = (self.tree.text, self.entry_span());
        let line = line_start(text, entry.start);
        let rest = text[entry.end..].lines().next().unwrap_or_default().trim_start();
        let rest = rest.strip_prefix(',').unwrap_or(rest).trim();
        let behind = rest.strip_prefix("//");
        if !text[line..entry.start].trim().is_empty() || (behind.is_none() && !rest.is_empty()) {
            return None;
        }
        let above = text[..line].lines().rev().map_while(|line| line.trim().strip_prefix("//"));
        let mut lines: Vec<&str> = above.collect();
        lines.reverse();
        let lines = if lines.is_empty() { behind.into_iter().collect() } else { lines };
        let words: Vec<&str> = lines.into_iter().flat_map(str::split_whitespace).collect();
        (!words.is_empty()).then(|| words.join(" "))
    }

    /// Returns the byte offset of its opening bracket.
    pub fn opening(self) -> Option<usize> {
        let opening = self.node().opening;
        (opening != NONE).then(|| self.tree.span(opening).start)
    }

    /// Returns the byte offset of its closing bracket. `None` if it has no brackets, or if they are not closed.
    pub fn closing(self) -> Option<usize> {
        self.node().is_closed.then(|| self.span().end - 1)
    }

    /// Returns the byte offset behind the comma that follows it.
    pub fn after_comma(self) -> Option<usize> {
        self.tree.after_comma(self.span().end)
    }

    /// Returns the brackets around it.
    pub fn parent(self) -> Option<Self> {
        let parent = self.node().parent;
        (parent != NONE).then_some(Self { id: parent, ..self })
    }

    /// Returns the number of brackets around it.
    pub fn depth(self) -> usize {
        self.node().depth as usize
    }

    /// Returns it and all brackets around it, from the inside out.
    pub fn ancestors(self) -> impl Iterator<Item = Self> {
        iter::successors(Some(self), |node| node.parent())
    }

    /// Returns the values in its brackets, without those in inner brackets.
    pub fn children(self) -> impl Iterator<Item = Self> {
        let next = move |id: u32| (id < self.node().after).then_some(Self { id, ..self });
        iter::successors(next(self.id + 1), move |child| next(child.node().after))
    }

    /// Returns whether another value is this one, or in its brackets at any depth.
    pub fn contains(self, other: Self) -> bool {
        (self.id..self.node().after).contains(&other.id)
    }

    /// Returns the value that has the parts of this one: of a variant with a single value in its brackets, such as `Points([..])`, that value.
    pub fn content(self) -> Self {
        let is_variant = self.kind() == RonKind::Tuple && self.name().is_some();
        let mut children = self.children();
        let only = children.next().filter(|_| is_variant && children.next().is_none());
        only.unwrap_or(self)
    }

    /// Returns the value with a key, or the one with a number among the values without keys, from 0.
    pub fn get(self, name: &str) -> Option<Self> {
        match self.kind() {
            RonKind::Struct | RonKind::Map => {
                self.children().find(|child| child.key_name().as_deref() == Some(name))
            }
            _ => self.children().nth(name.parse().ok().filter(|i: &usize| i.to_string() == name)?),
        }
    }
}

impl Piece {
    fn span(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    fn inner(&self) -> Range<usize> {
        self.inner_start as usize..self.inner_end as usize
    }

    fn is_comment(&self) -> bool {
        matches!(self.kind, TokenKind::LineComment | TokenKind::BlockComment)
    }
}

impl From<Token> for Piece {
    /// The token ends within the first 4 GiB.
    fn from(token: Token) -> Self {
        Self {
            start: token.span.start as u32,
            end: token.span.end as u32,
            inner_start: token.inner.start as u32,
            inner_end: token.inner.end as u32,
            kind: token.kind,
            is_closed: token.is_closed,
        }
    }
}

#[cfg(test)]
mod tests;
