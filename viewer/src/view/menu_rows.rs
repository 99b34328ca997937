//! The rows of menus: words, and at the end the key that does the same.

use flockwork_engine::math::Vec2;

use super::area::Area;
use super::key_caps;
use super::text_writer::{SIZE, TextWriter, cut};
use crate::draw::Palette;

/// Writes a row of a menu: its words, and at its end the key that does the same, or what else it is.
pub(super) fn menu_row(
    writer: &mut TextWriter<'_>,
    palette: &Palette,
    row: Area,
    words: &str,
    beside: &str,
) {
    writer.base = row.min.y + 16.5;
    if writer.has_room() {
        let at = Vec2::new(writer.right - key_caps::width(beside), writer.base);
        key_caps::draw(writer.picture, palette, at, palette.quiet, beside);
    }
    writer.at(writer.left, SIZE, palette.ink, &cut(words, SIZE, menu_room(writer, beside)));
}

/// Returns how much room the words of a row of a menu have before what stands at its end, in pixels.
pub(super) fn menu_room(writer: &TextWriter<'_>, beside: &str) -> f32 {
    writer.right - key_caps::width(beside) - 12.0 - writer.left
}
