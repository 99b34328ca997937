//! The plot above the time bar: a value over time.

use flockwork_engine::math::{self, Vec2, short};

use super::super::area::Area;
use super::super::command::PlayerCommand;
use super::super::layout::{Layout, PlotAreas};
use super::super::panel::{Escape, Opening, Panel, Position, Scene};
use super::super::panel_states::PanelId;
use super::super::plot::{PlotSource, Series, ShownPlot};
use super::super::text_writer::{SIZE, SMALL, cut};
use super::super::ui::Ui;
use super::super::ui_command::UiCommand;
use super::super::view_state::ViewState;
use super::super::widget::Widget;
use super::{plot_list, time_bar};
use crate::draw::{Anchor, Palette, Pen, Picture, text, text_width};

pub(in super::super) static PANEL: Panel = Panel {
    id: PanelId("plot"),
    opening: Opening::ByHand,
    position: Position::Own(|scene| scene.layout.plot.map(|areas| areas.whole)),
    widgets,
    draw,
    escape: Escape::InTurn,
    on_toggle: |ui, is_open| {
        if !is_open {
            ui.plot = None;
        }
        (!is_open).then_some(PlayerCommand::Plot(None))
    },
    ..Panel::DEFAULT
};

impl Ui {
    /// Plots something; nothing closes the plot.
    pub(in super::super) fn show_plot(&mut self, source: Option<PlotSource>) -> PlayerCommand {
        self.plot.clone_from(&source);
        PANEL.set_open(self, source.is_some());
        PlayerCommand::Plot(source)
    }
}

/// The label of the line where a margin is zero.
const ZERO: &str = "0: fails below";
/// Distance of labels from the edge of the window, in pixels.
const EDGE: f32 = 14.0;

fn widgets(scene: &Scene<'_>, _: Area) -> Vec<Widget> {
    let Some(areas) = scene.layout.plot else { return Vec::new() };
    let title = Widget::clickable(areas.title, plot_list::PANEL.toggle())
        .wheel(UiCommand::PreviousPlot, UiCommand::NextPlot)
        .tip("click: list all that can be plotted; wheel: step through it");
    vec![time_bar::slider(areas.curve, time_bar::tick_words(scene)), title]
}

fn draw(picture: &mut Picture, scene: &Scene<'_>, _: Area) {
    let Scene { ui, state, .. } = scene;
    let Some(areas) = scene.layout.plot else { return };
    let Some(source) = &ui.plot else { return };
    let shown = state.plot.as_ref().filter(|shown| shown.source == *source);
    let value = shown.and_then(|shown| shown.now);
    let value = value.map(|value| format!("{} {}", short(value), source.unit()));
    let mut value = value.unwrap_or_else(|| "no value".to_owned());
    let before = shown.and_then(|shown| shown.dropped.as_ref()?.at(state.world.tick));
    if let Some(before) = before {
        value += &format!(", before {}", short(before));
    }
    title(picture, scene.palette(), &areas, &source.title(state), &value);
    if let Some(shown) = shown {
        values(picture, scene, &areas, shown);
    }
}

/// Writes what is plotted, and its value at the shown tick.
fn title(picture: &mut Picture, palette: &Palette, areas: &PlotAreas, name: &str, value: &str) {
    let area = areas.title;
    let name_at = area.min + Vec2::new(EDGE, 17.0);
    if areas.range.is_some() {
        let name = cut(name, SMALL, area.width() - EDGE);
        text(picture, name_at, Anchor::Left, SMALL, palette.quiet, &name);
        let at = name_at + Vec2::new(0.0, 19.0);
        text(picture, at, Anchor::Left, SIZE, palette.ink, value);
    } else {
        // The right half is for the range.
        let room = area.width() / 2.0 - EDGE;
        let name = cut(name, SMALL, math::max(room - text_width(value, SMALL) - 8.0, 40.0));
        text(picture, name_at, Anchor::Left, SMALL, palette.quiet, &name);
        let at = name_at + Vec2::new(text_width(&name, SMALL) + 8.0, 0.0);
        text(picture, at, Anchor::Left, SMALL, palette.ink, value);
    }
}

/// Writes to the right of the curve, or at the right end of the title.
fn aside(picture: &mut Picture, palette: &Palette, areas: &PlotAreas, words: [&str; 3]) {
    match areas.range {
        Some(area) => {
            let bases =
                [10.0, (area.max.y - area.min.y) / 2.0 + 4.0, area.max.y - area.min.y - 2.0];
            for (words, base) in words.into_iter().zip(bases) {
                let at = area.min + Vec2::new(0.0, base);
                let words = cut(words, SMALL, area.width() - EDGE);
                text(picture, at, Anchor::Left, SMALL, palette.quiet, &words);
            }
        }
        None => {
            let [high, middle, low] = words;
            let range = [low, high].into_iter().filter(|words| !words.is_empty());
            let range = range.collect::<Vec<_>>().join(" to ");
            let words = if middle.is_empty() { &range } else { middle };
            let at = Vec2::new(areas.title.max.x - EDGE, areas.title.min.y + 17.0);
            text(picture, at, Anchor::Right, SMALL, palette.quiet, words);
        }
    }
}

/// Where values are in a plot.
struct Scale {
    area: Area,
    low: f32,
    high: f32,
    /// Whether values above `high` are drawn there.
    is_cut: bool,
}

/// A plot of a margin that becomes negative goes up to this many times the most negative value.
const NEAR_ZERO: f32 = 4.0;

impl Scale {
    /// Returns a scale for some values. `None` if there are none.
    fn new(area: Area, values: impl Iterator<Item = f32>) -> Option<Self> {
        let all = values.map(|value| (value, value));
        let join = |a: (f32, f32), b: (f32, f32)| (math::min(a.0, b.0), math::max(a.1, b.1));
        let (low, high) = all.reduce(join)?;
        Some(Self { area, low, high, is_cut: false })
    }

    /// Returns the scale of a margin, where what matters is near zero: the last agents of a run may be far from failing.
    fn near_zero(self) -> Self {
        let most = -NEAR_ZERO * self.low;
        if most > 0.0 && most < self.high {
            Self { high: most, is_cut: true, ..self }
        } else {
            self
        }
    }

    /// Returns the largest value in words.
    fn high_text(&self) -> String {
        let high = short(self.high);
        if self.is_cut { format!("{high} and more") } else { high }
    }

    fn y(&self, value: f32) -> f32 {
        let (low, range) = (f64::from(self.low), f64::from(self.high) - f64::from(self.low));
        // A value that never changes is in the middle.
        let share = if range > 0.0 { (f64::from(value) - low) / range } else { 0.5 };
        let share = share.clamp(0.0, 1.0);
        let height = self.area.max.y - self.area.min.y;
        self.area.max.y - 4.0 - share as f32 * (height - 8.0)
    }

    fn line_at(&self, picture: &mut Picture, x: f32, pen: Pen) {
        let line = [Vec2::new(x, self.area.min.y), Vec2::new(x, self.area.max.y)];
        picture.line(&line, false, pen);
    }

    /// Draws where a margin is zero, and says what that means.
    fn zero_line(&self, picture: &mut Picture, palette: &Palette) {
        let (area, y) = (self.area, self.y(0.0));
        let zero = [Vec2::new(area.min.x, y), Vec2::new(area.max.x, y)];
        picture.line(&zero, false, Pen { dash: Some(4.0), ..Pen::new(palette.highlight, 1.0) });
        let base = if y - area.min.y < 15.0 { y + 12.0 } else { y - 4.0 };
        let at = Vec2::new(area.max.x - 4.0, base);
        text(picture, at, Anchor::Right, SMALL, palette.highlight, ZERO);
    }
}

/// The points of a curve: at most two for each pixel, the lowest and the highest value there.
struct Curve<'a> {
    layout: &'a Layout,
    state: &'a ViewState,
    scale: &'a Scale,
    pen: Pen,
    points: Vec<Vec2>,
    /// Whether the last two points are at the same pixel.
    has_range: bool,
}

impl<'a> Curve<'a> {
    fn new(scene: &'a Scene<'_>, scale: &'a Scale, pen: Pen) -> Self {
        let (layout, state) = (&scene.layout, scene.state);
        Self { layout, state, scale, pen, points: Vec::new(), has_range: false }
    }

    /// Draws values. The line is broken where values are missing.
    fn draw_series(&mut self, picture: &mut Picture, series: &Series) {
        let mut next = None;
        for &(tick, value) in series.values.iter() {
            if next != Some(tick) || value.is_none() {
                self.draw(picture);
            }
            if let Some(value) = value {
                self.add(tick, value);
            }
            next = Some(tick + series.every);
        }
        self.draw(picture);
    }

    fn add(&mut self, tick: u64, value: f32) {
        let x = self.layout.x_of(tick, self.state).round();
        let at = Vec2::new(x, self.scale.y(value));
        match self.points.as_mut_slice() {
            [.., above, below] if self.has_range && below.x == x => {
                above.y = math::min(above.y, at.y);
                below.y = math::max(below.y, at.y);
            }
            [.., last] if last.x == x => {
                let (above, below) = (math::min(last.y, at.y), math::max(last.y, at.y));
                last.y = above;
                self.points.push(Vec2::new(x, below));
                self.has_range = true;
            }
            _ => {
                self.points.push(at);
                self.has_range = false;
            }
        }
    }

    /// Draws the points so far. Points that are added later begin another line.
    fn draw(&mut self, picture: &mut Picture) {
        match self.points.as_slice() {
            [] => {}
            [at] => picture.disc(*at, 1.0, self.pen.color),
            points => picture.line(points, false, self.pen),
        }
        self.points.clear();
        self.has_range = false;
    }
}

/// Draws a value over time, and below it the same value in the future that was dropped, in the color of the ghost.
fn values(picture: &mut Picture, scene: &Scene<'_>, areas: &PlotAreas, shown: &ShownPlot) {
    let Scene { state, layout, .. } = scene;
    let palette = scene.palette();
    let now = layout.x_of(state.world.tick, state);
    let both = [Some(&shown.series), shown.dropped.as_ref()].into_iter().flatten();
    let all = both.flat_map(|series| series.values.iter().filter_map(|(_, value)| *value));
    let all = all.chain(shown.now);
    let is_margin = shown.source.is_margin();
    let all = all.chain(is_margin.then_some(0.0));
    let Some(scale) = Scale::new(areas.curve, all) else { return };
    let scale = if is_margin { scale.near_zero() } else { scale };
    if is_margin {
        scale.zero_line(picture, palette);
    }
    scale.line_at(picture, now.round() + 0.5, Pen::new(palette.quiet, 1.0));
    if let Some(dropped) = &shown.dropped {
        let pen = Pen { dash: Some(4.0), ..Pen::new(palette.ghost, 1.3) };
        Curve::new(scene, &scale, pen).draw_series(picture, dropped);
    }
    Curve::new(scene, &scale, Pen::new(palette.ink, 1.5)).draw_series(picture, &shown.series);
    if let Some(value) = shown.now {
        picture.disc(Vec2::new(now, scale.y(value)), 4.0, palette.ink);
    }
    let failure = shown.source.failure(state);
    if let Some(failure) = failure {
        let x = layout.x_of(failure.tick, state);
        scale.line_at(picture, x, Pen::new(palette.highlight, 1.5));
    }
    let words = match failure {
        _ if shown.is_filling => "simulating earlier ticks".to_owned(),
        Some(failure) => format!("fails at {}", failure.tick),
        None => String::new(),
    };
    let (low, high) = (short(scale.low), scale.high_text());
    let low = if scale.low == scale.high { "" } else { low.as_str() };
    aside(picture, palette, areas, [&high, &words, low]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_margin_that_becomes_negative_is_drawn_near_zero() {
        let area = Area::new(0.0, 0.0, 100.0, 50.0);
        let of = |values: [f32; 3]| Scale::new(area, values.into_iter()).unwrap().near_zero();
        let cut = of([-0.5, 0.0, 33.0]);
        assert_eq!((cut.high, cut.high_text().as_str()), (2.0, "2 and more"));
        assert_eq!((cut.y(33.0), cut.y(2.0), cut.y(-0.5)), (4.0, 4.0, 46.0));
        assert_eq!(of([-10.0, 0.0, 33.0]).high_text(), "33");
        assert_eq!(of([0.0, 3.0, 33.0]).high, 33.0);
    }
}
