//! The list of everything that can be plotted, while one of it is chosen.

use std::ops::Range;

use flockwork_engine::math;

use super::super::area::Area;
use super::super::command::PlayerCommand;
use super::super::panel::{Escape, Opening, Panel, Position, Scene};
use super::super::panel_drawing::{ground, writer};
use super::super::panel_states::PanelId;
use super::super::plot::PlotSource;
use super::super::plot_sources;
use super::super::text_writer::SMALL;
use super::super::ui::Ui;
use super::super::ui_command::UiCommand;
use super::super::view_state::ViewState;
use super::super::widget::Widget;
use crate::draw::Picture;

pub(in super::super) static PANEL: Panel = Panel {
    id: PanelId("plot_list"),
    opening: Opening::ByHand,
    position: Position::Column(height),
    widgets,
    draw,
    escape: Escape::InTurn,
    ..Panel::DEFAULT
};

/// Height of a row, in pixels.
const ROW: f32 = 24.0;
/// Height of what is above and below the rows together, in pixels.
const EDGES: f32 = 8.0;

fn sources(ui: &Ui, state: &ViewState) -> Vec<PlotSource> {
    let (group, params) = ui.params(state);
    plot_sources::sources(state, group, params)
}

fn height(ui: &Ui, state: &ViewState, _: f32) -> Option<f32> {
    Some(sources(ui, state).len() as f32 * ROW + EDGES)
}

/// Returns the rows for which there is room: their areas and the numbers of what they name. The current one is among them.
fn rows(scene: &Scene<'_>, area: Area, all: &[PlotSource]) -> impl Iterator<Item = (usize, Area)> {
    let count = math::max((area.height() - EDGES) / ROW + 0.01, 1.0) as usize;
    let here = all.iter().position(|one| scene.ui.plot.as_ref() == Some(one)).unwrap_or(0);
    let first = (here + 1).saturating_sub(count);
    let shown: Range<usize> = first..(first + count).min(all.len());
    shown.enumerate().map(move |(index, number)| {
        let top = area.min.y + EDGES / 2.0 + index as f32 * ROW;
        (number, Area::new(area.min.x + 1.0, top, area.width() - 2.0, ROW))
    })
}

fn widgets(scene: &Scene<'_>, area: Area) -> Vec<Widget> {
    let all = sources(scene.ui, scene.state);
    let widget = |(number, row): (usize, Area)| {
        Widget::clickable(row, UiCommand::ChoosePlot(number))
            .wheel(UiCommand::PreviousPlot, UiCommand::NextPlot)
            .tip(format!("plot this: {}", all[number].title(scene.state)))
    };
    rows(scene, area, &all).map(widget).collect()
}

fn draw(picture: &mut Picture, scene: &Scene<'_>, area: Area) {
    let palette = scene.palette();
    picture.fill_rect(area.min, area.max, palette.panel.alpha(255));
    ground(picture, area, palette);
    let mut writer = writer(picture, area);
    let all = sources(scene.ui, scene.state);
    for (number, row) in rows(scene, area, &all) {
        let is_current = scene.ui.plot.as_ref() == Some(&all[number]);
        if is_current {
            writer.picture.fill_rect(row.min, row.max, palette.group(0).alpha(50));
        }
        writer.base = row.min.y + 16.5;
        let color = if is_current { palette.ink } else { palette.quiet };
        writer.at(writer.left, SMALL, color, &all[number].title(scene.state));
    }
}

impl Ui {
    /// Plots something, given by its number in the list of what can be plotted, and closes the list.
    pub(in super::super) fn choose_plot(
        &mut self,
        state: &ViewState,
        number: usize,
    ) -> Vec<PlayerCommand> {
        let source = sources(self, state).into_iter().nth(number);
        PANEL.set_open(self, false);
        vec![self.show_plot(source)]
    }

    /// Plots what comes this many steps later in the list of what can be plotted, or earlier if negative, and shows the list.
    pub(in super::super) fn step_plot(
        &mut self,
        state: &ViewState,
        by: isize,
    ) -> Vec<PlayerCommand> {
        let all = sources(self, state);
        let here = self.plot.as_ref().and_then(|here| all.iter().position(|one| one == here));
        let count = all.len() as isize;
        let next = match here {
            Some(here) => (here as isize + by).rem_euclid(count),
            None => 0,
        };
        PANEL.set_open(self, true);
        vec![self.show_plot(all.into_iter().nth(next as usize))]
    }
}
