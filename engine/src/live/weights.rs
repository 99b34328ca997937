//! Switches of weights: with 0, what a param is the weight of is not there.

use std::collections::BTreeMap;

use super::session::Session;
use super::settings::ParamSetting;
use crate::world::{Value, Values};

/// New values of params of one group, by their names.
pub type WeightChanges = Vec<(String, Value)>;

/// The values that weights had before they were switched off, by the names of their groups and their own.
#[derive(Clone, Debug, Default)]
pub struct WeightSwitches {
    before: BTreeMap<(String, String), Value>,
}

/// Returns the number that switches a weight off. `None` if it is no number.
fn off(value: &Value) -> Option<Value> {
    match value {
        Value::Int(_) => Some(Value::Int(0)),
        Value::Float(_) | Value::Drawn(_) => Some(Value::Float(0.0)),
        _ => None,
    }
}

/// Returns whether a weight is switched off.
pub fn is_off(value: &Value) -> bool {
    off(value).as_ref() == Some(value)
}

impl WeightSwitches {
    /// Switches a weight off, or on again. Returns the values to set. The error says why it cannot be switched on.
    pub fn switch(
        &mut self,
        session: &Session,
        group: &str,
        param: &str,
    ) -> Result<WeightChanges, String> {
        let params = params_of(session, group);
        let value = params.get(param);
        let change = match value {
            Some(value) if is_off(value) => self.on(session, group, param),
            Some(value) => off(value),
            None => None,
        };
        let value = change.ok_or_else(|| {
            format!("{param} of {group} was never more than 0: type a value or drag its slider")
        })?;
        let changes = vec![(param.to_owned(), value)];
        self.keep_before(group, &params, &changes);
        Ok(changes)
    }

    /// Switches all weights of a group off but one. If they are off, switches all on again. Returns the values to set, and what
    /// that does in words.
    pub fn only(&mut self, session: &Session, group: &str, only: &str) -> (WeightChanges, String) {
        let params = params_of(session, group);
        let notes = session.param_notes().get(group);
        let is_weight = |param: &str| {
            notes.and_then(|notes| notes.get(param)).is_some_and(|note| note.is_weight)
        };
        let weights =
            || params.iter().filter(|(param, value)| is_weight(param) && off(value).is_some());
        let are_others_off = weights().all(|(param, value)| is_off(value) != (param == only));
        let mut changes = Vec::new();
        for (param, value) in weights() {
            let wanted = if are_others_off || param == only {
                if is_off(value) { self.on(session, group, param) } else { None }
            } else {
                off(value).filter(|_| !is_off(value))
            };
            changes.extend(wanted.map(|wanted| (param.to_owned(), wanted)));
        }
        self.keep_before(group, &params, &changes);
        let words = match are_others_off {
            true => format!("all weights of {group} are on again"),
            false => format!("only {only}: the other weights of {group} are off"),
        };
        (changes, words)
    }

    /// Returns the value that a weight had before it was switched off.
    pub fn before(&self, group: &str, param: &str) -> Option<&Value> {
        self.before.get(&(group.to_owned(), param.to_owned()))
    }

    /// Returns whether a param was switched off and still is.
    pub fn is_switched_off(&self, setting: &ParamSetting) -> bool {
        is_off(&setting.value) && self.before(&setting.group, &setting.param).is_some()
    }

    /// Forgets the value that a weight had before it was switched off: it has another one now.
    pub fn forget(&mut self, group: &str, param: &str) {
        self.before.remove(&(group.to_owned(), param.to_owned()));
    }

    /// Returns what a weight that is off is set to: its value before, or the one in the file.
    fn on(&self, session: &Session, group: &str, param: &str) -> Option<Value> {
        let file = || session.file_params().get(group)?.get(param);
        self.before(group, param).or_else(file).filter(|value| !is_off(value)).cloned()
    }

    /// Keeps the values before changes.
    fn keep_before(&mut self, group: &str, params: &Values, changes: &WeightChanges) {
        for (param, _) in changes {
            if let Some(before) = params.get(param).filter(|before| !is_off(before)) {
                self.before.insert((group.to_owned(), param.clone()), before.clone());
            }
        }
    }
}

/// Returns the params of a group, including changes that wait for the next tick; none if there is no such group.
fn params_of(session: &Session, group: &str) -> Values {
    let id = session.simulation().world().names().group(group);
    id.map(|id| session.params().swap_remove(usize::from(id.0))).unwrap_or_default()
}
