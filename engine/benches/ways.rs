//! Ways around obstacles: the time of a search, and of following it compared with `seek`.
//!
//! A world of 200 x 200 cells with 100 obstacles. The first benchmark searches from a goal to all cells, in a copy of the
//! world that knows nothing yet, so it includes finding out where the body fits. The others ask for 1,000 agents in a world in which
//! the search has been done.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use flockwork_engine::geom::Shape;
use flockwork_engine::math::random::Mix;
use flockwork_engine::math::{PI, Vec2, direction};
use flockwork_engine::sim::{GroupBuilder, Simulation, SpawnShape};
use flockwork_engine::steer::{go_to, seek};
use flockwork_engine::world::{Body, Edge, Space, World};

const SIDE: f32 = 100.0;

/// Cells are half as large as the radius.
const RADIUS: f32 = 1.0;

fn simulation() -> Simulation {
    let space = Space { edge: Edge::Clamp, min: Vec2::ZERO, size: Vec2::splat(SIDE) };
    let body = Body { radius: RADIUS, max_speed: 10.0, ..Body::default() };
    let area = SpawnShape::Rect { min: Vec2::ZERO, max: Vec2::splat(SIDE) };
    let mut builder =
        Simulation::builder(space).group(GroupBuilder::new("agents").spawn(area, 1000).body(body));
    for i in 0..100 {
        let draw = Mix::new(3).with(i);
        let center = Vec2::new(draw.with(1).unit(), draw.with(2).unit()) * SIDE;
        let half = direction(draw.with(3).unit() * 2.0 * PI) * 5.0;
        let shape = if i % 2 == 0 {
            Shape::Circle { center, radius: 1.0 + 2.0 * draw.with(4).unit() }
        } else {
            Shape::Segment { from: center - half, to: center + half }
        };
        builder = builder.obstacle(&format!("obstacle {i}"), shape);
    }
    builder.build().unwrap_or_else(|wrong| panic!("{wrong}"))
}

fn ask_all(world: &World, goal: Vec2) -> f32 {
    (0..world.agents.len()).map(|row| world.me(row).way(goal).length).sum()
}

fn ways(c: &mut Criterion) {
    let goal = Vec2::splat(SIDE / 2.0);
    c.bench_function("search, 200 x 200 cells", |bench| {
        bench.iter_with_setup(simulation, |fresh| ask_all(fresh.world(), goal));
    });
    let known = simulation();
    ask_all(known.world(), goal);
    let world = known.world();
    let mut group = c.benchmark_group("follow");
    group.throughput(Throughput::Elements(world.agents.len() as u64));
    let all = 0..world.agents.len();
    group.bench_function("go_to", |bench| {
        let force = |row| go_to(&world.me(row), black_box(goal), 0.0, 10.0);
        bench.iter(|| all.clone().map(force).sum::<Vec2>());
    });
    group.bench_function("seek", |bench| {
        let force = |row| seek(&world.me(row), black_box(goal), 10.0);
        bench.iter(|| all.clone().map(force).sum::<Vec2>());
    });
    group.finish();
}

criterion_group!(benches, ways);
criterion_main!(benches);
