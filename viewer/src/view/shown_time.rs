//! Which ticks the time bar and the plots show: all of them, or those that the person has zoomed to.

use std::time::{Duration, Instant};

use flockwork_engine::math::Vec2;

use super::layout::all_ends;
use super::view_state::ViewState;

/// What a step of the wheel leaves of the shown ticks.
const STEP: f64 = 0.8;
/// The smallest number of ticks that can be shown.
const LEAST: f64 = 10.0;
/// Two clicks at a place within this time show all ticks.
const DOUBLE_CLICK: Duration = Duration::from_millis(500);

/// The ticks that are shown.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ShownTime {
    /// The first and the last one; `None` for all.
    pub(super) ticks: Option<(u64, u64)>,
    /// The tick of the world when it was last looked at.
    tick: u64,
    /// When and where the last click was, and the tick of the world before it.
    clicked: Option<(Instant, Vec2, u64)>,
}

impl ShownTime {
    /// Follows the tick of the world if it moves to one that is not shown.
    pub(super) fn follow(&mut self, state: &ViewState) {
        let tick = state.world.tick;
        let has_moved = std::mem::replace(&mut self.tick, tick) != tick;
        let Some((from, to)) = self.ticks else { return };
        if has_moved && !(from..=to).contains(&tick) {
            let span = to - from;
            let from =
                if tick > to { tick - span / 10 } else { tick.saturating_sub(span * 9 / 10) };
            self.ticks = Some(within((from, from.saturating_add(span)), state));
        }
    }

    /// Shows fewer ticks around one of those that are `shown`; more if `steps` is negative.
    pub(super) fn zoom(&mut self, shown: (u64, u64), tick: u64, steps: i32, state: &ViewState) {
        let ((from, to), (first, last)) = (shown, all_ends(state));
        let span = (to - from) as f64;
        let wanted = span * if steps > 0 { STEP } else { 1.0 / STEP };
        let wanted = if wanted > LEAST { wanted } else { LEAST };
        if wanted >= (last - first) as f64 {
            self.ticks = None;
            return;
        }
        // The tick stays where it is. A number below 0 becomes 0.
        let before = tick.saturating_sub(from) as f64 / span * wanted;
        let from = (tick as f64 - before).round() as u64;
        let (from, to) = within((from, from + wanted.round() as u64), state);
        self.tick = state.world.tick;
        self.ticks = Some((from, to));
    }

    /// Notes a click at a tick of the world. If it is the second one at its place and some ticks are not shown, shows all, and returns the
    /// tick from which the first click went away.
    pub(super) fn click(&mut self, at: Vec2, tick: u64) -> Option<u64> {
        let (then, there, before) = self.clicked.replace((Instant::now(), at, tick))?;
        let is_double = there == at && then.elapsed() < DOUBLE_CLICK;
        (is_double && self.ticks.take().is_some()).then_some(before)
    }
}

/// Moves a part of the ticks so that all of it is among those that there are.
fn within((from, to): (u64, u64), state: &ViewState) -> (u64, u64) {
    let (first, last) = all_ends(state);
    let span = (to - from).min(last - first);
    let from = from.clamp(first, last - span);
    (from, from + span)
}
