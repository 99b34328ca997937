//! Laws for all panels: the window behaves as they declare.

use std::collections::BTreeSet;

use flockwork_engine::trace::Measure;

use super::super::find_action::FindAction;
use super::super::frame::Frame;
use super::super::keys::keys;
use super::super::panel::{Escape, Opening, Position};
use super::super::panel_drawing::BUTTON_GAP;
use super::super::panels::{NAMES, PANELS};
use super::super::plot::PlotSource;
use super::super::ui_command::UiCommand;
use super::super::widget::Widget;
use super::files::{open_files, type_before};
use super::*;

#[test]
fn each_panel_has_the_name_of_its_file_as_its_id() {
    let ids: Vec<&str> = PANELS.iter().map(|panel| panel.id.0).collect();
    assert_eq!(ids, NAMES);
    let unique: BTreeSet<&str> = ids.iter().copied().collect();
    assert_eq!(unique.len(), ids.len());
}

#[test]
fn the_key_of_a_panel_opens_and_closes_it() {
    let inputs = "inputs: { \"go\": Key(\"q\") }, groups:";
    let test = PlayerTest::with_scenario(&SCENARIO.replace("groups:", inputs));
    let state = test.at(30);
    let with_key: Vec<_> =
        PANELS.iter().filter_map(|panel| Some((*panel, panel.key.as_ref()?))).collect();
    assert!(with_key.len() >= 6);
    for (panel, declared) in with_key {
        let name = panel.id.0;
        // The help explains the key.
        let binding = keys().of_command(panel.toggle()).map(|one| (&*one.keys, one.does));
        assert_eq!(binding, Some((declared.keys, declared.does)), "{name}");
        let key = declared.keys[0];
        assert_ne!(panel.opening, Opening::WithContents, "{name}");
        let mut ui = Ui::new((1280, 800), false);
        let is_drawn = |ui: &Ui| Frame::new(ui, &state, None).area(panel.id).is_some();
        let (at_start, plain) = (panel.is_open(&ui), drawn(&ui, &state));
        assert_eq!(is_drawn(&ui), at_start, "{name}");
        press(key, &mut ui, &state);
        assert_eq!((panel.is_open(&ui), is_drawn(&ui)), (!at_start, !at_start), "{name}");
        assert!(drawn(&ui, &state) != plain, "{name}");
        press(key, &mut ui, &state);
        assert!(drawn(&ui, &state) == plain, "{name}");
        // Esc closes it too, or leaves it as it is.
        press(key, &mut ui, &state);
        press(Key::Escape, &mut ui, &state);
        let is_left_open = panel.escape == Escape::Never && !at_start;
        assert_eq!(panel.is_open(&ui), is_left_open, "{name}");
    }
}

/// `write` and `drop` touched each other, without a frame: one was hit in place of the other.
#[test]
fn buttons_with_words_are_apart() {
    let test = PlayerTest::new();
    test.at(30);
    let mut ui = open_files(&test);
    test.send(PlayerCommand::Select(Some(AgentId(3))));
    let state = test.wait("the agent", |state| state.next_turn.is_some() && state.files.len() == 3);
    type_before(&mut ui, &state, "+ me.alignment");
    press(Key::Char('8'), &mut ui, &state);
    press(Key::Ctrl('h'), &mut ui, &state);
    panels::predict::PANEL.set_open(&mut ui, true);
    let groups: [&[UiCommand]; 4] = [
        &[UiCommand::DropText, UiCommand::Write],
        &[
            UiCommand::Find(FindAction::SwitchCase),
            UiCommand::Find(FindAction::SwitchWholeWords),
            UiCommand::Find(FindAction::Previous),
            UiCommand::Find(FindAction::Next),
            UiCommand::Find(FindAction::Close),
        ],
        &[UiCommand::Find(FindAction::ReplaceOne), UiCommand::Find(FindAction::ReplaceAll)],
        &[
            UiCommand::PredictAfter(0),
            UiCommand::PredictAfter(1),
            UiCommand::PredictAfter(2),
            UiCommand::PredictOther,
        ],
    ];
    for is_dark in [false, true] {
        ui.is_dark = is_dark;
        save_picture("buttons_with_words", &ui, &state);
    }
    let frame = Frame::new(&ui, &state, None);
    for group in groups {
        let with = |command: UiCommand| {
            frame.widgets().filter(move |one| one.click == Some(command)).last()
        };
        let areas = group.iter().map(|command| with(*command).expect("a button").area);
        let mut areas: Vec<_> = areas.collect();
        areas.sort_by(|a, b| a.min.x.total_cmp(&b.min.x));
        for pair in areas.windows(2) {
            assert!(pair[1].min.x - pair[0].max.x >= BUTTON_GAP, "{group:?}: {pair:?}");
            assert!(pair[0].height() >= Widget::MIN_SIDE, "{group:?}");
        }
    }
}

/// Caught: in a small window, the row of the selected param and the dot of an agent lay on the plot and the time bar below them.
#[test]
fn panels_of_the_column_draw_nothing_below_them() {
    let test = PlayerTest::new();
    test.at(30);
    test.send(PlayerCommand::Select(Some(AgentId(3))));
    let state = test.wait("the agent", |state| state.next_turn.is_some());
    for size in [(320, 240), (320, 300), (600, 400)] {
        let mut ui = Ui::new(size, false);
        panels::params::PANEL.set_open(&mut ui, true);
        ui.show_plot(Some(PlotSource::Measure(Measure::MeanSpeed)));
        let frame = Frame::new(&ui, &state, None);
        save_picture("small_column", &ui, &state);
        for panel in PANELS.iter().filter(|one| matches!(one.position, Position::Column(_))) {
            let Some(area) = frame.area(panel.id) else { continue };
            let palette = frame.scene.palette();
            let mut picture = Picture::new((size.0, size.1), palette.ground);
            (panel.draw)(&mut picture, &frame.scene, area);
            let pixels: Vec<u32> = picture.rgb().collect();
            let below = &pixels[size.0 as usize * area.max.y.ceil() as usize..];
            let is_empty = below.iter().all(|pixel| *pixel == *pixels.last().unwrap());
            assert!(is_empty, "{}, {size:?}, {area:?}", panel.id.0);
        }
    }
}
