//! Undo and redo of what was done by hand.

use flockwork_engine::scenario::{SceneEdit, ScenePart};
use flockwork_engine::world::Value;

use super::*;

/// Returns the param `room` of the birds.
fn room(state: &ViewState) -> Option<&Value> {
    state.params[0].get("room")
}

/// Waits for a notice that contains some words.
fn notice(test: &PlayerTest, words: &str) -> Arc<ViewState> {
    test.wait(words, |state| state.notices.iter().any(|notice| notice.text.contains(words)))
}

fn tune(test: &PlayerTest, key: Key) {
    let state = test.shared.latest();
    let mut ui = Ui::new(SIZE, false);
    panels::params::PANEL.set_open(&mut ui, true);
    ui.param = 2;
    for command in press(key, &mut ui, &state) {
        test.send(command);
    }
}

#[test]
fn params_are_undone_where_they_were_set() {
    let test = PlayerTest::new();
    let state = test.at(30);
    assert!(!state.can_undo && !state.can_redo);
    // Two steps of one param are one change.
    tune(&test, Key::CtrlRight);
    tune(&test, Key::CtrlRight);
    let state = test.wait("the param", |state| room(state) == Some(&Value::Float(22.0)));
    assert!(state.can_undo && !state.can_redo);
    test.at(60);
    let mut ui = Ui::new(SIZE, false);
    let state = test.shared.latest();
    for command in press(Key::Ctrl('z'), &mut ui, &state) {
        test.send(command);
    }
    let words = "undone: room of bird is 20 again; the run is without the change from tick 30 on";
    let undone = notice(&test, words);
    assert_eq!((undone.world.tick, room(&undone)), (30, Some(&Value::Float(20.0))));
    assert!(!undone.can_undo && undone.can_redo && undone.settings.is_empty());
    assert_eq!(test.at(60).hash, Some(test.headless(60)));
    for command in press(Key::CtrlShift('z'), &mut ui, &state) {
        test.send(command);
    }
    let redone = notice(&test, "redone: room of bird is 22 again");
    assert_eq!((redone.world.tick, room(&redone)), (60, Some(&Value::Float(22.0))));
    test.send(PlayerCommand::Redo);
    notice(&test, "nothing to redo");
    test.send(PlayerCommand::Undo);
    test.wait("the old value", |state| room(state) == Some(&Value::Float(20.0)));
    test.send(PlayerCommand::Undo);
    let state = notice(&test, "nothing to undo");
    let nothing = state.notices.iter().filter(|one| one.text.starts_with("nothing"));
    assert!(nothing.clone().count() == 2 && nothing.clone().all(|one| !one.is_failure));
}

#[test]
fn an_undone_param_that_was_written_is_a_setting() {
    let test = PlayerTest::new();
    test.at(30);
    tune(&test, Key::CtrlRight);
    test.wait("the param", |state| room(state) == Some(&Value::Float(21.0)));
    test.at(40);
    test.send(PlayerCommand::WriteParams);
    notice(&test, "written to a.ron: bird.room = 21");
    // After another edit of the file, the writing stays.
    fs::write(test.path(), fs::read_to_string(test.path()).unwrap() + "// mine\n").unwrap();
    test.send(PlayerCommand::Undo);
    notice(&test, "was changed since that edit");
    test.send(PlayerCommand::Undo);
    let state = notice(&test, "undone: room of bird is 20 again");
    let unwritten: Vec<_> = state.unwritten().map(|one| &one.value).collect();
    assert_eq!(unwritten, [&Value::Float(20.0)]);
}

/// Caught: undo set another value, and the file kept the one that was written.
#[test]
fn writing_params_is_undone_in_the_file() {
    let test = PlayerTest::new();
    test.at(30);
    tune(&test, Key::CtrlRight);
    test.wait("the param", |state| room(state) == Some(&Value::Float(21.0)));
    let before = test.at(40);
    let file = || fs::read_to_string(test.path()).unwrap();
    test.send(PlayerCommand::WriteParams);
    notice(&test, "written to a.ron: bird.room = 21");
    let written = file();
    assert_ne!(written, SCENARIO);
    test.send(PlayerCommand::Undo);
    let state = notice(&test, "undone: written to a.ron again: bird.room = 20");
    assert_eq!((file(), state.world.tick, state.hash), (SCENARIO.to_owned(), 40, before.hash));
    assert_eq!(state.unwritten().count(), 1);
    assert_eq!(room(&state), Some(&Value::Float(21.0)), "the run is as it was");
    // What was done before is undone as always.
    test.send(PlayerCommand::Undo);
    let state = notice(&test, "undone: room of bird is 20 again");
    assert!(state.settings.is_empty());
    test.send(PlayerCommand::Redo);
    notice(&test, "redone: room of bird is 21 again");
    test.send(PlayerCommand::Redo);
    let state = notice(&test, "redone: written to a.ron: bird.room = 21");
    assert_eq!((file(), state.unwritten().count()), (written, 0));
}

/// A push has no old value, so the run goes on from its tick as if it had never been.
#[test]
fn a_push_is_undone_by_going_back_to_its_tick() {
    let test = PlayerTest::new();
    test.at(50);
    let push = PlayerCommand::Push { at: Vec2::new(200.0, 150.0), radius: 100.0 };
    test.send(push);
    let pushed = test.at(120).hash;
    assert_ne!(pushed, Some(test.headless(120)));
    test.send(PlayerCommand::Undo);
    let state = notice(&test, "the run is without the change from tick 50 on");
    assert_eq!((state.world.tick, state.last_tick), (50, 50));
    assert!(state.ghost.is_some(), "what happened with it stays visible");
    assert_eq!(test.at(120).hash, Some(test.headless(120)));
    test.at(50);
    test.send(PlayerCommand::Redo);
    notice(&test, "redone: the push");
    assert_eq!(test.at(120).hash, pushed);
}

/// Undo was a new change at the present tick, so agents stayed turned to where they had gone.
#[test]
fn goals_are_undone_where_they_were_set_and_their_circles_move_at_once() {
    let test = PlayerTest::new();
    test.at(50);
    let goal =
        |x: f32| PlayerCommand::SetGoal { group: None, at: Vec2::new(x, 200.0), radius: 5.0 };
    let goals = |state: &ViewState| -> Vec<f32> {
        let all = state.goals.iter().flatten().flat_map(|goals| goals.iter());
        all.map(|goal| goal.at.x).collect()
    };
    let ui = Ui::new(SIZE, false);
    let plain = drawn(&ui, &test.shared.latest());
    test.send(goal(300.0));
    // The run is paused.
    let set = test.wait("the goal", |state| goals(state) == [300.0, 300.0]);
    assert_eq!(set.world.tick, 50);
    assert!(set.world.groups[0].goals.is_empty() && drawn(&ui, &set) != plain);
    let first = test.at(70);
    assert_eq!(goals(&first), [300.0, 300.0]);
    test.send(goal(100.0));
    test.wait("the second goal", |state| goals(state) == [100.0, 100.0]);
    test.at(80);
    test.send(PlayerCommand::Undo);
    let state = notice(&test, "undone: the goal; the run is without the change from tick 70 on");
    assert_eq!((state.world.tick, goals(&state)), (70, vec![300.0, 300.0]));
    assert_eq!(state.hash, first.hash);
    // In an obstacle, nobody gets there.
    test.send(PlayerCommand::SetGoal { group: None, at: Vec2::new(300.0, 80.0), radius: 5.0 });
    test.wait("the warning", |state| {
        let is_told =
            |text: &str| text.contains("in the obstacle `tree`: agents that avoid it never");
        state.notices.iter().any(|one| one.is_failure && is_told(&one.text))
    });
    test.send(PlayerCommand::Undo);
    test.wait("the undo", |state| goals(state) == [300.0, 300.0]);
    test.at(90);
    test.send(PlayerCommand::Undo);
    let state = notice(&test, "undone: the goal; the run is without the change from tick 50 on");
    assert_eq!((state.world.tick, goals(&state)), (50, vec![]));
    assert_eq!(test.at(90).hash, Some(test.headless(90)));
    // At the same tick nothing remains of it.
    test.send(goal(30.0));
    test.wait("the goal", |state| goals(state) == [30.0, 30.0]);
    test.send(PlayerCommand::Undo);
    let state = test.wait("the undo", |state| {
        state.notices.last().is_some_and(|notice| notice.text == "undone: the goal")
    });
    assert_eq!((state.world.tick, goals(&state)), (90, vec![]));
    assert_eq!(test.at(120).hash, Some(test.headless(120)));
}

/// Undo was a new change at the shown tick, which dropped what came before the change too.
#[test]
fn before_a_change_it_is_undone_where_it_was_made() {
    let test = PlayerTest::new();
    test.at(30);
    tune(&test, Key::CtrlRight);
    test.wait("the param", |state| room(state) == Some(&Value::Float(21.0)));
    test.at(40);
    test.send(PlayerCommand::SetGoal { group: None, at: Vec2::new(9.0, 9.0), radius: 5.0 });
    let later = test.at(60);
    test.at(10);
    test.send(PlayerCommand::Undo);
    let state = notice(&test, "undone: the goal, from tick 40 on");
    assert_eq!((state.world.tick, state.last_tick), (10, 40));
    assert_eq!(state.ghost_name, "the run before the undo at tick 40");
    test.send(PlayerCommand::Undo);
    let state = notice(&test, "undone: room of bird is 20 again, from tick 30 on");
    assert_eq!((state.world.tick, state.last_tick), (10, 30));
    assert!(state.settings.is_empty());
    assert_eq!(test.at(60).hash, Some(test.headless(60)));
    // Redo does them again where they were made.
    test.at(10);
    test.send(PlayerCommand::Redo);
    let state = notice(&test, "redone: room of bird is 21 again");
    assert_eq!((state.world.tick, state.last_tick), (10, 30));
    test.at(45);
    test.at(10);
    test.send(PlayerCommand::Redo);
    notice(&test, "redone: the goal");
    assert_eq!(test.at(60).hash, later.hash);
}

/// The agents were created again at the tick of the undo.
#[test]
fn an_edit_of_where_agents_begin_is_undone_where_it_was_made() {
    let test = PlayerTest::new();
    test.at(30);
    let part = ScenePart::Spawn("fox".into());
    let to = vec![(0, Vec2::new(200.0, 20.0))];
    test.send(PlayerCommand::EditScene(SceneEdit::Move { part, to }));
    test.wait("the edit", |state| state.edits.len() > 1);
    let state = test.at(50);
    assert_ne!(state.hash, Some(test.headless(50)));
    test.send(PlayerCommand::Undo);
    let words = "undone: the start of `fox` is as it was, written to a.ron; the run is without the change from tick 30 on";
    let state = notice(&test, words);
    assert_eq!((state.world.tick, state.last_tick, &state.edits[..]), (30, 30, &[0][..]));
    assert_eq!(test.at(60).hash, Some(test.headless(60)));
    // An obstacle is put back in the same way.
    let part = ScenePart::Obstacle("tree".into());
    let to = vec![(0, Vec2::new(250.0, 100.0))];
    test.send(PlayerCommand::EditScene(SceneEdit::Move { part: part.clone(), to }));
    let words =
        "the obstacle `tree` is moved, written to a.ron; the run goes on from tick 60 with it";
    notice(&test, words);
    test.at(80);
    test.send(PlayerCommand::Undo);
    let words = "undone: the obstacle `tree` is as it was, written to a.ron; the run is without the change from tick 60 on";
    let state = notice(&test, words);
    assert_eq!((state.world.tick, &state.edits[..]), (60, &[0][..]));
    test.at(80);
    test.send(PlayerCommand::Redo);
    let state = notice(&test, "redone: the obstacle `tree` is changed again, written to a.ron");
    assert_eq!(state.world.tick, 80);
    // An earlier tick than that of the edit stays as it is, and redo does it again where it was done.
    test.at(90);
    test.at(70);
    test.send(PlayerCommand::Undo);
    let words = "undone: the obstacle `tree` is as it was, written to a.ron, from tick 80 on";
    let state = notice(&test, words);
    assert_eq!((state.world.tick, state.last_tick), (70, 80));
    test.send(PlayerCommand::Redo);
    let state = test.wait("the redo", |state| state.edits == [0, 80]);
    assert_eq!((state.world.tick, state.last_tick), (70, 80));
}

/// Caught: what was written again stood above the older notice of the undo.
#[test]
fn notices_are_in_the_order_of_time() {
    let test = PlayerTest::new();
    test.at(5);
    tune(&test, Key::CtrlRight);
    test.wait("the param", |state| state.unwritten().count() == 1);
    let mut times = Vec::new();
    for (command, words) in [
        (PlayerCommand::WriteParams, "written to a.ron: bird.room = 21"),
        (PlayerCommand::Undo, "undone: written to a.ron"),
        (PlayerCommand::WriteParams, "written to a.ron: bird.room = 21"),
    ] {
        test.send(command);
        let newest =
            |state: &ViewState| state.notices.last().is_some_and(|one| one.text.starts_with(words));
        let state = test.wait(words, newest);
        times.push(state.notices.last().unwrap().since);
    }
    assert!(times.is_sorted() && times[0] < times[2], "{times:?}");
}
