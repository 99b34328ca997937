//! The ground of the column of panels beside the world. Its left edge can be dragged.

use super::super::area::Area;
use super::super::layout::Layout;
use super::super::panel::{Panel, Position};
use super::super::panel_drawing::frame;
use super::super::panel_states::PanelId;
use super::super::ui_command::UiCommand;
use super::super::widget::Widget;
use crate::draw::Pen;

pub(in super::super) static PANEL: Panel = Panel {
    id: PanelId("column"),
    position: Position::Own(|scene| scene.layout.column),
    widgets: |_, area| {
        let grip = Area::new(area.min.x, area.min.y, Layout::GRIP, area.height());
        vec![
            Widget::clickable(grip, UiCommand::ResizeColumn)
                .slider()
                .tip("drag: make the panels wider or narrower"),
        ]
    },
    draw: |picture, scene, area| {
        let palette = scene.palette();
        picture.fill_rect(area.min, area.max, palette.panel.alpha(255));
        frame(picture, area, Pen::new(palette.edge.alpha(140), 1.0));
    },
    ..Panel::DEFAULT
};
