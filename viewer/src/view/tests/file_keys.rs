//! Keys, clicks and drags in the text of a file, as other editors have them, and the way through what is wrong there.

use std::ops::Range;

use super::super::file_view::{point_of, shown_text_area};
use super::super::frame::{self, Frame};
use super::super::window_command::WindowCommand;
use super::files::{open_files, press_all, type_before, type_words};
use super::*;

fn text<'u>(ui: &'u Ui, state: &'u ViewState) -> &'u str {
    ui.shown_file(state).unwrap().text()
}

fn selected(ui: &Ui, state: &ViewState) -> Range<usize> {
    ui.shown_file(state).unwrap().edit.unwrap().selection()
}

/// Returns the lines below the text.
fn foot(ui: &Ui, state: &ViewState) -> Vec<String> {
    let scene = frame::scene(ui, state, None);
    let area = scene.layout.area(panels::files::PANEL.id).unwrap();
    panels::files::foot(&scene, area).0
}

/// Clicks before some words of the text.
fn click_before(ui: &mut Ui, state: &ViewState, words: &str) {
    let place = text(ui, state).find(words).unwrap();
    let at = point_of(&frame::scene(ui, state, None), place).unwrap();
    ui.pointer_moved(Some(at + Vec2::new(1.0, -3.0)), state);
    ui.press(Button::Left, state);
    ui.release(state);
}

#[test]
fn keys_move_copy_and_delete_lines() {
    let test = PlayerTest::new();
    test.at(30);
    let mut ui = open_files(&test);
    let state = test.shared.latest();
    type_before(&mut ui, &state, "fn steer");
    press(Key::AltUp, &mut ui, &state);
    assert!(text(&ui, &state).starts_with("\nfn steer(me) {\nfn init"), "{}", text(&ui, &state));
    press(Key::Ctrl('z'), &mut ui, &state);
    assert_eq!(text(&ui, &state), BIRD);
    press(Key::ShiftAltDown, &mut ui, &state);
    assert_eq!(text(&ui, &state).matches("fn steer(me) {\n").count(), 2);
    press(Key::CtrlShift('k'), &mut ui, &state);
    assert_eq!(text(&ui, &state), BIRD);
    type_before(&mut ui, &state, "fn steer");
    // Without a selection, the line is cut, and pasted above that of the cursor.
    press(Key::Ctrl('x'), &mut ui, &state);
    let copied = ui.window_commands.pop();
    let Some(WindowCommand::Copy { text: line, .. }) = copied else { panic!("{copied:?}") };
    assert_eq!(line, "fn steer(me) {\n");
    assert_eq!(text(&ui, &state), BIRD.replace(&line, ""));
    press(Key::End, &mut ui, &state);
    ui.paste(&line, &state);
    assert_eq!(text(&ui, &state), BIRD);
    // What another program has copied is written at the cursor.
    ui.paste(" // here", &state);
    assert!(text(&ui, &state).contains("turns += 1; // here\n"), "{}", text(&ui, &state));
}

#[test]
fn clicks_select_words_and_lines_and_drags_go_on_beyond_the_edge() {
    let test = PlayerTest::new();
    test.at(30);
    let mut ui = open_files(&test);
    let state = test.shared.latest();
    let words = |ui: &Ui| text(ui, &state)[selected(ui, &state)].to_owned();
    // Clicks again, before a slow machine has taken too long for that.
    let again = |ui: &mut Ui| {
        ui.files.clicked.as_mut().unwrap().at = Instant::now();
        ui.press(Button::Left, &state);
    };
    click_before(&mut ui, &state, "alignment");
    assert_eq!(words(&ui), "");
    again(&mut ui);
    ui.release(&state);
    assert_eq!(words(&ui), "alignment");
    again(&mut ui);
    ui.release(&state);
    assert!(words(&ui).starts_with("    me.separation") && words(&ui).ends_with('\n'));
    // After a double click, a drag selects whole words.
    ui.files.clicked = None;
    click_before(&mut ui, &state, "alignment");
    again(&mut ui);
    let place = text(&ui, &state).find("oom").unwrap();
    let at = point_of(&frame::scene(&ui, &state, None), place).unwrap();
    ui.pointer_moved(Some(at + Vec2::new(1.0, -3.0)), &state);
    ui.release(&state);
    assert_eq!(words(&ui), "room) + me.alignment");
    // A click with Shift selects up to there.
    click_before(&mut ui, &state, "fn init");
    ui.has_shift = true;
    click_before(&mut ui, &state, "(me) { me.state");
    ui.has_shift = false;
    assert_eq!(words(&ui), "fn init");
    // A long text scrolls while the pointer is below it.
    press(Key::CtrlEnd, &mut ui, &state);
    ui.paste(&"\n// more".repeat(80), &state);
    press(Key::CtrlHome, &mut ui, &state);
    let area = shown_text_area(&frame::scene(&ui, &state, None)).unwrap();
    ui.pointer_moved(Some(Vec2::new(area.min.x + 90.0, area.min.y + 40.0)), &state);
    ui.press(Button::Left, &state);
    let start = selected(&ui, &state).start;
    ui.pointer_moved(Some(Vec2::new(area.min.x + 90.0, area.max.y + 20.0)), &state);
    let end = selected(&ui, &state).end;
    let since = Instant::now();
    while ui.panels.scroll(panels::files::PANEL.id) < 3.0 {
        ui.advance_files(&state);
        assert!(since.elapsed() < PATIENCE, "the text does not scroll");
    }
    assert_eq!(selected(&ui, &state).start, start);
    assert!(selected(&ui, &state).end > end);
    ui.release(&state);
    assert!(!ui.drag_on(&state), "only while the button is down");
}

/// Caught: within half a second of a key, nothing was wrong.
#[test]
fn the_next_problem_may_be_in_what_was_typed_just_now() {
    let test = PlayerTest::new();
    let state = test.at(30);
    let mut ui = open_files(&test);
    let state = if state.files.is_empty() { test.shared.latest() } else { state };
    type_before(&mut ui, &state, "fn steer");
    type_words(&mut ui, &state, "fn other(me) { me.wandr() } ");
    let place = text(&ui, &state).find("wandr").unwrap();
    press(Key::CtrlHome, &mut ui, &state);
    assert_eq!(press(Key::F8, &mut ui, &state), []);
    assert_eq!(selected(&ui, &state).start, place);
}

/// Caught: messages were cut, and the number of others was no way to them.
#[test]
fn problems_are_told_whole_and_a_key_and_a_click_go_to_the_next() {
    let test = PlayerTest::new();
    test.at(30);
    let wrong = "fn steer(me) {\n    let v = me.nearst(\"fox\", 30);\n    me.wandr(1) + me.seek(v, 1, 2, 3)\n}\n";
    test.script("bird", wrong);
    let mut ui = open_files(&test);
    let state = test.wait("the errors", |state| {
        state.errors.len() >= 2 && state.files.iter().any(|file| file.text == wrong)
    });
    ui.files.width = Some(380.0);
    let since = Instant::now();
    let mut visited = Vec::new();
    while visited.len() < 3 {
        ui.advance_files(&state);
        let commands = press(Key::F8, &mut ui, &state);
        assert_eq!(commands, []);
        let at = selected(&ui, &state).start;
        if !visited.contains(&at) {
            visited.push(at);
        }
        // The message of the place is whole, whatever the width.
        let told = foot(&ui, &state).join(" ");
        assert!(!told.contains('…'), "{told}");
        if wrong[at..].starts_with("nearst") || wrong[at..].starts_with("wandr") {
            let name = &wrong[at..at + 5];
            assert!(told.contains(name), "{name}: {told}");
        }
        assert!(since.elapsed() < PATIENCE, "{visited:?}");
    }
    assert!(visited.is_sorted(), "{visited:?}");
    save_picture("files_next_problem", &ui, &state);
    press(Key::ShiftF8, &mut ui, &state);
    assert_eq!(selected(&ui, &state).start, visited[1]);
    // A click on the number of others does the same.
    press_all(&mut ui, &state, &[Key::CtrlHome]);
    ui.files.width = Some(700.0);
    let line = 2;
    expectations::click(&mut ui, &state, |one| one.click == Some(UiCommand::ShowProblems(line)));
    assert_eq!(selected(&ui, &state).start, visited[1]);
    expectations::click(&mut ui, &state, |one| one.click == Some(UiCommand::ShowProblems(line)));
    assert_eq!(selected(&ui, &state).start, visited[2]);
}

/// Caught: a key showed another file, and nothing said so.
#[test]
fn a_problem_of_another_file_is_announced() {
    let test = PlayerTest::new();
    test.at(30);
    test.script("fox", "fn steer(me) { me.wandr() }");
    let mut ui = open_files(&test);
    let state = test.wait("the error", |state| {
        !state.errors.is_empty() && state.files.iter().any(|file| file.text.contains("wandr"))
    });
    ui.files.chosen =
        state.files.iter().map(|file| file.name.clone()).find(|name| name.ends_with("bird.rhai"));
    let shown = |ui: &Ui| state.files[ui.files.shown(&state)].name.clone();
    assert!(shown(&ui).ends_with("bird.rhai"));
    let told = press(Key::F8, &mut ui, &state);
    let text = "the next problem is in fox.rhai".to_owned();
    assert_eq!(told, [PlayerCommand::Notice { text, is_failure: false }]);
    assert!(shown(&ui).ends_with("fox.rhai"));
}

/// Caught: the world had a third of the window while the files were open.
#[test]
fn the_world_keeps_its_part_of_the_window_beside_the_files() {
    let test = PlayerTest::new();
    test.at(30);
    test.send(PlayerCommand::Select(Some(AgentId(3))));
    let mut ui = open_files(&test);
    let state = test.wait("the values", |state| state.turn_values.is_some());
    for size in [(1000, 640), (1280, 800), (1380, 860), (1920, 1080)] {
        ui.set_scale(Scale::new(size, Some(1.0)));
        let layout = ui.layout(&state);
        assert!(layout.world.0 as f32 >= 0.42 * size.0 as f32, "{size:?}: {}", layout.world.0);
        let files = layout.area(panels::files::PANEL.id).unwrap();
        let column = layout.column.unwrap();
        assert!(files.width() >= 380.0, "{size:?}: {}", files.width());
        let is_beside = files.max.x <= column.min.x;
        let is_below = files.min.y >= column.max.y && files.min.x == column.min.x;
        assert_eq!((is_beside, is_below), (size.0 >= 1200, size.0 < 1200), "{size:?}");
        save_picture(&format!("files_{}", size.0), &ui, &state);
    }
    // Where the files are below the column, both have one edge.
    ui.set_scale(Scale::new((1000, 640), Some(1.0)));
    ui.pointer = Vec2::new(430.0, 100.0);
    UiCommand::ResizeColumn.execute(&mut ui, &state);
    let layout = ui.layout(&state);
    assert_eq!((layout.world.0, layout.column.unwrap().min.x), (430, 430.0));
    assert_eq!(layout.area(panels::files::PANEL.id).unwrap().min.x, 430.0);
    assert_eq!(ui.column_width, None);
}

/// Caught: the panel of files covered the selected agent.
#[test]
fn the_selected_agent_stays_visible_when_the_files_open() {
    let test = PlayerTest::new();
    test.at(30);
    test.send(PlayerCommand::Select(Some(AgentId(3))));
    test.send(PlayerCommand::Pause);
    let state = test.wait("the selection", |state| state.next_turn.is_some());
    let mut ui = Ui::new((1280, 800), false);
    let pos = state.next_turn.as_ref().unwrap().pos;
    // It is near the right edge.
    let camera = ui.camera(&state);
    let width = ui.layout(&state).world.0 as f32;
    let by = Vec2::new(width - 20.0, 300.0) - camera.pixel(pos);
    ui.view = Some(camera.panned(by.x, by.y));
    for command in panels::files::PANEL.set_open(&mut ui, true) {
        test.send(command);
    }
    let state = test.wait("the files", |state| state.files.len() == 3);
    let at = |ui: &Ui| ui.camera(&state).pixel(pos).x;
    let world = ui.layout(&state).world.0 as f32;
    assert!(at(&ui) > world, "it would be covered");
    ui.advance_files(&state);
    assert!(at(&ui) < world - 50.0, "{} of {world}", at(&ui));
    // What is visible stays where it is.
    let view = ui.view;
    ui.is_world_covered = true;
    ui.advance_files(&state);
    assert_eq!(ui.view, view);
}

#[test]
fn what_is_written_with_an_error_is_told_once() {
    let test = PlayerTest::new();
    test.at(30);
    let mut ui = open_files(&test);
    let mut state = test.shared.latest();
    let told = |state: &ViewState| -> Vec<String> {
        let all = state.notices.iter().map(|notice| notice.text.clone());
        all.filter(|text| text.starts_with("written to")).collect()
    };
    type_before(&mut ui, &state, "0.4 *");
    for (words, expected) in [
        (
            "me.wandr(1) + ",
            "written to bird.rhai, with 1 error: the world goes on with the last working version",
        ),
        (
            "me.aligmnt(1) + ",
            "written to bird.rhai, with 2 errors: the world goes on with the last working version",
        ),
    ] {
        type_words(&mut ui, &state, words);
        for command in press(Key::Ctrl('s'), &mut ui, &state) {
            test.send(command);
        }
        state = test.wait("the notice", |state| told(state) == [expected]);
    }
    ui.files.keep_up(&state);
    let frame = Frame::new(&ui, &state, None);
    assert!(frame.area(panels::error::PANEL.id).is_some() || state.errors.is_empty());
}
