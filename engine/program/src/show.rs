//! Operations that write messages.

use super::machine::{Machine, Scene};
use super::width::Width;
use super::{MessagePart, Op, TextStyle, Type};

impl<W: Width> Machine<W> {
    /// Adds a value to the message that is being written in each lane of a mask.
    pub(super) fn show(&mut self, scene: &Scene<'_>, op: &Op, ty: Type, style: TextStyle) {
        let at = op.read[0].columns();
        self.each_lane(scene, op, |machine, of, lane, ()| {
            if !machine.messages.is_open(lane) {
                return Some(());
            }
            let value = machine.value_in_world(scene.program, of.world, ty, at, lane)?;
            machine.messages.add(lane, value, style);
            Some(())
        });
    }

    /// Ends the message that is being written in each lane of a mask.
    pub(super) fn end_message(&mut self, scene: &Scene<'_>, op: &Op, place: u16) {
        self.each_lane(scene, op, |machine, _, lane, ()| {
            if machine.messages.is_open(lane) {
                machine.messages.end(lane, place);
            }
            Some(())
        });
    }

    /// Returns whether the agent of a lane wrote messages.
    pub fn has_messages(&self, lane: usize) -> bool {
        self.messages.has_any(lane)
    }

    /// Returns the messages of the agents, in the order of the lanes. Those of a faulted lane must not be used.
    pub fn take_messages(&mut self) -> Vec<(usize, MessagePart)> {
        self.messages.take()
    }
}
