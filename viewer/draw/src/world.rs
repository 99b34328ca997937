//! Draws what does not move in a world: ground, edge, obstacles, paths and goals.

use std::sync::Arc;

use flockwork_core::geom::Shape;
use flockwork_core::math::{self, Vec2};
use flockwork_core::world::{
    Agent, Appearance, Edge, Field, Goal, GroupId, Layer, Obstacle, Path, Space, World,
};

use super::agents::{CLICK_DISTANCE, are_dots};
use super::{AgentColors, AgentMark, Camera, Color, Palette, Pen, Picture, ground};

/// With more goals than this, none are drawn: they would hide the agents.
const MAX_GOALS: usize = 300;

/// Returns the agents of a world in their colors, without groups that are not shown. They are in the order
/// in which they are drawn.
pub fn marks<'w>(
    world: &'w World,
    camera: &Camera,
    palette: &Palette,
    is_shown: impl Fn(GroupId) -> bool,
    colors: &AgentColors<'_>,
) -> Vec<AgentMark<'w>> {
    let color_of = |row: usize, of_group: Color| {
        let number = colors.color(row);
        number.or_else(|| color_by_state(&world.agent(row))).unwrap_or(of_group)
    };
    let all = &world.agents;
    let looks: Vec<_> = (0..)
        .zip(&world.groups)
        .map(|(place, group)| {
            let (id, appearance) = (GroupId(place), &group.appearance);
            (is_shown(id), group.largest_radius(), palette.color_of(&world.groups, id), appearance)
        })
        .collect();
    let is_shown = |group: &GroupId| looks[usize::from(group.0)].0;
    let shown = all.group.iter().filter(|group| is_shown(group)).count();
    let shown_groups = looks.iter().filter(|(is_shown, ..)| *is_shown);
    let sizes = shown_groups.map(|(_, radius, _, appearance)| appearance.size_of(*radius));
    if are_dots(camera, sizes.fold(0.0, math::max), shown) {
        // Which of two dots is above the other cannot be seen, and this order is several times faster.
        let marks = all.by_place().filter_map(|(row, pos, heading)| {
            let (is_shown, radius, color, Appearance { shape, .. }) =
                looks[usize::from(all.group[row].0)];
            let color = || color_of(row, color);
            let size = radius;
            is_shown.then(|| AgentMark { pos, heading, radius, size, color: color(), shape })
        });
        return marks.collect();
    }
    let mark = |row: usize| {
        let (is_shown, _, color, appearance) = looks[usize::from(all.group[row].0)];
        let radius = world.agent(row).body().radius;
        is_shown.then(|| AgentMark {
            pos: all.pos(row),
            heading: all.heading(row),
            radius,
            size: appearance.size_of(radius),
            color: color_of(row, color),
            shape: &appearance.shape,
        })
    };
    let order = |row: &usize| looks[usize::from(all.group[*row].0)].3.draw_order;
    let mut rows: Vec<usize> = (0..all.len()).collect();
    if looks.iter().any(|(_, _, _, appearance)| appearance.draw_order > 0) {
        // Agents with the same number stay in their order.
        rows.sort_by_key(order);
    }
    rows.into_iter().filter_map(mark).collect()
}

/// Returns the color of an agent.
pub(super) fn color_of(palette: &Palette, agent: &Agent<'_>) -> Color {
    let of_group = || palette.color(agent.group().appearance.color, agent.group_id().0.into());
    color_by_state(agent).unwrap_or_else(of_group)
}

/// Returns the color that an agent has by its public state, if the scenario says so.
fn color_by_state(agent: &Agent<'_>) -> Option<Color> {
    let rule = agent.group().appearance.color_by.as_ref()?;
    agent.state(&rule.state).and_then(|value| rule.color(&value)).map(Color::from)
}

/// What does not move in a world, or is everywhere in it.
#[derive(Clone, Copy)]
pub struct Scenery<'s> {
    /// The rectangle of the world.
    pub space: &'s Space,
    /// The obstacles that are there.
    pub obstacles: &'s [Obstacle],
    /// The paths.
    pub paths: &'s [Path],
    /// The layers.
    pub layers: &'s [Layer],
    /// The flow fields.
    pub fields: &'s [Field],
}

impl<'s> Scenery<'s> {
    /// Returns a space with nothing in it.
    pub fn bare(space: &'s Space) -> Self {
        Self { space, obstacles: &[], paths: &[], layers: &[], fields: &[] }
    }
}

impl<'s> From<&'s World> for Scenery<'s> {
    fn from(world: &'s World) -> Self {
        let World { space, obstacles, paths, layers, fields, .. } = world;
        Self { space, obstacles, paths, layers, fields }
    }
}

/// Fills the picture with ground, layers, fields, edge, paths and obstacles.
pub fn background(picture: &mut Picture, camera: &Camera, palette: &Palette, scenery: Scenery<'_>) {
    let Scenery { space, obstacles, paths, layers, fields } = scenery;
    picture.clear(palette.ground);
    ground::layers(picture, camera, palette, space, layers);
    ground::fields(picture, camera, palette, space, fields);
    let (min, max) = (camera.pixel(space.min), camera.pixel(space.max()));
    if space.edge != Edge::Open {
        picture.fill_outside(min, max, palette.outside);
    }
    for path in paths {
        path_band(picture, camera, palette, path);
    }
    for path in paths {
        path_middle(picture, camera, palette, path);
    }
    for obstacle in obstacles {
        obstacle_shape(picture, camera, palette, &obstacle.shape);
    }
    let frame = rectangle(min, max);
    let pen =
        Pen { dash: (space.edge == Edge::Open).then_some(5.0), ..Pen::new(palette.edge, 1.0) };
    picture.line(&frame, true, pen);
}

fn path_band(picture: &mut Picture, camera: &Camera, palette: &Palette, path: &Path) {
    let points = pixels(camera, &path.points);
    let pen = Pen::new(palette.band, 2.0 * camera.pixels(path.radius));
    picture.line(&points, path.is_closed(), pen);
}

fn path_middle(picture: &mut Picture, camera: &Camera, palette: &Palette, path: &Path) {
    let points = pixels(camera, &path.points);
    let pen = Pen { dash: Some(6.0), ..Pen::new(palette.path, 1.2) };
    picture.line(&points, path.is_closed(), pen);
    for point in points {
        picture.disc(point, 2.5, palette.path);
    }
}

fn obstacle_shape(picture: &mut Picture, camera: &Camera, palette: &Palette, shape: &Shape) {
    let outline = Pen::new(palette.wall, 1.2);
    match shape {
        Shape::Circle { center, radius } => {
            let (at, radius) = (camera.pixel(*center), camera.pixels(*radius));
            // An obstacle without size is visible too.
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
            picture.fill_outside(min, max, palette.solid);
            picture.line(&rectangle(min, max), true, outline);
        }
    }
}

/// Half of the size of the cross in the middle of a goal, in pixels.
const GOAL_ARM: f32 = 4.0;

/// Draws the goals of all groups, given by the color and the sequences of goals of each; nothing if there are too many.
pub fn goals<'g>(
    picture: &mut Picture,
    camera: &Camera,
    groups: impl Iterator<Item = (Color, &'g [Arc<[Goal]>])> + Clone,
) {
    if too_many(groups.clone().map(|(_, goals)| goals)) {
        return;
    }
    for (color, sequences) in groups {
        let pen = Pen { dash: Some(3.0), ..Pen::new(color, 1.2) };
        for goal in sequences.iter().flat_map(|goals| goals.iter()) {
            let at = camera.pixel(goal.at);
            picture.circle(at, math::max(camera.pixels(goal.radius), 4.0), pen);
            for arm in [Vec2::new(GOAL_ARM, 0.0), Vec2::new(0.0, GOAL_ARM)] {
                picture.line(&[at - arm, at + arm], false, Pen::new(color, 1.5));
            }
        }
    }
}

/// Returns the goal that is drawn at a place of the picture: the index of its group, its number in its sequence, from 1, and how many
/// that has. `groups` has the sequences of goals of each group.
pub fn goal_at<'g>(
    camera: &Camera,
    place: Vec2,
    groups: impl Iterator<Item = &'g [Arc<[Goal]>]> + Clone,
) -> Option<(usize, usize, usize)> {
    if too_many(groups.clone()) {
        return None;
    }
    let of_group = |(index, sequences): (usize, &'g [Arc<[Goal]>])| {
        let of_sequence = move |goals: &'g Arc<[Goal]>| {
            (1..).zip(goals.iter()).map(move |(number, goal)| (goal, (index, number, goals.len())))
        };
        sequences.iter().flat_map(of_sequence)
    };
    let all = groups.enumerate().flat_map(of_group);
    let near = all.map(|(goal, which)| (camera.pixel(goal.at).distance(place), which));
    let near = near.filter(|(distance, _)| *distance <= CLICK_DISTANCE);
    near.min_by(|left, right| left.0.total_cmp(&right.0)).map(|(_, which)| which)
}

/// Returns whether the groups have more goals than are drawn.
fn too_many<'g>(groups: impl Iterator<Item = &'g [Arc<[Goal]>]>) -> bool {
    groups.flatten().map(|goals| goals.len()).sum::<usize>() > MAX_GOALS
}

fn rectangle(a: Vec2, b: Vec2) -> [Vec2; 4] {
    [a, Vec2::new(b.x, a.y), b, Vec2::new(a.x, b.y)]
}

fn pixels(camera: &Camera, points: &[Vec2]) -> Vec<Vec2> {
    points.iter().map(|at| camera.pixel(*at)).collect()
}
