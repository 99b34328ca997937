//! Operations that describe changes of the world.

use super::machine::{Machine, Scene};
use super::width::Width;
use super::{Columns, LayerCall, Op, Program, Type};
use crate::math::Vec2;
use crate::sim::{ChangeKind, LayerChange};
use crate::world::{Value, World};

impl<W: Width> Machine<W> {
    /// Adds a value to the change that is being described in each lane of a mask.
    pub(super) fn give(&mut self, scene: &Scene<'_>, op: &Op, ty: Type) {
        let at = op.read[0].columns();
        self.each_lane(scene, op, |machine, of, lane, ()| {
            let value = machine.value_in_world(scene.program, of.world, ty, at, lane)?;
            machine.changes.values.push((lane as u8, value));
            Some(())
        });
    }

    /// Ends the change that is being described in each lane of a mask. A lane with too many changes is faulted.
    pub(super) fn end_change(&mut self, scene: &Scene<'_>, op: &Op, call: u16) {
        let call = &scene.program.changes[usize::from(call)];
        let mut values = std::mem::take(&mut self.changes.values);
        // Those of one lane stay in their order.
        values.sort_by_key(|(lane, _)| *lane);
        let mut values = values.into_iter().peekable();
        self.each_lane(scene, op, |machine, of, lane, ()| {
            // A lane that has faulted since is left out.
            while values.next_if(|(of, _)| usize::from(*of) < lane).is_some() {}
            let of_lane = std::iter::from_fn(|| values.next_if(|(of, _)| usize::from(*of) == lane));
            let neighborhood = |near| machine.neighborhood(scene.program, near, lane);
            let kind = call.change(of_lane.map(|(_, value)| value), neighborhood)?;
            if let ChangeKind::Capture { agent, .. } = kind {
                let other = of.world.agents.row(agent)?;
                let other = of.world.agents.group[other];
                of.world.group(of.group).captures.contains(&other).then_some(())?;
            }
            machine.changes.add(lane, kind)
        });
    }

    /// Returns whether the agent of a lane has decided on changes.
    pub fn has_changes(&self, lane: usize) -> bool {
        self.changes.has_any(lane)
    }

    /// Returns the changes of the agents but those of layers, each with its lane, and removes them. Those of a faulted lane must not be
    /// used.
    pub fn take_changes(&mut self) -> Vec<(usize, ChangeKind)> {
        self.changes.decided().collect()
    }

    /// Returns the changes of layers, each with its lane. Those of a faulted lane must not be used.
    pub fn layer_changes(&self) -> impl Iterator<Item = (usize, LayerChange)> + '_ {
        self.changes.of_layers()
    }

    /// Deposits or takes an amount in each lane of a mask.
    pub(super) fn change_layer(&mut self, scene: &Scene<'_>, op: &Op, call: u16) {
        let LayerCall { layer, into } = scene.program.layer_changes[usize::from(call)];
        self.each_lane(scene, op, |machine, of, lane, (point, amount): (Vec2, f32)| {
            if !(amount.is_finite() && amount >= 0.0) {
                return None;
            }
            let Some(cell) = of.world.layer(layer)?.cell_at(&of.world.space, point) else {
                return Some(());
            };
            let (agent, cell) = (of.world.agents.id[machine.row(lane)], cell as u32);
            machine.changes.add_of_layer(lane, LayerChange { agent, layer, into, cell, amount })
        });
    }

    /// Returns the value of a column in a lane; `None` if no value of a state can hold it.
    pub(super) fn value_in_world(
        &self,
        program: &Program,
        world: &World,
        ty: Type,
        at: Columns,
        lane: usize,
    ) -> Option<Value> {
        match (ty, at) {
            (Type::Agent, Columns::I(row)) => {
                self.other(world, row, lane).map(|other| Value::Agent(other.id()))
            }
            _ => self.value_of(program, ty, at, lane),
        }
    }
}
