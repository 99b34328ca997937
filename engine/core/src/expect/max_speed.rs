//! The expectation `MaxSpeed`: no agent is faster than a limit.

use serde::Deserialize;

use super::check::{Check, GroupFilter};
use super::rule::{Judgment, Measured, Rule, TickView, Violation};
use crate::math;
use crate::number::Length;
use crate::schema::described;

described! {
    /// No agent is faster than this.
    #[derive(Clone, Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub(super) struct MaxSpeed {
        /// The group whose agents are checked; by default all agents.
        group: GroupFilter,
        /// The limit in world units per second.
        speed: Length,
    }
}

impl Rule for MaxSpeed {
    fn check(&mut self, check: &mut Check<'_>) {
        check.group_filter(&mut self.group);
    }

    fn judge(&mut self, now: &TickView<'_>) -> Judgment {
        let agents = &now.world.agents;
        now.each(&self.group, self.worse(), |row| {
            Some(Measured::at_most(agents.vel(row).length(), self.speed.0))
        })
    }

    fn unit(&self) -> &'static str {
        "world units/s"
    }

    fn bound(&self, _now: &TickView<'_>) -> f32 {
        self.speed.0
    }

    fn describe(&self, now: &TickView<'_>, violation: &Violation) -> String {
        let agent = now.agent_name(violation.first());
        let (most, tick) = (self.speed.0, now.tick());
        let value = math::short_beside(violation.value, most);
        format!("{agent} has speed {value} at tick {tick}; expected at most {most}")
    }
}
