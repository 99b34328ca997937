//! The play mode: keys set the inputs of the world.

use flockwork_engine::sim::Action;

use super::super::keys::play;
use super::*;

const FOX: &str = "fn steer(me) {
    let wish = vec(0, 0);
    if world.inputs.left { wish.x -= 90; }
    if world.inputs.act { wish.y += 90; }
    wish - me.vel
}";

/// Returns a player of a scenario in which the fox has two inputs, and an event presses one of them.
fn fox() -> PlayerTest {
    let more = "inputs: { \"left\": Key(\"left\"), \"act\": Key(\"space\") },
    events: [At(tick: 40, do: Input(name: \"act\", down: true))],
    groups:";
    let test = PlayerTest::with_scenario(&SCENARIO.replace("groups:", more));
    test.script("fox", FOX);
    test.wait("the script", |state| state.edits.len() > 1);
    test.send(PlayerCommand::Seek(0));
    test.send(PlayerCommand::RerunAll);
    test.wait("the start", |state| state.edits.len() == 1);
    test.send(PlayerCommand::ChangeSpeed(-3));
    test.at(0);
    test
}

/// Sends what a key does.
fn send(test: &PlayerTest, commands: impl IntoIterator<Item = PlayerCommand>) {
    commands.into_iter().for_each(|command| test.send(command));
}

fn down(state: &ViewState) -> [bool; 2] {
    [state.world.inputs[0].is_down, state.world.inputs[1].is_down]
}

#[test]
fn keys_set_inputs_while_one_plays() {
    let test = fox();
    let state = test.at(0);
    let mut ui = Ui::new((1280, 800), false);
    assert_eq!(play(("left", true), &ui, &state), None, "nobody plays");
    assert_eq!(press(Key::Char(' '), &mut ui, &state), [PlayerCommand::TogglePause]);
    let began = press(Key::Char('i'), &mut ui, &state);
    assert_eq!(began, [PlayerCommand::Play(true)]);
    send(&test, began);
    test.wait("time", |state| state.is_playing && state.world.tick > 2);
    // The keys of inputs do only that. Others are as always.
    assert_eq!(press(Key::Char(' '), &mut ui, &state), []);
    assert_eq!(press(Key::Left, &mut ui, &state), []);
    assert_eq!(press(Key::Char('>'), &mut ui, &state), [PlayerCommand::Skip(1.0)]);
    assert_eq!(play(("a", true), &ui, &state), None);
    let is_dark = ui.is_dark;
    press(Key::Char('d'), &mut ui, &state);
    assert_ne!(ui.is_dark, is_dark);
    // A press that is repeated is one press.
    send(&test, play(("left", true), &ui, &state));
    send(&test, play(("left", true), &ui, &state));
    let state = test.wait("the input", |state| down(state) == [true, false]);
    save_picture("play", &ui, &state);
    send(&test, play(("left", false), &ui, &state));
    test.wait("no input", |state| down(state) == [false, false]);
    // An event of the scenario does not play.
    let state = test.wait("the event", |state| state.world.tick > 42);
    assert_eq!(down(&state), [false, false]);
    // A question takes the keys.
    press(Key::Char('/'), &mut ui, &state);
    assert_eq!(play(("space", true), &ui, &state), None);
    press(Key::Escape, &mut ui, &state);
    // The end releases all keys, and so does another window.
    send(&test, play(("space", true), &ui, &state));
    test.wait("the input", |state| down(state) == [false, true]);
    test.send(PlayerCommand::ReleaseKeys);
    test.wait("no input", |state| down(state) == [false, false]);
    send(&test, play(("left", true), &ui, &state));
    test.wait("the input", |state| down(state) == [true, false]);
    let ended = press(Key::Escape, &mut ui, &state);
    assert_eq!(ended, [PlayerCommand::Play(false)]);
    send(&test, ended);
    test.wait("no input", |state| down(state) == [false, false]);
    assert_eq!(press(Key::Char('<'), &mut ui, &state), [PlayerCommand::Skip(-1.0)]);
}

#[test]
fn a_short_press_lasts_for_a_tick() {
    let test = fox();
    test.send(PlayerCommand::Play(true));
    test.send(PlayerCommand::TogglePause);
    test.wait("a pause", |state| !state.is_playing && state.hash.is_some());
    let mut tick = test.at(10).world.tick;
    let mut steps = |wanted| {
        test.send(PlayerCommand::StepForward);
        tick += 1;
        let state = test.wait("a step", |state| state.world.tick == tick);
        assert_eq!(down(&state), wanted);
    };
    for is_down in [true, false] {
        test.send(PlayerCommand::PlayKey { key: "space", is_down });
    }
    steps([false, true]);
    steps([false, false]);
    steps([false, false]);
}

#[test]
fn what_was_played_is_replayed_and_saved_with_a_golden() {
    let test = fox();
    let state = test.at(0);
    test.send(PlayerCommand::Play(true));
    test.wait("time", |state| state.world.tick > 3);
    for key in ["left", "space"] {
        for is_down in [true, false] {
            let tick = test.shared.latest().world.tick;
            test.send(PlayerCommand::PlayKey { key, is_down });
            test.wait("some ticks", |state| state.world.tick > tick + 4);
        }
    }
    test.send(PlayerCommand::Play(false));
    let played = test.at(60);
    assert_ne!(played.hash, Some(test.headless(60)), "the keys change the run");
    assert_eq!(test.at(0).hash, state.hash);
    assert_eq!(test.at(60).hash, played.hash);
    // Without a key, ticks of the history stay as they were played.
    test.at(20);
    test.send(PlayerCommand::Play(true));
    let passed = test.wait("later ticks", |state| state.world.tick > 30);
    assert!(passed.last_tick >= 60, "tick {}", passed.last_tick);
    test.send(PlayerCommand::Play(false));
    test.at(0);
    test.send(PlayerCommand::Save { is_test: true, name: None });
    let saved = test
        .wait("the file", |state| state.notices.iter().any(|one| one.text.contains("saved as")));
    assert!(saved.notices.iter().all(|one| !one.is_failure), "{:?}", saved.notices);
    let folder = fs::read_dir(test.dir.path()).unwrap().map(|entry| entry.unwrap().path());
    let path = folder.filter(|path| path.extension().is_some_and(|one| one == "ron"));
    let path = path.into_iter().find(|path| *path != test.path()).unwrap();
    let text = fs::read_to_string(&path).unwrap();
    for part in ["Input(name: \"left\", down: true)", "Input(name: \"act\", down: false)"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert_eq!(Case::open(&path).test().outcome, TestOutcome::Passed);
    let mut run = Run::open(&path, &Options::default()).unwrap();
    while run.tick() < 60 {
        run.step().unwrap();
    }
    let hash = state_hash(run.simulation().world(), run.simulation().minds());
    assert_eq!(Some(hash), played.hash);
    let press = |one: &flockwork_engine::sim::Event| matches!(one.action, Action::Input { .. });
    assert!(run.simulation().events().iter().filter(|one| press(one)).count() >= 5);
}

#[test]
fn a_scenario_without_inputs_says_so() {
    let test = PlayerTest::new();
    let state = test.at(1);
    let mut ui = Ui::new(SIZE, false);
    let commands = press(Key::Char('i'), &mut ui, &state);
    assert!(
        matches!(&commands[..], [PlayerCommand::Notice { text, is_failure: false }] if text.contains("inputs")),
        "{commands:?}"
    );
    assert!(!panels::play::PANEL.is_open(&ui));
}
