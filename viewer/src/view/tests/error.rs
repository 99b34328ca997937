//! The error panel, and the window while broken files have no run yet.

use super::super::frame::Frame;
use super::super::panels::PANELS;
use super::*;

/// A script with a mistake in a long line between others.
const BROKEN: &str = "// Birds stay together.
fn steer(me) {
\tlet together = me.cohesion(60);
\tlet apart = me.sepration(me.params.room) + me.alignment(60) + 0.4 * me.wander() + 2 * me.avoid_obstacles();
\ttogether + apart
}
";

#[test]
fn an_error_is_shown_with_its_lines_in_a_panel_of_their_width() {
    let test = PlayerTest::new();
    test.at(30);
    test.script("bird", BROKEN);
    let state = test.wait("the error", |state| !state.errors.is_empty());
    for size in [(500, 400), SIZE, (1280, 800)] {
        for is_dark in [false, true] {
            let ui = Ui::new(size, is_dark);
            save_picture("error", &ui, &state);
            let panel = ui.layout(&state).area(panels::error::PANEL.id).unwrap();
            assert!(panel.max.x <= size.0 as f32 && panel.max.y < size.1 as f32, "{panel:?}");
        }
    }
    let wide = Ui::new((1280, 800), false).layout(&state).area(panels::error::PANEL.id).unwrap();
    test.script("bird", "fn steer(me) {\n    me.sepration(3)\n}\n");
    let short =
        test.wait("another error", |now| !now.errors.is_empty() && now.errors != state.errors);
    let ui = Ui::new((1280, 800), false);
    save_picture("short_error", &ui, &short);
    let narrow = ui.layout(&short).area(panels::error::PANEL.id).unwrap();
    assert!(narrow.width() < wide.width() - 100.0, "{narrow:?} {wide:?}");
}

/// Caught: broken files were shown as a world with an agent that nobody had made, with its explanation.
#[test]
fn broken_files_have_no_world_but_a_sentence_that_says_what_to_do() {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("scripts")).unwrap();
    let path = dir.path().join("a.ron");
    fs::write(&path, SCENARIO).unwrap();
    fs::write(dir.path().join("scripts/bird.rhai"), BROKEN).unwrap();
    fs::write(dir.path().join("scripts/fox.rhai"), FOX).unwrap();
    let errors = Session::open(&path, Options::default()).err().unwrap();
    let session = Session::open_broken(&path, &Options::default(), errors).unwrap();
    let (mut player, shared) = Player::new(session, None);
    let state = shared.latest();
    assert!(state.is_waiting && state.world.agents.is_empty());
    assert!(!player.last_has_gone(), "there was no agent that could go");
    let mut ui = Ui::new((1280, 800), false);
    let sentence = |ui: &Ui| panels::no_run::sentence(ui, &state).unwrap();
    assert_eq!(
        sentence(&ui),
        "no run yet: line 4 of bird.rhai has an error; repair it here with F3"
    );
    for size in [(500, 400), SIZE, (1280, 800)] {
        for is_dark in [false, true] {
            save_picture("no_run", &Ui::new(size, is_dark), &state);
        }
    }
    let frame = Frame::new(&ui, &state, None);
    let is_shown = |id| frame.area(id).is_some();
    assert!(is_shown(panels::no_run::PANEL.id) && is_shown(panels::error::PANEL.id));
    for panel in PANELS.iter().filter(|panel| panel.needs_run) {
        assert!(!is_shown(panel.id), "{:?}", panel.id);
    }
    assert_eq!(panels::status::words(&ui, &state, frame.scene.sample), "no run yet");
    // The keys of panels that need a run say why they do nothing.
    let key = panels::scene::PANEL.key.as_ref().unwrap().keys[0];
    let commands = press(key, &mut ui, &state);
    assert!(
        matches!(&commands[..], [PlayerCommand::Notice { text, .. }, ..] if text.contains("no run yet"))
    );
    // The key of the files shows the line.
    press(Key::F3, &mut ui, &state);
    assert_eq!(ui.files.line, Some(3));
    assert_eq!(sentence(&ui), "no run yet: repair line 4 of bird.rhai, and write it with ctrl+s");
    save_picture("no_run_files", &ui, &state);
    press(Key::F3, &mut ui, &state);
    assert!(!panels::files::PANEL.is_open(&ui));
}

/// Caught: with an error in a script, playing again from the first tick only went there.
#[test]
fn the_previous_version_plays_again_from_the_first_tick() {
    let fails = "fn steer(me) { 1 % (me.id - me.id); vec(1, 0) }";
    for broken in [BROKEN, fails] {
        let test = PlayerTest::new();
        test.at(30);
        test.script("bird", broken);
        test.wait("the error", |state| !state.errors.is_empty());
        test.send(PlayerCommand::RerunAll);
        let plays = |state: &ViewState| state.is_playing && state.last_tick > state.first_tick;
        let state = test.wait("time", |state| plays(state) && state.last_tick < 30);
        assert!(!state.errors.is_empty() && !state.is_stuck);
        let words = "running from tick 0 with the last working version";
        assert!(state.notices.iter().any(|one| one.text.contains(words)));
    }
}

/// Caught: in large letters, a sentence about running again covered most of the world.
#[test]
fn an_audience_is_told_in_a_few_words_that_the_run_begins_again() {
    let test = PlayerTest::new();
    test.at(20);
    test.send(PlayerCommand::Present(true));
    test.send(PlayerCommand::RerunAll);
    let is_told =
        |state: &ViewState| state.notices.iter().any(|one| one.text == "from tick 0 again");
    test.wait("few words", is_told);
}
