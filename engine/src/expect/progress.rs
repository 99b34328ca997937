//! No agent is stuck.

use serde::Deserialize;

use super::check::{Check, GroupFilter, SpecPart};
use super::rule::{Rule, TickView, Violation, Worse, ticks};
use crate::diag::Diagnostic;
use crate::math::Vec2;
use crate::number::{Positive, PositiveLength};
use crate::world::{Group, GroupId, retain_rows};

/// No agent is stuck that has something to do: a goal left, or no goals in its group at all.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Progress {
    group: GroupFilter,
    /// Within this time,
    seconds: Positive,
    /// each comes at least this far from where it was, in world units; by default its body's radius.
    distance: Option<PositiveLength>,
    /// For each row where it has to get away from, and since when it is there.
    #[serde(skip)]
    anchors: Vec<(Vec2, u64)>,
}

impl Progress {
    fn distance(&self, now: &TickView<'_>, row: usize) -> f32 {
        self.distance.map_or_else(|| now.world.agent(row).body().radius, |distance| distance.0)
    }
}

/// Whether an agent has nothing to do.
fn is_idle(now: &TickView<'_>, row: usize) -> bool {
    let (agents, groups) = (&now.world.agents, &now.world.groups);
    let has_goals = !groups[usize::from(agents.group[row].0)].goals.is_empty();
    agents.stopped[row] || (has_goals && agents.goal(row, groups).is_none())
}

impl Rule for Progress {
    fn check(&mut self, check: &mut Check<'_>) {
        let group = check.group_filter(&mut self.group);
        let facts = check.facts;
        let (takes, has) = (ticks(self.seconds.0, facts.dt), facts.ticks - facts.from);
        if takes > has {
            let why = format!("this takes {takes} ticks, and the run has {has}");
            check.never_judged(SpecPart::Field("seconds"), why);
        }
        if let (None, Some(group), true) = (self.distance, group, facts.is_complete) {
            let mut meant = (0..).map(GroupId).zip(facts.groups);
            let is_point = |of: &Group| of.all_bodies().iter().any(|body| body.radius == 0.0);
            let is_meant = |id: GroupId| group.is_none_or(|group| group == id);
            if let Some((_, of)) = meant.find(|(id, of)| is_meant(*id) && is_point(of)) {
                let none = Diagnostic::error("say which `distance` is progress")
                    .label(format!("bodies of group `{}` have no radius", of.name));
                check.add(SpecPart::Name, none);
            }
        }
    }

    fn judge(&mut self, now: &TickView<'_>) -> Option<Violation> {
        let (world, tick) = (now.world, now.tick());
        let agents = &world.agents;
        let window = ticks(self.seconds.0, world.dt);
        let known = self.anchors.len();
        let new = agents.pos[known..].iter().map(|&pos| (pos, tick));
        self.anchors.extend(new);
        let mut anchors = std::mem::take(&mut self.anchors);
        let found = now.each(&self.group, self.worse(), |row| {
            let (anchor, since) = &mut anchors[row];
            let away = world.space.offset_inside(*anchor, agents.pos[row]).length();
            if away >= self.distance(now, row) || is_idle(now, row) {
                (*anchor, *since) = (agents.pos[row], tick);
            }
            (tick - *since >= window).then_some(away)
        });
        self.anchors = anchors;
        found
    }

    fn retain(&mut self, keep: &[bool], _groups: &[GroupId]) {
        retain_rows(&mut self.anchors, keep);
    }

    fn describe(&self, now: &TickView<'_>, violation: &Violation) -> String {
        let row = violation.first();
        let (who, tick, seconds) = (now.who(row), now.tick(), self.seconds.0);
        let (anchor, since) = self.anchors[row];
        let (value, least) = (violation.value, self.distance(now, row));
        format!(
            "{who} is {value} from {anchor}, where it was at tick {since}, {seconds} s later at tick \
             {tick}; at least {least}"
        )
    }

    fn worse(&self) -> Option<Worse> {
        None
    }

    /// It may be progress to goals.
    fn reads_goals(&self, _of: GroupId) -> bool {
        true
    }
}
