//! What stands behind the lines of the shown file: the values of the selected agent, and what is wrong there.

use std::collections::BTreeMap;

use flockwork_engine::diag::{Diagnostic, Fix, Place, Remedy, Severity};
use flockwork_lsp::{LineValues, SharedValue, UnchangedLines, line_values};

use super::files::{ShownFile, short_name};
use super::panel::Scene;
use super::problem_rows::{FIX, LineFix, ProblemRows, row_words};
use super::text_writer::SMALL;
use super::view_state::ViewState;
use crate::draw::text_width;

/// Distance between the text and the values behind it, in pixels.
pub(super) const VALUES: f32 = 24.0;
/// The least width of words that are cut behind a line, in pixels: about 14 letters, so that the beginning of a number is there.
pub(super) const LEAST: f32 = 84.0;

/// The sign of values that are rounded: the letters of the window have no `≈`.
const ROUNDED: &str = "~";

/// What stands behind a line.
pub(super) struct Note {
    /// A place in the line.
    pub(super) at: usize,
    /// The number of the line, from 0.
    pub(super) line: usize,
    pub(super) words: String,
    /// What is shown behind the words: how many more problems there are.
    pub(super) more: String,
    /// What the tooltip says.
    pub(super) tip: String,
    /// The values that the words are made of; `None` for a problem.
    pub(super) values: Option<LineValues>,
    /// How bad it is; `None` for a value.
    pub(super) severity: Option<Severity>,
    /// What resolves it, if that is known.
    pub(super) fix: Option<LineFix>,
}

impl Note {
    /// Returns its words for some room, in pixels: values are rounded first.
    pub(super) fn in_room(&self, room: f32) -> String {
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

    /// Returns its rows below the line for a width, in pixels. `None` for a value.
    pub(super) fn rows_below(self, width: f32) -> Option<ProblemRows> {
        let words = row_words(&self.whole(), self.fix.as_ref(), width);
        let Self { line, at, tip, fix, .. } = self;
        Some(ProblemRows { line, at, words, severity: self.severity?, tip, fix })
    }

    /// Returns the width of all of it, with the fix, in pixels.
    pub(super) fn width(&self) -> f32 {
        let fix = self.fix.as_ref().map_or(0.0, |fix| FIX + text_width(&fix.words, SMALL) + 1.0);
        text_width(&self.whole(), SMALL) + 1.0 + fix
    }
}

/// What resolves a problem.
pub(super) enum LineRepair {
    /// A change of the shown text.
    Change(Fix),
    /// A script that does not exist yet.
    NewScript { name: String, text: String },
}

/// Returns what the selected agent computes in the lines, and what is wrong there.
pub(super) fn notes(scene: &Scene<'_>, file: &ShownFile<'_>) -> Vec<Note> {
    let before = &file.source.text;
    let values = values_of(scene.state, file).map(|values| line_values(before, values, None));
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

/// Returns the first change of the shown text that resolves one of some problems, or the script that it wants. A name without a script is
/// rather a new one than another one that is misspelled.
fn first_fix<'d>(
    file: &ShownFile<'_>,
    mut problems: impl Iterator<Item = &'d Diagnostic>,
) -> Option<LineRepair> {
    let is_here = |fix: &Fix| {
        let source = &fix.place.source;
        source.text == file.text() && short_name(&source.name) == short_name(&file.source.name)
    };
    problems.find_map(|found| {
        let new = found.remedies.0.iter().find_map(|remedy| match remedy {
            Remedy::NewScript { name, text } => {
                Some(LineRepair::NewScript { name: name.clone(), text: text.clone() })
            }
            _ => None,
        });
        new.or_else(|| found.repairs().into_iter().find(is_here).map(LineRepair::Change))
    })
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

/// Returns the first problem of some that something resolves, by its index, and what resolves it.
pub(super) fn first_with_fix(
    file: &ShownFile<'_>,
    found: &[&Diagnostic],
) -> Option<(usize, LineRepair)> {
    let mut all = found.iter().enumerate();
    all.find_map(|(index, found)| Some((index, first_fix(file, [*found].into_iter())?)))
}

/// Returns what resolves a problem, in words that go on behind others.
pub(super) fn words_of(repair: &LineRepair) -> String {
    let fix = match repair {
        LineRepair::NewScript { name, .. } => return format!("create the script `{name}`"),
        LineRepair::Change(fix) => fix,
    };
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

/// Returns the values of the selected agent in a file, if it runs with the file as it is without what was typed.
fn values_of<'s>(state: &'s ViewState, file: &ShownFile<'_>) -> Option<&'s [SharedValue]> {
    let all = state.turn_values.as_ref()?.files.iter();
    let name = short_name(&file.source.name);
    let mut here = all.filter(|one| one.text == file.source.text && one.path.ends_with(name));
    Some(&here.next()?.values)
}

/// Returns the value that the selected agent computes for the name at a place of a file, as it is.
pub(super) fn value_at(scene: &Scene<'_>, file: &ShownFile<'_>, at: usize) -> Option<String> {
    let unchanged = UnchangedLines::new(&file.source.text, file.text());
    let values = values_of(scene.state, file)?.iter().filter(|value| !value.is_condition);
    let mut here = values.filter(|value| unchanged.moved(value.start) == Some(at));
    here.next().map(SharedValue::in_words)
}
