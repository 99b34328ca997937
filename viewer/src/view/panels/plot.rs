//! The plots above the time bar: values over time, with ticks, and the values under the pointer.

use flockwork_engine::math::{self, Vec2, short};

use super::super::area::Area;
use super::super::chosen_plots::MAX_PLOTS;
use super::super::command::PlayerCommand;
use super::super::layout::{Layout, PlotAreas};
use super::super::panel::{Escape, Opening, Panel, PanelButton, Position, Scene};
use super::super::panel_drawing::{ground, group_dot, handle};
use super::super::panel_states::PanelId;
use super::super::plot::{PlotCurve, PlotSource, Series, ShownPlot};
use super::super::plot_scale::Scale;
use super::super::plot_sources::to_compare;
use super::super::terms::MARGIN;
use super::super::text_writer::{SIZE, SMALL, cut, wrap};
use super::super::ui::Ui;
use super::super::ui_command::UiCommand;
use super::super::view_state::ViewState;
use super::super::widget::Widget;
use super::time_bar;
use crate::draw::{Anchor, Color, Palette, Pen, Picture, text, text_width};
use crate::ticks;

pub(in super::super) static PANEL: Panel = Panel {
    id: PanelId("plot"),
    opening: Opening::ByHand,
    button: Some(PanelButton::new("plot")),
    opens_by: Some(UiCommand::PlotsAndList),
    position: Position::Own(area),
    widgets,
    draw,
    escape: Escape::InTurn,
    on_toggle: |ui, is_open| {
        if !is_open {
            ui.plots.close();
        }
        (!is_open).then_some(PlayerCommand::Plot(Vec::new()))
    },
    needs_run: true,
    ..Panel::DEFAULT
};

/// Distance of labels from the edge of the window, in pixels.
const EDGE: f32 = 14.0;
/// Height of a line of a title, and of its last line with the value, in pixels.
const TITLE_LINE: f32 = 15.0;
const VALUE_LINE: f32 = 19.0;
/// Distance of the last time from the edge of the window, in pixels.
const TIME_EDGE: f32 = 6.0;
/// Minimum distance of two times below the plots, in pixels.
const MIN_TIME: f32 = 70.0;

fn area(scene: &Scene<'_>) -> Option<Area> {
    let (first, last) = (scene.layout.plots.first()?, scene.layout.plots.last()?);
    let max = last.whole.max + Vec2::new(0.0, Layout::PLOT_TIMES);
    Some(Area { min: first.whole.min, max })
}

/// Returns the plots with their areas and numbers.
fn plots<'s>(scene: &'s Scene<'_>) -> impl Iterator<Item = (usize, &'s PlotAreas, &'s PlotSource)> {
    let sources = scene.layout.plots.iter().zip(&scene.ui.plots.sources);
    sources.enumerate().map(|(number, (areas, source))| (number, areas, source))
}

/// Returns the edge that can be dragged.
fn edge(area: Area) -> Area {
    Area { max: Vec2::new(area.max.x, area.min.y + Layout::GRIP), ..area }
}

fn widgets(scene: &Scene<'_>, area: Area) -> Vec<Widget> {
    let mut all = vec![
        Widget::clickable(edge(area), UiCommand::ResizePlots)
            .slider()
            .tip("drag: make the plots higher or lower"),
    ];
    for (number, areas, source) in plots(scene) {
        let words = "click: list all that can be plotted; wheel: step through it";
        let note = if source.is_margin() { format!("; {}", MARGIN.note()) } else { String::new() };
        let title = Widget::clickable(areas.title, UiCommand::ListPlots(number))
            .wheel(UiCommand::StepPlot(number, -1), UiCommand::StepPlot(number, 1))
            .tip(format!("{}; {words}{note}", source.title(scene.state)));
        let goes = "click or drag: go to the tick under the pointer; wheel: zoom the time; double click: all of it";
        all.extend([time_bar::slider(areas.curve, goes.to_owned()), title]);
    }
    all
}

fn draw(picture: &mut Picture, scene: &Scene<'_>, area: Area) {
    let pointed = pointed_tick(scene);
    handle(picture, scene.palette(), edge(area), scene.ui.pointer);
    for (number, areas, source) in plots(scene) {
        let shown = scene.state.plot(source);
        let written = title(picture, scene, areas, source, shown);
        if number > 0 {
            let line = [areas.whole.min, Vec2::new(areas.whole.max.x, areas.whole.min.y)];
            picture.line(&line, false, Pen::new(scene.palette().edge.alpha(70), 1.0));
        }
        let of = |shown| Some((shown, scale(scene, areas, shown)?));
        let Some((shown, scale)) = shown.and_then(of) else { continue };
        times(picture, scene, &scale, area, number + 1 == scene.layout.plots.len());
        values(picture, scene, areas, (shown, written), &scale);
        if let Some(tick) = pointed {
            pointed_value(picture, scene, shown, &scale, (tick, number == 0));
        }
    }
}

/// Returns the tick under the pointer, if it is in a plot or on the time bar.
fn pointed_tick(scene: &Scene<'_>) -> Option<u64> {
    let at = scene.ui.hover.map(|_| scene.ui.pointer)?;
    let curves = scene.layout.plots.iter().map(|areas| areas.curve);
    let is_there = curves.chain([scene.layout.time]).any(|area| area.contains(at));
    is_there.then(|| scene.layout.tick_at(at, scene.state))
}

/// Returns a value of a curve at a tick and, while there is a ghost, that of its dashed line: with the unit if `has_unit` and the curve is the
/// only one, or else with its group.
fn value_words(
    shown: &ShownPlot,
    curve: &PlotCurve,
    value: Option<f32>,
    (tick, has_unit): (u64, bool),
) -> String {
    let group = group_name(shown, curve);
    let unit = if group.is_none() && has_unit { curve.source.unit() } else { "" };
    let mut words = group.map_or_else(String::new, |group| format!("{group} "));
    words += &match value {
        Some(value) => format!("{} {unit}", short(value)).trim_end().to_owned(),
        None => "no value".to_owned(),
    };
    if let Some(before) = curve.dropped.as_ref().and_then(|dropped| dropped.at(tick)) {
        words += &format!(", dashed {}", short(before));
    }
    words
}

/// Returns the values of all curves at a tick.
fn all_words(
    shown: &ShownPlot,
    at: (u64, bool),
    value: impl Fn(&PlotCurve) -> Option<f32>,
) -> String {
    let words = shown.curves.iter().map(|curve| value_words(shown, curve, value(curve), at));
    words.collect::<Vec<_>>().join(", ")
}

/// Returns the name of the group of a curve, if it is one of several.
fn group_name<'c>(shown: &ShownPlot, curve: &'c PlotCurve) -> Option<&'c str> {
    match &curve.source {
        PlotSource::Count(name) if shown.curves.len() > 1 => Some(name),
        _ => None,
    }
}

/// Returns the color of a curve: that of the group, if it shows how many agents this has.
fn color_of(scene: &Scene<'_>, curve: &PlotCurve) -> Color {
    let (world, palette) = (&scene.state.world, scene.palette());
    let group = match &curve.source {
        PlotSource::Count(name) => world.names().group(name),
        _ => None,
    };
    group.map_or(palette.ink, |group| palette.color_of(&world.groups, group))
}

/// Writes what is plotted, and its value at the shown tick. Returns the y coordinate up to which it writes.
fn title(
    picture: &mut Picture,
    scene: &Scene<'_>,
    areas: &PlotAreas,
    source: &PlotSource,
    shown: Option<&ShownPlot>,
) -> f32 {
    let (palette, area) = (scene.palette(), areas.title);
    let tick = scene.state.world.tick;
    let value = |has_unit| match shown {
        Some(shown) => all_words(shown, (tick, has_unit), |curve| curve.now),
        None => "no value".to_owned(),
    };
    let whole = value(true);
    let is_too_long = areas.remarks.is_some() && text_width(&whole, SMALL) > area.width() - EDGE;
    // The unit is what can be left out.
    let value = if is_too_long { value(false) } else { whole };
    let name = source.title(scene.state);
    let at = area.min + Vec2::new(EDGE, 13.0);
    let several = shown.filter(|shown| shown.curves.len() > 1);
    if let Some(shown) = several.filter(|_| areas.remarks.is_some()) {
        text(
            picture,
            at,
            Anchor::Left,
            SMALL,
            palette.quiet,
            &cut(&name, SMALL, area.width() - EDGE),
        );
        group_rows(picture, scene, area, shown);
    } else if areas.remarks.is_some() {
        let room = area.width() - EDGE;
        let lines = wrap(&name, SMALL, room);
        // The numbers of the curve begin where the room ends.
        let size = if text_width(&value, SIZE) <= room { SIZE } else { SMALL };
        let values = wrap(&value, size, room);
        let below = VALUE_LINE + (values.len() - 1) as f32 * TITLE_LINE;
        let count = lines.len().min(((area.height() - below) / TITLE_LINE) as usize).max(1);
        // Without room for all lines, the last one has the beginning of the rest.
        let rest = lines[count - 1..].join(" ");
        let shown = lines[..count - 1].iter().copied().chain([&*rest]);
        let line_at = |number: usize| at + Vec2::new(0.0, number as f32 * TITLE_LINE);
        for (number, line) in shown.enumerate() {
            let words = cut(line, SMALL, room);
            text(picture, line_at(number), Anchor::Left, SMALL, palette.quiet, &words);
        }
        let first = line_at(count - 1) + Vec2::new(0.0, VALUE_LINE);
        for (number, line) in values.iter().enumerate() {
            let at = first + Vec2::new(0.0, number as f32 * TITLE_LINE);
            text(picture, at, Anchor::Left, size, palette.ink, &cut(line, size, room));
        }
        return first.y + (values.len() - 1) as f32 * TITLE_LINE;
    } else {
        let remark = shown.map_or_else(String::new, |shown| remark(scene.state, shown));
        let right = area.max.x - EDGE - text_width(&remark, SMALL);
        let value = cut(&value, SMALL, right - at.x - 56.0);
        let value_at =
            right - text_width(&value, SMALL) - if remark.is_empty() { 0.0 } else { 8.0 };
        let name = cut(&name, SMALL, math::max(value_at - 8.0 - at.x, 40.0));
        text(picture, at, Anchor::Left, SMALL, palette.quiet, &name);
        text(picture, Vec2::new(value_at, at.y), Anchor::Left, SMALL, palette.ink, &value);
        text(picture, Vec2::new(right, at.y), Anchor::Left, SMALL, palette.quiet, &remark);
    }
    area.max.y
}

/// Writes the values of several curves at the shown tick below the title, each behind the color of its group.
fn group_rows(picture: &mut Picture, scene: &Scene<'_>, area: Area, shown: &ShownPlot) {
    let (palette, tick) = (scene.palette(), scene.state.world.tick);
    let first = area.min + Vec2::new(EDGE, 13.0 + VALUE_LINE);
    let room = ((area.max.y - first.y) / TITLE_LINE) as usize + 1;
    let count = shown.curves.len();
    // The last line says how many there is no room for.
    let count = if count > room { room - 1 } else { count };
    let line_at = |number: usize| first + Vec2::new(0.0, number as f32 * TITLE_LINE);
    for (number, curve) in shown.curves[..count].iter().enumerate() {
        let at = line_at(number);
        group_dot(picture, at + Vec2::new(4.0, -4.0), 4.0, color_of(scene, curve), palette);
        let words = value_words(shown, curve, curve.now, (tick, true));
        let words = cut(&words, SMALL, area.width() - EDGE - 14.0);
        text(picture, at + Vec2::new(14.0, 0.0), Anchor::Left, SMALL, palette.ink, &words);
    }
    if count < shown.curves.len() {
        let words = format!("and {} more", shown.curves.len() - count);
        text(picture, line_at(count), Anchor::Left, SMALL, palette.quiet, &words);
    }
}

/// Returns what is to be known about a plot besides its values: where its margin fails, or that values are missing.
fn remark(state: &ViewState, shown: &ShownPlot) -> String {
    match shown.source.failure(state) {
        _ if shown.is_filling => "simulating earlier ticks".to_owned(),
        Some(failure) => format!("fails at tick {}", failure.tick),
        None if shown.lacks_dashed => "not recorded for the run before".to_owned(),
        None => String::new(),
    }
}

/// Returns the scale of a plot: for the ticks that the time bar shows, or for all if there are no values at these. `None` if there are no
/// values at all.
fn scale(scene: &Scene<'_>, areas: &PlotAreas, shown: &ShownPlot) -> Option<Scale> {
    let (layout, state) = (&scene.layout, scene.state);
    let shows_now = layout.shows_tick(state.world.tick, state);
    let is_in_view = |tick| layout.shows_tick(tick, state);
    scale_of(areas, shown, shows_now, is_in_view).or_else(|| scale_of(areas, shown, true, |_| true))
}

/// Returns the scale for the values of all curves at some ticks, and for those at the shown tick if `has_now`. `None` if there are no values.
fn scale_of(
    areas: &PlotAreas,
    shown: &ShownPlot,
    has_now: bool,
    is_in_view: impl Fn(u64) -> bool + Copy,
) -> Option<Scale> {
    let values = |series: &Series| -> Vec<f32> {
        let in_view = series.values.iter().filter(|(tick, _)| is_in_view(*tick));
        in_view.filter_map(|(_, value)| *value).collect()
    };
    let own: Vec<f32> = shown.curves.iter().flat_map(|curve| values(&curve.series)).collect();
    let dropped = || shown.curves.iter().filter_map(|curve| curve.dropped.as_ref());
    let now = shown.curves.iter().filter_map(|curve| curve.now.filter(|_| has_now));
    let all: Vec<f32> = dropped().flat_map(values).chain(own.iter().copied()).chain(now).collect();
    let is_margin = shown.source.is_margin() && !all.is_empty();
    let all = all.into_iter().chain(is_margin.then_some(0.0));
    let scale = Scale::new(areas.curve, all)?;
    let scale = if shown.source.can_be_negative() { scale } else { scale.not_negative() };
    // After a repair, what matters is no longer near zero.
    let fails = is_margin && own.iter().any(|value| *value < 0.0);
    // A dashed curve is there to compare with: all of it has to be seen.
    Some(if fails && dropped().next().is_none() { scale.near_zero() } else { scale })
}

/// Draws vertical lines at round times, and the times below the last plot.
fn times(picture: &mut Picture, scene: &Scene<'_>, scale: &Scale, area: Area, is_last: bool) {
    let (state, layout, palette) = (scene.state, &scene.layout, scene.palette());
    let (first, last) = layout.ends(state);
    let dt = f64::from(state.world.dt);
    let (from, to) = (first as f64 * dt, last as f64 * dt);
    let count = math::max(layout.time.width() / MIN_TIME, 1.0);
    let rough = (to - from) / f64::from(count);
    let step = ticks::round_step(if rough > dt { rough } else { dt });
    for time in ticks::multiples(step, from, to) {
        let x = layout.x_of((time / dt).round() as u64, state).round() + 0.5;
        scale.line_at(picture, x, Pen::new(palette.quiet.alpha(45), 1.0));
        if is_last {
            let words = format!("{} s", ticks::text(step, time));
            let half = text_width(&words, SMALL) / 2.0;
            let left = math::min(math::max(x - half, 2.0), area.max.x - 2.0 * half - TIME_EDGE);
            let at = Vec2::new(left.round(), area.max.y - 2.0);
            text(picture, at, Anchor::Left, SMALL, palette.quiet, &words);
        }
    }
}

/// Height of the label of the tick under the pointer, in pixels.
const LABEL: f32 = 18.0;

/// Marks a tick in a plot, and writes the value of each curve; in the first plot, with its time.
fn pointed_value(
    picture: &mut Picture,
    scene: &Scene<'_>,
    shown: &ShownPlot,
    scale: &Scale,
    (tick, is_first): (u64, bool),
) {
    let (state, palette) = (scene.state, scene.palette());
    let x = scene.layout.x_of(tick, state).round();
    scale.line_at(picture, x + 0.5, Pen::new(palette.ink.alpha(120), 1.0));
    for curve in &shown.curves {
        if let Some(before) = curve.dropped.as_ref().and_then(|dropped| dropped.at(tick)) {
            picture.disc(Vec2::new(x, scale.y(before)), 3.0, palette.ghost);
        }
        if let Some(value) = curve.series.at(tick) {
            value_dot(picture, scene, (shown, curve), Vec2::new(x, scale.y(value)), 3.0);
        }
    }
    let mut words = all_words(shown, (tick, true), |curve| curve.series.at(tick));
    if is_first {
        let seconds = tick as f64 * f64::from(state.world.dt);
        words = format!("tick {tick}, {seconds:.2} s: {words}");
    }
    let curve = scale.area;
    let words = cut(&words, SMALL, curve.width() - 12.0);
    let width = text_width(&words, SMALL) + 12.0;
    let left = if x + 8.0 + width <= curve.max.x { x + 8.0 } else { x - 8.0 - width };
    let left = math::max(left, curve.min.x);
    // Beside the values that it names.
    let values = shown.curves.iter().filter_map(|curve| curve.series.at(tick));
    let is_high =
        values.map(|value| scale.y(value)).fold(curve.max.y, math::min) < curve.min.y + 2.0 * LABEL;
    let top = if is_high { math::max(curve.max.y - LABEL, curve.min.y) } else { curve.min.y };
    let label = Area::new(left, top, width, LABEL);
    picture.fill_rect(label.min, label.max, palette.panel.alpha(255));
    ground(picture, label, palette);
    let at = label.min + Vec2::new(6.0, 13.0);
    text(picture, at, Anchor::Left, SMALL, palette.ink, &words);
}

/// Marks a value of a curve: in the color of its group, if it is one of several.
fn value_dot(
    picture: &mut Picture,
    scene: &Scene<'_>,
    (shown, curve): (&ShownPlot, &PlotCurve),
    at: Vec2,
    radius: f32,
) {
    match group_name(shown, curve) {
        Some(_) => group_dot(picture, at, radius, color_of(scene, curve), scene.palette()),
        None => picture.disc(at, radius, scene.palette().ink),
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
            if let Some(value) = value.filter(|_| self.layout.shows_tick(tick, self.state)) {
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

/// Draws the values of all curves over time, and below them the same values in the future that was dropped: in the color of the ghost, or of
/// their groups if there are several and these colors are easy to see.
fn values(
    picture: &mut Picture,
    scene: &Scene<'_>,
    areas: &PlotAreas,
    (shown, written): (&ShownPlot, f32),
    scale: &Scale,
) {
    let Scene { state, layout, .. } = scene;
    let palette = scene.palette();
    let numbers_end = areas.remarks.map(|_| areas.curve.min.x - 8.0);
    scale.draw_ticks(picture, palette, numbers_end);
    if shown.source.is_margin() {
        scale.zero_line(picture, palette);
    }
    let now = layout.x_of(state.world.tick, state);
    let shows_now = layout.shows_tick(state.world.tick, state);
    if shows_now {
        scale.line_at(picture, now.round() + 0.5, Pen::new(palette.quiet, 1.0));
    }
    for curve in &shown.curves {
        let Some(dropped) = &curve.dropped else { continue };
        let own = group_name(shown, curve).map(|_| color_of(scene, curve));
        // A border around dashes would hide the gaps.
        let own = own.filter(|color| palette.border_of(*color).is_none());
        let color = own.unwrap_or(palette.ghost);
        let pen = Pen { dash: Some(4.0), ..Pen::new(color, 1.3) };
        Curve::new(scene, scale, pen).draw_series(picture, dropped);
    }
    for curve in &shown.curves {
        let color = color_of(scene, curve);
        if let Some(border) = palette.border_of(color) {
            Curve::new(scene, scale, Pen::new(border, 3.5)).draw_series(picture, &curve.series);
        }
        Curve::new(scene, scale, Pen::new(color, 1.5)).draw_series(picture, &curve.series);
    }
    for curve in shown.curves.iter().filter(|_| shows_now) {
        if let Some(value) = curve.now {
            value_dot(picture, scene, (shown, curve), Vec2::new(now, scale.y(value)), 4.0);
        }
    }
    let failure = shown.source.failure(state);
    if let Some(failure) = failure.filter(|one| layout.shows_tick(one.tick, state)) {
        let x = layout.x_of(failure.tick, state);
        scale.line_at(picture, x, Pen::new(palette.highlight, 1.5));
    }
    if shown.source.is_margin() {
        scale.zero_label(picture, palette);
    }
    let means = shown.curves.iter().map(|curve| mean_words(shown, curve));
    let lines = [remark(state, shown), cut_words(scale)].into_iter().chain(means);
    remarks(picture, palette, areas, written, lines);
}

/// Says which of two runs has the higher values on the whole, if there is a ghost.
fn mean_words(shown: &ShownPlot, curve: &PlotCurve) -> String {
    let group = group_name(shown, curve).map_or_else(String::new, |group| format!("{group}: "));
    let means = curve.means().map(|means| means.map(short));
    let which = if curve.is_dropped_short() { "mean in ticks of both" } else { "mean" };
    means.map_or_else(String::new, |[own, ghost]| format!("{group}{which} {own}, dashed {ghost}"))
}

/// Says that values above the scale are at the upper edge, if it has such.
fn cut_words(scale: &Scale) -> String {
    match scale.is_cut {
        true => format!("values above {} are at the top", short(scale.high())),
        false => String::new(),
    }
}

/// Writes to the right of the curve, as many lines as there is room for. Where the curve goes to the edge, they are below the value, which ends
/// at the y coordinate `written`, or over the end of the curve if there is no room.
fn remarks(
    picture: &mut Picture,
    palette: &Palette,
    areas: &PlotAreas,
    written: f32,
    lines: impl Iterator<Item = String>,
) {
    let Some(area) = areas.remarks else { return };
    let room = math::max((area.height() - 13.0) / TITLE_LINE, 0.0) as usize + 1;
    let lines: Vec<String> = lines.filter(|line| !line.is_empty()).take(room).collect();
    let (is_over_curve, title) = (area.min.x < areas.curve.max.x, areas.title);
    let count = lines.len();
    let end = written + count as f32 * TITLE_LINE + 3.0;
    let is_below_value = is_over_curve && end <= title.max.y;
    for (number, line) in lines.into_iter().enumerate() {
        let room = if is_below_value { title.width() } else { area.width() };
        let words = cut(&line, SMALL, room - EDGE);
        let mut at = area.min + Vec2::new(0.0, 13.0 + number as f32 * TITLE_LINE);
        if is_below_value {
            let above_end = (count - 1 - number) as f32 * TITLE_LINE + 3.0;
            at = Vec2::new(title.min.x + EDGE, title.max.y - above_end);
        } else if is_over_curve {
            let width = text_width(&words, SMALL);
            at.x = (area.max.x - EDGE - width - 6.0).floor();
            let (above, below) = (Vec2::new(-4.0, -12.0), Vec2::new(width + 4.0, 3.0));
            picture.fill_rect(at + above, at + below, palette.panel.alpha(215));
        }
        text(picture, at, Anchor::Left, SMALL, palette.quiet, &words);
    }
}

impl Ui {
    /// Plots something instead of what the current plot shows; nothing closes all plots.
    pub(in super::super) fn show_plot(&mut self, source: Option<PlotSource>) -> PlayerCommand {
        match source {
            Some(source) => self.plots.show(source),
            None => self.plots.sources.clear(),
        }
        self.send_plots()
    }

    /// Plots what probably says most about two runs, if the person has never chosen a plot.
    pub(in super::super) fn plot_to_compare(&mut self, state: &ViewState) -> Option<PlayerCommand> {
        let source = to_compare(state).filter(|_| self.plots.can_guess())?;
        self.plots.guess(source, true);
        Some(self.send_plots())
    }

    /// Plots what a comparison has found to differ, if the window chose the plot before that was known.
    pub(in super::super) fn plot_difference(&mut self, state: &ViewState) -> Option<PlayerCommand> {
        let table = state.compared.as_ref().filter(|_| self.plots.is_guess)?;
        self.plots.guess(table.most_different(state)?, false);
        Some(self.send_plots())
    }

    /// Adds a plot of something below the others, unless there is one. Without room for it, it takes the place of the current one.
    pub(in super::super) fn add_plot(&mut self, source: PlotSource) -> PlayerCommand {
        let can_add = self.plots.sources.len() < MAX_PLOTS && !self.plots.sources.contains(&source);
        if can_add {
            self.plots.toggle(source)
        } else {
            self.plots.show(source)
        }
        self.send_plots()
    }

    /// Adds a plot of something below the others, or removes it.
    pub(in super::super) fn add_or_remove_plot(&mut self, source: PlotSource) -> PlayerCommand {
        self.plots.toggle(source);
        self.send_plots()
    }

    /// Opens the panel if there is something to plot, and returns the command that records the values.
    pub(super) fn send_plots(&mut self) -> PlayerCommand {
        PANEL.set_open(self, !self.plots.sources.is_empty());
        PlayerCommand::Plot(self.plots.sources.clone())
    }

    /// Returns the height that each plot has if their upper edge is at the pointer, in pixels.
    pub(in super::super) fn plot_height_at_pointer(&self, state: &ViewState) -> f32 {
        let layout = self.layout(state);
        let bottom = layout.plots.last().map_or(0.0, |areas| areas.whole.max.y);
        (bottom - self.pointer.y) / layout.plots.len().max(1) as f32
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn series(values: &[f32]) -> Series {
        let values = Arc::new((0..).zip(values.iter().map(|value| Some(*value))).collect());
        Series { values, ..Series::default() }
    }

    /// A dashed run that was farther from failing was cut off.
    #[test]
    fn a_margin_that_becomes_negative_is_cut_off_only_without_a_dashed_curve() {
        let whole = Area::new(0.0, 0.0, 400.0, 100.0);
        let areas = PlotAreas { whole, title: whole, curve: whole, remarks: None };
        let source = PlotSource::Margin { expectation: String::new(), unit: "" };
        let (series_of, dropped, now) = (series(&[5.0, -0.5]), None, None);
        let curves = vec![PlotCurve { source: source.clone(), series: series_of, dropped, now }];
        let mut shown = ShownPlot { source, curves, is_filling: false, lacks_dashed: false };
        let high = |shown: &ShownPlot| scale_of(&areas, shown, false, |_| true).unwrap().high();
        assert_eq!(high(&shown), 2.0);
        shown.curves[0].dropped = Some(series(&[5.0, 6.0]));
        assert_eq!(high(&shown), 6.0);
        // Caught: while the time was zoomed, the axis had the range of all ticks.
        let first = scale_of(&areas, &shown, false, |tick| tick == 0).unwrap();
        assert_eq!(first.high(), 5.0);
        assert!(scale_of(&areas, &shown, false, |tick| tick > 1).is_none());
    }

    #[test]
    fn values_of_several_groups_have_their_names_and_one_scale() {
        let whole = Area::new(0.0, 0.0, 400.0, 100.0);
        let areas = PlotAreas { whole, title: whole, curve: whole, remarks: None };
        let curve = |group: &str, values: &[f32], dropped: Option<&[f32]>| PlotCurve {
            source: PlotSource::Count(group.to_owned()),
            series: series(values),
            dropped: dropped.map(series),
            now: None,
        };
        let sheep = curve("sheep", &[100.0, 90.0], None);
        let wolves = curve("wolves", &[50.0, 55.0], Some(&[50.0, 120.0]));
        let source = PlotSource::AllCounts;
        let curves = vec![sheep, wolves];
        let mut shown = ShownPlot { source, curves, is_filling: false, lacks_dashed: false };
        let words = |shown: &ShownPlot| all_words(shown, (1, true), |curve| curve.series.at(1));
        assert_eq!(words(&shown), "sheep 90, wolves 55, dashed 120");
        let scale = scale_of(&areas, &shown, false, |_| true).unwrap();
        assert_eq!((scale.high(), scale.y(50.0)), (120.0, 95.0));
        let means = shown.curves.iter().map(|curve| mean_words(&shown, curve));
        assert_eq!(means.collect::<Vec<_>>(), ["", "wolves: mean 52.5, dashed 85"]);
        // Caught: with a short run before, the mean of some ticks passed for that of all.
        shown.curves[1].dropped = Some(series(&[50.0]));
        let short = mean_words(&shown, &shown.curves[1]);
        assert_eq!(short, "wolves: mean in ticks of both 50, dashed 50");
        shown.curves.truncate(1);
        assert_eq!(words(&shown), "90 agents");
    }

    /// A remark lay over the second line of the value.
    #[test]
    fn remarks_are_below_all_lines_of_the_value_or_beside_them() {
        let whole = Area::new(0.0, 0.0, 900.0, 96.0);
        let (title, curve) = (Area::new(0.0, 0.0, 200.0, 96.0), Area::new(270.0, 0.0, 600.0, 96.0));
        let beside = Area::new(660.0, 0.0, 230.0, 96.0);
        let areas = PlotAreas { whole, title, curve, remarks: Some(beside) };
        let is_on_title = |written: f32| {
            let palette = &crate::draw::LIGHT;
            let mut picture = Picture::new((900, 100), palette.panel);
            let lines = ["fails at tick 240".to_owned()];
            remarks(&mut picture, palette, &areas, written, lines.into_iter());
            let pixels: Vec<u32> = picture.rgb().collect();
            pixels.chunks(900).any(|row| row[..200].iter().any(|pixel| *pixel != pixels[0]))
        };
        assert!(is_on_title(70.0) && !is_on_title(85.0));
    }
}
