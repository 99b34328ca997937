//! `flockwork run`: a scenario from its first tick to its last, and what came of it.

mod messages;
mod summary;
mod trajectory;

use std::path::{Path, PathBuf};

use flockwork_engine::{Diagnostic, Run, TrajectoryFormat};

use super::interrupt::Interrupt;
use super::progress::Progress;
use super::variant::Variant;
use super::{Answer, Outcome, terminal, values};
use messages::Messages;
use summary::{Summary, Written};
use trajectory::{Reader, Trajectory};

/// Run a scenario and print a summary
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  flockwork run scenarios/hello.ron
  flockwork run scenarios/hello.ron --ticks 600 --set flock.sight=80 --out hello.csv
  flockwork run scenarios/hello.ron --json | jq .state_hash
  flockwork run scenarios/hello.ron --out - | head

The trajectory has a row for each agent and recorded tick, tick 0 being the
initial state; where the scenario has a `start`, it is the start's tick. A .csv file has the columns tick,time,id,group,x,y,vx,vy,hx,hy,
a .jsonl file an object with the same fields on each line, and a .txt file is the
plain text with positions that PedPy reads. With `--out -` the trajectory goes to the
standard output, as CSV unless --format says otherwise, and the summary to the
standard error.

`--json` prints the summary as one JSON object instead of text: scenario, first_tick,
last_tick, agents (at the end), agents_made, wall_time_s, agent_ticks_per_s,
state_hash, mean_speed (world units per second), closest_pair (distance in world
units, and two agents), goals_reached, written (file and frames), debug_lines (shown
and omitted). What there is none of is null.")]
pub(super) struct Args {
    /// The scenario: a .ron file
    #[arg(value_hint = clap::ValueHint::FilePath)]
    scenario: PathBuf,

    /// End at tick N instead of the scenario's last
    #[arg(long, value_name = "N", value_parser = values::at_least_one)]
    ticks: Option<u64>,

    #[command(flatten)]
    variant: Variant,

    /// Write the trajectory to a .csv, .jsonl or .txt file, or with `-` to the standard output
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    out: Option<PathBuf>,

    /// The trajectory's format: csv, jsonl or txt [default: what the file's ending says; csv for `-`]
    #[arg(long, value_name = "FORMAT", requires = "out", value_parser = format)]
    format: Option<TrajectoryFormat>,

    /// Record only every K-th tick
    #[arg(long, value_name = "K", default_value = "1", requires = "out", value_parser = values::at_least_one)]
    every: u64,

    /// Print the summary as one JSON object
    #[arg(long)]
    json: bool,

    /// Show at most the first N lines of what scripts say with `debug`
    #[arg(long, value_name = "N", default_value_t = 100)]
    debug_lines: u64,

    /// Run scripts by the interpreter alone: slower, with the same results
    #[arg(long)]
    interpreter: bool,
}

/// A format by its name.
fn format(text: &str) -> Result<TrajectoryFormat, String> {
    let known = TrajectoryFormat::ALL.iter().find(|(name, _)| *name == text);
    known.map(|&(_, format)| format).ok_or_else(|| "must be csv, jsonl or txt".into())
}

/// What `--out` calls the standard output.
const STDOUT: &str = "-";

impl Args {
    fn is_to_stdout(&self) -> bool {
        self.out.as_deref() == Some(Path::new(STDOUT))
    }

    /// The format of the trajectory, if one is wanted.
    fn trajectory_format(&self) -> Result<Option<TrajectoryFormat>, Diagnostic> {
        let Some(out) = &self.out else {
            return Ok(None);
        };
        if let Some(format) = self.format {
            return Ok(Some(format));
        }
        if self.is_to_stdout() {
            return Ok(Some(TrajectoryFormat::Csv));
        }
        TrajectoryFormat::of(out).map(Some).map_err(|error| {
            Diagnostic::error(format!("cannot write {}: {error}", out.display()))
                .help("or say the format with --format")
        })
    }
}

/// The command.
pub(super) fn run(args: Args) -> Answer {
    let format = args.trajectory_format()?;
    if args.json && args.is_to_stdout() {
        return Err(Diagnostic::error(
            "`--json` and `--out -` would both write to the standard output",
        )
        .help("give the trajectory a file with --out FILE, or leave --json out")
        .into());
    }
    args.variant.on_threads(|| execute(&args, format))
}

fn execute(args: &Args, format: Option<TrajectoryFormat>) -> Answer {
    let options = args.variant.options().interpreter(args.interpreter);
    let mut run = Run::open(&args.scenario, &options)?;
    terminal::show(run.warnings());
    let mut trajectory = match (&args.out, format) {
        (Some(_), Some(format)) if args.is_to_stdout() => {
            Some(Trajectory::to_stdout(format, run.dt(), args.every)?)
        }
        (Some(path), Some(format)) => Some(Trajectory::create(path, format, run.dt(), args.every)?),
        _ => None,
    };
    let interrupted = trajectory.is_some().then(Interrupt::expect);
    let first = run.first_tick();
    let ticks = args.ticks.unwrap_or(run.ticks());
    if ticks <= first {
        return Err(Diagnostic::error(format!(
            "cannot end at tick {ticks}: the scenario begins at tick {first}"
        ))
        .help("give `--ticks` a number above it: it is the tick at which the run ends")
        .into());
    }
    let mut progress = Progress::new("tick", ticks - first);
    let mut messages = Messages::new(args.debug_lines);
    let mut agent_ticks = 0;
    messages.show(&mut run, &progress);
    let mut reader = match &mut trajectory {
        Some(trajectory) => trajectory.frame(&run)?,
        None => Reader::There,
    };
    for tick in first + 1..=ticks {
        if reader == Reader::Gone {
            return Ok(Outcome::Success);
        }
        agent_ticks += run.simulation().world().agents.len() as u64;
        let stepped = run.step();
        messages.show(&mut run, &progress);
        if let Err(fault) = stepped {
            messages.finish(&progress);
            return Err(fault.into());
        }
        if let Some(trajectory) = &mut trajectory {
            reader = trajectory.frame(&run)?;
        }
        if interrupted.as_ref().is_some_and(Interrupt::is_asked) {
            progress.finish();
            let rest = if args.is_to_stdout() {
                "the trajectory ends there"
            } else {
                "nothing is written"
            };
            terminal::say(&format!("interrupted at tick {tick}, {rest}"));
            return Ok(Outcome::Interrupted);
        }
        progress.at(tick - first);
    }
    messages.finish(&progress);
    let wall = progress.finish();
    let frames = trajectory.map(Trajectory::finish).transpose()?;
    let written = args.out.as_deref().zip(frames);
    let written = written.map(|(path, frames)| Written { file: path.to_string_lossy(), frames });
    let summary = Summary::of(&run, agent_ticks, wall, written, messages.counted());
    if args.json {
        terminal::print(&summary.json())?;
    } else if args.is_to_stdout() {
        terminal::say(summary.text().trim_end());
    } else {
        terminal::print(&summary.text())?;
    }
    Ok(Outcome::Success)
}
