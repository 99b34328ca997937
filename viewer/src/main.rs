//! The program `flockwork`.

mod cli;
mod draw;
mod report;

fn main() -> std::process::ExitCode {
    cli::main()
}
