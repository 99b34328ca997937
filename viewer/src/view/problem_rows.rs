//! The rows below the lines of the shown file that say what is wrong there, where that has no room behind the line.

use flockwork_engine::diag::Severity;
use flockwork_engine::math::{self, Vec2};
use flockwork_lsp::UnchangedLines;

use super::area::Area;
use super::text_rows::LINE;
use super::text_writer::{SMALL, wrap_at_most};
use crate::draw::{Anchor, Color, Palette, Picture, text, text_width};

/// Distance between a problem and its fix, in pixels.
pub(super) const FIX: f32 = 12.0;
/// The number of rows with words below a line at most: the tooltip has the rest.
const MOST: usize = 3;
/// Distance of the words from the edge of their ground, in pixels.
const PAD: f32 = 9.0;

/// The change that resolves a problem of a line.
#[derive(Clone)]
pub(super) struct LineFix {
    /// The number of the line, from 0.
    pub(super) line: usize,
    /// What it does, such as "write `seek`".
    pub(super) words: String,
}

/// What is wrong in a line, in rows below it.
#[derive(Clone)]
pub(super) struct ProblemRows {
    /// The number of the line, from 0, and a place in it.
    pub(super) line: usize,
    pub(super) at: usize,
    /// The words of each row.
    pub(super) words: Vec<String>,
    pub(super) severity: Severity,
    /// What the tooltip says.
    pub(super) tip: String,
    /// What resolves it, if that is known: behind the last words.
    pub(super) fix: Option<LineFix>,
}

impl ProblemRows {
    /// Returns where the words are in an area.
    pub(super) fn words_area(&self, area: Area) -> Area {
        let widest = self.words.iter().map(|words| text_width(words, SMALL));
        let right = area.min.x + PAD + widest.fold(0.0, math::max);
        Area { max: Vec2::new(right, area.max.y), ..area }
    }

    /// Returns where the fix is written, if all rows are visible in an area.
    pub(super) fn fix_area(&self, area: Area) -> Option<Area> {
        let (fix, last) = (self.fix.as_ref()?, self.words.last()?);
        let used = if last.is_empty() { 0.0 } else { text_width(last, SMALL) + FIX };
        let at = Vec2::new(area.min.x + PAD + used, area.max.y - LINE);
        let is_visible = area.height() >= self.words.len() as f32 * LINE;
        is_visible.then(|| Area::new(at.x, at.y, fix_width(fix), LINE))
    }

    /// Returns whether it says nothing, and only keeps its room.
    pub(super) fn is_empty(&self) -> bool {
        self.words.iter().all(String::is_empty)
    }

    /// Draws as many rows as there are in an area.
    pub(super) fn draw(&self, picture: &mut Picture, palette: &Palette, area: Area) {
        if self.is_empty() {
            return;
        }
        let color = color_of_problem(self.severity, palette);
        let end = area.max - Vec2::new(0.0, 3.0);
        picture.fill_rect(area.min, end, color.alpha(18));
        picture.fill_rect(area.min, Vec2::new(area.min.x + 2.0, end.y), color);
        let bases = (0..).map(|row: u16| area.min.y + 13.0 + f32::from(row) * LINE);
        for (words, base) in self.words.iter().zip(bases).filter(|(_, base)| *base < area.max.y) {
            text(picture, Vec2::new(area.min.x + PAD, base), Anchor::Left, SMALL, color, words);
        }
        if let Some((area, fix)) = self.fix_area(area).zip(self.fix.as_ref()) {
            draw_fix(picture, palette, area, &fix.words);
        }
    }
}

/// Returns the color of something that is wrong.
pub(super) fn color_of_problem(severity: Severity, palette: &Palette) -> Color {
    if severity == Severity::Error { palette.highlight } else { palette.warning }
}

/// Returns the words of the rows of a problem for a width, in pixels. The fix has a row of its own if it has no room behind the words.
pub(super) fn row_words(whole: &str, fix: Option<&LineFix>, width: f32) -> Vec<String> {
    let room = width - 2.0 * PAD;
    let mut words = wrap_at_most(whole, SMALL, room, MOST);
    let used = words.last().map_or(0.0, |last| text_width(last, SMALL));
    if fix.is_some_and(|fix| used + FIX + fix_width(fix) > room) {
        words.push(String::new());
    }
    words
}

/// Returns the width of the words of a fix, in pixels.
fn fix_width(fix: &LineFix) -> f32 {
    text_width(&fix.words, SMALL) + 1.0
}

/// Draws the words of a fix on their ground.
pub(super) fn draw_fix(picture: &mut Picture, palette: &Palette, area: Area, words: &str) {
    let (low, high) = (area.min - Vec2::new(3.0, 1.0), area.max + Vec2::new(3.0, -3.0));
    picture.fill_rect(low, high, palette.ink.alpha(24));
    let at = Vec2::new(area.min.x, area.min.y + 13.0);
    text(picture, at, Anchor::Left, SMALL, palette.ink, words);
}

/// What was told below the lines of a file before the person typed: until the text is checked, the rows stay where they are.
pub(super) struct HeldRows {
    pub(super) file: String,
    pub(super) text: String,
    pub(super) rows: Vec<ProblemRows>,
}

impl HeldRows {
    /// Returns the rows in the text as it is now, at most one problem for a line.
    pub(super) fn in_text(&self, text: &str, cursor: usize) -> Vec<ProblemRows> {
        let unchanged = UnchangedLines::new(&self.text, text);
        let moved = |one: &ProblemRows| {
            let at = unchanged.moved(one.at);
            let line = text[..at.unwrap_or(cursor)].matches('\n').count();
            match at {
                Some(at) => {
                    let fix = one.fix.clone().map(|fix| LineFix { line, ..fix });
                    ProblemRows { at, line, fix, ..one.clone() }
                }
                // Its line is the one that is typed in, so nobody knows whether it still holds: only its room stays.
                None => {
                    let words = vec![String::new(); one.words.len()];
                    ProblemRows { at: cursor, line, words, fix: None, ..one.clone() }
                }
            }
        };
        let mut rows: Vec<ProblemRows> = self.rows.iter().map(moved).collect();
        rows.dedup_by_key(|one| one.line);
        rows
    }
}
