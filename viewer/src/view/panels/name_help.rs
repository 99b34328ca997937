//! What is known about the name in a file that the pointer rests on: what is wrong there, how it is written, and what it means.

use flockwork_engine::diag::Severity;
use flockwork_engine::math::{self, Vec2};

use super::super::area::Area;
use super::super::file_notes::{problems, value_at};
use super::super::file_view::{ABOVE, BELOW, CODE, free_top, point_of, shown_text_area};
use super::super::panel::{Panel, Position, Scene};
use super::super::panel_drawing::floating_ground;
use super::super::panel_states::PanelId;
use super::super::problem_rows::color_of_problem;
use super::super::text_rows::LINE;
use super::super::text_writer::{PAD, SMALL, cut, wrap};
use crate::draw::{Anchor, Picture, Typeface, text, text_width};

pub(in super::super) static PANEL: Panel = Panel {
    id: PanelId("name_help"),
    position: Position::Own(area),
    draw,
    is_solid: false,
    ..Panel::DEFAULT
};

/// Maximum width, in pixels, and number of lines of words.
const WIDTH: f32 = 460.0;
const MAX_LINES: usize = 9;

/// A line of the box.
pub(in super::super) struct HelpLine {
    pub(in super::super) words: String,
    /// What is wrong; `None` for what is known.
    severity: Option<Severity>,
    is_code: bool,
    /// Whether it is what the selected agent computes.
    is_value: bool,
}

/// Returns the lines that words need with a width.
fn wrapped(words: &str, severity: Option<Severity>, width: f32) -> Vec<HelpLine> {
    let line = |words: &str| HelpLine {
        words: words.to_owned(),
        severity,
        is_code: false,
        is_value: false,
    };
    wrap(words, SMALL, width).into_iter().map(line).collect()
}

/// Returns the lines of the box: none if the pointer rests on no name, or nothing is known of it.
pub(in super::super) fn lines(scene: &Scene<'_>) -> Vec<HelpLine> {
    let files = &scene.ui.files;
    let pointed = files.pointed.as_ref().filter(|pointed| pointed.is_explained);
    let shown = pointed.zip(scene.ui.shown_file(scene.state)).zip(shown_text_area(scene));
    let Some(((pointed, file), room)) = shown else { return Vec::new() };
    let width = math::min(WIDTH, room.width()) - 2.0 * PAD;
    let mut all = Vec::new();
    for (place, found) in problems(scene, &file) {
        let is_here = place.span.start < pointed.span.end && pointed.span.start < place.span.end;
        if is_here || place.span.start == pointed.span.start {
            all.extend(wrapped(&found.message, Some(found.severity), width));
            all.extend(found.help.iter().flat_map(|help| wrapped(help, None, width)));
        }
    }
    if let Some(value) = value_at(scene, &file, pointed.span.start) {
        let words = format!("now {value}");
        all.extend(
            wrapped(&words, None, width)
                .into_iter()
                .map(|line| HelpLine { is_value: true, ..line }),
        );
    }
    if let Some(about) = files.help.about(&file.source.name, file.text(), pointed.span.start) {
        let code = |words: &String| HelpLine {
            words: words.clone(),
            severity: None,
            is_code: true,
            is_value: false,
        };
        all.extend(about.signatures.iter().map(code));
        all.extend(about.paragraphs.iter().flat_map(|words| wrapped(words, None, width)));
    }
    all.truncate(MAX_LINES);
    all
}

fn width_of(line: &HelpLine) -> f32 {
    if line.is_code {
        Typeface::Code.width(&line.words, CODE)
    } else {
        text_width(&line.words, SMALL)
    }
}

/// Returns the area of the box: below the line of the name, or above it where there is no room. It covers neither the line nor that of the
/// cursor. What is wrong is told above it, since the line below may be the next one to type in.
fn area(scene: &Scene<'_>) -> Option<Area> {
    let lines = lines(scene);
    let room = shown_text_area(scene).filter(|_| !lines.is_empty())?;
    let at = point_of(scene, scene.ui.files.pointed.as_ref()?.span.start)?;
    let widest = lines.iter().map(width_of).fold(0.0, math::max);
    let width = math::min(math::min(widest + 1.0, WIDTH) + 2.0 * PAD, room.width());
    let height = lines.len() as f32 * LINE + PAD;
    let left = math::max(math::min(at.x - PAD, room.max.x - width), room.min.x);
    let (below, above) = (at.y + BELOW, at.y - ABOVE - height);
    let is_wrong = lines.iter().any(|line| line.severity.is_some());
    let wanted = if is_wrong { [above, below] } else { [below, above] };
    let free = free_top(scene, (at.y, height), wanted, room.min.y..room.max.y);
    Some(Area::new(left, free.unwrap_or(below), width, height))
}

fn draw(picture: &mut Picture, scene: &Scene<'_>, area: Area) {
    let palette = scene.palette();
    floating_ground(picture, area, palette, 255);
    let mut at = area.min + Vec2::new(PAD, PAD / 2.0 + 13.0);
    let room = area.width() - 2.0 * PAD;
    for HelpLine { words, severity, is_code, is_value } in lines(scene) {
        if is_code {
            // Each letter is as wide as the others.
            let most = (room / Typeface::Code.width("0", CODE)) as usize;
            let is_cut = words.chars().count() > most;
            let shown: String = words.chars().take(most - usize::from(is_cut)).collect();
            let end = if is_cut { "…" } else { "" };
            Typeface::Code.write(picture, at, CODE, palette.ink, &format!("{shown}{end}"));
        } else {
            let usual = if is_value { palette.ink } else { palette.quiet };
            let color = severity.map_or(usual, |one| color_of_problem(one, palette));
            text(picture, at, Anchor::Left, SMALL, color, &cut(&words, SMALL, room));
        }
        at.y += LINE;
    }
}
