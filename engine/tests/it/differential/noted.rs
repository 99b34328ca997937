//! The program that notes values decides the same as the one that runs, and has values for each script.

use flockwork_engine::math::Vec2;
use flockwork_engine::with_threads;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;

use super::test_world::ScriptCase;
use super::{THREADS, case_of, choices, default_world, grammar, small_scripts};

/// Checks the second turn of the first agent. Returns whether it has values; `None` if there is no such turn, or if only the
/// interpreter can run it.
fn has_values(name: &str, case: &ScriptCase) -> Option<bool> {
    let behaviors = case.compile(|it| it).ok()?;
    let mut simulation = case.simulation(&behaviors).ok()?;
    // Errors of later ticks do not matter.
    let _ = simulation.step();
    let id = *simulation.world().agents.id.first()?;
    let why = simulation.explain(id).ok()??;
    let wishes = simulation.wishes().ok()?;
    let (_, wish) = wishes.into_iter().find(|(of, _)| *of == id)?;
    let bits = |v: Vec2| (v.x.to_bits(), v.y.to_bits());
    assert_eq!(bits(why.force), bits(wish.force), "{name}");
    assert_eq!(bits(why.vel_change), bits(wish.vel_change), "{name}");
    let has_values = !simulation.values(id).unwrap_or_default().is_empty();
    let _ = simulation.step();
    (behaviors[0].interpreted_turns() == 0).then_some(has_values)
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
        let has = all.into_iter().map(|(name, case)| (has_values(&name, &case), name));
        has.collect::<Vec<_>>()
    });
    let has = has.unwrap();
    let known = has.iter().filter(|(has, _)| has.is_some()).count();
    assert!(known > count / 4, "{known} of {count}");
    let missing: Vec<&String> =
        has.iter().filter(|(has, _)| *has == Some(false)).map(|(_, name)| name).collect();
    assert!(missing.is_empty(), "{} of {known}: {}", missing.len(), missing[0]);
}
