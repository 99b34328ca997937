//! The window: shows a run, reloads edited files, goes back in its history, and explains decisions.
//!
//! It has three parts. The [`player`] owns the session and advances it on its own thread. The screen ([`ui`],
//! [`screen`] and the panels) turns the [`view_state`] that the player publishes into pixels, and keys and clicks into
//! commands for the player. The [`window`] only passes keys in and pixels out. All parts but the window work without a
//! display.

mod command;
mod error_panel;
mod explain;
mod explain_text;
mod help;
mod keys;
mod layout;
mod margin_track;
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

pub(crate) use margin_track::MarginTrack;
pub(crate) use window::{ViewSettings, WindowError, open};
