//! Offers what was typed in a file, was not written, and was left by an earlier window.

use flockwork_engine::math::Vec2;

use super::super::area::Area;
use super::super::copies::CopyAction;
use super::super::panel::{Escape, Opening, Panel, Position, Scene};
use super::super::panel_drawing::{BUTTON_GAP, ButtonLook, ground, word_button, word_button_width};
use super::super::panel_states::PanelId;
use super::super::text_writer::{PAD, SIZE, cut};
use super::super::ui_command::UiCommand;
use super::super::widget::Widget;
use crate::draw::{Anchor, Picture, text};

pub(in super::super) static PANEL: Panel = Panel {
    id: PanelId("unwritten"),
    opening: Opening::ByHand,
    position: Position::Bottom(|_| HEIGHT),
    widgets: |_, area| {
        let button =
            |(_, action, tip, area)| Widget::clickable(area, UiCommand::ActOnCopy(action)).tip(tip);
        buttons(area).into_iter().map(button).collect()
    },
    draw,
    // The copies stay, so the next window offers them again.
    escape: Escape::InTurn,
    ..Panel::DEFAULT
};

/// Height in pixels.
const HEIGHT: f32 = 34.0;

/// Returns the buttons at the end of the line: their words, what they do, and what their tooltips say.
fn buttons(area: Area) -> Vec<(&'static str, CopyAction, &'static str, Area)> {
    let all = [
        ("later", CopyAction::Later, "the next window asks again"),
        ("drop", CopyAction::Drop, "delete them for good"),
        (
            "restore",
            CopyAction::Restore,
            "put them into the editor, not written yet; ctrl+z there takes it back",
        ),
    ];
    let mut right = area.max.x - PAD;
    let button = |(words, action, tip)| {
        let left = right - word_button_width(words);
        let button = Area::new(left, area.min.y + 5.0, right - left, Widget::MIN_SIDE);
        right = left - BUTTON_GAP;
        (words, action, tip, button)
    };
    all.into_iter().map(button).collect()
}

fn draw(picture: &mut Picture, scene: &Scene<'_>, area: Area) {
    let Some(words) = scene.ui.offer_words() else { return };
    let palette = scene.palette();
    ground(picture, area, palette);
    picture.fill_rect(area.min, Vec2::new(area.min.x + 4.0, area.max.y), palette.highlight);
    let buttons = buttons(area);
    let end = buttons.last().map_or(area.max.x, |(.., area)| area.min.x);
    let at = Vec2::new(area.min.x + PAD, area.min.y + 21.5);
    text(picture, at, Anchor::Left, SIZE, palette.ink, &cut(&words, SIZE, end - PAD - at.x));
    for (words, _, _, button) in buttons {
        word_button(picture, palette, button, words, ButtonLook::Plain);
    }
}
