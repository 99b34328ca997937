//! Tests of the list of other scenarios.

use std::path::Path;

use super::super::other_scenarios::OtherScenarios;
use super::super::window::opening::arguments;
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

/// A small test that was opened from a notice closed the script that was being read.
#[test]
fn a_scenario_opens_with_the_script_that_is_shown() {
    let test = PlayerTest::new();
    test.send(PlayerCommand::SetOverlays(Overlays { files: true, ..Overlays::default() }));
    let state = test.wait("the files", |state| state.files.len() > 2);
    let mut ui = Ui::new((900, 600), true);
    let other = Path::new("scenarios/b.ron");
    let words = |ui: &Ui| {
        let all = arguments(other, ui, &state);
        all.iter().map(|one| one.to_string_lossy()).collect::<Vec<_>>().join(" ")
    };
    let begin = "view scenarios/b.ron --size 900x600 --dark";
    assert_eq!(words(&ui), begin);
    let [scenario, script] = [0, 2].map(|index| state.files[index].name.clone());
    assert!(!ui.open_file(&script, 12).is_empty(), "the player has to publish the files");
    assert_eq!(words(&ui), format!("{begin} --file {script}:12"));
    // The other window has another scenario.
    ui.open_file(&scenario, 1);
    assert_eq!(words(&ui), format!("{begin} --file scenarios/b.ron:1"));
}
