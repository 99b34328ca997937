//! The params that the user of a session has set.

use std::sync::Arc;

use super::Session;
use crate::diag::Diagnostic;
use crate::live::settings::{Key, LatestValue, ParamSetting, set_by_options};
use crate::live::version::Version;
use crate::scenario::{param_text, read_param};
use crate::sim::Action;
use crate::world::{GroupId, Value};

impl Session {
    /// Returns the params that the user has set, with the values that were set last, and the numbers of agents that are not those of the
    /// scenario file.
    pub fn settings(&self) -> Vec<ParamSetting> {
        let file = self.file_params();
        let all = self.settings.iter().map(|((group, param), latest)| {
            let written = file.get(group.as_str()).and_then(|params| params.get(param));
            ParamSetting {
                group: group.clone(),
                param: param.clone(),
                value: latest.value.clone(),
                tick: latest.tick,
                // A param that the file does not have cannot be written.
                is_written: written.is_none_or(|written| *written == latest.value),
            }
        });
        all.chain(self.count_settings()).collect()
    }

    /// Sets a param of a group. The value is written as in a scenario, but a string needs no quotes.
    ///
    /// # Errors
    ///
    /// If there is no such param, or if the value has another type.
    pub fn set_param(&mut self, group: &str, param: &str, value: &str) -> Result<(), Diagnostic> {
        let key = (group.to_owned(), param.to_owned());
        let (id, now) = self.param(&key).ok_or_else(|| {
            Diagnostic::error(format!("there is no param `{param}` of a group `{group}`"))
        })?;
        let value = read_param(group, param, &now, value)
            .map_err(|error| Diagnostic::error(error.to_string()))?;
        self.act(Action::Set { group: id, param: param.into(), value });
        Ok(())
    }

    /// Returns whether the user has set params later than at this tick to values that they do not have here.
    pub fn has_older_params(&self) -> bool {
        self.settings.iter().any(|(key, latest)| {
            latest.tick > self.tick()
                && self.param(key).is_some_and(|(_, value)| value != latest.value)
        })
    }

    /// Notes that the user has set a param at this tick. If the last tick ran with this value already, nothing is newer than it was.
    pub(super) fn note_setting(&mut self, group: &str, param: &str, value: &Value) {
        let key = (group.to_owned(), param.to_owned());
        let (mut tick, world) = (self.tick(), self.simulation().world());
        let ran_with = world.names().group(group).and_then(|id| world.group(id).params.get(param));
        if ran_with == Some(value) {
            let before = tick.checked_sub(1).and_then(|last| self.latest_set(&key, last));
            tick = before.map_or(self.first(), |before| before.tick);
        }
        self.settings.insert(key, LatestValue { tick, value: value.clone() });
    }

    /// Forgets the settings of params that other files have changed: these are newer. Returns a few words for each whose
    /// param no longer exists.
    pub(super) fn forget_settings_changed_by(&mut self, new: &Version) -> Vec<String> {
        let old = Arc::clone(&self.newest);
        let mut lost = Vec::new();
        self.settings.retain(|(group, param), latest| {
            let (was, is) = (old.param(group, param), new.param(group, param));
            if let Some(file) = was.filter(|file| is.is_none() && **file != latest.value) {
                let [set, said] =
                    [&latest.value, file].map(|value| param_text(value).unwrap_or_default());
                lost.push(format!(
                    "`{group}`: `{param}` was set to {set}, which is lost (the file said {said})"
                ));
            }
            was == is
        });
        lost
    }

    /// Finds the latest value of a param among what the user did up to a tick, after something was taken back there.
    pub(super) fn find_setting_again(&mut self, group: &str, param: &str, until: u64) {
        let key = (group.to_owned(), param.to_owned());
        let found = self.latest_set(&key, until);
        let found = found.or_else(|| set_by_options(&self.options, &self.newest).remove(&key));
        match found {
            Some(latest) => self.settings.insert(key, latest),
            None => self.settings.remove(&key),
        };
    }

    /// Returns the value to which the user has set a param last up to a tick.
    fn latest_set(&self, (group, param): &Key, until: u64) -> Option<LatestValue> {
        self.history.input_until(until).find_map(|(tick, action)| match action {
            Action::Set { group: of, param: same, value } if **param == **same => {
                let world = self.history.keyframe_at(tick).simulation.world();
                let is_same = *world.group(*of).name == **group;
                is_same.then(|| LatestValue { tick, value: value.clone() })
            }
            _ => None,
        })
    }

    /// Returns the settings that hold at this tick.
    pub(super) fn settings_that_hold(&self) -> Vec<Key> {
        let held = self.settings.iter().filter(|(key, latest)| {
            self.param(key).is_some_and(|(_, value)| value == latest.value)
        });
        held.map(|(key, _)| key.clone()).collect()
    }

    /// Sets params at this tick that were set later, and those among `held` that do not hold any more. The future in
    /// which they were set is dropped.
    pub(super) fn carry_settings(&mut self, held: &[Key]) {
        let tick = self.tick();
        for (key, latest) in std::mem::take(&mut self.settings) {
            if let Some((group, value)) = self.param(&key)
                && value != latest.value
                && (latest.tick > tick || held.contains(&key))
            {
                let (param, value) = (key.1.as_str().into(), latest.value.clone());
                self.add_input(Action::Set { group, param, value });
            }
            let latest = LatestValue { tick: latest.tick.min(tick), ..latest };
            self.settings.insert(key, latest);
        }
    }

    /// Returns the group and the value of a param, including changes that wait for the next tick.
    fn param(&self, (group, param): &Key) -> Option<(GroupId, Value)> {
        let id = self.simulation().world().names().group(group)?;
        let value = self.params()[usize::from(id.0)].get(param)?.clone();
        Some((id, value))
    }
}
