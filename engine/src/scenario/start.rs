//! The state that a scenario begins with, where it does not begin at tick 0: from its text to a state.

use std::ops::Range;
use std::sync::Arc;

use super::findings::{Findings, Names};
use super::param::fit;
use super::spanned::Spanned;
use crate::diag::{Diagnostic, Source};
use crate::geom::FAR;
use crate::golden::{self, Changed, Start, read_start};
use crate::math;
use crate::sim::{GroupState, Reached, State};
use crate::world::{Group, Path, Space, Value};

/// What else the scenario says.
pub(super) struct Around<'a> {
    /// The tick at which the run ends.
    pub(super) ticks: u64,
    pub(super) space: &'a Space,
    pub(super) groups: &'a [Group],
    pub(super) group_names: &'a Names,
    pub(super) paths: &'a [Path],
}

/// More than this of anything that is only counted is a mistake.
const MOST: u64 = 1 << 53;

/// The state that a scenario's groups begin in.
pub(super) fn groups(of: &[Group]) -> Vec<GroupState> {
    let state = |group: &Group| GroupState {
        made: 0,
        reached: Reached::default(),
        params: group.params.clone(),
        goals: group.goals.clone(),
    };
    of.iter().map(state).collect()
}

/// Checks the start that is written, if one is.
pub(super) fn build(
    findings: &mut Findings<'_>,
    source: &Arc<Source>,
    spec: Option<&Spanned<String>>,
    around: &Around<'_>,
) -> Option<State> {
    let written = spec?;
    let text = findings.read(written)?.clone();
    let literal = findings.span(written);
    let names = golden::Names {
        groups: around.group_names.all.clone(),
        paths: around.paths.iter().map(|path| Arc::clone(&path.name)).collect(),
    };
    // Places in a text with escapes are not those of its literal.
    let (source, part, whole) = match content(source, &literal, &text) {
        Some(part) => (Arc::clone(source), part, None),
        None => {
            let all = 0..text.len();
            (Source::new("", text), all, Some(findings.head(written)))
        }
    };
    let checked = read_start(&source, part, &names).and_then(|start| {
        let wrong = check(&start, around);
        wrong.map_or(Ok(start), |(what, place)| Err(what.at(&source, place)))
    });
    match checked {
        Ok(Start { keyframe, .. }) => Some(keyframe.state(&State {
            tick: 0,
            cursor: None,
            groups: groups(around.groups),
            agents: Default::default(),
            minds: Default::default(),
        })),
        Err(what) => {
            let place = what.place.clone().map_or(literal, |place| place.span);
            let what =
                what.help("a start is written by the program, when it saves a running scenario");
            findings.add(what, whole.unwrap_or(place));
            None
        }
    }
}

/// The bytes between the quotes, where they are the text as it is.
pub(super) fn content(source: &Source, literal: &Range<usize>, text: &str) -> Option<Range<usize>> {
    let written = source.text.get(literal.clone())?;
    let hashes = match written.strip_prefix('r') {
        Some(raw) => 1 + raw.bytes().take_while(|byte| *byte == b'#').count(),
        None => 0,
    };
    let end = hashes.saturating_sub(1) + 1;
    let part = literal.start + hashes + 1..literal.end.checked_sub(end)?;
    (source.text.get(part.clone())? == text).then_some(part)
}

/// What is wrong with a state in this scenario, and where.
fn check(start: &Start, around: &Around<'_>) -> Option<(Diagnostic, Range<usize>)> {
    let keyframe = &start.keyframe;
    let head = |what: String| Some((Diagnostic::error(what), start.head.clone()));
    if keyframe.tick >= around.ticks {
        return head(format!(
            "the start is at tick {}, and the run ends at tick {}: `ticks` must be above it",
            keyframe.tick, around.ticks
        ));
    }
    let made: u64 = keyframe.made.iter().map(|(made, _)| u64::from(*made)).sum();
    if made > u64::from(keyframe.agents.made()) {
        return head(format!(
            "the groups have made {made} agents together, and {} have been made in all",
            keyframe.agents.made()
        ));
    }
    let counts = keyframe.made.iter();
    let mut counts = counts.flat_map(|(_, Reached { goals, agents, lost })| [goals, agents, lost]);
    if counts.any(|count| *count > MOST) {
        return head("a group has reached more than can be counted".into());
    }
    for (changed, place) in keyframe.changed.iter().zip(&start.changed) {
        if let Err(what) = check_changed(changed, around) {
            return Some((what, place.clone()));
        }
    }
    let agents = &keyframe.agents;
    for (row, place) in start.agents.iter().enumerate() {
        let (pos, heading) = (agents.pos[row], agents.heading[row]);
        let (settled, _) = around.space.settle(pos, agents.vel[row]);
        let progress = keyframe.minds.progress(row);
        let what = if settled != pos {
            format!("{pos} is outside the world, whose edge lets nobody out")
        } else if (math::length(heading) - 1.0).abs() > 1e-3 {
            format!("the heading {heading} is no unit vector")
        } else if progress.iter().any(|one| one.waypoint > i32::MAX.cast_unsigned()) {
            "no path has so many waypoints".into()
        } else {
            continue;
        };
        return Some((Diagnostic::error(what), place.clone()));
    }
    None
}

fn check_changed(changed: &Changed, around: &Around<'_>) -> Result<(), Diagnostic> {
    let (Changed::Param { group, .. } | Changed::Goals { group, .. }) = changed;
    let group = &around.groups[usize::from(group.0)];
    match changed {
        Changed::Param { name, value, .. } => {
            let of = &group.name;
            let Some(declared) = group.params.get(name) else {
                let unknown = format!("group `{of}` has no param `{name}`");
                return Err(Diagnostic::error(unknown).suggest(name, group.params.names()));
            };
            let (kind, found) = (declared.kind(), value.kind());
            // A declaration that cannot be read is reported where it is.
            if *declared != Value::Nothing && fit(declared, value.clone()).is_none() {
                let other = format!("param `{name}` of group `{of}` is {kind}, not {found}");
                return Err(Diagnostic::error(other));
            }
        }
        Changed::Goals { goals, .. } => {
            let is_wrong = |x: f32| x.abs() > FAR;
            let mut all = goals.iter().flat_map(|sequence| sequence.iter());
            if all.any(|goal| {
                goal.radius <= 0.0
                    || goal.radius > FAR
                    || is_wrong(goal.at.x)
                    || is_wrong(goal.at.y)
            }) {
                return Err(Diagnostic::error(
                    "a goal has a place no farther from 0 than 1e15 and a radius above 0",
                ));
            }
        }
    }
    Ok(())
}
