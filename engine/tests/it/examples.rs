//! Runs every example, which must end on its own and print something. A new example needs no code here.

use std::env::consts::EXE_SUFFIX;
use std::path::Path;
use std::process::Command;

use crate::support::skipped;

#[test]
fn every_example_ends_by_itself_and_prints() {
    // `cargo test` builds examples into a folder next to that of the tests.
    let this = std::env::current_exe().unwrap();
    let built = this.parent().and_then(Path::parent).unwrap().join("examples");
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").read_dir().unwrap();
    for source in sources.map(|entry| entry.unwrap().path()) {
        let name = source.file_stem().unwrap().to_str().unwrap();
        let program = built.join(format!("{name}{EXE_SUFFIX}"));
        let age = |path: &Path| path.metadata().and_then(|about| about.modified()).ok();
        if age(&program) < age(&source) {
            skipped(&format!("the example {name} is not built; `cargo test` without --test does"));
            continue;
        }
        let output = Command::new(&program).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{name}: {errors}");
        assert!(output.stdout.len() > 100, "{name} prints too little");
    }
}
