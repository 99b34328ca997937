//! A walkable area as a scenario: its border becomes walls, its holes become obstacles.

use super::Wanted;
use super::notes::Notes;
use super::ron_text::{comment, number, point, points, quote, world};
use crate::area::{Area, Point, Ring, contains, distance_to_edge, edges, most};

/// Coordinates up to this are exact to a millimeter.
const MAX_EXACT: f64 = 8192.0;

/// Obstacles thinner than this are left out: rounding could make them lines.
const MIN_WIDTH: f64 = 1e-4;

/// Number of points along each axis at which an agent may be put.
const PLACES: usize = 40;

/// The radius of the agent, in world units: that of a person in meters.
const RADIUS: f64 = 0.2;

/// Walls and solid polygons, and a point for an agent.
pub(super) struct Walls {
    /// A room, if the area is one box.
    pub(super) room: Option<(Point, Point)>,
    /// Walls without thickness.
    pub(super) segments: Vec<[Point; 2]>,
    /// Solid polygons.
    pub(super) polygons: Vec<Ring>,
    /// The smallest box around all of it.
    pub(super) bounds: (Point, Point),
    /// A point for an agent.
    pub(super) point: Point,
}

/// Returns the scenario of an area.
pub(super) fn scenario(area: &Area, wanted: &Wanted<'_>, notes: &mut Notes<'_>) -> String {
    let area = &moved(area, notes);
    let mut walls = Walls {
        room: None,
        segments: Vec::new(),
        polygons: Vec::new(),
        bounds: area.bounds().unwrap_or_default(),
        point: roomy_point(area),
    };
    let mut slivers = 0;
    for polygon in &area.0 {
        let Some((border, holes)) = polygon.split_first() else {
            continue;
        };
        match as_box(border) {
            // The outside of a room is solid, so there can be only one.
            Some(room) if area.0.len() == 1 => walls.room = Some(room),
            _ => walls.segments.extend(edges(border).filter(|[from, to]| !is_same(*from, *to))),
        }
        let (solid, thin): (Vec<_>, Vec<_>) =
            holes.iter().cloned().partition(|hole| width(hole) >= MIN_WIDTH);
        walls.polygons.extend(solid);
        slivers += thin.len();
    }
    if slivers > 0 {
        notes.mention(format!("obstacles thinner than {MIN_WIDTH} are left out: {slivers}"));
    }
    if area.0.len() > 1 {
        notes.mention(format!(
            "the walkable area has {} parts that are not connected",
            area.0.len()
        ));
    }
    scenario_text(&walls, "a walkable area", wanted, notes)
}

/// Returns the area nearer to the origin, if it is so far away that the engine would round its coordinates.
fn moved(area: &Area, notes: &mut Notes<'_>) -> Area {
    let Some((min, max)) = area.bounds() else {
        return area.clone();
    };
    let farthest = min.iter().chain(&max).fold(0.0, |far, x| most(far, x.abs()));
    if farthest <= MAX_EXACT {
        return area.clone();
    }
    let offset = min.map(f64::floor);
    notes.mention(format!(
        "all coordinates are moved by ({}, {}), since they were too large for single precision",
        -offset[0], -offset[1]
    ));
    let move_one = |corner: &Point| [corner[0] - offset[0], corner[1] - offset[1]];
    let move_ring = |ring: &Ring| ring.iter().map(move_one).collect();
    Area(area.0.iter().map(|rings| rings.iter().map(move_ring).collect()).collect())
}

/// Returns whether two points are the same in single precision.
fn is_same(a: Point, b: Point) -> bool {
    a.map(|x| x as f32) == b.map(|x| x as f32)
}

/// Returns the area of a ring divided by its length, which is about its width if it is thin.
fn width(ring: &[Point]) -> f64 {
    let Some((min, max)) = crate::area::bounds(ring.iter().copied()) else {
        return 0.0;
    };
    let doubled: f64 = edges(ring)
        .map(|[a, b]| (a[0] - min[0]) * (b[1] - min[1]) - (a[1] - min[1]) * (b[0] - min[0]))
        .sum();
    let length = most(max[0] - min[0], max[1] - min[1]);
    if length > 0.0 { doubled.abs() / 2.0 / length } else { 0.0 }
}

/// Returns the corners of a ring that is a box with sides along the axes.
fn as_box(ring: &[Point]) -> Option<(Point, Point)> {
    let (min, max) = crate::area::bounds(ring.iter().copied())?;
    let is_corner = |[x, y]: &Point| [min[0], max[0]].contains(x) && [min[1], max[1]].contains(y);
    let is_along = |[from, to]: [Point; 2]| from[0] == to[0] || from[1] == to[1];
    (ring.len() == 4 && ring.iter().all(is_corner) && edges(ring).all(is_along))
        .then_some((min, max))
}

/// Returns a point in the area with much room around it.
pub(super) fn roomy_point(area: &Area) -> Point {
    let (Some((min, max)), Some(first)) = (area.bounds(), area.0.iter().flatten().flatten().next())
    else {
        return [0.0; 2];
    };
    let step = [0, 1].map(|axis| (max[axis] - min[axis]) / PLACES as f64);
    let mut best = (0.0, *first);
    for column in 0..PLACES {
        for row in 0..PLACES {
            let point =
                [min[0] + (column as f64 + 0.5) * step[0], min[1] + (row as f64 + 0.5) * step[1]];
            for polygon in &area.0 {
                let room = distance_to_edge(polygon, point);
                if room > best.0 && contains(polygon, point) {
                    best = (room, point);
                }
            }
        }
    }
    best.1.map(|x| (x * 100.0).round() / 100.0)
}

/// Writes the scenario.
pub(super) fn scenario_text(
    walls: &Walls,
    what: &str,
    wanted: &Wanted<'_>,
    notes: &mut Notes<'_>,
) -> String {
    if wanted.behavior.is_none() {
        notes.mention(
            "there is one agent, which stands: give it a `behavior`, and more agents to its group",
        );
    }
    let mut lines = vec![format!("Imported from {}, {what}.", wanted.file)];
    let found = notes.lines();
    if !found.is_empty() {
        lines.push(String::new());
        lines.extend(found);
    }
    let mut text = comment(&lines);
    text += &format!("(\n    seed: {},\n    dt: 0.05,\n    ticks: 600,\n", wanted.seed);
    text += &format!("    {}\n", world(walls.bounds, 1.0));
    text += "    obstacles: {\n";
    if let Some((min, max)) = walls.room {
        text += &format!("        \"room\": Room(min: {}, max: {}),\n", point(min), point(max));
    }
    for (number, [from, to]) in (1..).zip(&walls.segments) {
        let (from, to) = (point(*from), point(*to));
        text += &format!("        \"wall {number}\": Segment(from: {from}, to: {to}),\n");
    }
    for (number, corners) in (1..).zip(&walls.polygons) {
        text += &format!("        \"obstacle {number}\": Polygon({}),\n", points(corners));
    }
    text += "    },\n    groups: {\n        \"walkers\": (\n";
    if let Some(behavior) = wanted.behavior {
        text += &format!("            behavior: {},\n", quote(behavior));
    }
    text += &format!("            body: (radius: {}, max_speed: 1.3),\n", number(RADIUS));
    text += &format!("            spawn: Points([{}]),\n", point(walls.point));
    text += "        ),\n    },\n";
    let obstacles = walls.segments.len() + walls.polygons.len() + 1;
    if obstacles > 10_000 {
        text += &format!("    limits: (obstacles: {obstacles}),\n");
    }
    text += ")\n";
    text
}
