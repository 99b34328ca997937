//! Compares drawn shapes with geometry, pixel by pixel, however far the shapes reach beyond the picture.

use flockwork_core::math::{self, Vec2};
use flockwork_core::world::{AgentShape, Edge, Space};
use proptest::prelude::*;
use proptest::sample;

use super::agents::{HALO, RIM};
use super::least_size::least_size;
use super::shapes::{grown, loops};
use super::*;

const SIZE: (u32, u32) = (48, 36);
/// Pixels within this distance of an edge are blended and not compared.
const EDGE: f64 = 1.1;

type Point64 = (f64, f64);

fn exact(at: Vec2) -> Point64 {
    (at.x.into(), at.y.into())
}

fn distance(a: Point64, b: Point64) -> f64 {
    let (x, y) = (a.0 - b.0, a.1 - b.1);
    (x * x + y * y).sqrt()
}

/// Returns the distance between a point and a line segment.
fn to_segment(at: Point64, a: Point64, b: Point64) -> f64 {
    let offset = (b.0 - a.0, b.1 - a.1);
    let length = offset.0 * offset.0 + offset.1 * offset.1;
    let along = (at.0 - a.0) * offset.0 + (at.1 - a.1) * offset.1;
    let share = if length > 0.0 { along / length } else { 0.0 };
    let share = share.clamp(0.0, 1.0);
    distance(at, (a.0 + offset.0 * share, a.1 + offset.1 * share))
}

fn to_line(at: Point64, points: &[Vec2]) -> f64 {
    let parts = points.windows(2);
    let parts = parts.map(|ends| to_segment(at, exact(ends[0]), exact(ends[1])));
    parts.fold(f64::INFINITY, |least, part| if part < least { part } else { least })
}

/// Returns how far inside a triangle of any orientation a point is; negative outside.
fn within(at: Point64, corners: &[Vec2; 3]) -> f64 {
    let corners = corners.map(exact);
    let cross =
        |a: Point64, b: Point64, c: Point64| (b.0 - a.0) * (c.1 - a.1) - (b.1 - a.1) * (c.0 - a.0);
    let turn = cross(corners[0], corners[1], corners[2]).signum();
    let mut least = f64::INFINITY;
    for side in 0..3 {
        let (a, b) = (corners[side], corners[(side + 1) % 3]);
        let inside = turn * cross(a, b, at) / distance(a, b);
        least = if inside < least { inside } else { least };
    }
    least
}

/// Checks a drawn shape against a function that returns how far inside the shape a place is.
fn check_shape(draw: impl FnOnce(&mut Picture), inside: impl Fn(Point64) -> f64) {
    let mut picture = Picture::new(SIZE, LIGHT.ground);
    draw(&mut picture);
    let color = |of: Color| u32::from_be_bytes([0, of.red, of.green, of.blue]);
    for (place, pixel) in picture.rgb().enumerate() {
        let (x, y) = (place % SIZE.0 as usize, place / SIZE.0 as usize);
        let inside = inside((x as f64 + 0.5, y as f64 + 0.5));
        if inside > EDGE {
            assert_eq!(pixel, color(LIGHT.ink), "({x}, {y}) is inside by {inside}");
        } else if inside < -EDGE {
            assert_eq!(pixel, color(LIGHT.ground), "({x}, {y}) is outside by {inside}");
        }
    }
}

/// Generates a place in the picture, or up to some pixels beyond it.
fn place(beyond: f32) -> impl Strategy<Value = Vec2> {
    let side = move |pixels: u32| -beyond..pixels as f32 + beyond;
    (side(SIZE.0), side(SIZE.1)).prop_map(Vec2::from)
}

fn anywhere() -> impl Strategy<Value = Vec2> {
    prop_oneof![place(0.0), place(100.0), place(1e4), place(1e6)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn polygons(corners in [anywhere(), anywhere(), anywhere()]) {
        let apart = to_segment(exact(corners[0]), exact(corners[1]), exact(corners[2]));
        prop_assume!(apart > 1.0);
        check_shape(
            |picture| picture.polygon(&corners, LIGHT.ink),
            |at| within(at, &corners),
        );
    }

    #[test]
    fn lines(
        points in prop::collection::vec(anywhere(), 2..6),
        width in prop_oneof![1f32..10.0, 10f32..1000.0, 1000f32..1e6],
    ) {
        let pen = Pen::new(LIGHT.ink, width);
        check_shape(
            |picture| picture.line(&points, false, pen),
            |at| f64::from(width) / 2.0 - to_line(at, &points),
        );
    }

    #[test]
    fn discs_and_circles(
        edge in place(20.0),
        angle in 0f32..7.0,
        radius in prop_oneof![1f32..100.0, 100f32..2000.0, 2000f32..1e6],
        width in 1f32..20.0,
    ) {
        let at = edge + math::direction(angle) * radius;
        let off = |place| f64::from(radius) - distance(place, exact(at));
        check_shape(|picture| picture.disc(at, radius, LIGHT.ink), off);
        check_shape(
            |picture| picture.circle(at, radius, Pen::new(LIGHT.ink, width)),
            |place| f64::from(width) / 2.0 - off(place).abs(),
        );
    }

    /// The center of a circle was not filled if its line was wider than the circle.
    #[test]
    fn small_circles_with_wide_lines(at in place(5.0), radius in 0.1f32..12.0, width in 1f32..30.0) {
        check_shape(
            |picture| picture.circle(at, radius, Pen::new(LIGHT.ink, width)),
            |place| f64::from(width) / 2.0 - (f64::from(radius) - distance(place, exact(at))).abs(),
        );
    }

    #[test]
    fn rectangles_and_their_surroundings(a in anywhere(), b in anywhere()) {
        let axis = |at: f64, a: f32, b: f32| {
            let (a, b) = (at - f64::from(a), f64::from(b) - at);
            let (a, b) = if a + b < 0.0 { (-a, -b) } else { (a, b) };
            if a < b { a } else { b }
        };
        let inside = |at: Point64| {
            let (x, y) = (axis(at.0, a.x, b.x), axis(at.1, a.y, b.y));
            if x < y { x } else { y }
        };
        check_shape(|picture| picture.fill_rect(a, b, LIGHT.ink), inside);
        check_shape(|picture| picture.fill_outside(a, b, LIGHT.ink), |at| -inside(at));
    }

    #[test]
    fn dashes_stay_where_they_are_when_the_picture_moves(from in place(1e5), by in 1u8..40) {
        let (to, by) = (Vec2::new(20.0, 18.0), f32::from(by));
        let drawn = |by: f32| {
            let mut picture = Picture::new(SIZE, LIGHT.ground);
            let ends = [from, to + (to - from)].map(|at| at + Vec2::new(by, 0.0));
            let dash = Some(5.0);
            picture.line(&ends, false, Pen { dash, ..Pen::new(LIGHT.ink, 3.0) });
            picture
        };
        let (before, after) = (drawn(0.0), drawn(by));
        let red = |picture: &Picture, x: usize, y: usize| {
            let pixel = picture.rgb().nth(y * SIZE.0 as usize + x);
            (pixel.unwrap() >> 16 & 255) as i32
        };
        for y in 0..SIZE.1 as usize {
            for x in 0..SIZE.0 as usize - by as usize {
                let (a, b) = (red(&before, x, y), red(&after, x + by as usize, y));
                // Ends more than 10000 pixels away are rounded themselves.
                prop_assert!((a - b).abs() < 60, "({x}, {y}): {a} and {b}");
            }
        }
    }

    #[test]
    fn stamped_agents_look_like_agents_drawn_without_stamps(
        at in place(-16.0),
        angle in 0f32..7.0,
        size in 3f32..16.0,
        shape in sample::select(AgentShape::ALL.to_vec()),
    ) {
        prop_assert!(stamped_and_plain(at, angle, size, &shape) < 4.0);
        // At the positions, directions and sizes that stamps are made for, the difference is smaller.
        let round = |x: f32, steps: f32| (x * steps).round() / steps;
        let at = Vec2::new(round(at.x, 4.0), round(at.y, 4.0));
        let turn = round(angle / (2.0 * math::PI), 256.0) * 2.0 * math::PI;
        let off = stamped_and_plain(at, turn, round(size, 8.0), &shape);
        prop_assert!(off < 0.5, "{off}");
    }

    #[test]
    fn arrows_at_once_look_like_single_ones(
        at in place(-16.0),
        angle in 0f32..7.0,
        length in 6f32..30.0,
    ) {
        let to = at + math::direction(angle) * length;
        let pen = Pen::new(LIGHT.ink.alpha(200), 1.2);
        let mut at_once = Picture::new(SIZE, LIGHT.ground);
        arrows(&mut at_once, &[(at, to, pen)]);
        let mut plain = Picture::new(SIZE, LIGHT.ground);
        arrow(&mut plain, at, to, pen);
        let off = difference(&at_once, &plain);
        let blank = difference(&Picture::new(SIZE, LIGHT.ground), &plain);
        prop_assert!(off < blank / 2.0, "{off} of {blank}");
    }
}

/// Returns by how much an agent and its ghost differ from the same drawn without stamps, of 255, on average over all
/// pixels.
fn stamped_and_plain(at: Vec2, angle: f32, size: f32, shape: &AgentShape) -> f64 {
    let space = Space { edge: Edge::Clamp, min: Vec2::ZERO, size: Vec2::splat(48.0) };
    let camera = Camera::fit(Rect::around(&space, []), (48, 48), 0).resized(SIZE);
    let mark = AgentMark {
        pos: camera.place(at),
        heading: math::direction(angle),
        radius: size,
        size,
        color: LIGHT.ink,
        shape,
    };
    let mut stamped = Picture::new(SIZE, LIGHT.ground);
    ghosts(&mut stamped, &camera, &space, &[mark]);
    agents(&mut stamped, &camera, &LIGHT, &space, &[mark]);
    let mut plain = Picture::new(SIZE, LIGHT.ground);
    let size = math::max(size, least_size(&camera, &space, [mark.pos].into_iter()));
    let outlines = loops(shape, at, Vec2::new(mark.heading.x, -mark.heading.y), size);
    for corners in &outlines {
        plain.line(corners, true, Pen::new(LIGHT.ink, 1.2));
    }
    if mark.radius >= 8.0 {
        plain.disc(at, mark.radius, LIGHT.ink.alpha(40));
        plain.circle(at, mark.radius, Pen::new(LIGHT.ink, RIM));
    }
    plain.loops(&grown(&outlines, HALO), LIGHT.ground.alpha(200));
    plain.loops(&outlines, LIGHT.ink);
    difference(&stamped, &plain)
}

/// Returns by how much two pictures differ, of 255, on average over all pixels.
fn difference(a: &Picture, b: &Picture) -> f64 {
    let blue = |pixel: u32| f64::from(pixel & 255);
    let off = a.rgb().zip(b.rgb());
    let off: f64 = off.map(|(a, b)| (blue(a) - blue(b)).abs()).sum();
    off / f64::from(SIZE.0 * SIZE.1)
}
