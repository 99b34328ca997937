//! Measuring how long the phases of ticks take: each mode in turn, round by round.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use flockwork_engine::sim::{Phase, Simulation};
use flockwork_engine::{AgentError, Diagnostic, Run, state_hash};

use super::spread::Spread;

/// The phases of a tick, and their names in the output.
pub(super) const PHASES: [(Phase, &str); 5] = [
    (Phase::Events, "events and goals"),
    (Phase::Index, "index"),
    (Phase::Perceive, "neighbors"),
    (Phase::Decide, "script"),
    (Phase::Move, "move"),
];

/// Ticks before the measurement, in which a flock forms and memory is allocated. Fewer in short scenarios.
pub(super) const WARM_UP_TICKS: u64 = 100;

/// Number of rounds; odd, so that one of them is the median.
pub(super) const ROUNDS: usize = 5;

/// Shortest time of a round: long enough for the clock and for short disturbances. The results of a
/// development build are not useful, so it takes less.
pub(super) const MIN_ROUND: Duration =
    Duration::from_millis(if cfg!(debug_assertions) { 10 } else { 100 });

/// Time that a round of the slowest mode should take, if the number of ticks is not given.
const MAX_ROUND: Duration = Duration::from_millis(400);

/// Ticks that are measured first, to estimate how long one takes.
const PROBE_TICKS: u32 = 2;

/// The result of a measurement.
pub(super) struct Measurement {
    /// First tick of the scenario.
    pub(super) first_tick: u64,
    /// Number of agents after the warm-up.
    pub(super) agents: usize,
    /// Ticks of the warm-up.
    pub(super) warm_up: u64,
    /// Ticks that were measured in each round, always the same ones.
    pub(super) ticks: u64,
    /// The rounds of each mode, in their order.
    pub(super) modes: Vec<Rounds>,
    /// Hash of the state in which all modes end.
    pub(super) hash: u64,
}

impl Measurement {
    /// Returns the last tick of a round. Each round begins with one tick that is not measured.
    pub(super) fn last_tick(&self) -> u64 {
        self.first_tick + self.warm_up + 1 + self.ticks
    }
}

/// Why nothing could be measured.
pub(super) enum MeasureError {
    /// The scenario fails before.
    Run(Diagnostic),
    /// The modes end in different states.
    StatesDiffer(Diagnostic),
}

impl From<AgentError> for MeasureError {
    fn from(fault: AgentError) -> Self {
        Self::Run(fault.diagnostic())
    }
}

/// Times of a round.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Times {
    /// Time of each phase, in the order of [`PHASES`]; `None` for a phase that never occurred.
    phases: [Option<Duration>; PHASES.len()],
    /// Sum of the numbers of agents in all ticks.
    agent_ticks: u64,
    /// Number of turns in the interpreter.
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

    /// Returns nanoseconds per agent and tick, by phase.
    pub(super) fn phases_ns(&self) -> [Option<f64>; PHASES.len()] {
        self.phases.map(|phase| phase.map(|time| self.per_agent_tick(time)))
    }

    /// Returns nanoseconds per agent and tick.
    fn total_ns(&self) -> f64 {
        self.per_agent_tick(self.total())
    }

    /// Returns the share of turns in the interpreter, from 0 to 1.
    pub(super) fn slow_share(&self) -> f64 {
        self.slow_turns as f64 / self.agent_ticks as f64
    }

    fn per_agent_tick(&self, time: Duration) -> f64 {
        time.as_secs_f64() * 1e9 / self.agent_ticks as f64
    }
}

/// The rounds of one mode.
pub(super) struct Rounds {
    /// The median round.
    pub(super) median: Times,
    /// How much the rounds differ.
    pub(super) spread: Spread,
}

impl Rounds {
    fn new(mut all: Vec<Times>) -> Self {
        let spread = Spread::new(all.iter().map(Times::total_ns).collect());
        all.sort_by(|a, b| a.total_ns().total_cmp(&b.total_ns()));
        Self { median: all[all.len() / 2], spread }
    }
}

/// A mode of running the scenario, and the state in which rounds start.
pub(super) struct BenchMode {
    /// Name in the output.
    pub(super) name: &'static str,
    start: Simulation,
    run: Option<Run>,
}

impl BenchMode {
    /// Makes a mode that runs the scripts of a run.
    pub(super) fn with_scripts(name: &'static str, run: Run) -> Self {
        Self { name, start: run.simulation().clone(), run: Some(run) }
    }

    /// Makes a mode without scripts.
    pub(super) fn without_scripts(name: &'static str, start: Simulation) -> Self {
        Self { name, start, run: None }
    }

    fn warm_up(&mut self, ticks: u64) -> Result<(), AgentError> {
        for _ in 0..ticks {
            self.start.step()?;
            self.start.take_messages();
        }
        Ok(())
    }

    /// Runs the same ticks from the same start `repeats` times. Returns their times and the hash of the last state.
    fn round(&self, ticks: u64, repeats: u64) -> Result<(Times, u64), AgentError> {
        let mut times = Times::default();
        let mut hash = 0;
        for _ in 0..repeats {
            let mut simulation = self.start.clone();
            // The first tick is not measured: it copies what the clone shares.
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

/// The time that reading the clock takes. It is the whole measured time of a phase with nothing to do.
static CLOCK: LazyLock<Duration> = LazyLock::new(|| {
    let mut all: Vec<Duration> = (0..1001).map(|_| Instant::now().elapsed()).collect();
    all.sort_unstable();
    all[all.len() / 2]
});

/// Runs one tick and adds the time of each phase, without that of reading the clock.
fn tick(simulation: &mut Simulation, times: &mut Times) -> Result<(), AgentError> {
    let clock = *CLOCK;
    let mut now = None;
    let mut since = Instant::now();
    simulation.step_with(|phase, _| {
        let at = Instant::now();
        if let Some(before) = now.replace(phase) {
            times.add(before, (at - since).saturating_sub(clock));
        }
        since = at;
    })?;
    if let Some(last) = now {
        times.add(last, since.elapsed().saturating_sub(clock));
    }
    Ok(())
}

fn hash_of(simulation: &Simulation) -> u64 {
    state_hash(simulation.world(), simulation.minds())
}

/// Measures all modes of a scenario that has `scenario_ticks` ticks. Without `ticks`, a convenient number of ticks
/// is measured.
pub(super) fn measure(
    modes: &mut [BenchMode],
    scenario_ticks: u64,
    ticks: Option<u64>,
) -> Result<Measurement, MeasureError> {
    let first_tick = modes[0].start.world().tick;
    let warm_up = WARM_UP_TICKS.min(scenario_ticks * 2 / 3);
    for mode in modes.iter_mut() {
        mode.warm_up(warm_up)?;
    }
    common_hash(warm_up, modes.iter().map(|mode| (mode.name, hash_of(&mode.start))))?;
    let agents = modes[0].start.world().agents.len();

    let mut per_tick = Vec::new();
    for mode in &*modes {
        let (times, _) = mode.round(u64::from(PROBE_TICKS), 1)?;
        // The clock may be too coarse for a tick.
        per_tick.push((times.total() / PROBE_TICKS).max(Duration::from_nanos(1)));
    }
    let slowest = per_tick.iter().copied().max().unwrap_or_default();
    let ticks = ticks.unwrap_or_else(|| {
        let left = scenario_ticks.saturating_sub(warm_up + 1).max(1);
        count_fitting(MAX_ROUND, slowest).clamp(1, left)
    });
    // As many repeats as fit into the time, and at least one.
    let repeats = |per_tick| count_fitting(MIN_ROUND, per_tick) / ticks + 1;

    let mut rounds = vec![Vec::new(); modes.len()];
    let mut hash = 0;
    for _ in 0..ROUNDS {
        let mut ends = Vec::new();
        for (i, mode) in modes.iter().enumerate() {
            let (times, end) = mode.round(ticks, repeats(per_tick[i]))?;
            if times.agent_ticks == 0 {
                return Err(no_agents(warm_up));
            }
            rounds[i].push(times);
            ends.push((mode.name, end));
        }
        hash = common_hash(warm_up + 1 + ticks, ends.into_iter())?;
    }
    Ok(Measurement {
        first_tick,
        agents,
        warm_up,
        ticks,
        modes: rounds.into_iter().map(Rounds::new).collect(),
        hash,
    })
}

/// Returns the error of a scenario without agents after the warm-up.
pub(super) fn no_agents(warm_up: u64) -> MeasureError {
    let message = format!("there are no agents to measure after tick {warm_up}");
    MeasureError::Run(Diagnostic::error(message))
}

/// Returns how many times a duration fits into another.
fn count_fitting(time: Duration, one: Duration) -> u64 {
    (time.as_nanos() / one.as_nanos().max(1)) as u64
}

/// Returns the state hash that all modes have.
pub(super) fn common_hash(
    tick: u64,
    mut ends: impl Iterator<Item = (&'static str, u64)>,
) -> Result<u64, MeasureError> {
    let Some((first, hash)) = ends.next() else {
        return Ok(0);
    };
    match ends.find(|&(_, other)| other != hash) {
        None => Ok(hash),
        Some((name, other)) => Err(MeasureError::StatesDiffer(
            Diagnostic::error(format!("the modes have different states after tick {tick}"))
                .help(format!("{first}: {hash:016x}"))
                .help(format!("{name}: {other:016x}"))
                .help(
                    "this is a bug of Flockwork, please report it; the measured times mean nothing",
                ),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_states_are_an_error() {
        assert!(matches!(common_hash(3, [("a", 7), ("b", 7)].into_iter()), Ok(7)));
        let ends = [("a", 7), ("b", 7), ("c", 8)];
        let Err(MeasureError::StatesDiffer(error)) = common_hash(3, ends.into_iter()) else {
            panic!("they differ");
        };
        let text = error.render(false);
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
        let rounds = Rounds::new(vec![round(100, 1), round(100, 100), round(100, 10)]);
        assert_eq!(rounds.median.phases_ns(), [None, None, None, Some(10.0), None]);
        assert_eq!(rounds.spread, Spread { median: 10.0, min: 1.0, max: 100.0 });
    }
}
