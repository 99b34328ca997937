//! `flockwork bench`: measures how long ticks take, with lowered and with interpreted scripts.

mod baseline;
mod flock;
mod measure;
mod report;
mod spread;
mod worlds;

use std::path::{Path, PathBuf};

use baseline::{Baseline, Comparison, Measured};
use flockwork_engine::scenario::Scenario;
use flockwork_engine::sim::Simulation;
use flockwork_engine::{Batch, Diagnostic, Diagnostics, Options, Run, with_threads};
use measure::{BenchMode, MeasureError};
use report::BenchReport;
use serde::Serialize;
use worlds::WorldsReport;

use super::{CommandResult, Ending, json_text, terminal, values};

/// Measure how fast a scenario runs
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  flockwork bench
  flockwork bench scenarios/hello.ron --agents 5000
  flockwork bench scenarios/hello.ron --worlds 1000
  flockwork bench --json > before.json
  flockwork bench --baseline before.json

Measures the same ticks in several modes, in turn, after a warm-up, and shows the median,
the fastest and the slowest of the rounds in nanoseconds per agent and tick:
  lowered      scripts as they usually run
  interpreted  all scripts in the interpreter, as with `run --interpreter`
  native       the standard flock as Rust code, without a script
All modes must end in the same state; if they do not, the exit code is 1. Notes show what
keeps scripts in the interpreter, as `check --perf` does. The standard flock is measured if
no scenario is given: separation, alignment and cohesion at a constant density.
A baseline gives the ratio of the median times, now divided by before, and tells whether the
ranges of the rounds overlap: if they do, the difference may be noise.")]
pub(super) struct Args {
    /// Scenario files (.ron), measured one after another [default: a standard flock]
    #[arg(value_name = "SCENARIO", value_hint = clap::ValueHint::FilePath)]
    scenarios: Vec<PathBuf>,

    /// Scale the groups to N agents in all; the world keeps its size [default: as in the scenario; 10000 in the
    /// standard flock]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    agents: Option<u32>,

    /// Measure N ticks in each round [default: as many as take about 0.4 s]
    #[arg(long, value_name = "N", value_parser = values::at_least_one)]
    ticks: Option<u64>,

    /// Measure N worlds that advance together, with seeds counting up from the scenario's, and one of them alone
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=100_000), requires = "scenarios")]
    worlds: Option<u32>,

    /// Number of threads; 0 uses one per core
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = values::threads)]
    threads: usize,

    /// Compare with an earlier output of `bench --json`
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    baseline: Option<PathBuf>,

    /// Print one JSON object instead of a table, or a list for several scenarios
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
    let baseline = args.baseline.as_deref().map(Baseline::read).transpose()?;
    // Errors in the last scenario are found before the first one is measured.
    let subjects = if args.scenarios.is_empty() {
        vec![Subject::flock(args)?]
    } else {
        let paths = args.scenarios.iter();
        paths.map(|path| Subject::open(args, path)).collect::<Result<_, _>>()?
    };
    let mut results = Vec::new();
    for subject in subjects {
        let report = match subject.measure(args.ticks) {
            Ok(report) => report,
            Err(MeasureError::Run(error)) => return Err(error.into()),
            Err(MeasureError::StatesDiffer(error)) => {
                terminal::show(&[error]);
                return Ok(Ending::Shortfall);
            }
        };
        let baseline = baseline.as_ref().map(|baseline| baseline.compare(&report.measured()));
        let result = BenchResult { report, baseline };
        if !args.json {
            let gap = if results.is_empty() { "" } else { "\n" };
            terminal::print(&format!("{gap}{}", result.text()))?;
        }
        results.push(result);
    }
    if args.json {
        terminal::print(&json(&results))?;
    }
    Ok(Ending::Success)
}

/// Returns one JSON object, or a list of several, with a newline at the end.
fn json(results: &[BenchResult]) -> String {
    match results {
        [one] => json_text(one),
        all => json_text(all),
    }
}

/// The runs that are measured for one scenario.
enum Subject {
    /// The same run in several modes.
    Modes { scenario: String, ticks: u64, modes: Vec<BenchMode> },
    /// Runs with other seeds, which advance together.
    Worlds(Vec<Run>),
}

impl Subject {
    /// Returns the standard flock.
    fn flock(args: &Args) -> Result<Self, Diagnostics> {
        let (scenario, scripts) = (flock::scenario(agents(args)), flock::scripts());
        let open = |interpreter| {
            Run::new(&scenario, &scripts, &Options::default().interpreter(interpreter))
        };
        let native = BenchMode::without_scripts("native", native(args)?);
        Ok(Self::from_runs(vec![native], open(false)?, open(true)?))
    }

    /// Opens a scenario.
    fn open(args: &Args, scenario: &Path) -> Result<Self, Diagnostics> {
        let mut options = Options::default();
        options.agents = args.agents;
        if let Some(worlds) = args.worlds {
            let first = Run::open(scenario, &options)?.simulation().world().seed;
            let seeds = (0..worlds.into()).map(|number| first.wrapping_add(number));
            let options: Vec<Options> = seeds.map(|seed| options.clone().seed(seed)).collect();
            return Ok(Self::Worlds(Batch::open(scenario, &options)?.into_runs()));
        }
        let open = |interpreter| Run::open(scenario, &options.clone().interpreter(interpreter));
        let (lowered, interpreted) = (open(false)?, open(true)?);
        terminal::show(lowered.warnings());
        let found = flockwork_engine::check(scenario).into_iter();
        let slow: Diagnostics = found.filter(|one| one.code.is_about_speed()).collect();
        terminal::show(&slow);
        Ok(Self::from_runs(Vec::new(), lowered, interpreted))
    }

    /// Adds the modes that have scripts.
    fn from_runs(mut modes: Vec<BenchMode>, lowered: Run, interpreted: Run) -> Self {
        let scenario = lowered.name().to_owned();
        let ticks = lowered.ticks() - lowered.first_tick();
        modes.push(BenchMode::with_scripts("lowered", lowered));
        modes.push(BenchMode::with_scripts("interpreted", interpreted));
        Self::Modes { scenario, ticks, modes }
    }

    fn measure(self, ticks: Option<u64>) -> Result<Report, MeasureError> {
        match self {
            Self::Modes { scenario, ticks: scenario_ticks, mut modes } => {
                let measured = measure::measure(&mut modes, scenario_ticks, ticks)?;
                Ok(Report::Modes(BenchReport::new(scenario, &modes, &measured)))
            }
            Self::Worlds(runs) => worlds::measure(runs, ticks).map(Report::Worlds),
        }
    }
}

/// The result for one scenario. Its fields are those of the JSON object.
#[derive(Serialize)]
struct BenchResult {
    #[serde(flatten)]
    report: Report,
    #[serde(skip_serializing_if = "Option::is_none")]
    baseline: Option<Comparison>,
}

impl BenchResult {
    fn text(&self) -> String {
        let mut text = match &self.report {
            Report::Modes(report) => report.text(),
            Report::Worlds(report) => report.text(),
        };
        if let Some(baseline) = &self.baseline {
            text += &baseline.text();
        }
        text
    }
}

#[derive(Serialize)]
#[serde(untagged)]
enum Report {
    Modes(BenchReport),
    Worlds(WorldsReport),
}

impl Report {
    fn measured(&self) -> Measured {
        match self {
            Self::Modes(report) => report.measured(),
            Self::Worlds(report) => report.measured(),
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
