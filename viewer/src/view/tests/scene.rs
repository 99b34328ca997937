//! Editing the scene by mouse.

use flockwork_engine::geom::Shape;
use flockwork_engine::scenario::{SceneEdit, ScenePart};

use super::super::frame::Frame;
use super::super::layout::Layout;
use super::super::scene_editor::Tool;
use super::super::ui_command::UiCommand;
use super::*;

/// Where a place of the world is in the window.
fn pixel(ui: &Ui, state: &ViewState, at: Vec2) -> Vec2 {
    ui.camera(state).pixel(at)
}

fn press_at(ui: &mut Ui, state: &ViewState, at: Vec2) -> Vec<PlayerCommand> {
    ui.pointer_moved(Some(pixel(ui, state, at)), state);
    ui.press(Button::Left, state)
}

/// Drags from one place of the world to another.
fn drag(ui: &mut Ui, state: &ViewState, from: Vec2, to: Vec2) -> Vec<PlayerCommand> {
    let mut commands = press_at(ui, state, from);
    ui.pointer_moved(Some(pixel(ui, state, (from + to) / 2.0)), state);
    ui.pointer_moved(Some(pixel(ui, state, to)), state);
    commands.extend(ui.release(state));
    commands
}

fn edit_of(commands: Vec<PlayerCommand>) -> SceneEdit {
    match <[PlayerCommand; 1]>::try_from(commands) {
        Ok([PlayerCommand::EditScene(edit)]) => edit,
        other => panic!("no edit: {other:?}"),
    }
}

fn text(test: &PlayerTest) -> String {
    fs::read_to_string(test.path()).unwrap()
}

/// The center of the tree.
fn tree(state: &ViewState) -> Option<Vec2> {
    state
        .handles
        .iter()
        .find(|one| one.part == ScenePart::Obstacle("tree".into()))
        .map(|one| one.at)
}

/// Returns what the row of the panel with these words does, or why it does nothing.
fn row(ui: &Ui, state: &ViewState, words: &str) -> Result<UiCommand, String> {
    let rows = [
        "add an obstacle",
        "add a point",
        "add a goal",
        "add an agent",
        "remove the selected mark",
    ];
    let place = rows.iter().position(|one| *one == words).unwrap();
    let panel = ui.layout(state).scene.unwrap();
    let at = panel.min + Vec2::new(20.0, Layout::HEAD + (place as f32 + 0.5) * Layout::ROW);
    let frame = Frame::new(ui, state, None);
    let widget = frame.widget_at(at).unwrap();
    widget.click.ok_or_else(|| widget.tip_words().0.unwrap_or_default().to_owned())
}

const TREE: Vec2 = Vec2::new(300.0, 80.0);

#[test]
fn an_obstacle_is_moved_and_put_back() {
    let test = PlayerTest::new();
    let state = test.at(30);
    let mut ui = Ui::new(SIZE, false);
    let plain = drawn(&ui, &state);
    press(Key::Char('e'), &mut ui, &state);
    assert!(drawn(&ui, &state) != plain, "there are no marks");
    let to = Vec2::new(250.0, 120.0);
    // Inside the tree, beside its mark.
    let inside = Vec2::new(12.0, -5.0);
    let commands = drag(&mut ui, &state, TREE + inside, to + inside);
    let SceneEdit::Move { part, to: places } = edit_of(commands.clone()) else {
        panic!("{commands:?}")
    };
    assert_eq!(part, ScenePart::Obstacle("tree".into()));
    assert!(places[0].1.distance(to) < 1.0, "{places:?}");
    test.send(commands[0].clone());
    let state = test.wait("the moved tree", |state| tree(state) == Some(places[0].1));
    assert_eq!(state.world.tick, 30);
    assert!(text(&test).contains(&format!("center: ({}, {})", places[0].1.x, places[0].1.y)));
    assert_eq!(
        text(&test).replace(&format!("({}, {})", places[0].1.x, places[0].1.y), "(300, 80)"),
        SCENARIO
    );
    test.send(PlayerCommand::Undo);
    test.wait("the tree where it was", |state| tree(state) == Some(TREE));
    assert_eq!(text(&test), SCENARIO);
    test.send(PlayerCommand::Redo);
    test.wait("the moved tree", |state| tree(state) == Some(places[0].1));
}

#[test]
fn a_radius_is_dragged_at_the_rim() {
    let test = PlayerTest::new();
    let state = test.at(30);
    for is_dark in [false, true] {
        let mut ui = Ui::new((1280, 800), is_dark);
        press(Key::Char('e'), &mut ui, &state);
        let (rim, to) = (TREE + Vec2::new(20.0, 0.0), TREE + Vec2::new(0.0, 32.0));
        assert_eq!(press_at(&mut ui, &state, rim), []);
        ui.pointer_moved(Some(pixel(&ui, &state, to)), &state);
        save_picture("scene_radius", &ui, &state);
        let commands = ui.release(&state);
        if is_dark {
            test.send(commands[0].clone());
        }
    }
    let radius = |state: &ViewState| match state.world.obstacles.first().unwrap().shape {
        Shape::Circle { radius, .. } => radius,
        _ => 0.0,
    };
    test.wait("the larger tree", |state| radius(state) == 32.0);
    assert_eq!(text(&test), SCENARIO.replace("radius: 20)", "radius: 32)"));
    // In a small picture, the mark would hide the center.
    let mut ui = Ui::new((500, 400), false);
    press(Key::Char('e'), &mut ui, &state);
    drag(&mut ui, &state, TREE, TREE);
    let removal = edit_of(press(Key::Delete, &mut ui, &state));
    let part = ScenePart::Obstacle("tree".into());
    assert_eq!(removal, SceneEdit::Remove { part, number: 0 });
}

#[test]
fn a_click_selects_a_mark_and_does_not_move_it() {
    let test = PlayerTest::new();
    let state = test.at(30);
    let mut ui = Ui::new(SIZE, false);
    press(Key::Char('e'), &mut ui, &state);
    assert_eq!(drag(&mut ui, &state, TREE, TREE), []);
    let commands = press(Key::Delete, &mut ui, &state);
    let part = ScenePart::Obstacle("tree".into());
    assert_eq!(edit_of(commands.clone()), SceneEdit::Remove { part, number: 0 });
    test.send(commands[0].clone());
    test.wait("no tree", |state| state.world.obstacles.is_empty());
    // Nothing is selected now.
    assert_eq!(press(Key::Delete, &mut ui, &state), []);
    // Beside all marks, the view moves as always.
    let view = ui.camera(&state);
    drag(&mut ui, &state, Vec2::new(20.0, 20.0), Vec2::new(60.0, 40.0));
    assert!(ui.camera(&state) != view);
}

#[test]
fn tools_add_what_is_clicked_and_escape_closes_one_thing_at_a_time() {
    let test = PlayerTest::new();
    let state = test.at(30);
    let mut ui = Ui::new(SIZE, false);
    press(Key::Char('e'), &mut ui, &state);
    let at = Vec2::new(120.0, 200.0);
    for tool in [Tool::Obstacle, Tool::Goal, Tool::Agent, Tool::PathPoint] {
        UiCommand::Tool(tool).execute(&mut ui, &state);
        let commands = drag(&mut ui, &state, at, at);
        match tool {
            // There is no path.
            Tool::PathPoint => assert_eq!(commands, []),
            _ => test.send(commands[0].clone()),
        }
    }
    // Birds are spawned in a disc, so no place of an agent can be added.
    let why = "no places of their own";
    let state = test.wait("a notice", |state| {
        state.notices.iter().any(|one| one.is_failure && one.text.contains(why))
    });
    let text = text(&test);
    assert!(text.contains("\"obstacle_1\": Circle(center: (120, 200), radius: "), "{text}");
    assert!(text.contains("goals: [(at: (120, 200))]"), "{text}");
    // The panel says so before.
    assert!(row(&ui, &state, "add an agent").is_err_and(|tip| tip.contains(why)));
    assert!(row(&ui, &state, "add a point").is_err_and(|tip| tip.contains("has no path")));
    let fox = Vec2::new(60.0, 60.0);
    drag(&mut ui, &state, fox, fox);
    let agent = UiCommand::Tool(Tool::Agent);
    assert_eq!(row(&ui, &state, "add an agent"), Ok(agent));
    UiCommand::Tool(Tool::Agent).execute(&mut ui, &state);
    let added = edit_of(drag(&mut ui, &state, at, at));
    let part = ScenePart::Spawn("fox".into());
    assert_eq!(added, SceneEdit::AddPlace { part: part.clone(), before: None, at });
    test.send(PlayerCommand::EditScene(added));
    let state = test.wait("the fox", |state| {
        state.handles.iter().any(|one| one.part == part && one.number == 1)
    });

    UiCommand::Tool(Tool::Goal).execute(&mut ui, &state);
    for is_open in [true, true, false] {
        assert_eq!(press(Key::Escape, &mut ui, &state), []);
        assert_eq!(ui.editor.is_some(), is_open);
    }
}

#[test]
fn what_was_added_is_selected_until_it_is_undone() {
    let test = PlayerTest::new();
    let state = test.at(30);
    let mut ui = Ui::new((1280, 800), false);
    press(Key::Char('e'), &mut ui, &state);
    let remove = "remove the selected mark";
    assert!(row(&ui, &state, remove).is_err_and(|tip| tip.contains("nothing is selected")));
    assert_eq!(press(Key::Delete, &mut ui, &state), []);
    for (tool, part) in [
        (Tool::Obstacle, ScenePart::Obstacle("obstacle_1".into())),
        (Tool::Goal, ScenePart::Goals("bird".into())),
    ] {
        UiCommand::Tool(tool).execute(&mut ui, &state);
        let at = Vec2::new(120.0, 210.0);
        let commands = drag(&mut ui, &state, at, at);
        test.send(commands[0].clone());
        let is_there = |state: &ViewState| state.handles.iter().any(|one| one.part == part);
        let added = test.wait("the new place", is_there);
        assert_eq!(row(&ui, &added, remove), Ok(UiCommand::RemovePlace));
        save_picture("scene_added", &ui, &added);
        test.send(PlayerCommand::Undo);
        let undone = test.wait("the undone place", |state| !is_there(state));
        assert!(row(&ui, &undone, remove).is_err());
        assert_eq!(press(Key::Delete, &mut ui, &undone), []);
        test.send(PlayerCommand::Redo);
        let state = test.wait("the place again", is_there);
        let removal = SceneEdit::Remove { part: part.clone(), number: 0 };
        assert_eq!(edit_of(press(Key::Delete, &mut ui, &state)), removal);
    }
}

#[test]
fn the_marks_and_the_panel_fit_any_window() {
    let test = PlayerTest::new();
    let state = test.at(30);
    for size in [(500, 400), (1280, 800), (3840, 2160)] {
        for is_dark in [false, true] {
            let mut ui = Ui::new(size, is_dark);
            press(Key::Char('e'), &mut ui, &state);
            let pixels = drawn(&ui, &state);
            ui.pointer_moved(Some(pixel(&ui, &state, TREE)), &state);
            save_picture("scene", &ui, &state);
            let panel = ui.layout(&state).scene.unwrap();
            assert!(panel.max.y <= size.1 as f32 && panel.max.x <= size.0 as f32);
            assert!(pixels.len() == (size.0 * size.1) as usize);
        }
    }
}
