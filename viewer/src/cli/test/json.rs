//! Results as JSON, one object a line, for editors and other tools.

use flockwork_engine::json::Finding;
use flockwork_engine::suite::TestOutcome;
use serde::Serialize;

use super::{FinishedTest, annotations, report};

/// Version of the format. It changes when a field is renamed or removed.
const VERSION: u32 = 1;

#[derive(Serialize)]
struct TestLine<'a> {
    version: u32,
    scenario: &'a str,
    result: String,
    seconds: f64,
    /// Errors, expectations that fail, and the difference from the golden, each with a place.
    findings: Vec<Finding<'a>>,
    /// The whole diagnosis, as the command prints it without this format.
    details: &'a str,
    /// Whether `--update` would accept the run.
    is_acceptable: bool,
    /// The agent to look at, and the tick of the decision that leads to the failure.
    agent: Option<String>,
    tick: Option<u64>,
}

/// Returns the line of a finished test.
pub(super) fn line(done: &FinishedTest) -> String {
    let findings = match done.outcome() {
        TestOutcome::Passed => Vec::new(),
        _ => {
            let mut failures = annotations::failures(done);
            done.case.add_deciding_lines(&done.tested, &mut failures);
            failures
        }
    };
    let cause = report::agent_and_tick(done);
    let line = TestLine {
        version: VERSION,
        scenario: &done.name(),
        result: report::word(done).0.to_lowercase(),
        seconds: done.wall.as_secs_f64(),
        findings: findings.iter().map(Finding::new).collect(),
        details: &report::details(done),
        is_acceptable: done.is_acceptable(),
        agent: cause.map(|(agent, _)| agent.to_string()),
        tick: cause.map(|(_, tick)| tick.saturating_sub(1)),
    };
    // Strings and numbers can always be serialized.
    let text = serde_json::to_string(&line).unwrap_or_default();
    format!("{text}\n")
}
