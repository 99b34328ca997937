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

fn tune(test: &PlayerTest, key: char) {
    let state = test.shared.latest();
    let mut ui = Ui::new(SIZE, false);
    ui.has_params = true;
    ui.param = 2;
    for command in press(Key::Char(key), &mut ui, &state) {
        test.send(command);
    }
}

#[test]
fn params_get_their_old_values_at_the_present_tick() {
    let test = PlayerTest::new();
    test.at(30);
    // Two steps of one param are one change.
    tune(&test, '=');
    tune(&test, '=');
    test.wait("the param", |state| room(state) == Some(&Value::Float(22.0)));
    test.at(60);
    let mut ui = Ui::new(SIZE, false);
    let state = test.shared.latest();
    for command in press(Key::Ctrl('z'), &mut ui, &state) {
        test.send(command);
    }
    let undone = notice(&test, "undone: room of bird is 20 again");
    assert_eq!((undone.world.tick, room(&undone)), (60, Some(&Value::Float(20.0))));
    let after = test.at(61);
    assert_eq!(room(&after), Some(&Value::Float(20.0)));
    // The time between keeps the changed value.
    assert_eq!(room(&test.at(45)), Some(&Value::Float(22.0)));
    test.at(61);
    for command in press(Key::CtrlShift('z'), &mut ui, &state) {
        test.send(command);
    }
    let redone = notice(&test, "redone: room of bird is 22 again");
    assert_eq!(room(&redone), Some(&Value::Float(22.0)));
    test.send(PlayerCommand::Redo);
    notice(&test, "nothing to redo");
    test.send(PlayerCommand::Undo);
    test.wait("the old value", |state| room(state) == Some(&Value::Float(20.0)));
    test.send(PlayerCommand::Undo);
    notice(&test, "nothing to undo");
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
    let state = notice(&test, "the run goes on from tick 50 without it");
    assert_eq!((state.world.tick, state.last_tick), (50, 50));
    assert!(state.ghost.is_some(), "what happened with it stays visible");
    assert_eq!(test.at(120).hash, Some(test.headless(120)));
    test.at(50);
    test.send(PlayerCommand::Redo);
    notice(&test, "redone: the push");
    assert_eq!(test.at(120).hash, pushed);
}

#[test]
fn goals_are_undone_at_the_present_tick_and_exactly_where_they_were_set() {
    let test = PlayerTest::new();
    test.at(50);
    let goal =
        |x: f32| PlayerCommand::SetGoal { group: None, at: Vec2::new(x, 200.0), radius: 5.0 };
    let goals = |state: &ViewState| -> Vec<usize> {
        let groups = state.world.groups.iter();
        groups.map(|group| group.goals.first().map_or(0, |goals| goals.len())).collect()
    };
    test.send(goal(300.0));
    assert_eq!(goals(&test.at(70)), [1, 1]);
    test.send(goal(100.0));
    let second = test.at(80);
    test.send(PlayerCommand::Undo);
    let first = test.at(81);
    assert_eq!(goals(&first), [1, 1]);
    assert_eq!(first.world.groups[0].goals[0][0].at.x, 300.0);
    assert_eq!(second.world.groups[0].goals[0][0].at.x, 100.0);
    test.send(PlayerCommand::Undo);
    assert_eq!(goals(&test.at(82)), [0, 0]);
    // At the same tick nothing remains of it.
    let plain = test.at(90).hash;
    test.at(82);
    test.send(goal(30.0));
    test.wait("the goal", |state| state.last_tick == 82);
    test.send(PlayerCommand::Undo);
    test.wait("the undo", |state| {
        state.notices.iter().filter(|notice| notice.text == "undone: the goal").count() >= 2
    });
    assert_eq!(test.at(90).hash, plain);
}

/// Undo was a new change at the shown tick, which dropped what came before the change too.
#[test]
fn before_a_change_it_is_undone_where_it_was_made() {
    let test = PlayerTest::new();
    test.at(30);
    tune(&test, '=');
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

/// The agents were made anew once more, at the tick of the undo.
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
    let words = "undone: the start of `fox` is as it was; the run goes on from tick 30 without it";
    let state = notice(&test, words);
    assert_eq!((state.world.tick, state.last_tick, &state.edits[..]), (30, 30, &[0][..]));
    assert_eq!(test.at(60).hash, Some(test.headless(60)));
    // The run goes on if an obstacle is back in its place.
    let part = ScenePart::Obstacle("tree".into());
    let to = vec![(0, Vec2::new(250.0, 100.0))];
    test.send(PlayerCommand::EditScene(SceneEdit::Move { part: part.clone(), to }));
    test.wait("the edit", |state| state.edits.len() > 1);
    test.at(80);
    test.send(PlayerCommand::Undo);
    let state = notice(&test, "undone: the obstacle `tree` is as it was");
    assert_eq!((state.world.tick, &state.edits[..]), (80, &[0, 60, 80][..]));
    test.send(PlayerCommand::Redo);
    let state = notice(&test, "redone: the obstacle `tree` is changed again");
    assert_eq!(state.world.tick, 80);
    // An earlier tick than that of the edit stays as it is.
    test.at(90);
    test.at(70);
    test.send(PlayerCommand::Undo);
    let state = notice(&test, "undone: the obstacle `tree` is as it was, from tick 80 on");
    assert_eq!((state.world.tick, state.last_tick), (70, 80));
}
