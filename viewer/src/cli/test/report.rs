//! Results of tests as text.

use std::fmt::Write as _;
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use flockwork_engine::golden::{BandViolation, Terms};
use flockwork_engine::suite::{ComparisonDetails, GoldenUpdate, TestOutcome};
use flockwork_engine::trace::significant;
use flockwork_engine::world::AgentId;

use super::FinishedTest;

/// Returns the line of a finished test.
pub(super) fn line(done: &FinishedTest, colors: bool) -> String {
    let (word, color) = word(done);
    let style = if colors { color.on_default().bold() } else { Style::new() };
    let seconds = done.wall.as_secs_f64();
    format!("{style}{word:>8}{style:#} [{seconds:>8.3}s] {}\n", done.name())
}

/// Returns the result of a finished test in a word, and the color of that.
pub(super) fn word(done: &FinishedTest) -> (&'static str, AnsiColor) {
    match (done.written, done.outcome()) {
        (_, TestOutcome::Failed) => ("FAIL", AnsiColor::Red),
        (_, TestOutcome::Broken) => ("ERROR", AnsiColor::Red),
        (Some(GoldenUpdate::New), _) => ("NEW", AnsiColor::Cyan),
        (Some(GoldenUpdate::Changed), _) => ("UPDATED", AnsiColor::Cyan),
        (None, TestOutcome::Passed) => ("PASS", AnsiColor::Green),
        (None, TestOutcome::Untested) => ("UNTESTED", AnsiColor::Yellow),
    }
}

/// Returns the part of the output that follows the lines of all tests, for one test.
pub(super) fn section(done: &FinishedTest) -> String {
    let details = details(done);
    if matches!(done.outcome(), TestOutcome::Failed | TestOutcome::Broken) {
        format!("\n---- {} ----\n{details}", done.name())
    } else {
        details
    }
}

/// Returns the notes, errors and differences of a test, and the commands to continue with.
pub(super) fn details(done: &FinishedTest) -> String {
    let mut text = String::new();
    let name = done.name();
    let tested = &done.tested;
    for note in &tested.notes {
        let _ = writeln!(text, "note: {name}: {note}");
    }
    if done.outcome() == TestOutcome::Untested {
        let _ = writeln!(text, "note: {name}: {UNTESTED}");
    }
    let of_golden = tested.golden_error.iter().filter(|_| done.written.is_none());
    for error in tested.errors.iter().chain(of_golden) {
        let _ = writeln!(text, "{}", error.render(false));
    }
    if let Some(diagnosis) = &done.diagnosis {
        let _ = writeln!(text, "the run differs from its golden\n\n{diagnosis}\n");
    }
    if done.written.is_none()
        && let Some(comparison) = &tested.comparison
        && let ComparisonDetails::Bands(outside, _) = &comparison.details
        && !outside.is_empty()
    {
        let _ = writeln!(text, "measures are outside their bands\n");
        for one in outside {
            bands(&mut text, one);
        }
        text.push('\n');
    }
    for (purpose, command) in next(done) {
        let _ = writeln!(text, "{purpose:<18}{command}");
    }
    text
}

/// The message for a test that cannot fail.
pub(super) const UNTESTED: &str =
    "it has neither a golden nor expectations, so nothing is tested; this counts as a failure";

/// Returns the commands to continue with after a test that did not pass, each with its purpose.
fn next(done: &FinishedTest) -> Vec<(&'static str, String)> {
    let case = &done.case;
    let mut all = Vec::new();
    if let Some((agent, tick)) = agent_and_tick(done) {
        all.push(("explain", case.explain_command(agent, tick)));
    }
    if done.is_acceptable() {
        if case.golden != Ok(None) {
            all.push(("review", case.review_command()));
        }
        all.push(("accept", case.update_command()));
    }
    all
}

/// Returns the agent that a failure is about, and the tick of it.
pub(super) fn agent_and_tick(done: &FinishedTest) -> Option<(AgentId, u64)> {
    let failures = &done.tested.failures;
    let agent = failures.iter().find_map(|one| Some((one.agent?, one.tick)));
    agent.or_else(|| done.diagnosis.as_ref().and_then(|one| Some((one.agent?, one.explained))))
}

fn bands(text: &mut String, BandViolation { band, median }: &BandViolation) {
    let short = |x: f32| significant(f64::from(x), 4);
    let median = median.map_or("not available".into(), short);
    let _ = writeln!(
        text,
        "tick {:<8}{:<15}median {median}; the golden's band is {} to {}, its median {}",
        band.tick,
        band.measure.name(),
        short(band.low),
        short(band.high),
        short(band.median)
    );
}

/// Returns why a test has not passed, in one line.
pub(super) fn reason(done: &FinishedTest) -> String {
    if let Some(error) = done.tested.errors.iter().chain(&done.tested.golden_error).next() {
        return error.message.clone();
    }
    difference(done)
}

/// Returns how a test that has no error has failed, in one line.
pub(super) fn difference(done: &FinishedTest) -> String {
    if done.outcome() == TestOutcome::Untested {
        return UNTESTED.into();
    }
    match &done.diagnosis {
        Some(diagnosis) => {
            // Without the old forces, the changed files are the best hint at the cause.
            let cause = match (diagnosis.cause(), &done.tested.notes[..]) {
                (Some(cause), _) => format!("; cause: {cause}"),
                (None, []) => String::new(),
                (None, notes) => format!("; {}", notes.join(", ")),
            };
            format!("differs from its golden from tick {} on{cause}", diagnosis.tick)
        }
        None => "differs from its golden".into(),
    }
}

/// Returns what a person decides on in a review, in few lines.
pub(super) fn brief(done: &FinishedTest) -> String {
    let mut text = String::new();
    match (&done.case.golden, &done.diagnosis) {
        (Ok(None), _) => {
            let Terms { every, until, .. } = match &done.tested.header {
                Some(header) => &header.terms,
                None => return text,
            };
            let _ = writeln!(
                text,
                "has no golden yet; it would have a keyframe every {every} ticks, up to tick {until}"
            );
        }
        (_, Some(diagnosis)) => {
            let _ = writeln!(text, "{diagnosis}");
        }
        _ => {
            let _ = writeln!(text, "{}", reason(done));
        }
    }
    for note in &done.tested.notes {
        let _ = writeln!(text, "note: {note}");
    }
    text
}

/// Returns the last lines: how many tests had which result.
pub(super) fn summary(all: &[FinishedTest], wall: Duration, has_speed: bool) -> String {
    let count = |outcome| all.iter().filter(|one| one.outcome() == outcome).count();
    let written = all.iter().filter(|one| one.written.is_some()).count();
    let scenarios = if all.len() == 1 { "scenario" } else { "scenarios" };
    let mut text = format!("\n{} {scenarios}: ", all.len());
    let _ = write!(
        text,
        "{} passed, {} failed",
        count(TestOutcome::Passed),
        count(TestOutcome::Failed)
    );
    for (number, word) in [
        (count(TestOutcome::Broken), "with an error"),
        (count(TestOutcome::Untested), "untested"),
        (written, if written == 1 { "golden written" } else { "goldens written" }),
    ] {
        if number > 0 {
            let _ = write!(text, ", {number} {word}");
        }
    }
    let seconds = wall.as_secs_f64();
    let agent_ticks: u64 = all.iter().map(|one| one.tested.agent_ticks).sum();
    let _ = write!(text, " in {} s", significant(seconds, 3));
    if has_speed && agent_ticks > 0 {
        let speed = agent_ticks as f64 / seconds.clamp(1e-9, f64::INFINITY);
        let _ = write!(text, " ({} agent-ticks per second)", significant(speed, 3));
    }
    text.push('\n');
    text
}
