//! The menu: the main actions under headings, in words and with their keys. A click does one. The [help](super::help) has all.

use flockwork_engine::math::{self, Vec2};

use super::super::area::Area;
use super::super::ask::Ask;
use super::super::choice::Choice;
use super::super::columns::columns;
use super::super::key::Key;
use super::super::layout::Layout;
use super::super::panel::{Escape, Opening, Panel, PanelButton, PanelKey, Position, Scene};
use super::super::panel_drawing::{floating_ground, menu_row, scroll_bar, writer};
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
    max_scroll,
    ..Panel::DEFAULT
};

/// The main actions under their headings, in words for newcomers.
const SECTIONS: &[(&str, &[(&str, UiCommand)])] = &[
    (
        "Run",
        &[
            ("pause or play", UiCommand::TogglePause),
            ("run again from the beginning", UiCommand::RerunAll),
            ("what the scenario is about", about::PANEL.toggle()),
            ("open another scenario", UiCommand::ListScenarios),
        ],
    ),
    (
        "Show",
        &[
            ("color agents by their speed or something else", UiCommand::NextColors),
            ("show the forces of all agents", UiCommand::Forces),
            ("show how the forces on an agent add up", UiCommand::ChainForces),
            ("show where agents have been", UiCommand::Trails),
            ("predict where the selected agent will be", predict::PANEL.toggle()),
            ("show it to an audience: everything larger", UiCommand::Present),
        ],
    ),
    (
        "Change",
        &[
            ("change params", params::PANEL.toggle()),
            ("show the selected force alone, from the start", UiCommand::OnlyWeightFromStart),
            ("read and change the scripts", files::PANEL.toggle()),
            ("change the scene by mouse", scene::PANEL.toggle()),
            ("add another group", UiCommand::ShowGroups),
            ("write changed params and scripts to their files", UiCommand::Write),
        ],
    ),
    (
        "Measure and compare",
        &[
            ("plot something over time, or close the list", UiCommand::PlotsAndList),
            ("see what the scenario expects", expectations::PANEL.toggle()),
            ("compare your params with those of the file", UiCommand::CompareParams),
            ("use the params of the file, or yours again", UiCommand::SwapParams),
            ("keep this run to compare later ones with it", UiCommand::ToggleGhost),
        ],
    ),
    (
        "Save",
        &[
            (
                "save from here, as a scenario or a test",
                UiCommand::Ask(Ask::Save { is_test: false }),
            ),
            ("make a small test of what fails", UiCommand::SaveSmall),
            ("write a picture of the window", UiCommand::TakePicture),
            ("record a film of the window, or end it", UiCommand::Record),
        ],
    ),
    (
        "Help",
        &[
            ("find anything: an agent, a word, an action", UiCommand::Ask(Ask::Choice)),
            ("all actions and their keys", help::PANEL.toggle()),
        ],
    ),
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
    Action(&'static str, UiCommand),
}

/// Returns the words that the menu has for a command; empty if it has none.
pub(in super::super) fn words_of(command: UiCommand) -> &'static str {
    let mut rows = SECTIONS.iter().flat_map(|(_, rows)| *rows);
    rows.find(|(_, of)| *of == command).map_or("", |(words, _)| words)
}

/// Returns the rows of each column: two columns, if a width has room for them.
fn columns_of(width: f32) -> Vec<Vec<Row>> {
    let section = |(title, rows): &(&'static str, &[(&'static str, UiCommand)])| {
        let rows = rows.iter().map(|(words, command)| Row::Action(words, *command));
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
        let Row::Action(_, command) = row else { continue };
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
    picture.fill_rect(area.min, area.max, palette.panel.alpha(255));
    floating_ground(picture, area, palette);
    let mut writer = writer(picture, area);
    writer.base = area.min.y + PAD + 16.5;
    writer.at(writer.left, SIZE, palette.quiet, FIRST);
    for (row, area) in rows(scene, area) {
        (writer.left, writer.right) = (area.min.x + PAD, area.max.x - PAD);
        match row {
            Row::Heading(title) => {
                writer.base = area.min.y + 17.5;
                writer.at(writer.left, SIZE, palette.accent, title);
            }
            Row::Action(words, command) => {
                let label = scene.keys.of_command(command).map_or("", |one| &one.label);
                menu_row(&mut writer, palette, area, words, label);
            }
        }
    }
    let (all, scroll) = (row_count(&columns_of(area.max.x)), scene.ui.panels.scroll(PANEL.id));
    let scroll = math::min(scroll, max_scroll(scene));
    let end = scroll + visible_rows(area) as f32;
    scroll_bar(writer.picture, palette, area, scroll..end, all as f32);
}
