//! The limit of steps for one agent in one tick, and the number of steps that a query of the world counts for.

/// The maximum number of steps for one agent in one tick. The interpreter takes some tens of milliseconds for them.
pub const MAX_STEPS: u64 = 1_000_000;

/// The maximum number of ways that one agent can ask for in one tick on any grid.
pub const MAX_WAYS: u64 = 32;

/// The maximum number of cells of the grids of all ways that one agent can ask for in one tick. Each way may be a search of all
/// cells, which takes about as long as 20 steps for each cell.
const MAX_WAY_CELLS: u64 = 4_500_000;

/// Returns the maximum number of ways that one agent can ask for in one tick on a grid with a number of cells.
pub fn max_ways(cells: usize) -> u64 {
    (MAX_WAY_CELLS / (cells as u64).max(1)).clamp(1, MAX_WAYS)
}

/// Returns how many of these ways the loops of a program can ask for. If they ask for more, the interpreter counts exactly.
pub fn max_loop_ways(ways: u64) -> u64 {
    ways / 2
}

/// Returns the number of steps that a way counts for in a loop of a program, so that no loop asks for too many.
pub(super) fn loop_way_steps(cells: usize) -> u64 {
    MAX_STEPS.checked_div(max_loop_ways(max_ways(cells))).unwrap_or(MAX_STEPS + 1)
}

/// For a query of the world, the interpreter counts at most one step for this many objects.
const OBJECTS_PER_STEP: u64 = 64;

/// The number of queries in loops of a program that fit into the limit in a world of any size.
const MIN_QUERIES: u64 = 48;

/// Returns the maximum number of steps that the interpreter counts for a query, in a world with a number of objects.
pub fn max_query_steps(objects: usize) -> u64 {
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

        #[test]
        fn loops_that_ask_for_too_many_ways_exceed_the_limit_of_steps(cells in 0usize..1 << 23) {
            prop_assert!((max_loop_ways(max_ways(cells)) + 1) * loop_way_steps(cells) > MAX_STEPS);
        }
    }
}
