//! Params that the user has set are never forgotten.

use super::*;

fn room(session: &Session) -> Option<Value> {
    session.params()[0].get("room").cloned()
}

/// Returns the value of the only setting, its tick, and whether it is written.
fn setting(session: &Session) -> (Value, u64, bool) {
    let mut all = session.settings();
    assert_eq!(all.len(), 1, "{all:?}");
    let one = all.remove(0);
    assert_eq!((one.group.as_str(), one.param.as_str()), ("bird", "room"));
    (one.value, one.tick, one.is_written)
}

#[test]
fn a_run_from_an_earlier_tick_has_the_params_that_were_set_last() {
    let project = Project::new();
    let mut session = project.open();
    step(&mut session, 30);
    tune(&mut session, 30.0);
    step(&mut session, 30);
    tune(&mut session, 40.0);
    step(&mut session, 30);
    for at in [10, 30, 45] {
        session.seek(at);
        assert!(session.has_older_params() && !session.has_older_files(), "at {at}");
    }
    session.seek(60);
    assert!(!session.has_older_params());
    session.seek(10);
    assert_eq!(room(&session), Some(Value::Float(20.0)));
    session.rerun();
    assert_eq!((session.tick(), session.end(), session.has_older_params()), (10, 10, false));
    assert_eq!(room(&session), Some(Value::Float(40.0)));
    assert_eq!(setting(&session), (Value::Float(40.0), 10, false));
    step(&mut session, 80);
    let other = Project::new();
    let mut same = other.open();
    step(&mut same, 10);
    tune(&mut same, 40.0);
    step(&mut same, 80);
    assert_eq!(hash(&session), hash(&same));
    // It replays.
    session.seek(5);
    session.seek(90);
    assert_eq!(hash(&session), hash(&same));
}

#[test]
fn an_action_or_an_edit_at_an_earlier_tick_keeps_the_params_that_were_set_later() {
    let project = Project::new();
    let mut session = project.open();
    step(&mut session, 50);
    tune(&mut session, 40.0);
    step(&mut session, 10);
    session.seek(40);
    assert!(session.act(Action::Cursor { at: Some(Vec2::ONE) }));
    assert_eq!(setting(&session), (Value::Float(40.0), 40, false));
    step(&mut session, 20);
    session.seek(30);
    project.script("bird", &BIRD.replace("80", "81"));
    took(&mut session);
    assert_eq!(room(&session), Some(Value::Float(40.0)));
    step(&mut session, 10);
    // A group that an edit spawns again lost them.
    project.scenario(&SCENARIO.replace("radius: 60", "radius: 50"));
    assert_eq!(took(&mut session), ["`bird` is spawned again"]);
    assert_eq!(room(&session), Some(Value::Float(40.0)));
    step(&mut session, 10);
    assert_eq!(room(&session), Some(Value::Float(40.0)));
    // A value in the file that was edited later is newer.
    project.scenario(&SCENARIO.replace("20.0", "21.0"));
    took(&mut session);
    assert_eq!((room(&session), session.settings()), (Some(Value::Float(21.0)), Vec::new()));
    session.seek(10);
    session.rerun();
    assert_eq!(room(&session), Some(Value::Float(21.0)));
}

/// Caught: nothing said that a value was lost when its param got another name in the files.
#[test]
fn a_value_that_is_lost_by_an_edit_is_named() {
    let project = Project::new();
    let mut session = project.open();
    tune(&mut session, 40.0);
    project.script("bird", &BIRD.replace("params.room", "params.space"));
    project.scenario(&SCENARIO.replace("\"room\"", "\"space\""));
    let changes = took(&mut session);
    let lost = "`bird`: `room` was set to 40.0, which is lost (the file said 20.0)";
    assert_eq!(changes.last().map(String::as_str), Some(lost), "{changes:?}");
    assert_eq!(session.settings(), []);
}

#[test]
fn the_params_that_were_set_last_are_written_from_any_tick() {
    let project = Project::new();
    let mut session = project.open();
    step(&mut session, 50);
    tune(&mut session, 40.0);
    step(&mut session, 50);
    session.seek(10);
    assert!(session.is_of_files());
    assert_eq!(setting(&session), (Value::Float(40.0), 50, false));
    assert_eq!(session.write_params(), Ok(1));
    let text = fs::read_to_string(project.path()).unwrap();
    assert_eq!(text, SCENARIO.replace("20.0", "40.0"));
    assert_eq!(setting(&session), (Value::Float(40.0), 50, true));
    assert_eq!(session.file_params()["bird"].get("room"), Some(&Value::Float(40.0)));
    // This tick still has the old value, from files that say the same otherwise.
    assert!(session.has_older_params() && !session.has_older_files() && !session.is_of_files());
    session.rerun();
    assert_eq!(room(&session), Some(Value::Float(40.0)));
    assert!(!session.has_older_params());
    assert_eq!(session.write_params(), Ok(0));
}

#[test]
fn a_param_that_is_taken_back_has_the_value_before() {
    let project = Project::new();
    let mut session = project.open();
    step(&mut session, 10);
    tune(&mut session, 30.0);
    step(&mut session, 10);
    tune(&mut session, 40.0);
    step(&mut session, 10);
    session.seek(5);
    // Whatever the value: presses of a key within a tick are one.
    let set = Action::Set { group: GroupId(0), param: "room".into(), value: Value::Float(1.0) };
    assert!(session.retract(20, std::slice::from_ref(&set)));
    assert_eq!((session.tick(), room(&session)), (20, Some(Value::Float(30.0))));
    assert_eq!(setting(&session), (Value::Float(30.0), 10, false));
    assert!(session.retract(10, &[set]));
    assert_eq!(session.settings(), []);
    step(&mut session, 50);
    assert_eq!(hash(&session), run_hash(&project.path(), 60));
}

#[test]
fn a_setting_is_shown_as_it_would_be_written() {
    let project = Project::new();
    let mut session = project.open();
    tune(&mut session, 0.1);
    assert_eq!(session.settings()[0].text(), "\"room\": 0.1");
}

/// Params that were swapped with those of the file and back said that earlier ticks had others.
#[test]
fn a_value_that_the_last_tick_had_changes_nothing() {
    let project = Project::new();
    let mut session = project.open();
    step(&mut session, 30);
    tune(&mut session, 20.0);
    assert_eq!((session.changed_at(), setting(&session).1), (None, 0));
    tune(&mut session, 40.0);
    assert_eq!(session.changed_at(), Some(30));
    step(&mut session, 30);
    for (value, changed_at) in [(20.0, 60), (40.0, 30), (50.0, 60), (40.0, 30)] {
        tune(&mut session, value);
        assert_eq!(session.changed_at(), Some(changed_at), "{value}");
    }
    // Earlier ticks still have older ones.
    session.seek(20);
    assert!(session.has_older_params());
    session.seek(45);
    assert!(!session.has_older_params());
}

#[test]
fn a_shared_param_is_written_where_it_stands_if_one_group_reads_it() {
    let project = Project::new();
    let shared = SCENARIO
        .replace(", params: { \"room\": 20.0, \"pull\": 0.4 }", "")
        .replace("groups:", "params: { \"room\": 20.0, \"pull\": 0.4 },\n    groups:");
    project.scenario(&shared);
    let mut session = project.open();
    let names = |session: &Session, group: usize| -> Vec<String> {
        session.params_of_use()[group].iter().map(|(name, _)| name.to_owned()).collect()
    };
    assert_eq!(names(&session, 0), [COUNT, "pull", "room"]);
    assert!(names(&session, 1).is_empty(), "guards read none");
    step(&mut session, 10);
    tune(&mut session, 40.0);
    step(&mut session, 10);
    assert_eq!(session.write_params(), Ok(1));
    let text = fs::read_to_string(project.path()).unwrap();
    assert_eq!(text, shared.replace("20.0", "40.0"));
    assert!(session.settings().iter().all(|one| one.is_written));
    // As soon as guards read it, it is theirs, too.
    project.script("guard", "fn steer(me) { me.follow_path() + me.separation(me.params.room) }");
    took(&mut session);
    assert_eq!(names(&session, 1), ["room"]);
    tune(&mut session, 30.0);
    step(&mut session, 10);
    assert_eq!(session.write_params(), Ok(1));
    let text = fs::read_to_string(project.path()).unwrap();
    assert!(text.contains("params: { \"room\": 40.0") && text.contains("\"room\": 30.0"), "{text}");
}
