//! The explanation of the selected agent, as lines that fit its panel.

use flockwork_engine::math;
use flockwork_engine::sim::{Explanation, ForceShare, NextTurn};

use super::text_writer::{LINE, PAD, SIZE, SMALL, wrap};

/// Width of the panel if there is room, in pixels. The functions below take the width that it has.
pub(super) const WIDTH: f32 = 380.0;
/// Height of the title, in pixels.
pub(super) const TITLE: f32 = 24.0;
/// Height of a line of facts, in pixels.
pub(super) const FACT: f32 = 16.0;
/// Distance of the values from the left edge of the facts, in pixels.
pub(super) const VALUE: f32 = 78.0;
/// Height of a call without a desired velocity, in pixels.
const CALL: f32 = 52.0;
/// Height of a call that is shown in one line, in pixels: it can be clicked.
const FAINT: f32 = 24.0;
/// Height of the gap below the headline, in pixels.
pub(super) const HEADLINE_GAP: f32 = 6.0;
/// Height of the gap below the facts, in pixels.
pub(super) const FACTS_GAP: f32 = 8.0;
/// Height of a line of a call, in pixels.
pub(super) const CALL_LINE: f32 = 15.0;

/// A share smaller than this fraction of the largest one is shown in one line.
const FAINT_FRACTION: f32 = 0.005;
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

/// Returns the distance of the first share of the force from the top of the panel, in pixels.
pub(super) fn shares_top(next_turn: &NextTurn, width: f32) -> f32 {
    let (lines, facts) = (headline(next_turn, width).len(), facts(next_turn, width).len());
    let (lines, facts) = (lines as f32, facts as f32);
    PAD + TITLE + lines * LINE + HEADLINE_GAP + facts * FACT + FACTS_GAP
}

/// Returns the height of the panel for an agent, in pixels.
pub(super) fn height(next_turn: &NextTurn, width: f32) -> f32 {
    let calls = explanation(next_turn)
        .map_or(2.0, |all| rows(&all.shares()).map(|row| row.height).sum::<f32>());
    let legend = explanation(next_turn).map_or(0, |all| legend(all, width).len());
    let calls = calls + legend as f32 * CALL_LINE;
    shares_top(next_turn, width) + calls + limits_height(next_turn) + PAD
}

/// Returns the height of the lines about limits below the calls, in pixels.
fn limits_height(next_turn: &NextTurn) -> f32 {
    let cuts = next_turn.decision.as_ref().map_or(0, |decision| decision.cuts.len());
    (3 + cuts) as f32 * FACT
}

/// The layout of a share of the force.
#[derive(Clone, Copy)]
pub(super) struct ShareRow {
    /// Whether the share is negligible and not the dominant one.
    pub is_faint: bool,
    /// Height, in pixels.
    pub height: f32,
}

/// Returns the layout of each share, in order.
pub(super) fn rows(shares: &[ForceShare<'_>]) -> impl Iterator<Item = ShareRow> {
    let longest = [false, true].map(|is_of_velocity| {
        let same = shares.iter().filter(|share| share.is_of_velocity == is_of_velocity);
        same.map(|share| math::length(share.force)).fold(0.0, math::max)
    });
    shares.iter().map(move |share| {
        let longest = longest[usize::from(share.is_of_velocity)];
        let is_faint = share.call.is_some()
            && !share.is_dominant
            && math::length(share.force) <= longest * FAINT_FRACTION;
        let height = match (is_faint, share.call.and_then(|call| call.desired_velocity)) {
            (true, _) => FAINT,
            (false, None) => CALL,
            (false, Some(_)) => CALL + CALL_LINE,
        };
        ShareRow { is_faint, height }
    })
}

/// Returns the explanation of the chosen force, if there is one.
pub(super) fn explanation(next_turn: &NextTurn) -> Option<&Explanation> {
    next_turn.decision.as_ref().ok()?.explanation.as_ref()
}
