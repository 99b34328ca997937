//! Agents: shapes that show position and heading, with discs, rings and ghosts.

use flockwork_core::expect::Failure;
use flockwork_core::math::{self, Vec2};
use flockwork_core::world::{AgentId, AgentShape, Edge, GroupId, Space, World};
use tiny_skia::Path;

use super::least_size::{CROWD, least_size, smallest};
use super::picture::{circle, closed, stroke};
use super::shapes::{grown, loops, named_shape};
use super::stamps::{LARGEST_ROUND, LARGEST_TURNED, StampKind, StampShape};
use super::{Camera, Color, Palette, Pen, Picture};

/// Distance within which an agent or a goal is found at a place, in pixels.
pub(super) const CLICK_DISTANCE: f32 = 14.0;
/// Agents smaller than this are dots, in pixels: their heading would not be visible.
const MIN_DART: f32 = 2.0;
/// Minimum radius of a body for its disc to be drawn, in pixels.
const MIN_DISC: f32 = 8.0;
/// Width of the border that separates an agent from those below it, in pixels.
pub(super) const HALO: f32 = 0.75;
/// Width of the outline of a body, in pixels. It is above 1, since the rasterizer draws thinner lines in another way,
/// which stamps cannot use.
pub(super) const RIM: f32 = 1.05;
/// Width of the outline of a ghost agent, in pixels.
const HOLLOW: f32 = 1.2;
/// How opaque agents are that are drawn again beyond a wrapping edge, from 0 to 255.
const BEYOND_ALPHA: u8 = 105;
/// The copies of a wrapping world beyond its edges, in sizes of the world.
const COPIES: [(f32, f32); 8] = [
    (-1.0, -1.0),
    (0.0, -1.0),
    (1.0, -1.0),
    (-1.0, 0.0),
    (1.0, 0.0),
    (-1.0, 1.0),
    (0.0, 1.0),
    (1.0, 1.0),
];
/// Distance between the body of an agent and the ring around it, in pixels.
const RING: f32 = 5.0;

/// The data that an agent is drawn from.
#[derive(Clone, Copy, Debug)]
pub struct AgentMark<'s> {
    /// Position, in world units.
    pub pos: Vec2,
    /// Heading, a unit vector.
    pub heading: Vec2,
    /// Radius of the body, in world units.
    pub radius: f32,
    /// Size of the shape, from the center to the nose, in world units.
    pub size: f32,
    /// Color.
    pub color: Color,
    /// Shape.
    pub shape: &'s AgentShape,
}

/// Draws agents in their order, later ones over earlier ones, and dots over all. In a world that wraps, an agent that
/// reaches over the edge is drawn on the other side too, unless it is a dot.
pub fn agents(
    picture: &mut Picture,
    camera: &Camera,
    palette: &Palette,
    space: &Space,
    marks: &[AgentMark<'_>],
) {
    let is_crowd = marks.len() > CROWD;
    let is_dot = |mark: &&AgentMark<'_>| are_dots(camera, mark.size, marks.len());
    let shapes = marks.iter().filter(|mark| !is_dot(mark));
    let least = least_of(camera, space, marks);
    for_each_copy(picture, camera, space, shapes, least, |picture, mark, at, size| {
        let body = camera.pixels(mark.radius);
        if body >= MIN_DISC {
            disc(picture, at, body, mark.color.alpha(40));
            rim(picture, at, body, mark.color);
        }
        if !is_crowd {
            // What a scenario draws in yellow is also seen on a light ground.
            let border = palette.border_of(mark.color).unwrap_or(palette.ground.alpha(200));
            halo(picture, at, mark, size, border);
        }
        filled(picture, at, mark, size);
    });
    let dots = marks.iter().filter(is_dot);
    picture.dots(dots.map(|mark| (camera.pixel(mark.pos), mark.color)));
}

/// Draws agents of a world that wraps again, pale, where the picture shows what is beyond the edge: there is the rest of a flock that
/// flies over it. Only copies at points that are wanted are drawn. Draw this before [`agents`], which covers it at the edge.
pub fn agents_beyond(
    picture: &mut Picture,
    camera: &Camera,
    palette: &Palette,
    space: &Space,
    marks: &[AgentMark<'_>],
    is_wanted: impl Fn(Vec2) -> bool,
) {
    if space.edge != Edge::Wrap {
        return;
    }
    let least = least_of(camera, space, marks);
    let corner = picture.corner();
    for mark in marks {
        let size = size(camera, mark.size, least);
        let reach = reach(camera, mark, size);
        let pale = AgentMark { color: mark.color.alpha(BEYOND_ALPHA), ..*mark };
        let border = palette.border_of(mark.color);
        let border = border.map(|color| AgentMark { color: color.alpha(BEYOND_ALPHA), ..*mark });
        for copy in COPIES {
            let pos = mark.pos + space.size * Vec2::from(copy);
            let at = camera.pixel(pos);
            let is_outside = at.cmplt(Vec2::splat(-reach)).any() || at.cmpgt(corner + reach).any();
            if is_outside || !is_wanted(pos) {
                continue;
            }
            if size < MIN_DART {
                disc(picture, at, size, pale.color);
            } else {
                filled(picture, at, &pale, size);
                if let Some(border) = &border {
                    hollow(picture, at, border, size);
                }
            }
        }
    }
}

/// Draws only the outlines of agents, for example those of a previous run.
pub fn ghosts(picture: &mut Picture, camera: &Camera, space: &Space, marks: &[AgentMark<'_>]) {
    let least = least_of(camera, space, marks);
    for_each_copy(picture, camera, space, marks.iter(), least, |picture, mark, at, size| {
        if size < MIN_DART {
            disc(picture, at, size, mark.color.alpha(120));
        } else {
            hollow(picture, at, mark, size);
        }
    });
}

/// Draws a ring around an agent of a world, if it is there.
pub fn ring(picture: &mut Picture, camera: &Camera, world: &World, id: AgentId, pen: Pen) {
    let Some(row) = world.agents.row(id) else { return };
    let (agent, pos) = (world.agent(row), world.agents.pos(row));
    let radius = agent.body().radius;
    let wanted = agent.group().appearance.size_of(radius);
    let size = size(camera, wanted, least_size(camera, &world.space, world.agents.positions()));
    let reach = math::max(size * AgentShape::Dart.reach(), camera.pixels(radius));
    // No ring around a copy that is not drawn.
    for at in places(picture, camera, &world.space, pos, reach) {
        picture.circle(at, size + RING, pen);
    }
}

/// Draws rings around the agents that have failed an expectation together with the selected one.
pub fn failed_with<'f>(
    picture: &mut Picture,
    camera: &Camera,
    palette: &Palette,
    world: &World,
    failures: impl IntoIterator<Item = &'f Failure>,
    selected: AgentId,
) {
    let pen = Pen { dash: Some(4.0), ..Pen::new(palette.ink, 1.3) };
    for Failure { agent, other, .. } in failures {
        if let (Some(one), Some(other)) = (*agent, *other)
            && [one, other].contains(&selected)
        {
            ring(picture, camera, world, if one == selected { other } else { one }, pen);
        }
    }
}

/// Returns whether this many agents are drawn as dots if their shapes have at most a size, in world units.
pub(super) fn are_dots(camera: &Camera, largest: f32, agents: usize) -> bool {
    size(camera, largest, smallest(agents)) < MIN_DART
}

/// Returns how large an agent with a shape of a size, in world units, is drawn, in pixels from its center to its nose.
pub(super) fn size(camera: &Camera, wanted: f32, least: f32) -> f32 {
    math::max(camera.pixels(wanted), least)
}

fn least_of(camera: &Camera, space: &Space, marks: &[AgentMark<'_>]) -> f32 {
    least_size(camera, space, marks.iter().map(|mark| mark.pos))
}

/// Returns how far a mark that is drawn with a size reaches from its place, in pixels.
fn reach(camera: &Camera, mark: &AgentMark<'_>, size: f32) -> f32 {
    math::max(size * mark.shape.reach(), camera.pixels(mark.radius))
}

/// Calls a function for each place in the picture where an agent is visible. `least` is their least size, in pixels.
fn for_each_copy<'a>(
    picture: &mut Picture,
    camera: &Camera,
    space: &Space,
    marks: impl Iterator<Item = &'a AgentMark<'a>>,
    least: f32,
    mut draw: impl FnMut(&mut Picture, &AgentMark<'_>, Vec2, f32),
) {
    for mark in marks {
        let size = size(camera, mark.size, least);
        for at in places(picture, camera, space, mark.pos, reach(camera, mark, size)) {
            draw(picture, mark, at, size);
        }
    }
}

/// Returns the places in the picture, in pixels, of something that reaches some pixels around a place of the world: none
/// if it is outside, usually one, and up to four in a world that wraps.
fn places(
    picture: &Picture,
    camera: &Camera,
    space: &Space,
    pos: Vec2,
    reach: f32,
) -> impl Iterator<Item = Vec2> + use<> {
    let at = camera.pixel(pos);
    let far = picture.corner() + reach;
    let seen = move |at: &Vec2| at.cmpge(Vec2::splat(-reach)).all() && at.cmple(far).all();
    // Over a corner there are three copies.
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

/// Offsets to the copy on the other side of the edge, in pixels along each axis; `None` if nothing reaches over the edge.
struct WrapOffsets {
    x: Option<f32>,
    y: Option<f32>,
}

fn wrap_offsets(camera: &Camera, space: &Space, at: Vec2, reach: f32) -> WrapOffsets {
    let (low, high) = (camera.pixel(space.min), camera.pixel(space.max()));
    let over = |at: f32, low: f32, high: f32| {
        let size = high - low;
        // In a world hardly larger than an agent there would be endlessly many copies.
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
    if picture.scaled(radius) > LARGEST_ROUND {
        picture.disc(at, radius, color);
        return;
    }
    let kind = StampKind::new(StampShape::Disc, radius);
    picture.stamp(kind, at, color, || circle(Vec2::ZERO, kind.size()));
}

fn rim(picture: &mut Picture, at: Vec2, radius: f32, color: Color) {
    if picture.scaled(radius) > LARGEST_ROUND {
        picture.circle(at, radius, Pen::new(color, RIM));
        return;
    }
    let kind = StampKind::new(StampShape::Rim, radius);
    picture.stamp(kind, at, color, || outlined(circle(Vec2::ZERO, kind.size()), RIM));
}

/// Returns the direction in which the shape of an agent is drawn. A disc looks the same in all of them, so it needs one stamp.
fn direction(mark: &AgentMark<'_>) -> Vec2 {
    if *mark.shape == AgentShape::Disc { Vec2::X } else { flipped(mark.heading) }
}

/// Returns the number of the shape of an agent for its stamp. `None` if it has none: it is large, or a polygon.
fn stamped(picture: &Picture, mark: &AgentMark<'_>, size: f32) -> Option<u8> {
    if picture.scaled(size) > LARGEST_TURNED { None } else { named_shape(mark.shape) }
}

/// Fills the shape of an agent.
fn filled(picture: &mut Picture, at: Vec2, mark: &AgentMark<'_>, size: f32) {
    let along = direction(mark);
    let Some(named) = stamped(picture, mark, size) else {
        picture.loops(&loops(mark.shape, at, along, size), mark.color);
        return;
    };
    let kind = StampKind::new(StampShape::Filled(named), size).along(along);
    picture.stamp(kind, at, mark.color, || {
        closed(&loops(mark.shape, Vec2::ZERO, kind.direction(), kind.size()))
    });
}

/// Fills the shape of an agent and a border around it.
fn halo(picture: &mut Picture, at: Vec2, mark: &AgentMark<'_>, size: f32, color: Color) {
    let along = direction(mark);
    let Some(named) = stamped(picture, mark, size) else {
        picture.loops(&grown(&loops(mark.shape, at, along, size), HALO), color);
        return;
    };
    let kind = StampKind::new(StampShape::Halo(named), size).along(along);
    picture.stamp(kind, at, color, || {
        let shape = loops(mark.shape, Vec2::ZERO, kind.direction(), kind.size());
        closed(&grown(&shape, HALO))
    });
}

/// Draws the outline of the shape of an agent.
fn hollow(picture: &mut Picture, at: Vec2, mark: &AgentMark<'_>, size: f32) {
    let along = direction(mark);
    let Some(named) = stamped(picture, mark, size) else {
        for corners in loops(mark.shape, at, along, size) {
            picture.line(&corners, true, Pen::new(mark.color, HOLLOW));
        }
        return;
    };
    let kind = StampKind::new(StampShape::Hollow(named), size).along(along);
    picture.stamp(kind, at, mark.color, || {
        let shape = loops(mark.shape, Vec2::ZERO, kind.direction(), kind.size());
        outlined(closed(&shape), HOLLOW)
    });
}

/// Returns the id of the agent nearest to a place of the picture, in pixels, if one is there. Groups that are not shown do not count.
pub fn agent_at(
    world: &World,
    camera: &Camera,
    place: Vec2,
    is_shown: impl Fn(GroupId) -> bool,
) -> Option<AgentId> {
    let agents = &world.agents;
    let rows = (0..agents.len()).filter(|row| is_shown(agents.group[*row]));
    let near = rows.filter_map(|row| {
        let distance = camera.pixel(agents.pos(row)).distance(place);
        let agent = world.agent(row);
        let size = agent.group().appearance.size_of(agent.body().radius);
        (distance <= math::max(CLICK_DISTANCE, camera.pixels(size))).then_some((distance, row))
    });
    let (_, row) = near.min_by(|left, right| left.0.total_cmp(&right.0))?;
    Some(agents.id[row])
}

/// Draws the shape of agents at a place as a sign, with its heading along the x axis; only its outline if it is `hollow`. The
/// size is in pixels.
pub fn sign(
    picture: &mut Picture,
    at: Vec2,
    size: f32,
    color: Color,
    shape: &AgentShape,
    is_hollow: bool,
) {
    // All of it is as large as other shapes.
    let size = size / math::max(shape.reach(), 1.0);
    let mark = AgentMark { pos: at, heading: Vec2::X, radius: size, size, color, shape };
    if is_hollow {
        hollow(picture, at, &mark, size);
    } else {
        filled(picture, at, &mark, size);
    }
}

fn outlined(path: Option<Path>, width: f32) -> Option<Path> {
    path?.stroke(&stroke(width), 1.0)
}

/// Converts a direction of the world, where y points up, to the picture, where y points down.
fn flipped(heading: Vec2) -> Vec2 {
    Vec2::new(heading.x, -heading.y)
}
