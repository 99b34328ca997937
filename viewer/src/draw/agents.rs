//! Agents: darts that show where each is and where it looks, and what is drawn around some of them.

use flockwork_engine::math::{self, Vec2};
use flockwork_engine::world::{Edge, Space};
use tiny_skia::Path;

use super::picture::{circle, lines, stroke};
use super::stamps::{LARGEST_ROUND, LARGEST_TURNED, StampKind, StampShape};
use super::{Camera, Color, Palette, Pen, Picture};

/// An agent is drawn at least so large, in pixels from its middle to its nose.
const SMALLEST: f32 = 6.0;
/// Where there are more agents than [`CROWD`], they may be so small.
const SMALLEST_IN_CROWD: f32 = 3.0;
/// From so many agents on they would hide each other.
const CROWD: usize = 2000;
/// Where there are more agents than [`MULTITUDE`], they may be dots.
const SMALLEST_IN_MULTITUDE: f32 = 1.0;
/// From so many agents on even small darts would hide each other.
const MULTITUDE: usize = 50_000;
/// Nobody sees where an agent smaller than this looks, in pixels: it is a dot.
const DOT: f32 = 2.0;
/// From this radius on, in pixels, an agent's disc is drawn too.
const DISC_FROM: f32 = 8.0;
/// The width of what keeps an agent apart from those under it, in pixels.
pub(super) const HALO: f32 = 0.75;
/// The width of the outline of a body, in pixels: up to 1 the rasterizer has
/// another kind of lines, which stamps are not made of.
pub(super) const RIM: f32 = 1.05;
/// The width of the outline of a hollow agent, in pixels.
const HOLLOW: f32 = 1.2;
/// From an agent's body to the ring around it, in pixels.
const RING: f32 = 5.0;

/// An agent as it is drawn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AgentMark {
    /// Where it is, in world units.
    pub pos: Vec2,
    /// The unit vector it looks along.
    pub heading: Vec2,
    /// The radius of its body, in world units.
    pub radius: f32,
    /// Its color.
    pub color: Color,
}

/// Draws agents in their order, later ones over earlier ones. Who reaches over the edge of a world that
/// wraps is seen on the other side too.
pub(crate) fn agents(
    picture: &mut Picture,
    camera: &Camera,
    palette: &Palette,
    space: &Space,
    marks: &[AgentMark],
) {
    let crowd = marks.len() > CROWD;
    let ground = (!crowd).then(|| palette.ground.alpha(200));
    for_each_copy(picture, camera, space, marks, |picture, mark, at, size| {
        let body = camera.pixels(mark.radius);
        if body >= DISC_FROM {
            disc(picture, at, body, mark.color.alpha(40));
            rim(picture, at, body, mark.color);
        }
        if size < DOT {
            disc(picture, at, size, mark.color);
            return;
        }
        if let Some(ground) = ground {
            halo(picture, at, mark.heading, size, ground);
        }
        dart(picture, at, mark.heading, size, mark.color);
    });
}

/// Draws only the outlines of agents, those of an old run for example.
pub(crate) fn ghosts(picture: &mut Picture, camera: &Camera, space: &Space, marks: &[AgentMark]) {
    for_each_copy(picture, camera, space, marks, |picture, mark, at, size| {
        if size < DOT {
            disc(picture, at, size, mark.color.alpha(120));
        } else {
            hollow(picture, at, mark.heading, size, mark.color);
        }
    });
}

/// Draws a ring around an agent of so many; its color is the pen's.
pub(crate) fn ring(
    picture: &mut Picture,
    camera: &Camera,
    space: &Space,
    mark: &AgentMark,
    agents: usize,
    pen: Pen,
) {
    let size = size(camera, mark, agents);
    for at in places(picture, camera, space, mark.pos, size + RING + pen.width) {
        picture.circle(at, size + RING, pen);
    }
}

/// How large an agent of so many is drawn, in pixels from its middle to its nose.
pub(crate) fn size(camera: &Camera, mark: &AgentMark, agents: usize) -> f32 {
    let smallest = if agents > MULTITUDE {
        SMALLEST_IN_MULTITUDE
    } else if agents > CROWD {
        SMALLEST_IN_CROWD
    } else {
        SMALLEST
    };
    math::max(camera.pixels(mark.radius), smallest)
}

/// Does something for each place in the picture where an agent is to be seen.
fn for_each_copy(
    picture: &mut Picture,
    camera: &Camera,
    space: &Space,
    marks: &[AgentMark],
    mut draw: impl FnMut(&mut Picture, &AgentMark, Vec2, f32),
) {
    for mark in marks {
        let size = size(camera, mark, marks.len());
        for at in places(picture, camera, space, mark.pos, size) {
            draw(picture, mark, at, size);
        }
    }
}

/// Where in the picture something is that reaches so many pixels around a place of the world: nowhere, or
/// once, or in a world that wraps up to four times.
fn places(
    picture: &Picture,
    camera: &Camera,
    space: &Space,
    pos: Vec2,
    reach: f32,
) -> impl Iterator<Item = Vec2> + use<> {
    let at = camera.pixel(pos);
    let (width, height) = picture.size();
    let far = Vec2::new(width as f32, height as f32) + reach;
    let seen = move |at: &Vec2| at.cmpge(Vec2::splat(-reach)).all() && at.cmple(far).all();
    // One axis after the other: over a corner there are three more.
    let across = wrap_offsets(camera, space, at, reach);
    let copies = [
        Some(Vec2::ZERO),
        across.x.map(|x| Vec2::new(x, 0.0)),
        across.y.map(|y| Vec2::new(0.0, y)),
        across.x.zip(across.y).map(Vec2::from),
    ];
    let places = copies.into_iter().flatten().map(move |by| at + by);
    places.filter(seen)
}

/// How far away, in pixels along each axis, the other side of the edge is that something reaches over.
struct WrapOffsets {
    x: Option<f32>,
    y: Option<f32>,
}

fn wrap_offsets(camera: &Camera, space: &Space, at: Vec2, reach: f32) -> WrapOffsets {
    let (low, high) = (camera.pixel(space.min), camera.pixel(space.max()));
    let over = |at: f32, low: f32, high: f32| {
        let size = high - low;
        // In a world hardly larger than an agent there would be no end of it.
        if space.edge != Edge::Wrap || size < 4.0 * reach {
            None
        } else if at - reach < low {
            Some(size)
        } else if at + reach > high {
            Some(-size)
        } else {
            None
        }
    };
    WrapOffsets {
        x: over(at.x, low.x, high.x),
        // The y axis of the world points up.
        y: over(at.y, high.y, low.y),
    }
}

fn disc(picture: &mut Picture, at: Vec2, radius: f32, color: Color) {
    if radius > LARGEST_ROUND {
        picture.disc(at, radius, color);
        return;
    }
    let kind = StampKind::new(StampShape::Disc, radius);
    picture.stamp(kind, at, color, || circle(Vec2::ZERO, kind.size()));
}

fn rim(picture: &mut Picture, at: Vec2, radius: f32, color: Color) {
    if radius > LARGEST_ROUND {
        picture.circle(at, radius, Pen::new(color, RIM));
        return;
    }
    let kind = StampKind::new(StampShape::Rim, radius);
    picture.stamp(kind, at, color, || outlined(circle(Vec2::ZERO, kind.size()), RIM));
}

fn dart(picture: &mut Picture, at: Vec2, heading: Vec2, size: f32, color: Color) {
    let along = flipped(heading);
    if size > LARGEST_TURNED {
        picture.polygon(&corners(at, along, size), color);
        return;
    }
    let kind = StampKind::new(StampShape::Dart, size).along(along);
    picture.stamp(kind, at, color, || {
        lines(&corners(Vec2::ZERO, kind.direction(), kind.size()), true)
    });
}

fn halo(picture: &mut Picture, at: Vec2, heading: Vec2, size: f32, color: Color) {
    let along = flipped(heading);
    if size > LARGEST_TURNED {
        picture.polygon(&grown(corners(at, along, size), HALO), color);
        return;
    }
    let kind = StampKind::new(StampShape::Halo, size).along(along);
    picture.stamp(kind, at, color, || {
        let dart = corners(Vec2::ZERO, kind.direction(), kind.size());
        lines(&grown(dart, HALO), true)
    });
}

fn hollow(picture: &mut Picture, at: Vec2, heading: Vec2, size: f32, color: Color) {
    let along = flipped(heading);
    if size > LARGEST_TURNED {
        picture.line(&corners(at, along, size), true, Pen::new(color, HOLLOW));
        return;
    }
    let kind = StampKind::new(StampShape::Hollow, size).along(along);
    picture.stamp(kind, at, color, || {
        let dart = corners(Vec2::ZERO, kind.direction(), kind.size());
        outlined(lines(&dart, true), HOLLOW)
    });
}

fn outlined(path: Option<Path>, width: f32) -> Option<Path> {
    path?.stroke(&stroke(width), 1.0)
}

/// A direction of the world, where y points up, in the picture.
fn flipped(heading: Vec2) -> Vec2 {
    Vec2::new(heading.x, -heading.y)
}

/// A dart with its nose at a distance from its middle, in pixels, along a direction of the picture.
pub(super) fn corners(at: Vec2, along: Vec2, size: f32) -> [Vec2; 4] {
    let along = along * size;
    let side = math::perp(along);
    [at + along, at - along * 0.75 + side * 0.62, at - along * 0.4, at - along * 0.75 - side * 0.62]
}

/// The same with all its sides so much further out, in pixels.
pub(super) fn grown(corners: [Vec2; 4], by: f32) -> [Vec2; 4] {
    let outward = |from: usize| {
        let way = corners[(from + 1) % 4] - corners[from];
        // They turn to the left where y points down.
        math::unit(Vec2::new(way.y, -way.x))
    };
    [0, 1, 2, 3].map(|corner| {
        let (before, after) = (outward((corner + 3) % 4), outward(corner));
        let apart = (before + after) / (1.0 + before.dot(after));
        corners[corner] + apart * by
    })
}
