//! Switches of weights: one force of several is shown alone.

use flockwork_engine::live::COUNT;
use flockwork_engine::world::GroupId;

use super::super::ui_command::UiCommand;
use super::params::{press_at, send};
use super::*;

/// The param of a bird that is a distance, and those that are weights.
const PARAMS: &str = r#"params: {
    // How far a bird keeps away.
    "room": 20.0,
    "near": 2.0, // together
    "same": 1.5, "wild": 1, "off": 0.0,
}"#;
const WEIGHTS: &str = "fn steer(me) {
    let p = me.params;
    p.near * me.cohesion(60) + me.alignment(60) * p.same + me.params.wild * me.wander()
        + p.room * me.separation(p.room) + p.off * me.seek(vec(0, 0))
}";

/// Starts a run with these params and this script, and returns it when its weights are known.
fn with_weights() -> (PlayerTest, Arc<ViewState>) {
    let test = PlayerTest::with_scenario(
        &SCENARIO.replace(r#"params: { "room": 20.0, "at": (1, 2) }"#, PARAMS),
    );
    test.script("bird", WEIGHTS);
    test.send(PlayerCommand::Reload);
    let state = test.wait("the weights", |state| {
        state.param_note(GroupId(0), "near").is_some_and(|note| note.is_weight)
    });
    (test, state)
}

fn values(state: &ViewState) -> Vec<String> {
    let knobs = super::super::tune::knobs(&state.params[0]);
    knobs
        .iter()
        .filter(|knob| knob.param != COUNT)
        .map(|knob| format!("{} {}", knob.param, knob.value_text(&state.params[0])))
        .collect()
}

#[test]
fn weights_have_switches_and_one_is_shown_alone() {
    let (test, state) = with_weights();
    let note = |param: &str| state.param_note(GroupId(0), param).unwrap();
    assert_eq!(note("room").comment.as_deref(), Some("How far a bird keeps away."));
    assert_eq!(note("near").comment.as_deref(), Some("together"));
    assert!(!note("room").is_weight && note("wild").is_weight && note("off").is_weight);
    let mut ui = Ui::new(SIZE, false);
    panels::params::PANEL.set_open(&mut ui, true);
    save_picture("weights", &ui, &state);
    let first = ["near 2", "off 0", "room 20", "same 1.5", "wild 1"];
    assert_eq!(values(&state), first);

    // `near` is off, and on again with its own value, although the file has another one by then.
    send(
        &test,
        vec![PlayerCommand::Tune { group: "bird".to_owned(), knob: knob(&state, 0), steps: 5.0 }],
    );
    let state = test.wait("another value", |state| values(state)[0] == "near 2.5");
    press_at(&mut ui, &state, UiCommand::SwitchParam(0), 0.5);
    send(&test, ui.release(&state));
    let state = test.wait("it is off", |state| values(state)[0] == "near 0");
    press_at(&mut ui, &state, UiCommand::SwitchParam(0), 0.5);
    send(&test, ui.release(&state));
    test.wait("it is on", |state| values(state)[0] == "near 2.5");

    // Only `wild`.
    ui.param = 4;
    send(&test, press(Key::Ctrl('d'), &mut ui, &state));
    let only = ["near 0", "off 0", "room 20", "same 0", "wild 1"];
    let state = test.wait("only one", |state| values(state) == only);
    save_picture("weights_only", &ui, &state);
    // Another one alone.
    ui.param = 3;
    send(&test, press(Key::Ctrl('d'), &mut ui, &state));
    let other = ["near 0", "off 0", "room 20", "same 1.5", "wild 0"];
    let state = test.wait("another one", |state| values(state) == other);
    send(&test, press(Key::Ctrl('d'), &mut ui, &state));
    let all = ["near 2.5", "off 0", "room 20", "same 1.5", "wild 1"];
    let state = test.wait("all again", |state| values(state) == all);

    // What was never more than 0 has nothing to return to, and what is no weight has no switch.
    press_at(&mut ui, &state, UiCommand::SwitchParam(1), 0.5);
    send(&test, ui.release(&state));
    let is_told =
        |state: &ViewState, words: &str| state.notices.iter().any(|one| one.text.contains(words));
    test.wait("why not", |state| is_told(state, "never more than 0"));
    ui.param = 2;
    send(&test, press(Key::Ctrl('d'), &mut ui, &state));
    let state = test.wait("why not", |state| is_told(state, "is no weight of a force"));
    assert_eq!(values(&state), all);
}

/// To show one force from the beginning took two keys, of which few people knew the second.
#[test]
fn one_click_shows_a_force_alone_from_the_first_tick() {
    let (test, _) = with_weights();
    let state = test.at(30);
    let mut ui = Ui::new(SIZE, false);
    panels::params::PANEL.set_open(&mut ui, true);
    let right_click = |ui: &mut Ui, state: &ViewState, param: usize| {
        let frame = super::super::frame::Frame::new(ui, state, None);
        let select = Some(UiCommand::SelectParam(param));
        let name = frame.widgets().find(|one| one.click == select).unwrap();
        let (at, words) = ((name.area.min + name.area.max) / 2.0, name.tip_words().0.unwrap());
        let says_so = words.contains("right click");
        ui.pointer_moved(Some(at), state);
        (ui.press(Button::Right, state), says_so)
    };
    let (commands, says_so) = right_click(&mut ui, &state, 4);
    assert!(says_so);
    send(&test, commands);
    let only = ["near 0", "off 0", "room 20", "same 0", "wild 1"];
    let is_begun = |state: &ViewState| state.world.tick < 30 && state.is_playing;
    let state = test.wait("only one", |state| values(state) == only && is_begun(state));
    assert_eq!(ui.param, 4);
    // The run before would lie over what is to be seen.
    test.wait("no ghost", |state| state.ghost.is_none());
    // What is no weight has no such click, and its key says why.
    assert_eq!(right_click(&mut ui, &state, 2), (Vec::new(), false));
    ui.param = 2;
    let commands = press(Key::CtrlShift('d'), &mut ui, &state);
    assert!(!commands.contains(&PlayerCommand::RerunAll), "{commands:?}");
    // Again: all.
    let state = test.at(40);
    let (commands, _) = right_click(&mut ui, &state, 4);
    send(&test, commands);
    let all = ["near 2", "off 0", "room 20", "same 1.5", "wild 1"];
    test.wait("all", |state| values(state) == all && state.world.tick < 40);
}

fn knob(state: &ViewState, number: usize) -> super::super::tune::Knob {
    super::super::tune::knobs(&state.params[0]).remove(number)
}

/// A person who showed one force alone wrote 0 for the others, without a question.
#[test]
fn weights_that_are_off_are_written_if_that_is_asked_for_again() {
    let (test, _) = with_weights();
    let only = PlayerCommand::OnlyWeight { group: "bird".to_owned(), param: "near".to_owned() };
    test.send(only);
    test.wait("one alone", |state| values(state).contains(&"wild 0".to_owned()));
    let has =
        |state: &ViewState, words: &str| state.notices.iter().any(|one| one.text.contains(words));
    let scenario = fs::read_to_string(test.path()).unwrap();
    test.send(PlayerCommand::WriteParams);
    test.wait("the question", |state| has(state, "same, wild are switched off"));
    assert_eq!(fs::read_to_string(test.path()).unwrap(), scenario);
    test.send(PlayerCommand::WriteParams);
    test.wait("the answer", |state| has(state, "wild = 0"));
    assert!(fs::read_to_string(test.path()).unwrap().contains(r#""wild": 0"#));
}

/// Nothing visible ended one force alone.
#[test]
fn a_button_in_the_world_ends_one_force_alone() {
    let (test, state) = with_weights();
    let mut ui = Ui::new((1280, 800), false);
    let end = UiCommand::EndOnlyWeight(GroupId(0));
    let has_button = |ui: &Ui, state: &ViewState| {
        let frame = super::super::frame::Frame::new(ui, state, None);
        frame.widgets().any(|one| one.click == Some(end))
    };
    assert!(!has_button(&ui, &state) && end.execute(&mut ui, &state).is_empty());
    let only = PlayerCommand::OnlyWeight { group: "bird".to_owned(), param: "near".to_owned() };
    test.send(only);
    let alone = |state: &ViewState| values(state).contains(&"wild 0".to_owned());
    let state = test.wait("one alone", alone);
    assert!(has_button(&ui, &state));
    for is_dark in [false, true] {
        ui.is_dark = is_dark;
        save_picture("one_force", &ui, &state);
    }
    send(&test, end.execute(&mut ui, &state));
    let state = test.wait("all", |state| !alone(state));
    assert!(!has_button(&ui, &state));
    // Forces that add up and the agent in the center are ended like this, too.
    test.send(PlayerCommand::Select(Some(AgentId(3))));
    let state = test.wait("an agent", |state| state.next_turn.is_some());
    for command in [UiCommand::ChainForces, UiCommand::Follow] {
        let ends = |ui: &Ui| {
            let frame = super::super::frame::Frame::new(ui, &state, None);
            frame.widgets().any(|one| one.click == Some(command))
        };
        assert!(!ends(&ui));
        command.execute(&mut ui, &state);
        assert!(ends(&ui));
        command.execute(&mut ui, &state);
        assert!(!ends(&ui));
    }
}
