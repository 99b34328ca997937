//! The play mode: while this panel is open, the keys of inputs belong to the world. It lists them, and lights those that are down.

use flockwork_engine::math::{self, Vec2};

use super::super::area::Area;
use super::super::command::PlayerCommand;
use super::super::key::Key;
use super::super::layout::Layout;
use super::super::panel::{Escape, Opening, Panel, PanelButton, PanelKey, Position, Scene};
use super::super::panel_drawing::{frame, ground};
use super::super::panel_states::PanelId;
use super::super::text_writer::{SIZE, SMALL, cut};
use super::super::view_state::ViewState;
use crate::draw::{Anchor, Pen, Picture, text, text_width};

pub(in super::super) static PANEL: Panel = Panel {
    id: PanelId("play"),
    opening: Opening::ByHand,
    key: Some(PanelKey {
        keys: &[Key::Char('i')],
        does: "play: keys set the inputs of the world",
        before: "run_again",
    }),
    button: Some(PanelButton { is_useful: has_inputs, ..PanelButton::new("play") }),
    position: Position::Own(area),
    draw,
    escape: Escape::First,
    on_toggle: |_, is_open| Some(PlayerCommand::Play(is_open)),
    why_not: |state| {
        (!has_inputs(state))
            .then_some("there is nothing to play: the scenario declares no `inputs`")
    },
    needs_run: true,
    ..Panel::DEFAULT
};

/// What the panel says first.
const WORDS: &str = "playing: these keys belong to the world, esc ends it";
/// Height of the line with the words, and of that with the inputs, in pixels.
const ROW: f32 = 26.0;
/// Distance from the edge of the panel, and between inputs, in pixels.
const PAD: f32 = 12.0;

fn has_inputs(state: &ViewState) -> bool {
    !state.world.inputs.is_empty()
}

/// Returns the words for each input, and whether it is true.
fn inputs(state: &ViewState) -> impl Iterator<Item = (String, bool)> {
    let all = state.world.inputs.iter();
    all.map(|input| (format!("{}: {}", input.key, input.name), input.is_down))
}

/// Returns the place of the panel: at the bottom, in the middle of the world.
fn area(scene: &Scene<'_>) -> Option<Area> {
    if !has_inputs(scene.state) {
        return None;
    }
    let widths = inputs(scene.state).map(|(words, _)| text_width(&words, SMALL) + 2.0 * PAD);
    let wanted = math::max(widths.sum::<f32>(), text_width(WORDS, SIZE)) + 2.0 * PAD;
    let room = scene.layout.world.0 as f32;
    let width = math::min(wanted.ceil(), room - 2.0 * Layout::GAP);
    let left = ((room - width) / 2.0).round();
    let height = 2.0 * ROW + 4.0;
    let above = scene.layout.bottom - height - Layout::GAP;
    (width > 2.0 * PAD).then(|| Area::new(left, above, width, height))
}

fn draw(picture: &mut Picture, scene: &Scene<'_>, area: Area) {
    let palette = scene.palette();
    let (width, height) = scene.layout.world;
    let light = palette.group(1);
    frame(picture, Area::new(0.0, 0.0, width as f32, height as f32), Pen::new(light, 3.0));
    ground(picture, area, palette);
    frame(picture, area, Pen::new(light, 2.0));
    let words = cut(WORDS, SIZE, area.width() - 2.0 * PAD);
    let at = Vec2::new(area.min.x + PAD, area.min.y + 18.0);
    text(picture, at, Anchor::Left, SIZE, palette.ink, &words);
    let mut left = area.min.x + PAD;
    for (words, is_down) in inputs(scene.state) {
        let room = area.max.x - PAD - left;
        if room <= 0.0 {
            break;
        }
        let words = cut(&words, SMALL, room);
        let width = text_width(&words, SMALL);
        let top = area.min.y + ROW;
        if is_down {
            let min = Vec2::new(left - 5.0, top + 2.0);
            picture.fill_rect(
                min,
                Vec2::new(left + width + 5.0, top + ROW - 3.0),
                light.alpha(110),
            );
        }
        let color = if is_down { palette.ink } else { palette.quiet };
        text(picture, Vec2::new(left, top + 16.0), Anchor::Left, SMALL, color, &words);
        left += width + 2.0 * PAD;
    }
}
