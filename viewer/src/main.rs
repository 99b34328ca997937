//! The program `flockwork`.

fn main() -> std::process::ExitCode {
    flockwork::main()
}
