//! Saving params and scenarios.

use super::*;
use crate::scenario::TemplateValue;

/// Values that a tune has found are no part of the file until they are written.
#[test]
fn other_values_run_and_are_written_only_when_asked() {
    let project = Project::new();
    let values = [("groups.bird.params.room", "35.5"), ("groups.bird.body.max_speed", "48")];
    let values = values.map(|(path, value)| (path.to_owned(), TemplateValue::Text(value.into())));
    let open = |values: &[(String, TemplateValue)]| {
        Session::open_with_values(&project.path(), Options::default(), values.to_vec())
    };
    let mut session = open(&values).unwrap();
    step(&mut session, 50);
    let text = SCENARIO.replace("20.0", "35.5").replace("max_speed: 60", "max_speed: 48");
    let other = Project::new();
    other.scenario(&text);
    assert_eq!(hash(&session), run_hash(&other.path(), 50));
    assert_eq!(session.reload(), ReloadResult::Unchanged);
    assert_eq!(fs::read_to_string(project.path()).unwrap(), SCENARIO);
    // An edit of something else keeps them, and a saved scenario has them.
    project.scenario(&SCENARIO.replace("ticks: 400", "ticks: 300"));
    assert_eq!(took(&mut session), ["ticks 400 to 300"]);
    assert_eq!(session.params()[0].get("room"), Some(&Value::Float(35.5)));
    let saved = session.save(false, None, None).unwrap();
    assert!(fs::read_to_string(saved.path).unwrap().contains("35.5"));
    // Params that were changed by hand are written with them.
    assert!(session.act(Action::Set {
        group: GroupId(0),
        param: "pull".into(),
        value: Value::Float(0.75),
    }));
    assert_eq!(session.write_params(), Ok(3));
    let text = text.replace("ticks: 400", "ticks: 300").replace("0.4", "0.75");
    assert_eq!(fs::read_to_string(project.path()).unwrap(), text);
    assert_eq!(session.reload(), ReloadResult::Unchanged);
    assert_eq!(session.write_params(), Ok(0));
    let nowhere = [("groups.bird.params.none.x".to_owned(), TemplateValue::Number(1.0))];
    assert!(open(&nowhere).is_err());
}

#[test]
fn a_state_before_an_edit_is_saved_up_to_the_edit() {
    let project = Project::new();
    let mut session = project.open();
    step(&mut session, 50);
    project.scenario(&SCENARIO.replace("max_speed: 45", "max_speed: 50"));
    took(&mut session);
    step(&mut session, 30);
    session.act(Action::Push {
        group: GroupId(1),
        velocity: Vec2::ONE,
        when: crate::sim::PushTime::BeforeDecision,
    });
    step(&mut session, 10);
    session.seek(20);
    let saved = session.save(true, None, None).unwrap();
    assert_eq!(saved.caveat, None);
    let mut run = Run::open(&saved.path, &Options::default()).unwrap();
    assert_eq!((run.first_tick(), run.ticks()), (20, 50));
    while run.tick() < 50 {
        run.step().unwrap();
    }
    let agents = run.simulation().world().agents.clone();
    session.seek(50);
    assert_eq!(agents, session.simulation().world().agents);
    let again = session.save(false, None, None).unwrap();
    assert_ne!(again.path, saved.path);
}

/// A test of a failure ends soon after it, however long the run went on.
#[test]
fn a_saved_scenario_ends_where_it_is_told_and_leaves_out_what_is_about_later_ticks() {
    let project = Project::new();
    let expect = "expect: [MaxSpeed(speed: 20), Reach(group: \"bird\", at: (1, 1), radius: 3, by: 300),\n\
        Reach(group: \"bird\", at: (1, 1), radius: 3), AllFinite], groups";
    project.scenario(&SCENARIO.replacen("groups", expect, 1));
    let mut session = project.open();
    step(&mut session, 200);
    // At tick 0, nothing depends on earlier ticks.
    session.seek(0);
    let ends = |session: &Session, end| {
        let saved = session.save(false, end, None).unwrap();
        let run = Run::open(&saved.path, &Options::default()).unwrap();
        assert_eq!(run.ticks(), saved.end);
        (saved.end, run.expectations().iter().map(ToString::to_string).collect::<Vec<_>>())
    };
    let (end, expectations) = ends(&session, Some(120));
    assert_eq!((end, expectations.len()), (120, 2), "{expectations:?}");
    let (end, expectations) = ends(&session, Some(320));
    assert_eq!((end, expectations.len()), (320, 3), "{expectations:?}");
    assert_eq!(ends(&session, Some(400)).1.len(), 4);
    assert_eq!(ends(&session, None).0, 200);
    session.seek(150);
    assert_eq!(ends(&session, Some(120)).0, 200, "it is over");
    project.scenario(&SCENARIO.replace("max_speed: 45", "max_speed: 50"));
    took(&mut session);
    step(&mut session, 30);
    session.seek(100);
    assert_eq!(ends(&session, Some(170)).0, 150, "the files were edited there");
}

#[test]
fn a_param_set_after_it_was_written_survives_the_next_edit() {
    let project = Project::new();
    let mut session = project.open();
    tune(&mut session, 33.0);
    step(&mut session, 10);
    assert_eq!(session.write_params().unwrap(), 1);
    tune(&mut session, 40.0);
    step(&mut session, 10);
    project.script("bird", &BIRD.replace("80", "81"));
    took(&mut session);
    let room = session.params()[0].get("room").cloned();
    assert_eq!(room, Some(Value::Float(40.0)));
    assert_eq!(session.write_params().unwrap(), 1);
}

/// Caught: the message named the scenario, although the error was in a script.
#[test]
fn params_that_are_not_written_are_told_with_the_file_that_has_the_error() {
    let project = Project::new();
    let mut session = project.open();
    tune(&mut session, 33.0);
    step(&mut session, 10);
    project.scenario(&SCENARIO.replace("max_speed: 60", "max_speed: 50"));
    project.script("bird", "fn steer(me) { me.wandr() }");
    session.reload();
    let message = session.write_params().unwrap_err().message;
    let (cause, effect) = message.split_once(", so ").unwrap();
    assert!(cause.contains(" was changed and does not run because of an error in "), "{message}");
    assert!(cause.ends_with("bird.rhai"), "{message}");
    assert_eq!(effect, "no params were written to it");
    // An error of its own.
    project.script("bird", BIRD);
    project.scenario(&SCENARIO.replace("max_speed: 60", "max_sped: 60"));
    session.reload();
    let message = session.write_params().unwrap_err().message;
    assert!(message.contains(" was changed and does not run, so "), "{message}");
}

#[test]
fn writing_params_at_an_earlier_tick_keeps_the_future() {
    let project = Project::new();
    let mut session = project.open();
    session.act(Action::Set { group: GroupId(0), param: "room".into(), value: Value::Float(33.0) });
    step(&mut session, 60);
    session.seek(20);
    assert_eq!(session.write_params().unwrap(), 1);
    assert_eq!(session.reload(), ReloadResult::Unchanged);
    assert_eq!((session.tick(), session.end()), (20, 60));
    let text = fs::read_to_string(project.path()).unwrap();
    assert_eq!(text, SCENARIO.replace("20.0", "33.0"));
    assert_eq!(session.write_params().unwrap(), 0);
}

#[test]
fn a_shared_param_is_written_where_it_is_declared() {
    let project = Project::new();
    let shared =
        |wind: &str| SCENARIO.replacen('(', &format!("(params: {{ \"wind\": {wind} }}, "), 1);
    project.scenario(&shared("4.0"));
    let mut session = project.open();
    let groups = session.params().len();
    assert!(groups > 1);
    let tune = |session: &mut Session, group: u16, wind: f32| {
        assert!(session.act(Action::Set {
            group: GroupId(group),
            param: "wind".into(),
            value: Value::Float(wind),
        }));
    };
    let winds = |session: &Session| -> Vec<Value> {
        let params = session.params();
        params.iter().map(|of| of.get("wind").unwrap().clone()).collect()
    };
    for group in 0..groups {
        tune(&mut session, group as u16, 7.0);
    }
    step(&mut session, 5);
    assert_eq!(session.write_params().unwrap(), groups);
    assert_eq!(fs::read_to_string(project.path()).unwrap(), shared("7.0"));
    tune(&mut session, 0, 9.0);
    step(&mut session, 5);
    assert_eq!(session.write_params().unwrap(), 1);
    let text = fs::read_to_string(project.path()).unwrap();
    assert!(text.contains("\"wind\": 7.0") && text.contains("\"wind\": 9.0"), "{text}");
    let mut expected = vec![Value::Float(7.0); groups];
    expected[0] = Value::Float(9.0);
    assert_eq!(winds(&session), expected);
    assert_eq!(winds(&project.open()), expected);
    // A shared param that is set from outside counts as set for all groups that share it.
    let options = Options { settings: vec!["wind=3".parse().unwrap()], ..Options::default() };
    let mut session = Session::open(&project.path(), options).unwrap();
    assert_eq!(session.write_params().unwrap(), groups - 1);
    expected[1..].fill(Value::Float(3.0));
    assert_eq!(winds(&project.open()), expected);
}
