//! Fixes of values that are written as in other formats: in other brackets, without a list around them, or with another number.

use std::ops::Range;
use std::sync::Arc;

use ron::error::Error;

use super::edit_text::TextEdits;
use super::shape;
use crate::diag::{Diagnostic, Fix, Remedy, Source};
use crate::schema::Shape;
use crate::tokens::ron_tree::{RonKind, RonNode, RonTree};

/// Adds the fix of a value at the place of an error that has none.
pub(super) fn with_value(error: Diagnostic, kind: &Error, source: &Arc<Source>) -> Diagnostic {
    let Some(span) = error.place.as_ref().map(|place| place.span.clone()) else { return error };
    if !error.remedies.0.is_empty() {
        return error;
    }
    let found = source.text.get(span.clone()).unwrap_or_default();
    // A comment may begin with `/`, so the reader stops behind it.
    let is_slash = matches!(kind, Error::UnexpectedChar(_) | Error::ExpectedComma)
        && source.text[..span.start].trim_end().ends_with('/');
    let behind = source.text[..span.start].trim_end().len();
    let sign = if is_slash { behind - 1 } else { span.start };
    let is_sign = source.text[sign..].starts_with(['*', '/', '+', '-']);
    if is_sign && (is_slash || matches!(kind, Error::ExpectedComma)) {
        return calculated(error, source, sign..sign + 1);
    }
    let fix = simple(kind, &error.help, found, &source.text, &span)
        .map(|(part, new)| Fix::new(format!("Write `{new}`"), source, part, new));
    let tree = RonTree::new(&source.text);
    let is_here = |node: &RonNode<'_, '_>| {
        node.span().start == span.start || node.opening() == Some(span.start)
    };
    let (node, brackets) = (tree.nodes().find(is_here), tree.brackets_at(span.start));
    let fix = fix
        .or_else(|| in_brackets(kind, node?, source).or_else(|| around(kind, node?, source)))
        .or_else(|| with_names(kind, brackets?, source));
    if let Some(fix) = fix {
        return error.remedy(Remedy::Change(fix));
    }
    if let Some(fix) = without_brackets(kind, &tree, &span, source) {
        return error.at(source, fix.place.span.clone()).remedy(Remedy::Change(fix));
    }
    let mut points = [node, brackets].into_iter().flatten();
    match points.find_map(|node| point(kind, node, source)) {
        Some(fix) => {
            let mut error = error;
            error.help = vec![format!("write `{}`", fix.text)];
            error.remedy(Remedy::Change(fix))
        }
        None => error,
    }
}

/// Returns another number, word or sign in place of one, from the text alone.
fn simple(
    kind: &Error,
    help: &[String],
    found: &str,
    text: &str,
    span: &Range<usize>,
) -> Option<(Range<usize>, String)> {
    let quoted = |begin: &str| {
        let rest = help.iter().find_map(|help| help.strip_prefix(begin))?;
        Some(rest.split('`').next()?.to_owned())
    };
    match kind {
        Error::ExpectedIdentifier | Error::UnexpectedChar('#') if found == "#" => {
            let line = text[..span.start].rsplit('\n').next().unwrap_or_default();
            line.trim().is_empty().then(|| (span.clone(), "//".to_owned()))
        }
        Error::NoSuchEnumVariant { .. } | Error::ExpectedComma
            if path_end(text, span).is_some() =>
        {
            let variant = &text[path_end(text, span)?..];
            let before = text[..span.start].trim_end_matches(char::is_alphanumeric);
            let is_letter = |c: char| c.is_alphanumeric() || c == '_';
            let word = &variant[..variant.find(|c| !is_letter(c)).unwrap_or(variant.len())];
            let end = text.len() - variant.len() + word.len();
            Some((before.len()..end, word.to_owned()))
        }
        Error::ExpectedComma if help.iter().any(|help| help.contains("without a unit")) => {
            let before = text[..span.start].trim_end();
            let is_number = |c: char| c.is_ascii_digit() || c == '.';
            let number = &before[before.trim_end_matches(is_number).len()..];
            let new =
                if number.starts_with('.') { format!("0{number}") } else { number.to_owned() };
            (found.chars().all(char::is_alphabetic) && found.len() == 1)
                .then(|| (before.len() - number.len()..span.end, new))
        }
        Error::ExpectedIdentifier if found.starts_with('"') => {
            let name = quoted("write it without quotes: `")?;
            let is_word = name.chars().all(char::is_alphanumeric);
            is_word.then(|| (span.clone(), name))
        }
        Error::InvalidValueForType { expected, .. } if expected.contains("integer") => {
            let whole = found.split_once('.')?;
            let is_whole = whole.1.chars().all(|c| c == '0') && !whole.0.is_empty();
            is_whole.then(|| (span.clone(), whole.0.to_owned()))
        }
        Error::InvalidValueForType { expected, .. } if expected.contains("true") => {
            let word = found.to_lowercase();
            matches!(word.as_str(), "true" | "false").then(|| (span.clone(), word))
        }
        Error::ExpectedBoolean => {
            let word = found.to_lowercase();
            matches!(word.as_str(), "true" | "false").then(|| (span.clone(), word))
        }
        _ => {
            let number = quoted("did you mean `")?;
            let (whole, part) = number.split_once('.')?;
            let written = format!("{whole},{part}");
            let from = span.start.saturating_sub(written.len());
            let at = from + text.get(from..)?.find(&written)?;
            (at <= span.end).then(|| (at..at + written.len(), number))
        }
    }
}

/// Returns where `::` ends that is at a place, or right behind it.
pub(super) fn path_end(text: &str, at: &Range<usize>) -> Option<usize> {
    let is_at = text[at.start..].starts_with("::");
    let start = if is_at { at.start } else { at.end };
    text[start..].starts_with("::").then_some(start + 2)
}

/// Returns the error of a value that has to be calculated, with the result if that is one of two numbers.
fn calculated(mut error: Diagnostic, source: &Arc<Source>, sign: Range<usize>) -> Diagnostic {
    let is_number = |c: char| c.is_ascii_digit() || c == '.';
    let (before, after) = (source.text[..sign.start].trim_end(), &source.text[sign.start + 1..]);
    let head = before.trim_end_matches(is_number).len();
    let rest = after.trim_start();
    let second = &rest[..rest.find(|c| !is_number(c)).unwrap_or(rest.len())];
    if head == before.len() {
        return error;
    }
    error.message = "a scenario has no calculations: write the result".to_owned();
    error.help.clear();
    error.related.clear();
    let end = source.text.len() - rest.len() + second.len();
    let (Ok(a), Ok(b)) = (before[head..].parse::<f64>(), second.parse::<f64>()) else {
        return error.at(source, sign);
    };
    let result = match &source.text[sign.start..=sign.start] {
        "*" => a * b,
        "/" => a / b,
        "+" => a + b,
        _ => a - b,
    };
    let text = format!("{}", (result * 1e6).round() / 1e6);
    let is_end = source.text[end..].trim_start().starts_with([',', ')', ']', '}']);
    let error = error.at(source, head..end);
    if !result.is_finite() || !is_end {
        return error;
    }
    error.help(format!("write `{text}`")).fix(format!("Write `{text}`"), source, head..end, text)
}

/// Returns the fix of a value in the wrong brackets: fields in braces, or a map in round ones.
fn in_brackets(kind: &Error, node: RonNode<'_, '_>, source: &Arc<Source>) -> Option<Fix> {
    let (open, close) = (node.opening()?, node.closing()?);
    let expected = shape().of_value(node)?;
    let is_named = node.children().all(|child| child.key().is_some());
    let (brackets, is_quoted) = match (kind, expected) {
        (Error::ExpectedStructLike | Error::ExpectedNamedStructLike(_), Shape::Fields(_)) => {
            (["(", ")"], false)
        }
        (Error::ExpectedMap, Shape::Map(_)) => (["{", "}"], true),
        _ => return None,
    };
    if !is_named || node.name().is_some() {
        return None;
    }
    let mut edits = TextEdits::new(&source.text);
    edits.replace(open..open + 1, brackets[0]);
    edits.replace(close..close + 1, brackets[1]);
    for key in node.children().filter_map(|child| child.key_word()) {
        let name = key.text.trim_matches('"');
        let new = if is_quoted { format!("\"{name}\"") } else { name.to_owned() };
        edits.replace(key.span.clone(), new);
    }
    Some(edits.into_fix(format!("Write it in `{}` and `{}`", brackets[0], brackets[1]), source))
}

/// Returns the fix of a value that belongs into a list, or of a list that belongs into a variant.
fn around(kind: &Error, node: RonNode<'_, '_>, source: &Arc<Source>) -> Option<Fix> {
    let is_whole = node.opening().is_none() || node.closing().is_some();
    let several =
        node.parent().filter(|parent| parent.name().is_some() && parent.children().count() > 1);
    if let Some((open, close)) = several.and_then(|all| Some((all.opening()?, all.closing()?)))
        && matches!((kind, shape().of_value(node)?), (Error::ExpectedArray, Shape::List(_)))
    {
        let new = format!("[{}]", &source.text[open + 1..close]);
        return Some(Fix::new(format!("Write `{new}`"), source, open + 1..close, new));
    }
    let text = node.text();
    let new = match (kind, shape().of_value(node)?) {
        (Error::ExpectedArray, Shape::List(_))
            if node.kind() == RonKind::Tuple
                && node.children().any(|child| child.opening().is_some()) =>
        {
            let inner = text.strip_prefix('(')?.strip_suffix(')')?;
            format!("[{inner}]")
        }
        (Error::ExpectedArray, Shape::List(_)) => format!("[{text}]"),
        (Error::ExpectedIdentifier, of) if node.kind() == RonKind::List => {
            let mut variants = of.variants().iter();
            let points = variants.find(|one| one.name == "Points")?;
            matches!(points.shape, Some(Shape::List(_))).then(|| format!("Points({text})"))?
        }
        _ => return None,
    };
    let is_short = is_whole && !new.contains('\n') && new.len() < 80 && node.name() != Some("");
    is_short.then(|| Fix::new(format!("Write `{new}`"), source, node.span(), new))
}

/// Returns the fix of a point whose numbers have names.
fn point(kind: &Error, node: RonNode<'_, '_>, source: &Arc<Source>) -> Option<Fix> {
    const NAMES: [[&str; 2]; 2] = [["x", "y"], ["width", "height"]];
    let is_kind = matches!(
        kind,
        Error::ExpectedFloat | Error::ExpectedStructLike | Error::ExpectedNamedStructLike(_)
    );
    let keys: Vec<&str> = node.children().filter_map(|child| child.key()).collect();
    let is_point = NAMES.iter().any(|names| keys == *names)
        && node.children().all(|child| child.kind() == RonKind::Number);
    if !is_kind || !is_point || node.name().is_some() || node.closing().is_none() {
        return None;
    }
    let numbers: Vec<&str> = node.children().map(RonNode::text).collect();
    let new = format!("({})", numbers.join(", "));
    Some(Fix::new(format!("Write `{new}`"), source, node.span(), new))
}

/// Returns the fix of the values of a variant that need the names of its fields.
fn with_names(kind: &Error, node: RonNode<'_, '_>, source: &Arc<Source>) -> Option<Fix> {
    let Some(Shape::Fields(fields)) = shape().in_brackets(node) else { return None };
    let required: Vec<_> = fields.iter().filter(|field| field.is_required).collect();
    let values: Vec<_> = node.children().collect();
    let is_list = matches!(kind, Error::ExpectedIdentifier)
        && node.kind() == RonKind::Tuple
        && values.len() == required.len()
        && node.name().is_some();
    if !is_list {
        return None;
    }
    let named = required.iter().zip(&values);
    let named: Vec<String> =
        named.map(|(field, of)| format!("{}: {}", field.name, of.text())).collect();
    let (open, close) = (node.opening()?, node.closing()?);
    let new = named.join(", ");
    Some(Fix::new(format!("Write `{new}`"), source, open + 1..close, new))
}

/// Returns the fix of a variant without its brackets, if they can be empty.
fn without_brackets(
    kind: &Error,
    tree: &RonTree<'_>,
    span: &Range<usize>,
    source: &Arc<Source>,
) -> Option<Fix> {
    let is_bracket = matches!(kind, Error::ExpectedStructLike | Error::ExpectedNamedStructLike(_));
    let mut nodes = tree.nodes().filter(|_| is_bracket);
    let node = nodes.find(|node| node.span().end == span.end && node.opening().is_none())?;
    let mut variants = shape().of_value(node)?.variants().iter();
    let variant = variants.find(|variant| variant.name == node.text())?;
    let Some(Shape::Fields(fields)) = &variant.shape else { return None };
    let is_empty = fields.iter().all(|field| !field.is_required);
    let new = format!("{}()", variant.name);
    is_empty.then(|| Fix::new(format!("Write `{new}`"), source, node.span(), new))
}
