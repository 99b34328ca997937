//! Lays out the open panels of the window.

use flockwork_engine::math::Vec2;

use super::layout::{Corner, CornerPanel, Layout};
use super::panel::{Panel, Position};
use super::panel_states::PanelId;
use super::panels::{PANELS, plot};
use super::ui::Ui;
use super::view_state::ViewState;

impl Ui {
    /// Returns where the open panels are, except those that say where they are when the others have their areas.
    pub(super) fn layout(&self, state: &ViewState) -> Layout {
        let open = || PANELS.iter().filter(|panel| panel.is_open(self));
        let mut layout = Layout::with_strip(self.size, plot::PANEL.is_open(self));
        let bottom = |panel: &&Panel| match panel.position {
            Position::Bottom(height) => Some((panel.id, height(state))),
            _ => None,
        };
        let bottom: Vec<(PanelId, f32)> = open().filter_map(bottom).collect();
        layout.add_bottom(&bottom);
        let mut corners = Vec::new();
        for corner in Corner::ALL {
            for panel in open() {
                let Position::Corner(own, size_in) = panel.position else { continue };
                if own != corner {
                    continue;
                }
                let Some(size) = size_in(self, state, layout.room(corner)) else { continue };
                layout.add_corner(panel.id, corner, size, self.is_agent_left);
                // In a small window, the panels of the corners may need more height in its column.
                let wanted = match corner {
                    Corner::UpperLeft | Corner::UpperRight => Some(size),
                    _ => size_in(self, state, Vec2::INFINITY),
                };
                let wanted = wanted.map_or(0.0, |size| size.y);
                corners.push(CornerPanel { id: panel.id, corner, wanted });
            }
        }
        if Layout::is_small(self.size) {
            layout.dock(corners);
        }
        layout
    }
}
