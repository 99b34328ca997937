//! Behaviors as flat programs over columns.
//!
//! A behavior is lowered once for all agents of a group. The program runs for a block of agents at a time: each operation
//! runs in all lanes before the next one, and masks take the place of branches. A lane in which an error occurs is marked
//! as faulted, and its results must not be used: the caller then runs the interpreter for that agent, which
//! reports the error.
//!
//! Only `flockwork-script` uses this crate. It is a crate so that it can be optimized as one part, and fully.

#![expect(
    missing_docs,
    reason = "only flockwork-script uses what is public here; much of it needs no explanation"
)]

mod agents;
mod arrays;
mod banks;
mod changes;
mod columns;
mod execution;
mod explain;
mod form;
mod give;
mod kind;
mod lanes;
mod machine;
mod memory;
mod messages;
mod neighborhoods;
mod notes;
mod op;
mod optimize;
mod queries;
mod reasons;
mod shared;
mod show;
mod steps;
mod strings;
mod surroundings;
#[cfg(test)]
mod tests;
mod variables;
mod vectors;
mod width;

use flockwork_core::{diag, geom, math, sim, simd, steer, world};

#[cfg(test)]
use banks::Banks;
pub use changes::{ChangeCall, LayerCall, ListenersCall};
pub use columns::{B, Bank, Columns, F, I, Operand, OperandSlots, Operands, Slot, V};
pub use execution::CompiledWidth;
pub use explain::{WatchedTurn, comes_to, watch};
pub use kind::*;
pub use machine::{Block, GroupLanes, Machine};
pub use messages::{MAX_MESSAGES, MessagePart, TextStyle};
pub use notes::{Note, NotePlace, NotedColumns, NotedStep, NotedValue, TypedColumns};
pub use op::*;
pub use optimize::optimize;
pub use steps::{MAX_STEPS, MAX_WAYS, max_loop_ways, max_query_steps, max_ways};
pub use strings::Strings;
pub use width::{Few, Many, One, Width};

/// The maximum number of agents in a block.
pub const LANES: usize = 128;
