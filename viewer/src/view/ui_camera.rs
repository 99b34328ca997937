//! Which part of the world the window shows, and how large everything is drawn.

use flockwork_engine::math::{Vec2, short};

use super::command::PlayerCommand;
use super::layout::Layout;
use super::scale::Scale;
use super::shown_region::ShownRegion;
use super::ui::Ui;
use super::view_state::ViewState;
use crate::draw::Camera;

/// With less room than this beside a panel, the whole world is shown behind it, in pixels.
const MIN_WORLD: f32 = 400.0;

impl Ui {
    /// Returns the camera.
    pub(super) fn camera(&self, state: &ViewState) -> Camera {
        let view = self.view.unwrap_or_else(|| self.whole_world_camera(state));
        match &state.next_turn {
            Some(next_turn) if self.is_following => view.centered(next_turn.pos),
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

    /// Shows the whole world, beside the selected agent's panel if there is room.
    pub(super) fn fit(&mut self, state: &ViewState) {
        self.region = ShownRegion::default();
        let (layout, is_open) = (self.layout(state), state.next_turn.is_some());
        let free = layout.free.clone();
        let (width, (_, height)) = (free.end - free.start, layout.world);
        self.is_following = false;
        let is_covered = is_open && layout.column.is_none();
        self.view = (is_covered && width >= MIN_WORLD).then(|| {
            let beside =
                Camera::fit(self.region.rect(&state.world), (width as u32, height), Layout::MARGIN);
            beside.panned(free.start, 0.0)
        });
    }

    /// Shows the whole world beside the panel of the agent that was selected when the window opened.
    pub(super) fn fit_if_due(&mut self, state: &ViewState) {
        if self.fits_soon && state.next_turn.is_some() {
            self.fits_soon = false;
            if self.view.is_none() {
                self.fit(state);
            }
        }
    }

    /// Handles a new size of the window, or another factor.
    pub(crate) fn set_scale(&mut self, scale: Scale) {
        self.scale = scale;
        self.size = scale.layout_size();
        self.view = self.view.map(|view| view.resized(self.size));
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
}
