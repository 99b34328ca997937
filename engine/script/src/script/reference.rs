//! The reference: everything that a script can call, read or define, as data.
//!
//! It is made from the tables that scripts are bound with, so it cannot differ from what they can do.

use super::api::{self, ByHand, Topic};
use crate::schema::NameKind;
use crate::steer::{COMBINATORS, ForceKind, PRIMITIVES, ParamKind, Primitive};
use crate::trace::Measure;

/// A function, operator, property, method or variable of scripts. Functions with the same name and different
/// parameters have one entry each.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Entry {
    /// Its names, which all mean the same.
    pub names: Vec<&'static str>,
    /// The part of the reference that it belongs to.
    pub topic: Topic,
    /// How it is written, such as `v.limit(longest)`.
    pub signature: String,
    /// Its description in paragraphs. The first one begins with a summary in one line.
    pub doc: Vec<String>,
    /// The value that a method is called on or a property is read from.
    pub receiver: Option<Parameter>,
    /// The types of that value, in words without an article, such as `me`, `agent` and `vector`; `anything` for any.
    /// Empty without a receiver.
    pub owners: Vec<&'static str>,
    /// Its parameters in order, without the receiver.
    pub params: Vec<Parameter>,
    /// Its result, such as "a vector".
    pub result: String,
    /// The unit of the result; empty if it has none, or the unit of the arguments.
    pub result_unit: &'static str,
}

/// A parameter of an [`Entry`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// The values that it takes, such as "a number".
    pub takes: String,
    /// Its unit; empty if it has none.
    pub unit: &'static str,
    /// The value that is used if it is left out; `None` if it is required.
    pub default: Option<String>,
    /// Its description; empty if the name is clear.
    pub doc: &'static str,
    /// The kind of thing that it names, if it takes a name as a string.
    pub names: Option<NameKind>,
}

/// Returns all entries, topic by topic.
pub fn reference() -> Vec<Entry> {
    let primitives = PRIMITIVES.iter().map(|one| of_primitive(one, Topic::Primitives));
    let combinators = COMBINATORS.iter().map(|one| of_primitive(one, Topic::Combinators));
    let defined = api::all().map(of_definition);
    let by_hand = api::BY_HAND.iter().map(of_by_hand);
    let measures = Measure::ALL.iter().map(|&measure| of_measure(measure));
    let all = primitives.chain(combinators).chain(defined).chain(by_hand).chain(measures);
    let mut all: Vec<Entry> = all.collect();
    all.sort_by_key(|entry| entry.topic);
    all
}

fn of_primitive(primitive: &'static Primitive, topic: Topic) -> Entry {
    let params = primitive.params.iter().map(|param| Parameter {
        name: param.name,
        takes: param.kind.expected().to_owned(),
        unit: param.unit,
        default: param.default.text(),
        doc: param.doc,
        names: match param.kind {
            ParamKind::Path => Some(NameKind::Path),
            ParamKind::Flow => Some(NameKind::Field),
            _ => None,
        },
    });
    let receiver = (topic == Topic::Primitives).then(|| Parameter::plain("me", "`me`", ""));
    Entry {
        names: vec![primitive.name],
        topic,
        signature: primitive.usage(),
        doc: paragraphs(primitive.doc),
        owners: receiver.iter().map(|_| "me").collect(),
        receiver,
        params: params.collect(),
        result: match primitive.force_kind {
            ForceKind::Index => "an integer".to_owned(),
            _ => "a force (a vector)".to_owned(),
        },
        result_unit: "",
    }
}

fn of_definition(function: &'static api::define::Function) -> Entry {
    use api::define::ValueKind;
    let mut params: Vec<Parameter> = function
        .params
        .iter()
        .map(|param| Parameter {
            names: match param.kind {
                ValueKind::Group => Some(NameKind::Group),
                ValueKind::ObstacleName => Some(NameKind::Obstacle),
                ValueKind::PathName => Some(NameKind::Path),
                ValueKind::LayerName => Some(NameKind::Layer),
                ValueKind::FieldName => Some(NameKind::Field),
                _ => None,
            },
            ..Parameter::plain(param.name, phrase(param.kind.doc()), param.unit)
        })
        .collect();
    let topic = match (function.params[0].kind, function.result) {
        (ValueKind::Me, _) => Topic::Me,
        (ValueKind::AnyAgent | ValueKind::Agent | ValueKind::MaybeAgent, _) => Topic::Agents,
        (ValueKind::Neighbors, _) => Topic::Neighborhoods,
        (ValueKind::World, _) => Topic::World,
        (ValueKind::Obstacle | ValueKind::ObstacleName, _) => Topic::Obstacles,
        (ValueKind::Path | ValueKind::MaybePath | ValueKind::PathName, _) => Topic::Paths,
        (ValueKind::Field | ValueKind::FieldName, _) => Topic::Fields,
        (
            ValueKind::Vector | ValueKind::FiniteVector | ValueKind::Point | ValueKind::MaybeVector,
            _,
        )
        | (_, ValueKind::Vector | ValueKind::FiniteVector) => Topic::Vectors,
        (ValueKind::String | ValueKind::Group | ValueKind::LayerName, _) => Topic::Values,
        (
            ValueKind::Number
            | ValueKind::NotNegative
            | ValueKind::Float
            | ValueKind::Integer
            | ValueKind::MaybeNumber
            | ValueKind::Boolean,
            _,
        ) => Topic::Numbers,
    };
    let has_receiver = function.is_method() && !function.is_operator();
    let receiver = has_receiver.then(|| params.remove(0));
    Entry {
        names: function.names.to_vec(),
        topic,
        signature: function.signature(),
        doc: paragraphs(&[function.doc]),
        owners: if has_receiver { api::type_words(function.params[0].kind) } else { Vec::new() },
        receiver,
        params,
        result: phrase(function.result.doc()),
        result_unit: function.unit,
    }
}

fn of_by_hand(one: &ByHand) -> Entry {
    let receiver = one.receiver.map(|(name, takes)| Parameter::plain(name, takes, ""));
    let params = one.params.iter().map(|&(name, takes)| Parameter {
        names: match takes {
            "the name of a group" => Some(NameKind::Group),
            "the name of a layer" => Some(NameKind::Layer),
            "the name of a shared value" => Some(NameKind::Shared),
            "the name of a state"
            | "the name of a public state"
            | "the name of a public number" => Some(NameKind::State),
            _ => None,
        },
        ..Parameter::plain(name, takes, "")
    });
    Entry {
        names: one.names.to_vec(),
        topic: one.topic,
        signature: one.signature.to_owned(),
        doc: paragraphs(one.doc),
        owners: one.receiver.map_or_else(Vec::new, |(_, takes)| words(takes)),
        receiver,
        params: params.collect(),
        result: one.result.to_owned(),
        result_unit: "",
    }
}

fn of_measure(measure: Measure) -> Entry {
    Entry {
        names: vec![measure.name()],
        topic: Topic::Measures,
        signature: format!("now.{}", measure.name()),
        doc: vec![measure.doc().trim().to_owned(), format!("Formula: `{}`.", measure.formula())],
        receiver: Some(Parameter::plain("now", "`now`", "")),
        owners: vec!["now"],
        params: Vec::new(),
        result: match measure.is_count() {
            true => "an integer",
            false => "a number, or `()` if there are too few agents",
        }
        .to_owned(),
        result_unit: measure.unit(),
    }
}

impl Parameter {
    fn plain(name: &'static str, takes: impl Into<String>, unit: &'static str) -> Self {
        Self { name, takes: takes.into(), unit, default: None, doc: "", names: None }
    }
}

/// Returns the types in a description of a receiver, such as "an array or a map", without articles.
fn words(takes: &'static str) -> Vec<&'static str> {
    let one = |part: &'static str| {
        let part = part.trim_start_matches("a ").trim_start_matches("an ").trim_matches('`');
        part.split(' ').next().unwrap_or_default()
    };
    takes.split(" or ").flat_map(|part| part.split(", ")).map(one).collect()
}

/// Divides lines of documentation into paragraphs at empty lines, and keeps the line breaks in them.
fn paragraphs(lines: &[&str]) -> Vec<String> {
    let lines: Vec<&str> = lines.iter().map(|line| line.trim()).collect();
    lines.split(|line| line.is_empty()).map(|lines| lines.join("\n")).collect()
}

/// Turns the documentation of a kind, such as "A vector.", into a part of a sentence: "a vector".
fn phrase(doc: &str) -> String {
    let doc = doc.trim().trim_end_matches('.');
    let mut letters = doc.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use rhai::Engine;

    use super::*;

    #[test]
    fn every_entry_has_a_description_and_types() {
        for entry in reference() {
            let Entry { signature, doc, receiver, params, result, .. } = &entry;
            for paragraph in doc {
                assert!(
                    paragraph.ends_with(|c: char| ".)".contains(c)) || paragraph.contains(" = "),
                    "{signature}: {paragraph}"
                );
            }
            assert!(doc[0].starts_with(char::is_uppercase), "{signature}: {doc:?}");
            assert!(!result.is_empty(), "{signature}");
            for param in params.iter().chain(receiver) {
                assert!(!param.takes.is_empty(), "{signature}");
            }
        }
    }

    #[test]
    fn signatures_are_as_scripts_write_them() {
        let all: Vec<String> = reference().into_iter().map(|entry| entry.signature).collect();
        for known in [
            "v.length()",
            "vec(x, y)",
            "a + b",
            "-x",
            "me.to(target)",
            "world.time",
            "me.seek(target, speed = me.max_speed)",
            "me.state",
            "debug(value)",
            "now.polarization",
        ] {
            assert!(all.iter().any(|one| one == known), "{known}");
        }
    }

    #[test]
    fn every_owner_is_a_type_that_values_have() {
        let known = [
            "agent",
            "anything",
            "array",
            "boolean",
            "field",
            "float",
            "integer",
            "map",
            "me",
            "me.state",
            "neighborhood",
            "now",
            "obstacle",
            "path",
            "string",
            "vector",
            "world",
        ];
        for entry in reference() {
            assert_eq!(entry.owners.is_empty(), entry.receiver.is_none(), "{}", entry.signature);
            for owner in &entry.owners {
                assert!(known.contains(owner), "{}: {owner}", entry.signature);
            }
        }
    }

    #[test]
    fn signatures_differ_within_a_topic() {
        let mut seen = BTreeSet::new();
        for entry in reference() {
            assert!(seen.insert((entry.topic, entry.signature.clone())), "{}", entry.signature);
        }
    }

    /// Names that are bound only to say what to write instead, because Rhai writes a changed element back, or for
    /// generated functions.
    const REFUSED: [&str; 5] = ["print", "params =", "state =", "inputs =", "checked_state"];

    /// The names that our own module binds, without Rhai's packages; those of setters end in ` =`.
    fn bound() -> BTreeSet<String> {
        let mut engine = Engine::new_raw();
        engine.register_global_module(api::module());
        let names =
            engine.collect_fn_metadata(None, |info| Some(info.metadata.name.to_string()), true);
        let names = names.into_iter().map(|name| match name.as_str() {
            "index$get$" | "index$set$" => "[]".to_owned(),
            _ => match name.strip_prefix("set$") {
                Some(property) => format!("{property} ="),
                None => name.trim_start_matches("get$").to_owned(),
            },
        });
        names.filter(|name| !REFUSED.contains(&name.as_str())).collect()
    }

    #[test]
    fn everything_that_is_bound_has_an_entry() {
        let entries = reference();
        let names = |entry: &Entry| {
            let is_setter = entry.signature.contains(" = ") && !entry.signature.contains('(');
            let setter = if is_setter { " =" } else { "" };
            entry.names.iter().map(|name| format!("{name}{setter}")).collect::<Vec<_>>()
        };
        let known: BTreeSet<String> = entries.iter().flat_map(names).collect();
        let bound = bound();
        assert!(bound.len() > 100, "{bound:?}");
        let names = bound.iter().map(String::as_str).chain(api::GLOBALS.iter().copied());
        let missing: Vec<&str> = names.filter(|&name| !known.contains(name)).collect();
        assert_eq!(missing, [""; 0], "the reference has no entry for these");
    }

    #[test]
    fn every_entry_by_hand_exists_in_scripts() {
        let engine = api::engine();
        let known =
            engine.collect_fn_metadata(None, |info| Some(info.metadata.name.to_string()), true);
        for one in api::BY_HAND {
            // These are functions that scripts define, and the values of `now`.
            if matches!(one.topic, Topic::EntryPoints | Topic::Measures) {
                continue;
            }
            for &name in one.names {
                let is_bound = known
                    .iter()
                    .any(|known| known == name || known.strip_prefix("get$") == Some(name));
                let is_language =
                    name == "[]" || name == "for" || super::super::names::BUILT_IN.contains(&name);
                assert!(is_bound || is_language || api::GLOBALS.contains(&name), "{name}");
            }
        }
    }
}
