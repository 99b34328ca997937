//! The tooltip: the effect of the widget under the pointer, and its key.

use flockwork_engine::math::{self, Vec2};

use super::area::Area;
use super::code_words::CodeWords;
use super::key_caps;
use super::panel::Scene;
use super::panel_drawing::floating_ground;
use super::text_writer::{LINE, SMALL, wrap};
use super::widget::Widget;
use crate::draw::{Picture, text_width};

/// Maximum width of the words, in pixels.
const WIDTH: f32 = 300.0;
/// Distance of the words from the edge, in pixels.
const PAD: Vec2 = Vec2::new(9.0, 5.0);
/// What is before the keys.
const KEYS: &str = "key:";
/// Distance from the widget, in pixels.
const GAP: f32 = 6.0;

/// Draws the tooltip of a widget: beside the column of panels, else above the widget, or below it if there is no room above. If a menu is open
/// in an area, it is beside that, or nowhere.
pub(super) fn draw(picture: &mut Picture, scene: &Scene<'_>, widget: &Widget, menu: Option<Area>) {
    let (Some(words), key) = widget.tip_words() else {
        return;
    };
    let palette = scene.palette();
    let size = Vec2::new(scene.ui.size.0 as f32, scene.ui.size.1 as f32);
    let width = math::min(WIDTH, size.x - 2.0 * PAD.x);
    let lines: Vec<&str> = words.lines().flat_map(|line| wrap(line, SMALL, width)).collect();
    let widest = lines.iter().map(|line| text_width(line, SMALL));
    let widest = widest.chain(key.map(|key| keys_start() + key_caps::width(key)));
    let widest = widest.fold(0.0, math::max);
    let count = lines.len() + usize::from(key.is_some());
    let outer = Vec2::new(widest, count as f32 * LINE - 3.0) + 2.0 * PAD;
    let column = scene.layout.column.filter(|column| column.contains(widget.area.min));
    let beside = column.filter(|column| column.min.x >= outer.x + GAP);
    let area = match (menu, beside) {
        (Some(menu), _) => area_outside(widget.area, menu, outer, size),
        (None, Some(column)) => Some(area_beside(widget.area, column.min.x, outer, size)),
        (None, None) => Some(area_near(widget.area, scene.ui.pointer, outer, size)),
    };
    let Some(area) = area else { return };
    floating_ground(picture, area, palette, 255);
    let mut base = area.min.y + PAD.y + SMALL;
    let mut code = CodeWords::default();
    let mut write = |words: &str, color| {
        let at = Vec2::new(area.min.x + PAD.x, base);
        code.draw(picture, at, SMALL, color, words);
        base += LINE;
    };
    lines.iter().for_each(|line| write(line, palette.ink));
    if let Some(key) = key {
        write(KEYS, palette.quiet);
        let at = Vec2::new(area.min.x + PAD.x + keys_start(), base - LINE);
        key_caps::draw(picture, palette, at, palette.quiet, key);
    }
}

/// Returns where the keys begin behind the word for them, in pixels.
fn keys_start() -> f32 {
    text_width(KEYS, SMALL) + 5.0
}

/// Returns the area of a tooltip of a size beside a menu, or above or below it. `None` if there is room nowhere.
fn area_outside(widget: Area, menu: Area, outer: Vec2, size: Vec2) -> Option<Area> {
    let above = menu.min.y - GAP - outer.y;
    let sides = [
        area_beside(widget, menu.min.x, outer, size),
        area_beside(widget, menu.max.x + outer.x + 2.0 * GAP, outer, size),
        Area::new(menu.min.x, above, outer.x, outer.y),
        Area::new(menu.min.x, menu.max.y + GAP, outer.x, outer.y),
    ];
    let is_free = |area: &Area| {
        let is_inside = area.min.cmpge(Vec2::ZERO).all() && area.max.cmple(size).all();
        is_inside && !area.overlaps(menu)
    };
    sides.into_iter().find(is_free)
}

/// Returns the area of a tooltip of a size to the left of an x coordinate, beside a widget, where it covers no other row.
fn area_beside(widget: Area, end: f32, outer: Vec2, size: Vec2) -> Area {
    let top = (widget.min.y + widget.max.y - outer.y) / 2.0;
    let corner = Vec2::new(end - GAP - outer.x, top);
    let min = corner.min(size - outer).max(Vec2::ZERO).round();
    Area { min, max: min + outer }
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The tooltip of a row lay over the row above it.
    #[test]
    fn a_tooltip_in_the_column_covers_no_row() {
        let size = Vec2::new(1280.0, 800.0);
        let column = Area::new(900.0, 0.0, 380.0, 700.0);
        for top in [0.0, 300.0, 676.0] {
            let row = Area::new(906.0, top, 374.0, 24.0);
            let area = area_beside(row, column.min.x, Vec2::new(200.0, 40.0), size);
            assert!(area.max.x < column.min.x && area.min.x > 0.0, "{area:?}");
            assert!(area.min.y >= 0.0 && area.max.y <= size.y, "{area:?}");
        }
    }

    /// The tooltip of a row of a menu lay over other rows, and so did that of a button beside the menu.
    #[test]
    fn a_tooltip_covers_no_menu() {
        let (size, outer) = (Vec2::new(1280.0, 800.0), Vec2::new(300.0, 60.0));
        let menus = [
            Area::new(470.0, 300.0, 810.0, 400.0),
            Area::new(100.0, 300.0, 900.0, 300.0),
            Area::new(0.0, 100.0, 300.0, 600.0),
        ];
        for menu in menus {
            for widget in [
                menu.between(menu.min.y + 48.0, menu.min.y + 72.0),
                Area::new(900.0, 770.0, 60.0, 24.0),
            ] {
                let area = area_outside(widget, menu, outer, size).expect("room");
                assert!(!area.overlaps(menu), "{menu:?}: {area:?}");
            }
        }
        let all = Area::new(0.0, 30.0, 1280.0, 740.0);
        assert_eq!(area_outside(all, all, outer, size), None);
    }
}
