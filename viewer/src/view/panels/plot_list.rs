//! The list of everything that can be plotted. A click on a row changes the current plot, its button adds or removes one. The measures of
//! a group are behind its name.

use std::ops::Range;

use flockwork_engine::math::{self, Vec2};

use super::super::area::Area;
use super::super::ask::Ask;
use super::super::chosen_plots::MAX_PLOTS;
use super::super::command::PlayerCommand;
use super::super::panel::{Escape, Opening, Panel, Position, Scene};
use super::super::panel_drawing::{ButtonLook, button_ground, scroll_bar, section, writer};
use super::super::panel_states::PanelId;
use super::super::plot::PlotSource;
use super::super::plot_sources;
use super::super::terms::MARGIN;
use super::super::text_writer::{PAD, SMALL};
use super::super::ui::Ui;
use super::super::ui_command::UiCommand;
use super::super::view_state::ViewState;
use super::super::widget::Widget;
use super::comparison;
use crate::draw::{Picture, text_width};

pub(in super::super) static PANEL: Panel = Panel {
    id: PanelId("plot_list"),
    opening: Opening::ByHand,
    position: Position::Column(height),
    widgets,
    draw,
    escape: Escape::InTurn,
    max_scroll,
    needs_run: true,
    ..Panel::DEFAULT
};

/// Height of a row, in pixels.
const ROW: f32 = 24.0;
/// Width of the button that adds or removes a plot, in pixels.
const BUTTON: f32 = 70.0;
/// Height of what is above and below the rows together, in pixels.
const EDGES: f32 = 8.0;

/// The number of rows beside the table of a comparison, which needs the room.
const MOST_BESIDE_TABLE: usize = 4;

/// A row of the list.
#[derive(Clone, Debug, PartialEq)]
enum ListRow {
    /// Something that can be plotted, and its number.
    Source(usize, PlotSource),
    /// The measures of a group, by the index of the group: a click shows and hides them.
    Group(usize),
}

/// Returns all that can be plotted, without measures of groups that are neither shown nor plotted.
fn sources(ui: &Ui, state: &ViewState) -> Vec<PlotSource> {
    let (group, params) = ui.params(state);
    let mut all = plot_sources::sources(state, group, params);
    let unfolded: Vec<PlotSource> =
        ui.plots.unfolded.as_deref().into_iter().flat_map(plot_sources::of_group).collect();
    let plotted = ui.plots.of_groups().filter(|source| !unfolded.contains(source));
    all.extend(plotted.cloned());
    all.extend(unfolded);
    all
}

/// Returns the rows of the list. The measures of a group are below its name.
fn list(ui: &Ui, state: &ViewState) -> Vec<ListRow> {
    let groups = &state.world.groups;
    let sources = sources(ui, state).into_iter().enumerate();
    let sources = sources.map(|(number, source)| ListRow::Source(number, source));
    let mut rows: Vec<ListRow> = sources.collect();
    if groups.len() < 2 {
        return rows;
    }
    let unfolded =
        groups.iter().position(|group| Some(&*group.name) == ui.plots.unfolded.as_deref());
    let count = unfolded.map_or(0, |index| plot_sources::of_group(&groups[index].name).count());
    let below = rows.split_off(rows.len() - count);
    // Behind the numbers of agents, which are of groups, too.
    let is_count = |row: &ListRow| matches!(row, ListRow::Source(_, PlotSource::Count(_)));
    let rest = rows.split_off(rows.iter().rposition(is_count).map_or(rows.len(), |last| last + 1));
    for index in 0..groups.len() {
        rows.push(ListRow::Group(index));
        if Some(index) == unfolded {
            rows.extend(below.iter().cloned());
        }
    }
    rows.extend(rest);
    rows
}

fn height(ui: &Ui, state: &ViewState, _: f32) -> Option<f32> {
    let rows = list(ui, state).len() + 1;
    let most = if comparison::has_table(ui, state) { MOST_BESIDE_TABLE } else { rows };
    Some(rows.min(most) as f32 * ROW + EDGES)
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

/// Returns the rows for which there is room, after scrolling, with their numbers and areas.
fn rows<'r>(
    scene: &Scene<'_>,
    area: Area,
    all: &'r [ListRow],
) -> impl Iterator<Item = (usize, &'r ListRow, Area)> {
    let count = row_count(area);
    let scrolled = scene.ui.panels.scroll(PANEL.id) as usize;
    let first = scrolled.min(all.len().saturating_sub(count));
    let shown: Range<usize> = first..(first + count).min(all.len());
    shown.enumerate().map(move |(index, number)| {
        let top = area.min.y + EDGES / 2.0 + index as f32 * ROW;
        (number, &all[number], Area::new(area.min.x + 1.0, top, area.width() - 2.0, ROW))
    })
}

fn max_scroll(scene: &Scene<'_>) -> f32 {
    let count = scene.layout.area(PANEL.id).map_or(0, row_count);
    list(scene.ui, scene.state).len().saturating_sub(count) as f32
}

/// Returns the area of the button of a row.
fn button(row: Area) -> Area {
    Area { min: Vec2::new(math::max(row.max.x - BUTTON, row.min.x), row.min.y), ..row }
}

fn widgets(scene: &Scene<'_>, area: Area) -> Vec<Widget> {
    let (all, plots) = (list(scene.ui, scene.state), &scene.ui.plots);
    let scrolls = |widget: Widget| widget.scrolls(PANEL.id, 1);
    let widgets = |(_, row, area): (usize, &ListRow, Area)| {
        let (number, source) = match row {
            ListRow::Source(number, source) => (*number, source),
            ListRow::Group(index) => {
                let group = &scene.state.world.groups[*index].name;
                let tip = format!("show or hide the measures of {group} alone");
                return vec![scrolls(
                    Widget::clickable(area, UiCommand::UnfoldGroup(*index)).tip(tip),
                )];
            }
        };
        let title = source.title(scene.state);
        let button = button(area);
        let left = Area { max: Vec2::new(button.min.x, area.max.y), ..area };
        let is_shown = plots.sources.contains(source);
        let plot = Widget::clickable(left, UiCommand::ChoosePlot(number));
        let change = if !is_shown && plots.sources.len() >= MAX_PLOTS {
            Widget::gray(button, format!("there are {MAX_PLOTS} plots: remove one first"))
        } else {
            let tip =
                if is_shown { "remove this plot" } else { "plot this, too, below the others" };
            Widget::clickable(button, UiCommand::TogglePlot(number)).tip(tip)
        };
        vec![scrolls(plot.tip(plot_tip(source, &title))), scrolls(change)]
    };
    let expression = Widget::clickable(expression_row(area), UiCommand::Ask(Ask::Plot));
    rows(scene, area, &all).flat_map(widgets).chain([expression]).collect()
}

/// Returns what a click on a row plots, and what that is.
fn plot_tip(source: &PlotSource, title: &str) -> String {
    match source {
        PlotSource::Measure(measure) | PlotSource::OfGroup { measure, .. } => {
            format!("plot this: {title}, {}", measure.doc())
        }
        PlotSource::Margin { .. } => format!("plot this: {title}; {}", MARGIN.note()),
        _ => format!("plot this: {title}"),
    }
}

fn draw(picture: &mut Picture, scene: &Scene<'_>, area: Area) {
    let (palette, plots) = (scene.palette(), &scene.ui.plots);
    picture.fill_rect(area.min, area.max, palette.panel.alpha(255));
    section(picture, area, palette);
    let mut writer = writer(picture, area);
    let all = list(scene.ui, scene.state);
    let shown: Vec<_> = rows(scene, area, &all).collect();
    for (_, line, row) in &shown {
        let row = *row;
        let is_current = |source| plots.current() == Some(source);
        let (title, words, is_shown, is_current) = match line {
            ListRow::Source(_, source) => {
                let is_shown = plots.sources.contains(source);
                let words = if is_shown { "remove" } else { "add" };
                (source.title(scene.state), words, is_shown, is_current(source))
            }
            ListRow::Group(index) => {
                let group = &scene.state.world.groups[*index].name;
                let is_open = plots.unfolded.as_deref() == Some(&**group);
                let words = if is_open { "hide" } else { "show" };
                (format!("measures of {group}"), words, false, false)
            }
        };
        if is_shown {
            let alpha = if is_current { 70 } else { 30 };
            writer.picture.fill_rect(row.min, row.max, palette.group(0).alpha(alpha));
        }
        writer.base = row.min.y + 16.5;
        let button = button(row);
        let is_group = matches!(line, ListRow::Group(_));
        let is_on = is_group || is_shown || plots.sources.len() < MAX_PLOTS;
        let edges = Area {
            min: button.min + Vec2::new(2.0, 3.0),
            max: button.max - Vec2::new(PAD - 1.0, 3.0),
        };
        let look = ButtonLook::enabled(is_on);
        let color = button_ground(writer.picture, palette, edges, look);
        let at = edges.min.x + (edges.width() - text_width(words, SMALL)) / 2.0;
        writer.right = row.max.x;
        writer.at(at, SMALL, color, words);
        writer.right = button.min.x - 4.0;
        writer.at(writer.left, SMALL, palette.ink, &title);
    }
    writer.base = expression_row(area).min.y + 16.5;
    writer.right = area.max.x - 4.0;
    writer.at(writer.left, SMALL, palette.ink, "an expression of yours ...");
    if let (Some((first, ..)), Some((last, ..))) = (shown.first(), shown.last()) {
        let list = area.between(area.min.y, expression_row(area).min.y);
        let visible = *first as f32..(last + 1) as f32;
        scroll_bar(writer.picture, palette, list, visible, all.len() as f32);
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

    /// Shows the measures of a group in the list, by the index of the group, or hides them.
    pub(in super::super) fn unfold_group(&mut self, state: &ViewState, index: usize) {
        let group = state.world.groups.get(index).map(|group| group.name.to_string());
        self.plots.unfolded = group.filter(|group| self.plots.unfolded.as_ref() != Some(group));
        let header = list(self, state).iter().position(|row| *row == ListRow::Group(index));
        let area = self.layout(state).area(PANEL.id);
        if let (Some(name), Some(header), Some(area)) = (&self.plots.unfolded, header, area) {
            let end = header + 1 + plot_sources::of_group(name).count();
            let first = end.saturating_sub(row_count(area)).min(header) as f32;
            let scroll = &mut self.panels.state_mut(PANEL.id).scroll;
            *scroll = scroll.clamp(first, header as f32);
        }
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
    /// the list. What another plot shows is left out. After all plots were closed, they are shown as they were. With 0 steps, only a first
    /// plot is chosen.
    pub(in super::super) fn step_plot(
        &mut self,
        state: &ViewState,
        plot: usize,
        by: isize,
    ) -> PlayerCommand {
        let all = sources(self, state);
        let has_plot = by == 0 && self.plots.current().is_some();
        if self.plots.open_again(&all) || has_plot {
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
        let all = list(self, state);
        let is_current = |row: &ListRow| match row {
            ListRow::Source(_, source) => self.plots.current() == Some(source),
            ListRow::Group(_) => false,
        };
        let here = all.iter().position(is_current);
        let area = self.layout(state).area(PANEL.id);
        if let (Some(here), Some(area)) = (here, area) {
            let first = (here + 1).saturating_sub(row_count(area)) as f32;
            let scroll = &mut self.panels.state_mut(PANEL.id).scroll;
            *scroll = scroll.clamp(first, here as f32);
        }
    }
}
