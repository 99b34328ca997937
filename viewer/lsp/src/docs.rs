//! The documentation of definitions, as Markdown.

use flockwork_engine::schema::{Field, Shape, Variant};
use flockwork_engine::script::Entry;
use lsp_types::{Documentation, MarkupContent, MarkupKind};

/// Returns Markdown for the protocol.
pub(super) fn markup(value: String) -> MarkupContent {
    MarkupContent { kind: MarkupKind::Markdown, value }
}

/// Returns Markdown as the documentation of something that is completed.
pub(super) fn documentation(value: String) -> Option<Documentation> {
    (!value.is_empty()).then(|| Documentation::MarkupContent(markup(value)))
}

/// Returns the first sentence of a text, on one line.
pub fn first_sentence(text: &str) -> String {
    let first = text.replace('\n', " ");
    match first.find(". ") {
        Some(end) => first[..=end].to_owned(),
        None => first,
    }
}

/// Returns everything that the reference says about an entry.
pub(super) fn entry(entry: &Entry) -> String {
    let mut parts = vec![format!("```rhai\n{}\n```", signature(entry))];
    parts.extend(entry.doc.iter().cloned());
    let params = entry.params.iter().map(|param| {
        let unit =
            if param.unit.is_empty() { String::new() } else { format!(", in {}", param.unit) };
        let default = param.default.as_ref();
        let default = default.map_or_else(String::new, |default| format!(", by default {default}"));
        let doc = if param.doc.is_empty() { String::new() } else { format!(": {}", param.doc) };
        format!("- `{}`: {}{unit}{default}{doc}", param.name, param.takes)
    });
    let params: Vec<String> = params.collect();
    if !params.is_empty() {
        parts.push(params.join("\n"));
    }
    parts.push(format!("Returns {}.", result(entry)));
    parts.join("\n\n")
}

/// Returns the result of an entry with its unit.
pub(super) fn result(entry: &Entry) -> String {
    match entry.result_unit {
        "" => entry.result.clone(),
        unit => format!("{}, in {unit}", entry.result),
    }
}

/// Maximum number of characters of a short result.
const MAX_SHORT: usize = 24;

/// Returns the result of an entry in a few words, such as `vector` or `agent or ()`. Empty if it needs more words.
pub(super) fn short_result(entry: &Entry) -> String {
    let plain = entry.result.replace('`', "").replace(", or ", " or ");
    // When it is `()`, and that a force is a vector, is in the documentation.
    let short = plain.split(" if ").next().unwrap_or_default();
    let short = short.split(" (a ").next().unwrap_or_default();
    if short.ends_with(" for each name") {
        return "values by name".to_owned();
    }
    let short = ["a ", "an ", "the "]
        .iter()
        .find_map(|article| short.strip_prefix(article))
        .unwrap_or(short);
    if short.chars().count() <= MAX_SHORT { short.to_owned() } else { String::new() }
}

/// Returns how an entry is written, and its result.
pub(super) fn signature(entry: &Entry) -> String {
    match short_result(entry) {
        short if short.is_empty() => entry.signature.clone(),
        short => format!("{} -> {short}", entry.signature),
    }
}

/// Returns what a scenario's field means.
pub(super) fn field(field: &Field) -> String {
    let required = if field.is_required { " It is required." } else { "" };
    let (name, shape, doc) = (field.name, &field.shape, &field.doc);
    let types = with_types(shape).unwrap_or_else(|| shape.to_string());
    format!("```ron\n{name}: {types}\n```\n\n{doc}{required}{}", fields_in(shape))
}

/// Returns what a variant means.
pub(super) fn variant(variant: &Variant) -> String {
    let fields = variant.shape.as_ref().map_or_else(String::new, fields_in);
    let written = match variant.shape.as_ref().and_then(with_types) {
        Some(types) => format!("{}{types}", variant.name),
        None => variant.to_string(),
    };
    format!("```ron\n{written}\n```\n\n{}{fields}", variant.doc)
}

/// Returns what can be written in brackets with fields, one on each line with its type. `None` for other shapes.
fn with_types(shape: &Shape) -> Option<String> {
    let Shape::Fields(fields) = shape else { return None };
    let line = |one: &Field| {
        format!("    {}{}: {},\n", one.name, if one.is_required { "" } else { "?" }, one.shape)
    };
    Some(format!("(\n{})", fields.iter().map(line).collect::<String>()))
}

/// Returns what each field of a shape means, in a list; nothing for other shapes.
fn fields_in(shape: &Shape) -> String {
    let Shape::Fields(fields) = shape else { return String::new() };
    let line = |one: &Field| format!("\n- `{}`: {}", one.name, first_sentence(&one.doc));
    format!("\n{}", fields.iter().map(line).collect::<String>())
}
