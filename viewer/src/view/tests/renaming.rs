//! Renaming names of the files, and listing their uses.

use super::files::{open_files, press_all, type_before};
use super::*;

/// Lets the window follow until something is so.
fn until(
    ui: &mut Ui,
    state: &ViewState,
    what: &str,
    is_so: impl Fn(&Ui) -> bool,
) -> Vec<PlayerCommand> {
    let since = Instant::now();
    let mut commands = Vec::new();
    while !is_so(ui) {
        assert!(since.elapsed() < Duration::from_secs(60), "waiting for {what}");
        thread::sleep(Duration::from_millis(5));
        ui.advance_files(state);
        commands.extend(ui.follow(state));
    }
    commands
}

fn file_text(ui: &Ui, state: &ViewState, index: usize) -> String {
    ui.files.file(&state.files[index]).text().to_owned()
}

/// Types a new name for the name before the cursor, and waits for the answer.
fn rename(ui: &mut Ui, state: &ViewState, new: &str) -> Vec<PlayerCommand> {
    press(Key::F2, ui, state);
    new.chars().for_each(|letter| drop(press(Key::Char(letter), ui, state)));
    assert_eq!(press(Key::Enter, ui, state), []);
    until(ui, state, "the answer", |ui| {
        ui.question.as_ref().is_none_or(|question| question.error.is_some())
    })
}

#[test]
fn a_name_is_renamed_in_all_files_and_one_key_takes_it_back() {
    let test = PlayerTest::new();
    let other = test.dir.path().join("scenarios/other.ron");
    fs::create_dir(other.parent().unwrap()).unwrap();
    fs::write(&other, SCENARIO).unwrap();
    test.at(30);
    let mut ui = open_files(&test);
    let state = test.shared.latest();
    type_before(&mut ui, &state, "fn steer");
    press(Key::Char('\n'), &mut ui, &state);
    press_all(&mut ui, &state, &[Key::Enter]);
    let typed = file_text(&ui, &state, 1);
    assert_ne!(typed, BIRD, "something is not written");
    type_before(&mut ui, &state, "room");
    save_picture("rename", &ui, &state);
    let told = rename(&mut ui, &state, "space");
    let [PlayerCommand::Notice { text, is_failure: false }] = &told[..] else { panic!("{told:?}") };
    assert!(text.starts_with("renamed `room` to `space` in 3 places of 3 files"), "{text}");
    assert!(text.contains("ctrl+s writes them with other.ron"), "{text}");
    let renamed = typed.replace("params.room", "params.space");
    assert_eq!(file_text(&ui, &state, 1), renamed, "what was typed is still there");
    assert_eq!(file_text(&ui, &state, 0), SCENARIO.replace("\"room\"", "\"space\""));
    assert_eq!(fs::read_to_string(&other).unwrap(), SCENARIO, "nothing is written yet");
    // One step takes it back everywhere, and does it again.
    press(Key::Ctrl('z'), &mut ui, &state);
    assert_eq!(
        [file_text(&ui, &state, 1), file_text(&ui, &state, 0)],
        [typed, SCENARIO.to_owned()]
    );
    assert_eq!(ui.files.unwritten(), ["bird.rhai"]);
    press(Key::Ctrl('y'), &mut ui, &state);
    assert_eq!(file_text(&ui, &state, 1), renamed);
    for command in press(Key::Ctrl('s'), &mut ui, &state) {
        test.send(command);
    }
    let state = test.wait("the files", |state| state.files[1].text == renamed);
    let written = SCENARIO.replace("\"room\"", "\"space\"");
    until(&mut ui, &state, "the other file", |ui| ui.files.unwritten().is_empty());
    assert_eq!(fs::read_to_string(&other).unwrap(), written);
    let state = test.wait("no errors", |state| state.errors.is_empty());
    let told = state.notices.iter().map(|one| one.text.as_str());
    assert!(!told.clone().any(|text| text.contains(", with ")), "{:?}", told.collect::<Vec<_>>());
}

#[test]
fn a_name_that_cannot_be_renamed_keeps_the_question_with_the_reason() {
    let test = PlayerTest::new();
    test.at(30);
    let mut ui = open_files(&test);
    let state = test.shared.latest();
    type_before(&mut ui, &state, "fn steer");
    // A word of the language is no name.
    for key in [Key::F2, Key::ShiftF2] {
        let told = press(key, &mut ui, &state);
        let is_told = |text: &str| text.starts_with("`fn` is a word of the language");
        assert!(
            matches!(&told[..], [PlayerCommand::Notice { text, .. }] if is_told(text)),
            "{told:?}"
        );
        assert!(ui.question.is_none());
    }
    // Nothing would call it under another name.
    type_before(&mut ui, &state, "steer(me)");
    let told = press(Key::F2, &mut ui, &state);
    let is_told = |text: &str| text.starts_with("the engine calls `steer` by this name");
    assert!(matches!(&told[..], [PlayerCommand::Notice { text, .. }] if is_told(text)), "{told:?}");
    type_before(&mut ui, &state, "room");
    assert_eq!(rename(&mut ui, &state, "1st"), []);
    let error = ui.question.as_ref().unwrap().error.clone().unwrap();
    assert!(error.contains("`1st` cannot be read in a script"), "{error}");
    save_picture("rename_refused", &ui, &state);
    assert_eq!(file_text(&ui, &state, 1), BIRD);
    press(Key::Escape, &mut ui, &state);
    assert!(ui.question.is_none());
}

#[test]
fn the_uses_of_a_name_are_listed_and_a_row_leads_there() {
    let test = PlayerTest::new();
    test.at(30);
    let mut ui = open_files(&test);
    let state = test.shared.latest();
    let nothing = press(Key::ShiftF12, &mut ui, &state);
    assert!(matches!(&nothing[..], [PlayerCommand::Notice { .. }]), "{nothing:?}");
    type_before(&mut ui, &state, "room");
    press(Key::ShiftF12, &mut ui, &state);
    until(&mut ui, &state, "the uses", |ui| ui.question.is_some());
    let rows = ui.question_rows(&state);
    let headings: Vec<&str> = rows.iter().map(|row| row.heading.as_str()).collect();
    assert_eq!(headings, ["bird.rhai", "a.ron"]);
    assert!(rows[1].beside.starts_with("declared, line "), "{:?}", rows[1]);
    save_picture("uses", &ui, &state);
    press_all(&mut ui, &state, &[Key::Down, Key::Enter]);
    let file = ui.shown_file(&state).unwrap();
    assert!(file.source.name.ends_with("a.ron"));
    assert!(SCENARIO[file.edit.unwrap().cursor()..].trim_start_matches('"').starts_with("room"));
    press(Key::AltLeft, &mut ui, &state);
    assert!(ui.shown_file(&state).unwrap().source.name.ends_with("bird.rhai"));
}

/// Caught: it asked for a new name first, and refused it then.
#[test]
fn a_name_of_the_engine_is_refused_at_once() {
    let test = PlayerTest::new();
    test.at(30);
    let mut ui = open_files(&test);
    let state = test.shared.latest();
    for name in ["wander", "avoid_obstacles", "steer"] {
        type_before(&mut ui, &state, name);
        let told = press(Key::F2, &mut ui, &state);
        let is_told = matches!(&told[..], [PlayerCommand::Notice { text, .. }] if text.starts_with(&format!("`{name}` is ")) || text.contains("calls `steer`"));
        assert!(is_told && ui.question.is_none(), "{name}: {told:?}");
    }
    type_before(&mut ui, &state, "room");
    press(Key::F2, &mut ui, &state);
    assert!(ui.question.is_some(), "a param is a name of the person's own");
}
