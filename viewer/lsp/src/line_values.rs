//! The values of a turn as words behind the lines of a script.

use std::collections::BTreeMap;

use flockwork_engine::tokens::line_start;

use super::rhai_text::Tokens;
use super::shared_values::SharedValue;
use super::told_values::{ToldValues, is_of_name, widened};

/// Maximum number of values behind a line.
const MAX_IN_LINE: usize = 3;
/// Maximum number of characters behind a line: VS Code cuts longer hints.
const MAX_CHARS: usize = 43;
/// If the columns of the editor are not known, values end here, if the line leaves room for `MIN_CHARS`: an editor beside another one has so
/// many in a window of 1440 pixels.
const LAST_COLUMN: usize = 53;
/// Values behind longer lines end here if the line leaves room for `MIN_CHARS`: an editor that shows the end of such a line is wider.
const LAST_COLUMN_OF_WIDE: usize = 80;
/// The width of a letter of a value, in tenths of that of the code: editors write hints smaller. There is a blank before them.
const LETTER_IN_TENTHS: usize = 9;
/// Number of characters that are worth being behind a line: those of one short value.
const MIN_CHARS: usize = 17;

/// What stands behind a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineValues {
    /// The end of the line, in bytes of the text.
    pub end: usize,
    /// The values. If there is not enough room for all, they are rounded, and the shorter ones are first. What is left out is `…`.
    pub words: String,
    /// All values as they are, if some are left out or rounded.
    pub whole: Option<String>,
    /// The number of characters that these words have in each tick, with blanks behind them: where long lines are wrapped, the rows below
    /// would jump otherwise. 0 behind lines that are not long.
    pub width: usize,
    told: ToldValues,
}

impl LineValues {
    /// Returns the values for an editor that knows its room: as they are if that fits, otherwise rounded, otherwise as many as fit.
    /// `fits` says whether words have room.
    pub fn in_room(&self, fits: impl Fn(&str) -> bool) -> String {
        self.told.in_line(usize::MAX, &fits)
    }
}

/// Returns what to write behind the lines of a script, with the ends of these lines: the values that variables get in a line, otherwise the
/// results of its calls, without those that are arguments of others, otherwise what it reads, as the result of a function may be; behind a
/// condition, what it compares and whether it is true. A variable that gets its value in a statement over several lines is behind the last
/// one. `columns` is the number of characters that a line of the editor has room for, if it is known.
pub fn line_values(text: &str, values: &[SharedValue], columns: Option<usize>) -> Vec<LineValues> {
    let script = Tokens::new(text);
    let mut lines: BTreeMap<usize, Vec<&SharedValue>> = BTreeMap::new();
    for value in values {
        lines.entry(line_end_of(&script, value)).or_default().push(value);
    }
    let words = |(end, values): (usize, Vec<&SharedValue>)| {
        let told = told_values(&script, end, values);
        let place = ValuesPlace::new(&script, end, columns);
        let fits = |words: &str| words.chars().count() <= place.room;
        let words = told.in_line(MAX_IN_LINE, &fits);
        let whole = told.whole();
        let whole = (whole != words).then_some(whole);
        let width = match place.width {
            Width::AsItIs => 0,
            Width::Room => place.room,
            // The comment behind them stands still.
            Width::SameInEachTick => widened(&words).chars().count(),
        };
        let end = place.at;
        (!words.is_empty()).then_some(LineValues { end, words, whole, width, told })
    };
    lines.into_iter().filter_map(words).collect()
}

/// Returns the numbers of the lines behind which values are told, from 1.
pub fn lines_of_values(text: &str, values: &[SharedValue]) -> Vec<usize> {
    let script = Tokens::new(text);
    let line = |value: &SharedValue| text[..line_end_of(&script, value)].matches('\n').count() + 1;
    values.iter().map(line).collect()
}

/// Returns the end of the line behind which a value is told: the one of its name, or the last one of the statement in which a variable gets
/// it.
fn line_end_of(script: &Tokens<'_>, value: &SharedValue) -> usize {
    let assigns = |index: &usize| {
        let sign = script.get(*index);
        sign.ends_with('=') && !["==", "!=", "<=", ">="].contains(&sign)
    };
    let behind = script.all.partition_point(|token| token.span.start < value.end);
    let statement = Some(behind).filter(|_| value.is_variable).filter(assigns);
    let is_end = |index: &usize| matches!(script.get(*index), ";" | ")" | "]" | "}");
    let end =
        statement.and_then(|start| script.outside_brackets(start..script.all.len()).find(is_end));
    let end = end.map_or(value.end, |end| script.all[end].span.start);
    script.text[end..].find('\n').map_or(script.text.len(), |length| end + length)
}

/// Returns which of the values of a line are told, by the end of the line.
fn told_values(script: &Tokens<'_>, end: usize, mut values: Vec<&SharedValue>) -> ToldValues {
    let text = script.text;
    let start = line_start(text, end);
    // What began in a line before comes last: it is the result of this one.
    values.sort_by_key(|value| (value.start < start, value.start));
    // A value that is written there is not shown again.
    let is_written = |value: &SharedValue| {
        let after = text[value.end..].trim_start().strip_prefix('=').map(str::trim_start);
        let rest = after.and_then(|after| after.strip_prefix(value.text.as_str()));
        rest.is_some_and(|rest| rest.trim_start().starts_with(';'))
    };
    values.retain(|value| !(value.is_variable && is_written(value)));
    let is_argument = |value: &SharedValue| {
        let around = script.call_around(value.start);
        let around = around.map(|(name, _)| script.all[name].span.start);
        values.iter().any(|other| Some(other.start) == around)
    };
    let is_call = |value: &&&SharedValue| {
        text[value.end..].trim_start().starts_with('(') && !is_argument(value)
    };
    let condition = values.iter().find(|value| value.is_condition).copied();
    // A part of a longer name says less than the whole.
    let is_read =
        |value: &&&SharedValue| !text[value.end..].starts_with('.') && !is_argument(value);
    let is_compared = |value: &&&SharedValue| {
        let is_inside = condition.is_some_and(|of| {
            // What is the whole condition says nothing more.
            let is_whole = (value.start, value.end) == (of.start, of.end);
            of.start <= value.start && value.end <= of.end && !is_whole
        });
        is_inside && is_read(value)
    };
    let (results, here): (Vec<&SharedValue>, Vec<&SharedValue>) =
        values.iter().partition(|value| value.is_variable && value.start < start);
    let mut shown: Vec<_> = here.iter().filter(|value| value.is_variable).copied().collect();
    if condition.is_some() {
        shown = values.iter().filter(is_compared).copied().collect();
    } else if shown.is_empty() {
        shown = here.iter().filter(is_call).copied().chain(results).collect();
    }
    let are_read = condition.is_some() || shown.is_empty();
    if shown.is_empty() && condition.is_none() {
        shown = values.iter().filter(is_read).copied().collect();
    }
    let named = |value: &SharedValue| {
        let before = text[..value.start].trim_end_matches(is_of_name);
        let start = if are_read { before.len() } else { value.start };
        format!("{} = {}", text[start..value.end].trim_start_matches('.'), value.in_words())
    };
    ToldValues {
        are_variables: are_read
            || shown.iter().all(|value| value.is_variable && value.start >= start),
        all: shown.iter().copied().map(named).collect(),
        results: shown.iter().filter(|value| value.start < start).count(),
        truth: condition.map(|value| value.in_words()).unwrap_or_default(),
    }
}

/// Where the values of a line stand.
struct ValuesPlace {
    /// The place in bytes of the text.
    at: usize,
    /// How many characters have room there.
    room: usize,
    width: Width,
}

/// How wide the values of a line are.
enum Width {
    AsItIs,
    /// They fill their room.
    Room,
    SameInEachTick,
}

impl ValuesPlace {
    /// The values stand behind the line, or before the comment that ends it if that leaves too little room.
    fn new(script: &Tokens<'_>, end: usize, columns: Option<usize>) -> Self {
        let text = script.text;
        let start = line_start(text, end);
        let length = |end: usize| text[start..end].chars().count();
        let end = text[..end].trim_end_matches('\r').len();
        let (room, is_free) = room_behind(length(end), columns);
        let mut comments = script.comments.iter();
        let comment = comments.find(|comment| start < comment.start && comment.end >= end);
        let code = comment.map(|comment| text[..comment.start].trim_end().len());
        if let Some(code) = code.filter(|code| *code > start && (!is_free || room < MIN_CHARS))
            && let (more, true) = room_behind(length(code), columns)
            && more > room
        {
            return Self { at: code, room: more, width: Width::SameInEachTick };
        }
        let width = if is_free { Width::AsItIs } else { Width::Room };
        Self { at: end, room, width }
    }
}

/// Returns how many characters have room behind a line of a length, and whether they end within the editor.
fn room_behind(length: usize, columns: Option<usize>) -> (usize, bool) {
    // The end of a longer line is seen by who looks for it.
    if let Some(columns) = columns.filter(|columns| length < *columns) {
        let free = (columns - length) * 10 / LETTER_IN_TENTHS;
        return (free.saturating_sub(1).min(MAX_CHARS), true);
    }
    let free = LAST_COLUMN.saturating_sub(length);
    if free >= MIN_CHARS {
        return (free.min(MAX_CHARS), true);
    }
    let last = if length < LAST_COLUMN { LAST_COLUMN } else { LAST_COLUMN_OF_WIDE };
    (last.saturating_sub(length).clamp(MIN_CHARS, MAX_CHARS), false)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns what stands behind the only line that has values, which are given with their places as words of the text. Those behind `let`
    /// are variables.
    fn only(text: &str, all: &[(&str, &str, bool)]) -> Option<LineValues> {
        let value = |(word, value, is_condition): &(&str, &str, bool)| {
            let start = text.find(word).expect("it is in the text");
            SharedValue {
                start,
                end: start + word.len(),
                is_variable: text[..start].ends_with("let "),
                is_condition: *is_condition,
                text: (*value).to_owned(),
                count: 1,
            }
        };
        let values: Vec<SharedValue> = all.iter().map(value).collect();
        line_values(text, &values, None).pop()
    }

    fn behind(text: &str, all: &[(&str, &str, bool)]) -> String {
        only(text, all).map_or_else(String::new, |one| one.words)
    }

    fn whole(text: &str, all: &[(&str, &str, bool)]) -> String {
        only(text, all).and_then(|one| one.whole).unwrap_or_default()
    }

    /// Caught: long values went on below the minimap, and the short ones behind them were not seen.
    #[test]
    fn values_without_room_are_cut_and_are_told_as_a_whole() {
        let text = "f(a(b), c(d), e(f), g(h));";
        let long = "[(1, 2), (3, 4), (5, 6), (7, 8), (9, 10), (11, 12)]";
        let first = [("a", long, false), ("c", "2", false)];
        assert_eq!(behind(text, &first), "c = 2, …");
        assert_eq!(whole(text, &first), format!("a = {long}, c = 2"));
        let cut = behind(text, &first[..1]);
        assert_eq!(cut, "= [(1, 2), (3, 4), (5, …)]");
        assert!(cut.chars().count() <= MAX_CHARS, "{cut}");
        let all = ["a", "c", "e", "g"].map(|name| (name, "1", false));
        assert_eq!(behind(text, &all), "a = 1, c = 1, e = 1, …");
        assert_eq!(behind(text, &all[..3]), "a = 1, c = 1, e = 1");
        assert_eq!(whole(text, &all[..3]), "");
    }

    /// Caught: beside another editor, values behind long lines ended beyond the edge.
    #[test]
    fn values_behind_long_lines_are_short() {
        let value = ("aim", "(-1234.6, 5678.9)", false);
        let line = |length: usize| format!("{}let aim = b;", " ".repeat(length - 12));
        for (length, expected, width) in [
            (30, "aim = (-1234.6, 5678.9)", 0),
            (31, "aim ≈ (-1235, 5679)", 0),
            (34, "aim ≈ (-1235, 5679)", 0),
            // Caught: they had 30 characters behind a line of any length, and ended beyond the edge without `…`.
            (36, "≈ (-1235, 5679)", 0),
            (40, "≈ (-1235, 5679)", 17),
            // An editor that shows such a line has more room.
            (54, "aim = (-1234.6, 5678.9)", 26),
            (60, "aim ≈ (-1235, 5679)", 20),
            (120, "≈ (-1235, 5679)", 17),
        ] {
            let one = only(&line(length), &[value]).unwrap();
            assert_eq!((&*one.words, one.width), (expected, width), "{length}");
            let whole = expected.contains('≈').then(|| "aim = (-1234.6, 5678.9)".to_owned());
            assert_eq!(one.whole, whole);
        }
        // Caught: a number was cut, and looked like another one.
        let long = ("aim", "[(-12.34, 56.78), (123.456, 7.89), (0.04, 1.0)]", false);
        assert_eq!(behind(&line(26), &[long]), "≈ [(-12, 57), (123, …)]");
    }

    /// Caught: beside a world, values were cut at the edge of the editor.
    #[test]
    fn values_end_in_an_editor_whose_columns_are_known() {
        let text = "    let separation = f(b);";
        let value = SharedValue {
            start: 8,
            end: 18,
            is_variable: true,
            is_condition: false,
            text: "(-1234.6, 5678.9)".to_owned(),
            count: 1,
        };
        let behind = |columns: usize| {
            let all = line_values(text, std::slice::from_ref(&value), Some(columns));
            all.into_iter().next().unwrap().words
        };
        assert_eq!(behind(80), "separation = (-1234.6, 5678.9)");
        assert_eq!(behind(52), "separation ≈ (-1235, 5679)");
        assert_eq!(behind(45), "≈ (-1235, 5679)");
        assert_eq!(behind(38), "≈ (-1235, …)");
        // Caught: behind some lines stood `≈ (…)`.
        assert_eq!((&*behind(27), &*behind(35)), ("…", "…"));
        for columns in 28..100 {
            let chars = behind(columns).chars().count() + 1;
            assert!(26 * 10 + chars * LETTER_IN_TENTHS <= columns * 10, "{columns}");
        }
    }

    /// Caught: a value without a name was taken for that of the whole line.
    #[test]
    fn the_only_value_of_a_call_has_a_name() {
        let value = ("separation", "(-1234.6, 5678.9)", false);
        for (length, expected) in [
            (30, "separa… ≈ (-1235, 5679)"),
            (33, "sep… ≈ (-1235, 5679)"),
            (36, "≈ (-1235, 5679)"),
            (60, "sep… ≈ (-1235, 5679)"),
        ] {
            let text = format!("{}2.0 * separation(near)", " ".repeat(length - 22));
            assert_eq!(behind(&text, &[value]), expected, "{length}");
        }
    }

    #[test]
    fn an_editor_that_knows_its_room_decides() {
        let text = "f(a(b), c(d), e(f), g(h), i(j));";
        let all = ["a", "c", "e", "g", "i"].map(|name| (name, "(1.2345, 2.5)", false));
        let one = only(text, &all).unwrap();
        let in_room = |room: usize| one.in_room(|words| words.chars().count() <= room);
        let exact = in_room(98);
        assert_eq!(exact.matches("(1.2345, 2.5)").count(), 5, "{exact}");
        assert_eq!(
            in_room(88),
            "a ≈ (1.2, 2.5), c ≈ (1.2, 2.5), e ≈ (1.2, 2.5), g ≈ (1.2, 2.5), i ≈ (1.2, 2.5)"
        );
        assert_eq!(in_room(37), "a ≈ (1.2, 2.5), c ≈ (1.2, 2.5), …");
        assert_eq!(in_room(13), "a ≈ (1.2, …)");
        assert_eq!(in_room(0), "…");
        // Caught: of the only value of a condition, the name was cut and the value was not there.
        let all = [("near.count > 2", "false", true), ("count", "1", false)];
        let one = only("if near.count > 2 {", &all).unwrap();
        let in_room = |room: usize| one.in_room(|words| words.chars().count() <= room);
        assert_eq!((&*in_room(21), &*in_room(20)), ("near.count = 1: false", "= 1: false"));
    }

    #[test]
    fn behind_a_condition_is_what_it_compares_and_whether_it_is_true() {
        let text = "if near.count > 2 && me.distance(other) < far {";
        let condition = ("near.count > 2 && me.distance(other) < far", "false", true);
        let names = [
            ("near", "4 neighbors", false),
            ("count", "4", false),
            ("distance", "9.5", false),
            ("other", "agent 3", false),
            ("far", "5", false),
        ];
        let all: Vec<_> = names.into_iter().chain([condition]).collect();
        // The shorter ones come first, since not all fit.
        assert_eq!(behind(text, &all), "far = 5, …: false");
        assert_eq!(whole(text, &all), "near.count = 4, me.distance = 9.5, far = 5: false");
        let flag = [("flag", "true", false), ("flag", "true", true)];
        assert_eq!(behind("if flag {", &flag), "true");
        assert_eq!(behind("if true {", &[("true", "true", true)]), "true");
        // Elsewhere, what is read is told only if the line does nothing else with it.
        let read = ("count", "4", false);
        assert_eq!(behind("f(near.count);", &[("f", "2", false), read]), "f = 2");
        assert_eq!(
            behind("    near.count,", &[("near", "4 neighbors", false), read]),
            "near.count = 4"
        );
    }

    /// Caught: what `steer` returns had no value if it was a variable.
    #[test]
    fn a_line_that_only_reads_has_the_values() {
        let (force, wall) = (("force", "(1, 2)", false), ("wall", "(0, 1)", false));
        assert_eq!(behind("    force\n}", &[force]), "force = (1, 2)");
        assert_eq!(behind("    force + wall", &[force, wall]), "force = (1, 2), wall = (0, 1)");
    }

    /// Caught: the sum stood behind the first term, which had no value.
    #[test]
    fn a_variable_of_several_lines_is_behind_the_last_one() {
        let text =
            "let force = 2.0 * align(near)\n    + apart(near) * {\n  1.0 }\n    + wall;\nforce";
        let value = |word: &str, value: &str| {
            let start = text.find(word).unwrap();
            SharedValue {
                start,
                end: start + word.len(),
                is_variable: word == "force",
                is_condition: false,
                text: value.into(),
                count: 1,
            }
        };
        let values =
            [value("force", "6"), value("align", "1"), value("apart", "2"), value("wall", "3")];
        let all = line_values(text, &values, None);
        let lines: Vec<_> = all.iter().map(|one| (&text[..one.end], &*one.words)).collect();
        let until = |end: &str| &text[..text.find(end).unwrap() + end.len()];
        let expected = [
            (until("align(near)"), "align = 1"),
            (until(" {"), "apart = 2"),
            (until("wall;"), "force = 6"),
        ];
        assert_eq!(lines, expected);
        assert_eq!(lines_of_values(text, &values), [4, 1, 2, 4]);
        // What the last line calls comes first.
        let text = text.replace("wall;", "wall();");
        let last = line_values(&text, &values, None).pop().unwrap();
        assert_eq!(last.words, "wall = 3, force = 6");
        assert_eq!(last.in_room(|words| words.len() < 19), "force = 6, …");
    }

    /// Caught: of the value behind a long comment, only `…` was left.
    #[test]
    fn values_are_before_a_comment_that_leaves_no_room() {
        let text = "let aim = b; // where the others are going to be, as far as it is known";
        let one = only(text, &[("aim", "(-1234.6, 5678.9)", false)]).unwrap();
        assert_eq!((&text[..one.end], &*one.words), ("let aim = b;", "aim = (-1234.6, 5678.9)"));
        assert_eq!(one.width, one.words.len());
        let short = "let aim = b; // short";
        assert_eq!(only(short, &[("aim", "(1, 2)", false)]).unwrap().end, short.len());
    }
}
