//! Checks what surrounds the agents: the space, obstacles and paths.

use std::sync::Arc;

use serde::Deserialize;

use super::findings::{Findings, KnownNames};
use super::ordered::{MayFail, Ordered};
use super::spanned::Spanned;
use crate::diag::{Code, Diagnostic};
use crate::geom::{OrientedBox, Polygon, Shape};
use crate::math::{self, Vec2};
use crate::number::{Finite, Length, Point, PositiveLength, PositiveSize, Size};
use crate::schema::described;
use crate::world::{self, Edge, Obstacle, Path, PathMode, Space};

described! {
    #[derive(Debug, Deserialize)]
    #[serde(rename = "World", deny_unknown_fields)]
    pub(super) struct WorldSpec {
        /// The corner with the smallest coordinates. Default: (0, 0).
        #[serde(default)]
        pub(super) min: Point,
        /// Width and height, in world units.
        pub(super) size: Spanned<PositiveSize>,
        /// What happens to an agent at the edge. Default: `Open`.
        #[serde(default)]
        pub(super) edge: Edge,
        /// The side of the cells on which ways around obstacles are searched, in world units. Default: half the radius of the
        /// body.
        pub(super) way_cell: Option<Spanned<PositiveLength>>,
    }
}

described! {
    #[derive(Debug, Deserialize)]
    #[serde(rename = "obstacle", deny_unknown_fields)]
    pub(super) enum ObstacleSpec {
        /// A disc.
        Circle {
            /// The center.
            center: Point,
            /// The radius, in world units.
            radius: Length,
        },
        /// A rectangle, which may be turned.
        Box {
            /// The center.
            center: Point,
            /// Width and height, in world units.
            size: Size,
            /// The angle from the x axis, in degrees. Default: 0.
            #[serde(default)]
            angle_deg: Finite,
        },
        /// A thin wall.
        Segment {
            /// One end.
            from: Point,
            /// The other end.
            to: Point,
        },
        /// A polygon, by its corners.
        Polygon(Spanned<Vec<Point>>),
        /// A rectangle whose outside is solid.
        Room {
            /// The corner with the smallest coordinates.
            min: Point,
            /// The corner with the largest coordinates.
            max: Spanned<Point>,
        },
    }
}

impl MayFail for ObstacleSpec {
    fn has_failed(&self) -> bool {
        match self {
            Self::Polygon(corners) => corners.has_failed(),
            Self::Room { max, .. } => max.has_failed(),
            Self::Circle { .. } | Self::Box { .. } | Self::Segment { .. } => false,
        }
    }
}

described! {
    #[derive(Debug, Deserialize)]
    #[serde(rename = "Path", deny_unknown_fields)]
    pub(super) struct PathSpec {
        /// The waypoints.
        pub(super) points: Spanned<Vec<Point>>,
        /// How near an agent must get to a waypoint, in world units.
        pub(super) radius: PositiveLength,
        /// What comes after the last waypoint. Default: `Once`.
        #[serde(default)]
        pub(super) mode: PathMode,
    }
}

impl MayFail for PathSpec {
    fn has_failed(&self) -> bool {
        self.points.has_failed()
    }
}

pub(super) fn space(findings: &mut Findings<'_>, spec: &WorldSpec) -> Space {
    let size = findings.read(&spec.size).map_or(Vec2::ONE, |size| size.0);
    let min = spec.min.0;
    if !(min + size).cmpgt(min).all() {
        findings.error(
            "the world is too small for its distance from (0, 0): enlarge `size` or move `min` closer to 0",
            findings.span(&spec.size),
        );
    }
    Space { edge: spec.edge, min, size }
}

/// Returns the side of the cells of ways.
pub(super) fn way_cell(
    findings: &mut Findings<'_>,
    spec: &WorldSpec,
    space: &Space,
) -> Option<f32> {
    let written = spec.way_cell.as_ref()?;
    let side = findings.read(written)?.0;
    let smallest = world::smallest_way_cell(space);
    if side < smallest {
        let size = space.size.as_dvec2();
        let cells = (size.x / f64::from(side)).round() * (size.y / f64::from(side)).round();
        let what = format!("cells of this size are too many for the world: {cells}");
        // Rounded up.
        let least = math::short(1.001 * smallest);
        let many = Diagnostic::error(what)
            .code(Code::OutOfRange)
            .help(format!("the smallest `way_cell` of this world is {least}"));
        findings.add(many, findings.span(written));
    }
    Some(side)
}

pub(super) fn obstacles(
    findings: &mut Findings<'_>,
    specs: &Ordered<ObstacleSpec>,
    names: &KnownNames,
) -> Vec<Obstacle> {
    let entries = specs.0.iter().zip(&names.all);
    entries
        .filter_map(|((_, spec), name)| {
            let name = Arc::clone(name);
            shape(findings, spec).map(|shape| Obstacle { name, shape })
        })
        .collect()
}

fn shape(findings: &mut Findings<'_>, spec: &ObstacleSpec) -> Option<Shape> {
    Some(match spec {
        ObstacleSpec::Circle { center, radius } => {
            Shape::Circle { center: center.0, radius: radius.0 }
        }
        ObstacleSpec::Box { center, size, angle_deg } => {
            Shape::Box(OrientedBox::new(center.0, size.0 * 0.5, radians(angle_deg.0)))
        }
        ObstacleSpec::Segment { from, to } => Shape::Segment { from: from.0, to: to.0 },
        ObstacleSpec::Polygon(corners) => Shape::Polygon(polygon(findings, corners)?),
        ObstacleSpec::Room { min, max } => {
            let (min, max) = (min.0, findings.read(max).map(|read| (read.0, max))?);
            if !min.cmplt(max.0).all() {
                report_wrong_order(findings, "room", findings.span(max.1));
            }
            Shape::Room { min, max: max.0 }
        }
    })
}

/// Returns the polygon with these corners.
pub(super) fn polygon(
    findings: &mut Findings<'_>,
    corners: &Spanned<Vec<Point>>,
) -> Option<Polygon> {
    match Polygon::with_area(vectors(findings.read(corners)?)) {
        Ok(polygon) => Some(polygon),
        Err(problem) => {
            findings.error(problem, findings.span(corners));
            None
        }
    }
}

/// Reports that the corners of a rectangle are in the wrong order.
pub(super) fn report_wrong_order(
    findings: &mut Findings<'_>,
    what: &str,
    place: std::ops::Range<usize>,
) {
    let wrong =
        Diagnostic::error(format!("`max` of a {what} must be above `min` in both coordinates"));
    findings.add(wrong.label("not above `min`"), place);
}

pub(super) fn paths(
    findings: &mut Findings<'_>,
    specs: &Ordered<PathSpec>,
    names: &KnownNames,
) -> Vec<Path> {
    let mut all = Vec::new();
    for ((_, spec), name) in specs.0.iter().zip(&names.all) {
        let points = match findings.read(&spec.points) {
            Some(points) => vectors(points),
            None => continue,
        };
        if points.len() < 2 {
            findings.error("a path needs at least two points", findings.span(&spec.points));
        }
        all.push(Path { name: Arc::clone(name), points, radius: spec.radius.0, mode: spec.mode });
    }
    all
}

/// Converts points to vectors.
pub(super) fn vectors(points: &[Point]) -> Vec<Vec2> {
    points.iter().map(|point| point.0).collect()
}

/// Converts an angle from degrees to radians, without full turns.
fn radians(degrees: f32) -> f32 {
    (degrees % 360.0) * (math::PI / 180.0)
}

/// Returns the unit vector at an angle in degrees, counter-clockwise from the x axis. Exact along the axes.
pub(super) fn direction(degrees: f32) -> Vec2 {
    let degrees = degrees % 360.0;
    if degrees % 90.0 == 0.0 {
        match (degrees / 90.0) as i32 {
            1 | -3 => Vec2::Y,
            2 | -2 => Vec2::NEG_X,
            3 | -1 => Vec2::NEG_Y,
            _ => Vec2::X,
        }
    } else {
        math::direction(radians(degrees))
    }
}
