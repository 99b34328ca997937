//! Results as JUnit XML, which CI services show.

use std::io::Write;
use std::path::Path;
use std::time::Duration;

use flockwork::suite::Outcome;
use flockwork::{Diagnostic, OutputFile};
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::{Done, report};

/// Writes the results of all tests.
pub(super) fn write(path: &Path, all: &[Done], wall: Duration) -> Result<(), Diagnostic> {
    let mut suite = TestSuite::new("scenarios");
    suite.set_time(wall);
    for done in all {
        let status = match done.outcome() {
            Outcome::Passed => TestCaseStatus::success(),
            Outcome::Untested => {
                let mut status = TestCaseStatus::skipped();
                status.set_message("neither a golden nor expectations");
                status
            }
            Outcome::Failed => {
                let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
                status.set_message(report::reason(done));
                status.set_description(report::details(done).trim());
                status
            }
        };
        let mut case = TestCase::new(done.name(), status);
        case.set_time(done.wall);
        suite.add_test_case(case);
    }
    let mut junit = Report::new("flockwork");
    junit.set_time(wall);
    junit.add_test_suite(suite);
    let mut file = OutputFile::create(path)?;
    let text = junit
        .to_string()
        .map_err(|error| Diagnostic::error(error.to_string()))?;
    file.write_all(text.as_bytes())
        .map_err(|error| OutputFile::error(path, &error))?;
    file.commit()
}
