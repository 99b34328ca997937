//! Passes movements of the pointer in, and gives it the shape that says what a click does.

use flockwork_engine::math::Vec2;
use minifb::CursorStyle;

use super::super::command::PlayerCommand;
use super::super::pointer_shape::PointerShape;
use super::super::view_state::ViewState;
use super::WindowLoop;

impl WindowLoop<'_> {
    /// Handles a new position of the pointer, in pixels of the screen; `None` if it has left the window.
    pub(super) fn move_pointer(
        &mut self,
        at: Option<Vec2>,
        state: &ViewState,
    ) -> Vec<PlayerCommand> {
        (self.ui.has_ctrl, self.ui.has_shift) =
            (self.keys.borrow().has_ctrl(), self.keys.borrow().has_shift());
        let at = at.map(|at| self.ui.scale.layout_point(at));
        if at == self.pointer {
            return Vec::new();
        }
        self.pointer = at;
        let hover = self.ui.hover();
        let commands = self.ui.pointer_moved(at, state);
        self.is_dirty |= self.ui.is_dragging() || self.ui.hover() != hover;
        self.window.set_cursor_style(style(self.ui.pointer_shape));
        commands
    }
}

fn style(shape: PointerShape) -> CursorStyle {
    match shape {
        PointerShape::Arrow => CursorStyle::Arrow,
        PointerShape::Hand => CursorStyle::OpenHand,
        PointerShape::Text => CursorStyle::Ibeam,
        PointerShape::Sideways => CursorStyle::ResizeLeftRight,
        PointerShape::UpDown => CursorStyle::ResizeUpDown,
    }
}
