//! The fields and variants that can be written in a scenario, found by their names.

use std::fmt::Write as _;

use flockwork_engine::scenario;
use flockwork_engine::schema::{Field, Shape, Variant};
use flockwork_lsp::first_sentence;

/// The name of the list of everything.
pub(super) const TOPIC: &str = "scenario";

/// Columns of a name with the space before it, before its summary.
const NAME_WIDTH: usize = 24;

/// Something that has a name in a scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Part {
    /// Its name as it is written.
    pub(super) name: &'static str,
    /// The name with its value or fields: `radius: a number`, `Circle(center: .., radius: ..)`.
    pub(super) signature: String,
    /// Its documentation.
    pub(super) doc: String,
    /// Whether it is a field that must be written.
    is_required: bool,
    /// The names that can be written in it, with documentation.
    content: Vec<(&'static str, String)>,
    /// The names above it: `["groups", "NAME", "body"]`.
    above: Vec<&'static str>,
}

impl Part {
    fn of_field(field: &Field, above: &[&'static str]) -> Self {
        Self {
            name: field.name,
            signature: format!("{}: {}", field.name, field.shape),
            doc: field.doc.clone(),
            is_required: field.is_required,
            content: content(&field.shape),
            above: above.to_vec(),
        }
    }

    fn of_variant(variant: &Variant, above: &[&'static str]) -> Self {
        Self {
            name: variant.name,
            signature: variant.to_string(),
            doc: variant.doc.clone(),
            is_required: false,
            content: variant.shape.as_ref().map_or_else(Vec::new, content),
            above: above.to_vec(),
        }
    }

    /// Returns whether it says the same as another one, which may be elsewhere.
    fn is_like(&self, other: &Self) -> bool {
        *self == Self { above: self.above.clone(), ..other.clone() }
    }

    fn summary(&self) -> String {
        let required = if self.is_required { " (required)" } else { "" };
        format!("{}{required}", first_sentence(&self.doc))
    }
}

/// Returns the documentation of what is directly in a value.
fn content(shape: &Shape) -> Vec<(&'static str, String)> {
    match shape {
        Shape::Fields(fields) => {
            let doc = |field: &Field| (field.name, Part::of_field(field, &[]).summary());
            fields.iter().map(doc).collect()
        }
        Shape::Variants(variants) | Shape::ValueOrVariants(_, variants) => {
            let doc = |one: &Variant| (one.name, Part::of_variant(one, &[]).summary());
            variants.iter().map(doc).collect()
        }
        Shape::List(of) | Shape::Pair(of) | Shape::Map(of) => content(of),
        _ => Vec::new(),
    }
}

/// Returns everything that can be written in a scenario, from the outside in.
pub(super) fn parts() -> Vec<Part> {
    let mut parts = Vec::new();
    collect(scenario::shape(), &mut Vec::new(), &mut parts);
    parts
}

fn collect(shape: &Shape, above: &mut Vec<&'static str>, parts: &mut Vec<Part>) {
    match shape {
        Shape::Fields(fields) => {
            for field in fields {
                parts.push(Part::of_field(field, above));
                collect_inside(field.name, &field.shape, above, parts);
            }
        }
        // What can be written in place of many values is the same everywhere, so it is listed once.
        Shape::ValueOrVariants(_, variants)
            if variants.iter().all(|one| {
                let part = Part::of_variant(one, &[]);
                parts.iter().any(|known| known.is_like(&part))
            }) => {}
        Shape::Variants(variants) | Shape::ValueOrVariants(_, variants) => {
            for variant in variants {
                parts.push(Part::of_variant(variant, above));
                if let Some(shape) = &variant.shape {
                    collect_inside(variant.name, shape, above, parts);
                }
            }
        }
        Shape::List(of) | Shape::Pair(of) => collect(of, above, parts),
        Shape::Map(of) => collect_inside("NAME", of, above, parts),
        _ => {}
    }
}

fn collect_inside(
    name: &'static str,
    shape: &Shape,
    above: &mut Vec<&'static str>,
    parts: &mut Vec<Part>,
) {
    above.push(name);
    collect(shape, above, parts);
    above.pop();
}

/// Returns the parts of a name such as `Box`, `radius` or `body.radius`.
pub(super) fn find<'a>(parts: &'a [Part], query: &str) -> Vec<&'a Part> {
    let (above, name) = query.rsplit_once('.').unwrap_or(("", query));
    let is_in = |part: &&Part| {
        above.is_empty() || {
            let path = part.above.join(".");
            path == above || path.ends_with(&format!(".{above}"))
        }
    };
    parts.iter().filter(|part| part.name.eq_ignore_ascii_case(name)).filter(is_in).collect()
}

/// Returns each meaning of some parts of the same name, with all places where it can be written.
pub(super) fn meanings(parts: &[&Part]) -> String {
    let mut meanings: Vec<(&Part, Vec<String>)> = Vec::new();
    for part in parts {
        let place = match &part.above[..] {
            [] => "the scenario itself".to_owned(),
            above => above.join("."),
        };
        match meanings.iter_mut().find(|(known, _)| known.is_like(part)) {
            Some((_, places)) => places.push(place),
            None => meanings.push((part, vec![place])),
        }
    }
    let text = meanings.into_iter().map(|(part, places)| meaning(part, &places));
    text.collect::<Vec<_>>().join("\n")
}

fn meaning(part: &Part, places: &[String]) -> String {
    let mut text = format!("{}\n", part.signature);
    for line in part.doc.lines() {
        let _ = writeln!(text, "    {line}");
    }
    if !part.content.is_empty() {
        text.push('\n');
    }
    let width = part.content.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    for (name, doc) in &part.content {
        let _ = writeln!(text, "{}", format!("    {name:<width$}  {doc}").trim_end());
    }
    let required = if part.is_required { " It is required." } else { "" };
    let _ = writeln!(text, "\n    written in {}.{required}", places.join(", "));
    text
}

/// Returns a line for everything that can be written, each below what it is in.
pub(super) fn overview(parts: &[Part]) -> String {
    let mut text = String::from(
        "Scenarios\n---------\nWhat can be written in a scenario, each name below what it is in.\n\n",
    );
    for part in parts {
        let indent = 2 * part.above.len() + 2;
        let width = NAME_WIDTH.saturating_sub(indent);
        let line = format!("{:indent$}{:<width$}  {}", "", part.name, part.summary());
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_where_they_can_be_written() {
        let parts = parts();
        for (query, places) in [
            ("world", vec![""]),
            ("box", vec!["obstacles.NAME"]),
            ("NAME.body.max_speed", vec!["groups.NAME.body"]),
            ("Bounce", vec!["world.edge"]),
            ("body.tolerance", vec![]),
            ("seek", vec![]),
        ] {
            let found: Vec<_> = find(&parts, query).iter().map(|one| one.above.join(".")).collect();
            assert_eq!(found, places, "{query}");
        }
        let found = find(&parts, "LogNormal");
        assert_eq!(
            found.iter().map(|one| one.above.join(".")).collect::<Vec<_>>(),
            ["params.NAME", "params.NAME.Mixture.of"]
        );
        let text = meanings(&find(&parts, "tolerance"));
        assert!(text.contains("expect.NoOverlap"), "{text}");
        // The same meaning in many places is shown once.
        let places = find(&parts, "group");
        assert!(places.len() > 10 && meanings(&places).matches("group: ").count() < 5);
    }

    #[test]
    fn the_overview_has_everything() {
        let parts = parts();
        let text = overview(&parts);
        assert!(parts.iter().all(|part| text.contains(&format!(" {}", part.name))));
        assert_eq!(text.lines().count(), parts.len() + 4);
    }
}
