//! Operations that read what is the same for all agents of a group.

use super::machine::{GroupLanes, Machine, Scene};
use super::width::Width;
use super::{Op, SharedInteger, SharedNumber};

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

    /// Loads whether there is a cursor in each world.
    pub(super) fn has_cursor(&mut self, scene: &Scene<'_>, op: &Op) {
        for GroupLanes { world, lanes, .. } in scene.groups {
            for lane in lanes.clone() {
                self.banks.set_boolean(op.writes(), lane, world.cursor.is_some());
            }
        }
    }
}
