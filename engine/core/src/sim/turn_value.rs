//! The value of a variable or a call in a turn.

use crate::diag::Place;

/// The value that a part of a script has in a turn of an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnValue {
    /// The name of the variable, the property or the function in the text of the script, or what stands between `if` or
    /// `switch` and its brace.
    pub place: Place,
    /// The kind of the part that has the value.
    pub kind: ValueKind,
    /// How many other parts of the script had a value before this one had its first.
    pub order: u32,
    /// The value as a short text for a person: numbers have four significant digits. The last one if there are several.
    pub text: String,
    /// How many times there was a value here: more than once in a loop, or in a function that is called again.
    pub count: u32,
}

/// The kind of a part of a script that has a value in a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueKind {
    /// A variable, or a property that is set, which gets the value there.
    Variable,
    /// A variable that is read, a property or a call.
    Result,
    /// The condition of an `if`, or the value that a `switch` compares.
    Condition,
}
