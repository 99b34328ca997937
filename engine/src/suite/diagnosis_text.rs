//! Formats a diagnosis as text, for the person who decides whether the new run is right.

use std::fmt::{self, Write as _};

use super::calls::CallPair;
use super::diagnose::{Diagnosis, OldRun};
use crate::golden::{FieldDifference, LayerDifference};
use crate::math::{self, short, short_vector as vector};
use crate::runner::{ChangeEffect, ScenarioChange};
use crate::sim::{ExplainedCall, NOT_EXPLAINED, forces_after};
use crate::world::AgentId;

/// Width of the column of labels, in characters.
const LABEL_WIDTH: usize = 18;

/// Width of the widest curve, in characters.
const MAX_CURVE: usize = 60;

/// Number of changes in the scenario that are listed.
const MAX_CHANGES: usize = 5;

/// The beginning of a cause that is in no call.
const SAME_CALLS: &str = "not a primitive: all their results and weights are the same";

/// A cause is left out of the table of forces if it would make a line wider than this, in characters.
const MAX_TABLE_WIDTH: usize = 143;

impl fmt::Display for Diagnosis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        self.write_difference(&mut text);
        self.write_forces(&mut text);
        self.write_deviation(&mut text);
        self.write_legend(&mut text);
        f.write_str(text.trim_end())
    }
}

impl Diagnosis {
    fn write_difference(&self, text: &mut String) {
        let seconds = self.tick as f32 * self.dt;
        let mut when = format!("tick {} ({} s)", self.tick, short(seconds));
        if self.tick == self.start {
            when.push_str(", the start of the run");
        } else if self.has_windows {
            let _ = write!(when, ", compared from tick {} on", self.from);
            if self.whole_run_tick < self.tick {
                let _ =
                    write!(when, "; the whole run differs from tick {} on", self.whole_run_tick);
            }
        }
        line(text, "first difference", when);
        let (at, difference) = &self.difference;
        if let Some(id) = self.agent {
            let mut what = format!("agent {id}");
            if !self.group.is_empty() {
                let _ = write!(what, " ({})", self.group);
            }
            if *at != self.tick {
                let _ = write!(what, " at tick {at}, the next one that the golden keeps");
            }
            let offset = self.offset();
            let joint = if offset.is_empty() { "" } else { ": " };
            line(text, "most different", format!("{what}{joint}{offset}"));
        }
        if let Some(FieldDifference { id, field, was, is }) = &difference.first {
            line(text, "lowest id", format!("agent {id}, {field}: was {was}, is {is}"));
        }
        for (ids, word) in [(&difference.missing, "missing"), (&difference.surplus, "unexpected")] {
            if !ids.is_empty() {
                line(text, word, agent_list(ids));
            }
        }
        for LayerDifference { name, cells, first } in &difference.layers {
            let cells =
                format!("{cells} cell{}", if *cells == 1 { " differs" } else { "s differ" });
            let first = first.map_or_else(String::new, |(cell, was, is)| {
                format!(", first the one with index {cell}: was {was}, is {is}")
            });
            line(text, "layer", format!("`{name}`: {cells}{first}"));
        }
        let number = difference.agents;
        let agents = if number == 1 { "agent differs" } else { "agents differ" };
        line(text, "in total", format!("{number} {agents} at tick {at}"));
    }

    /// Returns by how much the position and the velocity of the agent differ, in words; empty if neither does.
    pub fn offset(&self) -> String {
        let offset = self.difference.1.offsets.iter().find(|of| Some(of.id) == self.agent);
        let parts = offset.map(|of| [("position", of.position), ("velocity", of.velocity)]);
        let parts = parts.into_iter().flatten().filter(|(_, by)| *by > 0.0);
        let parts = parts.map(|(name, by)| format!("{name} differs by {}", short(by)));
        parts.collect::<Vec<_>>().join(", ")
    }

    /// Returns what changed, in one line: the [branch](super::Branch) that the decision took, or [the call that tells
    /// most](super::CallPairs::most_telling), its line in the script, and how it changed; and what changed in the scenario, unless a script changed too. `None` if one of the
    /// forces is not known, and at the start of the run if it may differ because of a script.
    pub fn cause(&self) -> Option<String> {
        let scenario = list_changes(self.scenario.iter(), 1);
        if self.tick == self.start {
            let is_early = |change: &&ScenarioChange| change.effect != ChangeEffect::Motion;
            let early = list_changes(self.scenario.iter().filter(is_early), MAX_CHANGES);
            let what = early.or(scenario).filter(|_| !self.scripts_changed)?;
            return Some(format!("the scenario: {what}"));
        }
        let branch = self.branch.as_ref().map(|branch| branch.text.clone());
        let change = self
            .absence
            .clone()
            .or(branch)
            .or_else(|| self.calls.most_telling().map(describe_change));
        if let Some(change) = change {
            return Some(match scenario {
                Some(what) if !self.scripts_changed => {
                    format!("{change}; the scripts are the same, but {what}")
                }
                _ => change,
            });
        }
        let (old, new) = (self.calls.old_force?, self.calls.new_force?);
        if let Some(pair) = self.calls.differently_added().filter(|_| self.scripts_changed) {
            return Some(describe_sum(pair));
        }
        let is_own = |change: &&ScenarioChange| {
            change.effect == ChangeEffect::Motion
                && change.group.as_ref().is_none_or(|group| **group == *self.group)
        };
        let (own, others): (Vec<_>, Vec<_>) = self.scenario.iter().partition(is_own);
        let shown = own.len().min(MAX_CHANGES);
        let is_motion = old == new && shown > 0;
        let motion = list_changes(own.into_iter().chain(others), shown).filter(|_| is_motion);
        Some(match (motion, scenario, self.scripts_changed) {
            (Some(what), _, false) => format!("the force is the same; {what}"),
            (Some(what), _, true) => {
                format!("the force is the same; {what}; a script has changed too")
            }
            (None, Some(what), false) => {
                format!("{SAME_CALLS}, and so are the scripts; but {what}")
            }
            (None, Some(what), true) => format!(
                "{SAME_CALLS}; the script itself computes something else, or it is the scenario: {what}"
            ),
            (None, None, true) => {
                format!("{SAME_CALLS}; the script itself computes something else")
            }
            (None, None, false) => format!("{SAME_CALLS}, and so are the scripts and the scenario"),
        })
    }

    fn write_forces(&self, text: &mut String) {
        match &self.old {
            OldRun::Known(revision) => {
                let old = format!("revision {revision}, run from tick {}", self.from);
                line(text, "compared with", old);
            }
            OldRun::Unknown(help) => line(text, "old forces", format!("unknown: {help}")),
            OldRun::Mismatch(revision) => line(
                text,
                "compared with",
                format!(
                    "nothing: the scenario and scripts of revision {revision} do not reproduce this golden \
                     either; so Flockwork itself computes something else, or the golden was written from \
                     other files"
                ),
            ),
        }
        if let Some(changes) = list_changes(self.scenario.iter(), MAX_CHANGES) {
            line(text, "scenario", changes);
        }
        if let Some(cause) = self.cause() {
            line(text, "cause", cause);
        }
        if self.tick == self.start {
            return;
        }
        if let Some(why) = &self.absence {
            line(text, "forces", format!("not compared: {why}"));
            return;
        }
        if self.agent.is_none() && !self.difference.1.layers.is_empty() {
            line(text, "forces", "not compared: no agent differs yet");
            return;
        }
        if self.calls.new_force.is_none() {
            line(text, "forces", NOT_EXPLAINED);
            return;
        }
        let mut when = forces_after(self.explained - 1);
        if self.explained != self.tick {
            when.push_str(
                "; a golden has the agents of some ticks only, so it is not known which one differed first",
            );
        }
        line(text, "forces", when);
        for pair in &self.calls.pairs {
            self.write_call(text, pair);
        }
        let total = match (self.calls.old_force, self.calls.new_force) {
            (Some(old), Some(new)) => changed(vector(old), vector(new)),
            (None, Some(new)) => vector(new),
            (old, None) => old.map_or_else(String::new, vector),
        };
        let _ = writeln!(text, "  {:<22}{total}", "total");
    }

    /// Returns whether calls of both runs are in the table of forces.
    fn are_compared(&self) -> bool {
        self.calls.old_force.is_some()
    }

    fn write_call(&self, text: &mut String, pair: &CallPair) {
        let known = self.are_compared();
        let (name, part) = match (&pair.old, &pair.new) {
            (Some(old), Some(new)) => (new.primitive.name, changed(old.product(), new.product())),
            (Some(old), None) => {
                (old.primitive.name, format!("{}, not called any more", old.product()))
            }
            (None, Some(new)) if known => (new.primitive.name, format!("new: {}", new.product())),
            (None, Some(new)) => (new.primitive.name, new.product()),
            (None, None) => return,
        };
        let mark = if known && pair.differs() { '*' } else { ' ' };
        let place = position(pair.new.as_ref().or(pair.old.as_ref()));
        let mut row = format!("{mark} {name:<22}{part}  {place}");
        let left = MAX_TABLE_WIDTH.saturating_sub(row.chars().count());
        let now = cause_text(pair.new.as_ref().or(pair.old.as_ref()));
        let mut causes = [describe_cause(pair), now].into_iter().flatten();
        let cause = causes.find_map(|cause| {
            let cause = format!("  cause: {cause}");
            (cause.chars().count() <= left).then_some(cause)
        });
        row.push_str(&cause.unwrap_or_default());
        let _ = writeln!(text, "{row}");
    }

    fn write_deviation(&self, text: &mut String) {
        if self.deviation.is_empty() {
            return;
        }
        let when = if self.has_windows { "at the end of each window" } else { "at each keyframe" };
        if !self.has_moved() {
            line(text, "deviation", format!("none, measured {when}: no position differs there"));
            return;
        }
        let mut value = curve(&self.deviation);
        if let Some((tick, largest)) = self.farthest {
            let _ = write!(
                value,
                "  up to {} world units (agent {}, tick {tick}), measured {when}",
                short(largest.by),
                largest.id
            );
        }
        line(text, "deviation", value);
    }

    /// Returns whether any agent was measured at another place.
    fn has_moved(&self) -> bool {
        self.deviation.iter().any(|(_, distance)| *distance > 0.0)
    }

    /// Writes what the signs mean, for those that are there.
    fn write_legend(&self, text: &mut String) {
        let mut parts = Vec::new();
        let is_table = self.tick != self.start && self.calls.new_force.is_some();
        if is_table && self.are_compared() && self.calls.pairs.iter().any(CallPair::differs) {
            parts.push("* marks calls that differ, as old -> new".to_owned());
        }
        if self.has_moved() {
            let places = match self.deviation.len().div_ceil(MAX_CURVE) {
                1 => "a tick".to_owned(),
                several => format!("{several} ticks"),
            };
            parts.push(format!(
                "each bar is the largest distance at {places} that the golden keeps, relative to the highest bar"
            ));
        }
        if !parts.is_empty() {
            line(text, "how to read", parts.join("; "));
        }
    }
}

/// Returns the first few changes and the number of the others; `None` if there are none.
fn list_changes<'c>(
    changes: impl Iterator<Item = &'c ScenarioChange>,
    most: usize,
) -> Option<String> {
    let all: Vec<String> = changes.map(ToString::to_string).collect();
    let more = all.len().saturating_sub(most);
    let few = all[..all.len().min(most)].join("; ");
    match (all.is_empty(), more) {
        (true, _) => None,
        (false, 0) => Some(few),
        (false, more) => Some(format!("{few}; and {more} more")),
    }
}

/// Returns what changed in one call, in one line.
fn describe_change(pair: &CallPair) -> String {
    let place = position(pair.new.as_ref().or(pair.old.as_ref()));
    let at = if place.is_empty() { String::new() } else { format!(" at {place}") };
    let change = match (&pair.old, &pair.new) {
        (Some(old), Some(new)) => {
            let name = new.primitive.name;
            match (old.weight, new.weight) {
                _ if old.raw != new.raw => {
                    let (was, is) = (vector(old.raw), vector(new.raw));
                    format!("`{name}`{at}: its result was {was}, is {is}")
                }
                // A script that does not return the force, or a `prioritize` that chooses another one.
                (Some(was), Some(0.0)) => {
                    format!(
                        "`{name}`{at}: its weight was {}, and it has no share of the force now",
                        short(was)
                    )
                }
                (Some(0.0), Some(is)) => {
                    format!(
                        "`{name}`{at}: it had no share of the force, and has the weight {} now",
                        short(is)
                    )
                }
                (Some(was), Some(is)) => {
                    format!("`{name}`{at}: its weight was {}, is {}", short(was), short(is))
                }
                _ => {
                    let (was, is) = (vector(old.share), vector(new.share));
                    format!("`{name}`{at}: its share was {was}, is {is}")
                }
            }
        }
        (Some(old), None) => format!("`{}`{at}: not called any more", old.primitive.name),
        (None, Some(new)) => format!("`{}`{at}: not called before", new.primitive.name),
        (None, None) => return String::new(),
    };
    match describe_cause(pair) {
        Some(cause) => format!("{change} ({cause})"),
        None => change,
    }
}

/// Returns how the same forces give another sum, in one line, with a call that is part of it.
fn describe_sum(pair: &CallPair) -> String {
    let call = pair.new.as_ref();
    let name = call.map_or("", |call| call.primitive.name);
    let place = position(call);
    if pair.moved {
        format!("{SAME_CALLS}, but they are added in another order: `{name}` has moved to {place}")
    } else {
        format!("{SAME_CALLS}, but they are added in another way: see `{name}` at {place}")
    }
}

/// Returns what a call reacted to, in a few words; with what it reacted to before, if that differs.
fn describe_cause(pair: &CallPair) -> Option<String> {
    match (cause_text(pair.old.as_ref()), cause_text(pair.new.as_ref())) {
        (Some(old), Some(new)) if old != new => Some(format!("{new}; before: {old}")),
        (old, new) => new.or(old),
    }
}

fn cause_text(call: Option<&ExplainedCall>) -> Option<String> {
    Some(call?.cause.as_ref()?.to_string())
}

fn position(call: Option<&ExplainedCall>) -> String {
    call.map_or_else(String::new, ExplainedCall::position)
}

fn changed(was: String, is: String) -> String {
    if was == is { is } else { format!("{was} -> {is}") }
}

fn agent_list(ids: &[AgentId]) -> String {
    let few: Vec<String> = ids.iter().take(8).map(|id| format!("agent {id}")).collect();
    let more = if ids.len() > few.len() { ", ..." } else { "" };
    format!("{}{more}", few.join(", "))
}

fn line(text: &mut String, name: &str, what: impl fmt::Display) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{name:<LABEL_WIDTH$}{what}");
}

/// Returns numbers as bars, side by side. If there are too many, one bar shows the largest of several.
fn curve(values: &[(u64, f32)]) -> String {
    const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let most = values.iter().fold(0.0, |most, (_, x)| math::max(most, *x));
    let per_bar = values.len().div_ceil(MAX_CURVE);
    let bar = |part: &[(u64, f32)]| {
        let highest = part.iter().fold(0.0, |most, (_, x)| math::max(most, *x));
        let share = if most > 0.0 { highest / most } else { 0.0 };
        BARS[((share * 8.0) as usize).min(7)]
    };
    values.chunks(per_bar.max(1)).map(bar).collect()
}

#[cfg(test)]
mod tests {
    use super::super::CallPairs;
    use super::*;
    use crate::math::Vec2;
    use crate::steer::{Cause, find};

    fn call(weight: f32, cause: Option<Cause>) -> Option<ExplainedCall> {
        let raw = Vec2::new(2.0, 0.0);
        Some(ExplainedCall {
            primitive: find("separation")?,
            place: None,
            cause,
            depends_on: Vec::new(),
            seen: None,
            raw,
            desired_velocity: None,
            has_share: true,
            share: raw * weight,
            vel_share: Vec2::ZERO,
            pull: raw * weight,
            weight: Some(weight),
            is_added: true,
        })
    }

    fn neighbors(count: u32) -> Option<Cause> {
        Some(Cause::Neighbors { count, nearest: AgentId(7), distance: 9.28 })
    }

    #[test]
    fn a_change_is_described_with_its_cause() {
        let describe = |old, new| describe_change(&CallPair { old, new, moved: false });
        let same = describe(call(1.5, neighbors(5)), call(1.6, neighbors(5)));
        assert_eq!(
            same,
            "`separation`: its weight was 1.5, is 1.6 (5 neighbors, nearest agent 7, 9.28 away)"
        );
        let other = describe(call(1.5, neighbors(1)), call(1.6, Some(Cause::NoNeighbors)));
        assert_eq!(
            other,
            "`separation`: its weight was 1.5, is 1.6 (no neighbors; before: 1 neighbor, agent 7, \
             9.28 away)"
        );
        let gone = describe(call(1.5, None), None);
        assert_eq!(gone, "`separation`: not called any more");
        let unused = describe(call(1.5, None), call(0.0, None));
        assert_eq!(
            unused,
            "`separation`: its weight was 1.5, and it has no share of the force now"
        );
        let used = describe(call(0.0, None), call(1.5, None));
        assert_eq!(used, "`separation`: it had no share of the force, and has the weight 1.5 now");
    }

    #[test]
    fn the_cause_is_the_call_that_tells_most() {
        let changed = || (call(1.5, None), call(1.6, None));
        let gone = |weight| (call(weight, None), None);
        let new = |weight| (None, call(weight, None));
        let cause = |pairs: Vec<(Option<ExplainedCall>, Option<ExplainedCall>)>| {
            let pairs = pairs.into_iter().map(|(old, new)| CallPair { old, new, moved: false });
            let pairs = pairs.collect();
            let force = Some(Vec2::X);
            let calls = CallPairs { pairs, old_force: force, new_force: force };
            calls.most_telling().map(|found| {
                let index = calls.pairs.iter().position(|pair| std::ptr::eq(pair, found));
                index.expect("one of the pairs")
            })
        };
        let same = || (call(1.5, None), call(1.5, None));
        assert_eq!(cause(vec![same()]), None);
        assert_eq!(cause(vec![same(), changed(), new(9.0)]), Some(1));
        // Caught: a bird that flocked and now flees was said to differ by a `separation` without neighbors.
        assert_eq!(cause(vec![gone(0.0), gone(1.0), new(118.0)]), Some(2));
        assert_eq!(cause(vec![gone(0.0), changed(), gone(-3.0), new(2.0)]), Some(2));
        assert_eq!(cause(vec![gone(2.0), new(2.0), new(2.0)]), Some(1));
        assert_eq!(cause(vec![new(2.0), gone(2.0)]), Some(0));
    }

    /// A difference of agent 0 at tick 3, without calls.
    fn diagnosis() -> Diagnosis {
        Diagnosis {
            place: None,
            absence: None,
            tick: 3,
            whole_run_tick: 3,
            start: 0,
            dt: 0.1,
            from: 0,
            old: OldRun::Known("HEAD".into()),
            difference: (3, crate::golden::Difference::default()),
            agent: Some(AgentId(0)),
            group: String::new(),
            explained: 3,
            branch: None,
            scenario: Vec::new(),
            scripts_changed: true,
            calls: CallPairs { pairs: Vec::new(), old_force: None, new_force: None },
            deviation: Vec::new(),
            farthest: None,
            has_windows: false,
        }
    }

    #[test]
    fn a_layer_that_differs_before_any_agent_does_is_named() {
        let first = Some((7, 0.5, 0.25));
        let layer = LayerDifference { name: "scent".into(), cells: 2, first };
        let layers = vec![layer];
        let difference = (3, crate::golden::Difference { layers, ..Default::default() });
        let text = Diagnosis { difference, agent: None, ..diagnosis() }.to_string();
        let differs = "`scent`: 2 cells differ, first the one with index 7: was 0.5, is 0.25";
        assert!(text.contains(differs), "{text}");
        assert!(text.contains("not compared: no agent differs yet"), "{text}");
    }

    #[test]
    fn the_table_shows_causes_where_there_is_room() {
        let row = |was: f32, cause: Option<Cause>| {
            let force = Some(Vec2::X);
            let (old, new) = (call(was, cause), call(1.5, neighbors(5)));
            let pair = CallPair { old, new, moved: false };
            let calls = CallPairs { pairs: vec![pair], old_force: force, new_force: force };
            let text = Diagnosis { calls, ..diagnosis() }.to_string();
            let row = text.lines().find(|line| line.contains(" x (2, 0)"));
            row.map(str::to_owned)
        };
        let is = "  cause: 5 neighbors, nearest agent 7, 9.28 away";
        let ends = |row: Option<String>, end: &str| row.is_some_and(|row| row.ends_with(end));
        assert!(ends(row(1.5, neighbors(5)), is));
        assert!(ends(row(1.6, neighbors(5)), is));
        assert!(ends(row(1.5, Some(Cause::NoNeighbors)), &format!("{is}; before: no neighbors")));
        // If there is no room for both causes, the new one is shown.
        assert!(ends(row(1.6125, Some(Cause::NoNeighbors)), is));
        let none = row(-1.2345e15, neighbors(5));
        assert!(none.is_some_and(|row| !row.contains("cause")));
    }

    #[test]
    fn curves_have_the_height_of_their_numbers() {
        let of = |numbers: &[f32]| {
            let all: Vec<_> = numbers.iter().map(|&x| (0, x)).collect();
            curve(&all)
        };
        assert_eq!(of(&[0.0, 1.0, 2.0, 4.0]), "▁▃▅█");
        assert_eq!(of(&[0.0]), "▁");
        assert_eq!(of(&[]), "");
        assert_eq!(of(&[1.0; 200]).chars().count(), 50);
    }
}
