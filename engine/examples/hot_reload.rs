//! Hot reload in the loop of a game: scripts change while agents keep moving, and a broken script does no harm.
//!
//! Here the example edits its own script. In a game, `load::Watch` reports when a file was saved.
#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use std::error::Error;
use std::path::Path;

use flockwork_engine::prelude::*;

const SCENARIO: &str = r#"(
    ticks: 240,
    world: (size: (100, 100)),
    groups: { "runner": (behavior: "runner", count: 1, spawn: Points([(0, 0)]), body: (max_speed: 20)) },
)"#;

/// The scripts that are saved, each with its tick.
const EDITS: [(u64, &str); 4] = [
    (0, "fn steer(me) { vec(10, 0) }"),
    (60, "fn steer(me) { vec(0, 10) }"),
    (120, "fn steer(me) { vec(10, 0) + }"),
    (180, "fn steer(me) { -me.vel }"),
];

fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let scenario = folder.path().join("scenarios/runner.ron");
    let script = folder.path().join("scripts/runner.rhai");
    save(&scenario, SCENARIO)?;
    save(&script, EDITS[0].1)?;

    let mut run = Run::open(&scenario, &Options::default())?;
    while run.tick() < run.ticks() {
        let tick = run.tick();
        if let Some((_, text)) = EDITS.iter().find(|(saved, _)| *saved == tick) {
            save(&script, text)?;
            match Run::open(&scenario, &Options::default()) {
                Ok(edited) => {
                    run.adopt(edited)?;
                    println!("tick {tick}: runs `{text}`");
                }
                Err(errors) => println!("tick {tick}: keeps the previous script:\n{errors}"),
            }
        }
        run.step()?;
        if run.tick().is_multiple_of(30) {
            for agent in run.world().iter() {
                println!("tick {}: agent {} is at {:.1}", run.tick(), agent.id(), agent.pos());
            }
        }
    }
    Ok(())
}

fn save(path: &Path, text: &str) -> Result<(), Box<dyn Error>> {
    if let Some(folder) = path.parent() {
        load::make_folder(folder)?;
    }
    std::fs::write(path, text)?;
    Ok(())
}
