//! The copy of a script that notes its values exists for each script, and decides the same: otherwise there are no values.

use std::collections::BTreeMap;

use flockwork_engine::with_threads;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;

use super::test_world::ScriptCase;
use super::{THREADS, case_of, choices, default_world, grammar, small_scripts};

/// Returns whether the first turn of the first agent of the first group has values; `None` if there is no such turn.
fn has_values(case: &ScriptCase) -> Option<bool> {
    let mut simulation = case.simulation(&case.compile(|it| it).ok()?).ok()?;
    // Errors of later ticks do not matter.
    let _ = simulation.step();
    let id = *simulation.world().agents.id.first()?;
    Some(!simulation.values(id).ok()?.is_empty())
}

#[test]
fn scripts_have_values() {
    let small = small_scripts()
        .map(|(name, script, _)| ((*name).to_owned(), ScriptCase::one(script, default_world())));
    let mut runner = TestRunner::deterministic();
    let generated = (0..80).map(|number| {
        let (choices, test_world) = choices().new_tree(&mut runner).unwrap().current();
        let case = case_of(&grammar::generate(&choices), test_world);
        (format!("generated {number}\n{case}"), case)
    });
    let all: Vec<(String, ScriptCase)> = small.chain(generated).collect();
    let count = all.len();
    let has = with_threads(THREADS, || {
        let has = all.into_iter().map(|(name, case)| (name, has_values(&case)));
        has.collect::<BTreeMap<_, _>>()
    });
    let has = has.unwrap();
    let mut missing = has.iter().filter(|(_, has)| **has == Some(false)).map(|(name, _)| name);
    let first = missing.next();
    assert_eq!(first, None, "and {} others of {count}", missing.count());
}
