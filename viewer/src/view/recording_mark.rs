//! The mark of the window about films, in the corner of the world. It is not part of the film.

use flockwork_engine::math::Vec2;

use super::area::Area;
use super::layout::Layout;
use super::panels::remarks;
use super::recorder::RecordingMark;
use super::text_writer::SMALL;
use super::ui::Ui;
use super::view_state::ViewState;
use crate::draw::{Anchor, Color, Picture, text, text_width};

/// Distance from the edges of the line to its content, in pixels.
const PAD: f32 = 8.0;
/// Size of the dot before the time of a recording, in pixels.
const DOT: f32 = 10.0;
/// The color of that dot, which is known from cameras.
const RECORDING: Color = Color { red: 224, green: 30, blue: 38, alpha: 255 };

/// Draws whether a film is recorded or written.
pub(super) fn recording_mark(
    picture: &mut Picture,
    ui: &Ui,
    state: &ViewState,
    mark: RecordingMark,
) {
    let (layout, palette) = (ui.layout(state), ui.palette());
    let (words, color) = match mark {
        RecordingMark::Recording(seconds) => (format!("recording {seconds:.0} s"), RECORDING),
        RecordingMark::Writing => ("writing the film".to_owned(), palette.quiet),
    };
    let width = text_width(&words, SMALL) + 3.0 * PAD + DOT;
    let right = layout.world.0 as f32 - Layout::GAP + 2.0;
    let bottom = layout.bottom - Layout::GAP + 2.0 - remarks::height(ui, state, layout.world.0);
    let area = Area::new((right - width).floor(), bottom - Layout::ROW, width, Layout::ROW);
    picture.fill_rect(area.min, area.max, palette.ground.alpha(225));
    let dot = Vec2::new(area.min.x + PAD + DOT / 2.0, area.max.y - Layout::ROW / 2.0);
    picture.disc(dot, DOT / 2.0, color);
    let at = Vec2::new(area.max.x - PAD, area.max.y - 7.0);
    text(picture, at, Anchor::Right, SMALL, palette.ink, &words);
}
