//! The rows of the panel of an agent about a failure that it has a part in together with another one.

use flockwork_engine::diag::Place;

use super::failed_pair::PairReactions;
use super::text_writer::{PAD, SMALL, wrap};
use super::ui_command::UiCommand;
use super::view_state::ViewState;
use super::widget::Widget;

/// A row of the panel of an agent about the failure that it has a part in.
pub(super) struct PairRow {
    pub(super) lines: Vec<String>,
    pub(super) click: Option<UiCommand>,
    pub(super) tip: String,
    /// Whether it belongs to the row above it.
    pub(super) is_indented: bool,
    /// Height, in pixels.
    pub(super) height: f32,
}

/// Height of a further line of a row, in pixels.
pub(super) const NEXT_LINE: f32 = 15.0;
/// Distance of rows that belong to the row above from the left of the others, in pixels.
pub(super) const INDENT: f32 = 12.0;
/// Height of the gap below the rows, in pixels.
const GAP: f32 = 6.0;

/// Returns the rows about the failure that the selected agent has a part in together with another one, in a panel of a width.
pub(super) fn rows(state: &ViewState, width: f32) -> Vec<PairRow> {
    let Some(pair) = state.failed_pair.as_deref() else { return Vec::new() };
    let failure = &pair.failure;
    let mut rows = Vec::new();
    let mut add = |words: String, click, tip: &str, is_indented: bool| {
        let indent = if is_indented { INDENT } else { 0.0 };
        let lines = wrap(&words, SMALL, width - 2.0 * PAD - indent);
        let lines: Vec<String> = lines.into_iter().map(str::to_owned).collect();
        let height = Widget::MIN_SIDE + lines.len().saturating_sub(1) as f32 * NEXT_LINE;
        rows.push(PairRow { lines, click, tip: tip.to_owned(), is_indented, height });
    };
    let agents = failure.agents().unwrap_or_default();
    let expectation = state.expectations.get(failure.expectation);
    let text = expectation.map(|one| format!(": `{}`", one.text)).unwrap_or_default();
    let fails = format!("{agents} fail at tick {}{text}", failure.tick);
    add(fails, Some(UiCommand::GoToFailure(failure.expectation)), &failure.message, false);
    match &pair.reactions {
        PairReactions::Searching(tick) => {
            let words = format!("looking since when they react to each other: tick {tick} so far");
            add(
                words,
                None,
                "every tick is simulated again with and without the other agent",
                false,
            );
        }
        PairReactions::Known(both) => {
            for (index, one) in both.iter().enumerate() {
                let tip =
                    format!("go to tick {} and select agent {}", one.tick(failure), one.agent);
                add(one.words(), Some(UiCommand::GoToReaction(index)), &tip, false);
                for (number, condition) in one.changed.iter().enumerate() {
                    let click = UiCommand::ShowChangedCondition(index, number);
                    add(condition.words(false), Some(click), SHOWS_LINE, true);
                }
            }
        }
    }
    for (number, condition) in pair.false_conditions.iter().enumerate() {
        let click = UiCommand::ShowFalseCondition(number);
        add(format!("now, {}", condition.words(true)), Some(click), SHOWS_LINE, false);
    }
    rows
}

/// What a click on a condition does.
const SHOWS_LINE: &str = "a click shows this line of the script";

/// Returns the height of these rows and of the gap below them, in pixels; 0 without rows.
pub(super) fn height(state: &ViewState, width: f32) -> f32 {
    let rows = rows(state, width);
    let gap = if rows.is_empty() { 0.0 } else { GAP };
    rows.iter().map(|row| row.height).sum::<f32>() + gap
}

/// Returns the place of the condition that a command shows.
pub(super) fn condition_place(what: UiCommand, state: &ViewState) -> Option<&Place> {
    let pair = state.failed_pair.as_deref()?;
    let condition = match (what, &pair.reactions) {
        (UiCommand::ShowFalseCondition(number), _) => pair.false_conditions.get(number),
        (UiCommand::ShowChangedCondition(index, number), PairReactions::Known(both)) => {
            both.get(index)?.changed.get(number)
        }
        _ => None,
    };
    condition.map(|condition| &condition.place)
}
