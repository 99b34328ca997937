//! The value of a variable or a call in a turn.

use crate::diag::Place;

/// The value that a variable, a property or a call of a script has in a turn of an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnValue {
    /// The name of the variable, the property or the function in the text of the script.
    pub place: Place,
    /// Whether a variable, or a property that is set, gets the value there.
    pub is_variable: bool,
    /// The value as a short text for a person: numbers have four significant digits. The last one if there are several.
    pub text: String,
    /// How many times there was a value here: more than once in a loop, or in a function that is called again.
    pub count: u32,
}
