//! `flockwork bench`: measures how long ticks take, with lowered and with interpreted scripts.

mod flock;
mod measure;
mod report;
mod worlds;

use std::path::{Path, PathBuf};

use flockwork_engine::diag::Code;
use flockwork_engine::scenario::Scenario;
use flockwork_engine::sim::Simulation;
use flockwork_engine::{Batch, Diagnostic, Diagnostics, Options, Run, with_threads};
use measure::{BenchMode, MeasureError};
use report::BenchReport;

use super::{CommandResult, Ending, terminal, values};

/// Measure how fast a scenario runs
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  flockwork bench
  flockwork bench scenarios/hello.ron --agents 5000
  flockwork bench scenarios/hello.ron --worlds 1000

Measures the same ticks in several modes, in turn, after a warm-up, and shows the median
of the rounds in nanoseconds per agent and tick:
  lowered      scripts as they usually run
  interpreted  all scripts in the interpreter, as with `run --interpreter`
  native       the standard flock as Rust code, without a script
All modes must end in the same state; if they do not, the exit code is 1. Notes show what
keeps scripts in the interpreter, as `check --perf` does. The standard flock is measured if
no scenario is given: separation, alignment and cohesion at a constant density.")]
pub(super) struct Args {
    /// Scenario file (.ron) [default: a standard flock]
    #[arg(value_hint = clap::ValueHint::FilePath)]
    scenario: Option<PathBuf>,

    /// Scale the groups to N agents in all; the world keeps its size [default: as in the scenario; 10000 in the
    /// standard flock]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    agents: Option<u32>,

    /// Measure N ticks in each round [default: as many as take about 0.4 s]
    #[arg(long, value_name = "N", value_parser = values::at_least_one)]
    ticks: Option<u64>,

    /// Measure N worlds that advance together, with seeds counting up from the scenario's, and one of them alone
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=100_000), requires = "scenario")]
    worlds: Option<u32>,

    /// Number of threads; 0 uses one per core
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = values::threads)]
    threads: usize,

    /// Print one JSON object instead of a table
    #[arg(long)]
    json: bool,
}

/// Executes the command.
pub(super) fn bench(args: Args) -> CommandResult {
    let threads = args.threads;
    // The threads of the pool have stacks that are large enough for scripts.
    with_threads(threads, || execute(&args))?
}

fn execute(args: &Args) -> CommandResult {
    if cfg!(debug_assertions) {
        terminal::show(&[Diagnostic::note(
            "this is a development build, which is several times slower: build with `--release` to measure",
        )]);
    }
    if let (Some(worlds), Some(scenario)) = (args.worlds, &args.scenario) {
        return execute_worlds(args, scenario, worlds);
    }
    let (lowered, interpreted) = (open(args, false)?, open(args, true)?);
    terminal::show(lowered.warnings());
    if let Some(scenario) = &args.scenario {
        let found = flockwork_engine::check(scenario).into_iter();
        let slow: Diagnostics = found.filter(|one| one.code == Code::Interpreted).collect();
        terminal::show(&slow);
    }
    let (scenario, scenario_ticks) =
        (lowered.name().to_owned(), lowered.ticks() - lowered.first_tick());
    let mut modes = Vec::new();
    if args.scenario.is_none() {
        modes.push(BenchMode::of("native", native(args)?));
    }
    modes.push(BenchMode::of_run("lowered", lowered));
    modes.push(BenchMode::of_run("interpreted", interpreted));
    let measured = match measure::measure(&mut modes, scenario_ticks, args.ticks) {
        Ok(measured) => measured,
        Err(error) => return fail(error),
    };
    let report = BenchReport::new(scenario, &modes, &measured);
    terminal::print(&if args.json { report.json() } else { report.text() })?;
    Ok(Ending::Success)
}

fn fail(error: MeasureError) -> CommandResult {
    match error {
        MeasureError::Run(error) => Err(error.into()),
        MeasureError::StatesDiffer(error) => {
            terminal::show(&[error]);
            Ok(Ending::Shortfall)
        }
    }
}

fn execute_worlds(args: &Args, scenario: &Path, worlds: u32) -> CommandResult {
    let mut options = Options::default();
    options.agents = args.agents;
    let first = Run::open(scenario, &options)?.simulation().world().seed;
    let seeds = (0..worlds.into()).map(|number| first.wrapping_add(number));
    let options: Vec<Options> = seeds.map(|seed| options.clone().seed(seed)).collect();
    let report = match worlds::measure(Batch::open(scenario, &options)?.into_runs(), args.ticks) {
        Ok(report) => report,
        Err(error) => return fail(error),
    };
    terminal::print(&if args.json { report.json() } else { report.text() })?;
    Ok(Ending::Success)
}

fn open(args: &Args, interpreter: bool) -> Result<Run, Diagnostics> {
    let options = Options::default().interpreter(interpreter);
    match &args.scenario {
        None => Run::new(&flock::scenario(agents(args)), &flock::scripts(), &options),
        Some(scenario) => {
            let options = match args.agents {
                Some(agents) => options.agents(agents),
                None => options,
            };
            Run::open(scenario, &options)
        }
    }
}

/// Returns the standard flock without a script.
fn native(args: &Args) -> Result<Simulation, Diagnostics> {
    let scenario = Scenario::parse(&flock::scenario(agents(args)))?;
    Simulation::new(scenario.setup, vec![flock::native()]).map_err(Diagnostics::from)
}

/// Returns the number of agents of the standard flock.
fn agents(args: &Args) -> u32 {
    args.agents.unwrap_or(flock::DEFAULT_AGENTS)
}
