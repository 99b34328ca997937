//! Measures written as scripts, with a function `measure(now)` that returns a number.

use super::compile::Script;
use super::entry_point::EntryPoint;
use super::now::{NowFunction, number};
use super::{Library, value};
use crate::diag::{Code, Diagnostic, Diagnostics};
use crate::sim::Simulation;
use crate::trace::{self, Measure, Totals};

const MEASURE: EntryPoint = EntryPoint {
    name: "measure",
    signature: "fn measure(now)",
    parameter: "the measures of the tick",
    purpose: "a measure needs a function `fn measure(now) { ... }` that returns a number",
};

/// A compiled script with a function `measure(now)`.
#[derive(Debug)]
pub struct CompiledMeasure(NowFunction);

impl CompiledMeasure {
    /// Reads, compiles and checks a script and everything it imports.
    ///
    /// # Errors
    ///
    /// If a script does not exist, cannot be read, or has errors.
    pub fn compile(name: &str, library: &dyn Library) -> Result<Self, Diagnostics> {
        Self::new(Script::compile_without_agent(name, library)?)
    }

    /// Creates a measure from a script.
    ///
    /// # Errors
    ///
    /// If `measure(now)` is missing, or reads something that `now` does not have.
    pub fn new(script: Script) -> Result<Self, Diagnostics> {
        NowFunction::new(script, &MEASURE).map(Self)
    }
}

impl trace::MeasureScript for CompiledMeasure {
    fn measures(&self) -> &[Measure] {
        self.0.measures()
    }

    fn take(
        &self,
        simulation: &Simulation,
        totals: Option<&Totals>,
    ) -> Result<Option<f32>, Diagnostic> {
        let (returned, _) = self.0.call(simulation, totals);
        let returned = returned?;
        if returned.is_unit() {
            return Ok(None);
        }
        let (wrong, code) = match number(&returned) {
            Some(value) if value.is_finite() => return Ok(Some(value)),
            // Another tick may have a finite one.
            Some(value) => (value.to_string(), Code::Invalid),
            None => (value::kind(&returned).to_string(), Code::WrongType),
        };
        let wrong =
            format!("`measure` must return a finite number or nothing, but returned {wrong}");
        let wrong = self.0.error(wrong).code(code);
        Err(wrong.help(format!("this is at tick {}", simulation.world().tick)))
    }
}
