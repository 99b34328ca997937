//! Params as settings: marked, typed, written, and kept wherever the person goes in time.

use flockwork_engine::world::Value;

use super::super::frame::Frame;
use super::super::layout::Layout;
use super::super::panels::params::value_words;
use super::super::tune::{Knob, knobs};
use super::super::ui_command::UiCommand;
use super::*;

/// Returns a window with the params open and `room` of the birds selected.
fn open_params() -> Ui {
    let mut ui = Ui::new(SIZE, false);
    panels::params::PANEL.set_open(&mut ui, true);
    ui.param = 2;
    ui
}

fn room(state: &ViewState) -> Knob {
    knobs(&state.params[0]).remove(2)
}

/// Returns what the panel says about `room`, and whether it is marked.
fn words(state: &ViewState) -> (String, bool) {
    value_words(state, &room(state))
}

pub(super) fn send(test: &PlayerTest, commands: Vec<PlayerCommand>) {
    for command in commands {
        test.send(command);
    }
}

fn typed(ui: &mut Ui, state: &ViewState, text: &str) -> Vec<PlayerCommand> {
    let keys = text.chars().map(Key::Char).chain([Key::Enter]);
    keys.flat_map(|key| press(key, ui, state)).collect()
}

#[test]
fn a_changed_param_is_marked_until_it_is_written_and_never_forgotten() {
    let test = PlayerTest::new();
    let state = test.at(30);
    assert_eq!(words(&state), ("20".to_owned(), false));
    let mut ui = open_params();
    save_picture("params_plain", &ui, &state);
    send(&test, press(Key::CtrlShiftRight, &mut ui, &state));
    let state = test.wait("the change", |state| words(state).1);
    assert_eq!(words(&state), ("30 (file: 20)".to_owned(), true));
    save_picture("params_changed", &ui, &state);
    let state = test.at(50);
    assert_eq!((state.older, state.changed_at), (None, Some(30)));
    // Before the change.
    let state = test.at(10);
    assert_eq!(words(&state), ("20, from tick 30 on 30".to_owned(), true));
    assert_eq!(state.older, Some("params"));
    save_picture("params_before", &ui, &state);
    send(&test, press(Key::Ctrl('s'), &mut ui, &state));
    let state = test.wait("it is written", |state| !words(state).1);
    assert_eq!(words(&state), ("20, from tick 30 on 30".to_owned(), false));
    assert_eq!(fs::read_to_string(test.path()).unwrap(), SCENARIO.replace("20.0", "30.0"));
    assert_eq!((state.world.tick, state.older), (10, Some("params")));
    assert_eq!(words(&test.at(50)), ("30".to_owned(), false));
    // Run again from before the change, the param is there.
    test.at(10);
    send(&test, press(Key::Char('r'), &mut ui, &state));
    let state = test.wait("the setting", |state| words(state).0 == "30");
    assert_eq!(state.older, None);
    assert_eq!(words(&test.at(11)), ("30".to_owned(), false));
}

#[test]
fn the_value_of_a_param_is_typed() {
    let test = PlayerTest::new();
    let state = test.at(5);
    let mut ui = open_params();
    press(Key::Enter, &mut ui, &state);
    let question = ui.question.clone().unwrap();
    assert_eq!(question.words, "a new number for room of bird:");
    assert_eq!(question.text, "20");
    send(&test, typed(&mut ui, &state, "wide"));
    let refused = test.wait("the answer", |state| state.answer.error.is_some());
    ui.settle_question(&refused);
    save_picture("params_question", &ui, &refused);
    let error = ui.question.as_ref().and_then(|question| question.error.clone()).unwrap();
    assert!(error.contains("expected a number"), "{error}");
    for _ in 0..4 {
        press(Key::Backspace, &mut ui, &refused);
    }
    send(&test, typed(&mut ui, &refused, "33.5"));
    let state = test.wait("the value", |state| words(state).1);
    assert_eq!(words(&state).0, "33.5 (file: 20)");
    ui.settle_question(&state);
    assert_eq!(ui.question, None);
    // Digits go to a tick, as always.
    assert_eq!(typed(&mut ui, &state, "12"), [PlayerCommand::RunTo(12)]);
    // A click on a value asks for it.
    let area = ui.layout(&state).area(panels::params::PANEL.id).unwrap();
    let foot = area.max.y - area.min.y - 16.0;
    ui.pointer_moved(Some(Vec2::new(area.max.x - 40.0, area.min.y + 62.0)), &state);
    ui.press(Button::Left, &state);
    ui.release(&state);
    assert_eq!(ui.param, 0);
    assert_eq!(ui.question.as_ref().unwrap().words, "a new number for at.x of bird:");
    press(Key::Escape, &mut ui, &state);
    // A click on the foot writes.
    ui.pointer_moved(Some(area.min + Vec2::new(50.0, foot)), &state);
    ui.press(Button::Left, &state);
    assert_eq!(ui.release(&state), [PlayerCommand::WriteParams]);
}

/// Why a float cannot be used was cut off, and nothing said before that an integer is wanted.
#[test]
fn an_integer_is_asked_for_and_a_long_error_is_shown_whole() {
    let test = PlayerTest::with_scenario(&SCENARIO.replace("20.0", "4"));
    let state = test.at(5);
    let mut ui = open_params();
    let frame = Frame::new(&ui, &state, None);
    let value = frame.widgets().find(|one| one.click == Some(UiCommand::TypeParam(2))).unwrap();
    assert_eq!(value.tip_words().0, Some("click: type another integer; wheel: change it"));
    press(Key::Enter, &mut ui, &state);
    assert_eq!(ui.question.as_ref().unwrap().words, "a new integer for room of bird:");
    send(&test, typed(&mut ui, &state, "1.5"));
    let refused = test.wait("the answer", |state| state.answer.error.is_some());
    ui.settle_question(&refused);
    save_picture("params_integer", &ui, &refused);
    // The end of the message is what is drawn last.
    let whole = drawn(&ui, &refused);
    let question = ui.question.as_mut().unwrap();
    let error = question.error.as_mut().unwrap();
    assert!(error.ends_with("not 4.0"), "{error}");
    error.truncate(error.len() - 1);
    assert_ne!(drawn(&ui, &refused), whole);
}

#[test]
fn quitting_with_params_that_are_not_written_asks_first() {
    let test = PlayerTest::new();
    let state = test.at(5);
    let mut ui = open_params();
    let set = press(Key::CtrlRight, &mut ui, &state);
    assert_eq!(UiCommand::Quit.execute(&mut ui, &state), []);
    assert!(ui.is_closing, "nothing is lost");
    send(&test, set);
    let state = test.wait("the change", |state| words(state).1);
    let mut ui = Ui::new(SIZE, false);
    panels::params::PANEL.set_open(&mut ui, true);
    let plain = drawn(&ui, &state);
    press(Key::Ctrl('q'), &mut ui, &state);
    assert!(ui.leaving.is_some());
    assert_eq!(ui.at_risk(&state), ["1 param is not written"]);
    assert!(!ui.is_closing && drawn(&ui, &state) != plain);
    save_picture("quit", &ui, &state);
    // Who does something else, or steps back, does not consent.
    for key in [Key::Char(' '), Key::Escape] {
        press(key, &mut ui, &state);
        assert!(ui.leaving.is_none() && panels::params::PANEL.is_open(&ui));
        press(Key::Ctrl('q'), &mut ui, &state);
        assert!(!ui.is_closing, "{key:?}");
    }
    ui.press(Button::Left, &state);
    ui.release(&state);
    press(Key::Ctrl('q'), &mut ui, &state);
    assert!(!ui.is_closing, "a click is something else, too");
    press(Key::Ctrl('q'), &mut ui, &state);
    assert!(ui.is_closing);
    // Once it is written, nothing is lost.
    test.send(PlayerCommand::WriteParams);
    let state = test.wait("it is written", |state| !words(state).1);
    ui.follow(&state);
    assert!(ui.leaving.is_none(), "the question stayed after it was written");
    assert_eq!(state.settings[0].value, Value::Float(21.0));
    let mut ui = Ui::new(SIZE, false);
    press(Key::Ctrl('q'), &mut ui, &state);
    assert!(ui.is_closing);
}

#[test]
fn running_again_plays_on_and_says_what_the_ghost_is() {
    let test = PlayerTest::new();
    test.at(60);
    test.script("fox", &FOX.replace("me.wander()", "me.wander() * 2"));
    test.wait("the edit", |state| state.edits.len() > 1);
    let state = test.at(70);
    assert_eq!((state.older, state.changed_at), (None, Some(60)));
    save_picture("remark_changed", &open_params(), &state);
    let state = test.at(20);
    assert_eq!((state.older, state.changed_at), (Some("files"), None));
    let mut ui = open_params();
    send(&test, press(Key::Char('r'), &mut ui, &state));
    let state = test.wait("time", |state| state.is_playing && state.world.tick > 25);
    assert_eq!((state.older, &state.edits[..]), (None, &[0, 20][..]));
    assert_eq!(state.ghost_name, "the run before it ran again at tick 20");
    assert_eq!(state.ghost_at_tick().unwrap().ticks(), Some((20, 70)));
    // It does not stop where the ghost ends, and the ghost does not freeze there.
    let state = test.wait("time", |state| state.is_playing && state.world.tick > 75);
    assert!(state.ghost.is_some() && state.ghost_at_tick().is_none());
    // The key kept the run instead where the ghost was no longer drawn, while the time bar still showed it.
    assert_eq!(press(Key::Char('g'), &mut ui, &state), [PlayerCommand::DropGhost]);
    let with = drawn(&ui, &state);
    test.send(PlayerCommand::DropGhost);
    test.send(PlayerCommand::TogglePause);
    let state = test.wait("a pause", |state| state.hash.is_some());
    assert_eq!(with.len(), drawn(&ui, &state).len());
    // Where there is no future to drop, it only plays on.
    test.send(PlayerCommand::Rerun);
    test.wait("time", |now| now.is_playing && now.world.tick > state.world.tick);
    // Both remarks, which do what they say when they are clicked.
    test.script("fox", FOX);
    test.wait("the edit", |state| state.edits.len() > 2);
    test.at(120);
    test.at(30);
    test.send(PlayerCommand::Push { at: Vec2::new(200.0, 150.0), radius: 90.0 });
    test.wait("the ghost", |state| state.ghost_name == "the run before the push at tick 30");
    test.at(25);
    // Before its first tick, only the track of the selected agent is drawn of a ghost.
    test.send(PlayerCommand::Select(Some(AgentId(3))));
    let state = test.wait("the selection", |state| state.next_turn.is_some());
    assert_eq!((state.older, state.world.tick), (Some("files"), 25));
    for (size, is_dark) in [(SIZE, false), ((500, 400), true), ((1280, 800), true)] {
        let mut ui = Ui::new(size, is_dark);
        save_picture("remarks", &ui, &state);
        let frame = Frame::new(&ui, &state, None);
        let clicks = [UiCommand::Rerun, UiCommand::KeepGhost];
        let areas = clicks.map(|click| {
            let mut widgets = frame.widgets().filter(|widget| widget.click == Some(click));
            widgets.next().unwrap().area
        });
        let does = [PlayerCommand::Rerun, PlayerCommand::KeepGhost];
        for (area, command) in areas.into_iter().zip(does) {
            ui.pointer_moved(Some((area.min + area.max) / 2.0), &state);
            ui.press(Button::Left, &state);
            assert_eq!(ui.release(&state), [command], "{size:?}");
        }
    }
    // Caught: in a narrow world, the end of a remark was cut off.
    let height = |world| panels::remarks::height(&Ui::new(SIZE, false), &state, world);
    assert!(height(170) > height(800));
    // From the start, no tick is older than the files.
    test.at(40);
    test.send(PlayerCommand::RerunAll);
    let state = test.wait("all again", |state| state.edits == [0]);
    assert_eq!((state.older, state.changed_at), (None, None));
}

#[test]
fn a_bar_shows_that_there_are_more_params() {
    let test = PlayerTest::new();
    let state = test.at(5);
    for (size, all_fit) in [((900, 640), true), ((500, 230), false)] {
        let mut ui = open_params();
        ui.param = 0;
        ui.set_scale(Scale::new(size, Some(1.0)));
        let layout = ui.layout(&state);
        let area = layout.area(panels::params::PANEL.id).unwrap();
        let rows = panels::params::shown_rows(&Frame::new(&ui, &state, None).scene, area);
        assert_eq!(rows.len() == 4, all_fit, "{rows:?}");
        save_picture("params_more", &ui, &state);
        let pixels = drawn(&ui, &state);
        let at = |from_right: f32| {
            let (x, y) = (area.max.x - from_right, area.min.y + Layout::HEAD + 3.0);
            pixels[y as usize * size.0 as usize + x as usize]
        };
        assert_eq!(at(6.0) == at(12.0), all_fit);
    }
}

/// Presses the left button in the middle of a widget, at a share of its width.
pub(super) fn press_at(
    ui: &mut Ui,
    state: &ViewState,
    command: UiCommand,
    share: f32,
) -> Vec<PlayerCommand> {
    let frame = Frame::new(ui, state, None);
    let area = frame.widgets().find(|one| one.click == Some(command)).unwrap().area;
    let at = Vec2::new(area.min.x + share * area.width(), (area.min.y + area.max.y) / 2.0);
    ui.pointer_moved(Some(at), state);
    ui.press(Button::Left, state)
}

#[test]
fn a_slider_sets_a_param_while_it_is_dragged_and_goes_back() {
    let ranged =
        SCENARIO.replace("\"bird\": (", "\"bird\": (ranges: { \"room\": (from: 10, to: 50) },");
    for (scenario, ends) in [(SCENARIO.to_owned(), ["0.0", "40.0"]), (ranged, ["10.0", "50.0"])] {
        let test = PlayerTest::with_scenario(&scenario);
        let state = test.at(5);
        let mut ui = open_params();
        let text = |commands: &[PlayerCommand]| match commands {
            [PlayerCommand::SetParam { group, text, .. }] if group == "bird" => text.clone(),
            other => panic!("{other:?}"),
        };
        let first = press_at(&mut ui, &state, UiCommand::SlideParam(2), 0.0);
        assert_eq!(text(&first), ends[0]);
        let far = ui.pointer + Vec2::new(500.0, 90.0);
        let last = ui.pointer_moved(Some(far), &state);
        assert_eq!(text(&last), ends[1], "the drag goes on beside the slider");
        send(&test, last);
        let state = test.wait("the value", |state| words(state).1);
        let number = ends[1].trim_end_matches(".0");
        assert_eq!((ui.release(&state), words(&state).0), (vec![], format!("{number} (file: 20)")));
        save_picture("params_slid", &ui, &state);
        press_at(&mut ui, &state, UiCommand::ResetParam(2), 0.5);
        send(&test, ui.release(&state));
        test.wait("the value of the file", |state| words(state).0 == "20");
    }
}

/// The slider jumped to an end when a value was written: its range had been that of the value before.
#[test]
fn a_slider_keeps_its_range_when_values_are_written() {
    let test = PlayerTest::new();
    let mut state = test.at(5);
    let mut ui = open_params();
    let end = |ui: &mut Ui, state: &ViewState| {
        let commands = press_at(ui, state, UiCommand::SlideParam(2), 0.99);
        ui.release(state);
        match &commands[..] {
            [PlayerCommand::SetParam { text, .. }] => text.clone(),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(end(&mut ui, &state), "40.0");
    let knob = room(&state);
    for value in ["100", "30"] {
        let (group, knob, text) = ("bird".to_owned(), knob.clone(), value.to_owned());
        test.send(PlayerCommand::SetParam { group, knob, text });
        let is_set = |state: &ViewState| words(state).0.starts_with(value);
        ui.note_param_ranges(&test.wait("the value", is_set));
        test.send(PlayerCommand::WriteParams);
        let is_written = |state: &ViewState| words(state) == (value.to_owned(), false);
        state = test.wait("it is written", is_written);
        ui.note_param_ranges(&state);
        assert_eq!(end(&mut ui, &state), "100.0", "{value}");
    }
    // Caught: after a slip, the slider went to 1e38 for ever.
    for value in ["1e38", "30"] {
        let (group, knob, text) = ("bird".to_owned(), knob.clone(), value.to_owned());
        test.send(PlayerCommand::SetParam { group, knob, text });
        state = test.wait("the value", |state| words(state).0.starts_with(value));
        ui.note_param_ranges(&state);
    }
    assert_eq!(end(&mut ui, &state), "40.0", "without the slip");
    assert_eq!(end(&mut open_params(), &state), "40.0", "in another window");
}

/// It took two runs of the program to see what a change of several params does.
#[test]
fn params_are_changed_between_those_of_the_file_and_those_of_the_person() {
    let test = PlayerTest::new();
    let state = test.at(5);
    let mut ui = open_params();
    assert!(!state.can_swap_params());
    test.send(PlayerCommand::SwapParams);
    test.wait("why not", |state| state.notices.iter().any(|one| one.is_failure));
    send(&test, press_at(&mut ui, &state, UiCommand::SlideParam(2), 0.99));
    ui.release(&state);
    let state = test.wait("mine", |state| words(state).0 == "40 (file: 20)");
    assert!(state.can_swap_params() && !state.has_params_aside());
    // Caught: a click on the set that is in use chose the other one.
    let side = |ui: &Ui, state: &ViewState| {
        let frame = Frame::new(ui, state, None);
        let area = |command| frame.widgets().find(|one| one.click == Some(command)).unwrap().area;
        let (swap, compare) = (area(UiCommand::SwapParams), area(UiCommand::CompareParams));
        swap.max.x > compare.min.x - swap.width()
    };
    assert!(!side(&ui, &state), "the file's");
    press_at(&mut ui, &state, UiCommand::SwapParams, 0.5);
    send(&test, ui.release(&state));
    let state = test.wait("the file's", |state| words(state).0 == "20");
    assert!(side(&ui, &state), "yours");
    assert!(state.can_swap_params() && state.has_params_aside());
    save_picture("params_aside", &ui, &state);
    // Caught: the window closed without a question, and the params of the person were lost.
    press(Key::Ctrl('q'), &mut ui, &state);
    // Caught: what to do about it was to write, which writes none of these.
    let aside = "your value of 1 param is put aside (`yours` brings it back)";
    assert!(!ui.is_closing && ui.leaving.is_some() && !ui.can_write(&state));
    assert_eq!(ui.at_risk(&state), [aside]);
    test.send(PlayerCommand::SwapParams);
    test.wait("mine again", |state| words(state).0 == "40 (file: 20)" && !state.has_params_aside());
    // A change while those of the file are in use makes these the person's: both sets were mixed before.
    test.send(PlayerCommand::SwapParams);
    let state = test.wait("the file's", |state| state.has_params_aside());
    send(&test, press(Key::CtrlRight, &mut ui, &state));
    let state = test.wait("another", |state| words(state).0 == "21 (file: 20)");
    assert!(!state.has_params_aside());
}

/// Caught: where a group does not read a shared param, buttons offered to compare although nothing differed.
#[test]
fn params_that_only_others_read_are_no_difference() {
    let shared = SCENARIO.replace("groups:", r#"params: { "haste": 2.0 }, groups:"#);
    let test = PlayerTest::with_scenario(&shared);
    test.script("fox", "fn steer(me) { me.params.haste * me.wander() }");
    test.send(PlayerCommand::Reload);
    let state = test.wait("the group that reads it", |state| {
        state.params[0].get("haste").is_none() && state.params[1].get("haste").is_some()
    });
    assert!(!state.can_swap_params() && !state.can_compare_params());
}

/// Caught: all params that had been set were undone, with only "this vector is not finite".
#[test]
fn what_makes_an_agent_fail_is_undone_alone() {
    let test = PlayerTest::new();
    test.at(20);
    let set = |param: usize, text: &str| PlayerCommand::SetParam {
        group: "bird".to_owned(),
        knob: knobs(&test.shared.latest().params[0]).remove(param),
        text: text.to_owned(),
    };
    test.send(set(0, "5"));
    test.send(set(2, "-1"));
    test.send(PlayerCommand::StepForward);
    let state = test.wait("the undo", |state| {
        state.notices.iter().any(|one| one.is_failure && one.text.contains("room = -1 of bird"))
    });
    let words = &state.notices.iter().find(|one| one.is_failure).unwrap().text;
    assert!(words.contains("bird.rhai:5:"), "{words}");
    test.send(PlayerCommand::StepForward);
    let state = test.wait("the next tick", |state| state.world.tick == 21);
    assert_eq!(state.params[0].get("room"), Some(&Value::Float(20.0)));
    assert_eq!(state.params[0].get("at"), Some(&Value::Vector(Vec2::new(5.0, 2.0))));
}

#[test]
fn the_edge_of_the_panels_is_dragged() {
    let test = PlayerTest::new();
    let state = test.at(5);
    let mut ui = Ui::new((1280, 800), false);
    let width = |ui: &Ui| ui.layout(&state).column.unwrap().width();
    assert_eq!(width(&ui), 371.0);
    press_at(&mut ui, &state, UiCommand::ResizeColumn, 0.5);
    for (x, expected) in [(900.0, 380.0), (700.0, 580.0), (1270.0, 230.0), (10.0, 768.0)] {
        ui.pointer_moved(Some(Vec2::new(x, 300.0)), &state);
        assert_eq!(width(&ui), expected, "{x}");
    }
}

/// They stayed closed if the files had a mistake when the window opened.
#[test]
fn params_open_as_soon_as_the_files_are_right() {
    let test = PlayerTest::new();
    let state = test.at(10);
    let mut ui = Ui::new((1280, 800), false);
    let waiting = ViewState { is_waiting: true, ..(*state).clone() };
    ui.follow(&waiting);
    ui.follow(&waiting);
    assert!(!panels::params::PANEL.is_open(&ui));
    ui.follow(&state);
    assert!(panels::params::PANEL.is_open(&ui));
    // Only once.
    panels::params::PANEL.set_open(&mut ui, false);
    ui.follow(&state);
    assert!(!panels::params::PANEL.is_open(&ui));
}

/// Nothing on a slider said where the value of the file is.
#[test]
fn a_click_on_the_mark_of_a_slider_goes_back_to_the_file() {
    let test = PlayerTest::new();
    let state = test.at(30);
    let mut ui = Ui::new((1280, 800), false);
    panels::params::PANEL.set_open(&mut ui, true);
    let room = 2;
    let knob = knobs(&state.params[0])[room].clone();
    let set = |text: &str| PlayerCommand::SetParam {
        group: "bird".to_owned(),
        knob: knob.clone(),
        text: text.to_owned(),
    };
    test.send(set("35"));
    let state = test.wait("another value", |state| knob.value_text(&state.params[0]) == "35");
    save_picture("slider_mark", &ui, &state);
    // The slider goes from 0 to 40, and the file has 20.
    let commands = press_at(&mut ui, &state, UiCommand::SlideParam(room), 0.5);
    let reset = PlayerCommand::ResetParam { group: "bird".to_owned(), knob: knob.clone() };
    assert_eq!(commands, [reset]);
    ui.release(&state);
    let commands = press_at(&mut ui, &state, UiCommand::SlideParam(room), 0.6);
    assert!(matches!(&commands[..], [PlayerCommand::SetParam { .. }]), "{commands:?}");
}
