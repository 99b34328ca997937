//! What stands behind the lines of a script that ran in a turn.

use std::path::Path;

use flockwork_engine::diag::Source;
use flockwork_engine::load;
use flockwork_engine::tokens::{CodeTokens, Language};
use flockwork_lsp::{SharedValue, line_values, lines_of_values};

use super::recorded_turn::{Pass, RecordedTurn};
use super::travel::Travel;

/// What stands behind a line of a script.
pub(super) struct BehindLine {
    /// The number of the line, from 1.
    pub(super) line: usize,
    /// The line as it runs; the editor may have another one since.
    pub(super) code: String,
    pub(super) text: String,
}

/// Returns the lines of a script, each with the values that it computed when it ran last in a function that runs where the debugger stands;
/// behind the line at which it stands, what this line compares next, or the values of its variables before it. Values from before say so,
/// also those of an earlier pass through a loop. `columns` is the number of characters that a line of the editor has room for, if it is known.
pub(super) fn behind_lines(
    travel: &Travel,
    script: &Path,
    frame: usize,
    columns: Option<usize>,
) -> Vec<BehindLine> {
    let frames = travel.frames();
    let here = frames.get(frame).zip(travel.place());
    let Some((function, (turn, at))) = here else { return Vec::new() };
    let source = &function.script;
    if load::real_path(Path::new(&source.name)) != load::real_path(script) {
        return Vec::new();
    }
    let last = turn.last_values(at, frame).map_or_else(Vec::new, |(_, last)| last);
    let line_of = |at: usize| source.line_column(at).0;
    let mut values: Vec<SharedValue> =
        last.iter().map(|one| SharedValue::from(one.value.clone())).collect();
    let lines = lines_of_values(&source.text, &values);
    let pass_of = |line: usize| {
        let of_line = last.iter().zip(&lines).filter(|(_, told)| **told == line);
        of_line.max_by_key(|(one, _)| one.value.order).map(|(one, _)| one.pass)
    };
    let is_next = pass_of(function.line) == Some(Pass::Next);
    if !is_next {
        values.retain(|value| line_of(value.start) != function.line);
        values.extend(variables(source, function.line, turn, (at, frame)));
    }
    let in_columns = |columns| {
        line_values(&source.text, &values, columns)
            .into_iter()
            .map(|one| (line_of(one.end), one.words))
    };
    let is_this = |line: usize| line != function.line && pass_of(line) == Some(Pass::This);
    let told = in_columns(columns).filter(|(line, _)| is_this(*line));
    // The others have less room: behind the longest of the words before values.
    let columns = columns.map(|columns| columns.saturating_sub("before: ".len()));
    let others = in_columns(columns).filter(|(line, _)| !is_this(*line)).map(|(line, words)| {
        let word = if pass_of(line) == Some(Pass::Next) { "next" } else { "before" };
        // A value without its name follows the word as it would follow its name.
        let sign = if words.starts_with(['=', '≈']) { "" } else { ":" };
        (line, format!("{word}{sign} {words}"))
    });
    let mut all: Vec<(usize, String)> = told.chain(others).collect();
    all.sort_by_key(|(line, _)| *line);
    let code = |line: usize| source.text.lines().nth(line - 1).unwrap_or_default().to_owned();
    all.into_iter().map(|(line, text)| BehindLine { line, code: code(line), text }).collect()
}

/// Returns the variables that a line names, with their values before it.
fn variables(
    source: &Source,
    line: usize,
    turn: &RecordedTurn,
    (at, frame): (usize, usize),
) -> Vec<SharedValue> {
    let code = CodeTokens::new(&source.text, Language::Rhai);
    let known = turn.variables(at, frame);
    let mut all: Vec<SharedValue> = Vec::new();
    for index in 0..code.all.len() {
        let span = &code.all[index].span;
        let word = code.get(index);
        let is_new = all.iter().all(|one| source.text[one.start..one.end] != *word);
        if source.line_column(span.start).0 == line
            && is_new
            && !["let", "for", "."].contains(&code.before(index))
            && let Some(value) = known.iter().find(|value| value.name == word)
        {
            all.push(SharedValue {
                start: span.start,
                end: span.end,
                is_variable: true,
                is_condition: false,
                text: value.text.clone(),
                count: 1,
            });
        }
    }
    all
}
