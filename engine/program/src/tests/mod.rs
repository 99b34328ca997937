//! Compares small programs with the functions that the interpreter calls.

mod calls;
mod columns;
mod explain;
mod memory;
mod neighbors;
mod world;

use super::*;
use crate::geom::Shape;
use crate::math::random::Mix;
use crate::math::{Binary, Compare, Unary, Vec2};
use crate::sim::Moment;
use crate::world::{
    Body, Edge, Goal, Group, GroupId, Me, NewAgent, Obstacle, Path, PathMode, Progress, Value,
    Values, World,
};

/// Fewer lanes than a chunk, a chunk, and all lanes.
const COUNTS: [usize; 5] = [1, 15, 16, 17, LANES];

/// Returns a program with one body, enough columns, and column 0 of the booleans for the live lanes.
fn program(body: Vec<Op>) -> Program {
    Program { body, columns: (16, 16, 16), live: Some(LIVE), ..Program::default() }
}

const LIVE: B = B(0);

/// Returns an operation that runs in every lane.
fn every(kind: OpKind, read: impl Operands, written: impl Operands) -> Op {
    Op::new(kind, read, written, None)
}

/// Returns an operation that runs in the lanes of a mask.
fn within(active: B, kind: OpKind, read: impl Operands, written: impl Operands) -> Op {
    Op::new(kind, read, written, Some(active))
}

/// Edges with different offsets.
const SPACES: [Edge; 2] = [Edge::Open, Edge::Wrap];

/// Returns lanes with agents of the first group of a world.
fn lanes_of(world: &World, count: usize) -> GroupLanes<'_> {
    GroupLanes { moment: Moment::unique(), world, group: GroupId(0), lanes: 0..count }
}

/// Runs a program for the first rows of a world, in columns that `fill` has filled.
fn run_filled(
    program: &Program,
    world: &World,
    count: usize,
    fill: impl Fn(&mut Banks),
) -> Machine {
    let mut machine = Machine::default();
    machine.fit(program);
    fill(&mut machine.banks);
    let slots: Vec<u32> = (0..count).map(|row| world.agents.motions.slot(row) as u32).collect();
    let velocities: Vec<Vec2> = world.agents.velocities().take(count).collect();
    let (state, progress) = (Values::default(), vec![Progress::default(); world.paths.len()]);
    let block = Block { slots: &slots, velocities: &velocities, mind: &|_| (&state, &progress) };
    machine.run(program, &[lanes_of(world, block.slots.len())], block);
    machine
}

fn run(program: &Program, world: &World, count: usize) -> Machine {
    run_filled(program, world, count, |_| {})
}

/// Runs a program for all agents, and checks each lane.
fn each_lane(world: &World, program: &Program, check: impl Fn(&Machine, &Me<'_>, usize)) {
    for count in COUNTS {
        let machine = run(program, world, count);
        for lane in 0..count {
            check(&machine, &world.me(lane), lane);
        }
    }
}

/// Returns a world with as many agents as there are lanes, at arbitrary places.
fn crowd() -> World {
    World::example(&[(Vec2::ZERO, Vec2::X); LANES])
}

/// Returns whether two numbers have the same bits, or are both NaN.
fn same(a: f32, b: f32) -> bool {
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
}

fn same_vector(a: Vec2, b: Vec2) -> bool {
    same(a.x, b.x) && same(a.y, b.y)
}

/// Returns numbers of all kinds: special values first, then arbitrary bits, then ordinary numbers.
fn numbers(seed: u64) -> impl Fn(usize) -> f32 {
    const EDGES: [f32; 24] = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        -0.5,
        1.5,
        2.5,
        -2.5,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::NAN,
        f32::MIN_POSITIVE,
        1e-40,
        -1e-45,
        1e-15,
        -1.0e-16,
        1e15,
        9.9e14,
        f32::MAX,
        f32::MIN,
        8_388_609.0,
        0.499_999_97,
        3e-20,
    ];
    move |lane| {
        let random = Mix::new(seed).with(lane as u64);
        match random.value() % 4 {
            0 => EDGES[(random.with(1).value() % 24) as usize],
            1 => f32::from_bits(random.with(1).value() as u32),
            _ => random.with(1).between(-10.0, 10.0),
        }
    }
}

fn integers(seed: u64) -> impl Fn(usize) -> i64 {
    const EDGES: [i64; 8] = [0, 1, -1, 2, i64::MAX, i64::MIN, i64::MAX - 1, 64];
    move |lane| {
        let random = Mix::new(seed).with(lane as u64);
        match random.value() % 3 {
            0 => EDGES[(random.with(1).value() % 8) as usize],
            1 => random.with(1).value() as i64,
            _ => (random.with(1).value() % 21) as i64 - 10,
        }
    }
}

/// Returns a world with everything in it: two groups, goals, obstacles, paths, agents at all kinds of places, some at the
/// same place, and rows that differ from ids.
fn full(edge: Edge) -> World {
    let mut world = World::example(&[]);
    world.space.edge = edge;
    world.tick = 7;
    let goal = Goal { at: Vec2::new(3.0, 4.0), radius: 2.0 };
    world.groups[0].goals = vec![vec![goal].into(), Vec::new().into()];
    let params = [
        ("flag", Value::Bool(true)),
        ("many", Value::Int(3)),
        ("much", Value::Float(3.0)),
        ("mode", Value::String("others".into())),
        ("way", Value::Vector(Vec2::new(1.0, 2.0))),
    ];
    world.groups[0].params = params.into_iter().map(|(name, value)| (name.into(), value)).collect();
    world.groups.push(Group {
        name: "others".into(),
        body: Body { radius: 0.5, mass: 2.0, max_speed: 4.0, ..Body::default() },
        ..Group::default()
    });
    for (name, shape) in [
        ("disc", Shape::Circle { center: Vec2::splat(20.0), radius: 5.0 }),
        ("wall", Shape::Segment { from: Vec2::ZERO, to: Vec2::new(50.0, 10.0) }),
    ] {
        let name = name.into();
        world.obstacles.push(Obstacle { name, shape });
    }
    for (name, mode) in [("there", PathMode::Once), ("round", PathMode::Loop)] {
        world.paths.push(Path {
            name: name.into(),
            points: vec![Vec2::ZERO, Vec2::new(40.0, 0.0), Vec2::new(40.0, 60.0)],
            radius: 3.0,
            mode,
        });
    }
    let random = Mix::new(5);
    for i in 0..200u64 {
        let at = |word| random.with(i / 2 * 2).with(word).between(0.0, 100.0);
        let of = |word| random.with(i).with(word).between(-9.0, 9.0);
        // Every second agent is near the one before it, every tenth at the same place as that one.
        let near = match i % 10 {
            1 => Vec2::ZERO,
            _ => Vec2::new(of(5), of(6)),
        };
        let new = NewAgent {
            pos: Vec2::new(at(1), at(2)) + near,
            vel: Vec2::new(of(3), of(4)),
            heading: None,
            sequence: (i % 3) as u32,
        };
        world.add(GroupId((i % 5 == 4).into()), new);
    }
    let keep: Vec<bool> = (0..200).map(|i| i % 7 != 3).collect();
    world.agents.retain(&keep);
    world.index();
    world
}
