//! The expectation `StayInside`: agents stay in a rectangle.

use serde::Deserialize;

use super::check::{Check, GroupFilter, SpecPart};
use super::rule::{Judgment, Measured, Rule, TickView, Violation};
use crate::diag::Diagnostic;
use crate::math;
use crate::number::Point;
use crate::schema::described;

described! {
    /// The centers of agents stay in a rectangle or on its edge.
    #[derive(Clone, Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub(super) struct StayInside {
        /// The group whose agents are checked; by default all agents.
        group: GroupFilter,
        /// The corner with the smallest coordinates.
        min: Point,
        /// The corner with the largest coordinates.
        max: Point,
    }
}

impl Rule for StayInside {
    fn check(&mut self, check: &mut Check<'_>) {
        check.group_filter(&mut self.group);
        if !self.min.0.cmplt(self.max.0).all() {
            let wrong = "`max` of a rectangle must be above `min` in both coordinates";
            check.add(SpecPart::Field("max"), Diagnostic::error(wrong).label("not above `min`"));
        }
    }

    fn judge(&mut self, now: &TickView<'_>) -> Judgment {
        let agents = &now.world.agents;
        let (min, max) = (self.min.0, self.max.0);
        now.each(&self.group, self.worse(), |row| {
            let at = agents.pos(row);
            let inside = (at - min).min(max - at).min_element();
            // Below 0 within the rectangle.
            let outside =
                if inside >= 0.0 { -inside } else { math::length(at - at.clamp(min, max)) };
            Some(Measured::at_most(outside, 0.0))
        })
    }

    fn unit(&self) -> &'static str {
        "world units"
    }

    fn bound(&self, _now: &TickView<'_>) -> f32 {
        // The largest margin is that of an agent in the middle.
        0.5 * (self.max.0 - self.min.0).min_element()
    }

    fn describe(&self, now: &TickView<'_>, violation: &Violation) -> String {
        let row = violation.first();
        let (agent, at, tick) = (now.agent_name(row), now.world.agents.pos(row), now.tick());
        let (value, min, max) = (violation.value, self.min.0, self.max.0);
        format!(
            "{agent} is at {at} at tick {tick}, {value} outside the rectangle from {min} to {max}"
        )
    }
}
