//! Writes lines of text below each other, within a width.

use flockwork_engine::math::Vec2;

use super::code_words::CodeWords;
use crate::draw::{Anchor, Color, Picture, Typeface, text, text_width};

/// Font size of most text, in pixels.
pub(super) const SIZE: f32 = 13.0;
/// Font size of the titles of panels, in pixels.
pub(super) const TITLE_SIZE: f32 = 14.0;
/// Font size of small text, in pixels.
pub(super) const SMALL: f32 = 11.5;
/// Distance from the edge of a panel to its content, in pixels.
pub(super) const PAD: f32 = 14.0;
/// Distance between two lines, in pixels.
pub(super) const LINE: f32 = 18.0;

/// Writes lines on a picture from the top down.
pub(super) struct TextWriter<'p> {
    pub(super) picture: &'p mut Picture,
    pub(super) left: f32,
    pub(super) right: f32,
    /// The y coordinate of the current base line.
    pub(super) base: f32,
    /// Nothing is written above this y coordinate.
    pub(super) start: f32,
    /// Nothing is written below this y coordinate.
    pub(super) end: f32,
}

impl TextWriter<'_> {
    /// Returns whether there is room for a line here.
    pub(super) fn has_room(&self) -> bool {
        (self.start..=self.end).contains(&self.base)
    }

    /// Writes a line, cut to the width, and moves on to the next line.
    pub(super) fn line(&mut self, size: f32, color: Color, words: &str) {
        self.at(self.left, size, color, words);
        self.base += LINE * size / SIZE;
    }

    /// Writes text on as many lines as it needs, broken at spaces.
    pub(super) fn wrapped(&mut self, size: f32, color: Color, words: &str) {
        self.lines(size, color, &wrap(words, size, self.right - self.left));
    }

    /// Writes the lines of a text.
    pub(super) fn lines(&mut self, size: f32, color: Color, lines: &[impl AsRef<str>]) {
        let mut code = CodeWords::default();
        for line in lines {
            if self.has_room() {
                let cut = cut(line.as_ref(), size, self.right - self.left);
                let at = Vec2::new(self.left, self.base);
                code.draw(self.picture, at, size, color, &cut);
            }
            self.base += LINE * size / SIZE;
        }
    }

    /// Writes on the current line, starting at an x coordinate, and stays on the line.
    pub(super) fn at(&mut self, left: f32, size: f32, color: Color, words: &str) {
        if self.has_room() {
            let cut = cut(words, size, self.right - left);
            let at = Vec2::new(left, self.base);
            CodeWords::default().draw(self.picture, at, size, color, &cut);
        }
    }

    /// Writes a title on the current line, starting at an x coordinate, and stays on the line.
    pub(super) fn title(&mut self, left: f32, color: Color, words: &str) {
        if self.has_room() {
            let at = Vec2::new(left, self.base);
            strong_words(self.picture, at, TITLE_SIZE, color, words, self.right - left);
        }
    }

    /// Writes on the current line, ending at an x coordinate, and stays on the line.
    pub(super) fn up_to(&mut self, right: f32, size: f32, color: Color, words: &str) {
        if self.has_room() {
            let at = Vec2::new(right, self.base);
            text(self.picture, at, Anchor::Right, size, color, words);
        }
    }

    /// Writes a name, starting at an x coordinate, and its value up to the right, each in its color, and stays on the line. There is no
    /// name if the value needs its room.
    pub(super) fn named(
        &mut self,
        left: f32,
        size: f32,
        [quiet, ink]: [Color; 2],
        name: &str,
        value: &str,
    ) {
        if text_width(name, size) + text_width(value, size) + PAD <= self.right - left {
            self.at(left, size, quiet, name);
        }
        self.up_to(self.right, size, ink, value);
    }

    /// Moves down by this many pixels.
    pub(super) fn gap(&mut self, pixels: f32) {
        self.base += pixels;
    }
}

/// Writes words with strong letters, cut to a width. `at` is where they begin on the base line.
pub(super) fn strong_words(
    picture: &mut Picture,
    at: Vec2,
    size: f32,
    color: Color,
    words: &str,
    width: f32,
) {
    let words = cut_letters(words, width, |words| Typeface::Strong.width(words, size));
    Typeface::Strong.write(picture, at, size, color, &words);
}

/// Returns as much of a line as fits into a width, with an ellipsis if it is cut.
pub(super) fn cut(words: &str, size: f32, width: f32) -> String {
    cut_letters(words, width, |words| text_width(words, size))
}

/// Returns the same for letters whose width a function tells.
fn cut_letters(words: &str, width: f32, width_of: impl Fn(&str) -> f32) -> String {
    if width_of(words) <= width {
        return words.to_owned();
    }
    let mut kept = String::new();
    let room = width - width_of("…");
    let mut used = 0.0;
    for letter in words.chars() {
        used += width_of(letter.encode_utf8(&mut [0; 4]));
        if used > room {
            break;
        }
        kept.push(letter);
    }
    kept + "…"
}

/// Returns as much of a path as fits into a width, with an ellipsis in the middle if it is cut: the end, which tells paths apart, stays.
pub(super) fn cut_middle(words: &str, size: f32, width: f32) -> String {
    if text_width(words, size) <= width {
        return words.to_owned();
    }
    let start = cut(words, size, width / 3.0);
    let room = width - text_width(&start, size);
    let ends = words.char_indices().map(|(at, _)| &words[at..]);
    let end = ends.skip(start.chars().count()).find(|end| text_width(end, size) <= room);
    start + end.unwrap_or_default()
}

/// Breaks text at spaces into lines that fit into a width; a word that is too long gets its own line.
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

/// Breaks text at spaces into at most some lines that fit into a width. The last one is cut if there is more.
pub(super) fn wrap_at_most(words: &str, size: f32, width: f32, most: usize) -> Vec<String> {
    let lines = wrap(words, size, width);
    let (whole, rest) = lines.split_at(lines.len().min(most.saturating_sub(1)));
    let last = (!rest.is_empty()).then(|| cut(&rest.join(" "), size, width));
    whole.iter().copied().map(str::to_owned).chain(last).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_broken_at_spaces_or_cut_off() {
        let words = "one two three four";
        let lines = wrap(words, SIZE, text_width("one two th", SIZE));
        assert_eq!(lines, ["one two", "three four"]);
        assert_eq!(wrap("unbreakable", SIZE, 1.0), ["unbreakable"]);
        assert_eq!(wrap("", SIZE, 10.0), [""; 0]);
        let width = text_width("one two th", SIZE);
        assert_eq!(wrap_at_most(words, SIZE, width, 2), ["one two", "three four"]);
        assert_eq!(wrap_at_most(words, SIZE, width, 1), [cut(words, SIZE, width)]);
        let short = cut(words, SIZE, text_width("one two…", SIZE) + 0.5);
        assert_eq!(short, "one two…");
        assert_eq!(cut(words, SIZE, 1000.0), words);
        let path = "open scenario scenarios/primitives/weighted_sum.ron";
        let short = cut_middle(path, SIZE, 200.0);
        assert!(short.starts_with("open") && short.ends_with("weighted_sum.ron"), "{short}");
        assert!(short.contains('…') && text_width(&short, SIZE) <= 200.0, "{short}");
        assert_eq!(cut_middle(path, SIZE, 1000.0), path);
    }
}
