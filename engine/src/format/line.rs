//! The columns of a line that is written anew.

use super::{LEVEL, SPACES};

/// The columns of the same place in a line, before and after formatting.
pub(super) struct Spacing {
    pub(super) old: usize,
    pub(super) new: usize,
    /// Number of spaces that were inserted and that no run of spaces has given way to.
    inserted: usize,
    /// Whether nothing may be inserted.
    is_kept: bool,
}

impl Spacing {
    /// Begins behind an indentation.
    pub(super) fn moved(old: usize, new: usize) -> Self {
        Self { old, new, inserted: 0, is_kept: false }
    }

    /// Begins behind the part of a line that belongs to a string or a comment.
    pub(super) fn new(text: &str, line: usize, at: usize) -> Self {
        let column = width(&text[line..at], 0);
        Self::moved(column, column)
    }

    /// Begins behind the indentation of a line that stays as it is.
    pub(super) fn kept(text: &str, line: usize, at: usize) -> Self {
        Self { is_kept: true, ..Self::new(text, line, at) }
    }

    /// Writes a part as it is.
    pub(super) fn copy(&mut self, part: &str, out: &mut String) {
        out.push_str(part);
        self.old = width(part, self.old);
        self.new = width(part, self.new);
    }

    /// Writes a space that was not there.
    pub(super) fn insert(&mut self, out: &mut String) {
        if !self.is_kept {
            out.push(' ');
            self.new += 1;
            self.inserted += 1;
        }
    }

    /// Writes a run of white space. A longer one gives way to spaces inserted before it, so that what follows stays in its column.
    pub(super) fn spaces(&mut self, run: &str, out: &mut String) {
        let is_plain = !run.contains('\t');
        let less = if is_plain { self.inserted.min(run.len() - 1) } else { 0 };
        self.inserted -= less;
        self.old = width(run, self.old);
        self.new = width(&run[less..], self.new);
        out.push_str(&run[less..]);
    }
}

/// Returns the column behind a part of a line that begins at a column.
pub(super) fn width(part: &str, column: usize) -> usize {
    part.chars().fold(column, |column, sign| match sign {
        _ if sign == SPACES[1] => (column / LEVEL + 1) * LEVEL,
        _ => column + 1,
    })
}
