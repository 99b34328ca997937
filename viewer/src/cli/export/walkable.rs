//! The walkable area of a world: where no obstacle is.

use flockwork_engine::geom::Shape;
use flockwork_engine::math::{self, Vec2};
use flockwork_engine::world::{Edge, World};

use crate::area::{Area, Point, contains};

/// The smallest and the largest number of corners of a circle.
const MIN_CORNERS: f32 = 8.0;
const MAX_CORNERS: f32 = 4096.0;

/// The walkable area, and what is not exact about it.
pub(super) struct Walkable {
    pub(super) area: Area,
    pub(super) notes: Vec<String>,
}

/// Returns the walkable area of a world. Circles are exact up to `accuracy`, in world units.
pub(super) fn walkable_area(world: &World, accuracy: f32) -> Walkable {
    let mut notes = Vec::new();
    let shapes = || world.obstacles.iter().map(|obstacle| &obstacle.shape);
    let rooms = shapes().filter_map(|shape| match shape {
        Shape::Room { min, max } => Some(Area::of_box(point(*min), point(*max))),
        _ => None,
    });
    let whole = Area::of_box(point(world.space.min), point(world.space.max()));
    let inside = rooms.reduce(|all, room| all.common_with(&room)).unwrap_or(whole);
    let solid = shapes().filter_map(|shape| solid(shape, accuracy));
    let solid = Area::union(solid);
    let free = if solid.is_empty() { inside } else { inside.without(&solid) };
    let walls: Vec<[Point; 2]> = shapes().filter_map(wall).collect();
    let parts = free.cut_along(&walls);
    if !walls.is_empty() && parts.0.len() == free.0.len() {
        notes.push("walls without thickness that separate no parts are not in the area".to_owned());
    }
    if world.space.edge == Edge::Wrap {
        notes.push("the world wraps, but an area ends at its edge".to_owned());
    }
    let starts: Vec<Point> = world.agents.positions().map(point).collect();
    let used: Vec<_> = parts
        .0
        .iter()
        .filter(|polygon| starts.iter().any(|start| contains(polygon, *start)))
        .cloned()
        .collect();
    let left_out = parts.0.len() - used.len();
    if used.is_empty() || left_out == 0 {
        return Walkable { area: parts, notes };
    }
    let plural = if left_out == 1 { "a part" } else { "parts" };
    notes.push(format!("left out {plural} of the area in which no agent starts: {left_out}"));
    Walkable { area: Area(used), notes }
}

/// Returns the solid part of an obstacle; `None` for walls without thickness and for rooms.
fn solid(shape: &Shape, accuracy: f32) -> Option<Area> {
    match shape {
        Shape::Circle { center, radius } => {
            (*radius > 0.0).then(|| Area::of_ring(circle(*center, *radius, accuracy)))
        }
        Shape::Box(oriented) => {
            Some(Area::of_ring(oriented.corners().into_iter().map(point).collect()))
        }
        Shape::Polygon(polygon) => {
            Some(Area::of_ring(polygon.corners().iter().copied().map(point).collect()))
        }
        Shape::Room { .. } | Shape::Segment { .. } => None,
    }
}

fn wall(shape: &Shape) -> Option<[Point; 2]> {
    match shape {
        Shape::Segment { from, to } if from != to => Some([point(*from), point(*to)]),
        _ => None,
    }
}

/// Returns corners on a circle. The middles of the edges are at most `accuracy` inside.
fn circle(center: Vec2, radius: f32, accuracy: f32) -> Vec<Point> {
    let half_angle = math::acos(math::max(1.0 - accuracy / radius, -1.0));
    let corners = (math::PI / half_angle).ceil().clamp(MIN_CORNERS, MAX_CORNERS);
    let corner = |index: u16| {
        let turn = f32::from(index) / corners;
        point(center + math::direction(turn * 2.0 * math::PI) * radius)
    };
    (0..corners as u16).map(corner).collect()
}

fn point(of: Vec2) -> Point {
    [f64::from(of.x), f64::from(of.y)]
}
