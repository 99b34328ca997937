//! The record of a turn: the calls of primitives and the choices that a script makes while the interpreter runs it.

use rhai::{NativeCallContext, Position};

use crate::steer::{ChoiceRule, ExplainedCall};

/// Everything that is recorded in a turn.
#[derive(Debug, Default)]
pub(super) struct TurnRecord {
    /// The calls of primitives, in order, and where they are in the script.
    pub(super) calls: Vec<(ExplainedCall, CallSite)>,
    /// The choices that the script has made: their names, how, and where they are in the script.
    pub(super) choices: Vec<(String, ChoiceRule<f32>, CallSite)>,
}

/// Where a call is in a script.
#[derive(Clone, Debug)]
pub(super) struct CallSite {
    /// The name of the script, if it is an imported one.
    pub(super) source: Option<String>,
    pub(super) position: Position,
}

impl CallSite {
    /// Creates the place of a call that is being made.
    pub(super) fn new(context: &NativeCallContext<'_>) -> Self {
        let source = context.call_source().map(str::to_owned);
        Self { source, position: context.call_position() }
    }
}
