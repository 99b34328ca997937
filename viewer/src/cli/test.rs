//! `flockwork test`: runs scenarios as regression tests.

mod annotations;
mod compared;
mod hunt;
mod json;
mod junit;
mod mutate;
mod page;
mod report;
mod review;
mod select;
mod summary;
mod terminal_picture;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant, SystemTime};

use flockwork_engine::load::find;
use flockwork_engine::suite::{
    Case, Diagnosis, GoldenUpdate, OldFiles, StopRule, TestOutcome, TestResult, diagnose, each,
    update,
};
use flockwork_engine::{Diagnostic, Diagnostics, OutputFile, with_threads};

use super::check::{self, CheckFormat, CheckedFiles};
use super::{CommandResult, Ending, terminal, values};
use select::{Selection, Shard, select};

/// Test scenarios against their goldens and expectations
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  flockwork test
  flockwork test scenarios/hello.ron --update --reason \"walks faster\"
  flockwork test --shard 2/4 --junit results.xml
  flockwork test --check --format github

Runs each scenario. A test passes if the expectations of the scenario hold (`expect`) and
if the run equals its golden: the recorded run in hello.golden beside hello.ron, which
--update writes. `golden` in the scenario sets tolerances. A scenario with neither
expectations nor a golden is UNTESTED. Exit codes: 0 if all tests passed; 1 if one failed,
had an error or is untested; 2 if nothing was tested because of wrong use.

Shards take about the same time: scenarios are distributed by agents times ticks. All
shards need the same paths, filters and files. An empty shard passes.")]
pub(super) struct Args {
    /// Scenarios, or folders with scenarios [default: scenarios]
    #[arg(value_name = "PATH", value_hint = clap::ValueHint::AnyPath)]
    paths: Vec<PathBuf>,

    /// Test only scenarios whose path contains TEXT; repeatable
    #[arg(long, value_name = "TEXT")]
    filter: Vec<String>,

    /// Test only part I of N; all parts take about the same time
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,

    /// Test only scenarios that depend on a file that has changed since the last commit, or since the last
    /// commit in common with Git revision REV
    #[arg(long, value_name = "REV", num_args = 0..=1)]
    changed: Option<Option<String>>,

    /// With --changed, say why each scenario is tested
    #[arg(long, requires = "changed")]
    verbose: bool,

    /// Print the scenarios that would be tested, without testing them
    #[arg(long)]
    list: bool,

    /// Write goldens that are missing or that the run differs from; all others stay as they are
    #[arg(long)]
    update: bool,

    /// Show each run that differs from its golden or has none, and ask whether to accept it
    #[arg(long, conflicts_with = "update")]
    review: bool,

    /// Reason for writing goldens, which is kept in those that are written [default: their old reason]
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,

    /// Compare the forces of a run that differs with those of Git revision REV [default: the revision that
    /// last changed the golden]
    #[arg(long, value_name = "REV")]
    against: Option<String>,

    /// Change numbers and signs in scripts and params, one at a time, and report which changes no test
    /// notices
    #[arg(long, conflicts_with_all = ["update", "review", "junit", "report"])]
    mutate: bool,

    /// Then hunt with N runs in each scenario that has expectations: see `flockwork hunt`
    #[arg(long, value_name = "N", value_parser = values::at_least_one, conflicts_with_all = ["update", "review", "mutate"])]
    hunt: Option<u64>,

    /// Seed of these hunts [default: the number of days since 1970, so that it changes every day]
    #[arg(long, value_name = "N", requires = "hunt", value_parser = values::natural)]
    hunt_seed: Option<u64>,

    /// First check all scenarios, plans and scripts, as `flockwork check` does; an error there makes the exit code 1, too
    #[arg(long, conflicts_with_all = ["mutate", "list"])]
    check: bool,

    /// Format of errors and failures: with github also workflow commands, which GitHub Actions shows beside the code;
    /// with json only an object for each test, as it ends, on a line of its own
    #[arg(
        long,
        value_enum,
        value_name = "FORMAT",
        default_value = "text",
        conflicts_with = "mutate"
    )]
    format: TestFormat,

    /// Write the results as JUnit XML
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    junit: Option<PathBuf>,

    /// Write an HTML report that shows the differences: index.html and pictures
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    report: Option<PathBuf>,

    /// Add a summary in Markdown to the end of FILE, such as $GITHUB_STEP_SUMMARY
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath, conflicts_with = "mutate")]
    summary: Option<PathBuf>,

    /// Name under which a CI service keeps the folder of --report; the summary then names it instead of the folder
    #[arg(long, value_name = "NAME", requires_all = ["report", "summary"])]
    artifact: Option<String>,

    /// Let a test fail that takes longer than this, in seconds of wall time; the others still run
    #[arg(long, value_name = "SECONDS", value_parser = values::seconds, conflicts_with = "mutate")]
    timeout: Option<Duration>,

    /// Refused, with the reason.
    #[arg(long, hide = true, value_name = "N", num_args = 0..=1)]
    retries: Option<Option<String>>,

    /// Number of threads; 0 uses one per core
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = values::threads)]
    threads: usize,
}

/// Formats of failures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum TestFormat {
    // Comments of documentation would make the help of all options longer.
    Text,
    Github,
    Json,
}

/// Executes the command.
pub(super) fn test(args: Args) -> CommandResult {
    if args.retries.is_some() {
        let why = "`--retries` is refused: runs are exact, so a retry gives the same result";
        return Err(Diagnostic::error(why).into());
    }
    let is_json = args.format == TestFormat::Json;
    if is_json && (args.review || args.hunt.is_some()) {
        let why = "`--format json` tells of each test as it ends, so it cannot go with `--review` or `--hunt`";
        return Err(Diagnostic::error(why).into());
    }
    let checked = if args.check { Some(check_files(&args)?) } else { None };
    let selected = select(&args)?;
    for note in &selected.notes {
        terminal::show(std::slice::from_ref(note));
    }
    if args.list {
        let lines = selected.scenarios.iter().map(|path| format!("{}\n", path.display()));
        terminal::print(&lines.collect::<String>())?;
        return Ok(Ending::Success);
    }
    // Checked before the tests, which may take long.
    if let Some(path) = &args.junit {
        OutputFile::check(path, junit::KIND)?;
    }
    if let Some(folder) = &args.report {
        page::check(folder)?;
    }
    if let Some(path) = &args.summary {
        summary::check(path)?;
    }
    for stale in &selected.stale {
        let warning = Diagnostic::warning(format!("{} has no scenario", stale.display()));
        terminal::show(&[warning.help("delete it, or restore the scenario")]);
    }
    let work = || {
        if args.mutate {
            let cases: Vec<Case> = selected.scenarios.iter().map(|path| Case::open(path)).collect();
            mutate::mutate(&cases)
        } else {
            execute(&args, &selected, checked.as_ref())
        }
    };
    with_threads(args.threads, work)?
}

/// Checks the files, and writes what is wrong with them.
fn check_files(args: &Args) -> Result<CheckedFiles, Diagnostics> {
    let found = find(&check::paths_or_usual(args.paths.clone())?)?;
    let checked = CheckedFiles::new(&found, false)?;
    checked.show(match args.format {
        TestFormat::Text | TestFormat::Json => CheckFormat::Text,
        TestFormat::Github => CheckFormat::Github,
    })?;
    Ok(checked)
}

/// What is reported of all tests.
struct TestReport<'r> {
    all: &'r [FinishedTest],
    /// Lines about how the tests were chosen.
    remarks: &'r [String],
    /// What the check found, if it was asked for.
    checked: Option<&'r CheckedFiles>,
    /// The folder of the report, if there is one.
    report: Option<&'r Path>,
    /// The file names of the pictures in it, by the names of the tests.
    pictures: BTreeMap<String, String>,
    /// The name under which a CI service keeps that folder.
    artifact: Option<&'r str>,
}

impl TestReport<'_> {
    /// Returns the errors that the check found.
    fn check_errors(&self) -> Vec<&Diagnostic> {
        self.checked.iter().flat_map(|checked| checked.errors()).collect()
    }
}

/// A test and its result.
struct FinishedTest {
    case: Case,
    tested: TestResult,
    /// The files that the golden was written with, if they were needed and found.
    old: Option<OldFiles>,
    diagnosis: Option<Diagnosis>,
    /// Time at which it began.
    began: SystemTime,
    wall: Duration,
    written: Option<GoldenUpdate>,
}

impl FinishedTest {
    /// Returns the name of the test: the path of its scenario.
    fn name(&self) -> String {
        self.case.path.to_string_lossy().replace('\\', "/")
    }

    /// Returns the result after the update: a test whose golden was written passes.
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

    /// Returns whether the golden was right already.
    fn is_up_to_date(&self) -> bool {
        self.written.is_none() && self.outcome() == TestOutcome::Passed
    }

    /// Returns whether the test has failed and a person can accept what the run does.
    fn is_acceptable(&self) -> bool {
        self.written.is_none() && self.outcome() != TestOutcome::Passed && self.is_reviewable()
    }

    /// Returns whether a person can accept what the run does now.
    fn is_reviewable(&self) -> bool {
        let comparison = self.tested.comparison.as_ref();
        needs_update(&self.case, &self.tested)
            && comparison.is_none_or(|one| !one.is_within_tolerance)
    }
}

/// Runs all tests and reports them.
fn execute(args: &Args, selected: &Selection, checked: Option<&CheckedFiles>) -> CommandResult {
    let (began, start) = (SystemTime::now(), Instant::now());
    // Keeps lines of different tests apart.
    let out = Mutex::new(());
    let (worse, mut is_interrupted) = compared::compare(&selected.scenarios);
    let done = each(&selected.scenarios, |path| {
        let done = run_test(args, path, worse.get(path).map_or(&[][..], Vec::as_slice));
        let _line = out.lock();
        terminal::print(&match args.format {
            TestFormat::Json => json::line(&done),
            _ => report::line(&done, terminal::colored_results()),
        })?;
        Ok(done)
    });
    let mut done: Vec<FinishedTest> = done.into_iter().collect::<Result<_, Diagnostics>>()?;
    if let Some(runs) = args.hunt {
        let seed = args.hunt_seed.unwrap_or_else(hunt::seed_of_today);
        is_interrupted |= hunt::hunt(&mut done, runs, seed)?;
    }
    let wall = start.elapsed();
    if args.review {
        review::review(&mut done, args.reason.as_deref())?;
    } else if args.format != TestFormat::Json {
        print_details(args, &done, checked)?;
    }
    let mut tests = TestReport {
        all: &done,
        remarks: &selected.remarks,
        checked,
        report: args.report.as_deref(),
        pictures: BTreeMap::new(),
        artifact: args.artifact.as_deref(),
    };
    if let Some(path) = &args.junit {
        junit::write(path, &tests, began, wall)?;
    }
    if let Some(folder) = &args.report {
        tests.pictures = page::write(folder, &done)?;
        let index = folder.join("index.html");
        terminal::say(&format!("wrote the report {}", index.display()));
    }
    let counts = report::summary(&done, wall, args.hunt.is_none());
    if let Some(path) = &args.summary {
        summary::write(path, &tests, counts.trim())?;
    }
    if let Some(checked) = checked {
        terminal::say(&checked.summary());
    }
    match args.format {
        TestFormat::Json => terminal::say(counts.trim_end()),
        _ => terminal::print(&counts)?,
    }
    if is_interrupted {
        terminal::say("interrupted: the hunts are not complete");
        return Ok(Ending::Interrupted);
    }
    let failed = done.iter().any(|one| one.outcome() != TestOutcome::Passed)
        || checked.is_some_and(|checked| checked.errors().next().is_some());
    Ok(if failed { Ending::Shortfall } else { Ending::Success })
}

/// Prints what there is to say about each test, for people and for services that run tests.
fn print_details(
    args: &Args,
    done: &[FinishedTest],
    checked: Option<&CheckedFiles>,
) -> Result<(), Diagnostics> {
    for one in done {
        terminal::print(&report::section(one))?;
    }
    if args.update && !done.is_empty() && done.iter().all(FinishedTest::is_up_to_date) {
        terminal::print("note: no golden written: all runs equal their goldens\n")?;
    }
    if args.format == TestFormat::Github {
        terminal::print(&annotations::commands(done, checked))?;
    }
    Ok(())
}

/// Runs a test, and writes its golden with `--update`. `worse` are the errors of its expectations that compare versions.
fn run_test(args: &Args, path: &Path, worse: &[Diagnostic]) -> FinishedTest {
    let (began, start) = (SystemTime::now(), Instant::now());
    let case = Case::open(path);
    let check = |tick| match args.timeout {
        Some(limit) if start.elapsed() >= limit => Err(timed_out(limit, tick)),
        _ => Ok(()),
    };
    let mut tested = case.test_until(StopRule::Error(&check));
    if !worse.is_empty() && tested.outcome != TestOutcome::Broken {
        tested.outcome = TestOutcome::Failed;
        tested.errors.extend(worse.iter().cloned());
    }
    let mut written = None;
    if args.update {
        if !tested.errors.is_empty() {
            let is_broken = tested.outcome == TestOutcome::Broken;
            let why = match (is_broken, tested.failures.is_empty() && worse.is_empty()) {
                (true, _) => "there is an error",
                (false, true) => "the test did not end in time",
                (false, false) => "an expectation fails",
            };
            tested.notes.push(format!("golden not written: {why}"));
        } else if needs_update(&case, &tested) {
            match write_golden(&case, &mut tested, args.reason.as_deref()) {
                Ok(how) => written = how,
                Err(errors) => tested.errors.extend(errors),
            }
        }
    }
    let (mut old, mut diagnosis) = (None, None);
    if written.is_none() {
        match diagnose_difference(args, &case, &tested) {
            Ok(found) => (old, diagnosis) = found,
            // A run that fails does so again in the diagnosis.
            Err(errors) => {
                for error in errors {
                    if !tested.errors.contains(&error) {
                        tested.errors.push(error);
                    }
                }
            }
        }
    }
    FinishedTest { case, tested, old, diagnosis, began, wall: start.elapsed(), written }
}

/// Returns the error of a test that takes too long.
fn timed_out(limit: Duration, tick: u64) -> Diagnostic {
    let seconds = limit.as_secs_f64();
    Diagnostic::error(format!("the test was stopped at tick {tick}, after {seconds} s"))
        .help("`--timeout` counts wall time, also while other tests use the processors")
}

/// Writes the golden of a test. It keeps its old reason unless there is a new one. Returns how it was written; `None` if there
/// was no run.
fn write_golden(
    case: &Case,
    tested: &mut TestResult,
    reason: Option<&str>,
) -> Result<Option<GoldenUpdate>, Diagnostics> {
    let Some(header) = &mut tested.header else {
        return Ok(None);
    };
    if let Some(reason) = reason {
        reason.clone_into(&mut header.reason);
    }
    let (how, agent_ticks) = update(case, header)?;
    tested.agent_ticks += agent_ticks;
    Ok(Some(how))
}

/// Returns the diagnosis of a run that differs from its golden, and the files that the golden was written with.
fn diagnose_difference(
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

/// Returns whether the golden is missing or differs from the run. A golden within its tolerance stays as it is: otherwise
/// many small differences could add up.
fn needs_update(case: &Case, tested: &TestResult) -> bool {
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
