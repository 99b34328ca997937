//! The log: the lines that scripts print with `debug`, and all notices. A click goes to the tick and selects the agent.

use flockwork_engine::math;

use super::super::area::Area;
use super::super::ask::Ask;
use super::super::command::PlayerCommand;
use super::super::key::Key;
use super::super::panel::{Escape, Opening, Panel, PanelKey, Position, Scene};
use super::super::panel_drawing::{ground, writer};
use super::super::panel_states::PanelId;
use super::super::text_writer::SMALL;
use super::super::ui_command::UiCommand;
use super::super::view_state::LogLine;
use super::super::widget::Widget;
use crate::draw::Picture;

pub(in super::super) static PANEL: Panel = Panel {
    id: PanelId("log"),
    opening: Opening::ByHand,
    key: Some(PanelKey {
        keys: &[Key::Char('m')],
        does: "the log: messages of scripts, and notices",
        before: "follow",
    }),
    position: Position::Bottom(|_| HEIGHT),
    widgets,
    draw,
    escape: Escape::Last,
    on_toggle: |ui, is_open| {
        ui.overlays.log = is_open;
        Some(PlayerCommand::SetOverlays(ui.overlays))
    },
    max_scroll: |scene| scene.state.log.len() as f32,
    ..Panel::DEFAULT
};

/// Height in a window that is tall enough, in pixels.
const HEIGHT: f32 = 172.0;
/// Height of a line, in pixels.
const ROW: f32 = 24.0;
/// Width of the column of ticks, in pixels.
const TICKS: f32 = 70.0;

/// Returns the lines to show with their numbers, the oldest first, and their areas.
fn rows<'s>(scene: &'s Scene<'_>, area: Area) -> Vec<(usize, &'s LogLine, Area)> {
    let (filter, scroll) = (scene.ui.panels.filter(PANEL.id), scene.ui.panels.scroll(PANEL.id));
    let lines = scene.state.log.iter().enumerate();
    let lines: Vec<_> = lines.filter(|(_, line)| line.text.contains(filter)).collect();
    let count = (((area.max.y - area.min.y) / ROW) as usize).saturating_sub(1);
    let end = lines.len() - (scroll as usize).min(lines.len().saturating_sub(count));
    let shown = &lines[end.saturating_sub(count)..end];
    let row_area = |row: usize| {
        Area::new(area.min.x + 1.0, area.min.y + (row + 1) as f32 * ROW, area.width() - 2.0, ROW)
    };
    shown.iter().enumerate().map(|(row, (number, line))| (*number, *line, row_area(row))).collect()
}

fn widgets(scene: &Scene<'_>, area: Area) -> Vec<Widget> {
    let scrolls = |widget: Widget| widget.scrolls(PANEL.id, -3);
    let head = Area::new(area.min.x, area.min.y, area.width(), ROW);
    let mut all = vec![scrolls(
        Widget::clickable(head, UiCommand::Ask(Ask::Filter(PANEL.id)))
            .tip("show only lines with a text"),
    )];
    all.extend(rows(scene, area).into_iter().map(|(number, line, area)| {
        let tip = match line.agent {
            Some(agent) => format!("go to tick {} and select agent {agent}", line.tick),
            None => format!("go to tick {}", line.tick),
        };
        scrolls(Widget::clickable(area, UiCommand::GoToLog(number)).tip(tip))
    }));
    all
}

fn draw(picture: &mut Picture, scene: &Scene<'_>, area: Area) {
    let palette = scene.palette();
    ground(picture, area, palette);
    let rows = rows(scene, area);
    let mut writer = writer(picture, area);
    writer.base = area.min.y + 16.5;
    let head = match (scene.ui.panels.filter(PANEL.id), rows.is_empty()) {
        ("", true) => "log: nothing yet; scripts write with `debug(..)`".to_owned(),
        ("", false) => "log".to_owned(),
        (filter, _) => format!("log: lines with `{filter}`"),
    };
    writer.title(writer.left, palette.ink, &head);
    for (_, line, area) in rows {
        writer.base = area.min.y + 16.5;
        let color = if line.is_failure { palette.highlight } else { palette.ink };
        writer.at(writer.left, SMALL, palette.quiet, &format!("tick {}", line.tick));
        let left = math::min(writer.left + TICKS, writer.right);
        writer.at(left, SMALL, color, &line.text);
    }
}
