//! What the numbers beside agents that look like one mean: their tooltips.

use super::super::area::Area;
use super::super::panel::{Panel, Position};
use super::super::panel_states::PanelId;
use super::super::piles;
use super::super::widget::Widget;

pub(in super::super) static PANEL: Panel = Panel {
    id: PanelId("piles"),
    position: Position::Own(|scene| {
        let (width, _) = scene.layout.world;
        let area = Area::new(0.0, 0.0, width as f32, scene.layout.bottom);
        // Nobody else sees a tooltip.
        area.contains(scene.ui.pointer).then_some(area)
    }),
    widgets: |scene, _| {
        let tip = |(words, area): (String, Area)| {
            let count = words.split(' ').next().unwrap_or_default();
            let tip = format!(
                "{count} agents that look like one at this zoom: zoom in to see them apart"
            );
            Widget::background(area).tip(tip)
        };
        piles::shown_labels(&scene.ui.camera(scene.state), scene.ui, scene.state)
            .into_iter()
            .map(|(words, area, _)| tip((words, area)))
            .collect()
    },
    draw: |_, _, _| {},
    is_solid: false,
    is_label: true,
    needs_run: true,
    ..Panel::DEFAULT
};
