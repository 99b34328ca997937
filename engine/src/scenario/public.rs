//! Public state: checks what the groups declare.

use std::collections::BTreeMap;
use std::sync::Arc;

use ron::value::RawValue;
use serde::de::{Deserialize, Deserializer};

use super::findings::Findings;
use super::ordered::{MayFail, Ordered};
use super::param::is_identifier;
use super::rule::{self, PublicSpec, RuleSpec, first_value};
use super::spanned::Spanned;
use crate::diag::{Code, Diagnostic, Place};
use crate::schema::{Described, Shape};
use crate::world::{PublicRule, PublicType, Values};

/// A public state: its first value, or a rule with a first value.
#[derive(Debug)]
pub(super) enum PublicStateSpec {
    Value(Spanned<PublicSpec>),
    Rule(Spanned<RuleSpec>),
}

impl<'de> Deserialize<'de> for PublicStateSpec {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = <&RawValue>::deserialize(deserializer)?;
        let text = raw.trim().get_ron();
        let is_rule =
            text.starts_with(|c: char| c.is_ascii_uppercase()) && !text.starts_with("Agent");
        Ok(if is_rule { Self::Rule(Spanned::of(raw)) } else { Self::Value(Spanned::of(raw)) })
    }
}

impl MayFail for PublicStateSpec {
    fn has_failed(&self) -> bool {
        match self {
            Self::Value(value) => value.has_failed(),
            Self::Rule(rule) => rule.has_failed(),
        }
    }
}

impl Described for PublicStateSpec {
    fn shape() -> Shape {
        RuleSpec::shape()
    }
}

/// The most names of public state in a scenario. Each has a value for every agent.
const MAX_NAMES: usize = 64;

/// The public names so far, each with its type, and with the group and the place that declare it first.
#[derive(Default)]
pub(super) struct PublicTypes(BTreeMap<Arc<str>, (PublicType, Arc<str>, Place)>);

/// The places where public names are declared.
pub(super) type PublicPlaces = BTreeMap<Arc<str>, Place>;

/// Checks that scripts can read a name as a property of something.
pub(super) fn check_identifier(
    findings: &mut Findings<'_>,
    key: &Spanned<String>,
    name: &str,
    of: &str,
) {
    if !name.is_empty() && !is_identifier(name) {
        let kind = of.rsplit('.').next().unwrap_or_default();
        let what = if kind == "state" { "a state" } else { "a shared value" };
        let wrong =
            Diagnostic::error(format!("`{name}` cannot be read as `{of}.{name}`")).help(format!(
                "use letters a to z, digits and `_` in the name of {what}, and start with a letter"
            ));
        findings.add(wrong, findings.span(key));
    }
}

/// The public state that a group declares.
#[derive(Default)]
pub(super) struct CheckedPublic {
    /// The first values.
    pub(super) values: Values,
    /// The rules, for some of the names.
    pub(super) rules: BTreeMap<Arc<str>, PublicRule>,
    /// The places of the names.
    pub(super) places: PublicPlaces,
}

/// Checks the public state of a group.
pub(super) fn build(
    findings: &mut Findings<'_>,
    known: &mut PublicTypes,
    group: &Arc<str>,
    specs: &Ordered<PublicStateSpec>,
) -> CheckedPublic {
    let mut built = CheckedPublic::default();
    let names = findings.names("public state", specs);
    for ((key, spec), name) in specs.0.iter().zip(&names.all) {
        let place = findings.place(key);
        check_identifier(findings, key, name, "other.state");
        let (value, value_span, rule) = match spec {
            PublicStateSpec::Value(spec) => {
                let value = first_value(findings, spec, "a public state");
                (value, findings.span(spec), None)
            }
            PublicStateSpec::Rule(spec) => {
                let read = rule::build(findings, spec, "a public state");
                let value = read.as_ref().map(|(_, value)| value.clone());
                let value = value.and_then(|value| Some((PublicType::of(&value)?, value)));
                (value, findings.span(spec), read.map(|(rule, _)| rule))
            }
        };
        let Some((ty, value)) = value else { continue };
        match known.0.get(name) {
            Some((first, other, declared)) if *first != ty => {
                let wrong = Diagnostic::error(format!(
                    "the public state `{name}` is {}, but {} in group `{other}`",
                    ty.description(),
                    first.description()
                ))
                .code(Code::WrongType)
                .help("a script reads it from agents of all groups: give it the same type, or another name")
                .related(declared.clone(), "declared first here");
                findings.add(wrong, value_span);
                continue;
            }
            Some(_) => {}
            None if known.0.len() == MAX_NAMES => {
                let many = format!("a scenario can have at most {MAX_NAMES} names of public state");
                findings.error(many, place.span);
                break;
            }
            None => {
                known.0.insert(Arc::clone(name), (ty, Arc::clone(group), place.clone()));
            }
        }
        built.values.set(name, value);
        built.rules.extend(rule.map(|rule| (Arc::clone(name), rule)));
        built.places.insert(Arc::clone(name), place);
    }
    built
}
