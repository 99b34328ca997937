//! The window: a run is shown, edited, looked back at and asked why.
//!
//! Three parts, from the inside out: the [`player`] owns the session, on a thread of its own, and lets time
//! pass; the screen ([`ui`] and what it is made of) turns what the player shows into pixels, and keys and
//! clicks into commands for it; the window itself only brings keys in and pixels out. All but the window
//! works without a display.

mod command;
mod failure;
mod help;
mod keys;
mod layout;
mod panels;
mod player;
mod screen;
mod server;
mod sheet;
mod shown;
mod telling;
mod tune;
mod ui;
mod why;
mod window;

#[cfg(test)]
mod tests;

pub(crate) use window::{Look, NoWindow, open};
