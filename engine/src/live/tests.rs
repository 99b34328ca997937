//! Sessions over texts in a folder of their own.

use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;

use super::*;
use crate::math::Vec2;
use crate::runner::{Options, Run};
use crate::sim::Action;
use crate::trace::{agents_hash, state_hash};
use crate::world::{Goal, GroupId, Value};

const SCENARIO: &str = r#"(
    seed: 3, ticks: 400,
    world: (size: (400, 300), edge: Wrap),
    paths: { "round": (points: [(50, 50), (350, 60), (200, 250)], radius: 20, mode: Loop) },
    groups: {
        "bird": (behavior: "bird", count: 12, spawn: Disc(center: (200, 150), radius: 60), velocity: (20, 5),
                 body: (radius: 3, max_speed: 60, max_force: 90), params: { "room": 20.0, "pull": 0.4 }),
        "guard": (behavior: "guard", count: 2, spawn: Points([(60, 60), (80, 90)]), path: "round",
                  body: (radius: 5, max_speed: 45, max_force: 80)),
    },
)"#;
const BIRD: &str = "
fn init(me) { me.state.turns = 0; me.state.seen = []; }
fn steer(me) {
    me.state.turns += 1;
    me.separation(me.params.room) + me.alignment(60) + me.params.pull * me.cohesion(80) + 0.4 * me.wander()
}";
const GUARD: &str = "fn steer(me) { me.follow_path() }";

struct Project {
    dir: tempfile::TempDir,
}

impl Project {
    fn new() -> Self {
        let this = Self {
            dir: tempfile::tempdir().unwrap(),
        };
        fs::create_dir(this.dir.path().join("scripts")).unwrap();
        this.script("bird", BIRD);
        this.script("guard", GUARD);
        this.scenario(SCENARIO);
        this
    }

    fn path(&self) -> PathBuf {
        self.dir.path().join("a.ron")
    }

    fn script_path(&self, name: &str) -> PathBuf {
        self.dir.path().join(format!("scripts/{name}.rhai"))
    }

    /// A folder where a script was.
    fn folder_for(&self, name: &str) {
        fs::remove_file(self.script_path(name)).unwrap();
        fs::create_dir(self.script_path(name)).unwrap();
    }

    fn script(&self, name: &str, text: &str) {
        fs::write(self.script_path(name), text).unwrap();
    }

    fn scenario(&self, text: &str) {
        fs::write(self.path(), text).unwrap();
    }

    fn open(&self) -> Session {
        Session::open(&self.path(), Options::default()).unwrap()
    }
}

fn hash(session: &Session) -> u64 {
    let simulation = session.simulation();
    state_hash(simulation.world(), simulation.minds())
}

fn run_hash(path: &Path, ticks: u64) -> u64 {
    let mut run = Run::open(path, &Options::default()).unwrap();
    for _ in 0..ticks {
        run.step().unwrap();
    }
    state_hash(run.simulation().world(), run.simulation().minds())
}

fn step(session: &mut Session, ticks: u64) {
    for _ in 0..ticks {
        assert!(matches!(session.step(), Stepped::On | Stepped::Again));
    }
}

fn took(session: &mut Session) -> Vec<String> {
    match session.reload() {
        Reloaded::Took(changes) => changes,
        other => panic!("{other:?}: {:?}", session.errors()),
    }
}

fn state(session: &Session, id: u32, name: &str) -> Option<Value> {
    let simulation = session.simulation();
    let row = simulation.world().agents.row(id).unwrap();
    simulation.minds().state(row).get(name).cloned()
}

#[test]
fn a_session_is_the_run_that_it_shows() {
    let project = Project::new();
    let mut session = project.open();
    step(&mut session, 150);
    assert_eq!(hash(&session), run_hash(&project.path(), 150));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    #[test]
    fn the_way_back_and_on_leads_to_the_same_state(
        ticks in prop::collection::vec(0u64..260, 1..12),
        edit_at in 1u64..200,
        pushed_at in 1u64..200,
    ) {
        let project = Project::new();
        let mut session = project.open();
        let mut hashes = Vec::new();
        for tick in 0..260 {
            if tick == edit_at {
                project.script("bird", &BIRD.replace("0.4 * me.wander()", "me.wander()"));
                took(&mut session);
            }
            if tick == pushed_at {
                session.act(Action::Push { group: GroupId(0), velocity: Vec2::new(30.0, -10.0) });
            }
            hashes.push(hash(&session));
            prop_assert_eq!(session.step(), Stepped::On);
        }
        for tick in ticks {
            session.seek(tick);
            prop_assert_eq!(session.tick(), tick);
            prop_assert_eq!(hash(&session), hashes[tick as usize], "tick {}", tick);
        }
        prop_assert_eq!(session.end(), 260);
        prop_assert!(session.ghost().is_none());
    }
}

#[test]
fn an_edited_script_takes_over_with_everyone_where_they_are() {
    let project = Project::new();
    let mut session = project.open();
    step(&mut session, 40);
    let before = session.simulation().world().agents.clone();
    project.script(
        "bird",
        "fn init(me) { me.state.turns = 100; me.state.calm = true; me.vel = vec(0, 0); }
         fn steer(me) { me.vel = vec(0, 0); vec(0, 0) }",
    );
    assert_eq!(took(&mut session), ["script `bird`"]);
    assert_eq!(session.tick(), 40);
    assert_eq!(session.simulation().world().agents, before);
    assert_eq!(
        state(&session, 3, "turns"),
        Some(Value::Int(40)),
        "what was there"
    );
    assert_eq!(
        state(&session, 3, "calm"),
        Some(Value::Bool(true)),
        "what is new"
    );
    assert!(
        state(&session, 3, "seen").is_some(),
        "what is asked for no more"
    );
    let guard = before.pos[12];
    step(&mut session, 20);
    let agents = &session.simulation().world().agents;
    assert_eq!(agents.pos[..12], before.pos[..12], "the birds stand");
    assert_ne!(agents.pos[12], guard, "the guards go on");
    assert_eq!(session.reload(), Reloaded::Same);
}

#[test]
fn an_edit_of_nothing_that_matters_changes_nothing() {
    let project = Project::new();
    let mut session = project.open();
    step(&mut session, 30);
    project.script("bird", &format!("// calm\n{BIRD}"));
    assert_eq!(took(&mut session), ["script `bird`"]);
    step(&mut session, 30);
    assert_eq!(hash(&session), run_hash(&project.path(), 60));
    assert_eq!(session.reload(), Reloaded::Same);
}

#[test]
fn an_edited_scenario_changes_in_place() {
    let project = Project::new();
    let mut session = project.open();
    step(&mut session, 30);
    let before = session.simulation().world().agents.clone();
    let edited = SCENARIO
        .replace("edge: Wrap", "edge: Bounce")
        .replace("\"room\": 20.0", "\"room\": 35")
        .replace("max_speed: 45", "max_speed: 50")
        .replace("(350, 60)", "(300, 60)")
        .replace(
            "paths:",
            "obstacles: { \"pillar\": Circle(center: (200, 150), radius: 9) }, paths:",
        );
    project.scenario(&edited);
    assert_eq!(
        took(&mut session),
        [
            "edge Wrap to Bounce",
            "new obstacle `pillar`",
            "path `round`",
            "`bird`: room 20 to 35",
            "`guard`: max_speed 45 to 50",
        ]
    );
    let world = session.simulation().world();
    assert_eq!(world.agents, before);
    assert_eq!(world.obstacles.len(), 1);
    assert_eq!(world.groups[0].params.get("room"), Some(&Value::Int(35)));
}

#[test]
fn agents_join_and_leave_and_a_new_spawn_begins_again() {
    let project = Project::new();
    let mut session = project.open();
    step(&mut session, 30);
    let before = session.simulation().world().agents.clone();
    project.scenario(&SCENARIO.replace("count: 12", "count: 14"));
    assert_eq!(took(&mut session), ["`bird`: 12 to 14 agents"]);
    let agents = &session.simulation().world().agents;
    assert_eq!(agents.len(), 16);
    assert_eq!(agents.pos[..14], before.pos[..]);
    assert_eq!(agents.id[14..], [14, 15]);
    assert_eq!(agents.index[14..], [12, 13]);
    assert_eq!(
        state(&session, 15, "turns"),
        Some(Value::Int(0)),
        "init is asked"
    );

    project.scenario(&SCENARIO.replace("count: 12", "count: 5"));
    took(&mut session);
    let agents = &session.simulation().world().agents;
    assert_eq!(agents.id, [0, 1, 2, 3, 4, 12, 13]);

    project.scenario(
        &SCENARIO
            .replace("count: 12", "count: 5")
            .replace("radius: 60", "radius: 50"),
    );
    assert_eq!(took(&mut session), ["`bird` begins again"]);
    let agents = &session.simulation().world().agents;
    assert_eq!(agents.id, [12, 13, 16, 17, 18, 19, 20]);
    assert_eq!(agents.index[2..], [0, 1, 2, 3, 4]);
    assert_eq!(agents.pos[..2], before.pos[12..]);

    project.scenario(
        &SCENARIO
            .replace("\"guard\": (", "\"watch\": (")
            .replace("(80, 90)", "(80, 90), (1, 1)"),
    );
    let changes = took(&mut session).join(", ");
    assert!(changes.contains("group `guard` is gone"), "{changes}");
    step(&mut session, 5);
}

#[test]
fn who_has_left_by_an_edit_comes_back_by_another() {
    let project = Project::new();
    let mut session = project.open();
    let count = |session: &mut Session, count: u32| {
        step(session, 5);
        project.scenario(&SCENARIO.replace("count: 12", &format!("count: {count}")));
        took(session);
        let agents = &session.simulation().world().agents;
        let birds = agents.group.iter().zip(&agents.index);
        let birds = birds.filter(|(group, _)| **group == GroupId(0));
        birds.map(|(_, index)| *index).collect::<Vec<u32>>()
    };
    assert_eq!(count(&mut session, 5), [0, 1, 2, 3, 4]);
    let mut all = count(&mut session, 12);
    all.sort_unstable();
    assert_eq!(all, (0..12).collect::<Vec<u32>>());
    assert_eq!(count(&mut session, 5), [0, 1, 2, 3, 4]);
    assert_eq!(count(&mut session, 14).len(), 14);
    assert_eq!(count(&mut session, 0), [0; 0]);
}

#[test]
fn a_new_seed_begins_all_again() {
    let project = Project::new();
    let mut session = project.open();
    step(&mut session, 30);
    project.scenario(&SCENARIO.replace("seed: 3", "seed: 4"));
    took(&mut session);
    let fresh = project.open();
    let (now, then) = (session.simulation().world(), fresh.simulation().world());
    assert_eq!(now.agents.pos, then.agents.pos);
    assert_eq!(now.tick, 30);
}

#[test]
fn what_input_has_made_of_params_survives_other_edits() {
    let project = Project::new();
    let mut session = project.open();
    let set = |value| Action::Set {
        group: GroupId(0),
        param: "room".into(),
        value: Value::Float(value),
    };
    session.act(set(55.0));
    step(&mut session, 10);
    project.script("bird", &BIRD.replace("80", "81"));
    took(&mut session);
    project.scenario(&SCENARIO.replace("0.4", "0.5"));
    took(&mut session);
    let param = |session: &Session, name: &str| {
        session.simulation().world().groups[0]
            .params
            .get(name)
            .cloned()
    };
    assert_eq!(param(&session, "room"), Some(Value::Float(55.0)));
    assert_eq!(param(&session, "pull"), Some(Value::Float(0.5)));
    project.scenario(&SCENARIO.replace("20.0", "21.0"));
    took(&mut session);
    assert_eq!(param(&session, "room"), Some(Value::Float(21.0)));
}

/// What is done to the texts, how, and what is said of it.
type Break<'a> = (&'a str, &'a dyn Fn(&Project), &'a str);

#[test]
fn texts_that_cannot_run_are_told_and_those_before_go_on() {
    let project = Project::new();
    let mut session = project.open();
    step(&mut session, 20);
    let broken: [Break<'_>; 9] = [
        ("empty", &|p| p.script("bird", ""), "no function `steer`"),
        ("half", &|p| p.script("bird", &BIRD[..BIRD.len() / 2]), ""),
        (
            "unknown",
            &|p| p.script("bird", "fn steer(me) { me.sepration(3) }"),
            "sepration",
        ),
        (
            "init fails",
            &|p| p.script("bird", "fn init(me) { 1 / 0 } fn steer(me) { me.vel }"),
            "zero",
        ),
        (
            "gone",
            &|p| fs::remove_file(p.script_path("bird")).unwrap(),
            "bird",
        ),
        ("a folder", &|p| p.folder_for("bird"), "bird"),
        ("no scenario", &|p| p.scenario("("), ""),
        (
            "scenario gone",
            &|p| fs::remove_file(p.path()).unwrap(),
            "a.ron",
        ),
        (
            "all gone",
            &|p| fs::remove_dir_all(p.dir.path().join("scripts")).unwrap(),
            "",
        ),
    ];
    for (what, destroy, message) in broken {
        destroy(&project);
        assert_eq!(session.reload(), Reloaded::Failed, "{what}");
        let text: Vec<String> = session.errors().iter().map(ToString::to_string).collect();
        assert!(text.concat().contains(message), "{what}: {text:?}");
        assert_eq!(session.reload(), Reloaded::Same, "{what}: told once");
        step(&mut session, 3);

        let _ = fs::remove_dir(project.script_path("bird"));
        fs::create_dir_all(project.dir.path().join("scripts")).unwrap();
        project.script("bird", BIRD);
        project.script("guard", GUARD);
        project.scenario(SCENARIO);
        assert_eq!(session.reload(), Reloaded::Took(Vec::new()), "{what}");
        assert!(session.errors().is_empty());
    }
    assert_eq!(hash(&session), run_hash(&project.path(), 47));
}

#[test]
fn texts_that_fail_later_give_way_to_those_before() {
    let project = Project::new();
    let mut session = project.open();
    step(&mut session, 20);
    let fails =
        "me.state.turns += 1; let x = if me.state.turns > 50 { 1 / (me.id - me.id) } else { 1 };";
    project.script("bird", &BIRD.replace("me.state.turns += 1;", fails));
    took(&mut session);
    step(&mut session, 30);
    assert_eq!(session.tick(), 50);
    assert_eq!(session.step(), Stepped::FellBack);
    assert_eq!(session.tick(), 50);
    let error = &session.errors()[0];
    assert!(error.to_string().contains("bird.rhai"), "{error}");
    step(&mut session, 30);
    let behind = hash(&session);
    assert_eq!(
        session.reload(),
        Reloaded::Same,
        "it is known what they come to"
    );
    session.seek(35);
    session.seek(80);
    assert_eq!(hash(&session), behind);
    project.script("bird", BIRD);
    assert!(matches!(session.reload(), Reloaded::Took(_)));
    assert!(session.errors().is_empty());
    assert_eq!(hash(&session), run_hash(&project.path(), 80));
}

#[test]
fn what_is_done_by_hand_and_fails_is_undone() {
    let project = Project::new();
    let mut session = project.open();
    step(&mut session, 20);
    session.act(Action::Set {
        group: GroupId(0),
        param: "room".into(),
        value: Value::Float(-1.0),
    });
    assert!(matches!(session.step(), Stepped::Undone(_)));
    assert!(session.errors().is_empty());
    step(&mut session, 10);
    assert_eq!(hash(&session), run_hash(&project.path(), 30));
}

#[test]
fn a_run_that_fails_by_itself_stops_until_it_is_mended() {
    let project = Project::new();
    project.script(
        "guard",
        "fn steer(me) { if world.tick > 9 { 1 / (me.id - me.id) } me.vel }",
    );
    let mut session = project.open();
    step(&mut session, 10);
    assert_eq!(session.step(), Stepped::Stuck);
    assert_eq!((session.tick(), session.errors().len()), (10, 1));
    assert_eq!(session.step(), Stepped::Stuck);
    session.seek(4);
    assert_eq!(session.step(), Stepped::Again);
    session.seek(10);
    project.script("guard", GUARD);
    took(&mut session);
    step(&mut session, 10);
    assert_eq!(session.tick(), 20);
}

#[test]
fn what_is_done_in_the_past_leaves_the_old_future_as_a_ghost() {
    let project = Project::new();
    let mut session = project.open();
    step(&mut session, 100);
    let far = session.simulation().world().agents.pos[0];
    session.seek(60);
    let here = session.simulation().world().agents.pos[0];
    session.act(Action::SetGoals {
        group: GroupId(0),
        goals: [Goal {
            at: Vec2::ONE,
            radius: 5.0,
        }]
        .into(),
    });
    assert_eq!((session.tick(), session.end()), (60, 60));
    let ghost = session.ghost().unwrap();
    assert_eq!(ghost.ticks(), Some((60, 100)));
    assert_eq!(ghost.at(100).unwrap().1.place(0), Some(far));
    assert_eq!(ghost.at(60).unwrap().1.place(0), Some(here));
    step(&mut session, 40);
    assert_eq!(session.end(), 100);
}

#[test]
fn the_newest_texts_can_run_again_from_any_tick() {
    let project = Project::new();
    let mut session = project.open();
    step(&mut session, 100);
    project.script("bird", &BIRD.replace("me.alignment(60)", "vec(0, 0)"));
    took(&mut session);
    assert!(session.ghost().is_none(), "nothing was given up");
    step(&mut session, 20);
    session.seek(50);
    let before = agents_hash(session.simulation().world(), session.simulation().minds());
    assert_eq!(session.rerun().unwrap(), 120);
    let now = agents_hash(session.simulation().world(), session.simulation().minds());
    assert_eq!(now, before, "it begins where they were");
    assert_eq!((session.tick(), session.end()), (50, 50));
    step(&mut session, 70);
    let ghost = session.ghost().unwrap();
    assert_eq!(ghost.ticks(), Some((50, 120)));
    let new = session.tracks().at(90).unwrap().1.place(0);
    assert_ne!(ghost.at(90).unwrap().1.place(0), new);
}

#[test]
fn what_is_done_in_the_past_goes_on_with_the_newest_texts() {
    let project = Project::new();
    let mut session = project.open();
    step(&mut session, 50);
    project.script("bird", "fn steer(me) { me.vel = vec(0, 0); vec(0, 0) }");
    took(&mut session);
    step(&mut session, 10);
    session.seek(20);
    assert!(session.act(Action::Push {
        group: GroupId(0),
        velocity: Vec2::ONE,
    }));
    assert_eq!(session.edits(), [0, 20]);
    step(&mut session, 5);
    let before = session.simulation().world().agents.pos[0];
    step(&mut session, 5);
    assert_eq!(session.simulation().world().agents.pos[0], before);
    assert!(!session.act(Action::Push {
        group: GroupId(7),
        velocity: Vec2::ONE,
    }));
}

#[test]
fn an_edit_taken_back_in_the_past_is_the_newest_again() {
    let project = Project::new();
    let mut session = project.open();
    step(&mut session, 50);
    project.script("bird", &BIRD.replace("me.alignment(60)", "vec(0, 0)"));
    took(&mut session);
    step(&mut session, 50);
    session.seek(20);
    // Saved again as it is, by halves: nothing is new.
    project.script("bird", "fn steer(");
    assert_eq!(session.reload(), Reloaded::Failed);
    project.script("bird", &BIRD.replace("me.alignment(60)", "vec(0, 0)"));
    assert_eq!(session.reload(), Reloaded::Took(Vec::new()));
    assert_eq!((session.tick(), session.end()), (20, 100));
    project.script("bird", BIRD);
    assert_eq!(session.reload(), Reloaded::Took(Vec::new()));
    assert_eq!((session.tick(), session.end()), (20, 20));
    step(&mut session, 60);
    assert_eq!(hash(&session), run_hash(&project.path(), 80));
}

#[test]
fn texts_that_fail_at_once_give_nothing_up() {
    let project = Project::new();
    let mut session = project.open();
    step(&mut session, 60);
    session.seek(30);
    project.script(
        "bird",
        &BIRD.replace(
            "me.state.turns += 1;",
            "me.state.turns += 1 / (me.id - me.id);",
        ),
    );
    project.scenario(&SCENARIO.replace("radius: 60", "radius: 50"));
    assert_eq!(session.reload(), Reloaded::Failed);
    assert_eq!((session.tick(), session.end()), (30, 60));
    assert_eq!(session.reload(), Reloaded::Same);
    step(&mut session, 40);
    project.scenario(SCENARIO);
    project.script("bird", BIRD);
    assert_eq!(session.reload(), Reloaded::Took(Vec::new()));
    assert_eq!(hash(&session), run_hash(&project.path(), 70));
}

#[test]
fn texts_that_have_failed_can_be_tried_again() {
    let project = Project::new();
    let mut session = project.open();
    step(&mut session, 20);
    let set = |value| Action::Set {
        group: GroupId(0),
        param: "pull".into(),
        value: Value::Float(value),
    };
    let fails = "me.state.turns += if me.state.turns >= 50 && me.params.pull > 1 { 1 / (me.id - me.id) } else { 1 };";
    project.script("bird", &BIRD.replace("me.state.turns += 1;", fails));
    took(&mut session);
    step(&mut session, 10);
    session.act(set(2.0));
    step(&mut session, 20);
    assert_eq!((session.tick(), session.step()), (50, Stepped::FellBack));
    session.seek(40);
    session.rerun().unwrap();
    assert!(session.errors().is_empty());
    session.act(set(0.5));
    step(&mut session, 30);
    assert_eq!(session.tick(), 70);
    assert_eq!(session.reload(), Reloaded::Same);
}

#[test]
fn a_stuck_run_can_be_run_again_from_before() {
    let project = Project::new();
    project.script(
        "guard",
        "fn steer(me) { if world.tick > 9 { 1 / (me.id - me.id) } me.vel }",
    );
    let mut session = project.open();
    step(&mut session, 10);
    assert_eq!(session.step(), Stepped::Stuck);
    session.seek(4);
    session.rerun().unwrap();
    step(&mut session, 6);
    assert_eq!(session.step(), Stepped::Stuck);
    assert_eq!(session.tick(), 10);
}

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

#[test]
fn an_edit_in_the_past_begins_there() {
    let project = Project::new();
    let mut session = project.open();
    step(&mut session, 100);
    session.seek(30);
    project.script("bird", &BIRD.replace("me.alignment(60)", "vec(0, 0)"));
    took(&mut session);
    assert_eq!((session.tick(), session.end()), (30, 30));
    assert_eq!(session.edits(), [0, 30]);
    assert_eq!(session.ghost().unwrap().ticks(), Some((30, 100)));
}

#[test]
fn the_way_back_takes_no_more_memory_than_it_may() {
    let project = Project::new();
    let mut session = project.open();
    let one = session.simulation().bytes();
    // An edit takes up two of these, the other keyframes a little more than one.
    session.set_most_bytes(one * 12);
    for round in 0..6 {
        step(&mut session, 300);
        if round > 2 {
            project.script("bird", &format!("{BIRD}// {round}"));
            took(&mut session);
        }
        assert!((2..=12).contains(&session.kept()), "{}", session.kept());
    }
    let (first, end, last) = (session.first(), session.end(), hash(&session));
    session.seek(first);
    assert_eq!(session.tick(), first);
    session.seek(end);
    assert_eq!(hash(&session), last);
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
        assert_eq!(reloaded == Reloaded::Failed, half, "{reloaded:?}");
    }
    assert!(session.errors().is_empty());
    assert!(session.edits().len() > 20);
}
