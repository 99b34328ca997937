//! Strings that many agents have, stored once.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::world::Value;

/// Stores equal strings once, however many agents have them.
#[derive(Default)]
pub(super) struct StringPool(BTreeSet<Arc<str>>);

impl StringPool {
    pub(super) fn intern(&mut self, text: Arc<str>) -> Arc<str> {
        if let Some(known) = self.0.get(&text) {
            return Arc::clone(known);
        }
        self.0.insert(Arc::clone(&text));
        text
    }

    pub(super) fn intern_value(&mut self, value: Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.intern(text)),
            other => other,
        }
    }
}
