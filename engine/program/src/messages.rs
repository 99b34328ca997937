//! The messages that a script writes with `debug`, collected as values while a program runs. Whoever runs it
//! makes strings of them, in the same way as for the interpreter.

use super::LANES;
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
    pub(super) fn is_open(&self, lane: usize) -> bool {
        usize::from(self.counts[lane]) <= MAX_MESSAGES
    }
    /// Adds a value to the message that is being written in a lane.
    pub(super) fn add(&mut self, lane: usize, value: Value, style: TextStyle) {
        self.parts.push((lane as u8, MessagePart::Value(value, style)));
    }

    /// Ends the message that is being written in a lane.
    pub(super) fn end(&mut self, lane: usize, place: u16) {
        self.parts.push((lane as u8, MessagePart::End(place)));
        self.counts[lane] += 1;
    }

    /// Returns whether there are messages of a lane.
    pub(super) fn has_any(&self, lane: usize) -> bool {
        self.counts[lane] > 0
    }

    /// Returns the parts of messages in the order of the lanes, and removes everything.
    pub(super) fn take(&mut self) -> Vec<(usize, MessagePart)> {
        if self.parts.is_empty() {
            return Vec::new();
        }
        let mut parts = std::mem::replace(self, Self::new()).parts;
        parts.sort_by_key(|(lane, _)| *lane);
        parts.into_iter().map(|(lane, part)| (usize::from(lane), part)).collect()
    }
}
