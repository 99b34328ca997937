//! `flockwork run`: runs a scenario to its last tick, writes the trajectory and prints a summary.

mod measures;
mod messages;
mod summary;
mod trajectory;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use flockwork_engine::trace::RunMeasures;
use flockwork_engine::{Diagnostic, Diagnostics, Judge, Run, TrajectoryFormat};

use super::interrupt::Interrupt;
use super::progress::DelayedProgressBar;
use super::run_args::{InputArgs, RunArgs};
use super::{CommandResult, Ending, terminal, values};
use measures::{MeasuresFile, Values};
use messages::Messages;
use summary::{MarginSummary, RunSummary, WrittenFile};
use trajectory::{Consumer, Trajectory};

/// Run a scenario and print a summary
#[derive(Debug, clap::Args)]
#[command(group(clap::ArgGroup::new("recording").args(["out", "measures"]).multiple(true)))]
#[command(after_help = "\
Examples:
  flockwork run scenarios/hello.ron
  flockwork run scenarios/hello.ron --ticks 600 --set flock.sight=80 --out hello.csv
  flockwork run scenarios/hello.ron --json | jq .state_hash
  flockwork run scenarios/hello.ron --out - | head
  flockwork run scenarios/hello.ron --measures hello_measures.csv --every 10

The trajectory has a row for each agent and recorded tick. It begins with the initial
state: tick 0, or the tick of the scenario's `start`. Formats:
  .csv    columns tick,time,id,group,x,y,vx,vy,hx,hy (s, world units, world units/s)
  .jsonl  one object per line, with the same fields
  .txt    positions, as plain text that PedPy reads
`--out -` writes the trajectory to the standard output, as CSV unless --format says
otherwise, and the summary to the standard error.

`--measures` writes a row for each recorded tick: tick, time_s, and each measure of all
agents and, if there are several groups, of each group (mean_speed, flock.mean_speed).
`flockwork reference now` describes them. In a .csv file a measure without a value is
empty, in a .jsonl or .parquet file it is null.

In the summary, an agent-tick is one tick of one agent, and the state hash is the same
for runs that end in exactly the same state.

`--json` prints the summary as one JSON object: scenario, first_tick, last_tick, agents
(at the end), agents_made, wall_time_s, agent_ticks_per_s, state_hash, mean_speed (world
units/s), closest_pair (distance in world units, and the ids of two agents),
goals_reached, written (the trajectory: file and ticks), written_measures (file and ticks),
debug_lines (shown and omitted), measures (each name and its value at the end), margins
(for each expectation: expectation, holds, margin, tick, unit; a margin is how far it is
from failing). A value that does not exist is null.")]
pub(super) struct Args {
    /// Scenario file (.ron)
    #[arg(value_hint = clap::ValueHint::FilePath)]
    scenario: PathBuf,

    /// End at tick N [default: the scenario's `ticks`]
    #[arg(long, value_name = "N", value_parser = values::at_least_one)]
    ticks: Option<u64>,

    #[command(flatten)]
    run_args: RunArgs,

    #[command(flatten)]
    input_args: InputArgs,

    /// Write the trajectory to a .csv, .jsonl or .txt file; `-` is the standard output
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    out: Option<PathBuf>,

    /// Format of the trajectory: csv, jsonl or txt [default: by the extension of the file; csv for `-`]
    #[arg(long, value_name = "FORMAT", requires = "out", value_parser = format)]
    format: Option<TrajectoryFormat>,

    /// Also write these values of public state, separated by commas, such as `hunger,mate`, with --out to a .csv or .jsonl file; repeatable
    #[arg(long, value_name = "NAME", requires = "out", value_delimiter = ',')]
    state: Vec<String>,

    /// Write measures over time to a .csv, .jsonl or .parquet file
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    measures: Option<PathBuf>,

    /// Take only this measure, such as `mean_speed` or `flock.mean_speed`; repeatable
    #[arg(long, value_name = "NAME")]
    measure: Vec<String>,

    /// Record only ticks that are multiples of K
    #[arg(long, value_name = "K", default_value = "1", requires = "recording", value_parser = values::at_least_one)]
    every: u64,

    /// Print the summary as one JSON object
    #[arg(long)]
    json: bool,

    /// Show at most N lines of what scripts print with `debug`
    #[arg(long, value_name = "N", default_value_t = 100)]
    debug_lines: u64,

    /// Run scripts in the interpreter only: slower, with the same results
    #[arg(long)]
    interpreter: bool,
}

/// Parses the name of a format.
fn format(text: &str) -> Result<TrajectoryFormat, String> {
    let known = TrajectoryFormat::ALL.iter().find(|(name, _)| *name == text);
    known.map(|&(_, format)| format).ok_or_else(|| "must be csv, jsonl or txt".into())
}

/// The value of `--out` that stands for the standard output.
const STDOUT: &str = "-";

impl Args {
    fn is_to_stdout(&self) -> bool {
        self.out.as_deref() == Some(Path::new(STDOUT))
    }

    /// Returns the format of the trajectory; `None` if none is to be written.
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
        TrajectoryFormat::from_path(out).map(Some).map_err(|error| {
            Diagnostic::error(format!("cannot write {}: {error}", out.display()))
                .help("use one of these extensions, or give the format with --format")
        })
    }
}

/// Executes the command.
pub(super) fn run(args: Args) -> CommandResult {
    let format = args.trajectory_format()?;
    if args.json && args.is_to_stdout() {
        return Err(Diagnostic::error(
            "`--json` and `--out -` would both write to the standard output",
        )
        .help("write the trajectory to a file with --out FILE, or leave --json out")
        .into());
    }
    if args.measures.is_some() && args.measures == args.out {
        return Err(Diagnostic::error("`--out` and `--measures` name the same file").into());
    }
    args.run_args.on_threads(|| execute(&args, format))
}

/// Returns the measures that are asked for; `None` if none are.
fn measures_of(run: &Run, args: &Args) -> Result<Option<RunMeasures>, Diagnostics> {
    if !args.json && args.measures.is_none() && args.measure.is_empty() {
        return Ok(None);
    }
    let names = run.measure_names();
    let measures = match args.measure.as_slice() {
        [] => names.all(),
        some => some.iter().map(|name| names.find(name)).collect::<Result<_, _>>()?,
    };
    Ok(Some(RunMeasures::new(run.simulation(), measures)))
}

/// Returns the names of the public values that the trajectory has.
fn states_of(
    run: &Run,
    args: &Args,
    format: TrajectoryFormat,
) -> Result<Vec<Arc<str>>, Diagnostics> {
    if format == TrajectoryFormat::Text && !args.state.is_empty() {
        let wrong = Diagnostic::error("a trajectory in the format txt has positions only");
        return Err(wrong.help("write --state to a .csv or .jsonl file").into());
    }
    let names = run.world().names().public();
    let find = |name: &String| match names.iter().find(|known| *known.name == **name) {
        Some(known) => Ok(Arc::clone(&known.name)),
        None => {
            let unknown = Diagnostic::error(format!("no group has a public state `{name}`"));
            Err(unknown.suggest(name, names.iter().map(|known| &*known.name)).into())
        }
    };
    args.state.iter().map(find).collect()
}

/// The outputs of a run that grow tick by tick.
struct Recording<'a> {
    trajectory: Option<Trajectory<'a>>,
    measures: Option<RunMeasures>,
    measures_file: Option<MeasuresFile<'a>>,
    judge: Option<Judge>,
}

impl<'a> Recording<'a> {
    /// Begins the files that are asked for.
    fn new(
        args: &'a Args,
        format: Option<TrajectoryFormat>,
        run: &Run,
    ) -> Result<Self, Diagnostics> {
        let trajectory = match (&args.out, format) {
            (Some(path), Some(format)) => {
                let path = (!args.is_to_stdout()).then_some(&**path);
                let states = states_of(run, args, format)?;
                Some(Trajectory::create(path, format, run.dt(), args.every, states)?)
            }
            _ => None,
        };
        let measures = measures_of(run, args)?;
        let measures_file = match (&args.measures, &measures) {
            (Some(path), Some(of)) => Some(MeasuresFile::create(path, of.measures(), args.every)?),
            _ => None,
        };
        let judge = args.json.then(|| run.judge_with_margins());
        Ok(Self { trajectory, measures, measures_file, judge })
    }

    /// Returns whether a file is written.
    fn has_file(&self) -> bool {
        self.trajectory.is_some() || self.measures_file.is_some()
    }

    /// Records the state before the first tick.
    fn record_start(&mut self, run: &Run) -> Result<Consumer, Diagnostics> {
        let consumer = match &mut self.trajectory {
            Some(trajectory) => trajectory.frame(run)?,
            None => Consumer::Reading,
        };
        if let (Some(file), Some(measures)) = (&mut self.measures_file, &self.measures) {
            file.record(run, measures)?;
        }
        Ok(consumer)
    }

    /// Judges and records the state after a tick.
    fn record_tick(&mut self, run: &Run) -> Result<Consumer, Diagnostics> {
        if let Some(judge) = &mut self.judge {
            judge.tick(run.simulation());
        }
        if let Some(measures) = &mut self.measures {
            measures.add_tick(run.simulation());
        }
        self.record_start(run)
    }
}

fn execute(args: &Args, format: Option<TrajectoryFormat>) -> CommandResult {
    let options = args.input_args.add_to(args.run_args.options())?.interpreter(args.interpreter);
    let mut run = Run::open(&args.scenario, &options)?;
    terminal::show(run.warnings());
    let mut recording = Recording::new(args, format, &run)?;
    let interrupted = recording.has_file().then(Interrupt::handle);
    let first = run.first_tick();
    let ticks = args.ticks.unwrap_or(run.ticks());
    if ticks <= first {
        return Err(Diagnostic::error(format!(
            "cannot end at tick {ticks}: the scenario begins at tick {first}"
        ))
        .help("`--ticks` is the tick at which the run ends: give a larger number")
        .into());
    }
    let mut progress = DelayedProgressBar::new("tick", ticks - first);
    let mut messages = Messages::new(args.debug_lines);
    let mut agent_ticks = 0;
    messages.show(&mut run, &progress);
    let mut consumer = recording.record_start(&run)?;
    for tick in first + 1..=ticks {
        if consumer == Consumer::Closed {
            return Ok(Ending::Success);
        }
        agent_ticks += run.simulation().world().agents.len() as u64;
        let stepped = run.step();
        messages.show(&mut run, &progress);
        if let Err(fault) = stepped {
            messages.finish(&progress);
            return Err(fault.into());
        }
        consumer = recording.record_tick(&run)?;
        if interrupted.as_ref().is_some_and(Interrupt::is_requested) {
            progress.finish();
            let rest = if args.is_to_stdout() {
                "the trajectory ends there"
            } else {
                "nothing is written"
            };
            terminal::say(&format!("interrupted at tick {tick}, {rest}"));
            return Ok(Ending::Interrupted);
        }
        progress.at(tick - first);
    }
    messages.finish(&progress);
    let wall = progress.finish();
    let lines = messages.line_counts();
    summarize(args, &run, recording, RunSummary::new(&run, agent_ticks, wall, lines))
}

/// Completes the files, and prints the summary of a run that has ended.
fn summarize(
    args: &Args,
    run: &Run,
    recording: Recording<'_>,
    summary: RunSummary<'_>,
) -> CommandResult {
    let Recording { trajectory, measures, measures_file, judge } = recording;
    // It is to hold a reference to the measures, too, which do not live as long as the run.
    let mut summary = summary;
    let written = |path: &Option<PathBuf>, ticks: Option<u64>| {
        let file = path.as_ref()?.to_string_lossy().into_owned();
        Some(WrittenFile { file, ticks: ticks? })
    };
    let measured_ticks = measures_file.map(MeasuresFile::finish).transpose()?;
    summary.written_measures = written(&args.measures, measured_ticks);
    summary.margins = judge.map(|judge| MarginSummary::of_all(run, judge));
    let recorded_ticks = trajectory.map(Trajectory::finish).transpose()?;
    summary.written = written(&args.out, recorded_ticks);
    summary.measures = measures.as_ref().map(|measures| Values::new(measures, run)).transpose()?;
    summary.shows_measures = !args.measure.is_empty();
    if args.json {
        terminal::print(&summary.json())?;
    } else if args.is_to_stdout() {
        terminal::say(summary.text().trim_end());
    } else {
        terminal::print(&summary.text())?;
    }
    Ok(Ending::Success)
}
