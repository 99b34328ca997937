//! `flockwork hunt`: looks for a start that breaks an expectation, makes it smaller, and writes it as a scenario.

mod found;
mod report;

use std::path::{Path, PathBuf};

use flockwork_engine::diag::Source;
use flockwork_engine::experiment::{Hunt, HuntOptions, HuntResult, Variation, Varied};
use flockwork_engine::load::{self, ScriptsFolder, is_plan};
use flockwork_engine::{Diagnostic, Diagnostics, with_threads};

use super::interrupt::Interrupt;
use super::progress::DelayedProgressBar;
use super::{CommandResult, Ending, terminal, values};
use crate::plan_file;
use found::{FreePlace, WrittenFailure};

/// Look for a start that breaks an expectation, and make it as small as possible
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  flockwork hunt scenarios/boids.ron
  flockwork hunt scenarios/boids.ron --runs 5000 --seed 7
  flockwork hunt scenarios/boids.ron --vary groups.boids.params.sight=10..60 --expect NoOverlap

Runs the scenario with other seeds, places and numbers of agents, and times of events. The
first starts are random; the following ones are near those with the smallest margins. What
fails is made smaller as long as it fails in the same way: fewer agents, groups and events,
fewer ticks, rounder numbers, without obstacles that change nothing. The result is a
scenario with its golden, NAME.hunt/failure-1.ron beside the scenario, which `test`, `view`
and `explain` can read.

The same seed gives the same result, whatever the number of threads. Exit codes: 0 if
nothing failed; 1 if something did; 2 if it could not hunt.")]
pub(super) struct Args {
    /// Scenario file (.ron)
    #[arg(value_hint = clap::ValueHint::FilePath)]
    scenario: PathBuf,

    /// Number of runs of the search
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = values::at_least_one)]
    runs: u64,

    /// Seed of the search
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = values::natural)]
    seed: u64,

    /// Hunt only for this expectation: its number, from 1, or the beginning of its text
    #[arg(long, value_name = "WHICH")]
    expect: Option<String>,

    /// Vary a value of the scenario too; repeatable
    #[arg(long, value_name = "PATH=FROM..TO")]
    vary: Vec<String>,

    /// Vary the values of a plan (.plan.ron) too
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    plan: Option<PathBuf>,

    /// Leave this as it is written; repeatable
    #[arg(long, value_name = "WHAT", value_enum, value_delimiter = ',')]
    keep: Vec<Kept>,

    /// Move agents that have a fixed place by up to D world units [default: the diameter of their body]
    #[arg(long, value_name = "D", value_parser = distance, allow_negative_numbers = true)]
    near: Option<f32>,

    /// Number of runs to make each failure smaller; 0 leaves it as it was found
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = values::natural)]
    shrink_runs: u64,

    /// Write the first failure to FILE, and no other [default: NAME.hunt/failure-1.ron beside the scenario]
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    out: Option<PathBuf>,

    /// Print one JSON object
    #[arg(long)]
    json: bool,

    /// Number of threads; 0 uses one per core
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = values::threads)]
    threads: usize,
}

/// A kind of variation that can be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Kept {
    Seed,
    Places,
    Counts,
    Events,
}

impl Kept {
    fn varied(self) -> Varied {
        match self {
            Self::Seed => Varied::Seed,
            Self::Places => Varied::Places,
            Self::Counts => Varied::Counts,
            Self::Events => Varied::Events,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Seed => "seed",
            Self::Places => "places",
            Self::Counts => "counts",
            Self::Events => "events",
        }
    }
}

fn distance(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(x) if x.is_finite() && x >= 0.0 => Ok(x),
        _ => Err("must be a number from 0".into()),
    }
}

/// Executes the command.
pub(super) fn hunt(args: Args) -> CommandResult {
    with_threads(args.threads, || execute(&args))?
}

fn execute(args: &Args) -> CommandResult {
    let scenario = args.scenario.display();
    if is_plan(&args.scenario) {
        return Err(Diagnostic::error(format!("{scenario} is a plan, and not a scenario"))
            .help(format!(
                "name the scenario, and add `--plan {scenario}` for the values that vary"
            ))
            .into());
    }
    let source = load::read(&args.scenario)?;
    let options = HuntOptions {
        runs: args.runs,
        seed: args.seed,
        keep: args.keep.iter().map(|kept| kept.varied()).collect(),
        near: args.near,
        expectation: args.expect.clone(),
        vary: variations(args)?,
    };
    let hunt = Hunt::new(options, &source, &ScriptsFolder::of_scenario(&args.scenario))?;
    // Checked before the runs, which may take long.
    if let Some(out) = &args.out {
        found::check(out, "")?;
    }
    let interrupt = Interrupt::handle();
    let stop = || interrupt.is_requested();
    let mut progress = DelayedProgressBar::new("run", args.runs);
    let nothing = |runs| format!("nothing was written after {runs} of {} runs", args.runs);
    interrupt.last_words(nothing(0));
    let mut search = hunt.search(&stop, &mut |runs| {
        interrupt.last_words(nothing(runs));
        progress.at(runs);
    })?;
    progress.finish();
    let mut written = Vec::new();
    let most = if args.out.is_some() { 1 } else { usize::MAX };
    for start in search.found.iter().take(most) {
        let mut progress = DelayedProgressBar::new("run to make it smaller", args.shrink_runs);
        let shrunk = hunt.shrink(start, args.shrink_runs, &stop, &mut |runs| progress.at(runs))?;
        progress.finish();
        let message = shrunk.failure.message.clone();
        let place = match &args.out {
            Some(out) => FreePlace::at(out, &hunt, start).map_err(Diagnostics::from),
            None => Ok(FreePlace::beside(&args.scenario, &written, &hunt, start)),
        };
        let failure = place
            .and_then(|place| WrittenFailure::write(args, &hunt, start, shrunk, place, &interrupt));
        written.push(failure.map_err(|errors| not_written(errors, &message, args))?);
    }
    // A signal may have come while failures were made smaller.
    let is_interrupted = interrupt.is_requested();
    search.is_stopped |= is_interrupted;
    let text = if args.json {
        report::json(args, &hunt, &search, &written)
    } else {
        report::text(args, &hunt, &search, &written)
    };
    terminal::print(&text)?;
    Ok(ending(&search, is_interrupted))
}

/// Adds the failure that was found to the errors of writing it.
fn not_written(errors: Diagnostics, message: &str, args: &Args) -> Diagnostics {
    let found = format!("this failure was found: {message}");
    let again = format!("to write it elsewhere: {} --out FILE", command(args));
    errors.into_iter().map(|error| error.help(found.clone()).help(again.clone())).collect()
}

fn ending(search: &HuntResult, is_interrupted: bool) -> Ending {
    if is_interrupted {
        Ending::Interrupted
    } else if search.found.is_empty() {
        Ending::Success
    } else {
        Ending::Shortfall
    }
}

/// Returns the values that vary, with the places where they are written.
fn variations(
    args: &Args,
) -> Result<Vec<(String, flockwork_engine::diag::Place, Variation)>, Diagnostics> {
    let mut all = match &args.plan {
        Some(path) => {
            let vary = plan_file::parse(path)?.vary;
            if vary.is_empty() {
                return Err(Diagnostic::error(format!("nothing varies in {}", path.display()))
                    .help("write `vary: { \"groups.flock.params.sight\": Range(from: 10, to: 60) }`, or leave --plan out")
                    .into());
            }
            vary
        }
        None => Vec::new(),
    };
    for text in &args.vary {
        let source = Source::new("--vary", text.as_str());
        let wrong = |why: &str| {
            Diagnostic::error(why)
                .at(&source, 0..text.len())
                .help("write it like `groups.flock.params.sight=10..60`")
        };
        let (path, range) =
            text.split_once('=').ok_or_else(|| wrong("`=` and a range are missing"))?;
        let (from, to) = range
            .split_once("..")
            .ok_or_else(|| wrong("the range has no `..` between its ends"))?;
        if path.is_empty() {
            return Err(wrong("there is no path of a value before `=`").into());
        }
        let variation = match (from.parse::<i32>(), to.parse::<i32>()) {
            (Ok(from), Ok(to)) if from < to => Variation::Integers { range: from..=to, step: 1 },
            _ => match (from.parse::<f32>(), to.parse::<f32>()) {
                (Ok(from), Ok(to)) if from == to => {
                    return Err(wrong("the range is empty: both ends are the same").into());
                }
                (Ok(from), Ok(to)) if from > to => {
                    return Err(wrong("the range is empty: its first end is the larger one").into());
                }
                (Ok(from), Ok(to)) if from.is_finite() && to.is_finite() => {
                    Variation::Range { ends: [from, to], steps: None, is_log: false }
                }
                _ => return Err(wrong("a range has a number at each end").into()),
            },
        };
        let place = flockwork_engine::diag::Place { source: source.clone(), span: 0..path.len() };
        all.push((path.to_owned(), place, variation));
    }
    Ok(all)
}

/// Returns the command that does the same hunt again.
fn command(args: &Args) -> String {
    let quote = |text: &str| {
        let is_plain = |c: char| c.is_alphanumeric() || "/._-+,:@%=~".contains(c);
        if text.chars().all(is_plain) {
            text.to_owned()
        } else {
            format!("'{}'", text.replace('\'', r"'\''"))
        }
    };
    let path = |path: &Path| quote(&path.to_string_lossy().replace('\\', "/"));
    let mut command = format!("flockwork hunt {}", path(&args.scenario));
    command.push_str(&format!(" --runs {} --seed {}", args.runs, args.seed));
    if let Some(expectation) = &args.expect {
        command.push_str(&format!(" --expect {}", quote(expectation)));
    }
    for vary in &args.vary {
        command.push_str(&format!(" --vary {}", quote(vary)));
    }
    if let Some(plan) = &args.plan {
        command.push_str(&format!(" --plan {}", path(plan)));
    }
    if !args.keep.is_empty() {
        let kept: Vec<&str> = args.keep.iter().map(|kept| kept.name()).collect();
        command.push_str(&format!(" --keep {}", kept.join(",")));
    }
    if let Some(near) = args.near {
        command.push_str(&format!(" --near {near}"));
    }
    command
}
