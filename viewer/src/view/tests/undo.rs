//! Undo and redo of what was done by hand.

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
