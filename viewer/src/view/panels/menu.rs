//! The menu: the main actions under headings, in words and with their keys. A click does one. The [help](super::help) has all.

use flockwork_engine::math::{self, Vec2};

use super::super::area::Area;
use super::super::ask::Ask;
use super::super::choice::Choice;
use super::super::columns::columns;
use super::super::key::Key;
use super::super::layout::Layout;
use super::super::menu_rows::menu_row;
use super::super::panel::{Escape, Opening, Panel, PanelButton, PanelKey, Position, Scene};
use super::super::panel_drawing::{floating_ground, scroll_bar, writer};
use super::super::panel_states::PanelId;
use super::super::text_writer::{PAD, SIZE};
use super::super::ui_command::UiCommand;
use super::super::widget::Widget;
use super::{about, expectations, files, help, log, params, predict, scene};
use crate::draw::Picture;

pub(in super::super) static PANEL: Panel = Panel {
    id: PanelId("menu"),
    opening: Opening::ByHand,
    key: Some(PanelKey {
        keys: &[Key::Char('h')],
        does: "the menu of the main actions",
        before: "zoom_in",
    }),
    button: Some(PanelButton::new("menu")),
    position: Position::Own(|scene| Some(area(&scene.layout))),
    widgets,
    draw,
    is_menu: true,
    escape: Escape::First,
    max_scroll,
    ..Panel::DEFAULT
};

/// The main actions under their headings. Their words are those of the [keys](super::super::keys).
const SECTIONS: &[(&str, &[UiCommand])] = &[
    (
        "Run",
        &[
            UiCommand::TogglePause,
            UiCommand::RerunAll,
            UiCommand::AnotherRun,
            UiCommand::Ask(Ask::Seed),
            UiCommand::TypeCount,
            about::PANEL.toggle(),
            UiCommand::ListScenarios,
        ],
    ),
    (
        "Look",
        &[
            UiCommand::Ask(Ask::Find),
            UiCommand::Follow,
            UiCommand::Fit,
            UiCommand::SwapColors,
            UiCommand::Present,
        ],
    ),
    (
        "Show",
        &[
            UiCommand::Trails,
            UiCommand::Forces,
            UiCommand::ChainForces,
            UiCommand::Field,
            UiCommand::NextColors,
            predict::PANEL.toggle(),
            log::PANEL.toggle(),
        ],
    ),
    (
        "Change",
        &[
            params::PANEL.toggle(),
            UiCommand::OnlyWeightFromStart,
            files::PANEL.toggle(),
            scene::PANEL.toggle(),
            UiCommand::ShowGroups,
            UiCommand::Ask(Ask::NewScript),
            UiCommand::Write,
        ],
    ),
    (
        "Measure and compare",
        &[
            UiCommand::PlotsAndList,
            expectations::PANEL.toggle(),
            UiCommand::CompareParams,
            UiCommand::KeepParams,
            UiCommand::SwapParams,
            UiCommand::ToggleGhost,
        ],
    ),
    (
        "Save",
        &[
            UiCommand::Ask(Ask::Save { is_test: false }),
            UiCommand::SaveSmall,
            UiCommand::TakePicture,
            UiCommand::Record,
        ],
    ),
    ("Help", &[UiCommand::Ask(Ask::Choice), help::PANEL.toggle()]),
];
/// What is not an action of a key.
const FIRST: &str = "a click on an agent shows why it moves as it does";
/// Height of a row, in pixels.
const ROW: f32 = 24.0;
/// Width of a column, and the distance of two columns, in pixels.
const COLUMN: f32 = 400.0;
const COLUMN_GAP: f32 = 10.0;

/// A row of the menu.
#[derive(Clone, Copy)]
enum Row {
    Heading(&'static str),
    Action(UiCommand),
}

/// Returns the rows of each column: two columns, if a width has room for them.
fn columns_of(width: f32) -> Vec<Vec<Row>> {
    let section = |(title, rows): &(&'static str, &[UiCommand])| {
        let rows = rows.iter().copied().map(Row::Action);
        [Row::Heading(title)].into_iter().chain(rows).collect()
    };
    let sections: Vec<Vec<Row>> = SECTIONS.iter().map(section).collect();
    columns(&sections, if width >= 2.0 * COLUMN + COLUMN_GAP { 2 } else { 1 })
}

/// Returns the number of rows of the longest column.
fn row_count(columns: &[Vec<Row>]) -> usize {
    columns.iter().map(Vec::len).max().unwrap_or(0)
}

/// Returns its area: above its button.
fn area(layout: &Layout) -> Area {
    let end = layout.status.max.x;
    let bottom = math::max(layout.strip.min.y, 1.0);
    let columns = columns_of(end);
    let width = columns.len() as f32 * (COLUMN + COLUMN_GAP) - COLUMN_GAP;
    let wanted = Vec2::new(width, (row_count(&columns) + 1) as f32 * ROW + 2.0 * PAD);
    let size = wanted.min(Vec2::new(math::max(end, 1.0), bottom));
    Area::new(end - size.x, bottom - size.y, size.x, size.y)
}

/// Returns how many rows of a column an area has room for, below the first line.
fn visible_rows(area: Area) -> usize {
    ((math::max(area.height() - 2.0 * PAD, 0.0) / ROW + 0.01) as usize).saturating_sub(1)
}

fn max_scroll(scene: &Scene<'_>) -> f32 {
    let area = area(&scene.layout);
    row_count(&columns_of(area.max.x)).saturating_sub(visible_rows(area)) as f32
}

/// Returns the visible rows with their areas.
fn rows(scene: &Scene<'_>, area: Area) -> Vec<(Row, Area)> {
    let columns = columns_of(area.max.x);
    let width = area.width() / columns.len() as f32;
    let count = visible_rows(area);
    let scroll = math::min(scene.ui.panels.scroll(PANEL.id), max_scroll(scene)) as usize;
    let column = |(number, column): (usize, Vec<Row>)| {
        let left = area.min.x + 1.0 + number as f32 * width;
        let visible = column.into_iter().skip(scroll).take(count).enumerate();
        let place = move |(index, row)| {
            let top = area.min.y + PAD + (index + 1) as f32 * ROW;
            (row, Area::new(left, top, width - 2.0, ROW))
        };
        visible.map(place).collect::<Vec<_>>()
    };
    columns.into_iter().enumerate().flat_map(column).collect()
}

fn widgets(scene: &Scene<'_>, area: Area) -> Vec<Widget> {
    let is_cut = max_scroll(scene) > 0.0;
    let scrolls = |widget: Widget| match is_cut {
        true => widget.scrolls(PANEL.id, 1),
        false => widget,
    };
    let mut all = vec![scrolls(Widget::background(area).tip("esc: close"))];
    for (row, area) in rows(scene, area) {
        let Row::Action(command) = row else { continue };
        let binding = scene.keys.of_command(command);
        let place = scene.keys.all().position(|one| Some(one) == binding);
        // What has no key is an action, too.
        let command = place.map_or(command, |place| UiCommand::Choose(Choice::Action(place)));
        let tip = binding.map_or_else(String::new, |binding| binding.does.to_owned());
        let widget = scrolls(Widget::clickable(area, command));
        all.push(if tip.is_empty() { widget } else { widget.tip(tip) });
    }
    all
}

fn draw(picture: &mut Picture, scene: &Scene<'_>, area: Area) {
    let palette = scene.palette();
    floating_ground(picture, area, palette, 255);
    let mut writer = writer(picture, area);
    writer.base = area.min.y + PAD + 16.5;
    writer.at(writer.left, SIZE, palette.quiet, FIRST);
    for (row, area) in rows(scene, area) {
        (writer.left, writer.right) = (area.min.x + PAD, area.max.x - PAD);
        match row {
            Row::Heading(title) => {
                writer.base = area.min.y + 17.5;
                writer.title(writer.left, palette.accent, title);
            }
            Row::Action(command) => {
                let Some(binding) = scene.keys.of_command(command) else { continue };
                menu_row(&mut writer, palette, area, binding.title(), &binding.label);
            }
        }
    }
    let (all, scroll) = (row_count(&columns_of(area.max.x)), scene.ui.panels.scroll(PANEL.id));
    let scroll = math::min(scroll, max_scroll(scene));
    let end = scroll + visible_rows(area) as f32;
    scroll_bar(writer.picture, palette, area, scroll..end, all as f32);
}
