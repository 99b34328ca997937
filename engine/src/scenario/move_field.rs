//! Moves a field that is written in the wrong brackets to where it belongs.

use std::sync::Arc;

use super::advice_by_shape::{MisplacedField, ONLY_ENTRY};
use super::edit_text::{TextEdits, removal};
use super::shape;
use crate::diag::{Diagnostic, Fix, Remedy, Source};
use crate::schema::Shape;
use crate::tokens::ron_tree::{RonKind, RonNode, RonTree};

/// Adds to the error of a field, whose name is at a byte offset, where it belongs, and the fix that moves it there; or why it cannot be moved.
pub(super) fn with_move(
    mut error: Diagnostic,
    source: &Arc<Source>,
    at: usize,
    misplaced: MisplacedField,
) -> Diagnostic {
    let advice = misplaced.advice;
    let tree = RonTree::new(&source.text);
    let field = tree.nodes().find(|node| node.key_word().is_some_and(|key| key.span.start == at));
    let target = misplaced.target.and_then(|(opening, keys)| {
        let from = tree.nodes().find(|node| node.opening() == Some(opening))?;
        keys.into_iter().try_fold(from, |node, key| match key {
            ONLY_ENTRY => only_child(node),
            key => node.get(key),
        })
    });
    let is_there = |field: &RonNode<'_, '_>, target: &RonNode<'_, '_>| {
        is_whole(*field) && is_whole(*target) && target.kind() == RonKind::Struct
    };
    let both = field.zip(target).filter(|(field, target)| is_there(field, target));
    let Some((field, target, name)) =
        both.and_then(|(field, target)| Some((field, target, field.key()?)))
    else {
        error.help.insert(0, advice);
        return error;
    };
    let place = target.key().map_or("the scenario".to_owned(), |key| format!("`{key}`"));
    if target.get(name).is_some() {
        error.help.insert(0, format!("{place} has `{name}` already: leave out this one"));
        let removal = removal(source, at, format!("Remove this `{name}`"));
        error.remedies.0.extend(removal.map(Remedy::Change));
        return error;
    }
    error.help.insert(0, advice);
    let fix = move_into(source, field, target, format!("Move `{name}` into {place}"));
    error.remedy(Remedy::Change(fix))
}

/// Adds to the error of a field that is missing before a byte offset that it is in the brackets of a field beside it, where nobody reads it.
pub(super) fn with_move_out(
    mut error: Diagnostic,
    source: &Arc<Source>,
    at: usize,
    name: &str,
) -> Diagnostic {
    let tree = RonTree::new(&source.text);
    let Some(target) = tree.brackets_at(at).filter(|target| is_whole(*target)) else {
        return error;
    };
    let is_unknown = |of: &RonNode<'_, '_>| {
        let Some(Shape::Fields(known)) = shape().in_brackets(*of) else { return false };
        known.iter().all(|field| field.name != name)
    };
    let around =
        target.children().filter(is_unknown).find_map(|of| Some((of.key()?, of.get(name)?)));
    let Some((key, field)) = around.filter(|(_, field)| is_whole(*field)) else { return error };
    let fix = move_into(source, field, target, format!("Move `{name}` out of `{key}`"));
    error.help.push(format!("write `{name}` beside `{key}`, not in it"));
    error.remedy(Remedy::Change(fix))
}

fn move_into(
    source: &Arc<Source>,
    field: RonNode<'_, '_>,
    target: RonNode<'_, '_>,
    title: String,
) -> Fix {
    let mut edits = TextEdits::new(&source.text);
    edits.remove(field);
    edits.append_items(target, &[source.text[field.entry_span()].to_owned()]);
    edits.into_fix(title, source)
}

fn only_child<'a, 't>(of: RonNode<'a, 't>) -> Option<RonNode<'a, 't>> {
    let mut children = of.children();
    children.next().filter(|_| children.next().is_none())
}

/// Returns whether a value is there, with its closing bracket if it has brackets.
fn is_whole(value: RonNode<'_, '_>) -> bool {
    let is_open = value.opening().is_some() && value.closing().is_none();
    value.kind() != RonKind::Missing && !is_open
}
