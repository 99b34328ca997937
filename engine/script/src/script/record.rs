//! The record of a turn: the calls of primitives and the choices that a script makes while the interpreter runs it.

use super::trace::{CallSite, Trace};
use crate::steer::{ChoiceRule, ExplainedCall};

/// Everything that is recorded in a turn.
#[derive(Debug, Default)]
pub(super) struct TurnRecord {
    /// The calls of primitives, in order, and where they are in the script.
    pub(super) calls: Vec<(ExplainedCall, CallSite)>,
    /// The choices that the script has made: their names, how, and where they are in the script.
    pub(super) choices: Vec<(String, ChoiceRule<f32>, CallSite)>,
    /// The statements that run, if they are asked for.
    pub(super) trace: Option<Trace>,
}
