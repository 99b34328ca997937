//! What there is to tell about the selected agent, in lines that fit its panel.

use flockwork::sim::{Account, Explanation};

use super::sheet::{LINE, PAD, SIZE, SMALL, wrap};

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

/// What there is to say beside the calls: a name, which may be empty, and a line.
pub(super) fn facts(account: &Account) -> Vec<(&'static str, String)> {
    let mut lines = Vec::new();
    let width = WIDTH - 2.0 * PAD - VALUE;
    for (name, value) in account.facts() {
        // Both are in the title, or below.
        if name == "agent" || name == "tick" {
            continue;
        }
        for (i, line) in wrap(&value, SMALL, width).into_iter().enumerate() {
            lines.push((if i == 0 { name } else { "" }, line.to_owned()));
        }
    }
    lines
}

/// What it comes to, in lines.
pub(super) fn headline(account: &Account) -> Vec<String> {
    let width = WIDTH - 2.0 * PAD;
    let words = account.headline();
    wrap(&words, SIZE, width)
        .into_iter()
        .map(str::to_owned)
        .collect()
}

/// How tall the panel is for an agent, in pixels.
pub(super) fn height(account: &Account) -> f32 {
    let calls = explanation(account).map_or(2.0, |all| {
        let rest = usize::from(all.has_rest());
        let wants = all.calls.iter().filter(|call| call.wants.is_some());
        (all.calls.len() + rest) as f32 * CALL + wants.count() as f32 * CALL_LINE
    });
    let facts = facts(account).len() as f32 * FACT;
    let headline = headline(account).len() as f32 * LINE;
    2.0 * PAD + TITLE + headline + facts + calls + 3.0 * FACT + 14.0
}

/// How the force comes about that it decides on, if that can be told.
pub(super) fn explanation(account: &Account) -> Option<&Explanation> {
    account.decision.as_ref().ok()?.explanation.as_ref()
}
