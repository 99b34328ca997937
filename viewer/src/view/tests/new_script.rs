//! New scripts that are written from the window.

use super::super::ask::Ask;
use super::super::frame;
use super::files::{open_files, type_before};
use super::*;
use flockwork_engine::diag::Source;

fn type_words(ui: &mut Ui, state: &ViewState, words: &str) {
    words.chars().for_each(|letter| drop(press(Key::Char(letter), ui, state)));
}

/// Lets the window follow until it shows a script of the run.
fn wait_for_script(test: &PlayerTest, ui: &mut Ui, name: &str) -> Arc<ViewState> {
    let is_it = |file: &Arc<Source>| file.name.ends_with(name);
    let state = test.wait("the script", |state| state.files.iter().any(is_it));
    test.send_all(ui.follow(&state));
    let shown = ui.shown_file(&state).unwrap();
    assert!(shown.source.name.ends_with(name), "{}", shown.source.name);
    assert!(shown.text().starts_with("fn steer(me) {"), "{}", shown.text());
    state
}

#[test]
fn a_behavior_without_a_script_gets_one_by_its_fix() {
    let test = PlayerTest::new();
    test.at(30);
    let mut ui = open_files(&test);
    let state = test.shared.latest();
    ui.show_file(&state, 0);
    type_before(&mut ui, &state, "bird\", count");
    type_words(&mut ui, &state, "night_");
    ui.files.finish_check(&state);
    let told = {
        let scene = frame::scene(&ui, &state, None);
        panels::files::problems_at_cursor(&scene, &ui.shown_file(&state).unwrap())
    };
    assert!(told[0].ends_with("ctrl+.: create the script `night_bird`"), "{told:?}");
    save_picture("new_script_fix", &ui, &state);
    let commands = press(Key::Ctrl('.'), &mut ui, &state);
    assert!(matches!(
        &commands[..],
        [PlayerCommand::NewScript { .. }, PlayerCommand::WriteFile { .. }]
    ));
    test.send_all(commands);
    let state = wait_for_script(&test, &mut ui, "/night_bird.rhai");
    assert!(state.errors.is_empty(), "{:?}", state.errors);
    assert!(fs::read_to_string(test.path()).unwrap().contains("behavior: \"night_bird\""));
    save_picture("new_script", &ui, &state);
}

#[test]
fn a_new_script_becomes_the_behavior_of_the_shown_group_and_undo_gives_the_old_one_back() {
    let test = PlayerTest::new();
    test.at(30);
    let mut ui = Ui::new((1280, 800), false);
    let mut state = test.shared.latest();
    ui.group = Some("fox".to_owned());
    let ask = UiCommand::Ask(Ask::NewScript);
    for (name, why) in [
        ("bird", "there is a script `bird` already"),
        ("night fox", "`night fox` is not a name for a new script"),
        ("../fox", "has `..`"),
    ] {
        assert_eq!(ask.execute(&mut ui, &state), []);
        assert!(ui.question.as_ref().unwrap().words.contains("`fox`"));
        type_words(&mut ui, &state, name);
        test.send_all(press(Key::Enter, &mut ui, &state));
        let told = test.wait("the refusal", |now| now.answer.tried > state.answer.tried);
        test.send_all(ui.follow(&told));
        let error = ui.question.as_ref().unwrap().error.clone().unwrap();
        assert!(error.contains(why), "{error}");
        save_picture("new_script_refused", &ui, &told);
        state = told;
    }
    assert_eq!(fs::read_to_string(test.path()).unwrap(), SCENARIO);
    assert_eq!(ask.execute(&mut ui, &state), []);
    type_words(&mut ui, &state, "night_fox");
    test.send_all(press(Key::Enter, &mut ui, &state));
    let tried = state.answer.tried;
    let state = test.wait("the answer", |state| state.answer.tried > tried);
    assert_eq!(state.answer.error, None);
    test.send_all(ui.follow(&state));
    let state = wait_for_script(&test, &mut ui, "/night_fox.rhai");
    assert!(state.errors.is_empty(), "{:?}", state.errors);
    let written = SCENARIO.replace("behavior: \"fox\"", "behavior: \"night_fox\"");
    assert_eq!(fs::read_to_string(test.path()).unwrap(), written);
    let is_told = |state: &ViewState, words: &str| {
        state.notices.iter().any(|notice| notice.text.contains(words))
    };
    assert!(is_told(&state, "the script `night_fox` of `fox` is new, "), "{:?}", state.notices);
    test.send(PlayerCommand::Undo);
    test.wait("the undo", |state| is_told(state, "undone: `fox` has the script `fox` again, "));
    assert_eq!(fs::read_to_string(test.path()).unwrap(), SCENARIO);
    // What was typed in the scenario would be lost.
    let mut ui = open_files_of(&test);
    let state = test.shared.latest();
    ui.show_file(&state, 0);
    type_before(&mut ui, &state, "name");
    type_words(&mut ui, &state, " ");
    let told = ask.execute(&mut ui, &state);
    assert!(
        matches!(&told[..], [PlayerCommand::Notice { text, is_failure: true }] if text.starts_with("write first"))
    );
}

/// Opens the files, however many there are.
fn open_files_of(test: &PlayerTest) -> Ui {
    let mut ui = Ui::new((1280, 800), false);
    test.send_all(panels::files::PANEL.set_open(&mut ui, true));
    test.wait("the files", |state| !state.files.is_empty());
    ui
}

/// It was only in the menu, where nobody looked for it.
#[test]
fn the_files_have_a_button_for_a_new_script() {
    let test = PlayerTest::new();
    test.at(30);
    let mut ui = open_files(&test);
    let state = test.shared.latest();
    for width in [240.0, 600.0] {
        ui.files.width = Some(width);
        let area = ui.layout(&state).area(panels::files::PANEL.id).unwrap();
        let ask = Some(UiCommand::Ask(Ask::NewScript));
        let frame = frame::Frame::new(&ui, &state, None);
        let button = frame.widgets().find(|one| one.click == ask).unwrap().area;
        assert!(area.contains(button.min) && button.max.x <= area.max.x, "{width}: {button:?}");
        let is_file =
            |one: &&super::super::widget::Widget| matches!(one.click, Some(UiCommand::ShowFile(_)));
        assert!(frame.widgets().filter(is_file).all(|one| !one.area.overlaps(button)), "{width}");
    }
}
