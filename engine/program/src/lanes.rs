//! Operations that run lane by lane, with the operands of one lane as Rust values.

use super::banks::Banks;
use super::columns::{Operand, OperandSlots, Slot};
use super::machine::{GroupLanes, Machine, Scene};
use super::width::Width;
use super::{B, F, I, Op, OpProperty, V};
use crate::math::Vec2;

/// The value of an operand in one lane.
pub(super) trait LaneValue: Sized {
    fn get(banks: &Banks<impl Width>, from: Slot, lane: usize) -> Self;

    fn set(self, banks: &mut Banks<impl Width>, to: Slot, lane: usize);
}

macro_rules! values {
    ($($value:ty: $operand:ident, $get:ident, $set:ident;)*) => {
        $(impl LaneValue for $value {
            #[inline(always)]
            fn get(banks: &Banks<impl Width>, from: Slot, lane: usize) -> Self {
                banks.$get($operand::of(from), lane)
            }

            #[inline(always)]
            fn set(self, banks: &mut Banks<impl Width>, to: Slot, lane: usize) {
                banks.$set($operand::of(to), lane, self);
            }
        })*
    };
}

values! {
    f32: F, number, set_number;
    i64: I, integer, set_integer;
    bool: B, boolean, set_boolean;
    Vec2: V, vector, set_vector;
}

/// The values of several operands in one lane.
pub(super) trait LaneValues {
    fn read(banks: &Banks<impl Width>, from: &OperandSlots, lane: usize) -> Self;

    fn write(self, banks: &mut Banks<impl Width>, to: &OperandSlots, lane: usize);
}

impl<T: LaneValue> LaneValues for T {
    #[inline(always)]
    fn read(banks: &Banks<impl Width>, from: &OperandSlots, lane: usize) -> Self {
        T::get(banks, from[0], lane)
    }

    #[inline(always)]
    fn write(self, banks: &mut Banks<impl Width>, to: &OperandSlots, lane: usize) {
        self.set(banks, to[0], lane);
    }
}

impl LaneValues for () {
    #[inline(always)]
    fn read(_: &Banks<impl Width>, _: &OperandSlots, _: usize) -> Self {}

    #[inline(always)]
    fn write(self, _: &mut Banks<impl Width>, _: &OperandSlots, _: usize) {}
}

macro_rules! rows_of_values {
    ($(($($value:ident $at:tt),*))*) => {
        $(impl<$($value: LaneValue),*> LaneValues for ($($value,)*) {
            #[inline(always)]
            fn read(banks: &Banks<impl Width>, from: &OperandSlots, lane: usize) -> Self {
                ($($value::get(banks, from[$at], lane),)*)
            }

            #[inline(always)]
            fn write(self, banks: &mut Banks<impl Width>, to: &OperandSlots, lane: usize) {
                $(self.$at.set(banks, to[$at], lane);)*
            }
        })*
    };
}

rows_of_values! {
    (P 0, Q 1)
    (P 0, Q 1, R 2)
    (P 0, Q 1, R 2, S 3)
    (P 0, Q 1, R 2, S 3, T 4)
}

impl<W: Width> Machine<W> {
    /// Runs an operation lane by lane: in the lanes that take part in its mask, or in all lanes if it has no mask. A
    /// lane without a result becomes faulted.
    #[inline(always)]
    pub(super) fn each_lane<'t, R: LaneValues, O: LaneValues>(
        &mut self,
        scene: &Scene<'t>,
        op: &Op,
        mut answer: impl FnMut(&mut Self, &GroupLanes<'t>, usize, R) -> Option<O>,
    ) {
        for group in scene.groups {
            self.each_lane_of(group, op, &mut answer);
        }
    }

    /// Does the same in the lanes of one group.
    #[inline(always)]
    pub(super) fn each_lane_of<'t, R: LaneValues, O: LaneValues>(
        &mut self,
        group: &GroupLanes<'t>,
        op: &Op,
        mut answer: impl FnMut(&mut Self, &GroupLanes<'t>, usize, R) -> Option<O>,
    ) {
        for lane in group.lanes.clone() {
            if !self.banks.takes_part(op.mask, lane) {
                continue;
            }
            let read = R::read(&self.banks, &op.read, lane);
            match answer(self, group, lane, read) {
                Some(written) => written.write(&mut self.banks, &op.written, lane),
                None => {
                    debug_assert!(op.kind.has(OpProperty::Faults), "{op:?} gives no result");
                    self.banks.fail(lane);
                }
            }
        }
    }

    /// Runs an operation lane by lane, also in lanes outside of its mask.
    #[inline(always)]
    pub(super) fn every_lane<'t, R: LaneValues, O: LaneValues>(
        &mut self,
        scene: &Scene<'t>,
        op: &Op,
        mut answer: impl FnMut(&mut Self, &GroupLanes<'t>, usize, R) -> O,
    ) {
        for group in scene.groups {
            for lane in group.lanes.clone() {
                let read = R::read(&self.banks, &op.read, lane);
                answer(self, group, lane, read).write(&mut self.banks, &op.written, lane);
            }
        }
    }
}
