//! What every rule has in common: what it sees of a moment, and what it finds.

use std::fmt;
use std::sync::Arc;

use super::ExpectationScript;
use super::check::{Check, GroupFilter, group_of};
use crate::diag::Place;
use crate::math::Vec2;
use crate::number::Natural;
use crate::sim::Simulation;
use crate::world::{Grid, GroupId, World, retain_rows};

/// One expectation: checks its fields against the scenario, then judges a run from tick to tick.
pub(super) trait Rule: CloneRule + fmt::Debug + Send + Sync {
    /// Checks the fields against the rest of the scenario, and looks up what they name.
    fn check(&mut self, _check: &mut Check<'_>) {}

    /// What falls short at this moment.
    fn judge(&mut self, now: &TickView<'_>) -> Option<Violation>;

    /// What falls short at the end of the run, after the last tick has been judged.
    fn finish(&mut self, _now: &TickView<'_>) -> Option<Violation> {
        None
    }

    /// Some agents are gone since the last tick: those of its rows that are not marked. `groups` are the
    /// groups of all its rows.
    fn retain(&mut self, _keep: &[bool], _groups: &[GroupId]) {}

    /// An violation of this moment in words: who, how much, when, and the bound.
    fn describe(&self, now: &TickView<'_>, violation: &Violation) -> String;

    /// Which of two values of violations is the worse one, where they are worth telling.
    fn worse(&self) -> Option<Worse> {
        Some(Worse::Higher)
    }

    /// What else to say about the last violation.
    fn help(&self) -> Vec<String> {
        Vec::new()
    }

    /// Whether it asks who is near whom.
    fn wants_grid(&self) -> bool {
        false
    }

    /// Whether it may depend on the goals of a group.
    fn reads_goals(&self, _of: GroupId) -> bool {
        false
    }

    /// Whether it may depend on the obstacles.
    fn reads_obstacles(&self) -> bool {
        false
    }

    /// Why it says nothing about a run that begins at a tick, if so.
    fn why_skipped(&self, _from: u64) -> Option<String> {
        None
    }

    /// The script that it asks: its name, and where that is written.
    fn script(&self) -> Option<(&str, &Place)> {
        None
    }

    /// Takes in the compiled script that it asks.
    fn set_script(&mut self, _verdict: Arc<dyn ExpectationScript>) {}
}

/// A rule that can be copied: each run is judged by a copy of its own.
pub(super) trait CloneRule {
    fn clone_rule(&self) -> Box<dyn Rule>;
}

impl<R: Rule + Clone + 'static> CloneRule for R {
    fn clone_rule(&self) -> Box<dyn Rule> {
        Box::new(self.clone())
    }
}

impl Clone for Box<dyn Rule> {
    fn clone(&self) -> Self {
        (**self).clone_rule()
    }
}

/// Which values are the worse ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Worse {
    Higher,
    Lower,
}

/// What a rule finds at one moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Violation {
    /// The first row that falls short, if it is about agents.
    pub(super) row: Option<usize>,
    /// Whom or what it meets.
    pub(super) with: Contact,
    /// By what it is judged.
    pub(super) value: f32,
    /// How many fall short, or how many pairs.
    pub(super) count: usize,
    /// The row with the worst value, and that value.
    pub(super) worst: (usize, f32),
}

/// Whom or what an agent meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Contact {
    Nothing,
    /// Another agent, by its row.
    Agent(usize),
    /// An obstacle, by its place among them.
    Obstacle(usize),
}

impl Violation {
    /// That of one agent.
    pub(super) fn of(row: usize, with: Contact, value: f32) -> Self {
        Self { row: Some(row), with, value, count: 1, worst: (row, value) }
    }

    /// One that is not about a single agent.
    pub(super) fn without_agent(value: f32) -> Self {
        Self { row: None, with: Contact::Nothing, value, count: 0, worst: (0, value) }
    }

    /// The row it is about.
    pub(super) fn first(&self) -> usize {
        self.row.unwrap_or_default()
    }

    /// Two of one moment as one: the lower row stays, and of equally bad ones too.
    pub(super) fn join(self, other: Self, worse: Worse) -> Self {
        let (first, second) = if (other.row, other.with) < (self.row, self.with) {
            (other, self)
        } else {
            (self, other)
        };
        let (a, b) = (first.worst, second.worst);
        let takes_over = match worse {
            _ if a.1 == b.1 => b.0 < a.0,
            Worse::Higher => b.1 > a.1,
            Worse::Lower => b.1 < a.1,
        };
        Self { count: first.count + second.count, worst: if takes_over { b } else { a }, ..first }
    }
}

/// Both of two findings of one moment, where there are two.
#[inline]
pub(super) fn join(a: Option<Violation>, b: Option<Violation>, worse: Worse) -> Option<Violation> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.join(b, worse)),
        (a, b) => a.or(b),
    }
}

/// What rules see: the world as it is, and as it was one tick before.
pub(super) struct TickView<'a> {
    pub(super) simulation: &'a Simulation,
    pub(super) world: &'a World,
    /// In the rows of now; who is new has no row there.
    pub(super) before: &'a PreviousTick,
    /// Of now; filled only where a rule wants it.
    pub(super) grid: &'a Grid,
}

impl TickView<'_> {
    pub(super) fn tick(&self) -> u64 {
        self.world.tick
    }

    /// An agent in words.
    pub(super) fn who(&self, row: usize) -> String {
        let agent = self.world.agent(row);
        format!("agent {} ({})", agent.id(), agent.group().name)
    }

    /// Asks about each agent of a group, or of all; the answer is a value where it falls short.
    pub(super) fn each(
        &self,
        whose: &GroupFilter,
        worse: Option<Worse>,
        falls_short: impl FnMut(usize) -> Option<f32>,
    ) -> Option<Violation> {
        let group = group_of(whose);
        self.each_of(0..self.world.agents.len(), group, worse, falls_short)
    }

    /// The same for the agents of one group.
    pub(super) fn each_of_group(
        &self,
        group: GroupId,
        worse: Option<Worse>,
        falls_short: impl FnMut(usize) -> Option<f32>,
    ) -> Option<Violation> {
        self.each_of(0..self.world.agents.len(), Some(group), worse, falls_short)
    }

    /// [`TickView::each`], for those only that were there one tick before.
    pub(super) fn each_old(
        &self,
        whose: &GroupFilter,
        worse: Option<Worse>,
        falls_short: impl FnMut(usize) -> Option<f32>,
    ) -> Option<Violation> {
        let group = group_of(whose);
        self.each_of(0..self.before.id.len(), group, worse, falls_short)
    }

    #[inline(always)]
    fn each_of(
        &self,
        rows: std::ops::Range<usize>,
        group: Option<GroupId>,
        worse: Option<Worse>,
        mut falls_short: impl FnMut(usize) -> Option<f32>,
    ) -> Option<Violation> {
        let of = &self.world.agents.group[..rows.end];
        let mut found: Option<Violation> = None;
        for row in rows {
            if group.is_some_and(|group| of[row] != group) {
                continue;
            }
            if let Some(value) = falls_short(row) {
                let one = Violation::of(row, Contact::Nothing, value);
                found = join(found, Some(one), worse.unwrap_or(Worse::Higher));
            }
        }
        found
    }
}

/// What is kept of the agents from one tick to the next.
#[derive(Clone, Debug, Default)]
pub(super) struct PreviousTick {
    pub(super) id: Vec<u32>,
    pub(super) group: Vec<GroupId>,
    pub(super) pos: Vec<Vec2>,
    pub(super) vel: Vec<Vec2>,
    pub(super) heading: Vec<Vec2>,
}

impl PreviousTick {
    /// Takes over what is now.
    pub(super) fn record(&mut self, world: &World) {
        let agents = &world.agents;
        self.id.clone_from(&agents.id);
        self.group.clone_from(&agents.group);
        self.pos.clone_from(&agents.pos);
        self.vel.clone_from(&agents.vel);
        self.heading.clone_from(&agents.heading);
    }

    /// Which rows are still there; `None` where all are.
    pub(super) fn kept_rows(&self, world: &World) -> Option<Vec<bool>> {
        let now = &world.agents.id;
        let last = self.id.len().checked_sub(1)?;
        // Ids rise and new ones are higher: if the last one has its row, nobody before it is gone.
        if now.get(last) == Some(&self.id[last]) {
            return None;
        }
        let mut rest = now.iter().peekable();
        let keep = self.id.iter().map(|id| rest.next_if_eq(&id).is_some());
        Some(keep.collect())
    }

    /// Closes up the rows of those that are gone.
    pub(super) fn retain(&mut self, keep: &[bool]) {
        retain_rows(&mut self.id, keep);
        retain_rows(&mut self.group, keep);
        retain_rows(&mut self.pos, keep);
        retain_rows(&mut self.vel, keep);
        retain_rows(&mut self.heading, keep);
    }
}

/// Why an expectation that has to come true by a tick says nothing about a run that begins at another, if so.
/// `looks_back` if it depends on what has been seen before.
pub(super) fn why_skipped(by: Option<Natural>, looks_back: bool, from: u64) -> Option<String> {
    if by.is_some_and(|by| by.get() < from) {
        Some(format!("left out, since the run begins at tick {from}"))
    } else if looks_back && from > 0 {
        Some(format!("left out, since it is about what was before tick {from}, too"))
    } else {
        None
    }
}

/// How many ticks a time lasts, at least one.
pub(super) fn ticks(seconds: f32, dt: f32) -> u64 {
    ((seconds / dt).round() as u64).max(1)
}
