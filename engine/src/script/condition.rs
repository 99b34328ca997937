//! Conditions: expressions that hold for an agent or not.

use std::sync::Arc;

use super::compile::Script;
use super::{Behavior, Scripts};
use crate::diag::{Diagnostic, Diagnostics};
use crate::sim::Brain;

/// Compiles an expression about an agent, `me`, that is true or false: `me.state.mode == "run"`, `me.speed < 1`. The
/// result is for [`Simulation::agents_where`](crate::sim::Simulation::agents_where).
///
/// # Errors
///
/// If the expression has errors. The diagnostics have no place.
pub fn condition(expression: &str) -> Result<Arc<dyn Brain>, Diagnostic> {
    if expression.trim().is_empty() {
        return Err(Diagnostic::error("there is no condition").help("for example `me.speed > 5`"));
    }
    // The line break ends a comment in the expression.
    let before = "fn steer(me) { if (";
    let text = format!("{before}{expression}\n) {{ vec(1, 0) }} else {{ vec(0, 0) }} }}");
    let scripts = Scripts::new().with("condition", text.as_str());
    let compiled = Script::compile("condition", &scripts).map_err(Diagnostics::into_first);
    let end = before.len() + expression.len();
    let behavior = compiled.and_then(Behavior::new).map_err(|error| {
        if error.place.as_ref().is_some_and(|place| place.span.start >= end) {
            return Diagnostic::error("the expression is not complete");
        }
        without_place(error)
    });
    Ok(Arc::new(behavior?))
}

/// Removes the place, which is in a script that nobody has written.
fn without_place(error: Diagnostic) -> Diagnostic {
    Diagnostic { place: None, ..error }
}
