//! Explains the decision of the selected agent with arrows and lines in the world, and draws the overlays of forces.

use std::time::Duration;

use flockwork_engine::math::{self, Vec2};

use super::panels;
use super::sample::Sample;
use super::ui::Ui;
use super::view_state::ViewState;
use crate::draw::{self, Camera, Pen, Picture, arrow, arrows, ring};

/// Length of the longest arrow among the forces of all agents, in pixels.
const ARROW: f32 = 45.0;

/// Draws the selected agent's goal, waypoint, seen neighbors and forces into the world.
pub(super) fn in_world(picture: &mut Picture, camera: &Camera, ui: &Ui, state: &ViewState) {
    // On the way to a tick, the explanation may be of another one.
    let Some(next_turn) = state.next_turn.as_ref().filter(|turn| turn.tick == state.world.tick)
    else {
        return;
    };
    if ui.is_hidden(state, next_turn.group) {
        return;
    }
    let palette = ui.palette();
    // Its forces would give away where it will be.
    if panels::predict::PANEL.is_open(ui) {
        let pen = Pen::new(palette.highlight, 2.0);
        return ring(picture, camera, &state.world, next_turn.id, pen);
    }
    draw::decision(picture, camera, palette, &state.world, next_turn, ui.has_chain);
    let failures = state.failures.iter();
    draw::failed_with(picture, camera, palette, &state.world, failures, next_turn.id);
}

/// Returns the neighbors of the selected agent to which lines lead over an edge of the world, as places beyond it.
pub(super) fn neighbors_beyond(ui: &Ui, state: &ViewState) -> Vec<Vec2> {
    let next_turn = state.next_turn.as_ref().filter(|turn| turn.tick == state.world.tick);
    let has_lines = !panels::predict::PANEL.is_open(ui);
    let shown = next_turn.filter(|turn| has_lines && !ui.is_hidden(state, turn.group));
    shown.map_or_else(Vec::new, |turn| draw::neighbors_beyond(&state.world, turn))
}

/// How long a push is shown.
pub(super) const PUSH_TIME: Duration = Duration::from_millis(500);

/// Draws a circle around the last push, which fades.
pub(super) fn push(picture: &mut Picture, camera: &Camera, ui: &Ui) {
    let Some((center, radius, at)) = ui.pushed else { return };
    let left = PUSH_TIME.saturating_sub(at.elapsed()).as_secs_f32() / PUSH_TIME.as_secs_f32();
    let color = ui.palette().highlight.alpha((left * 200.0) as u8);
    if left > 0.0 {
        picture.circle(camera.pixel(center), camera.pixels(radius), Pen::new(color, 2.5));
    }
}

/// Draws the forces of all agents as thin arrows.
pub(super) fn forces(
    picture: &mut Picture,
    camera: &Camera,
    ui: &Ui,
    state: &ViewState,
    sample: Sample,
) {
    let longest = state.forces.iter().map(|(_, force)| math::length(*force)).fold(0.0, math::max);
    if longest <= 0.0 {
        return;
    }
    let scale = ARROW * camera.emphasis() / longest;
    let agents = &state.world.agents;
    let all = state.forces.iter().filter(|(id, _)| sample.has(*id)).filter_map(|(id, force)| {
        let row = agents.row(*id).filter(|row| !ui.is_hidden(state, agents.group[*row]))?;
        let at = camera.pixel(agents.pos(row));
        // Not in the color of its agent, where it would look like a part of it.
        let pen = Pen::new(ui.palette().ink.alpha(190), 1.2 * camera.emphasis());
        Some((at, at + on_screen(*force, scale), pen))
    });
    arrows(picture, &all.collect::<Vec<_>>());
}

/// Draws the force that the selected agent would choose at points around it.
pub(super) fn field(picture: &mut Picture, camera: &Camera, ui: &Ui, state: &ViewState) {
    let palette = ui.palette();
    let lengths = state.field.iter().map(|(_, force)| math::length(*force));
    let longest = lengths.fold(0.0, math::max);
    let [first, second, ..] = state.field.as_slice() else {
        return;
    };
    if longest <= 0.0 {
        return;
    }
    let step = camera.pixels(math::length(second.0 - first.0));
    for (point, force) in &state.field {
        let at = camera.pixel(*point);
        // The square root keeps short arrows visible beside long ones.
        let share = math::sqrt(math::length(*force) / longest);
        let along = Vec2::new(force.x, -force.y);
        let to = at + math::unit(along) * (step * 0.85 * share);
        arrow(picture, at, to, Pen::new(palette.ink.alpha(150), 1.2 * camera.emphasis()));
    }
}

/// Returns a force in pixels. The y axis of the world points up, that of the screen down.
fn on_screen(force: Vec2, scale: f32) -> Vec2 {
    Vec2::new(force.x, -force.y) * scale
}
