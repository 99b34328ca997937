//! Lays out the open panels of the window.

use flockwork_engine::math;

use super::layout::Layout;
use super::panel::{Panel, Position};
use super::panel_states::PanelId;
use super::panels::{PANELS, agent, comparison, files, legend, plot_list};
use super::ui::Ui;
use super::view_state::ViewState;

/// In a column that is lower than this, the table of a comparison has the room of the legend if it needs it, in pixels.
const MIN_WITH_LEGEND: f32 = 600.0;

impl Ui {
    /// Returns whether the files are below the column, so that both have one width.
    pub(super) fn has_files_below_column(&self, state: &ViewState) -> bool {
        let layout = self.layout(state);
        layout
            .area(files::PANEL.id)
            .zip(layout.column)
            .is_some_and(|(files, column)| files.min.y >= column.max.y)
    }

    /// Returns where the open panels are, except those that say where they are when the others have their areas.
    pub(super) fn layout(&self, state: &ViewState) -> Layout {
        if Layout::is_tiny(self.size) {
            return Layout::only_world(self.size);
        }
        let open = || PANELS.iter().filter(|panel| panel.is_shown(self, state));
        let held = self.plots.held_height.filter(|_| plot_list::PANEL.is_open(self));
        let mut layout =
            Layout::with_strip(self.size, self.plots.sources.len(), self.plots.height, held);
        layout.shown_ticks = self.shown_time.ticks;
        let bottom = |panel: &&Panel| match panel.position {
            Position::Bottom(height) => Some((panel.id, height(state))),
            _ => None,
        };
        let bottom: Vec<(PanelId, f32)> = open().filter_map(bottom).collect();
        layout.add_bottom(&bottom);
        let is_small = Layout::is_small(self.size);
        let beside = open().find(|panel| matches!(panel.position, Position::Beside(_)));
        let below = beside.filter(|_| Layout::is_narrow(self.size));
        let mut width = match below {
            Some(_) => Layout::width_above(self.size, self.files.width),
            None => {
                let (wanted, is_presented) = (self.column_width, self.presented.is_some());
                Layout::column_width(self.size, wanted, beside.is_some(), is_presented)
            }
        };
        let inner = width - Layout::GRIP;
        let docked = |panel: &&Panel| match panel.position {
            Position::Column(height) => Some((panel.id, height(self, state, inner)?)),
            _ => None,
        };
        let mut column: Vec<(PanelId, f32)> = open().filter_map(docked).collect();
        // For an audience, everything is so large that a table has room only if the other panels are away.
        let has_table = column.iter().any(|(id, _)| *id == comparison::PANEL.id);
        if self.presented.is_some() && has_table {
            column.retain(|(id, _)| [comparison::PANEL.id, agent::PANEL.id].contains(id));
        }
        let wanted: f32 = column.iter().map(|(_, height)| height).sum();
        let is_low = layout.bottom < MIN_WITH_LEGEND && wanted > layout.bottom;
        if has_table && is_low && !is_small {
            column.retain(|(id, _)| *id != legend::PANEL.id);
        }
        if is_small {
            // Beside both, there would be no world.
            column.retain(|_| beside.is_none());
            match column[..] {
                [(only, _)] if only == legend::PANEL.id => {
                    width = math::min(width, Layout::LEGEND);
                }
                _ => column.retain(|(id, _)| *id != legend::PANEL.id),
            }
        } else {
            // Above the files, each panel has few lines.
            if below.is_some() && column.len() > 1 {
                column.retain(|(id, _)| *id != legend::PANEL.id);
            }
            match below.filter(|_| !column.is_empty()) {
                Some(panel) => {
                    // What is told of an agent has another height in each tick.
                    let has_rest = column.iter().all(|(id, _)| *id != agent::PANEL.id);
                    layout.add_column_above(&column, width, (panel.id, has_rest));
                }
                None => layout.add_column(&column, width, 0.0),
            }
        }
        let add_beside = |layout: &mut Layout| {
            if let Some(panel) = beside.filter(|panel| layout.area(panel.id).is_none())
                && let Position::Beside(width) = panel.position
            {
                layout.add_beside(panel.id, |room| width(self, state, room));
            }
        };
        if !is_small {
            add_beside(&mut layout);
        }
        for panel in open() {
            if let Position::Alert(size) = panel.position {
                layout.add_alert(panel.id, |room| size(self, state, room));
            }
        }
        // An alert takes the whole width of a small window.
        if is_small {
            layout.add_column(&column, width, 0.0);
            add_beside(&mut layout);
        }
        layout
    }
}
