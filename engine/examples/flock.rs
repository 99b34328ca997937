//! A flock in plain Rust, without a scenario, a script or a file.
//!
//! Prints how well the birds agree on a direction: 0 if they fly in all directions, 1 if all fly in the same one.
#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use flockwork_engine::prelude::*;

const SPEED: f32 = 60.0;

fn main() -> Result<(), Diagnostics> {
    let size = Vec2::new(400.0, 300.0);
    let (near, far) = (Neighborhood::within(12.0), Neighborhood::within(40.0));
    // The birds start in rows, each in another direction.
    let bird = |i: u32| {
        let pos = Vec2::new((i % 20) as f32, (i / 20) as f32) * Vec2::new(20.0, 30.0);
        NewAgent::at(pos, SPEED * direction(2.4 * i as f32))
    };
    let birds = GroupBuilder::new("birds")
        .agents((0..200).map(bird).collect::<Vec<_>>())
        .body(Body { radius: 2.0, max_speed: SPEED, max_force: 120.0, ..Body::default() })
        .steer(move |me, _| {
            1.5 * steer::separation(me, near, SPEED)
                + steer::alignment(me, far, SPEED)
                + 0.5 * steer::cohesion(me, far, SPEED)
        });
    let space = Space { edge: Edge::Wrap, min: Vec2::ZERO, size };
    let mut simulation = Simulation::builder(space).seed(7).group(birds).build()?;
    for second in 1..=10 {
        for _ in 0..60 {
            simulation.step()?;
        }
        let headings = simulation.world().iter().map(|bird| bird.heading());
        let agreement = headings.sum::<Vec2>().length() / 200.0;
        println!("{second:2} s: agreement {agreement:.2}");
    }
    println!("hash {:016x}", state_hash(simulation.world(), simulation.minds()));
    Ok(())
}
