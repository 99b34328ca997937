//! Shared values: checks what the scenario declares, what events set, and what conditions test.

use std::ops::Range;

use serde::Deserialize;

use super::findings::{Findings, KnownNames};
use super::ordered::Ordered;
use super::public;
use super::rule::{self, RuleSpec};
use super::spanned::Spanned;
use crate::diag::{Code, Diagnostic};
use crate::number::Finite;
use crate::schema::described;
use crate::sim::SharedTest;
use crate::world::{PublicType, SharedValue, Value};

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
    specs: &Ordered<Spanned<RuleSpec>>,
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

fn value(findings: &mut Findings<'_>, name: &str, spec: &Spanned<RuleSpec>) -> Option<SharedValue> {
    let (of, start) = rule::build(findings, spec, "a shared value")?;
    Some(SharedValue::new(name, of.rule, of.each_tick, start))
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
