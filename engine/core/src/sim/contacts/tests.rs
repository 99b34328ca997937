use proptest::prelude::*;

use super::*;
use crate::sim::{GroupBuilder, Order, Simulation, SpawnShape};
use crate::threads::with_threads;
use crate::world::{Drive, Edge, Me, Mind};

fn space(edge: Edge) -> Space {
    Space { edge, min: Vec2::ZERO, size: Vec2::splat(100.0) }
}

fn solid(radius: f32) -> Body {
    Body { radius, max_speed: 10.0, max_force: 40.0, solid: true, ..Body::default() }
}

/// A crowd in a room with a bottleneck; all want to get to one point.
fn crowd(count: u32, body: Body, target: Vec2, edge: Edge) -> Simulation {
    let seek = move |me: &Me<'_>, _: Mind<'_>| (math::unit(me.to(target)) * 10.0 - me.vel()) * 4.0;
    Simulation::builder(space(edge))
        .obstacle("room", Shape::Room { min: Vec2::ZERO, max: Vec2::splat(100.0) })
        .obstacle("low", Shape::Segment { from: Vec2::new(60.0, 0.0), to: Vec2::new(60.0, 47.0) })
        .obstacle(
            "high",
            Shape::Segment { from: Vec2::new(60.0, 53.0), to: Vec2::new(60.0, 100.0) },
        )
        .obstacle("post", Shape::Circle { center: Vec2::new(52.0, 50.0), radius: 1.5 })
        .group(
            GroupBuilder::new("all")
                .body(body)
                .spawn(
                    SpawnShape::Rect { min: Vec2::splat(2.0), max: Vec2::new(45.0, 98.0) },
                    count,
                )
                .steer(seek),
        )
        .build()
        .unwrap()
}

/// The deepest overlap of two agents, and of an agent and an obstacle.
fn deepest(world: &World) -> (f32, f32) {
    let radius = |row: usize| world.agent(row).body().radius;
    let (mut pair, mut wall) = (f32::NEG_INFINITY, f32::NEG_INFINITY);
    for row in 0..world.agents.len() {
        let at = world.agents.pos(row);
        for other in 0..row {
            let distance = math::length(world.space.offset(at, world.agents.pos(other)));
            pair = math::max(pair, radius(row) + radius(other) - distance);
        }
        for obstacle in &world.obstacles {
            wall = math::max(wall, radius(row) - obstacle.shape.surface(at).distance);
        }
    }
    (pair, wall)
}

#[test]
fn a_crowd_goes_through_a_bottleneck_without_overlap() {
    let mut simulation = crowd(200, solid(1.0), Vec2::new(95.0, 50.0), Edge::Open);
    let mut worst = 0.0f32;
    for tick in 0..900 {
        simulation.step().unwrap();
        let (pair, wall) = deepest(simulation.world());
        assert!(wall <= 0.0, "in a wall by {wall} at tick {tick}");
        // They are spawned at random places, where many overlap.
        if tick >= 60 {
            worst = math::max(worst, pair);
        }
    }
    assert!(worst < 0.04, "overlap by {worst}");
    let through = simulation.world().agents.positions().filter(|at| at.x > 60.0).count();
    assert!(through > 20, "{through} got through");
}

#[test]
fn a_crowd_that_pushes_into_a_corner_overlaps_little() {
    let mut simulation = crowd(200, solid(1.0), Vec2::new(2.0, 2.0), Edge::Open);
    for _ in 0..900 {
        simulation.step().unwrap();
    }
    let (pair, wall) = deepest(simulation.world());
    assert!(pair < 0.06 && wall <= 0.0, "{pair} {wall}");
}

#[test]
fn a_loose_crowd_does_not_overlap() {
    let mut simulation = crowd(60, solid(0.5), Vec2::new(30.0, 50.0), Edge::Open);
    for tick in 0..100 {
        simulation.step().unwrap();
        let (pair, wall) = deepest(simulation.world());
        assert!(tick < 30 || pair < 0.005 && wall <= 0.0, "{pair} {wall} at {tick}");
    }
}

#[test]
fn agents_at_one_place_come_apart() {
    let at = vec![Vec2::splat(50.0); 12];
    let group = GroupBuilder::new("all").body(solid(1.0)).spawn(SpawnShape::Points(at), 12);
    let mut simulation = Simulation::builder(space(Edge::Wrap)).group(group).build().unwrap();
    for _ in 0..20 {
        simulation.step().unwrap();
    }
    let (pair, _) = deepest(simulation.world());
    assert!(pair < 1e-3, "{pair}");
    assert!(simulation.world().agents.velocities().all(|vel| vel == Vec2::ZERO));
}

#[test]
fn heavy_agents_and_those_that_have_stopped_are_moved_less() {
    let push = |mass: f32, stops: bool| {
        let heavy = Body { mass, ..solid(1.0) };
        let stay = GroupBuilder::new("a")
            .body(heavy)
            .spawn(SpawnShape::Points(vec![Vec2::splat(50.0)]), 1);
        let go = GroupBuilder::new("b")
            .body(solid(1.0))
            .spawn(SpawnShape::Points(vec![Vec2::new(48.5, 50.0)]), 1);
        let mut simulation =
            Simulation::builder(space(Edge::Open)).group(stay).group(go).build().unwrap();
        Arc::make_mut(&mut simulation.world).agents.stopped[0] = stops;
        simulation.step().unwrap();
        let agents = &simulation.world().agents;
        let moved = [agents.pos(0).x - 50.0, 48.5 - agents.pos(1).x];
        assert!((moved[0] + moved[1] - 0.5).abs() < 1e-5, "{moved:?}");
        moved[0]
    };
    assert!((push(1.0, false) - 0.25).abs() < 1e-5);
    assert!((push(4.0, false) - 0.1).abs() < 1e-5);
    assert_eq!(push(1.0, true), 0.0);
}

#[test]
fn a_fast_agent_stops_at_a_thin_wall_and_slides_along_it() {
    for speed in [50.0, 5e3, 1e6] {
        let body = Body { max_speed: f32::INFINITY, ..solid(0.5) };
        let group = GroupBuilder::new("shot")
            .body(body)
            .spawn(SpawnShape::Points(vec![Vec2::new(10.0, 50.0)]), 1)
            .velocity(Vec2::new(speed, 0.01 * speed));
        let wall = Shape::Segment { from: Vec2::new(30.0, 0.0), to: Vec2::new(30.0, 1e7) };
        let mut simulation = Simulation::builder(space(Edge::Open))
            .obstacle("wall", wall)
            .group(group)
            .build()
            .unwrap();
        for _ in 0..60 {
            simulation.step().unwrap();
        }
        let agents = &simulation.world().agents;
        assert!((agents.pos(0).x - 29.5).abs() < 0.05, "{}", agents.pos(0));
        assert!(agents.pos(0).y > 50.1, "it slides: {}", agents.pos(0));
        assert!(agents.vel(0).x.abs() < 1e-3 * speed, "{}", agents.vel(0));
    }
}

#[test]
fn a_car_keeps_its_heading_at_a_wall() {
    let body = Body { drive: Drive::Car { turning_radius: 5.0, reverse: false }, ..solid(1.0) };
    let group = GroupBuilder::new("car")
        .body(body)
        .spawn(SpawnShape::Points(vec![Vec2::new(20.0, 50.0)]), 1)
        .velocity(Vec2::new(8.0, 0.0));
    let wall = Shape::Segment { from: Vec2::new(30.0, 0.0), to: Vec2::new(30.0, 100.0) };
    let mut simulation =
        Simulation::builder(space(Edge::Open)).obstacle("wall", wall).group(group).build().unwrap();
    for _ in 0..200 {
        simulation.step().unwrap();
    }
    let agents = &simulation.world().agents;
    assert_eq!((agents.heading(0), agents.vel(0)), (Vec2::X, Vec2::ZERO));
}

#[test]
fn the_number_of_threads_and_the_order_of_decisions_do_not_matter() {
    let run = |threads: usize, order: Order| {
        with_threads(threads, || {
            let mut simulation = crowd(1200, solid(0.6), Vec2::new(95.0, 50.0), Edge::Open);
            simulation.order = order;
            for _ in 0..12 {
                simulation.step().unwrap();
            }
            simulation.state().agents
        })
        .unwrap()
    };
    let one = run(1, Order::Synchronous);
    assert_eq!(one, run(3, Order::Synchronous));
    // Nobody looks at others, so both orders move everybody in the same way.
    assert_eq!(one, run(1, Order::Sequential));
}

#[test]
fn bodies_that_are_not_solid_and_agents_without_contact_keep_their_bits() {
    let run = |solid: bool| {
        let mut simulation =
            crowd(5, Body { solid, ..self::solid(0.1) }, Vec2::splat(30.0), Edge::Wrap);
        for _ in 0..30 {
            simulation.step().unwrap();
        }
        simulation.state().agents
    };
    assert_eq!(run(false), run(true));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn nobody_is_ever_in_a_wall(
        edge in prop_oneof![Just(Edge::Open), Just(Edge::Clamp), Just(Edge::Bounce)],
        corners in prop::collection::vec((10.0f32..90.0, 10.0f32..90.0), 3..6),
        agents in prop::collection::vec(
            ((1.0f32..99.0, 1.0f32..99.0), (-400.0f32..400.0, -400.0f32..400.0)), 1..40,
        ),
    ) {
        let corners: Vec<Vec2> = corners.into_iter().map(Vec2::from).collect();
        let polygon = crate::geom::Polygon::new(corners[..3].to_vec());
        let shapes = [
            Shape::Room { min: Vec2::ZERO, max: Vec2::splat(100.0) },
            Shape::Segment { from: corners[0], to: corners[1] },
            Shape::Circle { center: *corners.last().unwrap(), radius: 4.0 },
            Shape::Polygon(polygon),
        ];
        let is_free = |at: Vec2| shapes.iter().all(|shape| shape.surface(at).distance > 0.6);
        let agents: Vec<_> = agents
            .into_iter()
            .map(|(at, vel)| crate::world::NewAgent::at(at.into(), vel.into()))
            .filter(|agent| is_free(agent.pos))
            .collect();
        let body = Body { max_speed: f32::INFINITY, ..solid(0.5) };
        let mut builder = Simulation::builder(space(edge));
        for (shape, name) in shapes.iter().zip(["a", "b", "c", "d"]) {
            builder = builder.obstacle(name, shape.clone());
        }
        let group = GroupBuilder::new("all").body(body).agents(agents);
        let mut simulation = builder.group(group).build().unwrap();
        let side = |at: Vec2| (corners[1] - corners[0]).perp_dot(at - corners[0]);
        for _ in 0..40 {
            let before: Vec<Vec2> = simulation.world().agents.positions().collect();
            simulation.step().unwrap();
            let agents = &simulation.world().agents;
            for (row, before) in before.into_iter().enumerate() {
                let at = agents.pos(row);
                for shape in &shapes {
                    // The gap between two obstacles may be too narrow for a body, but never for its center.
                    prop_assert!(shape.surface(at).distance > 0.0, "{at} from {before}");
                }
                // Whoever changes the side of the wall goes around one of its ends, so it crosses the line of the wall no
                // farther inside than its way is long.
                if side(at) * side(before) < 0.0 {
                    let wall = corners[1] - corners[0];
                    let crossing = before.lerp(at, side(before) / (side(before) - side(at)));
                    let along = wall.normalize().dot(crossing - corners[0]);
                    let inside = along.min(wall.length() - along);
                    prop_assert!(inside <= at.distance(before), "{at} from {before}");
                }
            }
        }
    }
}

#[test]
fn an_explanation_names_what_blocks_an_agent() {
    let mut simulation = crowd(2, solid(1.0), Vec2::new(52.0, 20.0), Edge::Open);
    // Both want to go down: one stands on top of the post, the other on top of the first.
    let agents = &mut Arc::make_mut(&mut simulation.world).agents;
    *agents.pos_mut(0) = Vec2::new(52.0, 52.51);
    *agents.pos_mut(1) = Vec2::new(52.0, 54.52);
    for row in 0..2 {
        let (at, down) = (agents.pos(row), Vec2::NEG_Y);
        agents.set_motion(row, at, Vec2::ZERO, down);
    }
    for _ in 0..5 {
        simulation.step().unwrap();
    }
    let turn = |id| simulation.next_turn(id).unwrap().unwrap();
    let contacts = |id: u32| {
        let decision = turn(AgentId(id)).decision.unwrap();
        assert!(decision.is_blocked(), "{decision:?}");
        decision.contacts.iter().map(Contact::to_string).collect::<Vec<_>>()
    };
    assert_eq!(contacts(0), ["obstacle `post`", "agent 1 (all)"]);
    assert_eq!(contacts(1), ["agent 0 (all)"]);
    let text = turn(AgentId(0)).to_string();
    assert!(text.contains("touches        obstacle `post`, agent 1 (all)"), "{text}");
    assert!(
        turn(AgentId(1)).headline().ends_with(", but agent 0 (all) blocks it"),
        "{}",
        turn(AgentId(1)).headline()
    );
    // One that walks freely touches nothing.
    let mut free = crowd(1, solid(1.0), Vec2::new(20.0, 20.0), Edge::Open);
    free.step().unwrap();
    let decision = free.next_turn(AgentId(0)).unwrap().unwrap().decision.unwrap();
    assert!(decision.contacts.is_empty() && !decision.is_blocked());
}
