//! What a person reads of tests.

use std::fmt::Write as _;
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use flockwork::golden::{Outside, Terms};
use flockwork::suite::{Found, Outcome, Written};
use flockwork::trace::significant;

use super::Done;

/// The line of a test that is done.
pub(super) fn line(done: &Done, colours: bool) -> String {
    let (word, colour) = match (done.written, done.outcome()) {
        (_, Outcome::Failed) => ("FAIL", AnsiColor::Red),
        (Some(Written::New), _) => ("NEW", AnsiColor::Cyan),
        (Some(Written::Changed), _) => ("UPDATED", AnsiColor::Cyan),
        (None, Outcome::Passed) => ("PASS", AnsiColor::Green),
        (None, Outcome::Untested) => ("UNTESTED", AnsiColor::Yellow),
    };
    let style = if colours {
        colour.on_default().bold()
    } else {
        Style::new()
    };
    let seconds = done.wall.as_secs_f64();
    format!(
        "{style}{word:>8}{style:#} [{seconds:>8.3}s] {}\n",
        done.name()
    )
}

/// What is to be said between the line of a test and the last lines.
pub(super) fn section(done: &Done) -> String {
    let details = details(done);
    if done.outcome() == Outcome::Failed {
        format!("\n---- {} ----\n{details}", done.name())
    } else {
        details
    }
}

/// What there is to say about a test beyond its line.
pub(super) fn details(done: &Done) -> String {
    let mut text = String::new();
    let name = done.name();
    let tested = &done.tested;
    for note in &tested.notes {
        let _ = writeln!(text, "note: {name}: {note}");
    }
    if done.outcome() == Outcome::Untested {
        let _ = writeln!(
            text,
            "note: {name}: neither a golden nor expectations, so nothing could fail: write a golden with \
             --update"
        );
    }
    let of_golden = tested
        .golden_error
        .iter()
        .filter(|_| done.written.is_none());
    for error in tested.errors.iter().chain(of_golden) {
        let _ = writeln!(text, "{}", error.render(false));
    }
    if let Some(diagnosis) = &done.diagnosis {
        let _ = writeln!(text, "the run is not what its golden says\n\n{diagnosis}");
    }
    if done.written.is_none()
        && let Some(compared) = &tested.compared
        && let Found::Bands(outside, _) = &compared.found
        && !outside.is_empty()
    {
        let _ = writeln!(text, "measures have left their bands\n");
        for one in outside {
            bands(&mut text, one);
        }
    }
    text
}

fn bands(text: &mut String, Outside { band, median }: &Outside) {
    let short = |x: f32| significant(f64::from(x), 4);
    let median = median.map_or("none any more".into(), short);
    let _ = writeln!(
        text,
        "tick {:<8}{:<15}median {median}; the golden has {} to {}, median {}",
        band.tick,
        band.measure.name(),
        short(band.low),
        short(band.high),
        short(band.median)
    );
}

/// Why a test has failed, in a line.
pub(super) fn reason(done: &Done) -> String {
    if let Some(error) = done
        .tested
        .errors
        .iter()
        .chain(&done.tested.golden_error)
        .next()
    {
        return error.message.clone();
    }
    match &done.diagnosis {
        Some(diagnosis) => format!("differs from its golden from tick {} on", diagnosis.tick),
        None => "differs from its golden".into(),
    }
}

/// What is to be decided on, in few lines.
pub(super) fn brief(done: &Done) -> String {
    let mut text = String::new();
    match (&done.case.golden, &done.diagnosis) {
        (Ok(None), _) => {
            let Terms { every, until, .. } = match &done.tested.header {
                Some(header) => &header.terms,
                None => return text,
            };
            let _ = writeln!(
                text,
                "has no golden yet: to tick {until}, a keyframe every {every}"
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

/// The last lines.
pub(super) fn summary(all: &[Done], wall: Duration) -> String {
    let count = |outcome| all.iter().filter(|one| one.outcome() == outcome).count();
    let written = all.iter().filter(|one| one.written.is_some()).count();
    let scenarios = if all.len() == 1 {
        "scenario"
    } else {
        "scenarios"
    };
    let mut text = format!("\n{} {scenarios}: ", all.len());
    let _ = write!(
        text,
        "{} passed, {} failed",
        count(Outcome::Passed),
        count(Outcome::Failed)
    );
    for (number, word) in [
        (count(Outcome::Untested), "without a test"),
        (
            written,
            if written == 1 {
                "golden written"
            } else {
                "goldens written"
            },
        ),
    ] {
        if number > 0 {
            let _ = write!(text, ", {number} {word}");
        }
    }
    let seconds = wall.as_secs_f64();
    let agent_ticks: u64 = all.iter().map(|one| one.tested.agent_ticks).sum();
    let speed = agent_ticks as f64 / seconds.clamp(1e-9, f64::INFINITY);
    let _ = writeln!(
        text,
        " in {} s ({} agent-ticks per second)",
        significant(seconds, 3),
        significant(speed, 3)
    );
    text
}
