//! Templates of what scenarios can have: a value with all that it requires, and places to fill in, as the protocol writes snippets.
//!
//! `$1` is a place where something can be completed. A place that has to be typed has a value, such as `${1:0}`, or braces: `${1}`. Numbers
//! such as `400x` are those of snippets, which are fitted to the world.

use flockwork_engine::schema::{Field, Shape, Variant};

use super::super::variant_order::by_use;

/// Maximum number of values in each other.
const MAX_DEPTH: usize = 4;

/// Returns the template of a field with its value.
pub(super) fn of_field(field: &Field) -> String {
    // A radius may be that of a body, and points are better typed.
    let usual = usual(field).filter(|text| !text.starts_with('(') && field.name != "radius");
    let value = usual.map_or_else(|| of_value(&field.shape), |text| numbered(text, &mut 0));
    format!("{}: {value}", field.name)
}

/// Returns the template of a variant.
pub(super) fn of_variant(variant: &Variant) -> String {
    match &variant.shape {
        None => variant.name.to_owned(),
        Some(shape @ Shape::Fields(_)) => format!("{}{}", variant.name, of_value(shape)),
        // It has at least three corners.
        Some(Shape::List(of)) if variant.name == "Polygon" && is_point(of) => {
            format!("{}({})", variant.name, numbered(CORNERS, &mut 0))
        }
        Some(shape) => format!("{}({})", variant.name, of_value(shape)),
    }
}

/// Returns the template of a value.
pub(super) fn of_value(shape: &Shape) -> String {
    value(shape, MAX_DEPTH, &mut 0)
}

fn is_point(shape: &Shape) -> bool {
    matches!(shape, Shape::Value(words) if words.starts_with("two numbers"))
}

/// Returns whether a template has brackets or quotes around its places.
pub(super) fn is_in_brackets(shape: &Shape) -> bool {
    matches!(shape, Shape::Fields(_) | Shape::List(_) | Shape::Map(_) | Shape::Pair(_))
}

fn value(shape: &Shape, depth: usize, places: &mut usize) -> String {
    let mut place = |offered: &str| numbered(offered, places);
    if depth == 0 {
        return place("$#");
    }
    match shape {
        Shape::Value(words) | Shape::ValueOrVariants(words, _) => {
            if let Some(value) = typed(words) {
                return place(value);
            }
            place("${#}")
        }
        Shape::Name(_) => place("\"$#\""),
        Shape::List(of) if is_point(of) => place(POINT),
        Shape::List(_) => place("[$#]"),
        Shape::Map(_) => place("{$#}"),
        Shape::Pair(of) => {
            let [one, other] = [(); 2].map(|()| value(of, depth - 1, places));
            format!("({one}, {other})")
        }
        Shape::Variants(all) if all.iter().all(|one| one.shape.is_none()) => {
            let names: Vec<&str> = by_use(all).into_iter().map(|one| one.name).collect();
            place(&format!("${{#|{}|}}", names.join(",")))
        }
        Shape::Fields(fields) if fields.iter().any(|field| field.is_required) => {
            let required = fields.iter().filter(|field| field.is_required);
            let has_center = fields.iter().any(|field| field.name == "center");
            let written = required.map(|field| {
                let usual = usual(field).filter(|_| field.name != "radius" || has_center);
                let template = match usual {
                    Some(text) => numbered(text, places),
                    None => value(&field.shape, depth - 1, places),
                };
                format!("{}: {template}", field.name)
            });
            format!("({})", written.collect::<Vec<_>>().join(", "))
        }
        Shape::Fields(_) => place("($#)"),
        _ => place("$#"),
    }
}

/// Values that `check` accepts in a usual world, by the names of fields: places and lengths that fit into it.
const USUAL: [(&str, &str); 13] = [
    ("center", "(${#:400x}, ${#:300y})"),
    ("at", "(${#:400x}, ${#:300y})"),
    ("min", "(${#:100x}, ${#:100y})"),
    ("max", "(${#:300x}, ${#:300y})"),
    ("from", "(${#:100x}, ${#:200y})"),
    ("to", "(${#:300x}, ${#:200y})"),
    ("size", "(${#:60d}, ${#:40d})"),
    ("spacing", "(${#:20d}, ${#:20d})"),
    ("radius", "${#:60d}"),
    ("columns", "${#:5}"),
    ("spacing", "${#:20d}"),
    ("dt", "${#:0.02}"),
    ("hz", "${#:60}"),
];

/// Returns the usual value of a field. `None` if it has none.
fn usual(field: &Field) -> Option<&'static str> {
    let Shape::Value(_) = field.shape else { return None };
    let has_two = is_point(&field.shape);
    let of_field =
        |(name, text): &&(&str, &str)| *name == field.name && text.starts_with('(') == has_two;
    USUAL.iter().find(of_field).map(|(_, text)| *text)
}

/// Points in a list, and the corners of a polygon.
const POINT: &str = "[(${#:400x}, ${#:300y})]";
const CORNERS: &str = "[(${#:300x}, ${#:200y}), (${#:500x}, ${#:200y}), (${#:400x}, ${#:400y})]";

/// Returns a text with the next numbers of places for each `#`.
fn numbered(offered: &str, places: &mut usize) -> String {
    let mut parts = offered.split('#');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        *places += 1;
        text += &format!("{places}{part}");
    }
    text
}

/// Returns what is offered for a value that has to be typed, by what is said of it, with `#` for the numbers of places. `None` if nothing
/// suits.
fn typed(words: &str) -> Option<&'static str> {
    let begins = |with: &[&str]| with.iter().any(|one| words.starts_with(one));
    let has_limits = !["a number", "a finite number"].contains(&words);
    if begins(&["true or false"]) {
        Some("${#|true,false|}")
    } else if begins(&["two numbers"]) {
        Some("(${#:0}, ${#:0})")
    } else if begins(&["a number", "a finite number", "an integer"]) {
        // A radius or a count is hardly 0.
        Some(if has_limits { "${#:1}" } else { "${#:0}" })
    } else if words == "a string" {
        Some("\"${#}\"")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use flockwork_engine::scenario;

    use super::*;

    /// Returns the field that some keys lead to.
    fn field(keys: &[&str]) -> Field {
        let (last, before) = keys.split_last().unwrap();
        let mut shape = scenario::shape().clone();
        for key in before {
            shape = match shape {
                Shape::Map(of) => *of,
                other => fields(&other).into_iter().find(|one| one.name == *key).unwrap().shape,
            };
        }
        fields(&shape).into_iter().find(|one| one.name == *last).unwrap()
    }

    fn fields(shape: &Shape) -> Vec<Field> {
        match shape {
            Shape::Fields(fields) => fields.clone(),
            other => panic!("{other} has no fields"),
        }
    }

    #[test]
    fn fields_have_what_they_require_and_places_to_fill_in() {
        for (keys, template) in [
            (&["name"][..], "name: \"${1}\""),
            (&["groups"], "groups: {$1}"),
            (&["groups", "a", "params"], "params: {$1}"),
            (&["groups", "a", "count"], "count: ${1:1}"),
            (&["groups", "a", "behavior"], "behavior: \"$1\""),
            (&["groups", "a", "spawn"], "spawn: $1"),
            (&["groups", "a", "velocity"], "velocity: (${1:0}, ${2:0})"),
            (&["groups", "a", "body"], "body: ($1)"),
            (&["groups", "a", "prey"], "prey: [$1]"),
            (&["world", "edge"], "edge: ${1|Clamp,Wrap,Open,Bounce|}"),
        ] {
            assert_eq!(of_field(&field(keys)), template);
        }
        let spawn = field(&["groups", "a", "spawn"]).shape;
        let variant =
            |name: &str| of_variant(spawn.variants().iter().find(|one| one.name == name).unwrap());
        assert_eq!(variant("Disc"), "Disc(center: (${1:400x}, ${2:300y}), radius: ${3:60d})");
        assert_eq!(variant("Points"), "Points([(${1:400x}, ${2:300y})])");
    }
}
