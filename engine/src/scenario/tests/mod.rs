use std::sync::Arc;

use super::*;
use crate::diag::{Severity, Source};

mod errors;
mod good;
mod wild;

/// A scenario with everything in it.
const FULL: &str = include_str!("full.ron");

fn parse(text: &str) -> Result<Scenario, Vec<Diagnostic>> {
    Scenario::parse(&Source::new("s.ron", text))
}

/// A text in which `‹` and `›` mark one place, without the marks, and the place.
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
    assert_eq!(FULL.matches(from).count(), 1, "{from} is not there once");
    FULL.replace(from, to)
}

/// A scenario with one group, and that group's fields after its behavior.
fn one_group(world: &str, rest: &str, group: &str) -> String {
    format!(
        "(\n  world: ({world}),\n  {rest}\n  groups: {{ \"ä\": (behavior: \"b\", {group}) }},\n)"
    )
}
