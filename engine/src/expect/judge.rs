//! The judge: asks all rules at each tick, and keeps the first failure of each.

use std::sync::Arc;

use super::apart::{Bodies, MinSeparation, NoOverlap};
use super::arrive::Reach;
use super::cross::Throughput;
use super::motion::{AllFinite, MaxAcceleration, MaxSpeed, MaxTurnRate, NoJitter};
use super::place::{StayInside, StayNearPath};
use super::progress::Progress;
use super::rule::{Before, Moment, Offence, Rule, Worse};
use super::script::Script;
use super::{Expectation, Expected};
use crate::diag::Diagnostic;
use crate::script::Verdict;
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
    cases: Vec<Case>,
    before: Before,
    grid: Grid,
}

/// One expectation, and what has come of it.
struct Case {
    rule: Box<dyn Rule>,
    from: u64,
    first: Option<Failure>,
    /// How many ticks it did not hold in.
    ticks: u64,
    /// The worst value: agent, tick, value.
    worst: Option<(u32, u64, f32)>,
}

impl Judge {
    /// A judge of a simulation, which is judged as it is now. `verdicts` holds the compiled script of each
    /// expectation that names one, in their order.
    pub(crate) fn new(
        expectations: &[Expectation],
        verdicts: &[Arc<Verdict>],
        simulation: &Simulation,
    ) -> Self {
        let mut verdicts = verdicts.iter().cloned();
        let mut cases = Vec::new();
        for expectation in expectations {
            let (rule, from) = rule(&expectation.what, &mut verdicts, simulation.world());
            cases.push(Case { rule, from, first: None, ticks: 0, worst: None });
        }
        let mut judge = Self { cases, before: Before::default(), grid: Grid::default() };
        judge.tick(simulation);
        judge
    }

    /// Judges a simulation after one more tick.
    pub fn tick(&mut self, simulation: &Simulation) {
        if self.cases.is_empty() {
            return;
        }
        let world = simulation.world();
        self.close_up(world);
        let due = |case: &Case| world.tick >= case.from;
        if self.cases.iter().any(|case| due(case) && case.rule.wants_grid()) {
            self.grid.rebuild(&world.space, &world.agents.pos, &world.agents.vel);
        }
        let now = Moment { simulation, world, before: &self.before, grid: &self.grid };
        for (place, case) in self.cases.iter_mut().enumerate() {
            if due(case)
                && let Some(offence) = case.rule.judge(&now)
            {
                case.note(place, &now, &offence);
            }
        }
        self.before.take(world);
    }

    /// Whether anything has failed so far.
    pub fn failed(&self) -> bool {
        self.cases.iter().any(|case| case.first.is_some())
    }

    /// What has failed, after the last tick; also what can be known only then.
    pub fn finish(mut self, simulation: &Simulation) -> Vec<Failure> {
        let world = simulation.world();
        self.close_up(world);
        let now = Moment { simulation, world, before: &self.before, grid: &self.grid };
        for (place, case) in self.cases.iter_mut().enumerate() {
            if let Some(offence) = case.rule.finish(&now) {
                case.note(place, &now, &offence);
            }
        }
        self.stop()
    }

    /// What has failed so far, for whoever does not want to go on to the end.
    pub fn stop(self) -> Vec<Failure> {
        self.cases.into_iter().filter_map(Case::failure).collect()
    }

    /// Forgets agents that are gone.
    fn close_up(&mut self, world: &World) {
        if let Some(keep) = self.before.kept(world) {
            for case in &mut self.cases {
                case.rule.retain(&keep, &self.before.group);
            }
            self.before.retain(&keep);
        }
    }
}

impl Case {
    fn note(&mut self, expectation: usize, now: &Moment<'_>, offence: &Offence) {
        let id = |row: usize| now.world.agents.id[row];
        self.ticks += 1;
        if let Some(worse) = self.rule.worse() {
            let (row, value) = offence.worst;
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
        if offence.count > 1 {
            help.push(format!("and {} more in that tick", offence.count - 1));
        }
        self.first = Some(Failure {
            expectation,
            tick: now.tick(),
            agent: offence.row.map(id),
            message: self.rule.describe(now, offence),
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

/// The rule of an expectation, and the first tick it judges.
fn rule(
    what: &Expected,
    verdicts: &mut impl Iterator<Item = Arc<Verdict>>,
    world: &World,
) -> (Box<dyn Rule>, u64) {
    let reach = |group, place, by, all| -> Box<dyn Rule> {
        Box::new(Reach { group, all, place, by, state: Default::default() })
    };
    match *what {
        Expected::Reach { group, place, by } => (reach(group, place, by, false), 0),
        Expected::ReachAll { group, place, by } => (reach(group, place, by, true), 0),
        Expected::NoOverlap { ref groups, tolerance, agents, obstacles, from } => {
            let rule = NoOverlap {
                bodies: Bodies::new(world, groups.as_deref(), |body| body.radius),
                tolerance,
                agents,
                obstacles,
            };
            (Box::new(rule), from)
        }
        Expected::MinSeparation { ref groups, distance, from } => {
            let rule = MinSeparation {
                bodies: Bodies::new(world, groups.as_deref(), |_| 0.5 * distance),
                distance,
            };
            (Box::new(rule), from)
        }
        Expected::MaxSpeed { group, speed, from } => (Box::new(MaxSpeed { group, speed }), from),
        Expected::MaxAcceleration { group, acceleration, from } => {
            let rule = MaxAcceleration { group, acceleration };
            (Box::new(rule), from)
        }
        Expected::MaxTurnRate { group, deg_per_s, from } => {
            (Box::new(MaxTurnRate { group, deg_per_s }), from)
        }
        Expected::StayInside { group, min, max, from } => {
            (Box::new(StayInside { group, min, max }), from)
        }
        Expected::StayNearPath { group, path, distance, from } => {
            let rule = StayNearPath { group, path, distance };
            (Box::new(rule), from)
        }
        Expected::Progress { group, seconds, distance, from } => {
            let rule = Progress { group, seconds, distance, anchors: Vec::new() };
            (Box::new(rule), from)
        }
        Expected::NoJitter { group, reversals, seconds, from } => {
            let rule = NoJitter { group, reversals, seconds, latest: Vec::new() };
            (Box::new(rule), from)
        }
        Expected::Throughput { group, from, to, at_least, by } => {
            let rule =
                Throughput { group, line: [from, to], at_least, by, state: Default::default() };
            (Box::new(rule), 0)
        }
        Expected::AllFinite => (Box::new(AllFinite), 0),
        Expected::Script { ref name, every, from, .. } => {
            let verdict = verdicts.next();
            let rule = Script {
                name: name.clone(),
                verdict: verdict.unwrap_or_else(|| panic!("the script `{name}` is compiled")),
                every,
                from,
                failed: Default::default(),
            };
            (Box::new(rule), from)
        }
    }
}
