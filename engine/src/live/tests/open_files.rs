//! Sessions on files that are open and not on disk, as in a browser.

use super::*;
use crate::load::OpenFiles;
use crate::scenario::{NewObstacle, SceneEdit};

#[test]
fn a_session_needs_no_disk() {
    let (scenario, bird) = (Path::new("no/scenarios/a.ron"), Path::new("no/scripts/bird.rhai"));
    let mut files = OpenFiles::default();
    files.open(scenario, SCENARIO);
    files.open(bird, BIRD);
    files.open(Path::new("no/scripts/guard.rhai"), GUARD);
    let mut session = Session::open_files(files, scenario, Options::default()).unwrap();
    assert_eq!(session.reload(), ReloadResult::Unchanged);
    step(&mut session, 50);

    let project = Project::new();
    let mut on_disk = project.open();
    step(&mut on_disk, 50);
    assert_eq!(hash(&session), hash(&on_disk));

    let edited = BIRD.replace("0.4 * me.wander()", "me.seek(me.pos)");
    session.files_mut().open(bird, "fn steer(me) { oops }");
    assert_eq!(session.reload(), ReloadResult::Failed);
    assert_eq!(session.errors()[0].place.as_ref().unwrap().source.name, "no/scripts/bird.rhai");
    step(&mut session, 10);
    session.files_mut().open(bird, &edited);
    assert!(matches!(session.reload(), ReloadResult::Adopted(_)));
    step(&mut on_disk, 10);
    project.script("bird", &edited);
    on_disk.reload();
    for session in [&mut session, &mut on_disk] {
        step(session, 20);
        let rock = SceneEdit::AddObstacle {
            center: Vec2::new(15.0, 5.0),
            shape: NewObstacle::Circle(2.0),
        };
        assert_eq!(session.edit_scene(&rock), Ok(true));
        assert!(matches!(session.reload(), ReloadResult::Adopted(_)));
        step(session, 20);
    }
    assert_eq!(hash(&session), hash(&on_disk));
    // Edits are written where the file is: nothing is on disk.
    let written = session.files().get(scenario).unwrap();
    assert_eq!(written.text, fs::read_to_string(project.path()).unwrap());
    assert!(written.text.contains("obstacle_1") && !scenario.exists());
}
