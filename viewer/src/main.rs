//! The program `flockwork`.
fn main() {}
