//! Results as JUnit XML, which CI services show.

use std::io::Write;
use std::path::Path;
use std::time::{Duration, SystemTime};

use chrono::{DateTime, Utc};
use flockwork_engine::suite::TestOutcome;
use flockwork_engine::{Diagnostic, FileKind, OutputFile};
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::{FinishedTest, TestReport, report};

/// The kind of file that [`write`] writes.
pub(super) const KIND: FileKind =
    FileKind::new("a JUnit report of Flockwork", &[&[b"<?xml", b"<testsuites name=\"flockwork\""]]);

/// Writes the results of all tests: a test case for each scenario, with its folder as class, and one for each error that the
/// check has found. Everything that makes the exit code 1 is a failure or an error.
pub(super) fn write(
    path: &Path,
    tests: &TestReport<'_>,
    began: SystemTime,
    wall: Duration,
) -> Result<(), Diagnostic> {
    let mut suite = TestSuite::new("scenarios");
    suite.set_time(wall);
    suite.set_timestamp(DateTime::<Utc>::from(began));
    for done in tests.all {
        let name = done.name();
        let mut case = TestCase::new(name.as_str(), status(done));
        case.set_classname(class(&name));
        case.set_time(done.wall);
        case.set_timestamp(DateTime::<Utc>::from(done.began));
        case.extra.insert("file".into(), name.as_str().into());
        suite.add_test_case(case);
    }
    let mut junit = Report::new("flockwork");
    junit.set_time(wall);
    junit.set_timestamp(DateTime::<Utc>::from(began));
    junit.add_test_suite(suite);
    let errors = tests.check_errors();
    if !errors.is_empty() {
        let mut suite = TestSuite::new("check");
        suite.add_test_cases(errors.into_iter().map(check_case));
        junit.add_test_suite(suite);
    }
    let mut file = OutputFile::create(path, KIND)?;
    let text = junit.to_string().map_err(|error| Diagnostic::error(error.to_string()))?;
    file.write_all(text.as_bytes()).map_err(|error| OutputFile::error(path, &error))?;
    file.commit()
}

/// Returns the test case of an error that the check has found, named after its place.
fn check_case(error: &Diagnostic) -> TestCase {
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
    status.set_type(error.code.name());
    status.set_message(error.message.as_str());
    status.set_description(error.render(false));
    let Some(place) = &error.place else {
        return TestCase::new(error.message.as_str(), status);
    };
    let file = place.source.name.replace('\\', "/");
    let mut case = TestCase::new(place.to_string().replace('\\', "/"), status);
    case.set_classname(class(&file));
    case.extra.insert("file".into(), file.into());
    case
}

fn status(done: &FinishedTest) -> TestCaseStatus {
    let (kind, what) = match done.outcome() {
        TestOutcome::Passed => return TestCaseStatus::success(),
        TestOutcome::Failed => (NonSuccessKind::Failure, "failed"),
        TestOutcome::Broken => (NonSuccessKind::Error, "error"),
        TestOutcome::Untested => (NonSuccessKind::Failure, "untested"),
    };
    let mut status = TestCaseStatus::non_success(kind);
    status.set_type(what);
    status.set_message(report::reason(done));
    status.set_description(report::details(done).trim());
    status
}

/// Returns the folder of a scenario as a class, by which services group test cases: `scenarios.steerbench`.
fn class(name: &str) -> String {
    let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
    let parts = folder.split('/').filter(|part| !matches!(*part, "" | "." | ".."));
    let class = parts.collect::<Vec<_>>().join(".");
    if class.is_empty() { "scenarios".into() } else { class }
}

#[cfg(test)]
mod tests {
    use super::class;

    #[test]
    fn classes_are_folders() {
        for (name, is) in [
            ("scenarios/two.ron", "scenarios"),
            ("./scenarios/steerbench/one.ron", "scenarios.steerbench"),
            ("../other/one.ron", "other"),
            ("/srv/all/one.ron", "srv.all"),
            ("one.ron", "scenarios"),
        ] {
            assert_eq!(class(name), is);
        }
    }
}
