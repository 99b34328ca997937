//! A piece of a script or a scenario around a position, as lines of source code that fit a width.

use std::ops::Range;

use flockwork_engine::diag::Place;
use flockwork_engine::math::{self, Vec2};

use super::text_writer::{SMALL, TextWriter, wrap};
use crate::draw::{Anchor, Palette, Typeface, text, text_width};

/// Font size of source code, in pixels.
const CODE: f32 = 12.5;
/// Distance between two lines, in pixels.
const LINE: f32 = 17.0;
/// Number of letters of a long line that are shown before the marked part.
const CONTEXT: usize = 24;
/// The spaces that a tab is shown as.
const TAB: &str = "    ";

/// The lines around a position, with the marked part and what is said about it.
pub(super) struct Snippet<'a> {
    /// Number of the first line.
    first: usize,
    lines: Vec<String>,
    /// Index of the line with the marked part.
    marked_line: usize,
    /// The marked letters of that line.
    marked: Range<usize>,
    label: &'a str,
}

impl<'a> Snippet<'a> {
    /// Number of lines that are shown before and after the position, if there is room.
    pub(super) const AROUND: usize = 2;

    /// Returns so many lines around a position, without the spaces that all of them start with if there are several.
    pub(super) fn new(place: &Place, label: &'a str, around: usize) -> Self {
        let (source, start) = (&place.source, place.span.start);
        let (line, column) = source.line_column(start);
        let (last, _) = source.line_column(source.text.len());
        let first = line.saturating_sub(around).max(1);
        let plain = |line| source.line_at(source.offset(line, 1)).trim_end();
        let mut lines: Vec<String> = (first..=(line + around).min(last))
            .map(|line| plain(line).replace('\t', TAB))
            .collect();
        let own = source.line_at(start);
        let before: String = own.chars().take(column - 1).collect();
        let text = source.text.get(place.span.clone()).and_then(|text| text.lines().next());
        let letters = |text: &str| text.replace('\t', TAB).chars().count();
        let from = letters(&before);
        let mut marked = from..from + letters(text.unwrap_or_default()).max(1);
        while lines.len() > 1 + line - first && lines.last().is_some_and(String::is_empty) {
            lines.pop();
        }
        let indents = lines.iter().filter(|line| !line.is_empty());
        let is_one = indents.clone().nth(1).is_none();
        let indents = indents.map(|line| line.chars().take_while(|letter| *letter == ' ').count());
        let indent = indents.min().filter(|_| !is_one).unwrap_or_default().min(marked.start);
        for line in &mut lines {
            *line = line.chars().skip(indent).collect();
        }
        marked = marked.start - indent..marked.end - indent;
        Self { first, lines, marked_line: line - first, marked, label }
    }

    /// Returns the width that shows the whole lines, in pixels.
    pub(super) fn width(&self) -> f32 {
        let longest = self.lines.iter().map(|line| line.chars().count()).max();
        let longest = longest.unwrap_or_default().max(self.marked.end);
        (self.gutter() + longest) as f32 * cell()
    }

    /// Returns the height if the width is limited, in pixels.
    pub(super) fn height(&self, width: f32) -> f32 {
        (self.lines.len() + self.label_lines(width).len()) as f32 * LINE + 4.0
    }

    /// Returns the number of letters before the lines: their numbers and a space.
    fn gutter(&self) -> usize {
        (self.first + self.lines.len()).to_string().len() + 2
    }

    fn label_lines(&self, width: f32) -> Vec<&'a str> {
        wrap(self.label, SMALL, math::max(width - self.gutter() as f32 * cell(), 60.0))
    }

    /// Returns the letters of each line that are shown with a width: all lines begin at the same one.
    fn shown_columns(&self, width: f32) -> Range<usize> {
        let room = ((width / cell() + 0.01) as usize).saturating_sub(self.gutter()).max(1);
        let end = self.marked.end.min(self.marked.start + room.saturating_sub(CONTEXT + 1));
        let from = if end < room { 0 } else { self.marked.start.saturating_sub(CONTEXT) };
        from..from + room
    }

    /// Draws the lines, with an underline and the label below the marked part.
    pub(super) fn draw(&self, writer: &mut TextWriter<'_>, palette: &Palette) {
        let width = writer.right - writer.left;
        let shown = self.shown_columns(width);
        let left = writer.left + self.gutter() as f32 * cell();
        for (index, line) in self.lines.iter().enumerate() {
            let number = (self.first + index).to_string();
            let is_marked = index == self.marked_line;
            let color = if is_marked { palette.ink } else { palette.quiet };
            if writer.has_room() {
                let at = Vec2::new(left - (number.len() + 2) as f32 * cell(), writer.base);
                Typeface::Code.write(writer.picture, at, CODE, palette.quiet, &number);
                let at = Vec2::new(left, writer.base);
                Typeface::Code.write(writer.picture, at, CODE, color, &part(line, &shown));
                if is_marked {
                    self.underline(writer, palette, left, &shown);
                }
            }
            writer.gap(LINE);
            if is_marked {
                self.write_label(writer, palette, left, &shown);
            }
        }
        writer.gap(4.0);
    }

    /// Returns the x coordinates of the marked part, in pixels.
    fn marked_span(&self, left: f32, shown: &Range<usize>) -> [f32; 2] {
        [self.marked.start, self.marked.end].map(|letter| {
            left + (letter.clamp(shown.start, shown.end) - shown.start) as f32 * cell()
        })
    }

    fn underline(
        &self,
        writer: &mut TextWriter<'_>,
        palette: &Palette,
        left: f32,
        shown: &Range<usize>,
    ) {
        let [from, to] = self.marked_span(left, shown);
        let y = writer.base + 4.0;
        let (min, max) = (Vec2::new(from, y), Vec2::new(to, y + 2.0));
        writer.picture.fill_rect(min, max, palette.highlight);
    }

    fn write_label(
        &self,
        writer: &mut TextWriter<'_>,
        palette: &Palette,
        left: f32,
        shown: &Range<usize>,
    ) {
        let lines = self.label_lines(writer.right - writer.left);
        let widest = lines.iter().map(|line| text_width(line, SMALL)).fold(0.0, math::max);
        let [from, _] = self.marked_span(left, shown);
        let from = math::max(math::min(from, writer.right - widest), left);
        for line in lines {
            if writer.has_room() {
                let at = Vec2::new(from, writer.base);
                text(writer.picture, at, Anchor::Left, SMALL, palette.highlight, line);
            }
            writer.gap(LINE);
        }
    }
}

/// Returns the width of a letter of source code, in pixels.
fn cell() -> f32 {
    Typeface::Code.width(" ", CODE)
}

/// Returns some letters of a line, with an ellipsis where it is cut.
fn part(line: &str, shown: &Range<usize>) -> String {
    let count = line.chars().count();
    let is_cut = |at| (at == shown.start && at > 0) || (at + 1 == shown.end && shown.end < count);
    let letters = line.chars().enumerate().take(shown.end).skip(shown.start);
    letters.map(|(at, letter)| if is_cut(at) { '…' } else { letter }).collect()
}

#[cfg(test)]
mod tests {
    use flockwork_engine::diag::Source;

    use super::*;

    fn snippet(text: &str, marked: &str) -> Snippet<'static> {
        let start = text.find(marked).unwrap();
        let source = Source::new("a.rhai", text);
        Snippet::new(&Place { source, span: start..start + marked.len() }, "here", Snippet::AROUND)
    }

    #[test]
    fn it_has_two_lines_around_the_place_without_their_common_indent() {
        let text = "fn steer(me) {\n\tlet a = 1;\n\n\tlet b = wrong(2);\n\t\ta + b\n}\n";
        let all = snippet(text, "wrong");
        assert_eq!(all.first, 2);
        assert_eq!(
            all.lines,
            ["    let a = 1;", "", "    let b = wrong(2);", "        a + b", "}"]
        );
        assert_eq!((all.marked_line, all.marked), (2, 12..17));
        let inner = snippet("if a {\n  if b {\n    c;\n    d;\n    e;\n    f;\n", "e");
        assert_eq!(inner.lines, ["c;", "d;", "e;", "f;"]);
        assert_eq!((inner.first, inner.marked), (3, 0..1));
        // A line alone is where it is in the file.
        let alone = snippet("\n\n\tx宽 y;\n", "y");
        assert_eq!(
            (&alone.lines[..], alone.marked),
            (&[String::new(), String::new(), "    x宽 y;".to_owned()][..], 7..8)
        );
        let only = snippet("x", "x");
        assert_eq!((only.first, only.lines.len(), only.marked), (1, 1, 0..1));
    }

    #[test]
    fn the_marked_part_of_a_long_line_is_shown() {
        let long = format!("{}wrong{}", "a".repeat(300), "b".repeat(300));
        let all = snippet(&format!("short\n{long}\n"), "wrong");
        for width in [300.0, 500.0, 700.0] {
            let shown = all.shown_columns(width);
            assert!(shown.start < all.marked.start && all.marked.end < shown.end, "{shown:?}");
            let line = part(&all.lines[1], &shown);
            assert!(line.starts_with("…a") && line.contains("wrong") && line.ends_with("b…"));
            assert_eq!(part(&all.lines[0], &shown), "", "the lines move together");
        }
        let whole = all.shown_columns(all.width());
        assert_eq!(part(&all.lines[1], &whole), long);
        // Something marked that is itself too long begins at the left.
        let all = snippet(&format!("  let {long};"), &long);
        assert_eq!(all.shown_columns(400.0).start, 0);
    }
}
