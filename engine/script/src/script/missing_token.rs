//! Errors of signs and words that are missing, such as `;`, a comma or a brace.

use std::ops::Range;
use std::sync::Arc;

use super::foreign_forms::{braces, braces_in_line, with_fix};
use super::missing_value::has_f_before;
use super::problem::lowercase;
use super::scope;
use super::stop::{Stop, is_word, last_word};
use crate::diag::{Diagnostic, Source, brackets};
use crate::tokens::Language;

/// Returns the error of a sign or a word that is expected where the parser stopped. `why` is Rhai's explanation.
pub(super) fn missing_token(token: &str, why: &str, stop: &Stop<'_>) -> Diagnostic {
    let found = stop.found;
    if let Some(wrong) = formatted_string(stop) {
        return wrong;
    }
    if found.is_empty() {
        return Diagnostic::error(format!("expected `{token}` {}", purpose(why)));
    }
    let missing =
        Diagnostic::error(format!("expected `{token}` {}, found `{found}`", purpose(why)));
    match token {
        _ if found == "\"\"" && !stop.before.ends_with(char::is_whitespace) => Diagnostic::error(
            "there are two quotes too many",
        )
        .fix("Remove `\"\"`", stop.source, stop.span(), ""),
        // The values of a `switch` and of a map have other signs.
        _ if found == "=>" && token != ":" => reversed_comparison(stop),
        ")" if found == "," => several_in_parentheses(stop),
        ";" if !stop.begins_line() => missing_semicolon(missing, stop),
        "{" => missing_brace(missing, stop),
        "," => missing_comma(missing, why, stop),
        ":" if found == "=" => {
            missing.help("write `:` instead of `=`").fix("Write `:`", stop.source, stop.span(), ":")
        }
        "=>" if found == ":" => missing.help("write `=>` instead of `:`").fix(
            "Write `=>`",
            stop.source,
            stop.span(),
            " =>",
        ),
        "in" if found == "=" => missing.help("write `in` instead of `=`").fix(
            "Write `in`",
            stop.source,
            stop.span(),
            "in",
        ),
        "in" => missing.help("write `for i in 0..3 { ... }`"),
        "while" => Diagnostic::error("the condition of this `do` is missing: expected `while`")
            .help("write `do { ... } while condition;`"),
        _ => missing,
    }
}

/// Returns the error of a string with an `f` before it, as in Python.
fn formatted_string(stop: &Stop<'_>) -> Option<Diagnostic> {
    if !has_f_before(&stop.source.text, stop.offset) {
        return None;
    }
    let wrong = Diagnostic::error("scripts have no `f` before strings")
        .help("a string with values is written `` `speed ${me.speed}` ``");
    let whole = stop.offset - 1..stop.span().end;
    Some(match with_values(stop.found) {
        Some(new) => wrong.fix(format!("Write `` {new} ``"), stop.source, whole, new),
        None => wrong,
    })
}

/// Returns a string of Python as a script writes it. `None` if its values have formats, or if a sign would mean something else.
fn with_values(string: &str) -> Option<String> {
    let text = string.strip_prefix('"')?.strip_suffix('"')?;
    let mut parts = text.split('{');
    let is_plain = |text: &str| !text.contains(['}', '\\', '`', '$']);
    let is_value = |value: &str| !value.trim().is_empty() && !value.contains([':', '!', '=']);
    let is_known = parts.next().is_some_and(is_plain)
        && parts.all(|part| {
            part.split_once('}').is_some_and(|(value, rest)| is_value(value) && is_plain(rest))
        });
    is_known.then(|| format!("`{}`", text.replace('{', "${")))
}

/// Returns the error of several values in parentheses.
fn several_in_parentheses(stop: &Stop<'_>) -> Diagnostic {
    let several = Diagnostic::error("expected one value in parentheses, found several")
        .help("a point is written `vec(10, 20)`");
    let text = stop.source.text.as_str();
    let open = brackets::around(text, stop.offset, Language::Rhai).last().copied();
    let end = text[stop.offset..].find(')').map_or(text.len(), |close| stop.offset + close);
    let behind = text.get(end + 1..).unwrap_or_default();
    if let Some(open) = open.filter(|_| behind.trim_start().starts_with("=>")) {
        let arrow = text.len() - behind.trim_start().len();
        let arrow = arrow..arrow + "=>".len();
        return arrow_function(stop.source, open..arrow.end, &text[open + 1..end])
            .at(stop.source, arrow);
    }
    match open {
        Some(open) => several.fix("Wrap it in `vec(..)`", stop.source, open..open, "vec"),
        None => several,
    }
}

/// Returns the error of `=>` behind a value.
fn reversed_comparison(stop: &Stop<'_>) -> Diagnostic {
    let line = stop.line_before();
    let names = line.strip_suffix(')').and_then(|line| line.rsplit_once('('));
    let word = last_word(line);
    let is_parameter = is_word(word)
        && line[..line.len() - word.len()].trim_end().ends_with(['(', ',', '='])
        && !scope::variables(&stop.source.text, stop.offset).contains(&word);
    if is_parameter {
        let start = stop.before.len() - word.len();
        return arrow_function(stop.source, start..stop.span().end, word)
            .at(stop.source, stop.span());
    }
    match names {
        Some((before, names)) if last_word(before).is_empty() => {
            let start = stop.before.len() - names.len() - "()".len();
            arrow_function(stop.source, start..stop.span().end, names).at(stop.source, stop.span())
        }
        _ => stop.no_sign("operator", stop.span(), ">="),
    }
}

/// Returns the error of a function whose parameters stand in front of `=>`.
fn arrow_function(source: &Arc<Source>, head: Range<usize>, parameters: &str) -> Diagnostic {
    let new = format!("|{}|", parameters.trim());
    Diagnostic::error("scripts have no functions with `=>`")
        .help("a function without a name is written `|x| x * 2`")
        .fix(format!("Write `{new}`"), source, head, new)
}

/// Returns the error of something in a line that cannot follow there, such as a second name.
fn missing_semicolon(missing: Diagnostic, stop: &Stop<'_>) -> Diagnostic {
    let (found, line) = (stop.found, stop.line_before().trim_start());
    let declared = line.strip_prefix("let ").map(str::trim).filter(|name| is_word(name));
    let rest = stop.after.lines().next().unwrap_or_default();
    match (found, declared) {
        ("==", Some(_)) => Diagnostic::error("`==` compares, and gives no variable a value")
            .help("write `=`")
            .fix("Write `=`", stop.source, stop.span(), "="),
        ("-", Some(name)) => wrong_name("a name cannot contain `-`", name, stop),
        (word, Some(name)) if is_word(word) => wrong_name("a name is one word", name, stop),
        (",", _) if line.starts_with("let ") && second_variable(rest) => missing
            .help("each variable has its own `let`: `let a = 1; let b = 2;`")
            .fix("Declare it with its own `let`", stop.source, stop.span(), "; let"),
        (",", _) if rest.split("//").next().unwrap_or_default().trim().is_empty() => {
            missing.fix("Write `;`", stop.source, stop.span(), ";")
        }
        ("=", _) if stop.after.starts_with('<') => {
            stop.no_sign("operator", stop.offset..stop.offset + 2, "<=")
        }
        ("if", _) if rest.contains(" else ") => {
            missing.help("write `if condition { a } else { b }`, which also gives a value")
        }
        (":", _) if begins_map(stop.before, stop.after) => {
            let open = stop.before.rfind('{').unwrap_or(0);
            Diagnostic::error("a map begins with `#{`")
                .help("write `#{ a: 1, b: 2 }`")
                .fix("Write `#{`", stop.source, open..open, "#")
                .at(stop.source, open..open + 1)
        }
        _ => missing,
    }
}

/// Returns whether a text ends with a brace and the first key of a map. Behind the head of a block, it begins a statement if a `;` or another
/// line follows it in `after`.
fn begins_map(before: &str, after: &str) -> bool {
    let (head, key) = before.rsplit_once('{').unwrap_or_default();
    let (head, key) = (head.trim_end(), key.trim());
    let is_head = head.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | ')'));
    let is_block = is_head && last_word(head) != "return";
    let (line, rest) = after.split_once('\n').unwrap_or((after, "}"));
    let line = line.split("//").next().unwrap_or_default().trim_end();
    let ends =
        line.ends_with([',', '}']) || (!line.ends_with(';') && rest.trim_start().starts_with('}'));
    (!is_block || ends) && (is_word(key) || (key.starts_with('"') && key.ends_with('"')))
}

/// Returns whether a text behind a comma declares another variable.
fn second_variable(rest: &str) -> bool {
    rest.split_once('=').is_some_and(|(name, _)| is_word(name.trim()))
}

/// Returns the error of a name that continues with a sign or a word, up to a `=`.
fn wrong_name(why: &str, first: &str, stop: &Stop<'_>) -> Diagnostic {
    let start = stop.before.len() - first.len();
    let rest = &stop.source.text[stop.offset..];
    let end =
        stop.offset + rest.split(['=', ';', '\n']).next().unwrap_or_default().trim_end().len();
    let written = &stop.source.text[start..end];
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | ' ');
    let wrong = Diagnostic::error(why).at(stop.source, start..end);
    if !written.chars().all(is_part) {
        return wrong;
    }
    let name = written.replace(['-', ' '], "_");
    wrong.help(format!("write `{name}`")).fix(
        format!("Write `{name}`"),
        stop.source,
        start..end,
        name.clone(),
    )
}

/// Returns the error of something else in place of a block.
fn missing_brace(missing: Diagnostic, stop: &Stop<'_>) -> Diagnostic {
    match stop.found {
        ":" => with_fix(missing.help("a block stands in braces: `{ ... }`"), braces(stop)),
        ";" if stop.after.trim_start().starts_with('{') => missing
            .help("leave out the `;`: the block belongs to what is before it")
            .fix("Remove the `;`", stop.source, stop.span(), ""),
        _ if last_word(stop.before) == "else" => {
            with_fix(missing.help("a block stands in braces: `else { ... }`"), braces_in_line(stop))
        }
        _ if last_word(stop.before) == "loop" => {
            missing.help("`loop` has no count: write `for i in 0..3 { ... }`")
        }
        _ if !stop.begins_line() => {
            let braces = braces_in_line(stop);
            let help = braces.as_ref().map(|_| "a block stands in braces: `{ ... }`".to_owned());
            let mut missing = with_fix(missing, braces);
            missing.help.extend(help);
            missing
        }
        _ => missing,
    }
}

/// Returns the error of something else in place of a comma.
fn missing_comma(missing: Diagnostic, why: &str, stop: &Stop<'_>) -> Diagnostic {
    let is_named = matches!(stop.found, "=" | ":") && !last_word(stop.before).is_empty();
    if is_named && why.contains("arguments") {
        return missing.help(
            "arguments have no names: write only the values, in the order of the parameters",
        );
    }
    if is_named && why.contains("parameters") {
        return missing.help(match stop.found {
            "=" => "parameters have no default values: write only the names",
            _ => "parameters have no types: write only the names",
        });
    }
    let end = stop.before.len();
    let is_number = last_word(stop.before).starts_with(|c: char| c.is_ascii_digit());
    if is_word(stop.found) && is_number && end == stop.offset {
        return Diagnostic::error(format!("`{}` cannot follow a number", stop.found))
            .help("write numbers without a unit")
            .fix("Remove the unit", stop.source, stop.span(), "");
    }
    if let Some(open) = open_before_statements(stop) {
        let (sign, source) = (if open == "(" { ")" } else { "]" }, stop.source);
        return Diagnostic::error(format!("`{sign}` is missing before this `;`")).fix(
            format!("Insert `{sign}`"),
            source,
            end..end,
            sign,
        );
    }
    let begins_value = |c: char| c.is_alphanumeric() || matches!(c, '"' | '_' | '`' | '#');
    if !stop.found.starts_with(begins_value) {
        return missing;
    }
    let missing = missing.fix("Add `,`", stop.source, end..end, ",");
    if !stop.begins_line() {
        return missing;
    }
    let mut missing = missing.at(stop.source, stop.token_before());
    missing.message = "expected `,` after this".to_owned();
    missing
}

/// Returns the bracket that is open at a `;`, if other statements are between that and where it is closed.
fn open_before_statements<'s>(stop: &Stop<'s>) -> Option<&'s str> {
    let text = stop.source.text.as_str();
    let open = *brackets::around(text, stop.offset, Language::Rhai).last()?;
    let pairs = brackets::pairs(text, Language::Rhai)?;
    let end = pairs.iter().find(|pair| pair.start == open)?.end;
    let sign = &text[open..=open];
    let has_statements = stop.found == ";" && text[stop.span().end..end].contains([';', '{']);
    (has_statements && matches!(sign, "(" | "[")).then_some(sign)
}

/// Purposes of a missing sign as Rhai tells them, with `NAME` for a name, and in plain words.
const PURPOSES: &[(&str, &str)] = &[
    ("to terminate this statement", "at the end of the statement"),
    ("to start a statement block", "before the block"),
    ("to terminate this block", "at the end of the block"),
    ("to end this object map literal", "to close the map"),
    ("to end this array literal", "to close the array"),
    ("to end this switch block", "to close the cases of `switch`"),
    ("to start a switch block", "before the cases of `switch`"),
    ("in this switch case", "in this case of `switch`"),
    ("to separate the items in this switch block", "between the cases of `switch`"),
    ("to separate the items of this array literal", "between the elements of the array"),
    ("to separate the items of this object map literal", "between the elements of the map"),
    ("to follow the property NAME in this object map literal", "after the key NAME"),
    ("to separate the arguments to function call NAME", "between the arguments of NAME"),
    ("to close the arguments list of this function call NAME", "after the arguments of NAME"),
    ("to start arguments list of function call", "before the arguments"),
    ("to separate the parameters of function NAME", "between the parameters of NAME"),
    ("to separate the parameters of anonymous function", "between the parameters"),
    ("to close the parameters list of function NAME", "after the parameters of NAME"),
    ("to close the parameters list of anonymous function or closure", "after the parameters"),
    ("after the iteration variable", "after the variable of the loop"),
    ("after the iteration variable name", "after the variable of the loop"),
    ("to close the iteration variable", "after the variables of the loop"),
    ("to enclose the catch variable", "around the variable of `catch`"),
];

/// Returns the purpose of a missing sign in plain words, from that of Rhai's message: "to close the `(`".
fn purpose(why: &str) -> String {
    if let Some(opening) = why.strip_prefix("for a matching ").and_then(|of| of.chars().next()) {
        return format!("to close the `{opening}`");
    }
    let mut parts = why.split('\'');
    let (start, name, end) = (parts.next(), parts.next(), parts.next());
    let general = match (start, end) {
        (Some(start), Some(end)) => format!("{start}NAME{end}"),
        _ => why.to_owned(),
    };
    match PURPOSES.iter().find(|(rhai, _)| *rhai == general) {
        Some((_, plain)) => plain.replace("NAME", &format!("`{}`", name.unwrap_or_default())),
        None => lowercase(why),
    }
}

#[cfg(test)]
mod tests {
    use super::purpose;

    #[test]
    fn purposes_are_told_in_plain_words() {
        for (rhai, plain) in [
            ("for a matching ( in this expression", "to close the `(`"),
            ("to separate the arguments to function call 'go'", "between the arguments of `go`"),
            ("to follow the property 'a' in this object map literal", "after the key `a`"),
            ("for the 'try' statement", "for the 'try' statement"),
        ] {
            assert_eq!(purpose(rhai), plain);
        }
    }
}
