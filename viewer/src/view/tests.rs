//! The player and the screen, without a window.

mod edit;
mod hand;

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use flockwork_engine::live::Session;
use flockwork_engine::load::Watch;
use flockwork_engine::math::Vec2;
use flockwork_engine::suite::{Case, TestOutcome};
use flockwork_engine::{Options, Run, state_hash};

use super::command::{Command, Wanted};
use super::keys::{Key, press};
use super::player::Player;
use super::screen::screen;
use super::shown::{Board, Shown};
use super::ui::{Button, Ui};
use crate::draw::Picture;

const PATIENCE: Duration = Duration::from_secs(60);
const SIZE: (u32, u32) = (900, 640);
const SCENARIO: &str = r#"(
    name: "Meadow", ticks: 400, dt: 0.02,
    world: (size: (400, 300), edge: Wrap),
    obstacles: { "tree": Circle(center: (300, 80), radius: 20) },
    groups: {
        "bird": (behavior: "bird", count: 12, spawn: Disc(center: (200, 150), radius: 60), velocity: (20, 5),
                 body: (radius: 3, max_speed: 60, max_force: 90), params: { "room": 20.0, "at": (1, 2) }),
        "fox": (behavior: "fox", spawn: Points([(60, 60)]), body: (radius: 5, max_speed: 45, max_force: 80)),
    },
)"#;
const BIRD: &str = "
fn init(me) { me.state.turns = 0; }
fn steer(me) {
    me.state.turns += 1;
    me.separation(me.params.room) + me.alignment(60) + 0.4 * me.wander() + 2 * me.avoid_obstacles()
}";
const FOX: &str =
    "fn steer(me) { if world.cursor != () { return me.seek(world.cursor); } me.wander() }";

/// A session that plays, in a folder of its own.
struct Stage {
    dir: tempfile::TempDir,
    tell: Sender<Command>,
    board: Arc<Board>,
}

impl Stage {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("scripts")).unwrap();
        fs::write(dir.path().join("a.ron"), SCENARIO).unwrap();
        fs::write(dir.path().join("scripts/bird.rhai"), BIRD).unwrap();
        fs::write(dir.path().join("scripts/fox.rhai"), FOX).unwrap();
        let session = Session::open(&dir.path().join("a.ron"), Options::default()).unwrap();
        let (tell, commands) = channel();
        let changed = tell.clone();
        let watch = Watch::of_scenario(&dir.path().join("a.ron"), move || {
            let _ = changed.send(Command::Changed);
        })
        .unwrap();
        let (player, board) = Player::new(session, Some(watch));
        thread::spawn(move || flockwork_engine::with_threads(1, || player.play(commands)));
        Self { dir, tell, board }
    }

    fn path(&self) -> PathBuf {
        self.dir.path().join("a.ron")
    }

    fn script(&self, name: &str, text: &str) {
        let path = self.dir.path().join(format!("scripts/{name}.rhai"));
        let new = path.with_extension("new");
        fs::write(&new, text).unwrap();
        fs::rename(new, path).unwrap();
    }

    fn tell(&self, command: Command) {
        self.tell.send(command).unwrap();
    }

    /// Waits until what is shown is so.
    fn wait(&self, what: &str, so: impl Fn(&Shown) -> bool) -> Arc<Shown> {
        let since = Instant::now();
        loop {
            let shown = self.board.shown();
            if so(&shown) {
                return shown;
            }
            let (tick, errors) = (shown.world.tick, &shown.errors);
            assert!(since.elapsed() < PATIENCE, "{what} has not come: tick {tick}, {errors:?}");
            thread::sleep(Duration::from_millis(2));
        }
    }

    fn at(&self, tick: u64) -> Arc<Shown> {
        self.tell(Command::RunTo(tick));
        self.wait("the tick", |shown| shown.world.tick == tick && shown.hash.is_some())
    }

    fn headless(&self, ticks: u64) -> u64 {
        let mut run = Run::open(&self.path(), &Options::default()).unwrap();
        for _ in 0..ticks {
            run.step().unwrap();
        }
        state_hash(run.simulation().world(), run.simulation().minds())
    }
}

fn drawn(ui: &Ui, shown: &Shown) -> Vec<u32> {
    let mut picture = Picture::new(ui.size, ui.palette().ground);
    screen(&mut picture, ui, shown, None);
    let mut pixels = Vec::new();
    picture.copy_rgb(&mut pixels);
    pixels
}

#[test]
fn what_plays_is_the_run_and_looking_back_changes_nothing() {
    let stage = Stage::new();
    stage.wait("time", |shown| shown.world.tick > 5);
    let there = stage.at(200).hash;
    assert_eq!(there, Some(stage.headless(200)));
    assert_eq!(stage.at(70).hash, Some(stage.headless(70)));
    stage.tell(Command::Leap(0.1));
    stage.tell(Command::Leap(0.1));
    stage.wait("two leaps", |shown| shown.world.tick == 80 && shown.hash.is_some());
    stage.tell(Command::Leap(-0.2));
    stage.wait("a leap back", |shown| shown.world.tick == 70 && shown.hash.is_some());
    stage.tell(Command::Step);
    stage.wait("a step", |shown| shown.world.tick == 71);
    stage.tell(Command::Back);
    stage.wait("a step back", |shown| shown.world.tick == 70);
    stage.tell(Command::Seek(0));
    stage.wait("the start", |shown| shown.world.tick == 0 && shown.hash.is_some());
    assert_eq!(stage.at(200).hash, there);
}

#[test]
fn what_is_asked_for_on_the_way_to_a_moment_is_done_there() {
    let stage = Stage::new();
    stage.wait("time", |shown| shown.world.tick > 0);
    // So many that the way takes several slices of time.
    fs::write(stage.path(), SCENARIO.replace("count: 12", "count: 1000")).unwrap();
    let edited = stage.wait("more of them", |shown| shown.edits.len() > 1);
    let begun = edited.edits[1];
    stage.at(begun + 40);
    stage.tell(Command::Seek(begun + 30));
    stage.tell(Command::Push { at: Vec2::new(200.0, 150.0), radius: 50.0 });
    let shown = stage.wait("the push", |shown| shown.ghost.is_some());
    assert_eq!((shown.world.tick, shown.end), (begun + 30, begun + 30));
}

#[test]
fn time_passes_as_fast_as_it_is_told_to() {
    let stage = Stage::new();
    stage.tell(Command::Faster(9));
    let shown = stage.wait("the fastest", |shown| shown.speed == 6);
    stage.wait("time", |now| now.world.tick > shown.world.tick + 50);
    stage.tell(Command::Toggle);
    let paused = stage.wait("a pause", |shown| shown.hash.is_some());
    stage.tell(Command::Faster(-99));
    let shown = stage.wait("the slowest", |shown| shown.speed == -3);
    assert_eq!(shown.world.tick, paused.world.tick);
}

#[test]
fn long_ticks_pass_faster() {
    let stage = Stage::new();
    fs::write(stage.path(), SCENARIO.replace("dt: 0.02", "dt: 1")).unwrap();
    let session = Session::open(&stage.path(), Options::default()).unwrap();
    let (_, board) = Player::new(session, None);
    let shown = board.shown();
    assert_eq!(shown.speed, 5);
    assert!(shown.notices[0].text.contains("32 times"), "{}", shown.notices[0].text);
}

#[test]
fn the_pointer_is_recorded_and_replayed() {
    let stage = Stage::new();
    stage.tell(Command::Cursor(Some(Vec2::new(350.0, 250.0))));
    stage.wait("the pointer", |shown| shown.world.cursor.is_some());
    let shown = stage.wait("time", |shown| shown.world.tick > 60);
    stage.tell(Command::Cursor(Some(Vec2::new(10.0, 10.0))));
    stage.wait("time", |now| now.world.tick > shown.world.tick + 40);
    let far = stage.at(stage.board.shown().world.tick + 20);
    stage.tell(Command::Seek(30));
    stage.wait("the past", |shown| shown.world.tick == 30 && shown.hash.is_some());
    assert_eq!(stage.at(far.world.tick).hash, far.hash);
}

/// A saved moment with a recorded pointer was shown without it: the player took its own, which was nowhere.
#[test]
fn a_recorded_pointer_is_the_one_that_is_shown() {
    let stage = Stage::new();
    let events = r#"events: [
        At(tick: 5, do: Cursor(at: (350, 250))), At(tick: 40, do: Cursor(at: (10, 20))),
    ], groups"#;
    fs::write(stage.path(), SCENARIO.replace("groups", events)).unwrap();
    let session = Session::open(&stage.path(), Options::default()).unwrap();
    let (tell, commands) = channel();
    let (player, board) = Player::new(session, None);
    thread::spawn(move || flockwork_engine::with_threads(1, || player.play(commands)));
    let stage = Stage { tell, board, ..stage };
    stage.wait("time", |shown| shown.world.tick > 60);
    let shown = stage.at(100);
    assert_eq!(shown.world.cursor, Some(Vec2::new(10.0, 20.0)));
    assert_eq!(shown.hash, Some(stage.headless(100)));
}

#[test]
fn what_is_tuned_is_written_into_the_scenario_and_nothing_else_changes() {
    let stage = Stage::new();
    stage.at(30);
    let mut ui = Ui::new(SIZE, false);
    ui.has_params = true;
    ui.param = 2;
    let shown = stage.board.shown();
    // Twice within a frame: each turns the knob on from where it is by then.
    for command in
        [press(Key::Char('='), &mut ui, &shown), press(Key::Char('='), &mut ui, &shown)].concat()
    {
        stage.tell(command);
    }
    stage.wait("the param", |shown| shown.params[0] != shown.world.groups[0].params);
    stage.tell(Command::WriteParams);
    stage.wait("the word", |shown| shown.notices.iter().any(|one| one.text.contains("written")));
    let text = fs::read_to_string(stage.path()).unwrap();
    assert_eq!(text, SCENARIO.replace("20.0", "22.0"));
    assert!(stage.board.shown().errors.is_empty());
}

#[test]
fn a_moment_is_saved_as_a_scenario_and_as_a_test_that_passes() {
    let stage = Stage::new();
    stage.at(50);
    stage.tell(Command::Push { at: Vec2::new(200.0, 150.0), radius: 100.0 });
    stage.tell(Command::Goal {
        group: Some("fox".into()),
        at: Vec2::new(300.0, 200.0),
        radius: 5.0,
    });
    let end = stage.at(120);
    stage.tell(Command::Seek(50));
    stage.wait("the past", |shown| shown.world.tick == 50 && shown.hash.is_some());
    stage.tell(Command::Save { is_test: true });
    let shown =
        stage.wait("the word", |shown| shown.notices.iter().any(|one| one.text.contains("saved")));
    let notice = shown.notices.last().unwrap();
    assert!(!notice.is_failure, "{}", notice.text);
    let files = fs::read_dir(stage.dir.path()).unwrap().map(|file| file.unwrap().path());
    let mut saved: Vec<PathBuf> = files
        .filter(|file| {
            file.extension().is_some_and(|ending| ending == "ron") && *file != stage.path()
        })
        .collect();
    let saved = saved.pop().unwrap();
    assert_eq!(Case::open(&saved).test().outcome, TestOutcome::Passed);
    let mut run = Run::open(&saved, &Options::default()).unwrap();
    assert_eq!(run.simulation().world().tick, 50);
    while run.simulation().world().tick < 120 {
        run.step().unwrap();
    }
    let simulation = run.simulation();
    assert_eq!(Some(state_hash(simulation.world(), simulation.minds())), end.hash);
}

#[test]
fn words_of_scripts_go_with_time_and_with_who_is_selected() {
    let stage = Stage::new();
    stage.script("fox", "fn steer(me) { debug(world.tick); me.wander() }");
    stage.script("bird", "fn steer(me) { debug(me.index); vec(0, 0) }");
    let fox = 12;
    let said_by =
        |shown: &Shown, who: fn(u32) -> bool| shown.messages.iter().any(|said| who(said.agent));
    stage.wait("the birds' words", |shown| said_by(shown, |id| id < 12));
    stage.tell(Command::Select(Some(fox)));
    let shown = stage.wait("the fox's words", |shown| said_by(shown, |id| id == 12));
    let now = shown.world.tick + 100;
    let ticks = |shown: &Shown| -> Vec<u64> {
        let all = shown.messages.iter();
        all.map(|said| said.tick + 100 - now).collect()
    };
    let shown = stage.at(now);
    assert_eq!(ticks(&shown), [94, 95, 96, 97, 98, 99]);
    assert!(shown.messages.iter().all(|said| said.agent == fox));
    let back = stage.at(now - 50);
    assert_eq!(ticks(&back), [44, 45, 46, 47, 48, 49]);
    let start = stage.at(0);
    assert!(start.messages.iter().all(|said| said.tick == 0));
    stage.at(now - 50);
    // In another future it says something else.
    stage.script("fox", "fn steer(me) { debug(`now ${world.tick}`); me.wander() }");
    stage.wait("the edit", |shown| shown.end == now - 50);
    let other = stage.at(now - 47);
    assert_eq!(ticks(&other), [47, 48, 49, 50, 51, 52]);
    let new = other.messages.iter().map(|said| said.text.starts_with("now"));
    assert_eq!(new.collect::<Vec<_>>(), [false, false, false, true, true, true]);
}

/// What was said once stayed on the screen for the rest of the run.
#[test]
fn words_of_scripts_are_gone_after_a_while() {
    let stage = Stage::new();
    stage.at(1);
    let once = "if world.tick == 20 { debug(world.tick); } me.wander()";
    stage.script("fox", &format!("fn steer(me) {{ {once} }}"));
    stage.wait("the edit", |shown| shown.edits.len() > 1);
    let ticks = |shown: &Shown| shown.messages.iter().map(|said| said.tick).collect::<Vec<_>>();
    // Three seconds are 150 ticks of them.
    assert_eq!(ticks(&stage.at(170)), [20]);
    assert_eq!(ticks(&stage.at(171)), [0; 0]);
    assert_eq!(ticks(&stage.at(21)), [20]);
    // For a person they are as long at any speed.
    stage.at(300);
    stage.tell(Command::Faster(1));
    let shown = stage.wait("another speed", |shown| shown.speed == 1);
    assert_eq!(ticks(&shown), [20]);
}

#[test]
fn time_that_cannot_keep_up_says_how_fast_it_is() {
    let stage = Stage::new();
    // An edit at the very start is none: it would be no second one.
    stage.wait("time", |shown| shown.world.tick > 0);
    fs::write(stage.path(), SCENARIO.replace("count: 12", "count: 3000")).unwrap();
    stage.wait("more of them", |shown| shown.edits.len() > 1);
    stage.tell(Command::Faster(6));
    let shown = stage.wait("the speed", |shown| shown.reached.is_some());
    assert!(shown.reached.is_some_and(|share| share < 0.9));
    stage.tell(Command::Toggle);
    let shown = stage.wait("a pause", |shown| shown.hash.is_some());
    assert_eq!(shown.reached, None);
}

/// Why agents do what they do was found out in every tick of a minimized window too.
#[test]
fn what_costs_much_is_not_found_out_where_nobody_looks() {
    let stage = Stage::new();
    stage.tell(Command::Select(Some(4)));
    stage.tell(Command::Find(Wanted { forces: true, field: true }));
    let has_all = |shown: &Shown| {
        shown.account.is_some() && !shown.forces.is_empty() && !shown.field.is_empty()
    };
    let has_any = |shown: &Shown| {
        shown.account.is_some() || !shown.forces.is_empty() || !shown.field.is_empty()
    };
    stage.wait("all", has_all);
    stage.tell(Command::Seen(false));
    let shown = stage.wait("nothing", |shown| !has_any(shown));
    stage.wait("time", |now| now.world.tick > shown.world.tick + 10 && !has_any(now));
    stage.tell(Command::Seen(true));
    stage.wait("all", has_all);
}
