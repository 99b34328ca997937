//! The forces of all agents, and the force at places around one.

use super::super::explain_text::{BARS, INDENT, ShareRow, explanation, rows};
use super::super::text_writer::{PAD, SMALL};
use super::super::view_state::ViewState;
use super::*;
use crate::draw::text_width;
use flockwork_engine::world::AgentId;

/// Presses a key and waits until what it shows has been computed.
fn pressed(
    test: &PlayerTest,
    ui: &mut Ui,
    key: char,
    is_so: fn(&ViewState) -> bool,
) -> Arc<ViewState> {
    let commands = press(Key::Char(key), ui, &test.shared.latest());
    commands.into_iter().for_each(|command| test.send(command));
    test.wait("the overlay", is_so)
}

/// These overlays showed nothing for scripts that set the velocity.
#[test]
fn a_change_of_the_velocity_by_a_script_is_shown_like_a_force() {
    let test = PlayerTest::new();
    test.at(10);
    test.script(
        "fox",
        "fn steer(me) { me.vel = (me.pos - vec(200, 150)).perp().normalized() * 30; vec(0, 0) }",
    );
    test.wait("the edit", |state| state.edits.len() > 1);
    test.at(60);
    test.send(PlayerCommand::Select(Some(AgentId(12))));
    let mut ui = Ui::new((1280, 800), false);
    let plain = drawn(&ui, &test.wait("the fox", |state| state.next_turn.is_some()));
    let state = pressed(&test, &mut ui, 'w', |state| !state.field.is_empty());
    let shown = state.field.iter().filter(|(_, force)| force.length() > 1.0).count();
    assert!(shown * 2 > state.field.len(), "{shown}");
    save_picture("field_of_velocity", &ui, &state);
    assert_ne!(drawn(&ui, &state), plain);
    pressed(&test, &mut ui, 'w', |state| state.field.is_empty());
    let state = pressed(&test, &mut ui, 'v', |state| !state.forces.is_empty());
    let (_, fox) = state.forces[12];
    let decision = state.next_turn.as_ref().unwrap().decision.clone().unwrap();
    let expected = (decision.set_vel - state.world.agents.vel(12)) / 0.02;
    assert!(
        (fox - expected).length() <= 1e-3 * expected.length() && fox.length() > 1.0,
        "{fox} {expected}"
    );
    save_picture("forces_of_velocity", &ui, &state);
    assert_ne!(drawn(&ui, &state), plain);
}

#[test]
fn the_status_says_why_an_overlay_is_empty() {
    let test = PlayerTest::with_scenario(
        &SCENARIO
            .replace(r#""bird": (behavior: "bird","#, r#""bird": ("#)
            .replace(r#"behavior: "fox","#, ""),
    );
    test.at(30);
    let mut ui = Ui::new(SIZE, false);
    let state = pressed(&test, &mut ui, 'v', |state| !state.forces.is_empty());
    let words = |ui: &Ui, state| panels::status::words(ui, state, Sample { every: 1 });
    assert_eq!(words(&ui, &state), "13 agents  ·  no agent wants a force");
    pressed(&test, &mut ui, 'v', |state| state.forces.is_empty());
    let state = pressed(&test, &mut ui, 'w', |_| true);
    assert_eq!(words(&ui, &state), "13 agents  ·  select an agent to see its force around it");
    save_picture("overlay_empty", &ui, &state);
}

/// The end of the reason of a call was cut off.
#[test]
fn a_long_reason_of_a_call_has_several_lines() {
    let name = "the old oak tree beside the wide river";
    let scenario = SCENARIO.replace("tree", name).replace(", edge: Wrap", "");
    let test = PlayerTest::with_scenario(&scenario);
    test.at(2);
    test.script("fox", "fn steer(me) { me.go_to(vec(380, 90)) + 0 * me.go_to(vec(380, 85)) }");
    test.wait("the edit", |state| state.edits.len() > 1);
    test.send(PlayerCommand::Select(Some(AgentId(12))));
    let state = test.wait("the agent", |state| state.next_turn.is_some());
    let mut ui = Ui::new((1280, 800), false);
    for size in [(1280, 800), (500, 400)] {
        ui.set_scale(Scale::new(size, Some(1.0)));
        save_picture("long_reason", &ui, &state);
    }
    let all = explanation(state.next_turn.as_ref().unwrap()).unwrap();
    const WIDTH: f32 = 380.0;
    let rows: Vec<ShareRow> = rows(&all.shares(), WIDTH).collect();
    assert_eq!(rows.iter().map(|row| row.is_faint).collect::<Vec<_>>(), [false, true]);
    for row in rows {
        let words = row.reason.join(" ");
        assert!(row.reason.len() > 1 && words.contains(name) && words.ends_with("away"), "{words}");
        let left = if row.is_faint { BARS } else { INDENT };
        let room = WIDTH - 2.0 * PAD - left;
        assert!(row.reason.iter().all(|line| text_width(line, SMALL) <= room), "{words}");
    }
}

/// Caught: the line of a call was cut off behind a long name of its script.
#[test]
fn a_long_name_of_a_script_leaves_room_for_the_line() {
    let test = PlayerTest::new();
    test.at(2);
    test.send(PlayerCommand::Select(Some(AgentId(12))));
    let state = test.wait("the agent", |state| state.next_turn.is_some());
    let all = explanation(state.next_turn.as_ref().unwrap()).unwrap();
    let shares = all.shares();
    let narrow: Vec<ShareRow> = rows(&shares, INDENT + 2.0 * PAD + 40.0).collect();
    let wide: Vec<ShareRow> = rows(&shares, 900.0).collect();
    assert!(wide[0].reason[0].starts_with("fox.rhai:"), "{:?}", wide[0].reason);
    let line = wide[0].reason[0].split([':', ' ']).nth(1).unwrap();
    let first = &narrow[0].reason[0];
    assert!(first.starts_with('f') && first.ends_with(&format!("…:{line}")), "{first}");
}

/// Caught: the force field was drawn inside of walls, where no agent can be.
#[test]
fn the_force_field_is_not_in_obstacles() {
    let test = PlayerTest::with_scenario(
        &SCENARIO.replace("(300, 80), radius: 20", "(60, 60), radius: 30"),
    );
    test.at(0);
    test.send(PlayerCommand::Select(Some(AgentId(12))));
    test.send(PlayerCommand::SetOverlays(Overlays { field: true, ..Overlays::default() }));
    let state = test.wait("the field", |state| !state.field.is_empty());
    let tree = &state.world.obstacles[0].shape;
    assert!(state.field.iter().all(|(at, _)| !tree.contains(*at)));
    assert!(state.field.len() > 20);
}

/// Caught: with a selected agent, pale copies of all agents were around the world.
#[test]
fn only_neighbors_to_which_lines_lead_are_seen_beyond_the_edge() {
    let scenario = SCENARIO
        .replace(
            "count: 12, spawn: Disc(center: (200, 150), radius: 60)",
            "spawn: Points([(1, 150), (399, 150), (200, 299)])",
        )
        .replace("velocity: (20, 5),", "");
    let test = PlayerTest::with_scenario(&scenario);
    test.send(PlayerCommand::Seek(0));
    let ui = Ui::new((1280, 800), false);
    let chosen = |id: u32| {
        test.send(PlayerCommand::Select(Some(AgentId(id))));
        test.wait("the agent", |state| state.next_turn.as_ref().is_some_and(|one| one.id == id))
    };
    let state = chosen(0);
    save_picture("beyond_the_edge", &ui, &state);
    let beyond = super::super::explain::neighbors_beyond(&ui, &state);
    assert!(!beyond.is_empty() && beyond.iter().all(|at| (at.x + 1.0).abs() < 1e-3), "{beyond:?}");
    let other = chosen(2);
    assert!(super::super::explain::neighbors_beyond(&ui, &other).is_empty());
}
