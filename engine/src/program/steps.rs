//! How many steps an agent may take in one tick, and how many a question about its surroundings counts for.

/// Steps for one agent in one tick; some tens of milliseconds of the interpreter.
pub(crate) const MAX_STEPS: u64 = 1_000_000;

/// The interpreter counts no more than one step for so many things in the world, when it answers a question.
const THINGS_PER_STEP: u64 = 64;

/// Questions in loops of a program that are answered in a world of any size.
const MIN_QUESTIONS: u64 = 48;

/// Returns how many steps the interpreter counts at most for a question, in a world of so many things.
pub(crate) fn max_question_steps(things: usize) -> u64 {
    things as u64 / THINGS_PER_STEP
}

/// Returns how many steps a question counts for in a loop of a program: never fewer than for the interpreter, and
/// more in a crowd, since all agents of a block ask before one of them can have asked too often.
pub(super) fn loop_question_steps(things: usize) -> u64 {
    let usual = (things as u64).min(MAX_STEPS / MIN_QUESTIONS);
    usual.max(max_question_steps(things))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_program_counts_no_fewer_steps_than_the_interpreter(things in 0usize..1 << 40) {
            prop_assert!(loop_question_steps(things) >= max_question_steps(things));
        }
    }
}
