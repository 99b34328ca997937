//! `flockwork tune`: finds values of a scenario that are best for a goal.

mod outcome;
mod picture;
mod table;
mod text;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

#[cfg(feature = "window")]
use flockwork_engine::experiment::Plan;
use flockwork_engine::experiment::{Search, SearchEnd, Tune, Verdict};
use flockwork_engine::load::{self, OutputFile, ScriptsFolder};
use flockwork_engine::{Diagnostic, with_threads};

use super::interrupt::Interrupt;
use super::progress::DelayedProgressBar;
use super::{CommandResult, Ending, terminal, values};
use crate::plan_file::{self, PlanFile};
#[cfg(feature = "window")]
use crate::view::TuneResults;
use outcome::{FoundValues, TuneOutcome};

/// Find values of a scenario that are best for a goal
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  flockwork tune scenarios/boids_three_rules.plan.ron
  flockwork tune scenarios/boids_three_rules.plan.ron --write

A plan (RON) names a scenario, the values that vary, the seeds, and what to look for:
  (
      scenario: \"boids.ron\",
      vary: { \"groups.boids.params.sight\": Range(from: 10, to: 60) },
      seeds: 5,
      tune: (goals: [Maximize(\"polarization\")], budget: 500),
  )

Goals:
  Maximize(\"MEASURE\")        a measure at the end of the run is high
  Minimize(\"MEASURE\")        it is low
  Margins                    the smallest margin of the scenario's expectations is large
  Match({\"MEASURE\": VALUE})  measures have these values
With several goals, the result is a table: in each row, no other row is better for all goals.

Other fields of `tune`:
  over       how seeds make one number: Mean, Worst, or Quantile(0.1), from the worst;
             default Mean
  budget     maximum number of runs of the search
  confirm    number of other seeds to compare the result with the scenario as it is;
             default 20
  seed       seed of the search; default 0

All values that were tried are in a folder beside the plan, NAME.tune, or in the folder --out:
  evaluations.csv   a row for each try: the values, the goals, the number of errors
  search.svg        a picture of the tries
  unfinished.csv    the table of a search that was interrupted or killed

`--json` prints an object with goals, seeds, now, found, and the numbers of runs.")]
pub(super) struct Args {
    /// Plan file (.plan.ron)
    #[arg(value_hint = clap::ValueHint::FilePath)]
    plan: PathBuf,

    /// Write the values that were found into the scenario, if they are confirmed to be better
    #[arg(long)]
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

    /// Print a JSON object
    #[arg(long)]
    json: bool,

    /// Number of threads; 0 uses one per core
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = values::threads)]
    threads: usize,
}

/// Reads the results of a plan, to show them in a window.
///
/// # Errors
///
/// If the plan looks for nothing, or its results cannot be read.
#[cfg(feature = "window")]
pub(super) fn results(path: &Path, plan: &Plan) -> Result<TuneResults, Diagnostic> {
    let folder = plan_file::folder(path, "tune");
    if plan.tune.is_none() {
        let (source, span) = (&plan.scenario.1.source, plan.scenario.1.span.clone());
        return Err(Diagnostic::error("this plan has no `tune`, so it has no results to show")
            .at(source, span));
    }
    table::read(&folder, plan)
        .map_err(|error| error.help(format!("flockwork tune {}  makes results", path.display())))
}

/// Least time between two tables during the search: a process that is killed loses no more than this and a generation.
const BETWEEN_TABLES: Duration = Duration::from_secs(1);

/// Executes the command.
pub(super) fn tune(args: Args) -> CommandResult {
    with_threads(args.threads, || execute(&args))?
}

fn execute(args: &Args) -> CommandResult {
    let PlanFile { plan, scenario, source } = PlanFile::read(&args.plan)?;
    let tune = Tune::new(plan, &source, &ScriptsFolder::of_scenario(&scenario))?;
    if args.write {
        check_pick(args.pick, tune.plan().goals.len())?;
    }
    let folder = args.out.clone().unwrap_or_else(|| plan_file::folder(&args.plan, "tune"));
    load::make_folder(&folder)?;
    table::check(&folder)?;
    picture::check(&folder)?;
    let interrupt = Interrupt::handle();
    let mut progress = DelayedProgressBar::new("run", longest(&tune));
    let mut runs = 0;
    let stop = || interrupt.is_requested();
    let mut ran = || {
        runs += 1;
        progress.at(runs);
    };
    let mut written: Option<Instant> = None;
    let mut keep = |search: &Search| {
        if written.is_none_or(|last| last.elapsed() >= BETWEEN_TABLES) {
            let outcome =
                TuneOutcome { tune: &tune, search, found: Vec::new(), runs: 0, seconds: 0.0 };
            // If it cannot be written, the last one says so: it may be possible again then.
            let _ = table::write(&folder, &outcome, false);
            written = Some(Instant::now());
        }
    };
    let search = tune.search(&stop, &mut ran, &mut keep)?;
    let rows = outcome::rows(&search);
    let is_single = tune.plan().goals.len() == 1;
    let is_ended = search.end != SearchEnd::Interrupted;
    let mut found: Vec<FoundValues> = rows.iter().map(|index| FoundValues::new(*index)).collect();
    // The scenario as it is needs no confirmation.
    let new: Vec<usize> = (0..rows.len()).filter(|row| rows[*row] != 0).collect();
    if is_ended && !new.is_empty() {
        let values: Vec<_> =
            new.iter().map(|row| search.evaluations[rows[*row]].values.clone()).collect();
        if let Some(all) = tune.confirm(&values, &stop, &mut ran)? {
            for (row, confirmation) in new.iter().zip(all) {
                found[*row].confirmation = Some(confirmation);
            }
            if is_single {
                let best = &search.evaluations[rows[new[0]]];
                found[new[0]].sensitivity = tune.sensitivity(best, &stop, &mut ran)?;
            }
        }
    }
    let seconds = progress.finish().as_secs_f64();
    let is_interrupted = !is_ended || interrupt.is_requested();
    let outcome = TuneOutcome { tune: &tune, search: &search, found, runs, seconds };
    if search.evaluations.is_empty() {
        terminal::say("interrupted: no try has ended");
        return Ok(Ending::Interrupted);
    }
    // First, since the disk may be full.
    terminal::print(&if args.json { outcome.json() } else { text::text(&outcome) })?;
    let path = table::write(&folder, &outcome, is_ended)?;
    if is_ended {
        picture::write(&folder, &outcome)?;
    }
    if !args.json {
        terminal::print(&format!("all values that were tried are in {}\n", path.display()))?;
    }
    if is_interrupted {
        terminal::say("interrupted: these are the best values so far, and they are not confirmed");
        return Ok(Ending::Interrupted);
    }
    let ending = if args.write { write(&outcome, &scenario, args)? } else { Ending::Success };
    let errors = search.errors();
    if errors == 0 {
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
        (Some(row), _) if row > outcome::MAX_ROWS as u64 => {
            format!("there is no row {row}: the table has at most {}", outcome::MAX_ROWS)
        }
        _ => return Ok(()),
    };
    Err(Diagnostic::error(error)
        .help("look at the table without --write, and choose a row, for example the first: --write --pick 1"))
}

/// Returns the number of runs if the search uses its whole budget.
fn longest(tune: &Tune) -> u64 {
    match tune.plan().goals.len() {
        1 => tune.plan().budget + tune.confirmation_runs(1) + tune.sensitivity_runs(),
        _ => tune.plan().budget + tune.confirmation_runs(outcome::MAX_ROWS),
    }
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
