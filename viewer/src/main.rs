//! The program `flockwork`.

mod cli;
#[cfg_attr(
    not(test),
    expect(dead_code, unused_imports, reason = "no command draws yet")
)]
mod draw;
#[cfg_attr(
    not(test),
    expect(dead_code, reason = "no command writes a report yet")
)]
mod report;

fn main() -> std::process::ExitCode {
    cli::main()
}
