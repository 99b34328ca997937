//! Agents that look like one.

use super::super::frame::Frame;
use super::*;

/// Three agents in one place, and one beside them.
fn pile() -> PlayerTest {
    let spawn = "count: 12, spawn: Disc(center: (200, 150), radius: 60), velocity: (20, 5)";
    let test = PlayerTest::with_scenario(
        &SCENARIO
            .replace(spawn, "spawn: Points([(100, 100), (200, 150), (200.2, 150), (200, 150)])"),
    );
    test.at(0);
    test
}

/// Only one of them could be selected, and nothing said that there are others.
#[test]
fn clicks_go_through_agents_that_look_like_one() {
    let test = pile();
    let state = test.at(0);
    let mut ui = Ui::new((1280, 800), false);
    save_picture("pile", &ui, &state);
    let at = ui.camera(&state).pixel(Vec2::new(200.0, 150.0));
    let mut selected = Vec::new();
    for _ in 0..4 {
        let state = test.shared.latest();
        ui.pointer_moved(Some(at), &state);
        ui.press(Button::Left, &state);
        let commands = ui.release(&state);
        let [PlayerCommand::Select(Some(id))] = commands[..] else { panic!("{commands:?}") };
        selected.push(id.0);
        test.send_all(commands);
        test.wait("it", |state| state.next_turn.as_ref().is_some_and(|one| one.id == id));
    }
    let first = selected[0];
    let next = |id: u32| if id == 3 { 1 } else { id + 1 };
    assert_eq!(selected, [first, next(first), next(next(first)), first]);
    let state = test.shared.latest();
    let words = panels::status::words(&ui, &state, Sample { every: 1 });
    assert!(words.contains("3 agents look like one here"), "{words}");
    // The one beside them is alone.
    test.send(PlayerCommand::Select(Some(AgentId(0))));
    let state =
        test.wait("it", |state| state.next_turn.as_ref().is_some_and(|one| one.id == AgentId(0)));
    let words = panels::status::words(&ui, &state, Sample { every: 1 });
    assert!(!words.contains("look like one"), "{words}");
}

#[test]
fn how_many_look_like_one_is_written_beside_them() {
    let test = pile();
    let state = test.at(0);
    let mut ui = Ui::new((1280, 800), false);
    let at = ui.camera(&state).pixel(Vec2::new(200.0, 150.0));
    // While time passes, three of them may be there only for a moment. Nothing else in the world differs then.
    let moving = ViewState { is_playing: true, ..(*state).clone() };
    let width = ui.scale.window.0 as usize;
    let (one, other) = (drawn(&ui, &state), drawn(&ui, &moving));
    let near = one.iter().zip(&other).enumerate().filter(|(index, (one, other))| {
        let pixel = Vec2::new((index % width) as f32, (index / width) as f32);
        one != other && pixel.distance(at) < 40.0
    });
    assert!(near.count() > 10);
    // Groups that are not drawn do not count.
    ui.hidden.insert("bird".to_owned());
    assert!(drawn(&ui, &state) != one);
    let state = ViewState { is_playing: true, ..(*state).clone() };
    let hidden = drawn(&ui, &state);
    let near = |pixels: &[u32]| -> Vec<u32> {
        let rows = (at.y as usize - 30..at.y as usize + 30).map(|row| row * width + at.x as usize);
        rows.flat_map(|begin| pixels[begin..begin + 40].to_vec()).collect()
    };
    assert_eq!(near(&hidden), near(&drawn(&ui, &ViewState { is_playing: false, ..state.clone() })));
}

/// Nobody knew what the number beside agents means. The mouse does there what it does in the world.
#[test]
fn the_number_of_agents_that_look_like_one_has_a_tooltip() {
    let test = pile();
    let state = test.at(0);
    let mut ui = Ui::new((1280, 800), false);
    let at = ui.camera(&state).pixel(Vec2::new(200.0, 150.0));
    let tip = |ui: &Ui| -> Option<String> {
        let frame = Frame::new(ui, &state, None);
        Some(frame.widget_at(ui.pointer)?.tip_words().0?.to_owned())
    };
    let around = (0..20).map(|step| at + Vec2::new(step as f32, -step as f32 / 2.0));
    let found = around.into_iter().find_map(|at| {
        ui.pointer_moved(Some(at), &state);
        tip(&ui)
    });
    let expected = "3 agents that look like one at this zoom: zoom in to see them apart";
    assert_eq!(found.as_deref(), Some(expected));
    assert!(!ui.is_pointer_on_panel(&state));
    ui.pointer_moved(Some(at + Vec2::new(0.0, 60.0)), &state);
    assert_eq!(tip(&ui), None);
}
