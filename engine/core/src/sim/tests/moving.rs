//! Tests of obstacles that move.

use super::*;
use crate::geom::{OrientedBox, Shape};
use crate::math;
use crate::world::{ObstacleMotion, PathMode};

fn at(tick: u64, action: Action) -> Event {
    Event { when: EventTime::At(tick), action }
}

fn moves(obstacle: &str, motion: ObstacleMotion) -> Action {
    Action::MoveObstacle { obstacle: obstacle.into(), motion }
}

fn obstacle(name: &str, shape: Shape) -> Obstacle {
    Obstacle { name: name.into(), shape }
}

/// Agents that go by ways around a lift, a door and a wall that all move.
fn busy(order: Order) -> Setup {
    let mut setup = setup(&[(10.0, 20.0), (12.0, 24.0), (15.0, 20.0)], &[], AfterGoals::Stay);
    setup.dt = 0.2;
    setup.order = order;
    setup.way_cell = Some(4.0);
    setup.groups[0].0.body.solid = true;
    let along = |name: &str, speed| ObstacleMotion::Along { path: name.into(), speed };
    setup.paths = vec![Path {
        name: "shaft".into(),
        points: vec![Vec2::new(30.0, 20.0), Vec2::new(30.0, 40.0)],
        radius: 1.0,
        mode: PathMode::PingPong,
    }];
    let wall = |x: f32| Shape::Segment { from: Vec2::new(x, 0.0), to: Vec2::new(x, 30.0) };
    setup.obstacles = vec![
        obstacle("door", wall(40.0)),
        obstacle(
            "lift",
            Shape::Box(OrientedBox::new(Vec2::new(30.0, 20.0), Vec2::new(3.0, 2.0), 0.3)),
        ),
        obstacle("wall", wall(5.0)),
    ];
    setup.moving_obstacles = vec![
        ("lift".into(), along("shaft", 7.0)),
        ("wall".into(), ObstacleMotion::Velocity(Vec2::new(1.5, 0.0))),
    ];
    setup.events = vec![
        at(4, moves("door", ObstacleMotion::To { at: Vec2::new(40.0, 28.0), speed: 6.0 })),
        at(9, Action::SetObstacle { obstacle: "lift".into(), present: false }),
        at(12, moves("wall", ObstacleMotion::Stop)),
        at(14, Action::SetObstacle { obstacle: "lift".into(), present: true }),
        at(20, moves("door", along("shaft", 5.0))),
    ];
    setup
}

/// Goes to the other side, by a way.
fn go_across(me: &Me<'_>, _: Mind<'_>) -> Vec2 {
    let way = me.way(Vec2::new(70.0, 20.0));
    math::limit(me.to(way.next), 8.0) - me.vel()
}

fn simulation(setup: Setup) -> Simulation {
    Simulation::new(setup, vec![Arc::new(go_across)]).unwrap()
}

/// The state as text, since 0.0 and -0.0 are equal but differ in their bits.
fn bits(of: &Simulation) -> String {
    format!("{:?}", of.state())
}

#[test]
fn a_run_goes_on_in_the_same_way_from_its_state_at_any_tick() {
    for order in [Order::Synchronous, Order::Sequential] {
        let mut whole = simulation(busy(order));
        let mut kept = Vec::new();
        for _ in 0..30 {
            kept.push((whole.state(), whole.clone()));
            whole.step().unwrap();
        }
        for (tick, (state, clone)) in kept.into_iter().enumerate() {
            let mut restored = simulation(busy(order));
            for _ in 0..(tick * 7) % 30 {
                restored.step().unwrap();
            }
            restored.restore(state.clone());
            assert_eq!(bits(&restored), bits(&clone), "tick {tick}");
            assert_eq!(restored.world().obstacles, clone.world().obstacles, "tick {tick}");
            let started = Setup { start: Some(state), ..busy(order) };
            for mut other in [restored, clone, simulation(started)] {
                for _ in tick..30 {
                    other.step().unwrap();
                }
                assert_eq!(bits(&other), bits(&whole), "from tick {tick}, {order:?}");
            }
        }
    }
}

#[test]
fn runs_together_equal_runs_alone() {
    let late = |ticks: u64| {
        let mut setup = busy(Order::Synchronous);
        setup.events.iter_mut().for_each(|event| {
            if let EventTime::At(tick) = &mut event.when {
                *tick += ticks;
            }
        });
        simulation(setup)
    };
    let mut alone: Vec<Simulation> = (0..4).map(late).collect();
    let mut together: Vec<Simulation> = (0..4).map(late).collect();
    for _ in 0..30 {
        alone.iter_mut().for_each(|one| one.step().unwrap());
        let mut all: Vec<&mut Simulation> = together.iter_mut().collect();
        assert!(step_together(&mut all).iter().all(Result::is_ok));
        let all_bits = |of: &[Simulation]| of.iter().map(bits).collect::<Vec<_>>();
        assert_eq!(all_bits(&alone), all_bits(&together));
    }
}

#[test]
fn a_run_after_a_law_is_the_same_run() {
    for law in Law::ALL {
        let mut run = simulation(busy(Order::Synchronous));
        // It steers by a place of the world, which laws do not change.
        run.brains[0] = Arc::new(coast);
        let mut companions = run.companions(law, 30);
        assert!(!companions.is_empty(), "{law:?}");
        for tick in 0..30 {
            run.step().unwrap();
            for companion in &mut companions {
                companion.step().unwrap();
                for row in 0..run.world().agents.len() {
                    let distance = companion.distance(run.world(), row);
                    let is_near = distance.is_some_and(|distance| distance < 1e-3);
                    assert!(is_near, "{law:?}: {distance:?} at tick {tick}");
                }
            }
        }
    }
}

#[test]
fn edits_keep_where_obstacles_are_unless_they_move_in_another_way() {
    let mut old = simulation(busy(Order::Synchronous));
    for _ in 0..10 {
        old.step().unwrap();
    }
    let states = old.world().moving_obstacles();
    assert_eq!(states.len(), 3);
    let adopted = |change: &dyn Fn(&mut Setup)| {
        let mut setup = busy(Order::Synchronous);
        change(&mut setup);
        old.adopt(&simulation(setup)).unwrap()
    };
    let same = adopted(&|_| {});
    assert_eq!(same.world().moving_obstacles(), states);
    assert_eq!(same.world().obstacles, old.world().obstacles);
    // The door is wider, and as far open as before.
    let by = Vec2::new(0.0, 1.0);
    let wide = adopted(&|setup| setup.obstacles[0].shape = setup.obstacles[0].shape.moved(by));
    assert_eq!(wide.world().moving_obstacles(), states);
    let center = |of: &Simulation| of.world().obstacle(ObstacleId(0)).shape.center();
    assert_eq!(center(&wide), center(&old) + by);
    // The wall moves in another way, so that it begins again.
    let other = ObstacleMotion::Velocity(Vec2::Y);
    let edited = adopted(&|setup| setup.moving_obstacles[1].1 = other.clone());
    let wall = edited.world().moving_obstacles().pop().unwrap();
    assert_eq!((wall.offset, wall.motion), (Vec2::ZERO, other));
    // The lift is gone.
    let without = adopted(&|setup| {
        setup.obstacles.remove(1);
        setup.moving_obstacles.remove(0);
        setup.events.clear();
    });
    let names: Vec<_> =
        without.world().moving_obstacles().into_iter().map(|one| one.name).collect();
    assert_eq!(names, ["door".into(), "wall".into()]);
}

/// Solid agents at rest in the way of something that moves by less than their radius in a tick.
#[test]
fn what_moves_pushes_solid_bodies_and_ends_in_none() {
    let middle = Vec2::new(20.0, 50.0);
    for shape in [
        Shape::Segment { from: Vec2::new(20.0, 30.0), to: Vec2::new(20.0, 70.0) },
        Shape::Circle { center: middle, radius: 6.0 },
        Shape::Box(OrientedBox::new(middle, Vec2::new(4.0, 9.0), 0.4)),
    ] {
        let mut setup = setup(&[], &[], AfterGoals::Stay);
        let points = (0..30).map(|i| Vec2::new(40.0 + (i % 3) as f32 * 2.5, 38.0 + i as f32 * 0.8));
        setup.groups[0].1.shape = SpawnShape::Points(points.collect());
        setup.groups[0].1.count = 30;
        setup.groups[0].1.vel = Vec2::ZERO;
        setup.groups[0].0.body.solid = true;
        setup.obstacles = vec![obstacle("it", shape)];
        setup.moving_obstacles = vec![("it".into(), ObstacleMotion::Velocity(Vec2::new(0.9, 0.0)))];
        let mut simulation = Simulation::new(setup, vec![Arc::new(coast)]).unwrap();
        let mut pushed = 0.0;
        for tick in 0..60 {
            simulation.step().unwrap();
            let world = simulation.world();
            for pos in world.agents.positions() {
                let distance = world.obstacles[0].shape.surface(pos).distance;
                assert!(distance >= 1.0, "{distance} at {pos}, tick {tick}");
                pushed = math::max(pushed, pos.x);
            }
        }
        assert!(pushed > 60.0, "{pushed}");
    }
}

/// An agent between a wall that comes and one that stands.
#[test]
fn a_squeezed_body_stays_near() {
    for fixed in [
        Shape::Segment { from: Vec2::new(60.0, 0.0), to: Vec2::new(60.0, 99.0) },
        Shape::Box(OrientedBox::new(Vec2::new(65.0, 50.0), Vec2::new(5.0, 50.0), 0.0)),
    ] {
        let mut setup = setup(&[(57.0, 50.0), (57.5, 53.0)], &[], AfterGoals::Stay);
        setup.groups[0].0.body.solid = true;
        let wall = Shape::Segment { from: Vec2::new(40.0, 0.0), to: Vec2::new(40.0, 99.0) };
        setup.obstacles = vec![obstacle("fixed", fixed), obstacle("wall", wall)];
        setup.moving_obstacles =
            vec![("wall".into(), ObstacleMotion::Velocity(Vec2::new(0.5, 0.0)))];
        let mut simulation = Simulation::new(setup, vec![Arc::new(coast)]).unwrap();
        for tick in 0..80 {
            simulation.step().unwrap();
            for (pos, vel) in
                simulation.world().agents.positions().zip(simulation.world().agents.velocities())
            {
                assert!(pos.is_finite() && vel.is_finite(), "tick {tick}");
                assert!(
                    (55.0..=81.0).contains(&pos.x) && (45.0..=58.0).contains(&pos.y),
                    "{pos} at tick {tick}"
                );
                assert!(math::length(vel) <= 1.0 + 1e-3, "{vel}");
            }
        }
    }
}
