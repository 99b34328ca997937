//! What there is to tell about the selected agent, in lines that fit its panel.

use flockwork_engine::math;
use flockwork_engine::sim::{Explanation, ForceShare, NextTurn};

use super::text_writer::{LINE, PAD, SIZE, SMALL, wrap};

/// The width of the panel, in pixels.
pub(super) const WIDTH: f32 = 380.0;
/// What the title takes up from top to bottom, in pixels.
pub(super) const TITLE: f32 = 24.0;
/// The same of a fact.
pub(super) const FACT: f32 = 16.0;
/// The column of values, from the left.
pub(super) const VALUE: f32 = 78.0;
/// What a call takes up from top to bottom, in pixels, if it wants no velocity.
const CALL: f32 = 52.0;
/// A line of a call.
pub(super) const CALL_LINE: f32 = 15.0;

/// A share below this part of the largest is as good as none.
const FAINT: f32 = 0.005;
/// A fact has at most so many lines.
const MAX_LINES: usize = 4;

/// What there is to say beside the calls: a name, which may be empty, and a line.
pub(super) fn facts(account: &NextTurn) -> Vec<(&'static str, String)> {
    let mut lines = Vec::new();
    let width = WIDTH - 2.0 * PAD - VALUE;
    for (name, value) in account.facts() {
        // Both are in the title, or below.
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

/// What it comes to, in lines.
pub(super) fn headline(account: &NextTurn) -> Vec<String> {
    let width = WIDTH - 2.0 * PAD;
    let words = account.headline();
    wrap(&words, SIZE, width).into_iter().map(str::to_owned).collect()
}

/// What percentages and the star mean, in lines.
pub(super) fn legend(all: &Explanation) -> Vec<String> {
    let words = all.legend();
    let lines = wrap(&words, SMALL, WIDTH - 2.0 * PAD);
    lines.into_iter().map(str::to_owned).collect()
}

/// How tall the panel is for an agent, in pixels.
pub(super) fn height(account: &NextTurn) -> f32 {
    let calls = explanation(account)
        .map_or(2.0, |all| rows(&all.shares()).map(|row| row.height).sum::<f32>());
    let legend = explanation(account).map_or(0, |all| legend(all).len());
    let calls = calls + legend as f32 * CALL_LINE;
    let facts = facts(account).len() as f32 * FACT;
    let headline = headline(account).len() as f32 * LINE;
    2.0 * PAD + TITLE + headline + facts + calls + 3.0 * FACT + 14.0
}

/// How a share is shown.
#[derive(Clone, Copy)]
pub(super) struct ShareRow {
    /// Whether it is as good as none, and not what the agent mostly goes by.
    pub is_faint: bool,
    /// How tall it is, in pixels.
    pub height: f32,
}

/// How each share is shown, in order.
pub(super) fn rows(shares: &[ForceShare<'_>]) -> impl Iterator<Item = ShareRow> {
    let lengths = shares.iter().map(|share| math::length(share.force));
    let longest = lengths.fold(0.0, math::max);
    shares.iter().map(move |share| {
        let is_faint = share.call.is_some()
            && !share.is_dominant
            && math::length(share.force) <= longest * FAINT;
        let height = match (is_faint, share.call.and_then(|call| call.desired_velocity)) {
            (true, _) => LINE,
            (false, None) => CALL,
            (false, Some(_)) => CALL + CALL_LINE,
        };
        ShareRow { is_faint, height }
    })
}

/// How the force comes about that it decides on, if that can be told.
pub(super) fn explanation(account: &NextTurn) -> Option<&Explanation> {
    account.decision.as_ref().ok()?.explanation.as_ref()
}
