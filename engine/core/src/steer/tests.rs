//! Laws that hold for every primitive in the table.

use proptest::prelude::*;

use super::*;
use crate::geom::Shape;
use crate::math::{self, Vec2};
use crate::world::{
    Edge, Field, FieldId, FieldShape, Goal, Neighborhood, Obstacle, Path, PathId, PathMode,
    Progress, Space, World,
};

/// Coordinates that often coincide: a few values, the edges of the world, and any value.
fn coordinate() -> impl Strategy<Value = f32> {
    prop_oneof![
        4 => (0i8..5).prop_map(|n| f32::from(n) * 10.0),
        2 => -20.0f32..120.0,
        1 => Just(0.0f32),
        1 => Just(100.0f32),
        1 => -1e6f32..1e6,
    ]
}

fn velocity() -> impl Strategy<Value = Vec2> {
    prop_oneof![
        2 => Just(Vec2::ZERO),
        2 => Just(Vec2::X),
        1 => Just(Vec2::new(-10.0, 0.0)),
        4 => (-12.0f32..12.0, -12.0f32..12.0).prop_map(|(x, y)| Vec2::new(x, y)),
        1 => (-1e-20f32..1e-20).prop_map(|x| Vec2::new(x, -x)),
    ]
}

fn point() -> impl Strategy<Value = Vec2> {
    (coordinate(), coordinate()).prop_map(|(x, y)| Vec2::new(x, y))
}

fn world() -> impl Strategy<Value = World> {
    let agents = prop::collection::vec((point(), velocity()), 1..8);
    let edge = prop_oneof![Just(Edge::Open), Just(Edge::Wrap), Just(Edge::Bounce)];
    let mode = prop_oneof![Just(PathMode::Once), Just(PathMode::Loop), Just(PathMode::PingPong)];
    let shape = prop_oneof![
        (point(), 0.0f32..30.0).prop_map(|(center, radius)| Shape::Circle { center, radius }),
        (point(), point()).prop_map(|(from, to)| Shape::Segment { from, to }),
        Just(Shape::Room { min: Vec2::ZERO, max: Vec2::splat(100.0) }),
    ];
    let parts = (
        agents,
        edge,
        mode,
        prop::collection::vec(shape, 0..3),
        prop::collection::vec(point(), 2..5),
        0u64..100,
    );
    parts.prop_map(|(agents, edge, mode, shapes, points, tick)| {
        let mut world = World::example(&[]);
        world.space.edge = edge;
        world.tick = tick;
        // Searches on small cells would take most of the time.
        world.way_cell = Some(10.0);
        world.paths.push(Path { name: "path".into(), points, radius: 5.0, mode });
        let shape = FieldShape::Vortex { center: Vec2::splat(30.0), radius: 20.0, strength: 1.5 };
        world.fields.push(Field { name: "field".into(), shape });
        world.groups[0].path = Some(PathId(0));
        world.groups[0].goals.push([Goal { at: Vec2::ZERO, radius: 1.0 }].into());
        world.obstacles =
            shapes.into_iter().map(|shape| Obstacle { name: "it".into(), shape }).collect();
        world.populate(&agents);
        world
    })
}

/// Numbers for the lists of combinators.
const NUMBERS: [f32; 4] = [0.5, -2.0, 1e-9, 1.0];

/// Returns arguments for a primitive, from lists of numbers, points and forces and the agents of the world.
fn arguments<'w>(
    primitive: &Primitive,
    world: &'w World,
    draws: &[f32],
    points: &[Vec2],
    forces: &'w [Vec2],
) -> Vec<Arg<'w>> {
    let draw = |i: usize| draws[i % draws.len()];
    primitive
        .params
        .iter()
        .enumerate()
        .map(|(i, param)| match param.kind {
            ParamKind::Number => Arg::Number(draw(i)),
            // The draws are not negative: half of the time, take the opposite number.
            ParamKind::Signed => Arg::Number(if draw(i + 1) < 1.0 { -draw(i) } else { draw(i) }),
            ParamKind::Point | ParamKind::Vector => Arg::Vector(points[i % points.len()]),
            ParamKind::Agent => {
                Arg::Agent(world.agent((draw(i) * 1e3) as usize % world.agents.len()))
            }
            ParamKind::Neighbors => Arg::Neighbors(Neighborhood::within(draw(i))),
            ParamKind::Path => Arg::Path(PathId(0)),
            // Fields and vectors in turn.
            ParamKind::Flow if draw(i) < 1.0 => Arg::Flow(Flow::Field(FieldId(0))),
            ParamKind::Flow => Arg::Flow(Flow::Vector(points[i % points.len()])),
            ParamKind::Forces => Arg::Forces(forces),
            ParamKind::Numbers => Arg::Numbers(&NUMBERS[..forces.len()]),
            ParamKind::Slots => Arg::Slots(SLOTS[i % SLOTS.len()]),
        })
        .collect()
}

fn number() -> impl Strategy<Value = f32> {
    prop_oneof![Just(0.0f32), 0.0f32..1.0, 0.0f32..50.0, Just(1e6f32)]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn every_force_is_finite(
        world in world(),
        draws in prop::collection::vec(number(), 6),
        points in prop::collection::vec(point(), 3),
        forces in prop::collection::vec(point(), 0..4),
    ) {
        for primitive in PRIMITIVES.iter().chain(COMBINATORS) {
            for row in 0..world.agents.len() {
                let args = arguments(primitive, &world, &draws, &points, &forces);
                for given in primitive.required()..=args.len() {
                    let force = primitive.call(&world.me(row), &args[..given]);
                    let force = force.unwrap_or_else(|error| panic!("{error}"));
                    prop_assert!(force.is_finite(), "{} gave {force} for {args:?}", primitive.name);
                }
            }
        }
    }

    /// The desired velocity of a primitive is never faster than its speed argument.
    #[test]
    fn desired_velocities_are_within_the_speed(
        world in world(),
        draws in prop::collection::vec(number(), 6),
        points in prop::collection::vec(point(), 3),
    ) {
        for primitive in PRIMITIVES {
            let args = arguments(primitive, &world, &draws, &points, &[]);
            let me = world.me(0);
            let force = primitive.call(&me, &args).unwrap();
            let speed = primitive.params.iter().position(|param| param.name == "speed");
            let most = match speed.map_or(args[0], |speed| args[speed]) {
                Arg::Number(speed) => speed,
                Arg::Vector(velocity) => math::length(velocity),
                // A raw force has no desired velocity.
                _ => 0.0,
            };
            let desired = primitive.desired_velocity(force, me.vel()).map_or(0.0, math::length);
            let rounding = 1e-4 * (most + math::length(me.vel()));
            prop_assert!(desired <= most + rounding, "{}: {desired} of {most}", primitive.name);
        }
    }

    #[test]
    fn calling_a_primitive_twice_gives_the_same_force(
        world in world(),
        draws in prop::collection::vec(number(), 6),
        points in prop::collection::vec(point(), 3),
    ) {
        for primitive in PRIMITIVES {
            let args = arguments(primitive, &world, &draws, &points, &[]);
            let ask = || primitive.call(&world.me(0), &args);
            prop_assert_eq!(ask(), ask(), "{}", primitive.name);
        }
    }

    #[test]
    fn without_a_cause_there_is_no_force(
        world in world(),
        draws in prop::collection::vec(number(), 6),
        points in prop::collection::vec(point(), 3),
    ) {
        for primitive in PRIMITIVES {
            let mut progress = [Progress::default()];
            let me = world.me(0).with_progress(&mut progress);
            let args = arguments(primitive, &world, &draws, &points, &[]);
            let cause = primitive.cause(&me, &args);
            let force = primitive.call(&me, &args);
            let is_nothing = matches!(cause, Some(Cause::NoNeighbors | Cause::NothingAhead));
            let is_allowed = changes_a_force(primitive) || force == Ok(Vec2::ZERO);
            prop_assert!(!is_nothing || is_allowed, "{}: {force:?}", primitive.name);
        }
    }

    /// `check` warns about obstacles that no script uses: it trusts this declaration.
    #[test]
    fn obstacles_matter_only_to_primitives_that_see_them(
        world in world(),
        draws in prop::collection::vec(number(), 6),
        points in prop::collection::vec(point(), 3),
    ) {
        let mut free = world.clone();
        free.obstacles.clear();
        for primitive in PRIMITIVES.iter().filter(|primitive| !primitive.sees_obstacles) {
            let force = |world: &World| {
                primitive.call(&world.me(0), &arguments(primitive, world, &draws, &points, &[]))
            };
            prop_assert_eq!(force(&world), force(&free), "{}", primitive.name);
        }
    }

    /// The renaming of a group trusts this declaration.
    #[test]
    fn the_name_of_the_group_matters_only_to_primitives_that_are_random(
        world in world(),
        draws in prop::collection::vec(number(), 6),
        points in prop::collection::vec(point(), 3),
    ) {
        let mut other = world.clone();
        other.groups[0].name = "another".into();
        for primitive in PRIMITIVES.iter().filter(|primitive| !primitive.is_random) {
            let force = |world: &World| {
                let force = primitive.call(&world.me(0), &arguments(primitive, world, &draws, &points, &[]));
                force.ok()
            };
            prop_assert_eq!(force(&world), force(&other), "{}", primitive.name);
        }
    }

    /// Explanations of an agent that an obstacle blocks trust this declaration. An agent that moves is met where it will be.
    #[test]
    fn primitives_that_go_straight_steer_to_what_they_react_to(
        world in world(),
        draws in prop::collection::vec(1.0f32..50.0, 6),
        points in prop::collection::vec(point(), 3),
    ) {
        let mut world = world;
        for row in 1..world.agents.len() {
            let at = world.agents.pos(row);
            world.agents.set_motion(row, at, Vec2::ZERO, Vec2::X);
        }
        for primitive in PRIMITIVES.iter().filter(|primitive| primitive.goes_straight) {
            let mut progress = [Progress::default()];
            let me = world.me(0).with_progress(&mut progress);
            let args = arguments(primitive, &world, &draws, &points, &[]);
            let offset = match primitive.cause(&me, &args) {
                Some(Cause::Point { at, .. } | Cause::Waypoint { at, .. }) => me.to(at),
                Some(Cause::Agent { id, .. }) => me.to(world.agents.pos(id.0 as usize)),
                other => panic!("{} reacts to {other:?}", primitive.name),
            };
            let force = primitive.call(&me, &args).unwrap_or_else(|error| panic!("{error}"));
            let desired = primitive.desired_velocity(force, me.vel()).unwrap();
            let along = math::unit(offset) * math::length(desired);
            let rounding = 1e-3 * (1.0 + math::length(me.vel()));
            prop_assert!((desired - along).length() <= rounding, "{}: {desired} {offset}", primitive.name);
            prop_assert!(!primitive.sees_obstacles, "{}", primitive.name);
        }
    }

    /// The order in which agents were created changes the order of sums, and nothing else.
    #[test]
    fn the_order_of_neighbors_does_not_matter(
        agents in prop::collection::vec(((0.0f32..100.0, 0.0f32..100.0), velocity()), 2..20),
        radius in 1.0f32..80.0,
        turn in 1usize..20,
    ) {
        let me = (Vec2::new(50.0, 50.0), Vec2::X);
        let others: Vec<_> = agents.iter().map(|&((x, y), vel)| (Vec2::new(x, y), vel)).collect();
        let mut turned = others.clone();
        turned.rotate_left(turn % others.len());
        turned.reverse();
        for primitive in of_neighbors() {
            let force = |others: &[(Vec2, Vec2)]| {
                let world = World::example(&[&[me], others].concat());
                let args = neighbor_arguments(primitive, radius, Vec2::ZERO);
                primitive.call(&world.me(0), &args).unwrap_or_else(|error| panic!("{error}"))
            };
            let (one, other) = (force(&others), force(&turned));
            // If the sum is almost zero, its direction depends on rounding.
            let steady = [&others, &turned].iter().all(|others| sums_are_clear(&[&[me], others.as_slice()].concat(), radius));
            prop_assert!(!steady || (one - other).length() < 0.05, "{}: {one} {other}", primitive.name);
        }
    }

    #[test]
    fn without_neighbors_there_is_no_force(vel in velocity(), far in 11.0f32..1e5) {
        let world = World::example(&[(Vec2::ZERO, vel), (Vec2::new(far, 0.0), Vec2::Y)]);
        // Without neighbors, `vicsek` keeps the direction.
        for primitive in of_neighbors().filter(|primitive| primitive.name != "vicsek") {
            // One that changes a force leaves it as it is.
            let given = if changes_a_force(primitive) { -vel } else { Vec2::ZERO };
            let force = primitive.call(&world.me(0), &neighbor_arguments(primitive, 10.0, given));
            prop_assert_eq!(force, Ok(given), "{}", primitive.name);
        }
    }

    /// If the whole world is turned by a quarter turn, every force is turned the same way.
    #[test]
    fn forces_turn_with_the_world(
        agents in prop::collection::vec(((-50i8..50, -50i8..50), (-9i8..9, -9i8..9)), 2..6),
        point in (-50i8..50, -50i8..50),
        number in 1u8..40,
    ) {
        let at = |(x, y): (i8, i8)| Vec2::new(f32::from(x), f32::from(y));
        let agents: Vec<_> = agents.iter().map(|&(pos, vel)| (at(pos), at(vel))).collect();
        let turned: Vec<_> = agents.iter().map(|&(pos, vel)| (math::perp(pos), math::perp(vel))).collect();
        // The world's rectangle and its cells do not turn with the world, and the heading of an agent at rest is always +x. The
        // offset of `offset_pursue` is in the frame of the leader.
        let is_fixed = |primitive: &&Primitive| primitive.knows_direction || matches!(primitive.name, "contain" | "wander");
        let turning = PRIMITIVES.iter().filter(|primitive| !is_fixed(primitive));
        for primitive in turning {
            let force = |agents: &[(Vec2, Vec2)], turn: fn(Vec2) -> Vec2| {
                let mut world = World::example(agents);
                let points = vec![turn(Vec2::new(3.0, 4.0)), turn(Vec2::new(-30.0, 14.0))];
                world.paths.push(Path { name: "path".into(), points, radius: 5.0, mode: PathMode::Loop });
                let center = turn(Vec2::new(20.0, 5.0));
                world.obstacles.push(Obstacle { name: "it".into(), shape: Shape::Circle { center, radius: 4.0 } });
                let draws = [f32::from(number)];
                let points = [turn(at(point))];
                let args = arguments(primitive, &world, &draws, &points, &[]);
                primitive.call(&world.me(0), &args).unwrap_or_else(|error| panic!("{error}"))
            };
            let moving = agents.iter().all(|(_, vel)| *vel != Vec2::ZERO);
            let (one, other) = (force(&agents, |v| v), force(&turned, math::perp));
            let close = (math::perp(one) - other).length() <= 1e-3 * (1.0 + one.length());
            // At the exact center of a circle, the nearest point is always the one along x.
            let centered = agents[0].0 == Vec2::new(20.0, 5.0);
            let steady = !centered && sums_are_clear(&agents, f32::from(number));
            prop_assert!(close || !moving || !steady || agents[0].0 == agents[1].0, "{}: {one} {other}", primitive.name);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    /// In the mirror, every force is the mirrored one: no primitive prefers a side unless it says so.
    #[test]
    fn forces_are_mirrored_with_the_world(
        agents in prop::collection::vec(((-50i8..50, -50i8..50), (-9i8..9, -9i8..9)), 2..6),
        points in prop::collection::vec((-50i8..50, -50i8..50), 3),
        numbers in prop::collection::vec(0u8..40, 6),
    ) {
        let at = |(x, y): (i8, i8)| Vec2::new(f32::from(x), f32::from(y));
        let agents: Vec<_> = agents.iter().map(|&(pos, vel)| (at(pos), at(vel))).collect();
        let draws: Vec<f32> = numbers.iter().map(|&number| f32::from(number)).collect();
        // Those that depend on random numbers, on the rectangle of the world or its cells, and those that pass on the right.
        let is_mirrored = |primitive: &&Primitive| !primitive.prefers_a_side && primitive.name != "contain";
        for primitive in PRIMITIVES.iter().filter(is_mirrored) {
            let force = |side: f32| {
                let mirror = |v: Vec2| Vec2::new(v.x, v.y * side);
                let agents: Vec<_> = agents.iter().map(|&(pos, vel)| (mirror(pos), mirror(vel))).collect();
                let mut world = World::example(&agents);
                let path = vec![mirror(Vec2::new(3.0, 4.0)), mirror(Vec2::new(-30.0, 14.0))];
                world.paths.push(Path { name: "path".into(), points: path, radius: 5.0, mode: PathMode::Loop });
                let center = mirror(Vec2::new(20.5, 5.25));
                world.obstacles.push(Obstacle { name: "it".into(), shape: Shape::Circle { center, radius: 4.0 } });
                let points: Vec<_> = points.iter().map(|&point| mirror(at(point))).collect();
                let mut args = arguments(primitive, &world, &draws, &points, &[]);
                for (arg, param) in args.iter_mut().zip(primitive.params) {
                    if let Arg::Number(x) = arg && param.kind == ParamKind::Signed {
                        *x *= side;
                    }
                }
                mirror(primitive.call(&world.me(0), &args).unwrap_or_else(|error| panic!("{error}")))
            };
            let (one, other) = (force(1.0), force(-1.0));
            let close = (one - other).length() <= 1e-3 * (1.0 + one.length());
            let apart = agents[1..].iter().all(|(pos, _)| *pos != agents[0].0);
            let steady = apart && numbers.iter().all(|&radius| sums_are_clear(&agents, f32::from(radius)));
            prop_assert!(close || !steady || is_tie(primitive, &agents, &points.iter().map(|&p| at(p)).collect::<Vec<_>>()), "{}: {one} {other}", primitive.name);
        }
    }
}

/// Returns whether a primitive cannot tell left from right in a scene of the test above, so that it goes left.
fn is_tie(primitive: &Primitive, agents: &[(Vec2, Vec2)], points: &[Vec2]) -> bool {
    let (pos, vel) = agents[0];
    match primitive.name {
        // On the line through the target.
        "dock" => (pos - points[0]).perp_dot(points[1]) == 0.0,
        "wall_follow" if vel == Vec2::ZERO => true,
        // Straight toward the obstacle, or straight away while touching it.
        "avoid_obstacles" | "whiskers" | "wall_follow" => {
            let way = if vel == Vec2::ZERO { Vec2::X } else { vel };
            let offset = pos - Vec2::new(20.5, 5.25);
            offset.perp_dot(way).abs() <= 2e-4 * offset.length() * way.length()
        }
        // Neither of the two directions is that of the agent.
        "orbit" => (pos - points[0]).perp_dot(vel) == 0.0,
        _ => false,
    }
}

/// Returns whether a primitive changes a force that it is given.
fn changes_a_force(primitive: &Primitive) -> bool {
    primitive.params.first().is_some_and(|param| param.name == "force")
}

/// Returns the primitives that take neighbors.
fn of_neighbors() -> impl Iterator<Item = &'static Primitive> {
    PRIMITIVES
        .iter()
        .filter(|primitive| primitive.params.iter().any(|p| p.kind == ParamKind::Neighbors))
}

/// Returns the required arguments of a primitive that takes neighbors.
fn neighbor_arguments<'w>(primitive: &Primitive, radius: f32, force: Vec2) -> Vec<Arg<'w>> {
    let required = &primitive.params[..primitive.required()];
    let argument = |param: &Param| match param.kind {
        ParamKind::Neighbors => Arg::Neighbors(Neighborhood::within(radius)),
        ParamKind::Vector => Arg::Vector(force),
        ParamKind::Number => Arg::Number(radius * 0.25),
        kind => panic!("{}: {kind:?}", primitive.name),
    };
    required.iter().map(argument).collect()
}

/// Returns whether no sum over the neighbors of the first agent is so small that rounding decides its direction.
fn sums_are_clear(agents: &[(Vec2, Vec2)], radius: f32) -> bool {
    let me = agents[0].0;
    let near: Vec<_> =
        agents[1..].iter().filter(|(pos, _)| (*pos - me).length() <= radius * 1.001).collect();
    let border =
        agents[1..].iter().any(|(pos, _)| ((*pos - me).length() - radius).abs() < 1e-3 * radius);
    let clear = |parts: Vec<Vec2>| {
        let total: f32 = parts.iter().map(|v| v.length()).sum();
        parts.iter().sum::<Vec2>().length() >= total * 1e-3
    };
    !border
        && near.iter().all(|(pos, _)| *pos != me)
        && clear(near.iter().map(|(pos, _)| *pos - me).collect())
        && clear(near.iter().map(|(_, vel)| *vel).collect())
        && clear(near.iter().map(|(_, vel)| *vel).chain([agents[0].1]).collect())
        && clear(near.iter().map(|(pos, _)| (me - *pos) / (me - *pos).length_squared()).collect())
}

#[test]
fn the_table_describes_every_primitive() {
    let mut names: Vec<_> =
        PRIMITIVES.iter().chain(COMBINATORS).map(|primitive| primitive.name).collect();
    for primitive in PRIMITIVES.iter().chain(COMBINATORS) {
        let doc = primitive.doc.join("\n");
        assert!(doc.contains("Source: "), "{} names no source", primitive.name);
        assert!(primitive.doc[0].trim().ends_with('.'), "{} has no summary line", primitive.name);
        assert!(primitive.params.len() <= MAX_PARAMS);
        let first_default =
            primitive.params.iter().position(|param| param.default != ParamDefault::Required);
        let all_after = primitive.params[first_default.unwrap_or(primitive.params.len())..]
            .iter()
            .all(|param| param.default != ParamDefault::Required);
        assert!(all_after, "{}: parameters with defaults come last", primitive.name);
    }
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), PRIMITIVES.len() + COMBINATORS.len(), "every name occurs once");
}

#[test]
fn errors_say_what_is_wrong_with_a_call() {
    let mut world = World::example(&[(Vec2::ZERO, Vec2::ZERO)]);
    fn call<'w>(world: &'w World, name: &str, args: &[Arg<'w>]) -> String {
        find(name).unwrap().call(&world.me(0), args).unwrap_err().to_string()
    }
    assert_eq!(call(&world, "seek", &[]), "seek needs `target`");
    let speed = [Arg::Vector(Vec2::ZERO), Arg::Number(-1.0)];
    assert_eq!(call(&world, "seek", &speed), "seek: `speed` must be at least 0, but is -1");
    let speed = [Arg::Vector(Vec2::ZERO), Arg::Number(f32::NAN)];
    assert_eq!(call(&world, "seek", &speed), "seek: `speed` must be at least 0, but is NaN");
    // Caught: a number with 31 digits, for a param that nobody had written.
    let near = [Arg::Neighbors(Neighborhood::within(-1e30))];
    let words = "separation: `radius` must be at least 0, but is -1e30";
    assert_eq!(call(&world, "separation", &near), words);
    assert_eq!(
        call(&world, "follow_path", &[]),
        "follow_path needs a path: group `all` has none, so pass `path`"
    );
    world.groups[0].body.max_speed = f32::INFINITY;
    let target = [Arg::Vector(Vec2::ZERO)];
    assert_eq!(
        call(&world, "seek", &target),
        "seek needs a speed: group `all` has no max_speed, so pass `speed`"
    );
}

/// Caught: the cause was a point beside the wall, as if the script had asked for that point.
#[test]
fn a_point_behind_obstacles_everywhere_is_the_cause() {
    let mut world = World::example(&[(Vec2::splat(20.0), Vec2::ZERO)]);
    world.space = Space { edge: Edge::Clamp, min: Vec2::ZERO, size: Vec2::splat(100.0) };
    let wall = Shape::Segment { from: Vec2::new(50.0, 0.0), to: Vec2::new(50.0, 100.0) };
    world.obstacles.push(Obstacle { name: "wall".into(), shape: wall });
    let to = Vec2::new(80.0, 20.0);
    let go_to = find("go_to").unwrap();
    let cause = go_to.cause(&world.me(0), &[Arg::Vector(to)]).unwrap();
    assert!(matches!(cause, Cause::NoWay { to: wanted, at, .. } if wanted == to && at.x < 50.0));
    let words = cause.to_string();
    assert!(words.starts_with("the point (80, 20), which no way leads to: the nearest"), "{words}");
}
