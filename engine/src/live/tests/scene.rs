//! Edits of the scene.

use super::*;
use crate::scenario::{NewObstacle, SceneEdit, ScenePart};
use crate::world::AgentId;

fn add_rock() -> SceneEdit {
    SceneEdit::AddObstacle { center: Vec2::new(15.0, 5.0), shape: NewObstacle::Circle(2.0) }
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

/// Undoing an edit of a spawn made all its agents anew once more, at the tick of the undo.
#[test]
fn an_edit_of_a_spawn_is_undone_as_if_it_had_never_been() {
    let project = Project::new();
    let plain = run_hash(&project.path(), 100);
    let guards = ScenePart::Spawn("guard".to_owned());
    let moved = |x: f32| SceneEdit::Move { part: guards.clone(), to: vec![(0, Vec2::new(x, 9.0))] };
    for at in [0, 30, 64] {
        let mut session = project.open();
        step(&mut session, at);
        session.edit_scene(&moved(10.0)).unwrap();
        took(&mut session);
        let first = hash(&session);
        session.edit_scene(&moved(50.0)).unwrap();
        took(&mut session);
        step(&mut session, 20);
        assert_eq!(session.reload_without_edit(at + 5), None, "there is no edit");
        // The second edit at the same tick is undone, the first one stays.
        session.undo_scene_edit().unwrap();
        assert!(matches!(session.reload_without_edit(at), Some(ReloadResult::Adopted(_))));
        assert_eq!((session.tick(), session.end()), (at, at));
        // At the start, that is a run of the files: its agents are not made anew.
        assert_eq!(hash(&session) == first, at > 0, "at {at}");
        assert!(session.ghost().is_some());
        step(&mut session, 20);
        session.undo_scene_edit().unwrap();
        assert!(matches!(session.reload_without_edit(at), Some(ReloadResult::Adopted(_))));
        assert_eq!((session.tick(), session.edits()), (at, vec![0]));
        step(&mut session, 100 - at);
        assert_eq!(hash(&session), plain, "at {at}");
        session.seek(at / 2);
        session.seek(100);
        assert_eq!(hash(&session), plain, "again, at {at}");
    }
}

/// Only the first tick has the places of a `start`, so an edit of them at a later tick had no effect.
#[test]
fn an_edit_of_the_start_begins_the_run_again() {
    let project = Project::new();
    let mut session = project.open();
    step(&mut session, 30);
    let saved = session.save(false, None, None).unwrap().path;
    let plain = run_hash(&saved, 40);
    let mut session = Session::open(&saved, Options::default()).unwrap();
    step(&mut session, 20);
    let of = |session: &Session, group: &str| {
        let part = ScenePart::Spawn(group.to_owned());
        session.handles().iter().filter(|one| one.part == part).cloned().collect::<Vec<_>>()
    };
    assert_eq!((of(&session, "bird").len(), of(&session, "guard").len()), (12, 2));
    let at = Vec2::new(33.0, 44.0);
    let birds = ScenePart::Spawn("bird".to_owned());
    for edit in [
        SceneEdit::Move { part: birds.clone(), to: vec![(3, at)] },
        SceneEdit::AddPlace { part: birds.clone(), before: None, at },
        SceneEdit::Remove { part: birds.clone(), number: 0 },
    ] {
        session.edit_scene(&edit).unwrap();
        assert!(matches!(session.reload_scene(&edit), ReloadResult::Adopted(_)), "{edit:?}");
        assert_eq!((session.tick(), session.edits()), (30, vec![30]), "{edit:?}");
        let world = session.simulation().world();
        let is_there = (0..world.agents.len()).any(|row| world.agents.pos(row) == at);
        assert!(is_there || matches!(edit, SceneEdit::Remove { .. }), "{edit:?}");
        let is_first = world.agents.row(AgentId(0)).is_none();
        assert_eq!(is_first, matches!(edit, SceneEdit::Remove { .. }), "{edit:?}");
        // The scripts find what they have kept, also for the agent that was added.
        step(&mut session, 40);
        assert_eq!(session.errors(), []);
        assert_ne!(hash(&session), plain, "{edit:?}");
        session.undo_scene_edit().unwrap();
        assert!(session.reload_without_edit(30).is_some());
        step(&mut session, 40);
        assert_eq!(hash(&session), plain, "{edit:?}");
    }
}
