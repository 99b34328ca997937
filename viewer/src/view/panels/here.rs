//! The menu of the right mouse button: what can be done at a place of the world.

use flockwork_engine::math::{self, Vec2};

use super::super::area::Area;
use super::super::choice::Choice;
use super::super::frame;
use super::super::key::KeyBinding;
use super::super::key_caps;
use super::super::menu_rows::menu_row;
use super::super::panel::{Escape, Opening, Panel, Position, Scene};
use super::super::panel_drawing::{floating_ground, writer};
use super::super::panel_states::PanelId;
use super::super::text_writer::{PAD, SIZE};
use super::super::ui::{Here, Ui};
use super::super::ui_command::UiCommand;
use super::super::view_state::ViewState;
use super::super::widget::Widget;
use super::{menu, scene};
use crate::draw::{Picture, text_width};

pub(in super::super) static PANEL: Panel = Panel {
    id: PanelId("here"),
    opening: Opening::ByHand,
    position: Position::Own(area),
    widgets,
    draw,
    is_menu: true,
    escape: Escape::First,
    on_toggle: |ui, is_open| {
        ui.here = ui.here.filter(|_| is_open);
        None
    },
    needs_run: true,
    ..Panel::DEFAULT
};

/// Height of a row, and of what is above and below the rows together, in pixels.
const ROW: f32 = 24.0;
const EDGES: f32 = 8.0;
/// Distance between the words of a row and its key, in pixels.
const GAP: f32 = 28.0;

/// Returns what can be done: the words and the command of each row.
fn rows(scene: &Scene<'_>) -> Vec<(String, UiCommand)> {
    let Some(here) = scene.ui.here else { return Vec::new() };
    let state = scene.state;
    let selected = state.next_turn.as_ref().map(|next_turn| next_turn.id);
    let agent = here.agent.filter(|id| state.world.agents.row(*id).is_some()).map(|id| {
        if selected == Some(id) {
            return (format!("keep agent {id} in the center"), UiCommand::Follow);
        }
        let select = UiCommand::Choose(Choice::Agent(id));
        (format!("select agent {id}, to see why it moves as it does"), select)
    });
    let goal = match &state.next_turn {
        Some(next_turn) => format!("set a goal of {} here", next_turn.group_name),
        None => "set a goal here".to_owned(),
    };
    let named = |command: UiCommand| {
        (scene.keys.of_command(command).map_or("", KeyBinding::title).to_owned(), command)
    };
    let fit = scene.ui.has_moved_view().then_some(UiCommand::Fit);
    let others = [UiCommand::Push, scene::PANEL.toggle()].into_iter().chain(fit);
    let others = others.chain([menu::PANEL.toggle()]).map(named);
    agent.into_iter().chain([(goal, UiCommand::Goal)]).chain(others).collect()
}

/// Returns the name of the key of a command; empty if it has none.
fn key<'s>(scene: &Scene<'s>, command: UiCommand) -> &'s str {
    scene.keys.of_command(command).map_or("", |binding| &binding.label)
}

/// Returns its area: with a corner at the place where it was opened, inside of the window.
fn area(scene: &Scene<'_>) -> Option<Area> {
    let here = scene.ui.here?;
    let rows = rows(scene);
    let width = |(words, command): &(String, UiCommand)| {
        text_width(words, SIZE) + GAP + key_caps::width(key(scene, *command))
    };
    let width = rows.iter().map(width).fold(0.0, math::max).ceil() + 2.0 * PAD;
    let window = Vec2::new(scene.ui.size.0 as f32, scene.ui.size.1 as f32);
    let size = Vec2::new(width, rows.len() as f32 * ROW + EDGES).min(window);
    let corner = here.pixel.min(window - size).max(Vec2::ZERO).floor();
    Some(Area::new(corner.x, corner.y, size.x, size.y))
}

/// Returns the rows that there is room for, with their areas.
fn placed_rows(scene: &Scene<'_>, area: Area) -> impl Iterator<Item = (String, UiCommand, Area)> {
    let place = move |(number, (words, command)): (usize, (String, UiCommand))| {
        let top = area.min.y + EDGES / 2.0 + number as f32 * ROW;
        (words, command, Area::new(area.min.x + 1.0, top, area.width() - 2.0, ROW))
    };
    let all = rows(scene).into_iter().enumerate().map(place);
    all.filter(move |(.., row)| row.max.y <= area.max.y)
}

fn widgets(scene: &Scene<'_>, area: Area) -> Vec<Widget> {
    let background = Widget::background(area).tip("esc: close");
    let rows = placed_rows(scene, area);
    let rows = rows.map(|(words, command, row)| Widget::clickable(row, command).tip(words));
    [background].into_iter().chain(rows).collect()
}

fn draw(picture: &mut Picture, scene: &Scene<'_>, area: Area) {
    let palette = scene.palette();
    floating_ground(picture, area, palette, 255);
    let mut writer = writer(picture, area);
    for (words, command, row) in placed_rows(scene, area) {
        menu_row(&mut writer, palette, row, &words, key(scene, command));
    }
}

impl Ui {
    /// Opens the menu at the pointer.
    pub(in super::super) fn open_here(&mut self, state: &ViewState) {
        let (at, agent) = (self.point_under_pointer(state), self.agent_here(state));
        PANEL.set_open(self, true);
        self.here = Some(Here { pixel: self.pointer, at, agent });
    }

    /// Returns whether the menu is open and the pointer is beside it.
    pub(in super::super) fn is_beside_menu(&self, state: &ViewState) -> bool {
        let area = self.here.and_then(|_| area(&frame::scene(self, state, None)));
        area.is_some_and(|area| !area.contains(self.pointer))
    }

    /// Returns the place in the world that an action is about: where the menu was opened, or else the pointer. `None` if a panel
    /// is under the pointer.
    pub(in super::super) fn place_of_action(&self, state: &ViewState) -> Option<Vec2> {
        match self.here {
            Some(here) => Some(here.at),
            None if self.is_pointer_on_panel(state) => None,
            None => Some(self.point_under_pointer(state)),
        }
    }
}
