//! The slot of a context map.

use super::algebra::*;
use super::context::{self, DANGERS, INTERESTS, SPREAD, TOLERANCE};
use super::{Param, primitive};

primitive! {
    /// Returns the index of the slot that `context` takes, before it interpolates.
    ///
    /// Slot 0 points along x, and the others follow counter-clockwise if y points up: the direction of slot i is
    /// `direction(2 * PI * i / slots)`. -1 if no slot that is left has any interest. A script that remembers the slot for
    /// some time keeps to a direction.
    ///
    /// Source: the same as that of `context`.
    context_slot(
        me,
        interests: Forces = INTERESTS,
        dangers: Forces = DANGERS,
        tolerance: Number = TOLERANCE,
        spread: Number = SPREAD,
        slots: Slots = Param::SLOTS,
    ) chooses and knows_direction and needs_a_side {
        let slot = context::best_slot(me, interests, dangers, (tolerance, spread), slots);
        choose(slot.interest.gt(me.number(0.0)), slot.index, me.number(-1.0))
    }
}
