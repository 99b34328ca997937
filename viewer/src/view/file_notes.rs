//! What stands behind the lines of the shown file: the values of the selected agent, and what is wrong there.

use std::collections::BTreeMap;

use flockwork_engine::diag::{Diagnostic, Fix, Place, Severity};
use flockwork_engine::math;
use flockwork_lsp::{LineValues, SharedValue, line_values, text_hash};

use super::area::Area;
use super::file_view::{LINE, View};
use super::files::{ShownFile, short_name};
use super::panel::Scene;
use super::text_rows::TextRow;
use super::text_writer::{PAD, SMALL, cut};
use super::unchanged_lines::UnchangedLines;
use super::view_state::ViewState;
use crate::draw::{Color, Palette, text_width};

/// Distance between the text and the values behind it, in pixels.
pub(super) const VALUES: f32 = 24.0;
/// The least width of words that are cut behind a line, in pixels: about 14 letters, so that the beginning of a number is there.
pub(super) const LEAST: f32 = 84.0;
/// Distance between a problem and its fix, in pixels.
const FIX: f32 = 12.0;
/// Width of the sign where there is less room, in pixels, and how far it goes beyond the end of the text: up to the scroll bar.
pub(super) const SIGN: f32 = 10.0;
const SIGN_BEYOND: f32 = 4.0;

/// The sign of values that are rounded: the letters of the window have no `≈`.
const ROUNDED: &str = "~";

/// What stands behind a line.
pub(super) struct Note {
    /// A place in the line.
    at: usize,
    /// The number of the line, from 0.
    pub(super) line: usize,
    words: String,
    /// What is shown behind the words, if there is room for both.
    more: String,
    /// What is shown instead if a few words have no room; empty if there is only one problem.
    all: String,
    /// What the tooltip says.
    pub(super) tip: String,
    /// The values that the words are made of; `None` for a problem.
    values: Option<LineValues>,
    /// How bad it is; `None` for a value.
    pub(super) severity: Option<Severity>,
    /// What resolves it, if that is known.
    pub(super) fix: Option<LineFix>,
}

impl Note {
    /// Returns its words for some room, in pixels: a problem is cut, values are rounded first.
    fn in_room(&self, room: f32) -> String {
        match &self.values {
            Some(values) => {
                let shown = |words: &str| words.replace('≈', ROUNDED);
                shown(&values.in_room(|words| text_width(&shown(words), SMALL) <= room))
            }
            None => cut(&self.words, SMALL, room),
        }
    }
}

/// The change that resolves a problem of a line.
pub(super) struct LineFix {
    /// The number of the line, from 0.
    pub(super) line: usize,
    /// What it does, such as "write `seek`".
    pub(super) words: String,
}

/// Returns what the selected agent computes in the lines, and what is wrong there.
pub(super) fn notes(scene: &Scene<'_>, file: &ShownFile<'_>) -> Vec<Note> {
    let before = &file.source.text;
    let values = values_of(scene.state, file).map(|values| line_values(before, values));
    let values = values.into_iter().flatten();
    let unchanged = UnchangedLines::new(before, file.text());
    // What has no room is cut here, and its tooltip has all.
    let values = values.filter_map(|one| {
        let at = unchanged.moved(one.end)?;
        let words = one.whole.as_ref().unwrap_or(&one.words).clone();
        let (line, tip) = (line_of(file, at), words.clone());
        let (more, all, severity, fix) = (String::new(), String::new(), None, None);
        Some(Note { at, line, words, more, all, tip, values: Some(one), severity, fix })
    });
    // Where there is no room for all, what is wrong matters more than values.
    problem_notes(scene, file).into_iter().chain(values).collect()
}

/// Returns the color of something that is wrong.
pub(super) fn color_of_problem(severity: Severity, palette: &Palette) -> Color {
    if severity == Severity::Error { palette.highlight } else { palette.warning }
}

/// Returns what is wrong in the lines. Of several problems in a line, the first error is shown, or else the first warning, and the tooltip
/// has all.
fn problem_notes(scene: &Scene<'_>, file: &ShownFile<'_>) -> Vec<Note> {
    let mut lines: BTreeMap<usize, Vec<(usize, &Diagnostic)>> = BTreeMap::new();
    for (place, found) in problems(scene, file) {
        let at = place.span.start;
        lines.entry(line_of(file, at)).or_default().push((at, found));
    }
    let note = |(line, mut problems): (usize, Vec<(usize, &Diagnostic)>)| {
        problems.sort_by_key(|(at, found)| (found.severity != Severity::Error, *at));
        let (at, first) = *problems.first()?;
        let fix = first_fix(file, problems.iter().map(|(_, found)| *found));
        let fix = fix.map(|fix| LineFix { line, words: words_of(&fix) });
        let (more, all) = match problems.len() {
            1 => (String::new(), String::new()),
            count => (format!(" (+{} more)", count - 1), format!("{count} problems")),
        };
        let (words, severity) = (first.message.clone(), Some(first.severity));
        let problems = problems.iter().map(|(_, found)| *found);
        let tip = problem_lines(problems).join("\n");
        Some(Note { at, line, words, more, all, tip, values: None, severity, fix })
    };
    lines.into_iter().filter_map(note).collect()
}

/// Returns the first change of the shown text that resolves one of some problems.
fn first_fix<'d>(
    file: &ShownFile<'_>,
    mut problems: impl Iterator<Item = &'d Diagnostic>,
) -> Option<Fix> {
    let is_here = |fix: &Fix| {
        let source = &fix.place.source;
        source.text == file.text() && short_name(&source.name) == short_name(&file.source.name)
    };
    problems.find_map(|found| found.repairs().into_iter().find(is_here))
}

/// Returns the problems of a line of a file, by the number of the line from 0: that at a place first, then errors.
pub(super) fn problems_in_line<'s>(
    scene: &'s Scene<'_>,
    file: &'s ShownFile<'_>,
    line: usize,
    cursor: Option<usize>,
) -> Vec<&'s Diagnostic> {
    let here = problems(scene, file).filter(|(place, _)| line_of(file, place.span.start) == line);
    let mut here: Vec<(&Place, &Diagnostic)> = here.collect();
    here.sort_by_key(|(place, found)| {
        let is_at_cursor = cursor.is_some_and(|cursor| place.span.contains(&cursor));
        (!is_at_cursor, found.severity != Severity::Error, place.span.start)
    });
    here.into_iter().map(|(_, found)| found).collect()
}

/// Returns the first problem of some that a change of the shown text resolves, by its index, and the change.
pub(super) fn first_with_fix(file: &ShownFile<'_>, found: &[&Diagnostic]) -> Option<(usize, Fix)> {
    let mut all = found.iter().enumerate();
    all.find_map(|(index, found)| Some((index, first_fix(file, [*found].into_iter())?)))
}

/// Returns what a change does, in words that go on behind others.
pub(super) fn words_of(fix: &Fix) -> String {
    let (first, rest) = fix.title.split_at(fix.title.chars().next().map_or(0, char::len_utf8));
    first.to_lowercase() + rest
}

/// Returns a line for each problem, with what helps behind it.
pub(super) fn problem_lines<'d>(problems: impl Iterator<Item = &'d Diagnostic>) -> Vec<String> {
    let mut lines: Vec<String> = problems.map(Diagnostic::all_in_one_line).collect();
    if lines.len() > 1 {
        lines.iter_mut().for_each(|line| line.insert_str(0, "- "));
    }
    lines
}

/// Returns the number of the line of a place in a file, from 0.
pub(super) fn line_of(file: &ShownFile<'_>, at: usize) -> usize {
    file.text()[..at].matches('\n').count()
}

/// Returns why the shown text does not run, with the places in it.
pub(super) fn problems<'s>(
    scene: &'s Scene<'_>,
    file: &'s ShownFile<'_>,
) -> impl Iterator<Item = (&'s Place, &'s Diagnostic)> {
    let of_run = scene.state.errors.iter().filter(|error| {
        let place = error.place.as_ref().filter(|place| place.source == *file.source);
        place.is_some() && !file.is_changed()
    });
    let of_run: Vec<&Diagnostic> = of_run.collect();
    // A run ends at the first kind of mistake; what was found while the text was typed holds for it, too.
    let is_shown = file.is_changed() || !of_run.is_empty();
    let typed = scene.ui.files.findings(file).filter(|found| found.severity != Severity::Note);
    // A warning also holds for a text that was written and runs.
    let is_told = |one: &Diagnostic| is_shown || one.severity == Severity::Warning;
    // A run may tell the same problem with another path of its file, and groups share their scripts.
    let mut all: Vec<&Diagnostic> = Vec::new();
    for found in of_run.into_iter().chain(typed.filter(|one| is_told(one))) {
        if !all.iter().any(|known| is_same_problem(known, found)) {
            all.push(found);
        }
    }
    all.into_iter().filter_map(|found| Some((found.place.as_ref()?, found)))
}

/// Returns whether two findings are about the same problem of a file.
fn is_same_problem(one: &Diagnostic, other: &Diagnostic) -> bool {
    let span = |found: &Diagnostic| found.place.as_ref().map(|place| place.span.start);
    one.message == other.message && span(one) == span(other)
}

/// What of a note has room behind its line.
pub(super) struct PlacedNote<'n> {
    pub(super) note: &'n Note,
    pub(super) area: Area,
    /// The words that have room; `None` for a sign instead of them.
    pub(super) words: Option<String>,
    /// Where the number of other problems is written, if there are any.
    pub(super) more: Option<Area>,
    /// Where the fix is written, if it has room.
    pub(super) fix: Option<Area>,
}

impl PlacedNote<'_> {
    /// Returns whether something has no room.
    pub(super) fn is_cut(&self) -> bool {
        self.words.as_ref() != Some(&self.note.words)
    }
}

/// Returns the notes of the line whose last row this is, as far as there is room. A problem has at least a sign at the edge.
pub(super) fn placed<'n>(
    view: &View<'_>,
    notes: &'n [Note],
    (_, row, base): (usize, &TextRow<'_>, f32),
) -> Vec<PlacedNote<'n>> {
    let right = view.area.max.x - PAD;
    let mut left = view.x_of(row.column_of(row.end())) + VALUES;
    let top = base - 13.0;
    let mut all = Vec::new();
    let is_here =
        |note: &&Note| row.is_last() && (row.line.start..=row.line.end).contains(&note.at);
    for note in notes.iter().filter(is_here) {
        let wanted = text_width(&note.words, SMALL) + text_width(&note.more, SMALL);
        let fix = note.fix.as_ref().map_or(0.0, |fix| text_width(&fix.words, SMALL) + 1.0);
        // A few letters of the problem have to fit beside it.
        let fix = if fix > 0.0 && right - left >= fix + FIX + LEAST { fix } else { 0.0 };
        let room = right - left - if fix > 0.0 { fix + FIX } else { 0.0 };
        let width = math::min(wanted + 1.0, room);
        let area = |left: f32, width: f32| Area::new(left, top, width, LINE);
        let is_problem = note.severity.is_some();
        let is_cut = width <= wanted;
        let few = note.values.as_ref().filter(|_| is_cut).map(|_| note.in_room(room));
        // A short value, such as a number that is rounded, needs less than a few letters.
        let is_short = few.is_some_and(|words| !words.contains('…'));
        if is_cut && width < LEAST && !is_short {
            // A few letters say nothing: the tooltip of a sign has the words.
            let at = if is_problem { right - SIGN + SIGN_BEYOND } else { left };
            if is_problem || room >= SIGN {
                let area = area(at, SIGN);
                let fix = note.fix.as_ref().map(|_| area);
                all.push(PlacedNote { note, area, words: None, more: None, fix });
            }
            left += SIGN + VALUES;
            continue;
        }
        let more = text_width(&note.more, SMALL);
        let (words, width, more) = if width <= wanted && width - more < LEAST && more > 0.0 {
            let all = text_width(&note.all, SMALL) + 1.0;
            (note.all.clone(), math::min(all, width), all)
        } else {
            let words = note.in_room(width - more);
            let width = if is_cut { text_width(&words, SMALL) + more + 1.0 } else { width };
            (words + note.more.as_str(), math::min(width, room), more)
        };
        let words = Some(words);
        let fix_area = (fix > 0.0).then(|| area(left + width + FIX, fix));
        let more = (more > 0.0).then(|| area(left + width - more, more));
        all.push(PlacedNote { note, area: area(left, width), words, more, fix: fix_area });
        left = fix_area.map_or(left + width, |area| area.max.x) + VALUES;
    }
    all
}

/// Returns the values of the selected agent in a file, if it runs with the file as it is without what was typed.
fn values_of<'s>(state: &'s ViewState, file: &ShownFile<'_>) -> Option<&'s [SharedValue]> {
    let hash = text_hash(&file.source.text);
    let all = state.turn_values.as_ref()?.files.iter();
    let name = short_name(&file.source.name);
    let mut here = all.filter(|one| one.text == hash && one.path.ends_with(name));
    Some(&here.next()?.values)
}

/// Returns the value that the selected agent computes for the name at a place of a file, as it is.
pub(super) fn value_at(scene: &Scene<'_>, file: &ShownFile<'_>, at: usize) -> Option<String> {
    let unchanged = UnchangedLines::new(&file.source.text, file.text());
    let values = values_of(scene.state, file)?.iter().filter(|value| !value.is_condition);
    let mut here = values.filter(|value| unchanged.moved(value.start) == Some(at));
    here.next().map(SharedValue::in_words)
}
