//! `flockwork sweep`: runs a scenario with many values and seeds, and writes a table.

mod checksums;
mod identity;
mod jobs;
pub(super) mod parts;
pub(super) mod report;
mod results;
mod rows;
mod shard;
mod summary;
pub(super) mod table;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use flockwork_engine::experiment::Sweep;
use flockwork_engine::load::{self, ScriptsFolder};
use flockwork_engine::{Diagnostic, Diagnostics, with_threads};

use super::interrupt::Interrupt;
use super::progress::DelayedProgressBar;
use super::{CommandResult, Ending, terminal, values};
use crate::plan_file::{self, PlanFile};
use identity::Identity;
use jobs::Engine;
use results::Results;
use shard::Shard;

/// Number of runs that are allowed without --limit.
const DEFAULT_LIMIT: u64 = 1_000_000;

/// Time that a shard waits for another process with the same shard. An engine that has lost a machine may start the
/// shard elsewhere before the first process has ended.
const SHARD_PATIENCE: Duration = Duration::from_secs(30);

/// Run a scenario with many values and seeds, and write a table
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  flockwork sweep scenarios/boids.plan.ron
  flockwork sweep scenarios/boids.plan.ron --shard 2/8 --out results
  flockwork sweep scenarios/boids.plan.ron --on slurm --submit

A plan (RON) names a scenario, the values that vary, the seeds, and what is recorded:
  (
      scenario: \"boids.ron\",
      vary: {
          \"groups.boids.params.sight\": Range(from: 10, to: 60, steps: 6),
          \"groups.boids.count\": List([50, 100]),
      },
      seeds: 10,
      record: [\"polarization\", \"mean_speed\"],
  )

The results are in a folder beside the plan, NAME.sweep, or in the folder --out:
  runs.csv     a row for each run: its values, its seed, the measures at its end, the
               hash of its state, whether expectations failed, and its error, if any
  report.html  charts: which values matter for which results, and how
  series.csv   the measures over time, if the plan says `sweep: (every: K)`
  sweep.json   what the sweep was made of, and the types of all columns

With --parquet the tables are there as runs.parquet and series.parquet too, with the same
columns: integers, doubles, booleans, strings; null for what is empty in runs.csv. If the
sweep is complete already, it only writes these.

A sweep that was interrupted or killed goes on where it was: give the same command again.")]
pub(super) struct Args {
    /// Plan file (.plan.ron)
    #[arg(value_hint = clap::ValueHint::FilePath)]
    plan: PathBuf,

    /// Folder for the results [default: NAME.sweep beside the plan]
    #[arg(long, value_name = "FOLDER", value_hint = clap::ValueHint::DirPath)]
    out: Option<PathBuf>,

    /// Run only part I of N parts, for example 2/8; `flockwork merge` joins them
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,

    /// Write the files for jobs on many machines, and say how to start them
    #[arg(long, value_name = "ENGINE", conflicts_with_all = ["shard", "restart"])]
    on: Option<Engine>,

    /// Number of jobs, for --on [default: one for each 500 runs, but at least 8 and at most 1000]
    #[arg(long, value_name = "N", requires = "on", value_parser = values::at_least_one)]
    shards: Option<u64>,

    /// Start the jobs too, for --on
    #[arg(long, requires = "on")]
    submit: bool,

    /// Allow up to N runs
    #[arg(long, value_name = "N", default_value_t = DEFAULT_LIMIT, value_parser = values::at_least_one)]
    limit: u64,

    /// Print the scenario of run N instead, as a file that runs alone
    #[arg(long, value_name = "N", conflicts_with_all = ["out", "shard", "restart", "on"])]
    show: Option<u64>,

    /// Delete older results in the folder and begin again
    #[arg(long)]
    restart: bool,

    /// Write the tables as Parquet too: runs.parquet, series.parquet
    #[arg(long, conflicts_with = "show")]
    parquet: bool,

    /// Number of threads; 0 uses one per core. With --on, the number of cores of each job, 1 by default
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = values::threads)]
    threads: usize,
}

/// Executes the command.
pub(super) fn sweep(args: Args) -> CommandResult {
    with_threads(args.threads, || execute(&args))?
}

/// Reads a plan and everything that it names.
pub(super) fn open(path: &Path) -> Result<Sweep, Diagnostics> {
    let PlanFile { plan, scenario, source } = PlanFile::read(path)?;
    Sweep::new(plan, &source, &ScriptsFolder::of_scenario(&scenario))
}

/// Prints the scenario of a run.
fn show(sweep: &Sweep, number: u64) -> CommandResult {
    let runs = sweep.runs();
    if number >= runs {
        return Err(Diagnostic::error(format!(
            "there is no run {number}: the sweep has {runs} runs"
        ))
        .help("runs count from 0, as in the first column of the table")
        .into());
    }
    terminal::print(&sweep.trials().scenario(&sweep.trial(number))?.text)?;
    Ok(Ending::Success)
}

fn execute(args: &Args) -> CommandResult {
    let sweep = open(&args.plan)?;
    let runs = sweep.runs();
    if let Some(number) = args.show {
        return show(&sweep, number);
    }
    if runs > args.limit {
        return Err(Diagnostic::error(format!("the sweep has {runs} runs, more than {}", args.limit))
            .help("give fewer values or seeds, choose points: `sweep: (points: Sobol(points: 256))`, or allow more with --limit")
            .into());
    }
    let numbers = args.shard.map_or(0..runs, |shard| shard.part(runs));
    let folder = args.out.clone().unwrap_or_else(|| plan_file::folder(&args.plan, "sweep"));
    if let Some(engine) = args.on {
        return jobs::write(engine, args, runs, &folder);
    }
    let (folder, patience) = match args.shard {
        Some(shard) => (folder.join(shard.folder()), SHARD_PATIENCE),
        None => (folder, Duration::ZERO),
    };
    if args.parquet {
        load::make_folder(&folder)?;
        table::check_parquet(&folder)?;
    }
    let identity = Identity::new(&sweep, &numbers);
    let types = identity.types.clone();
    let mut results = Results::open(&folder, identity, &sweep, args.restart, patience)?;
    let (first, all) = (results.next(), numbers.end);
    if first > numbers.start && first < all {
        let done = first - numbers.start;
        terminal::say(&format!("{done} of {} runs are done: going on", all - numbers.start));
    }
    let interrupt = Interrupt::handle();
    let mut progress = DelayedProgressBar::new("run", all - numbers.start);
    let mut failure = None;
    let stop = || interrupt.is_requested();
    sweep.run(first..all, &stop, |run| {
        if let Err(error) = results.add(&run) {
            failure = Some(error);
            return ControlFlow::Break(());
        }
        progress.at(run.number + 1 - numbers.start);
        ControlFlow::Continue(())
    })?;
    if let Some(error) = failure {
        return Err(error.into());
    }
    let wall = progress.finish();
    let done = results.next();
    if done < all {
        terminal::say(&format!(
            "interrupted: {} of {} runs are done; the same command goes on",
            done - numbers.start,
            all - numbers.start
        ));
        return Ok(Ending::Interrupted);
    }
    let summary = results.finish()?;
    let now = match done - first {
        _ if numbers.is_empty() => {
            "this part has no runs, since the sweep has fewer runs than parts\n".to_owned()
        }
        0 => "all of them were there already\n".to_owned(),
        new => format!("{new} of them took {:.1} s\n", wall.as_secs_f64()),
    };
    let page = report::write(&folder, &summary)?;
    let mut text = format!("{now}charts are in {}\n", page.display());
    if args.parquet {
        let path = table::write_parquet(&folder, &types)?;
        text.push_str(&format!("the table is in {} too\n", path.display()));
    }
    terminal::print(&summary.text(&text))?;
    // Engines of jobs begin the merge only after parts that succeed. The merge says what failed.
    Ok(if args.shard.is_some() { Ending::Success } else { summary.ending() })
}
