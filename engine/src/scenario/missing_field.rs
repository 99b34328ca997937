//! The fix of a field that is missing: it is added with a value to begin with.

use std::sync::Arc;

use super::edit_text::TextEdits;
use super::shape;
use crate::diag::{Diagnostic, Remedy, Source};
use crate::schema::Shape;
use crate::tokens::ron_tree::{RonKind, RonTree};

/// Fields that are required, with values to begin with. Others have any value of their type.
const VALUES: &[(&str, &str)] = &[
    ("world", "(size: (800, 600))"),
    ("size", "(800, 600)"),
    ("groups", "{ \"name\": (spawn: Points([(100, 100)])) }"),
    ("spawn", "Points([(100, 100)])"),
    ("points", "[(100, 100), (200, 100)]"),
    ("center", "(100, 100)"),
    ("at", "(100, 100)"),
    ("radius", "10"),
];

/// Adds to the error of a field that is missing in the brackets around a byte offset the fix that adds it.
pub(super) fn with_insertion(
    error: Diagnostic,
    source: &Arc<Source>,
    at: usize,
    name: &str,
) -> Diagnostic {
    let tree = RonTree::new(&source.text);
    let brackets = tree.brackets_at(at).filter(|of| {
        let is_apart = of.children().all(|child| child.kind() != RonKind::Missing);
        of.closing().is_some() && is_apart && of.kind() != RonKind::Map
    });
    let Some((brackets, Shape::Fields(fields))) =
        brackets.and_then(|brackets| Some((brackets, shape().in_brackets(brackets)?)))
    else {
        return error;
    };
    let known = VALUES.iter().find(|(of, _)| *of == name).map(|(_, value)| (*value).to_owned());
    let shape = fields.iter().find(|field| field.name == name).map(|field| &field.shape);
    let Some(value) = known.or_else(|| any_value(shape?)) else { return error };
    let field = format!("{name}: {value}");
    let mut edits = TextEdits::new(&source.text);
    edits.append_items(brackets, std::slice::from_ref(&field));
    error.remedy(Remedy::Change(edits.into_fix(format!("Insert `{field}`"), source)))
}

/// Returns a short value of a shape. `None` if nobody knows one.
pub(super) fn any_value(shape: &Shape) -> Option<String> {
    Some(match shape {
        Shape::Value(words) | Shape::ValueOrVariants(words, _) => match words.as_str() {
            words if words.contains("two numbers") => "(1,1)".to_owned(),
            words if words.contains("number") || words.contains("integer") => "1".to_owned(),
            "true or false" => "true".to_owned(),
            "a string" => "\"\"".to_owned(),
            _ => return None,
        },
        Shape::Map(_) => "{}".to_owned(),
        Shape::Fields(fields) => {
            let required = fields.iter().filter(|field| field.is_required);
            let written = required.map(|of| Some(format!("{}:{}", of.name, any_value(&of.shape)?)));
            format!("({})", written.collect::<Option<Vec<_>>>()?.join(","))
        }
        Shape::Variants(variants) => {
            let first = variants.first()?;
            match &first.shape {
                None => first.name.to_owned(),
                Some(fields @ Shape::Fields(_)) => format!("{}{}", first.name, any_value(fields)?),
                Some(value) => format!("{}({})", first.name, any_value(value)?),
            }
        }
        Shape::List(_) => "[]".to_owned(),
        Shape::Pair(of) => format!("({of},{of})", of = any_value(of)?),
        _ => return None,
    })
}
