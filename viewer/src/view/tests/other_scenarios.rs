//! Tests of the list of other scenarios.

use super::super::other_scenarios::OtherScenarios;
use super::*;

#[test]
fn scenarios_of_the_project_are_found_and_no_other_files() {
    let folder = tempfile::tempdir().unwrap();
    let scenarios = folder.path().join("scenarios");
    fs::create_dir_all(scenarios.join("more")).unwrap();
    for name in ["a.ron", "b.ron", "more/c.ron", "a.plan.ron", "a.golden", "notes.txt"] {
        fs::write(scenarios.join(name), "()").unwrap();
    }
    let all = OtherScenarios::of(&scenarios.join("a.ron"));
    let since = Instant::now();
    while all.paths().is_empty() && since.elapsed() < Duration::from_secs(20) {
        thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(*all.paths(), [scenarios.join("b.ron"), scenarios.join("more/c.ron")]);
    fs::write(folder.path().join("alone.ron"), "()").unwrap();
    assert!(OtherScenarios::of(&folder.path().join("alone.ron")).paths().is_empty());
}
