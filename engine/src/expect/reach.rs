//! Agents come to the end of their goals, or to a place.

use serde::Deserialize;

use super::check::{Check, NameRef, SpecPart};
use super::rule::{Rule, TickView, Violation, Worse, why_skipped};
use crate::diag::Diagnostic;
use crate::number::{Natural, Point, PositiveLength};
use crate::sim::Action;
use crate::world::{Goal, GroupId, retain_rows};

/// At least one agent comes to the end of its goals, or to a place.
pub(super) type Reach = Arrival<false>;

/// All agents made by then have come to the end of their goals, or have been at a place.
pub(super) type ReachAll = Arrival<true>;

/// Agents come to the end of their goals, or to a place: `ALL` of them, or at least one.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Arrival<const ALL: bool> {
    group: NameRef<GroupId>,
    /// The place; by default the end of the goals.
    at: Option<Point>,
    /// Nearer to the place than this at the end of a tick, in world units.
    radius: Option<PositiveLength>,
    /// At the end of this tick at the latest; by default at the end of the run.
    by: Option<Natural>,
    #[serde(skip)]
    state: ArrivalState,
}

/// What has been reached so far.
#[derive(Clone, Debug, Default)]
struct ArrivalState {
    /// There is nothing left to judge.
    done: bool,
    /// For each row whether it has been at the place.
    been: Vec<bool>,
    /// Agents of the group that have gone without having been there.
    gone: u64,
    /// Whether any agent has been there.
    any: bool,
}

impl<const ALL: bool> Arrival<ALL> {
    fn place(&self) -> Option<Goal> {
        Some(Goal { at: self.at?.0, radius: self.radius?.0 })
    }

    /// What falls short of the place; `None` once everything that has to be there has been.
    fn missing(&self, now: &TickView<'_>) -> Option<Violation> {
        let agents = &now.world.agents;
        let group = self.group.id();
        let reached = now.simulation.goal_counts(group);
        let any = match self.at {
            Some(_) => self.state.any,
            None => reached.agents > 0,
        };
        if !ALL {
            return (!any).then(|| Violation::without_agent(0.0));
        }
        let late = now.each_of_group(group, self.worse(), |row| {
            let is_late = match self.at {
                Some(_) => !self.state.been[row],
                None => agents.goal(row, &now.world.groups).is_some(),
            };
            is_late.then_some(0.0)
        });
        let gone = match self.at {
            Some(_) => self.state.gone,
            None => reached.lost,
        };
        late.or_else(|| (!any || gone > 0).then(|| Violation::without_agent(gone as f32)))
    }

    fn look(&mut self, now: &TickView<'_>, place: Goal) {
        let (agents, group) = (&now.world.agents, self.group.id());
        let state = &mut self.state;
        state.been.resize(agents.len(), false);
        for row in 0..agents.len() {
            if agents.group[row] == group
                && now.world.space.offset(agents.pos[row], place.at).length() < place.radius
            {
                state.been[row] = true;
                state.any = true;
            }
        }
    }
}

impl<const ALL: bool> Rule for Arrival<ALL> {
    fn check(&mut self, check: &mut Check<'_>) {
        let group = check.group(&mut self.group);
        check.by(self.by);
        if self.at.is_some() != self.radius.is_some() {
            let half = "a place is both `at` and `radius`; without either, it is the goals";
            check.error(SpecPart::Name, half);
        } else if let (None, Some(group), true) = (self.at, group, check.facts.is_complete) {
            check_goals(check, group);
        }
    }

    fn judge(&mut self, now: &TickView<'_>) -> Option<Violation> {
        if self.state.done {
            return None;
        }
        if let Some(place) = self.place() {
            self.look(now, place);
        }
        let is_last = self.by.is_some_and(|by| now.tick() >= by.get());
        // All can still become fewer, when more are made.
        if is_last || !ALL {
            let missing = self.missing(now);
            self.state.done = is_last || missing.is_none();
            return missing.filter(|_| is_last);
        }
        None
    }

    fn finish(&mut self, now: &TickView<'_>) -> Option<Violation> {
        if self.state.done {
            return None;
        }
        self.missing(now)
    }

    fn retain(&mut self, keep: &[bool], groups: &[GroupId]) {
        let group = self.group.id();
        for (row, been) in self.state.been.iter().enumerate() {
            self.state.gone += u64::from(!keep[row] && groups[row] == group && !been);
        }
        retain_rows(&mut self.state.been, keep);
    }

    fn describe(&self, now: &TickView<'_>, violation: &Violation) -> String {
        let (name, tick) = (&now.world.group(self.group.id()).name, now.tick());
        let what = match self.place() {
            Some(Goal { at, radius }) => format!("been within {radius} of {at}"),
            None => "come to the end of its goals".to_owned(),
        };
        match violation.row {
            Some(row) => format!("{} has not {what} by tick {tick}", now.who(row)),
            None if violation.value > 0.0 => {
                let s = if violation.value == 1.0 { "" } else { "s" };
                let gone = format!("{} agent{s} of group `{name}`", violation.value);
                format!("{gone} went without having {what} by tick {tick}")
            }
            None => format!("no agent of group `{name}` has {what} by tick {tick}"),
        }
    }

    fn worse(&self) -> Option<Worse> {
        None
    }

    fn reads_goals(&self, of: GroupId) -> bool {
        self.at.is_none() && self.group.id() == of
    }

    fn why_skipped(&self, from: u64) -> Option<String> {
        why_skipped(self.by, self.at.is_some(), from)
    }
}

/// Checks that agents of a group can come to the end of goals.
fn check_goals(check: &mut Check<'_>, group: GroupId) {
    let facts = check.facts;
    let of = &facts.groups[usize::from(group.0)];
    let started = facts.start.map(|start| &start.groups[usize::from(group.0)].goals);
    let set = facts.events.iter().filter_map(|event| match &event.action {
        Action::SetGoals { group: whose, goals } if *whose == group => Some(goals),
        _ => None,
    });
    let all = of.goals.iter().chain(started.into_iter().flatten()).chain(set);
    let mut all = all.filter(|goals| !goals.is_empty()).peekable();
    let wrong = if all.peek().is_none() {
        Diagnostic::error(format!("agents of group `{}` have no goals", of.name))
            .help("give the group `goals`, or say where: `at: (x, y), radius: r`")
    } else if !all.any(|goals| goals.iter().all(|goal| goal.radius > 0.0)) {
        let never = format!("agents of group `{}` never come to the end of their goals", of.name);
        Diagnostic::error(never).help(
            "a goal without a `radius`, or with radius 0, is never reached: give it one, or say \
             where here: `at: (x, y), radius: r`",
        )
    } else {
        return;
    };
    check.add(SpecPart::Field("group"), wrong);
}
