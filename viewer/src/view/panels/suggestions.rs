//! The list of what can be written at the cursor in a file, below the cursor, or above it where there is no room.

use std::ops::Range;

use flockwork_engine::math::{self, Vec2};
use flockwork_lsp::{Suggestion, TypingHelp};

use super::super::area::Area;
use super::super::file_view::{CODE, cell, point_of, shown_text_area};
use super::super::panel::{Panel, Position, Scene};
use super::super::panel_drawing::{floating_ground, scroll_bar};
use super::super::panel_states::PanelId;
use super::super::text_rows::LINE;
use super::super::text_rows::columns;
use super::super::text_writer::{PAD, SMALL, cut};
use super::super::ui_command::UiCommand;
use super::super::widget::Widget;
use crate::draw::{Anchor, Picture, Typeface, text, text_width};

pub(in super::super) static PANEL: Panel = Panel {
    id: PanelId("suggestions"),
    position: Position::Own(area),
    widgets,
    draw,
    ..Panel::DEFAULT
};

/// Maximum number of suggestions that are shown at a time.
const MAX_ROWS: usize = 9;
/// Distance between a name and what it means, in pixels.
const GAP: f32 = 24.0;

/// Returns what is listed.
fn listed<'s>(scene: &'s Scene<'_>) -> Option<&'s TypingHelp> {
    scene.ui.listed(scene.state)
}

/// Returns the numbers of the suggestions that are shown, the selected one among them.
fn shown(scene: &Scene<'_>, help: &TypingHelp) -> Range<usize> {
    let count = help.suggestions.len();
    let last = scene.ui.files.help.selected.clamp(MAX_ROWS - 1, count.max(MAX_ROWS) - 1);
    last + 1 - MAX_ROWS..(last + 1).min(count)
}

/// Returns the width of the longest name that is shown, with the distance behind it.
fn names_width(all: &[Suggestion]) -> f32 {
    let names = all.iter().map(|one| columns(&one.name)).max().unwrap_or_default();
    names as f32 * cell() + GAP
}

fn area(scene: &Scene<'_>) -> Option<Area> {
    let help = listed(scene)?;
    let Area { min: start, max: end } = shown_text_area(scene)?;
    let at = point_of(scene, help.replaced.start)?;
    let all = &help.suggestions[shown(scene, help)];
    let abouts = all.iter().map(|one| text_width(&one.about, SMALL)).fold(0.0, math::max);
    let width = math::min(names_width(all) + abouts + 2.0 * PAD, end.x - start.x - 2.0 * PAD);
    let height = all.len() as f32 * LINE + PAD;
    let left = math::max(math::min(at.x - PAD, end.x - PAD - width), start.x);
    let (below, above) = (at.y + 6.0, at.y - 14.0 - height);
    let has_room = below + height <= end.y || above < start.y;
    Some(Area::new(left, if has_room { below } else { above }, width, height))
}

/// Returns the rows that are shown, with their numbers.
fn rows(scene: &Scene<'_>, help: &TypingHelp, area: Area) -> impl Iterator<Item = (usize, Area)> {
    shown(scene, help).enumerate().map(move |(row, number)| {
        let top = area.min.y + PAD / 2.0 + row as f32 * LINE;
        (number, Area::new(area.min.x + 1.0, top, area.width() - 2.0, LINE))
    })
}

fn widgets(scene: &Scene<'_>, area: Area) -> Vec<Widget> {
    let Some(help) = listed(scene) else { return Vec::new() };
    let by_wheel = |widget: Widget| {
        widget.wheel(UiCommand::SelectSuggestion(-1), UiCommand::SelectSuggestion(1))
    };
    let row = |(number, row): (usize, Area)| {
        let about = &help.suggestions[number].about;
        let widget = Widget::clickable(row, UiCommand::WriteSuggestion(number));
        by_wheel(if about.is_empty() { widget } else { widget.tip(about) })
    };
    let rows = rows(scene, help, area).map(row);
    [by_wheel(Widget::background(area))].into_iter().chain(rows).collect()
}

fn draw(picture: &mut Picture, scene: &Scene<'_>, area: Area) {
    let Some(help) = listed(scene) else { return };
    let palette = scene.palette();
    floating_ground(picture, area, palette, 255);
    let numbers = shown(scene, help);
    let names = names_width(&help.suggestions[numbers.clone()]);
    let count = help.suggestions.len();
    for (number, row) in rows(scene, help, area) {
        let one = &help.suggestions[number];
        if number == scene.ui.files.help.selected.min(count - 1) {
            picture.fill_rect(row.min, row.max, palette.group(0).alpha(50));
        }
        let at = Vec2::new(area.min.x + PAD, row.min.y + 13.0);
        Typeface::Code.write(picture, at, CODE, palette.ink, &one.name);
        let at = at + Vec2::new(names, 0.0);
        let about = cut(&one.about, SMALL, area.max.x - PAD - at.x);
        text(picture, at, Anchor::Left, SMALL, palette.quiet, &about);
    }
    let visible = numbers.start as f32..numbers.end as f32;
    scroll_bar(picture, palette, area, visible, count as f32);
}
