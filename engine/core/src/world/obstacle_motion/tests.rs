use super::*;
use crate::world::PathMode;

const GATE: ObstacleId = ObstacleId(1);

/// A world with two walls, ticks of half a second, and a path for each mode.
fn world() -> World {
    let mut world = World::example(&[]);
    world.dt = 0.5;
    let wall = |name: &str, x: f32| Obstacle {
        name: name.into(),
        shape: Shape::Segment { from: Vec2::new(x, 0.0), to: Vec2::new(x, 4.0) },
    };
    world.obstacles = vec![wall("wall", 50.0), wall("gate", 10.0)];
    let path = |name: &str, mode| Path {
        name: name.into(),
        points: vec![Vec2::new(10.0, 2.0), Vec2::new(13.0, 2.0), Vec2::new(13.0, 6.0)],
        radius: 1.0,
        mode,
    };
    world.paths = vec![
        path("once", PathMode::Once),
        path("loop", PathMode::Loop),
        path("there and back", PathMode::PingPong),
    ];
    world
}

/// Returns the centers of the gate after each of some ticks.
fn centers(world: &mut World, ticks: usize) -> Vec<(f32, f32)> {
    let step = |_| {
        world.move_obstacles();
        world.obstacle(GATE).shape.center().into()
    };
    (0..ticks).map(step).collect()
}

fn along(path: &str, speed: f32) -> ObstacleMotion {
    ObstacleMotion::Along { path: path.into(), speed }
}

#[test]
fn each_motion_goes_where_it_says() {
    let mut world = world();
    world.set_obstacle_motion(GATE, ObstacleMotion::Velocity(Vec2::new(2.0, -1.0)));
    assert_eq!(centers(&mut world, 2), [(11.0, 1.5), (12.0, 1.0)]);
    assert_eq!(world.obstacle_velocity(GATE), Vec2::new(2.0, -1.0));
    assert_eq!(world.obstacle_velocity(ObstacleId(0)), Vec2::ZERO);
    world.set_obstacle_motion(GATE, ObstacleMotion::To { at: Vec2::new(12.0, 4.0), speed: 4.0 });
    assert_eq!(world.obstacle_velocity(GATE), Vec2::new(0.0, 4.0));
    assert_eq!(centers(&mut world, 3), [(12.0, 3.0), (12.0, 4.0), (12.0, 4.0)]);
    assert_eq!(world.moving_obstacles()[0].motion, ObstacleMotion::Stop);
    assert_eq!(world.obstacle_velocity(GATE), Vec2::ZERO);
    // Back at home it is as if it had never moved.
    world.set_obstacle_motion(GATE, ObstacleMotion::To { at: Vec2::new(10.0, 2.0), speed: 99.0 });
    assert_eq!(centers(&mut world, 1), [(10.0, 2.0)]);
    assert!(world.moving_obstacles().is_empty());
}

#[test]
fn paths_end_turn_around_or_begin_again() {
    let ends = |path: &str, speed: f32, ticks: usize| {
        let mut world = world();
        world.set_obstacle_motion(GATE, along(path, speed));
        centers(&mut world, ticks).last().copied().unwrap()
    };
    // The legs have the lengths 3, 4 and, back to the first waypoint, 5.
    assert_eq!(ends("once", 4.0, 2), (13.0, 3.0));
    assert_eq!(ends("once", 4.0, 9), (13.0, 6.0));
    assert_eq!(ends("loop", 24.0, 1), (10.0, 2.0), "once around");
    assert_eq!(ends("loop", 4.0, 6), (10.0, 2.0));
    assert_eq!(ends("loop", 30.0, 1), (13.0, 2.0), "past several waypoints");
    assert_eq!(ends("there and back", 4.0, 5), (13.0, 3.0));
    assert_eq!(ends("there and back", 28.0, 1), (10.0, 2.0));
    // Not more than all of them there and back.
    let (x, y) = ends("loop", 1e9, 1);
    assert!(x.is_finite() && y.is_finite());
    // From elsewhere, it goes to the first waypoint.
    let mut world = world();
    world.set_obstacle_motion(GATE, ObstacleMotion::To { at: Vec2::new(10.0, 12.0), speed: 99.0 });
    centers(&mut world, 1);
    world.set_obstacle_motion(GATE, along("once", 4.0));
    assert_eq!(world.obstacle_velocity(GATE), Vec2::new(0.0, -4.0));
    assert_eq!(
        centers(&mut world, 6),
        [10.0, 8.0, 6.0, 4.0, 2.0]
            .map(|y| (10.0, y))
            .into_iter()
            .chain([(12.0, 2.0)])
            .collect::<Vec<_>>()
    );
    assert_eq!(world.obstacle_velocity(GATE), Vec2::new(4.0, 0.0));
    // A path that an edit has removed leads nowhere.
    world.set_obstacle_motion(GATE, along("none", 4.0));
    assert_eq!(centers(&mut world, 1), [(12.0, 2.0)]);
}

#[test]
fn obstacles_move_while_they_are_absent() {
    let mut world = world();
    world.set_obstacle_motion(GATE, ObstacleMotion::Velocity(Vec2::X));
    world.set_present(GATE, false);
    assert_eq!(centers(&mut world, 2), [(10.5, 2.0), (11.0, 2.0)]);
    world.set_present(ObstacleId(0), false);
    world.set_present(GATE, true);
    assert_eq!(centers(&mut world, 1), [(11.5, 2.0)]);
    assert_eq!(world.obstacles[0].shape.center().x, 11.5);
    let homes: Vec<f32> =
        world.obstacles_at_home().iter().map(|one| one.shape.center().x).collect();
    assert_eq!(homes, [50.0, 10.0]);
}

#[test]
fn states_say_where_obstacles_are() {
    let mut first = world();
    first.set_obstacle_motion(GATE, along("there and back", 3.0));
    centers(&mut first, 5);
    let states = first.moving_obstacles();
    let mut second = world();
    second.set_obstacle_motion(ObstacleId(0), ObstacleMotion::Velocity(Vec2::X));
    second.move_obstacles();
    second.set_moving_obstacles(&states);
    assert_eq!(second.obstacles, first.obstacles);
    assert_eq!(centers(&mut first, 20), centers(&mut second, 20));
    second.set_moving_obstacles(&[]);
    assert_eq!(second.obstacles, world().obstacles);
}

#[test]
fn ways_change_only_when_an_obstacle_has_moved_by_two_cells() {
    let mut world = world();
    world.way_cell = Some(1.0);
    world.set_obstacle_motion(GATE, ObstacleMotion::Velocity(Vec2::new(0.6, 0.0)));
    let mut known = Vec::new();
    for _ in 0..20 {
        world.move_obstacles();
        known.push(world.obstacles_for_ways()[1].shape.center().x);
    }
    // It has moved by 6, and is where it began, or about 2, 4 or 6 away from there.
    assert_eq!(world.obstacles[1].shape.center().x, 16.0);
    known.dedup();
    assert_eq!(known, [10.0, 12.0, 14.0, 16.0]);
    // At rest, they know where it really is.
    world.set_obstacle_motion(GATE, ObstacleMotion::Velocity(Vec2::new(0.6, 0.0)));
    world.move_obstacles();
    world.set_obstacle_motion(GATE, ObstacleMotion::Stop);
    assert_eq!(world.obstacles_for_ways()[1].shape.center().x, world.obstacles[1].shape.center().x);
}
