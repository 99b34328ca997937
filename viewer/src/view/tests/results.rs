//! Steps through the results of a tune.

use flockwork_engine::scenario::TemplateValue;
use flockwork_engine::world::Value;

use super::super::frame::Frame;
use super::super::tune_results::{TuneResult, TuneResults};
use super::super::ui_command::UiCommand;
use super::*;

fn results() -> TuneResults {
    let row = |evaluation, values: [f32; 2], distance, is_best| TuneResult {
        evaluation,
        values: values.map(TemplateValue::Number).to_vec(),
        goals: vec![distance],
        errors: 0,
        is_best,
    };
    let names = ["groups.bird.params.room", "groups.fox.body.max_speed"];
    TuneResults {
        names: names.map(String::from).to_vec(),
        goals: vec!["minimize spread".into()],
        rows: vec![
            row(7, [33.5, 50.0], Some(0.01), true),
            row(0, [20.0, 45.0], Some(0.2), false),
            row(3, [11.0, 61.0], None, false),
        ],
    }
}

/// Returns a player that shows the first of these results, and is paused at the start.
fn player() -> PlayerTest {
    let test = PlayerTest::new();
    let results = Arc::new(results());
    let options = Options::default();
    let session =
        Session::open_with_values(&test.path(), options.clone(), results.values(0)).unwrap();
    let (sender, commands) = channel();
    let (player, shared) = Player::new(session, None);
    let player = player.with_results(results, options);
    thread::spawn(move || flockwork_engine::with_threads(1, || player.play(commands)));
    sender.send(PlayerCommand::TogglePause).unwrap();
    PlayerTest { sender, shared, dir: Arc::clone(&test.dir) }
}

fn room(state: &ViewState) -> Option<&Value> {
    state.params[0].get("room")
}

fn fastest_fox(state: &ViewState) -> f32 {
    state.world.groups[1].body.max_speed
}

#[test]
fn another_result_begins_the_run_again_and_goes_to_the_same_tick() {
    let test = player();
    let best = test.at(80);
    assert_eq!((room(&best), fastest_fox(&best)), (Some(&Value::Float(33.5)), 50.0));
    let mut ui = Ui::new(SIZE, false);
    let step = |ui: &mut Ui, key| {
        let state = test.shared.latest();
        press(key, ui, &state).into_iter().for_each(|command| test.send(command));
    };
    let shows = |index| {
        test.wait("the result", |state| {
            let is_shown = state.result.as_ref().is_some_and(|shown| shown.index == index);
            is_shown && state.world.tick == 80 && state.hash.is_some()
        })
    };
    step(&mut ui, Key::PageDown);
    let plain = shows(1);
    assert_eq!((room(&plain), fastest_fox(&plain)), (Some(&Value::Float(20.0)), 45.0));
    assert_eq!(plain.hash, Some(test.headless(80)), "the scenario as it is");
    step(&mut ui, Key::Char(')'));
    let worst = shows(2);
    // A round number stays a float.
    assert_eq!((room(&worst), fastest_fox(&worst)), (Some(&Value::Float(11.0)), 61.0));
    step(&mut ui, Key::PageDown);
    test.wait("the end", |state| {
        state.notices.iter().any(|notice| notice.text == "this is the last result")
    });
    step(&mut ui, Key::PageUp);
    step(&mut ui, Key::Char('('));
    assert_eq!(shows(0).hash, best.hash);
    // Time goes on if it did before.
    test.send(PlayerCommand::TogglePause);
    test.wait("time", |state| state.world.tick > 90);
    test.send(PlayerCommand::StepResult(1));
    let there = test.wait("the result", |state| {
        state.result.as_ref().is_some_and(|shown| shown.index == 1) && state.is_playing
    });
    test.wait("time", |state| state.world.tick > there.world.tick + 5);
}

#[test]
fn the_panel_shows_the_result_and_has_buttons() {
    let test = player();
    let first = test.at(5);
    test.send(PlayerCommand::StepResult(1));
    let second = test.wait("the result", |state| {
        state.result.as_ref().is_some_and(|shown| shown.index == 1) && state.hash.is_some()
    });
    for size in [(500, 400), (1280, 800), (3840, 2160)] {
        for is_dark in [false, true] {
            let mut ui = Ui::new(size, is_dark);
            let panel = ui.layout(&first).area(panels::results::PANEL.id).unwrap();
            let cut = |pixels: Vec<u32>| -> Vec<u32> {
                let rows = panel.min.y as usize..panel.max.y as usize;
                let columns = panel.min.x as usize..panel.max.x as usize;
                let of = |y: usize| &pixels[y * size.0 as usize..][columns.clone()];
                rows.flat_map(of).copied().collect()
            };
            assert!(cut(drawn(&ui, &first)) != cut(drawn(&ui, &second)));
            for (command, by) in [(UiCommand::PreviousResult, -1), (UiCommand::NextResult, 1)] {
                let frame = Frame::new(&ui, &first, None);
                let button = frame.widgets().find(|widget| widget.click == Some(command)).unwrap();
                let middle = (button.area.min + button.area.max) / 2.0;
                ui.pointer_moved(Some(middle), &first);
                ui.press(Button::Left, &first);
                assert_eq!(ui.release(&first), [PlayerCommand::StepResult(by)]);
            }
        }
    }
    let test = PlayerTest::new();
    let plain = test.at(3);
    assert!(Ui::new(SIZE, false).layout(&plain).area(panels::results::PANEL.id).is_none());
    test.send(PlayerCommand::StepResult(1));
    test.wait("no results", |state| {
        state.notices.iter().any(|notice| notice.text.starts_with("there are no results"))
    });
}
