//! Operations that read what is the same for all agents of a group.

use super::lanes::LaneValues;
use super::machine::{GroupLanes, Machine, Scene};
use super::width::Width;
use super::{Op, SharedInteger, SharedNumber, UNKNOWN_STRING};
use crate::world::{SharedValue, Value, World};

impl<W: Width> Machine<W> {
    /// Loads a shared number of each group.
    pub(super) fn common(&mut self, scene: &Scene<'_>, op: &Op, what: SharedNumber) {
        if what.is_of_space() {
            let GroupLanes { world, group, .. } = &scene.groups[0];
            self.banks.const_f(op.writes(), what.of(world, &world.group(*group).body));
            return;
        }
        for GroupLanes { world, group, lanes, .. } in scene.groups {
            let value = what.of(world, &world.group(*group).body);
            for lane in lanes.clone() {
                self.banks.set_number(op.writes(), lane, value);
            }
        }
    }

    /// Loads a shared integer of each group.
    pub(super) fn common_i(&mut self, scene: &Scene<'_>, op: &Op, what: SharedInteger) {
        for GroupLanes { world, group, lanes, .. } in scene.groups {
            let value = what.of(world, *group);
            for lane in lanes.clone() {
                self.banks.set_integer(op.writes(), lane, value);
            }
        }
    }

    /// Loads a shared value of each world, by its index.
    pub(super) fn shared_value(&mut self, scene: &Scene<'_>, op: &Op, index: u16) {
        for of in scene.groups {
            match of.world.shared.get(usize::from(index)).map(SharedValue::value) {
                Some(Value::Bool(x)) => self.fill(of, op, || *x),
                Some(Value::Float(x)) => self.fill(of, op, || *x),
                Some(Value::Vector(x)) => self.fill(of, op, || *x),
                Some(Value::String(text)) => {
                    let known = scene.program.strings.index_of(text);
                    let known = known.map_or(UNKNOWN_STRING, |known| known as i64);
                    self.fill(of, op, || known);
                }
                Some(Value::Agent(id)) => {
                    let row = of.world.agents.row(*id).map_or(-1, |row| row as i64);
                    self.fill(of, op, || (row, true));
                }
                _ => self.fill(of, op, || (0i64, false)),
            }
        }
    }

    /// Writes a value into all lanes of a group.
    fn fill<T: LaneValues>(&mut self, of: &GroupLanes<'_>, op: &Op, value: impl Fn() -> T) {
        for lane in of.lanes.clone() {
            value().write(&mut self.banks, &op.written, lane);
        }
    }

    /// Loads whether there is a cursor in each world.
    pub(super) fn has_cursor(&mut self, scene: &Scene<'_>, op: &Op) {
        self.common_b(scene, op, |world| world.cursor.is_some());
    }

    /// Loads whether an input is true in each world.
    pub(super) fn input(&mut self, scene: &Scene<'_>, op: &Op, index: u16) {
        self.common_b(scene, op, |world| {
            world.inputs.get(usize::from(index)).is_some_and(|input| input.is_down)
        });
    }

    fn common_b(&mut self, scene: &Scene<'_>, op: &Op, of: impl Fn(&World) -> bool) {
        for GroupLanes { world, lanes, .. } in scene.groups {
            let value = of(world);
            for lane in lanes.clone() {
                self.banks.set_boolean(op.writes(), lane, value);
            }
        }
    }
}
