//! The history: states of earlier ticks, from which the ticks between them are simulated again.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::judged::Judged;
use super::version::Version;
use crate::sim::{Action, Simulation};

/// Ticks from one keyframe to the next, as long as there is room. For ten thousand agents, simulating them takes less
/// than a tenth of a second.
const SPACING: u64 = 64;

/// Approximate size of the history in bytes. Above it, every second keyframe is dropped; if only edits are left, the
/// oldest edit is dropped, with the time before it.
const MAX_BYTES: usize = 256 << 20;

/// A state from which the run can continue.
#[derive(Clone)]
pub(super) struct HistoryKeyframe {
    pub(super) simulation: Simulation,
    pub(super) version: Arc<Version>,
    /// True if simulating the tick before does not lead to this state: files were edited here, or it is the start.
    pub(super) is_edit: bool,
    /// The judgment of the expectations up to this tick, if it is known.
    pub(super) judged: Option<Arc<Judged>>,
    /// Without the judgment.
    bytes: usize,
}

/// Keyframes, and what the user did between them.
pub(super) struct History {
    keyframes: BTreeMap<u64, HistoryKeyframe>,
    input: BTreeMap<u64, Vec<Action>>,
    spacing: u64,
    max_bytes: usize,
}

impl History {
    /// Returns a history that begins with a state.
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

    /// Sets the approximate maximum size, in bytes.
    #[cfg(test)]
    pub(super) fn set_max_bytes(&mut self, bytes: usize) {
        self.max_bytes = bytes;
    }

    /// Returns the earliest tick that can be restored.
    pub(super) fn first(&self) -> u64 {
        self.keyframes.keys().next().copied().unwrap_or_default()
    }

    /// Returns the ticks of the edits, including the start.
    pub(super) fn edits(&self) -> Vec<u64> {
        let edits = self.keyframes.iter().filter(|(_, one)| one.is_edit);
        edits.map(|(tick, _)| *tick).collect()
    }

    /// Returns the last keyframe at or before a tick; the first keyframe if there is none.
    pub(super) fn keyframe_at(&self, tick: u64) -> &HistoryKeyframe {
        let before = self.keyframes.range(..=tick).next_back();
        let (_, keyframe) = before
            .or_else(|| self.keyframes.first_key_value())
            .expect("the first keyframe is never given up");
        keyframe
    }

    /// Returns the keyframes at or before a tick, the last one first.
    pub(super) fn keyframes_until(&self, tick: u64) -> impl Iterator<Item = &HistoryKeyframe> {
        self.keyframes.range(..=tick).rev().map(|(_, keyframe)| keyframe)
    }

    /// Keeps a judgment if there is a keyframe at its tick.
    pub(super) fn keep_judgment(&mut self, judged: &Arc<Judged>) {
        if let Some(keyframe) = self.keyframes.get_mut(&judged.tick()) {
            keyframe.judged = Some(Arc::clone(judged));
            self.make_room();
        }
    }

    /// Forgets all judgments.
    pub(super) fn forget_judgments(&mut self) {
        self.keyframes.values_mut().for_each(|one| one.judged = None);
    }

    /// Returns the first tick after this one at which files were edited.
    pub(super) fn next_edit(&self, tick: u64) -> Option<u64> {
        let mut later = self.keyframes.range(tick + 1..);
        later.find(|(_, one)| one.is_edit).map(|(tick, _)| *tick)
    }

    /// Returns the edit at a tick. Its state replaces the simulated one.
    pub(super) fn edit_at(&self, tick: u64) -> Option<&HistoryKeyframe> {
        self.keyframes.get(&tick).filter(|one| one.is_edit)
    }

    /// Returns what the user does between a tick and the next.
    pub(super) fn input_at(&self, tick: u64) -> &[Action] {
        self.input.get(&tick).map_or(&[], Vec::as_slice)
    }

    /// Sets what the user does between a tick and the next.
    pub(super) fn set_input(&mut self, tick: u64, actions: Vec<Action>) {
        self.input.insert(tick, actions);
    }

    /// Forgets some things that the user does between a tick and the next, the last ones that are equal; for params,
    /// whatever the value. Returns false and changes nothing if one of them is not done there.
    pub(super) fn remove_input(&mut self, tick: u64, actions: &[Action]) -> bool {
        let mut left = self.input_at(tick).to_vec();
        for action in actions {
            let is_same = |one: &Action| one == action || sets_same_param(one, action);
            let Some(place) = left.iter().rposition(is_same) else {
                return false;
            };
            left.remove(place);
        }
        self.input.insert(tick, left);
        true
    }

    /// Returns whether the user did something between the start and the tick after the given one.
    pub(super) fn has_input_up_to(&self, tick: u64) -> bool {
        self.input.range(..=tick).any(|(_, all)| !all.is_empty())
    }

    /// Returns everything that the user did from a tick on, in order.
    pub(super) fn input_from(&self, tick: u64) -> Vec<(u64, Action)> {
        let all = self.input.range(tick..);
        let all = all.flat_map(|(tick, all)| all.iter().map(|one| (*tick, one.clone())));
        all.collect()
    }

    /// Returns everything that the user did up to a tick, the last first.
    pub(super) fn input_until(&self, tick: u64) -> impl Iterator<Item = (u64, &Action)> {
        let all = self.input.range(..=tick).rev();
        all.flat_map(|(tick, all)| all.iter().rev().map(|one| (*tick, one)))
    }

    /// Keeps a simulated state if a keyframe is due at its tick.
    pub(super) fn record(&mut self, simulation: &Simulation, version: &Arc<Version>) {
        let tick = simulation.world().tick;
        if tick.is_multiple_of(self.spacing) && !self.keyframes.contains_key(&tick) {
            self.keep(simulation, version, false);
        }
    }

    /// Keeps the state at an edit.
    pub(super) fn record_edit(&mut self, simulation: &Simulation, version: &Arc<Version>) {
        self.keep(simulation, version, true);
    }

    /// Forgets the edit at a tick. There is an earlier keyframe.
    pub(super) fn remove_edit(&mut self, tick: u64) {
        self.keyframes.remove(&tick);
    }

    /// Records what the user does between a tick and the next.
    pub(super) fn add_input(&mut self, tick: u64, action: Action) {
        let all = self.input.entry(tick).or_default();
        // Only the last value of a param or an input and the last position of the pointer count. But an agent that is spawned in
        // between has read the earlier ones, so they stay.
        let made = all.iter().rposition(|one| matches!(one, Action::Spawn { .. }));
        let mut later = all.split_off(made.map_or(0, |made| made + 1));
        later.retain(|one| match (one, &action) {
            (Action::Cursor { .. }, Action::Cursor { .. }) => false,
            (Action::Input { name, .. }, Action::Input { name: same, .. }) => name != same,
            _ => !sets_same_param(one, &action),
        });
        all.append(&mut later);
        all.push(action);
    }

    /// Drops everything after a tick.
    pub(super) fn cut(&mut self, tick: u64) {
        self.keyframes.split_off(&(tick + 1));
        self.input.split_off(&(tick + 1));
    }

    /// Replaces what the user does at a tick, and drops actions for which `to` returns `None`.
    pub(super) fn change_input(&mut self, tick: u64, to: &dyn Fn(&Action) -> Option<Action>) {
        if let Some(all) = self.input.get_mut(&tick) {
            *all = all.iter().filter_map(to).collect();
        }
    }

    /// Takes another version for one that does the same from now on.
    pub(super) fn rename_version(&mut self, old: &Arc<Version>, new: &Arc<Version>) {
        let kept = self.keyframes.values_mut();
        for keyframe in kept.filter(|one| Arc::ptr_eq(&one.version, old)) {
            keyframe.version = Arc::clone(new);
            keyframe.simulation.set_initial_groups(new.start());
        }
    }

    /// Returns the number of keyframes.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.keyframes.len()
    }

    fn keep(&mut self, simulation: &Simulation, version: &Arc<Version>, is_edit: bool) {
        // An edit also keeps the start of its own run.
        let bytes = simulation.bytes() * if is_edit { 2 } else { 1 };
        let keyframe = HistoryKeyframe {
            simulation: simulation.clone(),
            version: Arc::clone(version),
            is_edit,
            judged: None,
            bytes,
        };
        self.keyframes.insert(simulation.world().tick, keyframe);
        self.make_room();
    }

    fn make_room(&mut self) {
        // The start and one edit are always kept: a first save must not drop the whole history.
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

    /// Returns the approximate size of the keyframes in bytes.
    fn bytes(&self) -> usize {
        let judged = |one: &HistoryKeyframe| one.judged.as_ref().map_or(0, |judged| judged.bytes());
        self.keyframes.values().map(|one| one.bytes + judged(one)).sum()
    }
}

/// Returns whether two actions set the same param.
fn sets_same_param(one: &Action, other: &Action) -> bool {
    match (one, other) {
        (
            Action::Set { group, param, .. },
            Action::Set { group: same_group, param: same_param, .. },
        ) => group == same_group && param == same_param,
        _ => false,
    }
}
