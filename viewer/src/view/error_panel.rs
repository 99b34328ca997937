//! The panel of an error: why the current files do not run, with the place and a snippet.

use std::ops::Range;

use flockwork_engine::Diagnostic;
use flockwork_engine::diag::Place;
use flockwork_engine::math::{self, Vec2};

use super::frame::{Panel, Scene};
use super::layout::Area;
use super::panels::{ground, writer};
use super::text_writer::{LINE, PAD, SIZE, SMALL, TextWriter, wrap};
use super::view_state::ViewState;
use crate::draw::{Palette, Picture, text_width};

/// Maximum width of the panel, in pixels.
const MAX_WIDTH: f32 = 760.0;
/// Distance from other panels and the edges of the window, in pixels.
const CORNER: f32 = 10.0;
/// Height of a line of small letters, in pixels.
const SMALL_LINE: f32 = 16.0;
/// Number of letters of a long line that are shown before the marked part.
const CONTEXT: usize = 30;

pub(super) static PANEL: Panel =
    Panel { area: |scene| scene.layout.error, widgets: |_, _| Vec::new(), draw, is_solid: true };

/// The first error as lines that fit the panel.
struct ErrorLines<'a> {
    title: Vec<&'a str>,
    help: Vec<&'a str>,
    /// Number of further errors.
    more: usize,
}

impl<'a> ErrorLines<'a> {
    fn new(error: &'a Diagnostic, state: &ViewState, width: f32) -> Self {
        let inner = math::max(width - 2.0 * PAD, 60.0);
        let help = error.help.iter();
        Self {
            title: wrap(&error.message, SIZE + 1.0, inner),
            help: help.flat_map(|line| wrap(line, SMALL, inner)).collect(),
            more: state.errors.len().saturating_sub(1),
        }
    }
}

/// Returns the height that a panel of a width needs if there is an error, in pixels.
pub(super) fn height(state: &ViewState, width: f32) -> Option<f32> {
    let error = state.errors.first()?;
    let lines = ErrorLines::new(error, state, width);
    let small = lines.help.len() + 1 + usize::from(lines.more > 0);
    let place = if error.place.is_some() { 3.4 * LINE } else { 0.0 };
    Some(lines.title.len() as f32 * (LINE + 1.0) + place + small as f32 * SMALL_LINE + 2.0 * PAD)
}

/// Returns the area of the panel if there is an error. There is room for it between the x coordinates `free` and the y
/// coordinates `tall`, in pixels.
pub(super) fn area(state: &ViewState, free: &Range<f32>, tall: Range<f32>) -> Option<Area> {
    let width = math::min(free.end - free.start - 2.0 * CORNER, MAX_WIDTH);
    let height = height(state, width)?;
    let min = Vec2::new(free.start + CORNER, tall.start + CORNER);
    let end = math::min(min.y + height, tall.end - 6.0);
    Some(Area { min, max: Vec2::new(min.x + width, end) })
}

fn draw(picture: &mut Picture, scene: &Scene<'_>, area: Area) {
    let state = scene.state;
    let Some(error) = state.errors.first() else {
        return;
    };
    let palette = scene.palette();
    let lines = ErrorLines::new(error, state, area.width());
    ground(picture, area, palette);
    let side = Vec2::new(area.min.x + 4.0, area.max.y);
    picture.fill_rect(area.min, side, palette.highlight);
    let mut writer = writer(picture, area);
    for line in lines.title {
        writer.line(SIZE + 1.0, palette.ink, line);
    }
    if let Some(place) = &error.place {
        snippet(&mut writer, palette, place, &error.label);
    }
    for line in lines.help {
        writer.line(SMALL, palette.quiet, line);
    }
    if lines.more > 0 {
        let words = format!("and {} more: run `flockwork check` to see all", lines.more);
        writer.line(SMALL, palette.quiet, &words);
    }
    let effect = if state.is_stuck {
        "The run is stopped until you fix this. You can still go back in its history."
    } else {
        "The previous version keeps running until you fix this."
    };
    writer.line(SMALL, palette.ink, effect);
}

/// Draws the line of the script or scenario and underlines the part that the error is about.
fn snippet(writer: &mut TextWriter<'_>, palette: &Palette, place: &Place, label: &str) {
    let (line, column) = place.source.line_column(place.span.start);
    let source = place.source.text.lines().nth(line - 1).unwrap_or_default();
    let source = source.trim_end();
    let words = format!("{}:{line}:{column}", place.source.name);
    writer.line(SMALL, palette.quiet, &words);
    writer.gap(4.0);
    let number = format!("{line}");
    let left = writer.left + text_width(&number, SIZE) + 12.0;
    writer.at(writer.left, SIZE, palette.quiet, &number);
    let code = source.trim_start();
    let mut cut_off = source.chars().count() - code.chars().count();
    // Keep the marked part visible, with a little context before it.
    let room = writer.right - left;
    let upto = source.chars().take(column + place.span.len().min(40));
    let upto: String = upto.collect();
    let code = if text_width(upto.trim_start(), SIZE) > room {
        cut_off = column.saturating_sub(CONTEXT);
        let from = source.char_indices().nth(cut_off).map_or(0, |(at, _)| at);
        &source[from..]
    } else {
        code
    };
    writer.at(left, SIZE, palette.ink, code);
    let before = code.chars().take(column.saturating_sub(1 + cut_off));
    let before: String = before.collect();
    let marked = place.source.text[place.span.clone()].lines().next();
    let length = marked.map_or(1, str::len).max(1);
    let marked = code.chars().skip(before.chars().count()).take(length);
    let marked: String = marked.collect();
    let from = left + text_width(&before, SIZE);
    let to = from + math::max(text_width(&marked, SIZE), 5.0);
    let y = writer.base + 4.0;
    let (from, to) = (math::min(from, writer.right), math::min(to, writer.right));
    let (min, max) = (Vec2::new(from, y), Vec2::new(to, y + 2.0));
    if writer.has_room() {
        writer.picture.fill_rect(min, max, palette.highlight);
    }
    writer.gap(LINE);
    if !label.is_empty() {
        writer.at(from, SMALL, palette.highlight, label);
    }
    writer.gap(LINE);
}
