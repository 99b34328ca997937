//! `flockwork fmt`, which writes over the files that it reads.

use std::fs;

use crate::project::Project;

const SCENARIO: &str = "(\n  world: (size: (9,9)),\r\n  groups: {}, // none  \n\n\n)";
const FORMATTED: &str = "(\n    world: (size: (9, 9)),\n    groups: {}, // none\n)\n";
const BROKEN: &str = "fn steer(me) {\n  vec(1, 2\n}\n";

#[test]
fn files_are_formatted_and_those_with_errors_stay() {
    let project = Project::empty()
        .with("scenarios/a.ron", SCENARIO)
        .with("scenarios/marked.ron", format!("\u{feff}{SCENARIO}"))
        .with("scenarios/a.plan.ron", "(scenario:\"a.ron\",seeds:2)\n")
        .with("scripts/broken.rhai", BROKEN)
        .with("scripts/good.rhai", "fn steer(me) { me.wander() }\n")
        .with("other/a.ron", SCENARIO);
    let all = project.all_names();
    let checked = project.flockwork(&["fmt", "--check"]);
    for part in [
        "--- scenarios/a.ron\n+++ scenarios/a.ron\n@@ -1,6 +1,4 @@\n",
        "-  world: (size: (9,9)),\n",
        "+    world: (size: (9, 9)),\n",
        "+(scenario: \"a.ron\", seeds: 2)\n",
    ] {
        assert!(checked.out().contains(part), "{part}: {}", checked.out());
    }
    checked.says(1, &["scripts/broken.rhai:2:6", "5 files: 3 not formatted, 1 error"]);
    assert_eq!(project.read("scenarios/a.ron"), SCENARIO);
    project
        .flockwork(&["fmt"])
        .says(1, &["scripts/broken.rhai:2:6", "5 files: 3 changed, 1 error"]);
    assert_eq!(project.read("scenarios/a.ron"), FORMATTED);
    assert_eq!(project.read("scenarios/marked.ron"), format!("\u{feff}{FORMATTED}"));
    assert_eq!(project.read("scenarios/a.plan.ron"), "(scenario: \"a.ron\", seeds: 2)\n");
    assert_eq!(project.read("scripts/broken.rhai"), BROKEN);
    assert_eq!(project.read("other/a.ron"), SCENARIO);
    assert_eq!(project.all_names(), all);
    project.flockwork(&["fmt", "scenarios"]).says(0, &["3 files: 0 changed, 0 errors"]);
    project.flockwork(&["fmt", "--check", "scenarios"]).says(0, &["0 not formatted"]);
    project.flockwork(&["fmt", "none.ron"]).says(2, &["there is no file"]);
    Project::empty().flockwork(&["fmt"]).says(2, &["give a path"]);
}

/// A file that is formatted is not written, so that no editor or build sees a change.
#[cfg(unix)]
#[test]
fn links_permissions_and_formatted_files_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let project = Project::empty().with("real.ron", SCENARIO).with("scenarios/b.ron", FORMATTED);
    let (real, link) = (project.path("real.ron"), project.path("scenarios/a.ron"));
    symlink("../real.ron", &link).unwrap();
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
    let good = project.path("scenarios/b.ron");
    let before = fs::metadata(&good).unwrap().modified().unwrap();
    project.flockwork(&["fmt"]).says(0, &["2 files: 1 changed"]);
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read_to_string(&real).unwrap(), FORMATTED);
    assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
    assert_eq!(fs::metadata(&good).unwrap().modified().unwrap(), before);
}
