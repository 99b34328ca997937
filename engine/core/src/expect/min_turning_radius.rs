//! The expectation `MinTurningRadius`: nobody turns in a smaller circle.

use serde::Deserialize;

use super::check::{Check, GroupFilter};
use super::rule::{Judgment, Measured, Rule, TickView, Violation, Worse};
use crate::math;
use crate::number::PositiveLength;
use crate::schema::described;

described! {
    /// No agent turns in a circle that is smaller than this: its way in a tick, divided by the turn of its heading, is at least
    /// that long.
    #[derive(Clone, Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub(super) struct MinTurningRadius {
        /// The group whose agents are checked; by default all agents.
        group: GroupFilter,
        /// The smallest radius in world units.
        radius: PositiveLength,
    }
}

impl Rule for MinTurningRadius {
    fn check(&mut self, check: &mut Check<'_>) {
        check.group_filter(&mut self.group);
    }

    fn judge(&mut self, now: &TickView<'_>) -> Judgment {
        let (agents, before) = (&now.world.agents, &now.before.heading);
        now.each_old(&self.group, self.worse(), |row| {
            let heading = agents.heading(row);
            if heading == before[row] {
                return None;
            }
            let (cross, dot) = (before[row].perp_dot(heading), before[row].dot(heading));
            let turn = math::atan2(cross.abs(), dot);
            // Positions are too coarse to measure a short way.
            let way = math::length(agents.vel(row)) * now.world.dt;
            (turn > 0.0).then(|| Measured::at_least(way / turn, self.radius.0))
        })
    }

    fn unit(&self) -> &'static str {
        "world units"
    }

    fn bound(&self, _now: &TickView<'_>) -> f32 {
        self.radius.0
    }

    fn describe(&self, now: &TickView<'_>, violation: &Violation) -> String {
        let agent = now.agent_name(violation.first());
        let (least, tick) = (self.radius.0, now.tick());
        let value = math::short_beside(violation.value, least);
        format!("{agent} turns with a radius of {value} at tick {tick}; expected at least {least}")
    }

    fn worse(&self) -> Option<Worse> {
        Some(Worse::Lower)
    }
}
