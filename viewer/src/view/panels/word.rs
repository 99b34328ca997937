//! A word of the reference: how it is written, what it does, and its parameters.

use super::super::panel::{Escape, Opening, Panel, Position, Scene};
use super::super::panel_states::PanelId;
use super::super::reading::{self, Page, Paragraph};
use super::super::words::words;

pub(in super::super) static PANEL: Panel = Panel {
    id: PanelId("word"),
    opening: Opening::ByHand,
    position: Position::Own(|scene| Some(page(scene).area(scene))),
    widgets: |_, area| reading::widgets(area, PANEL.id),
    draw: |picture, scene, area| page(scene).draw(picture, scene, area, PANEL.id),
    escape: Escape::First,
    max_scroll: |scene| page(scene).max_scroll(page(scene).area(scene)),
    ..Panel::DEFAULT
};

fn page(scene: &Scene<'_>) -> Page {
    let entry = &words()[scene.ui.word.min(words().len() - 1)];
    let plain = |text: String| Paragraph { text, is_quiet: false };
    let quiet = |text: String| Paragraph { text, is_quiet: true };
    let doc = entry.doc.iter().map(|paragraph| plain(paragraph.replace('\n', " ")));
    let params = entry.params.iter().map(|param| {
        let unit = if param.unit.is_empty() { String::new() } else { format!(", {}", param.unit) };
        let default = param.default.as_ref();
        let default = default.map_or_else(String::new, |value| format!("; if left out: {value}"));
        let doc = if param.doc.is_empty() { String::new() } else { format!(". {}", param.doc) };
        quiet(format!("{}: {}{unit}{default}{doc}", param.name, param.takes))
    });
    let unit = entry.result_unit;
    let unit = if unit.is_empty() { String::new() } else { format!(", {unit}") };
    let result = (!entry.result.is_empty()).then(|| quiet(format!("gives {}{unit}", entry.result)));
    Page { title: entry.signature.clone(), paragraphs: doc.chain(params).chain(result).collect() }
}
