//! The program `flockwork`.

mod area;
// For pictures in the book, which its tests draw.
mod chart;
mod cli;
mod draw;
mod report;
#[cfg(feature = "window")]
mod view;

fn main() -> std::process::ExitCode {
    cli::main()
}
