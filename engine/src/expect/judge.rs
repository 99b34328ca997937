//! The judge: asks all rules at each tick, and keeps the first failure of each.

use super::Expectation;
use super::rule::{PreviousTick, Rule, TickView, Violation, Worse};
use crate::diag::Diagnostic;
use crate::sim::Simulation;
use crate::world::{Grid, World};

/// An expectation that did not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Which, by its place among the expectations.
    pub expectation: usize,
    /// When first.
    pub tick: u64,
    /// Which agent first, if it is about agents.
    pub agent: Option<u32>,
    /// Who, by how much, when, and what the bound is; in one line.
    pub message: String,
    /// How many more, how bad at the worst, and where else to look; each a line of its own.
    pub help: Vec<String>,
}

impl Failure {
    /// The failure at the place of its expectation.
    pub fn diagnostic(&self, expectation: &Expectation) -> Diagnostic {
        let place = &expectation.place;
        let failed = Diagnostic::error(&self.message).at(&place.source, place.span.clone());
        Diagnostic { help: self.help.clone(), ..failed }
    }
}

/// Judges a run while it goes on: made at its first tick, told of every tick, in their order.
pub struct Judge {
    cases: Vec<JudgedExpectation>,
    before: PreviousTick,
    grid: Grid,
}

/// One expectation, and what has come of it.
struct JudgedExpectation {
    rule: Box<dyn Rule>,
    from: u64,
    first: Option<Failure>,
    /// How many ticks it did not hold in.
    ticks: u64,
    /// The worst value: agent, tick, value.
    worst: Option<(u32, u64, f32)>,
}

impl Judge {
    /// A judge of a simulation, which is judged as it is now.
    pub(crate) fn new(expectations: &[Expectation], simulation: &Simulation) -> Self {
        let case = |of: &Expectation| JudgedExpectation {
            rule: of.rule.clone(),
            from: of.from,
            first: None,
            ticks: 0,
            worst: None,
        };
        let cases = expectations.iter().map(case).collect();
        let mut judge = Self { cases, before: PreviousTick::default(), grid: Grid::default() };
        judge.tick(simulation);
        judge
    }

    /// Judges a simulation after one more tick.
    pub fn tick(&mut self, simulation: &Simulation) {
        if self.cases.is_empty() {
            return;
        }
        let world = simulation.world();
        self.forget_removed(world);
        let due = |case: &JudgedExpectation| world.tick >= case.from;
        if self.cases.iter().any(|case| due(case) && case.rule.wants_grid()) {
            self.grid.rebuild(&world.space, &world.agents.pos, &world.agents.vel);
        }
        let now = TickView { simulation, world, before: &self.before, grid: &self.grid };
        for (place, case) in self.cases.iter_mut().enumerate() {
            if due(case)
                && let Some(violation) = case.rule.judge(&now)
            {
                case.note(place, &now, &violation);
            }
        }
        self.before.record(world);
    }

    /// Whether anything has failed so far.
    pub fn failed(&self) -> bool {
        self.cases.iter().any(|case| case.first.is_some())
    }

    /// What has failed, after the last tick; also what can be known only then.
    pub fn finish(mut self, simulation: &Simulation) -> Vec<Failure> {
        let world = simulation.world();
        self.forget_removed(world);
        let now = TickView { simulation, world, before: &self.before, grid: &self.grid };
        for (place, case) in self.cases.iter_mut().enumerate() {
            if let Some(violation) = case.rule.finish(&now) {
                case.note(place, &now, &violation);
            }
        }
        self.into_failures()
    }

    /// What has failed so far, for whoever does not want to go on to the end.
    pub fn into_failures(self) -> Vec<Failure> {
        self.cases.into_iter().filter_map(JudgedExpectation::failure).collect()
    }

    /// Forgets agents that are gone.
    fn forget_removed(&mut self, world: &World) {
        if let Some(keep) = self.before.kept_rows(world) {
            for case in &mut self.cases {
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
            first.help.push(format!("in {} ticks in all", self.ticks));
            if let Some((agent, tick, value)) = self.worst {
                first.help.push(format!("at the worst {value}, for agent {agent} at tick {tick}"));
            }
        }
        Some(first)
    }
}
