//! The value of a variable or a call in a turn.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;

use crate::diag::Place;

/// The value that a part of a script has in a turn of an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnValue {
    /// The name of the variable, the property or the function in the text of the script, or what stands between `if` or
    /// `switch` and its brace.
    pub place: Place,
    /// The kind of the part that has the value.
    pub kind: ValueKind,
    /// The calls that lead to the function that the part is in, the outermost first: the name of the function in each. Empty in a
    /// function that Flockwork calls.
    pub calls: Arc<[Place]>,
    /// How many values came before this one; among the last values of all parts, how many parts had one before.
    pub order: u32,
    /// The value as a short text for a person: numbers have four significant digits.
    pub text: String,
    /// How many values it stands for: among the last values of all parts, more than one in a loop, or in a function that is called again.
    pub count: u32,
}

impl TurnValue {
    /// Returns the last value of each part of a script, in the order of the first ones.
    pub(super) fn last_of_each(steps: Vec<Self>) -> Vec<Self> {
        let mut places: BTreeMap<_, usize> = BTreeMap::new();
        let mut all: Vec<Self> = Vec::new();
        for step in steps.into_iter().filter(|step| step.kind.is_shown()) {
            let Place { source, span } = &step.place;
            // Parts of one script share its source.
            let key = (Arc::as_ptr(source) as usize, span.start, span.end, step.kind);
            match places.entry(key) {
                Entry::Occupied(known) => {
                    let value = &mut all[*known.get()];
                    value.text = step.text;
                    value.count = value.count.saturating_add(step.count);
                }
                Entry::Vacant(new) => {
                    new.insert(all.len());
                    all.push(Self { order: all.len() as u32, ..step });
                }
            }
        }
        all
    }
}

impl ValueKind {
    /// Returns whether editors show such values beside the text. The others are for a debugger.
    fn is_shown(self) -> bool {
        !matches!(self, Self::Parameter | Self::Statement)
    }
}

/// The kind of a part of a script that has a value in a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ValueKind {
    /// A variable, or a property that is set, which gets the value there.
    Variable,
    /// A variable that is read, a property or a call.
    Result,
    /// The condition of an `if`, or the value that a `switch` compares.
    Condition,
    /// A parameter of a function of the script, when it is called.
    Parameter,
    /// A statement that runs. It has no value.
    Statement,
}
