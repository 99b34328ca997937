//! `flockwork score`: runs scenarios and scores them as SteerBench does.

use std::path::{Path, PathBuf};

use flockwork_engine::load::find;
use flockwork_engine::trace::{Score, Totals, significant};
use flockwork_engine::{Diagnostic, Run};
use serde::Serialize;

use super::progress::DelayedProgressBar;
use super::run_args::RunArgs;
use super::{CommandResult, Ending, json_text, terminal, values};

/// Run scenarios and score them: collisions, time and effort, as SteerBench defines them
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  flockwork score scenarios/steerbench
  flockwork score scenarios/hello.ron --set flock.sight=80 --json

Runs each scenario to its last tick. Agents count until they have reached their last goal;
those without goals count for the whole run. All values but the counts are means over the
agents. Lower is better, except for the speed.
  unfinished    agents that did not reach their last goal
  collisions    how often an agent began to overlap another agent or an obstacle by more
                than 0.001 world units
  time s        seconds until the last goal
  speed         distance divided by time, in world units per second
  energy        sum of v^2/2 over frames of 1/20 s, for a mass of 1
  acceleration  sum of |dv|/dt over frames of 1/20 s, from the second tick of an agent on
  composite01   50 collisions + time + energy
  composite02   composite01 + acceleration

SteerBench has 20 frames per second. Other lengths of a tick are converted, so they do not
matter.

The composites reward slowness: half the speed needs twice the time, but half the energy.
Agents that are stuck cost little as well. Compare composites only at the same speed and
without unfinished agents.

`--json` prints a list of objects with scenario, file, first_tick, last_tick, agents,
without_goals, unfinished, collisions, time_s, mean_speed, kinetic_energy, acceleration,
composite01 and composite02. `--csv` prints the same as a table. Values that do not exist,
since there are no agents, are null or empty.")]
pub(super) struct Args {
    /// Scenarios, or folders with scenarios
    #[arg(value_name = "SCENARIO", required = true, value_hint = clap::ValueHint::AnyPath)]
    scenarios: Vec<PathBuf>,

    /// End at tick N [default: the scenario's `ticks`]
    #[arg(long, value_name = "N", value_parser = values::at_least_one)]
    ticks: Option<u64>,

    #[command(flatten)]
    run_args: RunArgs,

    /// Print a list of JSON objects
    #[arg(long, conflicts_with = "csv")]
    json: bool,

    /// Print a table of comma-separated values
    #[arg(long)]
    csv: bool,
}

/// The score of a scenario. Its fields are those of the JSON object and the columns of the CSV table.
#[derive(Serialize)]
struct Row {
    scenario: String,
    file: String,
    first_tick: u64,
    last_tick: u64,
    agents: u64,
    without_goals: u64,
    unfinished: u64,
    collisions: Option<f64>,
    time_s: Option<f64>,
    mean_speed: Option<f64>,
    kinetic_energy: Option<f64>,
    acceleration: Option<f64>,
    composite01: Option<f64>,
    composite02: Option<f64>,
}

/// Executes the command.
pub(super) fn score(args: Args) -> CommandResult {
    args.run_args.on_threads(|| execute(&args))
}

fn execute(args: &Args) -> CommandResult {
    let found = find(&args.scenarios)?;
    if found.scenarios.is_empty() {
        return Err(Diagnostic::error("there are no scenarios to score").into());
    }
    let rows = found.scenarios.iter().map(|file| score_of(file, args));
    let rows = rows.collect::<Result<Vec<_>, _>>()?;
    if args.json {
        terminal::print(&json_text(&rows))?;
    } else if args.csv {
        terminal::print(&csv(&rows)?)?;
    } else {
        terminal::print(&table(&rows))?;
        let without: u64 = rows.iter().map(|row| row.without_goals).sum();
        if without > 0 {
            terminal::say(&format!(
                "agents without goals: {without}; their time and effort are those of the whole run"
            ));
        }
        terminal::say(
            "the composites reward slowness: compare them only at the same speed, without unfinished agents",
        );
    }
    Ok(Ending::Success)
}

/// Runs a scenario and scores it.
fn score_of(file: &Path, args: &Args) -> Result<Row, flockwork_engine::Diagnostics> {
    let mut run = Run::open(file, &args.run_args.options())?;
    terminal::show(run.warnings());
    let (first_tick, ticks) = (run.first_tick(), args.ticks.unwrap_or(run.ticks()));
    if ticks <= first_tick {
        let file = file.display();
        return Err(Diagnostic::error(format!(
            "cannot end at tick {ticks}: {file} begins at tick {first_tick}"
        ))
        .into());
    }
    let mut progress = DelayedProgressBar::new("tick", ticks - first_tick);
    let mut totals = Totals::new(run.simulation());
    while run.tick() < ticks {
        run.step()?;
        // Only `run` and the window show what scripts print.
        run.take_messages();
        totals.add_tick(run.simulation());
        progress.at(run.tick() - first_tick);
    }
    progress.finish();
    let score = totals.score();
    let value = |of: fn(&Score) -> f64| score.as_ref().map(|score| rounded(of(score)));
    let count = |of: fn(&Score) -> u64| score.as_ref().map_or(0, of);
    Ok(Row {
        scenario: run.name().to_owned(),
        file: file.display().to_string(),
        first_tick,
        last_tick: ticks,
        agents: count(|score| score.agents),
        without_goals: count(|score| score.without_goals),
        unfinished: count(|score| score.unfinished),
        collisions: value(|score| score.collisions),
        time_s: value(|score| score.time_s),
        mean_speed: value(|score| score.mean_speed),
        kinetic_energy: value(|score| score.kinetic_energy),
        acceleration: value(|score| score.acceleration),
        composite01: value(Score::composite01),
        composite02: value(Score::composite02),
    })
}

/// Rounds to six decimals. A tick of 0.05 s is not exact in single precision, which shows in the digits after these.
fn rounded(x: f64) -> f64 {
    (x * 1e6).round() / 1e6
}

/// Returns a table for people.
fn table(rows: &[Row]) -> String {
    const TITLES: [&str; 10] = [
        "scenario",
        "agents",
        "unfinished",
        "collisions",
        "time s",
        "speed",
        "energy",
        "acceleration",
        "composite01",
        "composite02",
    ];
    let shown = |x: Option<f64>| x.map_or("-".to_owned(), |x| significant(x, 6).to_string());
    let cells = rows.iter().map(|row| {
        [
            row.file.clone(),
            row.agents.to_string(),
            row.unfinished.to_string(),
            shown(row.collisions),
            shown(row.time_s),
            shown(row.mean_speed),
            shown(row.kinetic_energy),
            shown(row.acceleration),
            shown(row.composite01),
            shown(row.composite02),
        ]
    });
    let lines: Vec<[String; 10]> =
        std::iter::once(TITLES.map(str::to_owned)).chain(cells).collect();
    let width = |column: usize| {
        let widths = lines.iter().map(|line| line[column].chars().count());
        widths.max().unwrap_or_default()
    };
    let mut text = String::new();
    for line in &lines {
        text += &format!("{:<1$}", line[0], width(0));
        for (column, cell) in line.iter().enumerate().skip(1) {
            text += &format!("  {cell:>0$}", width(column));
        }
        text.push('\n');
    }
    text
}

/// Returns the same fields as the JSON objects, as comma-separated values.
fn csv(rows: &[Row]) -> Result<String, Diagnostic> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let written = rows.iter().try_for_each(|row| writer.serialize(row));
    let failed = |error: &dyn std::fmt::Display| {
        Diagnostic::error(format!("cannot write the table: {error}"))
    };
    written.map_err(|error| failed(&error))?;
    let bytes = writer.into_inner().map_err(|error| failed(&error))?;
    String::from_utf8(bytes).map_err(|error| failed(&error))
}
