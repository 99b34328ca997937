//! Rules about who gets where.

use super::rule::{Moment, Offence, Rule, Worse};
use crate::world::{Goal, GroupId, retain_rows};

/// [`super::Expected::Reach`] and [`super::Expected::ReachAll`]
pub(super) struct Reach {
    pub(super) group: GroupId,
    pub(super) all: bool,
    pub(super) place: Option<Goal>,
    pub(super) by: Option<u64>,
    pub(super) state: State,
}

/// What has been reached so far.
#[derive(Default)]
pub(super) struct State {
    /// There is nothing left to judge.
    done: bool,
    /// For each row whether it has been at the place.
    been: Vec<bool>,
    /// Agents of the group that have gone without having been there.
    gone: u64,
    /// Whether anyone has been there.
    any: bool,
}

impl Reach {
    /// Who has not reached what it should; `None` where all is reached that has to be.
    fn missing(&self, now: &Moment<'_>) -> Option<Offence> {
        let agents = &now.world.agents;
        let reached = now.simulation.reached(self.group);
        let any = match self.place {
            Some(_) => self.state.any,
            None => reached.agents > 0,
        };
        if !self.all {
            return (!any).then(|| Offence::of_all(0.0));
        }
        let late = now.each(Some(self.group), |row| {
            let is_late = match self.place {
                Some(_) => !self.state.been[row],
                None => agents.goal(row, &now.world.groups).is_some(),
            };
            is_late.then_some(0.0)
        });
        let gone = match self.place {
            Some(_) => self.state.gone,
            None => reached.lost,
        };
        late.or_else(|| (!any || gone > 0).then(|| Offence::of_all(gone as f32)))
    }

    fn look(&mut self, now: &Moment<'_>, place: Goal) {
        let agents = &now.world.agents;
        let state = &mut self.state;
        state.been.resize(agents.len(), false);
        for row in 0..agents.len() {
            if agents.group[row] == self.group
                && now.world.space.offset(agents.pos[row], place.at).length() < place.radius
            {
                state.been[row] = true;
                state.any = true;
            }
        }
    }
}

impl Rule for Reach {
    fn judge(&mut self, now: &Moment<'_>) -> Option<Offence> {
        if self.state.done {
            return None;
        }
        if let Some(place) = self.place {
            self.look(now, place);
        }
        let is_last = self.by.is_some_and(|by| now.tick() >= by);
        // All can still become fewer, when more are made.
        if is_last || !self.all {
            let missing = self.missing(now);
            self.state.done = is_last || missing.is_none();
            return missing.filter(|_| is_last);
        }
        None
    }

    fn finish(&mut self, now: &Moment<'_>) -> Option<Offence> {
        if self.state.done {
            return None;
        }
        self.missing(now)
    }

    fn retain(&mut self, keep: &[bool], groups: &[GroupId]) {
        for (row, been) in self.state.been.iter().enumerate() {
            self.state.gone += u64::from(!keep[row] && groups[row] == self.group && !been);
        }
        retain_rows(&mut self.state.been, keep);
    }

    fn describe(&self, now: &Moment<'_>, offence: &Offence) -> String {
        let (name, tick) = (&now.world.group(self.group).name, now.tick());
        let what = match self.place {
            Some(Goal { at, radius }) => format!("been within {radius} of {at}"),
            None => "come to the end of its goals".to_owned(),
        };
        match offence.row {
            Some(row) => format!("{} has not {what} by tick {tick}", now.who(row)),
            None if offence.value > 0.0 => {
                let s = if offence.value == 1.0 { "" } else { "s" };
                let gone = format!("{} agent{s} of group `{name}`", offence.value);
                format!("{gone} went without having {what} by tick {tick}")
            }
            None => format!("no agent of group `{name}` has {what} by tick {tick}"),
        }
    }

    fn worse(&self) -> Option<Worse> {
        None
    }
}
