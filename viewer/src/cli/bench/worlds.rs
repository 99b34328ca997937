//! Measuring many worlds that advance together: runs of one scenario with other seeds, and the first of them alone.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use flockwork_engine::sim::{Simulation, step_together};
use flockwork_engine::simd::instruction_set;
use flockwork_engine::trace::significant;
use flockwork_engine::{AgentError, Run, current_threads, state_hash};
use serde::Serialize;

use super::baseline::Measured;
use super::measure::{MIN_ROUND, MeasureError, ROUNDS, WARM_UP_TICKS, common_hash, no_agents};
use super::spread::Spread;

/// Time that the worlds of a round should take together, if the number of ticks is not given.
const ROUND: Duration = Duration::from_millis(400);

/// The result. Its fields are those of the JSON object.
#[derive(Debug, Serialize)]
pub(super) struct WorldsReport {
    scenario: String,
    worlds: usize,
    /// Agents of all worlds after the warm-up.
    agents: usize,
    threads: usize,
    instruction_set: &'static str,
    warm_up_ticks: u64,
    ticks: u64,
    rounds: usize,
    modes: WorldsModes,
    alone_agent_ticks_per_second: f64,
    together_agent_ticks_per_second: f64,
    /// Speed together divided by the speed alone.
    ratio: f64,
    /// State hash of the first world, alone and together.
    state_hash: String,
}

/// Times of one world and of all of them.
#[derive(Clone, Copy, Debug, Serialize)]
struct WorldsModes {
    alone: Spread,
    together: Spread,
}

/// Measures runs of one scenario, all together and the first one alone.
pub(super) fn measure(runs: Vec<Run>, ticks: Option<u64>) -> Result<WorldsReport, MeasureError> {
    let first = &runs[0];
    let (scenario, length) = (first.name().to_owned(), first.ticks() - first.first_tick());
    let mut all: Vec<Simulation> = runs.iter().map(|run| run.simulation().clone()).collect();
    let warm_up = WARM_UP_TICKS.min(length * 2 / 3);
    step(&mut all, warm_up)?;
    let (_, probe) = time(&all, 2)?;
    let most = (ROUND.as_nanos() / probe.as_nanos().max(1) * 2) as u64;
    let ticks = ticks.unwrap_or_else(|| most.clamp(1, (length - warm_up).max(1)));
    let (mut alone, mut together) = (Vec::new(), Vec::new());
    let mut ends = Vec::new();
    for _ in 0..ROUNDS {
        for (name, of, times) in
            [("alone", &all[..1], &mut alone), ("together", &all[..], &mut together)]
        {
            let mut agent_ticks = 0;
            let mut took = Duration::ZERO;
            // One world alone may be too fast for the clock.
            while took < MIN_ROUND {
                let (end, time) = time(of, ticks)?;
                if end.agent_ticks == 0 {
                    return Err(no_agents(warm_up));
                }
                agent_ticks += end.agent_ticks;
                took += time;
                ends.push((name, end.hash));
            }
            times.push(took.as_secs_f64() * 1e9 / agent_ticks as f64);
        }
    }
    let hash = common_hash(warm_up + 1 + ticks, ends.into_iter())?;
    let modes = WorldsModes { alone: Spread::new(alone), together: Spread::new(together) };
    let (alone, together) =
        (modes.alone.agent_ticks_per_second(), modes.together.agent_ticks_per_second());
    Ok(WorldsReport {
        scenario,
        worlds: all.len(),
        agents: all.iter().map(|one| one.world().agents.len()).sum(),
        threads: current_threads(),
        instruction_set: instruction_set(),
        warm_up_ticks: warm_up,
        ticks,
        rounds: ROUNDS,
        modes,
        alone_agent_ticks_per_second: alone,
        together_agent_ticks_per_second: together,
        ratio: together / alone,
        state_hash: format!("{hash:016x}"),
    })
}

/// The end of a measurement.
struct End {
    agent_ticks: usize,
    /// State hash of the first world.
    hash: u64,
}

/// Runs copies of some worlds for a number of ticks. The first tick is not measured, since it copies what the copies share.
fn time(worlds: &[Simulation], ticks: u64) -> Result<(End, Duration), AgentError> {
    let mut worlds = worlds.to_vec();
    step(&mut worlds, 1)?;
    let start = Instant::now();
    let agent_ticks = step(&mut worlds, ticks)?;
    let took = start.elapsed();
    let hash = state_hash(worlds[0].world(), worlds[0].minds());
    Ok((End { agent_ticks, hash }, took))
}

/// Runs some ticks. Returns the sum of the numbers of agents in all worlds and ticks.
fn step(worlds: &mut [Simulation], ticks: u64) -> Result<usize, AgentError> {
    let mut agent_ticks = 0;
    for _ in 0..ticks {
        if let [alone] = worlds {
            alone.step()?;
        } else {
            let mut all: Vec<&mut Simulation> = worlds.iter_mut().collect();
            step_together(&mut all).into_iter().collect::<Result<(), AgentError>>()?;
        }
        for one in &mut *worlds {
            one.take_messages();
            agent_ticks += one.world().agents.len();
        }
    }
    Ok(agent_ticks)
}

impl WorldsReport {
    /// Returns what is compared with an earlier measurement.
    pub(super) fn measured(&self) -> Measured {
        let WorldsModes { alone, together } = self.modes;
        Measured {
            scenario: self.scenario.clone(),
            worlds: Some(self.worlds),
            agents: self.agents,
            threads: self.threads,
            instruction_set: self.instruction_set.to_owned(),
            warm_up_ticks: self.warm_up_ticks,
            state_tick: None,
            state_hash: self.state_hash.clone(),
            modes: [("alone".to_owned(), alone), ("together".to_owned(), together)].into(),
        }
    }

    /// Returns a table for people.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        let mut line = |name: &str, value: &dyn std::fmt::Display| {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{name:<24}{value}");
        };
        line("scenario", &self.scenario);
        line("worlds", &format!("{} with different seeds", self.worlds));
        line("agents", &format!("{} in all worlds", self.agents));
        line("threads", &self.threads);
        line("instruction set", &self.instruction_set);
        let (ticks, warm_up) = (self.ticks, self.warm_up_ticks);
        let rounds = self.rounds;
        line(
            "measured",
            &format!("{ticks} ticks after {warm_up} to warm up, median of {rounds} rounds"),
        );
        let speed = |times: Spread| {
            let speed = significant(times.agent_ticks_per_second(), 3);
            let [slowest, fastest] = [times.max, times.min].map(|ns| significant(1e9 / ns, 3));
            format!("{speed} ({slowest} to {fastest}) agent-ticks per second")
        };
        line("one world", &speed(self.modes.alone));
        line("all worlds together", &speed(self.modes.together));
        line("ratio", &significant(self.ratio, 3));
        line("state hash", &format!("{} of the first world, alone and together", self.state_hash));
        text
    }
}
