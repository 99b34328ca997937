//! One scenario under test.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::seeds::measure_bands;
use super::{RecordingLibrary, each};
use crate::diag::{Diagnostic, Diagnostics, Source};
use crate::expect::Failure;
use crate::golden::{
    Band, BandTerms, BandViolation, Difference, Fingerprint, Follower, Golden, GoldenBody,
    GoldenError, Header, Mode, NameTable, Terms, Track, TrackComparison, Window, compare_window,
};
use crate::load::{self, GOLDEN_ENDING, ScriptsFolder};
use crate::math;
use crate::runner::{Options, Run};
use crate::script::Library;
use crate::sim::State;

/// A scenario and the golden beside it.
#[derive(Debug)]
pub struct Case {
    /// The scenario's file.
    pub path: PathBuf,
    /// The file of its golden, which need not be there.
    pub golden_path: PathBuf,
    /// The golden, if there is one.
    pub golden: Result<Option<Golden>, GoldenError>,
    source: Result<Arc<Source>, Box<Diagnostic>>,
    scripts: ScriptsFolder,
}

/// The texts that are put to the test.
#[derive(Clone, Copy)]
pub struct TestFiles<'s> {
    /// The scenario.
    pub source: &'s Arc<Source>,
    /// Its scripts.
    pub scripts: &'s dyn Library,
}

/// What came of a test. All but [`TestOutcome::Passed`] make `flockwork test` end with exit code 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestOutcome {
    /// The run did what it should.
    Passed,
    /// The run was not what its golden says or what the scenario expects.
    Failed,
    /// The run did not come to its end: something is wrong with the scenario or a script.
    Broken,
    /// There is neither a golden nor an expectation: nothing could have failed.
    Untested,
}

/// A test that has been done.
#[derive(Debug)]
#[non_exhaustive]
pub struct TestResult {
    /// What came of it.
    pub outcome: TestOutcome,
    /// What is wrong with the run: why it failed, and which expectations it does not meet.
    pub errors: Vec<Diagnostic>,
    /// The expectations it does not meet; `errors` has them too, as findings.
    pub failures: Vec<Failure>,
    /// Why it cannot be compared with the golden that is there.
    pub golden_error: Option<Diagnostic>,
    /// Good to know.
    pub notes: Vec<String>,
    /// How it compares with its golden, if it was run and there is one to compare with.
    pub comparison: Option<Comparison>,
    /// How a golden of it would begin, if it was run.
    pub header: Option<Header>,
    /// Agents times ticks, of all that was simulated.
    pub agent_ticks: u64,
}

/// How a run compares with its golden.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Comparison {
    /// What was found.
    pub details: ComparisonDetails,
    /// Whether it is within what the scenario allows.
    pub is_allowed: bool,
}

/// What a comparison found.
#[derive(Clone, Debug, PartialEq)]
pub enum ComparisonDetails {
    /// By following the run, and the windows if it is compared by windows and not the same to the bit.
    Track(TrackComparison, Vec<Window>),
    /// The measures that have left their bands, and whether any band is another than in the golden.
    Bands(Vec<BandViolation>, bool),
}

impl Comparison {
    /// Whether it is all the same, to the bit.
    pub fn is_same(&self) -> bool {
        match &self.details {
            ComparisonDetails::Track(followed, _) => followed.first.is_none(),
            ComparisonDetails::Bands(_, differs) => !differs,
        }
    }
}

impl Case {
    /// The case of a scenario file.
    pub fn open(path: &Path) -> Self {
        let golden_path = path.with_extension(GOLDEN_ENDING);
        let golden = if golden_path.exists() {
            match load::read(&golden_path) {
                Ok(source) => Golden::parse(&source).map(Some),
                Err(why) => Err(GoldenError { why: Box::new(why), is_newer: false }),
            }
        } else {
            Ok(None)
        };
        Self {
            path: path.to_owned(),
            golden_path,
            golden,
            source: load::read(path).map_err(Box::new),
            scripts: ScriptsFolder::of_scenario(path),
        }
    }

    /// What the scenario is called in a golden: its file's name without the ending.
    pub fn name(&self) -> String {
        let stem = self.path.file_stem().unwrap_or_default();
        stem.to_string_lossy().into_owned()
    }

    /// The command that accepts what the run does now as right.
    pub fn update_command(&self) -> String {
        let path = self.argument();
        format!("flockwork test --update {path} --reason \"...\"")
    }

    /// The command that says why an agent moves as it does in the step to a tick.
    pub fn explain_command(&self, agent: u32, tick: u64) -> String {
        let (path, before) = (self.argument(), tick.saturating_sub(1));
        format!("flockwork explain {path} --agent {agent} --tick {before}")
    }

    /// The command that shows how the run differs from its golden, and asks what to do.
    pub fn review_command(&self) -> String {
        format!("flockwork test --review {}", self.argument())
    }

    /// The scenario's path as it is typed on a command line.
    fn argument(&self) -> String {
        let path = self.path.to_string_lossy().replace('\\', "/");
        let is_plain = |c: char| c.is_alphanumeric() || "/._-+,:@%=~".contains(c);
        if path.chars().all(is_plain) { path } else { format!("'{}'", path.replace('\'', r"'\''")) }
    }

    /// What to do about a golden that cannot be compared with.
    fn update_help(&self) -> String {
        let command = self.update_command();
        format!("if the scenario is right as it is, write the golden again: `{command}`")
    }

    /// The scenario and its scripts as they are.
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

    /// Runs, judges and compares it.
    pub fn test(&self) -> TestResult {
        match self.files() {
            Ok(files) => self.test_with(files, false),
            Err(error) => TestResult::broken(error.into()),
        }
    }

    /// The same with other texts, and no longer than until something is noticed, if that is all to know.
    pub fn test_with(&self, files: TestFiles<'_>, stop_early: bool) -> TestResult {
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
                let why = (*unreadable.why).clone();
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
            TestRun { files, golden, stop_early, is_complete: true, tested: &mut tested }.run(run);
        let is_allowed = tested.comparison.as_ref().is_none_or(|one| one.is_allowed);
        let is_sound = tested.errors.is_empty() && tested.golden_error.is_none();
        tested.outcome = if !is_complete {
            TestOutcome::Broken
        } else if !is_sound || !is_allowed {
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
            names: NameTable::of(run.simulation()),
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

/// Why a run cannot be compared with a golden.
fn mismatch(golden: &Header, now: &Header) -> Option<Diagnostic> {
    let kind = |mode: &Mode| match mode {
        Mode::Bands(terms) => Some(terms.clone()),
        _ => None,
    };
    let list = |names: &[Arc<str>]| names.join(", ");
    let why = if golden.scenario.name != now.scenario.name {
        format!("the golden is one of the scenario `{}`", golden.scenario.name)
    } else if golden.names.groups != now.names.groups {
        let (was, is) = (list(&golden.names.groups), list(&now.names.groups));
        format!("the golden has the groups {was}, and the scenario {is}")
    } else if golden.names.paths != now.names.paths {
        let (was, is) = (list(&golden.names.paths), list(&now.names.paths));
        format!("the golden has the paths {was}, and the scenario {is}")
    } else if kind(&golden.terms.mode) != kind(&now.terms.mode) {
        "the golden is for another mode than the scenario now has".to_owned()
    } else if golden.terms.from != now.terms.from {
        let (was, is) = (golden.terms.from, now.terms.from);
        format!("the golden begins at tick {was}, and the scenario at tick {is}")
    } else if golden.terms.every != now.terms.every {
        let (was, is) = (golden.terms.every, now.terms.every);
        format!(
            "the golden has a keyframe every {was} ticks, and the scenario wants one every {is}"
        )
    } else if golden.terms.until != now.terms.until {
        let (was, is) = (golden.terms.until, now.terms.until);
        format!("the golden goes to tick {was}, and the scenario to tick {is}")
    } else {
        return None;
    };
    Some(Diagnostic::error(why))
}

/// What the run is made of that the golden was not.
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
            None => notes.push(format!("the script `{}` is new since then", script.name)),
        }
    }
    for script in &golden.scripts {
        if !now.scripts.iter().any(|other| other.name == script.name) {
            notes.push(format!("the script `{}` is no longer used", script.name));
        }
    }
    notes
}

/// A test on its way.
struct TestRun<'t> {
    files: TestFiles<'t>,
    golden: Option<&'t Golden>,
    stop_early: bool,
    /// False once a turn has failed.
    is_complete: bool,
    tested: &'t mut TestResult,
}

impl TestRun<'_> {
    /// Runs, judges and compares; returns whether the run came to its end.
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
            (true, None) => run.first_tick(),
            (true, Some(_)) => terms.until,
            _ => run.ticks(),
        };
        if let Some(follower) = &mut follower {
            follower.tick(run.simulation());
        }
        let mut reached_end = true;
        while run.tick() < end {
            self.tested.agent_ticks += run.simulation().world().agents.len() as u64;
            if let Err(fault) = run.step() {
                self.tested.errors.push(fault.diagnostic());
                self.is_complete = false;
                reached_end = false;
                break;
            }
            // Nobody reads what scripts say in a test.
            run.take_messages();
            judge.tick(run.simulation());
            if let Some(follower) = &mut follower {
                follower.tick(run.simulation());
            }
            let differs = follower.as_ref().is_some_and(|one| one.first().is_some());
            if self.stop_early && (judge.failed() || (differs && terms.mode == Mode::Exact)) {
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
        if self.stop_early && !self.tested.errors.is_empty() {
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
        let is_allowed = match (&terms.mode, followed.first) {
            (_, None) => true,
            (Mode::Within(tolerance), Some(_)) => {
                let mut differences = followed.differences.iter();
                differences.all(|(_, difference)| !difference.exceeds(*tolerance))
            }
            (Mode::Windows(tolerance), Some(first)) => {
                match self.windows(run, start, track, first) {
                    Ok(found) => windows = found,
                    Err(error) => {
                        self.is_complete = false;
                        self.tested.errors.push(error);
                    }
                }
                windows.iter().all(|window| !window.difference.exceeds(*tolerance))
            }
            _ => false,
        };
        if is_allowed && followed.first.is_some() {
            self.tested.notes.push(tolerance_note(&terms.mode, &followed, &windows));
        }
        self.tested.comparison =
            Some(Comparison { details: ComparisonDetails::Track(followed, windows), is_allowed });
    }

    /// Runs the windows from the one in which the first difference is; those before are the same.
    fn windows(
        &mut self,
        run: &Run,
        start: &State,
        track: &Track,
        first: u64,
    ) -> Result<Vec<Window>, Diagnostic> {
        // The first keyframe is only the start: what differs there, differs in all windows.
        let from = track.last_keyframe_at(first.saturating_sub(1));
        let places: Vec<usize> = (from..track.windows()).collect();
        let simulation = run.simulation();
        let windows = each(&places, |&place| {
            let simulation = simulation.clone();
            compare_window(track, place, start, simulation, |one| one.step())
        });
        for place in places {
            let (from, to) = (&track.keyframes[place], &track.keyframes[place + 1]);
            self.tested.agent_ticks += from.agents.len() as u64 * (to.tick - from.tick);
        }
        let windows: Result<Vec<_>, _> = windows.into_iter().collect();
        windows.map_err(|fault| fault.diagnostic())
    }

    fn compare_bands(&mut self, golden: &[Band], of: &BandTerms, terms: &Terms) {
        match measure_bands(self.files, of, terms) {
            Ok((now, agent_ticks)) => {
                self.tested.agent_ticks += agent_ticks;
                let outside = BandViolation::find_all(golden, &now);
                self.tested.comparison = Some(Comparison {
                    is_allowed: outside.is_empty(),
                    details: ComparisonDetails::Bands(outside, golden != now.as_slice()),
                });
            }
            Err(errors) => {
                self.is_complete = false;
                self.tested.errors.extend(errors);
            }
        }
    }
}

/// How far a run is from its golden that may be so far.
fn tolerance_note(mode: &Mode, followed: &TrackComparison, windows: &[Window]) -> String {
    let all: Vec<&Difference> = match mode {
        Mode::Windows(_) => windows.iter().map(|window| &window.difference).collect(),
        _ => followed.differences.iter().map(|(_, one)| one).collect(),
    };
    let farthest = all.iter().map(|one| one.distance()).fold(0.0, math::max);
    let mut note =
        format!("not the same to the bit, but as near as it must be: at most {farthest} off");
    if let Mode::Within(tolerance) | Mode::Windows(tolerance) = mode {
        let beyond = all.iter().map(|one| one.count_beyond(*tolerance)).max();
        if let Some(beyond) = beyond.filter(|beyond| *beyond > 0) {
            note = format!("{note}, {beyond} agents more than {}", tolerance.position);
        }
    }
    note
}
