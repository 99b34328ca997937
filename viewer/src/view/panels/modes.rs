//! The modes that are on, such as one force alone, each with a button that ends it. Their keys are hard to guess.

use flockwork_engine::live::is_off;
use flockwork_engine::math::{self, Vec2};
use flockwork_engine::world::{GroupId, Value};

use super::super::area::Area;
use super::super::command::PlayerCommand;
use super::super::key_caps;
use super::super::layout::Layout;
use super::super::panel::{Panel, Position, Scene};
use super::super::panel_drawing::{ButtonLook, button_ground};
use super::super::panel_states::PanelId;
use super::super::text_writer::SMALL;
use super::super::tune;
use super::super::ui::Ui;
use super::super::ui_command::UiCommand;
use super::super::view_state::ViewState;
use super::super::widget::Widget;
use super::remarks;
use crate::draw::{Anchor, Picture, text, text_width};

pub(in super::super) static PANEL: Panel = Panel {
    id: PanelId("modes"),
    position: Position::Own(area),
    widgets,
    draw,
    is_solid: false,
    needs_run: true,
    ..Panel::DEFAULT
};

/// The room of the scale bar below, in pixels.
const SCALE_BAR: f32 = 40.0;
/// Distance of the words from the edges of a button, of its key from the words, and of two buttons, in pixels.
const PAD: f32 = 9.0;
const KEY_GAP: f32 = 7.0;
const GAP: f32 = 4.0;

/// A mode that is on.
struct Mode {
    words: String,
    /// What ends it, and the key that does the same.
    ends: UiCommand,
    key: &'static str,
}

impl Mode {
    fn width(&self) -> f32 {
        let keys = key_caps::width(self.key);
        let keys = if keys > 0.0 { keys + KEY_GAP } else { 0.0 };
        (text_width(&self.words, SMALL) + keys + 2.0 * PAD).ceil()
    }
}

/// Returns the only weight of a group that is not switched off, if others are that are on in the scenario file.
fn only_weight(state: &ViewState, group: GroupId) -> Option<&str> {
    let file = state.file_params.get(&*state.world.group(group).name)?;
    let weights = state.params[usize::from(group.0)].iter().filter(|(param, value)| {
        let is_number = matches!(value, Value::Int(_) | Value::Float(_) | Value::Drawn(_));
        is_number && state.param_note(group, param).is_some_and(|note| note.is_weight)
    });
    let (off, on): (Vec<_>, Vec<_>) = weights.partition(|(_, value)| is_off(value));
    let is_switched_off = |param: &str| file.get(param).is_some_and(|value| !is_off(value));
    let [(only, _)] = on[..] else { return None };
    off.iter().any(|(param, _)| is_switched_off(param)).then_some(only)
}

/// Returns the modes that are on.
fn modes(scene: &Scene<'_>) -> Vec<Mode> {
    let Scene { ui, state, keys, .. } = scene;
    let key = |command| keys.of_command(command).map_or("", |binding| &binding.label);
    let (seed, file_seed) = (state.world.seed, state.file_seed);
    let seed = (seed != file_seed).then(|| Mode {
        words: format!("seed {seed} - back to {file_seed}"),
        ends: UiCommand::FileSeed,
        key: key(UiCommand::FileSeed),
    });
    let usual = |words: &str, ends| Mode { words: format!("{words} - end"), ends, key: key(ends) };
    let (shown, params) = ui.params(state);
    let selected = tune::knobs(params).into_iter().nth(ui.param);
    let groups = (0..).map(GroupId).take(state.world.groups.len());
    let mut all: Vec<Mode> = groups
        .filter_map(|group| {
            let only = only_weight(state, group)?;
            // The key is about the selected param.
            let has_key =
                shown == group && selected.as_ref().is_some_and(|knob| knob.param == only);
            let of = match state.world.groups.len() {
                1 => String::new(),
                _ => format!(" of {}", state.world.group(group).name),
            };
            let words = format!("one force: {only}{of} - end");
            let key = if has_key { key(UiCommand::OnlyWeight) } else { "" };
            Some(Mode { words, ends: UiCommand::EndOnlyWeight(group), key })
        })
        .chain(seed)
        .collect();
    if ui.has_chain && state.next_turn.is_some() {
        all.push(usual("forces add up", UiCommand::ChainForces));
    }
    if ui.is_following && (state.next_turn.is_some() || state.absent.is_some()) {
        all.push(usual("agent in the center", UiCommand::Follow));
    }
    all
}

fn area(scene: &Scene<'_>) -> Option<Area> {
    let modes = modes(scene);
    let wanted = modes.iter().map(Mode::width).fold(0.0, math::max);
    let height = modes.len() as f32 * (Widget::MIN_SIDE + GAP) - GAP;
    let bottom = scene.layout.bottom - SCALE_BAR - Layout::GAP;
    // In a narrow world, remarks are there.
    let remarks = remarks::area(scene).filter(|area| area.min.x < Layout::GAP + wanted);
    let bottom = remarks.map_or(bottom, |area| math::min(bottom, area.min.y - GAP));
    let room = scene.layout.world.0 as f32 - 2.0 * Layout::GAP;
    let has_room = !modes.is_empty() && wanted <= room && bottom - height > scene.layout.messages;
    has_room.then(|| Area::new(Layout::GAP, bottom - height, wanted, height))
}

/// Returns the modes with their buttons.
fn buttons(scene: &Scene<'_>, area: Area) -> impl Iterator<Item = (Mode, Area)> {
    modes(scene).into_iter().enumerate().map(move |(number, mode)| {
        let top = area.min.y + number as f32 * (Widget::MIN_SIDE + GAP);
        let button = Area::new(area.min.x, top, mode.width(), Widget::MIN_SIDE);
        (mode, button)
    })
}

fn widgets(scene: &Scene<'_>, area: Area) -> Vec<Widget> {
    let widget = |(mode, button): (Mode, Area)| {
        let widget = Widget::clickable(button, mode.ends);
        match mode.ends {
            UiCommand::EndOnlyWeight(_) => widget.tip("switch the other weights on again"),
            UiCommand::FileSeed => widget.tip("run again with the seed of the scenario file"),
            _ => widget,
        }
    };
    buttons(scene, area).map(widget).collect()
}

fn draw(picture: &mut Picture, scene: &Scene<'_>, area: Area) {
    let palette = scene.palette();
    for (mode, button) in buttons(scene, area) {
        picture.fill_rect(button.min + 1.0, button.max - 1.0, palette.panel.alpha(255));
        let color = button_ground(picture, palette, button, ButtonLook::On);
        let base = button.min.y + 16.0;
        let at = Vec2::new(button.min.x + PAD, base);
        text(picture, at, Anchor::Left, SMALL, color, &mode.words);
        let right = button.max.x - PAD - key_caps::width(mode.key);
        key_caps::draw(picture, palette, Vec2::new(right, base), color, mode.key);
    }
}

impl Ui {
    /// Switches all weights of a group on again, if only one is on.
    pub(in super::super) fn end_only_weight(
        &self,
        state: &ViewState,
        group: GroupId,
    ) -> Vec<PlayerCommand> {
        let Some(param) = only_weight(state, group) else { return Vec::new() };
        let (group, param) = (state.world.group(group).name.to_string(), param.to_owned());
        vec![PlayerCommand::OnlyWeight { group, param }]
    }
}
