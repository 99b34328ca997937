//! The ranges of sliders: one that had to become larger for a value stays so while the window is open, also if that value is gone. But a
//! value far away, which was a slip, does not leave a slider without a use.

use std::collections::BTreeMap;

use flockwork_engine::world::ParamRange;

use super::tune::Knob;

/// A range that is more than so many times as wide as it needs to be begins anew.
const MAX_WIDENING: f32 = 20.0;

/// The largest range of each slider so far, by the name of the group.
#[derive(Debug, Default)]
pub(super) struct ParamRanges(BTreeMap<(String, Knob), LargestRange>);

#[derive(Debug)]
struct LargestRange {
    /// The range that the scenario gives the param. If it gives another one, that begins anew.
    declared: Option<ParamRange>,
    range: ParamRange,
}

impl ParamRanges {
    /// Returns the range of a slider that has `range` and what it had before.
    pub(super) fn widened(
        &self,
        (group, knob): (&str, &Knob),
        declared: Option<ParamRange>,
        range: ParamRange,
    ) -> ParamRange {
        let known = self.0.get(&(group.to_owned(), knob.clone()));
        let width = |range: ParamRange| range.max - range.min;
        let known = known.filter(|one| {
            one.declared == declared && width(one.range) <= MAX_WIDENING * width(range)
        });
        known.map_or(range, |one| range.including(one.range.min).including(one.range.max))
    }

    /// Notes the range that a slider has now.
    pub(super) fn note(
        &mut self,
        (group, knob): (&str, &Knob),
        declared: Option<ParamRange>,
        range: ParamRange,
    ) {
        let range = self.widened((group, knob), declared, range);
        self.0.insert((group.to_owned(), knob.clone()), LargestRange { declared, range });
    }
}
