//! The panels over the world, and what all of them use.
//!
//! To add a panel: write a file with a [`Panel`], give it a place in [`Layout`](super::layout::Layout), and list it in
//! [`PANELS`]. Its widgets name a [`UiCommand`](super::ui_command::UiCommand), as keys do.

mod column;
mod expectations;
mod legend;
mod log;
mod messages;
mod params;
mod plot;
mod plot_list;
mod question;
mod remarks;
mod results;
mod scene;
mod status;
mod time_bar;

use std::ops::Range;

use flockwork_engine::math::Vec2;

use super::frame::Panel;
use super::layout::Area;
use super::text_writer::{PAD, SIZE, TextWriter};
use super::{error_panel, explain, help};
use crate::draw::{Palette, Pen, Picture};

pub(super) use expectations::height as expectations_height;
#[cfg(test)]
pub(super) use expectations::summary as expectations_summary;
pub(super) use legend::area as legend_area;
pub(crate) use log::LogView;
pub(super) use messages::LONG_TASK;
#[cfg(test)]
pub(super) use params::value_words;
pub(super) use results::area as results_area;
pub(super) use scene::HEIGHT as SCENE_HEIGHT;
pub(super) use status::recording_mark;
#[cfg(test)]
pub(super) use status::words as status_words;
#[cfg(test)]
pub(super) use time_bar::SPEED;
pub(super) use time_bar::speed;

/// Width of a scroll bar, in pixels.
const SCROLL_BAR: f32 = 4.0;

/// All panels, from the back to the front.
pub(super) const PANELS: &[&Panel] = &[
    &status::PANEL,
    &remarks::PANEL,
    &time_bar::PANEL,
    &plot::PANEL,
    &column::PANEL,
    &legend::PANEL,
    &results::PANEL,
    &params::PANEL,
    &scene::PANEL,
    &explain::PANEL,
    &error_panel::PANEL,
    &messages::PANEL,
    &log::PANEL,
    &expectations::PANEL,
    &plot_list::PANEL,
    &question::PANEL,
    &help::PANEL,
];

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
