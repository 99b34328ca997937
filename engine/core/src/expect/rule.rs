//! The trait of all expectations, with their view of a tick and what they find there: violations and margins.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use super::check::{Check, GroupFilter, group_of};
use super::{ComparedVersions, ExpectationScript};
use crate::diag::Place;
use crate::math::{self, Vec2};
use crate::number::Natural;
use crate::sim::Simulation;
use crate::trace::{Measure, Totals};
use crate::world::{AgentId, Grid, GroupId, Motions, World, retain_rows};

/// One kind of expectation: checks its fields against the scenario, then checks a run tick by tick.
pub(super) trait Rule: CloneRule + fmt::Debug + Send + Sync {
    /// Checks the fields against the rest of the scenario, and looks up what they name.
    fn check(&mut self, _check: &mut Check<'_>) {}

    /// Returns what fails at this tick, and how far it is from failing.
    fn judge(&mut self, now: &TickView<'_>) -> Judgment;

    /// Returns what fails at the end of the run, after the last tick has been checked.
    fn finish(&mut self, _now: &TickView<'_>) -> Judgment {
        Judgment::default()
    }

    /// Returns the unit of its margins; empty if they have none.
    fn unit(&self) -> &'static str;

    /// Returns how large a margin can be, roughly, in the same unit: the size of the bound. An expectation has
    /// nearly failed if its margin is a small part of this. It is 0 if nothing says what is small.
    fn bound(&self, now: &TickView<'_>) -> f32;

    /// Returns whether it has been judged, once its first tick has been. False as long as only a later tick decides.
    fn is_judged(&self) -> bool {
        true
    }

    /// Returns whether nothing that follows can make it fail, although it is judged later.
    fn holds_already(&self) -> bool {
        false
    }

    /// Forgets what it has kept from the files: they are edited at this tick.
    fn forget_files(&mut self) {}

    /// Removes the rows of agents that were removed since the last tick: those not marked in `keep`. `groups` are
    /// the groups of all rows of that tick.
    fn retain(&mut self, _keep: &[bool], _groups: &[GroupId]) {}

    /// Describes a violation of this tick: the agent, the value, the tick and the bound.
    fn describe(&self, now: &TickView<'_>, violation: &Violation) -> String;

    /// Returns which values of violations are worse; `None` if the values are not worth reporting.
    fn worse(&self) -> Option<Worse> {
        Some(Worse::Higher)
    }

    /// Returns further lines about the last violation.
    fn help(&self) -> Vec<String> {
        Vec::new()
    }

    /// Returns whether it needs the grid of agents.
    fn wants_grid(&self) -> bool {
        false
    }

    /// Returns whether it may depend on the goals of a group.
    fn reads_goals(&self, _of: GroupId) -> bool {
        false
    }

    /// Returns whether it may depend on the obstacles.
    fn reads_obstacles(&self) -> bool {
        false
    }

    /// Returns whether it may hold only because of obstacles and paths, also of those that no agent has felt: without them, it
    /// fails for another reason.
    fn needs_surroundings(&self) -> bool {
        false
    }

    /// Returns whether it demands a number of agents, so that it cannot hold with too few.
    fn counts_agents(&self) -> bool {
        false
    }

    /// Returns why a part of the run must leave it out; `None` if it can stay.
    fn why_skipped(&self, _part: RunPart) -> Option<String> {
        None
    }

    /// Returns what it compares between two versions of the files, if it does.
    fn compared_versions(&self) -> Option<ComparedVersions<'_>> {
        None
    }

    /// Returns the name of the script that it runs, if any, and where that name is written.
    fn script(&self) -> Option<(&str, &Place)> {
        None
    }

    /// Returns the measures that its script reads.
    fn measures(&self) -> &[Measure] {
        &[]
    }

    /// Returns the compiled script that it runs, if any.
    fn compiled(&self) -> Option<&dyn ExpectationScript> {
        None
    }

    /// Sets the compiled script that it runs.
    fn set_script(&mut self, _script: Arc<dyn ExpectationScript>) {}
}

/// A rule that can be cloned: each run is checked by its own clone.
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

/// Says which of two values is worse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Worse {
    Higher,
    Lower,
}

/// A value that a rule has measured, and its margin: how far it is from failing. It fails if the margin is negative.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Measured {
    /// The value that a violation shows.
    pub(super) value: f32,
    pub(super) margin: f32,
}

impl Measured {
    /// A value that may not exceed a limit.
    #[inline]
    pub(super) fn at_most(value: f32, limit: f32) -> Self {
        Self { value, margin: limit - value }
    }

    /// A value that may not be below a limit.
    #[inline]
    pub(super) fn at_least(value: f32, limit: f32) -> Self {
        Self { value, margin: value - limit }
    }

    #[inline]
    pub(super) fn fails(self) -> bool {
        self.margin < 0.0
    }
}

/// The finding of a rule at one tick.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Judgment {
    pub(super) violation: Option<Violation>,
    /// The smallest margin. `None` if nothing was compared, or if margins are not requested.
    pub(super) margin: Option<f32>,
}

impl Judgment {
    /// Judges a value that is not about a single agent.
    pub(super) fn without_agent(measured: Measured) -> Self {
        Self {
            violation: measured.fails().then(|| Violation::without_agent(measured.value)),
            margin: Some(measured.margin),
        }
    }

    /// Makes one from the result of two searches. A search may skip pairs that are at the limit within rounding, so the
    /// violation decides about the sign of the margin.
    pub(super) fn of_searches(violation: Option<Violation>, margin: Option<f32>) -> Self {
        let holds = violation.is_none();
        let margin = margin.map(|margin| if holds { math::max(margin, 0.0) } else { margin });
        Self { violation, margin }
    }

    /// Joins what was found at the same tick.
    pub(super) fn join(self, other: Self, worse: Worse) -> Self {
        Self {
            violation: join(self.violation, other.violation, worse),
            margin: lower(self.margin, other.margin),
        }
    }
}

/// Returns the lower of two margins.
#[inline]
pub(super) fn lower(a: Option<f32>, b: Option<f32>) -> Option<f32> {
    match (a, b) {
        (Some(a), Some(b)) => Some(math::min(a, b)),
        (a, b) => a.or(b),
    }
}

/// The violations that a rule finds at one tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Violation {
    /// The first row that fails, if the rule is about single agents.
    pub(super) row: Option<usize>,
    /// The thing that this agent is in contact with.
    pub(super) with: Contact,
    /// The value that is compared with the bound.
    pub(super) value: f32,
    /// Number of agents or pairs that fail.
    pub(super) count: usize,
    pub(super) worst: WorstValue,
}

/// The worst value of the violations at one tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct WorstValue {
    pub(super) row: usize,
    /// The thing that this agent is in contact with.
    pub(super) with: Contact,
    pub(super) value: f32,
}

/// A thing that an agent is in contact with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Contact {
    Nothing,
    /// Another agent, by its row.
    Agent(usize),
    /// An obstacle, by its index.
    Obstacle(usize),
}

impl Violation {
    /// Makes a violation by one agent.
    pub(super) fn new(row: usize, with: Contact, value: f32) -> Self {
        Self { row: Some(row), with, value, count: 1, worst: WorstValue { row, with, value } }
    }

    /// Makes a violation that is not about a single agent.
    pub(super) fn without_agent(value: f32) -> Self {
        let with = Contact::Nothing;
        Self { row: None, with, value, count: 0, worst: WorstValue { row: 0, with, value } }
    }

    /// Returns the row that it is about.
    pub(super) fn first(&self) -> usize {
        self.row.unwrap_or_default()
    }

    /// Joins two violations of one tick. The first row is the lower one; so is the worst row if both are equally bad.
    pub(super) fn join(self, other: Self, worse: Worse) -> Self {
        let (first, second) = if (other.row, other.with) < (self.row, self.with) {
            (other, self)
        } else {
            (self, other)
        };
        let (a, b) = (first.worst, second.worst);
        let takes_over = match worse {
            _ if a.value == b.value => (b.row, b.with) < (a.row, a.with),
            Worse::Higher => b.value > a.value,
            Worse::Lower => b.value < a.value,
        };
        Self { count: first.count + second.count, worst: if takes_over { b } else { a }, ..first }
    }
}

/// Joins two optional violations of one tick.
#[inline]
pub(super) fn join(a: Option<Violation>, b: Option<Violation>, worse: Worse) -> Option<Violation> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.join(b, worse)),
        (a, b) => a.or(b),
    }
}

/// The view that rules have of a tick: the world as it is, and as it was one tick before.
pub(super) struct TickView<'a> {
    pub(super) simulation: &'a Simulation,
    pub(super) world: &'a World,
    /// Agents one tick before, in the rows of the current world. New agents have no row there.
    pub(super) before: &'a PreviousTick,
    /// The grid of the current world; filled only if a rule needs it.
    pub(super) grid: &'a Grid,
    /// The agents in the order of that grid.
    pub(super) motions: &'a Motions,
    /// The totals since the judge began, if a script reads them.
    pub(super) totals: Option<&'a Totals>,
    /// Whether margins are wanted, and not only violations.
    pub(super) with_margins: bool,
}

impl TickView<'_> {
    pub(super) fn tick(&self) -> u64 {
        self.world.tick
    }

    /// Returns the name of an agent for messages.
    pub(super) fn agent_name(&self, row: usize) -> String {
        let agent = self.world.agent(row);
        format!("agent {} ({})", agent.id(), agent.group().name)
    }

    /// Checks each agent of a group, or of all groups. `measure` returns `None` for the row of an agent that has
    /// nothing to compare.
    pub(super) fn each(
        &self,
        filter: &GroupFilter,
        worse: Option<Worse>,
        measure: impl FnMut(usize) -> Option<Measured>,
    ) -> Judgment {
        let group = group_of(filter);
        self.each_of(0..self.world.agents.len(), group, worse, measure)
    }

    /// Does the same as [`TickView::each`], but only for agents that existed one tick before.
    pub(super) fn each_old(
        &self,
        filter: &GroupFilter,
        worse: Option<Worse>,
        measure: impl FnMut(usize) -> Option<Measured>,
    ) -> Judgment {
        let group = group_of(filter);
        self.each_of(0..self.before.id.len(), group, worse, measure)
    }

    #[inline(always)]
    fn each_of(
        &self,
        rows: Range<usize>,
        group: Option<GroupId>,
        worse: Option<Worse>,
        measure: impl FnMut(usize) -> Option<Measured>,
    ) -> Judgment {
        if self.with_margins {
            self.measure_each::<true>(rows, group, worse, measure)
        } else {
            self.measure_each::<false>(rows, group, worse, measure)
        }
    }

    #[inline(always)]
    fn measure_each<const MARGINS: bool>(
        &self,
        rows: Range<usize>,
        group: Option<GroupId>,
        worse: Option<Worse>,
        mut measure: impl FnMut(usize) -> Option<Measured>,
    ) -> Judgment {
        let of = &self.world.agents.group[..rows.end];
        let mut found = Judgment::default();
        for row in rows {
            if group.is_some_and(|group| of[row] != group) {
                continue;
            }
            let Some(measured) = measure(row) else {
                continue;
            };
            if measured.fails() {
                let one = Violation::new(row, Contact::Nothing, measured.value);
                found.violation = join(found.violation, Some(one), worse.unwrap_or(Worse::Higher));
            }
            if MARGINS {
                found.margin = lower(found.margin, Some(measured.margin));
            }
        }
        found
    }
}

/// The agents of the previous tick.
#[derive(Clone, Debug, Default)]
pub(super) struct PreviousTick {
    pub(super) id: Vec<AgentId>,
    pub(super) group: Vec<GroupId>,
    pub(super) pos: Vec<Vec2>,
    pub(super) vel: Vec<Vec2>,
    pub(super) heading: Vec<Vec2>,
}

impl PreviousTick {
    /// Records the current agents.
    pub(super) fn record(&mut self, world: &World) {
        let agents = &world.agents;
        self.id.clone_from(&agents.id);
        self.group.clone_from(&agents.group);
        refill(&mut self.pos, agents.positions());
        refill(&mut self.vel, agents.velocities());
        refill(&mut self.heading, agents.headings());
    }

    /// Returns for each row whether its agent still exists; `None` if all do.
    pub(super) fn kept_rows(&self, world: &World) -> Option<Vec<bool>> {
        let now = &world.agents.id;
        let last = self.id.len().checked_sub(1)?;
        // Ids rise and new agents have higher ones: if the last agent has its row, none before it was removed.
        if now.get(last) == Some(&self.id[last]) {
            return None;
        }
        let mut rest = now.iter().peekable();
        let keep = self.id.iter().map(|id| rest.next_if_eq(&id).is_some());
        Some(keep.collect())
    }

    /// Removes the rows of removed agents.
    pub(super) fn retain(&mut self, keep: &[bool]) {
        retain_rows(&mut self.id, keep);
        retain_rows(&mut self.group, keep);
        retain_rows(&mut self.pos, keep);
        retain_rows(&mut self.vel, keep);
        retain_rows(&mut self.heading, keep);
    }
}

/// Replaces what is in a column, and keeps its memory.
fn refill(column: &mut Vec<Vec2>, with: impl Iterator<Item = Vec2>) {
    column.clear();
    column.extend(with);
}

/// Some ticks of a run that become a run of their own.
#[derive(Clone, Copy, Debug)]
pub struct RunPart {
    /// Its first tick.
    pub from: u64,
    /// The tick at which it ends.
    pub end: u64,
    /// The tick at which the whole run ends.
    pub whole_end: u64,
}

/// Returns why an expectation with the field `by` must be left out of a part of the run; `None` if it can stay. `looks_back`
/// says that it also depends on earlier ticks.
pub(super) fn why_skipped(by: Option<Natural>, looks_back: bool, part: RunPart) -> Option<String> {
    let RunPart { from, end, whole_end } = part;
    let last = by.map_or(whole_end, Natural::get);
    if by.is_some_and(|by| by.get() < from) {
        Some(format!("left out because the run begins at tick {from}"))
    } else if looks_back && from > 0 {
        Some(format!("left out because it also depends on the time before tick {from}"))
    } else if last > end {
        // It would be judged at the end of the part, and fail even if nothing is wrong.
        Some(format!("left out because it is about tick {last}, and the run ends at tick {end}"))
    } else {
        None
    }
}

/// Converts a time to ticks, at least one.
pub(super) fn ticks(seconds: f32, dt: f32) -> u64 {
    ((seconds / dt).round() as u64).max(1)
}
