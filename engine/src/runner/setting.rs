//! Params of groups, set from outside.

use std::str::FromStr;

/// A value for a param of a group, in place of the scenario's; written `group.param=value`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The group's name.
    pub group: String,
    /// The param's name.
    pub param: String,
    /// The value, written as in a scenario; a text needs no quotes.
    pub value: String,
}

/// A text that is no [`Setting`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not of the form group.param=value")]
pub struct NotASetting {
    /// The text.
    pub text: String,
}

impl FromStr for Setting {
    type Err = NotASetting;

    fn from_str(text: &str) -> Result<Self, NotASetting> {
        let parts = || {
            let (name, value) = text.split_once('=')?;
            let (group, param) = name.split_once('.')?;
            let [group, param, value] = [group, param, value].map(str::trim);
            let whole = !(group.is_empty() || param.is_empty() || value.is_empty());
            whole.then(|| Self {
                group: group.into(),
                param: param.into(),
                value: value.into(),
            })
        };
        parts().ok_or_else(|| NotASetting { text: text.into() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_has_a_group_a_param_and_a_value() {
        let setting: Setting = "flock.sight = a=1.5".parse().unwrap();
        let parts = [&setting.group, &setting.param, &setting.value];
        assert_eq!(parts, ["flock", "sight", "a=1.5"]);
        for wrong in [
            "",
            "flock",
            "flock.sight",
            "sight=1",
            "flock.=1",
            ".a=1",
            "a.b=",
        ] {
            let message = wrong.parse::<Setting>().unwrap_err().to_string();
            assert!(message.contains("group.param=value"), "{message}");
        }
    }
}
