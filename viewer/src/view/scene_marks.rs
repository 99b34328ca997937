//! Draws the marks of the scene that is edited.

use flockwork_engine::math::{self, Vec2};
use flockwork_engine::scenario::{Handle, Outline, ScenePart, SceneShape};

use super::scene_editor::{HIT, parts, with_marks};
use super::ui::Ui;
use super::view_state::ViewState;
use crate::draw::{Anchor, Camera, Color, Palette, Pen, Picture, text, text_width};

/// Half the side of a mark, in pixels.
const HALF: f32 = 4.5;
/// Size of the name of a mark, in pixels.
const NAME: f32 = 13.0;

/// Returns what a handle is called.
fn name(handle: &Handle) -> String {
    let Handle { part, number, .. } = handle;
    match (part, handle.shape) {
        (ScenePart::Spawn(group), SceneShape::Rect) => {
            format!("corner of the start area of `{group}`")
        }
        (ScenePart::Spawn(group), SceneShape::Circle) => {
            let which = if handle.is_size { "rim" } else { "center" };
            format!("{which} of the start area of `{group}`")
        }
        (_, SceneShape::Circle) if handle.is_size => format!("{}, radius", part.name()),
        (_, SceneShape::Box { .. }) if handle.is_size => format!("{}, size", part.name()),
        (ScenePart::Obstacle(name) | ScenePart::Field(name), _) => name.clone(),
        (ScenePart::Path(name), _) => format!("{name}, point {}", number + 1),
        (ScenePart::Goals(group), _) => format!("goal {} of {group}", number + 1),
        (ScenePart::Spawn(group), _) => format!("start {} of {group}", number + 1),
    }
}

/// Draws the marks, if the scene is edited.
pub(super) fn draw(picture: &mut Picture, camera: &Camera, ui: &Ui, state: &ViewState) {
    let Some(editor) = &ui.editor else {
        return;
    };
    let (palette, selected) = (ui.palette(), editor.selected(state));
    for part in parts(state) {
        let (points, color) = (editor.points(part), color(palette, &part[0], state));
        let dashed = Pen { dash: Some(4.0), ..Pen::new(color, 1.3) };
        let is_moved = points.iter().zip(part).any(|(at, handle)| *at != handle.at);
        // Obstacles and paths are drawn where they are. Areas are drawn only here.
        let is_drawn = matches!(part[0].part, ScenePart::Obstacle(_) | ScenePart::Path(_));
        if is_moved || !is_drawn {
            outline(picture, camera, part[0].shape.outline(&points), dashed);
        }
        for handle in with_marks(part, camera) {
            let at = camera.pixel(points[handle.number]).round();
            let written = camera.pixel(handle.at);
            if at.distance(written) > 2.0 && !handle.is_size {
                picture.line(&[written, at], false, dashed);
            }
            let is_selected = selected == Some(handle);
            let is_near = ui.pointer.distance(at) <= HIT;
            let color = if is_selected { palette.highlight } else { color };
            if handle.is_size {
                picture.disc(at, HALF, palette.ground);
                picture.circle(at, HALF, Pen::new(color, 2.0));
            } else {
                mark(picture, palette, at, color);
            }
            if is_selected || is_near {
                label(picture, palette, at, &name(handle));
            }
        }
    }
}

fn color(palette: &Palette, handle: &Handle, state: &ViewState) -> Color {
    match &handle.part {
        ScenePart::Goals(group) | ScenePart::Spawn(group) => {
            let group = state.world.names().group(group);
            group.map_or(palette.ink, |group| palette.color_of(&state.world.groups, group))
        }
        ScenePart::Obstacle(_) | ScenePart::Path(_) | ScenePart::Field(_) => palette.ink,
    }
}

/// Draws a shape.
fn outline(picture: &mut Picture, camera: &Camera, shape: Option<Outline>, pen: Pen) {
    match shape {
        Some(Outline::Circle { center, radius }) => {
            picture.circle(camera.pixel(center), camera.pixels(radius), pen);
        }
        Some(Outline::Line { points, is_closed }) => {
            let points: Vec<Vec2> = points.iter().map(|at| camera.pixel(*at)).collect();
            picture.line(&points, is_closed, pen);
        }
        None => {}
    }
}

fn mark(picture: &mut Picture, palette: &Palette, at: Vec2, color: Color) {
    let (min, max) = (at - Vec2::splat(HALF), at + Vec2::splat(HALF));
    picture.fill_rect(min, max, palette.ground);
    let corners = [min, Vec2::new(max.x, min.y), max, Vec2::new(min.x, max.y)];
    picture.line(&corners, true, Pen::new(color, 2.0));
}

fn label(picture: &mut Picture, palette: &Palette, at: Vec2, words: &str) {
    let width = text_width(words, NAME);
    // To the left of a mark near the right edge.
    let right = at.x + 2.0 * HALF + width + 8.0;
    let left =
        if right > picture.corner().x { at.x - 2.0 * HALF - width } else { at.x + 2.0 * HALF };
    let base = Vec2::new(math::max(left, 4.0), at.y + NAME / 3.0);
    let pad = Vec2::new(4.0, 3.0);
    let area = (base - Vec2::new(0.0, NAME - 2.0) - pad, base + Vec2::new(width, 2.0) + pad);
    picture.fill_rect(area.0, area.1, palette.panel);
    text(picture, base, Anchor::Left, NAME, palette.ink, words);
}
