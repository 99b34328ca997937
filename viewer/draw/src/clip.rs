//! Cuts shapes to the surroundings of the picture.
//!
//! The rasterizer cannot handle coordinates far beyond the picture, but a world that is zoomed in may be millions of pixels
//! wide. Everything is computed in double precision, so that a line keeps its direction. Lines are cut after Liang and
//! Barsky (1984), polygons after Sutherland and Hodgman (1974).

use flockwork_core::math::Vec2;

/// A place in the picture, in pixels.
type Point64 = [f64; 2];

/// Maximum distance between a chord and its circle, in pixels.
const MAX_SAG: f64 = 0.04;

/// The rectangle that shapes are cut to.
#[derive(Clone, Copy)]
pub(super) struct ClipRect {
    min: Point64,
    max: Point64,
}

/// A piece of a line that is inside the rectangle.
#[derive(Debug, PartialEq)]
pub(super) struct LinePiece {
    pub points: Vec<Vec2>,
    pub closed: bool,
    /// Length of the line before this piece, in pixels.
    pub before: f64,
}

impl ClipRect {
    /// Returns the rectangle of a picture with a margin, in pixels.
    pub(super) fn around((width, height): (u32, u32), room: f32) -> Self {
        let room = f64::from(room);
        Self { min: [-room; 2], max: [f64::from(width) + room, f64::from(height) + room] }
    }

    /// Returns whether a place is inside.
    pub(super) fn contains(&self, at: Vec2) -> bool {
        self.contains_point([at.x.into(), at.y.into()])
    }

    fn contains_point(&self, at: Point64) -> bool {
        (0..2).all(|axis| self.min[axis] <= at[axis] && at[axis] <= self.max[axis])
    }

    fn corners(&self) -> [Point64; 4] {
        let (min, max) = (self.min, self.max);
        [min, [max[0], min[1]], max, [min[0], max[1]]]
    }

    /// Returns where a line enters and leaves the rectangle, as fractions of its length.
    fn inside_shares(&self, from: Point64, to: Point64) -> Option<(f64, f64)> {
        let (mut enters, mut leaves) = (0.0, 1.0);
        for axis in 0..2 {
            let offset = to[axis] - from[axis];
            if offset == 0.0 {
                if from[axis] < self.min[axis] || from[axis] > self.max[axis] {
                    return None;
                }
                continue;
            }
            let low = (self.min[axis] - from[axis]) / offset;
            let high = (self.max[axis] - from[axis]) / offset;
            let (first, last) = if low < high { (low, high) } else { (high, low) };
            enters = if first > enters { first } else { enters };
            leaves = if last < leaves { last } else { leaves };
        }
        (enters <= leaves).then_some((enters, leaves))
    }

    /// Returns the part of a line segment that is inside.
    pub(super) fn segment(&self, from: Vec2, to: Vec2) -> Option<(Vec2, Vec2)> {
        let (from, to) = (point(from), point(to));
        let (enters, leaves) = self.inside_shares(from, to)?;
        Some((vec2(between(from, to, enters)), vec2(between(from, to, leaves))))
    }

    /// Returns the pieces of a polyline that are inside.
    pub(super) fn line(&self, points: &[Vec2], closed: bool) -> Vec<LinePiece> {
        let exact: Vec<Point64> = points.iter().map(|at| point(*at)).collect();
        self.pieces(&exact, closed)
    }

    fn pieces(&self, points: &[Point64], closed: bool) -> Vec<LinePiece> {
        if points.iter().all(|at| self.contains_point(*at)) {
            return vec![LinePiece {
                points: points.iter().map(|at| vec2(*at)).collect(),
                closed,
                before: 0.0,
            }];
        }
        let mut pieces: Vec<LinePiece> = Vec::new();
        let mut before = 0.0;
        let mut goes_on = false;
        let back = points.first().filter(|_| closed);
        let ends = points.iter().skip(1).chain(back);
        for (from, to) in points.iter().zip(ends) {
            let length = length(difference(*to, *from));
            if let Some((enters, leaves)) = self.inside_shares(*from, *to) {
                if !goes_on {
                    pieces.push(LinePiece {
                        points: vec![vec2(between(*from, *to, enters))],
                        closed: false,
                        before: before + enters * length,
                    });
                }
                if let Some(piece) = pieces.last_mut() {
                    piece.points.push(vec2(between(*from, *to, leaves)));
                }
                goes_on = leaves == 1.0;
            } else {
                goes_on = false;
            }
            before += length;
        }
        pieces
    }

    /// Returns the part of a polygon that is inside; it may have additional sides along the rectangle.
    pub(super) fn polygon(&self, corners: &[Vec2]) -> Vec<Vec2> {
        let corners: Vec<Point64> = corners.iter().map(|at| point(*at)).collect();
        self.cut(corners).into_iter().map(vec2).collect()
    }

    fn cut(&self, mut corners: Vec<Point64>) -> Vec<Point64> {
        if corners.iter().all(|at| self.contains_point(*at)) {
            return corners;
        }
        for axis in 0..2 {
            for (side, bound) in [(1.0, self.min[axis]), (-1.0, self.max[axis])] {
                let inside = |at: Point64| side * (at[axis] - bound);
                let mut kept = Vec::with_capacity(corners.len() + 4);
                let mut from = corners.last().copied().unwrap_or_default();
                for to in corners {
                    let (a, b) = (inside(from), inside(to));
                    if (a < 0.0) != (b < 0.0) {
                        let mut at = between(from, to, a / (a - b));
                        at[axis] = bound;
                        kept.push(at);
                    }
                    if b >= 0.0 {
                        kept.push(to);
                    }
                    from = to;
                }
                corners = kept;
            }
        }
        corners
    }

    /// Returns the part of a disc that is inside, as a polygon.
    pub(super) fn disc(&self, at: Vec2, radius: f32) -> Vec<Vec2> {
        let polygon = match self.circle_points(at, radius) {
            CircleClip::Outside => return Vec::new(),
            CircleClip::Covers => self.corners().to_vec(),
            CircleClip::Whole(points) => self.cut(points),
            CircleClip::Arc(mut points) => {
                points.push(point(at));
                self.cut(points)
            }
        };
        polygon.into_iter().map(vec2).collect()
    }

    /// Returns the pieces of a circle that are inside.
    pub(super) fn circle(&self, at: Vec2, radius: f32) -> Vec<LinePiece> {
        match self.circle_points(at, radius) {
            CircleClip::Outside | CircleClip::Covers => Vec::new(),
            CircleClip::Whole(points) => self.pieces(&points, true),
            CircleClip::Arc(points) => self.pieces(&points, false),
        }
    }

    /// Returns the points of the part of a circle that may be visible. It halves angles instead of computing them, which is
    /// exact at any radius.
    fn circle_points(&self, at: Vec2, radius: f32) -> CircleClip {
        let (center, radius) = (point(at), f64::from(radius));
        let nearest = [0, 1].map(|axis| center[axis].clamp(self.min[axis], self.max[axis]));
        let offsets = self.corners().map(|corner| difference(corner, center));
        if length(difference(nearest, center)) > radius {
            return CircleClip::Outside;
        }
        if offsets.iter().all(|offset| length(*offset) < radius) {
            return CircleClip::Covers;
        }
        let mut points = Vec::new();
        let mut arc = |from, to| halve(center, radius, from, to, 0, &mut points);
        if self.contains_point(center) {
            let axes = [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]];
            for quarter in 0..4 {
                arc(axes[quarter], axes[(quarter + 1) % 4]);
            }
            return CircleClip::Whole(points);
        }
        // Seen from outside, all corners are within half a turn.
        let (mut right, mut left) = (offsets[0], offsets[0]);
        for offset in offsets {
            right = if cross(right, offset) < 0.0 { offset } else { right };
            left = if cross(left, offset) > 0.0 { offset } else { left };
        }
        let middle = difference(between(self.min, self.max, 0.5), center);
        let [right, middle, left] = [right, middle, left].map(unit);
        arc(right, middle);
        arc(middle, left);
        points.push(beyond(center, left, radius));
        CircleClip::Arc(points)
    }
}

/// How a circle or disc meets the rectangle.
enum CircleClip {
    /// The disc is outside.
    Outside,
    /// The disc covers the whole rectangle.
    Covers,
    /// The points of the whole circle.
    Whole(Vec<Point64>),
    /// The points within the angle that the rectangle covers.
    Arc(Vec<Point64>),
}

/// Adds the points of an arc from one direction to another, without the last, by halving the angle. The arc is
/// counter-clockwise if y points up.
fn halve(
    center: Point64,
    radius: f64,
    from: Point64,
    to: Point64,
    depth: u32,
    points: &mut Vec<Point64>,
) {
    let middle = unit(between(from, to, 0.5));
    let sag = radius * (1.0 - dot(from, middle));
    if sag > MAX_SAG && depth < 16 {
        halve(center, radius, from, middle, depth + 1, points);
        halve(center, radius, middle, to, depth + 1, points);
    } else {
        points.push(beyond(center, from, radius));
    }
}

fn point(at: Vec2) -> Point64 {
    let finite = |x: f32| {
        let x = if x.is_nan() { 0.0 } else { x };
        f64::from(x.clamp(f32::MIN, f32::MAX))
    };
    [finite(at.x), finite(at.y)]
}

fn vec2(at: Point64) -> Vec2 {
    Vec2::new(at[0] as f32, at[1] as f32)
}

fn difference(a: Point64, b: Point64) -> Point64 {
    [a[0] - b[0], a[1] - b[1]]
}

/// Returns the place at a fraction of the way; at 1 it is exactly the second place.
fn between(from: Point64, to: Point64, share: f64) -> Point64 {
    let offset = difference(to, from);
    if share == 1.0 { to } else { beyond(from, offset, share) }
}

fn beyond(from: Point64, offset: Point64, times: f64) -> Point64 {
    [from[0] + offset[0] * times, from[1] + offset[1] * times]
}

fn dot(a: Point64, b: Point64) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

fn cross(a: Point64, b: Point64) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

fn length(offset: Point64) -> f64 {
    dot(offset, offset).sqrt()
}

fn unit(offset: Point64) -> Point64 {
    let length = length(offset);
    [offset[0] / length, offset[1] / length]
}
