//! What the authors of the scenario and of its scripts say about them: the comments at the beginning of the files.

use super::super::key::Key;
use super::super::panel::{Escape, Opening, Panel, PanelButton, PanelKey, Position, Scene};
use super::super::panel_states::PanelId;
use super::super::reading::{self, Page, Paragraph};

pub(in super::super) static PANEL: Panel = Panel {
    id: PanelId("about"),
    opening: Opening::ByHand,
    key: Some(PanelKey {
        keys: &[Key::F2],
        does: "what the scenario is about: the comments in its files",
        before: "find_action",
    }),
    button: Some(PanelButton {
        is_useful: |state| !state.comments.is_empty(),
        ..PanelButton::new("about")
    }),
    position: Position::Own(|scene| Some(page(scene).area(scene))),
    widgets: |_, area| reading::widgets(area, PANEL.id),
    draw: |picture, scene, area| page(scene).draw(picture, scene, area, PANEL.id),
    escape: Escape::First,
    max_scroll: |scene| page(scene).max_scroll(page(scene).area(scene)),
    ..Panel::DEFAULT
};

fn page(scene: &Scene<'_>) -> Page {
    let mut paragraphs = Vec::new();
    for comment in scene.state.comments.iter() {
        paragraphs.push(Paragraph { text: comment.file.clone(), is_quiet: true });
        let text = comment.paragraphs.iter().cloned();
        paragraphs.extend(text.map(|text| Paragraph { text, is_quiet: false }));
    }
    if paragraphs.is_empty() {
        let text = "no file of this scenario begins with a comment".to_owned();
        paragraphs.push(Paragraph { text, is_quiet: true });
    }
    Page { title: scene.state.name.clone(), paragraphs }
}
