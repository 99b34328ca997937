//! The program `flockwork`.

mod cli;

fn main() -> std::process::ExitCode {
    cli::main()
}
