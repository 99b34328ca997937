//! A window that shares with editors what it shows: the values of the selected agent at the shown tick.
//!
//! `flockwork view --editor` listens on a socket that only the same user can reach, one for each project, and the language server
//! finds it by the folder of the project. Both send lines of JSON. Values go from the window to the language server, and
//! so does the request to show a line. The language server only says hello. Neither trusts the other to send anything sensible.

#[cfg(all(unix, feature = "window"))]
mod host;
#[cfg(unix)]
mod messages;
#[cfg(all(not(unix), feature = "window"))]
mod no_host;
#[cfg(unix)]
mod socket;
#[cfg(feature = "window")]
mod values;

#[cfg(all(unix, feature = "window"))]
pub(crate) use host::Host;
#[cfg(unix)]
pub(crate) use messages::{FromWindow, Hello, VERSION};
#[cfg(all(not(unix), feature = "window"))]
pub(crate) use no_host::Host;
#[cfg(unix)]
pub(crate) use socket::{Lines, connect, send};
#[cfg(feature = "window")]
pub(crate) use values::values;
