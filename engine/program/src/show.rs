//! Operations that write messages.

use super::machine::{Machine, Scene};
use super::width::Width;
use super::{Columns, MessagePart, Op, TextStyle, Type};
use crate::world::Value;

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
            machine.messages.add(lane, value?, style);
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
