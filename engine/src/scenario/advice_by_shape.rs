//! Advice that follows from what can be written at the place of an error: the variants of a value, the fields in brackets, and where
//! else there is a field of a name.

use std::ops::Range;

use ron::error::Error;

use super::advice::{example, meant_name, word_before};
use super::shape;
use crate::diag::nearest;
use crate::schema::{Field, NameKind, Shape, Variant};
use crate::tokens::ron_tree::{RonNode, RonTree, RonWord};

/// Returns advice on a value that is not one of those that can be written at its place.
pub(super) fn on_value(error: &Error, text: &str, span: &Range<usize>) -> Option<String> {
    let (before, found) = (&text[..span.start], &text[span.clone()]);
    let tree = RonTree::new(before);
    let position = tree.end();
    let brackets = position.brackets?;
    let shape = shape().in_brackets(brackets)?;
    let is_string = found.len() > 2 && found.starts_with('"');
    match (error, shape.next_value(brackets, position.key)) {
        (Error::ExpectedIdentifier, Some(Shape::Variants(variants))) if is_string => {
            Some(variant_for(found.trim_matches('"'), variants))
        }
        (Error::ExpectedArray, Some(Shape::List(of))) if is_string && of.is_string() => {
            Some(format!("write a list: `[{found}]`"))
        }
        (Error::ExpectedString, Some(Shape::Name(kind)))
            if !found.starts_with(|c: char| c.is_alphabetic() || c == '\'') =>
        {
            Some(name_of(*kind, text, span.start))
        }
        (Error::ExpectedComma, Some(Shape::Variants(variants))) if found.starts_with('(') => {
            let word = word_before(before);
            let variant = variants.iter().find(|one| one.name == word)?;
            variant.shape.is_none().then(|| format!("write `{word}` without brackets"))
        }
        (Error::ExpectedIdentifier | Error::SuggestRawIdentifier(_), None) => {
            let (Shape::Fields(fields), Some(name)) = (shape, brackets.name()) else { return None };
            let is_value = found.starts_with(['"', '(', '[', '{', '-', '+', '.'])
                || found.starts_with(|c: char| c.is_ascii_digit());
            let value = is_string.then_some(found);
            is_value.then(|| {
                format!("each value needs the name of its field: `{}`", call(name, fields, value))
            })
        }
        _ => None,
    }
}

/// Returns advice to write the name of something, with the names that a scenario has at a byte offset.
fn name_of(kind: NameKind, text: &str, at: usize) -> String {
    let tree = RonTree::new(text);
    let maps: &[&str] = match kind {
        NameKind::Group => &["groups"],
        NameKind::Obstacle => &["obstacles"],
        NameKind::Path => &["paths"],
        NameKind::Field => &["fields"],
        NameKind::Layer => &["layers"],
        NameKind::Input => &["inputs"],
        NameKind::Shared => &["shared"],
        NameKind::Param => &["params"],
        NameKind::State => &["public"],
        _ => &[],
    };
    let around = tree.innermost_entry(at).into_iter().flat_map(|entry| entry.ancestors().skip(1));
    let maps = around.flat_map(|node| maps.iter().filter_map(move |map| node.get(map)));
    let mut names: Vec<String> = maps
        .flat_map(|map| map.children().filter_map(|one| Some(one.key_name()?.into_owned())))
        .collect();
    names.sort();
    names.dedup();
    let what = if kind == NameKind::State { "a public state".to_owned() } else { kind.to_string() };
    let known = match names.is_empty() {
        true => String::new(),
        false => format!("; known: {}", names.join(", ")),
    };
    format!("write the name of {what} in quotes{known}")
}

/// Returns what to write instead of a word in quotes.
fn variant_for(word: &str, variants: &[Variant]) -> String {
    let names: Vec<&'static str> = variants.iter().map(|one| one.name).collect();
    let meant = meant_name(word, &names).or_else(|| nearest(word, names.iter().copied()));
    let Some(variant) = variants.iter().find(|one| Some(one.name) == meant) else {
        return format!("write one of these without quotes: {}", names.join(", "));
    };
    let written = match (example(variant.name), &variant.shape) {
        (_, None) => variant.name.to_owned(),
        (Some(example), _) => example.to_owned(),
        (None, Some(Shape::Fields(fields))) => call(variant.name, fields, None),
        (None, Some(_)) => format!("{}(..)", variant.name),
    };
    format!("write it without quotes: `{written}`")
}

/// Returns a variant with its required fields. A string is the value of the first field that can have it.
fn call(variant: &str, fields: &[Field], mut string: Option<&str>) -> String {
    let required = fields.iter().filter(|field| field.is_required).map(|field| {
        let value = if field.shape.is_string() { string.take() } else { None };
        format!("{}: {}", field.name, value.unwrap_or(".."))
    });
    format!("{variant}({})", required.collect::<Vec<_>>().join(", "))
}

/// Stands for the key of the only entry of a map.
pub(super) const ONLY_ENTRY: &str = "";

/// A field that is written in the wrong brackets.
pub(super) struct MisplacedField {
    /// Where it belongs.
    pub(super) advice: String,
    /// The brackets into which it can be moved as it is: the byte offset of some brackets, and the keys from there.
    pub(super) target: Option<(usize, Vec<&'static str>)>,
}

/// Returns where a field belongs that is unknown where it is written: into the brackets of another field, or beside those that it is in.
pub(super) fn on_field(error: &Error, text: &str, span: &Range<usize>) -> Option<MisplacedField> {
    let Error::NoSuchStructField { expected, found, .. } = error else { return None };
    // It is rather a slip in the name of a field that is known here.
    if meant_name(found, expected).is_some() || nearest(found, expected.iter().copied()).is_some() {
        return None;
    }
    let tree = RonTree::new(&text[..span.start]);
    let position = tree.end();
    let brackets = position.brackets?;
    let Shape::Fields(known) = shape().in_brackets(brackets)? else { return None };
    // Not in a file of another kind.
    if !known.iter().all(|field| expected.contains(&field.name)) {
        return None;
    }
    let value = value_after(text, span.start);
    let is_inside = position.key.is_none() && inside(known.iter(), found, &value).is_some();
    if !is_inside && let Some(others) = variants_with(brackets, found) {
        return Some(MisplacedField { advice: format!("{others} has `{found}`"), target: None });
    }
    let mut key = position.key;
    brackets.ancestors().find_map(|around| {
        let key = std::mem::replace(&mut key, around.key());
        let Some(Shape::Fields(fields)) = shape().in_brackets(around) else { return None };
        let is_here = fields.iter().any(|field| field.name == found.as_str());
        let (advice, keys) = match key {
            Some(key) if is_here => {
                (format!("write `{found}` beside `{key}`, not in it"), Some(Vec::new()))
            }
            None => inside(fields.iter(), found, &value)?,
            // From farther away, only a field of the same name is meant.
            Some(_) => {
                let is_same =
                    |field: &&Field| field_inside(&field.shape, found) == Some(found.as_str());
                inside(fields.iter().filter(is_same), found, &value)?
            }
        };
        Some(MisplacedField { advice, target: around.opening().zip(keys) })
    })
}

/// Returns the variants with a field that can be written in place of the one with some brackets. `None` if there are none.
fn variants_with(brackets: RonNode<'_, '_>, field: &str) -> Option<String> {
    let has = |variant: &&Variant| match &variant.shape {
        Some(Shape::Fields(fields)) => fields.iter().any(|one| one.name == field),
        _ => false,
    };
    let others = shape().of_value(brackets)?.variants().iter().filter(has);
    let others: Vec<String> = others.map(|variant| format!("`{}`", variant.name)).collect();
    (!others.is_empty()).then(|| others.join(" or "))
}

/// Returns where an entry of a map belongs that is written among fields: `"hawk": (behavior: ..)` into the map of groups around it, or
/// into that of a field beside it.
pub(super) fn on_entry(error: &Error, text: &str, span: &Range<usize>) -> Option<String> {
    let entry = &text[span.clone()];
    if !matches!(error, Error::ExpectedIdentifier) || !entry.starts_with('"') {
        return None;
    }
    let tree = RonTree::new(text);
    let is_entry = |key: RonWord<'_, '_>| key.span == *span;
    let node = tree.nodes().find(|node| node.key_word().is_some_and(is_entry))?;
    let is_value = |shape: &Shape| {
        let Shape::Fields(fields) = shape else { return false };
        node.name().is_none()
            && node.children().any(|part| fields.iter().any(|field| part.key() == Some(field.name)))
    };
    // The brackets before the entry are as they were meant.
    let before = RonTree::new(&text[..span.start]);
    let brackets = before.end().brackets?;
    let Shape::Fields(beside) = shape().in_brackets(brackets)? else { return None };
    // It is a field whose name is in quotes.
    if beside.iter().any(|field| field.name == entry.trim_matches('"')) {
        return None;
    }
    let mut inside = brackets;
    for around in brackets.ancestors().skip(1) {
        if let (Some(Shape::Map(of)), Some(key)) = (shape().in_brackets(around), inside.key())
            && is_value(of)
        {
            let map = around.key().unwrap_or_default();
            return Some(format!(
                "{entry} belongs in `{map}`, beside \"{key}\", not in it: close the brackets of \"{key}\" before it"
            ));
        }
        inside = around;
    }
    let map = beside.iter().find(|field| matches!(&field.shape, Shape::Map(of) if is_value(of)))?;
    Some(format!("{entry} belongs in `{0}`: write `{0}: {{ {entry}: (..) }}`", map.name))
}

/// Returns how to write a field in the brackets of one of some fields, and the keys of these brackets if the field can be moved there.
fn inside<'f>(
    fields: impl Iterator<Item = &'f Field> + Clone,
    name: &str,
    value: &str,
) -> Option<(String, Option<Vec<&'static str>>)> {
    let in_fields = fields.clone().filter_map(|field| {
        let meant = field_inside(&field.shape, name)?;
        let keys = (meant == name).then(|| vec![field.name]);
        Some((field.name, format!("`{}: ({meant}: {value})`", field.name), keys))
    });
    let in_variants = fields.clone().filter_map(|field| {
        let Shape::Variants(variants) = &field.shape else { return None };
        let variants = variants.iter().filter(|one| {
            matches!(&one.shape, Some(Shape::Fields(fields)) if fields.iter().any(|one| one.name == name))
        });
        let written =
            variants.map(|one| format!("`{}: {}({name}: {value}, ..)`", field.name, one.name));
        let written: Vec<String> = written.collect();
        (!written.is_empty()).then(|| (field.name, written.join(" or "), None))
    });
    let in_maps = fields.filter_map(|field| {
        let Shape::Map(of) = &field.shape else { return None };
        field_inside(of, name).filter(|meant| *meant == name)?;
        let written = format!("`{}: {{ \"name\": ({name}: {value}, ..) }}`", field.name);
        Some((field.name, written, Some(vec![field.name, ONLY_ENTRY])))
    });
    let mut all: Vec<(&str, String, Option<Vec<&'static str>>)> = in_fields.collect();
    if all.is_empty() {
        all.extend(in_variants);
    }
    if all.is_empty() {
        all.extend(in_maps);
    }
    let names: Vec<String> = all.iter().map(|(name, ..)| format!("`{name}`")).collect();
    let written: Vec<&str> = all.iter().map(|(_, written, _)| &**written).collect();
    let (names, written) = (names.join(" or "), written.join(" or "));
    let keys = if all.len() == 1 { all.pop()?.2 } else { None };
    (!names.is_empty()).then(|| (format!("this belongs into {names}: write {written}"), keys))
}

/// Returns the field in round brackets that is meant by a name.
pub(super) fn field_inside(shape: &Shape, name: &str) -> Option<&'static str> {
    let Shape::Fields(fields) = shape else { return None };
    let names: Vec<&'static str> = fields.iter().map(|field| field.name).collect();
    let same = names.iter().find(|known| **known == name).copied();
    same.or_else(|| meant_name(name, &names))
}

/// The longest value that advice repeats, in bytes.
const LONGEST_VALUE: usize = 40;

/// Returns the value of the field whose name is at an offset, as it is written, or dots if it is long.
fn value_after(text: &str, at: usize) -> String {
    let tree = RonTree::new(text);
    let has_name = |key: RonWord<'_, '_>| key.span.start == at;
    let field = tree.nodes().find(|field| field.key_word().is_some_and(has_name));
    let is_whole = |field: &RonNode<'_, '_>| field.opening().is_none() || field.closing().is_some();
    let value = field.filter(is_whole).map_or("", RonNode::text);
    let is_short = !value.is_empty() && value.len() <= LONGEST_VALUE && !value.contains('\n');
    if is_short { value.to_owned() } else { "..".to_owned() }
}
