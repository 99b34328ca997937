//! The ground of the column of panels in a small window, which is beside the world and not over it.

use super::super::frame::Panel;
use crate::draw::Pen;

pub(in super::super) static PANEL: Panel = Panel {
    area: |scene| scene.layout.column,
    widgets: |_, _| Vec::new(),
    draw: |picture, scene, area| {
        let palette = scene.palette();
        picture.fill_rect(area.min, area.max, palette.panel);
        super::frame(picture, area, Pen::new(palette.edge.alpha(140), 1.0));
    },
    is_solid: true,
};
