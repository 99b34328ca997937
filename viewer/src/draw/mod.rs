//! Draws a world into pixels.
//!
//! Owns the camera, the colors, the shapes of everything that a scenario has, the letters, and the bytes of
//! pictures and films. It must not use windows, files or the command line: its callers show or write the
//! [`Picture`]. The y axis of the world points up, so angles are counter-clockwise, as in scenarios.
#![cfg_attr(
    not(feature = "window"),
    expect(dead_code, unused_imports, reason = "some items are only used by the window")
)]

mod agents;
mod arrow;
mod blend;
mod camera;
mod clip;
mod color;
mod density;
mod film;
mod picture;
mod scale_bar;
mod stamps;
mod text;
mod track;
mod trails;
mod world;

pub(crate) use agents::{AgentMark, agents, ghosts, ring};
pub(crate) use arrow::{arrow, arrows};
pub(crate) use camera::{Camera, Rect};
pub(crate) use color::{Color, DARK, LIGHT, Palette};
pub(crate) use film::{ColorCounts, FILM, Film};
pub(crate) use picture::{Pen, Picture};
pub(crate) use scale_bar::scale_bar;
pub(crate) use text::{Anchor, Typeface, text, text_width};
pub(crate) use track::track;
pub(crate) use trails::{Trail, trails};
pub(crate) use world::{background, goals, marks};

#[cfg(test)]
pub(crate) use film::tests::played;
#[cfg(test)]
mod laws;
#[cfg(test)]
mod tests;
