use proptest::prelude::*;

use super::*;
use crate::geom::{OrientedBox, Shape};
use crate::math::random::Mix;
use crate::world::Edge;

fn world(size: f32, edge: Edge, shapes: impl IntoIterator<Item = Shape>) -> World {
    let mut world = World::example(&[]);
    world.space = Space { edge, min: Vec2::ZERO, size: Vec2::splat(size) };
    let obstacle = |shape| Obstacle { name: "it".into(), shape };
    world.obstacles = shapes.into_iter().map(obstacle).collect();
    world
}

fn wall(from: (f32, f32), to: (f32, f32)) -> Shape {
    Shape::Segment { from: from.into(), to: to.into() }
}

/// Returns how deep the disc is in an obstacle or, in a world that wraps, in a copy of it on the other side of the edge.
fn depth(world: &World, at: Vec2, radius: f32) -> f32 {
    let reach = if world.space.edge == Edge::Wrap { 1 } else { 0 };
    let copies = (-reach..=reach).flat_map(|y| (-reach..=reach).map(move |x| (x as f32, y as f32)));
    let surfaces = copies.flat_map(|copy| {
        let at = at + Vec2::from(copy) * world.space.size;
        world.obstacles.iter().map(move |one| one.shape.surface(at).distance)
    });
    radius - surfaces.fold(f32::INFINITY, math::min)
}

/// Walks along the way in small steps, and returns the length of the walk and the deepest overlap with an obstacle; `None` if
/// it does not end.
fn walk(world: &World, from: Vec2, to: Vec2, radius: f32) -> Option<(f32, f32)> {
    let step = 0.2 * radius;
    let (mut at, mut length, mut deepest) = (from, 0.0, 0.0);
    for _ in 0..20_000 {
        let way = world.way(at, to, radius);
        let rest = world.space.offset(at, way.end);
        if math::length(rest) <= step {
            return Some((length, deepest));
        }
        let leg = math::limit(world.space.offset(at, way.next), step);
        at = world.space.inside(at + leg);
        length += math::length(leg);
        deepest = math::max(deepest, depth(world, at, radius));
    }
    None
}

/// The walls of a random maze: a spanning tree of rooms, each 4 units wide.
fn maze(seed: u64, rooms: u32) -> Vec<Shape> {
    let width = 4.0;
    let mut part: Vec<u32> = (0..rooms * rooms).collect();
    let mut doors: Vec<(u32, u32)> = Vec::new();
    for y in 0..rooms {
        for x in 0..rooms {
            let room = y * rooms + x;
            doors.extend((x + 1 < rooms).then_some((room, room + 1)));
            doors.extend((y + 1 < rooms).then_some((room, room + rooms)));
        }
    }
    doors.sort_by_key(|&(a, b)| Mix::new(seed).with(a.into()).with(b.into()).value());
    let side = rooms as f32 * width;
    let mut walls = vec![Shape::Room { min: Vec2::ZERO, max: Vec2::splat(side) }];
    for (a, b) in doors {
        if part[a as usize] != part[b as usize] {
            let (from, to) = (part[a as usize], part[b as usize]);
            part.iter_mut().filter(|one| **one == from).for_each(|one| *one = to);
            continue;
        }
        let corner = Vec2::new((b % rooms) as f32, (b / rooms) as f32) * width;
        let along = if b == a + 1 { Vec2::Y } else { Vec2::X };
        walls.push(Shape::Segment { from: corner, to: corner + along * width });
    }
    walls
}

#[test]
fn without_obstacles_or_in_sight_the_way_is_straight() {
    let (from, to) = (Vec2::new(10.0, 10.0), Vec2::new(61.25, 33.5));
    let open = world(100.0, Edge::Open, []);
    let length = math::length(to - from);
    assert_eq!(open.way(from, to, 1.0), Way { next: to, end: to, length, reaches: true });
    let beside = world(100.0, Edge::Open, [wall((0.0, 80.0), (90.0, 80.0))]);
    assert_eq!(beside.way(from, to, 1.0), Way { next: to, end: to, length, reaches: true });
}

/// A disc that goes around the end of a wall touches it with its edge: two tangents and an arc.
#[test]
fn the_length_around_a_wall_is_nearly_the_shortest() {
    for radius in [0.25_f32, 1.0, 3.0] {
        let world = world(100.0, Edge::Clamp, [wall((50.0, 20.0), (50.0, 100.0))]);
        let (from, to) = (Vec2::new(30.0, 40.0), Vec2::new(70.0, 40.0));
        let away = math::length(Vec2::splat(20.0));
        let tangent = math::sqrt(away * away - radius * radius);
        let arc = 1.5 * math::PI - 2.0 * math::acos(radius / away);
        let shortest = 2.0 * tangent + radius * arc;
        let way = world.way(from, to, radius);
        let ratio = way.length / shortest;
        assert!((0.99..1.08).contains(&ratio), "radius {radius}: {} {shortest}", way.length);
        let (walked, deepest) = walk(&world, from, to, radius).unwrap();
        assert!((0.99..1.08).contains(&(walked / shortest)), "{walked} {shortest}");
        assert!(deepest < 0.02 * radius, "{deepest}");
    }
}

#[test]
fn the_length_around_a_box_is_nearly_the_shortest() {
    let center = Vec2::splat(50.0);
    let solid = Shape::Box(OrientedBox::new(center, Vec2::new(10.0, 20.0), 0.0));
    let world = world(100.0, Edge::Open, [solid]);
    // From the middle of one long side to the middle of the other one, with a tiny body: three sides.
    let way = world.way(Vec2::new(39.0, 50.0), Vec2::new(61.0, 50.0), 0.01);
    let side = math::length(Vec2::new(1.0, 20.0));
    let ratio = way.length / (2.0 * side + 20.0);
    assert!((0.99..1.08).contains(&ratio), "{}", way.length);
}

#[test]
fn a_passage_that_is_wide_enough_for_the_body_is_found_wherever_it_is() {
    for place in 0..40 {
        let gap = 50.0 + place as f32 * 0.0173;
        for (width, passes) in [(2.1, true), (1.9, false)] {
            let walls =
                [wall((gap, -10.0), (gap, 30.0)), wall((gap + width, -10.0), (gap + width, 30.0))];
            let closed =
                [wall((-200.0, 10.0), (gap, 10.0)), wall((gap + width, 10.0), (300.0, 10.0))];
            let world = world(100.0, Edge::Clamp, walls.into_iter().chain(closed));
            let (from, to) = (Vec2::new(50.0, 60.0), Vec2::new(gap + 0.5 * width, 2.0));
            let way = world.way(from, to, 1.0);
            assert_eq!(way.end == to, passes, "{place} {width} {way:?}");
        }
    }
}

/// A radius is rounded up, but a body that fits exactly passes all the same.
#[test]
fn rounding_a_radius_closes_no_passage() {
    let walls = [wall((0.0, 50.0), (49.0, 50.0)), wall((51.2, 50.0), (100.0, 50.0))];
    let world = world(100.0, Edge::Clamp, walls);
    let (from, to) = (Vec2::new(20.0, 60.0), Vec2::new(50.0, 40.0));
    assert_eq!(rounded_up(1.01), 1.125);
    assert_eq!(world.way(from, to, 1.01).end, to);
    assert_ne!(world.way(from, to, 1.2).end, to);
}

#[test]
fn a_goal_that_cannot_be_reached_counts_as_the_nearest_point_that_can() {
    let corners = [(40.0, 40.0), (60.0, 40.0), (60.0, 60.0), (40.0, 60.0), (40.0, 40.0)];
    let cage = corners.windows(2).map(|ends| wall(ends[0], ends[1]));
    let world = world(100.0, Edge::Clamp, cage);
    let way = world.way(Vec2::new(10.0, 50.0), Vec2::splat(50.0), 1.0);
    let gap = math::length(way.end - Vec2::splat(50.0));
    assert!((10.9..11.6).contains(&gap), "{way:?}");
    let inside = world.way(Vec2::splat(50.0), Vec2::new(80.0, 52.0), 1.0);
    assert!((58.0..59.1).contains(&inside.end.x), "{inside:?}");
    assert!(!way.reaches && !inside.reaches);
    let end = world.end_of_way_apart(Vec2::new(10.0, 50.0), Vec2::splat(50.0), 1.0);
    let (end, least) = end.unwrap();
    assert_eq!(end, way.end, "found without the way");
    assert!((7.0..gap).contains(&least), "{least}");
    let exact = world.least_distance_apart(end, Vec2::splat(50.0), 1.0);
    assert!((10.7..11.0).contains(&exact), "a body of radius 1 beside the cage, not {exact}");
    assert_eq!(world.end_of_way_apart(Vec2::new(10.0, 50.0), Vec2::splat(90.0), 1.0), None);
}

#[test]
fn a_goal_in_an_obstacle_counts_as_a_point_beside_it() {
    let disc = Shape::Circle { center: Vec2::splat(50.0), radius: 10.0 };
    let world = world(100.0, Edge::Clamp, [disc]);
    let way = world.way(Vec2::new(10.0, 50.0), Vec2::new(45.0, 50.0), 1.0);
    let away = math::length(way.end - Vec2::splat(50.0));
    assert!((11.0..12.0).contains(&away) && way.reaches, "{way:?}");
}

/// Caught: goals deep inside an obstacle counted as points near its corners, since the nearest point was searched by steps, and
/// a diagonal step counted as one.
#[test]
fn a_goal_deep_in_an_obstacle_counts_as_the_nearest_point() {
    let solid = Shape::Box(OrientedBox::new(Vec2::splat(50.0), Vec2::new(40.0, 20.0), 0.0));
    let side = wall((0.0, 50.0), (30.0, 50.0));
    for (edge, shapes) in [
        (Edge::Clamp, vec![solid.clone()]),
        (Edge::Wrap, vec![solid.clone()]),
        (Edge::Open, vec![solid, side]),
    ] {
        let world = world(100.0, edge, shapes);
        for (goal, nearest) in [
            ((50.0, 52.0), (50.0, 71.0)),
            ((40.0, 45.0), (40.0, 29.0)),
            ((66.0, 60.0), (66.0, 71.0)),
            ((85.0, 53.0), (91.0, 53.0)),
            ((75.0, 47.0), (91.0, 47.0)),
        ] {
            let end = world.way(Vec2::new(20.0, 10.0), goal.into(), 1.0).end;
            let away = math::length(end - Vec2::from(nearest));
            assert!(away < 1.0, "{edge:?} {goal:?}: {end}");
        }
    }
}

#[test]
fn a_body_that_fits_nowhere_goes_straight() {
    let room = Shape::Room { min: Vec2::splat(40.0), max: Vec2::splat(50.0) };
    let world = world(100.0, Edge::Clamp, [room]);
    let (from, to) = (Vec2::new(45.0, 45.0), Vec2::new(46.0, 48.0));
    assert_eq!(world.way(from, to, 6.0).next, to);
}

#[test]
fn ways_cross_the_edge_of_a_world_that_wraps() {
    let world = world(100.0, Edge::Wrap, [wall((50.0, 0.0), (50.0, 100.0))]);
    let (from, to) = (Vec2::new(45.0, 50.0), Vec2::new(55.0, 50.0));
    let way = world.way(from, to, 1.0);
    assert!((89.5..91.0).contains(&way.length), "{way:?}");
    let (walked, _) = walk(&world, from, to, 1.0).unwrap();
    assert!((89.0..92.0).contains(&walked), "{walked}");
}

#[test]
fn an_open_world_has_ways_around_its_outermost_obstacles_and_beyond() {
    let world = world(100.0, Edge::Open, [wall((50.0, -20.0), (50.0, 120.0))]);
    let way = world.way(Vec2::new(40.0, 90.0), Vec2::new(60.0, 90.0), 2.0);
    assert!((68.0..73.0).contains(&way.length), "{way:?}");
    let far = Vec2::new(900.0, 50.0);
    let (walked, deepest) = walk(&world, Vec2::new(-300.0, 40.0), far, 2.0).unwrap();
    assert!(walked < 1250.0 && deepest < 0.1, "{walked} {deepest}");
    let beside = world.way(Vec2::new(400.0, 40.0), far, 2.0);
    assert_eq!(beside.next, far, "nothing is in between");
}

#[test]
fn a_body_that_touches_a_wall_goes_on_along_it() {
    let world = world(100.0, Edge::Clamp, [wall((50.0, 20.0), (50.0, 100.0))]);
    let to = Vec2::new(70.0, 60.0);
    for x in [49.9, 49.5, 49.1, 50.0] {
        let from = Vec2::new(x, 60.0);
        let (walked, _) = walk(&world, from, to, 1.0).unwrap();
        assert!(walked < 100.0, "from {x}: {walked}");
    }
}

#[test]
fn changed_obstacles_change_ways_with_the_next_tick() {
    let mut world = world(100.0, Edge::Clamp, [wall((50.0, 20.0), (50.0, 100.0))]);
    let (from, to) = (Vec2::new(30.0, 60.0), Vec2::new(70.0, 60.0));
    let copy = world.clone();
    let before = world.way(from, to, 1.0);
    assert_ne!(before.next, to);
    world.obstacles.clear();
    world.obstacles.push(Obstacle { name: "it".into(), shape: wall((0.0, 99.0), (1.0, 99.0)) });
    world.index();
    assert_eq!(world.way(from, to, 1.0).next, to);
    assert_eq!(copy.way(from, to, 1.0), before);
}

/// Caught: a chase kept a field for each cell that the quarry had been in, with its unfinished search: half a gigabyte.
#[test]
fn fields_of_goals_that_move_are_dropped() {
    let mut world = world(400.0, Edge::Clamp, [wall((200.0, 100.0), (200.0, 300.0))]);
    let from = Vec2::new(100.0, 200.0);
    let mut most = 0;
    for tick in 0..400 {
        let _ = world.way(from, Vec2::new(210.0, 1.0 + tick as f32), 4.0);
        most = most.max(world.ways.known.get().unwrap().fields.bytes());
        world.refresh_ways();
    }
    let one = 200 * 200 * 24;
    assert!(most > 10 * one, "{most}: the search of a goal is counted");
    assert!(most <= 3 * MIN_DROP_BYTES, "{most}");
}

/// Searching for one agent must not change what another one finds.
#[test]
fn the_order_of_questions_does_not_matter() {
    let world = world(24.0, Edge::Clamp, maze(5, 6));
    let point = |i: u64| {
        let mut parts = (0..2).map(|axis| Mix::new(i).with(axis).unit() * 24.0);
        Vec2::new(parts.next().unwrap(), parts.next().unwrap())
    };
    let ask = |world: &World, i: u64| world.way(point(i), point(i % 3 + 1000), 0.5);
    let forward: Vec<Way> = (0..200).map(|i| ask(&world, i)).collect();
    let mut other = world.clone();
    other.ways = Ways::default();
    let mut backward: Vec<Way> = (0..200).rev().map(|i| ask(&other, i)).collect();
    backward.reverse();
    assert_eq!(forward, backward);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn nobody_is_trapped_in_a_maze(seed: u64, from in (1.0f32..23.0, 1.0f32..23.0), to in (1.0f32..23.0, 1.0f32..23.0)) {
        let world = world(24.0, Edge::Clamp, maze(seed, 6));
        let (from, to): (Vec2, Vec2) = (from.into(), to.into());
        prop_assume!(depth(&world, from, 0.5) < 0.0 && depth(&world, to, 0.5) < 0.0);
        let way = world.way(from, to, 0.5);
        prop_assert_eq!(way.end, to);
        // The last leg is measured to the point of a cell.
        prop_assert!(way.length >= math::length(to - from) - 0.2);
        // The first ones look straight, the last ones ask the field.
        for _ in 0..=2 * MAX_LOOKS {
            prop_assert_eq!(world.way(from, to, 0.5), way);
        }
        let walk = walk(&world, from, to, 0.5);
        prop_assert!(walk.is_some(), "does not arrive");
        let (walked, deepest) = walk.unwrap_or_default();
        prop_assert!((walked - way.length).abs() < 0.05 * way.length + 0.3, "{walked} {}", way.length);
        prop_assert!(deepest < 0.1, "touches by {deepest}");
    }

    #[test]
    fn a_walker_gets_around_random_obstacles(
        discs in prop::collection::vec((0.0f32..60.0, 0.0f32..60.0, 0.5f32..8.0), 1..20),
        boxes in prop::collection::vec((0.0f32..60.0, 0.0f32..60.0, 1.0f32..20.0, 1.0f32..5.0, 0.0f32..3.0), 0..6),
        edge in prop_oneof![Just(Edge::Open), Just(Edge::Clamp), Just(Edge::Wrap)],
        cell in prop::option::of(0.1f32..1.3),
    ) {
        let disc = |&(x, y, radius): &(f32, f32, f32)| Shape::Circle { center: Vec2::new(x, y), radius };
        let solid = |&(x, y, w, h, angle): &(f32, f32, f32, f32, f32)| {
            Shape::Box(OrientedBox::new(Vec2::new(x, y), 0.5 * Vec2::new(w, h), angle))
        };
        let mut world = world(60.0, edge, discs.iter().map(disc).chain(boxes.iter().map(solid)));
        let fine = world.clone();
        world.way_cell = cell;
        for (from, to) in [((1.0, 1.0), (59.0, 58.0)), ((2.0, 55.0), (57.0, 3.0))] {
            let (from, to): (Vec2, Vec2) = (from.into(), to.into());
            if depth(&world, from, 1.0) > 0.0 || !fine.way(from, to, 1.0).reaches {
                continue;
            }
            let way = world.way(from, to, 1.0);
            for _ in 0..=2 * MAX_LOOKS {
                prop_assert_eq!(world.way(from, to, 1.0), way);
            }
            let walk = walk(&world, from, to, 1.0);
            prop_assert!(walk.is_some(), "does not arrive: {way:?}");
            let (walked, deepest) = walk.unwrap_or_default();
            prop_assert!(walked < 1.1 * way.length + 2.0, "{walked} {}", way.length);
            prop_assert!(deepest < 0.1, "touches by {deepest}");
        }
    }

    #[test]
    fn a_walker_gets_past_thin_walls(seed: u64) {
        let (mut world, from, to) = walls_and_discs(seed);
        world.way_cell = world.way_cell.map(|cell| math::min(cell, 1.3));
        let fits = |point| depth(&world, point, 1.0) < 0.0;
        prop_assume!(fits(from) && fits(to) && world.way(from, to, 1.0).reaches);
        let walk = walk(&world, from, to, 1.0);
        prop_assert!(walk.is_some_and(|(_, deepest)| deepest < 0.1), "{walk:?}");
    }
}

/// A walker went to and fro between two cells: in one it touched an obstacle and went back to the other.
#[test]
fn a_walker_beside_an_obstacle_is_not_led_back() {
    let discs = [
        (48.02446, 35.608097, 3.1576378),
        (30.219975, 4.665299, 7.1509223),
        (31.511492, 43.71821, 7.975488),
        (33.96001, 19.095423, 4.9567275),
        (49.001724, 56.995518, 5.041927),
        (35.569805, 29.30895, 7.617003),
    ];
    let boxes = [
        (3.2164893, 16.385305, 17.253132, 2.695068, 2.8074832),
        (57.101032, 41.871998, 10.24636, 4.99191, 1.0212768),
        (44.913914, 40.27737, 1.0, 1.0, 0.0),
    ];
    let disc = |(x, y, radius)| Shape::Circle { center: Vec2::new(x, y), radius };
    let solid = |(x, y, w, h, angle)| {
        Shape::Box(OrientedBox::new(Vec2::new(x, y), 0.5 * Vec2::new(w, h), angle))
    };
    let shapes = discs.map(disc).into_iter().chain(boxes.map(solid));
    let world = world(60.0, Edge::Open, shapes);
    assert!(walk(&world, Vec2::new(1.0, 1.0), Vec2::new(59.0, 58.0), 1.0).is_some());
}

/// A random world of discs and thin walls, with cells of any width, and the start and the end of a walk in it.
fn walls_and_discs(seed: u64) -> (World, Vec2, Vec2) {
    let mut drawn = 0;
    let mut number = |min: f32, max: f32| {
        drawn += 1;
        min + (max - min) * Mix::new(seed).with(drawn).unit()
    };
    let mut shapes = Vec::new();
    for _ in 0..number(0.0, 8.0) as usize {
        let center = Vec2::new(number(0.0, 60.0), number(0.0, 60.0));
        shapes.push(Shape::Circle { center, radius: number(0.1, 4.0) });
    }
    for _ in 0..number(0.0, 16.0) as usize {
        let from = Vec2::new(number(0.0, 60.0), number(0.0, 60.0));
        let to = from + Vec2::new(number(-15.0, 15.0), number(-15.0, 15.0));
        shapes.push(Shape::Segment { from, to });
    }
    let edge = [Edge::Open, Edge::Clamp, Edge::Wrap][number(0.0, 3.0) as usize];
    let mut world = world(60.0, edge, shapes);
    world.way_cell = Some(number(0.1, 4.0));
    let from = Vec2::new(number(0.0, 60.0), number(0.0, 60.0));
    (world, from, Vec2::new(number(0.0, 60.0), number(0.0, 60.0)))
}

/// Caught, each by a fault that somebody tried, and some by a fault that was there.
#[test]
fn walks_that_failed_once_succeed() {
    let failed = [
        (461, "cut a corner on its way to the point of its own cell"),
        (1879, "kept 90 % of its radius from a corner"),
        (6092, "stopped where a wide cell was believed to see what its corners see"),
        (1679, "stopped since lines were tested in steps that are too long"),
        (985, "stopped where it saw the last cell, but not the end of the way in it"),
    ];
    for (seed, what) in failed {
        let (world, from, to) = walls_and_discs(seed);
        let walk = walk(&world, from, to, 1.0);
        assert!(walk.is_some_and(|(_, deepest)| deepest < 0.1), "{seed} {what}: {walk:?}");
    }
}
