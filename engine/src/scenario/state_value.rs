//! Values of states: reading them.

use std::collections::BTreeMap;

use ron::value::RawValue;
use serde::Deserialize;
use serde::de::{Deserializer, Error};

use super::param::PlainValue;
use super::{errors, options};
use crate::schema::values;
use crate::world::{AgentId, Value};

/// A value in `me.state`. It can be anything that a param can be, and more.
#[derive(Debug)]
pub(super) struct StateValue(pub(super) Value);

values! {
    StateValue: "a param, a list `[..]`, a map `{ \"name\": .. }`, `Agent(id)` or `()`";
}

impl<'de> Deserialize<'de> for StateValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // RON's reader says neither which brackets it read nor which name stands before them.
        let text = <&RawValue>::deserialize(deserializer)?.trim().get_ron();
        read_value(text).map(Self).map_err(|error| D::Error::custom(errors::message(&error, text)))
    }
}

fn read_value(text: &str) -> Result<Value, ron::error::SpannedError> {
    #[derive(Deserialize)]
    struct Agent(u32);

    if text.starts_with('[') {
        let items: Vec<StateValue> = options().from_str(text)?;
        Ok(Value::List(items.into_iter().map(|item| item.0).collect()))
    } else if text.starts_with('{') {
        let items: BTreeMap<String, StateValue> = options().from_str(text)?;
        Ok(Value::Map(items.into_iter().map(|(key, item)| (key.into(), item.0)).collect()))
    } else if text.starts_with("Agent") {
        options().from_str(text).map(|Agent(id)| Value::Agent(AgentId(id)))
    } else if text == "()" {
        Ok(Value::Nothing)
    } else {
        options().from_str(text).map(|PlainValue(value)| value)
    }
}
