//! The ground of the column of panels in a small window, which is beside the world and not over it.

use super::super::panel::{Panel, Position};
use super::super::panel_drawing::frame;
use super::super::panel_states::PanelId;
use crate::draw::Pen;

pub(in super::super) static PANEL: Panel = Panel {
    id: PanelId("column"),
    position: Position::Own(|scene| scene.layout.column),
    draw: |picture, scene, area| {
        let palette = scene.palette();
        picture.fill_rect(area.min, area.max, palette.panel);
        frame(picture, area, Pen::new(palette.edge.alpha(140), 1.0));
    },
    ..Panel::DEFAULT
};
