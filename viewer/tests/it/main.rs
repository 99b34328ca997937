//! The program as a person meets it: the real binary, in folders of its own.
#![expect(clippy::unwrap_used, reason = "what a test sets up either works or fails the test")]

mod bench;
#[cfg(all(unix, feature = "window"))]
mod book;
#[cfg(unix)]
mod bounded;
mod check;
mod commands;
mod compare;
mod completions;
mod debug;
#[cfg(target_os = "linux")]
mod engines;
mod explain;
mod export;
mod figures;
mod fmt;
#[cfg(unix)]
mod hostile;
mod hunt;
mod import;
#[cfg(target_os = "linux")]
mod install;
#[cfg(unix)]
mod interrupt;
mod lsp;
mod new;
mod outputs;
mod parquet;
mod project;
mod reference;
mod render;
mod run;
mod run_fails;
mod score;
mod shards;
mod start;
mod sweep;
mod test;
mod test_causes;
mod test_changed;
mod test_ci;
mod tune;
#[cfg(feature = "window")]
mod view;
