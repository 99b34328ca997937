//! A word of the reference: how it is written, what it does, and its parameters.

use flockwork_engine::math::{self, Vec2};
use flockwork_engine::script::Entry;

use super::super::area::Area;
use super::super::panel::{Escape, Opening, Panel, Position, Scene};
use super::super::panel_drawing::{ground, scroll_bar, writer};
use super::super::panel_states::PanelId;
use super::super::text_writer::{LINE, PAD, SIZE, SMALL, wrap};
use super::super::ui_command::UiCommand;
use super::super::widget::Widget;
use super::super::words::words;
use crate::draw::Picture;

pub(in super::super) static PANEL: Panel = Panel {
    id: PanelId("word"),
    opening: Opening::ByHand,
    position: Position::Own(|scene| Some(area(scene))),
    widgets: |_, area| {
        let wheel = |steps| UiCommand::Scroll(PANEL.id, steps);
        vec![Widget::background(area).tip("esc: close; wheel: scroll").wheel(wheel(-1), wheel(1))]
    },
    draw,
    escape: Escape::First,
    max_scroll: |scene| hidden_height(scene, area(scene)),
    ..Panel::DEFAULT
};

/// Maximum width, in pixels.
const WIDTH: f32 = 620.0;
/// Height of the title, in pixels.
const TITLE: f32 = 26.0;
/// Distance from the edges of the window, in pixels.
const MARGIN: f32 = 10.0;

/// Returns the paragraphs of an entry, and whether each is quiet.
fn paragraphs(entry: &Entry) -> Vec<(String, bool)> {
    let doc = entry.doc.iter().map(|paragraph| (paragraph.replace('\n', " "), false));
    let params = entry.params.iter().map(|param| {
        let unit = if param.unit.is_empty() { String::new() } else { format!(", {}", param.unit) };
        let default = param.default.as_ref();
        let default = default.map_or_else(String::new, |value| format!("; if left out: {value}"));
        let doc = if param.doc.is_empty() { String::new() } else { format!(". {}", param.doc) };
        (format!("{}: {}{unit}{default}{doc}", param.name, param.takes), true)
    });
    let unit = entry.result_unit;
    let unit = if unit.is_empty() { String::new() } else { format!(", {unit}") };
    let result =
        (!entry.result.is_empty()).then(|| (format!("gives {}{unit}", entry.result), true));
    doc.chain(params).chain(result).collect()
}

fn entry(scene: &Scene<'_>) -> &'static Entry {
    &words()[scene.ui.word.min(words().len() - 1)]
}

/// Returns the height of all paragraphs in a panel of a width.
fn text_height(entry: &Entry, width: f32) -> f32 {
    let lines = |(text, is_quiet): &(String, bool)| {
        let size = if *is_quiet { SMALL } else { SIZE };
        wrap(text, size, width - 2.0 * PAD).len() as f32 * LINE * size / SIZE + 6.0
    };
    paragraphs(entry).iter().map(lines).sum()
}

fn area(scene: &Scene<'_>) -> Area {
    let (width, height) = scene.layout.world;
    let room = Vec2::new(width as f32, height as f32) - 2.0 * MARGIN;
    let width = math::max(math::min(WIDTH, room.x), 1.0);
    let wanted = text_height(entry(scene), width) + TITLE + 2.0 * PAD;
    let size = Vec2::new(width, math::max(math::min(wanted, room.y), 1.0));
    let min = (MARGIN + (room - size) / 2.0).max(Vec2::ZERO).floor();
    Area { min, max: min + size }
}

/// Returns the number of steps that hidden lines can be scrolled by.
fn hidden_height(scene: &Scene<'_>, area: Area) -> f32 {
    let room = area.height() - TITLE - 2.0 * PAD;
    let hidden = text_height(entry(scene), area.width()) - room;
    // Less than a pixel is the error of rounding.
    if hidden > 1.0 { (hidden / LINE).ceil() } else { 0.0 }
}

fn draw(picture: &mut Picture, scene: &Scene<'_>, area: Area) {
    let (palette, entry) = (scene.palette(), entry(scene));
    picture.fill_rect(area.min, area.max, palette.panel.alpha(255));
    ground(picture, area, palette);
    let mut writer = writer(picture, area);
    writer.at(writer.left, SIZE + 1.5, palette.highlight, &entry.signature);
    writer.gap(TITLE);
    writer.start = writer.base - SIZE;
    let last = hidden_height(scene, area);
    let scroll = math::min(scene.ui.panels.scroll(PANEL.id), last);
    writer.gap(-scroll * LINE);
    for (text, is_quiet) in paragraphs(entry) {
        let (size, color) = if is_quiet { (SMALL, palette.quiet) } else { (SIZE, palette.ink) };
        writer.wrapped(size, color, &text);
        writer.gap(6.0);
    }
    if last > 0.0 {
        let (top, end) = (area.min.y + PAD + TITLE, area.max.y - PAD / 2.0);
        let part = (end - top) / (end - top + last * LINE);
        let at = top + scroll / last * (end - top) * (1.0 - part);
        scroll_bar(picture, area, at..at + part * (end - top), palette);
    }
}
