//! The language server of a page: it takes and gives messages of the Language Server Protocol as JSON, without headers.
//!
//! All files of the project are open, since a page has no disk. Nothing here waits: the page asks for the next check when it has
//! no message.

#[cfg(target_family = "wasm")]
mod bindings;
mod language;

pub use language::Language;
