//! The messages that a script writes with `debug`, collected as values while a program runs. Whoever runs it
//! makes strings of them, in the same way as for the interpreter.

use super::machine::{Machine, Scene};
use super::width::Width;
use super::{Columns, LANES, Op, Type};
use crate::world::Value;

/// Number of messages that one agent can write in one tick.
pub const MAX_MESSAGES: usize = 100;

/// How a value is written as a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TextStyle {
    /// As in a string that is put together: a string as it is, `()` as nothing.
    Plain,
    /// As inside an array that is shown: a string in quotes, `()` as `()`.
    Quoted,
}

/// A part of what an agent writes.
#[derive(Clone, Debug, PartialEq)]
pub enum MessagePart {
    /// The next value of a message.
    Value(Value, TextStyle),
    /// A message ends. Holds the index of its place in the script.
    End(u16),
}

/// The parts of messages that the agents of a block write.
#[derive(Debug)]
pub(super) struct Messages {
    /// The parts in the order in which they are written, each with the lane of its agent.
    parts: Vec<(u8, MessagePart)>,
    /// The number of messages of each lane.
    counts: [u8; LANES],
}

impl Messages {
    pub(super) fn new() -> Self {
        Self { parts: Vec::new(), counts: [0; LANES] }
    }

    /// Removes everything.
    pub(super) fn clear(&mut self) {
        if !self.parts.is_empty() {
            *self = Self::new();
        }
    }

    /// Returns whether a lane may write more. One message more than the maximum is kept, so that an excess can be
    /// reported.
    fn is_open(&self, lane: usize) -> bool {
        usize::from(self.counts[lane]) <= MAX_MESSAGES
    }
}

impl<W: Width> Machine<W> {
    /// Adds a value to the message that is being written in each lane of a mask.
    pub(super) fn show(&mut self, scene: &Scene<'_>, op: &Op, ty: Type, style: TextStyle) {
        let at = op.read[0].columns();
        self.each_lane(scene, op, |machine, of, lane, ()| {
            if !machine.messages.is_open(lane) {
                return Some(());
            }
            let value = match (ty, at) {
                (Type::Agent, Columns::I(row)) => {
                    machine.other(of.world, row, lane).map(|other| Value::Agent(other.id()))
                }
                _ => machine.value_of(scene.program, ty, at, lane),
            };
            machine.messages.parts.push((lane as u8, MessagePart::Value(value?, style)));
            Some(())
        });
    }

    /// Ends the message that is being written in each lane of a mask.
    pub(super) fn end_message(&mut self, scene: &Scene<'_>, op: &Op, place: u16) {
        self.each_lane(scene, op, |machine, _, lane, ()| {
            if machine.messages.is_open(lane) {
                machine.messages.parts.push((lane as u8, MessagePart::End(place)));
                machine.messages.counts[lane] += 1;
            }
            Some(())
        });
    }

    /// Returns whether the agent of a lane wrote messages.
    pub fn has_messages(&self, lane: usize) -> bool {
        self.messages.counts[lane] > 0
    }

    /// Returns the messages of the agents, in the order of the lanes. Those of a faulted lane must not be used.
    pub fn take_messages(&mut self) -> Vec<(usize, MessagePart)> {
        if self.messages.parts.is_empty() {
            return Vec::new();
        }
        let mut parts = std::mem::replace(&mut self.messages, Messages::new()).parts;
        parts.sort_by_key(|(lane, _)| *lane);
        parts.into_iter().map(|(lane, part)| (usize::from(lane), part)).collect()
    }
}
