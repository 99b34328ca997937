//! `flockwork hunt`: looks for a start that breaks an expectation, makes it smaller, and writes it as a scenario.

mod found;
mod report;
pub(super) mod shards;

use std::path::PathBuf;
use std::sync::{Mutex, OnceLock, PoisonError};

use flockwork_engine::diag::Source;
use flockwork_engine::experiment::{
    FoundStart, Hunt, HuntOptions, HuntResult, Shrunk, Variation, Varied,
};
use flockwork_engine::load::{self, ScriptsFolder, is_plan};
use flockwork_engine::plan_file;
use flockwork_engine::{Diagnostic, Diagnostics, with_threads};

use super::interrupt::Interrupt;
use super::jobs::ShardArgs;
use super::progress::DelayedProgressBar;
use super::{CommandResult, Ending, terminal, values};
use found::{FailureFiles, WrittenFailure};
use report::HuntReport;

/// Look for a start that breaks an expectation, and make it as small as possible
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  flockwork hunt scenarios/boids.ron
  flockwork hunt scenarios/boids.ron --runs 5000 --seed 7
  flockwork hunt scenarios/boids.ron --against HEAD
  flockwork hunt scenarios/boids.ron --vary groups.boids.params.sight=10..60 --expect NoOverlap
  flockwork hunt scenarios/boids.ron --runs 100000 --on slurm --submit

Runs the scenario with other seeds, places and numbers of agents, and times of events. The
first starts are spread over all of them, and rare ones among them; the following ones are
near those with the smallest margins. What fails is made smaller as long as it fails in the
same way: fewer agents, groups and events, fewer ticks, rounder numbers, without obstacles
that change nothing. The result is a scenario, NAME.hunt/failure-1.ron beside the scenario,
which `view` and `explain` can read, and which `test` passes when the failure is repaired.

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

    /// Count only starts that hold with the scripts of this Git revision, or of this folder
    #[arg(long, value_name = "REV|FOLDER", value_hint = clap::ValueHint::DirPath)]
    against: Option<String>,

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
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath, conflicts_with_all = ["folder", "shard", "on"])]
    out: Option<PathBuf>,

    /// Folder for the failures [default: NAME.hunt beside the scenario]
    #[arg(long, value_name = "FOLDER", value_hint = clap::ValueHint::DirPath)]
    folder: Option<PathBuf>,

    #[command(flatten)]
    shards: ShardArgs,

    /// Delete what older shards have found, and begin again
    #[arg(long)]
    restart: bool,

    /// Print one JSON object
    #[arg(long)]
    json: bool,

    /// Number of threads; 0 uses one per core. With --on, the number of cores of each job, 1 by default
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
    if args.restart && args.shards.shard.is_none() && args.shards.on.is_none() {
        return Err(Diagnostic::error(
            "--restart is for --shard and --on: a hunt always begins again",
        )
        .into());
    }
    let source = load::read(&args.scenario)?;
    let share = shards::share(args)?;
    let options = HuntOptions {
        runs: share.runs,
        seed: share.seed,
        keep: args.keep.iter().map(|kept| kept.varied()).collect(),
        near: args.near,
        expectation: args.expect.clone(),
        vary: variations(args)?,
    };
    let other = args.against.as_deref();
    let other = other.map(|version| load::other_version(&args.scenario, version)).transpose()?;
    let scripts = ScriptsFolder::of_scenario(&args.scenario);
    let hunt = Hunt::new(options, &source, &scripts, other.as_deref())?;
    if let Some(engine) = args.shards.on {
        return shards::write_jobs(engine, args);
    }
    if let Some(shard) = args.shards.shard {
        return shards::run(args, &hunt, shard);
    }
    // Checked before the runs, which may take long.
    if let Some(out) = &args.out {
        found::check(out, "")?;
    }
    let interrupt = Interrupt::handle();
    let stop = || interrupt.is_requested();
    let mut files = FailureFiles::new(args, &hunt, &interrupt);
    let mut search = search(args, &hunt, &interrupt, &mut files)?;
    let mut written: Vec<WrittenFailure> = Vec::new();
    let most = if args.out.is_some() { 1 } else { usize::MAX };
    for start in search.found.iter().take(most) {
        let shrunk = shrink(&hunt, start, args.shrink_runs, &stop)?;
        let message = shrunk.failure.message.clone();
        let failure = files.write_shrunk(start, shrunk);
        written.extend(failure.map_err(|errors| not_written(errors, &message, args))?);
    }
    // A signal may have come while failures were made smaller.
    let is_interrupted = interrupt.is_requested();
    search.is_stopped |= is_interrupted;
    let report = HuntReport::new(args, &hunt, &search, &written);
    terminal::print(&if args.json {
        report.json()
    } else {
        let files: Vec<_> = written.iter().map(|one| one.file.as_ref()).collect();
        report.text(&files, search.found.len() - written.len())
    })?;
    Ok(ending(&search, is_interrupted))
}

/// Makes a start smaller, with at most `runs` runs.
fn shrink(
    hunt: &Hunt,
    start: &FoundStart,
    runs: u64,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Shrunk, Diagnostics> {
    let mut progress = DelayedProgressBar::new("run to make it smaller", runs);
    let shrunk = hunt.shrink(start, runs, stop, &mut |runs| progress.at(runs))?;
    progress.finish();
    Ok(shrunk)
}

/// Returns the folder for the failures.
fn folder(args: &Args) -> PathBuf {
    args.folder.clone().unwrap_or_else(|| args.scenario.with_extension("hunt"))
}

/// Searches, and writes each failure as soon as it is found.
///
/// # Errors
///
/// If the threads cannot be started, or a failure cannot be written, which ends the search.
fn search(
    args: &Args,
    hunt: &Hunt,
    interrupt: &Interrupt,
    files: &mut FailureFiles<'_>,
) -> Result<HuntResult, Diagnostics> {
    let mut progress = DelayedProgressBar::new("run", args.runs);
    let nothing = |runs| format!("nothing was written after {runs} of {} runs", args.runs);
    interrupt.last_words(nothing(0));
    let unwritten = OnceLock::new();
    let shared = Mutex::new((files, &mut progress));
    let locked = || shared.lock().unwrap_or_else(PoisonError::into_inner);
    let stop = || interrupt.is_requested() || unwritten.get().is_some();
    let result = hunt.search(
        &stop,
        &mut |runs| {
            let (files, progress) = &mut *locked();
            if files.is_empty() {
                interrupt.last_words(nothing(runs));
            }
            progress.at(runs);
        },
        &mut |start| {
            let (files, progress) = &mut *locked();
            match files.write_found(start) {
                Ok(line) => {
                    line.iter().for_each(|line| progress.suspend(|| terminal::say(line)));
                }
                Err(errors) => {
                    let message = &start.failure.message;
                    unwritten.get_or_init(|| not_written(errors, message, args));
                }
            }
        },
    );
    progress.finish();
    match unwritten.into_inner() {
        Some(errors) => Err(errors),
        None => Ok(result?),
    }
}

/// Adds the failure that was found to the errors of writing it.
fn not_written(errors: Diagnostics, message: &str, args: &Args) -> Diagnostics {
    let found = format!("this failure was found: {message}");
    let command = command(args, args.runs, args.seed);
    let again = format!("to write it elsewhere: {command} --out FILE");
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

/// Returns the command that does the same hunt again, or that of a shard, with its runs and its seed.
fn command(args: &Args, runs: u64, seed: u64) -> String {
    let path = args.scenario.to_string_lossy().replace('\\', "/");
    let mut words = vec!["flockwork".to_owned(), "hunt".to_owned(), path];
    words.extend(["--runs".to_owned(), runs.to_string(), "--seed".to_owned(), seed.to_string()]);
    words.extend(options(args));
    words.iter().map(|word| quote(word)).collect::<Vec<_>>().join(" ")
}

/// Returns a word for a shell, in quotes if it needs them.
fn quote(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+,:@%=~".contains(c);
    if word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// Returns the options that say what varies, and what counts.
fn options(args: &Args) -> Vec<String> {
    let mut words = Vec::new();
    let mut add = |name: &str, value: String| words.extend([name.to_owned(), value]);
    if let Some(expectation) = &args.expect {
        add("--expect", expectation.clone());
    }
    for vary in &args.vary {
        add("--vary", vary.clone());
    }
    if let Some(plan) = &args.plan {
        add("--plan", plan.to_string_lossy().replace('\\', "/"));
    }
    if let Some(against) = &args.against {
        add("--against", against.clone());
    }
    if !args.keep.is_empty() {
        let kept: Vec<&str> = args.keep.iter().map(|kept| kept.varied().name()).collect();
        add("--keep", kept.join(","));
    }
    if let Some(near) = args.near {
        add("--near", near.to_string());
    }
    words
}
