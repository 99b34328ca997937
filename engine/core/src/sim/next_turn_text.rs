//! A [`NextTurn`] as text: the answer in one sentence, then everything in a table.

use std::fmt::{self, Write as _};

use super::{Contact, Decision, ExplainedCall, Explanation, ForceShare, NextTurn, NoDecision};
use crate::diag::Place;
use crate::math::{self, Vec2, percent, short, short_vector};
use crate::steer::Cause;
use crate::world::{AgentId, Values};

/// The width of the first column.
const COLUMN: usize = 15;

/// Says to the user why there is no explanation.
pub const NOT_EXPLAINED: &str = "not explained: no script decides for this agent";

/// Says to the user which forces those are that follow from the world after a tick.
pub fn forces_after(tick: u64) -> String {
    format!("of tick {}, decided from what the agent knows after tick {tick}", tick + 1)
}

/// Says to the user why an explanation has no shares.
const RESULTS_ONLY: &str = "only the interpreter can run this turn, so what the calls returned is known, but not their shares of \
                            the force; `check --perf` says what needs it";

/// Says to the user that an agent will not have the velocity that its force alone would give it.
pub const CHANGED_BY_CONTACT: &str = "changed by what it touches";

/// A force of less than this fraction of the greatest one hardly changes anything.
const TINY: f32 = 0.01;

/// An agent is at rest below this fraction of its maximum speed, and of 1.
const AT_REST: f32 = 1e-6;

/// An agent stands at a place within this distance, in world units and as a fraction of its radius, below this speed, and below this
/// fraction of its maximum speed.
const STANDING: f32 = 1e-3;

impl NextTurn {
    /// Returns the answer in one sentence: what the agent mostly follows, its cause, what blocks it, and what finds a way around
    /// that.
    pub fn headline(&self) -> String {
        let mut sentence = self.follows();
        if let Ok(decision) = &self.decision
            && decision.is_blocked()
        {
            let verb = if decision.contacts.len() == 1 { "blocks" } else { "block" };
            let all = contact_list(&decision.contacts, " and ");
            let _ = write!(sentence, ", but {all} {verb} it");
            if let Some(primitive) = decision.way_around() {
                let _ = write!(sentence, "; `{}` finds a way around obstacles", primitive.name);
            }
        } else if let Ok(decision) = &self.decision
            && let (Some(obstacle), Some(ahead)) = (&self.before_goal, &self.goal)
            && let Some(primitive) = decision.way_to_goal(ahead.goal.at)
        {
            let way = format!("`{}` finds a way around obstacles", primitive.name);
            let _ = write!(sentence, "; obstacle `{obstacle}` is between it and its goal: {way}");
        }
        sentence
    }

    /// Returns what the agent mostly follows, and its cause.
    fn follows(&self) -> String {
        let agent = format!("agent {} ({})", self.id, self.group_name);
        let decision = match &self.decision {
            Ok(decision) => decision,
            Err(NoDecision::Stopped) => return format!("{agent} has stopped"),
            Err(NoDecision::Fails(error)) => {
                return format!("{agent} cannot decide: {}", error.what.message);
            }
        };
        let Some(why) = &decision.explanation else {
            return format!("{agent} decides in a way that cannot be explained: see `forces`");
        };
        let (dominant, strongest) = (why.dominant(), why.strongest());
        let length = math::length(why.force);
        let sets_velocity = why.vel_change != Vec2::ZERO;
        let mut sentence = match dominant {
            _ if !why.has_shares() => format!("{agent} calls {}", why.called_primitives()),
            None if length == 0.0 && sets_velocity => {
                let (name, causes) = match why.dominant_variable() {
                    Some(one) => (format!(" with `{}`", one.name), &one.causes),
                    None => (String::new(), &why.vel_causes),
                };
                format!("{agent} sets its velocity itself{name}{}", because_of(causes))
            }
            Some(call) if length == 0.0 && sets_velocity => {
                let cause = call.reason();
                let cause = cause.map_or_else(String::new, |cause| format!(", because of {cause}"));
                let part = why.velocity_fraction(call.vel_share);
                let part = part.map_or_else(String::new, |part| part_in_words(why, part, "change"));
                let name = why.label(call);
                format!("{agent} sets its velocity with {name}{part}{cause}")
            }
            Some(call) if let Some(place) = self.standing_place(call) => {
                format!("{agent} stands at {place}, where {} keeps it", why.label(call))
            }
            Some(call) => {
                let name = why.label(call);
                let cause = call.reason();
                let cause = cause.map_or_else(String::new, |cause| format!(", because of {cause}"));
                let sentence = match (strongest, why.fraction(call.share)) {
                    (Some(other), part) if !std::ptr::eq(call, other) => {
                        let part = part.and(why.fraction(other.share));
                        let part =
                            part.map_or_else(String::new, |part| part_in_words(why, part, "force"));
                        let other = why.label(other);
                        format!(
                            "{agent} mostly follows {name}{cause}; the strongest force comes from {other}{part}"
                        )
                    }
                    (None, _) => {
                        format!("{agent} mostly follows {name}{cause}; this needs no force")
                    }
                    (_, Some(part)) => {
                        let part = part_in_words(why, part, "force");
                        format!("{agent} mostly follows {name}{part}{cause}")
                    }
                    (_, None) => format!(
                        "{agent} is pulled in opposite directions: the shares cancel each other out; the \
                         largest is that of {name}{cause}"
                    ),
                };
                let is_tiny = length > 0.0 && length < TINY * self.body.max_force;
                let is_tiny = is_tiny && self.body.max_force.is_finite();
                sentence + if is_tiny { "; this needs hardly any force" } else { "" }
            }
            None if why.rest_causes.is_empty() && length == 0.0 => {
                format!("{agent} wants no force and keeps its velocity")
            }
            None => {
                let variable = why.dominant_variable();
                let (share, causes) = variable.map_or((why.rest, &why.rest_causes), |variable| {
                    (variable.share, &variable.causes)
                });
                let name = variable.map_or_else(String::new, |one| format!(": `{}`", one.name));
                let part = why.fraction(share);
                let part = part.map_or_else(String::new, |part| part_in_words(why, part, "force"));
                let because = because_of(causes);
                format!(
                    "{agent} mostly follows what its script computes itself{name}{part}{because}"
                )
            }
        };
        if sets_velocity && (length > 0.0 || !why.has_shares()) {
            let _ = write!(
                sentence,
                "; and it sets its velocity itself{}",
                because_of(&why.vel_causes)
            );
        }
        sentence
    }

    /// Returns the place that a call is about, if the agent already stands there.
    fn standing_place(&self, call: &ExplainedCall) -> Option<String> {
        let Some(Cause::Point { at, distance }) = call.cause else { return None };
        let is_near = distance <= STANDING * math::max(self.body.radius, 1.0);
        let is_slow = math::length(self.vel) <= STANDING * math::min(self.body.max_speed, 1.0);
        let is_goal = self.goal.as_ref().is_some_and(|ahead| ahead.goal.at == at);
        let place = if is_goal { "its goal".to_owned() } else { short_vector(at) };
        (is_near && is_slow).then_some(place)
    }

    /// Returns what is known about the agent besides its forces: each with a name and a short text.
    pub fn facts(&self) -> Vec<(&'static str, String)> {
        let mut all = vec![
            (
                "agent",
                format!("{} ({}), index {} in its group", self.id, self.group_name, self.index),
            ),
            ("tick", format!("{} ({} s)", self.tick, short(self.time))),
            ("position", short_vector(self.pos)),
        ];
        let speed = math::length(self.vel);
        let mut velocity = format!("{}, speed {}", short_vector(self.vel), short(speed));
        if self.body.max_speed.is_finite() {
            let _ = write!(velocity, " of {}", short(self.body.max_speed));
        }
        if speed < AT_REST * math::min(self.body.max_speed, 1.0) {
            velocity = "none: it is at rest".to_owned();
        }
        all.push(("velocity", velocity));
        if self.params.iter().next().is_some() {
            all.push(("params", self.params.to_string()));
        }
        let decision = self.decision.as_ref();
        let next = decision.map_or(&self.state, |decision| &decision.next_state);
        if self.state.iter().chain(next.iter()).next().is_some() {
            all.push(("state", values_with_changes(&self.state, next)));
        }
        if let Ok(decision) = decision
            && !decision.contacts.is_empty()
        {
            all.push(("touches", contact_list(&decision.contacts, ", ")));
        }
        all.extend(self.choices().iter().map(|kept| ("choice", kept.text())));
        if let Some(goal) = &self.goal {
            let (at, distance) = (short_vector(goal.goal.at), short(goal.distance));
            let which = format!("{} of {}", self.goals_reached + 1, goal.all);
            let reached = match goal.goal.radius {
                0.0 => "never reached".to_owned(),
                radius => format!("reached within {}", short(radius)),
            };
            all.push(("goal", format!("{at}, {distance} away, {reached}; {which}")));
        } else if self.goals_reached > 0 {
            let which = if self.goals_reached == 1 { "its only one" } else { "the last one" };
            all.push(("goal", format!("{which} is reached")));
        }
        if let Some(waypoint) = &self.waypoint {
            let (at, distance) = (short_vector(waypoint.at), short(waypoint.distance));
            let (number, path) = (waypoint.number, &waypoint.path);
            let back = if waypoint.back { ", on the way back" } else { "" };
            all.push((
                "waypoint",
                format!("{number} of path `{path}` at {at}, {distance} away{back}"),
            ));
        }
        all
    }
}

/// Shows everything: the sentence, the calls that are left out, which would not be in sight further below, the facts about the agent, its
/// forces, and the movement they cause.
impl fmt::Display for NextTurn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = format!("{}\n", self.headline());
        for calls in &self.skipped {
            let (names, place) = (calls.names().join(", "), &calls.condition);
            write_line(&mut text, "not called", format!("{names}  {place}  {calls}"));
        }
        text.push('\n');
        for (name, what) in self.facts() {
            write_line(&mut text, name, what);
        }
        match &self.decision {
            Ok(decision) => self.write_decision(&mut text, decision),
            Err(NoDecision::Stopped) => write_line(&mut text, "forces", "none: it has stopped"),
            Err(NoDecision::Fails(error)) => {
                let what = &error.what;
                write_line(
                    &mut text,
                    "forces",
                    format!("none, since its turn fails: {}", what.message),
                );
                if let Some(place) = &what.place {
                    write_line(&mut text, "fails at", place);
                }
            }
        }
        f.write_str(text.trim_end())
    }
}

impl NextTurn {
    fn write_decision(&self, text: &mut String, decision: &Decision) {
        match &decision.explanation {
            Some(why) => {
                write_line(text, "forces", forces_after(self.tick));
                write_shares(text, why);
                let legend = why.legend();
                if !legend.is_empty() {
                    write_line(text, "how to read", legend);
                }
            }
            None => write_line(text, "forces", NOT_EXPLAINED),
        }
        if decision.set_vel != self.vel {
            let (was, is) = (short_vector(self.vel), short_vector(decision.set_vel));
            let cause = decision.explanation.as_ref().map(|why| because_of(&why.vel_causes));
            let cause = cause.unwrap_or_default();
            write_line(text, "own velocity", format!("{was} -> {is}, set by its script{cause}"));
        }
        if decision.push != Vec2::ZERO {
            let push = short_vector(decision.push);
            write_line(text, "push", format!("{push}, by events after the decision or by noise"));
        }
        let sized = |v| format!("{}, length {}", short_vector(v), short(math::length(v)));
        write_line(text, "wanted", sized(decision.wanted_force));
        let most = short(self.body.max_force);
        write_line(
            text,
            "force",
            match (decision.is_force_cut(), self.body.max_force.is_finite()) {
                (true, _) => format!("cut to max_force {most}: {}", short_vector(decision.force)),
                (false, true) => format!("not cut, max_force is {most}"),
                (false, false) => "not cut, it has no max_force".into(),
            },
        );
        for cut in &decision.cuts {
            write_line(text, "limit", cut);
        }
        let mut next = format!(
            "{}, speed {}",
            short_vector(decision.next_vel),
            short(math::length(decision.next_vel))
        );
        if decision.is_speed_cut() {
            let (from, most) = (math::length(decision.wanted_vel), self.body.max_speed);
            let _ = write!(next, ", cut from {} to max_speed {}", short(from), short(most));
        }
        if decision.next_vel != decision.vel {
            let _ = write!(next, ", {CHANGED_BY_CONTACT}");
        }
        write_line(text, "next velocity", next);
        write_line(text, "next position", short_vector(decision.next_pos));
    }
}

/// Writes the shares of a force, one on each line.
fn write_shares(text: &mut String, why: &Explanation) {
    let or_empty = |words: Option<String>| words.unwrap_or_default();
    let row = |share: &ForceShare<'_>| {
        let desired = share.call.and_then(|call| call.desired_velocity);
        [
            share.name().to_owned(),
            or_empty(share.fraction.map(percent)),
            share.product(),
            or_empty(desired.map(|velocity| format!("desired {}", short_vector(velocity)))),
            share.place().map_or_else(|| "computed by the script".into(), Place::to_string),
            or_empty(share.cause_text().map(|words| format!("cause: {words}"))),
        ]
    };
    let shares = why.shares();
    let rows: Vec<_> = shares.iter().map(row).collect();
    let widths: [usize; 6] = std::array::from_fn(|column| {
        rows.iter().map(|row| row[column].chars().count()).max().unwrap_or_default()
    });
    let [name, percentage, product, desired, place, _] = widths;
    for (share, row) in shares.iter().zip(&rows) {
        let mark = if share.is_dominant { '*' } else { ' ' };
        let line = format!(
            "{mark} {:<name$}  {:>percentage$}  {:<product$}  {:<desired$}  {:<place$}  {}",
            row[0], row[1], row[2], row[3], row[4], row[5]
        );
        let _ = writeln!(text, "{}", line.trim_end());
    }
}

impl ExplainedCall {
    /// Returns the cause in a few words, and what its point or velocity argument was computed from. `None` if it
    /// depends on nothing outside of the agent, or if the primitive found no neighbors or nothing ahead.
    pub fn reason(&self) -> Option<String> {
        let cause = join_causes(self.cause.as_slice());
        match (cause, join_causes(&self.depends_on)) {
            (Some(cause), Some(others)) => Some(format!("{cause}, which depends on {others}")),
            (cause, others) => cause.or(others),
        }
    }

    /// Returns the same, but also `no neighbors` and `nothing ahead`.
    pub fn cause_text(&self) -> Option<String> {
        self.reason().or_else(|| self.cause.as_ref().map(Cause::to_string))
    }
}

impl Explanation {
    /// Returns the name of the primitive of a call, with its line if another call has the same one.
    fn label(&self, call: &ExplainedCall) -> String {
        let name = call.primitive.name;
        let same = self.calls.iter().filter(|one| one.primitive.name == name).count();
        match &call.place {
            Some(place) if same > 1 => {
                let (line, _) = place.source.line_column(place.span.start);
                format!("`{name}` in line {line}")
            }
            _ => format!("`{name}`"),
        }
    }

    /// Lists the names of the primitives that are called, each once.
    fn called_primitives(&self) -> String {
        let mut names: Vec<String> = Vec::new();
        for call in &self.calls {
            let name = format!("`{}`", call.primitive.name);
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names.join(", ")
    }

    /// Explains the percentages and the star beside the shares in one line. Empty if there is neither.
    pub fn legend(&self) -> String {
        if !self.has_shares() {
            return RESULTS_ONLY.to_owned();
        }
        let shares = self.shares();
        let fractions: Vec<f32> = shares.iter().filter_map(|share| share.fraction).collect();
        let beyond =
            |fraction: &f32| is_more_than_all(*fraction) || (fraction * 100.0).round() < 0.0;
        let mut meanings = Vec::new();
        if !fractions.is_empty() {
            meanings.push(if shares.iter().any(|share| share.is_of_velocity) {
                "% is how much of the force, or of the change of velocity, comes from it, in that direction"
            } else {
                "% is how much of the force comes from it, in the direction of the force"
            });
        }
        if fractions.iter().any(beyond) {
            meanings.push("all together are 100 %: those that pull the other way are negative, so others can be above 100 %");
        }
        if shares.iter().any(|share| share.is_dominant) {
            meanings.push(if self.is_on_its_way() {
                "* needs little force, since the agent already moves that way"
            } else {
                "* has the largest share"
            });
        }
        meanings.join("; ")
    }

    /// Returns whether the agent mostly follows another call than the one with the largest share of the force.
    fn is_on_its_way(&self) -> bool {
        match (self.dominant(), self.strongest()) {
            (Some(one), Some(other)) => !std::ptr::eq(one, other),
            (one, other) => one.is_some() != other.is_some(),
        }
    }
}

/// Returns whether a part is shown as more than 100 %.
fn is_more_than_all(part: f32) -> bool {
    (part * 100.0).round() > 100.0
}

/// Returns a part of the whole force or change as it stands behind the name of its call. If it is more than the whole, it says why.
fn part_in_words(why: &Explanation, part: f32, whole: &str) -> String {
    let words = percent(part);
    if !is_more_than_all(part) {
        return format!(" ({words})");
    }
    let against = why
        .opposing()
        .map_or_else(|| "other shares pull".to_owned(), |one| format!("{} pulls", why.label(one)));
    format!(" ({words}: more than the whole {whole}, since {against} against it)")
}

/// Number of causes that are listed; of the others only their number is given.
const MAX_CAUSES: usize = 3;

/// Lists contacts; of many, only their number is given beside the first ones.
fn contact_list(contacts: &[Contact], last: &str) -> String {
    let mut words: Vec<String> = contacts.iter().take(MAX_CAUSES).map(Contact::to_string).collect();
    if contacts.len() > MAX_CAUSES {
        words.push(format!("{} more", contacts.len() - MAX_CAUSES));
    }
    match words.split_last() {
        Some((end, rest)) if !rest.is_empty() => format!("{}{last}{end}", rest.join(", ")),
        _ => words.concat(),
    }
}

fn because_of(of: &[Cause]) -> String {
    join_causes(of).map_or_else(String::new, |causes| format!(", because of {causes}"))
}

/// Joins the causes that exist into a short text, without an agent that is named as the nearest neighbor. `None` if there are none.
pub(super) fn join_causes(of: &[Cause]) -> Option<String> {
    let is_nearest = |agent: AgentId| {
        of.iter()
            .any(|cause| matches!(cause, Cause::Neighbors { nearest, .. } if *nearest == agent))
    };
    let is_there = |cause: &&Cause| match cause {
        Cause::NoNeighbors | Cause::NothingAhead => false,
        Cause::Agent { id, .. } => !is_nearest(*id),
        _ => true,
    };
    let all: Vec<String> = of.iter().filter(is_there).map(Cause::to_string).collect();
    let few = all.iter().take(MAX_CAUSES).cloned().collect::<Vec<_>>().join("; ");
    let more = all.len().saturating_sub(MAX_CAUSES);
    match (all.len(), more) {
        (0, _) => None,
        (_, 0) => Some(few),
        _ => Some(format!("{few}; and {more} more")),
    }
}

/// Lists the values, and for those that change also the new value.
fn values_with_changes(from: &Values, to: &Values) -> String {
    let same = |(name, value)| match from.get(name) {
        Some(old) if old != value => format!("{name} = {old} -> {value}"),
        _ => format!("{name} = {value}"),
    };
    let all: Vec<String> = to.iter().map(same).collect();
    all.join(", ")
}

fn write_line(text: &mut String, name: &str, what: impl fmt::Display) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{name:<COLUMN$}{what}");
}
