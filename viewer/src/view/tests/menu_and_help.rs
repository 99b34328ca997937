//! The menu, and the list of keys.

use std::path::Path;

use super::super::choice::Choice;
use super::super::editor_keys;
use super::super::frame::Frame;
use super::super::help_page::HelpPage;
use super::super::keys::keys;
use super::super::terms::{GOLDEN, GRAY_RUN, MARGIN, NEARLY_FAILED, NOT_JUDGED_YET, Term};
use super::input::middle;
use super::*;

/// In one list of 26 rows, nothing was found.
#[test]
fn each_action_of_the_menu_is_below_a_heading_and_can_be_reached_in_small_windows() {
    let test = PlayerTest::new();
    let state = test.at(5);
    let actions = |ui: &Ui| {
        let frame = Frame::new(ui, &state, None);
        let menu = frame.area(panels::menu::PANEL.id).unwrap();
        let rows = frame.widgets().filter(|one| menu.contains(middle(one.area)));
        let clicks = rows.filter_map(|one| one.click);
        clicks.filter(|click| matches!(click, UiCommand::Choose(_))).collect::<Vec<_>>()
    };
    let mut ui = Ui::new((1280, 800), false);
    press(Key::Char('h'), &mut ui, &state);
    save_picture("menu_grouped", &ui, &state);
    let all = actions(&ui);
    assert_eq!(all.len(), 38);
    let mut ui = Ui::new((500, 400), false);
    press(Key::Char('h'), &mut ui, &state);
    save_picture("menu_small", &ui, &state);
    let mut seen = actions(&ui);
    assert!(seen.len() < all.len());
    for _ in 0..40 {
        UiCommand::Scroll(panels::menu::PANEL.id, 1).execute(&mut ui, &state);
        seen.extend(actions(&ui).into_iter().filter(|one| !seen.contains(one)).collect::<Vec<_>>());
    }
    assert_eq!(seen.len(), all.len());
}

/// `?` had no word about the keys of the editor.
#[test]
fn the_help_of_files_has_each_key_that_a_text_knows() {
    let test = PlayerTest::new();
    test.send(PlayerCommand::SetOverlays(Overlays { files: true, ..Overlays::default() }));
    let state = test.wait("the files", |state| state.files.len() > 1);
    let mut ui = Ui::new(SIZE, false);
    press(Key::F3, &mut ui, &state);
    press(Key::F1, &mut ui, &state);
    assert_eq!(ui.help_page, HelpPage::Files);
    save_picture("help_files", &ui, &state);
    press(Key::Tab, &mut ui, &state);
    assert_eq!(ui.help_page, HelpPage::Window);
    press(Key::F1, &mut ui, &state);
    let listed = editor_keys::KEYS.iter().flat_map(|(_, rows)| *rows);
    let listed: Vec<Key> = listed
        .flat_map(|(label, _)| label.split(" or "))
        .map(|label| Key::from_name(label).unwrap_or_else(|| panic!("{label} is no key")))
        .collect();
    let is_typed = |key: Key, finds: bool| {
        let mut ui = Ui::new(SIZE, false);
        panels::files::PANEL.set_open(&mut ui, true);
        ui.place_cursor(&state, 0, false);
        if finds {
            press(Key::Ctrl('h'), &mut ui, &state);
        }
        ui.type_in_file(key, &state).is_some()
    };
    for key in &listed {
        assert!(is_typed(*key, *key == Key::CtrlEnter), "{key} does nothing in a text");
    }
    // With shift, what moves the cursor selects.
    let ctrl = ('a'..='z').flat_map(|letter| [Key::Ctrl(letter), Key::CtrlShift(letter)]);
    let known = ctrl.chain(
        Key::words().filter(|key| !key.to_string().contains("shift+") && *key != Key::Char(' ')),
    );
    for key in known.filter(|key| is_typed(*key, false)) {
        assert!(listed.contains(&key), "{key} is in no help");
    }
}

/// The tooltip of the second line of an explanation began in the middle of its sentence.
#[test]
fn tooltips_of_the_help_are_whole() {
    let test = PlayerTest::new();
    let state = test.at(1);
    let mut ui = Ui::new(SIZE, false);
    press(Key::Char('?'), &mut ui, &state);
    let frame = Frame::new(&ui, &state, None);
    let tips = frame.widgets().filter_map(|one| Some((one.click?, one.tip_words().0?)));
    for (click, tip) in tips {
        if let UiCommand::Choose(Choice::Action(number)) = click {
            let does = keys().all().nth(number).unwrap().does;
            assert_eq!(tip, format!("click: {does}"));
        }
    }
}

#[test]
fn tooltips_explain_words_as_the_glossary_does() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/src/glossary.md");
    // A packed crate has no book.
    let Ok(page) = fs::read_to_string(path) else { return };
    for Term { word, means } in [GOLDEN, GRAY_RUN, NOT_JUDGED_YET, MARGIN, NEARLY_FAILED] {
        assert!(page.contains(&format!("| {word} | {means} |")), "{word}: {means}");
    }
}
