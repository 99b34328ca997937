//! The whole screen: the world with ghost and trails, and the panels over it.

use std::sync::Arc;
use std::time::Duration;

use flockwork_engine::live::Tracks;
use flockwork_engine::math::{self, Vec2};
use flockwork_engine::world::{AgentId, AgentShape, GroupId, Space, World};

use super::explain;
use super::frame::Frame;
use super::layout::Layout;
use super::panels;
use super::piles;
use super::predicting;
use super::sample::Sample;
use super::scene_marks;
use super::ui::Ui;
use super::view_state::{Task, ViewState};
use crate::draw::{self, AgentMark, Camera, Color, Palette, Pen, Picture};
use crate::ticks;

/// Maximum number of agents whose tracks are drawn beside the ghost; with more, only the selected agent's is.
const MAX_TRACKS: usize = 12;
/// Maximum number of positions in the track of a ghost.
const MAX_GHOST_POSITIONS: u64 = 400;

/// About how many lines of the grid are above each other.
const GRID_LINES: f64 = 6.0;

/// Radius of the spot around the pointer while a person presents, in pixels.
const SPOT: f32 = 42.0;
/// The circles over each other that are its ring: width in pixels, and opacity of 255.
const SPOT_RING: [(f32, u8); 4] = [(18.0, 30), (13.0, 45), (8.0, 80), (3.5, 230)];
/// The same where panels are: a thin one, since it lies over words.
const SPOT_OVER_PANELS: [(f32, u8); 1] = [(1.5, 200)];

/// Draws the whole screen. `busy` is the player's current task and how long it has taken so far.
pub(crate) fn screen(
    picture: &mut Picture,
    ui: &Ui,
    state: &ViewState,
    busy: Option<(Task, Duration)>,
) {
    let (camera, palette) = (ui.camera(state), ui.palette());
    let frame = Frame::new(ui, state, busy);
    if state.is_waiting {
        picture.clear(palette.ground);
        frame.draw(picture);
        return;
    }
    let sample = frame.scene.sample;
    let world = &state.world;
    draw::background(picture, &camera, palette, (&**world).into());
    if ui.follows_agents(state) {
        grid(picture, &camera, ui, palette);
    }
    let colors = palette.colors_of(&world.groups);
    let goals = state.goals.iter().map(Vec::as_slice);
    draw::goals(picture, &camera, colors.iter().copied().zip(goals));
    explain::field(picture, &camera, ui, state);
    let color_by = ui.shown_colors(state);
    let agent_colors = ui.agent_colors(state, palette, &color_by);
    if ui.has_trails {
        trails(picture, &camera, ui, state, sample, &agent_colors);
    }
    ghost(picture, &camera, ui, state);
    let is_shown = |group| !ui.is_hidden(state, group);
    let marks = draw::marks(world, &camera, palette, is_shown, &agent_colors);
    draw::signs(picture, &camera, palette, world, is_shown);
    // In the view of the whole world, the other side of each edge is seen anyway, unless lines lead over it.
    let shows_all = ui.is_following || ui.has_moved_view();
    let ends = explain::neighbors_beyond(ui, state);
    if shows_all || !ends.is_empty() {
        // Sums of floats are not exact.
        let near = camera.units(1.0);
        let has_line = |at: Vec2| ends.iter().any(|end| math::length(*end - at) < near);
        let is_wanted = |at| shows_all || has_line(at);
        draw::agents_beyond(picture, &camera, palette, &world.space, &marks, is_wanted);
    }
    draw::agents(picture, &camera, palette, &world.space, &marks);
    draw::labels(picture, &camera, palette, world, is_shown);
    piles::draw(picture, &camera, ui, state);
    explain::forces(picture, &camera, ui, state, sample);
    explain::in_world(picture, &camera, ui, state);
    explain::push(picture, &camera, ui);
    scene_marks::draw(picture, &camera, ui, state);
    predicting::draw(picture, &camera, ui, state);
    // It would cover the marks in a corner.
    if ui.editor.is_none() && !Layout::is_tiny(ui.size) {
        draw::scale_bar(picture, &camera, palette, frame.scene.layout.bottom);
    }
    // Panels would cut the ring, and it would cover what they say.
    let corners = [(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)];
    let mut around = corners.into_iter().map(|corner| ui.pointer + Vec2::from(corner) * SPOT);
    let is_beside_panels = around.any(|at| frame.is_panel(at));
    if ui.presented.is_some() && !is_beside_panels {
        spot(picture, ui, &SPOT_RING);
    }
    predicting::draw_numbers(picture, &camera, ui, state);
    frame.draw(picture);
    if ui.presented.is_some() && is_beside_panels {
        spot(picture, ui, &SPOT_OVER_PANELS);
    }
}

/// Draws the spot that an audience looks at: a soft ring around the pointer, since obstacles are filled and have sharp edges.
fn spot(picture: &mut Picture, ui: &Ui, ring: &[(f32, u8)]) {
    let color = ui.palette().accent;
    for (width, alpha) in ring {
        picture.circle(ui.pointer, SPOT, Pen::new(color.alpha(*alpha), *width));
    }
}

/// Draws lines at round places of the world, so that it is seen how fast the view moves over it.
fn grid(picture: &mut Picture, camera: &Camera, ui: &Ui, palette: &Palette) {
    let window = Vec2::new(ui.size.0 as f32, ui.size.1 as f32);
    let (low, high) =
        (camera.place(Vec2::new(0.0, window.y)), camera.place(Vec2::new(window.x, 0.0)));
    let step = ticks::round_step(f64::from(high.y - low.y) / GRID_LINES);
    let pen = Pen::new(palette.edge.alpha(40), 1.0);
    for x in ticks::multiples(step, low.x.into(), high.x.into()) {
        let x = camera.pixel(Vec2::new(x as f32, 0.0)).x.round() + 0.5;
        picture.line(&[Vec2::new(x, 0.0), Vec2::new(x, window.y)], false, pen);
    }
    for y in ticks::multiples(step, low.y.into(), high.y.into()) {
        let y = camera.pixel(Vec2::new(0.0, y as f32)).y.round() + 0.5;
        picture.line(&[Vec2::new(0.0, y), Vec2::new(window.x, y)], false, pen);
    }
}

/// Draws where the agents of a sample were in the last ticks.
fn trails(
    picture: &mut Picture,
    camera: &Camera,
    ui: &Ui,
    state: &ViewState,
    sample: Sample,
    colors: &draw::AgentColors<'_>,
) {
    let world = &state.world;
    let of_groups = ui.palette().colors_of(&world.groups);
    let positions = |id| state.trail.iter().filter_map(move |row| row.position(id));
    let agents = world.agents.id.iter().zip(&world.agents.group).enumerate();
    let shown = agents.filter(|(_, (id, group))| sample.has(**id) && !ui.is_hidden(state, **group));
    let tracks: Vec<(Vec<Vec2>, Color)> = shown
        .map(|(row, (&id, group))| {
            let color = colors.color(row).unwrap_or(of_groups[usize::from(group.0)]);
            (positions(id).collect(), color)
        })
        .collect();
    let trails = tracks.iter().map(|(places, color)| draw::Trail { places, color: *color });
    draw::trails(picture, camera, &world.space, trails);
}

/// Returns the ghost if something of it is drawn at the shown tick.
pub(super) fn drawn_ghost<'s>(ui: &Ui, state: &'s ViewState) -> Option<&'s Arc<Tracks>> {
    // Where a bird was in another run would give away where it will be.
    let ghost = state.ghost_at_tick().filter(|_| !panels::predict::PANEL.is_open(ui))?;
    let (from, to) = ghost.ticks()?;
    let (_, row) = ghost.between(from, to).next()?;
    // Before its first tick, only tracks are drawn.
    let has_tracks = state.next_turn.is_some() || row.ids.len() <= MAX_TRACKS;
    let is_there = state.world.tick >= from || has_tracks;
    let is_shown = row.ids.iter().any(|id| is_agent_shown(ui, state, *id));
    (is_there && is_shown).then_some(ghost)
}

/// Returns whether an agent of the ghost is drawn, as far as its group matters.
fn is_agent_shown(ui: &Ui, state: &ViewState, id: AgentId) -> bool {
    let agents = &state.world.agents;
    agents.row(id).is_none_or(|row| !ui.is_hidden(state, agents.group[row]))
}

/// Returns the colors of the ghost: that of the selected agent, and that of the others, which are not as strong as the agents of the run.
pub(super) fn ghost_colors(ui: &Ui) -> [Color; 2] {
    let palette = ui.palette();
    match ui.presented {
        // An audience is far away.
        Some(_) => [palette.quiet; 2],
        None => [palette.ghost, palette.ghost.alpha(150)],
    }
}

/// Draws the ghost: its agents at this tick and their tracks, and beside these the tracks of the current run.
fn ghost(picture: &mut Picture, camera: &Camera, ui: &Ui, state: &ViewState) {
    let palette = ui.palette();
    let Some((ghost, (from, to))) = drawn_ghost(ui, state).and_then(|it| Some((it, it.ticks()?)))
    else {
        return;
    };
    let world = &state.world;
    let selected = state.next_turn.as_ref().map(|next_turn| next_turn.id);
    let all = ghost.sample(from, to, MAX_GHOST_POSITIONS);
    let count = all.first().map_or(0, |row| row.ids.len());
    let [color, faint] = ghost_colors(ui);
    let dashed = Pen { dash: Some(4.0), ..Pen::new(faint, 1.3) };
    let ids: Vec<AgentId> = match (selected, all.first()) {
        (Some(id), _) => vec![id],
        (None, Some(row)) if count <= MAX_TRACKS => row.ids.clone(),
        _ => Vec::new(),
    };
    let is_shown = |id: &AgentId| is_agent_shown(ui, state, *id);
    for id in ids.into_iter().filter(is_shown) {
        let ghost_positions: Vec<Vec2> = all.iter().filter_map(|row| row.position(id)).collect();
        draw::track(picture, camera, &world.space, &ghost_positions, dashed);
        let own_positions: Vec<Vec2> =
            state.own_track.iter().filter_map(|row| row.position(id)).collect();
        let color = color_of(world, palette, id);
        draw::track(picture, camera, &world.space, &own_positions, Pen::new(color, 1.5));
    }
    if let Some((tick, row)) = ghost.at(world.tick).filter(|_| world.tick >= from) {
        let next = ghost.between(tick + 1, to).next();
        let last = ghost.between(from, tick.saturating_sub(1)).next_back();
        let shown = row.ids.iter().zip(&row.pos).filter(|(id, _)| is_shown(id));
        let marks = shown.map(|(id, pos)| {
            let ahead = next.and_then(|(_, row)| row.position(*id));
            let behind = last.and_then(|(_, row)| row.position(*id));
            let agent = world.agents.row(*id).map(|row| world.agent(row));
            AgentMark {
                pos: *pos,
                heading: direction(&world.space, *pos, behind, ahead),
                radius: agent.map_or(0.0, |agent| agent.body().radius),
                size: agent
                    .map_or(0.0, |agent| agent.group().appearance.size_of(agent.body().radius)),
                color: if selected == Some(*id) { color } else { faint },
                shape: agent.map_or(&AgentShape::Dart, |agent| &agent.group().appearance.shape),
            }
        });
        draw::ghosts(picture, camera, &world.space, &marks.collect::<Vec<_>>());
    }
}

/// Returns the direction in which an agent at a place has moved last, as its velocity has it; where it starts, that in which it goes on.
fn direction(space: &Space, at: Vec2, behind: Option<Vec2>, ahead: Option<Vec2>) -> Vec2 {
    let along = match (behind, ahead) {
        (Some(behind), _) => space.offset(behind, at),
        (None, Some(ahead)) => space.offset(at, ahead),
        (None, None) => Vec2::X,
    };
    along.normalize_or(Vec2::X)
}

fn color_of(world: &World, palette: &Palette, id: AgentId) -> Color {
    let group = world.agents.row(id).map(|row| world.agents.group[row]);
    palette.color_of(&world.groups, group.unwrap_or(GroupId(0)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use flockwork_engine::world::Edge;

    /// Caught: gray agents that turn in each tick pointed elsewhere than the others, although the runs were the same.
    #[test]
    fn an_agent_of_another_run_points_where_it_has_moved() {
        let space = Space { edge: Edge::Wrap, min: Vec2::ZERO, size: Vec2::splat(100.0) };
        let [behind, at, ahead] = [(1.0, 2.0), (1.0, 3.0), (2.0, 3.0)].map(Vec2::from);
        assert_eq!(direction(&space, at, Some(behind), Some(ahead)), Vec2::Y);
        assert_eq!(direction(&space, at, None, Some(ahead)), Vec2::X);
        assert_eq!(direction(&space, at, None, None), Vec2::X);
    }
}
