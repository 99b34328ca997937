//! A whole frame: a world with everything in it, trails, a scale bar and a title.

use std::sync::Arc;

use flockwork_core::math::Vec2;
use flockwork_core::world::World;

use super::{AgentColors, Anchor, Camera, Color, ColorBy, Palette, Picture, Trail};

/// Distance of the title from the lower right corner, in pixels.
const TITLE_MARGIN: f32 = 10.0;
/// Height of the letters of the title, in pixels.
const TITLE_SIZE: f32 = 13.0;

/// Draws the last of some worlds, each later than the one before. Trails lead through the earlier ones. The title has the name, the tick
/// and the time.
pub fn frame(
    picture: &mut Picture,
    camera: &Camera,
    palette: &Palette,
    worlds: &[Arc<World>],
    name: &str,
) {
    let [past @ .., world] = worlds else { return };
    let world = &**world;
    super::background(picture, camera, palette, world.into());
    let colors = palette.colors_of(&world.groups);
    let goals = world.groups.iter().map(|group| &*group.goals);
    super::goals(picture, camera, colors.into_iter().zip(goals));
    draw_trails(picture, camera, palette, past, world);
    let colors = AgentColors::new(world, palette, &ColorBy::Group);
    let marks = super::marks(world, camera, palette, |_| true, &colors);
    super::signs(picture, camera, palette, world, |_| true);
    super::agents(picture, camera, palette, &world.space, &marks);
    super::labels(picture, camera, palette, world, |_| true);
    let corner = picture.corner();
    super::scale_bar(picture, camera, palette, corner.y);
    let (tick, time) = (world.tick, world.time());
    let title = format!("{name}, tick {tick} ({time:.2} s)");
    let at = corner - Vec2::splat(TITLE_MARGIN);
    super::text(picture, at, Anchor::Right, TITLE_SIZE, palette.ink, &title);
}

fn draw_trails(
    picture: &mut Picture,
    camera: &Camera,
    palette: &Palette,
    past: &[Arc<World>],
    world: &World,
) {
    if past.is_empty() {
        return;
    }
    let colors = palette.colors_of(&world.groups);
    let way = |row: usize| {
        let id = world.agents.id[row];
        let mut points = vec![world.agents.pos(row)];
        // Back to the tick in which the agent was added.
        for before in past.iter().rev() {
            let Some(row) = before.agents.row(id) else {
                break;
            };
            points.push(before.agents.pos(row));
        }
        points.reverse();
        (points, colors[usize::from(world.agents.group[row].0)])
    };
    let ways: Vec<(Vec<Vec2>, Color)> = (0..world.agents.len()).map(way).collect();
    let trails = ways.iter().map(|(points, color)| Trail { places: points, color: *color });
    super::trails(picture, camera, &world.space, trails);
}
