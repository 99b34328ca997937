//! The program `flockwork`.

fn main() -> std::process::ExitCode {
    // The commit that a release is built from, such as `1a2b3c4 2026-11-26`.
    flockwork::main(option_env!("FLOCKWORK_COMMIT"))
}
