//! Edits of the scene.

use super::*;
use crate::scenario::{SceneEdit, ScenePart};

fn add_rock() -> SceneEdit {
    SceneEdit::AddObstacle { center: Vec2::new(15.0, 5.0), radius: 2.0 }
}

#[test]
fn an_edit_of_the_scene_is_written_runs_and_is_undone() {
    let project = Project::new();
    let text = || fs::read_to_string(project.path()).unwrap();
    let mut session = project.open();
    step(&mut session, 10);
    let before = session.handles().len();
    session.edit_scene(&add_rock()).unwrap();
    assert!(text().contains("obstacle_1"), "{}", text());
    took(&mut session);
    assert_eq!(session.tick(), 10);
    assert!(session.simulation().world().obstacles.iter().any(|one| &*one.name == "obstacle_1"));
    // Its center and its radius.
    assert_eq!(session.handles().len(), before + 2);
    let rock = ScenePart::Obstacle("obstacle_1".to_owned());
    let to = vec![(0, Vec2::new(16.0, 6.0))];
    session.edit_scene(&SceneEdit::Move { part: rock, to }).unwrap();
    let moved = text();
    assert!(moved.contains("center: (16, 6)"), "{moved}");

    assert_eq!(session.undo_scene_edit(), Ok(true));
    assert_eq!(session.undo_scene_edit(), Ok(true));
    assert_eq!(session.undo_scene_edit(), Ok(false));
    assert_eq!(text(), SCENARIO);
    took(&mut session);
    assert!(session.simulation().world().obstacles.iter().all(|one| &*one.name != "obstacle_1"));
    assert_eq!(session.redo_scene_edit(), Ok(true));
    assert_eq!(session.redo_scene_edit(), Ok(true));
    assert_eq!(session.redo_scene_edit(), Ok(false));
    assert_eq!(text(), moved);
}

#[test]
fn an_edit_by_another_program_is_never_lost() {
    let project = Project::new();
    let mut session = project.open();
    session.edit_scene(&add_rock()).unwrap();
    let edited = fs::read_to_string(project.path()).unwrap() + "// mine\n";
    project.scenario(&edited);
    let error = session.undo_scene_edit().unwrap_err();
    assert!(error.message.contains("was changed since that edit"), "{}", error.message);
    assert_eq!(fs::read_to_string(project.path()).unwrap(), edited);
    // The next edit begins with the file as it is.
    session.edit_scene(&add_rock()).unwrap();
    let text = fs::read_to_string(project.path()).unwrap();
    assert!(text.contains("obstacle_2") && text.ends_with("// mine\n"), "{text}");
    project.scenario("(");
    assert!(session.edit_scene(&add_rock()).is_err());
    assert_eq!(fs::read_to_string(project.path()).unwrap(), "(");
}
