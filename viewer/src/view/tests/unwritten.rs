//! What was typed, was not written and was left by an earlier window is offered.

use super::super::copies::{Copies, CopyAction, LeftCopy};
use super::*;

const TYPED: &str = "// typed\n";

/// Leaves copies of what was typed before the contents of some scripts, and lets a new interface look at them.
fn left(test: &PlayerTest, scripts: &[&str]) -> (Ui, Arc<ViewState>) {
    let folder = test.dir.path().join("unwritten");
    let typed = |name: &&str| {
        let path = test.dir.path().join(format!("scripts/{name}.rhai"));
        let text = format!("{TYPED}{}", fs::read_to_string(&path).unwrap());
        (path.to_str().unwrap().to_owned(), text)
    };
    let contents: Vec<(String, String)> = scripts.iter().map(typed).collect();
    Copies::new(Some(folder.clone())).save(&contents).unwrap();
    let mut ui = Ui::new((1280, 800), false);
    test.send_all(ui.look_at_copies(LeftCopy::all(&folder)));
    let state = test.wait("the files", |state| state.files.len() == 3);
    test.send_all(ui.offer_copies(&state));
    (ui, state)
}

/// Clicks what does something with the copy that is offered.
fn answer(ui: &mut Ui, state: &ViewState, action: CopyAction) -> Vec<PlayerCommand> {
    let widget = super::super::frame::Frame::new(ui, state, None)
        .widgets()
        .find(|one| one.click == Some(UiCommand::ActOnCopy(action)))
        .map(|one| (one.area.min + one.area.max) / 2.0);
    ui.pointer_moved(widget, state);
    ui.press(Button::Left, state);
    ui.release(state)
}

#[test]
fn a_copy_is_restored_as_if_it_had_been_typed_just_now() {
    let test = PlayerTest::new();
    test.at(30);
    let (mut ui, state) = left(&test, &["bird"]);
    let words = "bird.rhai has changes from less than a minute ago that were not written";
    assert_eq!(ui.offer_words().as_deref(), Some(words));
    save_picture("unwritten", &ui, &state);
    // Nothing happens by itself.
    assert!(ui.files.unwritten().is_empty() && ui.files.unneeded_copies.is_empty());
    answer(&mut ui, &state, CopyAction::Restore);
    let file = ui.shown_file(&state).unwrap();
    assert_eq!(file.text(), format!("{TYPED}{BIRD}"));
    assert_eq!(ui.files.unwritten(), ["bird.rhai"]);
    let frame = super::super::frame::Frame::new(&ui, &state, None);
    let told = "not written yet: bird.rhai";
    assert!(frame.widgets().any(|one| one.tip_words().0 == Some(told)), "the button has a mark");
    assert_eq!(file.edit.unwrap().cursor(), TYPED.trim_end().len(), "behind what was typed");
    save_picture("unwritten_restored", &ui, &state);
    assert!(ui.offer_words().is_none() && !panels::unwritten::PANEL.is_open(&ui));
    assert_eq!(ui.files.unneeded_copies.len(), 1, "it is deleted once there is a new one");
    press(Key::Ctrl('z'), &mut ui, &state);
    assert!(ui.files.unwritten().is_empty());
    assert_eq!(fs::read_to_string(test.dir.path().join("scripts/bird.rhai")).unwrap(), BIRD);
}

#[test]
fn a_copy_is_dropped_or_left_for_the_next_window() {
    let test = PlayerTest::new();
    test.at(30);
    let (mut ui, state) = left(&test, &["bird", "fox"]);
    assert!(ui.offer_words().unwrap().ends_with(" (and 1 more)"));
    answer(&mut ui, &state, CopyAction::Drop);
    assert_eq!(ui.files.unneeded_copies.len(), 1);
    let commands = answer(&mut ui, &state, CopyAction::Later);
    assert_eq!(ui.files.unneeded_copies.len(), 1);
    assert!(ui.files.unwritten().is_empty() && !panels::unwritten::PANEL.is_open(&ui));
    // The player need not publish the files any more.
    assert!(matches!(commands[..], [PlayerCommand::SetOverlays(overlays)] if !overlays.files));
    ui.files.unneeded_copies.drain(..).for_each(|copy| copy.delete().unwrap());
    assert_eq!(LeftCopy::all(&test.dir.path().join("unwritten")).len(), 1);
}

#[test]
fn what_the_file_has_anyway_and_what_is_of_other_files_is_not_offered() {
    let test = PlayerTest::new();
    test.at(30);
    let path = test.dir.path().join("other.rhai");
    fs::write(&path, "").unwrap();
    let [other, bird] = [path, test.dir.path().join("scripts/bird.rhai")]
        .map(|path| path.to_str().unwrap().to_owned());
    let folder = test.dir.path().join("unwritten");
    let contents = [(other, TYPED.to_owned()), (bird, BIRD.to_owned())];
    Copies::new(Some(folder.clone())).save(&contents).unwrap();
    let mut ui = Ui::new(SIZE, false);
    let plain = drawn(&ui, &test.shared.latest());
    assert_eq!(ui.look_at_copies(Vec::new()), []);
    test.send_all(ui.look_at_copies(LeftCopy::all(&folder)));
    let state = test.wait("the files", |state| state.files.len() == 3);
    ui.offer_copies(&state);
    assert!(ui.offer_words().is_none() && drawn(&ui, &state) == plain);
    assert_eq!(ui.files.unneeded_copies.len(), 1, "the bird has this text");
}

/// Two windows may offer the same copy.
#[test]
fn a_copy_that_another_window_has_taken_is_not_restored() {
    let test = PlayerTest::new();
    test.at(30);
    let (mut ui, state) = left(&test, &["bird"]);
    LeftCopy::all(&test.dir.path().join("unwritten"))[0].delete().unwrap();
    let commands = answer(&mut ui, &state, CopyAction::Restore);
    let is_told = |one: &PlayerCommand| matches!(one, PlayerCommand::Notice { text, is_failure: true } if text.starts_with("not restored: "));
    assert!(commands.iter().any(is_told), "{commands:?}");
    assert!(ui.files.unwritten().is_empty() && ui.files.unneeded_copies.is_empty());
}
