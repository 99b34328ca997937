//! The rows below the lines of the shown file that say what is wrong there, where that has no room behind the line.

use flockwork_engine::diag::Severity;
use flockwork_engine::math::{self, Vec2};

use super::area::Area;
use super::file_notes::{FIX, LineFix, Note, color_of_problem, line_of, problem_notes};
use super::file_view::{LINE, room_behind, shown_text_area};
use super::files::ShownFile;
use super::frame::scene;
use super::panel::Scene;
use super::text_rows::lines;
use super::text_writer::{SMALL, cut, wrap};
use super::ui::Ui;
use super::unchanged_lines::UnchangedLines;
use super::view_state::ViewState;
use crate::draw::{Anchor, Palette, Picture, text, text_width};

/// The number of rows with words below a line at most: the tooltip has the rest.
const MOST: usize = 3;
/// Distance of the words from the edge of their ground, in pixels.
const PAD: f32 = 9.0;

/// What is wrong in a line, in rows below it.
#[derive(Clone)]
pub(super) struct ProblemRows {
    /// The number of the line, from 0, and a place in it.
    pub(super) line: usize,
    at: usize,
    /// The words of each row.
    pub(super) words: Vec<String>,
    severity: Severity,
    /// What the tooltip says.
    pub(super) tip: String,
    /// What resolves it, if that is known: behind the last words.
    pub(super) fix: Option<LineFix>,
}

impl ProblemRows {
    /// Returns the rows of a problem for a width, in pixels. The fix has a row of its own if it has no room behind the words.
    fn new(note: Note, width: f32) -> Option<Self> {
        let room = width - 2.0 * PAD;
        let whole = note.whole();
        let rows = wrap(&whole, SMALL, room);
        let (shown, rest) = rows.split_at(rows.len().min(MOST - 1));
        let mut words: Vec<String> = shown.iter().map(|row| cut(row, SMALL, room)).collect();
        if !rest.is_empty() {
            words.push(cut(&rest.join(" "), SMALL, room));
        }
        let used = words.last().map_or(0.0, |last| text_width(last, SMALL));
        if note.fix.as_ref().is_some_and(|fix| used + FIX + fix_width(fix) > room) {
            words.push(String::new());
        }
        let Note { line, at, tip, fix, .. } = note;
        Some(Self { line, at, words, severity: note.severity?, tip, fix })
    }

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

    /// Draws as many rows as there are in an area.
    pub(super) fn draw(&self, picture: &mut Picture, palette: &Palette, area: Area) {
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
    file: String,
    text: String,
    rows: Vec<ProblemRows>,
}

impl HeldRows {
    /// Returns the rows in the text as it is now, at most one problem for a line.
    fn in_text(&self, file: &ShownFile<'_>, cursor: usize) -> Vec<ProblemRows> {
        let unchanged = UnchangedLines::new(&self.text, file.text());
        let moved = |one: &ProblemRows| {
            let (at, fix) = match unchanged.moved(one.at) {
                Some(at) => (at, one.fix.clone()),
                // Its line is the one that is typed in.
                None => (cursor, None),
            };
            let line = line_of(file, at);
            let fix = fix.map(|fix| LineFix { line, ..fix });
            ProblemRows { at, line, fix, ..one.clone() }
        };
        let mut rows: Vec<ProblemRows> = self.rows.iter().map(moved).collect();
        rows.dedup_by_key(|one| one.line);
        rows
    }
}

/// Returns what is told below the lines of a file in an area: the problems that have no room behind their lines. While the person types,
/// these are those of before.
pub(super) fn problem_rows(
    scene: &Scene<'_>,
    file: &ShownFile<'_>,
    area: Area,
) -> Vec<ProblemRows> {
    let files = &scene.ui.files;
    // What was typed just now counts, too.
    let held = files.held_rows.as_ref().filter(|held| {
        let is_other = files.check.is_typing() || held.text != file.text();
        files.is_typing && held.file == file.source.name && is_other
    });
    if let Some((held, edit)) = held.zip(file.edit) {
        return held.in_text(file, edit.cursor());
    }
    let lines: Vec<(usize, &str)> = lines(file.text()).collect();
    let below = |note: Note| {
        let [all, behind] = room_behind(area, *lines.get(note.line)?);
        if note.width() > behind { ProblemRows::new(note, all) } else { None }
    };
    problem_notes(scene, file).into_iter().filter_map(below).collect()
}

impl Ui {
    /// Notes what is told below the lines of the shown file, for the time while the person types.
    pub(super) fn hold_problem_rows(&mut self, state: &ViewState) {
        // Otherwise they move with what is typed.
        if !(self.files.is_typing && self.files.check.is_typing()) {
            self.files.held_rows = None;
        }
        let scene = scene(self, state, None);
        let held = shown_text_area(&scene).zip(self.shown_file(state)).map(|(area, file)| {
            let rows = problem_rows(&scene, &file, area);
            HeldRows { file: file.source.name.clone(), text: file.text().to_owned(), rows }
        });
        self.files.held_rows = held;
    }
}
