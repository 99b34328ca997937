//! Tests of the player and the screen, without a window.

mod absent;
mod baseline;
mod comparison;
mod crowd;
mod edit;
mod error;
mod expectations;
mod failed_pair;
mod failure;
mod file_keys;
mod file_text;
mod files;
mod find;
mod input;
mod keys_file;
mod leaving;
mod log;
mod menu_and_help;
mod messages;
mod new_script;
mod other_scenarios;
mod overlays;
mod panel_laws;
mod params;
mod piles;
mod play;
mod plot;
mod plot_list;
mod predict;
mod problem_rows;
mod random_input;
mod recorder;
mod renaming;
mod results;
mod scene;
mod screens;
mod setup;
mod take_along;
mod teaching;
mod undo;
mod unwritten;
mod weights;
mod widgets;
mod window_position;

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
use flockwork_engine::world::AgentId;
use flockwork_engine::{Options, Run, state_hash};

use super::command::{Overlays, PlayerCommand};
use super::key::Key;
use super::keys::press;
use super::panels;
use super::player::Player;
use super::sample::Sample;
use super::scale::Scale;
use super::screen::screen;
use super::ui::{Button, Ui};
use super::ui_command::UiCommand;
use super::view_state::{SharedView, ViewState};
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

/// A player of a session in its own temporary folder.
struct PlayerTest {
    dir: Arc<tempfile::TempDir>,
    sender: Sender<PlayerCommand>,
    shared: Arc<SharedView>,
}

impl PlayerTest {
    fn new() -> Self {
        Self::with_scenario(SCENARIO)
    }

    fn with_scenario(scenario: &str) -> Self {
        let dir = Arc::new(tempfile::tempdir().unwrap());
        fs::create_dir(dir.path().join("scripts")).unwrap();
        fs::write(dir.path().join("a.ron"), scenario).unwrap();
        fs::write(dir.path().join("scripts/bird.rhai"), BIRD).unwrap();
        fs::write(dir.path().join("scripts/fox.rhai"), FOX).unwrap();
        let session = Session::open(&dir.path().join("a.ron"), Options::default()).unwrap();
        let (sender, commands) = channel();
        let changed = sender.clone();
        let watch = Watch::of_scenario(&dir.path().join("a.ron"), move || {
            let _ = changed.send(PlayerCommand::FilesChanged);
        })
        .unwrap();
        let (player, shared) = Player::new(session, Some(watch));
        thread::spawn(move || flockwork_engine::with_threads(1, || player.play(commands)));
        Self { dir, sender, shared }
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

    fn send(&self, command: PlayerCommand) {
        self.sender.send(command).unwrap();
    }

    /// Waits until the published state fulfills a condition.
    fn wait(&self, what: &str, is_so: impl Fn(&ViewState) -> bool) -> Arc<ViewState> {
        let since = Instant::now();
        loop {
            let state = self.shared.latest();
            if is_so(&state) {
                return state;
            }
            let (tick, errors) = (state.world.tick, &state.errors);
            assert!(since.elapsed() < PATIENCE, "{what} has not happened: tick {tick}, {errors:?}");
            thread::sleep(Duration::from_millis(2));
        }
    }

    fn at(&self, tick: u64) -> Arc<ViewState> {
        self.send(PlayerCommand::RunTo(tick));
        self.wait("the tick", |state| state.world.tick == tick && state.hash.is_some())
    }

    fn headless(&self, ticks: u64) -> u64 {
        let mut run = Run::open(&self.path(), &Options::default()).unwrap();
        for _ in 0..ticks {
            run.step().unwrap();
        }
        state_hash(run.simulation().world(), run.simulation().minds())
    }
}

/// Ends the player: it holds a watcher, which holds a sender of its commands, so it would play on until all tests have ended.
impl Drop for PlayerTest {
    fn drop(&mut self) {
        let _ = self.sender.send(PlayerCommand::Quit);
    }
}

/// Draws what the window shows.
fn picture(ui: &Ui, state: &ViewState) -> Picture {
    let mut picture = Picture::new((1, 1), ui.palette().ground);
    picture.resize(ui.scale.window, ui.scale.factor());
    screen(&mut picture, ui, state, None);
    picture
}

/// Saves what the window shows, to look at it, if the variable `PICTURES` names a folder.
fn save_picture(name: &str, ui: &Ui, state: &ViewState) {
    if let Some(folder) = std::env::var_os("PICTURES") {
        let (width, height) = ui.scale.window;
        let colors = if ui.is_dark { "dark" } else { "light" };
        let file = format!("{name}_{width}x{height}_{colors}.png");
        fs::write(PathBuf::from(folder).join(file), picture(ui, state).png()).unwrap();
    }
}

/// Returns the words of the status line, without those about the pointer, which the fox sees.
fn status_words(ui: &Ui, state: &ViewState, sample: Sample) -> String {
    let words = panels::status::words(ui, state, sample);
    let (before, after) = words.split_once("  ·  scripts see the pointer (ctrl+p: not)").unwrap();
    format!("{before}{after}")
}

fn drawn(ui: &Ui, state: &ViewState) -> Vec<u32> {
    let mut pixels = Vec::new();
    picture(ui, state).copy_rgb(&mut pixels);
    pixels
}

#[test]
fn playing_is_the_run_and_going_back_changes_nothing() {
    let test = PlayerTest::new();
    test.wait("time", |state| state.world.tick > 5);
    let there = test.at(200).hash;
    assert_eq!(there, Some(test.headless(200)));
    assert_eq!(test.at(70).hash, Some(test.headless(70)));
    test.send(PlayerCommand::Skip(0.1));
    test.send(PlayerCommand::Skip(0.1));
    test.wait("two leaps", |state| state.world.tick == 80 && state.hash.is_some());
    test.send(PlayerCommand::Skip(-0.2));
    test.wait("a leap back", |state| state.world.tick == 70 && state.hash.is_some());
    test.send(PlayerCommand::StepForward);
    test.wait("a step", |state| state.world.tick == 71);
    test.send(PlayerCommand::StepBack);
    test.wait("a step back", |state| state.world.tick == 70);
    test.send(PlayerCommand::Seek(0));
    test.wait("the start", |state| state.world.tick == 0 && state.hash.is_some());
    assert_eq!(test.at(200).hash, there);
}

#[test]
fn the_run_pauses_where_the_scenario_ends_and_can_go_on() {
    let test = PlayerTest::new();
    test.at(390);
    test.send(PlayerCommand::TogglePause);
    let state = test.wait("the end", |state| state.world.tick >= 400 && !state.is_playing);
    assert_eq!(state.world.tick, 400);
    assert!(state.notices.iter().any(|one| one.text.contains("the scenario ends at tick 400")));
    test.send(PlayerCommand::TogglePause);
    let state = test.wait("later ticks", |state| state.world.tick > 405);
    let mut ui = Ui::new(SIZE, false);
    ui.is_dark = true;
    save_picture("end", &ui, &state);
    // A tick that a person asks for is reached without a stop.
    test.at(0);
    assert_eq!(test.at(410).hash, Some(test.headless(410)));
}

#[test]
fn commands_on_the_way_to_a_tick_are_handled_there() {
    let test = PlayerTest::new();
    test.wait("time", |state| state.world.tick > 0);
    // So many agents that seeking takes several time slices.
    fs::write(test.path(), SCENARIO.replace("count: 12", "count: 1000")).unwrap();
    let edited = test.wait("more of them", |state| state.edits.len() > 1);
    let begun = edited.edits[1];
    test.at(begun + 40);
    test.send(PlayerCommand::Seek(begun + 30));
    test.send(PlayerCommand::Push { at: Vec2::new(200.0, 150.0), radius: 50.0 });
    let state = test.wait("the push", |state| state.ghost.is_some());
    assert_eq!((state.world.tick, state.last_tick), (begun + 30, begun + 30));
}

#[test]
fn the_speed_stays_within_its_limits() {
    let test = PlayerTest::new();
    test.send(PlayerCommand::ChangeSpeed(9));
    let state = test.wait("the fastest", |state| state.speed == 6);
    test.wait("time", |now| now.world.tick > state.world.tick + 50);
    test.send(PlayerCommand::TogglePause);
    let paused = test.wait("a pause", |state| state.hash.is_some());
    test.send(PlayerCommand::ChangeSpeed(-99));
    let state = test.wait("the slowest", |state| state.speed == -3);
    assert_eq!(state.world.tick, paused.world.tick);
}

#[test]
fn long_ticks_play_faster() {
    let test = PlayerTest::new();
    fs::write(test.path(), SCENARIO.replace("dt: 0.02", "dt: 1")).unwrap();
    let session = Session::open(&test.path(), Options::default()).unwrap();
    let (_, shared) = Player::new(session, None);
    let state = shared.latest();
    assert_eq!(state.speed, 5);
    assert!(state.notices[0].text.contains("at 32 ticks/s"), "{}", state.notices[0].text);
}

#[test]
fn the_pointer_is_recorded_and_replayed() {
    let test = PlayerTest::new();
    test.send(PlayerCommand::MoveCursor(Some(Vec2::new(350.0, 250.0))));
    test.wait("the pointer", |state| state.world.cursor.is_some());
    let state = test.wait("time", |state| state.world.tick > 60);
    test.send(PlayerCommand::MoveCursor(Some(Vec2::new(10.0, 10.0))));
    test.wait("time", |now| now.world.tick > state.world.tick + 40);
    let far = test.at(test.shared.latest().world.tick + 20);
    test.send(PlayerCommand::Seek(30));
    test.wait("the past", |state| state.world.tick == 30 && state.hash.is_some());
    assert_eq!(test.at(far.world.tick).hash, far.hash);
}

/// A scenario with a recorded pointer was shown without it: the player used its own, which was outside the window.
#[test]
fn a_recorded_pointer_is_the_one_that_is_shown() {
    let test = PlayerTest::new();
    let events = r#"events: [
        At(tick: 5, do: Cursor(at: (350, 250))), At(tick: 40, do: Cursor(at: (10, 20))),
    ], groups"#;
    fs::write(test.path(), SCENARIO.replace("groups", events)).unwrap();
    let session = Session::open(&test.path(), Options::default()).unwrap();
    let (sender, commands) = channel();
    let (player, shared) = Player::new(session, None);
    thread::spawn(move || flockwork_engine::with_threads(1, || player.play(commands)));
    let test = PlayerTest { sender, shared, dir: Arc::clone(&test.dir) };
    test.wait("time", |state| state.world.tick > 60);
    let state = test.at(100);
    assert_eq!(state.world.cursor, Some(Vec2::new(10.0, 20.0)));
    assert_eq!(state.hash, Some(test.headless(100)));
}

#[test]
fn changed_params_are_written_to_the_scenario_and_nothing_else_changes() {
    let test = PlayerTest::new();
    test.at(30);
    let mut ui = Ui::new(SIZE, false);
    panels::params::PANEL.set_open(&mut ui, true);
    ui.param = 2;
    let state = test.shared.latest();
    // Two presses within a frame: each changes the current value.
    for command in
        [press(Key::CtrlRight, &mut ui, &state), press(Key::CtrlRight, &mut ui, &state)].concat()
    {
        test.send(command);
    }
    test.wait("the param", |state| state.params[0] != state.world.groups[0].params);
    test.send(PlayerCommand::WriteParams);
    test.wait("the notice", |state| {
        state.notices.iter().any(|notice| notice.text.contains("written"))
    });
    let text = fs::read_to_string(test.path()).unwrap();
    assert_eq!(text, SCENARIO.replace("20.0", "22.0"));
    assert!(test.shared.latest().errors.is_empty());
}

#[test]
fn a_tick_is_saved_as_a_scenario_and_as_a_test_that_passes() {
    let test = PlayerTest::new();
    test.at(50);
    test.send(PlayerCommand::Push { at: Vec2::new(200.0, 150.0), radius: 100.0 });
    test.send(PlayerCommand::SetGoal {
        group: Some("fox".into()),
        at: Vec2::new(300.0, 200.0),
        radius: 5.0,
    });
    let end = test.at(120);
    test.send(PlayerCommand::Seek(50));
    test.wait("the past", |state| state.world.tick == 50 && state.hash.is_some());
    test.send(PlayerCommand::Save { is_test: true, name: None });
    let state = test.wait("the notice", |state| {
        state.notices.iter().any(|notice| notice.text.contains("saved"))
    });
    let notice = state.notices.last().unwrap();
    assert!(!notice.is_failure, "{}", notice.text);
    let files = fs::read_dir(test.dir.path()).unwrap().map(|file| file.unwrap().path());
    let mut saved: Vec<PathBuf> = files
        .filter(|file| {
            file.extension().is_some_and(|extension| extension == "ron") && *file != test.path()
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
fn script_messages_depend_on_the_tick_and_the_selected_agent() {
    let test = PlayerTest::new();
    test.script("fox", "fn steer(me) { debug(world.tick); me.wander() }");
    test.script("bird", "fn steer(me) { debug(me.index); vec(0, 0) }");
    let fox = AgentId(12);
    let has_message_of = |state: &ViewState, is_agent: fn(AgentId) -> bool| {
        state.messages.iter().any(|message| is_agent(message.agent))
    };
    test.wait("messages of the birds", |state| has_message_of(state, |id| id.0 < 12));
    test.send(PlayerCommand::Select(Some(fox)));
    let state = test.wait("messages of the fox", |state| has_message_of(state, |id| id == 12));
    let now = state.world.tick + 100;
    let ticks = |state: &ViewState| -> Vec<u64> {
        let all = state.messages.iter();
        all.map(|message| message.tick + 100 - now).collect()
    };
    let state = test.at(now);
    assert_eq!(ticks(&state), [94, 95, 96, 97, 98, 99]);
    assert!(state.messages.iter().all(|message| message.agent == fox));
    let back = test.at(now - 50);
    assert_eq!(ticks(&back), [44, 45, 46, 47, 48, 49]);
    let start = test.at(0);
    assert!(start.messages.iter().all(|message| message.tick == 0));
    test.at(now - 50);
    // After an edit the script prints something else.
    test.script("fox", "fn steer(me) { debug(`now ${world.tick}`); me.wander() }");
    test.wait("the edit", |state| state.last_tick == now - 50);
    let other = test.at(now - 47);
    assert_eq!(ticks(&other), [47, 48, 49, 50, 51, 52]);
    let new = other.messages.iter().map(|message| message.text.starts_with("now"));
    assert_eq!(new.collect::<Vec<_>>(), [false, false, false, true, true, true]);
}

/// A script message stayed on the screen for the rest of the run.
#[test]
fn script_messages_disappear_after_three_seconds() {
    let test = PlayerTest::new();
    test.at(1);
    let once = "if world.tick == 20 { debug(world.tick); } me.wander()";
    test.script("fox", &format!("fn steer(me) {{ {once} }}"));
    test.wait("the edit", |state| state.edits.len() > 1);
    let ticks =
        |state: &ViewState| state.messages.iter().map(|message| message.tick).collect::<Vec<_>>();
    // Three seconds are 150 ticks.
    assert_eq!(ticks(&test.at(170)), [20]);
    assert_eq!(ticks(&test.at(171)), [0; 0]);
    assert_eq!(ticks(&test.at(21)), [20]);
    // The time is real time, so it is the same at any speed.
    test.at(300);
    test.send(PlayerCommand::ChangeSpeed(1));
    let state = test.wait("another speed", |state| state.speed == 1);
    assert_eq!(ticks(&state), [20]);
}

/// Caught: a run that had come to its end was still said to be too slow.
#[test]
fn a_run_that_cannot_keep_up_shows_its_actual_speed() {
    let test = PlayerTest::new();
    // An edit at the first tick would not count as a second edit.
    test.wait("time", |state| state.world.tick > 0);
    fs::write(test.path(), SCENARIO.replace("count: 12", "count: 3000")).unwrap();
    test.wait("more of them", |state| state.edits.len() > 1);
    test.send(PlayerCommand::ChangeSpeed(6));
    let state = test.wait("the speed", |state| state.reached_share.is_some());
    assert!(state.reached_share.is_some_and(|share| share < 0.9));
    // It may have come to its end.
    test.send(PlayerCommand::TogglePause);
    let state = test.wait("a pause", |state| state.hash.is_some());
    assert_eq!(state.reached_share, None);
}

/// Explanations were computed in every tick even while the window was minimized.
#[test]
fn overlays_are_not_computed_while_the_window_is_hidden() {
    let test = PlayerTest::new();
    test.send(PlayerCommand::Select(Some(AgentId(4))));
    test.send(PlayerCommand::SetOverlays(Overlays {
        forces: true,
        field: true,
        ..Overlays::default()
    }));
    let has_all = |state: &ViewState| {
        state.next_turn.is_some() && !state.forces.is_empty() && !state.field.is_empty()
    };
    let has_any = |state: &ViewState| {
        state.next_turn.is_some() || !state.forces.is_empty() || !state.field.is_empty()
    };
    test.wait("all", has_all);
    test.send(PlayerCommand::SetVisible(false));
    let state = test.wait("nothing", |state| !has_any(state));
    test.wait("time", |now| now.world.tick > state.world.tick + 10 && !has_any(now));
    test.send(PlayerCommand::SetVisible(true));
    test.wait("all", has_all);
}
