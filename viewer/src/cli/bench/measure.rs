//! How long ticks take, and in which of their phases: each way of deciding in its turn, round by round.

use std::time::{Duration, Instant};

use flockwork_engine::sim::{Phase, Simulation};
use flockwork_engine::{AgentError, Diagnostic, Run, state_hash};

/// The phases of a tick, and what they are called here.
pub(super) const PHASES: [(Phase, &str); 5] = [
    (Phase::Events, "events"),
    (Phase::Index, "index"),
    (Phase::Perceive, "neighbors"),
    (Phase::Decide, "script"),
    (Phase::Move, "move"),
];

/// Ticks before measuring, in which a flock forms and memory is taken; less in short scenarios.
const WARM_UP: u64 = 100;

/// How many rounds there are; odd, so that one of them is the median.
pub(super) const ROUNDS: usize = 5;

/// How long a round of each way takes at least: enough for the clock and for short disturbances.
const ROUND: Duration = Duration::from_millis(100);

/// How long a round of the slowest way may take, where there is a choice.
const PATIENCE: Duration = Duration::from_millis(400);

/// Ticks that show roughly how long one takes.
const PROBE: u32 = 2;

/// What has been measured.
pub(super) struct Measured {
    /// The tick at which the scenario begins.
    pub(super) first_tick: u64,
    /// After the warm-up.
    pub(super) agents: usize,
    /// Ticks before.
    pub(super) warm_up: u64,
    /// Ticks measured, the same ones again and again.
    pub(super) ticks: u64,
    /// Of each way, in their order, the median of its rounds.
    pub(super) times: Vec<Times>,
    /// In which all end.
    pub(super) hash: u64,
}

impl Measured {
    /// The last tick of a round. It is one later than it seems: each round begins with a tick that is not
    /// measured.
    pub(super) fn last_tick(&self) -> u64 {
        self.first_tick + self.warm_up + 1 + self.ticks
    }
}

/// Why nothing has been measured.
pub(super) enum Failure {
    /// The scenario does not get as far.
    Wrong(Diagnostic),
    /// The ways end in different states.
    Differ(Diagnostic),
}

impl From<AgentError> for Failure {
    fn from(fault: AgentError) -> Self {
        Self::Wrong(fault.diagnostic())
    }
}

/// How long ticks took.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Times {
    /// By phase, in the order of [`PHASES`]; `None` for a phase that never came.
    phases: [Option<Duration>; PHASES.len()],
    /// Agents, each counted in each tick.
    agent_ticks: u64,
    /// Turns that the interpreter took.
    slow_turns: u64,
}

impl Times {
    fn add(&mut self, phase: Phase, time: Duration) {
        for (known, (of, _)) in self.phases.iter_mut().zip(PHASES) {
            if of == phase {
                *known = Some(known.unwrap_or_default() + time);
            }
        }
    }

    fn total(&self) -> Duration {
        self.phases.iter().flatten().sum()
    }

    /// Nanoseconds per agent and tick, by phase.
    pub(super) fn phases_ns(&self) -> [Option<f64>; PHASES.len()] {
        self.phases.map(|phase| phase.map(|time| self.per_agent_tick(time)))
    }

    /// Nanoseconds per agent and tick.
    pub(super) fn total_ns(&self) -> f64 {
        self.per_agent_tick(self.total())
    }

    /// The share of turns that the interpreter took, from 0 to 1.
    pub(super) fn slow_share(&self) -> f64 {
        self.slow_turns as f64 / self.agent_ticks as f64
    }

    fn per_agent_tick(&self, time: Duration) -> f64 {
        time.as_secs_f64() * 1e9 / self.agent_ticks as f64
    }
}

/// A way to decide, from the scenario's start.
pub(super) struct Way {
    /// What it is called.
    pub(super) name: &'static str,
    start: Simulation,
    run: Option<Run>,
}

impl Way {
    /// The scripts of a run.
    pub(super) fn of_run(name: &'static str, run: Run) -> Self {
        Self { name, start: run.simulation().clone(), run: Some(run) }
    }

    /// Any other.
    pub(super) fn of(name: &'static str, start: Simulation) -> Self {
        Self { name, start, run: None }
    }

    fn warm_up(&mut self, ticks: u64) -> Result<(), AgentError> {
        for _ in 0..ticks {
            self.start.step()?;
            self.start.take_messages();
        }
        Ok(())
    }

    /// The same ticks from the same start, again and again; and in which state they end.
    fn round(&self, ticks: u64, repeats: u64) -> Result<(Times, u64), AgentError> {
        let mut times = Times::default();
        let mut hash = 0;
        for _ in 0..repeats {
            let mut simulation = self.start.clone();
            // The first tick copies what the clone shares.
            simulation.step()?;
            let before = self.slow_turns();
            for _ in 0..ticks {
                times.agent_ticks += simulation.world().agents.len() as u64;
                tick(&mut simulation, &mut times)?;
                simulation.take_messages();
            }
            times.slow_turns += self.slow_turns() - before;
            hash = hash_of(&simulation);
        }
        Ok((times, hash))
    }

    fn slow_turns(&self) -> u64 {
        self.run.as_ref().map_or(0, Run::interpreter_turns)
    }
}

fn tick(simulation: &mut Simulation, times: &mut Times) -> Result<(), AgentError> {
    let mut now = None;
    let mut since = Instant::now();
    simulation.step_with(|phase| {
        let at = Instant::now();
        if let Some(before) = now.replace(phase) {
            times.add(before, at - since);
        }
        since = at;
    })?;
    if let Some(last) = now {
        times.add(last, since.elapsed());
    }
    Ok(())
}

fn hash_of(simulation: &Simulation) -> u64 {
    state_hash(simulation.world(), simulation.minds())
}

/// Measures ways to do the same scenario, which lasts so many ticks; a number of ticks of it, or as many
/// as are convenient.
pub(super) fn measure(
    ways: &mut [Way],
    lasts: u64,
    ticks: Option<u64>,
) -> Result<Measured, Failure> {
    let first_tick = ways[0].start.world().tick;
    let warm_up = WARM_UP.min(lasts * 2 / 3);
    for way in ways.iter_mut() {
        way.warm_up(warm_up)?;
    }
    same(warm_up, ways.iter().map(|way| (way.name, hash_of(&way.start))))?;
    let agents = ways[0].start.world().agents.len();

    let mut per_tick = Vec::new();
    for way in &*ways {
        let (times, _) = way.round(u64::from(PROBE), 1)?;
        // A clock may be too coarse for a tick.
        per_tick.push((times.total() / PROBE).max(Duration::from_nanos(1)));
    }
    let slowest = per_tick.iter().copied().max().unwrap_or_default();
    let ticks = ticks.unwrap_or_else(|| {
        let left = lasts.saturating_sub(warm_up + 1).max(1);
        fitting(PATIENCE, slowest).clamp(1, left)
    });
    // At least one, and more until the time is over.
    let repeats = |per_tick| fitting(ROUND, per_tick) / ticks + 1;

    let mut rounds = vec![Vec::new(); ways.len()];
    let mut hash = 0;
    for _ in 0..ROUNDS {
        let mut ends = Vec::new();
        for (i, way) in ways.iter().enumerate() {
            let (times, end) = way.round(ticks, repeats(per_tick[i]))?;
            if times.agent_ticks == 0 {
                return Err(Failure::Wrong(Diagnostic::error(format!(
                    "there are no agents to measure after tick {warm_up}"
                ))));
            }
            rounds[i].push(times);
            ends.push((way.name, end));
        }
        hash = same(warm_up + 1 + ticks, ends.into_iter())?;
    }
    Ok(Measured {
        first_tick,
        agents,
        warm_up,
        ticks,
        times: rounds.into_iter().map(median).collect(),
        hash,
    })
}

/// How often something that takes a while fits into a time.
fn fitting(time: Duration, one: Duration) -> u64 {
    (time.as_nanos() / one.as_nanos().max(1)) as u64
}

/// The round that is neither among the quick nor among the slow ones.
fn median(mut rounds: Vec<Times>) -> Times {
    rounds.sort_by(|a, b| a.total_ns().total_cmp(&b.total_ns()));
    rounds[rounds.len() / 2]
}

/// The state that all are in.
fn same(tick: u64, mut ends: impl Iterator<Item = (&'static str, u64)>) -> Result<u64, Failure> {
    let Some((first, hash)) = ends.next() else {
        return Ok(0);
    };
    match ends.find(|&(_, other)| other != hash) {
        None => Ok(hash),
        Some((name, other)) => Err(Failure::Differ(
            Diagnostic::error(format!(
                "the same scenario is in two different states after tick {tick}"
            ))
            .help(format!("{first}: {hash:016x}"))
            .help(format!("{name}: {other:016x}"))
            .help("this is a fault of the program, and what it measured is worth nothing"),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_states_are_told() {
        assert!(matches!(same(3, [("a", 7), ("b", 7)].into_iter()), Ok(7)));
        let ends = [("a", 7), ("b", 7), ("c", 8)];
        let Err(Failure::Differ(told)) = same(3, ends.into_iter()) else {
            panic!("they differ");
        };
        let text = told.render(false);
        for part in ["after tick 3", "a: 0000000000000007", "c: 0000000000000008"] {
            assert!(text.contains(part), "{text}");
        }
    }

    #[test]
    fn the_median_is_by_time_per_agent_and_tick() {
        let round = |nanos, agent_ticks| {
            let mut times = Times { agent_ticks, ..Times::default() };
            times.add(Phase::Decide, Duration::from_nanos(nanos));
            times
        };
        let middle = median(vec![round(100, 1), round(100, 100), round(100, 10)]);
        assert_eq!(middle.phases_ns(), [None, None, None, Some(10.0), None]);
        assert_eq!(middle.total_ns(), 10.0);
    }
}
