//! Behaviors as flat programs over columns.
//!
//! A behavior is the same program for all agents of a group: read once, it is done for a block of them
//! at a time, each operation in all lanes before the next, branches by masks. A lane in which something
//! is wrong is marked as at fault and its results are thrown away: whoever runs the program does that
//! agent again in a way that can say what is wrong.

mod agents;
mod answers;
mod banks;
mod columns;
mod explain;
mod form;
mod kind;
mod lanes;
mod machine;
mod memory;
mod neighborhoods;
mod op;
mod reasons;
mod steps;
mod strings;
mod surroundings;
#[cfg(test)]
mod tests;
mod vectors;

#[cfg(test)]
use banks::Banks;
pub(crate) use columns::{B, Bank, Columns, F, I, Operand, OperandSlots, Operands, Slot, V};
pub(crate) use explain::explain;
pub(crate) use form::{Form, RecordedCall, split_into_shares};
pub(crate) use kind::*;
pub(crate) use machine::{Block, Machine};
pub(crate) use op::*;
pub(crate) use steps::{MAX_STEPS, max_question_steps};
pub(crate) use strings::Strings;

/// How many agents a block has at most.
pub(crate) const LANES: usize = 128;
