//! What helps to show a world to others: colors that mean something, forces that add up, and a view without panels.

use flockwork_engine::world::AgentId;

use super::super::area::Area;
use super::super::frame::Frame;
use super::super::layout::Layout;
use super::super::screen::ghost_colors;
use super::super::ui_command::UiCommand;
use super::super::widget::Widget;
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
fn the_legend_of_headings_is_a_ring() {
    let test = PlayerTest::new();
    let state = test.at(30);
    let mut ui = Ui::new((1280, 800), false);
    ui.color_by = ColorBy::Heading;
    let frame = Frame::new(&ui, &state, None);
    let row = frame.widgets().find(|one| one.click == Some(UiCommand::NextColors)).unwrap();
    let center = Vec2::new(row.area.max.x - 32.0, row.area.min.y + row.area.height() / 2.0);
    let pixels = drawn(&ui, &state);
    let colors = ui.agent_colors(&state, ui.palette(), &ui.color_by);
    // Right, up and down, with the share of the way from -180 to 180 degrees.
    for (direction, share) in [((1.0, 0.0), 0.5), ((0.0, -1.0), 0.75), ((0.0, 1.0), 0.25)] {
        let at = center + 15.0 * Vec2::from(direction);
        let shown = pixels[at.y as usize * 1280 + at.x as usize];
        let expected = colors.at(share);
        for (byte, expected) in [(16, expected.red), (8, expected.green), (0, expected.blue)] {
            let difference = i32::from((shown >> byte) as u8) - i32::from(expected);
            assert!(
                difference.abs() < 40,
                "{shown:06x} at {direction:?} and not {:?}",
                colors.at(share)
            );
        }
    }
    // A ring, not a disc.
    assert_eq!(
        pixels[center.y as usize * 1280 + center.x as usize],
        pixels[center.y as usize * 1280 + center.x as usize - 60]
    );
}

/// Caught: trails had the colors of groups while agents had those of their speeds.
#[test]
fn trails_have_the_colors_of_their_agents() {
    let test = PlayerTest::new();
    let state = test.at(30);
    let mut ui = Ui::new((1280, 800), false);
    ui.has_trails = true;
    let trails = |ui: &mut Ui, by: ColorBy| {
        ui.color_by = by;
        let with = drawn(ui, &state);
        ui.has_trails = false;
        let without = drawn(ui, &state);
        ui.has_trails = true;
        let both = with.into_iter().zip(without).enumerate();
        both.filter(|(_, (with, without))| with != without)
            .map(|(at, (with, _))| (at, with))
            .collect::<std::collections::BTreeMap<_, _>>()
    };
    let of_groups = trails(&mut ui, ColorBy::Group);
    let of_headings = trails(&mut ui, ColorBy::Heading);
    save_picture("trails_by_heading", &ui, &state);
    let same = of_groups.iter().filter(|(at, color)| of_headings.get(at) == Some(color)).count();
    assert!(same * 2 < of_groups.len(), "{same} of {}", of_groups.len());
}

#[test]
fn an_expression_colors_agents_and_its_mistakes_are_shown() {
    let test = PlayerTest::new();
    test.at(30);
    let mut ui = Ui::new((1280, 800), false);
    let ask = |ui: &mut Ui, text: &str| {
        let state = test.shared.latest();
        press(Key::Ctrl('x'), ui, &state);
        text.chars().for_each(|letter| drop(press(Key::Char(letter), ui, &state)));
        let tried = state.answer.tried;
        press(Key::Enter, ui, &state).into_iter().for_each(|command| test.send(command));
        let state = test.wait("the answer", |state| state.answer.tried > tried);
        ui.settle_question(&state);
        ui.question.as_ref().and_then(|question| question.error.clone())
    };
    let plain = drawn(&ui, &test.shared.latest());
    let error = ask(&mut ui, "me.pos.q").unwrap();
    assert!(error.contains('q'), "{error}");
    press(Key::Escape, &mut ui, &test.shared.latest());
    assert_eq!(ask(&mut ui, "me.pos.x * 2"), None);
    let state = test.wait("the numbers", |state| {
        state.numbers.as_ref().is_some_and(|one| !one.numbers.is_empty())
    });
    let numbers = state.numbers.as_ref().unwrap();
    assert_eq!(numbers.text, "me.pos.x * 2");
    let agents = &state.world.agents;
    let expected: Vec<_> =
        (0..agents.len()).map(|row| (agents.id[row], agents.pos(row).x * 2.0)).collect();
    assert_eq!(numbers.numbers[..], expected);
    save_picture("color_expression", &ui, &state);
    let colored = drawn(&ui, &state);
    assert!(colored != plain);
    // The key goes on to the group, and comes back to the expression at last. Meanwhile, nothing is computed.
    let off = press(Key::Char('z'), &mut ui, &state);
    assert_eq!(
        (off, &ui.color_by),
        (vec![PlayerCommand::SetOverlays(ui.overlays)], &ColorBy::Group)
    );
    test.send(PlayerCommand::SetOverlays(ui.overlays));
    let idle = test.wait("no numbers", |state| {
        state.numbers.as_ref().is_some_and(|one| one.numbers.is_empty())
    });
    for _ in 0..2 {
        assert_eq!(press(Key::Char('z'), &mut ui, &idle), []);
    }
    let on = press(Key::Char('z'), &mut ui, &idle);
    assert_eq!((on, ui.overlays.numbers), (vec![PlayerCommand::SetOverlays(ui.overlays)], true));
    assert!(drawn(&ui, &state) == colored);
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
    assert_eq!(ui.camera(&state).emphasis(), 1.5, "small agents are seen from far away");
    assert!(panels::params::PANEL.is_open(&ui), "a class sees what is changed");
    assert!(!panels::log::PANEL.is_open(&ui));
    let away = drawn(&ui, &state);
    // Caught: hints for beginners were shown.
    let has_hints = |ui: &Ui| panels::column::has_hints(&Frame::new(ui, &state, None).scene);
    let presented = ui.presented.take();
    assert!(has_hints(&ui));
    ui.presented = presented;
    assert!(!has_hints(&ui));
    ui.pointer_moved(Some(Vec2::new(300.0, 200.0)), &state);
    assert!(ui.is_dragging(), "the spot moves with the pointer");
    save_picture("presented", &ui, &state);
    // The sliders were 95 pixels long there, with the numbers at their ends.
    let frame = Frame::new(&ui, &state, None);
    let slider = frame.widgets().find(|one| one.click == Some(UiCommand::SlideParam(0))).unwrap();
    assert!((slider.area.width() - 58.0) * ui.scale.factor() >= 150.0, "{:?}", slider.area);
    assert!(drawn(&ui, &state) != away);
    press(Key::Char('\''), &mut ui, &state);
    ui.pointer_moved(None, &state);
    assert!(drawn(&ui, &state) == before);
}

/// The run ended in the middle of a demonstration, and notices about what is expected lay over it.
#[test]
fn nothing_interrupts_a_run_before_an_audience() {
    let scenario =
        SCENARIO.replace("groups", "expect: [MaxSpeed(group: \"bird\", speed: 1)], groups");
    let test = PlayerTest::with_scenario(&scenario);
    let is_failure = |text: &str| text.starts_with("an expectation fails");
    let state =
        test.wait("a failure", |state| state.notices.iter().any(|one| is_failure(&one.text)));
    let mut ui = Ui::new(SIZE, false);
    test.send_all(press(Key::Char('\''), &mut ui, &state));
    // The run begins again, so the failure is a new one.
    test.send(PlayerCommand::SetOverlays(Overlays { log: true, ..ui.overlays }));
    test.send(PlayerCommand::CloseNotice(state.notices[0].text.clone()));
    test.send(PlayerCommand::RerunAll);
    test.send(PlayerCommand::ChangeSpeed(6));
    let state = test.wait("later than the end", |state| state.world.tick > 405);
    assert!(state.is_playing);
    assert!(!state.notices.iter().any(|one| is_failure(&one.text)), "{:?}", state.notices);
    let failures = state.log.iter().filter(|line| is_failure(&line.text));
    assert!(failures.count() >= 1, "the log has it");
    test.send_all(press(Key::Char('\''), &mut ui, &state));
    test.at(395);
    test.send(PlayerCommand::TogglePause);
    let state = test.wait("the end", |state| state.world.tick >= 400 && !state.is_playing);
    assert_eq!(state.world.tick, 400);
}

/// A push was seen only in what the agents did.
#[test]
fn a_push_is_a_circle_for_a_moment() {
    let test = PlayerTest::new();
    let state = test.at(30);
    let mut ui = Ui::new((1280, 800), false);
    ui.pointer_moved(Some(Vec2::new(300.0, 200.0)), &state);
    let plain = drawn(&ui, &state);
    let commands = UiCommand::Push.execute(&mut ui, &state);
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

/// Notices had other places and widths from one moment to the next.
#[test]
fn notices_have_one_place_and_one_width() {
    let test = PlayerTest::new();
    let long = "something is wrong ".repeat(6);
    for text in ["short", &long] {
        test.send(PlayerCommand::Notice { text: text.to_owned(), is_failure: true });
    }
    let state = test.wait("the notices", |state| state.notices.len() >= 2);
    let notices = |ui: &Ui| -> Vec<Area> {
        let frame = Frame::new(ui, &state, None);
        let is_it = |one: &&Widget| matches!(one.click, Some(UiCommand::CloseNotice(_)));
        frame.widgets().filter(is_it).map(|one| one.area).collect()
    };
    let mut ui = Ui::new((1280, 800), false);
    for is_open in [false, true] {
        panels::params::PANEL.set_open(&mut ui, is_open);
        let all = notices(&ui);
        assert_eq!(all[0].min, Vec2::splat(Layout::GAP));
        assert!(all.iter().all(|one| (one.min.x, one.width()) == (Layout::GAP, 300.0)), "{all:?}");
    }
    save_picture("notice", &ui, &state);
    // They cover no panel of a narrow window.
    for size in [(400, 300), (700, 480)] {
        ui.set_scale(Scale::new(size, Some(1.0)));
        let world = ui.layout(&state).world.0 as f32;
        assert!(notices(&ui).iter().all(|one| one.max.x <= world), "{size:?}");
    }
}

#[test]
fn an_audience_sees_no_remarks() {
    let test = PlayerTest::new();
    test.at(30);
    test.send(PlayerCommand::KeepRun);
    let state = test.wait("the baseline", |state| state.is_ghost_kept);
    let mut ui = Ui::new(SIZE, false);
    let has_remark = |ui: &Ui| {
        let frame = Frame::new(ui, &state, None);
        frame.widgets().any(|one| one.click == Some(UiCommand::ToggleGhost))
    };
    assert!(has_remark(&ui));
    press(Key::Char('\''), &mut ui, &state);
    assert!(!has_remark(&ui));
    // They are far away: the gray run is as dark as quiet words for them.
    assert_eq!(ghost_colors(&ui), [ui.palette().quiet; 2]);
    save_picture("presented_gray_run", &ui, &state);
}

/// A world without agents went on for minutes while a class looked at it.
#[test]
fn the_run_pauses_once_when_all_agents_are_gone() {
    let events = |more: &str| {
        let gone =
            ["bird", "fox"].map(|group| format!("At(tick: 40, do: Remove(group: \"{group}\"))"));
        let events = format!("events: [{}{more}], groups", gone.join(", "));
        PlayerTest::with_scenario(&SCENARIO.replacen("groups", &events, 1))
    };
    let test = events("");
    let state = test.wait("the pause", |state| !state.is_playing && state.world.tick > 0);
    assert_eq!((state.world.tick, state.world.agents.len()), (41, 0));
    let words = "the last agent is gone at tick 41, so the run pauses (space: go on)";
    assert!(state.notices.iter().any(|one| one.text == words), "{:?}", state.notices);
    test.send(PlayerCommand::TogglePause);
    let state = test.wait("later", |state| state.world.tick > 60);
    assert!(state.is_playing);
    // More agents come.
    let test = events(", At(tick: 90, do: Spawn(group: \"fox\", count: 1))");
    let state = test.wait("the new one", |state| state.world.tick > 92);
    assert!(state.is_playing && state.world.agents.len() == 1);
}

/// Three notices lay over the flock that they were about.
#[test]
fn at_most_two_notices_are_over_the_world() {
    let test = PlayerTest::new();
    for text in ["one", "two", "three"] {
        test.send(PlayerCommand::Notice { text: text.to_owned(), is_failure: false });
    }
    let state = test.wait("all", |state| state.notices.iter().any(|one| one.text == "three"));
    let shown = |ui: &Ui| -> Vec<usize> {
        let frame = Frame::new(ui, &state, None);
        let number = |one: &Widget| match one.click {
            Some(UiCommand::CloseNotice(number)) => Some(number),
            _ => None,
        };
        frame.widgets().filter_map(number).collect()
    };
    let last = state.notices.len() - 1;
    assert_eq!(shown(&Ui::new((1280, 800), false)), [last - 1, last]);
    assert_eq!(shown(&Ui::new((400, 300), false)), [last]);
}

/// Half of a flock was missing around a followed bird at the edge, and lines to its neighbors ended in the gray.
#[test]
fn a_view_beyond_a_wrapping_edge_shows_agents_again_that_cannot_be_clicked() {
    let test = PlayerTest::new();
    let state = test.at(3);
    let world = &state.world;
    let mut ui = Ui::new((1280, 800), false);
    ui.pan(&state, Vec2::new(4.0, 0.0));
    save_picture("beyond_the_edge", &ui, &state);
    let fox = world.agents.pos(world.agents.len() - 1);
    let camera = ui.camera(&state);
    let at = camera.pixel(fox + Vec2::new(world.space.size.x, 0.0));
    assert!(at.x < ui.layout(&state).world.0 as f32, "{at}");
    let pixels = drawn(&ui, &state);
    let pixel = |at: Vec2| pixels[at.y as usize * 1280 + at.x as usize];
    assert_ne!(pixel(at), pixel(at + Vec2::new(0.0, 40.0)), "a copy of the fox");
    assert_ne!(pixel(at), pixel(camera.pixel(fox)), "it is pale");
    assert_eq!(crate::draw::agent_at(world, &camera, at, |_| true), None);
}

/// Caught: panels cut the ring of a presenter at their edge.
#[test]
fn the_ring_of_a_presenter_is_whole_at_the_edge_of_the_panels() {
    let test = PlayerTest::new();
    let state = test.at(30);
    let mut ui = Ui::new((1280, 800), false);
    panels::params::PANEL.set_open(&mut ui, true);
    ui.presented = Some(Vec::new());
    let edge = ui.layout(&state).world.0 as f32;
    ui.pointer_moved(Some(Vec2::new(edge - 2.0, 300.0)), &state);
    save_picture("ring_at_the_edge", &ui, &state);
    let right = 300 * 1280 + (edge + 40.0) as usize;
    let with_ring = drawn(&ui, &state)[right];
    ui.presented = None;
    assert_ne!(with_ring, drawn(&ui, &state)[right]);
}

/// The script had eight rows below an empty gap, and of three forces one was seen, below facts that nobody asked for.
#[test]
fn an_audience_sees_the_forces_before_the_facts_and_the_script_without_a_gap() {
    let test = PlayerTest::new();
    test.at(30);
    test.send(PlayerCommand::Select(Some(AgentId(3))));
    let state = test.wait("the agent", |state| state.next_turn.is_some());
    let mut ui = Ui::new((1280, 800), false);
    let first_share = |ui: &Ui| {
        let frame = Frame::new(ui, &state, None);
        let top = frame.area(panels::agent::PANEL.id).unwrap().min.y;
        let share = frame.widgets().find(|one| one.click == Some(UiCommand::ShowCall(0)));
        share.unwrap().area.min.y - top
    };
    let before = first_share(&ui);
    press(Key::Char('\''), &mut ui, &state);
    save_picture("presented_agent", &ui, &state);
    assert!(first_share(&ui) < before - 16.0, "{before}");
    let state = ViewState { next_turn: None, ..(*state).clone() };
    panels::params::PANEL.set_open(&mut ui, true);
    panels::files::PANEL.set_open(&mut ui, true);
    save_picture("presented_script", &ui, &state);
    let layout = ui.layout(&state);
    let files = layout.area(panels::files::PANEL.id).unwrap();
    let params = layout.area(panels::params::PANEL.id).unwrap();
    assert!((files.min.y - params.max.y).abs() < 2.0, "{params:?} {files:?}");
}

/// The ring around the pointer lay over the names of the params that it showed.
#[test]
fn the_spot_is_thin_over_panels() {
    let test = PlayerTest::new();
    let state = test.at(30);
    let mut ui = Ui::new((1280, 800), false);
    panels::params::PANEL.set_open(&mut ui, true);
    press(Key::Char('\''), &mut ui, &state);
    let params = ui.layout(&state).area(panels::params::PANEL.id).unwrap();
    // Nothing else is drawn in another way there.
    let below = Vec2::new(params.min.x + 100.0, params.max.y + 90.0);
    let mut at = |point: Vec2| {
        ui.pointer_moved(Some(point), &state);
        drawn(&ui, &state)
    };
    let [world, other, panel] =
        [Vec2::new(200.0, 250.0), Vec2::new(350.0, 250.0), below].map(&mut at);
    let changed =
        |other: &[u32]| world.iter().zip(other).filter(|(one, other)| one != other).count();
    let (both, one) = (changed(&other), changed(&panel));
    assert!(one * 3 < both * 2, "{one} {both}");
}
