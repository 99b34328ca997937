//! One frame: the open panels with their widgets, from which the screen is drawn and the mouse is handled.

use std::time::Duration;

use flockwork_engine::math::Vec2;

use super::layout::{Area, Layout};
use super::panels::PANELS;
use super::sample::Sample;
use super::tip;
use super::ui::Ui;
use super::view_state::{Task, ViewState};
use super::widget::Widget;
use crate::draw::{Palette, Picture};

/// What panels are made from.
pub(super) struct Scene<'a> {
    pub(super) ui: &'a Ui,
    pub(super) state: &'a ViewState,
    pub(super) layout: Layout,
    /// The agents that overlays show.
    pub(super) sample: Sample,
    /// The player's current task and how long it has taken so far.
    pub(super) busy: Option<(Task, Duration)>,
}

/// A panel over the world. [`PANELS`] lists all of them.
pub(super) struct Panel {
    /// Returns where it is; `None` if it is closed.
    pub(super) area: fn(&Scene<'_>) -> Option<Area>,
    /// Returns the places that do something. Later ones are in front.
    pub(super) widgets: fn(&Scene<'_>, Area) -> Vec<Widget>,
    /// Draws everything but the icons of the widgets.
    pub(super) draw: fn(&mut Picture, &Scene<'_>, Area),
    /// Whether it keeps the mouse from what is below it.
    pub(super) is_solid: bool,
}

/// A panel that is open.
struct OpenPanel {
    panel: &'static Panel,
    area: Area,
    widgets: Vec<Widget>,
}

/// The panels of one frame, from the back to the front.
pub(super) struct Frame<'a> {
    pub(super) scene: Scene<'a>,
    panels: Vec<OpenPanel>,
}

impl<'a> Frame<'a> {
    /// Lays out all open panels. `busy` is the player's current task and how long it has taken so far.
    pub(super) fn new(ui: &'a Ui, state: &'a ViewState, busy: Option<(Task, Duration)>) -> Self {
        let scene =
            Scene { ui, state, layout: ui.layout(state), sample: Sample::of(ui, state), busy };
        let open = |panel: &'static Panel| {
            let area = (panel.area)(&scene)?;
            Some(OpenPanel { panel, area, widgets: (panel.widgets)(&scene, area) })
        };
        let panels = PANELS.iter().copied().filter_map(open).collect();
        Self { scene, panels }
    }

    /// Returns whether a panel keeps the mouse from the world at a place.
    pub(super) fn is_panel(&self, at: Vec2) -> bool {
        self.panels.iter().any(|open| open.panel.is_solid && open.area.contains(at))
    }

    /// Returns the widget at a place, if there is one.
    pub(super) fn widget_at(&self, at: Vec2) -> Option<&Widget> {
        let mut front = self.panels.iter().rev();
        let open = front.find(|open| open.panel.is_solid && open.area.contains(at))?;
        open.widgets.iter().rev().find(|widget| widget.area.contains(at))
    }

    /// Returns all widgets, from the back to the front.
    #[cfg(test)]
    pub(super) fn widgets(&self) -> impl Iterator<Item = &Widget> {
        self.panels.iter().flat_map(|open| &open.widgets)
    }

    /// Draws all panels and their widgets.
    pub(super) fn draw(&self, picture: &mut Picture) {
        let hot = self.scene.ui.hot(self);
        let palette = self.scene.palette();
        for open in &self.panels {
            (open.panel.draw)(picture, &self.scene, open.area);
            for widget in &open.widgets {
                let is_hot = hot.is_some_and(|hot| std::ptr::eq(hot, widget));
                widget.draw(picture, palette, is_hot);
            }
        }
        if let Some(widget) = hot.filter(|_| self.scene.ui.has_tip()) {
            tip::draw(picture, &self.scene, widget);
        }
    }
}

impl Scene<'_> {
    pub(super) fn palette(&self) -> &'static Palette {
        self.ui.palette()
    }
}
