//! Shared values: checks what the scenario declares, what events set, and what conditions test.

use std::ops::Range;

use serde::Deserialize;

use super::findings::{Findings, KnownNames};
use super::ordered::Ordered;
use super::public::{self, PublicSpec};
use super::spanned::Spanned;
use crate::diag::{Code, Diagnostic};
use crate::number::Finite;
use crate::schema::described;
use crate::sim::SharedTest;
use crate::world::{PublicRule, PublicType, SharedRule, SharedValue, Value};

described! {
    #[derive(Debug, Deserialize)]
    #[serde(rename = "rule", deny_unknown_fields)]
    pub(super) enum SharedSpec {
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

described! {
    #[derive(Clone, Copy, Debug, Deserialize)]
    #[serde(rename = "test", deny_unknown_fields)]
    pub(super) enum SharedTestSpec {
        /// It is true.
        True,
        /// It is false.
        False,
        /// It is at least this number.
        AtLeast(Finite),
        /// It is at most this number.
        AtMost(Finite),
    }
}

/// The most shared values of a scenario. Each costs time in every tick.
const MAX_SHARED: usize = 256;

/// The shared values of a scenario, and their names.
pub(super) struct CheckedShared {
    pub(super) names: KnownNames,
    /// One for each name. A value that cannot be read is `None`.
    all: Vec<Option<SharedValue>>,
}

impl CheckedShared {
    /// Returns the values that can be read.
    pub(super) fn values(&self) -> Vec<SharedValue> {
        self.all.iter().flatten().cloned().collect()
    }

    /// Returns the shared value with a name. `None` if there is none, or if it cannot be read.
    pub(super) fn find(
        &self,
        findings: &mut Findings<'_>,
        name: &Spanned<String>,
    ) -> Option<&SharedValue> {
        let index = findings.find(&self.names, name)?;
        self.all[usize::from(index)].as_ref()
    }

    /// Checks a value that a shared value gets.
    pub(super) fn new_value(
        &self,
        findings: &mut Findings<'_>,
        name: &Spanned<String>,
        (new, place): (Option<&Value>, Range<usize>),
    ) -> Option<(SharedValue, Value)> {
        let (shared, new) = (self.find(findings, name)?, new?);
        match shared.ty().fit(new.clone()) {
            Some(new) => Some((shared.clone(), new)),
            None => {
                let (name, wanted) = (&shared.name, shared.ty().description());
                let found = new.kind();
                let wrong = Diagnostic::error(format!(
                    "the shared value `{name}` is {wanted}, not {found}"
                ));
                findings.add(wrong.code(Code::WrongType), place);
                None
            }
        }
    }
}

/// Checks the shared values of a scenario.
pub(super) fn build(
    findings: &mut Findings<'_>,
    specs: &Ordered<Spanned<SharedSpec>>,
) -> CheckedShared {
    let names = findings.names("shared value", specs);
    for ((key, _), name) in specs.0.iter().zip(&names.all) {
        public::check_identifier(findings, key, name, "world.shared");
    }
    if let Some((key, _)) = specs.0.get(MAX_SHARED) {
        let many = format!("a scenario can have at most {MAX_SHARED} shared values");
        findings.error(many, findings.span(key));
    }
    let specs = specs.0.iter().zip(&names.all);
    let all = specs.map(|((_, spec), name)| value(findings, name, spec)).collect();
    CheckedShared { names, all }
}

fn value(
    findings: &mut Findings<'_>,
    name: &str,
    spec: &Spanned<SharedSpec>,
) -> Option<SharedValue> {
    let (of, start) = rule(findings, spec, "a shared value")?;
    Some(SharedValue::new(name, of.rule, of.each_tick, start))
}

/// Returns a rule and its first value. `what` has the rule, for messages.
pub(super) fn rule(
    findings: &mut Findings<'_>,
    spec: &Spanned<SharedSpec>,
    what: &str,
) -> Option<(PublicRule, Value)> {
    let number = |start: &Option<Finite>| Value::Float(start.map_or(0.0, |start| start.0));
    let (rule, each_tick, start) = match findings.read(spec)? {
        SharedSpec::Sum { start, each_tick } => (SharedRule::Sum, each_tick, number(start)),
        SharedSpec::Any { start, each_tick } => (SharedRule::Any, each_tick, Value::Bool(*start)),
        SharedSpec::All { start, each_tick } => {
            (SharedRule::All, each_tick, Value::Bool(start.unwrap_or(true)))
        }
        SharedSpec::Largest { start, each_tick } => {
            (SharedRule::Largest, each_tick, Value::Float(start.0))
        }
        SharedSpec::Smallest { start, each_tick } => {
            (SharedRule::Smallest, each_tick, Value::Float(start.0))
        }
        SharedSpec::Latest { start, each_tick } => {
            let (_, start) = public::first_value(findings, start, what)?;
            (SharedRule::Latest, each_tick, start)
        }
    };
    Some((PublicRule { rule, each_tick: *each_tick }, start))
}

/// Checks the test of a shared value.
pub(super) fn test(
    findings: &mut Findings<'_>,
    shared: &SharedValue,
    spec: &Spanned<SharedTestSpec>,
) -> Option<SharedTest> {
    let (test, ty) = match findings.read(spec)? {
        SharedTestSpec::True => (SharedTest::Equal(true), PublicType::Bool),
        SharedTestSpec::False => (SharedTest::Equal(false), PublicType::Bool),
        SharedTestSpec::AtLeast(least) => (SharedTest::AtLeast(least.0), PublicType::Number),
        SharedTestSpec::AtMost(most) => (SharedTest::AtMost(most.0), PublicType::Number),
    };
    if shared.ty() != ty {
        let (name, is) = (&shared.name, shared.ty().description());
        let wrong = Diagnostic::error(format!(
            "this tests {}, but the shared value `{name}` is {is}",
            ty.description()
        ))
        .code(Code::WrongType)
        .help("test a boolean with `True` or `False`, and a number with `AtLeast(..)` or `AtMost(..)`");
        findings.add(wrong, findings.span(spec));
        return None;
    }
    Some(test)
}
