//! Values that scripts read, with their first values, and rules that combine what comes with what is there.

use serde::Deserialize;
use serde::de::Deserializer;

use super::findings::Findings;
use super::spanned::Spanned;
use super::state_value::StateValue;
use crate::diag::{Code, Diagnostic};
use crate::number::Finite;
use crate::schema::{described, values};
use crate::world::{PublicRule, PublicType, SharedRule, Value};

/// The first value of a public state or a shared value.
#[derive(Debug)]
pub(super) struct PublicSpec(pub(super) Value);

impl<'de> Deserialize<'de> for PublicSpec {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        StateValue::deserialize(deserializer).map(|StateValue(value)| Self(value))
    }
}

values! {
    PublicSpec: "true, false, a number, a string, a vector (x, y), or `()` for an agent or nothing";
}

described! {
    #[derive(Debug, Deserialize)]
    #[serde(rename = "rule", deny_unknown_fields)]
    pub(super) enum RuleSpec {
        /// A sum: contributions are added.
        Sum {
            /// The first value. Default: 0.
            start: Option<Finite>,
            /// Whether it begins again in each tick, so that only the contributions of one tick count. Default: false.
            #[serde(default)]
            each_tick: bool,
        },
        /// A boolean that becomes true if a contribution is true.
        Any {
            /// The first value. Default: false.
            #[serde(default)]
            start: bool,
            /// Whether it begins again in each tick, so that only the contributions of one tick count. Default: false.
            #[serde(default)]
            each_tick: bool,
        },
        /// A boolean that becomes false if a contribution is false.
        All {
            /// The first value. Default: true.
            start: Option<bool>,
            /// Whether it begins again in each tick, so that only the contributions of one tick count. Default: false.
            #[serde(default)]
            each_tick: bool,
        },
        /// The largest number.
        Largest {
            /// The first value, which is the result if all contributions are smaller.
            start: Finite,
            /// Whether it begins again in each tick, so that only the contributions of one tick count. Default: false.
            #[serde(default)]
            each_tick: bool,
        },
        /// The smallest number.
        Smallest {
            /// The first value, which is the result if all contributions are larger.
            start: Finite,
            /// Whether it begins again in each tick, so that only the contributions of one tick count. Default: false.
            #[serde(default)]
            each_tick: bool,
        },
        /// The latest contribution; of those of one tick, that of the agent with the highest id.
        Latest {
            /// The first value. It gives the type.
            start: Spanned<PublicSpec>,
            /// Whether it begins again in each tick, so that only the contributions of one tick count. Default: false.
            #[serde(default)]
            each_tick: bool,
        },
    }
}

/// Returns the first value of something that scripts read, and its type.
pub(super) fn first_value(
    findings: &mut Findings<'_>,
    spec: &Spanned<PublicSpec>,
    what: &str,
) -> Option<(PublicType, Value)> {
    let PublicSpec(value) = findings.read(spec)?;
    let ty = PublicType::of(value).filter(|_| !matches!(value, Value::Agent(_)));
    let Some(ty) = ty else {
        let wrong = Diagnostic::error(format!("{what} cannot begin as {}", value.kind()))
            .code(Code::WrongType)
            .help(match value {
                Value::Agent(_) => "begin with `()`, which means an agent or nothing",
                _ => "use a boolean, a number, a string, a vector `(x, y)`, or `()` for an agent or nothing",
            });
        findings.add(wrong, findings.span(spec));
        return None;
    };
    Some((ty, ty.fit(value.clone())?))
}

/// Returns a rule and its first value. `what` has the rule, for messages.
pub(super) fn build(
    findings: &mut Findings<'_>,
    spec: &Spanned<RuleSpec>,
    what: &str,
) -> Option<(PublicRule, Value)> {
    let number = |start: &Option<Finite>| Value::Float(start.map_or(0.0, |start| start.0));
    let (rule, each_tick, start) = match findings.read(spec)? {
        RuleSpec::Sum { start, each_tick } => (SharedRule::Sum, each_tick, number(start)),
        RuleSpec::Any { start, each_tick } => (SharedRule::Any, each_tick, Value::Bool(*start)),
        RuleSpec::All { start, each_tick } => {
            (SharedRule::All, each_tick, Value::Bool(start.unwrap_or(true)))
        }
        RuleSpec::Largest { start, each_tick } => {
            (SharedRule::Largest, each_tick, Value::Float(start.0))
        }
        RuleSpec::Smallest { start, each_tick } => {
            (SharedRule::Smallest, each_tick, Value::Float(start.0))
        }
        RuleSpec::Latest { start, each_tick } => {
            let (_, start) = first_value(findings, start, what)?;
            (SharedRule::Latest, each_tick, start)
        }
    };
    Some((PublicRule { rule, each_tick: *each_tick }, start))
}
