//! The expectation `MaxTurnRate`: no heading turns faster than a limit.

use serde::Deserialize;

use super::check::{Check, GroupFilter, SpecPart};
use super::rule::{Judgment, Measured, Rule, TickView, Violation};
use crate::math;
use crate::number::Length;
use crate::schema::described;

described! {
    /// No heading turns faster than this from one tick to the next.
    #[derive(Clone, Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub(super) struct MaxTurnRate {
        /// The group whose agents are checked; by default all agents.
        group: GroupFilter,
        /// The limit in degrees per second.
        deg_per_s: Length,
    }
}

impl Rule for MaxTurnRate {
    fn check(&mut self, check: &mut Check<'_>) {
        check.group_filter(&mut self.group);
        if self.deg_per_s.0 * check.facts.dt >= 180.0 {
            let why = "no agent can turn by more than 180 degrees in a tick";
            check.cannot_fail(SpecPart::Field("deg_per_s"), why);
        }
    }

    fn judge(&mut self, now: &TickView<'_>) -> Judgment {
        let (agents, before) = (&now.world.agents, &now.before.heading);
        let dt = now.world.dt;
        // Without margins, angles are computed only for agents that turn by about the limit or more.
        let most = self.deg_per_s.0 * dt * (math::PI / 180.0);
        let slope = if most < 0.5 * math::PI { math::tan(most) * 0.9999 } else { f32::INFINITY };
        now.each_old(&self.group, self.worse(), |row| {
            let heading = agents.heading(row);
            let (cross, dot) = (before[row].perp_dot(heading), before[row].dot(heading));
            if !now.with_margins && dot > 0.0 && cross.abs() < slope * dot {
                return None;
            }
            let rate = math::atan2(cross.abs(), dot) * (180.0 / math::PI) / dt;
            Some(Measured::at_most(rate, self.deg_per_s.0))
        })
    }

    fn unit(&self) -> &'static str {
        "degrees/s"
    }

    fn bound(&self, _now: &TickView<'_>) -> f32 {
        self.deg_per_s.0
    }

    fn describe(&self, now: &TickView<'_>, violation: &Violation) -> String {
        let agent = now.agent_name(violation.first());
        let (most, tick) = (self.deg_per_s.0, now.tick());
        let value = math::short_beside(violation.value, most);
        format!(
            "{agent} turns by {value} degrees per second at tick {tick}; expected at most {most}"
        )
    }
}
