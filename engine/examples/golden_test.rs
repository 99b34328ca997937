//! A test with goldens: it records what a scenario does, passes while that stays the same, and reports changes.
//!
//! In a game, this is a `#[test]` for all files of a folder; `load::find` lists them.
#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use std::error::Error;
use std::path::Path;

use flockwork_engine::prelude::*;
use flockwork_engine::suite::{Case, TestOutcome, diagnose, update};

const SCENARIO: &str = r#"(
    ticks: 120,
    world: (size: (100, 100)),
    groups: { "walkers": (behavior: "walk", count: 5, spawn: Ring(center: (0, 0), radius: 30),
        body: (radius: 1, max_speed: 15, max_force: 30)) },
    expect: [Reach(group: "walkers", at: (50, 0), radius: 5)],
)"#;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let scenario = folder.path().join("scenarios/walk.ron");
    let script = folder.path().join("scripts/walk.rhai");
    save(&scenario, SCENARIO)?;
    save(&script, "fn steer(me) { me.seek(vec(50, 0)) + me.separation(4) }")?;

    // The first run has nothing to compare with. Record the golden, with a reason.
    let case = Case::open(&scenario);
    let tested = case.test();
    let Some(mut header) = tested.header else {
        return Err(Diagnostics::from(tested.errors).into());
    };
    header.reason = "first version".into();
    update(&case, &header)?;
    println!("unchanged: {:?}", test(&scenario)?);

    save(&script, "fn steer(me) { me.seek(vec(50, 1)) + me.separation(4) }")?;
    println!("another goal: {:?}", test(&scenario)?);

    save(&script, "fn steer(me) { me.seak(vec(50, 0)) }")?;
    println!("a typing error: {:?}", test(&scenario)?);
    Ok(())
}

/// Tests a scenario and prints what is wrong.
fn test(scenario: &Path) -> Result<TestOutcome, Diagnostics> {
    let case = Case::open(scenario);
    let tested = case.test();
    for error in tested.errors.iter().chain(&tested.golden_error) {
        println!("{error}");
    }
    if tested.outcome == TestOutcome::Failed
        && let Some(comparison) = &tested.comparison
        && let Some(why) = diagnose(&case, comparison, None)?
    {
        println!("{why}");
    }
    Ok(tested.outcome)
}

fn save(path: &Path, text: &str) -> Result<(), Box<dyn Error>> {
    if let Some(folder) = path.parent() {
        load::make_folder(folder)?;
    }
    std::fs::write(path, text)?;
    Ok(())
}
