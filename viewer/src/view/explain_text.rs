//! The explanation of the selected agent, as lines that fit its panel.

use flockwork_engine::math::{self, Vec2, short, short_vector};
use flockwork_engine::sim::{
    CHANGED_BY_CONTACT, Decision, Explanation, ForceShare, NOT_EXPLAINED, NextTurn,
};
use flockwork_engine::steer::ExplainedCall;

use super::text_writer::{LINE, PAD, SIZE, SMALL, cut, wrap};
use crate::draw::text_width;

/// Height of the title, in pixels.
pub(super) const TITLE: f32 = 24.0;
/// Height of a line of facts, in pixels.
pub(super) const FACT: f32 = 16.0;
/// Distance of the values from the left edge of the facts, in pixels.
pub(super) const VALUE: f32 = 78.0;
/// Height of a call without a desired velocity whose reason fits in a line, in pixels.
const CALL: f32 = NAME + 2.0 * CALL_LINE + GROUP_GAP;
/// Height of the line with the name of a call, in pixels.
pub(super) const NAME: f32 = 16.0;
/// Height of a call that is shown in one line, in pixels, if its reason fits there: it can be clicked.
const FAINT: f32 = 24.0;
/// Height of the gap between two groups of rows, in pixels.
pub(super) const GROUP_GAP: f32 = 12.0;
/// Height of a line of a call, in pixels.
pub(super) const CALL_LINE: f32 = 16.0;
/// Distance of the lines of a call from the left of the panel's content, in pixels.
pub(super) const INDENT: f32 = 12.0;
/// Distance of the bars from the left of the panel's content, in pixels.
pub(super) const BARS: f32 = 130.0;

/// A share smaller than this fraction of the largest one is shown in one line.
const FAINT_FRACTION: f32 = 0.005;
/// A share from this fraction of the whole force on is shown as more than 100 %.
const MORE_THAN_ALL: f32 = 1.005;
/// Maximum number of lines of a fact.
const MAX_LINES: usize = 4;

/// Returns the facts about an agent as lines, each with a name; the name is empty for further lines of the same fact.
pub(super) fn facts(next_turn: &NextTurn, width: f32) -> Vec<(&'static str, String)> {
    let mut lines = Vec::new();
    let width = width - 2.0 * PAD - VALUE;
    for (name, value) in next_turn.facts() {
        // The title and the strip show these.
        if name == "agent" || name == "tick" {
            continue;
        }
        let all = wrap(&value, SMALL, width);
        for (i, line) in all.iter().take(MAX_LINES).enumerate() {
            let is_cut = i + 1 == MAX_LINES && all.len() > MAX_LINES;
            let end = if is_cut { " …" } else { "" };
            lines.push((if i == 0 { name } else { "" }, format!("{line}{end}")));
        }
    }
    lines
}

/// Returns the summary of the decision as lines.
pub(super) fn headline(next_turn: &NextTurn, width: f32) -> Vec<String> {
    let words = next_turn.headline();
    // The title names the agent already.
    let agent = format!("agent {} ({}) ", next_turn.id, next_turn.group_name);
    let words = words.strip_prefix(&agent).unwrap_or(&words);
    wrap(words, SIZE, width - 2.0 * PAD).into_iter().map(str::to_owned).collect()
}

/// Returns the legend of percentages and the star as lines.
pub(super) fn legend(all: &Explanation, width: f32) -> Vec<String> {
    let words = all.legend();
    let lines = wrap(&words, SMALL, width - 2.0 * PAD);
    lines.into_iter().map(str::to_owned).collect()
}

/// Returns the height of the facts about an agent, in pixels.
pub(super) fn facts_height(next_turn: &NextTurn, width: f32) -> f32 {
    facts(next_turn, width).len() as f32 * FACT + GROUP_GAP
}

/// Returns the distance of what follows the headline from the top of the panel, in pixels.
pub(super) fn headline_bottom(next_turn: &NextTurn, width: f32) -> f32 {
    PAD + TITLE + headline(next_turn, width).len() as f32 * LINE + GROUP_GAP
}

/// Returns the height of the panel for an agent, in pixels.
pub(super) fn height(next_turn: &NextTurn, width: f32) -> f32 {
    let calls = match (&next_turn.decision, explanation(next_turn)) {
        (Err(_), _) => 0.0,
        (Ok(_), None) => not_explained(width).len() as f32 * LINE * SMALL / SIZE,
        (Ok(_), Some(all)) => rows(&all.shares(), width).map(|row| row.height).sum::<f32>(),
    };
    let legend = explanation(next_turn).map_or(0, |all| legend(all, width).len());
    let limits = next_turn.decision.as_ref().map_or(0, |one| limits(one, width).len());
    let limits = if limits == 0 { 0.0 } else { limits as f32 * FACT + GROUP_GAP };
    let above = headline_bottom(next_turn, width) + facts_height(next_turn, width);
    above + calls + limits + legend as f32 * CALL_LINE + PAD
}

/// Returns the force, what the limits of the body leave of it, and the next velocity as lines, each with a name; the name is empty for
/// further lines of the same.
pub(super) fn limits(decision: &Decision, width: f32) -> Vec<(&'static str, String)> {
    let mut lines = Vec::new();
    let mut add = |name: &'static str, value: &str| {
        let all = wrap(value, SMALL, width - 2.0 * PAD - VALUE).into_iter();
        lines.extend(all.enumerate().map(|(i, line)| {
            let name = if i == 0 { name } else { "" };
            (name, line.to_owned())
        }));
    };
    let with_length =
        |force: Vec2| format!("{}, length {}", short_vector(force), short(math::length(force)));
    add("force", &with_length(decision.wanted_force));
    if decision.is_force_cut() {
        add("cut to", &format!("{} by max_force", with_length(decision.force)));
    }
    for cut in &decision.cuts {
        add("limit", &cut.to_string());
    }
    let mut next = short_vector(decision.next_vel);
    if decision.is_speed_cut() {
        next += ", cut by max_speed";
    }
    if decision.next_vel != decision.vel {
        next += &format!(", {CHANGED_BY_CONTACT}");
    }
    add("next velocity", &next);
    lines
}

/// Says as lines that a decision has no explanation.
fn not_explained(width: f32) -> Vec<&'static str> {
    wrap(NOT_EXPLAINED, SMALL, width - 2.0 * PAD)
}

/// The layout of a share of the force.
pub(super) struct ShareRow {
    /// Whether the share is negligible and not the dominant one.
    pub is_faint: bool,
    /// The file and line of the call and the cause of the share, as lines.
    pub reason: Vec<String>,
    /// Height, in pixels.
    pub height: f32,
}

/// Returns the layout of each share, in order, in a panel of a width.
pub(super) fn rows(shares: &[ForceShare<'_>], width: f32) -> impl Iterator<Item = ShareRow> {
    let longest = [false, true].map(|is_of_velocity| {
        let same = shares.iter().filter(|share| share.is_of_velocity == is_of_velocity);
        same.map(|share| math::length(share.force)).fold(0.0, math::max)
    });
    shares.iter().enumerate().map(move |(index, share)| {
        let longest = longest[usize::from(share.is_of_velocity)];
        let is_faint = !share.is_rest()
            && !share.is_dominant
            && math::length(share.force) <= longest * FAINT_FRACTION;
        let height = match (is_faint, share.call.and_then(|call| call.desired_velocity)) {
            // The others have a gap below them.
            (true, _) if index + 1 == shares.len() => FAINT + GROUP_GAP / 2.0,
            (true, _) => FAINT,
            (false, None) => CALL,
            (false, Some(_)) => CALL + CALL_LINE,
        };
        let left = if is_faint { BARS } else { INDENT };
        let room = width - 2.0 * PAD - left;
        let words = reason(share, room);
        let reason = wrap(&words, SMALL, room);
        let more = reason.len().saturating_sub(1) as f32 * CALL_LINE;
        let reason = reason.into_iter().map(str::to_owned).collect();
        ShareRow { is_faint, reason, height: height + more }
    })
}

/// Returns the file and line of a call, that it has no effect although it returned a force, the cause of the share, and why it is more
/// than the whole force.
fn reason(share: &ForceShare<'_>, room: f32) -> String {
    let is_left_out = |call: &&ExplainedCall| call.has_share && call.raw != Vec2::ZERO;
    let left_out = share.call.filter(is_left_out).filter(|_| share.force == Vec2::ZERO);
    let unused = left_out.map(|call| match call.is_added {
        true => "not used: its weight is 0".to_owned(),
        false => "not used: the script gives another force".to_owned(),
    });
    let is_more = share.fraction.is_some_and(|part| part > MORE_THAN_ALL);
    let more = is_more.then(|| "more than 100 %, since others pull against it".to_owned());
    let position = position(share).map(|(name, line)| {
        // The line says more than the end of the name.
        let line = format!(":{line}");
        cut(name, SMALL, room - text_width(&line, SMALL)) + &*line
    });
    let all = [position, unused, share.cause_text(), more];
    all.into_iter().flatten().collect::<Vec<_>>().join("  ·  ")
}

/// Returns the file and line of a call or a variable.
pub(super) fn call_position(share: &ForceShare<'_>) -> Option<String> {
    position(share).map(|(name, line)| format!("{name}:{line}"))
}

fn position<'s>(share: &ForceShare<'s>) -> Option<(&'s str, usize)> {
    let place = share.place()?;
    let (line, _) = place.source.line_column(place.span.start);
    Some((place.source.name.rsplit('/').next().unwrap_or_default(), line))
}

/// Returns the explanation of the chosen force, if there is one.
pub(super) fn explanation(next_turn: &NextTurn) -> Option<&Explanation> {
    next_turn.decision.as_ref().ok()?.explanation.as_ref()
}
