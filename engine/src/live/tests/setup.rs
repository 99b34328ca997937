//! Another random run, and another number of agents.

use super::*;

fn count(session: &Session) -> usize {
    let agents = &session.simulation().world().agents;
    agents.group.iter().filter(|group| group.0 == 0).count()
}

/// Returns the number of birds that the session has and that the file has, and whether it is a setting.
fn counts(session: &Session) -> (Option<Value>, Option<Value>, bool) {
    let now = session.params_with_counts()[0].get(COUNT).cloned();
    let file = session.file_params()["bird"].get(COUNT).cloned();
    (now, file, session.settings().iter().any(|one| one.param == COUNT))
}

fn int(number: i64) -> Option<Value> {
    Some(Value::Int(number))
}

#[test]
fn another_seed_is_the_run_that_the_option_gives_with_the_params_that_were_set() {
    let project = Project::new();
    let mut session = project.open();
    step(&mut session, 20);
    tune(&mut session, 40.0);
    step(&mut session, 20);
    session.set_seed(7).unwrap();
    assert_eq!((session.seed(), session.file_seed()), (7, 3));
    assert_eq!((session.tick(), session.end()), (0, 0));
    assert!(!session.is_of_files(), "the command for the files gives another run");
    // The run before stays visible.
    assert_eq!(session.ghost().and_then(|ghost| ghost.ticks()), Some((0, 40)));
    step(&mut session, 60);
    let options = Options::default().seed(7).param("bird", "room", 40.0);
    let mut same = Session::open(&project.path(), options).unwrap();
    step(&mut same, 60);
    assert_eq!(hash(&session), hash(&same));
    session.seek(5);
    session.seek(60);
    assert_eq!(hash(&session), hash(&same), "it replays");
    // The seed is no param that is to be written.
    assert_eq!(session.write_params(), Ok(1));
    assert_eq!((session.seed(), session.file_seed()), (7, 3));
    assert_eq!(session.write_params_and_seed(), Ok(1));
    assert_eq!((session.seed(), session.file_seed()), (7, 7));
    assert!(session.undo_written_params().unwrap());
    assert_eq!((session.seed(), session.file_seed()), (7, 3), "the run stays");
}

#[test]
fn another_number_of_agents_begins_the_run_again_and_is_written_like_a_param() {
    let project = Project::new();
    let mut session = project.open();
    assert_eq!(counts(&session), (int(12), int(12), false));
    assert_eq!(session.params_with_counts()[1].get(COUNT), None, "each guard has its place");
    step(&mut session, 20);
    tune(&mut session, 40.0);
    session.set_count("bird", 30).unwrap();
    assert_eq!((session.tick(), count(&session)), (0, 30));
    assert_eq!(counts(&session), (int(30), int(12), true));
    assert_eq!(session.params()[0].get("room"), Some(&Value::Float(40.0)));
    assert!(session.set_count("guard", 3).is_err());
    // The one that the file has is nothing to write.
    session.set_count("bird", 12).unwrap();
    assert_eq!((count(&session), counts(&session)), (12, (int(12), int(12), false)));
    session.set_count("bird", 30).unwrap();
    assert_eq!(session.write_params(), Ok(2));
    assert!(session.read_scenario().unwrap().text.contains("count: 30, spawn: Disc"));
    assert_eq!((counts(&session), session.write_params()), ((int(30), int(30), false), Ok(0)));
    assert!(session.undo_written_params().unwrap());
    assert_eq!((count(&session), counts(&session)), (30, (int(30), int(12), true)));
    step(&mut session, 10);
    assert_eq!(count(&session), 30);
}

/// A later edit of the number in the file is newer than the one that was set.
#[test]
fn what_another_program_writes_about_the_start_is_newer() {
    let project = Project::new();
    let mut session = project.open();
    session.set_seed(7).unwrap();
    session.set_count("bird", 30).unwrap();
    project.scenario(&SCENARIO.replace("count: 12", "count: 20"));
    assert!(matches!(session.reload(), ReloadResult::Adopted(_)));
    assert_eq!((session.seed(), counts(&session)), (7, (int(20), int(20), false)));
    project.scenario(&SCENARIO.replace("seed: 3", "seed: 4"));
    assert!(matches!(session.reload(), ReloadResult::Adopted(_)));
    assert_eq!((session.seed(), session.file_seed()), (4, 4));
    // A group that has gone takes its number with it.
    session.set_count("bird", 30).unwrap();
    project.scenario(&SCENARIO.replace("\"bird\": (", "\"finch\": ("));
    assert!(matches!(session.reload(), ReloadResult::Adopted(_)), "{:?}", session.errors());
    assert!(session.settings().is_empty());
}

#[test]
fn files_that_fail_now_leave_the_run_as_it_is() {
    let project = Project::new();
    let mut session = project.open();
    step(&mut session, 20);
    let before = hash(&session);
    project.script("bird", "fn steer(me) { me.state.missing + 1 }");
    assert!(session.set_seed(7).is_err());
    assert!(session.set_count("bird", 4_000_000_000).is_err());
    assert_eq!((session.seed(), session.tick(), hash(&session)), (3, 20, before));
}

/// The history has forgotten the first tick, and what was set there.
#[test]
fn a_long_run_begins_again_at_its_start_with_the_params_that_were_set() {
    let project = Project::new();
    let mut session = project.open();
    session.set_max_bytes(session.simulation().bytes() * 3);
    tune(&mut session, 40.0);
    for round in 0..3 {
        step(&mut session, 50);
        project.script("bird", &format!("{BIRD}// {round}"));
        assert!(matches!(session.reload(), ReloadResult::Adopted(_)));
    }
    assert!(session.first() > 0);
    session.set_seed(7).unwrap();
    assert_eq!((session.tick(), session.first()), (0, 0));
    assert_eq!(session.params()[0].get("room"), Some(&Value::Float(40.0)));
}

/// Caught: a new script began with a warning that no script uses the obstacles.
#[test]
fn a_new_script_avoids_obstacles_if_there_are_some() {
    let project = Project::new();
    let with = SCENARIO
        .replace("paths:", "obstacles: { \"rock\": Circle(center: (9, 9), radius: 2) }, paths:");
    for (scenario, avoids) in [(SCENARIO, false), (&*with, true)] {
        project.scenario(scenario);
        let name = format!("new_{avoids}");
        project.open().write_new_script(&name, None).unwrap();
        let text = fs::read_to_string(project.script_path(&name)).unwrap();
        assert_eq!(text.contains("me.avoid_obstacles()"), avoids, "{text}");
    }
}

/// Caught: 0 was said to be possible and then refused, and numbers that are too large had several limits.
#[test]
fn the_last_agents_cannot_go_and_all_are_within_the_limit_of_the_scenario() {
    let project = Project::new();
    let error =
        |session: &mut Session, count| session.set_count("bird", count).unwrap_err().message;
    let mut session = project.open();
    for count in [-5, 999_999, 1_000_000_000, i64::MAX] {
        assert_eq!(error(&mut session, count), "expected an integer from 0 to 999998");
    }
    assert_eq!(session.set_count("bird", 0), Ok(()), "the guards stay");
    let (birds, guards) = SCENARIO.split_once("        \"guard\"").unwrap();
    let (_, end) = guards.split_once("max_force: 80)),\n").unwrap();
    let only_birds =
        format!("{birds}{end}").replace("ticks: 400,", "ticks: 400, limits: (agents: 50),");
    project.scenario(&only_birds);
    let mut session = project.open();
    for count in [0, 51] {
        assert_eq!(error(&mut session, count), "expected an integer from 1 to 50");
    }
    let spawns = "ticks: 400, events: [At(tick: 5, do: Spawn(group: \"bird\", count: 3))], ";
    project.scenario(&only_birds.replace("ticks: 400,", spawns));
    assert_eq!(project.open().set_count("bird", 0), Ok(()), "others come later");
}
