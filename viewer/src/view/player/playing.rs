//! Playing: keys set the inputs of the world. What was played is recorded like everything else that is done by hand.

use std::collections::BTreeSet;
use std::sync::Arc;

use flockwork_engine::sim::{Action, EventTime, Simulation};

use super::Player;

/// The keys of the play mode.
#[derive(Default)]
pub(super) struct Playing {
    is_on: bool,
    /// The keys that are down.
    down: BTreeSet<&'static str>,
    /// The keys that went down since the last tick. A short press lasts for one tick.
    pressed: BTreeSet<&'static str>,
    /// Whether a key went down or up since the last tick.
    has_changed: bool,
}

impl Playing {
    /// Notes that a key went down or up. A repeated press changes nothing.
    pub(super) fn set_key(&mut self, key: &'static str, is_down: bool) {
        if is_down && self.down.insert(key) {
            self.pressed.insert(key);
            self.has_changed = true;
        } else if !is_down && self.down.remove(key) {
            self.has_changed = true;
        }
    }

    /// Releases all keys.
    pub(super) fn release_all(&mut self) {
        self.has_changed |= !self.down.is_empty();
        self.down.clear();
    }

    /// Returns the actions that set the inputs of a world as the keys are. An event that sets an input at this tick does not win.
    fn actions(&self, simulation: &Simulation) -> Vec<Action> {
        let world = simulation.world();
        let is_set_by_event = |name: &Arc<str>| {
            simulation.events().iter().any(|event| {
                !matches!(event.when, EventTime::When { .. })
                    && event.when.includes(world.tick)
                    && matches!(&event.action, Action::Input { name: of, .. } if of == name)
            })
        };
        let actions = world.inputs.iter().filter_map(|input| {
            let down = self.down.contains(&*input.key) || self.pressed.contains(&*input.key);
            let is_needed = down != input.is_down || is_set_by_event(&input.name);
            is_needed.then(|| Action::Input { name: Arc::clone(&input.name), down })
        });
        actions.collect()
    }
}

impl Player {
    /// Begins or ends the play mode. Time passes when it begins, and all keys are up when it ends.
    pub(super) fn set_play_mode(&mut self, is_on: bool) {
        self.playing.release_all();
        self.playing.is_on = is_on;
        if is_on && self.target.is_some() {
            self.goes_on = true;
        } else if is_on {
            self.set_playing(true);
        }
    }

    /// Sets the inputs of the world as the keys are. Ticks of the history keep what was played in them, until a key goes down or up.
    pub(super) fn apply_keys(&mut self) {
        let is_last = self.session.tick() == self.session.end();
        let is_due = self.playing.has_changed || (self.playing.is_on && is_last);
        if !is_due {
            return;
        }
        self.playing.has_changed = false;
        let actions = self.playing.actions(self.session.simulation());
        self.playing.has_changed = !self.playing.pressed.is_empty();
        self.playing.pressed.clear();
        let mut has_dropped = false;
        for action in actions {
            has_dropped |= self.session.act(action);
        }
        if has_dropped && !is_last {
            self.note_dropped_future("what was played");
        }
    }
}
