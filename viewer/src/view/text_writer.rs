//! Lines of text below each other, within a width.

use flockwork_engine::math::Vec2;

use crate::draw::{Anchor, Color, Picture, text, text_width};

/// The size of most letters, in pixels.
pub(super) const SIZE: f32 = 13.0;
/// The size of small letters, in pixels.
pub(super) const SMALL: f32 = 11.5;
/// From an edge of a panel to what is on it.
pub(super) const PAD: f32 = 14.0;
/// From one line to the next.
pub(super) const LINE: f32 = 18.0;

/// A place to write on, from the top down.
pub(super) struct TextWriter<'p> {
    pub(super) picture: &'p mut Picture,
    pub(super) left: f32,
    pub(super) right: f32,
    /// The line that the next letters stand on.
    pub(super) base: f32,
    /// Below this nothing is written.
    pub(super) end: f32,
}

impl TextWriter<'_> {
    /// Whether there is room for another line.
    pub(super) fn has_room(&self) -> bool {
        self.base <= self.end
    }

    /// Writes a line, cut to the width.
    pub(super) fn line(&mut self, size: f32, color: Color, words: &str) {
        self.at(self.left, size, color, words);
        self.base += LINE * size / SIZE;
    }

    /// Writes a line and goes on where there is no more room, at spaces.
    pub(super) fn wrapped(&mut self, size: f32, color: Color, words: &str) {
        for line in wrap(words, size, self.right - self.left) {
            self.line(size, color, line);
        }
    }

    /// Writes into the line, from a place on, without going on to the next.
    pub(super) fn at(&mut self, left: f32, size: f32, color: Color, words: &str) {
        if self.has_room() {
            let cut = cut(words, size, self.right - left);
            let at = Vec2::new(left, self.base);
            text(self.picture, at, Anchor::Left, size, color, &cut);
        }
    }

    /// Writes into the line, up to a place, without going on to the next.
    pub(super) fn up_to(&mut self, right: f32, size: f32, color: Color, words: &str) {
        if self.has_room() {
            let at = Vec2::new(right, self.base);
            text(self.picture, at, Anchor::Right, size, color, words);
        }
    }

    /// Leaves room.
    pub(super) fn gap(&mut self, pixels: f32) {
        self.base += pixels;
    }
}

/// As much of a line as fits, with dots where something is missing.
pub(super) fn cut(words: &str, size: f32, width: f32) -> String {
    if text_width(words, size) <= width {
        return words.to_owned();
    }
    let mut kept = String::new();
    let room = width - text_width("…", size);
    let mut used = 0.0;
    for letter in words.chars() {
        used += text_width(letter.encode_utf8(&mut [0; 4]), size);
        if used > room {
            break;
        }
        kept.push(letter);
    }
    kept + "…"
}

/// Lines that fit into a width, broken at spaces; a longer word has a line of its own.
pub(super) fn wrap(words: &str, size: f32, width: f32) -> Vec<&str> {
    let mut lines = Vec::new();
    let mut rest = words;
    while !rest.is_empty() {
        let mut end = rest.len();
        if text_width(rest, size) > width {
            let mut fits = None;
            for (space, _) in rest.match_indices(' ').filter(|(at, _)| *at > 0) {
                if fits.is_some() && text_width(&rest[..space], size) > width {
                    break;
                }
                fits = Some(space);
            }
            end = fits.unwrap_or(rest.len());
        }
        lines.push(rest[..end].trim_end());
        rest = rest[end..].trim_start();
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_broken_at_spaces_or_cut() {
        let words = "one two three four";
        let lines = wrap(words, SIZE, text_width("one two th", SIZE));
        assert_eq!(lines, ["one two", "three four"]);
        assert_eq!(wrap("unbreakable", SIZE, 1.0), ["unbreakable"]);
        assert_eq!(wrap("", SIZE, 10.0), [""; 0]);
        let short = cut(words, SIZE, text_width("one two…", SIZE) + 0.5);
        assert_eq!(short, "one two…");
        assert_eq!(cut(words, SIZE, 1000.0), words);
    }
}
