//! Writes the trace of a turn while the interpreter takes it, by the debugging interface of Rhai. A script is compiled a second time for
//! this, since scripts that can be traced are slower.

use rhai::debugger::{DebuggerCommand, DebuggerEvent};
use rhai::{ASTNode, Dynamic, Engine, EvalContext, Expr, Expression, Position};

use super::problem::Result;
use super::trace::{Trace, last_property};
use super::turn::ScriptTurn;
use super::{live_values, turn, value};

/// Lets an engine trace the turns whose record asks for it.
pub(super) fn register(engine: &mut Engine) {
    #[expect(deprecated, reason = "it may change, but the version is pinned")]
    engine.register_debugger(
        |_, debugger| debugger,
        |mut context, event, node, source, _| -> Result<DebuggerCommand> {
            // The end of a function is none of its parts.
            if matches!(event, DebuggerEvent::Start | DebuggerEvent::Step) {
                visit(&mut context, node, source)?;
            }
            // It is called again for the next part.
            Ok(DebuggerCommand::StepInto)
        },
    );
}

/// Notes that the interpreter comes to a part of a script.
fn visit(
    context: &mut EvalContext<'_, '_, '_, '_, '_, '_>,
    node: ASTNode<'_>,
    source: Option<&str>,
) -> Result<()> {
    // What is evaluated for the trace is not traced.
    let Some(mut trace) = take_trace() else { return Ok(()) };
    let stack = context.global_runtime_state().debugger().call_stack();
    // A function that a function of Rhai calls, such as a closure, has no position.
    let positions = stack.iter().map(|frame| frame.pos).filter(|position| !position.is_none());
    trace.enter(&positions.collect::<Vec<Position>>(), source);
    let variables = variables(context);
    let read = match node {
        ASTNode::Expr(Expr::Variable(variable, ..)) if variable.2.is_empty() => {
            let known = variables.iter().find(|(name, _)| *name == variable.1.as_str());
            known.map(|(_, text)| text.clone())
        }
        // One that fails has no value; the script fails there, too.
        ASTNode::Expr(part) if last_property(part).is_some() => {
            context.eval_expression_tree(&Expression::from(part)).ok().map(|value| text(&value))
        }
        _ => None,
    };
    turn::with(|turn| {
        let state = &turn.state;
        trace.add_changes(&variables, |name| state.get(name).map(live_values::value_text));
        trace.add_part(node, &variables, read);
        if let Some(record) = turn.record.as_mut() {
            record.trace = Some(trace);
        }
        Ok(())
    })
}

/// Takes the trace of the turn, if there is one with room.
fn take_trace() -> Option<Trace> {
    let take = |turn: &mut ScriptTurn| {
        let trace = turn.record.as_mut().map(|record| &mut record.trace);
        Ok(trace.and_then(|trace| trace.take_if(|trace| !trace.is_full())))
    };
    turn::with(take).ok().flatten()
}

/// Returns the variables of the function that runs, the oldest first, with their values as short strings. Of several with the same name, only
/// the newest counts.
fn variables(context: &EvalContext<'_, '_, '_, '_, '_, '_>) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = Vec::new();
    // The newest is the first.
    for (name, _, value) in context.scope().iter_raw().filter(|(name, ..)| *name != "me") {
        if all.iter().all(|(known, _)| known != name) {
            all.push((name.to_owned(), text(value)));
        }
    }
    all.reverse();
    all
}

/// Returns a value as a short text.
fn text(value: &Dynamic) -> String {
    live_values::text(&value.flatten_clone()).unwrap_or_else(|| value::kind(value))
}
