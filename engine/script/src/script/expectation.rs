//! Expectations written as scripts, with a function `expect(now)` that returns whether the expectation holds.

use rhai::Dynamic;

use super::compile::Script;
use super::entry_point::EntryPoint;
use super::now::{NowFunction, number};
use super::{Library, value};
use crate::diag::{Code, Diagnostic, Diagnostics, Place};
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

    fn last_part(&self, simulation: &Simulation, totals: Option<&Totals>) -> Option<Place> {
        self.0.last_part(simulation, totals)
    }

    fn position(&self) -> String {
        self.0.error(String::new()).position()
    }

    fn meaning(&self) -> Option<String> {
        first_sentence(self.0.text())
    }
}

/// Returns the first sentence of the comment at the beginning of a script. `None` if it begins with something else.
fn first_sentence(text: &str) -> Option<String> {
    let lines = text.lines().map_while(|line| line.trim().strip_prefix("//"));
    // A comment for documentation has a third slash.
    let words = lines.flat_map(|line| line.trim_start_matches(['/', '!']).split_whitespace());
    let mut sentence = String::new();
    for word in words {
        if !sentence.is_empty() {
            sentence.push(' ');
        }
        sentence += word;
        if word.ends_with(['.', '!', '?']) {
            break;
        }
    }
    (!sentence.is_empty()).then_some(sentence)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_meaning_is_the_first_sentence_of_the_first_comment() {
        let sentence = |text: &str| first_sentence(text);
        let two_lines = "// All are within\n// 1.5 m. Some more.\nfn expect(now) { true }";
        assert_eq!(sentence(two_lines).as_deref(), Some("All are within 1.5 m."));
        assert_eq!(sentence("/// No full stop\n\n// Later.").as_deref(), Some("No full stop"));
        assert_eq!(sentence("fn expect(now) { true } // Always."), None);
        assert_eq!(sentence("//\nfn expect(now) { true }"), None);
    }
}
