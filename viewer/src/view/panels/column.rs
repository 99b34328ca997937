//! The ground of the column of panels beside the world. Its left edge can be dragged.

use flockwork_engine::math::{self, Vec2};

use super::super::area::Area;
use super::super::layout::Layout;
use super::super::panel::{Panel, Position, Scene};
use super::super::panel_drawing::{handle, writer};
use super::super::panel_states::PanelId;
use super::super::text_writer::SMALL;
use super::super::ui_command::UiCommand;
use super::super::widget::Widget;
use super::comparison;
use crate::draw::Pen;

pub(in super::super) static PANEL: Panel = Panel {
    id: PanelId("column"),
    position: Position::Own(|scene| scene.layout.column),
    widgets: |_, area| {
        vec![
            Widget::clickable(grip(area), UiCommand::ResizeColumn)
                .slider()
                .tip("drag: make the panels wider or narrower"),
        ]
    },
    draw: |picture, scene, area| {
        let palette = scene.palette();
        picture.fill_rect(area.min, area.max, palette.panel.alpha(255));
        let x = area.min.x + 0.5;
        let edge = [Vec2::new(x, area.min.y), Vec2::new(x, area.max.y)];
        picture.line(&edge, false, Pen::new(palette.edge.alpha(140), 1.0));
        handle(picture, palette, grip(area), scene.ui.pointer);
        let rest = rest(scene).filter(|rest| rest.height() >= HINT);
        if let Some(rest) = rest.filter(|_| has_hints(scene)) {
            let mut writer = writer(picture, rest);
            for hint in HINTS {
                writer.wrapped(SMALL, palette.quiet, hint);
                writer.gap(GAP);
            }
        }
    },
    needs_run: true,
    ..Panel::DEFAULT
};

/// Returns the edge that can be dragged.
fn grip(area: Area) -> Area {
    Area::new(area.min.x, area.min.y, Layout::GRIP, area.height())
}

/// What newcomers can try first.
const HINTS: [&str; 3] = [
    "click an agent to see why it moves as it does",
    "drag on the time bar to see what was before",
    "the button `script` shows what agents do: change it there",
];
/// Height of the hints below the panels, and distance of two of them, in pixels.
const HINT: f32 = 110.0;
const GAP: f32 = 5.0;

/// Returns whether it says what to try first. An audience tries nothing.
pub(in super::super) fn has_hints(scene: &Scene<'_>) -> bool {
    let is_selected = scene.state.next_turn.is_some() || scene.state.absent.is_some();
    let has_table = comparison::has_table(scene.ui, scene.state);
    !is_selected && !has_table && scene.ui.presented.is_none()
}

/// Returns the part of the column that no panel takes. `None` if there is no column.
pub(in super::super) fn rest(scene: &Scene<'_>) -> Option<Area> {
    let area = scene.layout.column?;
    let used = scene.panels.iter().filter_map(|panel| match panel.position {
        Position::Column(_) => Some(scene.layout.area(panel.id)?.max.y),
        _ => None,
    });
    let top = used.fold(area.min.y, math::max);
    let left = area.min.x + Layout::GRIP;
    Some(Area::new(left, top, area.max.x - left, area.max.y - top))
}
