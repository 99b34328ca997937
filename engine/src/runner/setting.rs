//! Params that are set from outside, for example with `--set`.

use std::str::FromStr;

use super::Run;
use crate::diag::{Diagnostic, Diagnostics};
use crate::scenario::read_param;
use crate::sim::Action;

/// A value for a param, in place of the scenario's. `group.param=value` sets a param of one group, `param=value` a param
/// that the groups share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The group's name; `None` for a param that the groups share.
    pub group: Option<String>,
    /// The param's name.
    pub param: String,
    /// The value, written as in a scenario; a string needs no quotes.
    pub value: String,
}

/// The error for a text that is not a [`Setting`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not of the form group.param=value, or param=value for a shared param")]
pub struct InvalidSetting {
    /// The text.
    pub text: String,
}

impl FromStr for Setting {
    type Err = InvalidSetting;

    fn from_str(text: &str) -> Result<Self, InvalidSetting> {
        let parts = || {
            let (name, value) = text.split_once('=')?;
            let (group, param) = match name.split_once('.') {
                Some((group, param)) => (Some(group.trim()), param.trim()),
                None => (None, name.trim()),
            };
            let value = value.trim();
            let whole = group != Some("") && !param.is_empty() && !value.is_empty();
            whole.then(|| Self {
                group: group.map(str::to_owned),
                param: param.into(),
                value: value.into(),
            })
        };
        parts().ok_or_else(|| InvalidSetting { text: text.into() })
    }
}

impl Run {
    /// Sets a param of a group, or of all groups that have it, from the next tick on. The value is written as in a scenario; a string needs
    /// no quotes.
    ///
    /// # Errors
    ///
    /// If there is no such param, or if the value has another type. Nothing is set then.
    pub fn set_param(&mut self, setting: &Setting) -> Result<(), Diagnostics> {
        let Setting { group, param, value } = setting;
        let world = self.simulation.world();
        let groups = match group {
            Some(group) => vec![world.group_named(group)?],
            None => world.groups_with(param),
        };
        let mut actions = Vec::new();
        for id in groups {
            let group = world.group(id);
            let known = group.params.get(param).ok_or_else(|| {
                let names = group.params.iter().map(|(name, _)| name);
                Diagnostic::error(format!("group `{}` has no param `{param}`", group.name))
                    .suggest(param, names)
            })?;
            let value = read_param(&group.name, param, known, value)
                .map_err(|error| Diagnostic::error(error.to_string()))?;
            actions.push(Action::Set { group: id, param: param.as_str().into(), value });
        }
        if actions.is_empty() {
            return Err(Diagnostic::error(format!("no group has a param `{param}`")).into());
        }
        actions.into_iter().for_each(|action| self.simulation.queue(action));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_has_a_group_a_param_and_a_value() {
        let setting: Setting = "flock.sight = a=1.5".parse().unwrap();
        let parts = (setting.group.as_deref(), &*setting.param, &*setting.value);
        assert_eq!(parts, (Some("flock"), "sight", "a=1.5"));
        let shared: Setting = "sight=1".parse().unwrap();
        assert_eq!((shared.group, &*shared.param), (None, "sight"));
        for wrong in ["", "flock", "flock.sight", "=1", "sight=", "flock.=1", ".a=1", "a.b="] {
            let message = wrong.parse::<Setting>().unwrap_err().to_string();
            assert!(message.contains("group.param=value"), "{message}");
        }
    }
}
