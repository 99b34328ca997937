//! The log: what scripts printed with `debug`, and all notices. A click goes to the tick and selects the agent.

use flockwork_engine::math;

use super::super::frame::{Panel, Scene};
use super::super::layout::Area;
use super::super::question::Ask;
use super::super::text_writer::{SIZE, SMALL};
use super::super::ui_command::UiCommand;
use super::super::view_state::LogLine;
use super::super::widget::Widget;
use super::{ground, writer};
use crate::draw::Picture;

pub(in super::super) static PANEL: Panel =
    Panel { area: |scene| scene.layout.log, widgets, draw, is_solid: true };

/// Height of a line, in pixels.
const ROW: f32 = 24.0;
/// Width of the column of ticks, in pixels.
const TICKS: f32 = 70.0;

/// What the log shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LogView {
    /// Only lines with this text are shown.
    pub(in super::super) filter: String,
    /// The number of lines by which it is scrolled up from the newest.
    pub(in super::super) scroll: usize,
}

/// Returns the lines to show with their numbers, the oldest first, and their areas.
fn rows<'s>(scene: &'s Scene<'_>, area: Area) -> Vec<(usize, &'s LogLine, Area)> {
    let Some(log) = &scene.ui.log else {
        return Vec::new();
    };
    let lines = scene.state.log.iter().enumerate();
    let lines: Vec<_> = lines.filter(|(_, line)| line.text.contains(&log.filter)).collect();
    let count = (((area.max.y - area.min.y) / ROW) as usize).saturating_sub(1);
    let end = lines.len() - log.scroll.min(lines.len().saturating_sub(count));
    let shown = &lines[end.saturating_sub(count)..end];
    let place = |row: usize| {
        Area::new(area.min.x + 1.0, area.min.y + (row + 1) as f32 * ROW, area.width() - 2.0, ROW)
    };
    shown.iter().enumerate().map(|(row, (number, line))| (*number, *line, place(row))).collect()
}

fn widgets(scene: &Scene<'_>, area: Area) -> Vec<Widget> {
    let scrolls = |widget: Widget| widget.wheel(UiCommand::ScrollLog(3), UiCommand::ScrollLog(-3));
    let head = Area::new(area.min.x, area.min.y, area.width(), ROW);
    let mut all = vec![scrolls(
        Widget::place(head, UiCommand::Ask(Ask::LogFilter)).tip("show only lines with a text"),
    )];
    all.extend(rows(scene, area).into_iter().map(|(number, line, place)| {
        let tip = match line.agent {
            Some(agent) => format!("go to tick {} and select agent {agent}", line.tick),
            None => format!("go to tick {}", line.tick),
        };
        scrolls(Widget::place(place, UiCommand::GoToLog(number)).tip(tip))
    }));
    all
}

fn draw(picture: &mut Picture, scene: &Scene<'_>, area: Area) {
    let palette = scene.palette();
    ground(picture, area, palette);
    let Some(log) = &scene.ui.log else {
        return;
    };
    let rows = rows(scene, area);
    let mut writer = writer(picture, area);
    writer.base = area.min.y + 16.5;
    let head = match (log.filter.as_str(), rows.is_empty()) {
        ("", true) => "log: nothing yet; scripts write with `debug(..)`".to_owned(),
        ("", false) => "log".to_owned(),
        (filter, _) => format!("log: lines with `{filter}`"),
    };
    writer.at(writer.left, SIZE, palette.ink, &head);
    for (_, line, place) in rows {
        writer.base = place.min.y + 16.5;
        let color = if line.is_failure { palette.highlight } else { palette.ink };
        writer.at(writer.left, SMALL, palette.quiet, &format!("tick {}", line.tick));
        let left = math::min(writer.left + TICKS, writer.right);
        writer.at(left, SMALL, color, &line.text);
    }
}
