//! The rows of the panel of an agent that are sentences: about a failure that it has a part in together with another one, and about calls
//! that a condition leaves out.

use flockwork_engine::diag::Place;
use flockwork_engine::sim::SkippedCalls;

use super::explain_text::GROUP_GAP;
use super::failed_pair::PairReactions;
use super::text_writer::{PAD, SMALL, wrap};
use super::ui_command::UiCommand;
use super::view_state::ViewState;
use super::widget::Widget;

/// A row of the panel of an agent that is a sentence.
pub(super) struct AgentRow {
    pub(super) lines: Vec<String>,
    pub(super) click: Option<UiCommand>,
    pub(super) tip: String,
    /// Whether it belongs to the row above it.
    pub(super) is_indented: bool,
    /// Whether it is about a condition, and not about what happened.
    pub(super) is_quiet: bool,
    /// Height, in pixels.
    pub(super) height: f32,
}

/// Height of a further line of a row, in pixels.
pub(super) const NEXT_LINE: f32 = 15.0;
/// Distance of rows that belong to the row above from the left of the others, in pixels.
pub(super) const INDENT: f32 = 12.0;

/// Returns the rows about the failure that the selected agent has a part in together with another one, in a panel of a width.
pub(super) fn rows(state: &ViewState, width: f32) -> Vec<AgentRow> {
    let Some(pair) = state.failed_pair.as_deref() else { return Vec::new() };
    let failure = &pair.failure;
    let mut rows = Vec::new();
    let mut add = |words: String, click, tip: &str, is_indented: bool| {
        rows.push(AgentRow::new(&words, click, tip, is_indented, width));
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
                    add(condition.words(), Some(click), SHOWS_LINE, true);
                }
            }
        }
    }
    if is_at_failure(state) {
        rows.extend(skipped(state, width));
    }
    rows
}

/// Returns whether the agent is shown at a tick at which its failure is still to come.
fn is_at_failure(state: &ViewState) -> bool {
    state.failed_pair.as_ref().is_some_and(|pair| state.world.tick <= pair.failure.tick)
}

/// Returns the rows below the forces: the calls that a condition leaves out, if they are not among the rows about a failure.
pub(super) fn rows_below(state: &ViewState, width: f32) -> Vec<AgentRow> {
    if is_at_failure(state) { Vec::new() } else { skipped(state, width) }
}

/// Returns a row for each condition that leaves out calls.
fn skipped(state: &ViewState, width: f32) -> Vec<AgentRow> {
    let calls = state.next_turn.as_ref().map_or(&[][..], |turn| &turn.skipped).iter().enumerate();
    let row = |(number, calls): (usize, &SkippedCalls)| {
        let verb = if calls.names().len() == 1 { "is" } else { "are" };
        let words = format!("{} {verb} not called: {calls}", calls.names_in_words());
        let click = Some(UiCommand::ShowSkipped(number));
        let row = AgentRow::new(&words, click, SHOWS_LINE, false, width);
        AgentRow { is_quiet: true, ..row }
    };
    calls.map(row).collect()
}

impl AgentRow {
    fn new(
        words: &str,
        click: Option<UiCommand>,
        tip: &str,
        is_indented: bool,
        width: f32,
    ) -> Self {
        let indent = if is_indented { INDENT } else { 0.0 };
        let lines = wrap(words, SMALL, width - 2.0 * PAD - indent);
        let lines: Vec<String> = lines.into_iter().map(str::to_owned).collect();
        let height = Widget::MIN_SIDE + lines.len().saturating_sub(1) as f32 * NEXT_LINE;
        Self { lines, click, tip: tip.to_owned(), is_indented, is_quiet: is_indented, height }
    }
}

/// What a click on a condition does.
const SHOWS_LINE: &str = "a click shows this line of the script";

/// Returns the height of rows and of the gap below them, in pixels; 0 without rows.
pub(super) fn height(rows: &[AgentRow]) -> f32 {
    let gap = if rows.is_empty() { 0.0 } else { GROUP_GAP };
    rows.iter().map(|row| row.height).sum::<f32>() + gap
}

/// Returns the place of the condition that a command shows.
pub(super) fn condition_place(what: UiCommand, state: &ViewState) -> Option<&Place> {
    match what {
        UiCommand::ShowSkipped(number) => {
            state.next_turn.as_ref()?.skipped.get(number).map(|call| &call.condition)
        }
        UiCommand::ShowChangedCondition(index, number) => {
            let PairReactions::Known(both) = &state.failed_pair.as_ref()?.reactions else {
                return None;
            };
            both.get(index)?.changed.get(number).map(|condition| &condition.place)
        }
        _ => None,
    }
}
