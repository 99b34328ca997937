//! Code in messages: what stands between backticks is drawn on a plate, without the backticks.

use flockwork_engine::math::Vec2;

use crate::draw::{Anchor, Color, Picture, text, text_width};

/// How far a plate goes beyond the letters at both sides, in pixels, and above and below their base line, in parts of their size.
const EDGE: f32 = 1.0;
const ABOVE: f32 = 0.9;
const BELOW: f32 = 0.28;
/// So many times as much as the plate, the letters cover.
const PLATE: u8 = 9;

/// Lines of one message that are drawn below each other.
#[derive(Default)]
pub(super) struct CodeWords {
    /// Whether the next line begins inside of code.
    is_code: bool,
}

/// Returns the parts of a line, and whether each is code.
fn parts(line: &str, is_code: bool) -> impl Iterator<Item = (&str, bool)> {
    line.split('`').enumerate().map(move |(index, part)| (part, (index % 2 == 1) != is_code))
}

/// Returns where the code in a line begins and ends, in pixels from the beginning of the line, and the code.
pub(super) fn code_in(line: &str, size: f32) -> impl Iterator<Item = (f32, f32, &str)> {
    let mut left = 0.0;
    let placed = parts(line, false).map(move |(part, is_code)| {
        let from = left;
        left += text_width(part, size);
        (from, left, part, is_code)
    });
    placed.filter(|(.., is_code)| *is_code).map(|(from, to, part, _)| (from, to, part))
}

impl CodeWords {
    /// Draws the next line of the message, from a point on its base line to the right.
    pub(super) fn draw(
        &mut self,
        picture: &mut Picture,
        at: Vec2,
        size: f32,
        color: Color,
        line: &str,
    ) {
        let mut left = at.x;
        for (part, is_code) in parts(line, self.is_code) {
            let width = text_width(part, size);
            if is_code && !part.is_empty() {
                let (from, to) = (left.floor() - EDGE, (left + width).ceil() + EDGE);
                let (top, bottom) = ((at.y - size * ABOVE).floor(), (at.y + size * BELOW).ceil());
                let plate = color.alpha(color.alpha / PLATE);
                picture.fill_rect(Vec2::new(from, top), Vec2::new(to, bottom), plate);
            }
            text(picture, Vec2::new(left, at.y), Anchor::Left, size, color, part);
            left += width;
            self.is_code = is_code;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::LIGHT;

    #[test]
    fn code_is_told_from_words_also_over_a_break() {
        let all = |line, is_code| parts(line, is_code).collect::<Vec<_>>();
        assert_eq!(
            all("no `me.vel` here", false),
            [("no ", false), ("me.vel", true), (" here", false)]
        );
        assert_eq!(all("flockwork", true), [("flockwork", true)]);
        assert_eq!(all("check` says", true), [("check", true), (" says", false)]);
        let mut picture = Picture::new((80, 20), LIGHT.ground);
        let mut message = CodeWords::default();
        message.draw(&mut picture, Vec2::new(0.0, 15.0), 12.0, LIGHT.ink, "a `long");
        assert!(message.is_code, "the next line begins inside");
        let rows: Vec<u32> = picture.rgb().collect();
        // The row above small letters.
        let has_plate = |x: usize| rows[4 * 80 + x] != rows[0];
        assert_eq!(
            [has_plate(4), has_plate(14)],
            [false, true],
            "the plate begins behind the first word"
        );
    }
}
