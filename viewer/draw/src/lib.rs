//! Draws a world into pixels.
//!
//! Owns the camera, the colors, the shapes of everything that a scenario has, the letters, and the bytes of
//! pictures and films. It must not use windows, files or the command line: its callers show or write the
//! [`Picture`]. The y axis of the world points up, so angles are counter-clockwise, as in scenarios.

mod agents;
mod arrow;
mod arrow_names;
mod blend;
mod camera;
mod clip;
mod color;
mod color_by;
mod decision;
mod density;
mod film;
mod frame;
mod ground;
mod least_size;
mod picture;
mod scale_bar;
mod shapes;
mod signs;
mod stamps;
mod text;
mod track;
mod trails;
mod world;

pub use agents::{AgentMark, agent_at, agents, agents_beyond, failed_with, ghosts, ring, sign};
pub use arrow::{arrow, arrows};
pub use camera::{Camera, Rect};
pub use color::{Color, DARK, LIGHT, Palette};
pub use color_by::{AgentColors, ColorBy};
pub use decision::{decision, neighbors_beyond};
pub use film::{ColorCounts, Film};
pub use frame::frame;
pub use picture::{Pen, Picture};
pub use scale_bar::scale_bar;
pub use shapes::shape_loops;
pub use signs::{labels, signs};
pub use text::{Anchor, Typeface, text, text_width};
pub use track::track;
pub use trails::{Trail, trail_ticks, trails};
pub use world::{Scenery, background, goal_at, goals, marks};

#[cfg(test)]
mod frames;
#[cfg(test)]
mod laws;
#[cfg(test)]
mod tests;
