//! Keys as they are drawn in menus, in the help and in tooltips: each in a small frame, like a cap of a keyboard.

use flockwork_engine::math::{self, Vec2};

use super::area::Area;
use super::key::Key;
use super::panel_drawing::{ButtonLook, button_ground};
use super::text_writer::SMALL;
use crate::draw::{Anchor, Color, Palette, Picture, text, text_width};

/// Size of the letters, in pixels.
const LETTERS: f32 = SMALL - 1.0;
/// Distance of the letters from the frame, and of two caps, in pixels.
const PAD: f32 = 3.0;
const GAP: f32 = 3.0;
/// The least width of a cap, in pixels.
const LEAST: f32 = 15.0;
/// The ends of a cap above and below the base line of its letters, in pixels.
const ABOVE: f32 = 11.0;
const BELOW: f32 = 3.0;

/// Returns the parts of a label such as `ctrl+shift+p or :`, and whether each is a key: other words have no frame.
fn parts(label: &str) -> impl Iterator<Item = (&str, bool)> {
    let parts = label.split(" or ").filter(|part| !part.is_empty());
    parts.map(|part| (part, Key::from_name(part).is_some()))
}

/// Returns the width of a part, in pixels.
fn part_width((words, is_key): (&str, bool)) -> f32 {
    match is_key {
        true => math::max((text_width(words, LETTERS) + 2.0 * PAD).ceil(), LEAST),
        false => text_width(words, SMALL),
    }
}

/// Returns the width of the keys of a label, in pixels.
pub(super) fn width(label: &str) -> f32 {
    let all = parts(label).map(|part| part_width(part) + GAP).sum::<f32>();
    math::max(all - GAP, 0.0)
}

/// Draws the keys of a label, from a point on the base line to the right. `color` is that of the letters.
pub(super) fn draw(picture: &mut Picture, palette: &Palette, at: Vec2, color: Color, label: &str) {
    let mut left = at.x.round();
    for part in parts(label) {
        let (words, is_key) = part;
        let width = part_width(part);
        if is_key {
            let base = at.y.round();
            let cap = Area::new(left, base - ABOVE, width, ABOVE + BELOW);
            button_ground(picture, palette, cap, ButtonLook::Plain);
            let start = left + (width - text_width(words, LETTERS)) / 2.0;
            text(picture, Vec2::new(start, base), Anchor::Left, LETTERS, color, words);
        } else {
            text(picture, Vec2::new(left, at.y), Anchor::Left, SMALL, color, words);
        }
        left += width + GAP;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_key_has_a_cap_and_other_words_have_none() {
        let all = |label| parts(label).collect::<Vec<_>>();
        assert_eq!(all("ctrl+shift+p or :"), [("ctrl+shift+p", true), (":", true)]);
        assert_eq!(all("page up or ("), [("page up", true), ("(", true)]);
        assert_eq!(
            [all("menu"), all("right click")].concat(),
            [("menu", false), ("right click", false)]
        );
        assert_eq!((all("").len(), width("")), (0, 0.0));
        assert!(width("a") >= LEAST && width("a or b") >= 2.0 * LEAST + GAP);
    }
}
