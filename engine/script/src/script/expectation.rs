//! Expectations written as scripts, with a function `expect(now)` that returns whether the expectation holds.

use rhai::Dynamic;

use super::compile::Script;
use super::entry_point::EntryPoint;
use super::now::{NowFunction, number};
use super::{Library, value};
use crate::diag::{Code, Diagnostic, Diagnostics};
use crate::expect::{self, Verdict};
use crate::sim::Simulation;
use crate::trace::{Measure, Totals};

const EXPECT: EntryPoint = EntryPoint {
    name: "expect",
    signature: "fn expect(now)",
    parameter: "the measures of the tick",
    purpose: "an expectation needs a function `fn expect(now) { ... }` that returns true or false",
};

/// A compiled script with a function `expect(now)`.
#[derive(Debug)]
pub struct CompiledExpectation(NowFunction);

impl CompiledExpectation {
    /// Reads, compiles and checks a script and everything it imports.
    ///
    /// # Errors
    ///
    /// If a script does not exist, cannot be read, or has errors.
    pub fn compile(name: &str, library: &dyn Library) -> Result<Self, Diagnostics> {
        Self::new(Script::compile_without_agent(name, library)?)
    }

    /// Creates an expectation from a script.
    ///
    /// # Errors
    ///
    /// If `expect(now)` is missing, or reads something that `now` does not have.
    pub fn new(script: Script) -> Result<Self, Diagnostics> {
        NowFunction::new(script, &EXPECT).map(Self)
    }
}

impl expect::ExpectationScript for CompiledExpectation {
    fn measures(&self) -> &[Measure] {
        self.0.measures()
    }

    fn judge(
        &self,
        simulation: &Simulation,
        totals: Option<&Totals>,
    ) -> (Result<Verdict, Diagnostic>, Vec<String>) {
        let (result, messages) = self.0.call(simulation, totals);
        let result = result.and_then(|returned| {
            verdict(&returned).map_err(|wrong| {
                let what = "`expect` must return true, false or a finite number, but returned";
                let error = self.0.error(format!("{what} {wrong}"));
                if number(&returned).is_none() { error.code(Code::WrongType) } else { error }
            })
        });
        (result, messages)
    }

    fn position(&self) -> String {
        self.0.error(String::new()).position()
    }
}

/// Converts the result of a script, or returns a description of a wrong one.
fn verdict(returned: &Dynamic) -> Result<Verdict, String> {
    if let Ok(holds) = returned.as_bool() {
        return Ok(Verdict::Bool(holds));
    }
    match number(returned) {
        Some(margin) if margin.is_finite() => Ok(Verdict::Margin(margin)),
        Some(margin) => Err(margin.to_string()),
        None => Err(value::kind(returned).to_string()),
    }
}
