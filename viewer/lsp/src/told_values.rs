//! The values of a line in the room that is there.

/// Number of characters of a name that is cut: fewer say nothing.
const MIN_NAME: usize = 3;
/// Number of characters of a number with which the room is measured at least: from tick to tick, a number has more or fewer digits, and
/// names would come and go.
const DIGITS: usize = 4;
/// What stands before such a number.
const STARTS: [&str; 4] = ["(", ", ", "= ", "≈ "];

/// The values of a line that are told behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ToldValues {
    /// Each value with its name.
    pub(super) all: Vec<String>,
    /// How many of them, at the end, are the results of a statement that began in a line before.
    pub(super) results: usize,
    /// Whether they are those of variables of the line.
    pub(super) are_variables: bool,
    /// The truth of a condition, which is empty for other lines.
    pub(super) truth: String,
}

impl ToldValues {
    /// Returns all values as they are.
    pub(super) fn whole(&self) -> String {
        with_truth(&self.all.join(", "), &self.truth)
    }

    /// Returns the values for the room behind the line: in their order if all fit and there are at most `most`, rounded if they are too long
    /// otherwise. Else the name of a single one is short, and of several the shorter ones are first. The truth of a condition is always there.
    pub(super) fn in_line(&self, most: usize, fits: &dyn Fn(&str) -> bool) -> String {
        let fits = |words: &str| fits(&with_truth(&widened(words), &self.truth));
        let all_rounded: Vec<String> = self.all.iter().map(|one| rounded(one)).collect();
        for values in [&self.all, &all_rounded] {
            let whole = values.join(", ");
            if values.len() <= most && fits(&whole) {
                return with_truth(&whole, &self.truth);
            }
        }
        // A result matters more than the last part of it.
        let parts = if self.results > 0 { all_rounded.len() - self.results } else { 0 };
        let words = match &all_rounded[..] {
            [only] => self.single(only, &fits),
            all => several(&all[parts..], most, &fits),
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
pub(super) fn is_of_name(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '_' | '.')
}

/// Returns words with zeros before their short numbers: they are as wide as in other ticks.
pub(super) fn widened(words: &str) -> String {
    let is_rounded = words.contains('≈');
    let mut all = String::new();
    for (at, letter) in words.char_indices() {
        let is_number = letter.is_ascii_digit() || letter == '-';
        if is_number && STARTS.iter().any(|before| words[..at].ends_with(before)) {
            let rest = &words[at..];
            let is_of_number = |letter: char| is_of_name(letter) || letter == '-';
            let end = rest.find(|letter| !is_of_number(letter)).unwrap_or(rest.len());
            if is_rounded || rest[..end].contains('.') {
                all.extend(std::iter::repeat_n('0', DIGITS.saturating_sub(end)));
            }
        }
        all.push(letter);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

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

    /// Caught: from tick to tick, the name of a value came and went.
    #[test]
    fn a_value_has_the_same_form_in_each_tick() {
        let of = |value: &str| ToldValues {
            all: vec![format!("aim = {value}")],
            results: 0,
            are_variables: true,
            truth: String::new(),
        };
        for room in 0..30 {
            let forms = ["(0.04, 1.5)", "(-12.3, 9.8)", "(9.5, -123.4)"].map(|value| {
                let words = of(value).in_line(3, &|words| words.chars().count() <= room);
                (words.contains("aim"), words.contains('…'))
            });
            assert_eq!([forms[0]; 3], forms, "{room}");
        }
    }
}
