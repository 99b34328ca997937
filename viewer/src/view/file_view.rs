//! Where the lines of the shown file are in the panel of files: the rows that there is room for, and the places of their letters.

use std::iter;
use std::ops::{Range, RangeInclusive};

use flockwork_engine::math::{self, Vec2};

use super::area::Area;
use super::file_notes::{Note, VALUES, problem_notes};
use super::files::ShownFile;
use super::frame::scene;
use super::layout::Layout;
use super::panel::Scene;
use super::panel_states::PanelId;
use super::panels;
use super::problem_rows::{HeldRows, ProblemRows};
use super::text_rows::{LINE, TextRow, columns, lines, rows_of};
use super::text_writer::PAD;
use super::ui::Ui;
use super::view_state::ViewState;
use crate::draw::Typeface;

/// The panel of files.
pub(super) const ID: PanelId = PanelId("files");
/// Font size of the text, in pixels.
pub(super) const CODE: f32 = 12.5;
/// Height of the names of the files above the text, in pixels.
pub(super) const TABS: f32 = 32.0;
/// Height of a row of the box that finds words, in pixels.
pub(super) const ROW: f32 = 26.0;
/// Least height of what is below the text, and height of a line there, in pixels.
const FOOT: f32 = 56.0;
pub(super) const FOOT_LINE: f32 = 16.0;
/// Distance of a box from the line that it explains, in pixels: below the base of its letters, and above it.
pub(super) const BELOW: f32 = 7.0;
pub(super) const ABOVE: f32 = 15.0;
/// Width of the numbers of the lines, in pixels.
const NUMBERS: f32 = 40.0;

/// Returns its area, if it is open.
pub(super) fn area(ui: &Ui, state: &ViewState) -> Option<Area> {
    ui.layout(state).area(ID)
}

/// Returns whether a point is in it, if it is open.
pub(super) fn contains(ui: &Ui, state: &ViewState, at: Vec2) -> bool {
    area(ui, state).is_some_and(|area| area.contains(at))
}

/// Returns the part of the panel that the lines are in: below the names of the files and the box that finds words.
pub(super) fn text_area(scene: &Scene<'_>, area: Area) -> Area {
    let top = TABS + ROW * scene.ui.files.find.rows() as f32;
    let lines = panels::files::foot(scene, area).0.len();
    let foot = math::max(FOOT, lines as f32 * FOOT_LINE + 8.0);
    Area { min: area.min + Vec2::new(0.0, top), max: area.max - Vec2::new(0.0, foot) }
}

/// Returns the part that the lines are in, if the panel is open.
pub(super) fn shown_text_area(scene: &Scene<'_>) -> Option<Area> {
    Some(text_area(scene, scene.layout.area(ID)?))
}

/// Returns the area of the box that finds words, if it is open.
pub(super) fn find_area(scene: &Scene<'_>) -> Option<Area> {
    let (area, rows) = (scene.layout.area(ID)?, scene.ui.files.find.rows());
    let left = area.min.x + Layout::GRIP;
    let height = ROW * rows as f32;
    (rows > 0).then(|| Area::new(left, area.min.y + TABS, area.max.x - left, height))
}

/// Returns the number of rows that there is room for.
fn rows_in(area: Area) -> usize {
    math::max(area.height() / LINE, 1.0) as usize
}

/// Returns the number of columns that there is room for.
fn columns_in(area: Area) -> usize {
    math::max((area.width() - 2.0 * PAD - NUMBERS) / cell(), 1.0) as usize
}

/// Returns the x coordinate of the first column.
fn left_of(area: Area) -> f32 {
    area.min.x + PAD + NUMBERS
}

/// Returns the room of the rows of a text, and that behind a line of it, in pixels.
pub(super) fn room_behind(area: Area, line: (usize, &str)) -> [f32; 2] {
    let all = area.max.x - PAD - left_of(area);
    let last = rows_of(line, columns_in(area)).last();
    let used = last.map_or(0, |row| row.column_of(row.end()));
    [all, all - used as f32 * cell() - VALUES]
}

/// Returns the width that the lines of a text need, in pixels, besides a tenth of them: a few long lines and comments are read as well in
/// several rows.
fn width_of_lines(text: &str) -> f32 {
    let code = lines(text).map(|(_, line)| line.split("//").next().unwrap_or_default().trim_end());
    let mut widths: Vec<usize> = code.filter(|line| !line.is_empty()).map(columns).collect();
    widths.sort_unstable();
    let most = widths.get(widths.len() * 9 / 10).copied().unwrap_or_default();
    2.0 * PAD + NUMBERS + most as f32 * cell()
}

/// Returns the rows of a text with the numbers of their lines: `None` for a row that says what is wrong in the line above it.
fn rows<'t>(
    text: &'t str,
    area: Area,
    below: &[ProblemRows],
) -> impl Iterator<Item = (usize, Option<TextRow<'t>>)> {
    lines(text).enumerate().flat_map(move |(number, line)| {
        let problem = below.iter().find(|one| one.line == number);
        let more = iter::repeat_n(None, problem.map_or(0, |one| one.words.len()));
        rows_of(line, columns_in(area)).map(Some).chain(more).map(move |row| (number, row))
    })
}

/// Returns the number of the line, from 0, that is the first one when the end of a file is shown.
pub(super) fn last_first(scene: &Scene<'_>, file: &ShownFile<'_>, area: Area) -> usize {
    last_line_to_show_first(file.text(), area, &problem_rows(scene, file, area))
}

fn last_line_to_show_first(text: &str, area: Area, below: &[ProblemRows]) -> usize {
    let mut counts = vec![0; lines(text).count()];
    rows(text, area, below).for_each(|(number, _)| counts[number] += 1);
    // Below the last line, a row is free.
    let mut room = rows_in(area).saturating_sub(1);
    let fits = |count: &&usize| {
        let is_room = **count <= room;
        room = room.saturating_sub(**count);
        is_room
    };
    counts.len() - counts.iter().rev().take_while(fits).count().max(1)
}

/// Returns the number of the line to show first, from 0, so that a place of a text is shown: if possible, the one that is first now.
pub(super) fn first_to_show(ui: &Ui, state: &ViewState, text: &str, place: usize) -> usize {
    let line = text[..place].matches('\n').count();
    let first = (ui.panels.scroll(ID) as usize).min(line);
    let scene = scene(ui, state, None);
    let Some((area, file)) = shown_text_area(&scene).zip(ui.shown_file(state)) else {
        return first;
    };
    let below = problem_rows(&scene, &file, area);
    let is_shown = |first: &usize| {
        let rows = rows(text, area, &below).skip_while(|(number, _)| number < first);
        rows.take(rows_in(area)).any(|(_, row)| row.is_some_and(|row| row.has(place)))
    };
    (first..line).find(is_shown).unwrap_or(line)
}

/// Returns the width of a letter, in pixels.
pub(super) fn cell() -> f32 {
    Typeface::Code.width("0", CODE)
}

/// The lines that are shown.
pub(super) struct View<'s> {
    pub(super) file: ShownFile<'s>,
    /// Where the lines are.
    pub(super) area: Area,
    /// The number of the first line that is shown, from 0.
    pub(super) first: usize,
    /// The rows that are shown, each with the number of its line: `None` for one that says what is wrong in the line above it.
    pub(super) rows: Vec<(usize, Option<TextRow<'s>>)>,
    /// What is told below lines.
    pub(super) below: Vec<ProblemRows>,
    /// Where the rows begin, in pixels.
    pub(super) left: f32,
}

impl<'s> View<'s> {
    /// Returns the lines of the shown file, if the panel is open and there is a file.
    pub(super) fn new(scene: &'s Scene<'_>) -> Option<Self> {
        let area = shown_text_area(scene)?;
        let file = scene.ui.shown_file(scene.state)?;
        let below = problem_rows(scene, &file, area);
        let last = last_line_to_show_first(file.text(), area, &below);
        let first = (scene.ui.panels.scroll(ID) as usize).min(last);
        let rows = rows(file.text(), area, &below).skip_while(|(number, _)| *number < first);
        let rows = rows.take(rows_in(area)).collect();
        Some(Self { file, area, first, rows, below, left: left_of(area) })
    }

    /// Returns the rows that are shown, each with the number of its line and the base of its letters.
    pub(super) fn shown(&self) -> impl Iterator<Item = (usize, &TextRow<'s>, f32)> {
        let top = self.area.min.y + 13.0;
        let rows = self.rows.iter().enumerate();
        rows.filter_map(move |(index, (number, row))| {
            Some((*number, row.as_ref()?, top + index as f32 * LINE))
        })
    }

    /// Returns what is told below lines, as far as it is visible, with its rows.
    pub(super) fn shown_below(&self) -> impl Iterator<Item = (&ProblemRows, Area)> {
        self.below.iter().filter_map(|one| {
            let is_row = |(number, row): &(usize, Option<_>)| *number == one.line && row.is_none();
            let first = self.rows.iter().position(is_row)?;
            let count = self.rows[first..].iter().take_while(|row| is_row(row)).count();
            let top = self.area.min.y + first as f32 * LINE;
            let left = self.left;
            let width = self.area.max.x - PAD - left;
            Some((one, Area::new(left, top, width, count as f32 * LINE)))
        })
    }

    /// Returns where a column is, in pixels.
    pub(super) fn x_of(&self, column: usize) -> f32 {
        self.left + column as f32 * cell()
    }

    /// Returns the place of the letter that is under a point.
    pub(super) fn letter_at(&self, at: Vec2) -> Option<usize> {
        let below = at - self.area.min;
        let (_, row) = self.rows.get((below.y / LINE) as usize).filter(|_| below.y >= 0.0)?;
        let row = row.as_ref()?;
        let is_under = |place: &usize| {
            let end =
                row.start + place + row.words[*place..].chars().next().map_or(0, char::len_utf8);
            (self.x_of(row.column_of(row.start + place))..self.x_of(row.column_of(end)))
                .contains(&at.x)
        };
        let mut places = row.words.char_indices().map(|(place, _)| place);
        places.find(is_under).map(|place| row.start + place)
    }

    /// Returns the place in the text that a point is at.
    pub(super) fn place_at(&self, at: Vec2) -> usize {
        let index = math::max((at.y - self.area.min.y) / LINE, 0.0) as usize;
        // Below a line is what is told of it.
        let mut above = self.rows.iter().take(index + 1).rev();
        let Some(row) = above.find_map(|(_, row)| row.as_ref()) else { return 0 };
        let column = math::max((at.x - self.left) / cell() + 0.5, 0.0) as usize;
        let mut ends = row.words.char_indices().map(|(place, _)| place).chain([row.words.len()]);
        row.start + ends.rfind(|end| row.column_of(row.start + *end) <= column).unwrap_or(0)
    }
}

/// Returns where a place of the shown file is: the base of its letter. `None` if it is not visible.
pub(super) fn point_of(scene: &Scene<'_>, place: usize) -> Option<Vec2> {
    let view = View::new(scene)?;
    let (_, row, base) = view.shown().find(|(_, row, _)| row.has(place))?;
    Some(Vec2::new(view.x_of(row.column_of(place)), base))
}

/// Returns the y coordinate of the upper edge of a box with a height that explains something in a row of the text: the first of those that
/// are wanted, or else beyond the row with the cursor, so that neither of the two rows is covered, if there is room between two others.
/// `row` and `wanted` are y coordinates: of the base of the letters, and of the upper edge.
pub(super) fn free_top(
    scene: &Scene<'_>,
    (row, height): (f32, f32),
    wanted: [f32; 2],
    room: Range<f32>,
) -> Option<f32> {
    let typed = scene.ui.shown_file(scene.state).and_then(|file| file.edit);
    let typed = typed.filter(|_| scene.ui.files.is_typing);
    let cursor = typed.and_then(|edit| Some(point_of(scene, edit.cursor())?.y));
    let beyond = cursor.into_iter().flat_map(|base| [base - ABOVE - height, base + BELOW]);
    let covers = |top: f32, base: f32| top < base + BELOW && base - ABOVE < top + height;
    let is_free = |top: &f32| {
        let has_room = room.start <= *top && *top + height <= room.end;
        has_room && !covers(*top, row) && !cursor.is_some_and(|cursor| covers(*top, cursor))
    };
    wanted.into_iter().chain(beyond).find(is_free)
}

/// Returns what is told below the lines of a file in an area: the problems that have no room behind their lines. While the person types,
/// these are those of before.
fn problem_rows(scene: &Scene<'_>, file: &ShownFile<'_>, area: Area) -> Vec<ProblemRows> {
    let files = &scene.ui.files;
    // What was typed just now counts, too.
    let held = files.held_rows.as_ref().filter(|held| {
        let is_other = files.check.is_typing() || held.text != file.text();
        files.is_typing && held.file == file.source.name && is_other
    });
    if let Some((held, edit)) = held.zip(file.edit) {
        return held.in_text(file.text(), edit.cursor());
    }
    let lines: Vec<(usize, &str)> = lines(file.text()).collect();
    let below = |note: Note| {
        let [all, behind] = room_behind(area, *lines.get(note.line)?);
        if note.width() > behind { note.rows_below(all) } else { None }
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

    /// Notes the width that the lines of the files need, if their panel is new: it does not jump when another file is shown, or when one types.
    pub(super) fn keep_width(&mut self, state: &ViewState) {
        if self.files.kept_width.is_none() && !state.files.is_empty() {
            self.files.kept_width = Some(self.width_of_lines(state));
        }
    }

    /// Returns the width that the lines of all files needed when their panel was opened, in pixels.
    pub(super) fn width_of_lines(&self, state: &ViewState) -> f32 {
        let now = || {
            let files = state.files.iter().map(|file| width_of_lines(&file.text));
            files.fold(0.0, math::max)
        };
        self.files.kept_width.unwrap_or_else(now)
    }

    /// Returns the numbers of the lines of the shown file that are visible.
    pub(super) fn visible_lines(&self, state: &ViewState) -> Option<RangeInclusive<usize>> {
        let scene = scene(self, state, None);
        let view = View::new(&scene)?;
        Some(view.rows.first()?.0..=view.rows.last()?.0)
    }
}
