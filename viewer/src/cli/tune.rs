//! `flockwork tune`: finds values of a scenario that are best for a goal.

mod kept;
mod picture;
pub(super) mod shards;
mod table;
mod text;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

#[cfg(feature = "window")]
use flockwork_engine::experiment::Plan;
use flockwork_engine::experiment::{MAX_TUNE_ROWS, SearchEnd, Tune, TuneOutcome, TuneRun, Verdict};
use flockwork_engine::load::{self, OutputFile, ScriptsFolder};
use flockwork_engine::plan_file::{self, PlanFile};
use flockwork_engine::{Diagnostic, Diagnostics, with_threads};

use super::interrupt::Interrupt;
use super::jobs::ShardArgs;
use super::progress::DelayedProgressBar;
use super::shard::SHARD_PATIENCE;
use super::{CommandResult, Ending, terminal, values};
#[cfg(feature = "window")]
use crate::view::TuneResults;
use kept::{Earlier, KeptRuns};

/// Find values of a scenario that are best for a goal
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  flockwork tune scenarios/boids_three_rules.plan.ron
  flockwork tune scenarios/boids_three_rules.plan.ron --write
  flockwork tune scenarios/boids_three_rules.plan.ron --on slurm --submit

A plan (RON) names a scenario, the values that vary, the seeds, and what to look for:
  (
      scenario: \"boids.ron\",
      vary: { \"groups.boids.params.sight\": Range(from: 10, to: 60) },
      seeds: 5,
      tune: (goals: [Maximize(\"polarization\")], budget: 500),
  )

Goals:
  Maximize(\"MEASURE\")           a measure at the end of the run is high
  Minimize(\"MEASURE\")           it is low
  Margins                       the smallest margin of the scenario's expectations is large
  Match({\"MEASURE\": VALUE})     measures have these values
  MatchSeries(\"FILE.csv\")       measures have the values of a table, with a column `tick`
  Sum([(WEIGHT, GOAL), ...])    several goals as one number
A measure is read at the end of the run; \"MEASURE@60\" is that at tick 60, and
\"MEASURE@60..120\" the mean over ticks.
With several goals, the result is a table: in each row, no other row is better for all goals.

Other fields of `tune`:
  where      a list of what all runs must keep: AtLeast(\"MEASURE\", NUMBER), AtMost(..),
             Holds(\"EXPECTATION\"), AllHold
  over       how seeds make one number: Mean, Worst, or Quantile(0.1), from the worst;
             default Mean
  budget     maximum number of runs of the search
  confirm    number of other seeds to compare the result with the scenario as it is;
             default 20
  seed       seed of the search; default 0

All values that were tried are in a folder beside the plan, NAME.tune, or in the folder --out:
  evaluations.csv   a row for each try: the values, the goals, the number of errors
  search.svg        a picture of the tries
  values.csv        the values that were found, their intervals, and what a change of each does
  runs.csv          all runs

A search that was interrupted, or even killed, goes on where it was: give the same command
again. With a larger budget, more seeds or other ranges, known runs are not run again.

`--json` prints an object with goals, seeds, now, found, and the numbers of runs.")]
pub(super) struct Args {
    /// Plan file (.plan.ron)
    #[arg(value_hint = clap::ValueHint::FilePath)]
    plan: PathBuf,

    /// Write the values that were found into the scenario, if they are confirmed to be better
    #[arg(long, conflicts_with = "on")]
    write: bool,

    /// Write them also if the gain is no larger than the spread between seeds
    #[arg(long, requires = "write")]
    unconfirmed: bool,

    /// With several goals: write the values in row N of the table
    #[arg(long, value_name = "N", requires = "write", value_parser = values::at_least_one)]
    pick: Option<u64>,

    /// Folder for the table and the picture of all tries [default: NAME.tune beside the plan]
    #[arg(long, value_name = "FOLDER", value_hint = clap::ValueHint::DirPath)]
    out: Option<PathBuf>,

    #[command(flatten)]
    shards: ShardArgs,

    /// Forget the runs of earlier searches, and begin again
    #[arg(long, conflicts_with = "on")]
    restart: bool,

    /// Print a JSON object
    #[arg(long)]
    json: bool,

    /// Number of threads; 0 uses one per core. With --on, the number of cores of each job, 1 by default
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = values::threads)]
    threads: usize,
}

/// Reads the results of a plan, to show them in a window.
///
/// # Errors
///
/// If the plan looks for nothing, or its results cannot be read.
#[cfg(feature = "window")]
pub(super) fn results(path: &Path, plan: &Plan) -> Result<TuneResults, Diagnostics> {
    let folder = plan_file::folder(path, "tune");
    let Some(tune) = &plan.tune else {
        let (source, span) = (&plan.scenario.1.source, plan.scenario.1.span.clone());
        return Err(Diagnostic::error("this plan has no `tune`, so it has no results to show")
            .at(source, span)
            .into());
    };
    if let Some(results) = unfinished_results(path, &folder)? {
        return Ok(results);
    }
    let read = table::read(&folder, plan, tune);
    Ok(read
        .map_err(|error| error.help(format!("flockwork tune {}  makes results", path.display())))?)
}

/// Returns the results of a tune that has not ended, as far as their runs are on the disk; `None` if there are none.
#[cfg(feature = "window")]
fn unfinished_results(path: &Path, folder: &Path) -> Result<Option<TuneResults>, Diagnostics> {
    let mut tune = open(path)?.0;
    let Earlier::Runs { finished: false, count: 1.. } = kept::remember(folder, &mut tune)? else {
        return Ok(None);
    };
    // The search ends where it needs a run that is not known.
    let search = tune.search(&|| true, &mut |_| {})?;
    let outcome =
        TuneOutcome { tune: &tune, search: &search, found: Vec::new(), runs: 0, seconds: 0.0 };
    Ok(table::of_search(&PlanFile::read(path)?.plan, &outcome))
}

/// Reads a plan and everything that it names. Returns the path of its scenario too.
fn open(path: &Path) -> Result<(Tune, PathBuf), Diagnostics> {
    let PlanFile { plan, scenario, source } = PlanFile::read(path)?;
    Ok((Tune::new(plan, &source, &ScriptsFolder::of_scenario(&scenario))?, scenario))
}

/// Executes the command.
pub(super) fn tune(args: Args) -> CommandResult {
    with_threads(args.threads, || execute(&args))?
}

fn execute(args: &Args) -> CommandResult {
    let (mut tune, scenario) = open(&args.plan)?;
    if args.write {
        check_pick(args.pick, tune.plan().goals.len())?;
    }
    let folder = args.out.clone().unwrap_or_else(|| plan_file::folder(&args.plan, "tune"));
    if let Some(engine) = args.shards.on {
        return shards::write_jobs(engine, args, &tune, &folder);
    }
    let folder = shards::prepare(args, &mut tune, folder)?;
    load::make_folder(&folder)?;
    table::check(&folder)?;
    picture::check(&folder)?;
    if shards::is_complete(args, &tune, &folder)? {
        return Ok(Ending::Success);
    }
    let patience = if args.shards.shard.is_some() { SHARD_PATIENCE } else { Duration::ZERO };
    let (mut kept, earlier) = KeptRuns::open(&folder, &mut tune, args.restart, patience)?;
    let mut described = shards::Description::begin(args, &tune, &folder)?;
    if let Earlier::Runs { count: known @ 1.., .. } = earlier {
        let s = if known == 1 { " is" } else { "s are" };
        terminal::say(&format!("{known} run{s} done: going on"));
    }
    let interrupt = Interrupt::handle();
    let mut progress = DelayedProgressBar::new("run", tune.max_runs());
    let mut runs = 0;
    let has_failed = AtomicBool::new(false);
    let mut failure = None;
    let stop = || interrupt.is_requested() || has_failed.load(Ordering::Relaxed);
    let mut ran = |run: Option<&TuneRun>| {
        runs += 1;
        progress.at(runs);
        if let Some(Err(error)) = run.map(|run| kept.add(&tune, run)) {
            has_failed.store(true, Ordering::Relaxed);
            failure.get_or_insert(error);
        }
    };
    let search = tune.search(&stop, &mut ran)?;
    let is_ended = search.end != SearchEnd::Interrupted;
    let found = tune.found(&search, &stop, &mut ran)?;
    if let Some(error) = failure {
        return Err(error.into());
    }
    let seconds = progress.finish().as_secs_f64();
    let is_interrupted = !is_ended || interrupt.is_requested();
    let outcome = TuneOutcome { tune: &tune, search: &search, found, runs, seconds };
    if search.evaluations.is_empty() {
        terminal::say("interrupted: no try has ended; the same command goes on");
        return Ok(Ending::Interrupted);
    }
    // First, since the disk may be full.
    terminal::print(&if args.json {
        format!("{:#}\n", outcome.json())
    } else {
        text::text(&outcome)
    })?;
    if is_interrupted {
        terminal::say(
            "interrupted: these are the best values so far, and they are not confirmed; the same command goes on",
        );
        return Ok(Ending::Interrupted);
    }
    let path = table::write(&folder, &outcome)?;
    picture::write(&folder, &outcome)?;
    match &mut described {
        Some(described) => described.finish(&folder, seconds)?,
        None => kept.finish(&folder)?,
    }
    if !args.json {
        terminal::print(&format!("all values that were tried are in {}\n", path.display()))?;
    }
    let ending = if args.write { write(&outcome, &scenario, args)? } else { Ending::Success };
    let errors = search.errors();
    // Engines of jobs begin the merge only after shards that succeed. The merge says what failed.
    if errors == 0 || described.is_some() {
        return Ok(ending);
    }
    terminal::say(&format!(
        "{errors} of {} runs of the search ended with an error: see the column `errors`",
        search.runs
    ));
    Ok(Ending::Shortfall)
}

/// Checks that `--pick` fits a number of goals, as far as that is known before the search.
fn check_pick(pick: Option<u64>, goals: usize) -> Result<(), Diagnostic> {
    let error = match (pick, goals) {
        (Some(_), 1) => {
            return Err(Diagnostic::error(
                "--pick chooses a row of the table for several goals, but the plan has one goal",
            )
            .help("leave --pick out"));
        }
        (None, 2..) => "several goals have no single best values to write".to_owned(),
        (Some(row), _) if row > MAX_TUNE_ROWS as u64 => {
            format!("there is no row {row}: the table has at most {}", MAX_TUNE_ROWS)
        }
        _ => return Ok(()),
    };
    Err(Diagnostic::error(error)
        .help("look at the table without --write, and choose a row, for example the first: --write --pick 1"))
}

/// Writes values into the scenario.
fn write(outcome: &TuneOutcome<'_>, scenario: &Path, args: &Args) -> CommandResult {
    let row = args.pick.unwrap_or(1);
    let found = usize::try_from(row - 1).ok().and_then(|index| outcome.found.get(index));
    let found = match found {
        Some(found) => found,
        None if outcome.found.is_empty() => {
            terminal::say("nothing was written: nothing was found");
            return Ok(Ending::Shortfall);
        }
        None => {
            let rows = outcome.found.len();
            terminal::say(&format!(
                "nothing was written: there is no row {row}, the table has {rows}"
            ));
            return Ok(Ending::Shortfall);
        }
    };
    match found.best_verdict() {
        Verdict::Better => {}
        Verdict::WithinSpread if args.unconfirmed => {}
        Verdict::WithinSpread => {
            terminal::say(
                "nothing was written: the gain is not confirmed. More seeds in the plan may confirm it; \
                 --unconfirmed writes the values all the same",
            );
            return Ok(Ending::Shortfall);
        }
        Verdict::NotBetter => {
            terminal::say(
                "nothing was written: the values are not better than those of the scenario",
            );
            return Ok(Ending::Shortfall);
        }
        Verdict::Violates => {
            terminal::say(
                "nothing was written: with other seeds, the values do not keep the constraints",
            );
            return Ok(Ending::Shortfall);
        }
    }
    let trials = outcome.tune.trials();
    let text = trials.filled(&outcome.search.evaluations[found.index].values);
    let file = OutputFile::rewrite(scenario, std::sync::Arc::clone(trials.source()))?;
    file.write_whole(&text.text)?;
    terminal::say(&format!(
        "the values are in {0} now. If it has a golden, that differs: flockwork test {0} --update --reason \"tuned\"",
        scenario.display()
    ));
    Ok(Ending::Success)
}
