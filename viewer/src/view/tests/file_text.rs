//! Finding, replacing, and following names in the text of a file in the window.

use super::super::file_notes;
use super::super::file_view::{View, point_of, shown_text_area};
use super::super::find_action::{FindAction, FindField};
use super::super::frame::{self, Frame};
use super::super::placed_notes::placed;
use super::super::widget::Widget;
use super::super::window_command::WindowCommand;
use super::files::{listed, open_files, press_all, type_before, type_words};
use super::*;

fn text<'u>(ui: &'u Ui, state: &'u ViewState) -> &'u str {
    ui.shown_file(state).unwrap().text()
}

fn selected(ui: &Ui, state: &ViewState) -> std::ops::Range<usize> {
    ui.shown_file(state).unwrap().edit.unwrap().selection()
}

/// Returns what is written below the text.
fn foot_words(ui: &Ui, state: &ViewState) -> String {
    let scene = frame::scene(ui, state, None);
    let area = scene.layout.area(panels::files::PANEL.id).unwrap();
    panels::files::foot(&scene, area).0.join(" ")
}

/// Waits until something is true of the interface.
fn until(ui: &mut Ui, state: &ViewState, what: &str, is_reached: impl Fn(&Ui) -> bool) {
    let since = Instant::now();
    while !is_reached(ui) {
        ui.files.check(state);
        assert!(since.elapsed() < PATIENCE, "waited for {what}");
        thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn words_are_found_in_a_file() {
    let test = PlayerTest::new();
    test.at(30);
    let mut ui = open_files(&test);
    let state = test.shared.latest();
    type_before(&mut ui, &state, "fn steer");
    // What was listed for a word is not listed at the words that are found.
    type_words(&mut ui, &state, "t");
    assert!(!listed(&mut ui, &state).is_empty());
    press(Key::Backspace, &mut ui, &state);
    press(Key::Ctrl('f'), &mut ui, &state);
    // Each letter finds the first place after the cursor.
    type_words(&mut ui, &state, "TURN");
    assert!(listed(&mut ui, &state).is_empty());
    let all: Vec<usize> = BIRD.match_indices("turns").map(|(at, _)| at).collect();
    assert_eq!(selected(&ui, &state), all[1]..all[1] + 4);
    assert_eq!(ui.found_places(&state), all);
    type_words(&mut ui, &state, "x");
    assert_eq!(ui.found_text(&state), "not found");
    save_picture("find_nothing", &ui, &state);
    press(Key::Backspace, &mut ui, &state);
    assert_eq!(selected(&ui, &state), all[1]..all[1] + 4);
    press(Key::Char('S'), &mut ui, &state);
    let mut places = vec![selected(&ui, &state).start];
    assert_eq!(ui.found_text(&state), "2 of 2");
    for key in [Key::Enter, Key::Enter, Key::ShiftEnter, Key::ShiftEnter] {
        press(key, &mut ui, &state);
        assert_eq!(&BIRD[selected(&ui, &state)], "turns");
        places.push(selected(&ui, &state).start);
    }
    assert_eq!(places, [all[1], all[0], all[1], all[0], all[1]], "around the ends of the text");
    for (size, is_dark) in [((1280, 800), false), ((500, 400), true)] {
        (ui.is_dark, ui.scale) = (is_dark, Scale::new(size, Some(1.0)));
        ui.set_scale(ui.scale);
        save_picture("find", &ui, &state);
    }
    let shown = drawn(&ui, &state);
    press(Key::Escape, &mut ui, &state);
    assert!(drawn(&ui, &state) != shown && ui.found_places(&state).is_empty());
    // What is typed next replaces what was found.
    press(Key::Char('n'), &mut ui, &state);
    assert_eq!(text(&ui, &state).matches("turns").count(), 1);
}

/// Caught: the key did nothing before a click into the text, and the letters after it were commands of the window.
#[test]
fn words_are_found_in_a_file_that_nobody_types_in() {
    let test = PlayerTest::new();
    test.at(30);
    let mut ui = open_files(&test);
    let state = test.shared.latest();
    press(Key::Ctrl('f'), &mut ui, &state);
    type_words(&mut ui, &state, "nowhere");
    press(Key::Escape, &mut ui, &state);
    assert!(!ui.files.is_typing, "nothing is found");
    press(Key::Ctrl('f'), &mut ui, &state);
    type_words(&mut ui, &state, "fn s");
    press(Key::Escape, &mut ui, &state);
    type_words(&mut ui, &state, "x");
    assert!(ui.files.is_typing);
    assert_eq!(text(&ui, &state), BIRD.replace("fn s", "x"));
}

#[test]
fn words_are_replaced_one_after_the_other_or_all_at_once() {
    let test = PlayerTest::new();
    test.at(30);
    let mut ui = open_files(&test);
    let state = test.shared.latest();
    type_before(&mut ui, &state, "fn init");
    press(Key::Ctrl('h'), &mut ui, &state);
    type_words(&mut ui, &state, "me.");
    press_all(&mut ui, &state, &[Key::ShiftEnter, Key::ShiftEnter]);
    assert_eq!(ui.found_text(&state), "6 of 7");
    press_all(&mut ui, &state, &[Key::Enter, Key::Enter]);
    assert_eq!(ui.found_text(&state), "1 of 7");
    press(Key::Tab, &mut ui, &state);
    type_words(&mut ui, &state, "i.");
    save_picture("find_replace", &ui, &state);
    press(Key::Enter, &mut ui, &state);
    assert_eq!(text(&ui, &state), BIRD.replacen("me.", "i.", 1));
    let next = text(&ui, &state).find("me.").unwrap();
    assert_eq!(selected(&ui, &state), next..next + 3, "the next one is selected");
    let count = BIRD.matches("me.").count() - 1;
    assert_eq!(ui.found_text(&state), format!("1 of {count}"));
    let told = press(Key::CtrlEnter, &mut ui, &state);
    let notice = format!("replaced at {count} places (ctrl+z takes it back)");
    assert_eq!(told, [PlayerCommand::Notice { text: notice, is_failure: false }]);
    assert_eq!(text(&ui, &state), BIRD.replace("me.", "i."));
    // Caught: it said in red that nothing was found.
    assert_eq!(ui.found_text(&state), format!("replaced {count}"));
    save_picture("find_replaced", &ui, &state);
    // Caught: ctrl+z emptied the field, although the notice had said that it takes the replacement back.
    press(Key::Ctrl('z'), &mut ui, &state);
    assert_eq!(text(&ui, &state), BIRD.replacen("me.", "i.", 1));
    press(Key::Ctrl('y'), &mut ui, &state);
    assert_eq!(text(&ui, &state), BIRD.replace("me.", "i."));
    assert!(foot_words(&ui, &state).contains("ctrl+z: undo in the file"));
    // After a key in the field, it is for the field again.
    press(Key::Char('x'), &mut ui, &state);
    press(Key::Ctrl('z'), &mut ui, &state);
    assert_ne!(ui.files.find.replacement.text(), "i.x");
    assert_eq!(text(&ui, &state), BIRD.replace("me.", "i."));
    press(Key::Tab, &mut ui, &state);
    type_words(&mut ui, &state, "me.");
    assert_eq!(ui.found_text(&state), "not found", "until something else happens");
    press(Key::Escape, &mut ui, &state);
    press(Key::Ctrl('z'), &mut ui, &state);
    assert_eq!(text(&ui, &state), BIRD.replacen("me.", "i.", 1), "one step for all");
    press(Key::Ctrl('z'), &mut ui, &state);
    assert_eq!(text(&ui, &state), BIRD);
}

#[test]
fn the_box_is_used_with_the_mouse_and_a_click_into_the_text_types_there() {
    let test = PlayerTest::new();
    test.at(30);
    let mut ui = open_files(&test);
    let state = test.shared.latest();
    let before = ui.layout(&state);
    type_before(&mut ui, &state, "turns = 0");
    let end = selected(&ui, &state).start + "turns".len();
    ui.place_cursor(&state, end, true);
    // What is selected is searched for.
    press(Key::Ctrl('f'), &mut ui, &state);
    assert_eq!(ui.found_text(&state), "1 of 2");
    assert_eq!(ui.layout(&state), before, "the world is as wide as before");
    let text_area = shown_text_area(&frame::scene(&ui, &state, None)).unwrap();
    let area = Frame::new(&ui, &state, None).area(panels::find::PANEL.id).unwrap();
    assert!(area.max.y <= text_area.min.y, "it covers no line");
    let click = |ui: &mut Ui, action: FindAction| {
        let is_it = |one: &Widget| one.click == Some(UiCommand::Find(action));
        expectations::click(ui, &state, is_it);
    };
    click(&mut ui, FindAction::Next);
    assert_eq!(ui.found_text(&state), "2 of 2");
    click(&mut ui, FindAction::Previous);
    assert_eq!(ui.found_text(&state), "1 of 2");
    click(&mut ui, FindAction::OpenReplace);
    click(&mut ui, FindAction::TypeIn(FindField::Replacement));
    ui.paste("count\nand more", &state);
    click(&mut ui, FindAction::ReplaceOne);
    assert_eq!(text(&ui, &state), BIRD.replacen("turns", "count", 1));
    press(Key::Ctrl('a'), &mut ui, &state);
    press(Key::Ctrl('c'), &mut ui, &state);
    let copied = ui.window_commands.pop();
    assert!(matches!(&copied, Some(WindowCommand::Copy { text, .. }) if text == "count"));
    // A click into the text types there, while the places stay marked.
    let at = point_of(&frame::scene(&ui, &state, None), 5).unwrap();
    ui.pointer_moved(Some(at - Vec2::new(0.0, 4.0)), &state);
    ui.press(Button::Left, &state);
    ui.release(&state);
    assert_eq!(selected(&ui, &state), 5..5, "the text is where it is drawn");
    type_words(&mut ui, &state, "x");
    assert_eq!(text(&ui, &state).find('x'), Some(5));
    assert_eq!(ui.found_places(&state).len(), 1);
    // The first key closes the box, and the next one ends the typing.
    press(Key::Escape, &mut ui, &state);
    assert!(!ui.files.find.is_open && ui.files.is_typing);
    // While nobody types, it closes before the files do.
    press(Key::Ctrl('f'), &mut ui, &state);
    ui.pointer_moved(Some(Vec2::new(100.0, 300.0)), &state);
    ui.press(Button::Left, &state);
    ui.release(&state);
    assert_eq!(press(Key::Char(' '), &mut ui, &state), [PlayerCommand::TogglePause]);
    press(Key::Escape, &mut ui, &state);
    assert!(!ui.files.find.is_open && panels::files::PANEL.is_open(&ui));
}

#[test]
fn brackets_are_closed_while_one_types_and_what_closes_them_is_passed() {
    let test = PlayerTest::new();
    test.at(30);
    let mut ui = open_files(&test);
    let state = test.shared.latest();
    type_before(&mut ui, &state, "\n    me.state.turns += 1");
    type_words(&mut ui, &state, " if me.speed > f(1) {");
    press(Key::Enter, &mut ui, &state);
    type_words(&mut ui, &state, "return \"(\"");
    let typed = "fn steer(me) { if me.speed > f(1) {\n        return \"(\"\n    }\n    me";
    // The new lines are indented as the line of the function.
    let typed = typed.replace("\n        return", "\n    return").replace("\n    }", "\n}");
    assert!(text(&ui, &state).contains(&typed), "{}", text(&ui, &state));
}

/// Puts the pointer on a place of the text.
fn point(ui: &mut Ui, state: &ViewState, words: &str) {
    let at = text(ui, state).find(words).unwrap();
    let at = point_of(&frame::scene(ui, state, None), at).unwrap();
    ui.pointer_moved(Some(at + Vec2::new(3.0, -4.0)), state);
}

/// Returns what the box says about the name under the pointer.
fn name_help(ui: &Ui, state: &ViewState) -> Vec<String> {
    let scene = frame::scene(ui, state, None);
    panels::name_help::lines(&scene).into_iter().map(|line| line.words).collect()
}

#[test]
fn a_name_is_explained_where_the_pointer_rests() {
    let test = PlayerTest::new();
    test.at(30);
    let mut ui = open_files(&test);
    let state = test.shared.latest();
    point(&mut ui, &state, "separation(");
    let plain = drawn(&ui, &state);
    assert!(name_help(&ui, &state).is_empty(), "the pointer does not rest yet");
    until(&mut ui, &state, "the help", |ui| !name_help(ui, &state).is_empty());
    let help = name_help(&ui, &state);
    assert!(
        help[0].starts_with("me.separation(neighbors") && help[0].ends_with("-> force"),
        "{help:?}"
    );
    assert!(help.len() > 1 && help.len() <= 9, "{help:?}");
    assert!(drawn(&ui, &state) != plain);
    save_picture("name_help", &ui, &state);
    // It does not cover the line, nor keep the mouse from the text.
    let area = Frame::new(&ui, &state, None).area(panels::name_help::PANEL.id).unwrap();
    assert!(area.min.y > ui.pointer.y + 4.0 || area.max.y < ui.pointer.y - 8.0, "{area:?}");
    // Within the name it stays, beside it, it goes.
    ui.pointer_moved(Some(ui.pointer + Vec2::new(8.0, 0.0)), &state);
    assert_eq!(name_help(&ui, &state), help);
    point(&mut ui, &state, "\n    me.separation");
    assert!(name_help(&ui, &state).is_empty());
    point(&mut ui, &state, "room)");
    until(&mut ui, &state, "the param", |ui| !name_help(ui, &state).is_empty());
    let help = name_help(&ui, &state);
    assert!(help[0].starts_with("room is a param"), "{help:?}");
    // A key closes it.
    press(Key::Char('t'), &mut ui, &state);
    assert!(name_help(&ui, &state).is_empty());
}

#[test]
fn what_is_wrong_is_told_where_the_pointer_rests() {
    let test = PlayerTest::new();
    test.at(30);
    let mut ui = open_files(&test);
    let state = test.shared.latest();
    type_before(&mut ui, &state, "0.4 *");
    type_words(&mut ui, &state, "me.wandr(1) + ");
    until(&mut ui, &state, "the check", |ui| !ui.files.check.findings.is_empty());
    point(&mut ui, &state, "wandr");
    assert!(name_help(&ui, &state).is_empty(), "the pointer does not rest yet");
    until(&mut ui, &state, "the problem", |ui| !name_help(ui, &state).is_empty());
    let help = name_help(&ui, &state);
    assert!(help[0].contains("there is no function `wandr`"), "{help:?}");
    assert!(help.iter().any(|line| line.contains("did you mean `wander`?")), "{help:?}");
    save_picture("name_help_problem", &ui, &state);
}

/// Caught: the box of a mistake lay over the line that the person wanted to type in.
#[test]
fn what_is_wrong_covers_neither_its_line_nor_that_of_the_cursor() {
    let test = PlayerTest::new();
    test.at(30);
    let mut ui = open_files(&test);
    let mut text = "fn steer(me) {\n".to_owned();
    text += &"    let a = 1;\n".repeat(12);
    text += "    me.wandr(1);\n";
    text += &"    let b = 1;\n".repeat(12);
    test.script("bird", &format!("{text}}}\n"));
    let state = test.wait("the error", |state| {
        let is_read = state.files.iter().any(|file| file.text.starts_with(&text));
        is_read && state.errors.iter().any(|error| error.message.contains("wandr"))
    });
    for down in [0, 1, 2, 4, -1, -2, -4_i32] {
        type_before(&mut ui, &state, "wandr");
        let key = if down < 0 { Key::Up } else { Key::Down };
        press_all(&mut ui, &state, &vec![key; down.unsigned_abs() as usize]);
        point(&mut ui, &state, "ndr(1)");
        until(&mut ui, &state, "the problem", |ui| !name_help(ui, &state).is_empty());
        let scene = frame::scene(&ui, &state, None);
        let cursor = ui.shown_file(&state).unwrap().edit.unwrap().cursor();
        let rows = [point_of(&scene, cursor).unwrap().y, ui.pointer.y + 4.0];
        let area = Frame::new(&ui, &state, None).area(panels::name_help::PANEL.id).unwrap();
        let is_covered = |base: f32| area.min.y < base + 3.0 && base - 10.0 < area.max.y;
        assert!(!rows.into_iter().any(is_covered), "{down}: {area:?} {rows:?}");
        // Where it can, it leaves the next line free.
        assert!(area.max.y < rows[1] || down < 0, "{down}: {area:?} {rows:?}");
    }
}

/// Caught: what was probably meant was told, but the person had to type it.
#[test]
fn a_fix_is_written_by_a_click_or_a_key() {
    let test = PlayerTest::new();
    test.at(30);
    for (wrong, words, told, right) in [
        ("me.wandr(1)", "write `wander`", "did you mean `wander`? (ctrl+.)", "me.wander(1)"),
        ("me.wander(1))", "remove this `)`", "; ctrl+.: remove this `)`", "me.wander(1)"),
    ] {
        let script = |line: &str| format!("fn steer(me) {{\n    {line}\n}}\n");
        test.script("bird", &script(wrong));
        let mut ui = open_files(&test);
        ui.files.width = Some(800.0);
        let state = test.wait("the error", |state| {
            let is_read = state.files.iter().any(|file| file.text == script(wrong));
            let place = state.errors.first().and_then(|error| error.place.as_ref());
            is_read && place.is_some_and(|place| place.source.text == script(wrong))
        });
        let is_fix = |one: &Widget| one.click == Some(UiCommand::WriteFix(1));
        let tip = {
            let frame = Frame::new(&ui, &state, None);
            frame.widgets().find(|one| is_fix(one)).unwrap().tip_words().0.unwrap().to_owned()
        };
        assert_eq!(tip, format!("click: {words} (ctrl+. in the line)"));
        save_picture("fix", &ui, &state);
        expectations::click(&mut ui, &state, is_fix);
        assert_eq!(text(&ui, &state), script(right));
        // It is undone like what is typed, and the key does the same in the line of the cursor.
        press(Key::Ctrl('z'), &mut ui, &state);
        assert_eq!(text(&ui, &state), script(wrong));
        assert!(foot_words(&ui, &state).ends_with(told), "{}", foot_words(&ui, &state));
        press(Key::Ctrl('.'), &mut ui, &state);
        assert_eq!(text(&ui, &state), script(right));
        press(Key::Ctrl('.'), &mut ui, &state);
        assert_eq!(text(&ui, &state), script(right), "nothing is wrong any more");
        // Where there is no room behind the line, it is below it.
        press(Key::Ctrl('z'), &mut ui, &state);
        ui.files.width = Some(240.0);
        save_picture("fix_below", &ui, &state);
        let panel = ui.layout(&state).area(panels::files::PANEL.id);
        let frame = Frame::new(&ui, &state, None);
        let fix = frame.widgets().find(|one| is_fix(one)).unwrap().area;
        let tab = frame.widgets().find(|one| one.click == Some(UiCommand::ShowFile(0))).unwrap();
        assert_eq!(tab.area.height(), 32.0);
        assert!(fix.max.x <= panel.unwrap().max.x - 8.0, "{fix:?}");
        expectations::click(&mut ui, &state, is_fix);
        assert_eq!(text(&ui, &state), script(right));
    }
}

#[test]
fn a_key_goes_to_the_definition_and_back() {
    let test = PlayerTest::new();
    test.at(30);
    let mut ui = open_files(&test);
    let state = test.shared.latest();
    let follow = |ui: &mut Ui| -> Vec<PlayerCommand> {
        let since = Instant::now();
        let before = (ui.files.before.len(), ui.panels.is_toggled(panels::word::PANEL.id));
        loop {
            ui.files.check(&state);
            let commands = ui.follow(&state);
            let now = (ui.files.before.len(), ui.panels.is_toggled(panels::word::PANEL.id));
            if !commands.is_empty() || now != before {
                return commands;
            }
            assert!(since.elapsed() < PATIENCE, "the definition does not come");
            thread::sleep(Duration::from_millis(5));
        }
    };
    // A param is declared in the scenario.
    type_before(&mut ui, &state, "oom) +");
    let start = selected(&ui, &state);
    press(Key::F12, &mut ui, &state);
    assert_eq!(follow(&mut ui), []);
    assert_eq!(text(&ui, &state), SCENARIO);
    assert_eq!(selected(&ui, &state).start, SCENARIO.find("room\":").unwrap());
    press(Key::AltLeft, &mut ui, &state);
    assert_eq!((text(&ui, &state), selected(&ui, &state)), (BIRD, start));
    // So does a click with Ctrl.
    point(&mut ui, &state, "room)");
    ui.has_ctrl = true;
    ui.press(Button::Left, &state);
    follow(&mut ui);
    ui.pointer_moved(Some(ui.pointer + Vec2::new(0.0, 60.0)), &state);
    ui.release(&state);
    ui.has_ctrl = false;
    assert_eq!(text(&ui, &state), SCENARIO);
    assert!(selected(&ui, &state).is_empty(), "nothing is selected on the way");
    press(Key::AltLeft, &mut ui, &state);
    // What Flockwork gives is in the reference.
    type_before(&mut ui, &state, "wander(");
    press(Key::F12, &mut ui, &state);
    follow(&mut ui);
    assert!(panels::word::PANEL.is_open(&ui));
    assert!(super::super::words::words()[ui.word].names.contains(&"wander"));
    // Caught: the page stayed over the world while the person typed, searched and wrote.
    press(Key::Right, &mut ui, &state);
    assert!(panels::word::PANEL.is_open(&ui), "one can read it and move");
    for keys in [&[Key::Char('x'), Key::Backspace][..], &[Key::Ctrl('f')], &[Key::Ctrl('s')]] {
        panels::word::PANEL.set_open(&mut ui, true);
        press_all(&mut ui, &state, keys);
        assert!(!panels::word::PANEL.is_open(&ui), "{keys:?}");
    }
    // It is in front of the box that finds words.
    panels::word::PANEL.set_open(&mut ui, true);
    press(Key::Escape, &mut ui, &state);
    assert!(!panels::word::PANEL.is_open(&ui) && ui.files.find.is_open && ui.files.is_typing);
    press(Key::Escape, &mut ui, &state);
    type_before(&mut ui, &state, "+= 1");
    press(Key::F12, &mut ui, &state);
    let told = follow(&mut ui);
    assert!(matches!(&told[..], [PlayerCommand::Notice { is_failure: true, .. }]), "{told:?}");
    // `world` of a scenario is another one than that of scripts.
    ui.show_file(&state, 0);
    type_before(&mut ui, &state, "world: (");
    press(Key::F12, &mut ui, &state);
    let told = follow(&mut ui);
    assert!(matches!(&told[..], [PlayerCommand::Notice { is_failure: true, .. }]), "{told:?}");
    assert_eq!(press_all(&mut ui, &state, &[Key::AltLeft]), [], "there is nothing to go back to");
}

#[test]
fn the_files_are_as_wide_as_their_longest_line_and_leave_room_to_the_world() {
    let test = PlayerTest::new();
    test.at(30);
    let mut ui = open_files(&test);
    let state = test.shared.latest();
    ui.set_scale(Scale::new((1600, 900), Some(1.0)));
    let width = |ui: &Ui| ui.layout(&state).area(panels::files::PANEL.id).unwrap().width();
    assert_eq!(width(&ui), 560.0, "its longest line needs more");
    ui.set_scale(Scale::new((3200, 900), Some(1.0)));
    let mut last = 0.0;
    for count in [130, 134, 138] {
        let comment = "// A long comment".repeat(9);
        let script = format!("{comment}\nfn steer(me) {{ {} }}\n", " ".repeat(count));
        test.script("fox", &script);
        let state = test.wait("the script", |state| state.files[2].text == script);
        let width = ui.layout(&state).area(panels::files::PANEL.id).unwrap().width();
        assert!(width > last && (1100.0..1440.0).contains(&width), "{width}");
        last = width;
    }
    ui.set_scale(Scale::new((1600, 900), Some(1.0)));
    ui.files.width = Some(333.0);
    assert_eq!(width(&ui), 333.0, "as the person has dragged it");
}

/// Caught: of a value that had no room, a few letters were there.
#[test]
fn a_value_is_rounded_if_it_has_no_room_and_whole_where_the_pointer_rests() {
    let test = PlayerTest::new();
    test.send(PlayerCommand::TogglePause);
    test.script("bird", "fn steer(me) {\n    let goal = me.pos * 1.2345;\n    me.seek(goal)\n}");
    test.send(PlayerCommand::RunTo(30));
    let mut ui = open_files(&test);
    test.send(PlayerCommand::Select(Some(AgentId(3))));
    let state = test.wait("the values", |state| {
        let values = state.turn_values.as_ref().and_then(|values| values.files.first());
        state.files[1].text.contains("goal")
            && values.is_some_and(|one| one.text == state.files[1].text)
    });
    let words = |ui: &Ui| -> Vec<String> {
        let scene = frame::scene(ui, &state, None);
        let view = View::new(&scene).unwrap();
        let notes = file_notes::notes(&scene, &view.file);
        let all = view.shown().flat_map(|row| placed(&view, &notes, row));
        all.filter_map(|one| one.words).collect()
    };
    let mut all: Vec<String> = (240..560)
        .flat_map(|width| {
            ui.files.width = Some(width as f32);
            words(&ui)
        })
        .collect();
    all.dedup();
    let is_cut = |one: &&String| {
        one.split('…').next().is_some_and(|before| {
            before.len() < one.len() && before.ends_with(|c: char| c.is_ascii_digit())
        })
    };
    assert_eq!(all.iter().find(is_cut), None, "a number is never cut: {all:?}");
    let of_goal = |begin: &str| all.iter().any(|one| one.starts_with(begin) && one.ends_with(')'));
    assert!(of_goal("goal = (") && of_goal("goal ~ ("), "{all:?}");
    point(&mut ui, &state, "goal = ");
    ui.files.pointed.as_mut().unwrap().is_explained = true;
    let told = name_help(&ui, &state);
    assert!(told.iter().any(|line| line.starts_with("now (")), "{told:?}");
}

/// Caught: after an `esc` that was meant to close something, letters were commands, and the run began again.
#[test]
fn one_esc_says_that_a_second_one_ends_the_typing() {
    let test = PlayerTest::new();
    test.at(30);
    let mut ui = open_files(&test);
    let state = test.shared.latest();
    type_before(&mut ui, &state, "fn steer");
    let is_told = |ui: &Ui| foot_words(ui, &state).starts_with("esc again: stop typing");
    press(Key::Escape, &mut ui, &state);
    assert!(is_told(&ui));
    save_picture("files_esc", &ui, &state);
    assert_eq!(press(Key::Char('r'), &mut ui, &state), []);
    assert_eq!(text(&ui, &state), BIRD.replace("fn steer", "rfn steer"));
    assert!(!is_told(&ui), "what is typed goes on");
    ui.files.help.want(false, false);
    // A click goes on, too.
    press(Key::Escape, &mut ui, &state);
    ui.place_cursor(&state, 0, false);
    press(Key::Escape, &mut ui, &state);
    assert!(ui.files.is_typing && is_told(&ui));
    press(Key::Escape, &mut ui, &state);
    assert!(!ui.files.is_typing && panels::files::PANEL.is_open(&ui));
    assert!(!press(Key::Char('r'), &mut ui, &state).is_empty(), "a command");
}

/// Caught: `ctrl+d` in a text, which other editors have for something else, switched weights off.
#[test]
fn keys_that_change_the_run_do_nothing_while_one_types() {
    let test = PlayerTest::new();
    test.at(30);
    let mut ui = open_files(&test);
    let state = test.shared.latest();
    type_before(&mut ui, &state, "fn steer");
    for key in [Key::Ctrl('d'), Key::CtrlShift('d'), Key::Ctrl('u')] {
        let commands = press(key, &mut ui, &state);
        assert!(
            matches!(&commands[..], [PlayerCommand::Notice { text, .. }] if text.contains("esc twice")),
            "{key}: {commands:?}"
        );
    }
    assert_eq!(press(Key::Ctrl('r'), &mut ui, &state), [PlayerCommand::RerunAll]);
}

/// Caught: for a word in the arguments of a call, the call was explained.
#[test]
fn the_word_at_the_cursor_is_explained_before_the_call_around_it() {
    let test = PlayerTest::new();
    let script = "fn steer(me) {\n    prioritize([me.arrive(world.cursor),  me.wander()])\n}\n";
    test.script("bird", script);
    let mut ui = open_files(&test);
    let state = test.wait("the script", |state| {
        state.files.iter().any(|file| file.text.contains("prioritize"))
    });
    let mut explained = |words: &str, by: usize| {
        let at = script.find(words).unwrap() + by;
        ui.place_cursor(&state, at, false);
        listed(&mut ui, &state);
        foot_words(&ui, &state)
    };
    for (words, by, begin) in [
        ("arrive", 0, "me.arrive("),
        ("arrive", 6, "me.arrive("),
        ("wander", 3, "me.wander("),
        ("prioritize", 4, "prioritize("),
        ("  me.wander", 1, "prioritize("),
    ] {
        let explained = explained(words, by);
        assert!(explained.starts_with(begin), "{words} {by}: {explained}");
    }
}

/// Caught: after `F1` and `esc`, what was typed acted on the run.
#[test]
fn typing_goes_on_after_the_help() {
    let test = PlayerTest::new();
    test.at(30);
    let mut ui = open_files(&test);
    let state = test.shared.latest();
    type_before(&mut ui, &state, "fn steer");
    press(Key::F1, &mut ui, &state);
    assert!(panels::help::PANEL.is_open(&ui));
    // The keys of the help are not typed.
    for key in [Key::Down, Key::PageDown, Key::Tab, Key::Tab, Key::Escape] {
        assert_eq!(press(key, &mut ui, &state), []);
    }
    assert!(!panels::help::PANEL.is_open(&ui) && ui.files.is_typing);
    assert_eq!(press(Key::Char('s'), &mut ui, &state), []);
    // Other keys close it.
    press(Key::F1, &mut ui, &state);
    for key in [Key::Char(' '), Key::Char('x'), Key::Backspace, Key::Enter] {
        assert_eq!(press(key, &mut ui, &state), []);
    }
    assert!(!panels::help::PANEL.is_open(&ui) && ui.question.is_none());
    let text = ui.shown_file(&state).unwrap().text();
    assert!(text.contains("s \nfn steer"), "{text}");
    // A click on its page, or on its button, does not end the typing either.
    let middle = Vec2::new(SIZE.0 as f32, SIZE.1 as f32) / 2.0;
    press(Key::F1, &mut ui, &state);
    ui.pointer_moved(Some(middle), &state);
    ui.press(Button::Left, &state);
    ui.release(&state);
    assert!(ui.files.is_typing);
}

#[test]
fn a_line_is_found_by_its_number() {
    let test = PlayerTest::new();
    test.at(30);
    let mut ui = open_files(&test);
    let state = test.shared.latest();
    type_before(&mut ui, &state, "fn steer");
    let lines = BIRD.matches('\n').count();
    for (typed, expected) in [("3", 2), ("1", 0), ("999", lines)] {
        press(Key::Ctrl('g'), &mut ui, &state);
        save_picture("go_to_line", &ui, &state);
        // What is no number is told, and can be corrected.
        press(Key::Char('x'), &mut ui, &state);
        press(Key::Enter, &mut ui, &state);
        assert!(ui.question.as_ref().is_some_and(|one| one.error.is_some()));
        press(Key::Backspace, &mut ui, &state);
        for key in typed.chars().map(Key::Char).chain([Key::Enter]) {
            assert_eq!(press(key, &mut ui, &state), []);
        }
        assert!(ui.question.is_none() && ui.files.is_typing);
        let edit = ui.shown_file(&state).unwrap().edit.unwrap();
        assert_eq!(edit.text()[..edit.cursor()].matches('\n').count(), expected, "{typed}");
    }
}
