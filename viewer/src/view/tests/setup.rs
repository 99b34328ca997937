//! Another random run, and another number of agents.

use flockwork_engine::live::COUNT;
use flockwork_engine::world::Value;

use super::super::ask::Ask;
use super::super::choice::Choice;
use super::super::frame::Frame;
use super::super::keys::keys;
use super::super::tune::{Knob, knobs};
use super::*;

/// Returns a window with the params of birds, and what their number of agents is called there.
fn open_params(state: &ViewState) -> (Ui, usize, Knob) {
    let mut ui = Ui::new(SIZE, false);
    panels::params::PANEL.set_open(&mut ui, true);
    let knobs = knobs(&state.params[0]);
    let place = knobs.iter().position(|knob| knob.param == COUNT).unwrap();
    (ui, place, knobs[place].clone())
}

fn birds(state: &ViewState) -> usize {
    state.world.agents.group.iter().filter(|group| group.0 == 0).count()
}

fn has_notice(state: &ViewState, part: &str) -> bool {
    state.notices.iter().any(|one| one.text.contains(part))
}

fn set_count(test: &PlayerTest, text: &str) {
    let (group, knob) = ("bird".to_owned(), open_params(&test.shared.latest()).2);
    test.send(PlayerCommand::SetParam { group, knob, text: text.to_owned() });
}

#[test]
fn another_random_run_keeps_params_and_is_written_only_on_request() {
    let test = PlayerTest::new();
    let first = test.at(60).hash;
    let mut ui = Ui::new(SIZE, false);
    let knob = knobs(&test.shared.latest().params[0]).remove(2);
    let (group, text) = ("bird".to_owned(), "30".to_owned());
    test.send(PlayerCommand::SetParam { group, knob, text });
    test.wait("the param", |state| state.unwritten().count() == 1);
    test.send_all(press(Key::CtrlShift('r'), &mut ui, &test.shared.latest()));
    let state = test.wait("another run", |state| state.world.seed == 1);
    assert!(state.is_playing && state.last_tick < 60 && has_notice(&state, "with seed 1"));
    assert_eq!(state.ghost_name, "the run before, with seed 0");
    assert_eq!(state.params[0].get("room"), Some(&Value::Float(30.0)));
    assert_eq!(state.unwritten().count(), 1, "the seed is nothing to write");
    save_picture("seed", &ui, &state);
    // The same key leads to the one after it.
    test.send_all(press(Key::CtrlShift('r'), &mut ui, &state));
    test.wait("the next run", |state| state.world.seed == 2);
    assert_ne!(test.at(60).hash, first);
    test.send(PlayerCommand::WriteParams);
    test.wait("the param is written", |state| has_notice(state, "the seed 2 is not written"));
    assert!(!fs::read_to_string(test.path()).unwrap().contains("seed"));
    test.send(PlayerCommand::WriteParams);
    test.wait("the seed is written", |state| has_notice(state, "seed = 2"));
    assert!(fs::read_to_string(test.path()).unwrap().contains("seed: 2"));
    for (seed, file) in [(2, 0), (2, 0), (1, 0), (0, 0)] {
        test.send(PlayerCommand::Undo);
        test.wait("the undo", |state| (state.world.seed, state.file_seed) == (seed, file));
    }
}

/// Undone, a run with the file's seed is that of the file again.
#[test]
fn a_seed_is_typed_and_a_button_leads_back_to_the_one_of_the_file() {
    let test = PlayerTest::new();
    let files = test.at(60).hash;
    let mut ui = Ui::new(SIZE, false);
    let state = test.shared.latest();
    let ask = |ui: &mut Ui, text: &str| {
        UiCommand::Ask(Ask::Seed).execute(ui, &state);
        let typed = text.chars().map(Key::Char).chain([Key::Enter]);
        typed.flat_map(|key| press(key, ui, &state)).collect::<Vec<_>>()
    };
    assert_eq!(ask(&mut ui, "41"), [PlayerCommand::SetSeed("41".to_owned())]);
    test.send(PlayerCommand::SetSeed("-3".to_owned()));
    let error = test.wait("an error", |state| state.answer.error.is_some()).answer.error.clone();
    assert_eq!(
        error.as_deref(),
        Some("expected an integer from 0 to 18446744073709551615, not `-3`")
    );
    test.send(PlayerCommand::SetSeed("41".to_owned()));
    let state = test.wait("the seed", |state| state.world.seed == 41);
    let has_button = |state: &ViewState| {
        let ui = Ui::new(SIZE, false);
        Frame::new(&ui, state, None).widgets().any(|one| one.click == Some(UiCommand::FileSeed))
    };
    assert!(has_button(&state));
    test.send_all(UiCommand::FileSeed.execute(&mut ui, &state));
    let state = test.wait("the file's seed", |state| state.world.seed == 0);
    assert!(!has_button(&state));
    assert_eq!(test.at(60).hash, files);
}

#[test]
fn the_number_of_agents_is_a_slider_that_begins_the_run_again() {
    let test = PlayerTest::new();
    let state = test.at(60);
    assert!(knobs(&state.params[1]).is_empty(), "the place of each fox is written");
    let (mut ui, place, _) = open_params(&state);
    save_picture("count", &ui, &state);
    let slide = UiCommand::SlideParam(place);
    let commands = params::press_at(&mut ui, &state, slide, 0.8);
    test.send_all(commands);
    let state = test.wait("more birds", |state| birds(state) > 12);
    let count = birds(&state);
    assert_eq!((state.world.tick, state.is_playing), (0, false));
    assert_eq!(state.ghost_name, "the run before, with number of agents 12");
    save_picture("count_changed", &ui, &state);
    // The run of a moment is not what one compares with.
    set_count(&test, "20");
    let state = test.wait("20 birds", |state| birds(state) == 20);
    assert_eq!(state.ghost.as_ref().and_then(|ghost| ghost.ticks()), Some((0, 60)), "{count}");
    for (typed, why) in [
        ("1e12", "expected an integer in digits, such as 20, not `1e12`"),
        ("-1", "expected an integer from 0 to 999999"),
        ("2.5", "expected an integer such as 20, not `2.5`"),
        // Caught: numbers that are too large were told other limits than -1.
        ("1000000", "expected an integer from 0 to 999999"),
        ("2.0", "expected an integer such as 20, not `2.0`"),
        ("99999999999999999999", "expected an integer from 0 to 999999"),
    ] {
        set_count(&test, typed);
        let is_told = |state: &ViewState| state.answer.error.as_deref() == Some(why);
        test.wait(typed, is_told);
    }
    // Both changes soon after each other are one.
    test.send(PlayerCommand::Undo);
    test.wait("the undo", |state| birds(state) == 12);
    test.send(PlayerCommand::Redo);
    test.wait("the redo", |state| birds(state) == 20);
    test.send(PlayerCommand::WriteParams);
    test.wait("it is written", |state| state.unwritten().count() == 0);
    assert!(fs::read_to_string(test.path()).unwrap().contains("count: 20"));
    let hash = test.at(30).hash;
    assert_eq!(hash, Some(test.headless(30)));
}

/// Caught: after a crowd was taken back, expectations were not judged, and the gray run was one with the present number of agents.
#[test]
fn a_crowd_that_is_taken_back_leaves_nothing_behind() {
    let expect = "expect: [AllFinite],\n    groups:";
    let test = PlayerTest::with_scenario(&SCENARIO.replace("groups:", expect));
    assert!(test.at(60).judged.is_some());
    set_count(&test, "10200");
    let state = test.wait("a crowd", |state| birds(state) == 10_200);
    assert!(state.judged.is_none(), "too many are not judged");
    assert_eq!(state.ghost_name, "the run before, with number of agents 12");
    test.send(PlayerCommand::Undo);
    let state = test.wait("the undo", |state| birds(state) == 12);
    assert_eq!((state.ghost.is_some(), &*state.ghost_name), (false, ""));
    assert!(test.at(2).judged.is_some());
    test.at(60);
    test.send(PlayerCommand::Redo);
    test.wait("the redo", |state| birds(state) == 10_200);
    test.send(PlayerCommand::Undo);
    test.wait("the undo", |state| birds(state) == 12 && state.ghost.is_none());
}

#[test]
fn two_numbers_of_agents_are_compared_like_params() {
    let test = PlayerTest::with_scenario(&SCENARIO.replace("ticks: 400", "ticks: 100"));
    test.at(5);
    set_count(&test, "20");
    let state = test.wait("20 birds", |state| birds(state) == 20);
    assert!(state.can_compare_params());
    test.send(PlayerCommand::Compare);
    let state = test.wait("the second run", |state| {
        birds(state) == 20 && state.ghost_name == "the same run with number of agents 12"
    });
    assert_eq!(state.ghost.as_ref().and_then(|ghost| ghost.ticks()), Some((0, 100)));
    let state = test.wait("the other seeds", |state| {
        state.compared.as_ref().is_some_and(|table| table.has_runs())
    });
    let table = state.compared.as_ref().unwrap();
    let rows = &table.rows;
    let runs =
        rows.iter().find(|row| row.name == "agents of bird").and_then(|row| row.over_runs.as_ref());
    assert_eq!(runs.map(|runs| runs.values.clone()), Some(["20", "12"].map(str::to_owned)));
    // Caught: what the person had set was a difference that is more than chance.
    assert!(!table.words().contains("agents of bird"), "{}", table.words());
    set_count(&test, "15");
    let state = test.wait("15 birds", |state| birds(state) == 15);
    let changed = state.compared.as_ref().unwrap().changed(state.world.seed, &state.params);
    assert_eq!(changed.as_deref(), Some("the number of agents"));
}

#[test]
fn words_of_netlogo_lead_to_the_seed_and_the_number_of_agents() {
    let test = PlayerTest::new();
    let state = test.at(5);
    let mut ui = Ui::new(SIZE, false);
    let mut found = |words: &str| -> Vec<String> {
        UiCommand::Ask(Ask::Choice).execute(&mut ui, &state);
        words.chars().for_each(|letter| drop(press(Key::Char(letter), &mut ui, &state)));
        let name = |choice| match choice {
            Choice::Action(number) => keys().all().nth(number).unwrap().name.to_owned(),
            Choice::Param(_, number) => knobs(&state.params[0])[number].param.clone(),
            _ => String::new(),
        };
        let rows = ui.question_rows(&state).into_iter().map(|row| name(row.choice)).collect();
        press(Key::Escape, &mut ui, &state);
        rows
    };
    for (words, wanted) in [
        ("seed", "another_run"),
        ("seed", "seed"),
        ("random", "another_run"),
        ("setup", "another_run"),
        ("setup", "number_of_agents"),
        ("count", "number_of_agents"),
        ("number of agents", "number_of_agents"),
        ("number of agents", COUNT),
        ("again", "another_run"),
        // Caught: these were not found.
        ("save", "write"),
        ("delete", "remove"),
        ("delete", "scene"),
        ("hide", "trails"),
        ("new scenario", "open_scenario"),
    ] {
        let rows = found(words);
        let place = rows.iter().position(|row| row == wanted);
        assert!(place.is_some_and(|place| place < 8), "{words}: {rows:?}");
    }
}

/// Caught: a number of 12 digits was told with all of them.
#[test]
fn a_huge_number_is_told_in_a_short_way() {
    let test = PlayerTest::new();
    let knob = knobs(&test.at(5).params[0]).remove(2);
    let (group, text) = ("bird".to_owned(), "99999999999".to_owned());
    test.send(PlayerCommand::SetParam { group, knob, text });
    test.send(PlayerCommand::WriteParams);
    test.wait("it is written", |state| has_notice(state, "bird.room = 1e11"));
}
