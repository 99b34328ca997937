//! The linear constraints that obstacles put on the velocity of an agent.

use glam::DVec2;

use super::disc::{Disc, leave_cone};
use super::half_planes::Line;
use crate::geom::Shape;
use crate::math::Vec2;
use crate::world::Obstacle;

/// An edge of an obstacle, seen from the agent. The free side is to its right.
#[derive(Clone, Copy)]
struct Edge {
    /// The square of the distance to its nearest point.
    distance_squared: f64,
    /// Its ends, relative to the agent.
    ends: [DVec2; 2],
    /// Unit vectors: along the edge before it, along it, and along the edge after it.
    along: [DVec2; 3],
    /// Whether the corner at each end is convex.
    convex: [bool; 2],
}

/// The maximum number of edges that an agent takes into account; the nearest ones.
const MAX_EDGES: usize = 32;

/// Adds the constraints that obstacles give for a horizon in seconds.
pub(super) fn wall_lines(obstacles: &[Obstacle], disc: &Disc, horizon: f64, lines: &mut Vec<Line>) {
    if obstacles.is_empty() {
        return;
    }
    let mut edges = NearEdges::new(disc, horizon);
    for obstacle in obstacles {
        match &obstacle.shape {
            Shape::Circle { center, radius } => {
                let offset = center.as_dvec2() - disc.pos;
                circle_line(offset, f64::from(*radius), disc, horizon, lines);
            }
            Shape::Segment { from, to } => edges.add_ring(&[*from, *to]),
            Shape::Polygon(polygon) => edges.add_ring(polygon.corners()),
            Shape::Box(oriented) => edges.add_ring(&oriented.corners()),
            Shape::Room { min, max } => {
                // The free side is inside, so the corners go around clockwise.
                let corners = [*min, Vec2::new(min.x, max.y), *max, Vec2::new(max.x, min.y)];
                edges.add_ring(&corners);
            }
        }
    }
    for edge in edges.all[..edges.count].iter().flatten() {
        edge.add_line(disc, horizon, lines);
    }
}

/// The edges within reach, nearest first.
struct NearEdges<'d> {
    disc: &'d Disc,
    /// The square of the distance within which an edge counts.
    reach_squared: f64,
    all: [Option<Edge>; MAX_EDGES],
    count: usize,
}

impl<'d> NearEdges<'d> {
    fn new(disc: &'d Disc, horizon: f64) -> Self {
        let reach = horizon * disc.speed + disc.radius;
        Self { disc, reach_squared: reach * reach, all: [None; MAX_EDGES], count: 0 }
    }

    /// Adds the edges of a ring of corners whose solid side is to the left.
    fn add_ring(&mut self, corners: &[Vec2]) {
        let count = corners.len();
        let corner = |number: usize| corners[number % count].as_dvec2() - self.disc.pos;
        for number in 0..count {
            let ends = [corner(number), corner(number + 1)];
            if let Some(distance_squared) = self.seen(ends) {
                let (before, after) = (corner(number + count - 1), corner(number + 2));
                let along = [ends[0] - before, ends[1] - ends[0], after - ends[1]];
                let along = along.map(DVec2::normalize_or_zero);
                let convex = [0, 1].map(|end: usize| along[end].perp_dot(along[end + 1]) >= 0.0);
                self.insert(Edge { distance_squared, ends, along, convex });
            }
        }
    }

    /// Returns the square of the distance to an edge, if the agent is near it on its free side.
    fn seen(&self, [from, to]: [DVec2; 2]) -> Option<f64> {
        let way = to - from;
        let is_free_side = from.perp_dot(way) < 0.0;
        let at = (-from.dot(way) / way.length_squared()).clamp(0.0, 1.0);
        let distance_squared = (from + way * at).length_squared();
        (is_free_side && distance_squared < self.reach_squared).then_some(distance_squared)
    }

    fn insert(&mut self, edge: Edge) {
        let nearer = |other: &Option<Edge>| {
            other.is_some_and(|other| other.distance_squared <= edge.distance_squared)
        };
        let place = self.all[..self.count].iter().rposition(nearer).map_or(0, |at| at + 1);
        if place == MAX_EDGES {
            return;
        }
        let last = self.count.min(MAX_EDGES - 1);
        self.all.copy_within(place..last, place + 1);
        self.all[place] = Some(edge);
        self.count = last + 1;
    }
}

/// Adds the constraint of a round obstacle: it does not move, and the agent alone avoids it.
fn circle_line(offset: DVec2, radius: f64, disc: &Disc, horizon: f64, lines: &mut Vec<Line>) {
    let reach = radius + disc.radius;
    let far = offset.length_squared();
    let most = horizon * disc.speed + reach;
    if far >= most * most {
        return;
    }
    let (point, direction) = if far > reach * reach {
        leave_cone(disc.vel, offset, reach, horizon)
    } else {
        // It touches the obstacle, so it must not come nearer.
        let out = -offset.normalize_or(DVec2::NEG_X);
        (DVec2::ZERO, DVec2::new(out.y, -out.x))
    };
    lines.push(Line { point, direction });
}

impl Edge {
    /// Adds the constraint of the edge, unless those of nearer ones include it.
    fn add_line(&self, disc: &Disc, horizon: f64, lines: &mut Vec<Line>) {
        let radius = disc.radius;
        let is_covered = |line: &Line| {
            self.ends.iter().all(|&end| {
                (end / horizon - line.point).perp_dot(line.direction) - radius / horizon
                    >= -ROUNDING
            })
        };
        if !lines.iter().any(is_covered) {
            lines.extend(self.line(disc, horizon));
        }
    }

    fn line(&self, disc: &Disc, horizon: f64) -> Option<Line> {
        let (radius, vel) = (disc.radius, disc.vel);
        let [mut from, mut to] = self.ends;
        let [before, along, after] = self.along;
        let [mut from_convex, mut to_convex] = self.convex;
        let way = to - from;
        let at = -from.dot(way) / way.length_squared();
        let from_line = (from + way * at).length_squared();
        let touched = radius * radius;
        // It touches the obstacle, so it must not come nearer.
        let stop = |direction: DVec2| Some(Line { point: DVec2::ZERO, direction });
        if at < 0.0 && from.length_squared() <= touched {
            return if from_convex { stop(left_of(-from)) } else { None };
        }
        if at > 1.0 && to.length_squared() <= touched {
            let is_mine = to_convex && to.perp_dot(after) >= 0.0;
            return if is_mine { stop(left_of(-to)) } else { None };
        }
        if (0.0..=1.0).contains(&at) && from_line <= touched {
            return stop(-along);
        }
        // The legs of the cone of velocities that lead to the edge. Seen from the side, one end has both legs.
        let mut is_corner = false;
        let (mut neighbor_before, mut neighbor_after) = (before, after);
        if at < 0.0 && from_line <= touched {
            if !from_convex {
                return None;
            }
            (to, to_convex, neighbor_after, is_corner) = (from, true, along, true);
        } else if at > 1.0 && from_line <= touched {
            if !to_convex {
                return None;
            }
            (from, from_convex, neighbor_before, is_corner) = (to, true, along, true);
        }
        let mut left = if from_convex { leg(from, radius, 1.0) } else { -along };
        let mut right = if to_convex { leg(to, radius, -1.0) } else { along };
        // A leg must not point into the next edge. Then that edge has the constraint.
        let left_is_foreign = from_convex && left.perp_dot(-neighbor_before) >= 0.0;
        if left_is_foreign {
            left = -neighbor_before;
        }
        let right_is_foreign = to_convex && right.perp_dot(neighbor_after) <= 0.0;
        if right_is_foreign {
            right = neighbor_after;
        }

        let (near, far) = (from / horizon, to / horizon);
        let reach = radius / horizon;
        let end = far - near;
        let at = if is_corner { 0.5 } else { (vel - near).dot(end) / end.length_squared() };
        let (at_left, at_right) = ((vel - near).dot(left), (vel - far).dot(right));
        let around = |center: DVec2| {
            let out = (vel - center).normalize_or(-center.normalize_or(DVec2::X));
            Some(Line { point: center + out * reach, direction: DVec2::new(out.y, -out.x) })
        };
        if at < 0.0 && at_left < 0.0 || is_corner && at_left < 0.0 && at_right < 0.0 {
            return around(near);
        }
        if at > 1.0 && at_right < 0.0 {
            return around(far);
        }
        let distance = |is_beside: bool, point: DVec2| {
            if is_beside { f64::INFINITY } else { (vel - point).length_squared() }
        };
        let to_end = distance(!(0.0..=1.0).contains(&at) || is_corner, near + end * at);
        let to_left = distance(at_left < 0.0, near + left * at_left);
        let to_right = distance(at_right < 0.0, far + right * at_right);
        let (is_foreign, center, direction) = if to_end <= to_left && to_end <= to_right {
            (false, near, -along)
        } else if to_left <= to_right {
            (left_is_foreign, near, left)
        } else {
            (right_is_foreign, far, -right)
        };
        let point = center + direction.perp() * reach;
        (!is_foreign).then_some(Line { point, direction })
    }
}

/// How far a constraint may be from including another one, in world units per second.
const ROUNDING: f64 = 1e-5;

/// Returns the direction of the border whose allowed side is along `out`.
fn left_of(out: DVec2) -> DVec2 {
    let out = out.normalize_or(DVec2::X);
    DVec2::new(out.y, -out.x)
}

/// Returns the direction of the line from the agent that touches a disc around a corner, on one side: 1 is the left one
/// of the cone, -1 the right one.
fn leg(corner: DVec2, radius: f64, side: f64) -> DVec2 {
    let far = corner.length_squared();
    let along = far - radius * radius;
    let along = if along > 0.0 { along.sqrt() } else { 0.0 };
    DVec2::new(along, side * radius).rotate(corner) / far
}
