//! The list of everything that can be plotted. A click on a row changes the current plot, its button adds or removes one.

use std::ops::Range;

use flockwork_engine::math::{self, Vec2};

use super::super::area::Area;
use super::super::ask::Ask;
use super::super::chosen_plots::MAX_PLOTS;
use super::super::command::PlayerCommand;
use super::super::panel::{Escape, Opening, Panel, Position, Scene};
use super::super::panel_drawing::{frame, scroll_bar, section, writer};
use super::super::panel_states::PanelId;
use super::super::plot::PlotSource;
use super::super::plot_sources;
use super::super::text_writer::{PAD, SMALL};
use super::super::ui::Ui;
use super::super::ui_command::UiCommand;
use super::super::view_state::ViewState;
use super::super::widget::Widget;
use crate::draw::{Pen, Picture, text_width};

pub(in super::super) static PANEL: Panel = Panel {
    id: PanelId("plot_list"),
    opening: Opening::ByHand,
    position: Position::Column(height),
    widgets,
    draw,
    escape: Escape::InTurn,
    max_scroll,
    ..Panel::DEFAULT
};

/// Height of a row, in pixels.
const ROW: f32 = 24.0;
/// Width of the button that adds or removes a plot, in pixels.
const BUTTON: f32 = 70.0;
/// Height of what is above and below the rows together, in pixels.
const EDGES: f32 = 8.0;

fn sources(ui: &Ui, state: &ViewState) -> Vec<PlotSource> {
    let (group, params) = ui.params(state);
    plot_sources::sources(state, group, params)
}

fn height(ui: &Ui, state: &ViewState, _: f32) -> Option<f32> {
    Some((sources(ui, state).len() + 1) as f32 * ROW + EDGES)
}

/// Returns how many rows there is room for.
fn row_count(area: Area) -> usize {
    math::max((area.height() - EDGES) / ROW + 0.01, 2.0) as usize - 1
}

/// Returns the area of the row that asks for an expression, below the others.
fn expression_row(area: Area) -> Area {
    let top = area.min.y + EDGES / 2.0 + row_count(area) as f32 * ROW;
    Area::new(area.min.x + 1.0, top, area.width() - 2.0, math::min(ROW, area.max.y - top))
}

/// Returns the rows for which there is room, after scrolling: their areas and the numbers of what they name.
fn rows(scene: &Scene<'_>, area: Area, all: &[PlotSource]) -> impl Iterator<Item = (usize, Area)> {
    let count = row_count(area);
    let scrolled = scene.ui.panels.scroll(PANEL.id) as usize;
    let first = scrolled.min(all.len().saturating_sub(count));
    let shown: Range<usize> = first..(first + count).min(all.len());
    shown.enumerate().map(move |(index, number)| {
        let top = area.min.y + EDGES / 2.0 + index as f32 * ROW;
        (number, Area::new(area.min.x + 1.0, top, area.width() - 2.0, ROW))
    })
}

fn max_scroll(scene: &Scene<'_>) -> f32 {
    let count = scene.layout.area(PANEL.id).map_or(0, row_count);
    sources(scene.ui, scene.state).len().saturating_sub(count) as f32
}

/// Returns the area of the button of a row.
fn button(row: Area) -> Area {
    Area { min: Vec2::new(math::max(row.max.x - BUTTON, row.min.x), row.min.y), ..row }
}

fn widgets(scene: &Scene<'_>, area: Area) -> Vec<Widget> {
    let (all, plots) = (sources(scene.ui, scene.state), &scene.ui.plots);
    let widgets = |(number, row): (usize, Area)| {
        let scrolls = |widget: Widget| {
            widget.wheel(UiCommand::Scroll(PANEL.id, -1), UiCommand::Scroll(PANEL.id, 1))
        };
        let title = all[number].title(scene.state);
        let button = button(row);
        let left = Area { max: Vec2::new(button.min.x, row.max.y), ..row };
        let is_shown = plots.sources.contains(&all[number]);
        let plot = Widget::clickable(left, UiCommand::ChoosePlot(number));
        let change = if !is_shown && plots.sources.len() >= MAX_PLOTS {
            Widget::gray(button, format!("there are {MAX_PLOTS} plots: remove one first"))
        } else {
            let tip =
                if is_shown { "remove this plot" } else { "plot this, too, below the others" };
            Widget::clickable(button, UiCommand::TogglePlot(number)).tip(tip)
        };
        [scrolls(plot.tip(format!("plot this: {title}"))), scrolls(change)]
    };
    let expression = Widget::clickable(expression_row(area), UiCommand::Ask(Ask::Plot));
    rows(scene, area, &all).flat_map(widgets).chain([expression]).collect()
}

fn draw(picture: &mut Picture, scene: &Scene<'_>, area: Area) {
    let (palette, plots) = (scene.palette(), &scene.ui.plots);
    picture.fill_rect(area.min, area.max, palette.panel.alpha(255));
    section(picture, area, palette);
    let mut writer = writer(picture, area);
    let all = sources(scene.ui, scene.state);
    let shown: Vec<(usize, Area)> = rows(scene, area, &all).collect();
    for (number, row) in &shown {
        let (source, row) = (&all[*number], *row);
        let is_shown = plots.sources.contains(source);
        if is_shown {
            let alpha = if plots.current() == Some(source) { 70 } else { 30 };
            writer.picture.fill_rect(row.min, row.max, palette.group(0).alpha(alpha));
        }
        writer.base = row.min.y + 16.5;
        let words = if is_shown { "remove" } else { "add" };
        let button = button(row);
        if is_shown || plots.sources.len() < MAX_PLOTS {
            let edges = Area {
                min: button.min + Vec2::new(2.0, 3.0),
                max: button.max - Vec2::new(PAD - 1.0, 3.0),
            };
            frame(writer.picture, edges, Pen::new(palette.edge.alpha(140), 1.0));
            let at = edges.min.x + (edges.width() - text_width(words, SMALL)) / 2.0;
            writer.right = row.max.x;
            writer.at(at, SMALL, palette.quiet, words);
        }
        writer.right = button.min.x - 4.0;
        let color = if is_shown { palette.ink } else { palette.quiet };
        writer.at(writer.left, SMALL, color, &source.title(scene.state));
    }
    writer.base = expression_row(area).min.y + 16.5;
    writer.right = area.max.x - 4.0;
    writer.at(writer.left, SMALL, palette.ink, "an expression of yours ...");
    if let (Some((first, _)), Some((last, _))) = (shown.first(), shown.last())
        && shown.len() < all.len()
    {
        let height = expression_row(area).min.y - area.min.y;
        let at = |number: usize| area.min.y + number as f32 / all.len() as f32 * height;
        scroll_bar(writer.picture, area, at(*first)..at(last + 1), palette);
    }
}

impl Ui {
    /// Opens the list for a plot, or closes it.
    pub(in super::super) fn list_plots(&mut self, state: &ViewState, plot: usize) {
        let is_open = !PANEL.is_open(self) || self.plots.current != plot;
        self.plots.current = plot;
        PANEL.set_open(self, is_open);
        self.scroll_to_current(state);
    }

    /// Plots something in the current plot, given by its number in the list of what can be plotted, and closes the list.
    pub(in super::super) fn choose_plot(
        &mut self,
        state: &ViewState,
        number: usize,
    ) -> Vec<PlayerCommand> {
        let source = sources(self, state).into_iter().nth(number);
        PANEL.set_open(self, false);
        source.map(|source| self.show_plot(Some(source))).into_iter().collect()
    }

    /// Adds a plot of something, given by its number in the list of what can be plotted, or removes it.
    pub(in super::super) fn toggle_plot(
        &mut self,
        state: &ViewState,
        number: usize,
    ) -> Vec<PlayerCommand> {
        let plots = self.layout(state).plots;
        let height = plots.iter().map(|areas| areas.whole.height()).sum();
        self.plots.held_height.get_or_insert(height);
        let source = sources(self, state).into_iter().nth(number);
        let commands: Vec<_> =
            source.map(|source| self.add_or_remove_plot(source)).into_iter().collect();
        if self.plots.sources.is_empty() {
            PANEL.set_open(self, false);
        }
        commands
    }

    /// Gives the plots the height that they need once the pointer is not in the list any more.
    pub(in super::super) fn release_plot_height(&mut self, state: &ViewState) {
        if self.plots.held_height.is_some() {
            let list = self.layout(state).area(PANEL.id).filter(|_| PANEL.is_open(self));
            if !list.is_some_and(|list| list.contains(self.pointer)) {
                self.plots.held_height = None;
            }
        }
    }

    /// Shows in a plot what comes this many steps later in the list of what can be plotted, or earlier if negative, and opens
    /// the list. What another plot shows is left out. After all plots were closed, they are shown as they were.
    pub(in super::super) fn step_plot(
        &mut self,
        state: &ViewState,
        plot: usize,
        by: isize,
    ) -> PlayerCommand {
        let all = sources(self, state);
        if self.plots.open_again(&all) {
            PANEL.set_open(self, true);
            self.scroll_to_current(state);
            return self.send_plots();
        }
        self.plots.current = plot.min(self.plots.sources.len().saturating_sub(1));
        let current = self.plots.current().cloned();
        let is_elsewhere =
            |one: &PlotSource| self.plots.sources.contains(one) && Some(one) != current.as_ref();
        let all: Vec<PlotSource> = all.into_iter().filter(|one| !is_elsewhere(one)).collect();
        let next = match all.iter().position(|one| Some(one) == current.as_ref()) {
            Some(here) => (here as isize + by).rem_euclid(all.len() as isize),
            None => 0,
        };
        PANEL.set_open(self, true);
        let command = self.show_plot(all.into_iter().nth(next as usize));
        self.scroll_to_current(state);
        command
    }

    /// Scrolls the list so that what the current plot shows is in it.
    fn scroll_to_current(&mut self, state: &ViewState) {
        let all = sources(self, state);
        let here = all.iter().position(|one| self.plots.current() == Some(one));
        let area = self.layout(state).area(PANEL.id);
        if let (Some(here), Some(area)) = (here, area) {
            let first = (here + 1).saturating_sub(row_count(area)) as f32;
            let scroll = &mut self.panels.state_mut(PANEL.id).scroll;
            *scroll = scroll.clamp(first, here as f32);
        }
    }
}
