//! Laws for every shape: the queries agree with each other and with a second implementation.

use super::*;
use proptest::prelude::*;

/// The rounding that is allowed at the coordinates used here, about a hundred world units.
const NEAR: f32 = 2e-4;

fn coordinate() -> impl Strategy<Value = f32> {
    prop_oneof![3 => -50.0f32..50.0, 1 => (-5i8..5).prop_map(f32::from)]
}

fn any_point() -> impl Strategy<Value = Vec2> {
    (coordinate(), coordinate()).prop_map(Vec2::from)
}

fn heading() -> impl Strategy<Value = Vec2> {
    prop_oneof![
        3 => (-4.0f32..4.0).prop_map(math::direction),
        1 => prop::sample::select(vec![Vec2::X, Vec2::NEG_X, Vec2::Y, Vec2::NEG_Y]),
    ]
}

/// Returns polygons around a center, with dents. The angle between corners is less than half a turn, so that no edges
/// cross.
fn star(least: usize, nearest: f32) -> impl Strategy<Value = Shape> {
    let corners = prop::collection::vec((0.0f32..0.9, nearest..30.0), least..9);
    (any_point(), corners, any::<bool>()).prop_map(|(center, corners, backwards)| {
        let step = 2.0 * math::PI / corners.len() as f32;
        let mut corners: Vec<Vec2> = corners
            .iter()
            .enumerate()
            .map(|(i, (turn, far))| center + math::direction((i as f32 + turn) * step) * *far)
            .collect();
        if backwards {
            corners.reverse();
        }
        Shape::Polygon(Polygon::new(corners))
    })
}

fn shape() -> impl Strategy<Value = Shape> {
    shape_with(star(3, 1.0))
}

fn shape_with(star: impl Strategy<Value = Shape>) -> impl Strategy<Value = Shape> {
    prop_oneof![
        1 => (any_point(), 0.1f32..30.0)
            .prop_map(|(center, radius)| Shape::Circle { center, radius }),
        1 => (any_point(), any_point()).prop_map(|(from, to)| Shape::Segment { from, to }),
        3 => star,
        2 => (any_point(), (0.1f32..20.0, 0.1f32..20.0), -4.0f32..4.0).prop_map(
            |(center, half, angle)| Shape::Box(OrientedBox::new(center, half.into(), angle))
        ),
        1 => (any_point(), any_point()).prop_map(|(min, max)| Shape::Room { min, max }),
    ]
}

/// Returns the corners of a shape that has corners; a segment has two.
fn corners_of(shape: &Shape) -> Option<Vec<Vec2>> {
    match shape {
        Shape::Circle { .. } => None,
        Shape::Segment { from, to } => Some(vec![*from, *to]),
        Shape::Polygon(polygon) => Some(polygon.corners().to_vec()),
        Shape::Box(oriented) => Some(oriented.corners().to_vec()),
        Shape::Room { min, max } => {
            Some(vec![*min, Vec2::new(max.x, min.y), *max, Vec2::new(min.x, max.y)])
        }
    }
}

/// Returns points all along the surface.
fn outline(shape: &Shape) -> Vec<Vec2> {
    if let Shape::Circle { center, radius } = shape {
        return (0..100).map(|i| *center + math::direction(i as f32 * 0.063) * *radius).collect();
    }
    let corners = corners_of(shape).unwrap();
    let ends = corners.iter().cycle().skip(1);
    corners
        .iter()
        .zip(ends)
        .flat_map(|(from, to)| (0..20).map(|i| from.lerp(*to, i as f32 / 20.0)))
        .collect()
}

fn apart(a: Vec2, b: Vec2) -> (f64, f64) {
    let apart = |a, b| f64::from(a) - f64::from(b);
    (apart(a.x, b.x), apart(a.y, b.y))
}

/// Returns whether a point is in the solid part, in double precision and with another method: the winding of the outline
/// around the point.
fn is_solid(shape: &Shape, point: Vec2) -> bool {
    if let Shape::Circle { center, radius } = shape {
        let (x, y) = apart(*center, point);
        return x.hypot(y) <= f64::from(*radius);
    }
    let corners = corners_of(shape).unwrap();
    let turn: f64 = (0..corners.len())
        .map(|i| {
            let a = apart(corners[i], point);
            let b = apart(corners[(i + 1) % corners.len()], point);
            (a.0 * b.1 - a.1 * b.0).atan2(a.0 * b.0 + a.1 * b.1)
        })
        .sum();
    let surrounded = turn.abs() > 3.0;
    surrounded != matches!(shape, Shape::Room { .. }) && !matches!(shape, Shape::Segment { .. })
}

fn mirrored(v: Vec2) -> Vec2 {
    Vec2::new(-v.x, v.y)
}

fn mirror(shape: &Shape) -> Shape {
    match shape {
        Shape::Circle { center, radius } => {
            Shape::Circle { center: mirrored(*center), radius: *radius }
        }
        Shape::Segment { from, to } => Shape::Segment { from: mirrored(*from), to: mirrored(*to) },
        Shape::Polygon(polygon) => {
            Shape::Polygon(Polygon::new(polygon.corners().iter().map(|&c| mirrored(c)).collect()))
        }
        Shape::Box(oriented) => Shape::Box(OrientedBox::new(
            mirrored(oriented.center()),
            oriented.half(),
            -math::angle(oriented.axis()),
        )),
        Shape::Room { min, max } => Shape::Room { min: mirrored(*min), max: mirrored(*max) },
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn the_nearest_point_is_on_the_surface_at_the_given_distance(shape in shape(), at in any_point()) {
        let seen = shape.surface(at);
        prop_assert!((seen.normal.length() - 1.0).abs() < 1e-5, "{seen:?}");
        prop_assert!((seen.point.distance(at) - seen.distance.abs()).abs() < NEAR, "{seen:?}");
        let again = shape.surface(seen.point);
        prop_assert!(again.distance.abs() < NEAR, "{seen:?} {again:?}");
    }

    #[test]
    fn what_is_out_of_reach_is_not_touched(
        shape in shape(),
        from in any_point(),
        ahead in heading(),
        (reach, radius) in (0.0f32..60.0, 0.0f32..10.0),
        scale in prop_oneof![Just(1.0f32), Just(1e-6), Just(1e6)],
        offset in prop_oneof![Just(Vec2::ZERO), any_point().prop_map(|at| at * 100.0)],
    ) {
        let sweep = Sweep::new(from * scale + offset, ahead, reach * scale, radius);
        let shape = match shape {
            Shape::Polygon(of) => {
                Shape::Polygon(Polygon::new(of.corners().iter().map(|&c| c * scale + offset).collect()))
            }
            Shape::Segment { from, to } => {
                Shape::Segment { from: from * scale + offset, to: to * scale + offset }
            }
            other => other,
        };
        prop_assert!(!shape.is_out_of_reach(&sweep) || shape.first_touch(&sweep).is_none());
    }

    #[test]
    fn the_normal_leads_from_the_nearest_point_to_the_free_side(shape in shape(), at in any_point()) {
        let seen = shape.surface(at);
        let back = seen.point + seen.normal * seen.distance;
        prop_assert!(back.distance(at) < 1e-3, "{seen:?} leads to {back}");
    }

    #[test]
    fn no_point_of_the_outline_is_nearer(shape in shape(), at in any_point()) {
        let seen = shape.surface(at);
        for point in outline(&shape) {
            prop_assert!(point.distance(at) > seen.distance.abs() - NEAR, "{point} {seen:?}");
        }
    }

    #[test]
    fn every_point_of_the_outline_is_on_the_surface_and_within_bounds(shape in shape()) {
        let (min, max) = shape.bounds();
        for point in outline(&shape) {
            let seen = shape.surface(point);
            prop_assert!(seen.distance.abs() < NEAR, "{point} {seen:?}");
            prop_assert!((seen.normal.length() - 1.0).abs() < 1e-5, "{seen:?}");
            prop_assert!((min - point).max_element() < NEAR && (point - max).max_element() < NEAR);
        }
    }

    #[test]
    fn a_step_along_the_normal_is_free_and_a_step_against_it_is_solid(
        shape in shape_with(star(5, 5.0)), i in 0usize..80,
    ) {
        // Except for some rooms, nothing here is thinner than the step.
        let step = 0.005;
        let (min, max) = shape.bounds();
        let narrow = matches!(shape, Shape::Room { .. }) && (max - min).min_element() < 2.0 * step;
        prop_assume!(!narrow);
        let outline = outline(&shape);
        let seen = shape.surface(outline[i % outline.len()]);
        prop_assert!(shape.surface(seen.point + seen.normal * step).distance > 0.0, "{seen:?}");
        if !matches!(shape, Shape::Segment { .. }) {
            prop_assert!(shape.contains(seen.point - seen.normal * step), "{seen:?}");
        }
    }

    #[test]
    fn contains_agrees_with_the_sign_and_with_a_second_implementation(shape in shape(), at in any_point()) {
        let distance = shape.surface(at).distance;
        prop_assert_eq!(shape.contains(at), distance <= 0.0);
        if distance.abs() > 1e-3 {
            prop_assert_eq!(shape.contains(at), is_solid(&shape, at), "at the distance {}", distance);
        }
    }

    #[test]
    fn a_cast_agrees_with_going_step_by_step(
        shape in shape(), from in any_point(), ahead in heading(), radius in 0.0f32..4.0,
    ) {
        let reach = 120.0;
        let gap = |moved: f32| shape.surface(from + ahead * moved).distance - radius;
        let hit = shape.cast(from, ahead, reach, radius);
        if gap(0.0) <= 0.0 {
            let seen = shape.surface(from);
            let start = Hit { distance: 0.0, point: seen.point, normal: seen.normal };
            prop_assert_eq!(hit, Some(start));
            return Ok(());
        }
        let moved = hit.map_or(reach, |hit| hit.distance);
        for i in 0..=500 {
            let gap = gap(moved * i as f32 / 500.0);
            prop_assert!(gap > -NEAR, "{hit:?}, but {gap} at step {i}");
        }
        if let Some(hit) = hit {
            prop_assert!(gap(moved).abs() < 1e-3, "{hit:?} leaves {}", gap(moved));
            let center = hit.point + hit.normal * radius;
            prop_assert!(center.distance(from + ahead * moved) < 1e-3, "{hit:?}");
            prop_assert!(hit.normal.dot(ahead) < 1e-3, "{hit:?}");
            prop_assert!((hit.normal.length() - 1.0).abs() < 1e-5, "{hit:?}");
            prop_assert!(shape.surface(hit.point).distance.abs() < NEAR, "{hit:?}");
        }
    }

    #[test]
    fn a_disc_aimed_at_the_nearest_point_moves_by_its_distance(
        shape in shape(), from in any_point(), radius in 0.0f32..4.0,
    ) {
        let seen = shape.surface(from);
        prop_assume!(seen.distance > radius + 0.1);
        let hit = shape.cast(from, seen.point - from, 200.0, radius);
        // Because of rounding, a ray may miss the end of a segment.
        prop_assume!(radius > 0.01 || !matches!(shape, Shape::Segment { .. }));
        let hit = hit.expect("it goes straight there");
        prop_assert!((hit.distance - (seen.distance - radius)).abs() < 1e-2, "{seen:?} {hit:?}");
    }

    #[test]
    fn a_mirror_changes_nothing_but_the_side(
        shape in shape(), from in any_point(), ahead in heading(), radius in 0.0f32..4.0,
    ) {
        let other = mirror(&shape);
        let (seen, seen_there) = (shape.surface(from), other.surface(mirrored(from)));
        prop_assert!((seen.distance - seen_there.distance).abs() < NEAR);
        let reach = 120.0;
        let here = shape.cast(from, ahead, reach, radius);
        let there = other.cast(mirrored(from), mirrored(ahead), reach, radius);
        // Rounding decides whether and where a grazing disc is stopped.
        let grazes = |hit: Option<Hit>| {
            hit.is_some_and(|hit| hit.normal.dot(ahead).abs() < 0.1 || hit.distance > reach - 0.1)
        };
        let there = there.map(|hit| Hit {
            normal: mirrored(hit.normal),
            point: mirrored(hit.point),
            ..hit
        });
        prop_assume!(!grazes(here) && !grazes(there) && (seen.distance - radius).abs() > NEAR);
        prop_assert_eq!(here.is_some(), there.is_some());
        if let (Some(here), Some(there)) = (here, there) {
            prop_assert!((here.distance - there.distance).abs() < 1e-2, "{here:?} {there:?}");
            if here.distance > 0.0 {
                prop_assert!(here.point.distance(there.point) < 0.02, "{here:?} {there:?}");
            }
        }
    }

    #[test]
    fn finite_numbers_give_finite_results(
        kind in 0..5, numbers in prop::collection::vec(any_finite(), 18),
    ) {
        let [a, b, c, from, ahead, at] = [0, 2, 4, 6, 8, 10].map(|i| Vec2::new(numbers[i], numbers[i + 1]));
        let [radius, reach, size] = [12, 13, 14].map(|i| numbers[i]);
        let shape = match kind {
            0 => Shape::Circle { center: a, radius: size },
            1 => Shape::Segment { from: a, to: b },
            2 => Shape::Polygon(Polygon::new(vec![a, b, c, Vec2::new(numbers[15], numbers[16])])),
            3 => Shape::Box(OrientedBox::new(a, b, size)),
            _ => Shape::Room { min: a, max: b },
        };
        for from in [from, at, a, b] {
            let seen = shape.surface(from);
            prop_assert!(seen.point.is_finite() && seen.distance.is_finite(), "{seen:?}");
            prop_assert!((seen.normal.length() - 1.0).abs() < 1e-5, "{seen:?}");
            for ahead in [ahead, at - from, Vec2::ZERO, Vec2::X] {
                if !ahead.is_finite() {
                    continue;
                }
                if let Some(hit) = shape.cast(from, ahead, reach, radius) {
                    prop_assert!(hit.point.is_finite() && hit.distance.is_finite(), "{hit:?}");
                    prop_assert!((hit.normal.length() - 1.0).abs() < 1e-5, "{hit:?}");
                    prop_assert!(hit.distance >= 0.0);
                }
            }
        }
        let (min, max) = shape.bounds();
        prop_assert!(min.is_finite() && max.is_finite() && min.x <= max.x && min.y <= max.y);
    }
}

/// Returns numbers of all sizes; numbers that coincide, underflow or overflow are more frequent than by chance.
fn any_finite() -> impl Strategy<Value = f32> {
    prop_oneof![
        2 => any::<f32>().prop_filter("finite", |x| x.is_finite()),
        3 => -1e6f32..1e6,
        3 => prop::sample::select(vec![0.0, -0.0, 1.0, -1.0, 1e6, FAR, f32::MAX, f32::MIN, 1e-45, 1e-20]),
    ]
}
