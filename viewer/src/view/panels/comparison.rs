//! The table of a comparison of params: what each expectation and measure is with those of the person and with the others.

use flockwork_engine::math;

use super::super::area::Area;
use super::super::compared::{Compared, ComparedRow, OverRuns};
use super::super::explain_text::GROUP_GAP;
use super::super::keys::key_of;
use super::super::panel::{Escape, Opening, Panel, Position, Scene};
use super::super::panel_drawing::{
    ButtonLook, scroll_bar, section, word_button, word_button_width, writer,
};
use super::super::panel_states::PanelId;
use super::super::terms::MARGIN;
use super::super::text_writer::{PAD, SIZE, SMALL, TITLE_SIZE, TextWriter, cut};
use super::super::ui::Ui;
use super::super::ui_command::UiCommand;
use super::super::view_state::ViewState;
use super::super::widget::Widget;
use crate::draw::{Color, Palette, Picture, Typeface};

pub(in super::super) static PANEL: Panel = Panel {
    id: PanelId("comparison"),
    opening: Opening::ByHand,
    opens_by: Some(UiCommand::CompareParams),
    position: Position::Column(height),
    widgets,
    draw,
    max_scroll: |scene| {
        let area = scene.layout.area(PANEL.id);
        area.map_or(0.0, |area| max_scroll(scene, area))
    },
    escape: Escape::InTurn,
    needs_run: true,
    ..Panel::DEFAULT
};

/// Height of what a step of the wheel scrolls, in pixels.
const SCROLL: i32 = 48;
/// Height of what is above the rows, and below them, in pixels.
const HEAD: f32 = 70.0;
const FOOT: f32 = 8.0;
/// Height of a name and of a line of values, and the distance of two rows, in pixels.
const NAME: f32 = 17.0;
const LINE: f32 = 16.0;
const GAP: f32 = GROUP_GAP;
/// Where the columns of the values end, as shares of the width.
const COLUMNS: [f32; 2] = [0.64, 1.0];
/// What is shown at a row that may differ by chance although its interval has no 0.
const SEVERAL_VALUES: &str = "The 95 % interval is about this value alone. If you compare several values, one of them may seem to differ by \
    chance, so each has to differ by more (Holm's correction).";

/// Returns the height of a row.
fn row_height(row: &ComparedRow) -> f32 {
    let over_runs = row.over_runs.as_ref();
    let over_runs = over_runs
        .map_or(0, |of| 1 + 2 * usize::from(of.difference.is_some()) + verdict_lines(of).count());
    NAME + (usize::from(here(row).is_some()) + over_runs) as f32 * LINE + GAP
}

/// Returns what a row has about this run, with the params of the person and with the others, as far as it is known.
fn here(row: &ComparedRow) -> Option<[&str; 2]> {
    let both = row.here.as_ref().map(|sides| sides.each_ref().map(String::as_str));
    both.or_else(|| row.other_here.as_deref().map(|other| ["…", other]))
}

/// Says how many of the runs with other random numbers are done, while the table waits for them.
pub(in super::super) fn progress<'s>(ui: &Ui, state: &'s ViewState) -> Option<&'s str> {
    let table = state.compared.as_ref().filter(|table| PANEL.is_open(ui) && !table.has_runs());
    table.and(state.background_task.as_deref())
}

/// Returns the lines of what the runs say: why that may be chance has its own.
fn verdict_lines(over_runs: &OverRuns) -> impl Iterator<Item = &str> {
    [Some(&*over_runs.verdict), over_runs.why_unclear.as_deref()].into_iter().flatten()
}

/// Returns why the values are not those of the present params, if that is so.
fn stale_words(state: &ViewState) -> Option<String> {
    let changed = state.compared.as_ref()?.changed(state.world.seed, &state.params)?;
    let key = key_of(UiCommand::CompareParams);
    Some(format!("before you changed {changed}: press {key}"))
}

/// Returns the height of what is above the rows, in pixels.
fn head(ui: &Ui, state: &ViewState) -> f32 {
    let lines = [stale_words(state).is_some(), progress(ui, state).is_some()];
    HEAD + lines.map(|is_there| if is_there { NAME } else { 0.0 }).iter().sum::<f32>()
}

/// Returns the button that keeps the params in use or forgets those that are kept, and its words.
fn keep_button(state: &ViewState, area: Area) -> (&'static str, Area) {
    let world = &state.world;
    let is_kept = state.kept_params.as_ref().is_some_and(|kept| {
        let mut groups = world.groups.iter().zip(&state.params);
        groups.all(|(group, params)| kept.get(&*group.name) == Some(params))
    });
    let words = if is_kept { "forget the kept" } else { "keep yours" };
    let width = word_button_width(words);
    let left = area.max.x - PAD - width;
    (words, Area::new(left, area.min.y + 7.0, width, Widget::MIN_SIDE))
}

/// Returns whether a table is shown.
pub(super) fn has_table(ui: &Ui, state: &ViewState) -> bool {
    PANEL.is_open(ui) && state.compared.is_some()
}

/// Returns the height of the table, if there is one.
fn height(ui: &Ui, state: &ViewState, _: f32) -> Option<f32> {
    let table = state.compared.as_ref()?;
    let rows: f32 = table.rows.iter().map(row_height).sum();
    Some(head(ui, state) + math::max(rows, NAME + GAP) + FOOT)
}

/// Returns the rows with the parts of their areas that are visible.
fn rows<'s>(scene: &'s Scene<'_>, area: Area) -> impl Iterator<Item = (&'s ComparedRow, Area)> {
    let scroll = math::min(scene.ui.panels.scroll(PANEL.id), max_scroll(scene, area));
    let (top, bottom) = (area.min.y + head(scene.ui, scene.state) - NAME, area.max.y - FOOT);
    let mut y = top - scroll;
    scene.state.compared.iter().flat_map(|table| &table.rows).map(move |row| {
        let (from, to) = (math::max(y, top), math::min(y + row_height(row), bottom));
        y += row_height(row);
        (row, Area::new(area.min.x, from, area.width(), math::max(to - from, 0.0)))
    })
}

/// Returns by how many pixels the rows can be scrolled down.
fn max_scroll(scene: &Scene<'_>, area: Area) -> f32 {
    let wanted = height(scene.ui, scene.state, area.width()).unwrap_or_default();
    math::max(wanted - area.height(), 0.0)
}

fn title(table: &Compared) -> String {
    format!("compared up to tick {}", table.end)
}

/// Returns the room of the title before the button, in pixels.
fn title_room(scene: &Scene<'_>, area: Area) -> f32 {
    keep_button(scene.state, area).1.min.x - PAD / 2.0 - (area.min.x + PAD)
}

fn widgets(scene: &Scene<'_>, area: Area) -> Vec<Widget> {
    let is_cut = max_scroll(scene, area) > 0.0;
    let scrolls = |widget: Widget| if is_cut { widget.scrolls(PANEL.id, SCROLL) } else { widget };
    let (_, keep) = keep_button(scene.state, area);
    let keep = Widget::clickable(keep, UiCommand::KeepParams);
    let ground = scrolls(Widget::background(area));
    let title = scene.state.compared.as_ref().map(|table| title(table));
    let is_whole =
        |title: &String| Typeface::Strong.width(title, TITLE_SIZE) <= title_room(scene, area);
    let ground = match title.filter(|title| !is_whole(title)) {
        Some(title) => ground.tip(title),
        None => ground,
    };
    let mut all = vec![ground, keep];
    for (index, (row, area)) in rows(scene, area).enumerate() {
        let source = row.plot_source(scene.state);
        let is_unclear = row.over_runs.as_ref().is_some_and(|of| of.why_unclear.is_some());
        let why = is_unclear.then(|| SEVERAL_VALUES.to_owned());
        if area.height() <= 0.0 {
            continue;
        }
        if let Some(source) = source {
            let plots = Widget::clickable(area, UiCommand::PlotCompared(index));
            let note =
                if source.is_margin() { format!("; {}", MARGIN.note()) } else { String::new() };
            let click = format!("click: plot it, the other run dashed{note}");
            let lines: Vec<String> = [Some(click), why].into_iter().flatten().collect();
            all.push(scrolls(plots.tip(lines.join("\n"))));
        } else if let Some(why) = why {
            all.push(scrolls(Widget::background(area).tip(why)));
        }
    }
    all
}

fn draw(picture: &mut Picture, scene: &Scene<'_>, area: Area) {
    let Some(table) = &scene.state.compared else { return };
    let palette = scene.palette();
    section(picture, area, palette);
    let mut writer = writer(picture, area);
    let (words, keep) = keep_button(scene.state, area);
    writer.right = writer.left + title_room(scene, area);
    writer.title(writer.left, palette.ink, &title(table));
    writer.right = area.max.x - PAD;
    word_button(writer.picture, palette, keep, words, ButtonLook::Plain);
    let stale = stale_words(scene.state);
    if let Some(words) = &stale {
        writer.gap(NAME);
        writer.at(writer.left, SMALL, palette.highlight, words);
    }
    if let Some(words) = progress(scene.ui, scene.state) {
        writer.gap(NAME);
        writer.at(writer.left, SMALL, palette.quiet, words);
    }
    writer.gap(25.0);
    values(&mut writer, palette.quiet, "", ["yours", table.others.trim_start_matches("the ")]);
    let (scroll, all) = (scene.ui.panels.scroll(PANEL.id), max_scroll(scene, area));
    let top = area.min.y + head(scene.ui, scene.state);
    // A line above that would be on the heads of the columns.
    writer.start = top - 4.0;
    writer.base = top - math::min(scroll, all);
    if table.rows.is_empty() {
        writer.at(writer.left, SMALL, palette.quiet, "nothing is expected or plotted");
    }
    for row in &table.rows {
        draw_row(&mut writer, palette, row, stale.is_some());
    }
    let track = area.between(top, area.max.y - FOOT);
    let (height, scroll) = (track.height(), math::min(scroll, all));
    scroll_bar(picture, palette, track, scroll..scroll + height, height + all);
}

/// Writes a row, pale if it is out of date.
fn draw_row(writer: &mut TextWriter<'_>, palette: &Palette, row: &ComparedRow, is_stale: bool) {
    let ink = if is_stale || row.is_pale() { palette.quiet.alpha(150) } else { palette.ink };
    let certain = row.over_runs.as_ref().filter(|_| !is_stale);
    let certain = certain.and_then(|of| certain_color(of, palette));
    writer.at(writer.left, SIZE, certain.unwrap_or(ink), &row.name);
    writer.gap(NAME);
    if let Some(sides) = here(row) {
        values(writer, ink, "this run", sides);
        writer.gap(LINE);
    }
    if let Some(over_runs) = &row.over_runs {
        let [own, other] = &over_runs.values;
        let of = format!("{} other runs", Compared::RUNS);
        values(writer, ink, &of, [own, other]);
        writer.gap(LINE);
        let quiet = palette.quiet.alpha(if is_stale { 150 } else { 255 });
        if let Some([difference, interval]) = &over_runs.difference {
            writer.named(writer.left, SMALL, [quiet, ink], "difference", difference);
            writer.gap(LINE);
            writer.up_to(writer.right, SMALL, quiet, interval);
            writer.gap(LINE);
        }
        let color = certain.unwrap_or(quiet);
        for line in verdict_lines(over_runs) {
            writer.up_to(writer.right, SMALL, color, line);
            writer.gap(LINE);
        }
    }
    writer.gap(GAP);
}

/// Returns the color of a difference that is certain: one for better, one for worse, and one for a measure.
fn certain_color(over_runs: &OverRuns, palette: &Palette) -> Option<Color> {
    let color = match over_runs.is_better {
        Some(true) => palette.good,
        Some(false) => palette.highlight,
        None => palette.group(0),
    };
    over_runs.is_certain.then_some(color)
}

/// Writes what a line is about, and the values of both sides, below each other.
fn values(writer: &mut TextWriter<'_>, color: Color, about: &str, sides: [&str; 2]) {
    let (left, width) = (writer.left, writer.right - writer.left);
    let quiet = color.alpha(170);
    writer.at(left, SMALL, quiet, about);
    let mut start = left + width * 0.27;
    for (words, end) in sides.into_iter().zip(COLUMNS) {
        let end = left + width * end;
        writer.up_to(end, SMALL, color, &cut(words, SMALL, end - start));
        start = end + 6.0;
    }
}
