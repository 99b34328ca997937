//! `flockwork test`: scenarios as regression tests.

mod junit;
mod mutate;
mod page;
mod report;
mod review;
mod select;

use std::path::PathBuf;
use std::sync::Mutex;
use std::time::{Duration, Instant, SystemTime};

use flockwork_engine::suite::{
    Case, Comparison, Diagnosis, GoldenUpdate, OldFiles, TestOutcome, TestResult, diagnose, each,
    update,
};
use flockwork_engine::{Diagnostic, Diagnostics, OutputFile, with_threads};

use super::{Answer, Outcome, terminal, values};
use select::{Shard, select};

/// Test scenarios against their goldens and expectations
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  flockwork test
  flockwork test scenarios/hello.ron --update --reason \"walks faster\"
  flockwork test --shard 2/4 --junit results.xml

A scenario is run, judged by what it says under `expect`, and compared with the
golden beside it (hello.golden), in the way it says under `golden`. A scenario with
neither is UNTESTED. The exit code is 0 if all tests passed, 1 if one failed, had an
error or is untested, and 2 if nothing was tested because of wrong use.

Shards cost about the same: agents times ticks are shared out, the longest first. All
shards need the same paths, filters and files. An empty one passes.")]
pub(super) struct Args {
    /// Scenarios, or folders of them [default: scenarios]
    #[arg(value_name = "PATH", value_hint = clap::ValueHint::AnyPath)]
    paths: Vec<PathBuf>,

    /// Test only scenarios whose path has this text in it; can be given again
    #[arg(long, value_name = "TEXT")]
    filter: Vec<String>,

    /// Test only the I-th of N parts of the scenarios, which cost about the same
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,

    /// Print which scenarios would be tested
    #[arg(long)]
    list: bool,

    /// Write the goldens that are missing or that the run differs from
    #[arg(long)]
    update: bool,

    /// Go through the runs that are not what their goldens say, and decide on each
    #[arg(long, conflicts_with = "update")]
    review: bool,

    /// Why goldens are written: kept in them
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    reason: String,

    /// Compare the forces of a run that differs with those of this Git revision [default: the one that
    /// last changed the golden]
    #[arg(long, value_name = "REV")]
    against: Option<String>,

    /// Change numbers and signs of scripts and params, one at a time, and tell which changes no test
    /// notices
    #[arg(long, conflicts_with_all = ["update", "review", "junit", "report"])]
    mutate: bool,

    /// Write the results as JUnit XML
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    junit: Option<PathBuf>,

    /// Write a page that shows what has changed, index.html, and pictures into a folder
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    report: Option<PathBuf>,

    /// Use so many threads; 0 is one for each core
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = values::threads)]
    threads: usize,
}

/// The command.
pub(super) fn test(args: Args) -> Answer {
    let selected = select(&args.paths, &args.filter, args.shard)?;
    for note in &selected.notes {
        terminal::show(std::slice::from_ref(note));
    }
    if args.list {
        let lines = selected.scenarios.iter().map(|path| format!("{}\n", path.display()));
        terminal::print(&lines.collect::<String>())?;
        return Ok(Outcome::Success);
    }
    // Before the tests, which may take a while.
    if let Some(path) = &args.junit {
        OutputFile::check(path, junit::KIND)?;
    }
    if let Some(folder) = &args.report {
        page::check(folder)?;
    }
    for stale in &selected.stale {
        let warning = Diagnostic::warning(format!("{} has no scenario any more", stale.display()));
        terminal::show(&[warning.help("delete it, or bring the scenario back")]);
    }
    let work = || {
        if args.mutate {
            let cases: Vec<Case> = selected.scenarios.iter().map(|path| Case::open(path)).collect();
            mutate::mutate(&cases)
        } else {
            execute(&args, &selected.scenarios)
        }
    };
    with_threads(args.threads, work)?
}

/// A test and how it went.
struct Done {
    case: Case,
    tested: TestResult,
    /// What the golden was written with, where it was looked for and found.
    old: Option<OldFiles>,
    diagnosis: Option<Diagnosis>,
    /// When it began.
    began: SystemTime,
    wall: Duration,
    written: Option<GoldenUpdate>,
}

impl Done {
    /// What it is called: its scenario's path.
    fn name(&self) -> String {
        self.case.path.to_string_lossy().replace('\\', "/")
    }

    /// What came of it in the end: a golden that was written anew is right.
    fn outcome(&self) -> TestOutcome {
        match self.written {
            Some(_) if self.tested.errors.is_empty() => TestOutcome::Passed,
            // Its golden could not be written.
            None if self.tested.outcome == TestOutcome::Passed
                && !self.tested.errors.is_empty() =>
            {
                TestOutcome::Broken
            }
            _ => self.tested.outcome,
        }
    }

    /// Whether a person may take what the run does now for right.
    fn is_decidable(&self) -> bool {
        let comparison = self.tested.comparison.as_ref();
        is_to_be_written(&self.case, &self.tested)
            && comparison.is_none_or(|one| !one.is_within_tolerance)
    }
}

fn execute(args: &Args, scenarios: &[PathBuf]) -> Answer {
    let (began, start) = (SystemTime::now(), Instant::now());
    // Lines of different tests must not mix.
    let out = Mutex::new(());
    let done = each(scenarios, |path| {
        let done = one(args, path);
        let _line = out.lock();
        terminal::print(&report::line(&done, terminal::colored_results()))?;
        Ok(done)
    });
    let mut done: Vec<Done> = done.into_iter().collect::<Result<_, Diagnostics>>()?;
    let wall = start.elapsed();
    if args.review {
        review::review(&mut done, &args.reason)?;
    } else {
        for one in &done {
            terminal::print(&report::section(one))?;
        }
    }
    if let Some(path) = &args.junit {
        junit::write(path, &done, began, wall)?;
    }
    if let Some(folder) = &args.report {
        page::write(folder, &done)?;
        let index = folder.join("index.html");
        terminal::say(&format!("the report is {}", index.display()));
    }
    terminal::print(&report::summary(&done, wall))?;
    let failed = done.iter().any(|one| one.outcome() != TestOutcome::Passed);
    Ok(if failed { Outcome::Shortfall } else { Outcome::Success })
}

fn one(args: &Args, path: &std::path::Path) -> Done {
    let (began, start) = (SystemTime::now(), Instant::now());
    let case = Case::open(path);
    let mut tested = case.test();
    let mut written = None;
    if args.update
        && is_to_be_written(&case, &tested)
        && let Some(header) = &mut tested.header
    {
        // Where only the texts are others, the reason for what they do is still the old one.
        let is_same = tested.comparison.as_ref().is_some_and(Comparison::is_same);
        if !(is_same && args.reason.is_empty()) {
            header.reason.clone_from(&args.reason);
        }
        match update(&case, header) {
            Ok(done) => written = Some(done),
            Err(errors) => tested.errors.extend(errors),
        }
    }
    let (mut old, mut diagnosis) = (None, None);
    if written.is_none() {
        match look_into(args, &case, &tested) {
            Ok(found) => (old, diagnosis) = found,
            // A run that fails does so again when it is looked into.
            Err(errors) => {
                for error in errors {
                    if !tested.errors.contains(&error) {
                        tested.errors.push(error);
                    }
                }
            }
        }
    }
    Done { case, tested, old, diagnosis, began, wall: start.elapsed(), written }
}

/// Why a run is not what its golden says, and what that was written with.
fn look_into(
    args: &Args,
    case: &Case,
    tested: &TestResult,
) -> Result<(Option<OldFiles>, Option<Diagnosis>), Diagnostics> {
    let (Some(comparison), Ok(Some(golden))) = (&tested.comparison, &case.golden) else {
        return Ok((None, None));
    };
    if comparison.is_within_tolerance {
        return Ok((None, None));
    }
    let old = match &args.against {
        Some(revision) => Some(OldFiles::at_revision(case, revision)?),
        None => OldFiles::of_golden(case, golden),
    };
    let diagnosis = diagnose(case, comparison, old.as_ref())?;
    Ok((old, diagnosis))
}

/// Whether a golden is missing or no longer says what the run does. One that the run is allowed to
/// differ from stays: else many small steps would lead anywhere.
fn is_to_be_written(case: &Case, tested: &TestResult) -> bool {
    if !tested.errors.is_empty() {
        return false;
    }
    match (&case.golden, &tested.comparison, &tested.header) {
        (Ok(Some(golden)), Some(comparison), Some(header)) => {
            !comparison.is_within_tolerance || (comparison.is_same() && golden.header != *header)
        }
        _ => true,
    }
}
