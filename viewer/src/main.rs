//! The program `flockwork`.

mod area;
mod chart;
mod cli;
mod draw;
mod lsp;
mod report;
#[cfg(feature = "window")]
mod view;

fn main() -> std::process::ExitCode {
    cli::main()
}
