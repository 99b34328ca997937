//! Shared values: values of the world that all agents read, and that agents change together.
//!
//! Agents do not set a shared value: they contribute to it. Its rule says how the contributions of a tick are combined, so that the order
//! in which agents decide cannot matter.

use std::sync::Arc;

use super::{PublicType, Value, Values, World};

/// How contributions to a shared value, or messages to an agent, are combined with each other, and with the value before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SharedRule {
    /// Their sum.
    Sum,
    /// True if one of them is true.
    Any,
    /// True if all of them are true.
    All,
    /// The largest one.
    Largest,
    /// The smallest one.
    Smallest,
    /// That of the agent with the highest id.
    Latest,
}

impl SharedRule {
    /// Returns the type of its values. `None` if they have the type of the first value.
    pub fn ty(self) -> Option<PublicType> {
        match self {
            Self::Sum | Self::Largest | Self::Smallest => Some(PublicType::Number),
            Self::Any | Self::All => Some(PublicType::Bool),
            Self::Latest => None,
        }
    }
}

/// A value of the world that agents contribute to.
#[derive(Clone, Debug, PartialEq)]
pub struct SharedValue {
    /// Its name.
    pub name: Arc<str>,
    /// How contributions are combined.
    pub rule: SharedRule,
    /// Whether it begins again with its first value in each tick, so that only the contributions of one tick count.
    pub each_tick: bool,
    /// Its first value.
    pub start: Value,
    /// Its present value, of the same type.
    pub(crate) value: Value,
}

impl SharedValue {
    /// Returns a shared value at its start.
    pub fn new(name: &str, rule: SharedRule, each_tick: bool, start: Value) -> Self {
        let start = PublicType::of(&start).and_then(|ty| ty.fit(start.clone())).unwrap_or(start);
        Self { name: name.into(), rule, each_tick, value: start.clone(), start }
    }

    /// Returns its present value.
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// Returns the type of its values.
    pub fn ty(&self) -> PublicType {
        PublicType::of(&self.start).unwrap_or(PublicType::Agent)
    }

    /// Returns whether it is declared in the same way as another one, whatever the present values are.
    pub(crate) fn is_declared_like(&self, other: &Self) -> bool {
        let Self { name, rule, each_tick, start, value: _ } = self;
        *name == other.name
            && *rule == other.rule
            && *each_tick == other.each_tick
            && *start == other.start
    }
}

/// The contributions of a tick to a value, combined so far.
pub(crate) struct Combined {
    /// The sum of numbers, with more digits than those of the value.
    sum: f64,
    value: Value,
}

impl Combined {
    /// Begins with the value before the contributions.
    pub(crate) fn new(value: &Value) -> Self {
        let sum = if let Value::Float(x) = value { f64::from(*x) } else { 0.0 };
        Self { sum, value: value.clone() }
    }

    /// Adds a contribution. Returns `false` if a number becomes infinite.
    #[inline]
    pub(crate) fn add(&mut self, rule: SharedRule, new: &Value) -> bool {
        match (&mut self.value, new) {
            (Value::Float(old), &Value::Float(new)) => {
                *old = match rule {
                    SharedRule::Sum => {
                        self.sum += f64::from(new);
                        self.sum as f32
                    }
                    SharedRule::Largest if new <= *old => *old,
                    SharedRule::Smallest if new >= *old => *old,
                    _ => new,
                };
                return old.is_finite();
            }
            (Value::Bool(old), &Value::Bool(new)) => {
                *old = match rule {
                    SharedRule::Any => *old || new,
                    SharedRule::All => *old && new,
                    _ => new,
                };
            }
            (old, new) => *old = new.clone(),
        }
        true
    }

    /// Returns the value so far.
    pub(crate) fn value(&self) -> &Value {
        &self.value
    }

    /// Returns the new value.
    pub(crate) fn finish(self) -> Value {
        self.value
    }
}

impl World {
    /// Returns the index of the shared value with a name.
    pub fn shared_named(&self, name: &str) -> Option<usize> {
        self.shared.binary_search_by(|one| (*one.name).cmp(name)).ok()
    }

    /// Returns the present shared values, by their names.
    pub fn shared_values(&self) -> Values {
        self.shared.iter().map(|one| (Arc::clone(&one.name), one.value.clone())).collect()
    }

    /// Sets all shared values. Those that are missing, or have another type, get their first values.
    pub(crate) fn set_shared_values(&mut self, values: &Values) {
        for shared in &mut self.shared {
            let known = values.get(&shared.name).cloned();
            let known = known.and_then(|known| shared.ty().fit(known));
            shared.value = known.unwrap_or_else(|| shared.start.clone());
        }
    }

    /// Returns the present value of a shared value.
    pub fn shared_value(&self, name: &str) -> Option<&Value> {
        self.shared_named(name).map(|index| &self.shared[index].value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::AgentId;

    #[test]
    fn each_rule_combines_what_was_there_with_what_comes() {
        let combined = |rule, before: Value, new: &[Value]| {
            let mut all = Combined::new(&before);
            assert!(new.iter().all(|new| all.add(rule, new)));
            all.finish()
        };
        let numbers = [3.0, -1.0, 2.0].map(Value::Float);
        let before = || Value::Float(1.0);
        assert_eq!(combined(SharedRule::Sum, before(), &numbers), Value::Float(5.0));
        assert_eq!(combined(SharedRule::Largest, before(), &numbers), Value::Float(3.0));
        assert_eq!(combined(SharedRule::Largest, Value::Float(9.0), &numbers), Value::Float(9.0));
        assert_eq!(combined(SharedRule::Smallest, before(), &numbers), Value::Float(-1.0));
        assert_eq!(
            combined(SharedRule::Smallest, Value::Float(-9.0), &numbers),
            Value::Float(-9.0)
        );
        for (old, new, any, all) in [
            (false, [false, false], false, false),
            (false, [true, false], true, false),
            (true, [false, true], true, false),
            (true, [true, true], true, true),
        ] {
            let new = new.map(Value::Bool);
            assert_eq!(combined(SharedRule::Any, Value::Bool(old), &new), Value::Bool(any));
            assert_eq!(combined(SharedRule::All, Value::Bool(old), &new), Value::Bool(all));
        }
        let agents = [Value::Agent(AgentId(3)), Value::Nothing];
        assert_eq!(combined(SharedRule::Latest, Value::Nothing, &agents[..1]), agents[0]);
        assert_eq!(combined(SharedRule::Latest, agents[0].clone(), &agents[1..]), Value::Nothing);
    }

    #[test]
    fn sums_keep_small_parts_until_the_tick_ends_and_may_not_overflow() {
        let mut sum = Combined::new(&Value::Float(1.0));
        (0..1000).for_each(|_| assert!(sum.add(SharedRule::Sum, &Value::Float(1e-8))));
        assert_eq!(sum.finish(), Value::Float(1.00001));
        let mut sum = Combined::new(&Value::Float(f32::MAX));
        assert!(!sum.add(SharedRule::Sum, &Value::Float(f32::MAX)));
    }
}
