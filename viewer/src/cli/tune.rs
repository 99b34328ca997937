//! `flockwork tune`: finds values of a scenario that are best for a goal.

mod outcome;
mod picture;
mod table;
mod text;

use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use flockwork_engine::experiment::{SearchEnd, Tune, Verdict};
use flockwork_engine::load::{self, OutputFile, ScriptsFolder};
use flockwork_engine::{Diagnostic, with_threads};

use super::interrupt::Interrupt;
use super::plan_file::{self, PlanFile};
use super::progress::DelayedProgressBar;
use super::{CommandResult, Ending, terminal, values};
use outcome::{Found, TuneOutcome};

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

`--json` prints an object with goals, seeds, now, found, and the numbers of runs.")]
pub(super) struct Args {
    /// Plan file (.plan.ron)
    #[arg(value_hint = clap::ValueHint::FilePath)]
    plan: PathBuf,

    /// Write the values that were found into the scenario, if they are better
    #[arg(long)]
    write: bool,

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

/// Executes the command.
pub(super) fn tune(args: Args) -> CommandResult {
    with_threads(args.threads, || execute(&args))?
}

fn execute(args: &Args) -> CommandResult {
    let PlanFile { plan, scenario, source } = PlanFile::read(&args.plan)?;
    let tune = Tune::new(plan, &source, &ScriptsFolder::of_scenario(&scenario))?;
    if args.write && tune.plan().goals.len() > 1 && args.pick.is_none() {
        return Err(Diagnostic::error("several goals have no single best values to write")
            .help("choose a row of the table, for example the first: --write --pick 1")
            .into());
    }
    let folder = args.out.clone().unwrap_or_else(|| plan_file::folder(&args.plan, "tune"));
    load::make_folder(&folder)?;
    table::check(&folder)?;
    picture::check(&folder)?;
    let interrupt = Interrupt::handle();
    let mut progress = DelayedProgressBar::new("run", longest(&tune));
    let mut runs = 0;
    let mut watch = || {
        runs += 1;
        progress.at(runs);
        if interrupt.is_requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let search = tune.search(&mut watch)?;
    let rows = outcome::rows(&search);
    let is_single = tune.plan().goals.len() == 1;
    let is_ended = search.end != SearchEnd::Interrupted;
    let mut found: Vec<Found> = rows.iter().map(|index| Found::new(*index)).collect();
    // The scenario as it is needs no confirmation.
    let new: Vec<usize> = (0..rows.len()).filter(|row| rows[*row] != 0).collect();
    if is_ended && !new.is_empty() {
        let values: Vec<_> =
            new.iter().map(|row| search.evaluations[rows[*row]].values.clone()).collect();
        if let Some(all) = tune.confirm(&values, &mut watch)? {
            for (row, confirmation) in new.iter().zip(all) {
                found[*row].confirmation = Some(confirmation);
            }
            if is_single {
                let best = &search.evaluations[rows[new[0]]];
                found[new[0]].sensitivity = tune.sensitivity(best, &mut watch)?;
            }
        }
    }
    let seconds = progress.finish().as_secs_f64();
    let is_interrupted = !is_ended || interrupt.is_requested();
    let outcome = TuneOutcome { tune: &tune, search: &search, found, runs, seconds };
    let path = table::write(&folder, &outcome)?;
    picture::write(&folder, &outcome)?;
    terminal::print(&if args.json { outcome.json() } else { text::text(&outcome) })?;
    if !args.json {
        terminal::print(&format!("all values that were tried are in {}\n", path.display()))?;
    }
    if is_interrupted {
        terminal::say("interrupted: these are the best values so far, and they are not confirmed");
        return Ok(Ending::Interrupted);
    }
    if args.write { write(&outcome, &scenario, args.pick) } else { Ok(Ending::Success) }
}

/// Returns the number of runs if the search uses its whole budget.
fn longest(tune: &Tune) -> u64 {
    match tune.plan().goals.len() {
        1 => tune.plan().budget + tune.confirmation_runs(1) + tune.sensitivity_runs(),
        _ => tune.plan().budget + tune.confirmation_runs(outcome::MAX_ROWS),
    }
}

/// Writes values into the scenario.
fn write(outcome: &TuneOutcome<'_>, scenario: &Path, pick: Option<u64>) -> CommandResult {
    let row = pick.unwrap_or(1);
    let found = usize::try_from(row - 1).ok().and_then(|index| outcome.found.get(index));
    let Some(found) = found else {
        let rows = outcome.found.len();
        return Err(
            Diagnostic::error(format!("there is no row {row}: the table has {rows}")).into()
        );
    };
    let is_better = |confirmation: &Vec<_>| {
        confirmation
            .iter()
            .any(|of: &flockwork_engine::experiment::Confirmation| of.verdict != Verdict::NotBetter)
    };
    if !found.confirmation.as_ref().is_some_and(is_better) {
        terminal::say("nothing was written: the values are not better than those of the scenario");
        return Ok(Ending::Shortfall);
    }
    let trials = outcome.tune.trials();
    let text = trials.filled(&outcome.search.evaluations[found.index].values);
    let mut file = OutputFile::rewrite(scenario, std::sync::Arc::clone(trials.source()))?;
    let written = file.write_all(text.text.as_bytes());
    written.map_err(|error| OutputFile::error(scenario, &error))?;
    file.commit()?;
    terminal::say(&format!(
        "the values are in {0} now. If it has a golden, that differs: flockwork test {0} --update --reason \"tuned\"",
        scenario.display()
    ));
    Ok(Ending::Success)
}
