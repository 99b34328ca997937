//! The params that the user has set. They are settings: the latest values stay, wherever in the history the session is.

use std::collections::BTreeMap;

use super::version::Version;
use crate::runner::{Options, Setting};
use crate::scenario::{param_text, string_text};
use crate::world::Value;

/// A param that the user has set.
#[derive(Clone, Debug, PartialEq)]
pub struct ParamSetting {
    /// The name of the group.
    pub group: String,
    /// The name of the param.
    pub param: String,
    /// The value that was set last.
    pub value: Value,
    /// The tick from which on the param has this value.
    pub tick: u64,
    /// Whether the scenario file has this value too.
    pub is_written: bool,
}

impl ParamSetting {
    /// Returns the param as it would stand in the scenario, such as `"room": 1.5`.
    pub fn text(&self) -> String {
        let value = param_text(&self.value).unwrap_or_default();
        format!("{}: {value}", string_text(&self.param))
    }
}

/// The names of the group and of the param.
pub(super) type Key = (String, String);

/// The latest value of a param.
#[derive(Clone, Debug)]
pub(super) struct LatestValue {
    /// The tick from which on the param has this value.
    pub(super) tick: u64,
    pub(super) value: Value,
}

/// The latest values of the params that the user has set.
pub(super) type Settings = BTreeMap<Key, LatestValue>;

/// Returns the params that the options set at the start of a run.
pub(super) fn set_by_options(options: &Options, version: &Version) -> Settings {
    let world = version.start().world();
    let mut all = Settings::new();
    for Setting { group, param, .. } in &options.settings {
        // A shared param counts as set for every group that has it.
        let groups = world.groups.iter();
        for of in groups.filter(|of| group.as_deref().is_none_or(|group| *group == *of.name)) {
            if let Some(value) = of.params.get(param) {
                let latest = LatestValue { tick: world.tick, value: value.clone() };
                all.insert((of.name.to_string(), param.clone()), latest);
            }
        }
    }
    all
}
