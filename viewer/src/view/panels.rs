//! The panels of the window, and what all of them use.
//!
//! To add a panel, write a file in `panels/` with a [`Panel`], and add its name to the list below. Everything else loops over
//! [`PANELS`]: layout, drawing, the mouse, keys, the help, the buttons of the status line, and Esc.

use std::ops::Range;

use flockwork_engine::math::Vec2;

use super::area::Area;
use super::panel::Panel;
use super::panel_states::PanelId;
use super::text_writer::{PAD, SIZE, TextWriter};
use crate::draw::{Palette, Pen, Picture};

/// Declares the module of each panel, and the list of all panels.
macro_rules! panels {
    ($($name:ident,)*) => {
        $(pub(super) mod $name;)*

        /// All panels, from the back to the front.
        pub(super) static PANELS: &[&Panel] = &[$(&$name::PANEL),*];

        /// The name of the file of each panel.
        #[cfg(test)]
        pub(super) const NAMES: &[&str] = &[$(stringify!($name)),*];
    };
}

// From the back to the front.
panels! {
    status,
    remarks,
    time_bar,
    plot,
    column,
    legend,
    results,
    params,
    scene,
    agent,
    error,
    messages,
    log,
    expectations,
    plot_list,
    question,
    help,
}

/// Width of a scroll bar, in pixels.
const SCROLL_BAR: f32 = 4.0;

/// Returns the panel with an id.
pub(super) fn with_id(id: PanelId) -> &'static Panel {
    let panel = PANELS.iter().find(|panel| panel.id == id);
    panel.expect("ids come from panels of the list")
}

/// Returns a writer that starts at the top of a panel.
pub(super) fn writer(picture: &mut Picture, area: Area) -> TextWriter<'_> {
    TextWriter {
        picture,
        left: area.min.x + PAD,
        right: area.max.x - PAD,
        base: area.min.y + PAD + SIZE,
        start: area.min.y,
        end: area.max.y - PAD / 2.0,
    }
}

/// Draws the background and the frame of a panel.
pub(super) fn ground(picture: &mut Picture, area: Area, palette: &Palette) {
    picture.fill_rect(area.min, area.max, palette.panel);
    frame(picture, area, Pen::new(palette.edge.alpha(140), 1.0));
}

/// Draws a scroll bar at the right of a panel, between two y coordinates.
pub(super) fn scroll_bar(picture: &mut Picture, area: Area, bar: Range<f32>, palette: &Palette) {
    let right = area.max.x - 4.0;
    let (min, max) = (Vec2::new(right - SCROLL_BAR, bar.start), Vec2::new(right, bar.end));
    picture.fill_rect(min, max, palette.quiet);
}

fn frame(picture: &mut Picture, area: Area, pen: Pen) {
    let (a, b) = (area.min + Vec2::splat(0.5), area.max - Vec2::splat(0.5));
    let corners = [a, Vec2::new(b.x, a.y), b, Vec2::new(a.x, b.y)];
    picture.line(&corners, true, pen);
}
