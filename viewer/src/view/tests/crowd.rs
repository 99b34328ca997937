//! Overlays of many agents.

use flockwork_engine::live::TrackRow;
use flockwork_engine::world::AgentId;

use super::super::frame::Frame;
use super::super::sample::MOST;
use super::*;

/// Returns a crowd with a force and a trail for each agent.
fn crowd(count: usize) -> ViewState {
    let test = PlayerTest::new();
    let before = test.at(5);
    fs::write(test.path(), SCENARIO.replace("count: 12", &format!("count: {count}"))).unwrap();
    let edited = test.wait("more of them", |state| state.world.agents.len() == count + 1);
    let mut state = ViewState::clone(&edited);
    assert!(before.world.agents.len() < count);
    let agents = &state.world.agents;
    state.forces = agents.id.iter().map(|&id| (id, Vec2::new(0.0, 9.0))).collect();
    let row = |ago: usize| {
        let behind = Vec2::new(-1.5 * ago as f32, 0.0);
        let pos = agents.positions().map(|pos| pos + behind).collect();
        Arc::new(TrackRow { ids: agents.id.clone(), pos })
    };
    state.trail = (0..10).rev().map(row).collect();
    state
}

/// Caught: on the way to the end, a large crowd had no panel, since explaining took longer than a slice of time.
#[test]
fn a_slow_explanation_stays_until_the_next_one() {
    let test = PlayerTest::new();
    // Only the interpreter can run the closure.
    let script =
        "fn steer(me) { let n = [0].map(|x| x)[0]; for i in 0..150000 { n += 1; } vec(n, 1) }";
    test.at(5);
    test.script("fox", script);
    test.wait("the script", |state| state.edits.contains(&5));
    test.send(PlayerCommand::Select(Some(AgentId(12))));
    let before = test.wait("an explanation", |state| state.next_turn.is_some());
    test.send(PlayerCommand::RunTo(30));
    let on_the_way = test.wait("some ticks", |state| state.world.tick > before.world.tick + 3);
    assert_eq!(on_the_way.next_turn.as_ref().map(|turn| turn.id), Some(AgentId(12)));
    let ui = Ui::new((1280, 800), false);
    save_picture("slow explanation", &ui, &on_the_way);
    let there = |state: &ViewState| state.world.tick == 30 && state.hash.is_some();
    let end = test.wait("the end", there);
    assert_eq!(end.next_turn.as_ref().map(|turn| turn.tick), Some(30));
}

#[test]
fn overlays_of_a_crowd_show_a_part_and_say_so() {
    let state = crowd(8 * MOST);
    let mut ui = Ui::new((1280, 800), false);
    let words = |ui: &Ui| {
        let sample = Frame::new(ui, &state, None).scene.sample;
        status_words(ui, &state, sample)
    };
    assert_eq!(words(&ui), "8,001 agents", "no overlay is on");
    ui.has_trails = true;
    ui.overlays.forces = true;
    assert_eq!(words(&ui), "8,001 agents  ·  forces and trails of 1 in 16");
    save_picture("crowd", &ui, &state);
    let sample = Frame::new(&ui, &state, None).scene.sample;
    let chosen = state.world.agents.id.iter().filter(|id| sample.has(**id)).count();
    assert!((MOST / 3..=MOST).contains(&chosen), "{chosen}");
    // Nearer, fewer agents are in the picture, so all of them have their overlays.
    ui.pointer_moved(Some(Vec2::new(640.0, 400.0)), &state);
    for _ in 0..20 {
        ui.wheel(1.0, &state);
    }
    // None of them is where the view is now.
    assert_eq!(words(&ui), "8,001 agents  ·  8,001 outside of the view (f: show all)");
}
