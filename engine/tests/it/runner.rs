//! Runs from files: what is opened, what is set, what is told when it cannot be.

use std::fs;

use flockwork::{Diagnostic, Options, Run, world_hash};
use tempfile::TempDir;

/// A project with groups of these behaviors, each group named after its place.
fn project(behaviors: &[&str], scripts: &[(&str, &str)]) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    let groups: String = behaviors
        .iter()
        .enumerate()
        .map(|(i, behavior)| {
            format!(
                r#""g{i}": (behavior: "{behavior}", spawn: Points([({i}, 0)]), params: {{ "x": 1.0 }}),"#
            )
        })
        .collect();
    let scenario =
        format!("(seed: 1, ticks: 5, world: (size: (100, 100)), groups: {{ {groups} }})");
    fs::write(dir.path().join("plain.ron"), scenario).unwrap();
    fs::create_dir(dir.path().join("scripts")).unwrap();
    for (name, text) in scripts {
        fs::write(dir.path().join(format!("scripts/{name}.rhai")), text).unwrap();
    }
    dir
}

fn open(dir: &TempDir, settings: &[&str]) -> Result<Run, Vec<Diagnostic>> {
    let settings = settings.iter().map(|text| text.parse().unwrap()).collect();
    let options = Options {
        settings,
        ..Options::default()
    };
    Run::open(&dir.path().join("plain.ron"), &options)
}

#[test]
fn a_run_goes_on_the_same_with_the_same_options() {
    let script = (
        "a",
        "fn steer(me) { vec(me.params.x, 0) + me.wander(1, 1, 5) }",
    );
    let dir = project(&["a", "a"], &[script]);
    let hash = |settings: &[&str]| {
        let mut run = open(&dir, settings).unwrap();
        assert_eq!((run.name(), run.ticks()), ("plain", 5));
        for _ in 0..run.ticks() {
            run.step().unwrap();
        }
        world_hash(run.simulation().world(), run.simulation().minds())
    };
    assert_eq!(hash(&[]), hash(&[]));
    assert_ne!(hash(&[]), hash(&["g1.x=2"]));
}

#[test]
fn all_that_is_wrong_is_told_and_each_once() {
    let dir = project(
        &["a", "b", "none", "a"],
        &[
            ("a", "import \"lib\" as lib; fn steer(me) { vec(0, 0) }"),
            ("b", "import \"lib\" as lib; fn steer(me) { vec(0, 0) }"),
            ("lib", "fn broken( {"),
        ],
    );
    let errors = open(&dir, &["g0.y=1", "g0.x=[1"]).err().unwrap();
    let text: String = errors.iter().map(ToString::to_string).collect();
    for part in [
        "no param `y`",
        "cannot read `[1`",
        "scripts/lib.rhai:1:",
        "behavior `none`",
    ] {
        assert_eq!(text.matches(part).count(), 1, "{part} in\n{text}");
    }
    assert_eq!(errors.len(), 4, "{text}");
}
