//! The window: a run is shown, edited, looked back at and asked why.
//!
//! Three parts, from the inside out: the [`player`] owns the session, on a thread of its own, and lets time
//! pass; the screen ([`ui`] and what it is made of) turns what the player shows into pixels, and keys and
//! clicks into commands for it; the window itself only brings keys in and pixels out. All but the window
//! works without a display.

mod command;
mod error_panel;
mod explain;
mod explain_text;
mod help;
mod keys;
mod layout;
mod panels;
mod player;
mod screen;
mod text_writer;
mod tune;
mod ui;
mod view_state;
mod window;
mod window_events;

#[cfg(test)]
mod tests;

pub(crate) use window::{ViewSettings, WindowError, open};
