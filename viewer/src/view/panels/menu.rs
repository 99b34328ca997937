//! The menu: the main actions, in words and with their keys. A click does one. The [help](super::help) has all.

use flockwork_engine::math::{self, Vec2};

use super::super::area::Area;
use super::super::ask::Ask;
use super::super::choice::Choice;
use super::super::key::{Key, KeyBinding};
use super::super::layout::Layout;
use super::super::panel::{Escape, Opening, Panel, PanelButton, PanelKey, Position, Scene};
use super::super::panel_drawing::{ground, menu_row, writer};
use super::super::panel_states::PanelId;
use super::super::text_writer::{PAD, SIZE};
use super::super::ui_command::UiCommand;
use super::super::widget::Widget;
use super::{about, expectations, files, help, params, predict, scene};
use crate::draw::Picture;

pub(in super::super) static PANEL: Panel = Panel {
    id: PanelId("menu"),
    opening: Opening::ByHand,
    key: Some(PanelKey {
        keys: &[Key::Char('h')],
        does: "the menu of the main actions",
        before: "zoom_in",
    }),
    button: Some(PanelButton { words: "menu", is_useful: |_| true }),
    position: Position::Own(|scene| Some(area(&scene.layout))),
    widgets,
    draw,
    escape: Escape::First,
    ..Panel::DEFAULT
};

/// The main actions, in words for someone who has not seen the window before.
const ROWS: &[(&str, UiCommand)] = &[
    ("pause or play", UiCommand::TogglePause),
    ("run again from the beginning", UiCommand::RerunAll),
    ("find anything: an agent, a word, an action", UiCommand::Ask(Ask::Choice)),
    ("open another scenario", UiCommand::ListScenarios),
    ("what the scenario is about", about::PANEL.toggle()),
    ("read and change the scripts", files::PANEL.toggle()),
    ("change params", params::PANEL.toggle()),
    ("show the selected force alone, from the beginning", UiCommand::OnlyWeightFromStart),
    ("change the scene by mouse", scene::PANEL.toggle()),
    ("compare your params with those of the file", UiCommand::CompareParams),
    ("use the params of the file, or yours again", UiCommand::SwapParams),
    ("keep this run to compare later ones with it", UiCommand::ToggleGhost),
    ("plot something over time", UiCommand::NextPlot),
    ("color agents by their speed or something else", UiCommand::NextColors),
    ("show the forces of all agents", UiCommand::Forces),
    ("show how the forces on an agent add up", UiCommand::ChainForces),
    ("show where agents have been", UiCommand::Trails),
    ("predict where the selected agent will be", predict::PANEL.toggle()),
    ("show it to an audience: everything larger", UiCommand::Present),
    ("see what the scenario expects", expectations::PANEL.toggle()),
    ("save from here, as a scenario or a test", UiCommand::Ask(Ask::Save { is_test: false })),
    ("make a small test of what fails", UiCommand::SaveSmall),
    ("write changed params and scripts to their files", UiCommand::Write),
    ("write a picture of the window", UiCommand::TakePicture),
    ("record a film of the window, or end it", UiCommand::Record),
    ("all actions and their keys", help::PANEL.toggle()),
];
/// What is not an action of a key.
const FIRST: &str = "a click on an agent shows why it moves as it does";
/// Height of a row, in pixels.
const ROW: f32 = 24.0;
/// Width, in pixels.
const WIDTH: f32 = 460.0;

/// Returns the words that the menu has for a command; empty if it has none.
pub(in super::super) fn words_of(command: UiCommand) -> &'static str {
    let row = ROWS.iter().find(|(_, of)| *of == command);
    row.map_or("", |(words, _)| words)
}

/// Returns its area: above its button.
fn area(layout: &Layout) -> Area {
    let end = layout.status.max.x;
    let bottom = math::max(layout.strip.min.y, 1.0);
    let wanted = Vec2::new(WIDTH, (ROWS.len() + 1) as f32 * ROW + 2.0 * PAD);
    let size = wanted.min(Vec2::new(math::max(end, 1.0), bottom));
    Area::new(end - size.x, bottom - size.y, size.x, size.y)
}

/// Returns the rows that there is room for, with their areas and the actions of their keys. The last row always has room.
fn rows<'s>(
    scene: &Scene<'s>,
    area: Area,
) -> Vec<(&'static str, UiCommand, Option<&'s KeyBinding>, Area)> {
    let room = (math::max(area.height() - 2.0 * PAD, 0.0) / ROW + 0.01) as usize;
    let hidden = (ROWS.len() + 1).saturating_sub(room).min(ROWS.len() - 1);
    let left_out = ROWS.len() - 1 - hidden..ROWS.len() - 1;
    let shown = ROWS.iter().enumerate().filter(|(number, _)| !left_out.contains(number));
    let row = |(number, (_, (words, command))): (usize, (usize, &(&'static str, UiCommand)))| {
        let top = area.min.y + PAD + (number + 1) as f32 * ROW;
        let row = Area::new(area.min.x + 1.0, top, area.width() - 2.0, ROW);
        (*words, *command, scene.keys.of_command(*command), row)
    };
    shown.enumerate().map(row).collect()
}

fn widgets(scene: &Scene<'_>, area: Area) -> Vec<Widget> {
    let mut all = vec![Widget::background(area).tip("esc: close")];
    for (_, command, binding, row) in rows(scene, area) {
        let place = scene.keys.all().position(|one| Some(one) == binding);
        // What has no key is an action, too.
        let command = place.map_or(command, |place| UiCommand::Choose(Choice::Action(place)));
        let tip = binding.map_or_else(String::new, |binding| binding.does.to_owned());
        let widget = Widget::clickable(row, command);
        all.push(if tip.is_empty() { widget } else { widget.tip(tip) });
    }
    all
}

fn draw(picture: &mut Picture, scene: &Scene<'_>, area: Area) {
    let palette = scene.palette();
    picture.fill_rect(area.min, area.max, palette.panel.alpha(255));
    ground(picture, area, palette);
    let mut writer = writer(picture, area);
    writer.base = area.min.y + PAD + 16.5;
    writer.at(writer.left, SIZE, palette.quiet, FIRST);
    for (words, _, binding, row) in rows(scene, area) {
        let label = binding.map_or("", |binding| &binding.label);
        menu_row(&mut writer, palette, row, words, label);
    }
}
