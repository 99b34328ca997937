//! Code in messages: what stands between backticks is drawn in a color of its own, without the backticks.

use flockwork_engine::math::Vec2;

use crate::draw::{Anchor, Color, DARK, LIGHT, Picture, text, text_width};

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

/// Returns the color of code beside text of a color: that of the palette to which the text belongs.
fn code_color(of: Color) -> Color {
    let is_light = u32::from(of.red) + u32::from(of.green) + u32::from(of.blue) > 3 * 128;
    let palette = if is_light { &DARK } else { &LIGHT };
    palette.accent.alpha(of.alpha)
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
            let color = if is_code { code_color(color) } else { color };
            text(picture, Vec2::new(left, at.y), Anchor::Left, size, color, part);
            left += text_width(part, size);
            self.is_code = is_code;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(code_color(LIGHT.quiet), LIGHT.accent);
        assert_eq!(code_color(DARK.quiet), DARK.accent);
        assert_eq!(code_color(LIGHT.highlight), LIGHT.accent);
        assert_eq!(code_color(DARK.highlight), DARK.accent);
    }
}
