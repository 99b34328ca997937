//! Keys and mouse: the commands they send and what the screen shows then.

use std::path::Path;

use super::super::area::Area;
use super::super::ask::Ask;
use super::super::choice::Choice;
use super::super::choices::choices;
use super::super::frame::Frame;
use super::super::keys::keys;
use super::super::layout::Layout;
use super::super::panels::help::{HelpText, MOUSE};
use super::super::text_writer;
use super::super::ui_command::UiCommand;
use super::super::widget::Widget;
use super::super::words::words;
use flockwork_engine::world::AgentId;

use super::*;
use crate::draw::text_width;

#[test]
fn a_click_selects_an_agent_and_the_panels_explain_it() {
    let test = PlayerTest::new();
    let state = test.at(30);
    let mut ui = Ui::new(SIZE, false);
    let plain = drawn(&ui, &state);
    let at = ui.camera(&state).pixel(state.world.agents.pos(4));
    ui.pointer_moved(Some(at), &state);
    ui.press(Button::Left, &state);
    let commands = ui.release(&state);
    let [PlayerCommand::Select(Some(_))] = commands.as_slice() else {
        panic!("{commands:?}");
    };
    test.send(PlayerCommand::Select(Some(AgentId(4))));
    test.send(PlayerCommand::SetOverlays(Overlays {
        forces: true,
        field: true,
        ..Overlays::default()
    }));
    let explained = test.wait("the explained agent", |state| {
        state.next_turn.is_some() && !state.forces.is_empty() && !state.field.is_empty()
    });
    assert_eq!(explained.next_turn.as_ref().unwrap().id, 4);
    assert_eq!(explained.forces.len(), 13);
    assert!(drawn(&ui, &explained) != plain);
    // A selected agent may be removed.
    fs::write(test.path(), SCENARIO.replace("count: 12", "count: 2")).unwrap();
    test.wait("no selection", |state| state.next_turn.is_none());
}

#[test]
fn keys_select_params_set_goals_and_close_panels() {
    let test = PlayerTest::new();
    test.at(5);
    test.send(PlayerCommand::Select(Some(AgentId(4))));
    let state = test.wait("a bird", |state| state.next_turn.is_some());
    let mut ui = Ui::new(SIZE, false);
    let group = |ui: &Ui| ui.params(&state).0.0;
    // First the params of the bird's group, then those of the next group, whatever is selected.
    press(Key::Tab, &mut ui, &state);
    assert_eq!(group(&ui), 0);
    press(Key::Tab, &mut ui, &state);
    assert_eq!(group(&ui), 1);
    drawn(&ui, &state);
    press(Key::Tab, &mut ui, &state);
    assert_eq!(group(&ui), 0);
    press(Key::Tab, &mut ui, &state);
    let camera = ui.camera(&state);
    let birds = (0..12).map(|row| camera.pixel(state.world.agents.pos(row)));
    let frame = Frame::new(&ui, &state, None);
    let bird = birds.into_iter().find(|at| !frame.is_panel(*at));
    ui.pointer_moved(bird, &state);
    ui.press(Button::Left, &state);
    ui.release(&state);
    assert_eq!(group(&ui), 0, "the group of the clicked agent");

    let goal = press(Key::Char('x'), &mut ui, &state);
    assert!(
        matches!(&goal[..], [PlayerCommand::SetGoal { group: Some(name), .. }] if name == "bird")
    );
    let panel = ui.layout(&state).area(panels::agent::PANEL.id).unwrap();
    ui.pointer_moved(Some((panel.min + panel.max) / 2.0), &state);
    assert_eq!(press(Key::Char('x'), &mut ui, &state), []);

    let mut far = ViewState::clone(&state);
    far.target = Some(1_000_000);
    assert_eq!(press(Key::Escape, &mut ui, &far), [PlayerCommand::TogglePause]);
    // One thing at a time: digits, the help, going to a tick, the panels, the selection. Sliders are always at hand.
    press(Key::Char('?'), &mut ui, &far);
    press(Key::Char('7'), &mut ui, &far);
    assert_eq!(press(Key::Escape, &mut ui, &far), []);
    assert!(ui.digits.is_empty() && panels::help::PANEL.is_open(&ui));
    assert_eq!(press(Key::Escape, &mut ui, &far), []);
    assert!(!panels::help::PANEL.is_open(&ui));
    assert_eq!(press(Key::Escape, &mut ui, &far), [PlayerCommand::TogglePause]);
    assert!(panels::params::PANEL.is_open(&ui));
    press(Key::Char('a'), &mut ui, &state);
    press(Key::Char('m'), &mut ui, &state);
    let overlays = press(Key::Escape, &mut ui, &state);
    assert!(matches!(overlays[..], [PlayerCommand::SetOverlays(_)]), "{overlays:?}");
    assert!(!panels::expectations::PANEL.is_open(&ui) && panels::log::PANEL.is_open(&ui));
    press(Key::Escape, &mut ui, &state);
    assert!(!panels::log::PANEL.is_open(&ui));
    assert_eq!(press(Key::Escape, &mut ui, &state), [PlayerCommand::Select(None)]);
    assert!(panels::params::PANEL.is_open(&ui));
}

/// `run to tick 2_` stayed after other keys, and an enter for something else ran there.
#[test]
fn another_key_or_a_click_ends_typed_digits() {
    let test = PlayerTest::new();
    let state = test.at(5);
    let mut ui = Ui::new(SIZE, false);
    let without = drawn(&ui, &state);
    for key in [Key::Char('n'), Key::Char('#'), Key::Ctrl('k')] {
        press(Key::Char('2'), &mut ui, &state);
        assert!(drawn(&ui, &state) != without);
        press(key, &mut ui, &state);
        assert!(ui.digits.is_empty(), "{key:?}");
        assert!(drawn(&ui, &state) == without, "{key:?}");
    }
    press(Key::Char('2'), &mut ui, &state);
    ui.pointer_moved(Some(Vec2::new(100.0, 100.0)), &state);
    ui.press(Button::Left, &state);
    assert!(ui.digits.is_empty());
    ui.release(&state);
    for _ in 0..9 {
        assert_eq!(press(Key::Char('9'), &mut ui, &state), []);
    }
    // Caught: the tenth began a new number; or it was left out, and nothing said so.
    let said = press(Key::Char('8'), &mut ui, &state);
    let text = "a tick has at most 9 digits".to_owned();
    assert_eq!(said, [PlayerCommand::Notice { text, is_failure: true }]);
    assert_eq!(ui.digits, "999999999");
    ui.digits.clear();
    // They count until then.
    for key in ['1', '2'].map(Key::Char) {
        press(key, &mut ui, &state);
    }
    press(Key::Backspace, &mut ui, &state);
    assert_eq!(press(Key::Enter, &mut ui, &state), [PlayerCommand::RunTo(1)]);
}

/// A word of the menu was unknown to the search, and what one typed took the place of `open scenario`.
#[test]
fn the_search_knows_the_words_of_the_menu_and_scenarios_are_searched_among_themselves() {
    let test = PlayerTest::new();
    let state = test.at(5);
    let mut ui = Ui::new(SIZE, false);
    press(Key::Char(':'), &mut ui, &state);
    "audience".chars().for_each(|letter| drop(press(Key::Char(letter), &mut ui, &state)));
    press(Key::Enter, &mut ui, &state);
    assert!(ui.presented.is_some());
    press(Key::Ctrl('o'), &mut ui, &state);
    "cross".chars().for_each(|letter| drop(press(Key::Char(letter), &mut ui, &state)));
    let question = ui.question.as_ref().unwrap();
    assert_eq!(question.text, "open scenario cross");
    // There is none here, and no word of the reference instead of it.
    assert_eq!(choices(&ui, &state, &question.text), []);
}

/// A click on a goal did nothing but deselect.
#[test]
fn a_click_on_a_goal_says_whose_it_is() {
    let goals =
        r#""fox": (goals: [(at: (100, 200), radius: 9), (at: (250, 220), radius: 9)], behavior"#;
    let test = PlayerTest::with_scenario(&SCENARIO.replace(r#""fox": (behavior"#, goals));
    let state = test.at(5);
    let mut ui = Ui::new(SIZE, false);
    let mut click = |at: Vec2| {
        let pixel = ui.camera(&state).pixel(at);
        ui.pointer_moved(Some(pixel), &state);
        ui.press(Button::Left, &state);
        ui.release(&state)
    };
    let text = "this is goal 2 of 2 of the group fox".to_owned();
    let said = PlayerCommand::Notice { text, is_failure: false };
    assert_eq!(click(Vec2::new(251.0, 220.0)), [said]);
    assert_eq!(click(Vec2::new(350.0, 270.0)), [PlayerCommand::Select(None)]);
}

/// Comparing was in no menu.
#[test]
fn the_menu_has_comparisons_and_pictures_with_their_keys() {
    let test = PlayerTest::new();
    let state = test.at(5);
    let mut ui = Ui::new((1380, 860), false);
    press(Key::Char('h'), &mut ui, &state);
    save_picture("menu", &ui, &state);
    let frame = Frame::new(&ui, &state, None);
    for command in [
        UiCommand::CompareParams,
        UiCommand::SwapParams,
        UiCommand::ToggleGhost,
        UiCommand::TakePicture,
        UiCommand::Record,
    ] {
        let number = keys().all().position(|one| one.command == command).unwrap();
        let row = Some(UiCommand::Choose(Choice::Action(number)));
        assert!(frame.widgets().any(|one| one.click == row), "{command:?}");
        assert!(!keys().all().nth(number).unwrap().label.is_empty(), "{command:?}");
    }
}

/// Presses the right button at a point.
fn right_click(ui: &mut Ui, at: Vec2, state: &ViewState) {
    ui.pointer_moved(Some(at), state);
    assert_eq!(ui.press(Button::Right, state), []);
    assert_eq!(ui.release(state), []);
}

/// Moves the pointer to the row of the menu of a place that has a command, and clicks it.
fn click_row(ui: &mut Ui, command: UiCommand, state: &ViewState) -> Vec<PlayerCommand> {
    let at = {
        let frame = Frame::new(ui, state, None);
        let menu = frame.area(panels::here::PANEL.id).expect("the menu is open");
        let is_it = |one: &&Widget| menu.contains(middle(one.area)) && one.click == Some(command);
        let row = frame.widgets().find(is_it).map(|one| one.area);
        middle(row.expect("there is a row"))
    };
    ui.pointer_moved(Some(at), state);
    ui.press(Button::Left, state);
    ui.release(state)
}

/// Caught: the menu stayed over the world while the run went on below it.
#[test]
fn the_menu_of_a_place_closes_when_something_else_is_done() {
    let test = PlayerTest::new();
    let state = test.at(30);
    for (key, is_open) in [(Key::Char('t'), false), (Key::Char('7'), true), (Key::Char(' '), false)]
    {
        let mut ui = Ui::new((1280, 800), false);
        right_click(&mut ui, Vec2::new(300.0, 300.0), &state);
        assert!(panels::here::PANEL.is_open(&ui));
        press(key, &mut ui, &state);
        assert_eq!(panels::here::PANEL.is_open(&ui), is_open, "{key:?}");
    }
}

/// A right click pushed all agents away, which nobody expects.
#[test]
fn the_right_button_lists_what_can_be_done_at_a_place() {
    let test = PlayerTest::new();
    let state = test.at(30);
    let mut ui = Ui::new(SIZE, false);
    let fox = ui.camera(&state).pixel(state.world.agents.pos(12));
    right_click(&mut ui, fox, &state);
    save_picture("menu_of_a_place", &ui, &state);
    let place = ui.camera(&state).place(fox);
    let goal = click_row(&mut ui, UiCommand::Goal, &state);
    assert!(
        matches!(&goal[..], [PlayerCommand::SetGoal { group: None, at, .. }] if *at == place),
        "where the menu was opened, not where the row is: {goal:?}"
    );
    assert!(!panels::here::PANEL.is_open(&ui));
    right_click(&mut ui, fox, &state);
    let select = UiCommand::Choose(Choice::Agent(AgentId(12)));
    assert_eq!(click_row(&mut ui, select, &state), [PlayerCommand::Select(Some(AgentId(12)))]);
    // Escape closes it, and so does a click beside it, which does nothing else.
    right_click(&mut ui, fox, &state);
    assert_eq!(press(Key::Escape, &mut ui, &state), []);
    assert!(!panels::here::PANEL.is_open(&ui));
    right_click(&mut ui, fox, &state);
    ui.pointer_moved(Some(Vec2::new(20.0, 20.0)), &state);
    assert_eq!(ui.press(Button::Left, &state), []);
    assert_eq!((ui.release(&state), panels::here::PANEL.is_open(&ui)), (vec![], false));
    // Wherever it is opened, all rows are in the window.
    for corner in [Vec2::ZERO, Vec2::new(SIZE.0 as f32 - 1.0, 300.0), Vec2::new(400.0, 480.0)] {
        ui.here = None;
        right_click(&mut ui, corner, &state);
        let frame = Frame::new(&ui, &state, None);
        let Some(area) = frame.area(panels::here::PANEL.id) else { continue };
        assert!(area.min.cmpge(Vec2::ZERO).all() && area.max.x <= SIZE.0 as f32, "{area:?}");
    }
}

#[test]
fn the_wheel_zooms_around_the_pointer_and_a_drag_moves_the_world() {
    let test = PlayerTest::new();
    let state = test.at(1);
    let mut ui = Ui::new(SIZE, false);
    let pointer = Vec2::new(300.0, 200.0);
    ui.pointer_moved(Some(pointer), &state);
    let under = ui.point_under_pointer(&state);
    for _ in 0..5 {
        ui.wheel(1.0, &state);
    }
    assert!(ui.point_under_pointer(&state).distance(under) < 1e-2);
    ui.press(Button::Left, &state);
    ui.pointer_moved(Some(pointer + Vec2::new(40.0, 10.0)), &state);
    assert!(ui.release(&state).is_empty(), "a drag selects no agent");
    assert!(
        ui.point_under_pointer(&state).distance(under) < 1e-2,
        "the world moved with the pointer"
    );
    press(Key::Char('f'), &mut ui, &state);
    assert!(ui.point_under_pointer(&state).distance(under) > 1.0);
}

#[test]
fn keys_zoom_and_move_the_view() {
    let test = PlayerTest::new();
    let state = test.at(1);
    let mut ui = Ui::new(SIZE, false);
    let fit = ui.camera(&state);
    let middle = Vec2::new(200.0, 150.0);
    press(Key::Char('+'), &mut ui, &state);
    assert!(ui.camera(&state).pixels(1.0) > fit.pixels(1.0));
    assert!(ui.camera(&state).pixel(middle).distance(fit.pixel(middle)) < 1e-2);
    press(Key::Char('-'), &mut ui, &state);
    for (key, by) in
        [(Key::Right, (-60.0, 0.0)), (Key::Up, (-60.0, 60.0)), (Key::Left, (0.0, 60.0))]
    {
        press(key, &mut ui, &state);
        let moved = ui.camera(&state).pixel(middle) - fit.pixel(middle);
        assert!(moved.distance(Vec2::new(by.0, by.1)) < 1e-2, "{key}: {moved}");
    }
    press(Key::Char('f'), &mut ui, &state);
    assert_eq!(ui.camera(&state), fit);
}

#[test]
fn no_key_has_two_meanings_and_each_is_explained() {
    let all: Vec<_> = keys().all().collect();
    for (i, binding) in all.iter().enumerate() {
        assert!(!binding.does.is_empty() && !binding.name.is_empty());
        assert!(all[..i].iter().all(|other| other.name != binding.name), "{}", binding.name);
        for key in &binding.keys {
            assert_eq!(keys().of_key(*key).map(|one| one.name), Some(binding.name), "{key}");
        }
    }
}

/// Only who knew the key could open the plot, the log and the expectations.
#[test]
fn a_click_in_the_menu_does_what_the_key_does() {
    let test = PlayerTest::new();
    let state = test.at(30);
    let mut ui = Ui::new((1280, 800), false);
    press(Key::Char('?'), &mut ui, &state);
    let number = keys().all().position(|one| one.name == "trails").unwrap();
    let command = UiCommand::Choose(Choice::Action(number));
    let frame = Frame::new(&ui, &state, None);
    let area = frame.widgets().find(|one| one.click == Some(command)).unwrap().area;
    save_picture("menu", &ui, &state);
    assert!(!ui.has_trails);
    all_actions(&mut ui, middle(area), &state);
    assert!(ui.has_trails && !panels::help::PANEL.is_open(&ui));
    let count = keys().all().count();
    press(Key::Char('?'), &mut ui, &state);
    let frame = Frame::new(&ui, &state, None);
    let is_action = |number| {
        let command = Some(UiCommand::Choose(Choice::Action(number)));
        frame.widgets().any(|one| one.click == command)
    };
    assert!((0..count).all(is_action));
}

#[test]
fn actions_params_agents_and_words_are_found_by_typing() {
    let test = PlayerTest::new();
    let state = test.at(30);
    let mut ui = Ui::new((1280, 800), false);
    let find = |ui: &mut Ui, text: &str| {
        press(Key::CtrlShift('p'), ui, &state);
        text.chars().for_each(|letter| drop(press(Key::Char(letter), ui, &state)));
    };
    find(&mut ui, "trails");
    save_picture("choices", &ui, &state);
    press(Key::Enter, &mut ui, &state);
    assert!(ui.has_trails && ui.question.is_none());
    find(&mut ui, "Room");
    press(Key::Enter, &mut ui, &state);
    assert!(panels::params::PANEL.is_open(&ui));
    assert_eq!((ui.param, ui.params(&state).0.0), (2, 0));
    find(&mut ui, "4");
    assert_eq!(press(Key::Enter, &mut ui, &state), [PlayerCommand::Select(Some(AgentId(4)))]);
    find(&mut ui, "separation");
    save_picture("choices_words", &ui, &state);
    press(Key::Enter, &mut ui, &state);
    save_picture("word", &ui, &state);
    assert!(panels::word::PANEL.is_open(&ui));
    assert!(words()[ui.word].names.contains(&"separation"));
    press(Key::Escape, &mut ui, &state);
    assert!(!panels::word::PANEL.is_open(&ui));
    // The second row, and nothing.
    find(&mut ui, "one tick");
    press(Key::Down, &mut ui, &state);
    assert_eq!(press(Key::Enter, &mut ui, &state), [PlayerCommand::StepBack]);
    // A word of another program, and one that is in `latest`, too.
    find(&mut ui, "restart");
    assert_eq!(press(Key::Enter, &mut ui, &state), [PlayerCommand::RerunAll]);
    find(&mut ui, "test");
    press(Key::Enter, &mut ui, &state);
    assert!(matches!(ui.question.take().unwrap().ask, Ask::Save { .. }));
    // Words for what the window has under other names. It writes no tables.
    for (words, name, is_first) in [
        ("weights", "only_weight", true),
        ("agent", "scene", false),
        ("add agent", "scene", false),
        ("histogram", "plot", true),
        ("chart", "plot", true),
        ("graph", "plot", true),
        ("script", "files", true),
    ] {
        find(&mut ui, words);
        let rows = ui.question_rows(&state);
        let names = rows.iter().filter_map(|row| match row.choice {
            Choice::Action(number) => keys().all().nth(number).map(|one| one.name),
            _ => None,
        });
        let names: Vec<&str> = names.collect();
        let number = names.iter().position(|one| *one == name);
        assert!(number.is_some_and(|number| number == 0 || !is_first), "{words}: {names:?}");
        assert!(matches!(rows[0].choice, Choice::Action(_)), "{words}: {rows:?}");
        press(Key::Escape, &mut ui, &state);
    }
    // A word that leads nowhere is left out, and scenarios have a list of their own.
    find(&mut ui, "reset simulation");
    assert_eq!(press(Key::Enter, &mut ui, &state), [PlayerCommand::RerunAll]);
    press(Key::Ctrl('o'), &mut ui, &state);
    assert_eq!(ui.question.take().unwrap().text, "open scenario ");
    find(&mut ui, "no such thing");
    save_picture("choices_none", &ui, &state);
    assert_eq!(press(Key::Enter, &mut ui, &state), []);
    press(Key::Escape, &mut ui, &state);
    assert_eq!(ui.question, None);
}

/// The table of keys in the book is made from the keys. `SNAPSHOTS=overwrite` writes it.
#[test]
fn the_book_lists_all_keys() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/src/window_details.md");
    // A packed crate has no book.
    let Ok(page) = fs::read_to_string(&path) else { return };
    let keys = keys().all().map(|binding| {
        let names: Vec<String> = binding.keys.iter().map(|key| format!("`{key}`")).collect();
        let names = if names.is_empty() { "in the menu".to_owned() } else { names.join(" or ") };
        format!("| {names} | {} | `{}` |\n", binding.does, binding.name)
    });
    let mouse = MOUSE.iter().map(|(what, does)| format!("| {what} | {does} | |\n"));
    let rows: String = keys.chain(mouse).collect();
    let table = format!("| key | what it does | action |\n|---|---|---|\n{rows}");
    if page.contains(&table) {
        return;
    }
    let (before, rest) = page.rsplit_once("| key |").unwrap();
    let (_, after) = rest.split_once("<!-- end of the table").unwrap();
    let overwrites = std::env::var("SNAPSHOTS").is_ok_and(|action| action == "overwrite");
    assert!(overwrites, "docs/src/window_details.md should have this table:\n{table}");
    fs::write(path, format!("{before}{table}\n<!-- end of the table{after}")).unwrap();
}

#[test]
fn windows_of_any_size_are_drawn_with_everything_open() {
    let expect = "expect: [AllFinite, MaxSpeed(speed: 1)], groups";
    let test = PlayerTest::with_scenario(&SCENARIO.replace("groups", expect));
    test.send(PlayerCommand::Select(Some(AgentId(3))));
    test.send(PlayerCommand::SetOverlays(Overlays {
        forces: true,
        field: true,
        log: true,
        expectations: true,
        numbers: true,
        files: true,
    }));
    test.at(60);
    test.at(30);
    test.send(PlayerCommand::Push { at: Vec2::ONE, radius: 9.0 });
    test.wait("a ghost", |state| state.ghost.is_some());
    test.script("fox", &FOX.replace("me.wander()", "debug(1); me.wander()"));
    test.wait("an edit", |state| state.edits.len() > 1);
    test.at(45);
    test.script("bird", "fn steer(me) { me.sepration(3) }");
    let state = test.wait("all", |state| {
        !state.errors.is_empty() && state.next_turn.is_some() && state.judged.is_some()
    });
    for size in [(1, 1), (2, 700), (40, 30), (300, 200), (1280, 800), (5000, 3000)] {
        for dark in [false, true] {
            let mut ui = Ui::new(size, dark);
            for key in "htvwpjam".chars() {
                press(Key::Char(key), &mut ui, &state);
            }
            press(Key::Char('7'), &mut ui, &state);
            ui.pointer_moved(Some(Vec2::new(size.0 as f32 / 2.0, size.1 as f32 / 2.0)), &state);
            ui.wheel(1.0, &state);
            ui.press(Button::Left, &state);
            ui.press(Button::Right, &state);
            ui.release(&state);
            let pixels = drawn(&ui, &state);
            assert_eq!(pixels.len(), size.0 as usize * size.1 as usize);
        }
    }
}

pub(super) fn middle(area: Area) -> Vec2 {
    (area.min + area.max) / 2.0
}

/// Returns the commands of all mouse actions at a place, and of the goal key.
fn all_actions(ui: &mut Ui, at: Vec2, state: &ViewState) -> Vec<PlayerCommand> {
    let mut commands = ui.pointer_moved(Some(at), state);
    commands.extend(ui.press(Button::Left, state));
    commands.extend(ui.release(state));
    commands.extend(ui.press(Button::Right, state));
    commands.extend(ui.wheel(1.0, state));
    commands.extend(ui.wheel(-1.0, state));
    commands.extend(press(Key::Char('x'), ui, state));
    commands
}

/// Clicks on the help pushed and selected agents below it, and the wheel over it zoomed the world and changed params.
#[test]
fn panels_keep_the_mouse_from_what_they_cover() {
    let test = PlayerTest::new();
    test.at(30);
    test.send(PlayerCommand::Select(Some(AgentId(4))));
    let state = test.wait("the explained agent", |state| state.next_turn.is_some());
    let quiet = [PlayerCommand::MoveCursor(None)];
    for size in [SIZE, (500, 400), (3840, 2160)] {
        let mut ui = Ui::new(size, false);
        panels::params::PANEL.set_open(&mut ui, true);
        let world = ui.camera(&state);
        press(Key::Char('?'), &mut ui, &state);
        let help = Frame::new(&ui, &state, None).area(panels::help::PANEL.id).unwrap();
        // All over the help but on its rows, whatever is below.
        for share in [0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99] {
            for other in [0.02, 0.4, 0.8, 0.98] {
                let at = help.min + (help.max - help.min) * Vec2::new(share, other);
                ui.param = 1;
                let frame = Frame::new(&ui, &state, None);
                if frame.widget_at(at).is_none_or(|widget| widget.click.is_some()) {
                    continue;
                }
                assert_eq!(all_actions(&mut ui, at, &state), quiet, "{size:?}: {at}");
                assert_eq!(ui.param, 1, "{size:?}: {at}");
            }
        }
        assert_eq!(ui.camera(&state), world, "{size:?}");
    }
    // Without room beside the agent's panel, the params are above it.
    let mut ui = Ui::new((500, 400), false);
    panels::params::PANEL.set_open(&mut ui, true);
    let layout = ui.layout(&state);
    let (agent, params) = (
        layout.area(panels::agent::PANEL.id).unwrap(),
        layout.area(panels::params::PANEL.id).unwrap(),
    );
    assert_eq!(all_actions(&mut ui, agent.min + 5.0, &state), quiet);
    let row = params.min + Vec2::new(5.0, Layout::HEAD + 5.0);
    let tuned = all_actions(&mut ui, row, &state);
    assert!(
        matches!(&tuned[..], [_, PlayerCommand::Tune { .. }, PlayerCommand::Tune { .. }]),
        "{tuned:?}"
    );
}

/// A click on the error panel reached agents below it.
#[test]
fn an_error_is_in_front_of_the_world() {
    let test = PlayerTest::new();
    test.at(30);
    test.script("bird", "fn steer(me) { me.sepration(3) }");
    let state = test.wait("the error", |state| !state.errors.is_empty());
    let mut ui = Ui::new(SIZE, false);
    let panel = ui.layout(&state).area(panels::error::PANEL.id).unwrap();
    let commands = all_actions(&mut ui, middle(panel), &state);
    assert!(
        matches!(commands[..], [PlayerCommand::MoveCursor(None), PlayerCommand::SetOverlays(_)]),
        "{commands:?}"
    );
    ui.panels.state_mut(panels::files::PANEL.id).is_toggled = false;
    let below = Vec2::new(middle(panel).x, panel.max.y + 60.0);
    assert!(all_actions(&mut ui, below, &state).len() > 2);
}

#[test]
fn the_help_scrolls_and_closes() {
    let test = PlayerTest::new();
    let state = test.at(1);
    let mut ui = Ui::new((500, 400), false);
    let closed = drawn(&ui, &state);
    press(Key::Char('?'), &mut ui, &state);
    let mut seen = vec![drawn(&ui, &state)];
    let lines = HelpText::new(ui.size, keys(), ui.help_page).max_scroll();
    assert!(lines > 0);
    for line in 0..lines {
        press(Key::Down, &mut ui, &state);
        let now = drawn(&ui, &state);
        assert!(!seen.contains(&now), "line {line}");
        seen.push(now);
    }
    // The wheel scrolls both ways and stops at the first and the last line.
    let help = Frame::new(&ui, &state, None).area(panels::help::PANEL.id).unwrap();
    ui.pointer = middle(help);
    for _ in 0..lines {
        ui.wheel(1.0, &state);
    }
    assert_eq!(drawn(&ui, &state), seen[0]);
    for _ in 0..lines {
        ui.wheel(-1.0, &state);
    }
    assert_eq!(drawn(&ui, &state), seen[lines]);
    assert_eq!(ui.param, 0);
    press(Key::Char('?'), &mut ui, &state);
    assert_eq!(drawn(&ui, &state), closed);
}

/// The wheel could zoom until a world of 400 units was 1e-8 pixels wide, or 1e12.
#[test]
fn the_wheel_zooms_only_within_limits() {
    let test = PlayerTest::new();
    let state = test.at(1);
    let fit = Ui::new(SIZE, false).camera(&state).pixels(1.0);
    for (by, least, most) in [(1.0, 1e3, 1e4), (-1.0, 0.02, 0.1)] {
        let mut ui = Ui::new(SIZE, false);
        ui.pointer_moved(Some(Vec2::new(300.0, 200.0)), &state);
        for _ in 0..300 {
            ui.wheel(by, &state);
        }
        let times = ui.camera(&state).pixels(1.0) / fit;
        assert!(least <= times && times <= most * 1.001, "{times} times");
        drawn(&ui, &state);
    }
}

#[test]
fn the_label_of_a_speed_that_is_not_reached_fits_the_strip() {
    let speeds = [
        (0, None, 0.02, "1x speed"),
        (-3, None, 0.02, "1/8x speed"),
        (0, Some(0.4167), 0.02, "0.42x (set to 1x)"),
        (6, Some(0.55), 0.02, "35x (set to 64x)"),
        (4, Some(0.203), 0.02, "3.2x (set to 16x)"),
        (6, Some(0.001), 0.02, "0.064x (set to 64x)"),
        (-3, Some(0.4), 0.02, "0.050x (set to 1/8x)"),
        // Nobody sees the seconds of long ticks pass.
        (5, None, 1.0, "32 ticks/s"),
        (-3, None, 1.0, "0.125 ticks/s"),
        (6, Some(0.55), 0.5, "70 of 128 ticks/s"),
        (-3, Some(0.4), 1.0, "0.050 of 0.125 ticks/s"),
        (5, None, 0.4, "32x speed"),
    ];
    for (power, reached, dt, words) in speeds {
        assert_eq!(panels::time_bar::speed(power, reached, dt), words);
        let width = text_width(words, text_writer::SIZE);
        assert!(width <= panels::time_bar::SPEED, "{words}: {width}");
    }
}
