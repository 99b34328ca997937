//! The summary of a run, as text and as JSON.

use std::fmt::Write as _;
use std::time::Duration;

use flockwork_engine::trace::{closest_pair, mean_speed, significant};
use flockwork_engine::world::AgentId;
use flockwork_engine::{Expectation, Judge, Margin, Run, state_hash};
use serde::Serialize;

use super::measures::Values;
use crate::cli::json_text;

/// The summary of a run. Its fields are those of the JSON object.
#[derive(Serialize)]
pub(super) struct RunSummary<'a> {
    scenario: &'a str,
    first_tick: u64,
    last_tick: u64,
    agents: usize,
    agents_made: u32,
    wall_time_s: f64,
    agent_ticks_per_s: f64,
    state_hash: String,
    mean_speed: Option<f32>,
    closest_pair: Option<ClosestPairSummary>,
    goals_reached: u64,
    pub(super) written: Option<WrittenFile>,
    pub(super) written_measures: Option<WrittenFile>,
    debug_lines: DebugLines,
    pub(super) measures: Option<Values<'a>>,
    /// Whether the text shows measures: whether they were asked for by their names.
    #[serde(skip)]
    pub(super) shows_measures: bool,
    pub(super) margins: Option<Vec<MarginSummary>>,
}

/// How far an expectation is from failing.
#[derive(Serialize)]
pub(super) struct MarginSummary {
    expectation: String,
    holds: bool,
    margin: Option<f32>,
    tick: u64,
    unit: &'static str,
}

impl MarginSummary {
    /// Takes the margins of all expectations, at the end of the run.
    pub(super) fn of_all(run: &Run, mut judge: Judge) -> Vec<Self> {
        judge.end(run.simulation());
        let margins = judge.margins();
        let failures = judge.into_failures();
        let all = run.expectations().iter().zip(margins).enumerate();
        let one = |(index, (expectation, margin)): (usize, (&Expectation, Margin))| Self {
            expectation: expectation.to_string(),
            holds: failures.iter().all(|failure| failure.expectation != index),
            margin: margin.value,
            tick: margin.tick,
            unit: margin.unit,
        };
        all.map(one).collect()
    }
}

#[derive(Serialize)]
struct ClosestPairSummary {
    distance: f32,
    agents: (AgentId, AgentId),
}

/// A file that was written, and how many ticks it contains.
#[derive(Serialize)]
pub(super) struct WrittenFile {
    pub(super) file: String,
    pub(super) ticks: u64,
}

/// Numbers of `debug` lines that were shown and that were not.
#[derive(Clone, Copy, Serialize)]
pub(super) struct DebugLines {
    pub(super) shown: u64,
    pub(super) omitted: u64,
}

impl<'a> RunSummary<'a> {
    /// Summarizes a run without its recording.
    pub(super) fn new(
        run: &'a Run,
        agent_ticks: u64,
        wall: Duration,
        debug_lines: DebugLines,
    ) -> Self {
        let simulation = run.simulation();
        let world = simulation.world();
        let seconds = wall.as_secs_f64();
        // The clock may be too coarse for a short run.
        let divisor = if seconds > 0.0 { seconds } else { 1e-9 };
        Self {
            scenario: run.name(),
            first_tick: run.first_tick(),
            last_tick: run.tick(),
            agents: world.agents.len(),
            agents_made: world.agents.made(),
            wall_time_s: seconds,
            agent_ticks_per_s: (agent_ticks as f64 / divisor).round(),
            state_hash: format!("{:016x}", state_hash(world, simulation.minds())),
            mean_speed: mean_speed(world),
            closest_pair: closest_pair(world)
                .map(|pair| ClosestPairSummary { distance: pair.distance, agents: pair.ids }),
            goals_reached: simulation.goals_reached(),
            written: None,
            written_measures: None,
            debug_lines,
            measures: None,
            shows_measures: false,
            margins: None,
        }
    }

    /// Returns one JSON object, with a newline at the end.
    pub(super) fn json(&self) -> String {
        json_text(self)
    }

    /// Returns one line for each value, for people.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        line(&mut text, "scenario", self.scenario);
        let (first, last) = (self.first_tick, self.last_tick);
        match first {
            0 => line(&mut text, "ticks", last),
            _ => line(&mut text, "ticks", format!("{}, from tick {first} to {last}", last - first)),
        }
        let (now, made) = (self.agents, self.agents_made);
        if now as u64 == u64::from(made) {
            line(&mut text, "agents", now);
        } else {
            line(&mut text, "agents", format!("{now} at the end, {made} made in all"));
        }
        let seconds = significant(self.wall_time_s, 3);
        line(&mut text, "wall time", format!("{seconds} s"));
        let speed = significant(self.agent_ticks_per_s, 3);
        line(&mut text, "speed", format!("{speed} agent-ticks per second"));
        line(&mut text, "state hash", &self.state_hash);
        let mean = self.mean_speed.map_or("no agents".into(), |mean| number(mean, "/s"));
        line(&mut text, "mean speed", mean);
        let closest = self.closest_pair.as_ref();
        let closest = closest.map_or("fewer than two agents".into(), |pair| {
            let (a, b) = pair.agents;
            format!("{}, agents {a} and {b}", number(pair.distance, ""))
        });
        line(&mut text, "closest pair", closest);
        line(&mut text, "goals reached", self.goals_reached);
        for WrittenFile { file, ticks } in self.written.iter().chain(&self.written_measures) {
            let to = if file == super::STDOUT { "the standard output" } else { file };
            let plural = if *ticks == 1 { "" } else { "s" };
            line(&mut text, "written", format!("{to} ({ticks} tick{plural})"));
        }
        if self.shows_measures {
            for (of, value) in self.measures.iter().flat_map(Values::each) {
                let unit = of.unit();
                let value = value.map_or("no value".to_owned(), |value| match unit {
                    "" => value.to_string(),
                    unit => format!("{value} {unit}"),
                });
                line(&mut text, of.name(), value);
            }
        }
        text
    }
}

/// Formats a length or a speed with as many digits as people read.
fn number(number: f32, per: &str) -> String {
    let digits = significant(f64::from(number), 6);
    format!("{digits} world units{per}")
}

fn line(text: &mut String, name: &str, value: impl std::fmt::Display) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{name:<14} {value}");
}
