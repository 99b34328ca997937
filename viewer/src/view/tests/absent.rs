//! A selected agent that leaves the world.

use super::super::area::Area;
use super::super::frame::Frame;
use super::super::view_state::AbsentAgent;
use super::*;

/// It vanished without a word, and the view jumped to the whole world.
#[test]
fn a_selected_agent_that_leaves_the_world_is_told_and_found_again() {
    let events = r#"events: [At(tick: 40, do: Remove(group: "fox"))], groups"#;
    let test = PlayerTest::with_scenario(&SCENARIO.replacen("groups", events, 1));
    test.at(20);
    test.send(PlayerCommand::Select(Some(AgentId(12))));
    let state = test.wait("the fox", |state| state.next_turn.is_some());
    let mut ui = Ui::new((1280, 800), false);
    ui.is_following = true;
    assert_eq!(state.absent, None);
    test.send(PlayerCommand::RunTo(60));
    let state = test.wait("its end", |state| state.world.tick == 60 && state.hash.is_some());
    let absent = state.absent.clone().expect("it is gone");
    let AbsentAgent { nearest, left_at, group, .. } = &absent;
    assert_eq!((*nearest, *left_at, group.as_deref()), (39, Some(41), Some("fox")));
    let words = "agent 12 (fox) left the world at tick 41";
    let told: Vec<_> = state.notices.iter().filter(|one| one.text == words).collect();
    assert_eq!(told.len(), 1, "{:?}", state.notices);
    // The view stays where it was last.
    assert_eq!(ui.camera(&state).place(ui.camera(&state).pixel(absent.pos)), absent.pos);
    let (width, height) = ui.layout(&state).world;
    let middle = Vec2::new(width as f32, height as f32) / 2.0;
    assert!((ui.camera(&state).pixel(absent.pos) - middle).length() < 1.0);
    for is_dark in [false, true] {
        ui.is_dark = is_dark;
        save_picture("absent", &ui, &state);
    }
    // The notice and the panel lead back.
    let index = state.notices.iter().position(|one| one.text == words).unwrap();
    let back = [PlayerCommand::Seek(39), PlayerCommand::Select(Some(AgentId(12)))];
    let commands = UiCommand::GoToNotice(index).execute(&mut ui, &state);
    assert_eq!(commands[..2], back);
    let has_button = |state: &ViewState| {
        let frame = Frame::new(&ui, state, None);
        frame.widgets().any(|one| one.click == Some(UiCommand::GoToAbsent))
    };
    assert!(has_button(&state));
    // Caught: it left at tick 41, and the button led to tick 39, "before that".
    let area = Area::new(0.0, 0.0, 300.0, 100.0);
    let (words, _) = panels::agent::absent_button(&absent, area);
    assert_eq!(words, "back to tick 39, its last turn");
    let commands = UiCommand::GoToAbsent.execute(&mut Ui::new((1280, 800), false), &state);
    assert_eq!(commands, back);
    commands.into_iter().for_each(|command| test.send(command));
    let state = test.wait("the fox", |state| state.world.tick == 39 && state.next_turn.is_some());
    assert!(state.absent.is_none() && !has_button(&state));
    // In the next tick it has no turn any more.
    let state = test.at(40);
    assert!(state.next_turn.is_none() && has_button(&state));
}

/// An agent that an event makes is known before it is there, once time has passed.
#[test]
fn a_selected_agent_is_told_before_it_is_there() {
    let events = r#"events: [At(tick: 40, do: Spawn(group: "bird", count: 1))], groups"#;
    let test = PlayerTest::with_scenario(&SCENARIO.replacen("groups", events, 1));
    test.at(50);
    test.send(PlayerCommand::Select(Some(AgentId(13))));
    test.wait("the new bird", |state| state.next_turn.is_some());
    test.send(PlayerCommand::Seek(10));
    let state = test.wait("before", |state| state.world.tick == 10 && state.hash.is_some());
    let absent = state.absent.clone().expect("it is not there yet");
    assert_eq!((absent.nearest, absent.left_at), (41, None));
    assert_eq!(absent.words(), "agent 13 (bird) comes at tick 41");
}
