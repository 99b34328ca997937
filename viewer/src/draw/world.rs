//! What a scenario has: its ground and edge, obstacles, paths, goals and agents.

use flockwork::geom::Shape;
use flockwork::math::{self, Vec2};
use flockwork::world::{Edge, Obstacle, Path, Space, World};

use super::{Camera, Colour, Palette, Pen, Picture};

/// An agent is drawn at least so large, in pixels from its middle to its nose.
const SMALLEST: f32 = 6.0;
/// Where there are more agents than [`CROWD`], they may be so small.
const SMALLEST_IN_CROWD: f32 = 3.0;
/// From so many agents on they would hide each other.
const CROWD: usize = 2000;
/// From this radius on, in pixels, an agent's disc is drawn too.
const DISC_FROM: f32 = 8.0;
/// A world with more goals than this shows none: they would hide the agents.
const MOST_GOALS: usize = 300;

/// An agent as it is drawn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    /// Where it is, in world units.
    pub pos: Vec2,
    /// The unit vector it looks along.
    pub heading: Vec2,
    /// The radius of its body, in world units.
    pub radius: f32,
    /// Its colour.
    pub colour: Colour,
}

/// Draws a world, over all of the picture.
pub(crate) fn world(picture: &mut Picture, camera: &Camera, world: &World, palette: &Palette) {
    let World {
        space,
        obstacles,
        paths,
        ..
    } = world;
    surroundings(picture, camera, palette, space, obstacles, paths);
    goals(picture, camera, palette, world);
    let all = &world.agents;
    let marks = (0..all.len()).map(|row| {
        let group = all.group[row];
        Mark {
            pos: all.pos[row],
            heading: all.heading[row],
            radius: world.group(group).body.radius,
            colour: palette.group(group.0.into()),
        }
    });
    agents(picture, camera, palette, &marks.collect::<Vec<_>>());
}

/// Draws what stands still, over all of the picture.
pub(crate) fn surroundings(
    picture: &mut Picture,
    camera: &Camera,
    palette: &Palette,
    space: &Space,
    obstacles: &[Obstacle],
    paths: &[Path],
) {
    picture.clear(palette.ground);
    let (min, max) = (camera.pixel(space.min), camera.pixel(space.max()));
    if space.edge != Edge::Open {
        picture.all_but(min, max, palette.outside);
    }
    for path in paths {
        band(picture, camera, palette, path);
    }
    for path in paths {
        middle(picture, camera, palette, path);
    }
    for obstacle in obstacles {
        solid(picture, camera, palette, &obstacle.shape);
    }
    let frame = rectangle(min, max);
    let pen = Pen {
        dash: (space.edge == Edge::Open).then_some(5.0),
        ..Pen::new(palette.edge, 1.0)
    };
    picture.line(&frame, true, pen);
}

/// Draws agents in their order, later ones over earlier ones.
pub(crate) fn agents(picture: &mut Picture, camera: &Camera, palette: &Palette, marks: &[Mark]) {
    let (width, height) = picture.size();
    let far = Vec2::new(width as f32, height as f32);
    let smallest = if marks.len() > CROWD {
        SMALLEST_IN_CROWD
    } else {
        SMALLEST
    };
    for mark in marks {
        let at = camera.pixel(mark.pos);
        let body = camera.pixels(mark.radius);
        let size = math::max(body, smallest);
        let seen = at.cmpge(Vec2::splat(-size)).all() && at.cmple(far + size).all();
        if !seen {
            continue;
        }
        if body >= DISC_FROM {
            picture.disc(at, body, mark.colour.alpha(40));
            picture.circle(at, body, Pen::new(mark.colour, 1.0));
        }
        let dart = dart(at, mark.heading, size);
        if marks.len() <= CROWD {
            // Keeps those apart that are on top of each other.
            picture.line(&dart, true, Pen::new(palette.ground.alpha(200), 1.5));
        }
        picture.polygon(&dart, mark.colour);
    }
}

/// A dart with its nose at a distance from its middle, in pixels; along a heading of the world, where y
/// points up.
fn dart(at: Vec2, heading: Vec2, size: f32) -> [Vec2; 4] {
    let along = Vec2::new(heading.x, -heading.y) * size;
    let side = math::perp(along);
    [
        at + along,
        at - along * 0.75 + side * 0.62,
        at - along * 0.4,
        at - along * 0.75 - side * 0.62,
    ]
}

fn band(picture: &mut Picture, camera: &Camera, palette: &Palette, path: &Path) {
    let points = pixels(camera, &path.points);
    let pen = Pen::new(palette.band, 2.0 * camera.pixels(path.radius));
    picture.line(&points, path.is_closed(), pen);
}

fn middle(picture: &mut Picture, camera: &Camera, palette: &Palette, path: &Path) {
    let points = pixels(camera, &path.points);
    let pen = Pen {
        dash: Some(6.0),
        ..Pen::new(palette.path, 1.2)
    };
    picture.line(&points, path.is_closed(), pen);
    for point in points {
        picture.disc(point, 2.5, palette.path);
    }
}

fn solid(picture: &mut Picture, camera: &Camera, palette: &Palette, shape: &Shape) {
    let outline = Pen::new(palette.wall, 1.2);
    match shape {
        Shape::Circle { center, radius } => {
            let (at, radius) = (camera.pixel(*center), camera.pixels(*radius));
            // A point too is seen.
            picture.disc(at, math::max(radius, 2.0), palette.solid);
            picture.circle(at, math::max(radius, 2.0), outline);
        }
        Shape::Segment { from, to } => {
            let ends = [camera.pixel(*from), camera.pixel(*to)];
            picture.line(&ends, false, Pen::new(palette.wall, 3.0));
        }
        Shape::Polygon(polygon) => {
            let corners = pixels(camera, polygon.corners());
            picture.polygon(&corners, palette.solid);
            picture.line(&corners, true, outline);
        }
        Shape::Box(oriented) => {
            let corners = pixels(camera, &oriented.corners());
            picture.polygon(&corners, palette.solid);
            picture.line(&corners, true, outline);
        }
        Shape::Room { min, max } => {
            let (min, max) = (camera.pixel(*min), camera.pixel(*max));
            picture.all_but(min, max, palette.solid);
            picture.line(&rectangle(min, max), true, outline);
        }
    }
}

fn goals(picture: &mut Picture, camera: &Camera, palette: &Palette, world: &World) {
    let sequences = world.groups.iter().flat_map(|group| &group.goals);
    if sequences.map(|goals| goals.len()).sum::<usize>() > MOST_GOALS {
        return;
    }
    for (place, group) in world.groups.iter().enumerate() {
        let pen = Pen {
            dash: Some(3.0),
            ..Pen::new(palette.group(place), 1.2)
        };
        for goal in group.goals.iter().flat_map(|goals| goals.iter()) {
            let at = camera.pixel(goal.at);
            picture.circle(at, math::max(camera.pixels(goal.radius), 4.0), pen);
            picture.disc(at, 1.8, palette.group(place));
        }
    }
}

fn rectangle(a: Vec2, b: Vec2) -> [Vec2; 4] {
    [a, Vec2::new(b.x, a.y), b, Vec2::new(a.x, b.y)]
}

fn pixels(camera: &Camera, points: &[Vec2]) -> Vec<Vec2> {
    points.iter().map(|at| camera.pixel(*at)).collect()
}
