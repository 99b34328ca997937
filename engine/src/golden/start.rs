//! The state that a scenario begins with, as text in the scenario: a keyframe without its hash.

use std::ops::Range;
use std::sync::Arc;

use super::keyframe::{A_GROUP, A_PATH, Keyframe, Names, Shared};
use super::read::{Lines, Reader, names};
use super::text::{self, Wrong};
use crate::diag::{Diagnostic, Source};

/// A state that has been read, and where its lines are.
#[derive(Debug)]
pub(crate) struct Start {
    /// The state; its hash is none.
    pub(crate) keyframe: Keyframe,
    /// The bytes of the line that begins it.
    pub(crate) head: Range<usize>,
    /// Those of what has changed about groups, in the order of the keyframe's.
    pub(crate) changed: Vec<Range<usize>>,
    /// Those of the agents, by their rows.
    pub(crate) agents: Vec<Range<usize>>,
}

/// A state as text, line by line. There is no hash in it, so that it can be changed by hand.
pub(crate) fn write_start(keyframe: &Keyframe, names: &Names) -> String {
    let mut text = String::from("groups");
    for name in &names.groups {
        text.push(' ');
        text::name(&mut text, name);
    }
    text.push_str(&format!("\ntick {}", keyframe.tick));
    keyframe.write_without_hash(&mut text, names);
    text
}

/// Reads a state that stands in a part of a text. Spaces before a line and empty lines do not count; the
/// names of the groups in front may be missing, and a hash after the tick is not asked for.
///
/// # Errors
///
/// What is not as it must be, at its place.
pub(crate) fn read_start(
    source: &Arc<Source>,
    part: Range<usize>,
    known: &Names,
) -> Result<Start, Diagnostic> {
    let mut reader = Reader {
        source,
        lines: Lines { text: &source.text[..part.end], at: part.start },
        shared: Shared::default(),
    };
    let told = |unreadable: super::Unreadable| told(*unreadable.why, known);
    reader.lines.skip_empty();
    if reader.begins("groups") {
        let at = reader.lines.at;
        let found = reader.line("groups", names).map_err(told)?;
        if found != known.groups {
            let list = |names: &[Arc<str>]| names.join(", ");
            let line = source.text[at..part.end].lines().next().unwrap_or_default();
            let indent = line.len() - line.trim_start().len();
            let others = format!(
                "the start has the groups {}, and the scenario {}",
                list(&found),
                list(&known.groups)
            );
            return Err(Diagnostic::error(others)
                .at(source, at + indent..at + line.trim_end().len())
                .help("write here the groups of the scenario, and after `made` what each of them has made"));
        }
        reader.lines.skip_empty();
    }
    let (keyframe, places) = reader.keyframe(known).map_err(told)?;
    let (at, rest) = (reader.lines.at, &source.text[reader.lines.at..part.end]);
    if !rest.trim().is_empty() {
        let word = rest.split_whitespace().next().unwrap_or_default();
        let start = at + rest.len() - rest.trim_start().len();
        let wrong = Wrong {
            at: start..start + word.len(),
            expected: "the line of an agent, which begins with its id",
        };
        return Err(*reader.wrong(0, wrong).why);
    }
    Ok(Start { keyframe, head: places.head, changed: places.changed, agents: places.agents })
}

/// The error, with the names that could be meant.
fn told(why: Diagnostic, known: &Names) -> Diagnostic {
    let Some(place) = &why.place else {
        return why;
    };
    let found = place.source.text[place.span.clone()].to_owned();
    for (expected, what, names) in
        [(A_GROUP, "group", &known.groups), (A_PATH, "path", &known.paths)]
    {
        if why.message.ends_with(expected) {
            let unknown = Diagnostic::error(format!("no {what} `{found}`"));
            return unknown
                .at(&place.source, place.span.clone())
                .suggest(&found, names.iter().map(|name| &**name));
        }
    }
    why
}
