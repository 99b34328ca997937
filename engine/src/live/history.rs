//! The way back: states of earlier ticks, from which the others are simulated again.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::version::Version;
use crate::sim::{Action, Simulation};

/// From one keyframe to the next, as long as there is room: less than a tenth of a second of simulating
/// for ten thousand agents.
const SPACING: u64 = 64;

/// About so many bytes are kept; then every second keyframe is given up, and where none is left to give up,
/// the oldest edits, with the time before them.
const MAX_BYTES: usize = 256 << 20;

/// A state to go on from.
#[derive(Clone)]
pub(super) struct HistoryKeyframe {
    pub(super) simulation: Simulation,
    pub(super) version: Arc<Version>,
    /// Whether the state before the tick does not lead here: texts were edited here, or it is the start.
    pub(super) is_edit: bool,
    bytes: usize,
}

/// Keyframes, and what was done by hand between them.
pub(super) struct History {
    keyframes: BTreeMap<u64, HistoryKeyframe>,
    input: BTreeMap<u64, Vec<Action>>,
    spacing: u64,
    max_bytes: usize,
}

impl History {
    /// One that begins.
    pub(super) fn new(simulation: &Simulation, version: &Arc<Version>) -> Self {
        let mut history = Self {
            keyframes: BTreeMap::new(),
            input: BTreeMap::new(),
            spacing: SPACING,
            max_bytes: MAX_BYTES,
        };
        history.record_edit(simulation, version);
        history
    }

    /// The same with room for about so many bytes.
    #[cfg(test)]
    pub(super) fn set_max_bytes(&mut self, bytes: usize) {
        self.max_bytes = bytes;
    }

    /// The earliest tick there is a way back to.
    pub(super) fn first(&self) -> u64 {
        self.keyframes.keys().next().copied().unwrap_or_default()
    }

    /// The ticks with states that those before them do not lead to.
    pub(super) fn edits(&self) -> Vec<u64> {
        let edits = self.keyframes.iter().filter(|(_, one)| one.is_edit);
        edits.map(|(tick, _)| *tick).collect()
    }

    /// The last keyframe up to a tick; the first one for a tick before it.
    pub(super) fn keyframe_at(&self, tick: u64) -> &HistoryKeyframe {
        let before = self.keyframes.range(..=tick).next_back();
        let (_, keyframe) = before
            .or_else(|| self.keyframes.first_key_value())
            .expect("the first keyframe is never given up");
        keyframe
    }

    /// The first tick after this one with texts of its own.
    pub(super) fn next_edit(&self, tick: u64) -> Option<u64> {
        let mut later = self.keyframes.range(tick + 1..);
        later.find(|(_, one)| one.is_edit).map(|(tick, _)| *tick)
    }

    /// What takes the place of the state that has been simulated at a tick.
    pub(super) fn edit_at(&self, tick: u64) -> Option<&HistoryKeyframe> {
        self.keyframes.get(&tick).filter(|one| one.is_edit)
    }

    /// What is done by hand between a tick and the next.
    pub(super) fn input_at(&self, tick: u64) -> &[Action] {
        self.input.get(&tick).map_or(&[], Vec::as_slice)
    }

    /// Forgets what is done by hand between a tick and the next; whether there was anything. Where the
    /// pointer was is nothing that is done.
    pub(super) fn forget_input(&mut self, tick: u64) -> bool {
        let is_done = |action: &Action| !matches!(action, Action::Cursor { .. });
        let is_any = self.input_at(tick).iter().any(is_done);
        if let Some(all) = self.input.get_mut(&tick) {
            all.retain(|action| !is_done(action));
        }
        is_any
    }

    /// All that was done by hand from a tick on, in order.
    pub(super) fn input_from(&self, tick: u64) -> Vec<(u64, Action)> {
        let all = self.input.range(tick..);
        let all = all.flat_map(|(tick, all)| all.iter().map(|one| (*tick, one.clone())));
        all.collect()
    }

    /// Takes in a state that the one before has led to, if it is one to keep.
    pub(super) fn record(&mut self, simulation: &Simulation, version: &Arc<Version>) {
        let tick = simulation.world().tick;
        if tick.is_multiple_of(self.spacing) && !self.keyframes.contains_key(&tick) {
            self.keep(simulation, version, false);
        }
    }

    /// Takes in a state that the one before has not led to.
    pub(super) fn record_edit(&mut self, simulation: &Simulation, version: &Arc<Version>) {
        self.keep(simulation, version, true);
    }

    /// Takes in what is done by hand.
    pub(super) fn add_input(&mut self, tick: u64, action: Action) {
        let all = self.input.entry(tick).or_default();
        // The last turn of a knob counts, and the last place of the pointer; but who is made in between
        // has seen those before.
        let made = all.iter().rposition(|one| matches!(one, Action::Spawn { .. }));
        let mut later = all.split_off(made.map_or(0, |made| made + 1));
        later.retain(|one| match (one, &action) {
            (
                Action::Set { group, param, .. },
                Action::Set { group: same_group, param: same_param, .. },
            ) => group != same_group || param != same_param,
            (Action::Cursor { .. }, Action::Cursor { .. }) => false,
            _ => true,
        });
        all.append(&mut later);
        all.push(action);
    }

    /// Gives up everything after a tick.
    pub(super) fn cut(&mut self, tick: u64) {
        self.keyframes.split_off(&(tick + 1));
        self.input.split_off(&(tick + 1));
    }

    /// Makes others of what is done by hand at a tick, and forgets what there is no other for.
    pub(super) fn change_input(&mut self, tick: u64, to: &dyn Fn(&Action) -> Option<Action>) {
        if let Some(all) = self.input.get_mut(&tick) {
            *all = all.iter().filter_map(to).collect();
        }
    }

    /// How many keyframes there are.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.keyframes.len()
    }

    fn keep(&mut self, simulation: &Simulation, version: &Arc<Version>, is_edit: bool) {
        // An edit brings the beginning of its own run with it.
        let bytes = simulation.bytes() * if is_edit { 2 } else { 1 };
        let keyframe = HistoryKeyframe {
            simulation: simulation.clone(),
            version: Arc::clone(version),
            is_edit,
            bytes,
        };
        self.keyframes.insert(simulation.world().tick, keyframe);
        self.make_room();
    }

    fn make_room(&mut self) {
        // The start and one edit are always there: a first save must not cost all of the past.
        while self.bytes() > self.max_bytes && self.keyframes.len() > 2 {
            let thin = self.keyframes.values().any(|one| !one.is_edit);
            if thin {
                self.spacing = self.spacing.saturating_mul(2);
                let spacing = self.spacing;
                self.keyframes.retain(|tick, one| one.is_edit || tick.is_multiple_of(spacing));
            } else {
                self.keyframes.pop_first();
            }
        }
        let first = self.first();
        self.input = self.input.split_off(&first);
    }

    /// About how many bytes the keyframes take up.
    fn bytes(&self) -> usize {
        self.keyframes.values().map(|one| one.bytes).sum()
    }
}
