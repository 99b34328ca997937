//! The shapes of agents: outlines for a size of 1 along the x axis, and outlines in pixels.

use std::borrow::Cow;
use std::sync::LazyLock;

use flockwork_core::math::{self, PI, Vec2};
use flockwork_core::world::{AgentShape, ShapeCorners};

/// Number of corners of a whole circle.
const CIRCLE: u32 = 48;
/// The head of a person: its center, and its radius.
const HEAD: (Vec2, f32) = (Vec2::new(0.3, 0.0), 0.42);
/// The gap between the head of a person and the shoulders.
const GAP: f32 = 0.13;
/// Half the length of shoulders along the heading, and across it.
const SHOULDERS: Vec2 = Vec2::new(0.5, 1.0);
/// Half the length and half the width of a car.
const CAR: Vec2 = Vec2::new(0.95, 0.52);
/// A corner whose border would be longer than one over this, as a multiple of its width, is cut off.
const SHARPEST: f32 = 0.1;
/// The radius of the corners of a car.
const CAR_CORNER: f32 = 0.28;

/// A shape as loops of corners. Those of counter-clockwise loops, if y points up, are its parts; a clockwise loop is a hole.
pub(super) type Loops = Vec<Vec<Vec2>>;

/// Returns the loops of a shape around the origin, for a heading along the x axis, if y points up. No corner is farther from
/// the origin than about 1, except those of polygons.
pub fn shape_loops(shape: &AgentShape) -> Cow<'static, [Vec<Vec2>]> {
    static LOOPS: LazyLock<[Loops; AgentShape::ALL.len()]> =
        LazyLock::new(|| AgentShape::ALL.map(|shape| make(&shape)));
    match named_shape(shape) {
        Some(number) => Cow::Borrowed(&LOOPS[usize::from(number)]),
        None => Cow::Owned(make(shape)),
    }
}

/// Returns the number of a shape that has a name; `None` for a polygon.
pub(super) fn named_shape(shape: &AgentShape) -> Option<u8> {
    Some(match shape {
        AgentShape::Dart => 0,
        AgentShape::Disc => 1,
        AgentShape::Triangle => 2,
        AgentShape::Square => 3,
        AgentShape::Car => 4,
        AgentShape::Person => 5,
        AgentShape::Polygon(_) => return None,
    })
}

/// Returns the loops of a shape at a place, for a size in pixels and a direction of the picture.
pub(super) fn loops(shape: &AgentShape, at: Vec2, along: Vec2, size: f32) -> Loops {
    let along = along * size;
    let side = math::perp(along);
    let placed = |corner: &Vec2| at + along * corner.x + side * corner.y;
    shape_loops(shape).iter().map(|corners| corners.iter().map(placed).collect()).collect()
}

/// Returns the parts of a shape, without its holes, with all their sides moved outwards, in pixels.
pub(super) fn grown(loops: &[Vec<Vec2>], by: f32) -> Loops {
    loops
        .iter()
        .filter(|corners| !is_hole(corners))
        .map(|corners| grown_part(corners, by))
        .collect()
}

fn grown_part(corners: &[Vec2], by: f32) -> Vec<Vec2> {
    let count = corners.len();
    let outward = |from: usize| {
        let offset = corners[(from + 1) % count] - corners[from];
        // The corners are counter-clockwise if y points up, so this normal points outwards.
        math::unit(Vec2::new(offset.y, -offset.x))
    };
    let moved = |corner: usize| {
        let (before, after) = (outward((corner + count - 1) % count), outward(corner));
        // A sharp tip is cut off.
        let apart = (before + after) / math::max(1.0 + before.dot(after), SHARPEST);
        corners[corner] + apart * by
    };
    (0..count).map(moved).collect()
}

/// Returns whether corners are clockwise if y points up.
fn is_hole(corners: &[Vec2]) -> bool {
    let next = corners.iter().cycle().skip(1);
    corners.iter().zip(next).map(|(a, b)| a.perp_dot(*b)).sum::<f32>() < 0.0
}

fn make(shape: &AgentShape) -> Loops {
    let points = |all: &[(f32, f32)]| all.iter().copied().map(Vec2::from).collect::<Vec<_>>();
    match shape {
        AgentShape::Dart => vec![points(&[(1.0, 0.0), (-0.75, 0.62), (-0.4, 0.0), (-0.75, -0.62)])],
        AgentShape::Disc => vec![arc(Vec2::ZERO, 1.0, (0.0, 2.0 * PI))],
        AgentShape::Triangle => vec![points(&[(1.0, 0.0), (-0.75, 0.7), (-0.75, -0.7)])],
        AgentShape::Square => vec![points(&[(0.7, -0.7), (0.7, 0.7), (-0.7, 0.7), (-0.7, -0.7)])],
        AgentShape::Car => {
            let windshield = points(&[(0.22, 0.34), (0.48, 0.4), (0.48, -0.4), (0.22, -0.34)]);
            vec![car_body(), windshield]
        }
        AgentShape::Person => {
            let (head, radius) = HEAD;
            vec![shoulders(), arc(head, radius, (0.0, 2.0 * PI))]
        }
        AgentShape::Polygon(ShapeCorners(corners)) => vec![corners.to_vec()],
    }
}

/// Returns the body of a car: a rectangle with round corners.
fn car_body() -> Vec<Vec2> {
    let inner = CAR - CAR_CORNER;
    let quarters = [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)].map(Vec2::from);
    let corners = (0_u8..).zip(quarters).flat_map(|(quarter, sign)| {
        let start = f32::from(quarter) * PI / 2.0;
        arc(inner * sign, CAR_CORNER, (start, start + PI / 2.0))
    });
    corners.collect()
}

/// Returns the shoulders of a person: an ellipse without a disc around the head.
fn shoulders() -> Vec<Vec2> {
    let (head, radius) = HEAD;
    let ellipse = arc(Vec2::ZERO, 1.0, (0.0, 2.0 * PI)).into_iter().map(|at| at * SHOULDERS);
    let is_outside = |at: &Vec2| at.distance(head) > radius + GAP;
    let mut corners: Vec<Vec2> = ellipse.filter(is_outside).collect();
    // From the front of one shoulder behind the head to the front of the other one.
    let [first, last] = [0, corners.len() - 1].map(|index| math::angle(corners[index] - head));
    corners.extend(arc(head, radius + GAP, (last + 2.0 * PI, first)));
    corners
}

/// Returns points on a circle from an angle to another one, in radians, without the last one of a whole circle.
fn arc(center: Vec2, radius: f32, (from, to): (f32, f32)) -> Vec<Vec2> {
    let turn = (to - from) / (2.0 * PI);
    let steps = ((turn * CIRCLE as f32).abs().ceil() as u32).max(1);
    let end = if turn.abs() >= 1.0 { steps } else { steps + 1 };
    let angle = |step: u32| from + (to - from) * step as f32 / steps as f32;
    (0..end).map(|step| center + math::direction(angle(step)) * radius).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_fit_into_their_circle_and_only_windshields_are_holes() {
        for shape in AgentShape::ALL {
            let loops = shape_loops(&shape);
            let far = loops.iter().flatten().map(|at| at.length()).fold(0.0, math::max);
            assert!((0.8..=1.03).contains(&far), "{shape:?}: {far}");
            let holes: Vec<bool> = loops.iter().map(|corners| is_hole(corners)).collect();
            let expected: &[bool] = match shape {
                AgentShape::Car => &[false, true],
                AgentShape::Person => &[false, false],
                _ => &[false],
            };
            assert_eq!(holes, expected, "{shape:?}");
            let number = AgentShape::ALL.iter().position(|one| *one == shape);
            assert_eq!(named_shape(&shape).map(usize::from), number);
        }
    }

    #[test]
    fn a_grown_shape_contains_the_shape() {
        for shape in AgentShape::ALL {
            let loops = loops(&shape, Vec2::ZERO, Vec2::X, 10.0);
            for (corners, grown) in loops.iter().zip(grown(&loops, 0.75)) {
                let off = corners.iter().zip(&grown).map(|(a, b)| a.distance(*b));
                assert!(off.clone().all(|off| (0.74..2.5).contains(&off)), "{shape:?}");
                assert!(!is_hole(&grown), "{shape:?}");
            }
        }
    }
}
