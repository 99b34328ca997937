//! Errors of words and signs that other languages and text programs have, and scripts do not.

use std::ops::Range;

use rhai::ParseErrorType;

use super::foreign_forms::logic_words;
use super::stop::{Stop, is_word, last_word};
use super::{scope, synonyms};
use crate::diag::Diagnostic;
use crate::tokens::{Language, code};

/// What is written instead of a word of another language.
enum Instead {
    /// Something that takes its place.
    Text(&'static str),
    /// Something else, as advice.
    Advice(&'static str),
}

/// Returns the error of a word of another language, if that is why the parser stopped: it reads the word as a name, and stops there or right
/// after it.
pub(super) fn foreign_word(kind: &ParseErrorType, stop: &Stop<'_>) -> Option<Diagnostic> {
    let expected = match kind {
        ParseErrorType::MissingToken(token, _) => token.as_str(),
        ParseErrorType::BadInput(rhai::LexError::UnexpectedInput(_))
        | ParseErrorType::ExprExpected(_) => "",
        _ => return None,
    };
    let before = last_word(stop.before);
    let start = stop.before.len() - before.len();
    if let Some(instead) = here(expected, stop) {
        return Some(no_word(stop.span(), &instead, stop));
    }
    if let Some(instead) = right_before(before, expected, stop) {
        return Some(no_word(start..start + before.len(), &instead, stop));
    }
    let candidates = [(stop.found, stop.offset), (before, start)];
    let (word, at) = candidates.into_iter().find(|(word, _)| is_foreign(word, stop))?;
    let instead = synonyms::instead_of_keyword(word)?;
    let is_negated = word == "not" && stop.after.trim_start().starts_with("in ");
    let instead = match instead {
        _ if is_negated => Instead::Advice("write `!(value in list)`"),
        text if text.contains(['.', ' ', '(']) && text != "else if" => {
            return Some(
                Diagnostic::error(format!("scripts have no `{word}`"))
                    .help(format!("write `{text}` instead of `{word}`"))
                    .at(stop.source, at..at + word.len()),
            );
        }
        "&&" | "||" | "!" => return logic_words(at, stop),
        text => Instead::Text(text),
    };
    Some(no_word(at..at + word.len(), &instead, stop))
}

/// Returns whether a word is a keyword of another language at a place: no variable has its name.
fn is_foreign(word: &str, stop: &Stop<'_>) -> bool {
    synonyms::instead_of_keyword(word).is_some()
        && !scope::variables(&stop.source.text, stop.offset).contains(&word)
}

/// Returns what to write instead of the word at which the parser stopped, where something else was expected.
fn here(expected: &str, stop: &Stop<'_>) -> Option<Instead> {
    Some(match (expected, stop.found) {
        ("{", "then" | "do") if is_closed_by_brace(stop) => Instead::Text("{"),
        ("{", "then") => {
            Instead::Advice("a block stands in braces: `if condition { ... } else { ... }`")
        }
        ("{", "do") => Instead::Advice("a block stands in braces: `while condition { ... }`"),
        (";" | ")" | ",", "x") if is_between_values(stop) => Instead::Text("*"),
        ("{", "is") => Instead::Text("=="),
        ("in", "of") => Instead::Text("in"),
        _ => return None,
    })
}

/// Returns whether no `end` closes a block behind the word at which the parser stopped, as in Lua: a brace does.
fn is_closed_by_brace(stop: &Stop<'_>) -> bool {
    code(stop.after, Language::Rhai).all(|token| &stop.after[token.span] != "end")
}

/// Returns whether values are before and behind the word at which the parser stopped, in the same line.
fn is_between_values(stop: &Stop<'_>) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let behind = stop.after.trim_start_matches(' ');
    !stop.begins_line()
        && stop.before.ends_with(|c: char| is_part(c) || matches!(c, ')' | ']'))
        && behind.starts_with(|c: char| is_part(c) || c == '(')
}

/// Types that other languages declare variables with.
const TYPES: &[&str] = &[
    "int", "float", "double", "number", "bool", "boolean", "string", "String", "Vector2", "Vec2",
    "vec2", "PVector",
];

/// Returns what to write instead of the word right before the place where the parser stopped.
fn right_before(word: &str, expected: &str, stop: &Stop<'_>) -> Option<Instead> {
    let line = stop.line_before().trim_start();
    let is_first = line == word && !stop.begins_line();
    if expected != ";" || !is_word(stop.found) {
        return None;
    }
    Some(match word {
        "mut" if line == "let mut" => Instead::Text(""),
        "lambda" => Instead::Advice("a function without a name is written `|x| x * 2`"),
        "class" | "struct" if is_first => {
            Instead::Advice("a script has functions only: `fn steer(me) { ... }`")
        }
        "from" if is_first => Instead::Advice("write `import \"script\" as name;`"),
        _ if is_first && TYPES.contains(&word) => Instead::Text("let"),
        _ => return None,
    })
}

/// Returns the error of a word of another language at a place.
fn no_word(place: Range<usize>, instead: &Instead, stop: &Stop<'_>) -> Diagnostic {
    let text = &stop.source.text;
    let word = &text[place.clone()];
    let unknown = Diagnostic::error(format!("scripts have no `{word}`"));
    let spaces = text[place.end..].len() - text[place.end..].trim_start_matches(' ').len();
    let unknown = match instead {
        Instead::Text("") => unknown.help("leave it out").fix(
            format!("Remove `{word}`"),
            stop.source,
            place.start..place.end + spaces,
            "",
        ),
        Instead::Text(text) => unknown.help(format!("write `{text}` instead of `{word}`")).fix(
            format!("Write `{text}`"),
            stop.source,
            place.clone(),
            *text,
        ),
        Instead::Advice(advice) => unknown.help(*advice),
    };
    unknown.at(stop.source, place)
}

/// Signs of text programs and of mathematics, and what scripts have instead.
const SIGNS: &[(char, &str)] = &[
    ('−', "-"),
    ('–', "-"),
    ('—', "-"),
    ('×', "*"),
    ('·', "*"),
    ('÷', "/"),
    ('≤', "<="),
    ('≥', ">="),
    ('≠', "!="),
    ('…', ".."),
    ('²', "**2"),
    ('³', "**3"),
    ('π', "PI"),
    ('°', "* PI / 180"),
    ('，', ","),
    ('；', ";"),
    ('：', ":"),
    ('（', "("),
    ('）', ")"),
];
const QUOTES: &[char] = &['“', '”', '„', '‟', '«', '»', '‘', '’', '‚'];

/// Returns the error of a sign that is not ASCII, in code.
pub(super) fn unusual_sign(stop: &Stop<'_>) -> Diagnostic {
    let text = stop.source.text.as_str();
    let Some(sign) = text[stop.offset..].chars().next() else {
        return Diagnostic::error("the script ends unexpectedly");
    };
    let span = stop.offset..stop.offset + sign.len_utf8();
    if QUOTES.contains(&sign) {
        return wrong_quote(sign, span, stop);
    }
    if let Some((_, instead)) = SIGNS.iter().find(|(other, _)| *other == sign) {
        return stop.no_sign("sign", span, instead);
    }
    if sign.is_whitespace() || sign.is_control() || !sign.is_alphanumeric() && is_invisible(sign) {
        return Diagnostic::error(format!(
            "this is not an ordinary space, but U+{:04X}",
            u32::from(sign)
        ))
        .help("write an ordinary space instead")
        .fix("Write an ordinary space", stop.source, span.clone(), " ")
        .at(stop.source, span);
    }
    if sign.is_alphabetic() {
        let part = |c: char| c.is_alphanumeric() || c == '_';
        let start = text[..stop.offset].trim_end_matches(part).len();
        let end = stop.offset
            + text[stop.offset..].find(|c| !part(c)).unwrap_or(text.len() - stop.offset);
        return Diagnostic::error(format!("`{}` cannot be used as a name", &text[start..end]))
            .help(format!("names have the letters a to z, digits and `_`, but no `{sign}`"))
            .at(stop.source, start..end);
    }
    Diagnostic::error(format!("scripts have no sign `{sign}`")).at(stop.source, span)
}

/// Returns whether a sign has no width.
fn is_invisible(sign: char) -> bool {
    matches!(sign, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}')
}

/// Returns the error of a curved quote, with a fix for the whole string.
fn wrong_quote(sign: char, span: Range<usize>, stop: &Stop<'_>) -> Diagnostic {
    let wrong = Diagnostic::error(format!("`{sign}` does not begin a string"));
    let inside = stop.source.text[span.end..].lines().next().unwrap_or_default();
    let Some((string, rest)) = inside.split_once(QUOTES) else {
        return wrong.help("write a straight quote: `\"`").at(stop.source, span);
    };
    let end = span.end + inside.len() - rest.len();
    let right = format!("\"{string}\"");
    wrong
        .help(format!("write straight quotes: `{right}`"))
        .fix("Write straight quotes", stop.source, span.start..end, right)
        .at(stop.source, span.start..end)
}
