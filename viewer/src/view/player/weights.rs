//! Switches of weights: with 0, what a param is the weight of is not there.

use std::collections::BTreeMap;

use flockwork_engine::world::{Value, Values};

use super::Player;

/// The values that weights had before they were switched off, by the names of their groups and their own.
pub(super) type WeightsBefore = BTreeMap<(String, String), Value>;

/// Returns the number that switches a weight off. `None` if it is no number.
fn off(value: &Value) -> Option<Value> {
    match value {
        Value::Int(_) => Some(Value::Int(0)),
        Value::Float(_) | Value::Drawn(_) => Some(Value::Float(0.0)),
        _ => None,
    }
}

/// Returns whether a weight is switched off.
pub(in super::super) fn is_off(value: &Value) -> bool {
    off(value).as_ref() == Some(value)
}

impl Player {
    /// Switches a weight off, or on again.
    pub(super) fn switch_weight(&mut self, group: &str, param: &str) {
        let Some((params, _)) = self.params_of(group) else { return };
        let change = match params.get(param) {
            Some(value) if is_off(value) => self.on(group, param),
            Some(value) => off(value),
            None => None,
        };
        match change {
            Some(value) => self.switch(group, &params, vec![(param.to_owned(), value)]),
            None => self.notice(
                format!(
                    "{param} of {group} was never more than 0: type a value or drag its slider"
                ),
                true,
            ),
        }
    }

    /// Switches all weights of a group off but one. If they are off, switches all on again.
    pub(super) fn only_weight(&mut self, group: &str, only: &str) {
        let Some((params, _)) = self.params_of(group) else { return };
        let notes = self.session.param_notes().get(group);
        let is_weight = |param: &str| {
            notes.and_then(|notes| notes.get(param)).is_some_and(|note| note.is_weight)
        };
        let weights =
            || params.iter().filter(|(param, value)| is_weight(param) && off(value).is_some());
        let are_others_off = weights().all(|(param, value)| is_off(value) != (param == only));
        let mut changes = Vec::new();
        for (param, value) in weights() {
            let wanted = if are_others_off || param == only {
                if is_off(value) { self.on(group, param) } else { None }
            } else {
                off(value).filter(|_| !is_off(value))
            };
            changes.extend(wanted.map(|wanted| (param.to_owned(), wanted)));
        }
        self.switch(group, &params, changes);
        let words = match are_others_off {
            true => format!("all weights of {group} are on again"),
            false => format!("only {only}: the other weights of {group} are off"),
        };
        self.notice(words, false);
    }

    /// Returns what a weight that is off is set to: its value before, or the one in the file.
    fn on(&self, group: &str, param: &str) -> Option<Value> {
        let before = self.weights_before.get(&(group.to_owned(), param.to_owned())).cloned();
        let of = |all: &BTreeMap<String, Values>| all.get(group)?.get(param).cloned();
        let file = || of(self.session.file_params()).or_else(|| of(&self.first_params));
        before.or_else(file).filter(|value| !is_off(value))
    }

    /// Sets weights of a group, and keeps their values before.
    fn switch(&mut self, group: &str, params: &Values, changes: Vec<(String, Value)>) {
        self.params_aside.clear();
        let named = |param: String| (group.to_owned(), param);
        for (param, _) in &changes {
            if let Some(before) = params.get(param).filter(|before| !is_off(before)) {
                self.weights_before.insert(named(param.clone()), before.clone());
            }
        }
        let changes = changes.into_iter().map(|(param, value)| (named(param), value));
        self.change_params(changes.collect());
    }
}
