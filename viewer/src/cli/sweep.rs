//! `flockwork sweep`: runs a scenario with many values and seeds, and writes a table.

mod checksums;
mod identity;
mod known;
pub(super) mod parts;
mod points_table;
pub(super) mod report;
mod results;
mod rows;
mod sensitivity;
mod summary;
pub(super) mod table;

use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};
use std::time::Duration;

use flockwork_engine::experiment::Sweep;
use flockwork_engine::load::{self, ScriptsFolder};
use flockwork_engine::plan_file::{self, PlanFile};
use flockwork_engine::{Diagnostic, Diagnostics, with_threads};

use super::interrupt::Interrupt;
use super::jobs::{self, Engine, Job, ShardArgs};
use super::progress::DelayedProgressBar;
use super::shard::SHARD_PATIENCE;
use super::{CommandResult, Ending, terminal, values};
pub(super) use identity::IDENTITY;
use identity::Identity;
use results::Results;

/// Number of runs that are allowed without --limit.
const DEFAULT_LIMIT: u64 = 1_000_000;

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
  points.csv   a row for each point: the means over its seeds, with 95 % intervals
  report.html  charts: which values matter for which results, and how
  figures      each chart as an SVG file with a caption, for papers
  series.csv   the measures over time, if the plan says `sweep: (every: K)`
  sensitivity.csv  how much each value matters, with 95 % intervals, for points of
               `Saltelli` and `Morris`
  sweep.json   what the sweep was made of, and the types of all columns

With --parquet the tables are there as runs.parquet and series.parquet too, with the same
columns: integers, doubles, booleans, strings; null for what is empty in runs.csv. If the
sweep is complete already, it only writes these.

A sweep that was interrupted or killed goes on where it was: give the same command again. If
the plan has got more seeds or points since then, only the new runs are computed.")]
pub(super) struct Args {
    /// Plan file (.plan.ron)
    #[arg(value_hint = clap::ValueHint::FilePath)]
    plan: PathBuf,

    /// Folder for the results [default: NAME.sweep beside the plan]
    #[arg(long, value_name = "FOLDER", value_hint = clap::ValueHint::DirPath)]
    out: Option<PathBuf>,

    #[command(flatten)]
    shards: ShardArgs,

    /// Allow up to N runs
    #[arg(long, value_name = "N", default_value_t = DEFAULT_LIMIT, value_parser = values::at_least_one)]
    limit: u64,

    /// Print the scenario of run N instead, as a file that runs alone
    #[arg(long, value_name = "N", conflicts_with_all = ["out", "shard", "restart", "on"])]
    show: Option<u64>,

    /// Delete older results in the folder and begin again
    #[arg(long, conflicts_with = "on")]
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
    let shard = args.shards.shard;
    let numbers = shard.map_or(0..runs, |shard| sweep.part(shard.index, shard.count));
    let folder = args.out.clone().unwrap_or_else(|| plan_file::folder(&args.plan, "sweep"));
    if let Some(engine) = args.shards.on {
        return write_jobs(engine, args, runs, &folder);
    }
    let (folder, patience) = match args.shards.shard {
        Some(shard) => (folder.join(shard.folder()), SHARD_PATIENCE),
        None => (folder, Duration::ZERO),
    };
    if args.parquet {
        load::make_folder(&folder)?;
        table::check_parquet(&folder)?;
    }
    let identity = Identity::new(&sweep, &numbers, shard.is_some());
    let mut results = Results::open(&folder, identity, &sweep, args.restart, patience)?;
    let (first, all) = (results.next(), numbers.end);
    if first > numbers.start && first < all {
        let done = first - numbers.start;
        terminal::say(&format!("{done} of {} runs are done: going on", all - numbers.start));
    }
    let (computed, wall) = run_missing(&sweep, &mut results, first..all)?;
    let done = results.next();
    if done < all {
        terminal::say(&format!(
            "interrupted: {} of {} runs are done; the same command goes on",
            done - numbers.start,
            all - numbers.start
        ));
        return Ok(Ending::Interrupted);
    }
    let (identity, summary) = results.finish()?;
    let now = match done - first {
        _ if numbers.is_empty() => {
            "this part has no runs, since the sweep has fewer runs than parts\n".to_owned()
        }
        0 => "all of them were there already\n".to_owned(),
        _ => format!("{computed} of them took {:.1} s\n", wall.as_secs_f64()),
    };
    let mut text = now;
    // The merge makes the page of all shards.
    if shard.is_none() {
        text.push_str(&report::write(&folder, &summary, &identity)?);
    }
    if args.parquet {
        let path = table::write_parquet(&folder, &identity.types)?;
        text.push_str(&format!("the table is in {} too\n", path.display()));
    }
    terminal::print(&summary.text(&text))?;
    // Engines of jobs begin the merge only after parts that succeed. The merge says what failed.
    Ok(if args.shards.shard.is_some() { Ending::Success } else { summary.ending() })
}

/// Number of shards of a sweep, at least, unless --shards is given.
const LEAST_SHARDS: u64 = 8;

/// Writes the job files of a sweep with `runs` runs, and starts them if asked for.
fn write_jobs(engine: Engine, args: &Args, runs: u64, folder: &Path) -> CommandResult {
    if args.parquet {
        load::make_folder(folder)?;
        table::check_parquet(folder)?;
    }
    let options = match runs > DEFAULT_LIMIT {
        true => vec!["--limit".to_owned(), runs.to_string()],
        false => Vec::new(),
    };
    let job = Job {
        command: "sweep",
        file: &args.plan,
        options,
        folder_option: "--out",
        folder,
        merge_options: args.parquet.then(|| "--parquet".to_owned()).into_iter().collect(),
        runs,
        default_shards: jobs::default_shards(runs, jobs::RUNS_OF_A_SHARD, LEAST_SHARDS),
        threads: args.threads,
    };
    jobs::write(engine, &args.shards, &job)
}

/// Runs those of some runs that are not there yet, unless a signal comes. Returns how many there were, and the time that they took.
fn run_missing(
    sweep: &Sweep,
    results: &mut Results,
    numbers: Range<u64>,
) -> Result<(u64, Duration), Diagnostics> {
    if results.known() > 0 {
        terminal::say(&format!(
            "{} runs are there from before: the plan has grown",
            results.known()
        ));
    }
    let (first, all) = (numbers.start, numbers.end);
    let interrupt = Interrupt::handle();
    let missing = (results.known() > 0).then(|| {
        let is_missing = |number: &u64| !results.has(&sweep.trial(*number));
        (first..all).filter(is_missing).collect::<Vec<u64>>()
    });
    let todo = missing.as_ref().map_or(all - first, |missing| missing.len() as u64);
    let number = |index: u64| match &missing {
        Some(missing) => missing[index as usize],
        None => first + index,
    };
    let mut progress = DelayedProgressBar::new("run", todo);
    let (mut failure, mut done) = (None, 0);
    let stop = || interrupt.is_requested();
    sweep.run(todo, number, &stop, |run| {
        let added = results.add_known(sweep, run.number).and_then(|()| results.add(&run));
        if let Err(error) = added {
            failure = Some(error);
            return ControlFlow::Break(());
        }
        done += 1;
        progress.at(done);
        ControlFlow::Continue(())
    })?;
    if let Some(error) = failure {
        return Err(error.into());
    }
    results.add_known(sweep, all)?;
    Ok((todo, progress.finish()))
}
