use std::sync::Arc;

use super::*;
use crate::cases;
use crate::diag::{Severity, Source};
use crate::golden::case_edits::edited;

mod edit_params;
mod expect;
mod good;
mod limits;
mod reading;
mod ron_tree;
mod scene_edit;
mod shared;
mod start;
mod wild;

/// A scenario with all fields.
const FULL: &str = include_str!("full.ron");

fn parse(text: &str) -> Result<Scenario, Diagnostics> {
    Scenario::parse(&Source::new("s.ron", text))
}

/// Removes the marks `‹` and `›` from a text, and returns the text and the place between them.
fn unmarked(text: &str) -> (Arc<Source>, Option<std::ops::Range<usize>>) {
    let clean = text.replace(['‹', '›'], "");
    let span = text.find('‹').map(|start| {
        let end = text.find('›').expect("both marks") - '‹'.len_utf8();
        start..end
    });
    (Source::new("s.ron", clean), span)
}

/// The full scenario with one part replaced.
fn full_with(from: &str, to: &str) -> String {
    assert_eq!(FULL.matches(from).count(), 1, "{from} must occur exactly once");
    FULL.replace(from, to)
}

/// A scenario with one group, and that group's fields after its behavior.
fn one_group(world: &str, rest: &str, group: &str) -> String {
    format!(
        "(\n  world: ({world}),\n  {rest}\n  groups: {{ \"ä\": (behavior: \"b\", {group}) }},\n)"
    )
}

/// Checks that a text has exactly one error or warning, at the marked place.
fn check(text: &str, severity: Severity, message: &str) -> Diagnostic {
    let (source, span) = unmarked(text);
    let found = match Scenario::parse(&source) {
        Ok(scenario) => scenario.warnings,
        Err(errors) => errors.into_vec(),
    };
    assert_eq!(found.len(), 1, "{message}: {found:#?}");
    let one = found.into_iter().next().unwrap();
    assert_eq!((one.severity, one.message.as_str()), (severity, message));
    let place = one.place.clone().unwrap();
    let span = span.unwrap();
    assert_eq!(
        source.line_column(place.span.start),
        source.line_column(span.start),
        "{message}: `{}`",
        &source.text[place.span.clone()]
    );
    assert_eq!(&source.text[place.span], &source.text[span], "{message}");
    one
}

/// Returns all messages about a text.
fn messages(text: &str) -> String {
    cases::rendered(&parse(text).map_or_else(Diagnostics::into_vec, |scenario| scenario.warnings))
}

#[test]
fn messages_about_changes_of_the_full_scenario() {
    cases::compare("full", |_, case| messages(&edited(FULL, case)));
}

#[test]
fn messages_about_short_scenarios() {
    cases::compare("short", |_, case| messages(case));
}
