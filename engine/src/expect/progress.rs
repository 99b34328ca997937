//! The rule that nobody is stuck.

use super::rule::{Moment, Offence, Rule, Worse, ticks};
use crate::math::Vec2;
use crate::world::{GroupId, retain_rows};

/// [`super::Expected::Progress`]
pub(super) struct Progress {
    pub(super) group: Option<GroupId>,
    pub(super) seconds: f32,
    pub(super) distance: Option<f32>,
    /// For each row where it has to get away from, and since when it is there.
    pub(super) anchors: Vec<(Vec2, u64)>,
}

impl Progress {
    fn distance(&self, now: &Moment<'_>, row: usize) -> f32 {
        self.distance.unwrap_or_else(|| now.world.agent(row).body().radius)
    }
}

/// Whether an agent has nothing to do.
fn is_idle(now: &Moment<'_>, row: usize) -> bool {
    let (agents, groups) = (&now.world.agents, &now.world.groups);
    let has_goals = !groups[usize::from(agents.group[row].0)].goals.is_empty();
    agents.stopped[row] || (has_goals && agents.goal(row, groups).is_none())
}

impl Rule for Progress {
    fn judge(&mut self, now: &Moment<'_>) -> Option<Offence> {
        let (world, tick) = (now.world, now.tick());
        let agents = &world.agents;
        let window = ticks(self.seconds, world.dt);
        let known = self.anchors.len();
        let new = agents.pos[known..].iter().map(|&pos| (pos, tick));
        self.anchors.extend(new);
        let mut anchors = std::mem::take(&mut self.anchors);
        let found = now.each(self.group, |row| {
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

    fn describe(&self, now: &Moment<'_>, offence: &Offence) -> String {
        let row = offence.first();
        let (who, tick, seconds) = (now.who(row), now.tick(), self.seconds);
        let (anchor, since) = self.anchors[row];
        let (value, least) = (offence.value, self.distance(now, row));
        format!(
            "{who} is {value} from {anchor}, where it was at tick {since}, {seconds} s later at tick \
             {tick}; at least {least}"
        )
    }

    fn worse(&self) -> Option<Worse> {
        None
    }
}
