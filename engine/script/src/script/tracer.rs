//! Writes the trace of a turn while the interpreter takes it, by the debugging interface of Rhai. A script is compiled a second time for
//! this, since scripts that can be traced are slower.

use rhai::debugger::{DebuggerCommand, DebuggerEvent};
use rhai::{ASTNode, Dynamic, Engine, EvalContext, Expr, Position};

use super::problem::Result;
use super::{live_values, turn, value};

/// Lets an engine trace the turns whose record asks for it.
pub(super) fn register(engine: &mut Engine) {
    #[expect(deprecated, reason = "it may change, but the version is pinned")]
    engine.register_debugger(
        |_, debugger| debugger,
        |context, event, node, source, _| -> Result<DebuggerCommand> {
            // The end of a function is none of its parts.
            if matches!(event, DebuggerEvent::Start | DebuggerEvent::Step) {
                visit(&context, node, source)?;
            }
            // It is called again for the next part.
            Ok(DebuggerCommand::StepInto)
        },
    );
}

/// Notes that the interpreter comes to a part of a script.
fn visit(
    context: &EvalContext<'_, '_, '_, '_, '_, '_>,
    node: ASTNode<'_>,
    source: Option<&str>,
) -> Result<()> {
    let is_traced = turn::with(|turn| {
        let trace = turn.record.as_ref().and_then(|record| record.trace.as_ref());
        Ok(trace.is_some_and(|trace| !trace.is_full()))
    });
    if !is_traced.unwrap_or(false) {
        return Ok(());
    }
    let stack = context.global_runtime_state().debugger().call_stack();
    // A function that a function of Rhai calls, such as a closure, has no position.
    let positions = stack.iter().map(|frame| frame.pos).filter(|position| !position.is_none());
    let positions: Vec<Position> = positions.collect();
    let all = context.scope().iter_raw().filter(|(name, ..)| *name != "me");
    let variables: Vec<(String, String)> =
        all.map(|(name, _, value)| (name.to_owned(), text(value))).collect();
    let read = match node {
        ASTNode::Expr(Expr::Variable(variable, ..)) if variable.2.is_empty() => {
            let newest = variables.iter().rfind(|(name, _)| *name == variable.1.as_str());
            newest.map(|(_, text)| text.clone())
        }
        _ => None,
    };
    turn::with(|turn| {
        let state = &turn.state;
        if let Some(trace) = turn.record.as_mut().and_then(|record| record.trace.as_mut()) {
            trace.enter(&positions, source);
            trace.add_changes(&variables, |name| state.get(name).map(live_values::value_text));
            trace.add_part(node, &variables, read);
        }
        Ok(())
    })
}

/// Returns a value as a short text.
fn text(value: &Dynamic) -> String {
    live_values::text(&value.flatten_clone()).unwrap_or_else(|| value::kind(value))
}
