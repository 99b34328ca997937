//! Sets params of a scenario that has been read, such as those of the command line.

use std::sync::Arc;

use super::distributions::has_name_and_brackets;
use super::group_spec::GroupSpec;
use super::param::{ParamSpec, fit};
use super::spanned::ReadText;
use super::{Scenario, advice_by_shape, errors, shape, to_ron};
use crate::diag::nearest;
use crate::schema::{Described, Shape};
use crate::world::Value;

/// Why a param cannot be set.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SetParamError {
    /// There is no such group.
    #[error("no group `{group}`{hint}")]
    UnknownGroup {
        /// The name asked for.
        group: String,
        /// The nearest and all valid names.
        hint: String,
    },
    /// The group declares no such param.
    #[error("group `{group}` has no param `{param}`{hint}")]
    UnknownParam {
        /// The group.
        group: String,
        /// The name asked for.
        param: String,
        /// The nearest and all valid names.
        hint: String,
        /// The path of the field of the scenario that has this name, as plans write it: `groups.a.body.max_speed`.
        field: Option<String>,
    },
    /// No param of this name is shared by the groups.
    #[error("the groups share no param `{param}`{hint}")]
    UnknownShared {
        /// The name asked for.
        param: String,
        /// The nearest and all valid names.
        hint: String,
        /// The path of the field of the scenario that has this name, as plans write it: `groups.a.body.max_speed`.
        field: Option<String>,
    },
    /// The text is not a value.
    #[error("cannot read `{value}` as {expected} for `{group}.{param}`")]
    Unreadable {
        /// The group.
        group: String,
        /// The param.
        param: String,
        /// The given value.
        value: String,
        /// The type of the param.
        expected: &'static str,
        /// The declared value, as it is written in a scenario.
        example: String,
    },
    /// The text is no distribution.
    #[error("cannot read `{value}` as a distribution for `{group}.{param}`: {problem}")]
    WrongDistribution {
        /// The group.
        group: String,
        /// The param.
        param: String,
        /// The given value.
        value: String,
        /// What is wrong with it.
        problem: String,
    },
    /// The value has another type than the declared one.
    #[error("`{group}.{param}` is {expected}, but `{value}` is {found}")]
    WrongKind {
        /// The group.
        group: String,
        /// The param.
        param: String,
        /// The given value.
        value: String,
        /// The type of the param.
        expected: &'static str,
        /// The type of the value.
        found: &'static str,
    },
}

impl Scenario {
    /// Sets a param of a group. The value is written as in a scenario, but a string needs no quotes. A param that is
    /// declared as a float also accepts an integer.
    ///
    /// # Errors
    ///
    /// If the group or the param is not declared, or if the value has another type than the declared one.
    pub fn set_param(
        &mut self,
        group: &str,
        param: &str,
        value: &str,
    ) -> Result<(), SetParamError> {
        // A shared param, as plans write it.
        if group == "params" && !self.setup.groups.iter().any(|(of, _)| &*of.name == group) {
            return self.set_shared_param(param, value);
        }
        let short = self.without_fields(group, param);
        let groups = &mut self.setup.groups;
        let Some(index) = groups.iter().position(|(of, _)| &*of.name == group) else {
            let names = groups.iter().map(|(of, _)| &*of.name);
            let hint = short.unwrap_or_else(|| hint(group, names));
            return Err(SetParamError::UnknownGroup { group: group.into(), hint });
        };
        let params = &mut groups[index].0.params;
        let Some(declared) = params.get(param) else {
            return Err(SetParamError::UnknownParam {
                group: group.into(),
                param: param.into(),
                field: field_path(Some(group), param),
                hint: short.unwrap_or_else(|| hint(param, params.names())),
            });
        };
        let new = read_param(group, param, declared, value)?;
        params.set(param, new.clone());
        if let Some(start) = &mut self.setup.start {
            start.groups[index].params.set(param, new);
        }
        Ok(())
    }
}

impl Scenario {
    /// Sets a shared param, for all groups that have no value of their own. The value is written as for
    /// [`Scenario::set_param`].
    ///
    /// # Errors
    ///
    /// If no such param is shared, or if the value has another type.
    pub fn set_shared_param(&mut self, param: &str, value: &str) -> Result<(), SetParamError> {
        let Some(groups) = self.inherited.get(param) else {
            let names = self.inherited.keys().map(|name| &**name);
            return Err(SetParamError::UnknownShared {
                param: param.into(),
                field: field_path(None, param),
                hint: hint(param, names),
            });
        };
        for group in groups.clone() {
            let group = Arc::clone(&self.setup.groups[group].0.name);
            self.set_param(&group, param, value)?;
        }
        Ok(())
    }
}

impl Scenario {
    /// Returns the hint for a param that is named by its path in the scenario: `a.sight` for `groups.a.params.sight`.
    fn without_fields(&self, group: &str, param: &str) -> Option<String> {
        let path = format!("{group}.{param}");
        let path = path.strip_prefix("groups.").unwrap_or(&path);
        let (group, param) = path.split_once('.')?;
        let param = param.strip_prefix("params.").unwrap_or(param);
        let (of, _) = self.setup.groups.iter().find(|(of, _)| &*of.name == group)?;
        of.params.get(param).map(|_| format!("; write `{group}.{param}`"))
    }
}

/// Reads another value for a param of a group. It is written as for [`Scenario::set_param`].
///
/// # Errors
///
/// If the text is no value, or one of another type than the declared value.
pub(crate) fn read_param(
    group: &str,
    param: &str,
    declared: &Value,
    value: &str,
) -> Result<Value, SetParamError> {
    let expected = declared.kind();
    let is_bare_text = matches!(declared, Value::String(_)) && !value.starts_with('"');
    let new = if is_bare_text {
        Value::String(value.into())
    } else {
        match ParamSpec::read_text(value.trim()) {
            Ok(ParamSpec(new)) => new,
            Err(error) if has_name_and_brackets(value.trim()) => {
                return Err(SetParamError::WrongDistribution {
                    group: group.into(),
                    param: param.into(),
                    value: value.into(),
                    problem: errors::message(&error, value.trim()),
                });
            }
            Err(_) => {
                return Err(SetParamError::Unreadable {
                    group: group.into(),
                    param: param.into(),
                    value: value.into(),
                    expected,
                    example: to_ron::value(declared),
                });
            }
        }
    };
    let found = new.kind();
    let Some(new) = fit(declared, new) else {
        return Err(SetParamError::WrongKind {
            group: group.into(),
            param: param.into(),
            value: value.into(),
            expected,
            found,
        });
    };
    Ok(new)
}

/// Returns the path of the field of a scenario that is mistaken for a param.
fn field_path(group: Option<&str>, name: &str) -> Option<String> {
    let in_group = || path_in(&GroupSpec::shape(), name);
    match group {
        Some(group) => in_group().map(|path| format!("groups.{group}.{path}")),
        None => path_in(shape(), name).or_else(|| Some(format!("groups.NAME.{}", in_group()?))),
    }
}

/// Returns the path of a field with a name: a whole path, or a field in the brackets of another one.
fn path_in<'s>(shape: &'s Shape, name: &str) -> Option<String> {
    let field = |of: &'s Shape, word: &str| match of {
        Shape::Fields(fields) => fields.iter().find(|field| field.name == word),
        _ => None,
    };
    let found = name.split('.').try_fold(shape, |of, word| Some(&field(of, word)?.shape));
    if found.is_some() {
        return Some(name.to_owned());
    }
    let Shape::Fields(fields) = shape else { return None };
    fields.iter().find_map(|field| {
        let inner = advice_by_shape::field_inside(&field.shape, name)?;
        Some(format!("{}.{inner}", field.name))
    })
}

/// Returns the most similar of the valid names, and all valid names if they are few.
fn hint<'a>(wrong: &str, valid: impl Iterator<Item = &'a str>) -> String {
    let valid: Vec<&str> = valid.collect();
    let near = nearest(wrong, valid.iter().copied());
    let near = near.map_or_else(String::new, |name| format!("; did you mean `{name}`?"));
    match valid.len() {
        0 => "; there are none".into(),
        1..=12 if near.is_empty() => format!("; known: {}", valid.join(", ")),
        // The list has nothing else.
        1 => near,
        2..=12 => format!("{near} Known are: {}", valid.join(", ")),
        _ => near,
    }
}
