//! The judge: checks all expectations at each tick and keeps the first failure of each.

use super::Expectation;
use super::rule::{PreviousTick, Rule, TickView, Violation, Worse};
use crate::diag::Diagnostic;
use crate::sim::Simulation;
use crate::world::{Grid, Motions, World};

/// The first failure of an expectation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The index of the expectation.
    pub expectation: usize,
    /// The first tick at which it failed.
    pub tick: u64,
    /// The id of the first agent that failed in that tick, if the failure is about single agents.
    pub agent: Option<u32>,
    /// What failed: the agent, the value, the tick and the bound, in one line.
    pub message: String,
    /// More lines: the number of further failures, the worst value, and where else to look.
    pub help: Vec<String>,
}

impl Failure {
    /// Returns the failure as an error at the place of its expectation.
    pub fn diagnostic(&self, expectation: &Expectation) -> Diagnostic {
        let place = &expectation.place;
        let failed = Diagnostic::error(&self.message).at(&place.source, place.span.clone());
        Diagnostic { help: self.help.clone(), ..failed }
    }
}

/// Checks the expectations of a run. It must be made at the first tick, and then see every tick in order.
pub struct Judge {
    judged: Vec<JudgedExpectation>,
    before: PreviousTick,
    grid: Grid,
    /// The agents in the order of that grid.
    motions: Motions,
}

/// One expectation and its failures so far.
struct JudgedExpectation {
    rule: Box<dyn Rule>,
    from: u64,
    first: Option<Failure>,
    /// Number of ticks in which it failed.
    ticks: u64,
    /// The worst failure: id of the agent, tick, value.
    worst: Option<(u32, u64, f32)>,
}

impl Judge {
    /// Makes a judge and checks the simulation in its current state.
    pub(crate) fn new(expectations: &[Expectation], simulation: &Simulation) -> Self {
        let case = |of: &Expectation| JudgedExpectation {
            rule: of.rule.clone(),
            from: of.from,
            first: None,
            ticks: 0,
            worst: None,
        };
        let judged = expectations.iter().map(case).collect();
        let mut judge = Self {
            judged,
            before: PreviousTick::default(),
            grid: Grid::default(),
            motions: Motions::default(),
        };
        judge.tick(simulation);
        judge
    }

    /// Checks the simulation after one more tick.
    pub fn tick(&mut self, simulation: &Simulation) {
        if self.judged.is_empty() {
            return;
        }
        let world = simulation.world();
        self.forget_removed(world);
        let due = |case: &JudgedExpectation| world.tick >= case.from;
        if self.judged.iter().any(|case| due(case) && case.rule.wants_grid()) {
            self.motions.clone_from(&world.agents.motions);
            self.grid.sort(&world.space, &mut self.motions);
        }
        let now = TickView {
            simulation,
            world,
            before: &self.before,
            grid: &self.grid,
            motions: &self.motions,
        };
        for (place, case) in self.judged.iter_mut().enumerate() {
            if due(case)
                && let Some(violation) = case.rule.judge(&now)
            {
                case.note(place, &now, &violation);
            }
        }
        self.before.record(world);
    }

    /// Returns whether any expectation has failed so far.
    pub fn failed(&self) -> bool {
        self.judged.iter().any(|case| case.first.is_some())
    }

    /// Returns all failures after the last tick, including those that only the end of the run can show.
    pub fn finish(mut self, simulation: &Simulation) -> Vec<Failure> {
        let world = simulation.world();
        self.forget_removed(world);
        let now = TickView {
            simulation,
            world,
            before: &self.before,
            grid: &self.grid,
            motions: &self.motions,
        };
        for (place, case) in self.judged.iter_mut().enumerate() {
            if let Some(violation) = case.rule.finish(&now) {
                case.note(place, &now, &violation);
            }
        }
        self.into_failures()
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
    fn note(&mut self, expectation: usize, now: &TickView<'_>, violation: &Violation) {
        let id = |row: usize| now.world.agents.id[row];
        self.ticks += 1;
        if let Some(worse) = self.rule.worse() {
            let (row, value) = violation.worst;
            let is_worse = self.worst.is_none_or(|(.., old)| match worse {
                Worse::Higher => value > old,
                Worse::Lower => value < old,
            });
            if is_worse {
                self.worst = Some((id(row), now.tick(), value));
            }
        }
        if self.first.is_some() {
            return;
        }
        let mut help = self.rule.help();
        if violation.count > 1 {
            help.push(format!("and {} more in that tick", violation.count - 1));
        }
        self.first = Some(Failure {
            expectation,
            tick: now.tick(),
            agent: violation.row.map(id),
            message: self.rule.describe(now, violation),
            help,
        });
    }

    fn failure(self) -> Option<Failure> {
        let mut first = self.first?;
        if self.ticks > 1 {
            first.help.push(format!("it fails in {} ticks in all", self.ticks));
            if let Some((agent, tick, value)) = self.worst {
                first
                    .help
                    .push(format!("the worst value is {value}, for agent {agent} at tick {tick}"));
            }
        }
        Some(first)
    }
}
