//! The program `flockwork`.

mod area;
mod chart;
mod cli;
mod draw;
mod lsp;
mod plan_file;
mod report;
mod sharing;
mod user_folder;
#[cfg(feature = "window")]
mod view;

fn main() -> std::process::ExitCode {
    cli::main()
}
