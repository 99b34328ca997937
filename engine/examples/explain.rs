//! Explanations: why an agent decides on its force, down to the line of its script.
#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use flockwork_engine::prelude::*;

const SCENARIO: &str = r#"(
    seed: 5,
    world: (size: (200, 200), edge: Wrap),
    groups: {
        "fish": (
            behavior: "fish",
            count: 30,
            spawn: Rect(min: (0, 0), max: (60, 60)),
            velocity: (20, 0),
            body: (radius: 1, max_speed: 30, max_force: 60),
        ),
        "shark": (count: 1, spawn: Points([(30, 30)])),
    },
)"#;

const FISH: &str = r#"
fn steer(me) {
    let school = me.separation(6) + 0.5 * me.cohesion(20);
    let shark = me.nearest("shark");
    school + 2 * me.flee(shark)
}
"#;

fn main() -> Result<(), Diagnostics> {
    let scripts = Scripts::new().with("fish", FISH);
    let mut run = Run::new(&Source::new("fish.ron", SCENARIO), &scripts, &Options::default())?;
    for _ in 0..30 {
        run.step()?;
    }
    // Explain what each agent decides in the next tick. `next_turn` returns more: its body, its goal, and where it will be.
    let fish = run.world().group_named("fish")?;
    for id in run.world().members(fish).map(|one| one.id()).step_by(7).take(2) {
        let Some(why) = run.simulation().explain(id)? else {
            continue;
        };
        println!("agent {id} decides on the force {:.1}:", why.force);
        for call in &why.calls {
            let share = why.fraction(call.share).unwrap_or_default() * 100.0;
            println!("  {share:4.0} %  {:10} {}", call.primitive.name, call.position());
        }
        if let Some(strongest) = why.strongest() {
            println!("  most of it comes from {}", strongest.primitive.name);
        }
    }
    Ok(())
}
