//! Runs a scenario many times at once, with different seeds and params, and compares the results.
//!
//! `cargo run --release -p flockwork-engine --example batch`
#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use std::path::Path;

use flockwork_engine::prelude::*;

/// Number of seeds for each value of the param.
const SEEDS: u64 = 50;

fn main() -> Result<(), Diagnostics> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios/night_watch.ron");
    let alerts = [60, 120, 180, 240];
    let mut options = Vec::new();
    for alert in alerts {
        for seed in 0..SEEDS {
            options.push(Options::default().seed(seed).param("guard", "alert", alert));
        }
    }
    let mut batch = Batch::open(&path, &options)?;
    // All 200 runs advance together. Each has the bits that it has alone.
    while batch.step() > 0 {}
    let thief = batch.runs()[0].world().group_named("thief")?;
    for (alert, runs) in alerts.iter().zip(batch.runs().chunks(SEEDS as usize)) {
        let safe = runs.iter().filter(|run| run.simulation().goal_counts(thief).agents > 0);
        println!(
            "alert {alert:>3}: the thief reaches its goal in {} of {SEEDS} runs",
            safe.count()
        );
    }
    Ok(())
}
