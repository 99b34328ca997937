//! Which part of the world and of the time the window shows, and how large everything is drawn.

use flockwork_engine::math::{Vec2, short};

use super::command::PlayerCommand;
use super::layout::Layout;
use super::scale::Scale;
use super::shown_region::ShownRegion;
use super::ui::Ui;
use super::view_state::ViewState;
use crate::draw::Camera;

/// Zoom factor of one step of the wheel or a key.
const ZOOM_STEP: f32 = 1.2;
/// How many times as large as usual small agents and their forces are while a person presents.
const EMPHASIS: f32 = 1.5;
/// Distance of the selected agent from the edge of the visible world when a panel opens, in pixels.
const LEAST_AROUND: f32 = 60.0;
/// What a key moves the view by, in pixels.
const PAN_STEP: f32 = 60.0;

impl Ui {
    /// Returns the camera.
    pub(super) fn camera(&self, state: &ViewState) -> Camera {
        // Its middle stays where it is when a panel takes a part of the window.
        let view = match self.view {
            Some(view) => view.resized(self.layout(state).world),
            None => self.whole_world_camera(state),
        };
        let view = view.emphasized(if self.presented.is_some() { EMPHASIS } else { 1.0 });
        let followed = state.next_turn.as_ref().map(|next_turn| next_turn.pos);
        // The view stays where an agent has left the world.
        let followed = followed.or(state.absent.as_ref().map(|absent| absent.pos));
        match followed {
            Some(pos) if self.is_following => view.centered(pos),
            _ => view,
        }
    }

    /// Returns the camera that shows the whole world.
    pub(super) fn whole_world_camera(&self, state: &ViewState) -> Camera {
        Camera::fit(self.region.rect(&state.world), self.layout(state).world, Layout::MARGIN)
    }

    /// Returns the point under the pointer, in world units.
    pub(super) fn point_under_pointer(&self, state: &ViewState) -> Vec2 {
        self.camera(state).place(self.pointer)
    }

    /// Zooms in by some steps around a point of the window, or around the middle of the world; out if `steps` is negative.
    pub(super) fn zoom(&mut self, state: &ViewState, steps: f32, around: Option<Vec2>) {
        let (width, height) = self.layout(state).world;
        let around = around.unwrap_or(Vec2::new(width as f32, height as f32) / 2.0);
        let factor = if steps > 0.0 { ZOOM_STEP } else { 1.0 / ZOOM_STEP };
        let fit = self.whole_world_camera(state);
        self.view = Some(self.camera(state).zoomed(factor, around, &fit));
    }

    /// Returns whether the person has moved the view.
    pub(super) fn has_moved_view(&self) -> bool {
        self.view.is_some() && !self.is_following
    }

    /// Returns whether the view has followed the agents of an open world, since the person has chosen none.
    pub(super) fn follows_agents(&self, state: &ViewState) -> bool {
        self.view.is_none() && !self.is_following && self.region.has_left(&state.world)
    }

    /// Moves the view by steps to the right and down.
    pub(super) fn pan(&mut self, state: &ViewState, steps: Vec2) {
        let by = steps * PAN_STEP;
        self.view = Some(self.camera(state).panned(-by.x, -by.y));
        self.is_following = false;
    }

    /// Moves the view so far that the selected agent is in the visible part of the world, if it has just been selected or the files have
    /// just taken a part of the world.
    pub(super) fn uncover_selected(&mut self, state: &ViewState) {
        let absent = state.absent.as_ref().map(|absent| absent.pos);
        let selected = state.next_turn.as_ref().map(|next_turn| next_turn.pos).or(absent);
        let is_new = selected.is_some()
            && std::mem::replace(&mut self.shown_selections, state.selections) != state.selections;
        // The width of the files is that of their text.
        let is_covered = !state.files.is_empty() && std::mem::take(&mut self.is_world_covered);
        let is_due = (is_new || is_covered) && !self.is_following;
        let Some(selected) = selected.filter(|_| is_due) else { return };
        let (width, height) = self.layout(state).world;
        let size = Vec2::new(width as f32, height as f32);
        let margin = Vec2::splat(LEAST_AROUND).min(size / 2.0);
        let camera = self.camera(state);
        let at = camera.pixel(selected);
        let is_visible = at.cmpge(Vec2::ZERO).all() && at.cmple(size).all();
        if !is_visible {
            // An agent that is looked for is seen best in the middle.
            let wanted = if is_new { size / 2.0 } else { at.clamp(margin, size - margin) };
            let by = wanted - at;
            self.view = Some(camera.panned(by.x, by.y));
        }
    }

    /// Puts something with the corners `low` and `high` into the middle of the window, as large as everything is now, and says so.
    pub(super) fn show_middle(
        &mut self,
        state: &ViewState,
        corners: Option<(Vec2, Vec2)>,
        name: Option<String>,
    ) -> Option<PlayerCommand> {
        let (low, high) = corners?;
        self.is_following = false;
        self.view = Some(self.camera(state).centered((low + high) / 2.0));
        let text = format!("{} is in the middle now", name?);
        Some(PlayerCommand::Notice { text, is_failure: false })
    }

    /// Shows the whole world.
    pub(super) fn fit(&mut self) {
        self.region = ShownRegion::default();
        self.is_following = false;
        self.view = None;
    }

    /// Handles a new size of the window, or another factor.
    pub(crate) fn set_scale(&mut self, scale: Scale) {
        self.scale = scale;
        self.size = scale.layout_size();
    }

    /// Draws everything larger by some steps, or smaller if negative; 0 returns to the factor at the start. Says how large.
    pub(super) fn change_scale(&mut self, steps: i32) -> Vec<PlayerCommand> {
        let mut scale = self.scale;
        scale.change(steps);
        let (before, now) = (self.scale.factor(), scale.factor());
        self.set_scale(scale);
        let text = if before == now && steps != 0 {
            format!(
                "drawn at {}x: no {} fits",
                short(now),
                if steps > 0 { "larger" } else { "smaller" }
            )
        } else {
            format!("drawn at {}x", short(now))
        };
        vec![PlayerCommand::Notice { text, is_failure: false }]
    }

    /// Shows fewer ticks around the pointer, which is on the time bar or in a plot; more if `steps` is negative.
    pub(super) fn zoom_time(&mut self, state: &ViewState, steps: i32) {
        let layout = self.layout(state);
        let tick = layout.tick_at(self.pointer, state);
        self.shown_time.zoom(layout.ends(state), tick, steps, state);
    }
}
