//! One frame: the open panels with their widgets, from which the screen is drawn and the mouse is handled.

use std::time::Duration;

use flockwork_engine::math::Vec2;

use super::area::Area;
use super::keys::keys;
use super::layout::Layout;
use super::panel::{Panel, Position, Scene};
use super::panels::PANELS;
use super::sample::Sample;
use super::tip;
use super::ui::Ui;
use super::view_state::{Task, ViewState};
use super::widget::Widget;
use crate::draw::Picture;

/// A panel that is open.
struct OpenPanel {
    panel: &'static Panel,
    area: Area,
    widgets: Vec<Widget>,
}

impl OpenPanel {
    /// Returns whether it keeps the mouse from what is below it at a point.
    fn covers(&self, point: Vec2) -> bool {
        !self.panel.is_label && self.has(point)
    }

    /// Returns whether it says what is at a point.
    fn has(&self, point: Vec2) -> bool {
        let is_widget = || self.widgets.iter().any(|widget| widget.area.contains(point));
        if self.panel.is_solid { self.area.contains(point) } else { is_widget() }
    }
}

/// The panels of one frame, from the back to the front.
pub(super) struct Frame<'a> {
    pub(super) scene: Scene<'a>,
    panels: Vec<OpenPanel>,
}

/// Returns what panels are made from. `busy` is the player's current task and how long it has taken so far.
pub(super) fn scene<'a>(
    ui: &'a Ui,
    state: &'a ViewState,
    busy: Option<(Task, Duration)>,
) -> Scene<'a> {
    let (layout, sample) = (ui.layout(state), Sample::new(ui, state));
    Scene { ui, state, layout, sample, busy, panels: PANELS, keys: keys() }
}

impl<'a> Frame<'a> {
    /// Lays out all open panels. `busy` is the player's current task and how long it has taken so far.
    pub(super) fn new(ui: &'a Ui, state: &'a ViewState, busy: Option<(Task, Duration)>) -> Self {
        let scene = scene(ui, state, busy);
        let open = |panel: &'static Panel| {
            let area = match panel.position {
                _ if !panel.is_shown(ui, state) => None,
                Position::Own(area) => area(&scene),
                Position::Bottom(_)
                | Position::Column(_)
                | Position::Beside(_)
                | Position::Alert(_) => scene.layout.area(panel.id),
            }?;
            let mut widgets = (panel.widgets)(&scene, area);
            for widget in &mut widgets {
                widget.key = widget.click.and_then(|command| scene.keys.of_command(command));
            }
            Some(OpenPanel { panel, area, widgets })
        };
        let shown = PANELS.iter().copied().filter(|_| !Layout::is_tiny(ui.size));
        let panels = shown.filter_map(open).collect();
        Self { scene, panels }
    }

    /// Returns whether a panel keeps the mouse from the world at a point.
    pub(super) fn is_panel(&self, point: Vec2) -> bool {
        self.panels.iter().any(|open| open.covers(point))
    }

    /// Returns the widget at a point, if there is one.
    pub(super) fn widget_at(&self, point: Vec2) -> Option<&Widget> {
        let mut front = self.panels.iter().rev();
        let open = front.find(|open| open.has(point))?;
        open.widgets.iter().rev().find(|widget| widget.area.contains(point))
    }

    /// Returns the area of a panel. `None` if it is closed.
    #[cfg(test)]
    pub(super) fn area(&self, id: super::panel_states::PanelId) -> Option<Area> {
        self.panels.iter().find(|open| open.panel.id == id).map(|open| open.area)
    }

    /// Returns all widgets, from the back to the front.
    #[cfg(test)]
    pub(super) fn widgets(&self) -> impl Iterator<Item = &Widget> {
        self.panels.iter().flat_map(|open| &open.widgets)
    }

    /// Draws all panels and their widgets.
    pub(super) fn draw(&self, picture: &mut Picture) {
        let hot = self.scene.ui.highlighted(self);
        let palette = self.scene.palette();
        for open in &self.panels {
            (open.panel.draw)(picture, &self.scene, open.area);
            for widget in &open.widgets {
                let is_hot = hot.is_some_and(|hot| std::ptr::eq(hot, widget));
                widget.draw(picture, palette, is_hot);
            }
        }
        if let Some(widget) = hot.filter(|_| self.scene.ui.has_tip()) {
            let menu = self.panels.iter().rev().find(|open| open.panel.is_menu);
            tip::draw(picture, &self.scene, widget, menu.map(|open| open.area));
        }
    }
}
