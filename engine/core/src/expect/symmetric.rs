//! The expectation `Symmetric`: the run translated, rotated, mirrored or with its groups in another order is the same run.

use serde::Deserialize;

use super::check::Check;
use super::rule::{Judgment, Measured, Rule, TickView, Violation, Worse, lower, ticks};
use crate::math;
use crate::number::{Length, Ticks};
use crate::schema::{described, enums};
use crate::sim::{Companion, Law, Simulation};

enums!(Law);

described! {
    /// After each law, the run goes on in the same way for a short time. Companions begin from the present state after the
    /// law and run beside the run, and their agents are compared with those of the run at each tick. Steering is chaotic, so whole runs
    /// would differ by rounding.
    #[derive(Clone, Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub(super) struct Symmetric {
        /// The laws; by default those that nothing in the scenario speaks against.
        under: Option<Vec<Law>>,
        /// For how many ticks a companion is compared.
        ticks: Option<Ticks>,
        /// Number of ticks from the beginning of one comparison to the next; by default a quarter of the run.
        every: Option<Ticks>,
        /// The maximum distance between an agent and its place in a companion, in world units.
        tolerance: Option<Length>,
        ;
        schedule: CompanionSchedule,
        /// What is compared. It is found out at the first tick.
        subject: Option<Subject>,
        running: Vec<RunningCompanions>,
        failed: Option<FailedLaw>,
    }
}

/// When companions begin, and for how long they run, in ticks.
#[derive(Clone, Copy, Debug, Default)]
struct CompanionSchedule {
    first: u64,
    every: u64,
    ticks: u64,
}

#[derive(Clone, Debug)]
struct Subject {
    laws: Vec<Law>,
    tolerance: f32,
}

#[derive(Clone, Debug)]
struct RunningCompanions {
    law: Law,
    /// The tick at which it began.
    begun: u64,
    /// One for each way in which the law is applied, all at the same tick.
    companions: Vec<Companion>,
}

impl RunningCompanions {
    fn tick(&self) -> Option<u64> {
        self.companions.first().map(Companion::tick)
    }
}

/// The law that failed last.
#[derive(Clone, Debug)]
struct FailedLaw {
    law: Law,
    begun: u64,
    /// The error of a script, if the companion failed.
    error: Option<String>,
}

/// How long a comparison takes by default, in seconds.
const SECONDS: f32 = 0.1;

/// The default tolerance as a part of the way that the fastest body can go during a comparison.
const SHARE_OF_WAY: f32 = 0.02;

/// A companion in which a script fails does not say how far it is from holding.
const FAILED: Measured = Measured { value: 0.0, margin: -1.0 };

impl Symmetric {
    fn subject(&self, simulation: &Simulation) -> Subject {
        let laws = self.under.clone().unwrap_or_else(|| {
            Law::ALL.into_iter().filter(|&law| simulation.why_not(law).is_none()).collect()
        });
        let tolerance =
            self.tolerance.as_ref().map_or_else(|| self.usual_tolerance(simulation), |of| of.0);
        Subject { laws, tolerance }
    }

    /// Returns the default tolerance, in world units.
    fn usual_tolerance(&self, simulation: &Simulation) -> f32 {
        let world = simulation.world();
        let bodies = world.groups.iter().flat_map(|group| group.all_bodies());
        let speeds = bodies.map(|body| body.max_speed).filter(|speed| speed.is_finite());
        let fastest =
            speeds.chain(world.agents.velocities().map(math::length)).fold(0.0, math::max);
        let way = fastest * self.schedule.ticks as f32 * world.dt;
        math::max(way * SHARE_OF_WAY, 1e-3)
    }

    /// Lets a companion take the step that the run has taken, and compares the two.
    fn compare(&mut self, index: usize, tolerance: f32, now: &TickView<'_>) -> Judgment {
        let RunningCompanions { law, begun, companions } = &mut self.running[index];
        let (law, begun) = (*law, *begun);
        let mut error = None;
        companions.retain_mut(|one| one.step().map_err(|failed| error = Some(failed)).is_ok());
        if let (true, Some(error)) = (companions.is_empty(), error) {
            let error = Some(error.what.message.clone());
            self.failed = Some(FailedLaw { law, begun, error });
            return Judgment::without_agent(FAILED);
        }
        let found = now.each(&None, Some(Worse::Higher), |row| {
            let distances = companions.iter().map(|one| one.distance(now.world, row));
            let nearest = distances.reduce(|a, b| Some(math::min(a?, b?)))??;
            Some(Measured::at_most(nearest, tolerance))
        });
        if found.violation.is_some() {
            self.failed = Some(FailedLaw { law, begun, error: None });
        }
        found
    }
}

impl Rule for Symmetric {
    fn check(&mut self, check: &mut Check<'_>) {
        let facts = check.facts;
        let first = check.from.unwrap_or(0).max(facts.from);
        let ticks = self.ticks.map_or_else(|| ticks(SECONDS, facts.dt), Ticks::get);
        let quarter = facts.ticks.saturating_sub(first) / 4;
        let every = self.every.map_or_else(|| quarter.max(ticks), Ticks::get);
        self.schedule = CompanionSchedule { first, every, ticks };
    }

    fn judge(&mut self, now: &TickView<'_>) -> Judgment {
        let tick = now.tick();
        let subject = self.subject.take().unwrap_or_else(|| self.subject(now.simulation));
        // A run that was taken to another tick has no companion there.
        self.running.retain(|one| one.tick().is_some_and(|at| at + 1 == tick));
        let mut found = Judgment::default();
        for index in 0..self.running.len() {
            if found.violation.is_some() {
                break;
            }
            let one = self.compare(index, subject.tolerance, now);
            found.violation = one.violation;
            found.margin = lower(found.margin, one.margin);
        }
        let CompanionSchedule { first, every, ticks } = self.schedule;
        self.running.retain(|one| tick < one.begun + ticks && one.tick() == Some(tick));
        if tick.checked_sub(first).is_some_and(|since| since.is_multiple_of(every)) {
            for &law in &subject.laws {
                let companions = now.simulation.companions(law, ticks);
                self.running.push(RunningCompanions { law, begun: tick, companions });
            }
        }
        self.subject = Some(subject);
        found
    }

    fn unit(&self) -> &'static str {
        "world units"
    }

    fn bound(&self, _now: &TickView<'_>) -> f32 {
        self.tolerance_of_run()
    }

    fn forget_files(&mut self) {
        self.running.clear();
        self.subject = None;
    }

    fn describe(&self, now: &TickView<'_>, violation: &Violation) -> String {
        let Some(FailedLaw { law, begun, error }) = &self.failed else {
            return String::new();
        };
        let (law, later) = (law.adjective(), now.tick() - begun);
        let ticks = if later == 1 { "tick" } else { "ticks" };
        let when = format!("{later} {ticks} after tick {begun}");
        if let Some(error) = error {
            return format!("the {law} run fails {when}: {error}");
        }
        let agent = now.agent_name(violation.first());
        let most = self.tolerance_of_run();
        let value = math::short_beside(violation.value, most);
        format!(
            "{agent} is {value} away from its place in the {law} run, {when}; expected at most {most}"
        )
    }

    fn worse(&self) -> Option<Worse> {
        Some(Worse::Higher)
    }

    fn help(&self) -> Vec<String> {
        self.failed.iter().map(|failed| {
            let begun = failed.begun;
            match failed.law {
                Law::Translated => format!(
                    "from tick {begun} on, everything is moved: does the behavior use an absolute place?"
                ),
                Law::Rotated => format!(
                    "from tick {begun} on, everything is turned by a quarter turn: does the behavior use an absolute direction?"
                ),
                Law::Mirrored => format!(
                    "from tick {begun} on, left and right are swapped: does the behavior prefer a side?"
                ),
                Law::Reordered => format!(
                    "from tick {begun} on, the agents of the last group come first: does the behavior take the first of several agents?"
                ),
            }
        }).collect()
    }
}

impl Symmetric {
    fn tolerance_of_run(&self) -> f32 {
        self.subject.as_ref().map_or(0.0, |subject| subject.tolerance)
    }
}
