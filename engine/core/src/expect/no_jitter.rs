//! The expectation `NoJitter`: no agent turns back too often.

use std::collections::VecDeque;

use serde::Deserialize;

use super::check::{Check, GroupFilter};
use super::rule::{Judgment, Measured, Rule, TickView, Violation, Worse, ticks};
use crate::number::{Count, Positive};
use crate::schema::described;
use crate::world::{GroupId, retain_rows};

described! {
    /// No agent turns back too often. It turns back in a tick if its velocity points against that of the tick before.
    #[derive(Clone, Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub(super) struct NoJitter {
        /// The group whose agents are checked; by default all agents.
        group: GroupFilter,
        /// How often an agent may turn back within the time.
        reversals: Count,
        /// The time in seconds.
        seconds: Positive,
        ;
        /// For each row, the ticks of its latest reversals within the time.
        latest: Vec<VecDeque<u64>>,
    }
}

impl Rule for NoJitter {
    fn check(&mut self, check: &mut Check<'_>) {
        check.group_filter(&mut self.group);
    }

    fn judge(&mut self, now: &TickView<'_>) -> Judgment {
        let worse = self.worse();
        let Self { group, reversals, seconds, latest } = self;
        latest.resize_with(now.world.agents.len(), VecDeque::new);
        let (agents, before) = (&now.world.agents, &now.before.vel);
        let (tick, window) = (now.tick(), ticks(seconds.0, now.world.dt));
        now.each_old(group, worse, |row| {
            let turns_back = agents.vel(row).dot(before[row]) < 0.0;
            if !turns_back && !now.with_margins {
                return None;
            }
            let latest = &mut latest[row];
            while latest.front().is_some_and(|&old| tick - old >= window) {
                latest.pop_front();
            }
            if turns_back {
                latest.push_back(tick);
            }
            let (count, most) = (latest.len(), i64::from(reversals.get_u32()));
            let measured = Measured { value: count as f32, margin: (most - count as i64) as f32 };
            if measured.fails() {
                latest.pop_front();
            }
            Some(measured)
        })
    }

    fn retain(&mut self, keep: &[bool], _groups: &[GroupId]) {
        retain_rows(&mut self.latest, keep);
    }

    fn unit(&self) -> &'static str {
        "reversals"
    }

    fn bound(&self, _now: &TickView<'_>) -> f32 {
        self.reversals.get_u32() as f32
    }

    fn describe(&self, now: &TickView<'_>, violation: &Violation) -> String {
        let agent = now.agent_name(violation.first());
        let (value, tick) = (violation.value, now.tick());
        let (most, seconds) = (self.reversals.get_u32(), self.seconds.0);
        let times = if value == 1.0 { "time" } else { "times" };
        format!(
            "{agent} turns back {value} {times} within {seconds} s at tick {tick}; expected at most {most}"
        )
    }

    fn worse(&self) -> Option<Worse> {
        None
    }
}
