//! Reading and changing scripts and the scenario in the window.

use flockwork_engine::diag::{Diagnostic, Severity};

use super::super::file_notes;
use super::super::frame::{self, Frame};
use super::*;
use crate::draw::LIGHT;

/// Returns the interface with the panel of files, and sends what opening it asks of the player.
pub(super) fn open_files(test: &PlayerTest) -> Ui {
    let mut ui = Ui::new((1280, 800), false);
    for command in panels::files::PANEL.set_open(&mut ui, true) {
        test.send(command);
    }
    test.wait("the files", |state| state.files.len() == 3);
    ui
}

pub(super) fn press_all(ui: &mut Ui, state: &ViewState, keys: &[Key]) -> Vec<PlayerCommand> {
    keys.iter().flat_map(|key| press(*key, ui, state)).collect()
}

/// Puts the cursor of the shown file before some words.
pub(super) fn type_before(ui: &mut Ui, state: &ViewState, words: &str) {
    let place = ui.shown_file(state).unwrap().text().find(words).unwrap();
    ui.place_cursor(state, place, false);
}

fn has_notice(state: &ViewState, words: &str) -> bool {
    state.notices.iter().any(|notice| notice.text.contains(words))
}

#[test]
fn the_script_of_the_selected_agent_is_shown_with_its_values() {
    let test = PlayerTest::new();
    test.at(30);
    let mut ui = open_files(&test);
    test.send(PlayerCommand::Select(Some(AgentId(3))));
    let state = test.wait("the values", |state| state.turn_values.is_some());
    let names: Vec<&str> = state.files.iter().map(|file| file.name.as_str()).collect();
    assert!(names[0].ends_with("a.ron") && names[1].ends_with("bird.rhai"), "{names:?}");
    assert_eq!(ui.shown_file(&state).unwrap().text(), BIRD);
    save_picture("files", &ui, &state);
    ui.is_dark = true;
    save_picture("files", &ui, &state);
    ui.is_dark = false;
    // The fox has another script.
    test.send(PlayerCommand::Select(Some(AgentId(12))));
    let state = test.wait("the fox", |state| {
        state.turn_values.as_ref().is_some_and(|values| values.group == "fox")
    });
    assert_eq!(ui.shown_file(&state).unwrap().text(), FOX);
    // A line that is asked for stays, whoever is selected.
    let name = state.files[0].name.clone();
    ui.show_line(&name, 9);
    assert_eq!(ui.shown_file(&state).unwrap().text(), SCENARIO);
    assert_eq!(ui.shown_line(&state), Some((name, 9)));
    save_picture("files_scenario", &ui, &state);
    // While it is closed, nothing is computed for it.
    for command in panels::files::PANEL.set_open(&mut ui, false) {
        test.send(command);
    }
    test.wait("nothing", |state| state.files.is_empty() && state.turn_values.is_none());
}

#[test]
fn what_is_typed_is_written_and_runs() {
    let test = PlayerTest::new();
    test.at(30);
    let mut ui = open_files(&test);
    let state = test.shared.latest();
    assert_eq!(ui.shown_file(&state).unwrap().text(), BIRD);
    panels::params::PANEL.set_open(&mut ui, true);
    type_before(&mut ui, &state, "* me.wander");
    let keys = [Key::Backspace, Key::Backspace, Key::Char('9'), Key::Char(' ')];
    assert_eq!(press_all(&mut ui, &state, &keys), []);
    let changed = BIRD.replace("0.4 *", "0.9 *");
    assert_eq!(ui.shown_file(&state).unwrap().text(), changed);
    save_picture("files_changed", &ui, &state);
    // While the files are closed, it can be written, too.
    press_all(&mut ui, &state, &[Key::Escape, Key::Escape]);
    let closed = panels::files::PANEL.set_open(&mut ui, false);
    assert!(matches!(closed[..], [PlayerCommand::SetOverlays(overlays)] if overlays.files));
    panels::files::PANEL.set_open(&mut ui, true);
    // Closing the window says what would be lost.
    assert!(panels::params::PANEL.is_open(&ui), "it ends the typing and closes nothing");
    press(Key::Ctrl('q'), &mut ui, &state);
    let typed = "what you typed in bird.rhai is not written, but a copy is kept";
    assert_eq!(ui.at_risk(&state), [typed]);
    assert!(!ui.is_closing && ui.leaving.is_some());
    let name = state.files[1].name.clone();
    assert_eq!(ui.files.unwritten_contents(), [(name, changed.clone())]);
    // Keys mean the same as always again, until a click into the text.
    assert_eq!(press(Key::Char(' '), &mut ui, &state), [PlayerCommand::TogglePause]);
    for command in press(Key::Ctrl('s'), &mut ui, &state) {
        test.send(command);
    }
    let state = test.wait("the script", |state| state.files[1].text == changed);
    assert!(has_notice(&state, "written to bird.rhai"), "{:?}", state.notices);
    assert!(!ui.shown_file(&state).unwrap().is_changed());
    let state = test.at(60);
    assert_eq!(state.edits.len(), 2, "the run goes on with the new script");
    assert_eq!(fs::read_to_string(test.dir.path().join("scripts/bird.rhai")).unwrap(), changed);
}

/// A param that was only tried was written with a script.
#[test]
fn who_types_in_a_file_writes_that_alone() {
    let test = PlayerTest::new();
    test.at(30);
    let mut ui = open_files(&test);
    panels::params::PANEL.set_open(&mut ui, true);
    ui.param = 2;
    for command in press(Key::CtrlShiftRight, &mut ui, &test.shared.latest()) {
        test.send(command);
    }
    let state = test.wait("a change", |state| state.unwritten().count() == 1);
    type_before(&mut ui, &state, "fn steer");
    press(Key::Char(' '), &mut ui, &state);
    let written = press(Key::Ctrl('s'), &mut ui, &state);
    assert!(matches!(written[..], [PlayerCommand::WriteFile { .. }]), "{written:?}");
    press_all(&mut ui, &state, &[Key::Escape, Key::Escape]);
    let written = press(Key::Ctrl('s'), &mut ui, &state);
    let both = [PlayerCommand::WriteParams, written[1].clone()];
    assert!(written == both && matches!(both[1], PlayerCommand::WriteFile { .. }), "{written:?}");
}

#[test]
fn a_file_that_another_program_changes_is_not_overwritten() {
    let test = PlayerTest::new();
    test.at(30);
    let mut ui = open_files(&test);
    let state = test.shared.latest();
    type_before(&mut ui, &state, "fn steer");
    press(Key::Char(' '), &mut ui, &state);
    let other = BIRD.replace("0.4", "0.5");
    test.script("bird", &other);
    let state = test.wait("the other text", |state| state.files[1].text == other);
    let file = ui.shown_file(&state).unwrap();
    assert!(file.has_conflict && file.text() == BIRD.replace("fn steer", " fn steer"));
    save_picture("files_conflict", &ui, &state);
    for command in press(Key::Ctrl('s'), &mut ui, &state) {
        test.send(command);
    }
    let state = test.wait("the refusal", |state| has_notice(state, "cannot write"));
    assert!(has_notice(&state, "`keep mine` below the text"), "{:?}", state.notices);
    press_all(&mut ui, &state, &[Key::Escape, Key::Escape]);
    press(Key::Ctrl('q'), &mut ui, &state);
    let risk = ui.at_risk(&state).join("; ");
    assert!(risk.contains("changed bird.rhai, so press `keep mine`"), "{risk}");
    assert!(ui.leaving.is_some() && !ui.can_write(&state));
    ui.files.is_typing = true;
    assert_eq!(fs::read_to_string(test.dir.path().join("scripts/bird.rhai")).unwrap(), other);
    // Who knows of the change may write over it.
    ui.keep_text(&state);
    let kept = press(Key::Ctrl('s'), &mut ui, &state);
    assert!(
        matches!(&kept[..], [PlayerCommand::WriteFile { read, .. }] if read.text == other),
        "{kept:?}"
    );
    assert!(!ui.shown_file(&state).unwrap().has_conflict);
    ui.drop_text(&state);
    assert_eq!(ui.shown_file(&state).unwrap().text(), other);
    // A text that was not changed follows the file.
    type_before(&mut ui, &state, "fn steer");
    test.script("bird", BIRD);
    let state = test.wait("the first text", |state| state.files[1].text == BIRD);
    press(Key::Left, &mut ui, &state);
    assert_eq!(ui.shown_file(&state).unwrap().text(), BIRD);
    assert!(!ui.shown_file(&state).unwrap().has_conflict);
}

#[test]
fn the_pointer_puts_the_cursor_and_selects() {
    let test = PlayerTest::new();
    test.at(30);
    let mut ui = open_files(&test);
    let state = test.shared.latest();
    let layout = ui.layout(&state);
    let area = layout.area(panels::files::PANEL.id).unwrap();
    assert!(area.min.x >= layout.world.0 as f32, "it is beside the world");
    let text = area.min + Vec2::new(110.0, 70.0);
    ui.pointer_moved(Some(text), &state);
    ui.press(Button::Left, &state);
    ui.pointer_moved(Some(text + Vec2::new(60.0, 18.0)), &state);
    ui.release(&state);
    let selected = ui.shown_file(&state).unwrap().edit.unwrap().selection();
    let words = &BIRD[selected];
    assert_eq!(words.matches('\n').count(), 1, "{words:?}");
    press(Key::Ctrl('x'), &mut ui, &state);
    let copied = ui.window_commands.pop();
    assert!(
        matches!(&copied, Some(super::super::window_command::WindowCommand::Copy { text, .. }) if text == words),
        "{copied:?}"
    );
    assert_eq!(ui.shown_file(&state).unwrap().text(), BIRD.replacen(words, "", 1));
    ui.paste(words, &state);
    assert_eq!(ui.shown_file(&state).unwrap().text(), BIRD);
    // A click into the world ends it.
    ui.pointer_moved(Some(Vec2::new(100.0, 300.0)), &state);
    ui.press(Button::Left, &state);
    assert!(!ui.files.is_typing);
}

#[test]
fn an_error_is_shown_at_its_line() {
    let test = PlayerTest::new();
    test.at(30);
    let mut ui = open_files(&test);
    test.script("bird", &BIRD.replace("0.4 *", "0.4 * me.wandr() *"));
    let state = test.wait("the error", |state| !state.errors.is_empty());
    save_picture("files_error", &ui, &state);
    UiCommand::ShowError.execute(&mut ui, &state);
    let (file, line) = ui.shown_line(&state).unwrap();
    assert!(file.ends_with("bird.rhai") && line == 5, "{file} {line}");
}

/// Time stopped at the failure, and the fix ran only after another key.
#[test]
fn a_run_that_an_error_has_stopped_goes_on_when_it_is_fixed() {
    let test = PlayerTest::new();
    test.at(10);
    open_files(&test);
    // More versions than are kept to fall back to.
    for number in 0..5 {
        let broken = "if world.tick > 20 { return me.seek(()); }";
        test.script("bird", &format!("fn steer(me) {{ {broken} vec({number}, 0) }}"));
        test.wait("the script", |state| state.files[1].text.contains(&format!("vec({number}")));
    }
    test.send(PlayerCommand::TogglePause);
    test.wait("the error", |state| state.is_stuck && !state.is_playing);
    test.script("bird", BIRD);
    let state = test.wait("the fix", |state| state.is_playing && state.errors.is_empty());
    test.wait("time", |later| later.world.tick > state.world.tick + 5);
}

/// A text that was written still counted as lost when the window closed.
#[test]
fn what_is_written_is_not_lost_and_what_is_dropped_comes_back() {
    let test = PlayerTest::new();
    test.at(30);
    let mut ui = open_files(&test);
    let state = test.shared.latest();
    type_before(&mut ui, &state, "fn steer");
    press_all(&mut ui, &state, &[Key::Char('/'), Key::Char('/'), Key::Enter]);
    ui.drop_text(&state);
    assert_eq!(ui.shown_file(&state).unwrap().text(), BIRD);
    press(Key::Ctrl('z'), &mut ui, &state);
    assert!(ui.shown_file(&state).unwrap().is_changed());
    for command in press(Key::Ctrl('s'), &mut ui, &state) {
        test.send(command);
    }
    let state = test.wait("the script", |state| state.files[1].text.contains("//\nfn"));
    press_all(&mut ui, &state, &[Key::Escape, Key::Escape]);
    test.send(PlayerCommand::RerunAll);
    let state = test.wait("the start", |state| state.world.tick < 30 && !state.files.is_empty());
    assert_eq!(press(Key::Ctrl('q'), &mut ui, &state), []);
    assert!(ui.is_closing);
}

#[test]
fn the_files_are_as_wide_as_the_person_drags_them() {
    let test = PlayerTest::new();
    test.at(30);
    let mut ui = open_files(&test);
    let state = test.shared.latest();
    let before = ui.layout(&state);
    let area = before.area(panels::files::PANEL.id).unwrap();
    ui.pointer_moved(Some(Vec2::new(area.min.x + 2.0, 200.0)), &state);
    ui.press(Button::Left, &state);
    ui.pointer_moved(Some(Vec2::new(area.min.x + 122.0, 210.0)), &state);
    ui.release(&state);
    let after = ui.layout(&state);
    assert_eq!(after.area(panels::files::PANEL.id).unwrap().min.x, area.min.x + 122.0);
    assert_eq!(after.world.0, before.world.0 + 122);
    // Long lines do not change it.
    type_before(&mut ui, &state, "fn steer");
    for _ in 0..100 {
        press(Key::Char('x'), &mut ui, &state);
    }
    assert_eq!(ui.layout(&state), after);
    // They go on in the next row, where a click finds its place, too.
    save_picture("files_long_line", &ui, &state);
    let text = ui.shown_file(&state).unwrap().text().to_owned();
    let at = text.find("xfn steer").unwrap() + 1;
    let of_cursor = |ui: &Ui| ui.shown_file(&state).unwrap().edit.unwrap().cursor();
    assert_eq!(of_cursor(&ui), at);
    let area = ui.layout(&state).area(panels::files::PANEL.id).unwrap();
    let rows = (0..8).map(|row| 36.0 + 18.0 * row as f32).map(|y| {
        ui.pointer_moved(Some(Vec2::new(area.max.x - 16.0, area.min.y + y)), &state);
        ui.press(Button::Left, &state);
        ui.release(&state);
        of_cursor(&ui)
    });
    let ends: Vec<usize> = rows.collect();
    let in_line = ends.iter().filter(|end| (at - 99..at + 20).contains(*end)).count();
    assert!(in_line >= 2 && ends.is_sorted(), "{ends:?}");
}

/// Waits until it is known what can be written at the cursor, and returns what is listed.
pub(super) fn listed(ui: &mut Ui, state: &ViewState) -> Vec<String> {
    let (since, name) = (Instant::now(), ui.files.chosen.clone().unwrap());
    let is_known = |ui: &Ui| {
        let edit = ui.shown_file(state).unwrap().edit.unwrap();
        ui.files.help.at(&name, edit.text(), edit.cursor()).is_some()
    };
    while !is_known(ui) {
        assert!(since.elapsed() < PATIENCE, "the help does not come");
        ui.files.help.wait();
    }
    let listed = ui.listed(state).into_iter().flat_map(|help| &help.suggestions);
    listed.map(|one| one.name.clone()).collect()
}

pub(super) fn type_words(ui: &mut Ui, state: &ViewState, words: &str) {
    press_all(ui, state, &words.chars().map(Key::Char).collect::<Vec<_>>());
}

#[test]
fn what_can_be_written_is_listed_and_chosen_with_keys() {
    let test = PlayerTest::new();
    test.at(30);
    let mut ui = open_files(&test);
    let state = test.shared.latest();
    let text = |ui: &Ui| ui.shown_file(&state).unwrap().text().to_owned();
    type_before(&mut ui, &state, "+ me.alignment");
    type_words(&mut ui, &state, "me.");
    assert!(listed(&mut ui, &state).len() > 40, "all of them");
    type_words(&mut ui, &state, "to");
    let all = listed(&mut ui, &state);
    assert!(all.contains(&"go_to".to_owned()), "a word in the middle: {all:?}");
    save_picture("files_word", &ui, &state);
    // The arrows select, without the cursor moving; what is chosen is written with its brackets.
    let number = all.iter().position(|name| name == "go_to").unwrap();
    press_all(&mut ui, &state, &vec![Key::Down; number]);
    assert_eq!(listed(&mut ui, &state), all);
    press(if number > 0 { Key::Enter } else { Key::Tab }, &mut ui, &state);
    assert!(text(&ui).contains("me.go_to()+ me.alignment"), "{}", text(&ui));
    assert!(listed(&mut ui, &state).is_empty());
    type_words(&mut ui, &state, "1");
    assert!(text(&ui).contains("me.go_to(1)"), "the cursor is between the brackets");
    assert!(listed(&mut ui, &state).is_empty());
    save_picture("files_call", &ui, &state);
    let edit = ui.shown_file(&state).unwrap().edit.unwrap();
    let name = ui.files.chosen.clone().unwrap();
    let help = ui.files.help.at(&name, edit.text(), edit.cursor()).unwrap();
    assert!(help.call.as_ref().unwrap().signature.starts_with("me.go_to("));
    // The names of the scenario are known, too. The first key closes the list, not the text.
    type_words(&mut ui, &state, " + me.params.r");
    assert_eq!(listed(&mut ui, &state), ["room"]);
    press(Key::Escape, &mut ui, &state);
    assert!(ui.files.is_typing && listed(&mut ui, &state).is_empty());
    press(Key::Backspace, &mut ui, &state);
    assert_eq!(listed(&mut ui, &state), ["at", "room"]);
    press(Key::Left, &mut ui, &state);
    assert!(listed(&mut ui, &state).is_empty(), "a movement is no wish for words");
    // After a space, the key indents; enter writes what is selected.
    press_all(&mut ui, &state, &[Key::End, Key::Char(' '), Key::Tab]);
    type_words(&mut ui, &state, "me.alig");
    assert_eq!(listed(&mut ui, &state), ["alignment"]);
    press(Key::Enter, &mut ui, &state);
    assert!(text(&ui).contains("     me.alignment"), "{}", text(&ui));
    assert!(!text(&ui).contains("me.alig\n") && listed(&mut ui, &state).is_empty());
    // A word that is there in full ends its line, even if longer ones are listed.
    press(Key::End, &mut ui, &state);
    type_words(&mut ui, &state, " + me.distance");
    assert!(listed(&mut ui, &state).len() > 1, "{:?}", listed(&mut ui, &state));
    press(Key::Enter, &mut ui, &state);
    assert!(text(&ui).contains(" + me.distance\n"), "{}", text(&ui));
    assert!(listed(&mut ui, &state).is_empty());
    press(Key::Ctrl(' '), &mut ui, &state);
    assert!(listed(&mut ui, &state).contains(&"me".to_owned()), "a key lists all");
}

/// Caught: keys changed the text behind the list, and `esc` ended typing instead of closing the list.
#[test]
fn the_list_of_keys_takes_the_keys_while_it_is_before_a_text() {
    let test = PlayerTest::new();
    test.at(30);
    let mut ui = open_files(&test);
    let state = test.shared.latest();
    ui.show_file(&state, 0);
    type_before(&mut ui, &state, " ticks");
    let text = |ui: &Ui| ui.shown_file(&state).unwrap().text().to_owned();
    let before = text(&ui);
    press(Key::F1, &mut ui, &state);
    assert!(panels::help::PANEL.is_open(&ui));
    press_all(&mut ui, &state, &[Key::Down, Key::Escape]);
    assert!(!panels::help::PANEL.is_open(&ui), "esc closes the list first");
    assert_eq!(text(&ui), before);
}

#[test]
fn a_click_writes_a_suggestion_and_a_scenario_has_them_too() {
    let test = PlayerTest::new();
    test.at(30);
    let mut ui = open_files(&test);
    let state = test.shared.latest();
    ui.show_file(&state, 0);
    type_before(&mut ui, &state, " ticks");
    type_words(&mut ui, &state, " see");
    assert_eq!(listed(&mut ui, &state), ["seed"]);
    for (size, is_dark) in [((1280, 800), true), ((500, 400), false)] {
        (ui.is_dark, ui.scale) = (is_dark, Scale::new(size, Some(1.0)));
        ui.set_scale(ui.scale);
        save_picture("files_suggestions", &ui, &state);
    }
    expectations::click(&mut ui, &state, |one| one.click == Some(UiCommand::WriteSuggestion(0)));
    let text = ui.shown_file(&state).unwrap().text();
    assert!(text.contains(" seed: 1, ticks"), "{text}");
    assert!(ui.files.is_typing);
    // The value is selected. A long list is scrolled by the wheel.
    type_words(&mut ui, &state, "23");
    assert!(ui.shown_file(&state).unwrap().text().contains(" seed: 23, ticks"));
    press(Key::Right, &mut ui, &state);
    type_words(&mut ui, &state, " ");
    press(Key::Ctrl(' '), &mut ui, &state);
    let all = listed(&mut ui, &state);
    assert!(all.len() > 9, "{all:?}");
    let shown = |ui: &Ui| -> Vec<UiCommand> {
        let frame = Frame::new(ui, &state, None);
        let commands = frame.widgets().filter_map(|one| one.click);
        commands.filter(|one| matches!(one, UiCommand::WriteSuggestion(_))).collect()
    };
    assert_eq!(shown(&ui).len(), 9);
    (0..20).for_each(|_| ui.select_suggestion(&state, 1));
    let last = UiCommand::WriteSuggestion(20.min(all.len() - 1));
    assert_eq!(shown(&ui).last(), Some(&last));
}

#[test]
fn what_is_typed_is_checked_before_it_is_written() {
    let test = PlayerTest::new();
    test.at(30);
    let mut ui = open_files(&test);
    let state = test.shared.latest();
    let until = |ui: &mut Ui, is_reached: &dyn Fn(&Ui) -> bool| {
        let begin = Instant::now();
        while !is_reached(ui) {
            ui.files.check(&state);
            thread::sleep(Duration::from_millis(10));
            assert!(begin.elapsed() < Duration::from_secs(60), "the check does not end");
        }
    };
    type_before(&mut ui, &state, "0.4 *");
    let typed = Instant::now(); // On a busy machine, this alone may last as long as a break.
    press_all(&mut ui, &state, &"me.wandr(1) + ".chars().map(Key::Char).collect::<Vec<_>>());
    ui.files.check(&state); // What can be written may be known at once, but not what is wrong.
    assert!(ui.files.check.findings.is_empty() || typed.elapsed() > Duration::from_millis(300));
    until(&mut ui, &|ui| !ui.files.check.findings.is_empty());
    let file = ui.shown_file(&state).unwrap();
    let found: Vec<&Diagnostic> = ui.files.findings(&file).collect();
    assert!(found.iter().any(|found| found.message.contains("wandr")), "{found:?}");
    save_picture("files_checked", &ui, &state);
    // They are gone with the text that they were about.
    while ui.shown_file(&state).unwrap().is_changed() {
        press(Key::Ctrl('z'), &mut ui, &state);
    }
    let file = ui.shown_file(&state).unwrap();
    assert_eq!(ui.files.findings(&file).count(), 0);
    type_before(&mut ui, &state, "0.4 *");
    press_all(&mut ui, &state, &[Key::Char('1'), Key::Char(' '), Key::Char('*'), Key::Char(' ')]);
    until(&mut ui, &|ui| {
        ui.files.check.findings.iter().all(|found| !found.message.contains("wandr"))
    });
    assert_eq!(state.errors.len(), 0, "the run goes on with the file as it is");
}

/// Caught: two problems of a line were drawn over each other.
#[test]
fn of_several_problems_in_a_line_the_first_is_shown_and_the_tooltip_has_all() {
    let test = PlayerTest::new();
    test.at(30);
    test.script("bird", "fn steer(me) {\n    me.wandr(1) + me.aligment(3)\n}\n");
    let mut ui = open_files(&test);
    let state = test.wait("the errors", |state| {
        state.errors.len() == 2 && state.files.iter().any(|file| file.text.contains("wandr"))
    });
    ui.files.chosen = Some(state.errors[0].place.as_ref().unwrap().source.name.clone());
    (ui.size, ui.files.width) = ((1800, 800), Some(700.0));
    save_picture("files_two_problems", &ui, &state);
    let tips = |ui: &Ui| -> Vec<(f32, String)> {
        let frame = Frame::new(ui, &state, None);
        let tips = frame.widgets().filter_map(|one| Some((one.area.width(), one.tip_words().0?)));
        let tips = tips.filter(|(_, tip)| tip.contains("wandr") && tip.contains("aligment"));
        tips.map(|(width, tip)| (width, tip.to_owned())).collect()
    };
    // Behind the line, the number of the others has it; where there is no room, the words below the line.
    assert!(matches!(tips(&ui)[..], [(width, _)] if width < 60.0), "{:?}", tips(&ui));
    ui.files.width = Some(400.0);
    save_picture("files_no_room", &ui, &state);
    assert!(matches!(tips(&ui)[..], [(width, _)] if width > 140.0), "{:?}", tips(&ui));
    // In the line of the cursor, each is told in a line below the text, with what helps.
    let told = |ui: &Ui| {
        let scene = frame::scene(ui, &state, None);
        panels::files::problems_at_cursor(&scene, &ui.shown_file(&state).unwrap())
    };
    assert_eq!(told(&ui), [""; 0]);
    type_before(&mut ui, &state, "+ me");
    save_picture("files_problems_at_cursor", &ui, &state);
    let expected = [
        "- there is no function `wandr`; did you mean `wander`? (ctrl+.)",
        "- there is no function `aligment`; did you mean `alignment`?",
    ];
    assert_eq!(told(&ui), expected);
    let scene = frame::scene(&ui, &state, None);
    let (below, _) =
        panels::files::foot(&scene, scene.layout.area(panels::files::PANEL.id).unwrap());
    assert_eq!(below, expected);
}

/// Caught: a problem counted twice in a file that was written, since the run and the check of what was typed tell it.
#[test]
fn a_problem_counts_once_before_and_after_its_file_is_written() {
    let test = PlayerTest::new();
    test.at(30);
    let mut ui = open_files(&test);
    let mut state = test.shared.latest();
    type_before(&mut ui, &state, "0.4 *");
    type_words(&mut ui, &state, "me.wandr(1) + me.aligment(3) + ");
    let told = |ui: &Ui, state: &ViewState| {
        let scene = frame::scene(ui, state, None);
        panels::files::problems_at_cursor(&scene, &ui.shown_file(state).unwrap())
    };
    let since = Instant::now();
    while told(&ui, &state).is_empty() {
        ui.files.check(&state);
        assert!(since.elapsed() < PATIENCE, "the check does not end");
        thread::sleep(Duration::from_millis(5));
    }
    let typed = told(&ui, &state);
    assert_eq!(typed.len(), 2, "{typed:?}");
    test.send_all(press(Key::Ctrl('s'), &mut ui, &state));
    state = test.wait("the errors", |state| {
        state.errors.len() == 2 && state.files.iter().any(|file| file.text.contains("wandr"))
    });
    assert!(!ui.shown_file(&state).unwrap().is_changed());
    save_picture("files_problems_written", &ui, &state);
    assert_eq!(told(&ui, &state), typed);
}

/// Caught: a word that was half typed was wrong, such as `go` on the way to `goal`.
#[test]
fn a_word_is_wrong_only_after_a_pause() {
    let test = PlayerTest::new();
    test.at(30);
    let mut ui = open_files(&test);
    let state = test.shared.latest();
    type_before(&mut ui, &state, "me.separation");
    type_words(&mut ui, &state, "let a = me.wandr(1); go +");
    press_all(&mut ui, &state, &[Key::Left, Key::Left]);
    let since = Instant::now();
    while ui.files.check.findings.is_empty() {
        ui.files.check(&state);
        assert!(since.elapsed() < PATIENCE, "the check does not end");
        thread::sleep(Duration::from_millis(5));
    }
    let found = |ui: &Ui| -> Vec<String> {
        let file = ui.shown_file(&state).unwrap();
        ui.files.findings(&file).map(|found| found.message.clone()).collect()
    };
    ui.files.check.word_until = Some(Instant::now());
    assert!(found(&ui).iter().all(|message| !message.contains("`go`")), "{:?}", found(&ui));
    assert!(found(&ui).iter().any(|message| message.contains("`wandr`")), "others are told");
    assert!(ui.files.check(&state), "the person has paused");
    assert!(found(&ui).iter().any(|message| message.contains("`go`")), "{:?}", found(&ui));
}

/// Caught: the warning was gone when the text was written, and the run failed later because of it.
#[test]
fn a_warning_stays_when_the_text_is_written() {
    let goals = "goals: [(at: (390, 290), radius: 1)], body: (radius: 3";
    let test = PlayerTest::with_scenario(&SCENARIO.replace("body: (radius: 3", goals));
    test.at(30);
    let mut ui = open_files(&test);
    let mut state = test.shared.latest();
    type_before(&mut ui, &state, "me.separation");
    type_words(&mut ui, &state, "me.seek(me.goal) + ");
    press(Key::Left, &mut ui, &state);
    let told = |ui: &Ui, state: &ViewState| {
        let scene = frame::scene(ui, state, None);
        panels::files::problems_at_cursor(&scene, &ui.shown_file(state).unwrap()).into_iter().next()
    };
    let since = Instant::now();
    while told(&ui, &state).is_none() {
        ui.files.check(&state);
        assert!(since.elapsed() < PATIENCE, "the check does not end");
        thread::sleep(Duration::from_millis(5));
    }
    let warning = told(&ui, &state).unwrap();
    assert!(warning.contains("may be `()`"), "{warning}");
    test.send(PlayerCommand::Pause);
    test.send_all(press(Key::Ctrl('s'), &mut ui, &state));
    state = test.wait("the file", |state| state.files[1].text.contains("me.seek(me.goal)"));
    assert!(!ui.shown_file(&state).unwrap().is_changed());
    let state = ViewState { errors: Arc::new([]), ..(*state).clone() };
    assert_eq!(told(&ui, &state), Some(warning.clone()));
    // It has a color of its own, which no error has.
    let warning_color = u32::from_str_radix(&LIGHT.warning.css()[1..], 16).unwrap();
    assert!(drawn(&ui, &state).contains(&warning_color));
    save_picture("files_warning", &ui, &state);
    let scene = frame::scene(&ui, &state, None);
    let notes = file_notes::notes(&scene, &ui.shown_file(&state).unwrap());
    let severities: Vec<_> = notes.iter().filter_map(|note| note.severity).collect();
    assert_eq!(severities, [Severity::Warning]);
    // It is told of a file that nobody has changed, too.
    let mut other = open_files(&test);
    type_before(&mut other, &state, "+ me.separation");
    while told(&other, &state).is_none() {
        other.files.check(&state);
        assert!(since.elapsed() < PATIENCE, "the check does not end");
        thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(told(&other, &state), Some(warning));
}

/// Caught: all values were gone from the first letter that was typed until the file was written.
#[test]
fn values_of_lines_that_are_not_changed_stay_while_one_types() {
    let test = PlayerTest::new();
    test.at(30);
    test.send(PlayerCommand::TogglePause);
    let mut ui = open_files(&test);
    ui.files.width = Some(509.0);
    test.send(PlayerCommand::Select(Some(AgentId(3))));
    let state = test.wait("the values", |state| state.turn_values.is_some() && !state.is_playing);
    // The value of this line has no room, so it has a tooltip.
    let value = |ui: &Ui| {
        let frame = Frame::new(ui, &state, None);
        let is_value = |tip: &str| tip.starts_with("separation = ");
        let mut all = frame.widgets().filter(|one| one.tip_words().0.is_some_and(is_value));
        all.next().map(|one| one.area.min.y)
    };
    let before = value(&ui).unwrap();
    type_before(&mut ui, &state, "me.state.turns +=");
    press_all(&mut ui, &state, &[Key::Char('x'), Key::Enter]);
    save_picture("files_values_stay", &ui, &state);
    assert_eq!(value(&ui), Some(before + 18.0), "where its line is now");
    type_before(&mut ui, &state, "+ me.alignment");
    press(Key::Char(' '), &mut ui, &state);
    assert_eq!(value(&ui), None, "its line is another one");
}

/// The panel of the error had the old words while one typed the repair.
#[test]
fn the_panel_of_an_error_follows_what_is_typed() {
    let test = PlayerTest::new();
    test.at(30);
    test.script("bird", "fn steer(me) {\n    me.wandr(1)\n}\n");
    let mut ui = open_files(&test);
    let state = test.wait("the error", |state| {
        !state.errors.is_empty() && state.files.iter().any(|file| file.text.contains("wandr"))
    });
    ui.files.chosen = Some(state.errors[0].place.as_ref().unwrap().source.name.clone());
    let shown = ui.shown_error(&state).unwrap();
    assert!(!shown.is_edited && shown.error.message.contains("wandr"));
    let height = |ui: &Ui| ui.layout(&state).area(panels::error::PANEL.id).unwrap().height();
    let before = height(&ui);
    type_before(&mut ui, &state, "(1)");
    press_all(&mut ui, &state, &"xy".chars().map(Key::Char).collect::<Vec<_>>());
    let shown = ui.shown_error(&state).unwrap();
    assert!(shown.is_edited && shown.error.message.contains("wandr"), "not checked yet");
    assert!(height(&ui) > before, "it says so");
    save_picture("error_edited", &ui, &state);
    let begin = Instant::now();
    while !ui.shown_error(&state).unwrap().error.message.contains("wandrxy") {
        ui.files.check(&state);
        assert!(begin.elapsed() < PATIENCE, "the check does not end");
        thread::sleep(Duration::from_millis(10));
    }
    save_picture("error_checked", &ui, &state);
    // The text is again the one that the run has refused.
    while ui.shown_file(&state).unwrap().is_changed() {
        press(Key::Ctrl('z'), &mut ui, &state);
    }
    assert!(!ui.shown_error(&state).unwrap().is_edited);
}

#[test]
fn keys_change_the_selected_lines() {
    let test = PlayerTest::new();
    test.at(30);
    let mut ui = open_files(&test);
    let state = test.shared.latest();
    type_before(&mut ui, &state, "fn steer");
    press_all(&mut ui, &state, &[Key::ShiftDown, Key::ShiftDown, Key::Tab, Key::Ctrl('/')]);
    let text = ui.shown_file(&state).unwrap().text();
    assert!(text.contains("\n    // fn steer"), "{text}");
    press_all(&mut ui, &state, &[Key::Ctrl('/'), Key::ShiftTab]);
    assert_eq!(ui.shown_file(&state).unwrap().text(), BIRD);
}
