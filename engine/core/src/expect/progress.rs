//! The expectation `Progress`: no agent is stuck.

use serde::Deserialize;

use super::check::{Check, GroupFilter, SpecPart};
use super::rule::{Judgment, Measured, Rule, TickView, Violation, Worse, ticks};
use crate::diag::Diagnostic;
use crate::math::{self, Vec2};
use crate::number::{Positive, PositiveLength};
use crate::schema::described;
use crate::world::{Group, GroupId, retain_rows};

described! {
    /// No agent is stuck: within the time it moves at least the distance. Agents that have stopped or finished are exempt.
    #[derive(Clone, Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub(super) struct Progress {
        /// The group whose agents are checked; by default all agents.
        group: GroupFilter,
        /// The time in seconds.
        seconds: Positive,
        /// The distance in world units; by default the radius of the agent's body.
        distance: Option<PositiveLength>,
        ;
        /// For each row, the place that it must get away from, and the tick since which it is near that place.
        anchors: Vec<(Vec2, u64)>,
    }
}

impl Progress {
    fn distance(&self, now: &TickView<'_>, row: usize) -> f32 {
        self.distance.map_or_else(|| now.world.agent(row).body().radius, |distance| distance.0)
    }
}

/// Returns whether an agent has stopped, or has finished: it had goals and has none left.
fn is_idle(now: &TickView<'_>, row: usize) -> bool {
    let (agents, groups) = (&now.world.agents, &now.world.groups);
    let has_goals = !agents.goals(row, groups).is_empty();
    agents.stopped[row] || (has_goals && agents.goal(row, groups).is_none())
}

impl Rule for Progress {
    fn check(&mut self, check: &mut Check<'_>) {
        let group = check.group_filter(&mut self.group);
        let facts = check.facts;
        let (takes, has) = (ticks(self.seconds.0, facts.dt), facts.ticks - facts.from);
        if takes > has {
            let why = format!("this takes {takes} ticks, but the run has only {has}");
            check.never_judged(SpecPart::Field("seconds"), why);
        }
        if let (None, Some(group), true) = (self.distance, group, facts.is_complete) {
            let mut meant = (0..).map(GroupId).zip(facts.groups);
            let is_point = |of: &Group| of.all_bodies().iter().any(|body| body.radius == 0.0);
            let is_selected = |id: GroupId| group.is_none_or(|group| group == id);
            if let Some((_, of)) = meant.find(|(id, of)| is_selected(*id) && is_point(of)) {
                let none = Diagnostic::error("`Progress` needs a `distance` here").label(format!(
                    "the default is the radius of the body, which is 0 in group `{}`",
                    of.name
                ));
                check.add(SpecPart::Name, none);
            }
        }
    }

    fn judge(&mut self, now: &TickView<'_>) -> Judgment {
        let (world, tick) = (now.world, now.tick());
        let agents = &world.agents;
        let window = ticks(self.seconds.0, world.dt);
        let known = self.anchors.len();
        let new = agents.positions().skip(known).map(|pos| (pos, tick));
        self.anchors.extend(new);
        let mut anchors = std::mem::take(&mut self.anchors);
        let found = now.each(&self.group, self.worse(), |row| {
            let (anchor, since) = &mut anchors[row];
            let away = world.space.offset_inside(*anchor, agents.pos(row)).length();
            if away >= self.distance(now, row) || is_idle(now, row) {
                (*anchor, *since) = (agents.pos(row), tick);
            }
            // The number of further ticks in which it may stay there; in double precision, since a window may be endless.
            let left = window as f64 - 1.0 - (tick - *since) as f64;
            Some(Measured { value: away, margin: (left * f64::from(world.dt)) as f32 })
        });
        self.anchors = anchors;
        found
    }

    fn retain(&mut self, keep: &[bool], _groups: &[GroupId]) {
        retain_rows(&mut self.anchors, keep);
    }

    fn unit(&self) -> &'static str {
        "s"
    }

    fn bound(&self, _now: &TickView<'_>) -> f32 {
        self.seconds.0
    }

    fn describe(&self, now: &TickView<'_>, violation: &Violation) -> String {
        let row = violation.first();
        let (agent, tick, seconds) = (now.agent_name(row), now.tick(), self.seconds.0);
        let (anchor, since) = self.anchors[row];
        let least = self.distance(now, row);
        let value = math::short_beside(violation.value, least);
        let least = math::short(least);
        format!(
            "{agent} never got {least} away from {anchor} in {seconds} s, from tick {since} to tick {tick}, and is \
             {value} away at the end"
        )
    }

    fn worse(&self) -> Option<Worse> {
        None
    }

    /// Goals decide whether an agent is exempt.
    fn reads_goals(&self, _of: GroupId) -> bool {
        true
    }
}
