//! What helps to show a world to others: colors that mean something, forces that add up, and a view without panels.

use flockwork_engine::world::AgentId;

use super::super::frame::Frame;
use super::super::ui_command::UiCommand;
use super::*;
use crate::draw::ColorBy;

#[test]
fn agents_are_colored_by_what_the_legend_says() {
    let public =
        SCENARIO.replace("\"fox\": (", "\"fox\": (public: { \"heat\": 3, \"word\": \"x\" },");
    let test = PlayerTest::with_scenario(&public);
    let state = test.at(30);
    for is_dark in [false, true] {
        let mut ui = Ui::new((1280, 800), is_dark);
        let mut pictures = vec![drawn(&ui, &state)];
        let by = |name: &str| ColorBy::State(name.to_owned());
        for expected in [ColorBy::Speed, ColorBy::Heading, by("heat")] {
            let frame = Frame::new(&ui, &state, None);
            let row = frame.widgets().find(|one| one.click == Some(UiCommand::NextColors)).unwrap();
            assert_eq!(row.tip_words().1, Some("z"));
            press(Key::Char('z'), &mut ui, &state);
            assert_eq!(ui.color_by, expected);
            save_picture(&format!("{expected:?}").to_lowercase().replace('"', ""), &ui, &state);
            let now = drawn(&ui, &state);
            assert!(!pictures.contains(&now), "{expected:?}");
            pictures.push(now);
        }
        press(Key::Char('z'), &mut ui, &state);
        assert_eq!(ui.color_by, ColorBy::Group);
        assert!(drawn(&ui, &state) == pictures[0]);
    }
}

#[test]
fn forces_are_drawn_as_they_add_up() {
    let test = PlayerTest::new();
    test.at(30);
    test.send(PlayerCommand::Select(Some(AgentId(4))));
    let state = test.wait("the agent", |state| state.next_turn.is_some());
    let mut ui = Ui::new((1280, 800), false);
    let plain = drawn(&ui, &state);
    save_picture("forces_apart", &ui, &state);
    press(Key::Char('y'), &mut ui, &state);
    save_picture("forces_added", &ui, &state);
    assert!(drawn(&ui, &state) != plain);
    press(Key::Char('y'), &mut ui, &state);
    assert!(drawn(&ui, &state) == plain);
}

#[test]
fn an_audience_sees_the_world_without_panels_and_the_pointer() {
    let test = PlayerTest::new();
    let state = test.at(30);
    let mut ui = Ui::new((1280, 800), false);
    ui.set_scale(Scale::new((1280, 800), Some(1.0)));
    panels::params::PANEL.set_open(&mut ui, true);
    press(Key::Char('m'), &mut ui, &state);
    let before = drawn(&ui, &state);
    let commands = press(Key::Char('\''), &mut ui, &state);
    assert!(
        commands
            .iter()
            .any(|one| matches!(one, PlayerCommand::SetOverlays(overlays) if !overlays.log))
    );
    assert_eq!(ui.size, (854, 534));
    assert!(!panels::params::PANEL.is_open(&ui));
    assert!(!panels::log::PANEL.is_open(&ui));
    let away = drawn(&ui, &state);
    ui.pointer_moved(Some(Vec2::new(300.0, 200.0)), &state);
    assert!(ui.is_dragging(), "the spot moves with the pointer");
    save_picture("presented", &ui, &state);
    assert!(drawn(&ui, &state) != away);
    press(Key::Char('\''), &mut ui, &state);
    ui.pointer_moved(None, &state);
    assert!(drawn(&ui, &state) == before);
}

/// A push was seen only in what the agents did.
#[test]
fn a_push_is_a_circle_for_a_moment() {
    let test = PlayerTest::new();
    let state = test.at(30);
    let mut ui = Ui::new((1280, 800), false);
    ui.pointer_moved(Some(Vec2::new(300.0, 200.0)), &state);
    let plain = drawn(&ui, &state);
    let commands = ui.press(Button::Right, &state);
    assert!(matches!(commands[..], [PlayerCommand::Push { .. }]));
    assert!(drawn(&ui, &state) != plain);
    let pushed = ui.pushed.as_mut().unwrap();
    pushed.2 = Instant::now().checked_sub(Duration::from_secs(1)).unwrap();
    assert!(drawn(&ui, &state) == plain);
}

/// After 30 saves, the same notice was there four times; `c` without an agent did nothing and said nothing.
#[test]
fn the_same_notice_is_shown_once_and_a_key_without_effect_says_why() {
    let test = PlayerTest::new();
    test.at(30);
    let mut ui = Ui::new((1280, 800), false);
    for _ in 0..3 {
        let state = test.shared.latest();
        for command in press(Key::Char('c'), &mut ui, &state) {
            test.send(command);
        }
    }
    test.send(PlayerCommand::Notice { text: "last".to_owned(), is_failure: false });
    let state = test.wait("all", |state| state.notices.iter().any(|one| one.text == "last"));
    let count = state.notices.iter().filter(|one| one.text.starts_with("select an agent")).count();
    assert_eq!((count, ui.is_following), (1, false));
}
