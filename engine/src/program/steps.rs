//! The limit of steps for one agent in one tick, and the number of steps that a query of the world counts for.

/// The maximum number of steps for one agent in one tick. The interpreter takes some tens of milliseconds for them.
pub(crate) const MAX_STEPS: u64 = 1_000_000;

/// The maximum number of ways that one agent can ask for in one tick. Each may be a search of all cells of a large grid, so it is
/// far more work than a step.
pub(crate) const MAX_WAYS: u64 = 32;

/// The number of ways that all loops of a program can ask for in one turn. If they ask for more, the interpreter counts exactly.
pub(crate) const MAX_LOOP_WAYS: u64 = MAX_WAYS / 2;

/// For a query of the world, the interpreter counts at most one step for this many objects.
const OBJECTS_PER_STEP: u64 = 64;

/// The number of queries in loops of a program that fit into the limit in a world of any size.
const MIN_QUERIES: u64 = 48;

/// Returns the maximum number of steps that the interpreter counts for a query, in a world with a number of objects.
pub(crate) fn max_query_steps(objects: usize) -> u64 {
    objects as u64 / OBJECTS_PER_STEP
}

/// Returns the number of steps that a query counts for in a loop of a program: never fewer than for the interpreter, and
/// more in a crowd, since all agents of a block make their queries before one of them can exceed the limit.
pub(super) fn loop_query_steps(objects: usize) -> u64 {
    let usual = (objects as u64).min(MAX_STEPS / MIN_QUERIES);
    usual.max(max_query_steps(objects))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_program_counts_no_fewer_steps_than_the_interpreter(objects in 0usize..1 << 40) {
            prop_assert!(loop_query_steps(objects) >= max_query_steps(objects));
        }
    }
}
