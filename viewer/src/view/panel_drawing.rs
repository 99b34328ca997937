//! Drawing functions that all panels share.

use std::ops::Range;

use flockwork_engine::math::{self, Vec2};

use super::area::Area;
use super::layout::Layout;
use super::text_writer::{PAD, SIZE, SMALL, TextWriter, cut};
use super::widget::Widget;
use crate::draw::{Anchor, Color, Palette, Pen, Picture, text, text_width};

/// Width of a scroll bar, in pixels.
const SCROLL_BAR: f32 = 4.0;

/// The color of each step of a shadow.
pub(super) const SHADOW: Color = Color { red: 0, green: 0, blue: 0, alpha: 5 };
/// How many steps there are, and by how many pixels each is wider.
const SHADOW_STEPS: u8 = 8;
const SHADOW_STEP: f32 = 1.5;
/// Radius of the corners of buttons and of panels over others, in pixels.
pub(super) const CORNER: f32 = 4.0;
/// Number of the lines that a rounded corner is drawn with.
const CORNER_LINES: u8 = 4;

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

/// Draws the background, the frame and the shadow of a panel over others. `opacity` is 255, or less for one that fades away.
pub(super) fn floating_ground(picture: &mut Picture, area: Area, palette: &Palette, opacity: u8) {
    let faded = |alpha: u8| (u16::from(alpha) * u16::from(opacity) / 255) as u8;
    for step in 1..=SHADOW_STEPS {
        let wider = f32::from(step) * SHADOW_STEP;
        // Light falls from above.
        let down = Vec2::new(0.0, wider / 3.0);
        let (min, max) = (area.min - Vec2::splat(wider), area.max + Vec2::splat(wider));
        let shadow = Area { min: min + down, max: max + down };
        picture.polygon(&rounded(shadow, CORNER + wider), SHADOW.alpha(faded(SHADOW.alpha)));
    }
    picture.polygon(&rounded(area, CORNER), palette.panel.alpha(opacity));
    rounded_frame(picture, area, Pen::new(palette.edge.alpha(faded(140)), 1.0));
}

/// Returns the outline of an area with rounded corners.
fn rounded(area: Area, radius: f32) -> Vec<Vec2> {
    let inner = Area { min: area.min + radius, max: area.max - radius };
    let centers = [
        inner.max,
        Vec2::new(inner.min.x, inner.max.y),
        inner.min,
        Vec2::new(inner.max.x, inner.min.y),
    ];
    let corners = centers.into_iter().zip(0..4_u8);
    let outline = corners.flat_map(|(center, corner)| {
        (0..=CORNER_LINES).map(move |line| {
            let quarters = f32::from(corner) + f32::from(line) / f32::from(CORNER_LINES);
            center + math::direction(quarters * math::PI / 2.0) * radius
        })
    });
    outline.collect()
}

/// Draws the frame of an area, with rounded corners.
pub(super) fn rounded_frame(picture: &mut Picture, area: Area, pen: Pen) {
    let inner = Area { min: area.min + 0.5, max: area.max - 0.5 };
    picture.line(&rounded(inner, CORNER - 0.5), true, pen);
}

/// Draws the background of a panel in the column, and a line between it and the next one.
pub(super) fn section(picture: &mut Picture, area: Area, palette: &Palette) {
    picture.fill_rect(area.min, area.max, palette.panel);
    let y = area.max.y - 0.5;
    let line = [Vec2::new(area.min.x - Layout::GRIP, y), Vec2::new(area.max.x, y)];
    picture.line(&line, false, Pen::new(palette.edge.alpha(140), 1.0));
}

/// Length and thickness of the handle of an edge, in pixels.
const HANDLE: Vec2 = Vec2::new(44.0, 3.0);

/// Draws the handle of an edge that can be dragged, in the middle of it: stronger while the pointer is there.
pub(super) fn handle(picture: &mut Picture, palette: &Palette, edge: Area, pointer: Vec2) {
    let is_pointed = edge.contains(pointer);
    let color = if is_pointed { palette.accent } else { palette.quiet.alpha(170) };
    let is_upright = edge.height() > edge.width();
    let size = if is_upright { Vec2::new(HANDLE.y, HANDLE.x) } else { HANDLE };
    let low = ((edge.min + edge.max - size) / 2.0).round();
    picture.fill_rect(low, low + size, color);
}

/// Draws a scroll bar at the right of an area: it is where what is visible is in all that there is. Draws nothing if all is visible.
pub(super) fn scroll_bar(
    picture: &mut Picture,
    palette: &Palette,
    area: Area,
    visible: Range<f32>,
    all: f32,
) {
    if let Some(bar) = bar_span(area, visible, all) {
        let right = area.max.x - 4.0;
        let (min, max) = (Vec2::new(right - SCROLL_BAR, bar.start), Vec2::new(right, bar.end));
        picture.fill_rect(min, max, palette.quiet);
    }
}

/// Returns the y coordinates of a scroll bar.
pub(super) fn bar_span(area: Area, visible: Range<f32>, all: f32) -> Option<Range<f32>> {
    let at = |part: f32| area.min.y + part / all * area.height();
    let is_needed = visible.end - visible.start < all && visible.start < visible.end;
    is_needed.then(|| at(visible.start)..at(visible.end))
}

/// Distance between buttons beside each other, so that none is hit in place of its neighbor, in pixels.
pub(super) const BUTTON_GAP: f32 = 8.0;

/// Returns the width of a button with words, in pixels.
pub(super) fn word_button_width(words: &str) -> f32 {
    (text_width(words, SMALL) + PAD).ceil()
}

/// Returns buttons with words beside each other, from a point to the right.
pub(super) fn word_buttons<W: AsRef<str>>(
    at: Vec2,
    all: impl IntoIterator<Item = W>,
) -> Vec<(W, Area)> {
    let mut left = at.x;
    let button = |words: W| {
        let area = Area::new(left, at.y, word_button_width(words.as_ref()), Widget::MIN_SIDE);
        left = area.max.x + BUTTON_GAP;
        (words, area)
    };
    all.into_iter().map(button).collect()
}

/// How a button looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ButtonLook {
    /// It can be clicked.
    Plain,
    /// What it shows is shown.
    On,
    /// A click on it does nothing now.
    Disabled,
    /// It is what one mostly wants.
    Main,
}

impl ButtonLook {
    /// Returns the look of a button that shows something, by whether it is shown.
    pub(super) fn on(is_on: bool) -> Self {
        if is_on { Self::On } else { Self::Plain }
    }

    /// Returns the look of a button, by whether a click on it does something.
    pub(super) fn enabled(is_enabled: bool) -> Self {
        if is_enabled { Self::Plain } else { Self::Disabled }
    }
}

/// Draws the ground and the frame of a button, and returns the color of its words.
pub(super) fn button_ground(
    picture: &mut Picture,
    palette: &Palette,
    area: Area,
    look: ButtonLook,
) -> Color {
    let (ground, edge, words) = match look {
        ButtonLook::Plain => (palette.ink.alpha(12), palette.edge.alpha(130), palette.ink),
        ButtonLook::On => (palette.accent.alpha(50), palette.accent.alpha(130), palette.ink),
        ButtonLook::Disabled => (palette.ink.alpha(0), palette.edge.alpha(60), palette.disabled),
        ButtonLook::Main => (palette.group(0), palette.group(0), palette.panel),
    };
    picture.polygon(&rounded(area, CORNER), ground);
    rounded_frame(picture, area, Pen::new(edge, 1.0));
    words
}

/// Draws a button with words.
pub(super) fn word_button(
    picture: &mut Picture,
    palette: &Palette,
    area: Area,
    words: &str,
    look: ButtonLook,
) {
    let color = button_ground(picture, palette, area, look);
    let words = cut(words, SMALL, area.width() - 6.0);
    let left = (area.min.x + area.max.x - text_width(&words, SMALL)) / 2.0;
    let at = Vec2::new(left.round(), ((area.min.y + area.max.y) / 2.0).round() + 4.0);
    text(picture, at, Anchor::Left, SMALL, color, &words);
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
