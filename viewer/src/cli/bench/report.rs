//! The result of a measurement, as a table for people and as JSON for programs.

use std::fmt::Write as _;

use flockwork_engine::current_threads;
use flockwork_engine::simd::instruction_set;
use flockwork_engine::trace::significant;
use serde::{Serialize, Serializer};

use super::baseline::Measured;
use super::measure::{BenchMode, Measurement, PHASES, ROUNDS};
use super::spread::Spread;

/// The result. Its fields are those of the JSON object.
#[derive(Debug, Serialize)]
pub(super) struct BenchReport {
    scenario: String,
    agents: usize,
    threads: usize,
    instruction_set: &'static str,
    warm_up_ticks: u64,
    ticks: u64,
    rounds: usize,
    #[serde(serialize_with = "as_map")]
    modes: Vec<(&'static str, ModeTimes)>,
    /// Time in the interpreter divided by the time of lowered scripts.
    ratio: f64,
    /// Share of turns in the interpreter, of lowered scripts, from 0 to 1.
    share_left_to_interpreter: f64,
    /// Tick after which all modes have this state hash.
    state_tick: u64,
    state_hash: String,
}

/// Times of one mode.
#[derive(Debug, Serialize)]
struct ModeTimes {
    /// Time of each phase; `None` for a phase that this scenario does not have.
    #[serde(serialize_with = "as_map")]
    ns_per_agent_tick: Vec<(&'static str, Option<f64>)>,
    #[serde(flatten)]
    spread: Spread,
    agent_ticks_per_second: f64,
}

impl BenchReport {
    /// Makes the report of a measurement.
    pub(super) fn new(scenario: String, modes: &[BenchMode], measured: &Measurement) -> Self {
        let columns = modes.iter().zip(&measured.modes).map(|(mode, rounds)| {
            let names = PHASES.iter().map(|(_, name)| *name);
            let column = ModeTimes {
                ns_per_agent_tick: names.zip(rounds.median.phases_ns()).collect(),
                spread: rounds.spread,
                agent_ticks_per_second: rounds.spread.agent_ticks_per_second(),
            };
            (mode.name, column)
        });
        // The last two modes are lowered and interpreted.
        let last = measured.modes.len() - 1;
        let (lowered, interpreted) = (&measured.modes[last - 1], &measured.modes[last]);
        Self {
            scenario,
            agents: measured.agents,
            threads: current_threads(),
            instruction_set: instruction_set(),
            warm_up_ticks: measured.warm_up,
            ticks: measured.ticks,
            rounds: ROUNDS,
            modes: columns.collect(),
            ratio: interpreted.spread.median / lowered.spread.median,
            share_left_to_interpreter: lowered.median.slow_share(),
            state_tick: measured.last_tick(),
            state_hash: format!("{:016x}", measured.hash),
        }
    }

    /// Returns what is compared with an earlier measurement.
    pub(super) fn measured(&self) -> Measured {
        let modes = self.modes.iter();
        Measured {
            scenario: self.scenario.clone(),
            worlds: None,
            agents: self.agents,
            threads: self.threads,
            instruction_set: self.instruction_set.to_owned(),
            warm_up_ticks: self.warm_up_ticks,
            state_tick: Some(self.state_tick),
            state_hash: self.state_hash.clone(),
            modes: modes.map(|(name, mode)| ((*name).to_owned(), mode.spread)).collect(),
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
        line("agents", &self.agents);
        line("threads", &self.threads);
        line("instruction set", &self.instruction_set);
        let s = if self.ticks == 1 { "" } else { "s" };
        let (ticks, warm_up, rounds) = (self.ticks, self.warm_up_ticks, self.rounds);
        line(
            "measured",
            &format!("{ticks} tick{s} after {warm_up} to warm up, median of {rounds} rounds"),
        );
        self.table(&mut text);
        let mut line = |name: &str, value: &dyn std::fmt::Display| {
            let _ = writeln!(text, "{name:<24}{value}");
        };
        let ratio = significant(self.ratio, 3);
        line("lowered", &format!("{ratio} times as fast as interpreted"));
        let percent = significant(self.share_left_to_interpreter * 100.0, 3);
        line("left to the interpreter", &format!("{percent} % of the turns"));
        let (hash, tick) = (&self.state_hash, self.state_tick);
        let same = format!("{hash} after tick {tick}, the same in all modes");
        line("state hash", &same);
        text
    }

    fn table(&self, text: &mut String) {
        let mut row = |name: &str, cells: Vec<String>| {
            let cells: String = cells.iter().map(|cell| format!("{cell:>14}")).collect();
            let _ = writeln!(text, "{}", format!("{name:<22}{cells}").trim_end());
        };
        let cells = |cell: &dyn Fn(&ModeTimes) -> String| {
            let columns = self.modes.iter().map(|(_, column)| column);
            columns.map(cell).collect()
        };
        row("", Vec::new());
        let names = self.modes.iter().map(|(name, _)| (*name).to_owned());
        row("ns per agent and tick", names.collect());
        for (i, (_, phase)) in PHASES.iter().enumerate() {
            let time = |column: &ModeTimes| match column.ns_per_agent_tick[i].1 {
                Some(ns) => format!("{ns:.1}"),
                None => "-".to_owned(),
            };
            row(phase, cells(&time));
        }
        row("total", cells(&|column| format!("{:.1}", column.spread.median)));
        row("  fastest round", cells(&|column| format!("{:.1}", column.spread.min)));
        row("  slowest round", cells(&|column| format!("{:.1}", column.spread.max)));
        let speed = |column: &ModeTimes| significant(column.agent_ticks_per_second, 3);
        row("agent-ticks per second", cells(&speed));
        row("", Vec::new());
    }
}

/// Serializes names and values as a map, in their order.
fn as_map<T: Serialize, S: Serializer>(
    entries: &[(&'static str, T)],
    to: S,
) -> Result<S::Ok, S::Error> {
    to.collect_map(entries.iter().map(|(name, value)| (name, value)))
}
