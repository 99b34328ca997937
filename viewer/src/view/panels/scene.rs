//! The panel with the actions while the scene is edited.

use flockwork_engine::math::{self, Vec2};

use super::super::area::Area;
use super::super::key::Key;
use super::super::layout::Layout;
use super::super::panel::{Escape, Opening, Panel, PanelKey, Position, Scene};
use super::super::panel_drawing::{ButtonLook, button_ground, scroll_bar, section, writer};
use super::super::panel_states::PanelId;
use super::super::scene_editor::{SceneEditor, Tool};
use super::super::text_writer::{PAD, SIZE, SMALL};
use super::super::ui_command::UiCommand;
use super::super::widget::Widget;
use crate::draw::Picture;

pub(in super::super) static PANEL: Panel = Panel {
    id: PanelId("scene"),
    opening: Opening::ByHand,
    key: Some(PanelKey {
        keys: &[Key::Char('e')],
        does: "edit the scene by mouse, on or off",
        before: "remove",
    }),
    position: Position::Column(|_, _, _| Some(HEIGHT)),
    widgets,
    draw,
    escape: Escape::InTurn,
    // First the tool, then the selection, then the panel.
    step_back: |ui, state| {
        let mut editor = ui.editor.iter_mut();
        editor.any(|editor| editor.tool.take().is_some() || editor.deselect(state))
    },
    on_toggle: |ui, is_open| {
        ui.editor = is_open.then(SceneEditor::default);
        None
    },
    needs_run: true,
    max_scroll: |scene| scene.layout.area(PANEL.id).map_or(0.0, |area| hidden(area) as f32),
    ..Panel::DEFAULT
};

/// The rows: their words, what they do, and their tooltips.
const ROWS: [(&str, UiCommand, &str); 8] = [
    ("add a round obstacle", UiCommand::Tool(Tool::Obstacle), "then click its place"),
    ("add a box", UiCommand::Tool(Tool::Box), "then click its place"),
    ("add a point to a path", UiCommand::Tool(Tool::PathPoint), "then click its place"),
    ("add a goal", UiCommand::Tool(Tool::Goal), ADD),
    ("add an agent", UiCommand::Tool(Tool::Agent), ADD),
    ("remove the selected mark", UiCommand::RemoveMark, "remove what is selected"),
    ("undo", UiCommand::Undo, "undo what was done last by hand"),
    ("redo", UiCommand::Redo, "do it again"),
];

const ADD: &str = "then click its place; for the group of the selected mark or agent";

/// Height of what is above the rows, and of the whole panel, in pixels.
const HEAD: f32 = 54.0;
const HEIGHT: f32 = HEAD + ROWS.len() as f32 * Layout::ROW + 8.0;

/// Returns the number of rows that are beside each other: two if there is no room for all below each other.
fn columns(area: Area) -> usize {
    if area.height() + 0.5 < HEIGHT { 2 } else { 1 }
}

/// Returns the number of lines of rows for which there is no room.
fn hidden(area: Area) -> usize {
    let room = math::max((area.height() - HEAD) / Layout::ROW + 0.01, 1.0) as usize;
    (ROWS.len() / columns(area)).saturating_sub(room)
}

/// Returns the rows for which there is room.
fn rows(
    scene: &Scene<'_>,
    area: Area,
) -> impl Iterator<Item = (Area, &'static (&'static str, UiCommand, &'static str))> {
    let columns = columns(area);
    let lines = ROWS.len() / columns;
    let (first, shown) = (scene.ui.panels.scroll(PANEL.id) as usize, lines - hidden(area));
    let first = first.min(hidden(area));
    let width = (area.width() - 2.0) / columns as f32;
    let row = move |(number, of): (usize, &'static (&'static str, UiCommand, &'static str))| {
        let (column, line) = (number / lines, (number % lines).checked_sub(first)?);
        let top = area.min.y + HEAD + line as f32 * Layout::ROW;
        let left = area.min.x + 1.0 + column as f32 * width;
        (line < shown).then(|| (Area::new(left, top, width, Layout::ROW), of))
    };
    ROWS.iter().enumerate().filter_map(row)
}

/// Returns why a row does nothing now. `None` if it does something.
fn why_not(scene: &Scene<'_>, command: UiCommand) -> Option<String> {
    let editor = scene.ui.editor.as_ref()?;
    match command {
        UiCommand::Tool(tool) => editor.why_not(tool, &scene.ui.edited_scene(scene.state)),
        UiCommand::Undo if !scene.state.can_undo => Some("nothing to undo".to_owned()),
        UiCommand::Redo if !scene.state.can_redo => Some("nothing to redo".to_owned()),
        UiCommand::RemoveMark if editor.selected(scene.state).is_none() => {
            Some("nothing is selected: click a mark".to_owned())
        }
        _ => None,
    }
}

/// Returns the words of a row, with the group that it is about.
fn words_of(scene: &Scene<'_>, words: &str, command: UiCommand) -> String {
    let group = match (&scene.ui.editor, command) {
        (Some(editor), UiCommand::Tool(tool)) => {
            editor.group(tool, &scene.ui.edited_scene(scene.state))
        }
        _ => None,
    };
    group.map_or_else(|| words.to_owned(), |group| format!("{words} for {group}"))
}

fn widgets(scene: &Scene<'_>, area: Area) -> Vec<Widget> {
    let widget = |(row, (_, command, tip)): (Area, &(&str, UiCommand, &'static str))| match why_not(
        scene, *command,
    ) {
        Some(why) => Widget::gray(row, why),
        None => Widget::clickable(row, *command).tip(*tip),
    };
    let scrolls = |widget: Widget| widget.scrolls(PANEL.id, 1);
    [Widget::background(area)]
        .into_iter()
        .chain(rows(scene, area).map(widget))
        .map(scrolls)
        .collect()
}

fn draw(picture: &mut Picture, scene: &Scene<'_>, area: Area) {
    let palette = scene.palette();
    section(picture, area, palette);
    let Some(editor) = &scene.ui.editor else {
        return;
    };
    let mut writer = writer(picture, area);
    writer.title(writer.left, palette.ink, "edit the scene");
    writer.gap(18.0);
    let how = if editor.tool.is_some() { "click its place" } else { "drag marks, or obstacles" };
    writer.at(writer.left, SMALL, palette.quiet, how);
    for (row, (words, command, _)) in rows(scene, area) {
        let edges = Area {
            min: row.min + Vec2::new(PAD / 2.0, 1.0),
            max: row.max - Vec2::new(PAD / 2.0, 1.0),
        };
        let is_chosen = editor.tool.is_some_and(|tool| *command == UiCommand::Tool(tool));
        let look = match why_not(scene, *command) {
            Some(_) => ButtonLook::Disabled,
            None => ButtonLook::on(is_chosen),
        };
        let color = button_ground(writer.picture, palette, edges, look);
        writer.base = row.min.y + 16.5;
        writer.right = edges.max.x - 4.0;
        let size = if columns(area) > 1 { SMALL } else { SIZE };
        writer.at(edges.min.x + PAD / 2.0, size, color, &words_of(scene, words, *command));
    }
    let lines = ROWS.len() / columns(area);
    let first = (scene.ui.panels.scroll(PANEL.id) as usize).min(hidden(area));
    let visible = first as f32..(first + lines - hidden(area)) as f32;
    let track = area.between(area.min.y + HEAD, area.max.y - 4.0);
    scroll_bar(picture, palette, track, visible, lines as f32);
}
