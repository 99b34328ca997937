//! The expectations `Reach` and `ReachAll`: agents reach their last goal, or a place.

use serde::Deserialize;

use super::check::{Check, NameRef, SpecPart};
use super::rule::{
    Contact, Judgment, Rule, RunPart, TickView, Violation, Worse, join, why_skipped,
};
use crate::diag::Diagnostic;
use crate::math;
use crate::number::{Natural, Point, PositiveLength};
use crate::schema::described;
use crate::sim::Action;
use crate::world::{Goal, GroupId, retain_rows};

/// At least one agent reaches its last goal, or a place.
pub(super) type Reach = Arrival<false>;

/// All agents made so far have reached their last goal, or have been at a place.
pub(super) type ReachAll = Arrival<true>;

described! {
    /// Agents reach their last goal, or a place: `ALL` of them, or at least one.
    #[derive(Clone, Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub(super) struct Arrival<const ALL: bool> {
        /// The group.
        group: NameRef<GroupId>,
        /// The place; by default the last goal of each agent.
        at: Option<Point>,
        /// An agent is at the place if it is nearer than this at the end of a tick, in world units.
        radius: Option<PositiveLength>,
        /// The last tick at which they may reach it; by default the end of the run.
        by: Option<Natural>,
        ;
        state: ArrivalState,
    }
}

/// The agents that have been at the place so far.
#[derive(Clone, Debug, Default)]
struct ArrivalState {
    /// Whether the result is known.
    done: bool,
    /// For each row, whether its agent has been at the place.
    arrived: Vec<bool>,
    /// Number of agents of the group that were removed before they had been at the place.
    removed: u64,
    /// Whether any agent has been at the place.
    any_arrived: bool,
    /// The tick since which all agents that must reach it have done so.
    since: Option<u64>,
}

/// The speed of agents without a top speed, when their remaining time is estimated: in world units per second.
const ASSUMED_SPEED: f32 = 1.0;

impl<const ALL: bool> Arrival<ALL> {
    fn place(&self) -> Option<Goal> {
        Some(Goal { at: self.at?.0, radius: self.radius?.0 })
    }

    /// Returns what is missing; `None` once all agents that must reach it have done so.
    fn missing(&self, now: &TickView<'_>) -> Option<Violation> {
        let agents = &now.world.agents;
        let group = self.group.id();
        let reached = now.simulation.goal_counts(group);
        let any = match self.at {
            Some(_) => self.state.any_arrived,
            None => reached.agents > 0,
        };
        if !ALL {
            return (!any).then(|| Violation::without_agent(0.0));
        }
        let late = (0..agents.len()).filter(|&row| agents.group[row] == group);
        let late = late.filter(|&row| self.is_late(now, row));
        let late = late.map(|row| Violation::new(row, Contact::Nothing, 0.0));
        let late = late.fold(None, |all, one| join(all, Some(one), Worse::Higher));
        let removed = self.removed(now);
        late.or_else(|| (!any || removed > 0).then(|| Violation::without_agent(removed as f32)))
    }

    fn is_late(&self, now: &TickView<'_>, row: usize) -> bool {
        match self.at {
            Some(_) => !self.state.arrived[row],
            None => now.world.agents.goal(row, &now.world.groups).is_some(),
        }
    }

    /// Judges at the last tick that counts. The margin is in seconds.
    fn judge_arrivals(&self, now: &TickView<'_>, missing: Option<Violation>) -> Judgment {
        let seconds = |ticks: u64| (ticks as f64 * f64::from(now.world.dt)) as f32;
        let margin = now.with_margins.then(|| match missing {
            None => self.state.since.map_or(0.0, |since| seconds(now.tick() - since)),
            Some(_) => -math::max(self.seconds_missing(now), now.world.dt),
        });
        Judgment { violation: missing, margin }
    }

    /// Returns how long the agents that are late still need if they go straight at top speed: the longest time if all
    /// must arrive, else the shortest. Nobody who was removed will arrive, which counts as the time of the run so far.
    fn seconds_missing(&self, now: &TickView<'_>) -> f32 {
        let agents = &now.world.agents;
        let late = (0..agents.len()).filter(|&row| agents.group[row] == self.group.id());
        let times =
            late.filter(|&row| self.is_late(now, row)).map(|row| self.seconds_to_go(now, row));
        let found = times.reduce(if ALL { math::max } else { math::min });
        let never = now.world.time();
        match found {
            Some(found) if ALL && self.removed(now) > 0 => math::max(found, never),
            Some(found) => found,
            None => never,
        }
    }

    /// Returns how long an agent needs at least, in seconds.
    fn seconds_to_go(&self, now: &TickView<'_>, row: usize) -> f32 {
        let top = now.world.agent(row).body().max_speed;
        let speed = if top > 0.0 && top.is_finite() { top } else { ASSUMED_SPEED };
        math::min(self.way_to_go(now, row) / speed, f32::MAX)
    }

    /// Returns how far an agent has to go at least, straight from goal to goal, in world units.
    fn way_to_go(&self, now: &TickView<'_>, row: usize) -> f32 {
        let (world, agents) = (now.world, &now.world.agents);
        let mut at = agents.pos(row);
        let mut way = 0.0;
        let mut last = 0.0;
        let mut go_to = |goal: Goal| {
            way += world.space.offset(at, goal.at).length();
            (at, last) = (goal.at, goal.radius);
        };
        match self.place() {
            Some(place) => go_to(place),
            None => agents.goals_left(row, &world.groups).iter().copied().for_each(go_to),
        }
        math::max(way - last, 0.0)
    }

    /// Returns the row of the agent that has the shortest way to go, and that way. `None` if nobody is late.
    fn nearest(&self, now: &TickView<'_>) -> Option<(usize, f32)> {
        let agents = &now.world.agents;
        let late = (0..agents.len()).filter(|&row| agents.group[row] == self.group.id());
        let late = late.filter(|&row| self.is_late(now, row));
        let ways = late.map(|row| (row, self.way_to_go(now, row)));
        ways.min_by(|(_, one), (_, other)| one.total_cmp(other))
    }

    /// Returns how many agents were removed before they arrived.
    fn removed(&self, now: &TickView<'_>) -> u64 {
        match self.at {
            Some(_) => self.state.removed,
            None => now.simulation.goal_counts(self.group.id()).lost,
        }
    }

    fn record_arrivals(&mut self, now: &TickView<'_>, place: Goal) {
        let (agents, group) = (&now.world.agents, self.group.id());
        let state = &mut self.state;
        state.arrived.resize(agents.len(), false);
        for row in 0..agents.len() {
            if agents.group[row] == group
                && now.world.space.offset(agents.pos(row), place.at).length() < place.radius
            {
                state.arrived[row] = true;
                state.any_arrived = true;
            }
        }
    }
}

impl<const ALL: bool> Rule for Arrival<ALL> {
    fn check(&mut self, check: &mut Check<'_>) {
        let group = check.group(&mut self.group);
        check.by(self.by);
        if self.at.is_some() != self.radius.is_some() {
            let half = "give both `at` and `radius` for a place, or neither of them for the goals";
            check.error(SpecPart::Name, half);
        } else if let (None, Some(group), true) = (self.at, group, check.facts.is_complete) {
            check_goals(check, group);
        }
    }

    fn judge(&mut self, now: &TickView<'_>) -> Judgment {
        if self.state.done {
            return Judgment::default();
        }
        if let Some(place) = self.place() {
            self.record_arrivals(now, place);
        }
        let is_last = self.by.is_some_and(|by| now.tick() >= by.get());
        // More agents may be made later, so whether all have arrived is known only at the end.
        // The time to spare begins when the last one arrives.
        if !is_last && ALL && !now.with_margins {
            return Judgment::default();
        }
        let missing = self.missing(now);
        self.state.since = match missing {
            Some(_) => None,
            None => self.state.since.or(Some(now.tick())),
        };
        self.state.done = is_last || (missing.is_none() && !now.with_margins);
        if is_last { self.judge_arrivals(now, missing) } else { Judgment::default() }
    }

    fn finish(&mut self, now: &TickView<'_>) -> Judgment {
        if self.state.done {
            return Judgment::default();
        }
        self.judge_arrivals(now, self.missing(now))
    }

    fn unit(&self) -> &'static str {
        "s"
    }

    fn bound(&self, now: &TickView<'_>) -> f32 {
        // It is judged at its last tick: that is the time that the agents have.
        now.world.time()
    }

    fn is_judged(&self) -> bool {
        self.state.done
    }

    fn holds_already(&self) -> bool {
        // Others that do not arrive do not matter.
        !ALL && self.state.since.is_some()
    }

    fn retain(&mut self, keep: &[bool], groups: &[GroupId]) {
        let group = self.group.id();
        for (row, arrived) in self.state.arrived.iter().enumerate() {
            self.state.removed += u64::from(!keep[row] && groups[row] == group && !arrived);
        }
        retain_rows(&mut self.state.arrived, keep);
    }

    fn describe(&self, now: &TickView<'_>, violation: &Violation) -> String {
        let (name, tick) = (&now.world.group(self.group.id()).name, now.tick());
        let what = match self.place() {
            Some(Goal { at, radius }) => format!("been within {radius} of {at}"),
            None => "reached its last goal".to_owned(),
        };
        match violation.row {
            Some(row) => {
                let way = self.way_to_go(now, row);
                format!(
                    "{} has not {what} by tick {tick}: it still has {way:.1} to go",
                    now.agent_name(row)
                )
            }
            None if violation.value > 0.0 => {
                let s = if violation.value == 1.0 { "" } else { "s" };
                let agents = format!("{} agent{s} of group `{name}`", violation.value);
                let (was, its) = if s.is_empty() { ("was", "its") } else { ("were", "their") };
                let what = what.replace("its", its);
                format!("{agents} {was} removed by tick {tick} without having {what}")
            }
            None => {
                let nobody = format!("no agent of group `{name}` has {what} by tick {tick}");
                // Goals are counted when the next tick begins, so an agent may be there already.
                match self.nearest(now).filter(|&(_, way)| way > 0.0) {
                    Some((row, way)) => {
                        let id = now.world.agents.id[row];
                        format!("{nobody}: the nearest, agent {id}, still has {way:.1} to go")
                    }
                    None => nobody,
                }
            }
        }
    }

    fn worse(&self) -> Option<Worse> {
        None
    }

    fn reads_goals(&self, of: GroupId) -> bool {
        self.at.is_none() && self.group.id() == of
    }

    fn why_skipped(&self, part: RunPart) -> Option<String> {
        why_skipped(self.by, self.at.is_some(), part)
    }
}

/// Checks that agents of a group can reach their last goal.
fn check_goals(check: &mut Check<'_>, group: GroupId) {
    let facts = check.facts;
    let of = &facts.groups[usize::from(group.0)];
    let started = facts.start.map(|start| &start.groups[usize::from(group.0)].goals);
    let set = facts.events.iter().filter_map(|event| match &event.action {
        Action::SetGoals { group: of, goals } if *of == group => Some(goals),
        _ => None,
    });
    let all = of.goals.iter().chain(started.into_iter().flatten()).chain(set);
    let mut all = all.filter(|goals| !goals.is_empty()).peekable();
    if all.peek().is_none() {
        let error = Diagnostic::error(format!("agents of group `{}` have no goals", of.name))
            .help("give the group `goals`, or name a place here: `at: (x, y), radius: r`")
            .help("a script can set a goal, too: `me.set_goal(at, radius)`");
        let span = check.written.span(SpecPart::Field("group"));
        check.written.add_unless_goals_are_set(group, error, span);
    } else if !all.any(|goals| goals.iter().all(|goal| goal.radius > 0.0)) {
        let never = format!("agents of group `{}` can never reach their last goal", of.name);
        let wrong = Diagnostic::error(never).help(
            "a goal without a `radius`, or with radius 0, is never reached: give it a radius, or \
             name a place here: `at: (x, y), radius: r`",
        );
        check.add(SpecPart::Field("group"), wrong);
    }
}
