//! What definitions say about themselves, as Markdown.

use flockwork_engine::schema::{Field, NameKind, Shape, Variant};
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

/// Returns everything that the reference says about an entry.
pub(super) fn entry(entry: &Entry) -> String {
    let mut parts = vec![format!("```rhai\n{}\n```", entry.signature)];
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

/// Returns what a scenario's field means.
pub(super) fn field(field: &Field) -> String {
    let required = if field.is_required { " It is required." } else { "" };
    format!("```ron\n{}: {}\n```\n\n{}{required}", field.name, shape(&field.shape), field.doc)
}

/// Returns what a variant means.
pub(super) fn variant(variant: &Variant) -> String {
    let content = match &variant.shape {
        None => String::new(),
        Some(of) => format!("({})", shape(of).trim_start_matches('(').trim_end_matches(')')),
    };
    format!("```ron\n{}{content}\n```\n\n{}", variant.name, variant.doc)
}

/// Returns in one line what can be written.
pub(super) fn shape(of: &Shape) -> String {
    match of {
        Shape::Fields(fields) => {
            let names = fields.iter().map(|field| match field.is_required {
                true => format!("{}: ..", field.name),
                false => format!("{}?: ..", field.name),
            });
            format!("({})", names.collect::<Vec<_>>().join(", "))
        }
        Shape::Variants(variants) => {
            variants.iter().map(|one| one.name).collect::<Vec<_>>().join(" | ")
        }
        Shape::List(of) => format!("[{}, ..]", short(of)),
        Shape::Map(of) => format!("{{ \"name\": {}, .. }}", short(of)),
        other => short(other),
    }
}

/// Returns what can be written, without the parts of parts.
fn short(of: &Shape) -> String {
    match of {
        Shape::Value(words) => words.clone(),
        Shape::Name(kind) => format!("the name of {}", kind_name(*kind)),
        Shape::Fields(_) => "(..)".to_owned(),
        other => shape(other),
    }
}

/// Returns what a name is the name of, in words.
pub(super) fn kind_name(kind: NameKind) -> &'static str {
    match kind {
        NameKind::Group => "a group",
        NameKind::Obstacle => "an obstacle",
        NameKind::Path => "a path",
        NameKind::Field => "a field",
        NameKind::Param => "a param",
        NameKind::Script => "a script",
        _ => "something",
    }
}
