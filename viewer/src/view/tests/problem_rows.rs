//! What is wrong in a file of the window: in rows below its lines, and in the words below the text.

use super::super::file_view::{View, point_of};
use super::super::frame;
use super::super::widget::Widget;
use super::files::{open_files, type_before, type_words};
use super::*;

const WRONG: &str = "fn steer(me) {\n    me.wandr(1) + me.seek(1, 2, 3)\n}\n\nfn init(me) {\n    me.vel = nowhere;\n}\n";

/// Opens a script with errors.
fn open_wrong(test: &PlayerTest) -> (Ui, Arc<ViewState>) {
    test.at(30);
    test.script("bird", WRONG);
    let mut ui = open_files(test);
    let state = test.wait("the errors", |state| {
        !state.errors.is_empty() && state.files.iter().any(|file| file.text == WRONG)
    });
    ui.files.finish_check(&state);
    ui.files.width = Some(420.0);
    ui.advance_files(&state);
    (ui, state)
}

/// Returns the words below the lines, each with the number of its line from 0.
fn below(ui: &Ui, state: &ViewState) -> Vec<(usize, String)> {
    let scene = frame::scene(ui, state, None);
    let view = View::new(&scene).unwrap();
    view.shown_below().map(|(one, _)| (one.line, one.words.join(" "))).collect()
}

/// Caught: nearly every message was cut behind its line, and its fix was left out.
#[test]
fn a_problem_without_room_behind_its_line_is_whole_below_it_with_its_fix() {
    let test = PlayerTest::new();
    let (mut ui, state) = open_wrong(&test);
    save_picture("problem_rows", &ui, &state);
    let shown = below(&ui, &state);
    assert_eq!(shown[0].0, 1, "{shown:?}");
    assert!(shown[0].1.starts_with("there is no function `wandr`"), "{shown:?}");
    assert!(!shown[0].1.contains('…'), "{shown:?}");
    // The lines after it are further down, also for clicks.
    let at = WRONG.find("fn init").unwrap();
    let point = point_of(&frame::scene(&ui, &state, None), at).unwrap();
    let scene = frame::scene(&ui, &state, None);
    let view = View::new(&scene).unwrap();
    assert_eq!(view.place_at(point - Vec2::new(0.0, 4.0)), at);
    assert!(point.y - view.area.min.y >= 18.0 * 5.0, "{point}");
    let is_fix = |one: &Widget| one.click == Some(UiCommand::WriteFix(1));
    expectations::click(&mut ui, &state, is_fix);
    let text = ui.shown_file(&state).unwrap().text();
    assert!(text.contains("me.wander(1)"), "{text}");
    assert_eq!(below(&ui, &state), [], "it is not told any more");
}

/// A row that goes and comes would move the text while one types.
#[test]
fn the_rows_stay_while_one_types() {
    let test = PlayerTest::new();
    let (mut ui, state) = open_wrong(&test);
    type_before(&mut ui, &state, " + me.seek");
    ui.files.finish_check(&state);
    ui.advance_files(&state);
    let lines = |ui: &Ui| below(ui, &state).into_iter().map(|one| one.0).collect::<Vec<_>>();
    let before = lines(&ui);
    assert!(!before.is_empty());
    for key in ["x", "y"] {
        type_words(&mut ui, &state, key);
        ui.advance_files(&state);
        assert_eq!(lines(&ui), before);
        // Nobody knows whether it still holds.
        let words = below(&ui, &state);
        assert!(words[0].1.trim().is_empty(), "{words:?}");
    }
    press(Key::Up, &mut ui, &state);
    press(Key::End, &mut ui, &state);
    press(Key::Enter, &mut ui, &state);
    ui.advance_files(&state);
    assert_eq!(lines(&ui)[0], before[0] + 1, "where its line is now");
}

/// Caught: with the cursor in another line, nothing said that there are errors.
#[test]
fn the_number_of_problems_is_told_in_every_line() {
    let test = PlayerTest::new();
    let (mut ui, state) = open_wrong(&test);
    let foot = |ui: &Ui| {
        let scene = frame::scene(ui, &state, None);
        let area = scene.layout.area(panels::files::PANEL.id).unwrap();
        panels::files::foot(&scene, area).0.join(" ")
    };
    type_before(&mut ui, &state, "\n\nfn init");
    let told = foot(&ui);
    assert!(told.contains(" errors") && told.contains(": F8 goes to the next"), "{told}");
    type_before(&mut ui, &state, "wandr");
    assert!(!foot(&ui).contains(" errors"), "{}", foot(&ui));
}

/// Caught: the world became narrower by itself with each longer line that was written, and jumped with each other file.
#[test]
fn the_files_keep_their_width_while_they_are_open() {
    let test = PlayerTest::new();
    test.at(30);
    test.script("bird", "fn steer(me) {\n    me.wander(1)\n}\n");
    let mut ui = open_files(&test);
    let has = |words: &'static str| {
        move |state: &ViewState| state.files.iter().any(|file| file.text.contains(words))
    };
    let state = test.wait("the script", has("me.wander(1)\n"));
    ui.set_scale(Scale::new((3200, 900), Some(1.0)));
    ui.advance_files(&state);
    let width = |ui: &Ui, state: &ViewState| {
        ui.layout(state).area(panels::files::PANEL.id).unwrap().width()
    };
    let before = width(&ui, &state);
    let longer = " + vec(0, 0)".repeat(11);
    test.script("bird", &format!("fn steer(me) {{ me.wander(1){longer} }}\n"));
    let state = test.wait("the longer line", has("+ vec(0, 0)"));
    ui.advance_files(&state);
    assert_eq!(width(&ui, &state), before);
    for index in [0, 1, 2] {
        ui.show_file(&state, index);
        ui.advance_files(&state);
        assert_eq!(width(&ui, &state), before, "file {index}");
    }
    for is_open in [false, true] {
        panels::files::PANEL.set_open(&mut ui, is_open);
    }
    ui.advance_files(&state);
    assert!(width(&ui, &state) > before);
}
