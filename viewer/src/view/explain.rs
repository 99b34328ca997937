//! Explains the decision of the selected agent with arrows and lines in the world, and draws the overlays of forces.

use flockwork_engine::math::{self, Vec2};
use flockwork_engine::sim::Explanation;
use flockwork_engine::world::{AgentId, AgentShape};

use super::explain_text::explanation;
use super::sample::Sample;
use super::ui::Ui;
use super::view_state::ViewState;
use crate::draw::{AgentMark, Camera, Pen, Picture, arrow, arrows, ring};

/// Length of the longest arrow of an agent's forces, in pixels; it is longer for a large body.
const ARROW: f32 = 90.0;
/// The part of what the body is capable of from which on an arrow can be that long. Smaller forces have shorter arrows, so that a
/// tiny force does not look like a large one.
const LARGE: f32 = 0.125;

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
    let own = palette.color_of(&state.world.groups, next_turn.group);
    let at = camera.pixel(next_turn.pos);
    if let Some(goal) = &next_turn.goal {
        let end =
            camera.pixel(next_turn.pos + state.world.space.offset(next_turn.pos, goal.goal.at));
        let pen = Pen { dash: Some(4.0), ..Pen::new(own, 1.0) };
        picture.line(&[at, end], false, pen);
        let radius = math::max(camera.pixels(goal.goal.radius), 4.0);
        picture.circle(end, radius, Pen::new(own, 1.5));
    }
    if let Some(waypoint) = &next_turn.waypoint {
        picture.circle(camera.pixel(waypoint.at), 7.0, Pen::new(own, 1.5));
    }
    let explanation = explanation(next_turn);
    for call in explanation.iter().flat_map(|all| &all.calls) {
        for id in call.seen.iter().flat_map(|seen| &seen.nearest) {
            let agents = &state.world.agents;
            if let Some(row) = agents.row(*id) {
                let to = state.world.space.offset(next_turn.pos, agents.pos(row));
                let end = camera.pixel(next_turn.pos + to);
                picture.line(&[at, end], false, Pen::new(own.alpha(45), 1.0));
            }
        }
    }
    let radius = next_turn.body.radius;
    let row = state.world.agents.row(next_turn.id);
    let size = row.map(|row| state.world.agent(row).group().appearance.size_of(radius));
    let mark = AgentMark {
        pos: next_turn.pos,
        heading: next_turn.heading,
        radius,
        size: size.unwrap_or(radius),
        color: own,
        shape: &AgentShape::Dart,
    };
    let (space, count) = (&state.world.space, state.world.agents.len());
    let pen = Pen::new(palette.ink, 1.3);
    ring(picture, camera, space, &mark, count, pen);
    others(picture, camera, state, next_turn.id, Pen { dash: Some(4.0), ..pen });
    let Ok(decision) = &next_turn.decision else {
        return;
    };
    let reach = math::max(ARROW, camera.pixels(next_turn.body.radius) * 2.0);
    let shares = explanation.map(Explanation::shares).unwrap_or_default();
    // Forces and changes of the velocity have different units, so each has its own scale.
    let [force_scale, velocity_scale] = [false, true].map(|is_of_velocity| {
        let same = shares.iter().filter(|share| share.is_of_velocity == is_of_velocity);
        let (whole, most) = if is_of_velocity {
            (Vec2::ZERO, next_turn.body.max_speed)
        } else {
            (decision.wanted_force, next_turn.body.max_force)
        };
        let large = if most.is_finite() { LARGE * most } else { 0.0 };
        scale(same.map(|share| share.force).chain([whole, Vec2::new(large, 0.0)]), reach)
    });
    // The total is wide and pale, so that it stays visible below a single share.
    let whole = Pen::new(palette.ink.alpha(70), 6.0);
    arrow(picture, at, at + on_screen(decision.wanted_force, force_scale), whole);
    for (i, share) in shares.iter().enumerate().filter(|(_, share)| share.call.is_some()) {
        let scale = if share.is_of_velocity { velocity_scale } else { force_scale };
        let pen = Pen::new(palette.force(i), 2.0);
        arrow(picture, at, at + on_screen(share.force, scale), pen);
    }
}

/// Draws rings around the agents that have failed an expectation together with the selected one.
fn others(picture: &mut Picture, camera: &Camera, state: &ViewState, selected: AgentId, pen: Pen) {
    let agents = &state.world.agents;
    for failure in state.failures.iter() {
        let pair = [failure.agent, failure.other];
        let other =
            pair.iter().flatten().find(|id| **id != selected && pair.contains(&Some(selected)));
        let Some(row) = other.and_then(|id| agents.row(*id)) else { continue };
        let agent = state.world.agent(row);
        let mark = AgentMark {
            pos: agents.pos(row),
            heading: Vec2::X,
            radius: agent.body().radius,
            size: agent.group().appearance.size_of(agent.body().radius),
            color: pen.color,
            shape: &AgentShape::Dart,
        };
        ring(picture, camera, &state.world.space, &mark, agents.len(), pen);
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
    let colors = ui.palette().colors_of(&state.world.groups);
    let longest = state.forces.iter().map(|(_, force)| math::length(*force)).fold(0.0, math::max);
    if longest <= 0.0 {
        return;
    }
    let scale = ARROW / 2.0 / longest;
    let agents = &state.world.agents;
    let all = state.forces.iter().filter(|(id, _)| sample.has(*id)).filter_map(|(id, force)| {
        let row = agents.row(*id).filter(|row| !ui.is_hidden(state, agents.group[*row]))?;
        let at = camera.pixel(agents.pos(row));
        let color = colors[usize::from(agents.group[row].0)];
        let pen = Pen::new(color.alpha(200), 1.2);
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
        arrow(picture, at, to, Pen::new(palette.ink.alpha(150), 1.2));
    }
}

/// Returns the pixels per unit, so that the longest of the vectors is `reach` pixels long.
fn scale(all: impl Iterator<Item = Vec2>, reach: f32) -> f32 {
    let longest = all.map(math::length).fold(0.0, math::max);
    if longest > 0.0 { reach / longest } else { 0.0 }
}

/// Returns a force in pixels. The y axis of the world points up, that of the screen down.
fn on_screen(force: Vec2, scale: f32) -> Vec2 {
    Vec2::new(force.x, -force.y) * scale
}
