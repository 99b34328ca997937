//! The flock: separation, alignment and cohesion among about eight neighbors, on one thread.
//!
//! Agents on a torus at a constant density, which steer at maximum speed: separation within 25, alignment and cohesion
//! within 50, weights 1.5, 1 and 1. The three primitives are called once from Rust, once from a script. Criterion's
//! throughput is agents per second; its inverse is the time per agent and tick. At the end, the benchmark prints the time
//! of each phase of a tick.

use std::sync::Arc;
use std::time::{Duration, Instant};

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use flockwork_engine::math::{PI, Vec2, sqrt};
use flockwork_engine::script::{Behavior, Scripts};
use flockwork_engine::sim::{Brain, FnWithNeeds, GroupBuilder, Phase, Simulation, SpawnShape};
use flockwork_engine::steer::{alignment, cohesion, separation};
use flockwork_engine::with_threads;
use flockwork_engine::world::{Body, Edge, Me, Mind, Need, Neighborhood, Space, WantedSums};

/// The area per agent: about five neighbors are within 50 at first, and eight after the warm-up.
const AREA_PER_AGENT: f32 = 50.0 * 50.0 * PI / 4.8;

/// The number of ticks before measuring, in which the flock forms.
const WARM_UP: usize = 100;

const SPEED: f32 = 180.0;

const SCRIPT: &str = "fn steer(me) {
    1.5 * me.separation(25) + me.alignment(50) + me.cohesion(50)
}";

fn native(me: &Me<'_>, _: Mind<'_>) -> Vec2 {
    let (near, far) = (Neighborhood::within(25.0), Neighborhood::within(50.0));
    1.5 * separation(me, near, SPEED) + alignment(me, far, SPEED) + cohesion(me, far, SPEED)
}

fn flock(agents: u32, brain: Arc<dyn Brain>) -> Simulation {
    let size = Vec2::splat(sqrt(agents as f32 * AREA_PER_AGENT));
    let group = GroupBuilder::new("flock")
        .spawn(SpawnShape::Rect { min: Vec2::ZERO, max: size }, agents)
        .velocity(Vec2::new(SPEED, 0.0))
        .body(Body { radius: 1.0, max_speed: SPEED, max_force: SPEED, ..Body::default() })
        .brain(brain);
    let space = Space { edge: Edge::Wrap, min: Vec2::ZERO, size };
    let built = Simulation::builder(space).seed(1).group(group).build();
    let mut simulation = built.unwrap_or_else(|wrong| panic!("{wrong}"));
    for _ in 0..WARM_UP {
        step(&mut simulation);
    }
    simulation
}

fn step(simulation: &mut Simulation) {
    if let Err(fault) = simulation.step() {
        panic!("{fault}");
    }
}

fn brains() -> Vec<(&'static str, Arc<dyn Brain>)> {
    let script = Behavior::compile("flock", &Scripts::new().with("flock", SCRIPT));
    let script = script.unwrap_or_else(|errors| panic!("{errors}"));
    let of = |radius, sums| Need { neighborhood: Neighborhood::within(radius), sums };
    let (means, push) = (
        WantedSums { means: true, ..WantedSums::default() },
        WantedSums { push: true, ..WantedSums::default() },
    );
    let native = FnWithNeeds { needs: vec![of(25.0, push), of(50.0, means)], decide: native };
    vec![("native", Arc::new(native)), ("script", Arc::new(script))]
}

/// The number of ticks that are measured from the same start: few, since a flock becomes denser with time.
const TICKS: u64 = 50;

/// Returns the time of a number of ticks, repeated from the same start.
fn time(start: &Simulation, ticks: u64) -> Duration {
    let mut total = Duration::ZERO;
    for done in (0..ticks).step_by(TICKS as usize) {
        let mut simulation = start.clone();
        // The first tick copies what the clone shares.
        step(&mut simulation);
        let begin = Instant::now();
        for _ in 0..TICKS.min(ticks - done) {
            step(&mut simulation);
        }
        total += begin.elapsed();
    }
    total
}

/// Prints the time of each phase, in nanoseconds per agent and tick.
#[expect(clippy::print_stdout, reason = "a benchmark's result is for a person to read")]
fn phases(mut simulation: Simulation, agents: u32) {
    let mut spent: Vec<(Phase, Duration)> = Vec::new();
    for _ in 0..TICKS {
        let mut entered: Vec<(Phase, Instant)> = Vec::new();
        let done = simulation.step_with(|phase, _| entered.push((phase, Instant::now())));
        let end = Instant::now();
        if let Err(fault) = done {
            panic!("{fault}");
        }
        let ends = entered.iter().skip(1).map(|(_, begin)| *begin).chain([end]);
        for (i, ((phase, begin), end)) in entered.iter().zip(ends).enumerate() {
            if spent.len() <= i {
                spent.push((*phase, Duration::ZERO));
            }
            spent[i].1 += end - *begin;
        }
    }
    let turns = f64::from(agents) * TICKS as f64;
    for (phase, time) in spent {
        println!("    {phase:?}: {:.1} ns", time.as_secs_f64() * 1e9 / turns);
    }
}

/// Runs `work` on one thread.
fn alone<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    with_threads(1, work).unwrap_or_else(|error| panic!("{error}"))
}

fn bench(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("flock");
    group.sample_size(10);
    for (name, brain) in brains() {
        let sizes: &[u32] = match name {
            "native" => &[1_000, 10_000, 100_000, 1_000_000],
            _ => &[1_000, 10_000, 100_000],
        };
        for &agents in sizes {
            group.throughput(Throughput::Elements(u64::from(agents)));
            let start = alone(|| flock(agents, Arc::clone(&brain)));
            group.bench_function(BenchmarkId::new(name, agents), |bencher| {
                bencher.iter_custom(|ticks| alone(|| time(&start, ticks)));
            });
            if name == "native" {
                alone(|| phases(start, agents));
            }
        }
    }
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
