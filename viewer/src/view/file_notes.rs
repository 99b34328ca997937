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
use super::text_writer::{PAD, SMALL};
use super::unchanged_lines::UnchangedLines;
use super::view_state::ViewState;
use crate::draw::{Color, Palette, text_width};

/// Distance between the text and the values behind it, in pixels.
pub(super) const VALUES: f32 = 24.0;
/// The least width of words that are cut behind a line, in pixels: about 14 letters, so that the beginning of a number is there.
pub(super) const LEAST: f32 = 84.0;
/// Distance between a problem and its fix, in pixels.
pub(super) const FIX: f32 = 12.0;
/// Width of the sign of a value where there is less room, in pixels.
const SIGN: f32 = 10.0;

/// The sign of values that are rounded: the letters of the window have no `≈`.
const ROUNDED: &str = "~";

/// What stands behind a line.
pub(super) struct Note {
    /// A place in the line.
    pub(super) at: usize,
    /// The number of the line, from 0.
    pub(super) line: usize,
    words: String,
    /// What is shown behind the words: how many more problems there are.
    more: String,
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
    /// Returns its words for some room, in pixels: values are rounded first.
    fn in_room(&self, room: f32) -> String {
        match &self.values {
            Some(values) => {
                let shown = |words: &str| words.replace('≈', ROUNDED);
                shown(&values.in_room(|words| text_width(&shown(words), SMALL) <= room))
            }
            None => self.words.clone(),
        }
    }

    /// Returns its words, and how many more problems there are.
    pub(super) fn whole(&self) -> String {
        format!("{}{}", self.words, self.more)
    }

    /// Returns the width of all of it, with the fix, in pixels.
    pub(super) fn width(&self) -> f32 {
        let fix = self.fix.as_ref().map_or(0.0, |fix| FIX + text_width(&fix.words, SMALL) + 1.0);
        text_width(&self.whole(), SMALL) + 1.0 + fix
    }
}

/// The change that resolves a problem of a line.
#[derive(Clone)]
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
        let (more, severity, fix) = (String::new(), None, None);
        Some(Note { at, line, words, more, tip, values: Some(one), severity, fix })
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
pub(super) fn problem_notes(scene: &Scene<'_>, file: &ShownFile<'_>) -> Vec<Note> {
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
        let more = match problems.len() {
            1 => String::new(),
            count => format!(" (+{} more)", count - 1),
        };
        let (words, severity) = (first.message.clone(), Some(first.severity));
        let problems = problems.iter().map(|(_, found)| *found);
        let tip = problem_lines(problems).join("\n");
        Some(Note { at, line, words, more, tip, values: None, severity, fix })
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
    /// Where the fix is written.
    pub(super) fix: Option<Area>,
}

impl PlacedNote<'_> {
    /// Returns whether something of a value has no room.
    pub(super) fn is_cut(&self) -> bool {
        self.note.values.is_some() && self.words.as_ref() != Some(&self.note.words)
    }
}

/// Returns the notes of the line whose last row this is, as far as there is room. A problem that has none is below the line.
pub(super) fn placed<'n>(
    view: &View<'_>,
    notes: &'n [Note],
    (number, row, base): (usize, &TextRow<'_>, f32),
) -> Vec<PlacedNote<'n>> {
    let right = view.area.max.x - PAD;
    let mut left = view.x_of(row.column_of(row.end())) + VALUES;
    let area = |left: f32, width: f32| Area::new(left, base - 13.0, width, LINE);
    let is_below = view.below.iter().any(|one| one.line == number);
    let mut all = Vec::new();
    let is_here =
        |note: &&Note| row.is_last() && (row.line.start..=row.line.end).contains(&note.at);
    for note in notes.iter().filter(is_here) {
        let room = right - left;
        if note.values.is_none() {
            if is_below || note.width() > room {
                continue;
            }
            let (words, more) = (text_width(&note.words, SMALL), text_width(&note.more, SMALL));
            let end = left + words + more + 1.0;
            let fix = note.fix.as_ref();
            let fix = fix.map(|fix| area(end + FIX, text_width(&fix.words, SMALL) + 1.0));
            let more = (more > 0.0).then(|| area(left + words, more));
            let words = Some(note.whole());
            all.push(PlacedNote { note, area: area(left, end - left), words, more, fix });
            left = fix.map_or(end, |fix| fix.max.x) + VALUES;
            continue;
        }
        let words = note.in_room(room);
        let is_cut = text_width(&note.words, SMALL) >= room;
        // A few letters say nothing, but a short value, such as a number that is rounded, needs less.
        let is_sign = is_cut && room < LEAST && words.contains('…');
        let width = if is_sign { SIGN } else { text_width(&words, SMALL) + 1.0 };
        if !is_sign || room >= SIGN {
            let (area, words) = (area(left, math::min(width, room)), Some(words));
            let words = words.filter(|_| !is_sign);
            all.push(PlacedNote { note, area, words, more: None, fix: None });
        }
        left += width + VALUES;
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
