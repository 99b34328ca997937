//! Constants and functions that the tests with real editors share.

use std::env;
use std::ffi::OsString;

pub(super) const SCENARIO: &str = r#"(
    world: (size: (100, 100)),
    groups: {
        "walkers": (behavior: "walk", spawn: Points([(0, 0)]), params: { "push": 1.0 }),
    },
    ticks: 10,
    expect: [MaxSpeed(speed: 0.01)],
)
"#;

pub(super) const SCRIPT: &str = "fn steer(me) {\n    vec(me.params.push, 0)\n}\n";

/// Returns the folders in which programs are searched: first that of the program under test, so that editors start it by its name.
pub(super) fn path_with_program() -> OsString {
    let program = snapbox::cmd::cargo_bin!("flockwork");
    let others = env::var_os("PATH").unwrap_or_default();
    let folders = program.parent().map(|folder| folder.to_owned()).into_iter();
    env::join_paths(folders.chain(env::split_paths(&others))).unwrap()
}
