//! The debugger: steps through the turns of agents, forward and back, for editors that speak the Debug Adapter Protocol.
//!
//! A turn is computed as a whole, and its values are noted in order. The debugger moves through these notes, so it sees exactly what a run
//! without it computes, and a step back is as cheap as a step. Ticks go back as they do in the window.

mod behind_lines;
mod breakpoints;
mod edited_line;
mod elements;
mod mistake;
mod no_value;
mod parts;
mod progress;
mod protocol;
mod recorded_turn;
mod server;
mod substitution;
mod suggest;
mod target;
mod travel;
mod values;

pub(crate) use server::serve;
