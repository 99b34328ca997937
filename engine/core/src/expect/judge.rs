//! The judge: checks all expectations at each tick and keeps the first failure of each.

use super::Expectation;
use super::rule::{Contact, Judgment, PreviousTick, Rule, TickView, Violation, Worse, lower};
use crate::diag::Diagnostic;
use crate::math;
use crate::sim::{Simulation, SkippedCalls};
use crate::trace::Totals;
use crate::world::{AgentId, Grid, Motions, World};

/// The first failure of an expectation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The index of the expectation.
    pub expectation: usize,
    /// The first tick at which it failed.
    pub tick: u64,
    /// The id of the first agent that failed in that tick, if the failure is about single agents.
    pub agent: Option<AgentId>,
    /// The id of the other agent, if the failure is about two.
    pub other: Option<AgentId>,
    /// The description of the failure: the agents, the value, the tick and the bound, in one line.
    pub message: String,
    /// Whether the agent reacts to the other one, and whether that reacts to it; `None` if this is not known.
    pub react: Option<[bool; 2]>,
    /// The calls that agents which do not react leave out because of a condition.
    pub skipped: Vec<(AgentId, SkippedCalls)>,
    /// More lines: the number of further failures, the worst value, and where else to look.
    pub help: Vec<String>,
}

impl Failure {
    /// Returns the agents that it is about in words, such as `agent 3` or `agents 3 and 7`. `None` if it is not about
    /// single agents.
    pub fn agents(&self) -> Option<String> {
        Some(agents(self.agent?, self.other))
    }

    /// Returns the agent to look at, and the other one if there are two: first the one that does not react to the other.
    pub fn first_and_other(&self) -> (Option<AgentId>, Option<AgentId>) {
        match self.react {
            Some([true, false]) => (self.other, self.agent),
            _ => (self.agent, self.other),
        }
    }

    /// Says which of two agents does not react to the other, or that both do.
    pub fn cause(&self) -> Option<String> {
        let (one, other) = (self.agent?, self.other?);
        let alone = |one, other| {
            format!(
                "agent {one} does not react to agent {other}: its force would be the same without it"
            )
        };
        Some(match self.react? {
            [true, true] => format!(
                "agents {one} and {other} both react to each other: too late, too weakly, or not away from each other"
            ),
            [false, true] => alone(one, other),
            [true, false] => alone(other, one),
            [false, false] => {
                let why = match self.skipped.first() {
                    Some((_, calls)) => {
                        format!("a condition leaves out {}", calls.names_in_words())
                    }
                    None => "nothing in their scripts keeps them apart now".to_owned(),
                };
                format!("agents {one} and {other} do not react to each other: {why}")
            }
        })
    }

    /// Returns how many of two agents are not known to react to the other.
    pub fn idle_agents(&self) -> usize {
        self.react.map_or(0, |react| react.iter().filter(|reacts| !**reacts).count())
    }

    /// Returns the failure as an error at the position of its expectation.
    pub fn diagnostic(&self, expectation: &Expectation) -> Diagnostic {
        let place = &expectation.place;
        let failed = Diagnostic::error(&self.message).at(&place.source, place.span.clone());
        let skipped = self.skipped.iter().map(|(agent, calls)| {
            let (names, place) = (calls.names_in_words(), &calls.condition);
            format!(
                "agent {agent} does not call {names}, because of the condition at {place}: {calls}"
            )
        });
        let all = self.cause().into_iter().chain(skipped);
        Diagnostic { help: all.chain(self.help.iter().cloned()).collect(), ..failed }
    }
}

/// Returns one or two agents in words.
fn agents(agent: AgentId, other: Option<AgentId>) -> String {
    match other {
        Some(other) => format!("agents {agent} and {other}"),
        None => format!("agent {agent}"),
    }
}

/// How far an expectation is from failing, in its own unit. It is negative if and only if the expectation fails.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Margin {
    /// The smallest margin so far. `None` if nothing has been compared: there were no agents, or the expectation is only
    /// judged later, or it has no margin.
    pub value: Option<f32>,
    /// The first tick at which the margin had this value; the last tick if there is none.
    pub tick: u64,
    /// Its unit, such as `world units`; empty if it has none.
    pub unit: &'static str,
    /// The margin at the last tick; `None` if nothing was compared then.
    pub latest: Option<f32>,
}

/// The state of an expectation after some ticks.
#[derive(Clone, Debug, PartialEq)]
pub struct ExpectationState {
    /// Whether it holds.
    pub standing: Standing,
    /// Its smallest margin so far.
    pub margin: Margin,
    /// Its first failure.
    pub failure: Option<Failure>,
}

/// Whether an expectation holds so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It has not been judged: its first tick is still to come, or only a later tick or the end of the run can decide it.
    NotYet,
    /// It has held at all ticks so far.
    Passing,
    /// It has held at all ticks so far, but at one of them its margin was at most a tenth of its bound.
    NearlyFailed,
    /// It has failed.
    Failed,
}

/// The number of conditions that are told of an agent which does not react to another one.
const MAX_SKIPPED: usize = 3;

/// An expectation has nearly failed if its smallest margin is at most this part of its bound ([`Rule::bound`]).
const NEARLY_FAILED: f32 = 0.1;

/// Checks the expectations of a run. It must be made at the first tick, and then see every tick in order.
#[derive(Clone)]
pub struct Judge {
    judged: Vec<JudgedExpectation>,
    before: PreviousTick,
    grid: Grid,
    /// The agents in the order of that grid.
    motions: Motions,
    /// The totals since the judge was made, if a script reads them.
    totals: Option<Totals>,
    /// Whether it computes margins.
    with_margins: bool,
    /// The last tick.
    tick: u64,
}

/// One expectation and its failures so far.
#[derive(Clone)]
struct JudgedExpectation {
    rule: Box<dyn Rule>,
    from: u64,
    first: Option<Failure>,
    /// Number of ticks in which it failed.
    ticks: u64,
    /// The worst failure: the agent, the other agent if it is about two, the tick, the value.
    worst: Option<(AgentId, Option<AgentId>, u64, f32)>,
    /// The smallest margin and its tick.
    margin: Option<(f32, u64)>,
    /// The margin at the last tick.
    latest: Option<f32>,
    /// The size of the bound, if margins are computed or it has failed.
    bound: f32,
    /// Whether it has been judged.
    is_judged: bool,
}

impl Judge {
    /// Makes a judge and checks the simulation in its current state. With margins, every tick takes longer.
    pub fn new(expectations: &[Expectation], simulation: &Simulation, with_margins: bool) -> Self {
        let case = |of: &Expectation| JudgedExpectation {
            rule: of.rule.clone(),
            from: of.from,
            first: None,
            ticks: 0,
            worst: None,
            margin: None,
            latest: None,
            bound: 0.0,
            is_judged: false,
        };
        let judged = expectations.iter().map(case).collect();
        let measures = expectations.iter().flat_map(|of| of.rule.measures()).copied();
        let mut judge = Self {
            judged,
            totals: Totals::needed(simulation, measures),
            before: PreviousTick::default(),
            grid: Grid::default(),
            motions: Motions::default(),
            with_margins,
            tick: simulation.world().tick,
        };
        judge.judge(simulation);
        judge
    }

    /// Checks the simulation after one more tick.
    pub fn tick(&mut self, simulation: &Simulation) {
        if let Some(totals) = &mut self.totals {
            totals.add_tick(simulation);
        }
        self.judge(simulation);
    }

    /// Does the same if files were edited at this tick. The edited scenario must have the same expectations.
    #[doc(hidden)]
    pub fn tick_of_edit(&mut self, simulation: &Simulation) {
        for case in &mut self.judged {
            case.rule.forget_files();
        }
        self.tick(simulation);
    }

    /// Returns its approximate size in bytes.
    pub fn bytes(&self) -> usize {
        // The previous tick, the grid, and what expectations keep of each agent.
        const PER_AGENT: usize = 150;
        self.before.id.len() * PER_AGENT
    }

    fn judge(&mut self, simulation: &Simulation) {
        let world = simulation.world();
        self.tick = world.tick;
        if self.judged.is_empty() {
            return;
        }
        self.forget_removed(world);
        let due = |case: &JudgedExpectation| world.tick >= case.from;
        if self.judged.iter().any(|case| due(case) && case.rule.wants_grid()) {
            self.motions.clone_from(&world.agents.motions);
            self.grid.sort(&world.space, &mut self.motions);
        }
        let mut judged = std::mem::take(&mut self.judged);
        let now = self.view(simulation);
        for (index, case) in judged.iter_mut().enumerate() {
            case.latest = None;
            if due(case) {
                let found = case.rule.judge(&now);
                case.is_judged |= case.rule.is_judged();
                case.note(index, &now, &found);
            }
        }
        self.judged = judged;
        self.before.record(world);
    }

    /// Returns what rules see of the last tick.
    fn view<'a>(&'a self, simulation: &'a Simulation) -> TickView<'a> {
        TickView {
            simulation,
            world: simulation.world(),
            before: &self.before,
            grid: &self.grid,
            motions: &self.motions,
            totals: self.totals.as_ref(),
            with_margins: self.with_margins,
        }
    }

    /// Returns whether any expectation has failed so far.
    pub fn failed(&self) -> bool {
        self.judged.iter().any(|case| case.first.is_some())
    }

    /// Returns whether the expectation with this index has failed so far.
    pub fn has_failed(&self, expectation: usize) -> bool {
        self.judged.get(expectation).is_some_and(|case| case.first.is_some())
    }

    /// Returns the margin of each expectation so far, in their order, if the judge was made with margins. Margins that
    /// are known only at the end of the run follow after [`Judge::end`].
    pub fn margins(&self) -> Vec<Margin> {
        self.judged.iter().map(|case| case.margin(self.tick)).collect()
    }

    /// Returns the margin of one expectation at the last tick, which the simulation is at. If only a later tick decides, it is the
    /// margin that the expectation would have if the run ended here. `None` if nothing is compared.
    pub fn latest_margin(&self, expectation: usize, simulation: &Simulation) -> Option<f32> {
        let case = self.judged.get(expectation)?;
        if case.latest.is_some() || case.is_judged || self.tick < case.from {
            return case.latest;
        }
        case.rule.clone().finish(&self.view(simulation)).margin
    }

    /// Returns the first failure of each expectation that has failed so far.
    pub fn first_failures(&self) -> impl Iterator<Item = &Failure> {
        self.judged.iter().filter_map(|case| case.first.as_ref())
    }

    /// Returns what is known about each expectation so far, in their order. It needs a judge with margins.
    pub fn states(&self) -> Vec<ExpectationState> {
        let state = |case: &JudgedExpectation| ExpectationState {
            standing: case.standing(),
            margin: case.margin(self.tick),
            failure: case.first.clone(),
        };
        self.judged.iter().map(state).collect()
    }

    /// Returns all failures after the last tick, including those that only the end of the run can show.
    pub fn finish(mut self, simulation: &Simulation) -> Vec<Failure> {
        self.end(simulation);
        self.into_failures()
    }

    /// Checks what only the end of the run can show. Call it once, after the last tick.
    pub fn end(&mut self, simulation: &Simulation) {
        let world = simulation.world();
        self.forget_removed(world);
        let mut judged = std::mem::take(&mut self.judged);
        let now = self.view(simulation);
        for (index, case) in judged.iter_mut().enumerate() {
            let found = case.rule.finish(&now);
            case.is_judged |= world.tick >= case.from;
            case.note(index, &now, &found);
        }
        self.judged = judged;
    }

    /// Returns the failures so far, for a run that stops before its end.
    pub fn into_failures(self) -> Vec<Failure> {
        self.judged.into_iter().filter_map(JudgedExpectation::failure).collect()
    }

    /// Removes the rows of agents that no longer exist.
    fn forget_removed(&mut self, world: &World) {
        if let Some(keep) = self.before.kept_rows(world) {
            for case in &mut self.judged {
                case.rule.retain(&keep, &self.before.group);
            }
            self.before.retain(&keep);
        }
    }
}

impl JudgedExpectation {
    fn margin(&self, last_tick: u64) -> Margin {
        Margin {
            value: self.margin.map(|(value, _)| value),
            tick: self.margin.map_or(last_tick, |(_, tick)| tick),
            unit: self.rule.unit(),
            latest: self.latest,
        }
    }

    fn standing(&self) -> Standing {
        match self.margin {
            _ if self.first.is_some() => Standing::Failed,
            _ if !self.is_judged && !self.rule.holds_already() => Standing::NotYet,
            Some((least, _)) if least <= NEARLY_FAILED * self.bound => Standing::NearlyFailed,
            _ => Standing::Passing,
        }
    }

    fn note(&mut self, expectation: usize, now: &TickView<'_>, found: &Judgment) {
        if now.with_margins {
            self.bound = self.rule.bound(now);
            debug_assert_eq!(
                found.margin.is_some_and(|margin| margin < 0.0),
                found.violation.is_some(),
                "{:?}: {found:?}",
                self.rule
            );
            self.note_margin(now.tick(), found.margin);
        }
        if let Some(violation) = &found.violation {
            self.note_violation(expectation, now, violation);
        }
    }

    fn note_margin(&mut self, tick: u64, margin: Option<f32>) {
        let Some(margin) = margin else {
            return;
        };
        self.latest = lower(self.latest, Some(margin));
        if self.margin.is_none_or(|(least, _)| margin < least) {
            self.margin = Some((margin, tick));
        }
    }

    fn note_violation(&mut self, expectation: usize, now: &TickView<'_>, violation: &Violation) {
        let id = |row: usize| now.world.agents.id[row];
        let other = |with: Contact| match with {
            Contact::Agent(row) => Some(id(row)),
            Contact::Nothing | Contact::Obstacle(_) => None,
        };
        self.ticks += 1;
        self.bound = self.rule.bound(now);
        if let Some(worse) = self.rule.worse() {
            let worst = violation.worst;
            let is_worse = self.worst.is_none_or(|(.., old)| match worse {
                Worse::Higher => worst.value > old,
                Worse::Lower => worst.value < old,
            });
            if is_worse {
                self.worst = Some((id(worst.row), other(worst.with), now.tick(), worst.value));
            }
        }
        if self.first.is_some() {
            return;
        }
        let mut help = self.rule.help();
        if violation.count > 1 {
            help.push(format!("and {} more in that tick", violation.count - 1));
        }
        let (agent, other) = (violation.row.map(id), other(violation.with));
        let reacts = |one, other| now.simulation.reacts_to(one, other).ok().flatten();
        let react = agent
            .zip(other)
            .and_then(|(one, other)| Some([reacts(one, other)?, reacts(other, one)?]));
        let both = [agent, other].into_iter().zip(react.unwrap_or([true; 2]));
        let idle = both.filter_map(|(agent, reacts)| agent.filter(|_| !reacts));
        let skipped = idle.flat_map(|agent| {
            let turn = now.simulation.next_turn(agent).ok().flatten();
            let calls = turn.map_or_else(Vec::new, |turn| turn.skipped).into_iter();
            calls.take(MAX_SKIPPED).map(move |calls| (agent, calls))
        });
        self.first = Some(Failure {
            expectation,
            tick: now.tick(),
            agent,
            other,
            react,
            skipped: skipped.collect(),
            message: self.rule.describe(now, violation),
            help,
        });
    }

    fn failure(self) -> Option<Failure> {
        let mut first = self.first?;
        if self.ticks > 1 {
            first.help.push(format!("it fails in {} ticks in all", self.ticks));
            if let Some((agent, other, tick, value)) = self.worst {
                let agents = agents(agent, other);
                let value = math::short_beside(value, self.bound);
                first.help.push(format!("the worst value is {value}, for {agents} at tick {tick}"));
            }
        }
        Some(first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec2;
    use crate::sim::{GroupBuilder, SpawnShape};
    use crate::world::{Edge, Me, Mind, Space};

    /// Agent 0 reacts to no one, agents 1 and 2 to all.
    fn steer(me: &Me<'_>, _: Mind<'_>) -> Vec2 {
        let agents = &me.world().agents;
        let all = (0..agents.len()).map(|row| me.to(agents.pos(row)));
        if me.agent().id() == AgentId(0) { Vec2::X } else { all.sum() }
    }

    #[test]
    fn a_failure_says_which_of_two_agents_react() {
        let space = Space { edge: Edge::Clamp, min: Vec2::ZERO, size: Vec2::splat(100.0) };
        let ring = SpawnShape::Ring { center: Vec2::splat(50.0), radius: 9.0 };
        let group = GroupBuilder::new("a").spawn(ring, 3).steer(steer);
        let simulation = Simulation::builder(space).group(group).build().unwrap();
        let reacts = |one, other| simulation.reacts_to(AgentId(one), AgentId(other)).ok().flatten();
        let failure = |one, other| Failure {
            expectation: 0,
            tick: 0,
            agent: Some(AgentId(one)),
            other: Some(AgentId(other)),
            message: String::new(),
            react: Some([reacts(one, other).unwrap(), reacts(other, one).unwrap()]),
            skipped: Vec::new(),
            help: Vec::new(),
        };
        let told = |one, other| failure(one, other).cause().unwrap();
        let words = told(1, 2);
        assert!(words.starts_with("agents 1 and 2 both react to each other: too late"), "{words}");
        // The one that does not react comes first.
        for (one, other) in [(0, 1), (1, 0)] {
            assert!(told(one, other).starts_with("agent 0 does not react to agent 1"));
            let failure = failure(one, other);
            assert_eq!(failure.first_and_other(), (Some(AgentId(0)), Some(AgentId(1))));
            assert_eq!(failure.idle_agents(), 1);
        }
    }
}
