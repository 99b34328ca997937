//! One scenario under test: runs it, judges it and compares it with its golden.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::seeds::measure_bands;
use super::{RecordingLibrary, each};
use crate::diag::{Diagnostic, Diagnostics, Source};
use crate::expect::Failure;
use crate::golden::{
    Band, BandTerms, BandViolation, Difference, Fingerprint, Follower, Golden, GoldenBody,
    GoldenError, Header, Mode, ScenarioNames, Terms, Track, TrackComparison, Window,
    compare_window,
};
use crate::load::{GOLDEN_EXTENSION, OpenFiles, ScriptsFolder};
use crate::math;
use crate::runner::{Options, Run};
use crate::script::Library;
use crate::sim::State;
use crate::world::AgentId;

/// A scenario file and its golden.
#[derive(Debug)]
pub struct Case {
    /// The scenario file.
    pub path: PathBuf,
    /// The file of its golden, which need not exist.
    pub golden_path: PathBuf,
    /// The golden; `None` if there is no file.
    pub golden: Result<Option<Golden>, GoldenError>,
    source: Result<Arc<Source>, Box<Diagnostic>>,
    scripts: ScriptsFolder,
}

/// The files of a run that is tested.
#[derive(Clone, Copy)]
pub struct TestFiles<'s> {
    /// The scenario.
    pub source: &'s Arc<Source>,
    /// Its scripts.
    pub scripts: &'s dyn Library,
}

/// What ends a test before its run is complete.
#[derive(Clone, Copy)]
pub enum StopRule<'s> {
    /// Nothing but an error of the run.
    Never,
    /// The first failure may end it.
    FirstFailure,
    /// This function, which is called with the tick before each tick, or before each window of a golden. The error that it returns makes
    /// the test fail. All later calls have to return an error, too.
    Error(&'s (dyn Fn(u64) -> Result<(), Diagnostic> + Sync)),
}

impl StopRule<'_> {
    /// Returns an error if the test has to end at a tick.
    pub(super) fn check(&self, tick: u64) -> Result<(), Diagnostic> {
        match self {
            Self::Error(check) => check(tick),
            Self::Never | Self::FirstFailure => Ok(()),
        }
    }
}

/// The outcome of a test. All except [`TestOutcome::Passed`] make `flockwork test` end with exit code 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestOutcome {
    /// The run meets its expectations and equals its golden within the tolerance.
    Passed,
    /// The run differs from its golden, or an expectation does not hold.
    Failed,
    /// The run did not reach its end: the scenario or a script has an error.
    Broken,
    /// There is neither a golden nor an expectation, so the test could not have failed.
    Untested,
}

/// The result of a test.
#[derive(Debug)]
#[non_exhaustive]
pub struct TestResult {
    /// The outcome.
    pub outcome: TestOutcome,
    /// The errors of the run, including the expectations that do not hold.
    pub errors: Vec<Diagnostic>,
    /// The expectations that do not hold. They are in `errors` too, as diagnostics.
    pub failures: Vec<Failure>,
    /// Why the run cannot be compared with its golden, if there is a golden.
    pub golden_error: Option<Diagnostic>,
    /// Notes for the user.
    pub notes: Vec<String>,
    /// How the run compares with its golden; `None` if it was not run or there is no usable golden.
    pub comparison: Option<Comparison>,
    /// The header that a golden of the run would have; `None` if it was not run.
    pub header: Option<Header>,
    /// Agents times ticks of everything that was simulated.
    pub agent_ticks: u64,
}

/// How a run compares with its golden.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Comparison {
    /// The findings.
    pub details: ComparisonDetails,
    /// Whether the difference is within the tolerance that the scenario declares.
    pub is_within_tolerance: bool,
}

/// The details of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub enum ComparisonDetails {
    /// The comparison with one recorded run. The windows are there if the mode is `Windows` and the run is not identical to
    /// the bit.
    Track(TrackComparison, Vec<Window>),
    /// The measures that are outside their bands, and whether any band differs from the golden.
    Bands(Vec<BandViolation>, bool),
}

impl Comparison {
    /// Returns true if the run is identical to the golden, to the bit.
    pub fn is_same(&self) -> bool {
        match &self.details {
            ComparisonDetails::Track(followed, _) => followed.first.is_none(),
            ComparisonDetails::Bands(_, differs) => !differs,
        }
    }
}

impl Case {
    /// Returns the case of a scenario file. Errors in the files are kept for the test.
    pub fn open(path: &Path) -> Self {
        Self::open_files(&Arc::default(), path)
    }

    /// Does the same, with open files in place of those on disk.
    pub fn open_files(open: &Arc<OpenFiles>, path: &Path) -> Self {
        let golden_path = path.with_extension(GOLDEN_EXTENSION);
        let golden = if open.get(&golden_path).is_some() || golden_path.exists() {
            match open.read(&golden_path) {
                Ok(source) => Golden::parse(&source).map(Some),
                Err(why) => Err(GoldenError { diagnostic: Box::new(why), is_newer: false }),
            }
        } else {
            Ok(None)
        };
        Self {
            path: path.to_owned(),
            golden_path,
            golden,
            source: open.read(path).map_err(Box::new),
            scripts: ScriptsFolder::of_open_scenario(path, open),
        }
    }

    /// Returns the name of the scenario in a golden: its file name without the extension.
    pub fn name(&self) -> String {
        let stem = self.path.file_stem().unwrap_or_default();
        stem.to_string_lossy().into_owned()
    }

    /// Returns the command that accepts the current run as right.
    pub fn update_command(&self) -> String {
        Self::update_command_for([self])
    }

    /// Returns the command that accepts the current runs of several cases as right.
    pub fn update_command_for<'c>(cases: impl IntoIterator<Item = &'c Self>) -> String {
        let paths: Vec<String> = cases.into_iter().map(Self::argument).collect();
        format!("flockwork test --update {}", paths.join(" "))
    }

    /// Returns the command that explains the decision which leads an agent to its state at a tick.
    pub fn explain_command(&self, agent: AgentId, tick: u64) -> String {
        let (path, before) = (self.argument(), tick.saturating_sub(1));
        format!("flockwork explain {path} --agent {agent} --tick {before}")
    }

    /// Returns the command that shows the difference from the golden and asks what to do.
    pub fn review_command(&self) -> String {
        format!("flockwork test --review {}", self.argument())
    }

    /// Returns the scenario's path, quoted for a command line if necessary.
    pub fn argument(&self) -> String {
        let path = self.path.to_string_lossy().replace('\\', "/");
        let is_plain = |c: char| c.is_alphanumeric() || "/._-+,:@%=~".contains(c);
        if path.chars().all(is_plain) { path } else { format!("'{}'", path.replace('\'', r"'\''")) }
    }

    /// Returns the help for a golden that cannot be used for the comparison.
    fn update_help(&self) -> String {
        let command = self.update_command();
        format!("if the scenario is right, write the golden again: `{command}`")
    }

    /// Returns the scenario and its scripts as they are on disk.
    ///
    /// # Errors
    ///
    /// If the scenario cannot be read.
    pub fn files(&self) -> Result<TestFiles<'_>, Diagnostic> {
        match &self.source {
            Ok(source) => Ok(TestFiles { source, scripts: &self.scripts }),
            Err(error) => Err((**error).clone()),
        }
    }

    #[cfg(feature = "git")]
    pub(super) fn scripts(&self) -> &ScriptsFolder {
        &self.scripts
    }

    /// Runs the scenario, judges its expectations and compares it with its golden.
    pub fn test(&self) -> TestResult {
        self.test_until(StopRule::Never)
    }

    /// Does the same, and may end before the run is complete.
    pub fn test_until(&self, stop: StopRule<'_>) -> TestResult {
        match self.files() {
            Ok(files) => self.test_with(files, stop),
            Err(error) => TestResult::broken(error.into()),
        }
    }

    /// Does the same with other files.
    pub fn test_with(&self, files: TestFiles<'_>, stop: StopRule<'_>) -> TestResult {
        let scripts = RecordingLibrary::new(files.scripts);
        let run = match Run::new(files.source, &scripts, &Options::default()) {
            Ok(run) => run,
            Err(errors) => return TestResult::broken(errors),
        };
        let header = self.header(files, &scripts, &run);
        let mut tested = TestResult {
            outcome: TestOutcome::Passed,
            errors: Vec::new(),
            failures: Vec::new(),
            golden_error: None,
            notes: Vec::new(),
            comparison: None,
            header: None,
            agent_ticks: 0,
        };
        let mut golden = None;
        match &self.golden {
            Ok(None) => {}
            Ok(Some(known)) => match mismatch(&known.header, &header) {
                None => golden = Some(known),
                Some(why) => tested.golden_error = Some(why.help(self.update_help())),
            },
            Err(unreadable) => {
                let why = (*unreadable.diagnostic).clone();
                let is_newer = unreadable.is_newer;
                tested.golden_error =
                    Some(if is_newer { why } else { why.help(self.update_help()) });
            }
        }
        if let Some(golden) = golden {
            tested.notes = change_notes(&golden.header, &header);
        }
        let is_tested = self.golden != Ok(None) || !run.expectations().is_empty();
        tested.header = Some(header);
        let is_complete =
            TestRun { files, golden, stop, is_complete: true, tested: &mut tested }.run(run);
        let is_within_tolerance =
            tested.comparison.as_ref().is_none_or(|one| one.is_within_tolerance);
        let is_sound = tested.errors.is_empty() && tested.golden_error.is_none();
        tested.outcome = if !is_complete {
            TestOutcome::Broken
        } else if !is_sound || !is_within_tolerance {
            TestOutcome::Failed
        } else if is_tested {
            TestOutcome::Passed
        } else {
            TestOutcome::Untested
        };
        tested
    }

    fn header(&self, files: TestFiles<'_>, scripts: &RecordingLibrary<'_>, run: &Run) -> Header {
        Header {
            scenario: Fingerprint::of(&self.name(), &files.source.text),
            scripts: scripts.fingerprints(),
            seed: run.simulation().world().seed,
            dt: run.dt(),
            terms: run.terms().clone(),
            names: ScenarioNames::of(run.simulation()),
            reason: match &self.golden {
                Ok(Some(golden)) => golden.header.reason.clone(),
                _ => String::new(),
            },
        }
    }
}

impl TestResult {
    fn broken(errors: Diagnostics) -> Self {
        Self {
            outcome: TestOutcome::Broken,
            errors: errors.into_vec(),
            failures: Vec::new(),
            golden_error: None,
            notes: Vec::new(),
            comparison: None,
            header: None,
            agent_ticks: 0,
        }
    }
}

/// Returns why a run cannot be compared with a golden; `None` if it can.
fn mismatch(golden: &Header, now: &Header) -> Option<Diagnostic> {
    let kind = |mode: &Mode| match mode {
        Mode::Bands(terms) => Some(terms.clone()),
        _ => None,
    };
    let list = |names: &[Arc<str>]| names.join(", ");
    let why = if golden.scenario.name != now.scenario.name {
        let (was, is) = (&golden.scenario.name, &now.scenario.name);
        format!("the golden belongs to the scenario `{was}`, not to `{is}`")
    } else if golden.names.groups != now.names.groups {
        let (was, is) = (list(&golden.names.groups), list(&now.names.groups));
        format!("the golden has the groups {was}, but the scenario has {is}")
    } else if golden.names.paths != now.names.paths {
        let (was, is) = (list(&golden.names.paths), list(&now.names.paths));
        format!("the golden has the paths {was}, but the scenario has {is}")
    } else if kind(&golden.terms.mode) != kind(&now.terms.mode) {
        "the golden was written with another `golden: (mode: ..)` than the scenario has".to_owned()
    } else if golden.terms.from != now.terms.from {
        let (was, is) = (golden.terms.from, now.terms.from);
        format!("the golden begins at tick {was}, but the scenario at tick {is}")
    } else if golden.terms.every != now.terms.every {
        let (was, is) = (golden.terms.every, now.terms.every);
        let changed = changed_fields(golden, now);
        format!(
            "the golden has a keyframe every {was} ticks, but the scenario wants one every {is}: {changed}"
        )
    } else if golden.terms.until != now.terms.until {
        let (was, is) = (golden.terms.until, now.terms.until);
        let changed = changed_fields(golden, now);
        format!(
            "the golden ends at tick {was}, but the scenario compares up to tick {is}: {changed}"
        )
    } else {
        return None;
    };
    Some(Diagnostic::error(why))
}

/// Returns which fields of the scenario have changed the keyframes. Without `every`, their distance depends on several fields.
fn changed_fields(golden: &Header, now: &Header) -> String {
    let (was, is) = (&golden.terms, &now.terms);
    if was.until != is.until {
        let (was, is) = (was.until, is.until);
        format!("`ticks` (or `until` in `golden`) was {was}, is {is}")
    } else if std::mem::discriminant(&was.mode) != std::mem::discriminant(&is.mode) {
        "`mode` (or `every`) in `golden` has changed".into()
    } else {
        "`every` in `golden` has changed, or, if it is not there, the number of agents".into()
    }
}

/// Returns a note for each file that differs from those that the golden was written from.
fn change_notes(golden: &Header, now: &Header) -> Vec<String> {
    let mut notes = Vec::new();
    if golden.scenario.hash != now.scenario.hash {
        notes.push("the scenario has changed since the golden was written".into());
    }
    for script in &now.scripts {
        match golden.scripts.iter().find(|known| known.name == script.name) {
            Some(known) if known.hash == script.hash => {}
            Some(_) => notes.push(format!(
                "the script `{}` has changed since the golden was written",
                script.name
            )),
            None => notes.push(format!(
                "the script `{}` is used only since the golden was written",
                script.name
            )),
        }
    }
    for script in &golden.scripts {
        if !now.scripts.iter().any(|other| other.name == script.name) {
            notes.push(format!("the script `{}` is not used any more", script.name));
        }
    }
    notes
}

/// A test that is being run.
struct TestRun<'t> {
    files: TestFiles<'t>,
    golden: Option<&'t Golden>,
    stop: StopRule<'t>,
    /// False if the run, or one of the runs to compare, failed.
    is_complete: bool,
    tested: &'t mut TestResult,
}

impl TestRun<'_> {
    /// Runs, judges and compares. Returns false if a run failed.
    fn run(mut self, mut run: Run) -> bool {
        let terms = run.terms().clone();
        let start = run.simulation().state();
        let track = match self.golden.map(|golden| &golden.body) {
            Some(GoldenBody::Track(track)) => Some(track),
            _ => None,
        };
        let mut follower = track.map(Follower::new);
        let mut judge = run.judge();
        let end = match (run.expectations().is_empty(), track) {
            // One tick shows whether the scripts run at all.
            (true, None) => run.ticks().min(run.first_tick() + 1),
            (true, Some(_)) => terms.until,
            _ => run.ticks(),
        };
        if let Some(follower) = &mut follower {
            follower.tick(run.simulation());
        }
        let (mut reached_end, mut is_stopped) = (true, false);
        let is_over_early = matches!(self.stop, StopRule::FirstFailure);
        while run.tick() < end {
            if let Err(error) = self.stop.check(run.tick()) {
                self.tested.errors.push(error);
                (reached_end, is_stopped) = (false, true);
                break;
            }
            self.tested.agent_ticks += run.simulation().world().agents.len() as u64;
            if let Err(error) = run.step() {
                self.tested.errors.push(error.diagnostic());
                self.is_complete = false;
                reached_end = false;
                break;
            }
            // Messages of scripts are not shown in a test.
            run.take_messages();
            judge.tick(run.simulation());
            if let Some(follower) = &mut follower {
                follower.tick(run.simulation());
            }
            let differs = follower.as_ref().is_some_and(|one| one.first().is_some());
            if is_over_early && (judge.failed() || (differs && terms.mode == Mode::Exact)) {
                reached_end = false;
                break;
            }
        }
        let failures =
            if reached_end { judge.finish(run.simulation()) } else { judge.into_failures() };
        let expectations = run.expectations();
        for failure in &failures {
            let of = &expectations[failure.expectation];
            self.tested.errors.push(failure.diagnostic(of));
        }
        self.tested.failures = failures;
        if is_stopped || (is_over_early && !self.tested.errors.is_empty()) {
            return self.is_complete;
        }
        if let (Some(follower), Some(track)) = (follower, track) {
            self.compare(&run, &start, track, follower.finish(), &terms);
        } else if let Some(GoldenBody::Bands(golden)) = self.golden.map(|golden| &golden.body)
            && let Mode::Bands(of) = &terms.mode
        {
            self.compare_bands(golden, of, &terms);
        }
        self.is_complete
    }

    fn compare(
        &mut self,
        run: &Run,
        start: &State,
        track: &Track,
        followed: TrackComparison,
        terms: &Terms,
    ) {
        let mut windows = Vec::new();
        let is_within_tolerance = match (&terms.mode, followed.first) {
            (_, None) => true,
            (Mode::Within(tolerance), Some(_)) => {
                let mut differences = followed.differences.iter();
                differences.all(|(_, difference)| !difference.exceeds(*tolerance))
            }
            (Mode::Windows(tolerance), Some(first)) => {
                match self.windows(run, start, track, first) {
                    Ok(found) => windows = found,
                    Err(error) => {
                        self.is_complete = self.is_stopped(terms);
                        self.tested.errors.push(error);
                        return;
                    }
                }
                windows.iter().all(|window| !window.difference.exceeds(*tolerance))
            }
            _ => false,
        };
        if is_within_tolerance && followed.first.is_some() {
            self.tested.notes.push(tolerance_note(&terms.mode, &followed, &windows));
        }
        self.tested.comparison = Some(Comparison {
            details: ComparisonDetails::Track(followed, windows),
            is_within_tolerance,
        });
    }

    /// Runs the windows, beginning with the one that contains the first difference. Those before are identical.
    fn windows(
        &mut self,
        run: &Run,
        start: &State,
        track: &Track,
        first: u64,
    ) -> Result<Vec<Window>, Diagnostic> {
        // The first keyframe is the start: a difference there affects all windows.
        let from = track.last_keyframe_at(first.saturating_sub(1));
        let places: Vec<usize> = (from..track.windows()).collect();
        let simulation = run.simulation();
        let windows = each(&places, |&place| {
            self.stop.check(track.keyframes[place].tick)?;
            let simulation = simulation.clone();
            let window = compare_window(track, place, start, simulation, |one| one.step());
            window.map_err(|error| error.diagnostic())
        });
        for place in places {
            let (from, to) = (&track.keyframes[place], &track.keyframes[place + 1]);
            self.tested.agent_ticks += from.agents.len() as u64 * (to.tick - from.tick);
        }
        windows.into_iter().collect()
    }

    /// Returns whether an error comes from the rule that stops the test, and not from a run.
    fn is_stopped(&self, terms: &Terms) -> bool {
        self.stop.check(terms.until).is_err()
    }

    fn compare_bands(&mut self, golden: &[Band], of: &BandTerms, terms: &Terms) {
        match measure_bands(self.files, of, terms, self.stop) {
            Ok((now, agent_ticks)) => {
                self.tested.agent_ticks += agent_ticks;
                let outside = BandViolation::find_all(golden, &now);
                self.tested.comparison = Some(Comparison {
                    is_within_tolerance: outside.is_empty(),
                    details: ComparisonDetails::Bands(outside, golden != now.as_slice()),
                });
            }
            Err(errors) => {
                self.is_complete = self.is_stopped(terms);
                self.tested.errors.extend(errors);
            }
        }
    }
}

/// Returns a note about a run that differs from its golden within the tolerance.
fn tolerance_note(mode: &Mode, followed: &TrackComparison, windows: &[Window]) -> String {
    let all: Vec<&Difference> = match mode {
        Mode::Windows(_) => windows.iter().map(|window| &window.difference).collect(),
        _ => followed.differences.iter().map(|(_, one)| one).collect(),
    };
    let farthest = all.iter().map(|one| one.distance()).fold(0.0, math::max);
    let mut note = format!(
        "not identical to the golden, but within the tolerance: positions differ by up to {farthest}"
    );
    if let Mode::Within(tolerance) | Mode::Windows(tolerance) = mode {
        let beyond = all.iter().map(|one| one.count_beyond(*tolerance)).max();
        if let Some(beyond) = beyond.filter(|beyond| *beyond > 0) {
            note = format!("{note}, {beyond} agents exceed {}", tolerance.position);
        }
    }
    note
}
