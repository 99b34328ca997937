//! Drawing functions that all panels share.

use std::ops::Range;

use flockwork_engine::math::Vec2;

use super::area::Area;
use super::text_writer::{PAD, SIZE, SMALL, TextWriter, cut};
use crate::draw::{Color, Palette, Pen, Picture, text_width};

/// Width of a scroll bar, in pixels.
const SCROLL_BAR: f32 = 4.0;

/// Returns a writer that starts at the top of a panel.
pub(super) fn writer(picture: &mut Picture, area: Area) -> TextWriter<'_> {
    TextWriter {
        picture,
        left: area.min.x + PAD,
        right: area.max.x - PAD,
        base: area.min.y + PAD + SIZE,
        start: area.min.y,
        end: area.max.y - PAD / 2.0,
    }
}

/// Draws the background and the frame of a panel.
pub(super) fn ground(picture: &mut Picture, area: Area, palette: &Palette) {
    picture.fill_rect(area.min, area.max, palette.panel);
    frame(picture, area, Pen::new(palette.edge.alpha(140), 1.0));
}

/// Draws the background of a panel in the column, and a line between it and the next one.
pub(super) fn section(picture: &mut Picture, area: Area, palette: &Palette) {
    picture.fill_rect(area.min, area.max, palette.panel);
    let y = area.max.y - 0.5;
    let line = [Vec2::new(area.min.x, y), Vec2::new(area.max.x, y)];
    picture.line(&line, false, Pen::new(palette.edge.alpha(140), 1.0));
}

/// Draws a scroll bar at the right of a panel, between two y coordinates.
pub(super) fn scroll_bar(picture: &mut Picture, area: Area, bar: Range<f32>, palette: &Palette) {
    let right = area.max.x - 4.0;
    let (min, max) = (Vec2::new(right - SCROLL_BAR, bar.start), Vec2::new(right, bar.end));
    picture.fill_rect(min, max, palette.quiet);
}

/// Writes a row of a menu: its words, and at its end the key that does the same, or what else it is.
pub(super) fn menu_row(
    writer: &mut TextWriter<'_>,
    palette: &Palette,
    row: Area,
    words: &str,
    beside: &str,
) {
    writer.base = row.min.y + 16.5;
    writer.up_to(writer.right, SMALL, palette.quiet, beside);
    let room = writer.right - text_width(beside, SMALL) - 12.0 - writer.left;
    writer.at(writer.left, SIZE, palette.ink, &cut(words, SIZE, room));
}

/// Draws the dot of a group, for example beside its name.
pub(super) fn group_dot(
    picture: &mut Picture,
    at: Vec2,
    radius: f32,
    color: Color,
    palette: &Palette,
) {
    if let Some(border) = palette.border_of(color) {
        picture.disc(at, radius + 1.0, border);
    }
    picture.disc(at, radius, color);
}

/// Draws the frame of a panel.
pub(super) fn frame(picture: &mut Picture, area: Area, pen: Pen) {
    let (a, b) = (area.min + Vec2::splat(0.5), area.max - Vec2::splat(0.5));
    let corners = [a, Vec2::new(b.x, a.y), b, Vec2::new(a.x, b.y)];
    picture.line(&corners, true, pen);
}
