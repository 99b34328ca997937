//! Writing down.

use super::*;

#[test]
fn a_moment_before_an_edit_is_saved_up_to_it() {
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
    let saved = session.save(true).unwrap();
    assert_eq!(saved.but, None);
    let mut run = Run::open(&saved.path, &Options::default()).unwrap();
    assert_eq!((run.first_tick(), run.ticks()), (20, 50));
    while run.tick() < 50 {
        run.step().unwrap();
    }
    let agents = run.simulation().world().agents.clone();
    session.seek(50);
    assert_eq!(agents, session.simulation().world().agents);
    let again = session.save(false).unwrap();
    assert_ne!(again.path, saved.path);
}

#[test]
fn what_is_tuned_after_it_was_written_survives_the_next_edit() {
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

#[test]
fn params_written_in_the_past_give_no_future_up() {
    let project = Project::new();
    let mut session = project.open();
    session.act(Action::Set {
        group: GroupId(0),
        param: "room".into(),
        value: Value::Float(33.0),
    });
    step(&mut session, 60);
    session.seek(20);
    assert_eq!(session.write_params().unwrap(), 1);
    assert_eq!(session.reload(), Reloaded::Same);
    assert_eq!((session.tick(), session.end()), (20, 60));
    let text = fs::read_to_string(project.path()).unwrap();
    assert_eq!(text, SCENARIO.replace("20.0", "33.0"));
    assert_eq!(session.write_params().unwrap(), 0);
}
