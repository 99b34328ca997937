//! A scripted scenario in the loop of a game: the game moves a dog, which herds sheep that Flockwork steers.
//!
//! The game controls the time, the dog and the fence. It sets positions, adds and removes agents, and reads forces.
#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use flockwork_engine::prelude::*;

const SCENARIO: &str = r#"(
    seed: 3,
    dt: 0.05,
    world: (size: (120, 120), edge: Clamp),
    groups: {
        "dog": (count: 1, spawn: Points([(10, 10)])),
        "sheep": (
            behavior: "sheep",
            count: 12,
            spawn: Disc(center: (60, 60), radius: 20),
            body: (radius: 1, max_speed: 12, max_force: 40),
            params: { "fear": 45.0 },
        ),
    },
)"#;

const SHEEP: &str = r#"
fn steer(me) {
    let dog = me.nearest("dog");
    let away = if me.distance(dog) < me.params.fear { me.evade(dog) } else { -me.vel };
    away + me.separation(6)
}
"#;

fn main() -> Result<(), Diagnostics> {
    let scripts = Scripts::new().with("sheep", SHEEP);
    let mut run = Run::new(&Source::new("sheep.ron", SCENARIO), &scripts, &Options::default())?;
    let world = run.world();
    let (dogs, sheep) = (world.group_named("dog")?, world.group_named("sheep")?);
    let dog = world.members(dogs).next().expect("there is one dog").id();

    for frame in 0..400 {
        let time = frame as f32 * run.dt();
        let simulation = run.simulation_mut();

        // The game moves the dog, here in a circle.
        let point = Vec2::splat(60.0) + 20.0 * direction(0.4 * time);
        simulation.move_agent(dog, point, Vec2::ZERO)?;

        // A lamb is born every five seconds.
        if frame % 100 == 99 {
            let lamb = NewAgent::at(Vec2::splat(60.0), Vec2::ZERO);
            let ids = simulation.add(sheep, &[lamb])?;
            println!("{time:5.2} s: sheep {} is born", ids[0]);
        }

        // Sheep at the fence are removed.
        let is_at_fence =
            |one: &Agent<'_>| one.pos().min_element() <= 1.0 || one.pos().max_element() >= 119.0;
        let at_fence = simulation.world().members(sheep).filter(is_at_fence);
        let gone: Vec<AgentId> = at_fence.map(|one| one.id()).collect();
        if simulation.remove(&gone) > 0 {
            println!("{time:5.2} s: {gone:?} left, {} remain", simulation.world().count(sheep));
        }

        run.step()?;

        if frame % 100 == 0 {
            let forces = run.simulation().last_forces().into_iter().map(|force| force.length());
            let most = forces.zip(run.world().iter()).max_by(|a, b| a.0.total_cmp(&b.0));
            if let Some((force, one)) = most {
                println!("{time:5.2} s: sheep {} has the largest force, {force:.1}", one.id());
            }
        }
    }
    Ok(())
}
