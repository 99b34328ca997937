//! Drawing a world into pixels.
//!
//! Owns the camera, the colours, the shapes of everything that a scenario has, and the letters. It knows
//! no window, no file and no command line: whoever wants one shows or writes the [`Picture`]. The y axis
//! of the world points up, so that angles turn as scenarios say.

mod camera;
mod colour;
mod picture;
mod scale_bar;
mod text;
mod track;
mod world;

pub(crate) use camera::{Camera, Rect};
pub(crate) use colour::{Colour, DARK, LIGHT, Palette};
pub(crate) use picture::{Pen, Picture};
pub(crate) use scale_bar::scale_bar;
pub(crate) use text::{Anchor, text, text_width};
pub(crate) use track::track;
pub(crate) use world::{Mark, agents, surroundings, world};

#[cfg(test)]
mod tests;
