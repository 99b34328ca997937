//! Sessions on files in a temporary folder.

mod edits;
mod failures;
mod judged;
mod open_files;
mod saving;
mod scene;
mod settings;
mod setup;
mod time;

use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;

use super::*;
use crate::math::Vec2;
use crate::runner::{Options, Run};
use crate::sim::Action;
use crate::trace::{state_hash, world_hash};
use crate::world::{AgentId, Goal, GroupId, Value};

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
        let this = Self { dir: tempfile::tempdir().unwrap() };
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

    /// Replaces a script by a folder of the same name.
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
    world_hash(simulation.world(), simulation.minds())
}

fn run_hash(path: &Path, ticks: u64) -> u64 {
    let mut run = Run::open(path, &Options::default()).unwrap();
    for _ in 0..ticks {
        run.step().unwrap();
    }
    world_hash(run.simulation().world(), run.simulation().minds())
}

fn step(session: &mut Session, ticks: u64) {
    for _ in 0..ticks {
        assert!(matches!(session.step(), StepResult::New | StepResult::Replayed));
    }
}

fn took(session: &mut Session) -> Vec<String> {
    match session.reload() {
        ReloadResult::Adopted(changes) => changes,
        other => panic!("{other:?}: {:?}", session.errors()),
    }
}

/// Sets a param of the birds, as a user does.
fn tune(session: &mut Session, room: f32) {
    assert!(session.act(Action::Set {
        group: GroupId(0),
        param: "room".into(),
        value: Value::Float(room),
    }));
}

fn state(session: &Session, id: u32, name: &str) -> Option<Value> {
    let simulation = session.simulation();
    let row = simulation.world().agents.row(AgentId(id)).unwrap();
    simulation.minds().state(row).get(name).cloned()
}
