//! What a script may use up: the same in every build, so that a run that is stopped is stopped anywhere.

use rhai::Engine;

/// Steps for one agent in one tick; some tens of milliseconds.
pub(super) const OPERATIONS: u64 = 1_000_000;

/// Calls within calls.
pub(super) const CALLS: usize = 32;

/// Expressions within expressions, as written.
const DEPTH: usize = 64;

/// Elements of an array or a map, bytes of a text, and all of these together that an agent remembers.
pub(super) const ELEMENTS: usize = 10_000;

/// What one agent can say with `debug` in one tick.
pub(super) const MESSAGES: usize = 100;

/// Variables in reach at one time, and functions of one script.
const NAMES: usize = 500;

/// Scripts imported.
const MODULES: usize = 50;

/// Sets all limits.
pub(super) fn set(engine: &mut Engine) {
    engine
        .set_max_operations(OPERATIONS)
        .set_max_call_levels(CALLS)
        .set_max_expr_depths(DEPTH, DEPTH)
        .set_max_array_size(ELEMENTS)
        .set_max_map_size(ELEMENTS)
        .set_max_string_size(ELEMENTS)
        .set_max_variables(NAMES)
        .set_max_functions(NAMES)
        .set_max_modules(MODULES);
}
