//! The program `flockwork`.

mod area;
mod cli;
mod draw;
mod report;
#[cfg(feature = "window")]
mod view;

fn main() -> std::process::ExitCode {
    cli::main()
}
