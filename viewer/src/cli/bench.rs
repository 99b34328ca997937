//! `flockwork bench`: how long ticks take, with scripts lowered and interpreted.

mod flock;
mod measure;
mod report;

use std::path::PathBuf;

use flockwork_engine::diag::Code;
use flockwork_engine::scenario::Scenario;
use flockwork_engine::sim::Simulation;
use flockwork_engine::{Diagnostic, Diagnostics, Options, Run, with_threads};
use measure::{Failure, Way};
use report::Report;

use super::{Answer, Outcome, terminal, values};

/// Measure how fast a scenario runs, lowered and interpreted
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  flockwork bench
  flockwork bench scenarios/hello.ron --agents 5000

Each way does the same ticks from the same state, in turn, after a warm-up; the
median of the rounds is shown. `lowered` is how scripts run, `interpreted` how
they run with `run --interpreter`, where they look at their neighbors
themselves. All must end in the same state: if not, the exit code is 1.
Notes say what keeps scripts to the interpreter, as `check --perf` does.
Without a scenario there is a flock of a constant density, with separation,
alignment and cohesion, and `native` is the same behavior called from Rust.")]
pub(super) struct Args {
    /// The scenario: a .ron file [default: a standard flock]
    #[arg(value_hint = clap::ValueHint::FilePath)]
    scenario: Option<PathBuf>,

    /// Start with so many agents, in proportion to those of the groups; the world keeps its size, so that
    /// it gets denser [default: those of the scenario, 10000 in the standard flock]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    agents: Option<u32>,

    /// Measure so many ticks, again and again [default: as many as are convenient]
    #[arg(long, value_name = "N", value_parser = values::at_least_one)]
    ticks: Option<u64>,

    /// Use so many threads; 0 is one for each core
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = values::threads)]
    threads: usize,

    /// Print one JSON object instead of a table
    #[arg(long)]
    json: bool,
}

/// The command.
pub(super) fn bench(args: Args) -> Answer {
    let threads = args.threads;
    // All is done on the pool's threads, whose stacks have room for scripts.
    with_threads(threads, || execute(&args))?
}

fn execute(args: &Args) -> Answer {
    if cfg!(debug_assertions) {
        terminal::show(&[Diagnostic::note(
            "this is a development build, several times slower: build with `--release` to measure",
        )]);
    }
    let (lowered, interpreted) = (open(args, false)?, open(args, true)?);
    terminal::show(lowered.warnings());
    if let Some(scenario) = &args.scenario {
        let found = flockwork_engine::check(scenario).into_iter();
        let slow: Diagnostics = found.filter(|one| one.code == Code::Interpreted).collect();
        terminal::show(&slow);
    }
    let (scenario, lasts) = (lowered.name().to_owned(), lowered.ticks() - lowered.first_tick());
    let mut ways = Vec::new();
    if args.scenario.is_none() {
        ways.push(Way::of("native", native(args)?));
    }
    ways.push(Way::of_run("lowered", lowered));
    ways.push(Way::of_run("interpreted", interpreted));
    let measured = match measure::measure(&mut ways, lasts, args.ticks) {
        Ok(measured) => measured,
        Err(Failure::Wrong(error)) => return Err(error.into()),
        Err(Failure::Differ(error)) => {
            terminal::show(&[error]);
            return Ok(Outcome::Shortfall);
        }
    };
    let report = Report::new(scenario, &ways, &measured);
    terminal::print(&if args.json { report.json() } else { report.text() })?;
    Ok(Outcome::Success)
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

/// The standard flock without a script.
fn native(args: &Args) -> Result<Simulation, Diagnostics> {
    let scenario = Scenario::parse(&flock::scenario(agents(args)))?;
    Simulation::new(scenario.setup, vec![flock::native()]).map_err(Diagnostics::from)
}

fn agents(args: &Args) -> u32 {
    args.agents.unwrap_or(flock::AGENTS)
}
