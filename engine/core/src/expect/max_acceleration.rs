//! The expectation `MaxAcceleration`: no velocity changes faster than a limit, whatever the cause.

use serde::Deserialize;

use super::check::{Check, GroupFilter};
use super::rule::{Judgment, Measured, Rule, TickView, Violation};
use crate::math;
use crate::number::Length;
use crate::schema::described;

described! {
    /// No agent changes its velocity faster than this from one tick to the next.
    #[derive(Clone, Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub(super) struct MaxAcceleration {
        /// The group whose agents are checked; by default all agents.
        group: GroupFilter,
        /// The limit in world units per second squared.
        acceleration: Length,
    }
}

impl Rule for MaxAcceleration {
    fn check(&mut self, check: &mut Check<'_>) {
        check.group_filter(&mut self.group);
    }

    fn judge(&mut self, now: &TickView<'_>) -> Judgment {
        let (agents, before) = (&now.world.agents, &now.before.vel);
        let dt = now.world.dt;
        now.each_old(&self.group, self.worse(), |row| {
            let change = (agents.vel(row) - before[row]).length() / dt;
            Some(Measured::at_most(change, self.acceleration.0))
        })
    }

    fn unit(&self) -> &'static str {
        "world units/s^2"
    }

    fn bound(&self, _now: &TickView<'_>) -> f32 {
        self.acceleration.0
    }

    fn describe(&self, now: &TickView<'_>, violation: &Violation) -> String {
        let agent = now.agent_name(violation.first());
        let (most, tick) = (self.acceleration.0, now.tick());
        let value = math::short_beside(violation.value, most);
        format!(
            "{agent} changes its velocity by {value} per second at tick {tick}; expected at most {most}"
        )
    }
}
