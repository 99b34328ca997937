//! Searches for pairs and obstacles, compared with a search over all of them; and failures that only a broken world
//! can show.

use std::cell::RefCell;
use std::sync::Arc;

use proptest::prelude::*;

use super::all_finite::AllFinite;
use super::check::NameRef;
use super::min_separation::MinSeparation;
use super::no_overlap::NoOverlap;
use super::*;
use crate::diag::Source;
use crate::geom::{OrientedBox, Polygon, Shape};
use crate::math::{self, Vec2};
use crate::number::{Length, PositiveLength};
use crate::sim::{Brain, Order, Setup, Simulation, Spawn, SpawnShape};
use crate::world::{AgentId, Body, Edge, Group, Me, Mind, Obstacle, Space};

fn space(edge: Edge) -> Space {
    Space { edge, min: Vec2::splat(-50.0), size: Vec2::new(100.0, 60.0) }
}

/// Makes a world of agents at rest. Each group has a radius and the positions of its agents.
fn world(edge: Edge, groups: &[(f32, Vec<Vec2>)], shapes: &[Shape]) -> Simulation {
    let groups: Vec<_> = groups
        .iter()
        .enumerate()
        .map(|(i, (radius, points))| {
            let group = Group {
                name: format!("g{i}").into(),
                body: Body { radius: *radius, max_speed: 10.0, max_force: 10.0, ..Body::default() },
                // Some agents of every second group are half as large.
                bodies: [1.0, 0.5, 1.0]
                    .iter()
                    .filter(|_| i % 2 == 1)
                    .map(|share| Body { radius: radius * share, ..Body::default() })
                    .collect(),
                ..Group::default()
            };
            let spawn = Spawn {
                shape: SpawnShape::Points(points.clone()),
                count: points.len() as u32,
                vel: Vec2::ZERO,
                heading: None,
            };
            (group, spawn)
        })
        .collect();
    let obstacles = shapes.iter().map(|shape| Obstacle { name: "it".into(), shape: shape.clone() });
    let still = |_: &Me<'_>, _: Mind<'_>| Vec2::ZERO;
    let still: Arc<dyn Brain> = Arc::new(still);
    let brains = vec![still; groups.len()];
    let setup = Setup {
        seed: 1,
        dt: 1.0,
        order: Order::Synchronous,
        space: space(edge),
        way_cell: None,
        absent_obstacles: Vec::new(),
        moving_obstacles: Vec::new(),
        layers: Vec::new(),
        inputs: Vec::new(),
        shared: Vec::new(),
        obstacles: obstacles.collect(),
        fields: Vec::new(),
        paths: Vec::new(),
        groups,
        events: Vec::new(),
        max_agents: Setup::DEFAULT_MAX_AGENTS,
        start: None,
    };
    Simulation::new(setup, brains).unwrap()
}

fn first_failure(rule: impl Rule + 'static, simulation: &Simulation) -> Option<Failure> {
    let source = Source::new("s.ron", "");
    let place = Place { source, span: 0..0 };
    let expectation = Expectation { place, from: 0, rule: Box::new(rule) };
    let judge = Judge::new(&[expectation], simulation, true);
    judge.into_failures().into_iter().next()
}

/// Returns the margin at the first tick.
fn margin(rule: impl Rule + 'static, simulation: &Simulation) -> Option<f32> {
    let place = Place { source: Source::new("s.ron", ""), span: 0..0 };
    let expectation = Expectation { place, from: 0, rule: Box::new(rule) };
    Judge::new(&[expectation], simulation, true).margins()[0].value
}

/// Returns the lowest number, if there is any.
fn lowest(all: impl IntoIterator<Item = f32>) -> Option<f32> {
    all.into_iter().reduce(math::min)
}

/// Returns the first pair of rows for which `depth` returns a value, that value, and the number of such pairs.
fn by_trying_all(
    simulation: &Simulation,
    depth: impl Fn(usize, usize, f32) -> Option<f32>,
) -> Option<(usize, usize, f32, usize)> {
    let world = simulation.world();
    let pos: Vec<Vec2> = world.agents.positions().collect();
    let mut all = Vec::new();
    for i in 0..pos.len() {
        for j in i + 1..pos.len() {
            let distance = world.space.offset_inside(pos[i], pos[j]).length();
            all.extend(depth(i, j, distance).map(|value| (i, j, value)));
        }
    }
    let &(i, j, value) = all.first()?;
    Some((i, j, value, all.len()))
}

/// Returns whether a failure is about the expected pair, and says how many more there are.
fn is_pair(
    failure: Option<Failure>,
    expected: Option<(usize, usize, f32, usize)>,
    limit: f32,
) -> bool {
    match (failure, expected) {
        (None, None) => true,
        (Some(failure), Some((i, j, value, count))) => {
            let value = math::short_beside(value, limit);
            let more = format!("and {} more in that tick", count - 1);
            failure.agent == Some(AgentId(i as u32))
                && failure.message.contains(&format!("agent {j} (g"))
                && failure.message.contains(&format!(" {value} "))
                && failure.help.contains(&more) == (count > 1)
        }
        _ => false,
    }
}

/// Returns the value of the field `between` for two groups.
fn known((a, b): (GroupId, GroupId)) -> (NameRef<GroupId>, NameRef<GroupId>) {
    (NameRef::known(a), NameRef::known(b))
}

/// Returns whether agents of the groups `one` and `other` are a pair of `between`.
fn is_between(between: (GroupId, GroupId), one: GroupId, other: GroupId) -> bool {
    between == (one, other) || between == (other, one)
}

fn points() -> impl Strategy<Value = Vec<Vec2>> {
    let coarse =
        (-10i8..10, -6i8..6).prop_map(|(x, y)| Vec2::new(f32::from(x), f32::from(y)) * 5.0);
    let fine = (-50.0f32..50.0, -50.0f32..10.0).prop_map(|(x, y)| Vec2::new(x, y));
    prop::collection::vec(prop_oneof![1 => coarse, 3 => fine], 1..30)
}

fn edge() -> impl Strategy<Value = Edge> {
    prop_oneof![Just(Edge::Open), Just(Edge::Wrap), Just(Edge::Bounce), Just(Edge::Clamp)]
}

fn shape() -> impl Strategy<Value = Shape> {
    let point = || (-50.0f32..50.0, -50.0f32..10.0).prop_map(|(x, y)| Vec2::new(x, y));
    prop_oneof![
        (point(), 0.0f32..9.0).prop_map(|(center, radius)| Shape::Circle { center, radius }),
        (point(), point()).prop_map(|(from, to)| Shape::Segment { from, to }),
        (point(), point()).prop_map(|(min, max)| Shape::Room { min, max }),
        (point(), point(), -3.0f32..3.0).prop_map(|(center, size, angle)| {
            Shape::Box(OrientedBox::new(center, size.abs() * 0.2, angle))
        }),
        (point(), point(), point())
            .prop_map(|(a, b, c)| Shape::Polygon(Polygon::new(vec![a, b, c]))),
    ]
}

proptest! {
    #[test]
    fn overlaps_equal_those_of_a_search_over_all_pairs(
        groups in prop::collection::vec((prop_oneof![Just(0.0f32), Just(2.5), 0.0f32..40.0], points()), 1..4),
        tolerance in prop_oneof![Just(0.0f32), 0.0f32..6.0],
        edge in edge(),
        only in prop::option::of(0u16..4),
        between in prop::option::of((0u16..4, 0u16..4)),
    ) {
        let simulation = world(edge, &groups, &[]);
        let group = |index: u16| GroupId(index % groups.len() as u16);
        let between = between.map(|(a, b)| (group(a), group(b)));
        let only = only.filter(|_| between.is_none()).map(|only| vec![group(only), GroupId(0)]);
        let of = simulation.world().agents.group.clone();
        let margins = RefCell::new(Vec::new());
        let expected = by_trying_all(&simulation, |i, j, distance| {
            let is_meant = match (between, &only) {
                (Some(between), _) => is_between(between, of[i], of[j]),
                (None, Some(only)) => only.contains(&of[i]) && only.contains(&of[j]),
                (None, None) => true,
            };
            let radius = |row: usize| simulation.world().agent(row).body().radius;
            let depth = radius(i).max(radius(j)) + radius(i).min(radius(j)) - distance;
            if is_meant {
                margins.borrow_mut().push(tolerance - depth);
            }
            (is_meant && depth > tolerance).then_some(depth)
        });
        let groups = only.map(|only| only.into_iter().map(NameRef::known).collect());
        let what = NoOverlap {
            groups, between: between.map(known), tolerance: Some(Length(tolerance)), agents: None,
            obstacles: None, bodies: None, tests: Vec::new(),
        };
        let found = first_failure(what.clone(), &simulation);
        prop_assert!(is_pair(found.clone(), expected, tolerance), "{found:?}\n{expected:?}");
        prop_assert_eq!(margin(what, &simulation), lowest(margins.into_inner()));
    }

    #[test]
    fn separations_equal_those_of_a_search_over_all_pairs(
        groups in prop::collection::vec((Just(1.0f32), points()), 1..4),
        distance in prop_oneof![Just(5.0f32), 0.0f32..120.0],
        edge in edge(),
        between in prop::option::of((0u16..4, 0u16..4)),
    ) {
        let simulation = world(edge, &groups, &[]);
        let group = |index: u16| GroupId(index % groups.len() as u16);
        let between = between.map(|(a, b)| (group(a), group(b)));
        let of = simulation.world().agents.group.clone();
        let margins = RefCell::new(Vec::new());
        let expected = by_trying_all(&simulation, |i, j, found| {
            let is_meant = between.is_none_or(|between| is_between(between, of[i], of[j]));
            if is_meant {
                margins.borrow_mut().push(found - distance);
            }
            (is_meant && found < distance).then_some(found)
        });
        let what = MinSeparation {
            groups: None, between: between.map(known), distance: PositiveLength(distance),
            bodies: None,
        };
        let found = first_failure(what.clone(), &simulation);
        prop_assert!(is_pair(found.clone(), expected, distance), "{found:?}\n{expected:?}");
        prop_assert_eq!(margin(what, &simulation), lowest(margins.into_inner()));
    }

    #[test]
    fn bodies_in_obstacles_equal_those_of_a_search_over_all_obstacles(
        groups in prop::collection::vec((prop_oneof![Just(0.0f32), 0.0f32..20.0], points()), 1..3),
        shapes in prop::collection::vec(shape(), 0..5),
        tolerance in prop_oneof![Just(0.0f32), 0.0f32..6.0],
        edge in edge(),
    ) {
        let simulation = world(edge, &groups, &shapes);
        let agents = &simulation.world().agents;
        let (mut all, mut margins) = (Vec::new(), Vec::new());
        for row in 0..agents.len() {
            for shape in &shapes {
                let radius = simulation.world().agent(row).body().radius;
                let depth = radius - shape.surface(agents.pos(row)).distance;
                margins.push(tolerance - depth);
                all.extend((depth > tolerance).then_some((row as u32, depth)));
            }
        }
        let what = NoOverlap {
            groups: None, between: None, tolerance: Some(Length(tolerance)), agents: Some(false),
            obstacles: None, bodies: None, tests: Vec::new(),
        };
        let found = first_failure(what.clone(), &simulation);
        prop_assert_eq!(margin(what, &simulation), lowest(margins));
        match (&found, all.first()) {
            (None, None) => {}
            (Some(failure), Some(&(id, depth))) => {
                prop_assert_eq!(failure.agent, Some(AgentId(id)));
                let depth = math::short_beside(depth, tolerance);
                prop_assert!(failure.message.contains(&format!(" by {depth} at")), "{failure:?}");
            }
            both => prop_assert!(false, "{both:?}"),
        }
    }
}

#[test]
fn positions_that_are_not_finite_are_found() {
    let simulation = world(Edge::Open, &[(1.0, vec![Vec2::ZERO, Vec2::X])], &[]);
    assert_eq!(first_failure(AllFinite, &simulation), None);
    let simulation = world(Edge::Open, &[(1.0, vec![Vec2::ZERO, Vec2::new(f32::NAN, 1.0)])], &[]);
    let failure = first_failure(AllFinite, &simulation).unwrap();
    assert_eq!(margin(AllFinite, &simulation), Some(-1.0), "the number of agents");
    let message = "the position of agent 1 (g0) is [NaN, 1] at tick 0; expected finite numbers";
    assert_eq!((failure.agent, failure.message.as_str()), (Some(AgentId(1)), message));
}
