//! Tests of the question whether to leave the shown scenario.

use std::path::Path;

use super::super::leaving::{Destination, LeaveAction};
use super::super::window_command::WindowCommand;
use super::*;

/// Clicks a button of the question.
fn click(ui: &mut Ui, state: &ViewState, action: LeaveAction) -> Vec<PlayerCommand> {
    let at = super::super::frame::Frame::new(ui, state, None)
        .widgets()
        .find(|one| one.click == Some(UiCommand::Leave(action)))
        .map(|one| (one.area.min + one.area.max) / 2.0);
    assert!(at.is_some(), "{action:?}");
    ui.pointer_moved(at, state);
    ui.press(Button::Left, state);
    ui.release(state)
}

/// Returns a run with a changed param, and a window of it.
fn changed() -> (PlayerTest, Ui, Arc<ViewState>) {
    let test = PlayerTest::new();
    let state = test.at(5);
    let mut ui = Ui::new((1280, 800), false);
    panels::params::PANEL.set_open(&mut ui, true);
    test.send_all(press(Key::CtrlRight, &mut ui, &state));
    let state = test.wait("the change", |state| state.unwritten().count() == 1);
    (test, ui, state)
}

fn to(path: &str) -> Destination {
    Destination::Scenario(Path::new(path).to_owned())
}

/// Another scenario asked by a notice that vanished, and had to be chosen a second time.
#[test]
fn another_scenario_opens_when_the_question_is_answered() {
    let (test, mut ui, state) = changed();
    ui.leave(to("one.ron"), &state);
    save_picture("leaving", &ui, &state);
    for size in [(250, 300), (360, 300), (1280, 800)] {
        ui.set_scale(Scale::new(size, Some(1.0)));
        let frame = super::super::frame::Frame::new(&ui, &state, None);
        let area = frame.area(panels::leaving::PANEL.id).unwrap();
        let is_answer =
            |one: &&super::super::widget::Widget| matches!(one.click, Some(UiCommand::Leave(_)));
        let buttons: Vec<_> = frame.widgets().filter(is_answer).map(|one| one.area).collect();
        assert!(
            buttons.len() == 3 && buttons.iter().all(|one| one.max.x <= area.max.x),
            "{size:?}"
        );
    }
    click(&mut ui, &state, LeaveAction::Cancel);
    assert!(ui.leaving.is_none() && ui.window_commands.is_empty());
    ui.leave(to("one.ron"), &state);
    click(&mut ui, &state, LeaveAction::Anyway);
    let open = |path: &str| [WindowCommand::OpenScenario(Path::new(path).to_owned())];
    assert_eq!(std::mem::take(&mut ui.window_commands), open("one.ron"));
    assert!(!ui.is_closing && ui.leaving.is_none());
    // It opens as soon as everything is written, and not before.
    ui.leave(to("two.ron"), &state);
    let write = click(&mut ui, &state, LeaveAction::Write);
    assert_eq!(write, [PlayerCommand::WriteParams]);
    ui.follow(&state);
    assert!(ui.leaving.is_some() && ui.window_commands.is_empty());
    test.send_all(write);
    let state = test.wait("it is written", |state| state.unwritten().next().is_none());
    ui.follow(&state);
    assert_eq!(ui.window_commands, open("two.ron"));
}

/// Caught: who chose another scenario once closed the window with one key, and what was typed was lost.
#[test]
fn who_leaves_for_one_place_does_not_consent_to_another() {
    let (_test, mut ui, state) = changed();
    ui.leave(to("one.ron"), &state);
    ui.leave(to("two.ron"), &state);
    press(Key::Ctrl('q'), &mut ui, &state);
    assert!(!ui.is_closing && ui.window_commands.is_empty());
    ui.leave(to("two.ron"), &state);
    assert!(ui.window_commands.is_empty());
    // Beside the question, a click does something else.
    ui.pointer_moved(Some(Vec2::new(20.0, 300.0)), &state);
    ui.press(Button::Left, &state);
    ui.release(&state);
    assert!(ui.leaving.is_none());
    press(Key::Ctrl('q'), &mut ui, &state);
    assert_eq!(press(Key::Enter, &mut ui, &state), [PlayerCommand::WriteParams]);
    assert!(!ui.is_closing && ui.leaving.is_some());
}
