//! Builds the tree of a file in RON from its tokens.

use super::{NONE, Node, Piece, RonKind, RonTree};
use crate::tokens::TokenKind;

/// Brackets that are open.
struct Open {
    node: u32,
    /// Whether a key has been read since the last comma.
    has_key: bool,
    /// Whether the last node is a key that waits for its value.
    is_waiting: bool,
}

struct Builder<'t> {
    tree: RonTree<'t>,
    /// The brackets that are open, the outermost first.
    open: Vec<Open>,
    /// The number of open brackets that are round, square and curly.
    counts: [usize; 3],
}

/// Builds the tree of a text from its tokens.
pub(super) fn build(text: &str, pieces: Vec<Piece>) -> RonTree<'_> {
    let tree = RonTree { text, pieces, nodes: Vec::new() };
    let mut builder = Builder { tree, open: Vec::new(), counts: [0; 3] };
    let count = builder.tree.pieces.len() as u32;
    let mut token = 0;
    while token < count {
        token = builder.take(token);
    }
    builder.close_inner(0, count);
    builder.tree
}

impl Builder<'_> {
    /// Takes a token, and the bracket behind it if it is a name before that. Returns the next token.
    fn take(&mut self, token: u32) -> u32 {
        let piece = self.tree.pieces[token as usize];
        match (piece.kind, self.tree.byte(token)) {
            (TokenKind::LineComment | TokenKind::BlockComment, _) => {}
            (TokenKind::Sign, Some(b'(' | b'[' | b'{')) => self.open(token, token),
            (TokenKind::Sign, Some(sign @ (b')' | b']' | b'}'))) => self.close(token, sign),
            (TokenKind::Sign, Some(b',')) => {
                if let Some(open) = self.open.last_mut() {
                    (open.has_key, open.is_waiting) = (false, false);
                }
            }
            (TokenKind::Sign, _) => {}
            (kind, _) => {
                let next = self.tree.next_code(token + 1);
                if self.tree.is_sign(next, b':') && self.expects_key() {
                    self.key(token, next);
                } else if self.tree.is_sign(next, b'(') && kind != TokenKind::Text {
                    self.open(token, next);
                    return next + 1;
                } else {
                    self.leaf(token, kind);
                }
            }
        }
        token + 1
    }

    /// Returns whether a name before a `:` is a key here.
    fn expects_key(&self) -> bool {
        let is_keyed = |open: &Open| self.tree.nodes[open.node as usize].kind != RonKind::List;
        self.open.last().is_some_and(|open| is_keyed(open) && !open.has_key)
    }

    /// Adds a key. Its value is missing until it has been read.
    fn key(&mut self, token: u32, colon: u32) {
        self.push(Node { key: token, ..self.node(RonKind::Missing, colon + 1, colon + 1) });
        if let Some(open) = self.open.last_mut() {
            (open.has_key, open.is_waiting) = (true, true);
        }
    }

    /// Adds a value without brackets.
    fn leaf(&mut self, token: u32, kind: TokenKind) {
        let kind = match kind {
            TokenKind::Text => RonKind::String,
            TokenKind::Character => RonKind::Char,
            TokenKind::Number => RonKind::Number,
            _ => RonKind::Word,
        };
        self.value(self.node(kind, token, token + 1));
    }

    /// Opens a bracket, with the token that the value begins with.
    fn open(&mut self, first: u32, opening: u32) {
        let kind = match self.tree.byte(opening) {
            Some(b'[') => RonKind::List,
            Some(b'{') => RonKind::Map,
            _ => RonKind::Struct,
        };
        let node = self.value(Node { opening, ..self.node(kind, first, opening + 1) });
        self.counts[bracket_index(kind)] += 1;
        self.open.push(Open { node, has_key: false, is_waiting: false });
    }

    /// Closes the innermost open bracket that fits a closing one, and those inside it. Does nothing if there is none.
    fn close(&mut self, token: u32, sign: u8) {
        let index = match sign {
            b')' => 0,
            b']' => 1,
            _ => 2,
        };
        if self.counts[index] == 0 {
            return;
        }
        let fits = |open: &Open| bracket_index(self.tree.nodes[open.node as usize].kind) == index;
        let depth = self.open.iter().rposition(fits).unwrap_or(0);
        self.close_inner(depth + 1, token);
        let node = self.open[depth].node as usize;
        self.close_inner(depth, token + 1);
        self.tree.nodes[node].is_closed = true;
    }

    /// Ends all open brackets from a depth on before a token.
    fn close_inner(&mut self, depth: usize, end: u32) {
        let after = self.tree.nodes.len() as u32;
        for open in self.open.drain(depth..) {
            let node = &mut self.tree.nodes[open.node as usize];
            (node.end, node.after) = (end, after);
            self.counts[bracket_index(node.kind)] -= 1;
        }
    }

    /// Returns a node of the innermost open brackets.
    fn node(&self, kind: RonKind, first: u32, end: u32) -> Node {
        Node {
            kind,
            is_closed: false,
            parent: self.open.last().map_or(NONE, |open| open.node),
            depth: self.open.len() as u32,
            key: NONE,
            first,
            opening: NONE,
            end,
            after: 0,
        }
    }

    /// Adds a value, which belongs to the key before it, if that has none yet. Returns its index.
    fn value(&mut self, node: Node) -> u32 {
        let last = self.tree.nodes.len().wrapping_sub(1);
        let Some(open) = self.open.last_mut() else { return self.push(node) };
        if std::mem::take(&mut open.is_waiting) {
            let Node { key, after, .. } = self.tree.nodes[last];
            self.tree.nodes[last] = Node { key, after, ..node };
            return last as u32;
        }
        let outer = &mut self.tree.nodes[open.node as usize];
        if outer.kind == RonKind::Struct && last == open.node as usize {
            outer.kind = RonKind::Tuple;
        }
        self.push(node)
    }

    /// Adds a node behind all others. Returns its index.
    fn push(&mut self, node: Node) -> u32 {
        let id = self.tree.nodes.len() as u32;
        self.tree.nodes.push(Node { after: id + 1, ..node });
        id
    }
}

/// Returns which brackets a value has: round, square or curly ones.
fn bracket_index(kind: RonKind) -> usize {
    match kind {
        RonKind::List => 1,
        RonKind::Map => 2,
        _ => 0,
    }
}
