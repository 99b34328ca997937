//! Arrays whose length and elements differ between agents. The program keeps their lengths in columns.

use super::Op;
use super::banks::Column;
use super::lanes::LaneValue;
use super::machine::{Elements, Machine, Scene};
use super::width::Width;

impl<W: Width> Machine<W> {
    /// Sets an element of an array in the lanes of the mask.
    pub(super) fn store<T: Copy + Default + std::fmt::Debug + LaneValue>(
        &mut self,
        scene: &Scene<'_>,
        op: &Op,
        array: impl Fn(&mut Self) -> &mut Elements<T, W>,
    ) {
        self.each_lane(scene, op, |machine, _, lane, (index, value): (i64, T)| {
            let elements = array(machine);
            if let Ok(index) = usize::try_from(index) {
                if index >= elements.len() {
                    elements.resize(index + 1, Column::of(T::default()));
                }
                elements[index].set(lane, value);
            }
            Some(())
        });
    }

    /// Reads an element of an array; 0 if the index is out of range.
    pub(super) fn load<T: Copy + Default + std::fmt::Debug + LaneValue>(
        &mut self,
        scene: &Scene<'_>,
        op: &Op,
        array: impl Fn(&Self) -> &Elements<T, W>,
    ) {
        self.each_lane(scene, op, |machine, _, lane, index: i64| {
            let column = usize::try_from(index).ok().and_then(|index| array(machine).get(index));
            Some(column.map_or_else(T::default, |column| column.lane(lane)))
        });
    }
}
