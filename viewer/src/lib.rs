//! The program `flockwork`: everything but its entry point, so that it compiles beside the engine.

mod area;
mod chart;
mod cli;
mod debugger;
mod lsp;
mod page_project;
mod report;
mod sharing;
mod ticks;
mod user_folder;
#[cfg(feature = "window")]
mod view;

use flockwork_draw as draw;

/// Runs the program with the arguments of this process. Its version shows the commit that it is built from, if that is known.
pub fn main(commit: Option<&str>) -> std::process::ExitCode {
    cli::main(commit)
}
