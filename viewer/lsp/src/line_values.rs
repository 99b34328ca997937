//! The values of a turn as words behind the lines of a script.

use std::collections::BTreeMap;

use super::rhai_text::Tokens;
use super::shared_values::SharedValue;

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
/// Number of characters of a name that is cut: fewer say nothing.
const MIN_NAME: usize = 3;
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
/// condition, what it compares and whether it is true. `columns` is the number of characters that a line of the editor has room for, if it
/// is known.
pub fn line_values(text: &str, values: &[SharedValue], columns: Option<usize>) -> Vec<LineValues> {
    let tokens = Tokens::new(text);
    let mut lines: BTreeMap<usize, Vec<&SharedValue>> = BTreeMap::new();
    for value in values {
        let end = text[value.end..].find('\n').map_or(text.len(), |end| value.end + end);
        lines.entry(end).or_default().push(value);
    }
    let words = |(end, mut values): (usize, Vec<&SharedValue>)| {
        values.sort_by_key(|value| value.start);
        // A value that is written there is not shown again.
        let is_written = |value: &SharedValue| {
            let after = text[value.end..].trim_start().strip_prefix('=').map(str::trim_start);
            let rest = after.and_then(|after| after.strip_prefix(value.text.as_str()));
            rest.is_some_and(|rest| rest.trim_start().starts_with(';'))
        };
        values.retain(|value| !(value.is_variable && is_written(value)));
        let is_argument = |value: &SharedValue| {
            let around = tokens.call_around(value.start);
            let around = around.map(|(name, _)| tokens.all[name].span.start);
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
        let mut shown: Vec<_> = values.iter().filter(|value| value.is_variable).collect();
        if condition.is_some() {
            shown = values.iter().filter(is_compared).collect();
        } else if shown.is_empty() {
            shown = values.iter().filter(is_call).collect();
        }
        let are_read = condition.is_some() || shown.is_empty();
        if shown.is_empty() && condition.is_none() {
            shown = values.iter().filter(is_read).collect();
        }
        let named = |value: &&SharedValue| {
            let before = text[..value.start].trim_end_matches(is_of_name);
            let start = if are_read { before.len() } else { value.start };
            format!("{} = {}", text[start..value.end].trim_start_matches('.'), value.in_words())
        };
        let told = ToldValues {
            are_variables: are_read || shown.iter().all(|value| value.is_variable),
            all: shown.into_iter().map(named).collect(),
            truth: condition.map(|value| value.in_words()).unwrap_or_default(),
        };
        let end = text[..end].trim_end_matches('\r').len();
        let line = text[..end].rsplit('\n').next().unwrap_or_default();
        let (room, width) = room_behind(line.chars().count(), columns);
        let fits = |words: &str| words.chars().count() <= room;
        let words = told.in_line(MAX_IN_LINE, &fits);
        let whole = with_truth(&told.all.join(", "), &told.truth);
        let whole = (whole != words).then_some(whole);
        (!words.is_empty()).then_some(LineValues { end, words, whole, width, told })
    };
    lines.into_iter().filter_map(words).collect()
}

/// Returns how many characters have room behind a line of a length, and their number in each tick, which is 0 for short lines.
fn room_behind(length: usize, columns: Option<usize>) -> (usize, usize) {
    // The end of a longer line is seen by who looks for it.
    if let Some(columns) = columns.filter(|columns| length < *columns) {
        let free = (columns - length) * 10 / LETTER_IN_TENTHS;
        return (free.saturating_sub(1).min(MAX_CHARS), 0);
    }
    let free = LAST_COLUMN.saturating_sub(length);
    if free >= MIN_CHARS {
        return (free.min(MAX_CHARS), 0);
    }
    let last = if length < LAST_COLUMN { LAST_COLUMN } else { LAST_COLUMN_OF_WIDE };
    let room = last.saturating_sub(length).clamp(MIN_CHARS, MAX_CHARS);
    (room, room)
}

/// The values of a line that are told behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct ToldValues {
    /// Each value with its name.
    all: Vec<String>,
    /// Whether they are those of variables of the line.
    are_variables: bool,
    /// The truth of a condition, which is empty for other lines.
    truth: String,
}

impl ToldValues {
    /// Returns the values for the room behind the line: in their order if all fit and there are at most `most`, rounded if they are too long
    /// otherwise. Else the name of a single one is short, and of several the shorter ones are first. The truth of a condition is always there.
    fn in_line(&self, most: usize, fits: &dyn Fn(&str) -> bool) -> String {
        let fits = |words: &str| fits(&with_truth(words, &self.truth));
        let all_rounded: Vec<String> = self.all.iter().map(|one| rounded(one)).collect();
        for values in [&self.all, &all_rounded] {
            let whole = values.join(", ");
            if values.len() <= most && fits(&whole) {
                return with_truth(&whole, &self.truth);
            }
        }
        let words = match &all_rounded[..] {
            [only] => self.single(only, &fits),
            _ => several(&all_rounded, most, &fits),
        };
        with_truth(&words, &self.truth)
    }

    /// Returns the only value, which does not fit with its name.
    fn single(&self, only: &str, fits: &dyn Fn(&str) -> bool) -> String {
        let (name, value) = only.split_at(only.find(['=', '≈']).unwrap_or(0));
        // The line has the name of its variable, or what it compares. A call can be any part of it.
        let may_be_left_out = self.are_variables || !self.truth.is_empty();
        if !may_be_left_out {
            let ends = name.char_indices().map(|(end, _)| end).skip(MIN_NAME);
            let shorter = ends.map(|end| format!("{}… {value}", &name[..end]));
            if let Some(words) = shorter.filter(|words| fits(words)).last() {
                return words;
            }
        }
        if fits(value) { value.to_owned() } else { cut(value, fits) }
    }
}

/// Returns as many of several values as fit, the shorter ones first.
fn several(all: &[String], most: usize, fits: &dyn Fn(&str) -> bool) -> String {
    let mut shorter: Vec<&String> = all.iter().collect();
    shorter.sort_by_key(|one| one.chars().count());
    let mut words = String::new();
    for one in shorter.iter().take(most) {
        let separator = if words.is_empty() { "" } else { ", " };
        let longer = format!("{words}{separator}{one}");
        if !fits(&format!("{longer}, …")) {
            break;
        }
        words = longer;
    }
    match (words.is_empty(), shorter.first()) {
        (true, Some(first)) => cut(first, fits),
        _ => words + ", …",
    }
}

/// Returns a value with its name, `≈` and floats with two significant digits, from 10 on without digits behind the point and below 1 with at
/// most two. Other values stay.
fn rounded(text: &str) -> String {
    let Some((name, value)) = text.split_once(" = ") else { return text.to_owned() };
    let is_of_number = |letter: char| is_of_name(letter) || letter == '-';
    let (mut all, mut rest) = (String::new(), value);
    // Strings stay.
    while let Some(start) = rest.find(is_of_number).filter(|_| !value.contains('"')) {
        let word = &rest[start..];
        let word = &word[..word.find(|letter| !is_of_number(letter)).unwrap_or(word.len())];
        all += &rest[..start];
        let is_float = word.contains('.') && !word.contains(char::is_alphabetic);
        match word.parse::<f64>().ok().filter(|_| is_float) {
            Some(number) if number.abs() >= 10.0 => all += &format!("{number:.0}"),
            Some(number) => {
                let behind = if number.abs() < 1.0 { 2 } else { 1 };
                let digits = format!("{number:.behind$}");
                let digits = digits.trim_end_matches('0').trim_end_matches('.');
                all += if digits == "-0" { "0" } else { digits };
            }
            None => all += word,
        }
        rest = &rest[start + word.len()..];
    }
    all += rest;
    if all == value { text.to_owned() } else { format!("{name} ≈ {all}") }
}

/// Returns the beginning of a value with its name that fits: whole words and numbers, with all brackets closed.
fn cut(text: &str, fits: &dyn Fn(&str) -> bool) -> String {
    let (mut closing, mut longest) = (Vec::new(), None);
    for (at, letter) in text.char_indices() {
        if text[..at].ends_with([' ', '(', '[', '{']) {
            let brackets: String = closing.iter().rev().collect();
            let beginning = format!("{}…{brackets}", &text[..at]);
            if !fits(&beginning) {
                break;
            }
            longest = Some(beginning);
        }
        match letter {
            '(' => closing.push(')'),
            '[' => closing.push(']'),
            '{' => closing.push('}'),
            ')' | ']' | '}' => drop(closing.pop()),
            _ => {}
        }
    }
    // A name without room for a value is cut.
    let beginnings = text.char_indices().map(|(at, _)| format!("{}…", &text[..at]));
    let longest = longest.or(beginnings.take_while(|one| fits(one)).last());
    // A sign alone says nothing.
    let says = |words: &String| words.contains(char::is_alphanumeric);
    longest.filter(says).unwrap_or_else(|| "…".to_owned())
}

/// Returns the values of a condition with its truth, which is empty for other lines.
fn with_truth(words: &str, truth: &str) -> String {
    let separator = if words.is_empty() || truth.is_empty() { "" } else { ": " };
    format!("{words}{separator}{truth}")
}

/// Returns whether a letter is one of a name with its members.
fn is_of_name(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '_' | '.')
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
        let exact = in_room(95);
        assert_eq!(exact.matches("(1.2345, 2.5)").count(), 5, "{exact}");
        assert_eq!(
            in_room(80),
            "a ≈ (1.2, 2.5), c ≈ (1.2, 2.5), e ≈ (1.2, 2.5), g ≈ (1.2, 2.5), i ≈ (1.2, 2.5)"
        );
        assert_eq!(in_room(35), "a ≈ (1.2, 2.5), c ≈ (1.2, 2.5), …");
        assert_eq!(in_room(12), "a ≈ (1.2, …)");
        assert_eq!(in_room(0), "…");
        // Caught: of the only value of a condition, the name was cut and the value was not there.
        let all = [("near.count > 2", "false", true), ("count", "1", false)];
        let one = only("if near.count > 2 {", &all).unwrap();
        let in_room = |room: usize| one.in_room(|words| words.chars().count() <= room);
        assert_eq!((&*in_room(21), &*in_room(20)), ("near.count = 1: false", "= 1: false"));
    }

    #[test]
    fn floats_are_rounded() {
        for (value, expected) in [
            ("a = 12.5", "a ≈ 12"),
            ("a = -9.96", "a ≈ -10"),
            ("a = (-0.004, 1.25)", "a ≈ (0, 1.2)"),
            ("a = (-0.0437, 0.5, 0.998)", "a ≈ (-0.04, 0.5, 1)"),
            ("near.nearest = agent 3, 20.33 away", "near.nearest ≈ agent 3, 20 away"),
            ("a = 17 neighbors", "a = 17 neighbors"),
            ("a = 1.5e-7", "a = 1.5e-7"),
            ("a = \"1.55\"", "a = \"1.55\""),
            ("true", "true"),
        ] {
            assert_eq!(rounded(value), expected);
        }
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
}
