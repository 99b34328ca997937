//! Fields of other tools that are other fields here, with other values: corners of a box, `closed: true` of a path, a width and a height. And
//! points without brackets.

use std::sync::Arc;

use ron::error::Error;

use super::advice::meant_field;
use super::edit_text::{self, TextEdits};
use super::shape;
use super::to_ron::number;
use crate::diag::{Diagnostic, Fix, Remedy, Source, nearest};
use crate::schema::Shape;
use crate::tokens::ron_tree::{RonKind, RonNode, RonTree};

/// Adds to the error of an unknown field, whose name is at a byte offset, the fields that are meant, and the fix that writes them.
pub(super) fn with_own_fields(
    error: Diagnostic,
    kind: &Error,
    source: &Arc<Source>,
    at: usize,
) -> Diagnostic {
    let Error::NoSuchStructField { expected, found, outer } = kind else { return error };
    let tree = RonTree::new(&source.text);
    let field = tree.nodes().find(|node| node.key_word().is_some_and(|key| key.span.start == at));
    let Some((field, of)) = field.and_then(|field| Some((field, field.parent()?))) else {
        return error;
    };
    if outer.as_deref() == Some("Box") {
        return match box_by_corners(source, of) {
            Some((fields, fix)) => with_help(error, &format!("write `{fields}`"), fix),
            None => error,
        };
    }
    if let Some((size, fix)) = size_of_sides(source, of).filter(|_| expected.contains(&"size")) {
        return with_help(error, &format!("write `{size}`"), fix);
    }
    let meant = meant_field(found, field.text(), expected);
    let is_free = |meant: &&str| meant.split(':').next().is_some_and(|name| of.get(name).is_none());
    if let Some(meant) = meant.filter(is_free) {
        let fix = Fix::new(format!("Write `{meant}`"), source, field.entry_span(), meant);
        return with_help(error, &format!("did you mean `{meant}`?"), fix);
    }
    let near = nearest(found, expected.iter().copied()).and_then(|near| of.get(near));
    let removal = edit_text::removal(source, at, format!("Remove this `{found}`"));
    match near.zip(removal) {
        Some((known, removal)) => {
            let line = source.line_column(known.entry_span().start).0;
            let name = known.key().unwrap_or_default();
            with_help(error, &format!("`{name}` is written already, in line {line}"), removal)
        }
        None => error,
    }
}

/// Adds to the error of a second number, at a byte offset, the fix that writes both in brackets: `size: 80, 60`.
pub(super) fn with_brackets_of_point(
    error: Diagnostic,
    kind: &Error,
    source: &Arc<Source>,
    at: usize,
) -> Diagnostic {
    let tree = RonTree::new(&source.text);
    let second = tree.nodes().find(|node| node.span().start == at && node.key().is_none());
    let first = second.and_then(|second| {
        let before = second.parent()?.children().take_while(|child| child.span().start < at);
        let first = before.last().filter(|first| first.key().is_some())?;
        let is_point = matches!(shape().of_value(first)?, Shape::Value(words) if words.starts_with("two numbers"));
        let are_numbers = [first, second].iter().all(|one| one.kind() == RonKind::Number);
        (is_point && are_numbers).then_some((first, second))
    });
    let is_name_expected =
        matches!(kind, Error::ExpectedIdentifier | Error::SuggestRawIdentifier(_));
    let Some((first, second)) = first.filter(|_| is_name_expected) else { return error };
    let point = format!("({}, {})", first.text(), second.text());
    let span = first.span().start..second.span().end;
    let mut error = error.fix(format!("Write `{point}`"), source, span, &*point);
    error.help = vec![format!("write both numbers in brackets: `{point}`")];
    error
}

/// Returns the size that is written as a width and a height, and the fix that writes it.
fn size_of_sides(source: &Arc<Source>, written: RonNode<'_, '_>) -> Option<(String, Fix)> {
    let (width, height) = (written.get("width")?, written.get("height")?);
    let are_numbers = [width, height].iter().all(|side| side.kind() == RonKind::Number);
    let span = width.entry_span().start..height.entry_span().end;
    let between = source.text.get(width.entry_span().end..height.entry_span().start)?;
    let is_one = between.trim() == "," && written.get("size").is_none();
    let size = format!("size: ({}, {})", width.text(), height.text());
    let fix = Fix::new(format!("Write `{size}`"), source, span, &*size);
    (are_numbers && is_one).then_some((size, fix))
}

fn with_help(mut error: Diagnostic, help: &str, fix: Fix) -> Diagnostic {
    error.help.insert(0, help.to_owned());
    error.remedies.0.insert(0, Remedy::Change(fix));
    error
}

/// Returns the fields of a box that is written with its corners `min` and `max`, and the fix that writes them.
fn box_by_corners(source: &Arc<Source>, written: RonNode<'_, '_>) -> Option<(String, Fix)> {
    let (min, max) = (written.get("min")?, written.get("max")?);
    let ([left, bottom], [right, top]) = (point(min)?, point(max)?);
    let size = [(right - left).abs(), (top - bottom).abs()];
    if written.get("center").is_some() || written.get("size").is_some() || size.contains(&0.0) {
        return None;
    }
    let [x, y, width, height] =
        [(left + right) / 2.0, (bottom + top) / 2.0, size[0], size[1]].map(|x| number(x as f32));
    let (center, size) = (format!("center: ({x}, {y})"), format!("size: ({width}, {height})"));
    let mut edits = TextEdits::new(&source.text);
    edits.replace(min.entry_span(), &*center);
    edits.replace(max.entry_span(), &*size);
    let fix = edits.into_fix("Write it with `center` and `size`", source);
    Some((format!("{center}, {size}"), fix))
}

/// Returns the numbers of a point.
fn point(of: RonNode<'_, '_>) -> Option<[f64; 2]> {
    let numbers: Option<Vec<f64>> = of.children().map(|child| child.text().parse().ok()).collect();
    let is_finite = |point: &[f64; 2]| point.iter().all(|x| x.is_finite());
    numbers.filter(|_| of.kind() == RonKind::Tuple)?.try_into().ok().filter(is_finite)
}
