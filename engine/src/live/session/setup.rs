//! How a run begins: with which seed, and with how many agents of each group. Another one begins the run again.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::sync::Arc;

use super::Session;
use crate::diag::{Diagnostic, Diagnostics};
use crate::live::history::History;
use crate::live::settings::{Key, ParamSetting};
use crate::live::version::{COUNT, Version, WrittenSetup};
use crate::runner::Options;
use crate::scenario::TemplateValue;
use crate::sim::{Action, Event};
use crate::world::{GroupId, Value, Values};

/// Returns the path of the number of agents of a group in a scenario.
fn count_path(group: &str) -> String {
    format!("groups.{group}.count")
}

impl Session {
    /// Returns the seed of the run.
    pub fn seed(&self) -> u64 {
        self.newest.start().world().seed
    }

    /// Returns the seed in the newest scenario file that could be read.
    pub fn file_seed(&self) -> u64 {
        self.newest.written_setup().seed
    }

    /// Returns the params of each group, including changes that wait for the next tick. Those of a group whose number of agents can be
    /// set have that number, too, as [`COUNT`].
    pub fn params_with_counts(&self) -> Vec<Values> {
        let mut all = self.params();
        let groups = &self.simulation().world().groups;
        for (group, params) in groups.iter().zip(&mut all) {
            if let Some(count) = self.count(&group.name) {
                params.set(COUNT, Value::Int(count.into()));
            }
        }
        all
    }

    /// Begins the run again with another seed, with the params as they were set last. The run so far becomes the ghost.
    ///
    /// # Errors
    ///
    /// If the files have errors now. Nothing changes then.
    pub fn set_seed(&mut self, seed: u64) -> Result<(), Diagnostic> {
        let mut options = self.options.clone();
        options.seed = Some(seed).filter(|seed| *seed != self.file_seed());
        self.begin_again(options, self.values.clone())
    }

    /// Begins the run again with another number of agents of a group, with the params as they were set last. The run so far becomes
    /// the ghost.
    ///
    /// # Errors
    ///
    /// If the scenario says where each agent of the group begins, if so many are not possible, or if the files have errors now. Nothing
    /// changes then.
    pub fn set_count(&mut self, group: &str, count: i64) -> Result<(), Diagnostic> {
        let mut counts = self.counts();
        let possible = self.possible_counts(group);
        let Some(known) = counts.get_mut(group) else {
            return Err(Diagnostic::error(format!(
                "the scenario says where each agent of `{group}` begins, so their number follows from that"
            )));
        };
        let fits = u32::try_from(count).ok().filter(|count| possible.contains(count));
        *known = fits.ok_or_else(|| {
            let (least, most) = (possible.start(), possible.end());
            Diagnostic::error(format!("expected an integer from {least} to {most}"))
        })?;
        let mut options = self.options.clone();
        options.agents = None;
        let values = self.values_with_counts(&counts, self.newest.written_setup());
        self.begin_again(options, values)
    }

    /// Returns the numbers of agents that the user has set and not written.
    pub(super) fn count_settings(&self) -> impl Iterator<Item = ParamSetting> {
        let counts = self.counts().into_iter().filter(|(group, _)| {
            let path = count_path(group);
            self.values.iter().any(|(known, _)| *known == path)
        });
        counts.map(|(group, count)| ParamSetting {
            group,
            param: COUNT.to_owned(),
            value: Value::Int(count.into()),
            tick: self.first(),
            is_written: false,
        })
    }

    /// Adjusts the seed and the numbers of agents to the scenario file, which has changed. Those in use stay if the session itself has
    /// written it; otherwise, what the file changes is newer.
    pub(super) fn adjust_setup(&mut self, is_own_change: bool) {
        let there = self.read_scenario().ok();
        let Some(written) = there.and_then(|there| WrittenSetup::new(&there).ok()) else { return };
        let before = self.newest.written_setup();
        if *before == written {
            return;
        }
        let mut counts = self.counts();
        counts.retain(|group, _| {
            let [old, new] = [before, &written].map(|setup| setup.counts.get(group));
            new.is_some() && (is_own_change || old == new)
        });
        let keeps_seed = is_own_change || before.seed == written.seed;
        let seed = Some(self.seed()).filter(|seed| keeps_seed && *seed != written.seed);
        if self.options.agents.is_none() {
            self.values = self.values_with_counts(&counts, &written);
        }
        self.options.seed = seed;
    }

    /// Returns the numbers of agents of the groups for which they can be set.
    fn counts(&self) -> BTreeMap<String, u32> {
        let groups = self.newest.written_setup().counts.keys();
        groups.filter_map(|group| Some((group.clone(), self.count(group)?))).collect()
    }

    /// Returns the numbers of agents that a group can have beside the others. The last agents cannot go, unless events make new ones.
    fn possible_counts(&self, group: &str) -> RangeInclusive<u32> {
        let start = self.newest.start();
        let all = start.world().groups.iter().zip(start.spawns());
        let others: u32 =
            all.filter(|(one, _)| *one.name != *group).map(|(_, spawn)| spawn.count).sum();
        let spawns = |event: &Event| matches!(event.action, Action::Spawn { .. });
        let is_needed = others == 0 && !start.events().iter().any(spawns);
        let most = u32::try_from(self.newest.written_setup().max_agents).unwrap_or(u32::MAX);
        u32::from(is_needed)..=most.saturating_sub(others)
    }

    /// Returns the number of agents of a group at the start. `None` if it cannot be set.
    fn count(&self, group: &str) -> Option<u32> {
        let start = self.newest.start();
        self.newest.written_setup().counts.get(group)?;
        let id = start.world().names().group(group)?;
        Some(start.spawns()[usize::from(id.0)].count)
    }

    /// Returns the values of the session with other numbers of agents, where these are not those of a scenario file.
    fn values_with_counts(
        &self,
        counts: &BTreeMap<String, u32>,
        file: &WrittenSetup,
    ) -> Vec<(String, TemplateValue)> {
        let known = self.newest.written_setup().counts.keys();
        let paths: Vec<String> = known.map(|group| count_path(group)).collect();
        let others = self.values.iter().filter(|(path, _)| !paths.contains(path)).cloned();
        let own = counts.iter().filter(|(group, count)| file.counts.get(*group) != Some(*count));
        let own =
            own.map(|(group, count)| (count_path(group), TemplateValue::Text(count.to_string())));
        others.chain(own).collect()
    }

    /// Begins the run again with other options and values.
    fn begin_again(
        &mut self,
        options: Options,
        values: Vec<(String, TemplateValue)>,
    ) -> Result<(), Diagnostic> {
        let version = Version::read(&self.path, &options, &values, &self.open)
            .map_err(Diagnostics::into_first)?;
        version.start().clone().step().map_err(|error| error.diagnostic())?;
        let version = Arc::new(version);
        self.forget_settings_changed_by(&version);
        let (before, there) = (Arc::clone(self.now.world()), version.start().world());
        let to = |group: GroupId| there.names().group(&before.group(group).name);
        // What the user did at the first tick is done there again.
        let first = self.history.input_at(there.tick).iter();
        let input: Vec<Action> = first
            .filter_map(|action| action.with_mapped_groups(&to))
            .filter(|action| action.is_possible_in(there))
            .collect();
        let has_run = self.end > self.first();
        self.history = History::new(version.start(), &version);
        self.history.set_input(there.tick, input);
        self.now = version.start().clone();
        self.messages = self.now.take_messages();
        let tracks = std::mem::take(&mut self.tracks);
        if has_run && !self.is_ghost_kept {
            self.ghost = Some(Arc::new(tracks));
        }
        self.tracks.record(self.now.world());
        self.end = self.tick();
        (self.options, self.values) = (options, values);
        (self.load_errors, self.run_errors) = (Diagnostics::default(), Diagnostics::default());
        (self.version, self.newest) = (Arc::clone(&version), Arc::clone(&version));
        self.runnable = vec![version];
        self.set_judgment(None);
        self.queue_input();
        let held: Vec<Key> = self.settings.keys().cloned().collect();
        self.carry_settings(&held);
        Ok(())
    }
}
