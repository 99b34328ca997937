//! The language server: what `check` finds and what the definitions know, in an editor.
//!
//! [`Server::handle`] answers messages in order. Changed files are checked by [`Server::check_some`] when no message waits, so typing
//! quickly never piles up work. All knowledge about scenarios and scripts comes from the engine: nothing that scripts can call is
//! listed here. It needs no threads, processes, sockets or clocks; without a disk, all files are those that are open.

mod actions;
mod calls;
mod canceled;
mod capabilities;
mod completion;
mod diagnostics;
mod docs;
mod entries;
mod follow;
mod formatting;
mod hints;
mod hover;
mod imports;
mod inline_values;
mod known_types;
mod lenses;
mod line_values;
mod live;
mod member_order;
mod mirrors;
mod moved_scripts;
mod name_help;
mod names;
mod navigate;
mod outline;
mod own_names;
mod own_requests;
#[cfg(not(feature = "plans"))]
#[path = "no_plans.rs"]
mod plan_file;
mod plans;
mod plural;
mod position;
mod project;
mod reference_file;
mod rename;
mod rename_comments;
mod rhai_text;
mod semantic;
mod server;
mod shared_values;
mod snippets;
mod told_values;
mod types;
mod typing;
mod unchanged_lines;
mod uri;
mod variant_order;
mod world_values;

#[cfg(feature = "plans")]
use flockwork_engine::plan_file;

pub use actions::OPEN_COMMAND;
pub use canceled::CanceledRequests;
pub use capabilities::{capabilities, initialize_result};
pub use docs::first_sentence;
pub use lenses::{LensCommand, Work};
pub use line_values::{LineValues, line_values, lines_of_values};
pub use live::LiveValues;
pub use name_help::NameHelp;
pub use project::{is_script, name_of};
pub use reference_file::reference_text;
pub use server::{Server, respond};
pub use shared_values::{SharedFile, SharedValue, SharedValues};
pub use typing::{
    CallHelp, ChangedFile, NameUse, RenamedName, Suggestion, Typing, TypingHelp, WordHelp,
};
pub use unchanged_lines::{UnchangedLines, end_of_first_change};
pub use uri::uri;
