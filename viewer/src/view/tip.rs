//! The tooltip: the effect of the widget under the pointer, and its key.

use flockwork_engine::math::{self, Vec2};

use super::area::Area;
use super::panel::Scene;
use super::panel_drawing::ground;
use super::text_writer::{LINE, SMALL, wrap};
use super::widget::Widget;
use crate::draw::{Anchor, Picture, text, text_width};

/// Maximum width of the words, in pixels.
const WIDTH: f32 = 300.0;
/// Distance of the words from the edge, in pixels.
const PAD: Vec2 = Vec2::new(9.0, 5.0);
/// Distance from the widget, in pixels.
const GAP: f32 = 6.0;

/// Draws the tooltip of a widget, above it, or below it if there is no room above.
pub(super) fn draw(picture: &mut Picture, scene: &Scene<'_>, widget: &Widget) {
    let (Some(words), key) = widget.tip_words() else {
        return;
    };
    let palette = scene.palette();
    let size = Vec2::new(scene.ui.size.0 as f32, scene.ui.size.1 as f32);
    let lines = wrap(words, SMALL, math::min(WIDTH, size.x - 2.0 * PAD.x));
    let key = key.map(|key| format!("key: {key}"));
    let all = lines.iter().copied().chain(key.as_deref());
    let widest = all.map(|line| text_width(line, SMALL)).fold(0.0, math::max);
    let count = lines.len() + usize::from(key.is_some());
    let outer = Vec2::new(widest, count as f32 * LINE - 3.0) + 2.0 * PAD;
    let area = area_near(widget.area, scene.ui.pointer, outer, size);
    ground(picture, area, palette);
    let mut base = area.min.y + PAD.y + SMALL;
    let mut write = |words: &str, color| {
        let at = Vec2::new(area.min.x + PAD.x, base);
        text(picture, at, Anchor::Left, SMALL, color, words);
        base += LINE;
    };
    lines.iter().for_each(|line| write(line, palette.ink));
    if let Some(key) = key {
        write(&key, palette.quiet);
    }
}

/// Returns the area of a tooltip of a size, within a window of a size.
fn area_near(widget: Area, pointer: Vec2, outer: Vec2, size: Vec2) -> Area {
    let middle = (widget.min + widget.max) / 2.0;
    // On something long, such as the time bar, the tooltip is at the pointer.
    let x = if widget.width() > outer.x { pointer.x } else { middle.x };
    let above = widget.min.y - GAP - outer.y;
    let y = if above >= 0.0 { above } else { widget.max.y + GAP };
    let corner = Vec2::new(x - outer.x / 2.0, y);
    let min = corner.min(size - outer).max(Vec2::ZERO).round();
    Area { min, max: min + outer }
}
