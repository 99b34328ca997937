//! Behaviors as flat programs over columns.
//!
//! A behavior is lowered once for all agents of a group. The program runs for a block of agents at a time: each operation
//! runs in all lanes before the next one, and masks take the place of branches. A lane in which an error occurs is marked
//! as faulted, and its results must not be used: the caller then runs the interpreter for that agent, which
//! reports the error.

mod agents;
mod banks;
mod columns;
mod explain;
mod form;
mod kind;
mod lanes;
mod machine;
mod memory;
mod messages;
mod neighborhoods;
mod op;
mod optimize;
mod queries;
mod reasons;
mod shared;
mod steps;
mod strings;
mod surroundings;
#[cfg(test)]
mod tests;
mod vectors;
mod width;

#[cfg(test)]
use banks::Banks;
pub(crate) use columns::{B, Bank, Columns, F, I, Operand, OperandSlots, Operands, Slot, V};
pub(crate) use explain::explain;
pub(crate) use kind::*;
pub(crate) use machine::{Block, GroupLanes, Machine};
pub(crate) use messages::{MAX_MESSAGES, MessagePart, TextStyle};
pub(crate) use op::*;
pub(crate) use optimize::optimize;
pub(crate) use steps::{MAX_STEPS, MAX_WAYS, max_loop_ways, max_query_steps, max_ways};
pub(crate) use strings::Strings;
pub(crate) use width::{Few, Many, One, Width};

/// The maximum number of agents in a block.
pub(crate) const LANES: usize = 128;
