//! Turns errors of the RON reader into our messages, at the right place.

use std::ops::Range;
use std::sync::Arc;

use ron::error::{Error, Position, SpannedError};

use super::missing_field::with_insertion;
use super::move_field::{with_move, with_move_out};
use super::other_fields::{with_brackets_of_point, with_own_fields};
use super::quotes::with_quotes;
use super::signs::{with_signs, without_repeated};
use super::value_fixes::{path_end, with_value};
use super::{advice, advice_by_shape, edit_text, shape};
use crate::diag::{Code, Diagnostic, Place, Remedy, Source, decimal_points};
use crate::schema::Shape;
use crate::tokens::ron_tree::{RonKind, RonNode, RonTree};
use crate::tokens::{CodeTokens, Language, TokenKind, code, trim_code_end};

/// Converts an error from reading a part of a file into a diagnostic in the file.
pub(super) fn diagnostic(
    error: &SpannedError,
    source: &Arc<Source>,
    part: Range<usize>,
) -> Diagnostic {
    let text = source.text.get(part.clone()).unwrap_or_default();
    if code(text, Language::Ron).next().is_none() {
        return Diagnostic::error("the file is empty")
            .code(Code::Syntax)
            .at(source, part.start..part.start)
            .help(
                "the shortest scenario is `(world: (size: (800, 600)), groups: { \"a\": \
                 (behavior: \"name\", spawn: Points([(x, y)])) })`",
            );
    }
    let span = span(text, error);
    let found = text.get(span.clone()).unwrap_or_default();
    if let Some(field) = missing_value(text, &span) {
        let name = text[field.clone()].trim_end_matches(':').trim_end();
        return Diagnostic::error(format!("a value is missing after `{name}:`"))
            .code(Code::Syntax)
            .at(source, part.start + field.start..part.start + field.end);
    }
    let described = describe(&error.code, found);
    let code = match (&error.code, described.code) {
        (Error::InvalidValueForType { .. }, Code::Invalid) => Code::WrongType,
        (Error::Message(_), code) => code,
        (_, Code::Invalid) => Code::Syntax,
        (_, code) => code,
    };
    let whole = part.start + span.start..part.start + span.end;
    let more_help = advice::advice(&error.code, &source.text, whole.clone());
    let misplaced = advice_by_shape::on_field(&error.code, &source.text, &whole);
    let place_of_entry = advice_by_shape::on_entry(&error.code, &source.text, &whole);
    let at = whole.start;
    let mut described = described.code(code).at(source, whole);
    if let Some(place) = place_of_entry {
        described.message = format!("expected the name of a field, found {found}");
        described.help.push(place);
        return with_brackets_of_point(described, &error.code, source, at);
    }
    if let Error::DuplicateStructField { field, .. } = &error.code {
        let removal = edit_text::removal(source, at, format!("Remove this `{field}`"));
        described.remedies.0.extend(removal.map(Remedy::Change));
        if let Some(first) = first_entry(source, at, field) {
            described = described.label("the second one").related(first, "the first one");
        }
    }
    if let Some(misplaced) = misplaced {
        described = with_move(described, source, at, misplaced);
    }
    described = without_repeated(with_own_fields(described, &error.code, source, at), source, at);
    if let Error::MissingStructField { field, .. } = &error.code {
        described = with_move_out(described, source, at, field);
        if described.remedies.0.is_empty() {
            described = with_insertion(described, source, at, field);
        }
    }
    described.help.extend(more_help);
    described = with_quotes(described, &error.code);
    described = with_signs(described, &error.code, source);
    described = with_value(described, &error.code, source);
    described = with_brackets_of_point(described, &error.code, source, at);
    if let Some((span, points)) = points_of_numbers(&source.text, at) {
        described.help = vec![format!("write each point in brackets: `{points}`")];
        described = described.fix(format!("Write `{points}`"), source, span, points);
    }
    if matches!(error.code, Error::ExpectedStructLikeEnd)
        && let Some((what, more)) = more_than_a_point(&source.text, at)
    {
        described.message = format!("a {what} has two numbers");
        let title = format!("Remove `{}`", &source.text[more.clone()]);
        described = described.fix(title, source, more, "");
    }
    if matches!(error.code, Error::ExpectedComma)
        && advice::is_empty_string_behind(&source.text[..at], found)
    {
        described = described.fix("Remove `\"\"`", source, at..at + found.len(), "");
    }
    let before = source.text[..at].trim_end();
    if path_end(&source.text, &(at..at + found.len())).is_some() && described.remedies.0.len() == 1
    {
        described.message = "the name of a value has no `::`".to_owned();
        described.place = described.fixes().into_iter().next().map(|fix| fix.place);
        described.help = vec!["write only what is behind it".to_owned()];
    } else if matches!(error.code, Error::ExpectedComma) && found == ":" {
        let head = before.trim_end_matches(|c: char| c.is_alphanumeric() || c == '_');
        let name = &before[head.len()..];
        let what = match head.trim_end().ends_with(',') {
            true => format!("a closing bracket may be missing before `{name}`"),
            false => "write only the values".to_owned(),
        };
        described.help.push(format!("the values in these brackets have no names: {what}"));
    }
    let is_comma = matches!(error.code, Error::ExpectedComma)
        && described.help.is_empty()
        && described.message.starts_with("expected");
    // A closing bracket is rather a wrong one.
    if is_comma && !found.starts_with([')', ']', '}']) {
        return missing_sign(described, source, at, ",");
    }
    let is_behind_key = before.ends_with('"');
    let is_value = |c: char| {
        c.is_alphanumeric()
            || matches!(c, '"' | '-')
            || is_behind_key && matches!(c, '(' | '[' | '{')
    };
    if matches!(error.code, Error::ExpectedMapColon) && found.starts_with(is_value) {
        return missing_sign(described, source, at, ":");
    }
    described
}

/// Returns the bytes of the list of points around a byte offset, and how it is written with brackets around each point, if it has two numbers
/// for each instead.
fn points_of_numbers(text: &str, at: usize) -> Option<(Range<usize>, String)> {
    let tree = RonTree::new(text);
    let list = tree.brackets_at(at).filter(|list| list.kind() == RonKind::List)?;
    let Shape::List(of) = shape().in_brackets(list)? else { return None };
    let is_point = matches!(&**of, Shape::Value(words) if words.starts_with("two numbers"));
    let numbers: Vec<RonNode<'_, '_>> = list.children().collect();
    let is_number = |node: &RonNode<'_, '_>| node.kind() == RonKind::Number;
    let is_whole = is_point && list.closing().is_some() && numbers.len().is_multiple_of(2);
    if !is_whole || numbers.is_empty() || !numbers.iter().all(is_number) {
        return None;
    }
    let points = numbers.chunks(2).map(|of| format!("({}, {})", of[0].text(), of[1].text()));
    Some((list.span(), format!("[{}]", points.collect::<Vec<_>>().join(", "))))
}

/// Returns what the point or the size around a byte offset is called, and the bytes behind its second number, if it has more numbers.
fn more_than_a_point(text: &str, at: usize) -> Option<(&'static str, Range<usize>)> {
    let tree = RonTree::new(text);
    let brackets = tree.brackets_at(at).filter(|brackets| brackets.kind() == RonKind::Tuple)?;
    let Shape::Value(words) = shape().of_value(brackets)? else { return None };
    let numbers: Vec<RonNode<'_, '_>> = brackets.children().collect();
    let are_numbers = numbers.iter().all(|node| node.kind() == RonKind::Number);
    let (second, last) = (numbers.get(1)?, numbers.get(2..)?.last()?);
    let is_point = words.starts_with("two numbers") && are_numbers;
    let what = if brackets.key() == Some("size") { "size" } else { "point" };
    is_point.then(|| (what, second.span().end..last.span().end))
}

/// Returns where a field is written first in the brackets around a byte offset, before it.
fn first_entry(source: &Arc<Source>, at: usize, field: &str) -> Option<Place> {
    let tree = RonTree::new(&source.text);
    let mut keys = tree.brackets_at(at)?.children().filter_map(|entry| entry.key_word());
    let first = keys.find(|key| key.text == field && key.span.end <= at)?;
    Some(Place { source: Arc::clone(source), span: first.span })
}

/// Returns the name and the colon of a field without a value, if that is why the next field, or the end of the brackets, is not what was
/// expected.
fn missing_value(text: &str, error: &Range<usize>) -> Option<Range<usize>> {
    let code = CodeTokens::new(text, Language::Ron);
    let sign = |index| code.get(index);
    let is_name =
        |index: usize| code.all.get(index).is_some_and(|token| token.kind != TokenKind::Sign);
    let at = code.all.partition_point(|token| token.span.end <= error.start);
    // The reader may have passed the name of the next field, which could be a value.
    let next = if sign(at) == ":" { at.checked_sub(1)? } else { at };
    let colon = next.checked_sub(1).filter(|&colon| sign(colon) == ":")?;
    let name = colon.checked_sub(1).filter(|&name| is_name(name))?;
    // `Edge::Wrap` is a name in another language.
    let is_field = is_name(next) && sign(next + 1) == ":" && sign(next + 2) != ":";
    let is_end = matches!(sign(next), ")" | "}" | ",");
    (is_field || is_end).then(|| code.all[name].span.start..code.all[colon].span.end)
}

/// Moves the error of a sign that is expected before the value at a byte offset to the end of what is before, where it belongs.
fn missing_sign(mut error: Diagnostic, source: &Arc<Source>, at: usize, sign: &str) -> Diagnostic {
    let before = trim_code_end(&source.text[..at], Language::Ron);
    let Some((last, _)) = before.char_indices().next_back() else { return error };
    let end = before.len();
    error.message.push_str(" after this");
    let next = error.place.replace(Place { source: Arc::clone(source), span: last..end });
    let error = error.fix(format!("Add `{sign}`"), source, end..end, sign);
    match next {
        Some(next) => error.related(next, "before this"),
        None => error,
    }
}

/// The message of a string where a name is expected.
pub(super) const QUOTED_NAME: &str = "expected a name without quotes";

/// Returns only the message of an error from reading a text.
pub(super) fn message(error: &SpannedError, text: &str) -> String {
    let found = text.get(span(text, error)).unwrap_or_default();
    describe(&error.code, found).message
}

/// Returns the name of a variant and how many values it has, from serde's words, which name its type in Rust too.
fn values_of_variant(expected: &str) -> Option<(&str, &str)> {
    let (_, variant) = expected.strip_prefix("tuple variant ")?.split_once("::")?;
    let (name, count) = variant.split_once(" with ")?;
    Some((name, count.split(' ').next()?))
}

/// Returns the message of an error. `found` is the text at its place.
fn describe(error: &Error, found: &str) -> Diagnostic {
    let plain = |message: &str| Diagnostic::error(message);
    match error {
        Error::NoSuchStructField { expected, found, outer } => with_proposal(
            Diagnostic::error(format!("unknown field `{found}`{}", in_struct(outer))),
            found,
            expected,
        ),
        Error::NoSuchEnumVariant { expected, found, outer } => {
            let what = outer.as_deref().unwrap_or("name");
            let unknown = Diagnostic::error(format!("unknown {what} `{found}`"));
            with_proposal(unknown, found, expected)
        }
        Error::MissingStructField { field, outer } => {
            Diagnostic::error(format!("missing field `{field}`{}", in_struct(outer)))
                .label(format!("add `{field}` before this"))
        }
        Error::DuplicateStructField { field, outer } => {
            Diagnostic::error(format!("field `{field}` is written twice{}", in_struct(outer)))
        }
        Error::InvalidValueForType { expected, found: kind } => {
            let is_short = found.len() <= 40 && !found.contains('\n');
            let is_one_value = found.starts_with(|c: char| {
                c.is_alphanumeric() || ['-', '+', '.', '"', '\''].contains(&c)
            });
            if is_short && is_one_value {
                Diagnostic::error(format!("expected {expected}, found `{found}`"))
            } else {
                Diagnostic::error(format!("expected {expected}, found {kind}"))
            }
        }
        Error::ExpectedDifferentLength { expected, found } => {
            Diagnostic::error(match values_of_variant(expected) {
                Some((name, count)) => {
                    format!("`{name}` needs {count} values in its brackets, found {found}")
                }
                None => format!("expected {expected}, found {found}"),
            })
        }
        Error::ExpectedDifferentStructName { expected, found } => {
            let wrong = Diagnostic::error(format!("expected `(`, found `{found}`"));
            match found.as_str() {
                "fn" | "let" | "const" | "import" => {
                    wrong.help("this looks like a script: the names of scripts end in `.rhai`")
                }
                _ => wrong.help(format!(
                    "fields stand in round brackets, without a name or behind `{expected}`"
                )),
            }
        }
        Error::NoSuchExtension(name) => Diagnostic::error(format!("no RON extension `{name}`")),
        Error::SuggestRawIdentifier(name) => {
            Diagnostic::error(format!("expected the name of a field, found `{name}`"))
        }
        Error::Message(message) => plain(message),
        Error::Eof => {
            plain("unexpected end of the file").help("a bracket or a string is not closed")
        }
        Error::ExpectedArray => plain("expected a list `[..]`"),
        Error::ExpectedArrayEnd => plain("expected `]`"),
        Error::ExpectedBoolean => plain("expected true or false"),
        Error::ExpectedComma if found == "{" => plain("expected `(`, found `{`")
            .help("write fields in round brackets; `{ }` is for maps, whose keys are strings"),
        Error::ExpectedComma if found == "=" => plain("expected `:` and a value"),
        Error::ExpectedComma => plain("expected `,` or a closing bracket"),
        Error::ExpectedFloat => decimal_points(found).unwrap_or_else(|| plain("expected a number")),
        Error::ExpectedInteger => plain("expected an integer"),
        Error::IntegerOutOfBounds => plain("the number is out of range"),
        Error::ExpectedMap => plain("expected a map `{ \"name\": .. }`"),
        Error::ExpectedMapColon => plain("expected `:` and a value"),
        Error::ExpectedMapEnd => plain("expected `}`"),
        Error::ExpectedStructLike | Error::ExpectedNamedStructLike(_) => plain("expected `(`"),
        Error::ExpectedStructLikeEnd | Error::ExpectedOptionEnd => plain("expected `)`"),
        Error::ExpectedString => plain("expected a string"),
        Error::ExpectedStringEnd => plain("the string does not end").help("close it with `\"`"),
        Error::ExpectedIdentifier if found.starts_with('"') => plain(QUOTED_NAME),
        Error::ExpectedIdentifier => Diagnostic::error(format!("expected a name, found `{found}`")),
        Error::ExpectedChar => plain("expected a string in double quotes"),
        Error::UnexpectedChar(c) => unexpected(*c),
        Error::UnclosedBlockComment => plain("the comment does not end").help("close it with `*/`"),
        Error::TrailingCharacters => plain("unexpected text after the end of the value"),
        Error::ExpectedRawValue => plain("expected a value"),
        Error::ExceededRecursionLimit => plain("nested too deeply"),
        Error::ExpectedAttribute | Error::ExpectedAttributeEnd => {
            plain("expected an attribute like `#![enable(implicit_some)]`")
        }
        other => Diagnostic::error(lowercase(&other.to_string())),
    }
}

/// Returns the error of a sign that no value begins with.
fn unexpected(sign: char) -> Diagnostic {
    match sign {
        '“' | '”' | '„' | '«' | '»' | '‘' | '’' => {
            Diagnostic::error(format!("`{sign}` does not begin a string"))
                .help("write straight quotes: `\"name\"`")
        }
        ',' | ';' => Diagnostic::error(format!("a value is missing before this `{sign}`")),
        '#' => Diagnostic::error("`#` cannot stand here")
            .help("a color is a string: `\"#e69f00\"`; a comment begins with `//`"),
        _ => Diagnostic::error(format!("`{sign}` cannot stand here")),
    }
}

/// Adds the name that is probably meant, or the expected names.
fn with_proposal(unknown: Diagnostic, found: &str, expected: &[&'static str]) -> Diagnostic {
    match advice::meant_name(found, expected) {
        Some(meant) => unknown.code(Code::UnknownName).meant(found, meant),
        None => unknown.suggest(found, expected.iter().copied()),
    }
}

fn in_struct(outer: &Option<String>) -> String {
    match outer {
        Some(name) => format!(" in `{name}`"),
        None => String::new(),
    }
}

fn lowercase(message: &str) -> String {
    let mut chars = message.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}

/// Returns the bytes that an error is about. RON says where its reader was before and after its last step. Depending on
/// the kind of error, the mistake is in what that step read, or in what comes next.
fn span(text: &str, error: &SpannedError) -> Range<usize> {
    let start = offset(text, error.span.start);
    let end = offset(text, error.span.end).max(start);
    let is_last_value = matches!(
        error.code,
        Error::InvalidValueForType { .. }
            | Error::NoSuchStructField { .. }
            | Error::NoSuchEnumVariant { .. }
            | Error::DuplicateStructField { .. }
            | Error::ExpectedDifferentStructName { .. }
            | Error::NoSuchExtension(_)
            | Error::IntegerOutOfBounds
            | Error::ExpectedStringEnd
            | Error::UnclosedBlockComment
            | Error::InvalidEscape(_)
            | Error::Message(_)
    );
    if is_last_value {
        let is_complete =
            matches!(error.code, Error::InvalidValueForType { .. } | Error::Message(_));
        last_value(text, start..end, is_complete)
    } else {
        let skipped = text[end..].len() - text[end..].trim_start().len();
        let at = end + skipped;
        // The reader has already passed a letter or a quote with which another value could begin.
        let at = match error.code {
            Error::ExpectedString | Error::ExpectedChar if skipped == 0 => {
                let head = text[..at].trim_end_matches(is_word);
                head.strip_suffix('\'').unwrap_or(head).len()
            }
            _ => at,
        };
        token(text, at)
    }
}

/// Returns the bytes of the value that was read last. `step` is where RON's reader was before and after its last step.
/// `is_complete` says whether a string among them has its closing quote.
fn last_value(text: &str, step: Range<usize>, is_complete: bool) -> Range<usize> {
    let end = text[..step.end].trim_end().len();
    let start = step.end - text[step.clone()].trim_start().len();
    if start >= end {
        // The last step read only the whitespace after the value.
        let word = text[..end].trim_end_matches(is_word);
        let start = if word.len() < end {
            word.len()
        } else {
            text[..end].char_indices().next_back().map_or(0, |(i, _)| i)
        };
        return start..end;
    }
    // RON reads signs, quotes and the parts between escapes in separate steps.
    let (before, found) = (&text[..start], &text[start..end]);
    let is_number = found.starts_with(|c: char| c.is_ascii_digit() || c == '.');
    let with_sign = is_number && before.ends_with(['-', '+']);
    let start = start - usize::from(with_sign);
    let quote =
        if is_complete && found.ends_with('"') { opening_quote(&text[..end - 1]) } else { None };
    quote.unwrap_or(start).min(start)..end
}

/// Returns where the string begins whose closing quote comes after a text.
fn opening_quote(text: &str) -> Option<usize> {
    let backslashes = |at: usize| text[..at].len() - text[..at].trim_end_matches('\\').len();
    text.rmatch_indices('"').map(|(at, _)| at).find(|&at| backslashes(at) % 2 == 0)
}

/// Returns the word, number, string or sign at an offset, or the last character if the offset is at the end.
fn token(text: &str, start: usize) -> Range<usize> {
    let rest = &text[start..];
    let Some(first) = rest.chars().next() else {
        let end = text.trim_end().len();
        let start = text[..end].char_indices().next_back().map_or(0, |(i, _)| i);
        return start..end;
    };
    let len = if first == '"' || first == '\'' {
        let line = rest.lines().next().unwrap_or_default();
        line[1..].find(first).map_or(1, |i| i + 2)
    } else {
        let sign = usize::from(rest.starts_with(['-', '+']));
        let end = rest[sign..].find(|c| !is_word(c));
        end.map_or(rest.len(), |end| sign + end)
    };
    start..start + len.max(first.len_utf8())
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '.'
}

/// Returns the byte offset of a line and column, both counted from 1.
fn offset(text: &str, at: Position) -> usize {
    let line: usize =
        text.split_inclusive('\n').take(at.line.saturating_sub(1)).map(str::len).sum();
    text[line..].char_indices().nth(at.col.saturating_sub(1)).map_or(text.len(), |(i, _)| line + i)
}
