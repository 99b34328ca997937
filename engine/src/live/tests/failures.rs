//! Edits that do not run, or fail later.

use super::*;
use crate::sim::PushTime;

/// A name for what is done to the files, how it is done, and a part of the message.
type Break<'a> = (&'a str, &'a dyn Fn(&Project), &'a str);

#[test]
fn files_that_cannot_run_are_reported_and_the_previous_version_keeps_running() {
    let project = Project::new();
    let mut session = project.open();
    step(&mut session, 20);
    let broken: [Break<'_>; 9] = [
        ("empty", &|p| p.script("bird", ""), "no function `steer`"),
        ("half", &|p| p.script("bird", &BIRD[..BIRD.len() / 2]), ""),
        ("unknown", &|p| p.script("bird", "fn steer(me) { me.sepration(3) }"), "sepration"),
        (
            "init fails",
            &|p| p.script("bird", "fn init(me) { 1 % 0 } fn steer(me) { me.vel }"),
            "zero",
        ),
        ("gone", &|p| fs::remove_file(p.script_path("bird")).unwrap(), "bird"),
        ("a folder", &|p| p.folder_for("bird"), "bird"),
        ("no scenario", &|p| p.scenario("("), ""),
        ("scenario gone", &|p| fs::remove_file(p.path()).unwrap(), "a.ron"),
        ("all gone", &|p| fs::remove_dir_all(p.dir.path().join("scripts")).unwrap(), ""),
    ];
    for (what, destroy, message) in broken {
        destroy(&project);
        assert_eq!(session.reload(), ReloadResult::Failed, "{what}");
        let text: Vec<String> = session.errors().iter().map(ToString::to_string).collect();
        assert!(text.concat().contains(message), "{what}: {text:?}");
        assert_eq!(session.reload(), ReloadResult::Unchanged, "{what}: reported once");
        step(&mut session, 3);

        let _ = fs::remove_dir(project.script_path("bird"));
        fs::create_dir_all(project.dir.path().join("scripts")).unwrap();
        project.script("bird", BIRD);
        project.script("guard", GUARD);
        project.scenario(SCENARIO);
        assert_eq!(session.reload(), ReloadResult::Adopted(Vec::new()), "{what}");
        assert!(session.errors().is_empty());
    }
    assert_eq!(hash(&session), run_hash(&project.path(), 47));
}

#[test]
fn files_that_fail_later_are_replaced_by_the_previous_version() {
    let project = Project::new();
    let mut session = project.open();
    step(&mut session, 20);
    let fails =
        "me.state.turns += 1; let x = if me.state.turns > 50 { 1 % (me.id - me.id) } else { 1 };";
    project.script("bird", &BIRD.replace("me.state.turns += 1;", fails));
    took(&mut session);
    step(&mut session, 30);
    assert_eq!(session.tick(), 50);
    assert_eq!(session.step(), StepResult::FellBack);
    assert_eq!(session.tick(), 50);
    let error = &session.errors()[0];
    assert!(error.to_string().contains("bird.rhai"), "{error}");
    step(&mut session, 30);
    let behind = hash(&session);
    assert_eq!(session.reload(), ReloadResult::Unchanged, "they are known to fail");
    session.seek(35);
    session.seek(80);
    assert_eq!(hash(&session), behind);
    project.script("bird", BIRD);
    assert!(matches!(session.reload(), ReloadResult::Adopted(_)));
    assert!(session.errors().is_empty());
    assert_eq!(hash(&session), run_hash(&project.path(), 80));
}

#[test]
fn an_action_that_fails_is_undone() {
    let project = Project::new();
    let mut session = project.open();
    step(&mut session, 20);
    let push = Action::Push {
        group: GroupId(1),
        velocity: Vec2::new(1.0, 0.0),
        when: PushTime::BeforeDecision,
    };
    session.act(push.clone());
    tune(&mut session, -1.0);
    session.act(push.clone());
    let StepResult::Undone { actions, .. } = session.step() else { panic!("it fails") };
    let set = |room: f32| Action::Set {
        group: GroupId(0),
        param: "room".into(),
        value: Value::Float(room),
    };
    assert_eq!(actions, [set(-1.0)], "and the pushes stay");
    assert!(session.retract(20, &[push.clone(), push]));
    assert!(session.errors().is_empty());
    step(&mut session, 10);
    assert_eq!(hash(&session), run_hash(&project.path(), 30));
    // The position of the pointer stays.
    let at = Some(Vec2::new(3.0, 4.0));
    session.act(Action::Cursor { at });
    tune(&mut session, -1.0);
    assert!(matches!(session.step(), StepResult::Undone { .. }));
    step(&mut session, 1);
    assert_eq!(session.simulation().world().cursor, at);
}

#[test]
fn params_written_while_files_fail_are_tried_with_them() {
    let project = Project::new();
    let mut session = project.open();
    step(&mut session, 5);
    let picky = BIRD.replace("me.params.room)", "[30][if me.params.room > 50.0 { 0 } else { 9 }])");
    project.script("bird", &picky);
    assert_eq!(session.reload(), ReloadResult::Failed);
    tune(&mut session, 40.0);
    assert_eq!(session.write_params().unwrap(), 1);
    assert_eq!(session.reload(), ReloadResult::Failed, "they still do not run");
    assert_eq!(session.errors().len(), 1);
    assert_eq!(session.retry(), ReloadResult::Failed);
    tune(&mut session, 60.0);
    assert_eq!(session.write_params().unwrap(), 1);
    assert!(matches!(session.reload(), ReloadResult::Adopted(_)));
    assert!(session.errors().is_empty());
    step(&mut session, 5);
}

#[test]
fn a_run_that_fails_by_itself_stops_until_it_is_fixed() {
    let project = Project::new();
    project.script("guard", "fn steer(me) { if world.tick > 9 { 1 % (me.id - me.id) } me.vel }");
    let mut session = project.open();
    step(&mut session, 10);
    assert_eq!(session.step(), StepResult::Stuck);
    assert_eq!((session.tick(), session.errors().len()), (10, 1));
    assert_eq!(session.step(), StepResult::Stuck);
    session.seek(4);
    assert_eq!(session.step(), StepResult::Replayed);
    session.seek(10);
    project.script("guard", GUARD);
    took(&mut session);
    step(&mut session, 10);
    assert_eq!(session.tick(), 20);
}

#[test]
fn files_that_fail_at_once_keep_the_future() {
    let project = Project::new();
    let mut session = project.open();
    step(&mut session, 60);
    session.seek(30);
    project.script(
        "bird",
        &BIRD.replace("me.state.turns += 1;", "me.state.turns += 1 % (me.id - me.id);"),
    );
    project.scenario(&SCENARIO.replace("radius: 60", "radius: 50"));
    assert_eq!(session.reload(), ReloadResult::Failed);
    assert_eq!((session.tick(), session.end()), (30, 60));
    assert_eq!(session.reload(), ReloadResult::Unchanged);
    step(&mut session, 40);
    project.scenario(SCENARIO);
    project.script("bird", BIRD);
    assert_eq!(session.reload(), ReloadResult::Adopted(Vec::new()));
    assert_eq!(hash(&session), run_hash(&project.path(), 70));
}

/// Caught: the ticks after this one, and params that the user had set, were dropped when the running files came back.
#[test]
fn files_that_are_restored_after_a_failure_keep_the_future() {
    let project = Project::new();
    let mut session = project.open();
    step(&mut session, 20);
    tune(&mut session, 45.0);
    step(&mut session, 40);
    let end = hash(&session);
    session.seek(30);
    for fails in ["fn steer(me) { throw `no` }", "fn steer("] {
        project.script("bird", fails);
        project.scenario(&SCENARIO.replace("\"room\": 20", "\"room\": 25"));
        assert_eq!(session.reload(), ReloadResult::Failed);
        project.script("bird", BIRD);
        project.scenario(SCENARIO);
        assert_eq!(session.reload(), ReloadResult::Adopted(Vec::new()));
        assert_eq!((session.tick(), session.end()), (30, 60));
        assert!(session.ghost().is_none());
        assert_eq!(session.settings()[0].value, Value::Float(45.0));
    }
    step(&mut session, 30);
    assert_eq!(hash(&session), end);
}

/// Caught: the future was dropped if the files that came back had been adopted after this tick.
#[test]
fn files_adopted_later_that_are_restored_after_a_failure_keep_the_future() {
    let project = Project::new();
    let mut session = project.open();
    step(&mut session, 30);
    let later = BIRD.replace("me.state.turns += 1;", "me.state.turns += 2;");
    project.script("bird", &later);
    took(&mut session);
    step(&mut session, 30);
    let end = hash(&session);
    session.seek(20);
    project.script("bird", "fn steer(me) { throw `no` }");
    assert_eq!(session.reload(), ReloadResult::Failed);
    project.script("bird", &later);
    assert_eq!(session.reload(), ReloadResult::Adopted(Vec::new()));
    assert!(session.ghost().is_none());
    assert_eq!((session.tick(), session.end()), (20, 60));
    step(&mut session, 40);
    assert_eq!(hash(&session), end);
}

#[test]
fn files_that_have_failed_can_be_tried_again() {
    let project = Project::new();
    let mut session = project.open();
    step(&mut session, 20);
    let set =
        |value| Action::Set { group: GroupId(0), param: "pull".into(), value: Value::Float(value) };
    let fails = "me.state.turns += if me.state.turns >= 50 && me.params.pull > 1 { 1 % (me.id - me.id) } else { 1 };";
    project.script("bird", &BIRD.replace("me.state.turns += 1;", fails));
    took(&mut session);
    step(&mut session, 10);
    session.act(set(2.0));
    step(&mut session, 20);
    assert_eq!((session.tick(), session.step()), (50, StepResult::FellBack));
    session.seek(40);
    session.rerun();
    assert!(session.errors().is_empty());
    session.act(set(0.5));
    step(&mut session, 30);
    assert_eq!(session.tick(), 70);
    assert_eq!(session.reload(), ReloadResult::Unchanged);
}

#[test]
fn a_stuck_run_can_be_run_again_from_before() {
    let project = Project::new();
    project.script("guard", "fn steer(me) { if world.tick > 9 { 1 % (me.id - me.id) } me.vel }");
    let mut session = project.open();
    step(&mut session, 10);
    assert_eq!(session.step(), StepResult::Stuck);
    session.seek(4);
    session.rerun();
    step(&mut session, 6);
    assert_eq!(session.step(), StepResult::Stuck);
    assert_eq!(session.tick(), 10);
}

#[test]
fn many_saves_in_a_row_end_with_the_last() {
    let project = Project::new();
    let mut session = project.open();
    for round in 0..50 {
        step(&mut session, 1);
        let text = BIRD.replace("80", &format!("{}", 30 + round));
        let half = round % 3 == 0;
        project.script("bird", if half { &text[..text.len() - 9] } else { &text });
        let reloaded = session.reload();
        assert_eq!(reloaded == ReloadResult::Failed, half, "{reloaded:?}");
    }
    assert!(session.errors().is_empty());
    assert!(session.edits().len() > 20);
}

/// The first mistake of a file hid the others, which `check` tells.
#[test]
fn all_mistakes_of_files_are_told_at_once() {
    let project = Project::new();
    let mut session = project.open();
    let wrong = "fn steer(me) {\n    let a = me.wander(;\n    me.seek(me.params.nothing)\n}";
    project.script("bird", wrong);
    project.script("guard", "fn steer(me) { me.folow_path() }");
    assert_eq!(session.reload(), ReloadResult::Failed);
    let all: Vec<&str> = session.errors().iter().map(|error| error.message.as_str()).collect();
    assert!(all.iter().any(|message| message.contains("nothing")), "{all:?}");
    assert!(all.iter().any(|message| message.contains("folow_path")), "{all:?}");
    assert_eq!(all.len(), 3, "{all:?}");
    assert_eq!(session.reload(), ReloadResult::Unchanged);
    let errors = Session::open(&project.path(), Options::default()).err().unwrap();
    let broken = Session::open_broken(&project.path(), &Options::default(), errors).unwrap();
    assert_eq!(broken.errors(), session.errors());
}

/// A scenario that was saved with a mistake could not be opened to repair it.
#[test]
fn files_with_errors_are_opened_and_the_run_begins_when_they_are_repaired() {
    let project = Project::new();
    project.script("bird", "fn steer(me) { me.wander(");
    let errors = Session::open(&project.path(), Options::default()).err().unwrap();
    let mut session =
        Session::open_broken(&project.path(), &Options::default(), errors.clone()).unwrap();
    assert_eq!(session.errors(), errors.clone().into_vec());
    let names: Vec<String> = session.present_files().iter().map(|file| file.name.clone()).collect();
    assert!(
        names[0].ends_with(".ron") && names.iter().any(|name| name.ends_with("bird.rhai")),
        "{names:?}"
    );
    assert_eq!(session.reload(), ReloadResult::Unchanged);
    project.script("bird", "fn steer(me) { me.wander() }");
    project.script("guard", "fn steer(me) { me.folow_path() }");
    assert_eq!(session.reload(), ReloadResult::Failed);
    assert!(session.errors().first().unwrap().message.contains("folow_path"));
    project.script("guard", GUARD);
    assert!(matches!(session.reload(), ReloadResult::Adopted(_)));
    step(&mut session, 30);
    assert_eq!(hash(&session), run_hash(&project.path(), 30));
    let missing = project.path().with_file_name("none.ron");
    assert!(Session::open_broken(&missing, &Options::default(), errors).is_none());
}
