//! One slip hides no others: files that ship get two or three slips in different lines, and `check` finds an error in each of these lines and
//! in no other.

use std::path::{Path, PathBuf};

use flockwork_engine::runner::check_open;
use proptest::prelude::*;

use crate::remains::errors;
use crate::support::{folder, names};

/// A change of a line: `None` if the line has nothing to change. The number chooses among several places.
type Slip = fn(line: &str, choice: usize) -> Option<String>;

const SCENARIO_SLIPS: &[Slip] = &[
    // The name of a field.
    |line, choice| Some(with(line, chosen(&fields(line), choice)?.0, "x", 0)),
    // A string instead of a number, `=` instead of `:`, no value, and a negative number that must be positive.
    |line, choice| number(line, choice).map(|(at, length)| with(line, at, "\"abc\"", length)),
    |line, choice| Some(with(line, chosen(&fields(line), choice)?.0, " =", 1)),
    |line, choice| number(line, choice).map(|(at, length)| with(line, at, "", length)),
    |line, _| {
        let fields = ["radius: ", "max_speed: ", "max_force: ", "ticks: ", "count: "];
        let at = fields.iter().find_map(|field| Some(line.find(field)? + field.len()))?;
        line[at..].starts_with(|c: char| c.is_ascii_digit()).then(|| with(line, at, "-", 0))
    },
    // The name of a variant.
    |line, choice| {
        let code = without_strings(line);
        let begins = |at: usize| code[..at].ends_with([' ', '(', '[']);
        let capitals: Vec<usize> = code
            .match_indices(char::is_uppercase)
            .map(|(at, _)| at)
            .filter(|at| begins(*at))
            .collect();
        Some(with(line, chosen(&capitals, choice)? + 1, "x", 0))
    },
    // The name of a group.
    |line, _| Some(with(line, line.find("group: \"")? + "group: \"".len(), "xq", 0)),
    // Braces around fields, also with names in quotes.
    |line, _| in_braces(line, ""),
    |line, _| in_braces(line, "\""),
    // The name of a field in quotes, alone and beside a wrong sign; a point in square brackets; a calculation.
    |line, choice| {
        let (at, _) = *chosen(&fields(line), choice)?;
        let name = line[..at].rfind([' ', '(']).map_or(0, |before| before + 1);
        Some(format!("{}\"{}\"{}", &line[..name], &line[name..at], &line[at..]))
    },
    |line, _| {
        let at = line.find(|c: char| c != ' ')?;
        let (name, rest) = line[at..].strip_suffix(',')?.split_once(": ")?;
        let is_plain = !name.contains('"') && rest.bytes().all(|c| c.is_ascii_digit() || c == b'.');
        is_plain.then(|| format!("{}\"{name}\": {rest};", &line[..at]))
    },
    |line, choice| number(line, choice).map(|(at, length)| with(line, at + length, " * 2", 0)),
    |line, _| line.strip_suffix(',').filter(|line| !line.ends_with('{')).map(str::to_owned),
];

const SCRIPT_SLIPS: &[Slip] = &[
    |line, _| declares(line).then(|| line.replacen("let ", "var ", 1)),
    |line, _| declares(line).then(|| line.trim_end_matches(';').to_owned()),
    |line, _| line.starts_with("fn steer").then(|| line.replacen("steer", "stear", 1)),
    |line, _| line.starts_with("fn steer(").then(|| line.replacen("fn", "def", 1)),
    |line, choice| {
        let begins = |at: usize| !line[..at].ends_with(|c: char| c.is_alphanumeric() || c == '.');
        let members: Vec<usize> =
            line.match_indices("me.").map(|(at, _)| at + 3).filter(|at| begins(at - 3)).collect();
        Some(with(line, *chosen(&members, choice)?, "xq", 0))
    },
];

/// Statements with a slip, for a line of their own.
const STATEMENTS: &[&str] = &[
    "var q1 = 1;",
    "let q2 = null;",
    "let q3 = 1; q3++;",
    "let q4 = unknown_a;",
    "me.nearst(\"x\");",
    "let q5 = me.posn;",
    "let q6 = 1 +;",
    "let q7 = me.seek(1;",
    "if me.speed = 3 { debug(1); }",
    "let q8 = me.params.zzz_no;",
    "let q9 = sqrt(\"a\");",
    "let q10 = me.pos + 1;",
    "if me.speed > 3 and me.speed < 5 { debug(1); }",
    "let q11 = me.speed ? 1 : 2;",
    "foo bar baz;",
    "let q12 = me.neighbors(20).cout;",
    "let q13 = [1, 2;",
    "elif me.speed > 2 { debug(1); }",
    "const me.x = 3;",
    "let q14 = 5",
    "me.pos = q15();",
    "me.pos.x += 1;",
    "me.params.q16 = 2;",
    "world.time = 3; me.q17();",
    "if not me.speed > 3 and me.speed < 5 { debug(1); }",
    "let q18 = q19; let q19 = 1;",
    "for q20 in range(3) { debug(q20); }",
    "me.state.q21 = 2; debug(q22 => q22);",
    "let q23 = me.",
];

fn with(line: &str, at: usize, new: &str, length: usize) -> String {
    format!("{}{new}{}", &line[..at], &line[at + length..])
}

fn chosen<T>(all: &[T], choice: usize) -> Option<&T> {
    all.get(choice % all.len().max(1))
}

/// Returns a line with other letters in its strings.
fn without_strings(line: &str) -> String {
    let parts = line.split('"').enumerate();
    let part = |(index, part): (usize, &str)| match index % 2 {
        1 => "_".repeat(part.len()),
        _ => part.to_owned(),
    };
    parts.map(part).collect::<Vec<_>>().join("\"")
}

/// Returns where the names of the fields in a line end, and where their values begin.
fn fields(line: &str) -> Vec<(usize, usize)> {
    let code = without_strings(line);
    let is_name = |at: usize| code[..at].ends_with(|c: char| c.is_ascii_lowercase());
    code.match_indices(": ").filter(|(at, _)| is_name(*at)).map(|(at, _)| (at, at + 2)).collect()
}

/// Returns the place and the length of the number that is the value of a field.
fn number(line: &str, choice: usize) -> Option<(usize, usize)> {
    let length = |at: usize| {
        let rest = &line[at..];
        rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.').len()
    };
    let numbers = fields(line).into_iter().map(|(_, at)| (at, length(at)));
    let numbers: Vec<_> = numbers.filter(|(_, length)| *length > 0).collect();
    chosen(&numbers, choice).copied()
}

fn in_braces(line: &str, quote: &str) -> Option<String> {
    let start = line.find("body: (")? + "body: ".len();
    let end = start + line[start..].find(')')?;
    let inner = &line[start + 1..end];
    let is_plain = !inner.contains('(') && inner.split(", ").all(|field| field.contains(": "));
    let quoted = inner
        .split(", ")
        .map(|field| format!("{quote}{}", field.replacen(':', &format!("{quote}:"), 1)));
    let quoted = quoted.collect::<Vec<_>>().join(", ");
    is_plain.then(|| format!("{}{{{quoted}}}{}", &line[..start], &line[end + 1..]))
}

/// Returns whether a line is a statement that declares a variable.
fn declares(line: &str) -> bool {
    line.starts_with("    ")
        && line.trim_start().starts_with("let ")
        && line.ends_with(';')
        && is_closed(line)
}

/// Returns whether all brackets of a line are closed in it.
fn is_closed(line: &str) -> bool {
    let code = without_strings(line);
    ["()", "[]", "{}"]
        .iter()
        .all(|pair| code.matches(&pair[..1]).count() == code.matches(&pair[1..]).count())
}

/// What is chosen for one slip.
#[derive(Clone, Copy, Debug)]
struct Choice {
    line: usize,
    slip: usize,
    place: usize,
}

fn choice() -> impl Strategy<Value = Choice> {
    (0usize..10_000, 0usize..10_000, 0usize..100).prop_map(|(line, slip, place)| Choice {
        line,
        slip,
        place,
    })
}

/// Returns a text with slips, and the numbers of their lines, from 1. Lines beside them have none.
fn with_slips(text: &str, is_script: bool, choices: &[Choice]) -> (String, Vec<usize>) {
    let code = |line: &str| line.split("//").next().unwrap_or_default().trim_end().to_owned();
    let lines: Vec<String> = text.lines().map(code).collect();
    let mut new = lines.clone();
    let mut used: Vec<usize> = Vec::new();
    for Choice { line, slip, place } in choices {
        let found = (0..lines.len()).map(|step| (line + step) % lines.len()).find_map(|index| {
            let old = lines[index].as_str();
            if old.is_empty() || used.iter().any(|one| one.abs_diff(index) <= 1) {
                return None;
            }
            let changed = if is_script && slip % 2 == 0 {
                let before = lines[..index].iter().rev().find(|line| !line.is_empty())?;
                let begins = ["let ", "if ", "return "]
                    .iter()
                    .any(|word| old.trim_start().starts_with(word));
                let is_behind = before.ends_with([';', '{', '}']);
                let indent = &old[..old.len() - old.trim_start().len()];
                let statement = chosen(STATEMENTS, slip / 2)?;
                // What is wrong in the same way twice may be one error.
                if new.iter().any(|line| line.contains(statement)) {
                    return None;
                }
                (begins && is_behind && !indent.is_empty())
                    .then(|| format!("{indent}{statement}\n{old}"))
            } else {
                let slips = if is_script { SCRIPT_SLIPS } else { SCENARIO_SLIPS };
                let is_last = |line: &String| line.trim_start().starts_with([')', ']', '}']);
                let next = lines[index + 1..].iter().find(|line| !line.is_empty())?;
                let is_whole = is_script || (is_closed(old) && !is_last(next));
                chosen(slips, slip / 2)?(old, *place).filter(|_| is_whole)
            };
            changed.map(|changed| (index, changed))
        });
        if let Some((index, changed)) = found {
            used.push(index);
            new[index] = changed;
        }
    }
    used.sort_unstable();
    let inserted = |index: usize| new[..index].iter().filter(|line| line.contains('\n')).count();
    let numbers = used.iter().map(|index| index + inserted(*index) + 1).collect();
    (new.join("\n"), numbers)
}

/// Returns what is wrong with the errors of a file with slips; empty if each slip has one, and nothing else.
fn problems(scenario: &Path, file: &Path, text: &str, slips: &[usize]) -> Vec<String> {
    let found = errors(scenario, file, text);
    let lines = found.iter().filter_map(|error| {
        let place = error.place.as_ref()?;
        let line = |at| place.source.line_column(at).0;
        Some((error, line(place.span.start), line(place.span.end), place.source.text == *text))
    });
    let lines: Vec<_> = lines.collect();
    // A comma that is missing may be missed in the next line.
    let is_of = |slip: usize, start: usize, end: usize| start <= slip + 1 && slip <= end;
    let missed = slips.iter().filter(|slip| {
        !lines.iter().any(|(_, start, end, is_own)| *is_own && is_of(**slip, *start, *end))
    });
    let missed = missed.map(|slip| format!("no error in line {slip}"));
    let others = lines.iter().filter(|(_, start, end, is_own)| {
        !is_own || !slips.iter().any(|slip| is_of(*slip, *start, *end))
    });
    let others = others.map(|(error, ..)| error.render(false));
    let all: Vec<String> = missed.chain(others).collect();
    if all.is_empty() { all } else { [all, vec![format!("{slips:?}\n{text}")]].concat() }
}

/// Returns a scenario that ships.
fn scenario(choice: usize) -> PathBuf {
    let names = names("scenarios", "ron");
    folder(&format!("scenarios/{}.ron", names[choice % names.len()]))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn each_slip_in_a_scenario_is_found_and_nothing_else(
        file in 0usize..10_000,
        choices in proptest::collection::vec(choice(), 2..4),
    ) {
        let path = scenario(file);
        let (text, slips) = with_slips(&std::fs::read_to_string(&path).unwrap(), false, &choices);
        let problems = problems(&path, &path, &text, &slips);
        prop_assert!(problems.is_empty(), "{}\n{}", path.display(), problems.join("\n"));
    }

    #[test]
    fn each_slip_in_a_script_is_found_and_nothing_else(
        file in 0usize..10_000,
        choices in proptest::collection::vec(choice(), 2..4),
    ) {
        let path = scenario(file);
        let text = std::fs::read_to_string(&path).unwrap();
        let behaviors = text.split("behavior: \"").skip(1).filter_map(|rest| rest.split('"').next());
        let behaviors: Vec<&str> = behaviors.collect();
        let scripts = check_open(&path, &std::sync::Arc::default()).scripts;
        let is_behavior = |script: &&PathBuf| {
            let ends = |name: &&str| script.ends_with(format!("{name}.rhai"));
            script.is_file() && behaviors.iter().any(ends)
        };
        let scripts: Vec<&PathBuf> = scripts.iter().filter(is_behavior).collect();
        if let Some(script) = chosen(&scripts, file) {
            let (text, slips) = with_slips(&std::fs::read_to_string(script).unwrap(), true, &choices);
            let problems = problems(&path, script, &text, &slips);
            prop_assert!(problems.is_empty(), "{}\n{}", script.display(), problems.join("\n"));
        }
    }
}
