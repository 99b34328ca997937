//! Copying and opening scripts.

use super::super::frame::Frame;
use super::super::ui_command::UiCommand;
use super::super::window_command::WindowCommand;
use super::*;

/// Presses a key and returns what it asks of the window.
fn asked(ui: &mut Ui, key: Key, state: &ViewState) -> WindowCommand {
    assert_eq!(press(key, ui, state), []);
    let all = std::mem::take(&mut ui.window_commands);
    all.into_iter().next().expect("nothing is asked")
}

/// Presses a key that can do nothing, and returns the notice.
fn refused(ui: &mut Ui, key: Key, state: &ViewState) -> String {
    match &press(key, ui, state)[..] {
        [PlayerCommand::Notice { text, is_failure: true }] => text.clone(),
        other => panic!("{other:?}"),
    }
}

fn select(test: &PlayerTest, agent: AgentId) -> Arc<ViewState> {
    test.send(PlayerCommand::Select(Some(agent)));
    test.wait("the agent", |state| state.next_turn.as_ref().is_some_and(|one| one.id == agent))
}

#[test]
fn the_command_that_explains_the_selected_agent_is_copied() {
    let test = PlayerTest::new();
    let state = test.at(30);
    let mut ui = Ui::new(SIZE, false);
    ui.explain_command = "flockwork explain a.ron --seed 4".to_owned();
    let keys = [Key::Ctrl('c'), Key::CtrlShift('c')];
    for key in keys {
        assert!(refused(&mut ui, key, &state).contains("select an agent first"));
    }
    let state = select(&test, AgentId(7));
    let [command, id] = keys.map(|key| asked(&mut ui, key, &state));
    let copy = |text: &str| WindowCommand::Copy { text: text.to_owned(), caveat: None };
    assert_eq!(command, copy("flockwork explain a.ron --seed 4 --agent 7 --tick 30"));
    assert_eq!(id, copy("7"));
    let caveat = |ui: &mut Ui, state: &ViewState| match asked(ui, Key::Ctrl('c'), state) {
        WindowCommand::Copy { caveat, .. } => caveat.unwrap_or_default(),
        other => panic!("{other:?}"),
    };
    let late = test.at(500);
    assert!(caveat(&mut ui, &late).contains("tick 400 only"));
    // After a push at tick 60, the files alone lead to tick 50, but not to tick 60 or 70.
    test.at(60);
    test.send(PlayerCommand::Push { at: Vec2::new(200.0, 150.0), radius: 50.0 });
    for (tick, is_of_files) in [(70, false), (50, true), (60, false)] {
        let state = test.at(tick);
        assert_eq!(caveat(&mut ui, &state).is_empty(), is_of_files, "{tick}");
    }
    test.at(50);
    test.script("bird", &BIRD.replace("60", "70"));
    let edited = test.wait("an edit", |state| state.edits.len() > 1);
    assert!(caveat(&mut ui, &edited).contains("no longer that of the files"));
}

/// Returns the state with the texts of the files.
fn state_with_files(test: &PlayerTest) -> Arc<ViewState> {
    test.send(PlayerCommand::SetOverlays(Overlays { files: true, ..Overlays::default() }));
    test.wait("the files", |state| !state.files.is_empty())
}

#[test]
fn a_script_is_opened_at_the_call_or_at_the_error() {
    let test = PlayerTest::new();
    let state = test.at(30);
    for size in [(900, 700), (1280, 800)] {
        let mut ui = Ui::new(size, false);
        let state = if size.0 == 900 { Arc::clone(&state) } else { test.at(30) };
        if state.next_turn.is_none() {
            assert!(refused(&mut ui, Key::F4, &state).contains("nothing to open"));
        }
        let state = select(&test, AgentId(4));
        let file = test.dir.path().join("scripts/bird.rhai").display().to_string();
        let line = |line| WindowCommand::Edit { file: file.clone(), line };
        assert_eq!(asked(&mut ui, Key::F4, &state), line(5));
        // Each call has a place that can be clicked, also those that give nothing.
        let frame = Frame::new(&ui, &state, None);
        let all = frame.widgets().filter(|one| matches!(one.click, Some(UiCommand::ShowCall(_))));
        let places: Vec<Vec2> = all.map(|one| (one.area.min + one.area.max) / 2.0).collect();
        assert_eq!(places.len(), 4, "{size:?}");
        for at in places {
            ui.pointer_moved(Some(at), &state);
            ui.press(Button::Left, &state);
            ui.release(&state);
            assert_eq!(ui.shown_line(&state_with_files(&test)), Some((file.clone(), 5)));
        }
        assert_eq!(asked(&mut ui, Key::F4, &state_with_files(&test)), line(5));
        save_picture("open_call", &ui, &state);
    }
    // The error comes first.
    test.script("fox", "fn steer(me) {\n\n    me.sepration(3)\n}");
    let state = test.wait("the error", |state| !state.errors.is_empty());
    let mut ui = Ui::new(SIZE, false);
    let file = test.dir.path().join("scripts/fox.rhai").display().to_string();
    let place = WindowCommand::Edit { file, line: 3 };
    assert_eq!(asked(&mut ui, Key::F4, &state), place);
    let panel = ui.layout(&state).area(panels::error::PANEL.id).unwrap();
    ui.pointer_moved(Some((panel.min + panel.max) / 2.0), &state);
    ui.press(Button::Left, &state);
    ui.release(&state);
    assert_eq!(ui.shown_line(&state_with_files(&test)).unwrap().1, 3);
    ui.show_due_tip(Instant::now() + Duration::from_secs(1));
    save_picture("open_error", &ui, &state);
}
