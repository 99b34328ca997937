//! A diagnosis as text, for whoever has to decide whether it is right.

use std::fmt::{self, Write as _};

use super::calls::Pair;
use super::diagnose::{Diagnosis, Old};
use crate::golden::FieldDifference;
use crate::math::{self, short, short_vector as vector};
use crate::sim::ExplainedCall;

/// The width of the first column.
const COLUMN: usize = 15;

/// No curve is wider.
const CURVE: usize = 60;

/// No line of the table of forces is made wider than this by saying because of whom.
const TABLE: usize = 140;

impl fmt::Display for Diagnosis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        self.first(&mut text);
        self.why(&mut text);
        self.course(&mut text);
        f.write_str(text.trim_end())
    }
}

impl Diagnosis {
    fn first(&self, text: &mut String) {
        let seconds = self.tick as f32 * self.dt;
        let mut when = format!("tick {} ({} s)", self.tick, short(seconds));
        if self.tick == self.start {
            when.push_str(", the start");
        } else if self.is_windows {
            let _ = write!(when, ", in the window from tick {}", self.from);
            if self.whole_tick < self.tick {
                let _ = write!(when, "; the whole run from tick {} on", self.whole_tick);
            }
        }
        line(text, "first differs", when);
        let (at, difference) = &self.difference;
        let later = if *at == self.tick {
            String::new()
        } else {
            format!(" at tick {at}, the next keyframe,")
        };
        if let Some(id) = self.agent {
            let mut what = format!("agent {id}");
            if !self.group.is_empty() {
                let _ = write!(what, " ({})", self.group);
            }
            let _ = write!(what, "{later}");
            let by = |largest: Option<crate::golden::Largest>| {
                largest.filter(|one| one.id == id).map(|one| short(one.by))
            };
            if let Some(by) = by(difference.position) {
                let _ = write!(what, " is {by} off in position");
            }
            if let Some(by) = by(difference.velocity) {
                let joint = if by_position(difference, id) { "," } else { " is" };
                let _ = write!(what, "{joint} {by} off in velocity");
            }
            line(text, "farthest off", what);
        }
        if let Some(FieldDifference { id, field, was, is }) = &difference.first {
            line(text, "first agent", format!("agent {id}, {field}: was {was}, is {is}"));
        }
        for (ids, word) in [(&difference.missing, "missing"), (&difference.surplus, "too many")] {
            if !ids.is_empty() {
                line(text, word, agents(ids));
            }
        }
        let number = difference.agents;
        let all =
            if number == 1 { "1 agent differs".into() } else { format!("{number} agents differ") };
        line(
            text,
            "",
            format!("{all}{}", if later.is_empty() { " at that tick" } else { " there" }),
        );
    }

    /// Returns what changed first, in one line: which call of a primitive, in which line of the script, and
    /// how. `None` at the start, and where the forces of both runs are not known.
    pub fn cause(&self) -> Option<String> {
        if self.tick == self.start {
            return None;
        }
        if let Some(pair) = self.calls.first_different() {
            return Some(because(pair));
        }
        let are_known = self.calls.old_force.is_some() && self.calls.new_force.is_some();
        are_known.then(|| {
            "no primitive: all answers and weights are the same, the script does something else"
                .into()
        })
    }

    fn why(&self, text: &mut String) {
        match &self.old {
            Old::Known(revision) => {
                let as_it_was = format!("revision {revision}, run from tick {} on", self.from);
                line(text, "compared with", as_it_was);
            }
            Old::Unknown(help) => line(text, "old forces", format!("not known: {help}")),
            Old::Otherwise(revision) => line(
                text,
                "compared with",
                format!(
                    "nothing: the scenario and scripts of revision {revision} do not give this golden \
                     either, so Flockwork itself computes otherwise, or the golden is not theirs"
                ),
            ),
        }
        if self.tick == self.start {
            return;
        }
        let before = self.tick - 1;
        if let Some(cause) = self.cause() {
            line(text, "because of", cause);
        }
        if self.calls.new_force.is_none() {
            let none = "not explained: its turn computes too many vectors to keep track of";
            line(text, "forces", none);
            return;
        }
        line(text, "forces", format!("decided on in the state after tick {before}"));
        for pair in &self.calls.all {
            self.call(text, pair);
        }
        let total = match (self.calls.old_force, self.calls.new_force) {
            (Some(old), Some(new)) => changed(vector(old), vector(new)),
            (None, Some(new)) => vector(new),
            (old, None) => old.map_or_else(String::new, vector),
        };
        let _ = writeln!(text, "  {:<22}{total}", "in all");
    }

    fn call(&self, text: &mut String, pair: &Pair) {
        let known = self.calls.old_force.is_some();
        let (name, part) = match (&pair.old, &pair.new) {
            (Some(old), Some(new)) => (new.primitive.name, changed(old.product(), new.product())),
            (Some(old), None) => {
                (old.primitive.name, format!("{}, no longer there", old.product()))
            }
            (None, Some(new)) if known => (new.primitive.name, format!("new: {}", new.product())),
            (None, Some(new)) => (new.primitive.name, new.product()),
            (None, None) => return,
        };
        let mark = if known && pair.differs() { '*' } else { ' ' };
        let place = position(pair.new.as_ref().or(pair.old.as_ref()));
        let mut told = format!("{mark} {name:<22}{part}  {place}");
        let left = TABLE.saturating_sub(told.chars().count());
        let now = words(pair.new.as_ref().or(pair.old.as_ref()));
        let mut whom = [cause(pair), now].into_iter().flatten();
        let whom = whom.find_map(|cause| {
            let whom = format!("  for {cause}");
            (whom.chars().count() <= left).then_some(whom)
        });
        told.push_str(&whom.unwrap_or_default());
        let _ = writeln!(text, "{told}");
    }

    fn course(&self, text: &mut String) {
        if self.deviation.is_empty() {
            return;
        }
        let of = if self.is_windows { "at the end of each window" } else { "at each keyframe" };
        let mut told = curve(&self.deviation);
        if let Some((tick, largest)) = self.farthest {
            let _ = write!(
                told,
                "  up to {} world units (agent {}, tick {tick}), {of}",
                short(largest.by),
                largest.id
            );
        }
        line(text, "deviation", told);
    }
}

fn by_position(difference: &crate::golden::Difference, id: u32) -> bool {
    difference.position.is_some_and(|one| one.id == id)
}

/// What one call has to do with it, in a line.
fn because(pair: &Pair) -> String {
    let place = position(pair.new.as_ref().or(pair.old.as_ref()));
    let at = if place.is_empty() { String::new() } else { format!(" at {place}") };
    let told = match (&pair.old, &pair.new) {
        (Some(old), Some(new)) => {
            let name = new.primitive.name;
            match (old.weight, new.weight) {
                _ if old.raw != new.raw => {
                    let (was, is) = (vector(old.raw), vector(new.raw));
                    format!("`{name}`{at}: it answered {was}, now {is}")
                }
                (Some(was), Some(is)) => {
                    format!("`{name}`{at}: its weight was {}, now {}", short(was), short(is))
                }
                _ => {
                    let (was, is) = (vector(old.share), vector(new.share));
                    format!("`{name}`{at}: its share was {was}, now {is}")
                }
            }
        }
        (Some(old), None) => format!("`{}`{at}: no longer called", old.primitive.name),
        (None, Some(new)) => format!("`{}`{at}: not called before", new.primitive.name),
        (None, None) => return String::new(),
    };
    match cause(pair) {
        Some(cause) => format!("{told} ({cause})"),
        None => told,
    }
}

/// Because of whom a call was made, in a few words; as it is and as it was, if that reads otherwise.
fn cause(pair: &Pair) -> Option<String> {
    match (words(pair.old.as_ref()), words(pair.new.as_ref())) {
        (Some(old), Some(new)) if old != new => Some(format!("{new}; was {old}")),
        (old, new) => new.or(old),
    }
}

fn words(call: Option<&ExplainedCall>) -> Option<String> {
    Some(call?.cause.as_ref()?.to_string())
}

fn position(call: Option<&ExplainedCall>) -> String {
    call.map_or_else(String::new, ExplainedCall::position)
}

fn changed(was: String, is: String) -> String {
    if was == is { is } else { format!("{was} -> {is}") }
}

fn agents(ids: &[u32]) -> String {
    let few: Vec<String> = ids.iter().take(8).map(|id| format!("agent {id}")).collect();
    let more = if ids.len() > few.len() { ", ..." } else { "" };
    format!("{}{more}", few.join(", "))
}

fn line(text: &mut String, name: &str, what: impl fmt::Display) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{name:<COLUMN$}{what}");
}

/// Numbers as bars, side by side; several in one where there are too many.
fn curve(of: &[(u64, f32)]) -> String {
    const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let most = of.iter().fold(0.0, |most, (_, x)| math::max(most, *x));
    let per_bar = of.len().div_ceil(CURVE);
    let bar = |part: &[(u64, f32)]| {
        let highest = part.iter().fold(0.0, |most, (_, x)| math::max(most, *x));
        let share = if most > 0.0 { highest / most } else { 0.0 };
        BARS[((share * 8.0) as usize).min(7)]
    };
    of.chunks(per_bar.max(1)).map(bar).collect()
}

#[cfg(test)]
mod tests {
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
            share: raw * weight,
            pull: raw * weight,
            weight: Some(weight),
        })
    }

    fn neighbors(count: u32) -> Option<Cause> {
        Some(Cause::Neighbors { count, nearest: 7, distance: 9.28 })
    }

    #[test]
    fn what_differs_is_told_with_whom_it_is_because_of() {
        let told = |old, new| because(&Pair { old, new });
        let same = told(call(1.5, neighbors(5)), call(1.6, neighbors(5)));
        assert_eq!(
            same,
            "`separation`: its weight was 1.5, now 1.6 (5 neighbors, nearest agent 7, 9.28 away)"
        );
        let other = told(call(1.5, neighbors(1)), call(1.6, Some(Cause::NoNeighbors)));
        assert_eq!(
            other,
            "`separation`: its weight was 1.5, now 1.6 (no neighbors; was 1 neighbor, agent 7, \
             9.28 away)"
        );
        let gone = told(call(1.5, None), None);
        assert_eq!(gone, "`separation`: no longer called");
    }

    #[test]
    fn the_table_says_because_of_whom_where_there_is_room() {
        let row = |was: f32, whom: Option<Cause>| {
            let force = Some(Vec2::X);
            let pair = Pair { old: call(was, whom), new: call(1.5, neighbors(5)) };
            let diagnosis = Diagnosis {
                tick: 3,
                whole_tick: 3,
                start: 0,
                dt: 0.1,
                from: 0,
                old: Old::Known("HEAD".into()),
                difference: (3, crate::golden::Difference::default()),
                agent: Some(0),
                group: String::new(),
                calls: super::super::Calls { all: vec![pair], old_force: force, new_force: force },
                deviation: Vec::new(),
                farthest: None,
                is_windows: false,
            };
            let text = diagnosis.to_string();
            let row = text.lines().find(|line| line.contains(" x (2, 0)"));
            row.map(str::to_owned)
        };
        let is = "  for 5 neighbors, nearest agent 7, 9.28 away";
        let ends = |row: Option<String>, end: &str| row.is_some_and(|row| row.ends_with(end));
        assert!(ends(row(1.5, neighbors(5)), is));
        assert!(ends(row(1.6, neighbors(5)), is));
        assert!(ends(row(1.5, Some(Cause::NoNeighbors)), &format!("{is}; was no neighbors")));
        // Whom it is because of now comes first.
        assert!(ends(row(1.6125, Some(Cause::NoNeighbors)), is));
        let none = row(-1.2345e15, neighbors(5));
        assert!(none.is_some_and(|row| !row.contains("for")));
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
