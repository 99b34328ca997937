//! Which calls and properties the interpreter counts as questions about the surroundings.

use super::value::Val;
use crate::program::Type;

/// What `me` can be asked that takes as long in a large world as in a small one.
const OF_ME_ALONE: [&str; 4] = ["distance", "neighbors", "random", "to"];

/// Returns whether a method may be a question about the surroundings. One too many only has the interpreter
/// take a turn that could do without it.
pub(super) fn is_asked_by_call(receiver: &Val, method: &str) -> bool {
    match receiver {
        Val::Me => !OF_ME_ALONE.contains(&method),
        Val::World | Val::Near(_) => true,
        Val::Alts(alts) => alts.iter().any(|alt| matches!(alt.is, Type::Path | Type::Obstacle)),
        _ => false,
    }
}

/// Returns whether a property may be a question about the surroundings.
pub(super) fn is_asked_by_property(of: &Val, property: &str) -> bool {
    match of {
        Val::Near(_) => true,
        Val::World => property == "obstacles",
        Val::Alts(alts) => alts.iter().any(|alt| alt.is == Type::Path),
        _ => false,
    }
}
