//! The list of everything that can be plotted, above the plot, while one of it is chosen.

use std::ops::Range;

use flockwork_engine::math;

use super::super::frame::{Panel, Scene};
use super::super::layout::Area;
use super::super::plot::{self, PlotSource};
use super::super::text_writer::SMALL;
use super::super::ui_command::UiCommand;
use super::super::widget::Widget;
use super::{ground, writer};
use crate::draw::Picture;

pub(in super::super) static PANEL: Panel = Panel { area, widgets, draw, is_solid: true };

/// Width of the list, and height of a row, in pixels.
const WIDTH: f32 = 320.0;
const ROW: f32 = 24.0;
/// Height of what is above and below the rows together, in pixels.
const EDGES: f32 = 8.0;

fn sources(scene: &Scene<'_>) -> Vec<PlotSource> {
    let (group, params) = scene.ui.params(scene.state);
    plot::sources(scene.state, group, params)
}

fn area(scene: &Scene<'_>) -> Option<Area> {
    if !scene.ui.is_choosing_plot {
        return None;
    }
    let strip = scene.layout.strip;
    let most = ((strip.min.y - EDGES) / ROW).floor();
    let rows = math::min(sources(scene).len() as f32, math::max(most, 1.0));
    let height = rows * ROW + EDGES;
    let width = math::min(WIDTH, strip.width());
    Some(Area::new(strip.min.x, strip.min.y - height, width, height))
}

/// Returns the rows for which there is room: their places and the numbers of what they name. The current one is among them.
fn rows(scene: &Scene<'_>, area: Area, all: &[PlotSource]) -> impl Iterator<Item = (usize, Area)> {
    let count = ((area.max.y - area.min.y - EDGES) / ROW).round() as usize;
    let here = all.iter().position(|one| scene.ui.plot.as_ref() == Some(one)).unwrap_or(0);
    let first = (here + 1).saturating_sub(count);
    let shown: Range<usize> = first..(first + count).min(all.len());
    shown.enumerate().map(move |(place, number)| {
        let top = area.min.y + EDGES / 2.0 + place as f32 * ROW;
        (number, Area::new(area.min.x + 1.0, top, area.width() - 2.0, ROW))
    })
}

fn widgets(scene: &Scene<'_>, area: Area) -> Vec<Widget> {
    let all = sources(scene);
    let place = |(number, row): (usize, Area)| {
        Widget::place(row, UiCommand::ChoosePlot(number))
            .wheel(UiCommand::PreviousPlot, UiCommand::NextPlot)
            .tip(format!("plot this: {}", all[number].title(scene.state)))
    };
    rows(scene, area, &all).map(place).collect()
}

fn draw(picture: &mut Picture, scene: &Scene<'_>, area: Area) {
    let palette = scene.palette();
    picture.fill_rect(area.min, area.max, palette.panel.alpha(255));
    ground(picture, area, palette);
    let mut writer = writer(picture, area);
    let all = sources(scene);
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
